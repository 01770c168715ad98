//! Error handles.

use std::ffi::c_char;

use crate::border::free;
pub use crate::failure::{ErrorHandle, Result};

/// The code of an error: what the call that made it returned. DXTR_RESULT_SUCCESS for null.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_error_code(error: Option<&ErrorHandle>) -> Result {
    error.map_or(Result::Success, |error| error.code)
}

/// The text of an error, in UTF-8: what was found, what was expected, and where. It lives as long
/// as the error. An empty text for null.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_error_message(error: Option<&ErrorHandle>) -> *const c_char {
    error.map_or(c"".as_ptr(), |error| error.message.as_ptr())
}

/// The device feature that a shader needs and the profile does not have: the member of a Vulkan
/// feature structure, or an extension. Null for errors of other codes. It lives as long as the
/// error.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_error_feature(error: Option<&ErrorHandle>) -> *const c_char {
    let feature = error.and_then(|error| error.feature.as_ref());
    feature.map_or(std::ptr::null(), |feature| feature.as_ptr())
}

/// Frees an error. Null is accepted.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_error_free(error: Option<Box<ErrorHandle>>) {
    free(error);
}
