//! The message of a blob that cannot be used.

use std::fmt;

use crate::translator::{BlobDigest, Error, ErrorKind, Place};

/// Why a blob was not turned into something the driver can have.
#[derive(Clone)]
pub struct Failure {
    /// The blob; `None` where a failure concerns no single blob.
    pub blob: Option<BlobDigest>,
    /// The entry point that was asked for, where it is known.
    pub entry: Option<String>,
    /// The translator's error: kind, place, reason.
    pub error: Error,
}

impl Failure {
    /// A failure of kind `Unsupported` that concerns no single blob.
    pub fn unsupported(reason: impl Into<String>) -> Self {
        Self { blob: None, entry: None, error: Error::new(ErrorKind::Unsupported, Place::Input, reason.into()) }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.blob {
            Some(blob) => write!(f, "DXIL blob {}", blob.short())?,
            None => f.write_str("DXIL")?,
        }
        if let Some(entry) = &self.entry {
            write!(f, ", entry `{entry}`")?;
        }
        write!(f, ": {}", self.error)
    }
}
