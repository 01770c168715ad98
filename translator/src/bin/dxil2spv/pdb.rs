//! The PDB of a container: the file that the compiler wrote the debug information to.

use std::path::Path;

use dxil_translator::Shader;

use crate::failure;
use crate::files::{self, STREAM};

/// Adds the PDB that the container of a file names, if it has no debug information itself: from the folder
/// that `--pdb-path` names, or from beside the file. What cannot be used is a warning.
pub fn add(shader: &mut Shader, file: &Path, folder: Option<&Path>) {
    // The name is from the container, so only the last part of its path is used.
    let name = shader.pdb_name().and_then(|name| name.rsplit(['/', '\\']).next());
    let Some(name) = name.filter(|name| !name.is_empty() && *name != "..").map(str::to_owned) else { return };
    let beside = file.parent().filter(|_| file != Path::new(STREAM));
    let Some(path) = folder.into_iter().chain(beside).map(|folder| folder.join(&name)).find(|path| path.is_file())
    else {
        return;
    };
    match files::read(&path) {
        Ok(bytes) => {
            if let Err(error) = shader.add_pdb(&bytes) {
                failure::print_warning(&path, &format!("the file is ignored: {error}"));
            }
        }
        Err(failure) => failure::print_warning(&path, &format!("the file is ignored: {}", failure.message())),
    }
}
