//! Why there is no pipeline.

use std::fmt;

use dxil_capture::Fault;

/// Why there is no pipeline.
#[derive(Debug)]
pub enum MakeError {
    /// The capture lacks something, or has something that cannot be used.
    Capture(String),
    /// The pipeline is beyond the device: giving it to the driver would break Vulkan's rules.
    Device(String),
    /// A command failed.
    Vulkan(dxil_vulkan::Error),
}

impl fmt::Display for MakeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Capture(text) | Self::Device(text) => f.write_str(text),
            Self::Vulkan(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for MakeError {}

impl From<Fault> for MakeError {
    fn from(fault: Fault) -> Self {
        Self::Capture(fault.to_string())
    }
}

impl From<dxil_vulkan::Error> for MakeError {
    fn from(error: dxil_vulkan::Error) -> Self {
        Self::Vulkan(error)
    }
}
