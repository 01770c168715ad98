//! Which features the layer enables by itself, and how new they are.
//!
//! In: a feature, and the application's request. Out: whether the layer may enable it, whether the
//! setting `enable_features` lets it, and the
//! first version of the Vulkan headers that has it. What must hold: the layer never enables a
//! feature that changes the behaviour of the application's own shaders and calls.

use ash::vk;

use crate::translator::Feature;
use dxil_vulkan_profile::Requested;

/// Whether the layer may enable the feature by itself. A feature that changes the behaviour of the
/// application's own shaders and calls is used only if the application enabled it.
pub fn may_enable(feature: Feature, asked: &Requested<'_>) -> bool {
    let nv_rays = || cfg!(feature = "nv-ray-tracing") && asked.extensions.contains(&c"VK_NV_ray_tracing");
    match feature {
        // In D3D, ray flags that skip triangles and procedural primitives always exist. The feature
        // does not change shaders and pipelines that do not use them.
        Feature::RayTraversalPrimitiveCulling => {
            asked.has(Feature::RayTracingPipeline) || asked.has(Feature::RayQuery) || nv_rays()
        }
        // Translated ray-tracing code uses SPV_KHR_ray_tracing. VK_NV_ray_tracing has no feature.
        Feature::RayTracingPipeline => nv_rays(),
        _ => !only_asked_for(feature),
    }
}

/// The setting `enable_features`: which of these features the layer adds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Additions {
    /// None.
    #[default]
    None,
    /// All of them.
    All,
    /// Those of a list.
    Listed(Vec<Feature>),
}

impl Additions {
    /// Whether the setting allows a feature.
    pub fn allows(&self, feature: Feature) -> bool {
        match self {
            Self::None => false,
            Self::All => true,
            Self::Listed(list) => list.contains(&feature),
        }
    }

    /// Parses a list of features.
    ///
    /// # Errors
    /// Names the item that is no feature.
    pub fn listed(text: &str) -> Result<Self, String> {
        text.split(',').map(|item| named(item.trim())).collect::<Result<_, _>>().map(Self::Listed)
    }
}

/// The feature with this name.
///
/// # Errors
/// Says that there is none, and hints at the most similar name.
pub fn named(name: &str) -> Result<Feature, String> {
    if let Some(found) = Feature::from_name(name) {
        return Ok(found);
    }
    let likeness = |feature: &Feature| (strsim::normalized_damerau_levenshtein(name, feature.name()), feature.name());
    Err(match Feature::ALL.iter().map(likeness).max_by(|a, b| a.0.total_cmp(&b.0)) {
        Some((likeness, similar)) if likeness > 0.5 => {
            format!("no feature is called `{name}`; did you mean `{similar}`?")
        }
        _ => format!("no feature is called `{name}`; docs/profile.md lists them"),
    })
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
            // They exclude the features shadingRateImage and fragmentDensityMap
            // (VkDeviceCreateInfo).
            | Feature::PipelineFragmentShadingRate
            | Feature::PrimitiveFragmentShadingRate
            | Feature::PrimitiveFragmentShadingRateMeshShader
            // An application that traces rays, draws meshes or captures vertices calls commands of
            // these extensions, so it has enabled them. On some drivers, enabling them costs memory
            // and time.
            | Feature::AccelerationStructure
            | Feature::RayQuery
            | Feature::OpacityMicromap
            | Feature::RayTracingInvocationReorder
            | Feature::RayTracingInvocationReorderExt
            | Feature::TaskShader
            | Feature::MeshShader
            | Feature::MultiviewMeshShader
            | Feature::TransformFeedback
            | Feature::GeometryStreams
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
        Feature::SubgroupPartitioned | Feature::RayTracingInvocationReorderExt => {
            Some(vk::make_api_version(0, 1, 4, 333))
        }
        // The oldest version that is known to have it.
        Feature::LongVector => Some(vk::make_api_version(0, 1, 4, 341)),
        _ => None,
    }
}
