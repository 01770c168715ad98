//! The text form of profiles: lines `key = value` with `#` comments.
//!
//! In: a text, or a profile. Out: the other. What must hold: what is printed reads back as the same
//! profile, with and without the comments that document the keys.

use std::fmt::{self, Write as _};

use super::{
    DeviceLimits, DeviceProfile, Driver, Feature, FeatureSet, FloatControls, StorageFormats, Subgroup, VULKAN_1_1_FLOOR,
};
use crate::error::{Place, Result};

/// The numbers of one structure of a profile.
pub(super) struct Group {
    /// What the values are, where the keys' own descriptions do not say it.
    pub about: &'static str,
    /// Keys and what each is.
    pub keys: &'static [(&'static str, &'static str)],
    /// The values of a profile, in the order of the keys.
    pub values: Vec<u32>,
}

const ABOUT_FLOAT: &str = "The controls of a width are a sum of 1 (shaderSignedZeroInfNanPreserve), 2 (shaderDenormPreserve), \
    4 (shaderDenormFlushToZero), 8 (shaderRoundingModeRTE) and 16 (shaderRoundingModeRTZ).";
const ABOUT_FORMAT: &str = "The kinds are a sum of 1, 2 and 4 for storage images of floats, of signed and of unsigned \
    integers, and of 8, 16 and 32 for storage texel buffers of the same.";

/// The candidate that is most like a word, if one is like it at all.
pub fn similar<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Longer words are not names, and the comparison takes time by the product of the lengths.
    if word.len() > 100 {
        return None;
    }
    let word = word.to_lowercase();
    let likeness = |other: &str| strsim::normalized_damerau_levenshtein(&word, &other.to_lowercase());
    let candidates = candidates.into_iter().map(|candidate| (likeness(candidate), candidate));
    let best = candidates.max_by(|a, b| a.0.total_cmp(&b.0));
    best.filter(|(likeness, _)| *likeness > 0.7).map(|(_, candidate)| candidate)
}

fn unknown_feature(name: &str) -> String {
    let hint = match similar(name, Feature::ALL.iter().map(|feature| feature.name())) {
        Some(feature) => format!("did you mean `{feature}`?"),
        None => {
            "expected the member of a Vulkan feature structure or an extension; docs/profile.md lists them".to_owned()
        }
    };
    format!("unknown feature `{name}`; {hint}")
}

fn unknown_key(key: &str) -> String {
    if Feature::ALL.iter().any(|feature| feature.name() == key) {
        return format!("unknown key `{key}`, which is a feature; did you mean `feature = {key}`?");
    }
    let groups = VULKAN_1_1_FLOOR.groups();
    let numbers = groups.iter().flat_map(|group| group.keys.iter().map(|(key, _)| *key));
    let hint = match similar(key, numbers.chain(["api", "spirv", "feature"])) {
        Some(known) => format!("did you mean `{known}`?"),
        None => {
            "expected api, spirv, feature, subgroup.NAME, float.NAME, format.NAME, limit.NAME or driver.NAME, which \
                 docs/profile.md lists"
                .to_owned()
        }
    };
    format!("unknown key `{key}`; {hint}")
}

/// The highest version of SPIR-V that a version of Vulkan takes, with VK_KHR_spirv_1_4 on Vulkan 1.1
/// (Vulkan, "Versions and Formats").
fn most_spirv(api: (u8, u8)) -> (u8, u8) {
    match api {
        (0, _) | (1, 0) => (1, 0),
        (1, 1) => (1, 4),
        (1, 2) => (1, 5),
        _ => (1, 6),
    }
}

/// The most bytes in the text of a profile: as many as in the text of a request, which has one. The named
/// limits of the other texts know errors, which know features, so they are not for this room.
const TEXT_BYTES: usize = 4 << 20;

impl DeviceProfile {
    /// Reads the text form that `Display` writes: lines `key = value` in any order, with `#`
    /// comments. A number or version that the text does not mention has the value of
    /// [`VULKAN_1_1_FLOOR`]; a feature that it does not mention is off.
    ///
    /// # Errors
    /// `Malformed`, with the line: an unknown key or feature, or a value that is not a number. The
    /// message names the key or feature that is most like it. `Malformed`: no line has a key, or the
    /// version of SPIR-V is beyond that of Vulkan. `Limit` if the text is too long.
    pub fn parse(text: &str) -> Result<DeviceProfile> {
        if text.len() > TEXT_BYTES {
            let found = text.len();
            return Err(limit_error!(Place::Input, "{found} bytes in a profile, the limit is {TEXT_BYTES}"));
        }
        let mut profile = DeviceProfile { features: FeatureSet::default(), ..VULKAN_1_1_FLOOR };
        let mut empty = true;
        let mut spirv_at = Place::Input;
        for (number, line) in text.lines().enumerate() {
            let place = Place::Line(number as u32 + 1);
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            empty = false;
            let (key, value) =
                line.split_once('=').ok_or_else(|| malformed!(place, "expected `key = value`, found `{line}`"))?;
            let (key, value) = (key.trim(), value.trim());
            let number =
                || value.parse::<u32>().map_err(|_| malformed!(place, "`{key}`: expected a number, found `{value}`"));
            let version = || {
                let parts = value.split_once('.').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
                parts.ok_or_else(|| malformed!(place, "`{key}`: expected a version such as 1.3, found `{value}`"))
            };
            let known = match key.split_once('.') {
                None if key == "api" => {
                    profile.api = version()?;
                    true
                }
                None if key == "spirv" => {
                    profile.spirv = version()?;
                    spirv_at = place;
                    true
                }
                None if key == "feature" => match Feature::ALL.iter().find(|f| f.name() == value) {
                    Some(&feature) => {
                        profile.features.set(feature, true);
                        true
                    }
                    None => return Err(malformed!(place, "{}", unknown_feature(value))),
                },
                Some(("subgroup", name)) => profile.subgroup.set(name, number()?),
                Some(("float", name)) => profile.float.set(name, number()?),
                Some(("format", name)) => profile.formats.set(name, number()?),
                Some(("limit", name)) => profile.limits.set(name, number()?),
                Some(("driver", name)) => profile.driver.set(name, number()?),
                _ => false,
            };
            if !known {
                return Err(malformed!(place, "{}", unknown_key(key)));
            }
        }
        if empty {
            return Err(malformed!(
                Place::Input,
                "the profile is empty; expected lines `key = value`, as `dxil2spv --print-profile vulkan-1.3-desktop` prints \
                 them"
            ));
        }
        let most = most_spirv(profile.api);
        if profile.spirv < (1, 0) || profile.spirv > most {
            let ((major, minor), (api, api_minor)) = (profile.spirv, profile.api);
            return Err(malformed!(
                spirv_at,
                "`spirv`: {major}.{minor} is no version that a device of Vulkan {api}.{api_minor} takes; expected 1.0 to \
                 {}.{}",
                most.0,
                most.1
            ));
        }
        Ok(profile)
    }

    /// The numbers of the profile by structure.
    pub(super) fn groups(&self) -> [Group; 5] {
        [
            Group { about: "", keys: Subgroup::KEYS, values: self.subgroup.values() },
            Group { about: ABOUT_FLOAT, keys: FloatControls::KEYS, values: self.float.values() },
            Group { about: ABOUT_FORMAT, keys: StorageFormats::KEYS, values: self.formats.values() },
            Group { about: "", keys: DeviceLimits::KEYS, values: self.limits.values() },
            Group { about: "", keys: Driver::KEYS, values: self.driver.values() },
        ]
    }

    /// The text form with a comment for each key, for people who write a profile. A feature that is off
    /// is a comment too.
    pub fn documented(&self) -> String {
        let mut text = String::from(
            "# A device profile: what is enabled on a device. A line is `key = value`, and text after `#` is a comment.\n\
             # A version or number that is left out is that of vulkan-1.1-floor, and a feature that is left out is off.\n\n",
        );
        // Writing to a string does not fail.
        let _ = writeln!(text, "# {API}\napi = {}.{}", self.api.0, self.api.1);
        let _ = writeln!(text, "# {SPIRV}\nspirv = {}.{}", self.spirv.0, self.spirv.1);
        for group in self.groups() {
            text.push('\n');
            if !group.about.is_empty() {
                let _ = writeln!(text, "# {}", group.about);
            }
            for ((key, note), value) in group.keys.iter().zip(group.values) {
                let _ = writeln!(text, "#{note}\n{key} = {value}");
            }
        }
        text.push_str("\n# Features. Take away the `#` of a feature to enable it.\n");
        let mut structure = "";
        for &feature in Feature::ALL {
            if feature.structure() != structure {
                structure = feature.structure();
                let _ = writeln!(text, "# {structure}");
            }
            let off = if self.has(feature) { "" } else { "# " };
            let _ = write!(text, "{off}feature = {feature}");
            let _ = match feature.note() {
                "" => writeln!(text),
                note => writeln!(text, "  # {note}"),
            };
        }
        text
    }
}

/// What the version of Vulkan is.
pub(super) const API: &str = "Vulkan version: the lower of the application's and the device's.";
/// What the version of SPIR-V is.
pub(super) const SPIRV: &str = "Highest SPIR-V version that the device accepts.";

impl fmt::Display for DeviceProfile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "api = {}.{}\nspirv = {}.{}", self.api.0, self.api.1, self.spirv.0, self.spirv.1)?;
        for group in self.groups() {
            for ((key, _), value) in group.keys.iter().zip(group.values) {
                writeln!(f, "{key} = {value}")?;
            }
        }
        for feature in self.features.iter() {
            writeln!(f, "feature = {feature}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_form_reads_back() {
        for (name, _) in super::super::NAMES {
            let profile = DeviceProfile::named(name).unwrap();
            assert_eq!(DeviceProfile::parse(&profile.to_string()).unwrap(), profile, "{name}");
            let documented = profile.documented();
            assert_eq!(DeviceProfile::parse(&documented).unwrap(), profile, "{name}");
            for feature in Feature::ALL {
                assert!(documented.contains(&format!("feature = {feature}")), "{feature}");
            }
        }
    }

    #[test]
    fn every_number_is_documented() {
        let floor = VULKAN_1_1_FLOOR.groups();
        for group in &floor {
            assert_eq!(group.keys.len(), group.values.len());
            assert!(group.keys.iter().all(|(_, note)| note.ends_with('.')), "{:?}", group.keys);
        }
    }

    #[test]
    fn what_is_not_known_is_refused_with_what_is_like_it() {
        let refused = |text: &str| DeviceProfile::parse(text).unwrap_err().to_string();
        assert_eq!(
            refused("api = 1.1\nfeature = shaderTeapot\n"),
            "malformed at line 2: unknown feature `shaderTeapot`; expected the member of a Vulkan feature structure or an \
             extension; docs/profile.md lists them"
        );
        assert_eq!(
            refused("feature = shaderint64"),
            "malformed at line 1: unknown feature `shaderint64`; did you mean `shaderInt64`?"
        );
        assert_eq!(
            refused("feature = 1"),
            "malformed at line 1: unknown feature `1`; expected the member of a Vulkan feature structure or an extension; \
             docs/profile.md lists them"
        );
        assert_eq!(
            refused("limit.max_push_constant_size = 1"),
            "malformed at line 1: unknown key `limit.max_push_constant_size`; did you mean `limit.max_push_constants_size`?"
        );
        assert_eq!(
            refused("vulkan.api = 1.1"),
            "malformed at line 1: unknown key `vulkan.api`; expected api, spirv, feature, subgroup.NAME, float.NAME, \
             format.NAME, limit.NAME or driver.NAME, which docs/profile.md lists"
        );
        assert_eq!(
            refused("feature shaderInt64"),
            "malformed at line 1: expected `key = value`, found `feature shaderInt64`"
        );
        assert_eq!(
            refused("shaderInt64 = true"),
            "malformed at line 1: unknown key `shaderInt64`, which is a feature; did you mean `feature = shaderInt64`?"
        );
    }

    #[test]
    fn an_empty_profile_is_an_error() {
        for text in ["", "\n\n", "# api = 1.1\n"] {
            assert_eq!(
                DeviceProfile::parse(text).unwrap_err().to_string(),
                "malformed at input: the profile is empty; expected lines `key = value`, as `dxil2spv --print-profile \
                 vulkan-1.3-desktop` prints them"
            );
        }
    }

    #[test]
    fn everything_has_all_features() {
        let profile = DeviceProfile::named("everything").unwrap();
        assert!(Feature::ALL.iter().all(|&feature| profile.has(feature)));
    }
}
