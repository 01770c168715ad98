//! The validator of SPIRV-Tools, with the settings of a device profile.
//!
//! It is in the library only with the cargo feature `validate`, because it is C++.

use spirv_tools::TargetEnv;
use spirv_tools::val::{self, Validator as _, ValidatorOptions};

use dxil_base::profile::{DeviceProfile, Feature};

/// Checks a module against Vulkan's rules for a device with this profile.
///
/// # Errors
/// What SPIRV-Tools says of a module that breaks them.
pub fn validate(words: &[u32], profile: &DeviceProfile) -> Result<(), String> {
    let environment = match profile.api {
        (1, 0) => TargetEnv::Vulkan_1_0,
        (1, 1) if profile.spirv >= (1, 4) => TargetEnv::Vulkan_1_1_Spirv_1_4,
        (1, 1) => TargetEnv::Vulkan_1_1,
        (1, 2) => TargetEnv::Vulkan_1_2,
        (1, 3) => TargetEnv::Vulkan_1_3,
        _ => TargetEnv::Vulkan_1_4,
    };
    let options = ValidatorOptions {
        scalar_block_layout: profile.has(Feature::ScalarBlockLayout),
        uniform_buffer_standard_layout: profile.has(Feature::UniformBufferStandardLayout),
        ..ValidatorOptions::default()
    };
    val::create(Some(environment)).validate(words, Some(options)).map_err(|error| error.to_string())
}
