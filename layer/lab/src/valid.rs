//! The validator of SPIRV-Tools, called in the lab's own process.
//!
//! In: a module that the layer gave to a driver. Out: a validator with settings under which that
//! module is valid. What must hold: the settings are the strictest of those that the layer relies
//! on, so that a smaller module does not become valid by a rule that the larger one did not need.

use spirv_tools::TargetEnv;
use spirv_tools::val::{self, Validator as _, ValidatorOptions};
use thiserror::Error;

/// The validator's message about a module.
#[derive(Clone, Debug, Error)]
#[error("{0}")]
pub struct Invalid(pub String);

/// The validator for a module and for its reductions.
pub struct Validator {
    environment: TargetEnv,
    scalar: bool,
    uniform: bool,
}

impl Validator {
    /// The validator for a device of this version of Vulkan under which the module is valid.
    ///
    /// # Errors
    /// The validator's message, if the module is valid under no setting.
    pub fn new(words: &[u32], api_version: u32) -> Result<Self, Invalid> {
        let environment = match (ash::vk::api_version_major(api_version), ash::vk::api_version_minor(api_version)) {
            (1, 0) => TargetEnv::Vulkan_1_0,
            // The layer asks for VK_KHR_spirv_1_4 where a device of Vulkan 1.1 has it.
            (1, 1) if words.get(1).is_some_and(|version| *version >= 0x1_0400) => TargetEnv::Vulkan_1_1_Spirv_1_4,
            (1, 1) => TargetEnv::Vulkan_1_1,
            (1, 2) => TargetEnv::Vulkan_1_2,
            (1, 3) => TargetEnv::Vulkan_1_3,
            _ => TargetEnv::Vulkan_1_4,
        };
        let mut first = None;
        for (scalar, uniform) in [(false, false), (false, true), (true, true)] {
            let validator = Self { environment, scalar, uniform };
            match validator.check(words) {
                Ok(()) => return Ok(validator),
                Err(message) => first = first.or(Some(message)),
            }
        }
        Err(first.unwrap_or_else(|| Invalid(String::new())))
    }

    /// Whether a module is valid.
    ///
    /// # Errors
    /// The validator's message.
    pub fn check(&self, words: &[u32]) -> Result<(), Invalid> {
        let options = ValidatorOptions {
            scalar_block_layout: self.scalar,
            uniform_buffer_standard_layout: self.uniform,
            ..Default::default()
        };
        val::create(Some(self.environment)).validate(words, Some(options)).map_err(|error| Invalid(error.to_string()))
    }
}
