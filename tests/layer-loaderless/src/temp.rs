//! Folders that tests let the layer write to.

use std::ffi::{CStr, CString};
use std::path::PathBuf;

/// A folder that is not there yet, and is removed at the end.
pub struct TempFolder {
    pub path: PathBuf,
    value: &'static CStr,
}

impl TempFolder {
    /// A folder with this word in its name, which no other test uses.
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("dxil-layer-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        // Settings of the layer live as long as the process.
        let value = CString::new(path.to_str().expect("a path of UTF-8")).expect("a path without NUL");
        Self { path, value: Box::leak(value.into_boxed_c_str()) }
    }

    /// The setting with this key and the folder as its value.
    pub fn setting(&self, key: &'static CStr) -> (&'static CStr, &'static CStr) {
        (key, self.value)
    }
}

impl Drop for TempFolder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}
