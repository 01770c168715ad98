//! Why a pipeline was not run to its end.

use ash::vk;

/// Why a pipeline was not run to its end.
#[derive(Debug)]
pub enum Stop {
    /// The lab cannot run it, or the machine lacks something.
    Lab(String),
    /// The driver's error.
    Driver(&'static str, vk::Result),
}

impl From<dxil_vulkan::Error> for Stop {
    fn from(error: dxil_vulkan::Error) -> Self {
        match error {
            dxil_vulkan::Error::Vulkan { command, result } => Self::Driver(command, result),
            missing => Self::Lab(missing.to_string()),
        }
    }
}
