//! The setting `profile_cap`: bounds of what a device profile may have.

use ash::vk;

use crate::features::choice;
use crate::translator::Feature;
use crate::vulkan::newer::minor_version;

/// The bounds of a profile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cap {
    /// The Vulkan version (major and minor), if one was given.
    pub version: Option<u32>,
    header: Option<u32>,
    without: Vec<Feature>,
}

impl Cap {
    /// Whether the cap lets a feature through.
    pub fn allows(&self, feature: Feature) -> bool {
        let new = matches!((self.header, choice::since(feature)), (Some(cap), Some(since)) if since > cap);
        !new && !self.without.contains(&feature)
    }

    /// Whether the cap lets core structures of a Vulkan version through.
    pub fn version_allows(&self, core: u32) -> bool {
        self.version.is_none_or(|cap| core <= cap)
    }

    /// Parses the setting's value.
    pub fn parse(text: &str) -> Option<Self> {
        let mut cap = Self::default();
        for item in text.split(',').map(str::trim).filter(|i| !i.is_empty() && *i != "none") {
            if item.starts_with(|c: char| c.is_ascii_digit()) {
                let mut numbers = item.split('.').map(str::parse::<u32>);
                let mut number = |most: u32| numbers.next()?.ok().filter(|n| *n <= most);
                let header = vk::make_api_version(0, number(127)?, number(1023)?, number(4095)?);
                cap.header = Some(header);
                cap.version = Some(minor_version(header));
            } else {
                cap.without.push(*Feature::ALL.iter().find(|f| f.name() == item)?);
            }
        }
        Some(cap)
    }
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
        assert_eq!(Cap::parse("none"), Some(Cap::default()));
        assert_eq!(Cap::parse("shaderInt63"), None);
        assert_eq!(Cap::parse("1.2000.1"), None);
    }
}
