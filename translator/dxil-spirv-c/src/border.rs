//! The border between C and Rust: errors, panics, and pointers that may be null.
//!
//! In: arguments of a C program. Out: values, or a code. What must hold: no panic crosses the
//! border, and each failure is reported to the thread's log callback once.
//!
//! A pointer to an object of this library is an argument of type `Option<&T>` or `Option<Box<T>>`,
//! which are null or valid by the contract of the interface. [`Out`] and [`text`] are for the
//! others.

use std::ffi::{CStr, CString, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

use dxil_translator::{Error, ErrorKind};

use crate::abi::Code;
use crate::log;

/// Why a call fails.
#[derive(Clone, Debug)]
pub struct Failure {
    code: Code,
    message: String,
}

/// What a call gives, or why it fails.
pub type Answer<T = ()> = Result<T, Failure>;

impl Failure {
    /// A failure that the log tells.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    /// A null pointer, or a number out of range.
    pub fn argument(what: &str) -> Self {
        Self::new(Code::InvalidArgument, what)
    }

    /// A question whose answer is «there is none». The log does not have it.
    pub fn no_data() -> Self {
        Self::new(Code::NoData, "")
    }

    /// The code of the original library, without a message of ours.
    pub fn from_original(code: i32) -> Self {
        let known = [
            Code::OutOfMemory,
            Code::UnsupportedFeature,
            Code::Parser,
            Code::FailedValidation,
            Code::InvalidArgument,
            Code::NoData,
        ];
        Self::new(known.into_iter().find(|&known| known as i32 == code).unwrap_or(Code::Generic), "")
    }

    /// The same failure, with this message if it has none.
    #[must_use]
    pub fn or(self, message: &str) -> Self {
        if self.message.is_empty() { Self { message: message.to_owned(), ..self } } else { self }
    }

    /// Why, in words.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The same failure with its subject, such as a shader.
    #[must_use]
    pub fn with_subject(self, subject: &str) -> Self {
        Self { message: format!("{subject}: {}", self.message), ..self }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let code = match error.kind() {
            ErrorKind::Malformed => Code::Parser,
            ErrorKind::Unsupported | ErrorKind::MissingFeature(_) | ErrorKind::Binding => Code::UnsupportedFeature,
            ErrorKind::Limit => Code::OutOfMemory,
            _ => Code::Generic,
        };
        Self::new(code, error.to_string())
    }
}

/// The answer of the original library.
///
/// # Errors
/// Its code, unless that is success.
pub fn original(code: i32) -> Answer {
    if code == 0 { Ok(()) } else { Err(Failure::from_original(code)) }
}

/// Runs the body of a function whose result is a code.
pub fn guard(body: impl FnOnce() -> Answer) -> Code {
    attempt(body).err().unwrap_or(Code::Success)
}

/// Runs the body of a function; reports to the log why it fails, and gives the code.
///
/// # Errors
/// The code of the failure.
pub fn attempt<T>(body: impl FnOnce() -> Answer<T>) -> Result<T, Code> {
    let failure = match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(value)) => return Ok(value),
        Ok(Err(failure)) => failure,
        Err(_) => Failure::new(Code::Generic, "a fault of the translator: it has panicked; please report it"),
    };
    if !failure.message.is_empty() {
        log::report(&failure.message);
    }
    Err(failure.code)
}

/// A pointer to where a result goes.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Out<T>(*mut T);

impl<T> Out<T> {
    /// A place for a result, for tests in Rust.
    pub fn new(place: &mut T) -> Self {
        Self(place)
    }

    /// The pointer, for the original library.
    ///
    /// # Errors
    /// If it is null.
    pub fn pointer(self) -> Answer<*mut T> {
        if self.0.is_null() { Err(Failure::argument("the pointer to the result is null")) } else { Ok(self.0) }
    }

    /// Writes the result.
    ///
    /// # Errors
    /// If the pointer is null.
    pub fn write(self, value: T) -> Answer {
        let pointer = self.pointer()?;
        // SAFETY: the pointer is not null, so by the contract of the interface it points to memory
        // for a `T`. Nothing is said of its alignment.
        unsafe { pointer.write_unaligned(value) };
        Ok(())
    }
}

/// A C text. A name of a shader may contain what C takes for the end; no program can ask for it
/// then.
pub fn c_text(text: &str) -> CString {
    let end = text.find('\0').unwrap_or(text.len());
    CString::new(text.get(..end).unwrap_or_default()).unwrap_or_default()
}

/// The object behind a pointer.
///
/// # Errors
/// If the pointer is null.
pub fn given<T>(pointer: Option<T>) -> Answer<T> {
    pointer.ok_or_else(|| Failure::argument("an argument is null"))
}

/// The text behind a pointer.
///
/// # Errors
/// If the pointer is null, or the text is not UTF-8.
///
/// # Safety
/// The pointer is null or points to a text that ends with a zero byte and lives as long as `'a`.
pub unsafe fn text<'a>(pointer: *const c_char) -> Answer<&'a str> {
    if pointer.is_null() {
        return Err(Failure::argument("a text is null"));
    }
    // SAFETY: the pointer is not null, so the caller promises a text.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str().map_err(|_| Failure::argument("a text is not UTF-8"))
}

/// The bytes behind a pointer.
///
/// # Errors
/// If the pointer is null, or the size is more than a container may have.
///
/// # Safety
/// The pointer is null or points to this many bytes, which live as long as `'a`.
pub unsafe fn bytes<'a>(pointer: *const c_void, size: usize) -> Answer<&'a [u8]> {
    if pointer.is_null() || isize::try_from(size).is_err() {
        return Err(Failure::argument("the shader's bytes are null"));
    }
    // SAFETY: the pointer is not null, so the caller promises these bytes, and their number is no
    // more than a slice may have.
    Ok(unsafe { std::slice::from_raw_parts(pointer.cast(), size) })
}
