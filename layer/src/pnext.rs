//! Chains of Vulkan structures: walking them, and copying their front so that a node in it can be changed.
//!
//! In: the application's chains, which are read and never written. Out: copies of the nodes up to the one that changes; the
//! rest of the chain is shared. What must hold: a structure that is not in the size table is seen as its `{sType, pNext}`
//! header and never copied.

use std::ffi::c_void;

use ash::vk;
use ash::vk::TaggedStructure;

use crate::loader;

/// The nodes of a chain, in order.
///
/// # Safety
/// `p_next` must be a valid chain of Vulkan structures that outlives the iterator.
pub unsafe fn nodes(p_next: *const c_void) -> impl Iterator<Item = *const vk::BaseInStructure<'static>> {
    let mut next = p_next.cast::<vk::BaseInStructure<'static>>();
    std::iter::from_fn(move || {
        if next.is_null() {
            return None;
        }
        let node = next;
        // SAFETY: a chain's node starts with sType and pNext.
        next = unsafe { (*node).p_next };
        Some(node)
    })
}

/// The first node of type `T` in a chain.
///
/// # Safety
/// `p_next` must be a valid chain of Vulkan structures that outlives the result.
pub unsafe fn find<'a, T: TaggedStructure>(p_next: *const c_void) -> Option<&'a T> {
    // SAFETY: the sType says that the node is a T.
    unsafe { nodes(p_next).find(|&n| (*n).s_type == T::STRUCTURE_TYPE).map(|n| &*n.cast::<T>()) }
}

/// A structure copied or made by the layer. Words of eight bytes, because Vulkan structures are aligned to their pointers.
pub struct Node(Box<[u64]>);

impl Node {
    /// A zeroed structure of this type and size.
    pub fn new(s_type: vk::StructureType, size: usize) -> Self {
        let mut node = Self(vec![0u64; size.max(size_of::<vk::BaseInStructure<'_>>()).div_ceil(8)].into_boxed_slice());
        // SAFETY: the box is at least as large and as aligned as a structure's header.
        unsafe { (*node.as_mut_ptr().cast::<vk::BaseOutStructure<'_>>()).s_type = s_type };
        node
    }

    /// A copy of a node, if its size is known.
    ///
    /// # Safety
    /// `node` must be a valid Vulkan structure.
    pub unsafe fn copy(node: *const vk::BaseInStructure<'_>) -> Option<Self> {
        // SAFETY: header of a valid structure.
        let s_type = unsafe { (*node).s_type };
        let size = size_of_structure(s_type)?;
        let mut copy = Self::new(s_type, size);
        // SAFETY: the structure has `size` bytes, the box at least as many.
        unsafe { std::ptr::copy_nonoverlapping(node.cast::<u8>(), copy.as_mut_ptr().cast::<u8>(), size) };
        Some(copy)
    }

    /// The structure.
    pub fn as_ptr(&self) -> *const c_void {
        self.0.as_ptr().cast()
    }

    /// The structure, to be written.
    pub fn as_mut_ptr(&mut self) -> *mut c_void {
        self.0.as_mut_ptr().cast()
    }

    /// Sets what follows it.
    pub fn set_next(&mut self, next: *const c_void) {
        // SAFETY: every node starts with a header.
        unsafe { (*self.as_mut_ptr().cast::<vk::BaseInStructure<'_>>()).p_next = next.cast() };
    }

    /// Sets the `VkBool32` at a byte offset, if that is inside the structure and behind its header.
    pub fn set_bool(&mut self, offset: usize) {
        if offset >= size_of::<vk::BaseInStructure<'_>>()
            && let Some(end) = offset.checked_add(4)
            && end <= self.0.len() * 8
        {
            // SAFETY: in bounds by the check; VkBool32 members are aligned to four bytes.
            unsafe { *self.as_mut_ptr().byte_add(offset).cast::<vk::Bool32>() = vk::TRUE };
        }
    }

    /// The `VkBool32` at a byte offset.
    pub fn get_bool(&self, offset: usize) -> bool {
        offset.is_multiple_of(4)
            && offset + 4 <= self.0.len() * 8
            // SAFETY: in bounds by the check.
            && unsafe { *self.as_ptr().byte_add(offset).cast::<vk::Bool32>() != vk::FALSE }
    }
}

/// A copy of a chain's first nodes, linked to each other; the last one leads on into the original chain.
#[derive(Default)]
pub struct Prefix {
    /// The copies, in chain order.
    pub nodes: Vec<Node>,
}

impl Prefix {
    /// Copies the first `count` nodes.
    ///
    /// # Errors
    /// The index of the first node whose size is not known.
    ///
    /// # Safety
    /// `p_next` must be a valid chain of Vulkan structures with at least `count` nodes.
    pub unsafe fn copy(p_next: *const c_void, count: usize) -> Result<Self, usize> {
        let mut prefix = Self::default();
        // SAFETY: the caller's chain.
        for (index, node) in unsafe { nodes(p_next) }.take(count).enumerate() {
            // SAFETY: a node of that chain.
            prefix.nodes.push(unsafe { Node::copy(node) }.ok_or(index)?);
        }
        for i in 1..prefix.nodes.len() {
            let next = prefix.nodes[i].as_ptr();
            prefix.nodes[i - 1].set_next(next);
        }
        Ok(prefix)
    }

    /// The chain that starts with the copies, or `otherwise` where there are none.
    pub fn head(&self, otherwise: *const c_void) -> *const c_void {
        self.nodes.first().map_or(otherwise, Node::as_ptr)
    }
}

/// Bytes of a structure that the layer may have to copy.
pub fn size_of_structure(s_type: vk::StructureType) -> Option<usize> {
    SIZES.iter().find(|(known, _)| *known == s_type).map(|&(_, size)| size)
}

const fn size<T: TaggedStructure>() -> (vk::StructureType, usize) {
    (T::STRUCTURE_TYPE, size_of::<T>())
}

/// Sizes by `sType`: what may precede a feature structure in a device's chain, or code in a pipeline stage's. Structures newer
/// than `ash` are given by their number and members.
const SIZES: &[(vk::StructureType, usize)] = &[
    (loader::LOADER_DEVICE_CREATE_INFO, size_of::<loader::LayerDeviceCreateInfo>()),
    // VkPhysicalDeviceVulkan14Features: 21 members.
    (vk::StructureType::from_raw(55), 16 + 21 * 4),
    // VkPhysicalDeviceShaderSubgroupPartitionedFeaturesEXT: one member.
    (vk::StructureType::from_raw(1_000_662_000), 16 + 4),
    // Of a pipeline stage.
    size::<vk::ShaderModuleCreateInfo<'_>>(),
    size::<vk::ShaderModuleValidationCacheCreateInfoEXT<'_>>(),
    size::<vk::DebugUtilsObjectNameInfoEXT<'_>>(),
    size::<vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo<'_>>(),
    size::<vk::PipelineShaderStageModuleIdentifierCreateInfoEXT<'_>>(),
    size::<vk::PipelineRobustnessCreateInfoEXT<'_>>(),
    size::<vk::PipelineShaderStageNodeCreateInfoAMDX<'_>>(),
    // Of a device.
    size::<vk::DeviceDeviceMemoryReportCreateInfoEXT<'_>>(),
    size::<vk::DeviceDiagnosticsConfigCreateInfoNV<'_>>(),
    size::<vk::DeviceGroupDeviceCreateInfo<'_>>(),
    size::<vk::DeviceMemoryOverallocationCreateInfoAMD<'_>>(),
    size::<vk::DevicePrivateDataCreateInfo<'_>>(),
    size::<vk::DeviceQueueShaderCoreControlCreateInfoARM<'_>>(),
    size::<vk::PhysicalDevice16BitStorageFeatures<'_>>(),
    size::<vk::PhysicalDevice4444FormatsFeaturesEXT<'_>>(),
    size::<vk::PhysicalDevice8BitStorageFeatures<'_>>(),
    size::<vk::PhysicalDeviceASTCDecodeFeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceAccelerationStructureFeaturesKHR<'_>>(),
    size::<vk::PhysicalDeviceAddressBindingReportFeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceAmigoProfilingFeaturesSEC<'_>>(),
    size::<vk::PhysicalDeviceAttachmentFeedbackLoopLayoutFeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceBlendOperationAdvancedFeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceBorderColorSwizzleFeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceBufferDeviceAddressFeatures<'_>>(),
    size::<vk::PhysicalDeviceBufferDeviceAddressFeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceClusterCullingShaderFeaturesHUAWEI<'_>>(),
    size::<vk::PhysicalDeviceCoherentMemoryFeaturesAMD<'_>>(),
    size::<vk::PhysicalDeviceColorWriteEnableFeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceComputeShaderDerivativesFeaturesNV<'_>>(),
    size::<vk::PhysicalDeviceConditionalRenderingFeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceCooperativeMatrixFeaturesKHR<'_>>(),
    size::<vk::PhysicalDeviceCooperativeMatrixFeaturesNV<'_>>(),
    size::<vk::PhysicalDeviceCopyMemoryIndirectFeaturesNV<'_>>(),
    size::<vk::PhysicalDeviceCornerSampledImageFeaturesNV<'_>>(),
    size::<vk::PhysicalDeviceCoverageReductionModeFeaturesNV<'_>>(),
    size::<vk::PhysicalDeviceCubicClampFeaturesQCOM<'_>>(),
    size::<vk::PhysicalDeviceCubicWeightsFeaturesQCOM<'_>>(),
    size::<vk::PhysicalDeviceCudaKernelLaunchFeaturesNV<'_>>(),
    size::<vk::PhysicalDeviceCustomBorderColorFeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceDepthBiasControlFeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceDepthClampZeroOneFeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceDepthClipControlFeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceDepthClipEnableFeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceDescriptorBufferFeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceDescriptorIndexingFeatures<'_>>(),
    size::<vk::PhysicalDeviceDescriptorPoolOverallocationFeaturesNV<'_>>(),
    size::<vk::PhysicalDeviceDescriptorSetHostMappingFeaturesVALVE<'_>>(),
    size::<vk::PhysicalDeviceDeviceGeneratedCommandsComputeFeaturesNV<'_>>(),
    size::<vk::PhysicalDeviceDeviceGeneratedCommandsFeaturesNV<'_>>(),
    size::<vk::PhysicalDeviceDeviceMemoryReportFeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceDiagnosticsConfigFeaturesNV<'_>>(),
    size::<vk::PhysicalDeviceDisplacementMicromapFeaturesNV<'_>>(),
    size::<vk::PhysicalDeviceDynamicRenderingFeatures<'_>>(),
    size::<vk::PhysicalDeviceDynamicRenderingLocalReadFeaturesKHR<'_>>(),
    size::<vk::PhysicalDeviceExclusiveScissorFeaturesNV<'_>>(),
    size::<vk::PhysicalDeviceExtendedDynamicState2FeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceExtendedDynamicState3FeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceExtendedDynamicStateFeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceExtendedSparseAddressSpaceFeaturesNV<'_>>(),
    size::<vk::PhysicalDeviceExternalFormatResolveFeaturesANDROID<'_>>(),
    size::<vk::PhysicalDeviceExternalMemoryRDMAFeaturesNV<'_>>(),
    size::<vk::PhysicalDeviceExternalMemoryScreenBufferFeaturesQNX<'_>>(),
    size::<vk::PhysicalDeviceFaultFeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceFeatures2<'_>>(),
    size::<vk::PhysicalDeviceFragmentDensityMap2FeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceFragmentDensityMapFeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceFragmentDensityMapOffsetFeaturesQCOM<'_>>(),
    size::<vk::PhysicalDeviceFragmentShaderBarycentricFeaturesKHR<'_>>(),
    size::<vk::PhysicalDeviceFragmentShaderInterlockFeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceFragmentShadingRateEnumsFeaturesNV<'_>>(),
    size::<vk::PhysicalDeviceFragmentShadingRateFeaturesKHR<'_>>(),
    size::<vk::PhysicalDeviceFrameBoundaryFeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceGlobalPriorityQueryFeaturesKHR<'_>>(),
    size::<vk::PhysicalDeviceGraphicsPipelineLibraryFeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceHostImageCopyFeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceHostQueryResetFeatures<'_>>(),
    size::<vk::PhysicalDeviceImage2DViewOf3DFeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceImageCompressionControlFeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceImageProcessing2FeaturesQCOM<'_>>(),
    size::<vk::PhysicalDeviceImageProcessingFeaturesQCOM<'_>>(),
    size::<vk::PhysicalDeviceImageRobustnessFeatures<'_>>(),
    size::<vk::PhysicalDeviceImageSlicedViewOf3DFeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceImageViewMinLodFeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceImagelessFramebufferFeatures<'_>>(),
    size::<vk::PhysicalDeviceIndexTypeUint8FeaturesKHR<'_>>(),
    size::<vk::PhysicalDeviceInheritedViewportScissorFeaturesNV<'_>>(),
    size::<vk::PhysicalDeviceInlineUniformBlockFeatures<'_>>(),
    size::<vk::PhysicalDeviceInvocationMaskFeaturesHUAWEI<'_>>(),
    size::<vk::PhysicalDeviceLegacyDitheringFeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceLineRasterizationFeaturesKHR<'_>>(),
    size::<vk::PhysicalDeviceLinearColorAttachmentFeaturesNV<'_>>(),
    size::<vk::PhysicalDeviceMaintenance4Features<'_>>(),
    size::<vk::PhysicalDeviceMaintenance5FeaturesKHR<'_>>(),
    size::<vk::PhysicalDeviceMaintenance6FeaturesKHR<'_>>(),
    size::<vk::PhysicalDeviceMapMemoryPlacedFeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceMemoryDecompressionFeaturesNV<'_>>(),
    size::<vk::PhysicalDeviceMemoryPriorityFeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceMeshShaderFeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceMeshShaderFeaturesNV<'_>>(),
    size::<vk::PhysicalDeviceMultiDrawFeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceMultiviewFeatures<'_>>(),
    size::<vk::PhysicalDeviceMultiviewPerViewRenderAreasFeaturesQCOM<'_>>(),
    size::<vk::PhysicalDeviceMultiviewPerViewViewportsFeaturesQCOM<'_>>(),
    size::<vk::PhysicalDeviceMutableDescriptorTypeFeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceNestedCommandBufferFeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceNonSeamlessCubeMapFeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceOpacityMicromapFeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceOpticalFlowFeaturesNV<'_>>(),
    size::<vk::PhysicalDevicePageableDeviceLocalMemoryFeaturesEXT<'_>>(),
    size::<vk::PhysicalDevicePerStageDescriptorSetFeaturesNV<'_>>(),
    size::<vk::PhysicalDevicePerformanceQueryFeaturesKHR<'_>>(),
    size::<vk::PhysicalDevicePipelineCreationCacheControlFeatures<'_>>(),
    size::<vk::PhysicalDevicePipelineExecutablePropertiesFeaturesKHR<'_>>(),
    size::<vk::PhysicalDevicePipelineLibraryGroupHandlesFeaturesEXT<'_>>(),
    size::<vk::PhysicalDevicePipelinePropertiesFeaturesEXT<'_>>(),
    size::<vk::PhysicalDevicePipelineProtectedAccessFeaturesEXT<'_>>(),
    size::<vk::PhysicalDevicePipelineRobustnessFeaturesEXT<'_>>(),
    size::<vk::PhysicalDevicePortabilitySubsetFeaturesKHR<'_>>(),
    size::<vk::PhysicalDevicePresentBarrierFeaturesNV<'_>>(),
    size::<vk::PhysicalDevicePresentIdFeaturesKHR<'_>>(),
    size::<vk::PhysicalDevicePresentWaitFeaturesKHR<'_>>(),
    size::<vk::PhysicalDevicePrimitiveTopologyListRestartFeaturesEXT<'_>>(),
    size::<vk::PhysicalDevicePrimitivesGeneratedQueryFeaturesEXT<'_>>(),
    size::<vk::PhysicalDevicePrivateDataFeatures<'_>>(),
    size::<vk::PhysicalDeviceProtectedMemoryFeatures<'_>>(),
    size::<vk::PhysicalDeviceProvokingVertexFeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceRGBA10X6FormatsFeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceRawAccessChainsFeaturesNV<'_>>(),
    size::<vk::PhysicalDeviceRayQueryFeaturesKHR<'_>>(),
    size::<vk::PhysicalDeviceRayTracingInvocationReorderFeaturesNV<'_>>(),
    size::<vk::PhysicalDeviceRayTracingMaintenance1FeaturesKHR<'_>>(),
    size::<vk::PhysicalDeviceRayTracingMotionBlurFeaturesNV<'_>>(),
    size::<vk::PhysicalDeviceRayTracingPipelineFeaturesKHR<'_>>(),
    size::<vk::PhysicalDeviceRayTracingPositionFetchFeaturesKHR<'_>>(),
    size::<vk::PhysicalDeviceRayTracingValidationFeaturesNV<'_>>(),
    size::<vk::PhysicalDeviceRelaxedLineRasterizationFeaturesIMG<'_>>(),
    size::<vk::PhysicalDeviceRenderPassStripedFeaturesARM<'_>>(),
    size::<vk::PhysicalDeviceRepresentativeFragmentTestFeaturesNV<'_>>(),
    size::<vk::PhysicalDeviceRobustness2FeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceSamplerYcbcrConversionFeatures<'_>>(),
    size::<vk::PhysicalDeviceScalarBlockLayoutFeatures<'_>>(),
    size::<vk::PhysicalDeviceSchedulingControlsFeaturesARM<'_>>(),
    size::<vk::PhysicalDeviceSeparateDepthStencilLayoutsFeatures<'_>>(),
    size::<vk::PhysicalDeviceShaderAtomicFloat16VectorFeaturesNV<'_>>(),
    size::<vk::PhysicalDeviceShaderAtomicFloat2FeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceShaderAtomicFloatFeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceShaderAtomicInt64Features<'_>>(),
    size::<vk::PhysicalDeviceShaderClockFeaturesKHR<'_>>(),
    size::<vk::PhysicalDeviceShaderCoreBuiltinsFeaturesARM<'_>>(),
    size::<vk::PhysicalDeviceShaderDemoteToHelperInvocationFeatures<'_>>(),
    size::<vk::PhysicalDeviceShaderDrawParametersFeatures<'_>>(),
    size::<vk::PhysicalDeviceShaderEnqueueFeaturesAMDX<'_>>(),
    size::<vk::PhysicalDeviceShaderExpectAssumeFeaturesKHR<'_>>(),
    size::<vk::PhysicalDeviceShaderFloat16Int8Features<'_>>(),
    size::<vk::PhysicalDeviceShaderFloatControls2FeaturesKHR<'_>>(),
    size::<vk::PhysicalDeviceShaderImageAtomicInt64FeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceShaderImageFootprintFeaturesNV<'_>>(),
    size::<vk::PhysicalDeviceShaderIntegerDotProductFeatures<'_>>(),
    size::<vk::PhysicalDeviceShaderIntegerFunctions2FeaturesINTEL<'_>>(),
    size::<vk::PhysicalDeviceShaderMaximalReconvergenceFeaturesKHR<'_>>(),
    size::<vk::PhysicalDeviceShaderModuleIdentifierFeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceShaderObjectFeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceShaderQuadControlFeaturesKHR<'_>>(),
    size::<vk::PhysicalDeviceShaderSMBuiltinsFeaturesNV<'_>>(),
    size::<vk::PhysicalDeviceShaderSubgroupExtendedTypesFeatures<'_>>(),
    size::<vk::PhysicalDeviceShaderSubgroupRotateFeaturesKHR<'_>>(),
    size::<vk::PhysicalDeviceShaderTerminateInvocationFeatures<'_>>(),
    size::<vk::PhysicalDeviceShaderTileImageFeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceShadingRateImageFeaturesNV<'_>>(),
    size::<vk::PhysicalDeviceSubgroupSizeControlFeatures<'_>>(),
    size::<vk::PhysicalDeviceSubpassMergeFeedbackFeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceSubpassShadingFeaturesHUAWEI<'_>>(),
    size::<vk::PhysicalDeviceSwapchainMaintenance1FeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceSynchronization2Features<'_>>(),
    size::<vk::PhysicalDeviceTexelBufferAlignmentFeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceTextureCompressionASTCHDRFeatures<'_>>(),
    size::<vk::PhysicalDeviceTilePropertiesFeaturesQCOM<'_>>(),
    size::<vk::PhysicalDeviceTimelineSemaphoreFeatures<'_>>(),
    size::<vk::PhysicalDeviceTransformFeedbackFeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceUniformBufferStandardLayoutFeatures<'_>>(),
    size::<vk::PhysicalDeviceVariablePointersFeatures<'_>>(),
    size::<vk::PhysicalDeviceVertexAttributeDivisorFeaturesKHR<'_>>(),
    size::<vk::PhysicalDeviceVertexInputDynamicStateFeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceVideoMaintenance1FeaturesKHR<'_>>(),
    size::<vk::PhysicalDeviceVulkan11Features<'_>>(),
    size::<vk::PhysicalDeviceVulkan12Features<'_>>(),
    size::<vk::PhysicalDeviceVulkan13Features<'_>>(),
    size::<vk::PhysicalDeviceVulkanMemoryModelFeatures<'_>>(),
    size::<vk::PhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR<'_>>(),
    size::<vk::PhysicalDeviceYcbcr2Plane444FormatsFeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceYcbcrDegammaFeaturesQCOM<'_>>(),
    size::<vk::PhysicalDeviceYcbcrImageArraysFeaturesEXT<'_>>(),
    size::<vk::PhysicalDeviceZeroInitializeWorkgroupMemoryFeatures<'_>>(),
];
