//! The Vulkan command that the process is in, and what is reported of it if the process ends there.
//!
//! In: the commands that pass `interposer` and `observer`. Out: lines on the error output when a
//! signal ends the process: the command, and the functions that were called. What must hold: a
//! signal handler calls only what a signal handler may call, and the process still ends by the
//! signal.

use std::ffi::{CStr, c_char};
use std::sync::atomic::{AtomicPtr, Ordering::Relaxed};

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

/// The handler.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
extern "C" fn report_signal(signal: libc::c_int) {
    const FRAMES: usize = 32;
    let write = |bytes: &[u8]| {
        // SAFETY: bytes of this process, to its error output.
        unsafe { libc::write(libc::STDERR_FILENO, bytes.as_ptr().cast(), bytes.len()) };
    };
    let name = CURRENT.load(Relaxed);
    write(b"\n");
    write(CRASH.as_bytes());
    // SAFETY: the name is null, or one of the static names of `enter`.
    write(if name.is_null() { NO_COMMAND.as_bytes() } else { unsafe { CStr::from_ptr(name) }.to_bytes() });
    write(b"\n");
    let mut frames = [std::ptr::null_mut(); FRAMES];
    // SAFETY: the array has room for so many addresses, and the functions allocate nothing; then
    // the signal ends the process as it does without a handler.
    unsafe {
        let count = libc::backtrace(frames.as_mut_ptr(), FRAMES as libc::c_int);
        libc::backtrace_symbols_fd(frames.as_ptr(), count, libc::STDERR_FILENO);
        libc::signal(signal, libc::SIG_DFL);
        libc::raise(signal);
    }
}
