//! Device profiles.

use std::ffi::c_char;

use dxil_translator::{DeviceProfile, Feature};

use crate::border::{Failure, free, given, guard, hand, text, value};
use crate::error::{ErrorHandle, Result};
use crate::texts::Texts;

/// A device profile: the features, limits and versions that are enabled on a VkDevice. It does not change
/// after its creation.
#[derive(Debug)]
pub struct Profile {
    pub(crate) profile: DeviceProfile,
    texts: Texts,
}

impl Profile {
    pub(crate) fn new(profile: DeviceProfile) -> Self {
        Self { profile, texts: Texts::default() }
    }
}

/// A built-in profile by its name: "vulkan-1.0-desktop", "vulkan-1.1-floor", "vulkan-1.3-desktop",
/// "lavapipe" or "everything" (docs/profile.md). A shader that is translated at build time takes the
/// weakest device that it shall run on.
///
/// On success `*profile` is a handle, which the program frees with dxtr_profile_free; otherwise it is
/// null. `error` may be null; otherwise `*error` is null on success, and an error that the program frees.
/// Codes: INVALID_ARGUMENT.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_profile_named(
    name: *const c_char,
    profile: *mut *mut Profile,
    error: *mut *mut ErrorHandle,
) -> Result {
    guard(error, || {
        hand(profile, || {
            let name = given(text(name)?, "the name")?;
            let found = DeviceProfile::named(name);
            let unknown = || Failure::argument(format!("no profile is called `{}`", name.escape_debug()));
            found.map(Profile::new).ok_or_else(unknown)
        })
    })
}

/// Reads the text form of a profile (docs/profile.md), which dxtr_profile_text and `dxil2spv
/// --print-profile` write.
///
/// On success `*profile` is a handle, which the program frees with dxtr_profile_free; otherwise it is
/// null. `error` may be null; otherwise `*error` is null on success, and an error that the program frees.
/// Codes: MALFORMED, INVALID_ARGUMENT.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_profile_parse(
    toml: *const c_char,
    profile: *mut *mut Profile,
    error: *mut *mut ErrorHandle,
) -> Result {
    guard(error, || hand(profile, || Ok(Profile::new(DeviceProfile::parse(given(text(toml)?, "the text")?)?))))
}

/// The text form of a profile, for logs and caches: equal profiles have equal texts. It lives as long as
/// the profile. Null for null.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_profile_text(profile: Option<&Profile>) -> *const c_char {
    value(std::ptr::null(), || {
        let profile = given(profile, "the profile")?;
        Ok(profile.texts.pointer(&profile.profile.to_string()))
    })
}

/// Whether a feature is enabled, 0 or 1, by its name: the member of a Vulkan feature structure such as
/// "shaderInt64", or an extension. 0 also for null and for a name that translated code never needs.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_profile_has(profile: Option<&Profile>, feature: *const c_char) -> u32 {
    value(0, || {
        let (profile, name) = (given(profile, "the profile")?, given(text(feature)?, "the name")?);
        let known = Feature::ALL.iter().find(|feature| feature.name() == name);
        Ok(known.is_some_and(|&feature| profile.profile.has(feature)).into())
    })
}

/// Frees a profile. Null is accepted. Plans that were made for it stay valid.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_profile_free(profile: Option<Box<Profile>>) {
    free(profile);
}
