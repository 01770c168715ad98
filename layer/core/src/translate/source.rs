//! A parsed blob and its entry points.

use crate::translate::blob::BlobHash;
use crate::translate::failure::Failure;
use crate::translate::seam::Shader;
use crate::translator::{Error, ErrorKind, Place};

/// A parsed blob.
pub struct Source {
    /// The hash that names the blob.
    pub hash: BlobHash,
    /// The result of the translator's front end.
    pub shader: Shader,
}

impl Source {
    /// A failure that concerns this blob.
    pub fn failure(&self, entry: Option<&str>, error: Error) -> Failure {
        Failure { blob: Some(self.hash), entry: entry.map(str::to_string), error }
    }

    /// The entry point that a `pName` means: the entry of that name, or `main` where the blob has
    /// one entry.
    ///
    /// # Errors
    /// `Malformed`, with the names of the entries that the blob has.
    pub fn entry(&self, name: &str) -> Result<&str, Failure> {
        let entries = self.shader.entries();
        if let Some(entry) = entries.iter().find(|e| **e == name) {
            return Ok(entry);
        }
        match entries.as_slice() {
            [only] if name == "main" => Ok(only),
            _ => {
                let list = entries.iter().map(|e| format!("`{e}`")).collect::<Vec<_>>().join(", ");
                let reason = format!("the blob has no entry point of this name; it has {list}");
                Err(self.failure(Some(name), Error::new(ErrorKind::Malformed, Place::Input, reason)))
            }
        }
    }
}
