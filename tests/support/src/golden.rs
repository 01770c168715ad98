//! Files of the repository that tests compare and, with `BLESS=1`, write: documents that are
//! generated from tables, and expected outputs.

use std::fs;
use std::path::Path;

use crate::repository;

/// Whether the tests write their files: the environment variable `BLESS` is set.
#[must_use]
pub fn is_blessing() -> bool {
    std::env::var_os("BLESS").is_some()
}

/// Checks that a file has this text. The path is absolute or relative to the repository. With
/// `BLESS=1` the text is written first.
///
/// # Panics
/// If the text differs, or the file cannot be written.
#[track_caller]
pub fn check(path: impl AsRef<Path>, expected: &str) {
    if let Err(difference) = compare(path.as_ref(), expected) {
        panic!("{difference}");
    }
}

/// Does what [`check`] does, for tests that collect the differences of several files.
///
/// # Errors
/// Names the file and the first line that differs.
///
/// # Panics
/// If the file cannot be written.
pub fn compare(path: &Path, expected: &str) -> Result<(), String> {
    let file = repository().join(path);
    let path = path.display();
    if is_blessing() {
        fs::write(&file, expected).unwrap_or_else(|error| panic!("{path}: {error}"));
    }
    let found = fs::read_to_string(&file).map_err(|error| format!("{path}: {error}; BLESS=1 writes the file"))?;
    if found == expected {
        return Ok(());
    }
    let equal = found.lines().zip(expected.lines()).take_while(|(found, expected)| found == expected).count();
    let line =
        |text: &str| text.lines().nth(equal).map_or_else(|| "no such line".to_owned(), |line| format!("`{line}`"));
    let (number, found, expected) = (equal + 1, line(&found), line(expected));
    Err(format!("{path}, line {number} has {found}; expected {expected}. BLESS=1 writes the file"))
}
