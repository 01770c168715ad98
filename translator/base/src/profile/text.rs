//! The text form of profiles: TOML, with one line for each key, such as `subgroup.size = 32`.
//!
//! In: a text, or a profile. Out: the other. What must hold: what is printed reads back as the same
//! profile, with and without the comments that document the keys.

use std::fmt::{self, Write as _};

use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::{
    DeviceLimits, DeviceProfile, Driver, Feature, FeatureSet, FloatControls, StorageFormats, Subgroup, VULKAN_1_1_FLOOR,
};
use crate::error::Result;
use crate::text;

/// The numbers of one structure of a profile.
pub(super) struct NumberGroup {
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

/// The keys of a profile. What a text does not mention has the numbers and versions of
/// [`VULKAN_1_1_FLOOR`], and no feature.
#[derive(Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Keys {
    api: Option<Version>,
    spirv: Option<Version>,
    #[serde(deserialize_with = "features")]
    features: Option<FeatureSet>,
    subgroup: Option<Subgroup>,
    float: Option<FloatControls>,
    format: Option<StorageFormats>,
    limit: Option<DeviceLimits>,
    driver: Option<Driver>,
}

impl<'de> Deserialize<'de> for DeviceProfile {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let keys = Keys::deserialize(from)?;
        if keys == Keys::default() {
            return Err(D::Error::custom(
                "the profile is empty; expected lines `key = value`, as `dxil2spv --print-profile vulkan-1.3-desktop` \
                 prints them",
            ));
        }
        let Keys { api, spirv, features, subgroup, float, format, limit, driver } = keys;
        let profile = Self {
            api: api.map_or(VULKAN_1_1_FLOOR.api, |version| version.0),
            spirv: spirv.map_or(VULKAN_1_1_FLOOR.spirv, |version| version.0),
            features: features.unwrap_or_default(),
            subgroup: subgroup.unwrap_or_default(),
            float: float.unwrap_or_default(),
            formats: format.unwrap_or_default(),
            limits: limit.unwrap_or_default(),
            driver: driver.unwrap_or_default(),
        };
        let most = most_spirv(profile.api);
        if profile.spirv < (1, 0) || profile.spirv > most {
            let ((major, minor), (api, api_minor)) = (profile.spirv, profile.api);
            return Err(D::Error::custom(format!(
                "`spirv`: {major}.{minor} is no version that a device of Vulkan {api}.{api_minor} takes; expected 1.0 to \
                 {}.{}",
                most.0, most.1
            )));
        }
        Ok(profile)
    }
}

/// The numbers that a text does not mention are those of [`VULKAN_1_1_FLOOR`].
macro_rules! defaults {
    ($($structure:ident $member:ident,)*) => {
        $(impl Default for $structure {
            fn default() -> Self {
                VULKAN_1_1_FLOOR.$member
            }
        })*
    };
}

defaults! {
    Subgroup subgroup,
    FloatControls float,
    StorageFormats formats,
    DeviceLimits limits,
    Driver driver,
}

/// A version such as `"1.3"`.
#[derive(PartialEq)]
struct Version((u8, u8));

impl<'de> Deserialize<'de> for Version {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        let parts = text.split_once('.').and_then(|(a, b)| Some(Self((a.parse().ok()?, b.parse().ok()?))));
        parts.ok_or_else(|| D::Error::custom(format!("expected a version such as \"1.3\", found {text:?}")))
    }
}

/// Reads a table with a truth value for each feature.
fn features<'de, D: Deserializer<'de>>(from: D) -> Result<Option<FeatureSet>, D::Error> {
    struct Table;
    impl<'de> Visitor<'de> for Table {
        type Value = FeatureSet;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a table of features, such as `features.shaderInt64 = true`")
        }
        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<FeatureSet, A::Error> {
            let mut set = FeatureSet::default();
            while let Some(FeatureName(feature)) = map.next_key()? {
                set.set(feature, map.next_value()?);
            }
            Ok(set)
        }
    }
    from.deserialize_map(Table).map(Some)
}

/// The name of a feature.
struct FeatureName(Feature);

impl<'de> Deserialize<'de> for FeatureName {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let name = String::deserialize(from)?;
        Feature::from_name(&name).map(Self).ok_or_else(|| D::Error::custom(unknown_feature(&name)))
    }
}

fn unknown_feature(name: &str) -> String {
    let hint = match text::similar(name, Feature::ALL.iter().map(|feature| feature.name())) {
        Some(feature) => format!("did you mean `{feature}`?"),
        None => {
            "expected the member of a Vulkan feature structure or an extension; docs/profile.md lists them".to_owned()
        }
    };
    format!("unknown feature `{name}`; {hint}")
}

/// The highest version of SPIR-V that a version of Vulkan takes, with VK_KHR_spirv_1_4 on Vulkan
/// 1.1 (Vulkan, "Versions and Formats").
fn most_spirv(api: (u8, u8)) -> (u8, u8) {
    match api {
        (0, _) | (1, 0) => (1, 0),
        (1, 1) => (1, 4),
        (1, 2) => (1, 5),
        _ => (1, 6),
    }
}

impl DeviceProfile {
    /// Reads the text form, which is TOML. A number or version that the text does not mention has
    /// the value of [`VULKAN_1_1_FLOOR`]; a feature that it does not mention is off.
    ///
    /// # Errors
    /// `Malformed`, with line and column: the text is not TOML, has an unknown key or feature, or a
    /// value of another type. The message names the key or feature that is most like it.
    /// `Malformed`: the text has no key, or the version of SPIR-V is beyond that of Vulkan. The
    /// errors of
    /// [`text::read`].
    pub fn parse(text: &str) -> Result<DeviceProfile> {
        text::read("profile", text)
    }

    /// The numbers of the profile by structure.
    pub(super) fn groups(&self) -> [NumberGroup; 5] {
        [
            NumberGroup { about: "", keys: Subgroup::KEYS, values: self.subgroup.values() },
            NumberGroup { about: ABOUT_FLOAT, keys: FloatControls::KEYS, values: self.float.values() },
            NumberGroup { about: ABOUT_FORMAT, keys: StorageFormats::KEYS, values: self.formats.values() },
            NumberGroup { about: "", keys: DeviceLimits::KEYS, values: self.limits.values() },
            NumberGroup { about: "", keys: Driver::KEYS, values: self.driver.values() },
        ]
    }

    /// The text form with a comment for each key and a line for each feature, for people who write
    /// a profile.
    pub fn documented(&self) -> String {
        let mut text = String::from(
            "# A device profile: what is enabled on a device, as TOML. Text after `#` is a comment.\n\
             # A version or number that is left out is that of vulkan-1.1-floor, and a feature that is left out is off.\n\n",
        );
        // Writing to a string does not fail.
        let _ = writeln!(text, "# {API}\napi = \"{}.{}\"", self.api.0, self.api.1);
        let _ = writeln!(text, "# {SPIRV}\nspirv = \"{}.{}\"", self.spirv.0, self.spirv.1);
        for group in self.groups() {
            text.push('\n');
            if !group.about.is_empty() {
                let _ = writeln!(text, "# {}", group.about);
            }
            for ((key, remark), value) in group.keys.iter().zip(group.values) {
                let _ = writeln!(text, "#{remark}\n{key} = {value}");
            }
        }
        text.push_str("\n# Features. One that is left out is off.\n");
        let mut structure = "";
        for &feature in Feature::ALL {
            if feature.structure() != structure {
                structure = feature.structure();
                let _ = writeln!(text, "# {structure}");
            }
            let _ = write!(text, "features.{feature} = {}", self.has(feature));
            let _ = match feature.remark() {
                "" => writeln!(text),
                remark => writeln!(text, "  # {remark}"),
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
        writeln!(f, "api = \"{}.{}\"\nspirv = \"{}.{}\"", self.api.0, self.api.1, self.spirv.0, self.spirv.1)?;
        for group in self.groups() {
            for ((key, _), value) in group.keys.iter().zip(group.values) {
                writeln!(f, "{key} = {value}")?;
            }
        }
        for feature in self.features.iter() {
            writeln!(f, "features.{feature} = true")?;
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
                assert!(documented.contains(&format!("features.{feature} = ")), "{feature}");
            }
        }
    }

    #[test]
    fn every_number_is_documented() {
        let floor = VULKAN_1_1_FLOOR.groups();
        for group in &floor {
            assert_eq!(group.keys.len(), group.values.len());
            assert!(group.keys.iter().all(|(_, remark)| remark.ends_with('.')), "{:?}", group.keys);
        }
    }

    #[test]
    fn what_is_not_known_is_refused_with_what_is_like_it() {
        let refused = |text: &str| DeviceProfile::parse(text).unwrap_err().to_string();
        assert_eq!(
            refused("api = \"1.1\"\nfeatures.shaderTeapot = true\n"),
            "malformed at line 2 column 10: unknown feature `shaderTeapot`; expected the member of a Vulkan feature \
             structure or an extension; docs/profile.md lists them"
        );
        assert_eq!(
            refused("features.shaderint64 = true"),
            "malformed at line 1 column 10: unknown feature `shaderint64`; did you mean `shaderInt64`?"
        );
        assert_eq!(
            refused("features = 1"),
            "malformed at line 1 column 12: invalid type: integer `1`, expected a table of features, such as \
             `features.shaderInt64 = true`"
        );
        assert_eq!(
            refused("limit.max_push_constant_size = 1"),
            "malformed at line 1 column 7: unknown key `max_push_constant_size`; did you mean `max_push_constants_size`?"
        );
        assert_eq!(
            refused("feature.shaderInt64 = true"),
            "malformed at line 1 column 1: unknown key `feature`; did you mean `features`?"
        );
        assert_eq!(
            refused("vulkan.api = \"1.1\""),
            "malformed at line 1 column 1: unknown key `vulkan`; expected one of `api`, `spirv`, `features`, `subgroup`, \
             `float`, `format`, `limit`, `driver`"
        );
        assert_eq!(
            refused("api = 1.1"),
            "malformed at line 1 column 7: invalid type: floating point `1.1`, expected a string"
        );
        assert_eq!(
            refused("api = \"one\""),
            "malformed at line 1 column 7: expected a version such as \"1.3\", found \"one\""
        );
        assert_eq!(
            refused("shaderInt64 = true"),
            "malformed at line 1 column 1: unknown key `shaderInt64`; expected one of `api`, `spirv`, `features`, `subgroup`, \
             `float`, `format`, `limit`, `driver`"
        );
        assert!(refused("api = \"1.1\"\napi = \"1.1\"").starts_with("malformed at line 2 column 1: duplicate key"));
    }

    #[test]
    fn an_empty_profile_is_an_error() {
        for text in ["", "\n\n", "# api = \"1.1\"\n"] {
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
