# A device profile: what is enabled on a device. A line is `key fferArrayNonUniformIndexing
feature = , of signed and of unsigned integers, and of 8, 16 andshaderStorageTexelBufferArrayNonUnifPhysicalDeviceRobustness2FeaturesEXT
# feature = robustImageAccess2
# VkPhysicalDeviceShaderAtomicFloatFeaturesEXT
# feature = shaderBufferFloat32Atomics
# VkPhysicalDeviceShaderImageAtomicInt64FeaturesEXT
# feature = shaderImageInt64Atomics
# VkPhysicalDeviceFragmentShaderBarycentricFeaturesKHR
# feature = fragmentShaderBarycentric
# VkPhysicalDeviceFragmentShaderInterlockFeaturesEXT
# feature = fragmentShaderSampleInterlock
# feature = fragmentShaderPixelInterlock
# VkPhysicalDeviceShaderMaximalReconvergenceFeaturesKHR
# feature = shaderMaximalReconvergence
# VkPhysicalDeviceShaderQuadControlFeaturesKHR
# feature = shaderQuadControl
# VkPhysicalDeviceShaderSubgroupPartitionedFeaturesEXT
# feature = shaderSubgroupPartitioned
# VkPhysicalDeviceComputeShaderDerivativesFeaturesKHR
# feature = computeDerivativeGroupQuads
# feature = computeDerivativeGroupLinear
# VkPhysicalDeviceShaderFloatControls2Features
# feature = shaderCullDistance
# = robustBufferAccess2
# VkPhysicalDeviceFragmentShadingRateFeaturesKHR
# feature = pipelineFragmentShadingRate
# feature = primitiveFragmentShadingRate
# VkPhysicalDeviceShaderClockFeaturesKHR
# feature = shaderSubgroupClock
# VkPhysicalDeviceMutableDescriptorTypeFeaturesEXT
# feature = mutableDescriptorType
# VkPhysicalDeviceAccelerationStructureFeaturesKHR
# feature = accelerationStructure
# VkPhysicalDeviceRayTracingPipelineFeaturesKHR
# feature = rayTracingPipeline
# feature = rayTraversalPrimitiveCulling
# VkPhysicalDeviceRayQueryFeaturesKHR
# feature = rayQuery
# VkPhysicalDeviceMeshShaderFeaturesEXT
# feature = taskShader
# feature = meshShader
# feature = multiviewMeshShader  # Not a shader capability. Without it, no pipeline with a mesh shader draws several views.
# feature = primitiveFragmentShadingRateMeshShader
# (extension)
# feature = VK_EXT_shader_stencil_export  # VK_EXT_shader_stencil_export has no feature structure: enabling the extension enables the feature.
feature = VK_KHR_storage_buffer_storage_class  # VK_KHR_storage_buffer_storage_class or Vulkan 1.1.
# feature = VK_EXT_shader_viewport_index_layer  # VK_EXT_shader_viewport_index_layer, for devices without Vulkan 1.2.
# feature = VK_EXT_post_depth_coverage  # VK_EXT_post_depth_coverage.
# feature = VK_EXT_conservative_rasterization  # VK_EXT_conservative_rasterization, for inner coverage (`FullyCoveredEXT`).
feature = VK_KHR_shader_non_semantic_info  # VK_KHR_shader_non_semantic_info or Vulkan 1.3.
