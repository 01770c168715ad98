//! Pipeline create infos inside other structures, whose DXIL is not translated yet: pipeline keys,
//! pipeline binaries, indirect memory requirements.
//!
//! In: the application's calls. Out: the same calls, untouched, as long as the create info in them
//! has no DXIL. What must hold: as in [`refused`](crate::intercept::refused).

use std::ffi::c_void;

use ash::vk;

use crate::intercept::guard::guard;
use crate::intercept::inspect::has_dxil;
use crate::intercept::objects::Device;
use crate::intercept::refuse::refuse;
use crate::vulkan::newer::{PipelineBinaryCreateInfo, PipelineBinaryHandlesInfo, PipelineCreateInfo};

/// `vkGetPipelineKeyKHR`.
pub unsafe extern "system" fn get_pipeline_key(
    device: vk::Device,
    info: *const PipelineCreateInfo,
    key: *mut c_void,
) -> vk::Result {
    let failed = vk::Result::ERROR_UNKNOWN;
    guard(failed, || {
        // SAFETY: a live device, by the command's valid usage.
        let Some(device) = (unsafe { Device::of(device) }) else { return failed };
        let Some(next) = device.binaries.get_pipeline_key else { return failed };
        // SAFETY: null or valid, by the command's valid usage.
        if unsafe { has_dxil(&device, info) } {
            // SAFETY: no output is an array.
            return unsafe { refuse(&device, "vkGetPipelineKeyKHR", 0, std::ptr::null_mut::<u64>(), failed) };
        }
        // SAFETY: the application's own arguments.
        unsafe { next(device.handle, info, key) }
    })
}

/// `vkCreatePipelineBinariesKHR`.
pub unsafe extern "system" fn create_pipeline_binaries(
    device: vk::Device,
    info: *const PipelineBinaryCreateInfo,
    allocator: *const vk::AllocationCallbacks<'static>,
    out: *mut PipelineBinaryHandlesInfo,
) -> vk::Result {
    let failed = vk::Result::ERROR_INITIALIZATION_FAILED;
    guard(failed, || {
        // SAFETY: a live device, by the command's valid usage.
        let Some(device) = (unsafe { Device::of(device) }) else { return failed };
        let Some(next) = device.binaries.create_pipeline_binaries else { return failed };
        // SAFETY: valid, by the command's valid usage.
        if unsafe { has_dxil(&device, info) } {
            // SAFETY: valid, by the command's valid usage.
            let (count, binaries) = unsafe { ((*out).count, (*out).binaries) };
            // SAFETY: the array is null or has as many elements, by the command's valid usage.
            return unsafe { refuse(&device, "vkCreatePipelineBinariesKHR", count, binaries, failed) };
        }
        // SAFETY: the application's own arguments.
        unsafe { next(device.handle, info, allocator, out) }
    })
}

/// `vkGetPipelineIndirectMemoryRequirementsNV`. The command cannot fail; for DXIL it says that no
/// memory is required.
pub unsafe extern "system" fn get_indirect_requirements(
    device: vk::Device,
    info: *const vk::ComputePipelineCreateInfo<'_>,
    requirements: *mut vk::MemoryRequirements2<'_>,
) {
    guard((), || {
        // SAFETY: a live device, by the command's valid usage.
        let Some(device) = (unsafe { Device::of(device) }) else { return };
        // SAFETY: a valid create info, by the command's valid usage.
        if unsafe { has_dxil(&device, info) } {
            let text =
                "vkGetPipelineIndirectMemoryRequirementsNV: the layer does not translate DXIL for this command yet";
            device.instance.messages.report(log::Level::Error, text);
            // SAFETY: valid, by the command's valid usage.
            unsafe { (*requirements).memory_requirements = vk::MemoryRequirements::default() };
        } else if let Some(next) = device.table.get_indirect_requirements {
            // SAFETY: the application's own arguments.
            unsafe { next(device.handle, info, requirements) };
        }
    });
}
