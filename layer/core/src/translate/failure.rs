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
    /// All stages, where the failure concerns several that are planned together: each one's blob, and
    /// its kind and entry point.
    pub stages: Vec<(BlobDigest, String)>,
    /// The translator's error: kind, place, reason.
    pub error: Error,
}

impl Failure {
    /// A failure that concerns one blob, or none.
    pub fn new(blob: Option<BlobDigest>, entry: Option<String>, error: Error) -> Self {
        Self { blob, entry, stages: Vec::new(), error }
    }

    /// A failure of kind `Unsupported` that concerns no single blob.
    pub fn unsupported(reason: impl Into<String>) -> Self {
        Self::new(None, None, Error::new(ErrorKind::Unsupported, Place::Input, reason.into()))
    }

    /// Whether the failure concerns this blob.
    pub fn concerns(&self, blob: BlobDigest) -> bool {
        match self.blob {
            Some(own) => own == blob || self.stages.iter().any(|(other, _)| *other == blob),
            None => true,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.stages.is_empty() {
            let stages: Vec<_> = self.stages.iter().map(|(blob, what)| format!("{} ({what})", blob.short())).collect();
            return write!(f, "DXIL blobs {}: {}", stages.join(", "), self.error);
        }
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
