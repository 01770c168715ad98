//! Device profiles: the features, limits and properties that are enabled on a device, as plain
//! data.
//!
//! In: the layer fills a [`DeviceProfile`] from the features, properties and extensions of the
//! `VkDevice` (in one place); the tool takes a built-in profile (`builtin.rs`) or reads the text form
//! (`text.rs`). Out: `spirv::caps` answers lowering's questions by it, and `binding` reads two limits.
//! What must hold: a profile states what is *enabled*, not what is supported. No other module reads its
//! fields, which the test `listed_files_alone_read_the_profile` of `tests/architecture` holds.
//!
//! Each feature is one row of the table below. Its name in texts is the member of the Vulkan
//! feature structure that enables it, so a message that names a feature also says how to enable it.
//! `document.rs` writes docs/profile.md by the table.

mod builtin;
mod document;
mod text;

use std::fmt;

pub use builtin::{NAMES, VULKAN_1_1_FLOOR, VULKAN_1_3_DESKTOP, everything, lavapipe, vulkan_1_0_desktop};
pub use document::markdown;
pub use text::similar;

macro_rules! features {
    ($($(#[doc = $note:literal])* $variant:ident $name:literal $structure:literal,)*) => {
        /// A Vulkan device feature that translated code may need.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Feature {
            $(#[doc = concat!("`", $structure, "::", $name, "`.")] $(#[doc = $note])* $variant,)*
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
            /// What its name and structure do not say; empty for most.
            pub fn note(self) -> &'static str {
                match self { $(Feature::$variant => concat!($($note),*).trim_ascii(),)* }
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
    ($(#[$smeta:meta])* $structure:ident, $prefix:literal { $($(#[doc = $note:literal])+ $field:ident,)* }) => {
        $(#[$smeta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub struct $structure { $($(#[doc = $note])+ pub $field: u32,)* }
        impl $structure {
            /// The keys of the text form, and what each is.
            const KEYS: &'static [(&'static str, &'static str)] =
                &[$((concat!($prefix, ".", stringify!($field)), concat!($($note),+)),)*];
            /// The values, in the order of the keys.
            fn values(&self) -> Vec<u32> {
                vec![$(self.$field,)*]
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
    /// `VK_DRIVER_ID_MESA_LLVMPIPE`.
    pub const LLVMPIPE: u32 = 13;
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

impl DeviceProfile {
    /// Whether the device has the feature enabled.
    pub fn has(&self, feature: Feature) -> bool {
        self.features.has(feature)
    }
}
