//! The setting `profile_cap`: an upper bound of a device profile.

use ash::vk;

use crate::features::choice;
use crate::translator::Feature;
use crate::vulkan::newer::minor_version;

/// The upper bound of a profile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cap {
    /// The Vulkan version (major and minor), if one was given.
    pub version: Option<u32>,
    header: Option<u32>,
    without: Vec<Feature>,
}

impl Cap {
    /// Whether the cap allows a feature.
    pub fn allows(&self, feature: Feature) -> bool {
        let new = matches!((self.header, choice::since(feature)), (Some(cap), Some(since)) if since > cap);
        !new && !self.without.contains(&feature)
    }

    /// Whether the cap allows the core structures of a Vulkan version.
    pub fn version_allows(&self, core: u32) -> bool {
        self.version.is_none_or(|cap| core <= cap)
    }

    /// Parses the setting's value.
    ///
    /// # Errors
    /// Names the item that is neither a version nor a feature.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut cap = Self::default();
        for item in text.split(',').map(str::trim).filter(|i| !i.is_empty() && *i != "none") {
            if item.starts_with(|c: char| c.is_ascii_digit()) {
                let header = header(item).ok_or_else(|| format!("`{item}` is no version such as `1.3.239`"))?;
                cap.header = Some(header);
                cap.version = Some(minor_version(header));
            } else {
                cap.without.push(choice::named(item)?);
            }
        }
        Ok(cap)
    }
}

/// The version of the Vulkan headers that a text such as `1.3.239` names.
fn header(text: &str) -> Option<u32> {
    let mut numbers = text.split('.').map(str::parse::<u32>);
    let mut number = |most: u32| numbers.next()?.ok().filter(|n| *n <= most);
    let header = vk::make_api_version(0, number(127)?, number(1023)?, number(4095)?);
    numbers.next().is_none().then_some(header)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_and_names_are_left_out() {
        let cap = Cap::parse("1.3.239, shaderInt64").unwrap();
        assert!(!cap.allows(Feature::MaximalReconvergence));
        assert!(!cap.allows(Feature::Int64));
        assert!(cap.allows(Feature::Int16));
        assert_eq!(cap.version, Some(vk::API_VERSION_1_3));
        assert!(cap.version_allows(vk::API_VERSION_1_3));
        assert_eq!(Cap::parse("none"), Ok(Cap::default()));
        assert!(Cap::parse("shaderInt63").is_err());
        assert!(Cap::parse("1.2000.1").is_err());
    }
}
