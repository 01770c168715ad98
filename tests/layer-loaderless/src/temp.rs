//! Folders that tests let the layer write to.

use std::ffi::{CStr, CString};
use std::path::PathBuf;

/// A folder that does not exist yet, and is removed when it is dropped.
pub struct TempFolder {
    pub path: PathBuf,
    value: &'static CStr,
    _folder: dxil_test_support::TempFolder,
}

impl TempFolder {
    /// A folder with this word in its name, which no other test uses.
    pub fn new(name: &str) -> Self {
        let folder = dxil_test_support::TempFolder::absent(name);
        // Settings of the layer live as long as the process.
        let value = CString::new(folder.to_str().expect("a path of UTF-8")).expect("a path without NUL");
        Self { path: folder.to_owned(), value: Box::leak(value.into_boxed_c_str()), _folder: folder }
    }

    /// The setting with this key and the folder as its value.
    pub fn setting(&self, key: &'static CStr) -> (&'static CStr, &'static CStr) {
        (key, self.value)
    }
}
