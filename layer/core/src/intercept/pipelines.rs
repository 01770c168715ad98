//! The commands that create graphics, compute and ray-tracing pipelines, and execution graphs.
//!
//! In: the application's create infos. Out: one call down. What must hold: if there is no DXIL, or
//! the existing modules are already right, the call is forwarded with the application's own
//! pointers. Otherwise the array is copied, with the stages of affected elements replaced. If the
//! driver defers such a call, the copies and modules live until the operation is complete.

use std::collections::HashSet;
use std::ops::ControlFlow;

use ash::vk;
use log::Level;

use crate::capture::Captured;
use crate::intercept::batch::create_others;
use crate::intercept::captured::Libraries;
use crate::intercept::deferred;
use crate::intercept::dxil_stage::{Refusal, refused_by_driver};
use crate::intercept::guard::guard;
use crate::intercept::inspect::{StageDxil, dxil_of_stage};
use crate::intercept::objects::Device;
use crate::intercept::rebuild::rebuilt;
use crate::intercept::scratch::Scratch;
use crate::messages::{Id, Object};
use crate::translate::{BlobDigest, Failure, digest_of};
use crate::vulkan::arrays::slice;
use crate::vulkan::create_info::PipelineCreateInfo;
use crate::vulkan::shader_code::{self, Code, ShaderCode};

/// Whether a pipeline derives from an element of its array that was refused.
fn base_is_refused<T: PipelineCreateInfo>(info: &T, refused: &[(usize, Refusal)]) -> bool {
    info.base_handle() == vk::Pipeline::null()
        && usize::try_from(*info.clone().base_index()).is_ok_and(|base| has_index(refused, base))
}

/// Whether an element was refused. `refused` is sorted by index.
fn has_index(refused: &[(usize, Refusal)], index: usize) -> bool {
    refused.binary_search_by_key(&index, |(index, _)| *index).is_ok()
}

/// The arguments of a command that creates pipelines, except for its create infos.
struct Call<'a> {
    /// The deferred operation; null if the application requests no deferral.
    operation: vk::DeferredOperationKHR,
    allocator: *const vk::AllocationCallbacks<'a>,
    /// One element per create info.
    out: *mut vk::Pipeline,
}

/// Creates pipelines through `next`, which gets the deferred operation, create infos and outputs.
///
/// # Safety
/// The create infos and the arguments must be valid.
unsafe fn create<T: Captured>(
    device: &Device,
    infos: &[T],
    Call { operation, allocator, out }: Call<'_>,
    next: impl FnOnce(vk::DeferredOperationKHR, u32, *const T, *mut vk::Pipeline) -> vk::Result,
) -> vk::Result {
    device.instance.messages.flush();
    let may_defer = operation != vk::DeferredOperationKHR::null();
    // Modules of a deferred call may outlive the application's allocator.
    // SAFETY: the caller's allocator.
    let mut scratch = unsafe { Scratch::new(device, if may_defer { std::ptr::null() } else { allocator }) };
    // SAFETY: the caller's create infos.
    let Rebuilt { copies, refused, end, libraries } = unsafe { rebuild_all(infos, out, &mut scratch) };
    let forwarded = copies.as_deref().unwrap_or(infos);
    if refused.is_empty() {
        let result = next(operation, forwarded.len() as u32, forwarded.as_ptr(), out);
        // SAFETY: the caller's create infos, and outputs that the call has written.
        unsafe { report_driver(device, infos, slice(out, infos.len() as u32), result, |_| true) };
        if result != vk::Result::OPERATION_DEFERRED_KHR {
            // SAFETY: the call has written the caller's outputs.
            unsafe { libraries.created(device) };
        } else if copies.is_some() || !libraries.is_empty() {
            deferred::retain(device, operation, scratch.take(), copies, libraries);
        }
        return result;
    }
    // SAFETY: the caller's outputs.
    let out = unsafe { std::slice::from_raw_parts_mut(out, infos.len()) };
    let is_refused = |index| has_index(&refused, index);
    // Deferral is requested, not required: the others are created immediately, so that the call
    // itself returns the error.
    let at_once = |infos: &[T], out: &mut [vk::Pipeline]| {
        next(vk::DeferredOperationKHR::null(), infos.len() as u32, infos.as_ptr(), out.as_mut_ptr())
    };
    // SAFETY: the caller's create infos.
    let result = unsafe { create_others(forwarded, is_refused, end, out, at_once) };
    drop(scratch);
    // SAFETY: the caller's create infos.
    unsafe { report_driver(device, infos, out, result, |index| index < end && !is_refused(index)) };
    // SAFETY: the call has written the caller's outputs.
    unsafe { libraries.created(device) };
    // SAFETY: the caller's create infos.
    let own = unsafe { report(device, infos, &refused) };
    if result.as_raw() < 0 { result } else { own }
}

/// The create infos of a call after translation.
struct Rebuilt<T> {
    /// The create infos for the driver, if one differs from the application's.
    copies: Option<Vec<T>>,
    /// The elements that are not created, by index.
    refused: Vec<(usize, Refusal)>,
    /// No element from this index on is created.
    end: usize,
    libraries: Libraries,
}

/// Translates the create infos of a call, up to a refused one that asks for an early return.
///
/// # Safety
/// The create infos must be valid and outlive the scratch.
unsafe fn rebuild_all<T: Captured>(infos: &[T], out: *const vk::Pipeline, scratch: &mut Scratch<'_>) -> Rebuilt<T> {
    let settings = &scratch.device.instance.settings;
    let libraries = Libraries::new(infos.len(), out);
    let mut all = Rebuilt { copies: None, refused: Vec::new(), end: infos.len(), libraries };
    for (index, info) in infos.iter().enumerate() {
        scratch.requests.clear();
        // SAFETY: a valid create info.
        let flags = unsafe { info.flags() };
        let may_compile = !(settings.strict_compile_required
            && flags.has(vk::PipelineCreateFlags::FAIL_ON_PIPELINE_COMPILE_REQUIRED));
        // SAFETY: a valid create info.
        let mut result = unsafe { rebuilt(info, may_compile, scratch) };
        if let Some(capture) = &scratch.device.capture {
            // Failed pipelines are captured too, because they are the ones to investigate.
            // SAFETY: a valid create info.
            all.libraries.add(index, unsafe { info.capture(capture, &scratch.requests) });
        }
        // A derivative whose base is refused is created without the base, unless its flags are in
        // the chain, where they cannot be changed.
        let derives = flags.has(vk::PipelineCreateFlags::DERIVATIVE) && flags.chained;
        if derives && result.is_ok() && base_is_refused(info, &all.refused) {
            result = Err(Failure::unsupported("the base of this derivative pipeline could not be created").into());
        }
        match result {
            Ok(None) => {}
            Ok(Some(copy)) => {
                if let Some(place) = all.copies.get_or_insert_with(|| infos.to_vec()).get_mut(index) {
                    *place = copy;
                }
            }
            Err(refusal) => {
                all.refused.push((index, refusal));
                if flags.has(vk::PipelineCreateFlags::EARLY_RETURN_ON_FAILURE) {
                    all.end = index;
                    break;
                }
            }
        }
    }
    all
}

/// Reports the refused elements to the application. Returns the most severe result.
///
/// # Safety
/// The create infos must be valid.
unsafe fn report<T: PipelineCreateInfo>(device: &Device, infos: &[T], refused: &[(usize, Refusal)]) -> vk::Result {
    let mut result = vk::Result::PIPELINE_COMPILE_REQUIRED;
    for (index, refusal) in refused {
        match refusal {
            Refusal::Failed(failure) => {
                let text = format!("pipeline {index} is not created: {}", device.describe(failure));
                let concerns = |blob| failure.concerns(blob);
                // SAFETY: the caller's create infos.
                let objects = infos.get(*index).map(|info| unsafe { objects(device, info, concerns) });
                device.instance.messages.report(Level::Error, Id::Pipeline, &objects.unwrap_or_default(), &text);
                result = T::INVALID;
            }
            Refusal::Driver(error) => {
                if let Some(info) = infos.get(*index) {
                    // SAFETY: the caller's create infos.
                    unsafe { report_one(device, *index, info, "vkCreateShaderModule", *error) };
                }
                if result.as_raw() > 0 {
                    // This command may not be able to return the result of vkCreateShaderModule.
                    result = if *error == vk::Result::ERROR_INVALID_SHADER_NV { T::INVALID } else { *error };
                }
            }
            Refusal::CompileRequired => {}
        }
    }
    result
}

/// Reports the pipelines with DXIL that the driver got and did not create.
///
/// # Safety
/// The create infos must be valid.
unsafe fn report_driver<T: PipelineCreateInfo>(
    device: &Device,
    infos: &[T],
    out: &[vk::Pipeline],
    result: vk::Result,
    is_forwarded: impl Fn(usize) -> bool,
) {
    if result.as_raw() >= 0 {
        return;
    }
    for (index, (info, pipeline)) in infos.iter().zip(out).enumerate() {
        if *pipeline != vk::Pipeline::null() || !is_forwarded(index) {
            continue;
        }
        // SAFETY: the caller's create infos.
        unsafe { report_one(device, index, info, "the driver", result) };
        // SAFETY: the caller's create infos.
        if unsafe { info.flags() }.has(vk::PipelineCreateFlags::EARLY_RETURN_ON_FAILURE) {
            break;
        }
    }
}

/// Reports that the driver did not take the translated code of a pipeline, if the pipeline has any.
///
/// # Safety
/// The create info must be valid.
unsafe fn report_one<T: PipelineCreateInfo>(device: &Device, index: usize, info: &T, command: &str, error: vk::Result) {
    // SAFETY: the caller's create info.
    let blobs = unsafe { blobs(device, info) };
    if blobs.is_empty() {
        return;
    }
    let text = format!("pipeline {index} is not created: {}", refused_by_driver(command, error, &blobs));
    // SAFETY: the caller's create info.
    let objects = unsafe { objects(device, info, |_| true) };
    device.instance.messages.report(Level::Error, Id::Pipeline, &objects, &text);
}

/// The DXIL blobs of a pipeline, each once.
///
/// # Safety
/// The create info must be valid.
unsafe fn blobs<T: PipelineCreateInfo>(device: &Device, info: &T) -> Vec<BlobDigest> {
    let (mut blobs, mut seen, mut hashed) = (Vec::new(), HashSet::new(), HashSet::new());
    let mut each = |found: ShaderCode<'_>| {
        let stages = if let Code::Stages(stages) = found.code { stages } else { &[] };
        for stage in stages {
            // SAFETY: the stages of the caller's create info.
            let blob = match unsafe { dxil_of_stage(device, stage) } {
                Some(StageDxil::Module(module)) => Some(module.hash()),
                // Thousands of stages may have one library in their chains.
                Some(StageDxil::Code(code)) if hashed.insert(code.as_ptr()) => digest_of(code).ok(),
                Some(StageDxil::Identified(identifier)) => {
                    let blob = device.instance.store.identified(identifier);
                    blob.and_then(Result::ok).map(|blob| blob.hash)
                }
                _ => None,
            };
            blobs.extend(blob.filter(|blob| seen.insert(*blob)));
        }
        ControlFlow::Continue(())
    };
    // SAFETY: the caller's create info.
    let _ = unsafe { shader_code::visit(info.header(), &mut each) };
    blobs
}

/// The objects that the failure of a pipeline concerns: the device, the pipeline layout, and the
/// modules of the blobs that it concerns.
///
/// # Safety
/// The create info must be valid.
unsafe fn objects<T: PipelineCreateInfo>(
    device: &Device,
    info: &T,
    concerns: impl Fn(BlobDigest) -> bool,
) -> Vec<Object> {
    let mut objects = vec![device.handle.into(), info.layout().into()];
    // Thousands of stages may share one module, or have one each.
    let mut seen = HashSet::new();
    let mut each = |found: ShaderCode<'_>| {
        let stages = if let Code::Stages(stages) = found.code { stages } else { &[] };
        for stage in stages {
            let is_new = seen.insert(stage.module);
            let module = device.modules.get(stage.module).filter(|_| is_new);
            if module.is_some_and(|module| concerns(module.hash())) {
                objects.push(stage.module.into());
            }
        }
        ControlFlow::Continue(())
    };
    // SAFETY: the caller's create info.
    let _ = unsafe { shader_code::visit(info.header(), &mut each) };
    objects
}

/// A command that creates pipelines from an array of create infos; one that may be deferred has an
/// argument for its operation.
macro_rules! command {
    ($name:ident: $command:literal => $next:ident($($operation:ident)?), $info:ident) => {
        #[doc = concat!("`", $command, "`.")]
        pub unsafe extern "system" fn $name(
            device: vk::Device,
            $($operation: vk::DeferredOperationKHR,)?
            cache: vk::PipelineCache,
            count: u32,
            infos: *const vk::$info<'_>,
            allocator: *const vk::AllocationCallbacks<'_>,
            out: *mut vk::Pipeline,
        ) -> vk::Result {
            let failed = vk::Result::ERROR_INITIALIZATION_FAILED;
            guard(<vk::$info<'static> as PipelineCreateInfo>::INVALID, || {
                // SAFETY: a live device, by the command's valid usage.
                let Some(device) = (unsafe { Device::from_handle(device) }) else { return failed };
                let Some(next) = device.table.$next else { return failed };
                // SAFETY: the array of the command's valid arguments.
                let list: &[vk::$info<'static>] = unsafe { slice(infos.cast(), count) };
                let call = Call { operation: command!(operation $($operation)?), allocator, out };
                let next = |_operation, count, infos: *const vk::$info<'static>, out| {
                    $(let $operation = _operation;)?
                    // SAFETY: the application's arguments, with create infos made of the
                    // application's.
                    unsafe { next(device.handle, $($operation,)? cache, count, infos, allocator, out) }
                };
                // SAFETY: valid arguments, by the command's valid usage.
                unsafe { create(&device, list, call, next) }
            })
        }
    };
    (operation) => { vk::DeferredOperationKHR::null() };
    (operation $operation:ident) => { $operation };
}

command!(create_graphics: "vkCreateGraphicsPipelines" => create_graphics_pipelines(), GraphicsPipelineCreateInfo);
command!(create_compute: "vkCreateComputePipelines" => create_compute_pipelines(), ComputePipelineCreateInfo);
command!(create_ray_tracing_khr: "vkCreateRayTracingPipelinesKHR"
    => create_ray_tracing_pipelines_khr(operation), RayTracingPipelineCreateInfoKHR);
command!(create_ray_tracing_nv: "vkCreateRayTracingPipelinesNV"
    => create_ray_tracing_pipelines_nv(), RayTracingPipelineCreateInfoNV);
command!(create_execution_graphs: "vkCreateExecutionGraphPipelinesAMDX"
    => create_execution_graph_pipelines(), ExecutionGraphPipelineCreateInfoAMDX);
