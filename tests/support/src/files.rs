//! Files of the repository, and temporary folders.

use std::ops::Deref;
use std::path::{Path, PathBuf};

/// The root folder of the repository.
#[must_use]
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Reads a file below `tests/fixtures`.
///
/// # Panics
/// If the file cannot be read.
#[track_caller]
#[must_use]
pub fn fixture(name: &str) -> Vec<u8> {
    read(repository().join("tests/fixtures").join(name))
}

/// Whether an HLSL file of this text is a fixture: it names a stage, or the generator of its code.
#[must_use]
pub fn is_fixture(text: &str) -> bool {
    text.lines().any(|line| line.starts_with("//! stage ") || line.starts_with("//! generated "))
}

/// Reads a file.
///
/// # Panics
/// If the file cannot be read.
#[track_caller]
#[must_use]
pub fn read(path: impl AsRef<Path>) -> Vec<u8> {
    let path = path.as_ref();
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The DXIL containers in a folder and in the folders inside it, sorted by path.
///
/// # Panics
/// If a folder cannot be read.
#[track_caller]
#[must_use]
pub fn containers(folder: impl AsRef<Path>) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.as_ref().to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "dxil") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The path of a temporary folder, which is removed when it is dropped.
#[derive(Debug)]
pub struct TempFolder(PathBuf);

impl TempFolder {
    /// A folder that does not exist yet. No other test may use this name.
    #[must_use]
    pub fn absent(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("dxil-test-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        Self(path)
    }

    /// An empty folder. No other test may use this name.
    ///
    /// # Panics
    /// If the folder cannot be created.
    #[must_use]
    pub fn new(name: &str) -> Self {
        let folder = Self::absent(name);
        std::fs::create_dir_all(&folder.0).unwrap_or_else(|error| panic!("{}: {error}", folder.0.display()));
        folder
    }
}

impl Deref for TempFolder {
    type Target = Path;
    fn deref(&self) -> &Path {
        &self.0
    }
}

impl Drop for TempFolder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
