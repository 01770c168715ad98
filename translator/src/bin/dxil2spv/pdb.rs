//! The PDB of a container: the file that the compiler wrote the debug information to.

use std::path::Path;

use dxil_translator::{Budget, Error, Shader};

use crate::failure;
use crate::files::{self, STREAM};

/// Parses the container of a file, and adds the PDB that it names, if it has no debug information
/// itself: from the folder that `--pdb-path` names, or from beside the file. A PDB that cannot be
/// used is a warning. An error has the place in the source that the PDB says.
pub fn parse(input: &[u8], budget: Budget, file: &Path, folder: Option<&Path>) -> Result<Shader, Error> {
    match Shader::parse_within(input, budget) {
        Ok(mut shader) => {
            let name = shader.pdb_name().map(str::to_owned);
            read(name, file, folder, |pdb| shader.add_pdb(pdb));
            Ok(shader)
        }
        Err(error) => {
            let mut placed = error.clone();
            read(Shader::pdb_name_in(input), file, folder, |pdb| {
                placed = Shader::place_error(error, input, pdb);
                Ok(())
            });
            Err(placed)
        }
    }
}

/// Calls `with` with the content of the PDB, if there is one.
fn read(
    name: Option<String>,
    file: &Path,
    folder: Option<&Path>,
    with: impl FnOnce(&[u8]) -> dxil_translator::Result<()>,
) {
    // The name is from the container, so only the last part of its path is used.
    let name = name.as_deref().and_then(|name| name.rsplit(['/', '\\']).next());
    let Some(name) = name.filter(|name| !name.is_empty() && *name != "..") else { return };
    let beside = file.parent().filter(|_| file != Path::new(STREAM));
    let Some(path) = folder.into_iter().chain(beside).map(|folder| folder.join(name)).find(|path| path.is_file())
    else {
        return;
    };
    let ignored = match files::read(&path) {
        Ok(bytes) => with(&bytes).err().map(|error| error.to_string()),
        Err(failure) => Some(failure.message().to_owned()),
    };
    if let Some(why) = ignored {
        failure::print_warning(&path, &format!("the file is ignored: {why}"));
    }
}
