//! Limits of the device that a shader may exceed.

use dxil_base::error::{Place, Result};

/// A limit of the device: its name in Vulkan and its value.
pub type Limit = (&'static str, u32);

/// Checks a number against a limit of the device.
///
/// # Errors
/// `Unsupported`, with both numbers.
pub fn check_limit(what: &str, number: u32, (name, limit): Limit) -> Result<()> {
    if number <= limit {
        return Ok(());
    }
    Err(unsupported!(Place::Input, "the shader has {number} {what}; the device's limit {name} is {limit}"))
}
