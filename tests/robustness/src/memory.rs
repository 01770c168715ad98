//! Measures how much memory a case allocates, and how long it runs.

use std::io;
use std::time::Duration;

pub use dxil_test_support::memory::{Counting, peak};

/// The time that this thread has run on a processor so far. Other threads and programs do not
/// count.
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
