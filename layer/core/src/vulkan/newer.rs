//! Structures, commands and numbers of Vulkan that are newer than `ash`.

use std::ffi::c_void;

use ash::vk;
use ash::vk::TaggedStructure;

use crate::vulkan::chain::Header;

pub use dxil_vulkan_profile::newer::{API_VERSION_1_4, minor_version};

/// `VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT`.
pub const PIPELINE_CREATE_2_DESCRIPTOR_HEAP: u64 = 1 << 36;

/// `VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT`.
pub const SHADER_CREATE_DESCRIPTOR_HEAP: vk::ShaderCreateFlagsEXT = vk::ShaderCreateFlagsEXT::from_raw(1 << 10);

dxil_vulkan_profile::newer_structures! {
    /// `VkPipelineBinaryCreateInfoKHR`.
    PipelineBinaryCreateInfo = 1_000_483_001 {
        keys_and_data: *const c_void,
        pipeline: vk::Pipeline,
        pipeline_create_info: *const PipelineCreateInfo,
    }
    /// `VkPipelineBinaryInfoKHR`.
    PipelineBinaryInfo = 1_000_483_002 {
        binary_count: u32,
        binaries: *const u64,
    }
    /// `DxilRootSignatureInfo` of layer/include/dxil_layer.h, which says how the number was chosen.
    RootSignatureInfo = 0x7fff_fdc1 {
        global_size: usize,
        global: *const c_void,
        local_size: usize,
        local: *const c_void,
    }
    /// `VkPipelineCreateInfoKHR`: a header whose chain has the create info of a pipeline.
    PipelineCreateInfo = 1_000_483_007 {}
    /// `VkPipelineBinaryHandlesInfoKHR`.
    PipelineBinaryHandlesInfo = 1_000_483_009 {
        count: u32,
        binaries: *mut u64,
    }
}

/// `PFN_vkGetPipelineKeyKHR`. The key is only passed on.
pub type GetPipelineKey = unsafe extern "system" fn(vk::Device, *const PipelineCreateInfo, *mut c_void) -> vk::Result;
/// `PFN_vkCreatePipelineBinariesKHR`.
pub type CreatePipelineBinaries = unsafe extern "system" fn(
    vk::Device,
    *const PipelineBinaryCreateInfo,
    *const vk::AllocationCallbacks<'static>,
    *mut PipelineBinaryHandlesInfo,
) -> vk::Result;

const _: () = assert!(size_of::<PipelineCreateInfo>() == size_of::<Header>());
