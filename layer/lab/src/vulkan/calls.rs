//! The Vulkan command that the process is in, and what is reported of it if the process ends there.
//!
//! In: the commands that pass `interposer` and `observer`. Out: lines on the error output when a
//! signal ends the process: the command, and the functions that were called. What must hold: a
//! signal handler calls only what a signal handler may call, and the process still ends by the
//! signal.

use std::ffi::{CStr, c_char};
use std::sync::atomic::{AtomicI32, AtomicPtr, Ordering::Relaxed};

/// The beginning of the line that names the command.
pub const CRASH: &str = "dxil-lab: crash in ";
/// The command's name in that line where no command was called.
pub const NO_COMMAND: &str = "no recorded command";

/// The name of the command; null outside of commands. A process has one lab.
static CURRENT: AtomicPtr<c_char> = AtomicPtr::new(std::ptr::null_mut());

/// A command that is left when this is dropped.
pub struct Call(*mut c_char);

/// Says that the process is in a command.
pub fn enter(name: &'static CStr) -> Call {
    Call(CURRENT.swap(name.as_ptr().cast_mut(), Relaxed))
}

impl Drop for Call {
    fn drop(&mut self) {
        CURRENT.store(self.0, Relaxed);
    }
}

/// Has signals that end the process report where it was.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn report_signals() {
    let mut first = [std::ptr::null_mut(); 1];
    // SAFETY: the array has room for one address. The first call loads a library, which a handler
    // may not do.
    unsafe { libc::backtrace(first.as_mut_ptr(), 1) };
    for signal in [libc::SIGSEGV, libc::SIGABRT, libc::SIGBUS, libc::SIGFPE, libc::SIGILL] {
        // SAFETY: the handler keeps to what a handler may do.
        unsafe { libc::signal(signal, report_signal as *const () as libc::sighandler_t) };
    }
}

/// Elsewhere nothing but the signal is known.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn report_signals() {}

/// The thread whose signal is reported; 0 before the first.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
static REPORTER: AtomicI32 = AtomicI32::new(0);

/// The handler. Threads of a driver often fail together, and one report is what can be read: the
/// others wait until the first one ends the process.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
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
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn report() {
    const FRAMES: usize = 32;
    let name = CURRENT.load(Relaxed);
    // SAFETY: the name is null, or one of the static names of `enter`.
    let name = if name.is_null() { NO_COMMAND.as_bytes() } else { unsafe { CStr::from_ptr(name) }.to_bytes() };
    let line = [b"\n", CRASH.as_bytes(), name, b"\n"]
        .map(|part| libc::iovec { iov_base: part.as_ptr().cast_mut().cast(), iov_len: part.len() });
    let mut frames = [std::ptr::null_mut(); FRAMES];
    // SAFETY: the bytes are this process's, the array has room for so many addresses, and the
    // functions allocate nothing.
    unsafe {
        libc::writev(libc::STDERR_FILENO, line.as_ptr(), line.len() as libc::c_int);
        let count = libc::backtrace(frames.as_mut_ptr(), FRAMES as libc::c_int);
        libc::backtrace_symbols_fd(frames.as_ptr(), count, libc::STDERR_FILENO);
    }
}

#[cfg(all(test, target_os = "linux", target_env = "gnu"))]
mod tests {
    use std::os::unix::process::ExitStatusExt as _;
    use std::process::Command;
    use std::sync::Barrier;

    use super::*;

    const THREADS: usize = 8;
    /// Set in the process that is to crash.
    const CRASHES: &str = "DXIL_LAB_TEST_CRASHES";

    #[test]
    fn threads_that_crash_together_are_one_report() {
        if std::env::var_os(CRASHES).is_some() {
            crash_in_all_threads();
        }
        for _ in 0..20 {
            let mut command = Command::new(std::env::current_exe().unwrap());
            command.args(["--exact", "vulkan::calls::tests::threads_that_crash_together_are_one_report"]);
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
