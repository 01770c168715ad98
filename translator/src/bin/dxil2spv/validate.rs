//! `dxil2spv --validate`: checks the module with the validator of SPIRV-Tools, if the tool is built
//! with it.

use std::path::Path;

use dxil_translator::DeviceProfile;

use crate::failure::Failure;

/// Checks a module against Vulkan's rules for a device with this profile. A module that breaks them
/// is a fault of the translator.
#[cfg(feature = "validate")]
pub fn validate(file: &Path, words: &[u32], profile: &DeviceProfile) -> Result<(), Failure> {
    use dxil_translator::Feature;
    use spirv_tools::TargetEnv;
    use spirv_tools::val::{self, Validator as _, ValidatorOptions};

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
    let verdict = val::create(Some(environment)).validate(words, Some(options));
    verdict.map_err(|error| Failure::bug(file, format_args!("the module is not valid: {error}")))
}

/// Fails with a message that tells how to build the tool with the validator.
#[cfg(not(feature = "validate"))]
pub fn validate(file: &Path, _words: &[u32], _profile: &DeviceProfile) -> Result<(), Failure> {
    let how = "cargo build -p dxil-translator --features validate";
    Err(Failure::usage(
        file,
        format_args!("--validate: this dxil2spv is built without the validator; build it with `{how}`"),
    ))
}
