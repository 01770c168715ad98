//! The PDB of a blob: the file that the compiler wrote the debug information to.

use std::path::Path;
use std::{fs, io};

use crate::translate::seam::{Shader, guarded};
use crate::translator::BlobDigest;
use dxil_base::limits;

/// Adds the PDB that a blob names, from a folder. What cannot be used is a warning. A blob without a file
/// of that name is as it is.
pub fn add(shader: &mut Shader, folder: &Path, blob: BlobDigest) {
    // The name is from the blob, so only the last part of its path is used.
    let name = shader.0.pdb_name().and_then(|name| name.rsplit(['/', '\\']).next());
    let Some(path) = name.filter(|name| !name.is_empty() && *name != "..").map(|name| folder.join(name)) else {
        return;
    };
    let added = match read(&path) {
        Ok(bytes) => guarded("PDB", || shader.0.add_pdb(&bytes)).map_err(|error| error.to_string()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return,
        Err(error) => Err(error.to_string()),
    };
    if let Err(error) = added {
        log::warn!("blob {}: the PDB {} is ignored: {error}", blob.short(), path.display());
    }
}

/// The bytes of a file, up to one more than the translator takes.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::Read::read_to_end(&mut io::Read::take(fs::File::open(path)?, limits::INPUT_BYTES as u64 + 1), &mut bytes)?;
    Ok(bytes)
}
