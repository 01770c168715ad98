//! Result codes and error handles, and the failures that become one.

use std::ffi::{CStr, CString};
use std::sync::Arc;

use dxil_translator::{Error, ErrorKind};

use crate::texts::Texts;

/// The result of a call. Values that a program does not know are errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub enum Result {
    /// The call did what it says.
    Success = 0,
    /// The input breaks a rule of its format.
    Malformed = 1,
    /// The input is, or may be, valid, but the translator does not support a part of it.
    Unsupported = 2,
    /// The shader needs a device feature that the profile does not have; dxtr_error_feature names
    /// it.
    MissingFeature = 3,
    /// A resource has no suitable place under the chosen model or layout.
    Binding = 4,
    /// The input exceeds a limit.
    Limit = 5,
    /// A fault of the library itself. Please report it.
    Internal = 6,
    /// An argument is null, an index is out of range, or a structure has an impossible size or
    /// member.
    InvalidArgument = 7,
}

/// An error: why a call failed. It belongs to the program, which frees it with dxtr_error_free.
#[derive(Debug)]
pub struct ErrorHandle {
    pub(crate) code: Result,
    pub(crate) message: Arc<CStr>,
    pub(crate) feature: Option<CString>,
}

impl ErrorHandle {
    pub(crate) fn new(failure: Failure) -> Self {
        let feature = failure.feature.and_then(|name| CString::new(name).ok());
        Self { code: failure.code, message: Texts::default().intern(&failure.message), feature }
    }
}

/// Why a call fails.
#[derive(Clone, Debug)]
pub struct Failure {
    pub(crate) code: Result,
    pub(crate) message: String,
    /// The feature that the device lacks.
    pub(crate) feature: Option<&'static str>,
}

/// What a call gives, or why it fails.
pub type Answer<T = ()> = std::result::Result<T, Failure>;

impl Failure {
    /// A null pointer, or a number out of range.
    pub fn argument(message: impl Into<String>) -> Self {
        Self { code: Result::InvalidArgument, message: message.into(), feature: None }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let (code, feature) = match error.kind() {
            ErrorKind::Malformed => (Result::Malformed, None),
            ErrorKind::Unsupported => (Result::Unsupported, None),
            ErrorKind::MissingFeature(feature) => (Result::MissingFeature, Some(feature.name())),
            ErrorKind::Binding => (Result::Binding, None),
            ErrorKind::Limit => (Result::Limit, None),
            _ => (Result::Internal, None),
        };
        Self { code, message: error.to_string(), feature }
    }
}
