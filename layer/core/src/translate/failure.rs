//! The message of a blob that cannot be used.

use std::collections::HashSet;
use std::fmt;

use crate::translator::{BlobDigest, Error, ErrorKind, Place};

/// The reason why a blob cannot be used.
#[derive(Clone)]
pub struct Failure {
    /// The blob; `None` if the failure concerns no single blob.
    pub blob: Option<BlobDigest>,
    /// The requested entry point, if it is known.
    pub entry: Option<String>,
    /// All stages, if the failure concerns several that are planned together.
    pub stages: Option<Box<Stages>>,
    /// The translator's error: kind, place, reason.
    pub error: Error,
}

/// The largest number of stages that a message names. A ray-tracing pipeline may have thousands.
const LISTED: usize = 32;

/// Stages that are planned together.
#[derive(Clone, Default)]
pub struct Stages {
    count: usize,
    /// The blobs of all of them.
    blobs: HashSet<BlobDigest>,
    /// The blob, and the kind and entry point, of each of the first ones.
    listed: Vec<(BlobDigest, String)>,
}

impl Stages {
    /// The stages, each with its blob and a function that returns its kind and entry point.
    pub fn new<F: Fn() -> String>(stages: impl Iterator<Item = (BlobDigest, F)>) -> Self {
        let mut all = Self::default();
        for (blob, text) in stages {
            all.count += 1;
            all.blobs.insert(blob);
            if all.listed.len() < LISTED {
                all.listed.push((blob, text()));
            }
        }
        all
    }
}

impl Failure {
    /// A failure that concerns one blob, or none.
    pub fn new(blob: Option<BlobDigest>, entry: Option<String>, error: Error) -> Self {
        Self { blob, entry, stages: None, error }
    }

    /// A failure of kind `Unsupported` that concerns no single blob.
    pub fn unsupported(reason: impl Into<String>) -> Self {
        Self::new(None, None, Error::new(ErrorKind::Unsupported, Place::Input, reason.into()))
    }

    /// Whether the failure concerns this blob.
    pub fn concerns(&self, blob: BlobDigest) -> bool {
        match self.blob {
            Some(own) => own == blob || self.stages.as_ref().is_some_and(|stages| stages.blobs.contains(&blob)),
            None => true,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Stages { count, listed, .. }) = self.stages.as_deref() {
            let stages: Vec<_> = listed.iter().map(|(blob, what)| format!("{} ({what})", blob.short())).collect();
            write!(f, "DXIL blobs {}", stages.join(", "))?;
            if *count > listed.len() {
                write!(f, " and {} more", count - listed.len())?;
            }
            return write!(f, ": {}", self.error);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A pipeline of thousands of stages has a message of some lines, and all of its blobs are
    /// known.
    #[test]
    fn a_message_names_some_of_many_stages() {
        let digest = |n: u32| BlobDigest(std::array::from_fn(|at| n.to_le_bytes()[at % 4]));
        let failure = |count: u32| {
            let stages = (0..count).map(|n| (digest(n), move || format!("miss `m{n}`")));
            let error = Error::new(ErrorKind::Binding, Place::Input, "no place");
            Failure { stages: Some(Box::new(Stages::new(stages))), ..Failure::new(Some(digest(0)), None, error) }
        };
        let text = failure(2).to_string();
        let expected = format!(
            "DXIL blobs {} (miss `m0`), {} (miss `m1`): {}",
            digest(0).short(),
            digest(1).short(),
            failure(2).error
        );
        assert_eq!(text, expected);
        let many = failure(10_000);
        let text = many.to_string();
        assert!(text.contains("(miss `m31`) and 9968 more: ") && text.len() < 4_000, "{text}");
        assert!(many.concerns(digest(9_999)) && !many.concerns(digest(10_000)));
    }
}
