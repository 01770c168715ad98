/* The structures by which an application tells the layer VK_LAYER_DXIL_translate what DXIL does not say
 * (docs/layer.md, "Root signatures of an application"). Include it after Vulkan's header. It is C99 and C++. */
#ifndef DXIL_LAYER_H
#define DXIL_LAYER_H

#include <stddef.h>
#include <vulkan/vulkan_core.h>

/** DxilRootSignatureInfo::sType. Vulkan gives its extension number N the 1000 values from
 * 1000000000 + 1000 * (N - 1) on, and nothing above VK_STRUCTURE_TYPE_MAX_ENUM, which is 0x7FFFFFFF. This
 * value would be of extension 1,147,484, whose 1000 values are not all below that limit, so that the
 * registry can never assign it. */
#define DXIL_STRUCTURE_TYPE_ROOT_SIGNATURE_INFO ((VkStructureType)0x7FFFFDC1)

/** The root signatures of DXIL that has none, or others than its own. It may be in the pNext chain of
 * VkGraphicsPipelineCreateInfo, VkComputePipelineCreateInfo, VkRayTracingPipelineCreateInfoKHR,
 * VkPipelineShaderStageCreateInfo, VkShaderModuleCreateInfo and VkShaderCreateInfoEXT. All stages of a
 * pipeline, and all linked shader objects, have one global root signature: that of the pipeline comes
 * before that of a stage, which comes before that of a module.
 * Of local ones that of a stage comes first, and that of the pipeline last. Only the layer may see the
 * structure: an application chains it when the layer is there.
 *
 * A root signature is a serialized one (ID3DBlob of D3D12SerializeVersionedRootSignature), a container
 * with one, or HLSL's text. Nothing is needed after the call, or after a deferred operation. */
typedef struct DxilRootSignatureInfo {
    /** DXIL_STRUCTURE_TYPE_ROOT_SIGNATURE_INFO. */
    VkStructureType sType;
    /** Null, or the next structure of the chain. */
    const void *pNext;
    /** Bytes at pGlobal. */
    size_t globalSize;
    /** The root signature of the pipeline; null for none. */
    const void *pGlobal;
    /** Bytes at pLocal. */
    size_t localSize;
    /** The local root signature of the shader records of ray-tracing stages; null for none. */
    const void *pLocal;
} DxilRootSignatureInfo;

#endif /* DXIL_LAYER_H */
