//! Version, memory and log of a thread.

use std::ffi::c_void;

use crate::abi::{LogCallback, VERSION};
use crate::border::{Out, attempt};
use crate::log;
use crate::original::{Original, original};

/// Gives the version of the interface.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_get_version(major: Out<u32>, minor: Out<u32>, patch: Out<u32>) {
    for (place, number) in [major, minor, patch].into_iter().zip(VERSION) {
        // A null pointer is reported to the log; the function has no result.
        let _ = attempt(|| place.write(number));
    }
}

/// Begins an arena of the thread. Memory here belongs to blobs and converters, but not
/// that of the original library.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_begin_thread_allocator_context() {
    original().into_iter().for_each(Original::begin_thread_allocator_context);
}

/// Ends an arena of the thread.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_end_thread_allocator_context() {
    original().into_iter().for_each(Original::end_thread_allocator_context);
}

/// Empties an arena of the thread.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_reset_thread_allocator_context() {}

/// Sets the log callback of the thread.
#[unsafe(no_mangle)]
pub extern "C" fn dxil_spv_set_thread_log_callback(callback: LogCallback, user: *mut c_void) {
    log::set(callback, user);
    if let Some(original) = original() {
        original.set_thread_log_callback(callback, user);
    }
}
