//! Pipeline create infos inside other structures: pipeline keys, pipeline binaries, indirect memory requirements.
//!
//! In: the application's calls. Out: the same calls, untouched, as long as the create info in them has no DXIL. What must hold:
//! as in [`refused`](crate::refused). The structures of `VK_KHR_pipeline_binary` are newer than `ash`.

use std::ffi::c_void;

use ash::vk;
use ash::vk::TaggedStructure;

use crate::device::Device;
use crate::layouts::slice;
use crate::refused::refuse;
use crate::{guard, log, pnext, stages};

/// `VkPipelineBinaryCreateInfoKHR`.
#[repr(C)]
pub struct PipelineBinaryCreateInfo {
    s_type: vk::StructureType,
    p_next: *const c_void,
    keys_and_data: *const c_void,
    pipeline: vk::Pipeline,
    /// `VkPipelineCreateInfoKHR`: a header whose chain has the pipeline's own create info.
    pipeline_create_info: *const vk::BaseInStructure<'static>,
}

/// `VkPipelineBinaryHandlesInfoKHR`.
#[repr(C)]
pub struct PipelineBinaryHandlesInfo {
    s_type: vk::StructureType,
    p_next: *const c_void,
    count: u32,
    binaries: *mut u64,
}

/// `PFN_vkGetPipelineKeyKHR`; the key is only passed on.
pub type GetPipelineKey =
    unsafe extern "system" fn(vk::Device, *const vk::BaseInStructure<'static>, *mut c_void) -> vk::Result;
/// `PFN_vkCreatePipelineBinariesKHR`.
pub type CreatePipelineBinaries = unsafe extern "system" fn(
    vk::Device,
    *const PipelineBinaryCreateInfo,
    *const vk::AllocationCallbacks<'static>,
    *mut PipelineBinaryHandlesInfo,
) -> vk::Result;

/// Whether the pipeline create info in a `VkPipelineCreateInfoKHR`'s chain has DXIL.
///
/// # Safety
/// `info` must be null or valid.
unsafe fn has_dxil(device: &Device, info: *const vk::BaseInStructure<'static>) -> bool {
    if info.is_null() {
        return false;
    }
    // SAFETY: a valid structure; each sType says what its node is.
    unsafe {
        pnext::nodes((*info).p_next.cast()).any(|node| match (*node).s_type {
            vk::GraphicsPipelineCreateInfo::STRUCTURE_TYPE => {
                let info = &*node.cast::<vk::GraphicsPipelineCreateInfo<'static>>();
                stages::any_dxil(device, crate::pipelines::graphics_stages(info))
            }
            vk::ComputePipelineCreateInfo::STRUCTURE_TYPE => {
                let info = &*node.cast::<vk::ComputePipelineCreateInfo<'static>>();
                stages::any_dxil(device, std::slice::from_ref(&info.stage))
            }
            vk::RayTracingPipelineCreateInfoKHR::STRUCTURE_TYPE => {
                let info = &*node.cast::<vk::RayTracingPipelineCreateInfoKHR<'static>>();
                stages::any_dxil(device, slice(info.p_stages, info.stage_count))
            }
            _ => false,
        })
    }
}

/// `vkGetPipelineKeyKHR`.
pub unsafe extern "system" fn get_pipeline_key(
    device: vk::Device,
    info: *const vk::BaseInStructure<'static>,
    key: *mut c_void,
) -> vk::Result {
    guard(vk::Result::ERROR_UNKNOWN, || {
        // SAFETY: a live device and valid arguments, by the command's valid usage.
        unsafe {
            let Some(device) = Device::of(device) else { return vk::Result::ERROR_UNKNOWN };
            let Some(next) = device.binaries.get_pipeline_key else { return vk::Result::ERROR_UNKNOWN };
            if has_dxil(&device, info) {
                let none = std::ptr::null_mut::<u64>();
                return refuse(&device, "vkGetPipelineKeyKHR", 0, none, vk::Result::ERROR_UNKNOWN);
            }
            next(device.handle, info, key)
        }
    })
}

/// `vkCreatePipelineBinariesKHR`.
pub unsafe extern "system" fn create_pipeline_binaries(
    device: vk::Device,
    info: *const PipelineBinaryCreateInfo,
    allocator: *const vk::AllocationCallbacks<'static>,
    out: *mut PipelineBinaryHandlesInfo,
) -> vk::Result {
    guard(vk::Result::ERROR_INITIALIZATION_FAILED, || {
        // SAFETY: a live device and valid arguments, by the command's valid usage.
        unsafe {
            let failed = vk::Result::ERROR_INITIALIZATION_FAILED;
            let Some(device) = Device::of(device) else { return failed };
            let Some(next) = device.binaries.create_pipeline_binaries else { return failed };
            if has_dxil(&device, (*info).pipeline_create_info) {
                let count = if (*out).binaries.is_null() { 0 } else { (*out).count };
                return refuse(&device, "vkCreatePipelineBinariesKHR", count, (*out).binaries, failed);
            }
            next(device.handle, info, allocator, out)
        }
    })
}

/// `vkGetPipelineIndirectMemoryRequirementsNV`, which can not fail: for DXIL it says that nothing is required.
pub unsafe extern "system" fn get_indirect_requirements(
    device: vk::Device,
    info: *const vk::ComputePipelineCreateInfo<'_>,
    requirements: *mut vk::MemoryRequirements2<'_>,
) {
    guard((), || {
        // SAFETY: a live device and valid arguments, by the command's valid usage.
        unsafe {
            let Some(device) = Device::of(device) else { return };
            let info: *const vk::ComputePipelineCreateInfo<'static> = info.cast();
            if stages::any_dxil(&device, std::slice::from_ref(&(*info).stage)) {
                let text = "vkGetPipelineIndirectMemoryRequirementsNV: DXIL is not supported here";
                log::report(&device.instance, ::log::Level::Error, text);
                (*requirements).memory_requirements = vk::MemoryRequirements::default();
            } else if let Some(next) = device.table.get_indirect_requirements {
                next(device.handle, info, requirements);
            }
        }
    });
}
