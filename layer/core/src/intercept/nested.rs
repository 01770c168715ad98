//! Create infos of pipelines inside other structures: pipeline keys, pipeline binaries, indirect
//! memory requirements.
//!
//! In: the application's calls. Out: the same calls; a create info with DXIL is replaced by the
//! copy that the pipeline itself would get, so that keys and binaries match the pipeline. What must
//! hold: a call without DXIL is forwarded with the application's own pointers; if the DXIL cannot
//! be translated, the call fails with the code that docs/layer.md lists, and its outputs are null.
//!
//! The commands compile nothing. So the DXIL is translated even if the create info has the flag
//! `VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT`: the flag is about the pipeline.

use std::ffi::c_void;

use ash::vk;
use ash::vk::TaggedStructure;
use log::Level;

use crate::intercept::dxil_stage::Refusal;
use crate::intercept::guard::guard;
use crate::intercept::objects::Device;
use crate::intercept::rebuild::rebuilt;
use crate::intercept::scratch::Scratch;
use crate::messages::Id;
use crate::translate::Failure;
use crate::vulkan::chain::{self, Header};
use crate::vulkan::copies::{Node, Prefix};
use crate::vulkan::create_info::PipelineCreateInfo as CreateInfo;
use crate::vulkan::newer::{PipelineBinaryCreateInfo, PipelineBinaryHandlesInfo, PipelineCreateInfo};

/// `VK_PIPELINE_BINARY_MISSING_KHR`.
const PIPELINE_BINARY_MISSING: i32 = 1_000_483_000;

/// A `VkPipelineCreateInfoKHR` for the driver, and what it points to.
struct Nested {
    info: Node,
    _prefix: Prefix,
    /// A copy of the create info of a pipeline.
    _pipeline: Box<dyn std::any::Any>,
}

/// The structure for the driver; `None` if no change is needed.
///
/// # Errors
/// Why the pipeline cannot be created.
///
/// # Safety
/// The structure must be null or valid, and outlive the scratch.
unsafe fn nested(info: *const PipelineCreateInfo, scratch: &mut Scratch<'_>) -> Result<Option<Nested>, Refusal> {
    // SAFETY: null, or the header of a valid structure.
    let Some(header) = (unsafe { info.cast::<Header>().as_ref() }) else { return Ok(None) };
    let p_next = header.p_next.cast();
    // SAFETY: the chain of a valid structure.
    for (at, node) in unsafe { chain::nodes(p_next) }.enumerate() {
        // SAFETY: a node of a valid chain starts with a header.
        let s_type = unsafe { (*node).s_type };
        macro_rules! pipeline {
            ($($info:ident)*) => {
                $(if s_type == vk::$info::STRUCTURE_TYPE {
                    // SAFETY: the sType says what the node is.
                    let pipeline = unsafe { &*node.cast::<vk::$info<'static>>() };
                    // SAFETY: a valid create info.
                    return match unsafe { rebuilt(pipeline, true, scratch) }? {
                        None => Ok(None),
                        // SAFETY: the chain has as many nodes before this one.
                        Some(copy) => unsafe { behind(p_next, at, copy) }.map(Some),
                    };
                })*
            };
        }
        pipeline! {
            GraphicsPipelineCreateInfo ComputePipelineCreateInfo RayTracingPipelineCreateInfoKHR
            ExecutionGraphPipelineCreateInfoAMDX
        }
    }
    Ok(None)
}

/// A `VkPipelineCreateInfoKHR` with a copy of the first `count` nodes of a chain, and a pipeline's
/// create info behind them.
///
/// # Errors
/// A structure of unknown size would have to be copied.
///
/// # Safety
/// The chain must be valid and have as many nodes.
unsafe fn behind<T: CreateInfo>(p_next: *const c_void, count: usize, pipeline: T) -> Result<Nested, Refusal> {
    let pipeline = Box::new(pipeline);
    // SAFETY: the caller's chain.
    let mut prefix = unsafe { Prefix::copy(p_next, count) }.map_err(|unknown| {
        Failure::unsupported(format!(
            "structure {unknown} in the chain of VkPipelineCreateInfoKHR is unknown to the layer"
        ))
    })?;
    let at = (&raw const *pipeline).cast();
    if let Some(last) = prefix.nodes.last_mut() {
        last.set_next(at);
    }
    let mut info = Node::new(PipelineCreateInfo::STRUCTURE_TYPE, size_of::<PipelineCreateInfo>());
    info.set_next(prefix.head(at));
    Ok(Nested { info, _prefix: prefix, _pipeline: pipeline })
}

/// Reports why a call fails.
fn report(device: &Device, command: &str, refusal: &Refusal) {
    let text = match refusal {
        Refusal::Failed(failure) => format!("{command}: {}", device.describe(failure)),
        // These commands translate whatever the flags say, if they have the code.
        Refusal::CompileRequired => format!(
            "{command}: the cache has no DXIL of a shader module identifier of the create info; create the shader module, \
             or a pipeline with its code"
        ),
        Refusal::Driver(error) => {
            format!("{command}: vkCreateShaderModule of translated DXIL returned {}", error.as_raw())
        }
    };
    device.instance.messages.report(Level::Error, Id::Command, &[device.handle.into()], &text);
}

/// `vkGetPipelineKeyKHR`.
pub unsafe extern "system" fn get_pipeline_key(
    device: vk::Device,
    info: *const PipelineCreateInfo,
    key: *mut c_void,
) -> vk::Result {
    let failed = vk::Result::ERROR_UNKNOWN;
    guard(failed, || {
        // SAFETY: a live device, by the command's valid usage.
        let Some(device) = (unsafe { Device::from_handle(device) }) else { return failed };
        let Some(next) = device.binaries.get_pipeline_key else { return failed };
        // SAFETY: no allocator.
        let mut scratch = unsafe { Scratch::new(&device, std::ptr::null()) };
        // SAFETY: null or valid, by the command's valid usage.
        match unsafe { nested(info, &mut scratch) } {
            // SAFETY: the application's own arguments.
            Ok(None) => unsafe { next(device.handle, info, key) },
            // SAFETY: the application's arguments, with a copy of the create info.
            Ok(Some(nested)) => unsafe { next(device.handle, nested.info.as_ptr().cast(), key) },
            Err(refusal) => {
                report(&device, "vkGetPipelineKeyKHR", &refusal);
                failed
            }
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
    let failed = vk::Result::ERROR_INITIALIZATION_FAILED;
    guard(failed, || {
        // SAFETY: a live device, by the command's valid usage.
        let Some(device) = (unsafe { Device::from_handle(device) }) else { return failed };
        let Some(next) = device.binaries.create_pipeline_binaries else { return failed };
        // SAFETY: the allocator of the command.
        let mut scratch = unsafe { Scratch::new(&device, allocator) };
        // SAFETY: valid, by the command's valid usage.
        match unsafe { nested((*info).pipeline_create_info, &mut scratch) } {
            // SAFETY: the application's own arguments.
            Ok(None) => unsafe { next(device.handle, info, allocator, out) },
            Ok(Some(nested)) => {
                // SAFETY: valid, by the command's valid usage.
                let mut copy = unsafe { std::ptr::read(info) };
                copy.pipeline_create_info = nested.info.as_ptr().cast();
                // SAFETY: the application's arguments, with a copy of the create info.
                unsafe { next(device.handle, &copy, allocator, out) }
            }
            Err(refusal) => {
                // SAFETY: valid, by the command's valid usage.
                let (count, binaries) = unsafe { ((*out).count, (*out).binaries) };
                for index in 0..if binaries.is_null() { 0 } else { count as usize } {
                    // SAFETY: the array has as many elements, by the command's valid usage.
                    unsafe { binaries.add(index).write(0) };
                }
                report(&device, "vkCreatePipelineBinariesKHR", &refusal);
                match refusal {
                    Refusal::CompileRequired => vk::Result::from_raw(PIPELINE_BINARY_MISSING),
                    _ => failed,
                }
            }
        }
    })
}

/// `vkGetPipelineIndirectMemoryRequirementsNV`. The command cannot fail; for DXIL that cannot be
/// translated it says that no memory is required.
pub unsafe extern "system" fn get_indirect_requirements(
    device: vk::Device,
    info: *const vk::ComputePipelineCreateInfo<'_>,
    requirements: *mut vk::MemoryRequirements2<'_>,
) {
    guard((), || {
        // SAFETY: a live device, by the command's valid usage.
        let Some(device) = (unsafe { Device::from_handle(device) }) else { return };
        let Some(next) = device.table.get_indirect_requirements else { return };
        // SAFETY: no allocator.
        let mut scratch = unsafe { Scratch::new(&device, std::ptr::null()) };
        // SAFETY: a valid create info, by the command's valid usage.
        match unsafe { rebuilt(&*info.cast::<vk::ComputePipelineCreateInfo<'static>>(), true, &mut scratch) } {
            // SAFETY: the application's own arguments.
            Ok(None) => unsafe { next(device.handle, info, requirements) },
            // SAFETY: the application's arguments, with a copy of the create info.
            Ok(Some(copy)) => unsafe { next(device.handle, &copy, requirements) },
            Err(refusal) => {
                report(&device, "vkGetPipelineIndirectMemoryRequirementsNV", &refusal);
                // SAFETY: valid, by the command's valid usage.
                unsafe { (*requirements).memory_requirements = vk::MemoryRequirements::default() };
            }
        }
    });
}
