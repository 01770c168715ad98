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
