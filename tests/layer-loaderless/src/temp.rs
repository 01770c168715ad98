//! Folders that tests let the layer write to.

use std::ffi::CStr;
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
        Self { path: folder.to_owned(), value: crate::create_infos::leaked(&*folder), _folder: folder }
    }

    /// The setting with this key and the folder as its value.
    pub fn setting(&self, key: &'static CStr) -> (&'static CStr, &'static CStr) {
        (key, self.value)
    }
}
