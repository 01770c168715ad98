//! The SPIR-V validator of SPIRV-Tools, called in-process, with the settings of a device profile.
//!
//! Of the test crates only this one compiles SPIRV-Tools, and `dxil-mutants`, which uses it, so
//! that the others build faster.

pub mod defined;
pub mod promises;

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::{LazyLock, Mutex, PoisonError};

use dxil_translator::{DeviceProfile, Feature};
use spirv_tools::TargetEnv;
use spirv_tools::val::{self, Validator, ValidatorOptions};

/// The validator's target environment for a device with this profile.
#[must_use]
pub fn environment(profile: &DeviceProfile) -> TargetEnv {
    match profile.api {
        (1, 0) => TargetEnv::Vulkan_1_0,
        (1, 1) if profile.spirv >= (1, 4) => TargetEnv::Vulkan_1_1_Spirv_1_4,
        (1, 1) => TargetEnv::Vulkan_1_1,
        (1, 2) => TargetEnv::Vulkan_1_2,
        (1, 3) => TargetEnv::Vulkan_1_3,
        _ => TargetEnv::Vulkan_1_4,
    }
}

/// The modules that this process found valid, as hashes of their words and of the validator's
/// settings.
static VALID: LazyLock<Mutex<HashSet<u64>>> = LazyLock::new(Mutex::default);

/// Validates a module for a device with this profile, and says whether it is new. A module that was
/// found valid with the same settings is not validated again: many mutants of a container have the
/// same words, and so has a container for similar profiles.
///
/// # Errors
/// If the module is invalid. The text is the validator's message.
pub fn validate(words: &[u32], profile: &DeviceProfile) -> Result<bool, String> {
    let [scalar, standard] =
        [Feature::ScalarBlockLayout, Feature::UniformBufferStandardLayout].map(|feature| profile.has(feature));
    let environment = environment(profile);
    let mut hasher = DefaultHasher::new();
    (environment as u32, scalar, standard, words).hash(&mut hasher);
    let hash = hasher.finish();
    let valid = || VALID.lock().unwrap_or_else(PoisonError::into_inner);
    if valid().contains(&hash) {
        return Ok(false);
    }
    let options = ValidatorOptions {
        scalar_block_layout: scalar,
        uniform_buffer_standard_layout: standard,
        ..Default::default()
    };
    val::create(Some(environment)).validate(words, Some(options)).map_err(|error| error.to_string())?;
    Ok(valid().insert(hash))
}

pub use dxil_test_support::spirv::words;
