//! Limits of the device that a shader may exceed.

use dxil_base::error::{Place, Result};

/// A limit of the device.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// Its name in Vulkan.
    pub name: &'static str,
    /// Its value.
    pub most: u32,
}

/// Checks a number against a limit of the device.
///
/// # Errors
/// `Unsupported`, with both numbers.
pub fn check_limit(what: &str, number: u32, limit: Limit) -> Result<()> {
    let Limit { name, most } = limit;
    if number <= most {
        return Ok(());
    }
    Err(unsupported!(Place::Input, "the shader has {number} {what}; the device's limit {name} is {most}"))
}
