//! What the layer says when DXIL can not be used: which blob, which entry, and the translator's kind, place and reason.

use std::fmt;

use crate::translate::{Error, ErrorKind};

/// The 256-bit BLAKE3 hash of a blob: its name in messages, dumps and caches.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct BlobHash(pub [u8; 32]);

impl BlobHash {
    /// The hash of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(*blake3::hash(bytes).as_bytes())
    }
}

/// The first 16 hexadecimal digits, which is how logs and file names call the blob.
impl fmt::Display for BlobHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().take(8).try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Why a blob was not turned into something the driver can have.
#[derive(Clone)]
pub struct Failure {
    /// The blob.
    pub blob: BlobHash,
    /// The entry point asked for, where it is known.
    pub entry: Option<String>,
    /// The translator's error: kind, place, reason.
    pub error: Error,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DXIL blob {}", self.blob)?;
        if let Some(entry) = &self.entry {
            write!(f, ", entry `{entry}`")?;
        }
        write!(f, ": {}", self.error)?;
        if let ErrorKind::MissingFeature(feature) = self.error.kind() {
            write!(
                f,
                " (enable {}::{} at vkCreateDevice; the layer does so itself where the device supports it, unless \
                 enable_features or profile_cap say otherwise)",
                feature.structure(),
                feature.name()
            )?;
        }
        Ok(())
    }
}
