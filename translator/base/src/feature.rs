//! Vulkan's device features, and sets of them.
//!
//! Each feature is one row of the table below. Its name in texts is the member of the Vulkan
//! feature structure that enables it, so a message that names a feature also says how to enable it.

use std::fmt;

macro_rules! features {
    ($($(#[doc = $remark:literal])* $variant:ident $name:literal $structure:literal,)*) => {
        /// A Vulkan device feature that translated code may need.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Feature {
            $(#[doc = concat!("`", $structure, "::", $name, "`.")] $(#[doc = $remark])* $variant,)*
        }
        impl Feature {
            /// All features, in table order.
            pub const ALL: &'static [Feature] = &[$(Feature::$variant,)*];
            /// The member of the Vulkan structure that enables it.
            pub fn name(self) -> &'static str {
                match self { $(Feature::$variant => $name,)* }
            }
            /// The feature with this name, the member of the Vulkan structure; `None` if translated
            /// code never needs one of the name.
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($name => Some(Feature::$variant),)* _ => None }
            }
            /// The Vulkan structure that has the member, or `(extension)` for a feature that
            /// enabling an extension gives.
            pub fn structure(self) -> &'static str {
                match self { $(Feature::$variant => $structure,)* }
            }
            /// What its name and structure do not say; empty for most.
            pub fn remark(self) -> &'static str {
                match self { $(Feature::$variant => concat!($($remark),*).trim_ascii(),)* }
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
    ImageFloat32AtomicAdd "shaderImageFloat32AtomicAdd" "VkPhysicalDeviceShaderAtomicFloatFeaturesEXT",
    ImageInt64Atomics "shaderImageInt64Atomics" "VkPhysicalDeviceShaderImageAtomicInt64FeaturesEXT",
    FragmentShaderBarycentric "fragmentShaderBarycentric" "VkPhysicalDeviceFragmentShaderBarycentricFeaturesKHR",
    FragmentShaderSampleInterlock "fragmentShaderSampleInterlock" "VkPhysicalDeviceFragmentShaderInterlockFeaturesEXT",
    FragmentShaderPixelInterlock "fragmentShaderPixelInterlock" "VkPhysicalDeviceFragmentShaderInterlockFeaturesEXT",
    MaximalReconvergence "shaderMaximalReconvergence" "VkPhysicalDeviceShaderMaximalReconvergenceFeaturesKHR",
    QuadControl "shaderQuadControl" "VkPhysicalDeviceShaderQuadControlFeaturesKHR",
    SubgroupPartitioned "shaderSubgroupPartitioned" "VkPhysicalDeviceShaderSubgroupPartitionedFeaturesEXT",
    ComputeDerivativeGroupQuads "computeDerivativeGroupQuads" "VkPhysicalDeviceComputeShaderDerivativesFeaturesKHR",
    ComputeDerivativeGroupLinear "computeDerivativeGroupLinear" "VkPhysicalDeviceComputeShaderDerivativesFeaturesKHR",
    LongVector "longVector" "VkPhysicalDeviceShaderLongVectorFeaturesEXT",
    FloatControls2 "shaderFloatControls2" "VkPhysicalDeviceShaderFloatControls2Features",
    PipelineFragmentShadingRate "pipelineFragmentShadingRate" "VkPhysicalDeviceFragmentShadingRateFeaturesKHR",
    PrimitiveFragmentShadingRate "primitiveFragmentShadingRate" "VkPhysicalDeviceFragmentShadingRateFeaturesKHR",
    SubgroupClock "shaderSubgroupClock" "VkPhysicalDeviceShaderClockFeaturesKHR",
    DeviceClock "shaderDeviceClock" "VkPhysicalDeviceShaderClockFeaturesKHR",
    MutableDescriptorType "mutableDescriptorType" "VkPhysicalDeviceMutableDescriptorTypeFeaturesEXT",
    AccelerationStructure "accelerationStructure" "VkPhysicalDeviceAccelerationStructureFeaturesKHR",
    RayTracingPipeline "rayTracingPipeline" "VkPhysicalDeviceRayTracingPipelineFeaturesKHR",
    RayTraversalPrimitiveCulling "rayTraversalPrimitiveCulling" "VkPhysicalDeviceRayTracingPipelineFeaturesKHR",
    RayQuery "rayQuery" "VkPhysicalDeviceRayQueryFeaturesKHR",
    OpacityMicromap "micromap" "VkPhysicalDeviceOpacityMicromapFeaturesEXT",
    RayTracingInvocationReorder "rayTracingInvocationReorder" "VkPhysicalDeviceRayTracingInvocationReorderFeaturesNV",
    /// The member of this structure has the name of the NV structure's, from which it must differ
    /// here.
    RayTracingInvocationReorderExt "rayTracingInvocationReorderEXT" "VkPhysicalDeviceRayTracingInvocationReorderFeaturesEXT",
    TaskShader "taskShader" "VkPhysicalDeviceMeshShaderFeaturesEXT",
    MeshShader "meshShader" "VkPhysicalDeviceMeshShaderFeaturesEXT",
    /// Not a shader capability. Without it, no pipeline with a mesh shader draws several views.
    MultiviewMeshShader "multiviewMeshShader" "VkPhysicalDeviceMeshShaderFeaturesEXT",
    PrimitiveFragmentShadingRateMeshShader "primitiveFragmentShadingRateMeshShader" "VkPhysicalDeviceMeshShaderFeaturesEXT",
    TransformFeedback "transformFeedback" "VkPhysicalDeviceTransformFeedbackFeaturesEXT",
    GeometryStreams "geometryStreams" "VkPhysicalDeviceTransformFeedbackFeaturesEXT",
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
    pub const fn from_features(features: &[Feature]) -> Self {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feature_is_found_by_its_name() {
        for &feature in Feature::ALL {
            assert_eq!(Feature::from_name(feature.name()), Some(feature));
        }
        assert_eq!(Feature::from_name("shaderint64"), None);
    }
}
