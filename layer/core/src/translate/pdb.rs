//! The PDB of a blob: the file that the compiler wrote the debug information to.
//!
//! In: a blob, and the folder of the setting `pdb_path`. Out: a parsed blob with what its PDB says.
//! What must hold: the file may change while the process runs, so it is read each time, and its
//! digest is part of the keys of what depends on it.

use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::translate::FoundContainer;
use crate::translate::seam::{Shader, guarded};
use crate::translator::{BlobDigest, Error};
use dxil_base::limits;

/// The digest of the content of a PDB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PdbDigest(BlobDigest);

/// Identifies a parsed blob: the container, and the PDB that was added to it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct BlobKey {
    /// The hash of the container.
    pub hash: BlobDigest,
    /// The PDB.
    pub pdb: Option<PdbDigest>,
}

/// The file that a blob names, if the folder has it.
pub struct Pdb {
    path: PathBuf,
    content: Result<(Vec<u8>, PdbDigest), io::Error>,
}

impl Pdb {
    /// Reads the PDB of a blob from a folder.
    pub fn read(source: &FoundContainer, folder: &Path) -> Option<Self> {
        let name = dxil_translator::Shader::pdb_name_in(&source.bytes)?;
        // The name is from the blob, so only the last part of its path is used.
        let name = name.rsplit(['/', '\\']).next().filter(|name| !name.is_empty() && *name != "..")?;
        let path = folder.join(name);
        let content = match bytes_of(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
            content => content,
        };
        let with_digest = |bytes: Vec<u8>| {
            let digest = PdbDigest(BlobDigest::from_bytes(&bytes));
            (bytes, digest)
        };
        Some(Self { path, content: content.map(with_digest) })
    }

    /// The digest of the content; `None` for a file that cannot be read.
    pub fn digest(&self) -> Option<PdbDigest> {
        Some(self.content.as_ref().ok()?.1)
    }

    /// Calls `with` with the content. What cannot be used is a warning.
    fn using(&self, source: &FoundContainer, with: impl FnOnce(&[u8]) -> Result<(), Error>) {
        let used = match &self.content {
            Ok((bytes, _)) => with(bytes).map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        if let Err(error) = used {
            log::warn!("blob {}: the PDB {} is ignored: {error}", source.hash.short(), self.path.display());
        }
    }
}

/// Parses a blob, and adds its PDB, if there is one. An error has the place in the source that the
/// PDB says.
pub fn parse(source: &FoundContainer, pdb: Option<&Pdb>) -> Result<Shader, Error> {
    let parsed = Shader::parse(&source.bytes);
    let Some(pdb) = pdb else { return parsed };
    match parsed {
        Ok(mut shader) => {
            pdb.using(source, |pdb| guarded("PDB", || shader.0.add_pdb(pdb)));
            Ok(shader)
        }
        Err(error) => {
            let mut placed = error.clone();
            let place = |pdb: &[u8]| Ok(dxil_translator::Shader::place_error(error, &source.bytes, pdb));
            pdb.using(source, |pdb| guarded("PDB", || place(pdb)).map(|error| placed = error));
            Err(placed)
        }
    }
}

/// The bytes of a file, up to one more than the translator takes.
fn bytes_of(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::Read::read_to_end(&mut io::Read::take(fs::File::open(path)?, limits::INPUT_BYTES as u64 + 1), &mut bytes)?;
    Ok(bytes)
}
