//! Feature structures of Vulkan: their numbers, sizes, versions and extensions.

use std::ffi::CStr;

use ash::vk;
use ash::vk::TaggedStructure;

use crate::newer::{
    API_VERSION_1_4, PhysicalDeviceRayTracingInvocationReorderFeatures, PhysicalDeviceShaderLongVectorFeatures,
    PhysicalDeviceShaderSubgroupPartitionedFeatures, PhysicalDeviceVulkan14Features,
};

/// A feature structure, with the conditions under which it is usable.
pub struct Structure {
    /// `sType`.
    pub s_type: vk::StructureType,
    /// Its size in bytes.
    pub size: usize,
    /// The Vulkan version that has it in core; 0 for none.
    pub core: u32,
    /// The device extension that has it before that version; `None` for aggregates.
    pub extension: Option<&'static CStr>,
    /// The Vulkan version that this extension requires; 1.0 means 1.0 with
    /// VK_KHR_get_physical_device_properties2.
    pub least: u32,
    /// Device extensions that this extension requires.
    pub requires: &'static [Required],
}

/// A device extension that another one requires.
#[derive(Clone, Copy)]
pub struct Required {
    /// Its name.
    pub name: &'static CStr,
    /// The Vulkan version whose core satisfies the requirement, with or without the extension; 0
    /// for none.
    pub core: u32,
}

const fn required(name: &'static CStr) -> Required {
    Required { name, core: 0 }
}

/// An extension that is part of Vulkan 1.1.
const fn before_1_1(name: &'static CStr) -> Required {
    Required { name, core: vk::API_VERSION_1_1 }
}

/// An extension that is part of Vulkan 1.2.
const fn before_1_2(name: &'static CStr) -> Required {
    Required { name, core: vk::API_VERSION_1_2 }
}

/// `VK_KHR_spirv_1_4`, with what it requires.
const SPIRV_1_4: [Required; 2] = [before_1_2(c"VK_KHR_spirv_1_4"), before_1_2(c"VK_KHR_shader_float_controls")];
/// What `VK_KHR_acceleration_structure` requires.
const FOR_STRUCTURES: [Required; 3] = [
    required(c"VK_KHR_deferred_host_operations"),
    before_1_2(c"VK_EXT_descriptor_indexing"),
    before_1_2(c"VK_KHR_buffer_device_address"),
];
/// What `VK_KHR_ray_tracing_pipeline` and `VK_KHR_ray_query` require, directly or not.
const FOR_RAYS: [Required; 6] = [
    required(c"VK_KHR_acceleration_structure"),
    FOR_STRUCTURES[0],
    FOR_STRUCTURES[1],
    FOR_STRUCTURES[2],
    SPIRV_1_4[0],
    SPIRV_1_4[1],
];
/// What the extensions that reorder invocations require, directly or not.
const FOR_REORDERING: [Required; 7] = [
    required(c"VK_KHR_ray_tracing_pipeline"),
    FOR_RAYS[0],
    FOR_STRUCTURES[0],
    FOR_STRUCTURES[1],
    FOR_STRUCTURES[2],
    SPIRV_1_4[0],
    SPIRV_1_4[1],
];

const V1_0: u32 = vk::API_VERSION_1_0;
const V1_1: u32 = vk::API_VERSION_1_1;
const V1_2: u32 = vk::API_VERSION_1_2;
const V1_3: u32 = vk::API_VERSION_1_3;
const V1_4: u32 = API_VERSION_1_4;

/// The structures. The requirements of extensions are those of the registry (`vk.xml`, `depends`).
macro_rules! structures {
    ($($name:ident = $ty:ident, core $core:expr, $extension:expr, least $least:expr, requires $requires:expr;)*) => {
        $(
            #[doc = concat!("`Vk", stringify!($ty), "`.")]
            pub static $name: Structure = Structure {
                s_type: vk::$ty::STRUCTURE_TYPE,
                size: size_of::<vk::$ty<'_>>(),
                core: $core,
                extension: $extension,
                least: $least,
                requires: &$requires,
            };
        )*
    };
}

structures! {
    VULKAN11 = PhysicalDeviceVulkan11Features, core V1_2,
        None, least V1_1, requires [];
    VULKAN12 = PhysicalDeviceVulkan12Features, core V1_2,
        None, least V1_1, requires [];
    VULKAN13 = PhysicalDeviceVulkan13Features, core V1_3,
        None, least V1_1, requires [];
    STORAGE_16BIT = PhysicalDevice16BitStorageFeatures, core V1_1,
        Some(c"VK_KHR_16bit_storage"), least V1_0, requires [before_1_1(c"VK_KHR_storage_buffer_storage_class")];
    MULTIVIEW = PhysicalDeviceMultiviewFeatures, core V1_1,
        Some(c"VK_KHR_multiview"), least V1_0, requires [];
    DRAW_PARAMETERS = PhysicalDeviceShaderDrawParametersFeatures, core V1_1,
        None, least V1_1, requires [];
    STORAGE_8BIT = PhysicalDevice8BitStorageFeatures, core V1_2,
        Some(c"VK_KHR_8bit_storage"), least V1_0, requires [before_1_1(c"VK_KHR_storage_buffer_storage_class")];
    ATOMIC_INT64 = PhysicalDeviceShaderAtomicInt64Features, core V1_2,
        Some(c"VK_KHR_shader_atomic_int64"), least V1_0, requires [];
    FLOAT16_INT8 = PhysicalDeviceShaderFloat16Int8Features, core V1_2,
        Some(c"VK_KHR_shader_float16_int8"), least V1_0, requires [];
    DESCRIPTOR_INDEXING = PhysicalDeviceDescriptorIndexingFeatures, core V1_2,
        Some(c"VK_EXT_descriptor_indexing"), least V1_0, requires [before_1_1(c"VK_KHR_maintenance3")];
    SCALAR_BLOCK_LAYOUT = PhysicalDeviceScalarBlockLayoutFeatures, core V1_2,
        Some(c"VK_EXT_scalar_block_layout"), least V1_0, requires [];
    UNIFORM_BUFFER_STANDARD_LAYOUT = PhysicalDeviceUniformBufferStandardLayoutFeatures, core V1_2,
        Some(c"VK_KHR_uniform_buffer_standard_layout"), least V1_0, requires [];
    SUBGROUP_EXTENDED_TYPES = PhysicalDeviceShaderSubgroupExtendedTypesFeatures, core V1_2,
        Some(c"VK_KHR_shader_subgroup_extended_types"), least V1_1, requires [];
    BUFFER_DEVICE_ADDRESS = PhysicalDeviceBufferDeviceAddressFeatures, core V1_2,
        Some(c"VK_KHR_buffer_device_address"), least V1_1, requires [];
    MEMORY_MODEL = PhysicalDeviceVulkanMemoryModelFeatures, core V1_2,
        Some(c"VK_KHR_vulkan_memory_model"), least V1_0, requires [];
    INLINE_UNIFORM_BLOCK = PhysicalDeviceInlineUniformBlockFeatures, core V1_3,
        Some(c"VK_EXT_inline_uniform_block"), least V1_0, requires [before_1_1(c"VK_KHR_maintenance1")];
    DEMOTE = PhysicalDeviceShaderDemoteToHelperInvocationFeatures, core V1_3,
        Some(c"VK_EXT_shader_demote_to_helper_invocation"), least V1_0, requires [];
    TERMINATE = PhysicalDeviceShaderTerminateInvocationFeatures, core V1_3,
        Some(c"VK_KHR_shader_terminate_invocation"), least V1_0, requires [];
    SUBGROUP_SIZE_CONTROL = PhysicalDeviceSubgroupSizeControlFeatures, core V1_3,
        Some(c"VK_EXT_subgroup_size_control"), least V1_1, requires [];
    INTEGER_DOT_PRODUCT = PhysicalDeviceShaderIntegerDotProductFeatures, core V1_3,
        Some(c"VK_KHR_shader_integer_dot_product"), least V1_0, requires [];
    MAINTENANCE4 = PhysicalDeviceMaintenance4Features, core V1_3,
        Some(c"VK_KHR_maintenance4"), least V1_1, requires [];
    MAINTENANCE5 = PhysicalDeviceMaintenance5FeaturesKHR, core V1_4,
        Some(c"VK_KHR_maintenance5"), least V1_1, requires [];
    IMAGE_ROBUSTNESS = PhysicalDeviceImageRobustnessFeatures, core V1_3,
        Some(c"VK_EXT_image_robustness"), least V1_0, requires [];
    ROBUSTNESS2 = PhysicalDeviceRobustness2FeaturesEXT, core 0,
        Some(c"VK_EXT_robustness2"), least V1_0, requires [];
    PIPELINE_ROBUSTNESS = PhysicalDevicePipelineRobustnessFeaturesEXT, core V1_4,
        Some(c"VK_EXT_pipeline_robustness"), least V1_0, requires [];
    SHADING_RATE = PhysicalDeviceFragmentShadingRateFeaturesKHR, core 0,
        Some(c"VK_KHR_fragment_shading_rate"), least V1_1, requires [before_1_2(c"VK_KHR_create_renderpass2")];
    SHADER_CLOCK = PhysicalDeviceShaderClockFeaturesKHR, core 0,
        Some(c"VK_KHR_shader_clock"), least V1_0, requires [];
    ATOMIC_FLOAT = PhysicalDeviceShaderAtomicFloatFeaturesEXT, core 0,
        Some(c"VK_EXT_shader_atomic_float"), least V1_0, requires [];
    IMAGE_ATOMIC_INT64 = PhysicalDeviceShaderImageAtomicInt64FeaturesEXT, core 0,
        Some(c"VK_EXT_shader_image_atomic_int64"), least V1_0, requires [];
    BARYCENTRIC = PhysicalDeviceFragmentShaderBarycentricFeaturesKHR, core 0,
        Some(c"VK_KHR_fragment_shader_barycentric"), least V1_0, requires [];
    INTERLOCK = PhysicalDeviceFragmentShaderInterlockFeaturesEXT, core 0,
        Some(c"VK_EXT_fragment_shader_interlock"), least V1_0, requires [];
    MAXIMAL_RECONVERGENCE = PhysicalDeviceShaderMaximalReconvergenceFeaturesKHR, core 0,
        Some(c"VK_KHR_shader_maximal_reconvergence"), least V1_1, requires [];
    QUAD_CONTROL = PhysicalDeviceShaderQuadControlFeaturesKHR, core 0,
        Some(c"VK_KHR_shader_quad_control"), least V1_1, requires [required(c"VK_KHR_shader_maximal_reconvergence"), before_1_2(c"VK_KHR_vulkan_memory_model")];
    // The KHR form has the NV form's number and members.
    COMPUTE_DERIVATIVES = PhysicalDeviceComputeShaderDerivativesFeaturesNV, core 0,
        Some(c"VK_KHR_compute_shader_derivatives"), least V1_0, requires [];
    FLOAT_CONTROLS2 = PhysicalDeviceShaderFloatControls2FeaturesKHR, core V1_4,
        Some(c"VK_KHR_shader_float_controls2"), least V1_1, requires [before_1_2(c"VK_KHR_shader_float_controls")];
    MUTABLE_DESCRIPTOR_TYPE = PhysicalDeviceMutableDescriptorTypeFeaturesEXT, core 0,
        Some(c"VK_EXT_mutable_descriptor_type"), least V1_0, requires [before_1_1(c"VK_KHR_maintenance3")];
    ACCELERATION_STRUCTURE = PhysicalDeviceAccelerationStructureFeaturesKHR, core 0,
        Some(c"VK_KHR_acceleration_structure"), least V1_1, requires FOR_STRUCTURES;
    RAY_TRACING_PIPELINE = PhysicalDeviceRayTracingPipelineFeaturesKHR, core 0,
        Some(c"VK_KHR_ray_tracing_pipeline"), least V1_1, requires FOR_RAYS;
    RAY_QUERY = PhysicalDeviceRayQueryFeaturesKHR, core 0,
        Some(c"VK_KHR_ray_query"), least V1_1, requires FOR_RAYS;
    OPACITY_MICROMAP = PhysicalDeviceOpacityMicromapFeaturesEXT, core 0,
        Some(c"VK_EXT_opacity_micromap"), least V1_1, requires [FOR_RAYS[0], FOR_STRUCTURES[0], FOR_STRUCTURES[1], FOR_STRUCTURES[2],
            Required { name: c"VK_KHR_synchronization2", core: vk::API_VERSION_1_3 }];
    REORDER = PhysicalDeviceRayTracingInvocationReorderFeaturesNV, core 0,
        Some(c"VK_NV_ray_tracing_invocation_reorder"), least V1_1, requires FOR_REORDERING;
    MESH_SHADER = PhysicalDeviceMeshShaderFeaturesEXT, core 0,
        Some(c"VK_EXT_mesh_shader"), least V1_1, requires SPIRV_1_4;
    TRANSFORM_FEEDBACK = PhysicalDeviceTransformFeedbackFeaturesEXT, core 0,
        Some(c"VK_EXT_transform_feedback"), least V1_0, requires [];
}

/// `VkPhysicalDeviceVulkan14Features`.
pub static VULKAN14: Structure = Structure {
    s_type: PhysicalDeviceVulkan14Features::STRUCTURE_TYPE,
    size: size_of::<PhysicalDeviceVulkan14Features>(),
    core: API_VERSION_1_4,
    extension: None,
    least: vk::API_VERSION_1_1,
    requires: &[],
};
/// `VkPhysicalDeviceRayTracingInvocationReorderFeaturesEXT`.
pub static REORDER_EXT: Structure = Structure {
    s_type: PhysicalDeviceRayTracingInvocationReorderFeatures::STRUCTURE_TYPE,
    size: size_of::<PhysicalDeviceRayTracingInvocationReorderFeatures>(),
    core: 0,
    extension: Some(c"VK_EXT_ray_tracing_invocation_reorder"),
    least: vk::API_VERSION_1_1,
    requires: &FOR_REORDERING,
};
/// `VkPhysicalDeviceShaderLongVectorFeaturesEXT`.
pub static LONG_VECTOR: Structure = Structure {
    s_type: PhysicalDeviceShaderLongVectorFeatures::STRUCTURE_TYPE,
    size: size_of::<PhysicalDeviceShaderLongVectorFeatures>(),
    core: 0,
    extension: Some(c"VK_EXT_shader_long_vector"),
    least: vk::API_VERSION_1_2,
    requires: &[],
};
/// `VkPhysicalDeviceShaderSubgroupPartitionedFeaturesEXT`.
pub static SUBGROUP_PARTITIONED: Structure = Structure {
    s_type: PhysicalDeviceShaderSubgroupPartitionedFeatures::STRUCTURE_TYPE,
    size: size_of::<PhysicalDeviceShaderSubgroupPartitionedFeatures>(),
    core: 0,
    extension: Some(c"VK_EXT_shader_subgroup_partitioned"),
    least: vk::API_VERSION_1_1,
    requires: &[],
};

/// Structures that must not be in one chain with `VkPhysicalDeviceVulkan12Features`
/// (VUID-VkDeviceCreateInfo-pNext-02830).
pub const VULKAN12_PARTS: &[vk::StructureType] = &[
    vk::PhysicalDevice8BitStorageFeatures::STRUCTURE_TYPE,
    vk::PhysicalDeviceShaderAtomicInt64Features::STRUCTURE_TYPE,
    vk::PhysicalDeviceShaderFloat16Int8Features::STRUCTURE_TYPE,
    vk::PhysicalDeviceDescriptorIndexingFeatures::STRUCTURE_TYPE,
    vk::PhysicalDeviceScalarBlockLayoutFeatures::STRUCTURE_TYPE,
    vk::PhysicalDeviceImagelessFramebufferFeatures::STRUCTURE_TYPE,
    vk::PhysicalDeviceUniformBufferStandardLayoutFeatures::STRUCTURE_TYPE,
    vk::PhysicalDeviceShaderSubgroupExtendedTypesFeatures::STRUCTURE_TYPE,
    vk::PhysicalDeviceSeparateDepthStencilLayoutsFeatures::STRUCTURE_TYPE,
    vk::PhysicalDeviceHostQueryResetFeatures::STRUCTURE_TYPE,
    vk::PhysicalDeviceTimelineSemaphoreFeatures::STRUCTURE_TYPE,
    vk::PhysicalDeviceBufferDeviceAddressFeatures::STRUCTURE_TYPE,
    vk::PhysicalDeviceVulkanMemoryModelFeatures::STRUCTURE_TYPE,
];

/// Extensions that enable a feature of `VkPhysicalDeviceVulkan12Features` by themselves
/// (VUID-VkDeviceCreateInfo-ppEnabledExtensionNames-02831 to 02835).
pub const VULKAN12_EXTENSIONS: &[&CStr] = &[
    c"VK_KHR_draw_indirect_count",
    c"VK_KHR_sampler_mirror_clamp_to_edge",
    c"VK_EXT_descriptor_indexing",
    c"VK_EXT_sampler_filter_minmax",
    c"VK_EXT_shader_viewport_index_layer",
];
