//! Errors of files.

use std::io;
use std::path::{Path, PathBuf};

use dxil_capture::folder;
use thiserror::Error;

/// A file or folder that cannot be read or written, and why.
#[derive(Debug, Error)]
pub enum FileError {
    /// The system's error.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The error.
        source: io::Error,
    },
    /// The file is not the JSON that it should be.
    #[error("{}: {source}", path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// What was found and expected, and where.
        source: serde_json::Error,
    },
    /// A line of the file is not the JSON that it should be.
    #[error("{}, line {line}: {source}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The number of the line.
        line: u64,
        /// What was found and expected.
        source: serde_json::Error,
    },
}

/// Adds the path of a file to an error.
pub trait At<T> {
    /// The error of the file at a path.
    ///
    /// # Errors
    /// The same, with the path.
    fn at(self, path: &Path) -> Result<T, FileError>;
}

/// Writes a file that is whole or as before, and the folders above it.
///
/// # Errors
/// The system's.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let written = std::fs::create_dir_all(folder).and_then(|()| folder::write_whole(folder, &name, bytes));
    written.at(path)
}

impl<T> At<T> for Result<T, io::Error> {
    fn at(self, path: &Path) -> Result<T, FileError> {
        self.map_err(|source| FileError::Io { path: path.to_owned(), source })
    }
}

impl<T> At<T> for Result<T, serde_json::Error> {
    fn at(self, path: &Path) -> Result<T, FileError> {
        self.map_err(|source| FileError::Json { path: path.to_owned(), source })
    }
}
