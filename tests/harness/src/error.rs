//! What can end a fixture early.

use std::fmt;

use ash::vk;

/// Why a fixture did not pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// This driver or setup can not run the fixture; counted apart from failures, with the reason.
    Skip(String),
    /// The fixture's own text or files are wrong.
    Spec(String),
    /// A Vulkan command failed.
    Vulkan {
        /// The command's name.
        command: &'static str,
        /// What it returned.
        result: vk::Result,
    },
    /// The output is not the expected one, or a validation message was heard.
    Wrong(String),
    /// A file could not be read or written.
    Io(String),
}

/// The harness's result.
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

/// Names the Vulkan command that failed.
pub trait Named<T> {
    /// Turns a Vulkan result into the harness's, with the command's name.
    fn named(self, command: &'static str) -> Result<T>;
}

impl<T> Named<T> for std::result::Result<T, vk::Result> {
    fn named(self, command: &'static str) -> Result<T> {
        self.map_err(|result| Error::Vulkan { command, result })
    }
}
