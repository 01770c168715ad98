//! Programs of others that read their files.

use std::ffi::OsStr;
use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};

use super::error::InputError;
use crate::files::At as _;

/// A program, what it reads, and Debian's package of it.
pub struct Tool {
    /// The name.
    pub program: &'static str,
    /// The kind of file.
    pub what: &'static str,
    /// The package.
    pub package: &'static str,
}

impl Tool {
    /// What the program prints.
    ///
    /// # Errors
    /// The program is not there, or failed.
    pub fn output<T: AsRef<OsStr>>(&self, arguments: &[T]) -> Result<Vec<u8>, InputError> {
        let Self { program, what, package } = *self;
        let output = Command::new(program).args(arguments).stdin(Stdio::null()).output();
        let output = output.map_err(|_| InputError::NoTool { what, program, package })?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let said = said.lines().last().map_or_else(|| output.status.to_string(), |line| line.trim().to_owned());
        Err(InputError::Tool { program, said })
    }
}

/// The first bytes of a file.
///
/// # Errors
/// The file cannot be read.
pub fn head(path: &Path) -> Result<Vec<u8>, InputError> {
    let mut head = Vec::new();
    std::fs::File::open(path).and_then(|file| file.take(16).read_to_end(&mut head)).at(path)?;
    Ok(head)
}
