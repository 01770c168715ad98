//! Versions of the header and of the library.

use std::ffi::c_char;

/// The version of the library, and of the header: major, minor and patch.
pub const VERSION: [u32; 3] = [0, 1, 0];

/// The version of the library that the program runs with: major * 1000000 + minor * 1000 + patch. A
/// program compares it with DXTR_VERSION. The library accepts the structures of all headers
/// of its major and minor version.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_version() -> u32 {
    let [major, minor, patch] = VERSION;
    major * 1_000_000 + minor * 1000 + patch
}

/// The version as text, such as "0.1.0". It is never freed.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_version_text() -> *const c_char {
    const TEXT: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    TEXT.as_ptr().cast()
}
