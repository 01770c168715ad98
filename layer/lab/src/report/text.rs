//! Text files of bounded size.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use dxil_capture::folder::FILE_BYTES;

use crate::files::{At as _, FileError};

/// The text of a file of at most [`FILE_BYTES`].
pub fn read_text(path: &Path) -> Result<String, FileError> {
    let mut text = Vec::new();
    File::open(path).and_then(|file| file.take(FILE_BYTES).read_to_end(&mut text)).at(path)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}
