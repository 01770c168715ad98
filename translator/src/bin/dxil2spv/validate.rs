//! `dxil2spv --validate`: checks the module with the validator of SPIRV-Tools, if the tool is built
//! with it.

use std::path::Path;

use dxil_translator::DeviceProfile;

use crate::failure::Failure;

/// Checks a module against Vulkan's rules for a device with this profile. A module that breaks them
/// is a fault of the translator.
#[cfg(feature = "validate")]
pub fn validate(file: &Path, words: &[u32], profile: &DeviceProfile) -> Result<(), Failure> {
    dxil_translator::validate(words, profile)
        .map_err(|error| Failure::bug(file, format_args!("the module is not valid: {error}")))
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
