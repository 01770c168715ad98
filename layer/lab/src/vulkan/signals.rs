//! The report of the signals that end the process.
//!
//! In: signals, in any thread. Out: one report on the error output. What must hold: a signal
//! handler calls only what a signal handler may call, and the process still ends by the signal.

use std::ffi::CStr;
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

use super::calls::{CRASH, NO_COMMAND, current};

/// Has signals that end the process report where it was.
pub fn report_signals() {
    let mut first = [std::ptr::null_mut(); 1];
    // SAFETY: the array has space for one address. The first call loads a library, which a handler
    // may not do.
    unsafe { libc::backtrace(first.as_mut_ptr(), 1) };
    for signal in [libc::SIGSEGV, libc::SIGABRT, libc::SIGBUS, libc::SIGFPE, libc::SIGILL] {
        // SAFETY: the handler keeps to what a handler may do.
        unsafe { libc::signal(signal, report_signal as *const () as libc::sighandler_t) };
    }
}

/// The thread whose signal is reported; 0 before the first.
static REPORTER: AtomicI32 = AtomicI32::new(0);

/// The handler. Threads of a driver often crash together. Only the first one reports, because the
/// lab reads one report; the others wait until the first one ends the process.
extern "C" fn report_signal(signal: libc::c_int) {
    // SAFETY: it takes nothing.
    let thread = unsafe { libc::gettid() };
    match REPORTER.compare_exchange(0, thread, Relaxed, Relaxed) {
        Ok(_) => report(),
        // The report itself failed.
        Err(first) if first == thread => {}
        Err(_) => loop {
            // SAFETY: it takes nothing.
            unsafe { libc::pause() };
        },
    }
    // SAFETY: the signal ends the process as it does without a handler.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        libc::raise(signal);
    }
}

/// Writes the command, in one piece because other threads write too, and the functions.
fn report() {
    const FRAMES: usize = 32;
    let name = current().map_or(NO_COMMAND.as_bytes(), CStr::to_bytes);
    let line = [b"\n", CRASH.as_bytes(), name, b"\n"]
        .map(|part| libc::iovec { iov_base: part.as_ptr().cast_mut().cast(), iov_len: part.len() });
    let mut frames = [std::ptr::null_mut(); FRAMES];
    // SAFETY: the bytes are this process's, the array has space for so many addresses, and the
    // functions allocate nothing.
    unsafe {
        libc::writev(libc::STDERR_FILENO, line.as_ptr(), line.len() as libc::c_int);
        let count = libc::backtrace(frames.as_mut_ptr(), FRAMES as libc::c_int);
        libc::backtrace_symbols_fd(frames.as_ptr(), count, libc::STDERR_FILENO);
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt as _;
    use std::process::Command;
    use std::sync::Barrier;

    use super::*;
    use crate::vulkan::calls::enter;

    const THREADS: usize = 8;
    /// Set in the process that is to crash.
    const CRASHES: &str = "DXIL_LAB_TEST_CRASHES";

    #[test]
    fn threads_that_crash_together_are_one_report() {
        if std::env::var_os(CRASHES).is_some() {
            crash_in_all_threads();
            panic!("the process goes on after a signal");
        }
        for _ in 0..20 {
            let mut command = Command::new(std::env::current_exe().unwrap());
            command.args(["--exact", "vulkan::signals::tests::threads_that_crash_together_are_one_report"]);
            let output = command.env(CRASHES, "1").output().unwrap();
            assert_eq!(output.status.signal(), Some(libc::SIGSEGV));
            let text = String::from_utf8_lossy(&output.stderr);
            let reports: Vec<&str> = text.lines().filter(|line| line.contains(CRASH)).collect();
            assert_eq!(reports, ["dxil-lab: crash in vkQueueSubmit"], "{text}");
        }
    }

    fn crash_in_all_threads() {
        report_signals();
        let _call = enter(c"vkQueueSubmit");
        let barrier = Barrier::new(THREADS);
        std::thread::scope(|scope| {
            for _ in 0..THREADS {
                scope.spawn(|| {
                    barrier.wait();
                    // SAFETY: it takes a number; the handler ends the process.
                    unsafe { libc::raise(libc::SIGSEGV) };
                });
            }
        });
    }
}
