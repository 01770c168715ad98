//! The debug information that is not in a container, but in a PDB or beside the code.

use std::sync::Arc;

use super::debug::DebugVersion;
use super::{Shader, named_part};
use crate::container::{Container, SourceText, container_in_pdb};
use dxil_base::error::{Place, Result};

impl Shader {
    /// The file that the compiler wrote the debug information to (`-Fd`), as the container names it, if the
    /// container has no debug information itself.
    pub fn pdb_name(&self) -> Option<&str> {
        self.0.debug.file()
    }

    /// Takes debug information, sources and the names of resources from a PDB, or from a container that has
    /// them. [`debug_program`](Self::debug_program) tells whether they belong to this shader.
    ///
    /// # Errors
    /// `Malformed` if the bytes are no PDB with a container; `Unsupported` if the shader has been cloned;
    /// `Limit`. The shader is then as before.
    pub fn add_pdb(&mut self, pdb: &[u8]) -> Result<()> {
        let bytes = container_in_pdb(pdb)?;
        let container = Container::parse(&bytes)?;
        let debug = DebugVersion::of_pdb(&container)?;
        let Some(parsed) = Arc::get_mut(&mut self.0) else {
            return Err(unsupported!(Place::Input, "a PDB for a shader that has been cloned"));
        };
        if parsed.program.named_part.is_none() {
            parsed.program.named_part = named_part(&container, &parsed.program);
        }
        parsed.debug = debug;
        Ok(())
    }

    /// The source files that the compiler put beside the code (part SRCI), in the container or in its PDB.
    /// Faulty ones are as good as none.
    pub fn source_files(&self) -> Vec<SourceText> {
        self.0.debug.source_files()
    }
}
