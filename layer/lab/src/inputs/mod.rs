//! The shaders that files of several kinds have.
//!
//! In: the path of a file. Out: its containers, and the pipelines that it makes of them. What must
//! hold: the content of a file decides its kind; code that is no DXIL is named with what the file
//! lacks and how to get it; nothing in a file is trusted.
//!
//! | file | subject |
//! |---|---|
//! | `source` | what a file has, and the container in code |
//! | `container` | the parts of a container, and a container with another root signature |
//! | `database` | Fossilize databases that were recorded above the layer |
//! | `recording` | recordings of GFXReconstruct |
//! | `sodb` | D3D's state object databases |
//! | `tool` | programs of others |
//! | `error` | why a file is of no use |

mod container;
mod database;
mod error;
mod recording;
mod sodb;
mod source;
mod tool;

use std::path::Path;

pub use container::with_root_signature;
pub use error::InputError;
pub use source::{FileContents, RaysOfFile, StageOfFile};

/// Reads a file.
///
/// # Errors
/// The file cannot be read, or has nothing that the lab can use.
pub fn read(path: &Path) -> Result<FileContents, InputError> {
    let head = tool::head(path)?;
    if head.starts_with(&database::MAGIC) {
        return database::read(path);
    }
    if head.starts_with(sodb::MAGIC) {
        return sodb::read(path);
    }
    if head.starts_with(recording::MAGIC) {
        return recording::read(path);
    }
    source::of_file(path)
}

/// Whether a file is a container of a dump: vkd3d-proton's VKD3D_SHADER_DUMP_PATH names files by
/// the 16 digits of a hash, whatever their endings are.
pub fn is_dumped(path: &Path) -> bool {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let is_hash = stem.len() == 16 && stem.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hash && tool::head(path).is_ok_and(|head| head.starts_with(b"DXBC"))
}
