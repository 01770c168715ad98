//! Texts for C.

use std::collections::HashSet;
use std::ffi::{CStr, CString, c_char};
use std::sync::{Arc, Mutex, PoisonError};

/// The texts that a handle has given out, which live as long as it does. Equal texts are one in
/// memory, because thousands of resources may share a long name.
#[derive(Debug, Default)]
pub struct Texts(Mutex<HashSet<Arc<CStr>>>);

impl Texts {
    /// The text for C. What follows a zero byte is left out, because C takes it for the end.
    pub fn intern(&self, text: &str) -> Arc<CStr> {
        let end = text.find('\0').unwrap_or(text.len());
        let text = CString::new(text.get(..end).unwrap_or_default()).unwrap_or_default();
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known.get(&*text) {
            return Arc::clone(found);
        }
        let text: Arc<CStr> = text.into();
        known.insert(Arc::clone(&text));
        text
    }

    /// The pointer to the text for C.
    pub fn pointer(&self, text: &str) -> *const c_char {
        self.intern(text).as_ptr()
    }
}
