//! The border between C and Rust: pointers that may be null, texts, and panics.
//!
//! In: arguments of a C program. Out: values, or a failure. What must hold: no panic crosses the
//! border.
//!
//! A pointer to a handle is an argument of type `Option<&T>` or `Option<Box<T>>`, which are null or
//! valid by the contract of the interface. The functions here are for raw pointers, and rely on the
//! same contract.

use std::ffi::{CStr, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

pub use crate::failure::{Answer, Failure};
use crate::failure::{ErrorHandle, Result as Code};

/// Runs the body of a function that gives a code and an error handle.
pub fn guard(error: *mut *mut ErrorHandle, body: impl FnOnce() -> Answer) -> Code {
    let failure = caught(body).err();
    let code = failure.as_ref().map_or(Code::Success, |failure| failure.code);
    if !error.is_null() {
        let handle = failure.map_or(std::ptr::null_mut(), |failure| Box::into_raw(Box::new(ErrorHandle::new(failure))));
        // The pointer is not null, which is the only error.
        let _ = write(error, handle);
    }
    code
}

/// Runs the body of a function that gives a code only.
pub fn code(body: impl FnOnce() -> Answer) -> Code {
    caught(body).err().map_or(Code::Success, |failure| failure.code)
}

/// Runs the body of a function that gives a value; `otherwise` where it fails.
pub fn value<T>(otherwise: T, body: impl FnOnce() -> Answer<T>) -> T {
    caught(body).unwrap_or(otherwise)
}

fn caught<T>(body: impl FnOnce() -> Answer<T>) -> Answer<T> {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|_| {
        let message = "a fault of the translator: it has panicked; please report it".to_owned();
        Err(Failure { code: Code::Internal, message, feature: None })
    })
}

/// The handle behind a pointer.
///
/// # Errors
/// If the pointer is null.
pub fn given<T>(pointer: Option<T>, what: &str) -> Answer<T> {
    pointer.ok_or_else(|| Failure::argument(format!("{what} is null")))
}

/// Writes a result.
///
/// # Errors
/// If the pointer is null.
pub fn write<T>(pointer: *mut T, value: T) -> Answer {
    if pointer.is_null() {
        return Err(Failure::argument("the pointer to the result is null"));
    }
    // SAFETY: the pointer is not null, so by the contract of the interface it points to memory for
    // a `T`. Nothing is said of its alignment.
    unsafe { pointer.write_unaligned(value) };
    Ok(())
}

/// Hands over what `make` makes. The handle is null if that fails.
///
/// # Errors
/// If the pointer is null; those of `make`.
pub fn hand<T>(pointer: *mut *mut T, make: impl FnOnce() -> Answer<T>) -> Answer {
    write(pointer, std::ptr::null_mut())?;
    write(pointer, Box::into_raw(Box::new(make()?)))
}

/// Frees a handle.
pub fn free<T>(handle: Option<Box<T>>) {
    code(|| {
        drop(handle);
        Ok(())
    });
}

/// The object behind a pointer of a structure.
pub fn behind<'a, T>(pointer: *const T) -> Option<&'a T> {
    // SAFETY: by the contract of the interface the pointer is null or points to an object that
    // lives until the call returns.
    unsafe { pointer.as_ref() }
}

/// The text behind a pointer; `None` if the pointer is null.
///
/// # Errors
/// If it is not UTF-8.
pub fn text<'a>(pointer: *const c_char) -> Answer<Option<&'a str>> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: the pointer is not null, so by the contract of the interface it points to a text that
    // ends with a zero byte and lives until the call returns.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str().map(Some).map_err(|_| Failure::argument("a text is not UTF-8"))
}

/// The array behind a pointer, of numbers or of structures of numbers that do not grow.
///
/// # Errors
/// If the pointer is null and the count is not zero.
pub fn array<'a, T>(pointer: *const T, count: u32) -> Answer<&'a [T]> {
    if count == 0 {
        return Ok(&[]);
    }
    let bytes = bytes(pointer.cast(), (count as usize).saturating_mul(size_of::<T>()))?;
    // SAFETY: the bytes are those of `count` elements by the contract of the interface.
    Ok(unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast(), count as usize) })
}

/// The bytes behind a pointer.
///
/// # Errors
/// If the pointer is null, or there are more bytes than memory can have.
pub fn bytes<'a>(pointer: *const c_void, size: usize) -> Answer<&'a [u8]> {
    if pointer.is_null() || isize::try_from(size).is_err() {
        return Err(Failure::argument("the pointer to the bytes is null, or their number is impossible"));
    }
    // SAFETY: the pointer is not null, so by the contract of the interface it points to these
    // bytes, which live until the call returns. Their number is no more than a slice may have.
    Ok(unsafe { std::slice::from_raw_parts(pointer.cast(), size) })
}
