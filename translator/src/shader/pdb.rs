//! The debug information that is not in a container, but in a PDB or beside the code.

use std::sync::Arc;

use super::debug::DebugVersion;
use super::{Shader, located, named_part};
use crate::container::{Container, SourceText, container_in_pdb};
use dxil_base::error::{Error, Place, Result};

impl Shader {
    /// The file that the compiler wrote the debug information to (`-Fd`), as the container names
    /// it, if the container has no debug information itself.
    pub fn pdb_name(&self) -> Option<&str> {
        self.0.debug.file()
    }

    /// Takes debug information, sources and the names of resources from a PDB, or from a container
    /// that has them. [`debug_program`](Self::debug_program) tells whether they belong to this
    /// shader.
    ///
    /// # Errors
    /// `Malformed` if the bytes are no PDB with a container; `Unsupported` if the shader has been
    /// cloned; `Limit`. The shader is then as before.
    pub fn add_pdb(&mut self, pdb: &[u8]) -> Result<()> {
        let bytes = container_in_pdb(pdb)?;
        let container = Container::parse(&bytes)?;
        let debug = DebugVersion::from_pdb(&container)?;
        let Some(parsed) = Arc::get_mut(&mut self.0) else {
            return Err(unsupported!(Place::Input, "a PDB for a shader that has been cloned"));
        };
        if parsed.program.named_part.is_none() {
            parsed.program.named_part = named_part(&container, &parsed.program).map(Box::from);
        }
        parsed.debug = debug;
        Ok(())
    }

    /// The file that has the debug information of a container which cannot be parsed
    /// ([`pdb_name`](Self::pdb_name)).
    pub fn pdb_name_in(bytes: &[u8]) -> Option<String> {
        let container = Container::parse(bytes).ok()?;
        let is_here = container.debug_program().is_ok_and(|part| part.is_some());
        container.debug_name().ok().flatten().filter(|_| !is_here).map(str::to_owned)
    }

    /// The error of [`parse`](Self::parse) with the place in the source that a PDB says. `bytes`
    /// are those that were parsed. A faulty PDB says nothing.
    pub fn place_error(error: Error, bytes: &[u8], pdb: &[u8]) -> Error {
        let Ok(of_pdb) = container_in_pdb(pdb) else { return error };
        let part = Container::parse(&of_pdb).and_then(|container| container.debug_program());
        match (part, Container::parse(bytes).and_then(|container| container.program())) {
            (Ok(Some(part)), Ok(program)) => located::parsing(error, program, Some(part.bitcode)),
            _ => error,
        }
    }

    /// The source files that the compiler put beside the code (part SRCI), in the container or in
    /// its PDB. Faulty ones are as good as none.
    pub fn source_files(&self) -> Vec<SourceText> {
        self.0.debug.source_files()
    }
}
