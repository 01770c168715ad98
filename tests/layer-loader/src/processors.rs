//! A machine with another number of processors, for the layer's tables.
//!
//! In: a number. Out: while it is set, `std::thread::available_parallelism` gives it, also in the
//! layer's library. The layer's hash tables have four shards for each processor, and ask once.
//!
//! The standard library asks the C library's `sched_getaffinity`. This program exports a function
//! of that name (`build.rs`), which the dynamic linker finds first.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

type GetAffinity = unsafe extern "C" fn(c_int, usize, *mut u8) -> c_int;

unsafe extern "C" {
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
}

/// The reported number; 0 for the machine's own.
static REPORTED: AtomicUsize = AtomicUsize::new(0);

/// Calls `body` with this number of emulated processors; 0 for the machine's own number.
///
/// # Errors
/// If the standard library sees another number, because of a limit of the process's group or
/// because the function is not found first.
pub fn emulate<T>(processors: usize, body: impl FnOnce() -> T) -> Result<T, String> {
    REPORTED.store(processors, Relaxed);
    let seen = std::thread::available_parallelism().map_or(1, usize::from);
    let out = (processors == 0 || seen == processors).then(body);
    REPORTED.store(0, Relaxed);
    out.ok_or_else(|| format!("{processors} processors cannot be emulated: {seen} are seen"))
}

/// `sched_getaffinity(2)`.
///
/// # Safety
/// As for the C library's function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sched_getaffinity(process: c_int, size: usize, set: *mut u8) -> c_int {
    const NEXT: *mut c_void = -1isize as *mut c_void;
    let reported = REPORTED.load(Relaxed).min(size * 8);
    if reported == 0 {
        let name: &CStr = c"sched_getaffinity";
        // SAFETY: RTLD_NEXT and a null-terminated name; the C library's function has this type.
        let next: Option<GetAffinity> = unsafe { std::mem::transmute(dlsym(NEXT, name.as_ptr())) };
        // SAFETY: the caller's own arguments.
        return next.map_or(-1, |next| unsafe { next(process, size, set) });
    }
    // SAFETY: the caller's set has `size` bytes.
    let set = unsafe { std::slice::from_raw_parts_mut(set, size) };
    for (index, byte) in set.iter_mut().enumerate() {
        *byte = (0..8).filter(|bit| index * 8 + bit < reported).fold(0, |bits, bit| bits | 1 << bit);
    }
    0
}
