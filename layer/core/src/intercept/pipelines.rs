//! The commands that create graphics, compute and ray-tracing pipelines, and execution graphs.
//!
//! In: the application's create infos. Out: one call down. What must hold: if there is no DXIL, or
//! the existing modules are already right, the call is forwarded with the application's own
//! pointers. Otherwise the array is copied, with the stages of affected elements replaced. If the
//! driver defers such a call, the copies and modules live until the operation is complete.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use ash::vk;

use crate::capture::Captured;
use crate::intercept::batch::create_others;
use crate::intercept::captured::Libraries;
use crate::intercept::deferred;
use crate::intercept::dxil_stage::Refusal;
use crate::intercept::guard::guard;
use crate::intercept::inspect::is_dxil;
use crate::intercept::objects::Device;
use crate::intercept::pipeline_reports::{report, report_driver, report_mismatches};
use crate::intercept::rebuild::rebuilt;
use crate::intercept::scratch::Scratch;
use crate::intercept::work::{Task, Work};
use crate::translate::{Failure, ParsedBlob, Request};
use crate::vulkan::arrays::slice;
use crate::vulkan::create_info::PipelineCreateInfo;
use crate::vulkan::reads::Flags;
use crate::vulkan::shader_code::{self, ShaderCode};

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

/// A command of the next layer. It gets the deferred operation, create infos, allocator and
/// outputs.
trait Next<T>:
    FnOnce(vk::DeferredOperationKHR, &[T], *const vk::AllocationCallbacks<'_>, *mut vk::Pipeline) -> vk::Result
    + Send
    + 'static
{
}

impl<T, F> Next<T> for F where
    F: FnOnce(vk::DeferredOperationKHR, &[T], *const vk::AllocationCallbacks<'_>, *mut vk::Pipeline) -> vk::Result
        + Send
        + 'static
{
}

/// What a deferred call points to. It is valid until the operation is complete (specification,
/// "Deferred Host Operations").
struct Deferred<T> {
    infos: *const T,
    count: usize,
    allocator: Option<Arc<Callbacks>>,
    out: *mut vk::Pipeline,
}

/// A copy of the application's allocator. A driver that defers its part may read it until the
/// operation is complete.
struct Callbacks(vk::AllocationCallbacks<'static>);

// SAFETY: any thread that joins an operation may call the callbacks of its call.
unsafe impl Send for Callbacks {}
// SAFETY: as above.
unsafe impl Sync for Callbacks {}

// SAFETY: any thread that joins an operation may read and write what its call points to.
unsafe impl<T> Send for Deferred<T> {}

/// Creates pipelines through `next`. If the call has a deferred operation and something has to be
/// translated, the threads that join the operation do that.
///
/// # Safety
/// The create infos and the arguments must be valid.
unsafe fn create<T: Captured>(device: &Device, infos: &[T], call: Call<'_>, next: impl Next<T>) -> vk::Result {
    device.instance.messages.flush();
    let operation = call.operation;
    if operation == vk::DeferredOperationKHR::null() {
        // SAFETY: the caller's arguments.
        return unsafe { create_now(device, infos, call, next) };
    }
    deferred::forget(device, operation);
    // SAFETY: the caller's create infos.
    let tasks = unsafe { missing(device, infos) };
    if tasks.is_empty() {
        // SAFETY: the caller's arguments.
        return unsafe { create_now(device, infos, call, next) };
    }
    // SAFETY: null or valid; a copy of the callbacks has no lifetime.
    let allocator = unsafe { call.allocator.cast::<vk::AllocationCallbacks<'static>>().as_ref() };
    let allocator = allocator.map(|callbacks| Arc::new(Callbacks(*callbacks)));
    let owned = allocator.clone();
    let deferred = Deferred { infos: infos.as_ptr(), count: infos.len(), allocator, out: call.out };
    let finish = move |device: &Device| {
        let Deferred { infos, count, allocator, out } = { deferred };
        let call =
            Call { operation, allocator: allocator.as_ref().map_or(std::ptr::null(), |it| &raw const it.0), out };
        // SAFETY: the application's array, which is valid until the operation is complete.
        unsafe { create_now(device, std::slice::from_raw_parts(infos, count), call, next) }
    };
    deferred::defer(device, operation, Work::new(tasks, Box::new(finish), Box::new(owned)))
}

/// Whether a pipeline may be translated, although its translation is not in the cache.
fn may_compile(device: &Device, flags: Flags) -> bool {
    let is_forbidden = flags.has(vk::PipelineCreateFlags::FAIL_ON_PIPELINE_COMPILE_REQUIRED);
    !(is_forbidden && device.instance.settings.strict_compile_required)
}

/// The translations of a call that are not in the cache. The blobs are parsed and the bindings
/// planned, for all stages together.
///
/// # Safety
/// The create infos must be valid.
unsafe fn missing<T: Captured>(device: &Device, infos: &[T]) -> Vec<Task<Device>> {
    // SAFETY: no modules are made.
    let mut scratch = unsafe { Scratch::new(device, std::ptr::null()) };
    scratch.collected = Some(Vec::new());
    for info in infos {
        // SAFETY: a valid create info.
        let flags = unsafe { info.flags() };
        // What fails is reported when the pipelines are created.
        // SAFETY: a valid create info.
        if may_compile(device, flags) && unsafe { rebuilt(info, true, &mut scratch) }.is_err() {
            return Vec::new();
        }
    }
    let mut seen = HashSet::new();
    let collected = scratch.collected.take().unwrap_or_default().into_iter();
    let missing = collected.filter(|(blob, request)| {
        !device.instance.store.has_emitted(request, blob.pdb) && seen.insert((request.clone(), blob.pdb))
    });
    let task = |(blob, request): (Arc<ParsedBlob>, Arc<Request>)| -> Task<Device> {
        // The cache has the result, even an error.
        Box::new(move |device: &Device| _ = device.context().emit(&blob, &request))
    };
    missing.map(task).collect()
}

/// Forwards a command of whose DXIL this build translates nothing. A call with DXIL creates
/// nothing.
///
/// # Safety
/// The create infos and the arguments must be valid.
unsafe fn create_without_dxil<T: PipelineCreateInfo>(
    device: &Device,
    infos: &[T],
    Call { operation, allocator, out }: Call<'_>,
    next: impl Next<T>,
    feature: &str,
) -> vk::Result {
    let has_dxil = |info: &T| {
        let mut has = false;
        let mut each = |found: ShaderCode<'_>| {
            // SAFETY: code in the caller's create info.
            has |= unsafe { is_dxil(device, &found) };
            ControlFlow::Continue(())
        };
        // SAFETY: the caller's create info.
        let _ = unsafe { shader_code::visit(info.header(), &mut each) };
        has
    };
    let Some(found) = infos.iter().position(has_dxil) else {
        return next(operation, infos, allocator, out);
    };
    for index in 0..infos.len() {
        // SAFETY: the array has one element per create info.
        unsafe { out.add(index).write(vk::Pipeline::null()) };
    }
    let reason = format!("the pipeline has DXIL, and this build of the layer has no cargo feature {feature}");
    let refused = [(found, Failure::unsupported(reason).into())];
    // SAFETY: the caller's create infos.
    unsafe { report(device, infos, &refused) }
}

/// Creates pipelines through `next`.
///
/// # Safety
/// The create infos and the arguments must be valid.
unsafe fn create_now<T: Captured>(
    device: &Device,
    infos: &[T],
    Call { operation, allocator, out }: Call<'_>,
    next: impl Next<T>,
) -> vk::Result {
    let may_defer = operation != vk::DeferredOperationKHR::null();
    // Modules of a deferred call may outlive the application's allocator.
    // SAFETY: the caller's allocator.
    let mut scratch = unsafe { Scratch::new(device, if may_defer { std::ptr::null() } else { allocator }) };
    // SAFETY: the caller's create infos.
    let Rebuilt { copies, refused, end, libraries } = unsafe { rebuild_all(infos, out, &mut scratch) };
    let forwarded = copies.as_deref().unwrap_or(infos);
    if refused.is_empty() {
        let result = next(operation, forwarded, allocator, out);
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
        next(vk::DeferredOperationKHR::null(), infos, allocator, out.as_mut_ptr())
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
    let libraries = Libraries::new(infos.len(), out);
    let mut all = Rebuilt { copies: None, refused: Vec::new(), end: infos.len(), libraries };
    for (index, info) in infos.iter().enumerate() {
        scratch.requests.clear();
        scratch.mismatches.clear();
        // SAFETY: a valid create info.
        let flags = unsafe { info.flags() };
        let may_compile = may_compile(scratch.device, flags);
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
        if result.is_ok() {
            // SAFETY: a valid create info.
            unsafe { report_mismatches(scratch.device, index, info, &scratch.mismatches) };
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

/// A command that creates pipelines from an array of create infos; one that may be deferred has an
/// argument for its operation. One that is rarely used has a cargo feature, without which its DXIL
/// is refused.
macro_rules! command {
    ($name:ident: $command:literal => $next:ident($($operation:ident)?), $info:ident $(, $feature:literal)?) => {
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
                let handle = device.handle;
                let next = move |_operation: vk::DeferredOperationKHR,
                                 infos: &[vk::$info<'static>],
                                 allocator: *const vk::AllocationCallbacks<'_>,
                                 out: *mut vk::Pipeline| {
                    $(let $operation = _operation;)?
                    let (count, infos) = (infos.len() as u32, infos.as_ptr());
                    // SAFETY: the application's arguments, with create infos made of the
                    // application's.
                    unsafe { next(handle, $($operation,)? cache, count, infos, allocator, out) }
                };
                $(if !cfg!(feature = $feature) {
                    // SAFETY: valid arguments, by the command's valid usage.
                    return unsafe { create_without_dxil(&device, list, call, next, $feature) };
                })?
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
    => create_ray_tracing_pipelines_nv(), RayTracingPipelineCreateInfoNV, "nv-ray-tracing");
command!(create_execution_graphs: "vkCreateExecutionGraphPipelinesAMDX"
    => create_execution_graph_pipelines(), ExecutionGraphPipelineCreateInfoAMDX, "amdx-graphs");
