//! Which features the layer enables by itself, and how new they are.
//!
//! In: a feature, and what the application asked for. Out: whether the layer may enable it, and the
//! headers that first had it. What must hold: the layer never enables a feature that changes the
//! application's own shaders and calls.

use ash::vk;

use crate::features::requested::Requested;
use crate::translator::Feature;

/// Whether the layer enables the feature by itself, beside what the application asked for. A feature
/// that changes what the application's own shaders and calls do is used only where the application
/// enabled it.
pub fn may_enable(feature: Feature, asked: &Requested<'_>) -> bool {
    let nv_rays = || asked.extensions.contains(&c"VK_NV_ray_tracing");
    match feature {
        // D3D has the flags that cull triangles and procedural primitives everywhere. The feature
        // changes nothing in shaders and pipelines without them.
        Feature::RayTraversalPrimitiveCulling => {
            asked.has(Feature::RayTracingPipeline) || asked.has(Feature::RayQuery) || nv_rays()
        }
        // Translated code for rays is of SPV_KHR_ray_tracing. VK_NV_ray_tracing has no feature of its
        // own.
        Feature::RayTracingPipeline => nv_rays(),
        _ => !only_asked_for(feature),
    }
}

/// Whether the layer leaves the feature to the application.
fn only_asked_for(feature: Feature) -> bool {
    matches!(
        feature,
        Feature::RobustBufferAccess
            | Feature::RobustBufferAccess2
            | Feature::RobustImageAccess
            | Feature::RobustImageAccess2
            | Feature::Maintenance5
            // Devices with the feature shadingRateImage or fragmentDensityMap must not have them
            // (VkDeviceCreateInfo).
            | Feature::PipelineFragmentShadingRate
            | Feature::PrimitiveFragmentShadingRate
            | Feature::PrimitiveFragmentShadingRateMeshShader
            // An application that traces rays or draws meshes calls commands of these extensions,
            // so it has enabled them. Enabling them unasked costs some drivers memory and time.
            | Feature::AccelerationStructure
            | Feature::RayQuery
            | Feature::TaskShader
            | Feature::MeshShader
            | Feature::MultiviewMeshShader
    )
}

/// The version of the Vulkan headers that first had the feature, where that is newer than 1.3.239.
/// An older validation layer does not know the feature; see the setting `profile_cap`.
pub fn since(feature: Feature) -> Option<u32> {
    match feature {
        Feature::MaximalReconvergence => Some(vk::make_api_version(0, 1, 3, 274)),
        Feature::Maintenance5 => Some(vk::make_api_version(0, 1, 3, 259)),
        Feature::QuadControl => Some(vk::make_api_version(0, 1, 3, 276)),
        Feature::FloatControls2 => Some(vk::make_api_version(0, 1, 3, 276)),
        Feature::ComputeDerivativeGroupQuads | Feature::ComputeDerivativeGroupLinear => {
            Some(vk::make_api_version(0, 1, 3, 297))
        }
        Feature::SubgroupPartitioned => Some(vk::make_api_version(0, 1, 4, 333)),
        _ => None,
    }
}
