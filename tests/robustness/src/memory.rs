//! Measures how much memory a case allocates, and how long it runs.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::io;
use std::time::Duration;

thread_local! {
    static NOW: Cell<usize> = const { Cell::new(0) };
    static PEAK: Cell<usize> = const { Cell::new(0) };
}

/// The system's allocator, which counts the bytes of each thread. A case runs on one thread.
pub struct Counting;

fn count(grown: usize, shrunk: usize) {
    // A thread may free memory after its thread-locals are destroyed; `try_with` then fails.
    let _ = NOW.try_with(|now| {
        let bytes = now.get().wrapping_add(grown).saturating_sub(shrunk);
        now.set(bytes);
        let _ = PEAK.try_with(|peak| peak.set(peak.get().max(bytes)));
    });
}

// SAFETY: every call is forwarded to the system's allocator with unchanged arguments, and counting
// does not allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        // SAFETY: the caller upholds the contract of `GlobalAlloc::alloc`, which is the same here.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(0, layout.size());
        // SAFETY: the caller upholds the contract of `GlobalAlloc::dealloc`, and the pointer is one
        // that `System` returned, because every allocation above is forwarded to it.
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size, layout.size());
        // SAFETY: the caller upholds the contract of `GlobalAlloc::realloc`, and the pointer is one
        // that `System` returned.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// Runs `f`. Returns its result and the peak number of bytes that it had allocated on this thread.
pub fn peak<T>(f: impl FnOnce() -> T) -> (T, usize) {
    let before = NOW.with(Cell::get);
    PEAK.with(|peak| peak.set(before));
    let result = f();
    (result, PEAK.with(Cell::get).saturating_sub(before))
}

/// The time that this thread has run on a processor so far. Other threads and programs do not count.
pub fn thread_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is that of a variable of the structure that the function writes.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Limits the address space of this process to `bytes` more than its current size.
///
/// # Errors
/// If the size of the process is unknown, or the system refuses the limit.
pub fn limit_address_space(more: u64) -> io::Result<()> {
    let pages = std::fs::read_to_string("/proc/self/statm")?;
    let pages: u64 = pages.split(' ').next().and_then(|pages| pages.parse().ok()).unwrap_or(0);
    // SAFETY: the function has no precondition.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) }.unsigned_abs();
    let bytes = pages * page + more;
    let limit = libc::rlimit { rlim_cur: bytes, rlim_max: bytes };
    // SAFETY: the pointer is that of a structure of the type that the function reads.
    match unsafe { libc::setrlimit(libc::RLIMIT_AS, &raw const limit) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}
