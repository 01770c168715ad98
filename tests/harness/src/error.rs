//! The reasons why a fixture does not pass.

use std::fmt;

use ash::vk;

/// The reason why a fixture did not pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// This driver or machine cannot run the fixture. Skips are counted apart from failures.
    Skip(String),
    /// The fixture's directives or files are wrong.
    Spec(String),
    /// A Vulkan command failed.
    Vulkan {
        /// The command's name.
        command: &'static str,
        /// The result that the command returned.
        result: vk::Result,
    },
    /// The output is not the expected one, or an error was reported while the fixture ran.
    Wrong(String),
    /// A file could not be read or written.
    Io(String),
}

/// The result type of the harness.
pub type Result<T> = std::result::Result<T, Error>;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Skip(reason) => write!(f, "skipped: {reason}"),
            Self::Spec(what) => write!(f, "fixture: {what}"),
            Self::Vulkan { command, result } => write!(f, "{command}: {result:?}"),
            Self::Wrong(what) => f.write_str(what),
            Self::Io(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for Error {}

/// Adds the name of a Vulkan command to its result.
pub trait Named<T> {
    /// Converts a Vulkan result to the harness's result type, with the command's name.
    fn named(self, command: &'static str) -> Result<T>;
}

impl<T> Named<T> for std::result::Result<T, vk::Result> {
    fn named(self, command: &'static str) -> Result<T> {
        self.map_err(|result| Error::Vulkan { command, result })
    }
}
