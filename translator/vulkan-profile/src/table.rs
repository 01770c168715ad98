//! Where Vulkan enables each feature that translated code may need: one row per [`Feature`].
//!
//! What must hold: member names are the translator's feature names, and every feature has a row. A
//! test checks both for all features.

use std::ffi::CStr;
use std::mem::offset_of;

use ash::vk;

use dxil_base::profile::Feature;

use crate::structures::*;

/// What enables a feature.
#[derive(Clone, Copy)]
pub enum EnabledBy {
    /// `VkPhysicalDeviceFeatures`.
    Core {
        /// Byte offset in it.
        offset: usize,
        /// Name, as `ash` writes it.
        member: &'static str,
    },
    /// An individual structure, and perhaps an aggregate `VkPhysicalDeviceVulkan1xFeatures`.
    Structure {
        /// The individual structure.
        own: &'static Structure,
        /// Byte offset in it.
        offset: usize,
        /// The aggregate and the offset there.
        aggregate: Option<(&'static Structure, usize)>,
        /// Name, as `ash` writes it.
        member: &'static str,
    },
    /// Only in an aggregate structure.
    Aggregate {
        /// The aggregate.
        aggregate: &'static Structure,
        /// Byte offset in it.
        offset: usize,
        /// Name, as `ash` writes it.
        member: &'static str,
    },
    /// Enabling the extension enables the feature. A version may have it in core without a bit.
    Extension {
        /// The extension.
        name: &'static CStr,
        /// The version that always has it; 0 for none.
        core: u32,
    },
}

/// The byte offset in `VkPhysicalDeviceFeatures2` of a member of `VkPhysicalDeviceFeatures`.
pub fn core_offset(offset: usize) -> usize {
    offset_of!(vk::PhysicalDeviceFeatures2<'_>, features) + offset
}

/// The byte offset of the `index`th `VkBool32` after a structure's header.
const fn nth(index: usize) -> usize {
    size_of::<vk::BaseInStructure<'_>>() + index * size_of::<vk::Bool32>()
}

macro_rules! core {
    ($member:ident) => {
        EnabledBy::Core { offset: offset_of!(vk::PhysicalDeviceFeatures, $member), member: stringify!($member) }
    };
}
macro_rules! member {
    ($own:ident, $ty:ident, $member:ident) => {
        EnabledBy::Structure {
            own: &$own,
            offset: offset_of!(vk::$ty<'_>, $member),
            aggregate: None,
            member: stringify!($member),
        }
    };
    ($own:ident, $ty:ident, $member:ident, $aggregate:ident @ $offset:expr) => {
        EnabledBy::Structure {
            own: &$own,
            offset: offset_of!(vk::$ty<'_>, $member),
            aggregate: Some((&$aggregate, $offset)),
            member: stringify!($member),
        }
    };
}
macro_rules! v11 {
    ($own:ident, $ty:ident, $member:ident) => {
        member!($own, $ty, $member, VULKAN11 @ offset_of!(vk::PhysicalDeviceVulkan11Features<'_>, $member))
    };
}
macro_rules! v12 {
    ($own:ident, $ty:ident, $member:ident) => {
        member!($own, $ty, $member, VULKAN12 @ offset_of!(vk::PhysicalDeviceVulkan12Features<'_>, $member))
    };
    ($member:ident) => {
        EnabledBy::Aggregate {
            aggregate: &VULKAN12,
            offset: offset_of!(vk::PhysicalDeviceVulkan12Features<'_>, $member),
            member: stringify!($member),
        }
    };
}
macro_rules! v13 {
    ($own:ident, $ty:ident, $member:ident) => {
        member!($own, $ty, $member, VULKAN13 @ offset_of!(vk::PhysicalDeviceVulkan13Features<'_>, $member))
    };
}

/// What enables a feature on a device of this Vulkan version.
pub fn enabled_by(feature: Feature, version: u32) -> EnabledBy {
    match feature {
        // Since Vulkan 1.1 this extension has a feature bit.
        Feature::DrawParameters if version < vk::API_VERSION_1_1 => {
            EnabledBy::Extension { name: c"VK_KHR_shader_draw_parameters", core: 0 }
        }
        _ => enabled_by_since_1_1(feature),
    }
}

#[expect(clippy::too_many_lines, reason = "a flat table of features")]
fn enabled_by_since_1_1(feature: Feature) -> EnabledBy {
    use Feature as F;
    match feature {
        F::GeometryShader => core!(geometry_shader),
        F::TessellationShader => core!(tessellation_shader),
        F::SampleRateShading => core!(sample_rate_shading),
        F::DualSrcBlend => core!(dual_src_blend),
        F::MultiViewport => core!(multi_viewport),
        F::VertexPipelineStoresAndAtomics => core!(vertex_pipeline_stores_and_atomics),
        F::FragmentStoresAndAtomics => core!(fragment_stores_and_atomics),
        F::ImageGatherExtended => core!(shader_image_gather_extended),
        F::StorageImageExtendedFormats => core!(shader_storage_image_extended_formats),
        F::StorageImageMultisample => core!(shader_storage_image_multisample),
        F::StorageImageReadWithoutFormat => core!(shader_storage_image_read_without_format),
        F::StorageImageWriteWithoutFormat => core!(shader_storage_image_write_without_format),
        F::UniformBufferArrayDynamicIndexing => core!(shader_uniform_buffer_array_dynamic_indexing),
        F::SampledImageArrayDynamicIndexing => core!(shader_sampled_image_array_dynamic_indexing),
        F::StorageBufferArrayDynamicIndexing => core!(shader_storage_buffer_array_dynamic_indexing),
        F::StorageImageArrayDynamicIndexing => core!(shader_storage_image_array_dynamic_indexing),
        F::ClipDistance => core!(shader_clip_distance),
        F::TessellationAndGeometryPointSize => core!(shader_tessellation_and_geometry_point_size),
        F::CullDistance => core!(shader_cull_distance),
        F::Float64 => core!(shader_float64),
        F::Int64 => core!(shader_int64),
        F::Int16 => core!(shader_int16),
        F::ResourceResidency => core!(shader_resource_residency),
        F::ResourceMinLod => core!(shader_resource_min_lod),
        F::ImageCubeArray => core!(image_cube_array),
        F::RobustBufferAccess => core!(robust_buffer_access),
        F::StorageBuffer16Bit => v11!(STORAGE_16BIT, PhysicalDevice16BitStorageFeatures, storage_buffer16_bit_access),
        F::UniformAndStorageBuffer16Bit => {
            v11!(STORAGE_16BIT, PhysicalDevice16BitStorageFeatures, uniform_and_storage_buffer16_bit_access)
        }
        F::StoragePushConstant16 => v11!(STORAGE_16BIT, PhysicalDevice16BitStorageFeatures, storage_push_constant16),
        F::StorageInputOutput16 => v11!(STORAGE_16BIT, PhysicalDevice16BitStorageFeatures, storage_input_output16),
        F::Multiview => v11!(MULTIVIEW, PhysicalDeviceMultiviewFeatures, multiview),
        F::DrawParameters => v11!(DRAW_PARAMETERS, PhysicalDeviceShaderDrawParametersFeatures, shader_draw_parameters),
        F::StorageBuffer8Bit => v12!(STORAGE_8BIT, PhysicalDevice8BitStorageFeatures, storage_buffer8_bit_access),
        F::BufferInt64Atomics => {
            v12!(ATOMIC_INT64, PhysicalDeviceShaderAtomicInt64Features, shader_buffer_int64_atomics)
        }
        F::SharedInt64Atomics => {
            v12!(ATOMIC_INT64, PhysicalDeviceShaderAtomicInt64Features, shader_shared_int64_atomics)
        }
        F::Float16 => v12!(FLOAT16_INT8, PhysicalDeviceShaderFloat16Int8Features, shader_float16),
        F::Int8 => v12!(FLOAT16_INT8, PhysicalDeviceShaderFloat16Int8Features, shader_int8),
        F::InputAttachmentArrayDynamicIndexing => v12!(
            DESCRIPTOR_INDEXING,
            PhysicalDeviceDescriptorIndexingFeatures,
            shader_input_attachment_array_dynamic_indexing
        ),
        F::UniformTexelBufferArrayDynamicIndexing => v12!(
            DESCRIPTOR_INDEXING,
            PhysicalDeviceDescriptorIndexingFeatures,
            shader_uniform_texel_buffer_array_dynamic_indexing
        ),
        F::StorageTexelBufferArrayDynamicIndexing => v12!(
            DESCRIPTOR_INDEXING,
            PhysicalDeviceDescriptorIndexingFeatures,
            shader_storage_texel_buffer_array_dynamic_indexing
        ),
        F::UniformBufferArrayNonUniformIndexing => v12!(
            DESCRIPTOR_INDEXING,
            PhysicalDeviceDescriptorIndexingFeatures,
            shader_uniform_buffer_array_non_uniform_indexing
        ),
        F::SampledImageArrayNonUniformIndexing => v12!(
            DESCRIPTOR_INDEXING,
            PhysicalDeviceDescriptorIndexingFeatures,
            shader_sampled_image_array_non_uniform_indexing
        ),
        F::StorageBufferArrayNonUniformIndexing => v12!(
            DESCRIPTOR_INDEXING,
            PhysicalDeviceDescriptorIndexingFeatures,
            shader_storage_buffer_array_non_uniform_indexing
        ),
        F::StorageImageArrayNonUniformIndexing => v12!(
            DESCRIPTOR_INDEXING,
            PhysicalDeviceDescriptorIndexingFeatures,
            shader_storage_image_array_non_uniform_indexing
        ),
        F::UniformTexelBufferArrayNonUniformIndexing => v12!(
            DESCRIPTOR_INDEXING,
            PhysicalDeviceDescriptorIndexingFeatures,
            shader_uniform_texel_buffer_array_non_uniform_indexing
        ),
        F::StorageTexelBufferArrayNonUniformIndexing => v12!(
            DESCRIPTOR_INDEXING,
            PhysicalDeviceDescriptorIndexingFeatures,
            shader_storage_texel_buffer_array_non_uniform_indexing
        ),
        F::RuntimeDescriptorArray => {
            v12!(DESCRIPTOR_INDEXING, PhysicalDeviceDescriptorIndexingFeatures, runtime_descriptor_array)
        }
        F::ScalarBlockLayout => v12!(SCALAR_BLOCK_LAYOUT, PhysicalDeviceScalarBlockLayoutFeatures, scalar_block_layout),
        F::UniformBufferStandardLayout => v12!(
            UNIFORM_BUFFER_STANDARD_LAYOUT,
            PhysicalDeviceUniformBufferStandardLayoutFeatures,
            uniform_buffer_standard_layout
        ),
        F::SubgroupExtendedTypes => v12!(
            SUBGROUP_EXTENDED_TYPES,
            PhysicalDeviceShaderSubgroupExtendedTypesFeatures,
            shader_subgroup_extended_types
        ),
        F::BufferDeviceAddress => {
            v12!(BUFFER_DEVICE_ADDRESS, PhysicalDeviceBufferDeviceAddressFeatures, buffer_device_address)
        }
        F::VulkanMemoryModel => v12!(MEMORY_MODEL, PhysicalDeviceVulkanMemoryModelFeatures, vulkan_memory_model),
        F::VulkanMemoryModelDeviceScope => {
            v12!(MEMORY_MODEL, PhysicalDeviceVulkanMemoryModelFeatures, vulkan_memory_model_device_scope)
        }
        F::OutputViewportIndex => v12!(shader_output_viewport_index),
        F::OutputLayer => v12!(shader_output_layer),
        F::InlineUniformBlock => {
            v13!(INLINE_UNIFORM_BLOCK, PhysicalDeviceInlineUniformBlockFeatures, inline_uniform_block)
        }
        F::DemoteToHelperInvocation => {
            v13!(DEMOTE, PhysicalDeviceShaderDemoteToHelperInvocationFeatures, shader_demote_to_helper_invocation)
        }
        F::TerminateInvocation => {
            v13!(TERMINATE, PhysicalDeviceShaderTerminateInvocationFeatures, shader_terminate_invocation)
        }
        F::SubgroupSizeControl => {
            v13!(SUBGROUP_SIZE_CONTROL, PhysicalDeviceSubgroupSizeControlFeatures, subgroup_size_control)
        }
        F::ComputeFullSubgroups => {
            v13!(SUBGROUP_SIZE_CONTROL, PhysicalDeviceSubgroupSizeControlFeatures, compute_full_subgroups)
        }
        F::IntegerDotProduct => {
            v13!(INTEGER_DOT_PRODUCT, PhysicalDeviceShaderIntegerDotProductFeatures, shader_integer_dot_product)
        }
        F::Maintenance4 => v13!(MAINTENANCE4, PhysicalDeviceMaintenance4Features, maintenance4),
        F::Maintenance5 => {
            member!(MAINTENANCE5, PhysicalDeviceMaintenance5FeaturesKHR, maintenance5, VULKAN14 @ nth(15))
        }
        F::RobustBufferAccess2 => member!(ROBUSTNESS2, PhysicalDeviceRobustness2FeaturesEXT, robust_buffer_access2),
        F::RobustImageAccess2 => member!(ROBUSTNESS2, PhysicalDeviceRobustness2FeaturesEXT, robust_image_access2),
        F::PipelineRobustness => {
            member!(PIPELINE_ROBUSTNESS, PhysicalDevicePipelineRobustnessFeaturesEXT, pipeline_robustness, VULKAN14 @ nth(18))
        }
        F::RobustImageAccess => v13!(IMAGE_ROBUSTNESS, PhysicalDeviceImageRobustnessFeatures, robust_image_access),
        F::BufferFloat32Atomics => {
            member!(ATOMIC_FLOAT, PhysicalDeviceShaderAtomicFloatFeaturesEXT, shader_buffer_float32_atomics)
        }
        F::ImageFloat32AtomicAdd => {
            member!(ATOMIC_FLOAT, PhysicalDeviceShaderAtomicFloatFeaturesEXT, shader_image_float32_atomic_add)
        }
        F::ImageInt64Atomics => {
            member!(IMAGE_ATOMIC_INT64, PhysicalDeviceShaderImageAtomicInt64FeaturesEXT, shader_image_int64_atomics)
        }
        F::FragmentShaderBarycentric => {
            member!(BARYCENTRIC, PhysicalDeviceFragmentShaderBarycentricFeaturesKHR, fragment_shader_barycentric)
        }
        F::FragmentShaderSampleInterlock => {
            member!(INTERLOCK, PhysicalDeviceFragmentShaderInterlockFeaturesEXT, fragment_shader_sample_interlock)
        }
        F::FragmentShaderPixelInterlock => {
            member!(INTERLOCK, PhysicalDeviceFragmentShaderInterlockFeaturesEXT, fragment_shader_pixel_interlock)
        }
        F::MaximalReconvergence => member!(
            MAXIMAL_RECONVERGENCE,
            PhysicalDeviceShaderMaximalReconvergenceFeaturesKHR,
            shader_maximal_reconvergence
        ),
        F::QuadControl => member!(QUAD_CONTROL, PhysicalDeviceShaderQuadControlFeaturesKHR, shader_quad_control),
        F::SubgroupPartitioned => EnabledBy::Structure {
            own: &SUBGROUP_PARTITIONED,
            offset: nth(0),
            aggregate: None,
            member: "shader_subgroup_partitioned",
        },
        F::LongVector => {
            EnabledBy::Structure { own: &LONG_VECTOR, offset: nth(0), aggregate: None, member: "long_vector" }
        }
        F::ComputeDerivativeGroupQuads => member!(
            COMPUTE_DERIVATIVES,
            PhysicalDeviceComputeShaderDerivativesFeaturesNV,
            compute_derivative_group_quads
        ),
        F::ComputeDerivativeGroupLinear => member!(
            COMPUTE_DERIVATIVES,
            PhysicalDeviceComputeShaderDerivativesFeaturesNV,
            compute_derivative_group_linear
        ),
        F::FloatControls2 => {
            member!(FLOAT_CONTROLS2, PhysicalDeviceShaderFloatControls2FeaturesKHR, shader_float_controls2, VULKAN14 @ nth(3))
        }
        F::PipelineFragmentShadingRate => {
            member!(SHADING_RATE, PhysicalDeviceFragmentShadingRateFeaturesKHR, pipeline_fragment_shading_rate)
        }
        F::PrimitiveFragmentShadingRate => {
            member!(SHADING_RATE, PhysicalDeviceFragmentShadingRateFeaturesKHR, primitive_fragment_shading_rate)
        }
        F::SubgroupClock => member!(SHADER_CLOCK, PhysicalDeviceShaderClockFeaturesKHR, shader_subgroup_clock),
        F::DeviceClock => member!(SHADER_CLOCK, PhysicalDeviceShaderClockFeaturesKHR, shader_device_clock),
        F::MutableDescriptorType => {
            member!(MUTABLE_DESCRIPTOR_TYPE, PhysicalDeviceMutableDescriptorTypeFeaturesEXT, mutable_descriptor_type)
        }
        F::AccelerationStructure => {
            member!(ACCELERATION_STRUCTURE, PhysicalDeviceAccelerationStructureFeaturesKHR, acceleration_structure)
        }
        F::RayTracingPipeline => {
            member!(RAY_TRACING_PIPELINE, PhysicalDeviceRayTracingPipelineFeaturesKHR, ray_tracing_pipeline)
        }
        F::RayTraversalPrimitiveCulling => {
            member!(RAY_TRACING_PIPELINE, PhysicalDeviceRayTracingPipelineFeaturesKHR, ray_traversal_primitive_culling)
        }
        F::RayQuery => member!(RAY_QUERY, PhysicalDeviceRayQueryFeaturesKHR, ray_query),
        F::RayTracingInvocationReorder => {
            member!(REORDER, PhysicalDeviceRayTracingInvocationReorderFeaturesNV, ray_tracing_invocation_reorder)
        }
        F::RayTracingInvocationReorderExt => EnabledBy::Structure {
            own: &REORDER_EXT,
            offset: nth(0),
            aggregate: None,
            member: "ray_tracing_invocation_reorder",
        },
        F::OpacityMicromap => member!(OPACITY_MICROMAP, PhysicalDeviceOpacityMicromapFeaturesEXT, micromap),
        F::TaskShader => member!(MESH_SHADER, PhysicalDeviceMeshShaderFeaturesEXT, task_shader),
        F::MeshShader => member!(MESH_SHADER, PhysicalDeviceMeshShaderFeaturesEXT, mesh_shader),
        F::MultiviewMeshShader => member!(MESH_SHADER, PhysicalDeviceMeshShaderFeaturesEXT, multiview_mesh_shader),
        F::PrimitiveFragmentShadingRateMeshShader => {
            member!(MESH_SHADER, PhysicalDeviceMeshShaderFeaturesEXT, primitive_fragment_shading_rate_mesh_shader)
        }
        F::TransformFeedback => {
            member!(TRANSFORM_FEEDBACK, PhysicalDeviceTransformFeedbackFeaturesEXT, transform_feedback)
        }
        F::GeometryStreams => {
            member!(TRANSFORM_FEEDBACK, PhysicalDeviceTransformFeedbackFeaturesEXT, geometry_streams)
        }
        F::StorageBufferStorageClass => {
            EnabledBy::Extension { name: c"VK_KHR_storage_buffer_storage_class", core: vk::API_VERSION_1_1 }
        }
        F::StencilExport => EnabledBy::Extension { name: c"VK_EXT_shader_stencil_export", core: 0 },
        F::ViewportIndexLayer => EnabledBy::Extension { name: c"VK_EXT_shader_viewport_index_layer", core: 0 },
        F::PostDepthCoverage => EnabledBy::Extension { name: c"VK_EXT_post_depth_coverage", core: 0 },
        F::ConservativeRasterization => EnabledBy::Extension { name: c"VK_EXT_conservative_rasterization", core: 0 },
        F::NonSemanticInfo => {
            EnabledBy::Extension { name: c"VK_KHR_shader_non_semantic_info", core: vk::API_VERSION_1_3 }
        }
        // A feature without a row, which a test reports. No device has an extension with an empty
        // name, so the feature is never enabled.
        _ => EnabledBy::Extension { name: c"", core: 0 },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `storageBuffer16BitAccess` as `ash` writes it.
    fn snake(name: &str) -> String {
        let mut out = String::new();
        for c in name.chars() {
            if c.is_ascii_uppercase() {
                out.push('_');
            }
            out.push(c.to_ascii_lowercase());
        }
        out
    }

    #[test]
    fn every_feature_has_a_row_with_its_name() {
        for &feature in Feature::ALL {
            match enabled_by_since_1_1(feature) {
                EnabledBy::Core { member, .. }
                | EnabledBy::Structure { member, .. }
                | EnabledBy::Aggregate { member, .. } => {
                    // The suffix tells members of one name apart.
                    let name = feature.name().strip_suffix("EXT").unwrap_or(feature.name());
                    assert_eq!(snake(name), member, "{feature}");
                }
                EnabledBy::Extension { name, .. } => assert_eq!(name.to_str(), Ok(feature.name())),
            }
        }
    }

    #[test]
    fn members_are_inside_their_structures() {
        for &feature in Feature::ALL {
            if let EnabledBy::Structure { own, offset, aggregate, .. } = enabled_by_since_1_1(feature) {
                assert!((16..=own.size - 4).contains(&offset), "{feature}");
                if let Some((aggregate, offset)) = aggregate {
                    assert!((16..=aggregate.size - 4).contains(&offset), "{feature}");
                }
            }
        }
    }
}
