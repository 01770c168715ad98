//! Deferred operations (`VK_KHR_deferred_host_operations`): the threads that join an operation
//! translate its DXIL, and modules and copies for a call down live until the operation is complete.
//!
//! An operation has two parts. While its DXIL is translated ([`Work`]), the driver does not know of
//! it, and the layer answers all commands. The last step of that part calls down. If the driver
//! defers that call, it answers from then on; else the operation is complete.
//!
//! In: a call that the driver deferred, and the application's calls with its operation. Out: the
//! same calls. What must hold: while an operation is pending, the driver may read everything that
//! the deferred call points to, so modules and copies live until it is complete. It is complete
//! when `vkDeferredOperationJoinKHR` returns `VK_SUCCESS` or `vkGetDeferredOperationResultKHR`
//! returns a code other than `VK_NOT_READY`; an operation that is destroyed or reused is complete
//! by valid usage (specification, "Deferred Host Operations").

use std::ptr::null;
use std::sync::Arc;

use ash::vk;
use ash::vk::Handle;

use crate::intercept::captured::Libraries;
use crate::intercept::guard::guard;
use crate::intercept::objects::Device;
use crate::intercept::scratch::Made;
use crate::intercept::tracked::destruction;
use crate::intercept::work::Work;

/// The data that the driver may read while an operation is pending.
struct Retained<T> {
    made: Made,
    libraries: Libraries,
    /// Create infos and stages, which point to each other and to `made`.
    _structures: T,
}

// SAFETY: a Vulkan structure is plain memory. Any thread that joins the operation may read it, and
// the thread that completes the operation drops it after the last read. The outputs are the
// application's, which it may not use before the operation is complete.
unsafe impl<T> Send for Retained<T> {}

impl<T> Retained<T> {
    /// # Safety
    /// The operation must be complete, and the modules made on this device without an allocator. If
    /// `is_news`, the outputs of the operation must still be valid.
    unsafe fn destroy(self, device: &Device, is_news: bool) {
        if is_news {
            // SAFETY: the caller's contract.
            unsafe { self.libraries.created(device) };
        }
        // SAFETY: the caller's contract.
        unsafe { self.made.destroy(device, null()) };
    }
}

/// Retains what a deferred call refers to until its operation is complete. The modules must have
/// been made without an allocator, because the application's allocator may not live that long.
pub fn retain<T: 'static>(
    device: &Device,
    operation: vk::DeferredOperationKHR,
    made: Made,
    structures: T,
    libraries: Libraries,
) {
    let retained = Retained { made, libraries, _structures: structures };
    // SAFETY: a completion runs when its operation is complete.
    let completion = Box::new(move |device: &Device, is_news: bool| unsafe { retained.destroy(device, is_news) });
    let previous = device.completions.lock().insert(operation.as_raw(), completion);
    if let Some(previous) = previous {
        // VUID-vkCreateRayTracingPipelinesKHR-deferredOperation-03678: a previous operation of this
        // handle is complete.
        previous(device, false);
    }
    // Another thread may have joined the operation and completed it before it was added here.
    if let Some(result) = device.table.get_deferred_operation_result {
        // SAFETY: the application's operation, in use by its call that has not yet returned.
        if unsafe { result(device.handle, operation) } != vk::Result::NOT_READY {
            complete(device, operation, true);
        }
    }
}

/// Defers a call whose work joining threads do.
pub fn defer(device: &Device, operation: vk::DeferredOperationKHR, work: Work<Device>) -> vk::Result {
    device.translations.lock().insert(operation.as_raw(), Arc::new(work));
    vk::Result::OPERATION_DEFERRED_KHR
}

/// Forgets an earlier call with this operation, which is complete.
pub fn forget(device: &Device, operation: vk::DeferredOperationKHR) {
    let work = device.translations.lock().remove(&operation.as_raw());
    drop(work);
}

/// The translation of an operation that the driver has not deferred.
fn work_of(device: &Device, operation: vk::DeferredOperationKHR) -> Option<Arc<Work<Device>>> {
    let work = device.translations.lock().get(&operation.as_raw()).cloned()?;
    (work.result() != Some(vk::Result::OPERATION_DEFERRED_KHR)).then_some(work)
}

/// Drops what a complete operation no longer needs. `is_news` is true if the application cannot
/// know yet that the operation is complete; then its outputs are still valid.
fn complete(device: &Device, operation: vk::DeferredOperationKHR, is_news: bool) {
    let completion = device.completions.lock().remove(&operation.as_raw());
    if let Some(completion) = completion {
        completion(device, is_news);
    }
}

/// `vkDeferredOperationJoinKHR`.
pub unsafe extern "system" fn join(device: vk::Device, operation: vk::DeferredOperationKHR) -> vk::Result {
    let failed = vk::Result::ERROR_OUT_OF_HOST_MEMORY;
    guard(failed, || {
        // SAFETY: a live device, by the command's valid usage.
        let Some(device) = (unsafe { Device::from_handle(device) }) else { return failed };
        let Some(next) = device.table.deferred_operation_join else { return failed };
        match work_of(&device, operation).map(|work| work.join(&device)) {
            // Other threads are at work, and the driver may have work after that.
            Some(None) => return vk::Result::THREAD_IDLE_KHR,
            None | Some(Some(vk::Result::OPERATION_DEFERRED_KHR)) => {}
            Some(Some(_)) => return vk::Result::SUCCESS,
        }
        // SAFETY: the application's own arguments.
        let result = unsafe { next(device.handle, operation) };
        if result == vk::Result::SUCCESS {
            complete(&device, operation, true);
        }
        result
    })
}

/// `vkGetDeferredOperationResultKHR`.
pub unsafe extern "system" fn get_result(device: vk::Device, operation: vk::DeferredOperationKHR) -> vk::Result {
    let failed = vk::Result::ERROR_UNKNOWN;
    guard(failed, || {
        // SAFETY: a live device, by the command's valid usage.
        let Some(device) = (unsafe { Device::from_handle(device) }) else { return failed };
        let Some(next) = device.table.get_deferred_operation_result else { return failed };
        match work_of(&device, operation).map(|work| work.result()) {
            Some(None) => return vk::Result::NOT_READY,
            Some(Some(vk::Result::OPERATION_NOT_DEFERRED_KHR)) => return vk::Result::SUCCESS,
            None | Some(Some(vk::Result::OPERATION_DEFERRED_KHR)) => {}
            Some(Some(result)) => return result,
        }
        // SAFETY: the application's own arguments.
        let result = unsafe { next(device.handle, operation) };
        if result != vk::Result::NOT_READY {
            complete(&device, operation, true);
        }
        result
    })
}

/// `vkGetDeferredOperationMaxConcurrencyKHR`.
pub unsafe extern "system" fn max_concurrency(device: vk::Device, operation: vk::DeferredOperationKHR) -> u32 {
    guard(1, || {
        // SAFETY: a live device, by the command's valid usage.
        let Some(device) = (unsafe { Device::from_handle(device) }) else { return 1 };
        match work_of(&device, operation) {
            Some(work) if work.result().is_none() => work.threads(),
            Some(_) => 0,
            None => match device.table.get_deferred_operation_max_concurrency {
                // SAFETY: the application's own arguments.
                Some(next) => unsafe { next(device.handle, operation) },
                None => 1,
            },
        }
    })
}

/// Drops what belongs to an operation that is destroyed.
fn destroyed(device: &Device, operation: vk::DeferredOperationKHR) {
    forget(device, operation);
    complete(device, operation, false);
}

destruction!(destroy(DeferredOperationKHR): "vkDestroyDeferredOperationKHR",
    |device| device.table.destroy_deferred_operation,
    |operation| destroyed(&device, operation));
