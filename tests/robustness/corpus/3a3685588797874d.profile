# A device profile: what is enabled on a device. A line is `key fferArrayNonUniformIndexing
feature = , of signed and of unsigned integers, and of 8, 16 andshaderStorageTexelBufferArrayNonUnifPhysicalDeviceRobustness2FeaturesEXT
# features.robustImageAccess2 = false
# VkPhysicalDeviceShaderAtomicFloatFeaturesEXT
# features.shaderBufferFloat32Atomics = false
# VkPhysicalDeviceShaderImageAtomicInt64FeaturesEXT
# features.shaderImageInt64Atomics = false
# VkPhysicalDeviceFragmentShaderBarycentricFeaturesKHR
# features.fragmentShaderBarycentric = false
# VkPhysicalDeviceFragmentShaderInterlockFeaturesEXT
# features.fragmentShaderSampleInterlock = false
# features.fragmentShaderPixelInterlock = false
# VkPhysicalDeviceShaderMaximalReconvergenceFeaturesKHR
# features.shaderMaximalReconvergence = false
# VkPhysicalDeviceShaderQuadControlFeaturesKHR
# features.shaderQuadControl = false
# VkPhysicalDeviceShaderSubgroupPartitionedFeaturesEXT
# features.shaderSubgroupPartitioned = false
# VkPhysicalDeviceComputeShaderDerivativesFeaturesKHR
# features.computeDerivativeGroupQuads = false
# features.computeDerivativeGroupLinear = false
# VkPhysicalDeviceShaderFloatControls2Features
# features.shaderCullDistance = false
# = robustBufferAccess2
# VkPhysicalDeviceFragmentShadingRateFeaturesKHR
# features.pipelineFragmentShadingRate = false
# features.primitiveFragmentShadingRate = false
# VkPhysicalDeviceShaderClockFeaturesKHR
# features.shaderSubgroupClock = false
# VkPhysicalDeviceMutableDescriptorTypeFeaturesEXT
# features.mutableDescriptorType = false
# VkPhysicalDeviceAccelerationStructureFeaturesKHR
# features.accelerationStructure = false
# VkPhysicalDeviceRayTracingPipelineFeaturesKHR
# features.rayTracingPipeline = false
# features.rayTraversalPrimitiveCulling = false
# VkPhysicalDeviceRayQueryFeaturesKHR
# features.rayQuery = false
# VkPhysicalDeviceMeshShaderFeaturesEXT
# features.taskShader = false
# features.meshShader = false
# features.multiviewMeshShader = false  # Not a shader capability. Without it, no pipeline with a mesh shader draws several views.
# features.primitiveFragmentShadingRateMeshShader = false
# (extension)
# features.VK_EXT_shader_stencil_export = false  # VK_EXT_shader_stencil_export has no feature structure: enabling the extension enables the feature.
features.VK_KHR_storage_buffer_storage_class = true  # VK_KHR_storage_buffer_storage_class or Vulkan 1.1.
# features.VK_EXT_shader_viewport_index_layer = false  # VK_EXT_shader_viewport_index_layer, for devices without Vulkan 1.2.
# features.VK_EXT_post_depth_coverage = false  # VK_EXT_post_depth_coverage.
# features.VK_EXT_conservative_rasterization = false  # VK_EXT_conservative_rasterization, for inner coverage (`FullyCoveredEXT`).
features.VK_KHR_shader_non_semantic_info = true  # VK_KHR_shader_non_semantic_info or Vulkan 1.3.
