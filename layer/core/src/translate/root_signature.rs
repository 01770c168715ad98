//! Root signatures that the shaders do not have: in a file, or of the application; and those that
//! they have.
//!
//! In: a path. Out: the root signature, or an error message. What must hold: only regular files are
//! opened, so that a pipe cannot block the process, and no more is read than the translator
//! accepts.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use crate::translate::seam::{self, Shader};
use crate::translator::{EntryId, RootSignature};

/// The root signatures that an application gives with a pipeline, a stage or a shader module.
#[derive(Clone, Default)]
pub struct GivenRootSignatures {
    /// That of the pipeline.
    pub global: Option<Arc<RootSignature>>,
    /// That of the shader records of ray-tracing stages.
    pub local: Option<Arc<RootSignature>>,
}

/// The largest file, in bytes. Compilers write root signatures of at most a few thousand bytes.
const FILE_BYTES: u64 = 16 << 20;

/// Reads the root signature in the file that a setting names, in any format that the translator
/// reads.
///
/// # Errors
/// The setting, the path, and what is wrong with the file.
pub fn read(setting: &str, path: &Path) -> Result<RootSignature, String> {
    let wrong = |reason: &dyn std::fmt::Display| format!("{setting} {}: {reason}", path.display());
    let metadata = std::fs::metadata(path).map_err(|error| wrong(&error))?;
    if !metadata.is_file() {
        return Err(wrong(&"not a regular file"));
    }
    if metadata.len() > FILE_BYTES {
        return Err(wrong(&format_args!("{} bytes, at most {FILE_BYTES} are read", metadata.len())));
    }
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(FILE_BYTES).read_to_end(&mut bytes));
    read.map_err(|error| wrong(&error))?;
    seam::root_signature(&bytes).map_err(|error| wrong(&error))
}

impl Shader {
    /// The global root signature of an entry point, if the blob gives it one.
    pub fn root_signature(&self, entry: EntryId) -> Option<&RootSignature> {
        self.0.entry_root_signature(entry)
    }
}
