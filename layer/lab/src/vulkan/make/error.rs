//! Why there is no pipeline.

use std::fmt;

use ash::vk;
use dxil_capture::Fault;

/// Why there is no pipeline.
#[derive(Debug)]
pub enum MakeError {
    /// The capture lacks something, or has something that cannot be used.
    Capture(String),
    /// The pipeline is beyond the device: giving it to the driver would break Vulkan's rules.
    Device(String),
    /// A command failed.
    Vulkan(&'static str, vk::Result),
}

impl fmt::Display for MakeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Capture(text) | Self::Device(text) => f.write_str(text),
            Self::Vulkan(command, result) => write!(f, "{command}: {result:?}"),
        }
    }
}

impl std::error::Error for MakeError {}

impl From<Fault> for MakeError {
    fn from(fault: Fault) -> Self {
        Self::Capture(fault.to_string())
    }
}
