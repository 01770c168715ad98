//! Device profiles: the features, limits and properties that are enabled on a device, as plain
//! data.
//!
//! In: the layer fills a [`DeviceProfile`] from the features, properties and extensions of the
//! `VkDevice` (in one place); the tool takes a constant profile or reads the text form. Out:
//! `spirv::caps` answers lowering's questions by it, and `binding` reads two limits. What must hold: a
//! profile states what is *enabled*, not what is supported. No other module reads its fields, which the
//! test `listed_files_alone_read_the_profile` of `tests/architecture` holds.
//!
//! Each feature is one row of the table below. Its name in texts is the member of the Vulkan
//! feature structure that enables it, so a message that names a feature also says how to enable it.

use std::fmt;

use crate::error::{Place, Result};

macro_rules! features {
    ($($(#[$meta:meta])* $variant:ident $name:literal $structure:literal,)*) => {
        /// A Vulkan device feature that translated code may need.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Feature {
            $(#[doc = concat!("`", $structure, "::", $name, "`.")] $(#[$meta])* $variant,)*
        }
        impl Feature {
            /// All features, in table order.
            pub const ALL: &'static [Feature] = &[$(Feature::$variant,)*];
            /// The member of the Vulkan structure that enables it.
            pub fn name(self) -> &'static str {
                match self { $(Feature::$variant => $name,)* }
            }
            /// The Vulkan structure that has the member, or `(extension)` for a feature that
            /// enabling an extension gives.
            pub fn structure(self) -> &'static str {
                match self { $(Feature::$variant => $structure,)* }
            }
        }
    };
}

features! {
    // VkPhysicalDeviceFeatures
    GeometryShader "geometryShader" "VkPhysicalDeviceFeatures",
    TessellationShader "tessellationShader" "VkPhysicalDeviceFeatures",
    SampleRateShading "sampleRateShading" "VkPhysicalDeviceFeatures",
    DualSrcBlend "dualSrcBlend" "VkPhysicalDeviceFeatures",
    MultiViewport "multiViewport" "VkPhysicalDeviceFeatures",
    VertexPipelineStoresAndAtomics "vertexPipelineStoresAndAtomics" "VkPhysicalDeviceFeatures",
    FragmentStoresAndAtomics "fragmentStoresAndAtomics" "VkPhysicalDeviceFeatures",
    ImageGatherExtended "shaderImageGatherExtended" "VkPhysicalDeviceFeatures",
    StorageImageExtendedFormats "shaderStorageImageExtendedFormats" "VkPhysicalDeviceFeatures",
    StorageImageMultisample "shaderStorageImageMultisample" "VkPhysicalDeviceFeatures",
    StorageImageReadWithoutFormat "shaderStorageImageReadWithoutFormat" "VkPhysicalDeviceFeatures",
    StorageImageWriteWithoutFormat "shaderStorageImageWriteWithoutFormat" "VkPhysicalDeviceFeatures",
    UniformBufferArrayDynamicIndexing "shaderUniformBufferArrayDynamicIndexing" "VkPhysicalDeviceFeatures",
    SampledImageArrayDynamicIndexing "shaderSampledImageArrayDynamicIndexing" "VkPhysicalDeviceFeatures",
    StorageBufferArrayDynamicIndexing "shaderStorageBufferArrayDynamicIndexing" "VkPhysicalDeviceFeatures",
    StorageImageArrayDynamicIndexing "shaderStorageImageArrayDynamicIndexing" "VkPhysicalDeviceFeatures",
    ClipDistance "shaderClipDistance" "VkPhysicalDeviceFeatures",
    CullDistance "shaderCullDistance" "VkPhysicalDeviceFeatures",
    TessellationAndGeometryPointSize "shaderTessellationAndGeometryPointSize" "VkPhysicalDeviceFeatures",
    Float64 "shaderFloat64" "VkPhysicalDeviceFeatures",
    Int64 "shaderInt64" "VkPhysicalDeviceFeatures",
    Int16 "shaderInt16" "VkPhysicalDeviceFeatures",
    ResourceResidency "shaderResourceResidency" "VkPhysicalDeviceFeatures",
    ResourceMinLod "shaderResourceMinLod" "VkPhysicalDeviceFeatures",
    ImageCubeArray "imageCubeArray" "VkPhysicalDeviceFeatures",
    /// Not a shader capability. It decides whether out-of-bounds checks are emitted.
    RobustBufferAccess "robustBufferAccess" "VkPhysicalDeviceFeatures",
    // Vulkan 1.1
    StorageBuffer16Bit "storageBuffer16BitAccess" "VkPhysicalDevice16BitStorageFeatures",
    UniformAndStorageBuffer16Bit "uniformAndStorageBuffer16BitAccess" "VkPhysicalDevice16BitStorageFeatures",
    StoragePushConstant16 "storagePushConstant16" "VkPhysicalDevice16BitStorageFeatures",
    StorageInputOutput16 "storageInputOutput16" "VkPhysicalDevice16BitStorageFeatures",
    Multiview "multiview" "VkPhysicalDeviceMultiviewFeatures",
    DrawParameters "shaderDrawParameters" "VkPhysicalDeviceShaderDrawParametersFeatures",
    // Vulkan 1.2
    StorageBuffer8Bit "storageBuffer8BitAccess" "VkPhysicalDevice8BitStorageFeatures",
    BufferInt64Atomics "shaderBufferInt64Atomics" "VkPhysicalDeviceShaderAtomicInt64Features",
    SharedInt64Atomics "shaderSharedInt64Atomics" "VkPhysicalDeviceShaderAtomicInt64Features",
    Float16 "shaderFloat16" "VkPhysicalDeviceShaderFloat16Int8Features",
    Int8 "shaderInt8" "VkPhysicalDeviceShaderFloat16Int8Features",
    InputAttachmentArrayDynamicIndexing "shaderInputAttachmentArrayDynamicIndexing" "VkPhysicalDeviceDescriptorIndexingFeatures",
    UniformTexelBufferArrayDynamicIndexing "shaderUniformTexelBufferArrayDynamicIndexing" "VkPhysicalDeviceDescriptorIndexingFeatures",
    StorageTexelBufferArrayDynamicIndexing "shaderStorageTexelBufferArrayDynamicIndexing" "VkPhysicalDeviceDescriptorIndexingFeatures",
    UniformBufferArrayNonUniformIndexing "shaderUniformBufferArrayNonUniformIndexing" "VkPhysicalDeviceDescriptorIndexingFeatures",
    SampledImageArrayNonUniformIndexing "shaderSampledImageArrayNonUniformIndexing" "VkPhysicalDeviceDescriptorIndexingFeatures",
    StorageBufferArrayNonUniformIndexing "shaderStorageBufferArrayNonUniformIndexing" "VkPhysicalDeviceDescriptorIndexingFeatures",
    StorageImageArrayNonUniformIndexing "shaderStorageImageArrayNonUniformIndexing" "VkPhysicalDeviceDescriptorIndexingFeatures",
    UniformTexelBufferArrayNonUniformIndexing "shaderUniformTexelBufferArrayNonUniformIndexing" "VkPhysicalDeviceDescriptorIndexingFeatures",
    StorageTexelBufferArrayNonUniformIndexing "shaderStorageTexelBufferArrayNonUniformIndexing" "VkPhysicalDeviceDescriptorIndexingFeatures",
    RuntimeDescriptorArray "runtimeDescriptorArray" "VkPhysicalDeviceDescriptorIndexingFeatures",
    ScalarBlockLayout "scalarBlockLayout" "VkPhysicalDeviceScalarBlockLayoutFeatures",
    UniformBufferStandardLayout "uniformBufferStandardLayout" "VkPhysicalDeviceUniformBufferStandardLayoutFeatures",
    SubgroupExtendedTypes "shaderSubgroupExtendedTypes" "VkPhysicalDeviceShaderSubgroupExtendedTypesFeatures",
    BufferDeviceAddress "bufferDeviceAddress" "VkPhysicalDeviceBufferDeviceAddressFeatures",
    VulkanMemoryModel "vulkanMemoryModel" "VkPhysicalDeviceVulkanMemoryModelFeatures",
    VulkanMemoryModelDeviceScope "vulkanMemoryModelDeviceScope" "VkPhysicalDeviceVulkanMemoryModelFeatures",
    OutputViewportIndex "shaderOutputViewportIndex" "VkPhysicalDeviceVulkan12Features",
    OutputLayer "shaderOutputLayer" "VkPhysicalDeviceVulkan12Features",
    // Vulkan 1.3
    InlineUniformBlock "inlineUniformBlock" "VkPhysicalDeviceInlineUniformBlockFeatures",
    DemoteToHelperInvocation "shaderDemoteToHelperInvocation" "VkPhysicalDeviceShaderDemoteToHelperInvocationFeatures",
    TerminateInvocation "shaderTerminateInvocation" "VkPhysicalDeviceShaderTerminateInvocationFeatures",
    SubgroupSizeControl "subgroupSizeControl" "VkPhysicalDeviceSubgroupSizeControlFeatures",
    ComputeFullSubgroups "computeFullSubgroups" "VkPhysicalDeviceSubgroupSizeControlFeatures",
    IntegerDotProduct "shaderIntegerDotProduct" "VkPhysicalDeviceShaderIntegerDotProductFeatures",
    Maintenance4 "maintenance4" "VkPhysicalDeviceMaintenance4Features",
    /// Not a shader capability. With it, a point whose size is not written has size one.
    Maintenance5 "maintenance5" "VkPhysicalDeviceMaintenance5Features",
    // Extensions
    RobustBufferAccess2 "robustBufferAccess2" "VkPhysicalDeviceRobustness2FeaturesEXT",
    PipelineRobustness "pipelineRobustness" "VkPhysicalDevicePipelineRobustnessFeatures",
    RobustImageAccess "robustImageAccess" "VkPhysicalDeviceImageRobustnessFeatures",
    RobustImageAccess2 "robustImageAccess2" "VkPhysicalDeviceRobustness2FeaturesEXT",
    BufferFloat32Atomics "shaderBufferFloat32Atomics" "VkPhysicalDeviceShaderAtomicFloatFeaturesEXT",
    ImageInt64Atomics "shaderImageInt64Atomics" "VkPhysicalDeviceShaderImageAtomicInt64FeaturesEXT",
    FragmentShaderBarycentric "fragmentShaderBarycentric" "VkPhysicalDeviceFragmentShaderBarycentricFeaturesKHR",
    FragmentShaderSampleInterlock "fragmentShaderSampleInterlock" "VkPhysicalDeviceFragmentShaderInterlockFeaturesEXT",
    FragmentShaderPixelInterlock "fragmentShaderPixelInterlock" "VkPhysicalDeviceFragmentShaderInterlockFeaturesEXT",
    MaximalReconvergence "shaderMaximalReconvergence" "VkPhysicalDeviceShaderMaximalReconvergenceFeaturesKHR",
    QuadControl "shaderQuadControl" "VkPhysicalDeviceShaderQuadControlFeaturesKHR",
    SubgroupPartitioned "shaderSubgroupPartitioned" "VkPhysicalDeviceShaderSubgroupPartitionedFeaturesEXT",
    ComputeDerivativeGroupQuads "computeDerivativeGroupQuads" "VkPhysicalDeviceComputeShaderDerivativesFeaturesKHR",
    ComputeDerivativeGroupLinear "computeDerivativeGroupLinear" "VkPhysicalDeviceComputeShaderDerivativesFeaturesKHR",
    FloatControls2 "shaderFloatControls2" "VkPhysicalDeviceShaderFloatControls2Features",
    PipelineFragmentShadingRate "pipelineFragmentShadingRate" "VkPhysicalDeviceFragmentShadingRateFeaturesKHR",
    PrimitiveFragmentShadingRate "primitiveFragmentShadingRate" "VkPhysicalDeviceFragmentShadingRateFeaturesKHR",
    SubgroupClock "shaderSubgroupClock" "VkPhysicalDeviceShaderClockFeaturesKHR",
    MutableDescriptorType "mutableDescriptorType" "VkPhysicalDeviceMutableDescriptorTypeFeaturesEXT",
    AccelerationStructure "accelerationStructure" "VkPhysicalDeviceAccelerationStructureFeaturesKHR",
    RayTracingPipeline "rayTracingPipeline" "VkPhysicalDeviceRayTracingPipelineFeaturesKHR",
    RayTraversalPrimitiveCulling "rayTraversalPrimitiveCulling" "VkPhysicalDeviceRayTracingPipelineFeaturesKHR",
    RayQuery "rayQuery" "VkPhysicalDeviceRayQueryFeaturesKHR",
    TaskShader "taskShader" "VkPhysicalDeviceMeshShaderFeaturesEXT",
    MeshShader "meshShader" "VkPhysicalDeviceMeshShaderFeaturesEXT",
    /// Not a shader capability. Without it, no pipeline with a mesh shader draws several views.
    MultiviewMeshShader "multiviewMeshShader" "VkPhysicalDeviceMeshShaderFeaturesEXT",
    PrimitiveFragmentShadingRateMeshShader "primitiveFragmentShadingRateMeshShader" "VkPhysicalDeviceMeshShaderFeaturesEXT",
    /// VK_EXT_shader_stencil_export has no feature structure: enabling the extension enables the
    /// feature.
    StencilExport "VK_EXT_shader_stencil_export" "(extension)",
    /// VK_KHR_storage_buffer_storage_class or Vulkan 1.1.
    StorageBufferStorageClass "VK_KHR_storage_buffer_storage_class" "(extension)",
    /// VK_EXT_shader_viewport_index_layer, for devices without Vulkan 1.2.
    ViewportIndexLayer "VK_EXT_shader_viewport_index_layer" "(extension)",
    /// VK_EXT_post_depth_coverage.
    PostDepthCoverage "VK_EXT_post_depth_coverage" "(extension)",
    /// VK_EXT_conservative_rasterization, for inner coverage (`FullyCoveredEXT`).
    ConservativeRasterization "VK_EXT_conservative_rasterization" "(extension)",
    /// VK_KHR_shader_non_semantic_info or Vulkan 1.3.
    NonSemanticInfo "VK_KHR_shader_non_semantic_info" "(extension)",
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of [`Feature`]s.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FeatureSet([u64; 2]);

impl FeatureSet {
    /// The set of the listed features.
    pub const fn of(features: &[Feature]) -> Self {
        let mut set = FeatureSet([0; 2]);
        let mut i = 0;
        while i < features.len() {
            let n = features[i] as usize;
            set.0[n / 64] |= 1 << (n % 64);
            i += 1;
        }
        set
    }
    /// Whether the feature is in the set.
    pub const fn has(&self, feature: Feature) -> bool {
        let n = feature as usize;
        self.0[n / 64] >> (n % 64) & 1 != 0
    }
    /// Adds or removes a feature.
    pub fn set(&mut self, feature: Feature, on: bool) {
        let n = feature as usize;
        if on {
            self.0[n / 64] |= 1 << (n % 64);
        } else {
            self.0[n / 64] &= !(1 << (n % 64));
        }
    }
    /// The features in the set, in table order.
    pub fn iter(&self) -> impl Iterator<Item = Feature> + '_ {
        Feature::ALL.iter().copied().filter(|&f| self.has(f))
    }
}

macro_rules! numbers {
    ($(#[$smeta:meta])* $structure:ident, $prefix:literal { $($(#[$meta:meta])* $field:ident,)* }) => {
        $(#[$smeta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub struct $structure { $($(#[$meta])* pub $field: u32,)* }
        impl $structure {
            fn print(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                $(writeln!(f, concat!($prefix, ".", stringify!($field), " = {}"), self.$field)?;)*
                Ok(())
            }
            fn set(&mut self, name: &str, value: u32) -> bool {
                match name { $(stringify!($field) => { self.$field = value; true })* _ => false }
            }
        }
    };
}

numbers! {
    /// Subgroup properties (`VkPhysicalDeviceSubgroupProperties`,
    /// `VkPhysicalDeviceSubgroupSizeControlProperties`).
    Subgroup, "subgroup" {
        /// Default number of lanes in a subgroup (`subgroupSize`).
        size,
        /// Smallest required subgroup size, in lanes (`minSubgroupSize`).
        min_size,
        /// Largest required subgroup size, in lanes (`maxSubgroupSize`).
        max_size,
        /// `VkShaderStageFlags` of the stages that support subgroup operations.
        stages,
        /// `VkSubgroupFeatureFlags` of the supported operations.
        operations,
        /// `VkShaderStageFlags` of the stages for which a pipeline may require a subgroup size.
        required_size_stages,
    }
}

numbers! {
    /// Float controls per width. Each value is a sum of the constants of [`FloatControls`].
    FloatControls, "float" {
        /// For 16-bit floats.
        f16,
        /// For 32-bit floats.
        f32,
        /// For 64-bit floats.
        f64,
        /// `VkShaderFloatControlsIndependence` of denormal behaviour.
        denorm_independence,
        /// `VkShaderFloatControlsIndependence` of rounding modes.
        rounding_independence,
    }
}

impl FloatControls {
    /// `shaderSignedZeroInfNanPreserve` of the width.
    pub const SIGNED_ZERO_INF_NAN_PRESERVE: u32 = 1;
    /// `shaderDenormPreserve` of the width.
    pub const DENORM_PRESERVE: u32 = 2;
    /// `shaderDenormFlushToZero` of the width.
    pub const DENORM_FLUSH_TO_ZERO: u32 = 4;
    /// `shaderRoundingModeRTE` of the width.
    pub const ROUNDING_RTE: u32 = 8;
    /// `shaderRoundingModeRTZ` of the width.
    pub const ROUNDING_RTZ: u32 = 16;
}

numbers! {
    /// The driver, for the few forms that depend on one.
    Driver, "driver" {
        /// `VkPhysicalDeviceDriverProperties::driverID`; 0 if it is not known.
        id,
    }
}

impl Driver {
    /// No driver is known.
    pub const UNKNOWN: Driver = Driver { id: 0 };
    /// `VK_DRIVER_ID_GOOGLE_SWIFTSHADER`.
    pub const SWIFTSHADER: u32 = 10;
}

numbers! {
    /// Limits (`VkPhysicalDeviceLimits` and others) that decide a lowering.
    DeviceLimits, "limit" {
        /// `maxPushConstantsSize`, bytes.
        max_push_constants_size,
        /// `maxBoundDescriptorSets`.
        max_bound_descriptor_sets,
        /// `maxUniformBufferRange`, bytes.
        max_uniform_buffer_range,
        /// `maxInlineUniformBlockSize`, bytes.
        max_inline_uniform_block_size,
        /// `maxClipDistances`.
        max_clip_distances,
        /// `maxComputeSharedMemorySize`, bytes.
        max_compute_shared_memory_size,
        /// `maxComputeWorkGroupInvocations`.
        max_compute_work_group_invocations,
        /// `maxTaskWorkGroupInvocations`.
        max_task_work_group_invocations,
        /// `maxTaskPayloadSize`, bytes.
        max_task_payload_size,
        /// `maxMeshWorkGroupInvocations`.
        max_mesh_work_group_invocations,
        /// `maxMeshOutputVertices`.
        max_mesh_output_vertices,
        /// `maxMeshOutputPrimitives`.
        max_mesh_output_primitives,
    }
}

numbers! {
    /// What formats allow beyond the features of the device. Each value is a sum of the constants of
    /// [`StorageFormats`].
    StorageFormats, "format" {
        /// The kinds of storage images and storage texel buffers of which some format can be read by an
        /// image without a format (`VK_FORMAT_FEATURE_2_STORAGE_READ_WITHOUT_FORMAT_BIT`). Vulkan 1.3
        /// permits such reads by format, on devices without `shaderStorageImageReadWithoutFormat` too.
        read_without_format,
    }
}

impl StorageFormats {
    /// Storage images of floats, normalised integers among them.
    pub const IMAGE_FLOAT: u32 = 1;
    /// Storage images of signed integers.
    pub const IMAGE_SINT: u32 = 2;
    /// Storage images of unsigned integers.
    pub const IMAGE_UINT: u32 = 4;
    /// Storage texel buffers of floats, normalised integers among them.
    pub const BUFFER_FLOAT: u32 = 8;
    /// Storage texel buffers of signed integers.
    pub const BUFFER_SINT: u32 = 16;
    /// Storage texel buffers of unsigned integers.
    pub const BUFFER_UINT: u32 = 32;
    /// All kinds.
    pub const ALL: u32 = 63;
}

/// The features, limits and properties that are enabled on a device.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct DeviceProfile {
    /// Vulkan version, `(major, minor)`: the lower of the application's and the device's.
    pub api: (u8, u8),
    /// Highest SPIR-V version that the device accepts, `(major, minor)`.
    pub spirv: (u8, u8),
    /// Enabled features.
    pub features: FeatureSet,
    /// Subgroup properties.
    pub subgroup: Subgroup,
    /// Float controls.
    pub float: FloatControls,
    /// What formats allow.
    pub formats: StorageFormats,
    /// Limits.
    pub limits: DeviceLimits,
    /// The driver.
    pub driver: Driver,
}

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
    features: FeatureSet::of(&[Feature::Multiview, Feature::RobustBufferAccess, Feature::StorageBufferStorageClass]),
    // Vulkan 1.1 guarantees basic operations in compute shaders only. The smallest possible
    // subgroup has one lane.
    subgroup: Subgroup { size: 1, min_size: 1, max_size: 1, stages: 0x20, operations: 1, required_size_stages: 0 },
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
    },
    driver: Driver::UNKNOWN,
};

/// The features and limits that desktop drivers of Vulkan 1.3 have in common.
pub const VULKAN_1_3_DESKTOP: DeviceProfile = DeviceProfile {
    api: (1, 3),
    spirv: (1, 6),
    features: FeatureSet::of(&[
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
    /// The constant profile with this name: `vulkan-1.0-desktop`, `vulkan-1.1-floor`,
    /// `vulkan-1.3-desktop` or `lavapipe`.
    pub fn named(name: &str) -> Option<DeviceProfile> {
        match name {
            "vulkan-1.0-desktop" => Some(vulkan_1_0_desktop()),
            "vulkan-1.1-floor" => Some(VULKAN_1_1_FLOOR),
            "vulkan-1.3-desktop" => Some(VULKAN_1_3_DESKTOP),
            "lavapipe" => Some(lavapipe()),
            _ => None,
        }
    }

    /// Whether the device has the feature enabled.
    pub fn has(&self, feature: Feature) -> bool {
        self.features.has(feature)
    }

    /// Reads the text form that `Display` writes: lines `key = value` in any order, with `#`
    /// comments. A number or version that the text does not mention has the value of
    /// [`VULKAN_1_1_FLOOR`]; a feature that it does not mention is off.
    ///
    /// # Errors
    /// `Malformed`, with the line: an unknown key or feature, or a value that is not a number.
    pub fn parse(text: &str) -> Result<DeviceProfile> {
        let mut profile = DeviceProfile { features: FeatureSet::default(), ..VULKAN_1_1_FLOOR };
        for (number, line) in text.lines().enumerate() {
            let place = Place::Line(number as u32 + 1);
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let (key, value) =
                line.split_once('=').ok_or_else(|| malformed!(place, "expected `key = value`, found `{line}`"))?;
            let (key, value) = (key.trim(), value.trim());
            let number =
                || value.parse::<u32>().map_err(|_| malformed!(place, "`{key}`: expected a number, found `{value}`"));
            let version = || {
                let parts = value.split_once('.').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
                parts.ok_or_else(|| malformed!(place, "`{key}`: expected a version such as 1.3, found `{value}`"))
            };
            let known = match key.split_once('.') {
                None if key == "api" => {
                    profile.api = version()?;
                    true
                }
                None if key == "spirv" => {
                    profile.spirv = version()?;
                    true
                }
                None if key == "feature" => match Feature::ALL.iter().find(|f| f.name() == value) {
                    Some(&feature) => {
                        profile.features.set(feature, true);
                        true
                    }
                    None => {
                        return Err(malformed!(
                            place,
                            "unknown feature `{value}`; expected the member of a Vulkan feature structure or an extension"
                        ));
                    }
                },
                Some(("subgroup", name)) => profile.subgroup.set(name, number()?),
                Some(("float", name)) => profile.float.set(name, number()?),
                Some(("format", name)) => profile.formats.set(name, number()?),
                Some(("limit", name)) => profile.limits.set(name, number()?),
                Some(("driver", name)) => profile.driver.set(name, number()?),
                _ => false,
            };
            if !known {
                return Err(malformed!(
                    place,
                    "unknown key `{key}`; expected api, spirv, feature, subgroup.NAME, float.NAME, format.NAME, limit.NAME \
                     or driver.NAME"
                ));
            }
        }
        Ok(profile)
    }
}

impl fmt::Display for DeviceProfile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "api = {}.{}\nspirv = {}.{}", self.api.0, self.api.1, self.spirv.0, self.spirv.1)?;
        self.subgroup.print(f)?;
        self.float.print(f)?;
        self.formats.print(f)?;
        self.limits.print(f)?;
        self.driver.print(f)?;
        for feature in self.features.iter() {
            writeln!(f, "feature = {feature}")?;
        }
        Ok(())
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
    ] {
        profile.features.set(feature, true);
    }
    // `VK_SHADER_STAGE_TASK_BIT_EXT` and `VK_SHADER_STAGE_MESH_BIT_EXT`.
    let stages = profile.subgroup.stages | 0xc0;
    profile.subgroup = Subgroup { size: 8, min_size: 8, max_size: 8, stages, ..profile.subgroup };
    profile.limits.max_push_constants_size = 256;
    profile
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_form_reads_back() {
        for name in ["vulkan-1.0-desktop", "vulkan-1.1-floor", "vulkan-1.3-desktop", "lavapipe"] {
            let profile = DeviceProfile::named(name).unwrap();
            assert_eq!(DeviceProfile::parse(&profile.to_string()).unwrap(), profile, "{name}");
        }
    }

    #[test]
    fn unknown_keys_are_refused_with_their_line() {
        let error = DeviceProfile::parse("api = 1.1\nfeature = shaderTeapot\n").unwrap_err();
        assert_eq!(error.place(), Place::Line(2));
    }
}
