//! Recordings of GFXReconstruct.
//!
//! In: a recording. Out: its shader modules that have DXIL. What must hold: GFXReconstruct's own
//! program reads the file, whose blocks are compressed in several ways; what it extracts is removed
//! again.

use std::path::{Path, PathBuf};

use super::error::InputError;
use super::source::{self, Code, FileContents};
use super::tool::Tool;
use crate::files::At as _;

/// The first bytes of a recording.
pub const MAGIC: &[u8] = b"GFXR";

const EXTRACT: Tool =
    Tool { program: "gfxrecon-extract", what: "recordings of GFXReconstruct", package: "gfxreconstruct" };

const HOW: &str = "the recording was made below the layer, where code is SPIR-V already. GFXReconstruct's layer must \
                   stand above it: VK_INSTANCE_LAYERS=VK_LAYER_LUNARG_gfxreconstruct:VK_LAYER_DXIL_translate. The \
                   layer's setting `capture_dir` keeps the DXIL wherever other layers stand";

/// Reads a recording.
///
/// # Errors
/// The file cannot be read, GFXReconstruct's program is missing, or no module has DXIL.
pub fn read(path: &Path) -> Result<FileContents, InputError> {
    // A folder of a new name, which nobody else can read; it is removed at the end.
    let folder = tempfile::Builder::new().prefix("dxil-lab-").tempdir().at(&std::env::temp_dir())?;
    let folder = folder.path();
    EXTRACT.output(&["--dir".as_ref(), folder.as_os_str(), path.as_os_str()])?;
    let entries = std::fs::read_dir(folder).at(folder)?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    files.sort();
    let (mut all, mut others) = (FileContents::default(), 0);
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        match source::of_file(&file) {
            Ok(found) => all.codes.extend(found.codes.into_iter().map(|code| Code { name: name.clone(), ..code })),
            Err(InputError::Spirv) => others += 1,
            Err(error) => all.refused.push((name, error.to_string())),
        }
    }
    if all.codes.is_empty() && all.refused.is_empty() {
        return Err(InputError::NoDxil { found: others, how: HOW });
    }
    Ok(all)
}
