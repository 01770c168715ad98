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

impl From<dxil_vulkan::Error> for Error {
    /// What the machine lacks is a skip.
    fn from(error: dxil_vulkan::Error) -> Self {
        match error {
            dxil_vulkan::Error::Vulkan { command, result } => Self::Vulkan { command, result },
            missing => Self::Skip(missing.to_string()),
        }
    }
}
