//! A parsed blob and its entry points.

use std::sync::Weak;

use crate::translate::blob::FoundContainer;
use crate::translate::failure::Failure;
use crate::translate::pdb::{BlobKey, PdbDigest};
use crate::translate::seam::Shader;
use crate::translator::{BlobDigest, EntryId, Error};

/// A parsed blob.
pub struct ParsedBlob {
    /// The hash that identifies the blob.
    pub hash: BlobDigest,
    /// The PDB that was added to it.
    pub pdb: Option<PdbDigest>,
    /// Its container, while the cache or a module has it.
    pub source: Weak<FoundContainer>,
    /// The result of the translator's front end.
    pub shader: Shader,
}

impl ParsedBlob {
    /// The key under which it is cached.
    pub(super) fn key(&self) -> BlobKey {
        BlobKey { hash: self.hash, pdb: self.pdb }
    }

    /// A failure that concerns this blob.
    pub fn failure(&self, entry: Option<EntryId>, error: Error) -> Failure {
        let entry = entry.map(|entry| self.shader.entry_name(entry).to_owned());
        Failure::new(Some(self.hash), entry, error)
    }

    /// The entry point named by a `pName`.
    ///
    /// # Errors
    /// The translator's error, with the names of the blob's entry points.
    pub fn entry(&self, name: &str) -> Result<EntryId, Failure> {
        let found = self.shader.find_entry(name);
        found.map_err(|error| Failure::new(Some(self.hash), Some(name.to_owned()), error))
    }
}
