//! The profiles that have names.
//!
//! In: a name. Out: a [`DeviceProfile`]. What must hold: [`NAMES`] lists each of them, and what it
//! is.

use super::{DeviceLimits, DeviceProfile, Driver, Feature, FeatureSet, FloatControls, StorageFormats, Subgroup};

/// The names of the built-in profiles, and what each is.
pub const NAMES: &[(&str, &str)] = &[
    ("vulkan-1.0-desktop", "what desktop drivers give to an application of Vulkan 1.0"),
    ("vulkan-1.1-floor", "the features and limits that every implementation of Vulkan 1.1 has"),
    ("vulkan-1.3-desktop", "the features and limits that desktop drivers of Vulkan 1.3 have in common"),
    ("lavapipe", "Mesa's lavapipe 25.0, with every feature enabled that translated code can use"),
    ("everything", "all that translated code can use, for reading shaders; no device has all of it"),
];

/// All `VkSubgroupFeatureFlagBits` of core Vulkan 1.1: basic, vote, arithmetic, ballot, shuffle,
/// relative, clustered, quad.
const SUBGROUP_ALL: u32 = 0xff;
/// `VK_SHADER_STAGE_ALL_GRAPHICS` and `VK_SHADER_STAGE_COMPUTE_BIT`.
const STAGES_CLASSIC: u32 = 0x3f;
const KEEP: u32 = FloatControls::SIGNED_ZERO_INF_NAN_PRESERVE | FloatControls::DENORM_PRESERVE;

/// The features and limits that every Vulkan 1.1 implementation has.
pub const VULKAN_1_1_FLOOR: DeviceProfile = DeviceProfile {
    api: (1, 1),
    spirv: (1, 3),
    features: FeatureSet::from_features(&[
        Feature::Multiview,
        Feature::RobustBufferAccess,
        Feature::StorageBufferStorageClass,
    ]),
    // Vulkan 1.1 guarantees basic operations in compute shaders only. The smallest possible
    // subgroup has one lane.
    subgroup: Subgroup {
        size: 1,
        min_size: 1,
        max_size: 1,
        stages: 0x20,
        operations: 1,
        required_size_stages: 0,
        max_compute_workgroup_subgroups: 0,
    },
    float: FloatControls { f16: 0, f32: 0, f64: 0, denorm_independence: 0, rounding_independence: 0 },
    formats: StorageFormats { read_without_format: 0 },
    limits: DeviceLimits {
        max_push_constants_size: 128,
        max_bound_descriptor_sets: 4,
        max_uniform_buffer_range: 16384,
        max_inline_uniform_block_size: 0,
        max_clip_distances: 0,
        max_compute_shared_memory_size: 16384,
        max_compute_work_group_invocations: 128,
        // The least that a device with VK_EXT_mesh_shader has (Vulkan, "Required Limits").
        max_task_work_group_invocations: 128,
        max_task_payload_size: 16384,
        max_mesh_work_group_invocations: 128,
        max_mesh_output_vertices: 256,
        max_mesh_output_primitives: 256,
        max_vector_components: 0,
    },
    driver: Driver::UNKNOWN,
};

/// The features and limits that desktop drivers of Vulkan 1.3 have in common.
pub const VULKAN_1_3_DESKTOP: DeviceProfile = DeviceProfile {
    api: (1, 3),
    spirv: (1, 6),
    features: FeatureSet::from_features(&[
        Feature::GeometryShader,
        Feature::TessellationShader,
        Feature::SampleRateShading,
        Feature::DualSrcBlend,
        Feature::MultiViewport,
        Feature::VertexPipelineStoresAndAtomics,
        Feature::FragmentStoresAndAtomics,
        Feature::ImageGatherExtended,
        Feature::StorageImageExtendedFormats,
        Feature::StorageImageReadWithoutFormat,
        Feature::StorageImageWriteWithoutFormat,
        Feature::UniformBufferArrayDynamicIndexing,
        Feature::SampledImageArrayDynamicIndexing,
        Feature::StorageBufferArrayDynamicIndexing,
        Feature::StorageImageArrayDynamicIndexing,
        Feature::ClipDistance,
        Feature::CullDistance,
        Feature::Float64,
        Feature::Int64,
        Feature::Int16,
        Feature::ResourceResidency,
        Feature::ResourceMinLod,
        Feature::ImageCubeArray,
        Feature::RobustBufferAccess,
        Feature::StorageBuffer16Bit,
        Feature::UniformAndStorageBuffer16Bit,
        Feature::Multiview,
        Feature::DrawParameters,
        Feature::StorageBuffer8Bit,
        Feature::BufferInt64Atomics,
        Feature::SharedInt64Atomics,
        Feature::Float16,
        Feature::Int8,
        Feature::UniformTexelBufferArrayDynamicIndexing,
        Feature::StorageTexelBufferArrayDynamicIndexing,
        Feature::UniformBufferArrayNonUniformIndexing,
        Feature::SampledImageArrayNonUniformIndexing,
        Feature::StorageBufferArrayNonUniformIndexing,
        Feature::StorageImageArrayNonUniformIndexing,
        Feature::UniformTexelBufferArrayNonUniformIndexing,
        Feature::StorageTexelBufferArrayNonUniformIndexing,
        Feature::RuntimeDescriptorArray,
        Feature::ScalarBlockLayout,
        Feature::UniformBufferStandardLayout,
        Feature::SubgroupExtendedTypes,
        Feature::BufferDeviceAddress,
        Feature::VulkanMemoryModel,
        Feature::VulkanMemoryModelDeviceScope,
        Feature::OutputViewportIndex,
        Feature::OutputLayer,
        Feature::InlineUniformBlock,
        Feature::DemoteToHelperInvocation,
        Feature::TerminateInvocation,
        Feature::SubgroupSizeControl,
        Feature::ComputeFullSubgroups,
        Feature::IntegerDotProduct,
        Feature::Maintenance4,
        Feature::RobustBufferAccess2,
        Feature::StorageBufferStorageClass,
        Feature::NonSemanticInfo,
    ]),
    subgroup: Subgroup {
        size: 32,
        min_size: 32,
        max_size: 32,
        stages: STAGES_CLASSIC,
        operations: SUBGROUP_ALL,
        required_size_stages: 0x20,
        max_compute_workgroup_subgroups: 32,
    },
    float: FloatControls { f16: KEEP, f32: KEEP, f64: KEEP, denorm_independence: 0, rounding_independence: 0 },
    formats: StorageFormats { read_without_format: StorageFormats::ALL },
    limits: DeviceLimits {
        max_push_constants_size: 128,
        max_bound_descriptor_sets: 8,
        max_uniform_buffer_range: 65536,
        max_inline_uniform_block_size: 256,
        max_clip_distances: 8,
        max_compute_shared_memory_size: 32768,
        max_compute_work_group_invocations: 1024,
        ..VULKAN_1_1_FLOOR.limits
    },
    driver: Driver::UNKNOWN,
};

impl DeviceProfile {
    /// The built-in profile with this name, which is one of [`NAMES`].
    pub fn named(name: &str) -> Option<DeviceProfile> {
        match name {
            "vulkan-1.0-desktop" => Some(vulkan_1_0_desktop()),
            "vulkan-1.1-floor" => Some(VULKAN_1_1_FLOOR),
            "vulkan-1.3-desktop" => Some(VULKAN_1_3_DESKTOP),
            "lavapipe" => Some(lavapipe()),
            "everything" => Some(everything()),
            _ => None,
        }
    }
}

/// What desktop drivers give to an application whose instance is of Vulkan 1.0, with
/// VK_KHR_get_physical_device_properties2: the features of [`VULKAN_1_3_DESKTOP`] that an extension
/// brings to Vulkan 1.0, SPIR-V 1.0, and no subgroup operations.
pub fn vulkan_1_0_desktop() -> DeviceProfile {
    let mut profile = VULKAN_1_3_DESKTOP;
    (profile.api, profile.spirv) = ((1, 0), (1, 0));
    for feature in [
        Feature::SubgroupExtendedTypes,
        Feature::BufferDeviceAddress,
        Feature::OutputViewportIndex,
        Feature::OutputLayer,
        Feature::SubgroupSizeControl,
        Feature::ComputeFullSubgroups,
        Feature::Maintenance4,
    ] {
        profile.features.set(feature, false);
    }
    profile.features.set(Feature::ViewportIndexLayer, true);
    profile.subgroup = Subgroup { stages: 0, operations: 0, ..VULKAN_1_1_FLOOR.subgroup };
    profile.formats.read_without_format = 0;
    profile
}

/// Mesa's lavapipe 25.0 with every feature enabled that translated code can use.
pub fn lavapipe() -> DeviceProfile {
    let mut profile = VULKAN_1_3_DESKTOP;
    profile.api = (1, 4);
    for feature in [
        Feature::StorageImageMultisample,
        Feature::BufferFloat32Atomics,
        Feature::ImageFloat32AtomicAdd,
        Feature::ImageInt64Atomics,
        Feature::Maintenance5,
        Feature::MaximalReconvergence,
        Feature::StencilExport,
        Feature::FragmentShaderSampleInterlock,
        Feature::FragmentShaderPixelInterlock,
        Feature::MutableDescriptorType,
        Feature::PipelineRobustness,
        Feature::RobustImageAccess,
        Feature::RobustImageAccess2,
        Feature::AccelerationStructure,
        Feature::RayTracingPipeline,
        Feature::RayTraversalPrimitiveCulling,
        Feature::RayQuery,
        Feature::TaskShader,
        Feature::MeshShader,
        Feature::TransformFeedback,
        Feature::GeometryStreams,
    ] {
        profile.features.set(feature, true);
    }
    // `VK_SHADER_STAGE_TASK_BIT_EXT` and `VK_SHADER_STAGE_MESH_BIT_EXT`.
    let stages = profile.subgroup.stages | 0xc0;
    profile.subgroup = Subgroup { size: 8, min_size: 8, max_size: 8, stages, ..profile.subgroup };
    profile.limits.max_push_constants_size = 256;
    profile
}

/// All that translated code can use: each feature, and the largest limits. No device has all of it,
/// so that the words are for reading and not for a driver.
pub fn everything() -> DeviceProfile {
    /// All `VkShaderStageFlagBits` that a translated shader may have.
    const STAGES: u32 = 0x3fff;
    /// All float controls.
    const FLOATS: u32 =
        KEEP | FloatControls::DENORM_FLUSH_TO_ZERO | FloatControls::ROUNDING_RTE | FloatControls::ROUNDING_RTZ;
    let mut profile = lavapipe();
    Feature::ALL.iter().for_each(|&feature| profile.features.set(feature, true));
    // With `VK_SUBGROUP_FEATURE_PARTITIONED_BIT_EXT`, and the two bits of
    // VK_KHR_shader_subgroup_rotate.
    profile.subgroup = Subgroup {
        size: 32,
        min_size: 4,
        max_size: 128,
        stages: STAGES,
        operations: SUBGROUP_ALL | 0x700,
        required_size_stages: STAGES,
        max_compute_workgroup_subgroups: u32::MAX,
    };
    // `VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_ALL` is 1.
    profile.float =
        FloatControls { f16: FLOATS, f32: FLOATS, f64: FLOATS, denorm_independence: 1, rounding_independence: 1 };
    profile.limits = DeviceLimits {
        // The largest root signature has as many bytes.
        max_push_constants_size: 256,
        max_bound_descriptor_sets: u32::MAX,
        max_uniform_buffer_range: u32::MAX,
        max_inline_uniform_block_size: u32::MAX,
        max_clip_distances: u32::MAX,
        max_compute_shared_memory_size: u32::MAX,
        max_compute_work_group_invocations: u32::MAX,
        max_task_work_group_invocations: u32::MAX,
        max_task_payload_size: u32::MAX,
        max_mesh_work_group_invocations: u32::MAX,
        max_mesh_output_vertices: u32::MAX,
        max_mesh_output_primitives: u32::MAX,
        max_vector_components: u32::MAX,
    };
    profile
}
