//! An allocator that counts the bytes of each thread.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static NOW: Cell<usize> = const { Cell::new(0) };
    static PEAK: Cell<usize> = const { Cell::new(0) };
}

/// The system's allocator, which counts the bytes of each thread. A program installs it by
/// `#[global_allocator]`.
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

/// The bytes that this thread has allocated and not freed.
#[must_use]
pub fn allocated() -> usize {
    NOW.with(Cell::get)
}

/// Runs `f`. Returns its result and the peak number of bytes that it had allocated on this thread.
pub fn peak<T>(f: impl FnOnce() -> T) -> (T, usize) {
    let before = NOW.with(Cell::get);
    PEAK.with(|peak| peak.set(before));
    let result = f();
    (result, PEAK.with(Cell::get).saturating_sub(before))
}

/// The resident memory of this process, in bytes.
///
/// # Panics
/// Where the system is not Linux.
pub fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("VmRSS");
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() << 10
}

/// Asserts that the resident memory has grown by less than `limit` MiB since it was `before`, and
/// prints by how much, after `what`. AddressSanitizer keeps memory that is freed and adds to each
/// block, so where its options are set, the growth is printed and not judged.
///
/// # Panics
/// Where the memory has grown by more, or the system is not Linux.
pub fn assert_resident(what: &str, before: usize, limit: usize) {
    let more = resident().saturating_sub(before) >> 20;
    let judged = std::env::var_os("ASAN_OPTIONS").is_none();
    println!("{what}: {more} MiB more{}", if judged { "" } else { ", not judged under AddressSanitizer" });
    assert!(!judged || more < limit, "{what}: {more} MiB more; expected less than {limit}");
}
