//! Ray-tracing pipelines and deferred operations of the fake.
//!
//! What must hold: a pipeline that is deferred is read as late as a driver may read it, when its
//! operation is joined for the last time.

use ash::vk;
use ash::vk::Handle;

use super::seen::{Deferral, Event, FakeDevice, Pending, RaysSeen, address, fresh, see_stage};

/// What both kinds of create infos have, and the pointers that only one has.
macro_rules! see {
    ($fake:expr, $info:ident, group $handle:expr, $others:expr) => {{
        let stages = if $fake.config.read_stages { $info.stage_count as usize } else { 0 };
        let group = |i: usize| {
            // SAFETY: a valid create info has `group_count` groups.
            let group = unsafe { &*$info.p_groups.add(i) };
            let shaders =
                [group.general_shader, group.closest_hit_shader, group.any_hit_shader, group.intersection_shader];
            (group.s_type.as_raw(), address(group.p_next), group.ty.as_raw(), shaders, $handle(group))
        };
        RaysSeen {
            flags: $info.flags.as_raw(),
            base_index: $info.base_pipeline_index,
            base: $info.base_pipeline_handle.as_raw(),
            layout: $info.layout.as_raw(),
            stages_at: address($info.p_stages),
            // SAFETY: a valid create info has `stage_count` valid stages, unless Vulkan ignores
            // them, in which case the test clears `read_stages`.
            stages: (0..stages).map(|i| unsafe { see_stage(&*$info.p_stages.add(i)) }).collect(),
            groups_at: address($info.p_groups),
            groups: (0..$info.group_count as usize).map(group).collect(),
            next: address($info.p_next),
            others: $others.to_vec(),
        }
    }};
}

/// # Safety
/// The create infos must be valid.
unsafe fn work(
    fake: &FakeDevice,
    operation: u64,
    count: u32,
    infos: *const vk::RayTracingPipelineCreateInfoKHR<'_>,
    out: *mut vk::Pipeline,
) {
    let mut pipelines = Vec::new();
    for index in 0..count as usize {
        // SAFETY: the arrays have `count` elements.
        let (info, out) = unsafe { (&*infos.add(index), &mut *out.add(index)) };
        let others = [address(info.p_library_info), address(info.p_library_interface), address(info.p_dynamic_state)];
        let handle =
            |group: &vk::RayTracingShaderGroupCreateInfoKHR<'_>| address(group.p_shader_group_capture_replay_handle);
        pipelines.push(see!(fake, info, group handle, others));
        *out = fresh();
    }
    fake.push(Event::RayTracing { operation, infos: address(infos), out: address(out), pipelines });
}

pub(super) unsafe extern "system" fn create_khr(
    device: vk::Device,
    operation: vk::DeferredOperationKHR,
    _cache: vk::PipelineCache,
    count: u32,
    infos: *const vk::RayTracingPipelineCreateInfoKHR<'_>,
    allocator: *const vk::AllocationCallbacks<'_>,
    out: *mut vk::Pipeline,
) -> vk::Result {
    // SAFETY: the device is the fake's.
    let fake = unsafe { FakeDevice::from_handle(device) };
    if let Some(result) = fake.config.rays_result {
        return result;
    }
    let deferral = if operation.is_null() { Deferral::Never } else { fake.config.deferral };
    if let Deferral::AtJoin(joins_left) = deferral {
        // SAFETY: null or valid.
        let user_data = unsafe { allocator.as_ref() }.map_or(0, |callbacks| callbacks.p_user_data as usize);
        let pending = Pending { joins_left, count, infos: infos.cast(), out, allocator: allocator.cast(), user_data };
        fake.pending.lock().unwrap().insert(operation.as_raw(), pending);
        return vk::Result::OPERATION_DEFERRED_KHR;
    }
    // SAFETY: valid arguments.
    unsafe { work(fake, operation.as_raw(), count, infos, out) };
    match (deferral, operation.is_null()) {
        (Deferral::Never, true) => vk::Result::SUCCESS,
        (Deferral::Never, false) => vk::Result::OPERATION_NOT_DEFERRED_KHR,
        _ => vk::Result::OPERATION_DEFERRED_KHR,
    }
}

pub(super) unsafe extern "system" fn create_nv(
    device: vk::Device,
    _cache: vk::PipelineCache,
    count: u32,
    infos: *const vk::RayTracingPipelineCreateInfoNV<'_>,
    _: *const vk::AllocationCallbacks<'_>,
    out: *mut vk::Pipeline,
) -> vk::Result {
    // SAFETY: the device is the fake's.
    let fake = unsafe { FakeDevice::from_handle(device) };
    let mut pipelines = Vec::new();
    for index in 0..count as usize {
        // SAFETY: the arrays have `count` elements.
        let (info, out) = unsafe { (&*infos.add(index), &mut *out.add(index)) };
        let no_handle = |_: &vk::RayTracingShaderGroupCreateInfoNV<'_>| 0;
        pipelines.push(see!(fake, info, group no_handle, []));
        *out = fresh();
    }
    fake.push(Event::RayTracing { operation: 0, infos: address(infos), out: address(out), pipelines });
    vk::Result::SUCCESS
}

pub(super) unsafe extern "system" fn join(device: vk::Device, operation: vk::DeferredOperationKHR) -> vk::Result {
    // SAFETY: the device is the fake's.
    let fake = unsafe { FakeDevice::from_handle(device) };
    let mut pending = fake.pending.lock().unwrap();
    if let Some(call) = pending.get_mut(&operation.as_raw()) {
        call.joins_left -= 1;
        if call.joins_left > 0 {
            return vk::Result::THREAD_IDLE_KHR;
        }
        let Pending { count, infos, out, allocator, user_data, .. } = *call;
        // SAFETY: null, or valid until the operation is complete.
        let now = unsafe { allocator.as_ref() }.map_or(0, |callbacks| callbacks.p_user_data as usize);
        assert_eq!(now, user_data, "the allocator is not what it was");
        pending.remove(&operation.as_raw());
        // SAFETY: the arguments of a deferred call are valid until its operation is complete.
        unsafe { work(fake, operation.as_raw(), count, infos, out) };
    }
    vk::Result::SUCCESS
}

pub(super) unsafe extern "system" fn result(device: vk::Device, operation: vk::DeferredOperationKHR) -> vk::Result {
    // SAFETY: the device is the fake's.
    let fake = unsafe { FakeDevice::from_handle(device) };
    let pending = fake.pending.lock().unwrap().contains_key(&operation.as_raw());
    if pending { vk::Result::NOT_READY } else { vk::Result::SUCCESS }
}

/// More threads than tests translate with.
pub(super) unsafe extern "system" fn max_concurrency(_: vk::Device, _: vk::DeferredOperationKHR) -> u32 {
    77
}

pub(super) unsafe extern "system" fn destroy(
    device: vk::Device,
    operation: vk::DeferredOperationKHR,
    _: *const vk::AllocationCallbacks<'_>,
) {
    // SAFETY: the device is the fake's.
    unsafe { FakeDevice::from_handle(device) }.push(Event::DestroyOperation(operation.as_raw()));
}
