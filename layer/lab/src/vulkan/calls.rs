//! The Vulkan command that the process is in.
//!
//! In: the commands that pass `interposer` and `observer`. Out: the command's name, for the report
//! of a signal that ends the process.

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

/// The name of the command that the process is in, if it is in one. A signal handler may call it.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn current() -> Option<&'static CStr> {
    let name = CURRENT.load(Relaxed);
    // SAFETY: the name is null, or one of the static names of `enter`.
    (!name.is_null()).then(|| unsafe { CStr::from_ptr(name) })
}
