//! The PDB of a blob: the file that the compiler wrote the debug information to.

use std::path::Path;
use std::{fs, io};

use crate::translate::Source;
use crate::translate::seam::{Shader, guarded};
use crate::translator::Error;
use dxil_base::limits;

/// Parses a blob, and adds the PDB that it names, from a folder. What cannot be used is a warning. A blob
/// without a file of that name is as it is. An error has the place in the source that the PDB says.
pub fn parse(source: &Source, folder: Option<&Path>) -> Result<Shader, Error> {
    let parsed = Shader::parse(&source.bytes);
    let Some(folder) = folder else { return parsed };
    match parsed {
        Ok(mut shader) => {
            let name = shader.0.pdb_name().map(str::to_owned);
            read(name, source, folder, |pdb| guarded("PDB", || shader.0.add_pdb(pdb)));
            Ok(shader)
        }
        Err(error) => {
            let name = dxil_translator::Shader::pdb_name_in(&source.bytes);
            let mut placed = error.clone();
            let place = |pdb: &[u8]| Ok(dxil_translator::Shader::place_error(error, &source.bytes, pdb));
            read(name, source, folder, |pdb| guarded("PDB", || place(pdb)).map(|error| placed = error));
            Err(placed)
        }
    }
}

/// Calls `with` with the content of the PDB, if there is one.
fn read(name: Option<String>, source: &Source, folder: &Path, with: impl FnOnce(&[u8]) -> Result<(), Error>) {
    // The name is from the blob, so only the last part of its path is used.
    let name = name.as_deref().and_then(|name| name.rsplit(['/', '\\']).next());
    let Some(path) = name.filter(|name| !name.is_empty() && *name != "..").map(|name| folder.join(name)) else {
        return;
    };
    let used = match bytes_of(&path) {
        Ok(bytes) => with(&bytes).map_err(|error| error.to_string()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return,
        Err(error) => Err(error.to_string()),
    };
    if let Err(error) = used {
        log::warn!("blob {}: the PDB {} is ignored: {error}", source.hash.short(), path.display());
    }
}

/// The bytes of a file, up to one more than the translator takes.
fn bytes_of(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::Read::read_to_end(&mut io::Read::take(fs::File::open(path)?, limits::INPUT_BYTES as u64 + 1), &mut bytes)?;
    Ok(bytes)
}
