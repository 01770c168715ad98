//! The log callback of a thread.
//!
//! In: a callback that the thread has set, and messages. Out: calls of it. What must hold: a
//! message goes to the callback of the thread that translates, and to no other.

use std::cell::Cell;
use std::ffi::{CString, c_void};

use crate::abi::LogCallback;

thread_local! {
    static CALLBACK: Cell<(LogCallback, *mut c_void)> = const { Cell::new((None, std::ptr::null_mut())) };
}

/// The level of a message that is no error.
const WARNING: i32 = 1;

/// The level of an error.
const ERROR: i32 = 2;

/// Sets the callback of this thread.
pub fn set(callback: LogCallback, user: *mut c_void) {
    CALLBACK.set((callback, user));
}

/// Reports why a call failed.
pub fn report(message: &str) {
    send(ERROR, message);
}

/// Reports what is done in another way than expected.
pub fn warn(message: &str) {
    send(WARNING, message);
}

fn send(level: i32, message: &str) {
    let (Some(callback), user) = CALLBACK.get() else { return };
    // A message may quote names of a shader, which may contain what C takes for the end.
    let Ok(text) = CString::new(message.replace('\0', "\\0") + "\n") else { return };
    // SAFETY: the thread has set the callback together with its user data, and the text lives until
    // the call returns.
    unsafe { callback(user, level, text.as_ptr()) }
}
