//! Why a feature is not enabled on a device, for messages about shaders that need it.
//!
//! In: the features that the device supports and the application requests, and the settings. Out:
//! for each feature that the profile does not have, a reason and advice.

use ash::vk;

use crate::features::cap::Cap;
use crate::features::choice::{self, Additions};
use crate::features::support::Support;
use crate::translator::{DeviceProfile, Feature};
use dxil_vulkan_profile::Requested;
use dxil_vulkan_profile::table::{self, EnabledBy};

/// Why a feature is not enabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absence {
    /// The physical device does not support it in the Vulkan version that is used.
    Device {
        /// The Vulkan version that is used.
        version: u32,
        /// The application asked for this version, and the device has a newer one, which may have
        /// the feature.
        asked: bool,
    },
    /// The setting `profile_cap` excludes it.
    Cap,
    /// The setting `enable_features` excludes it.
    NotAdded,
    /// The layer leaves it to the application.
    Application,
    /// The layer tried to add it and could not.
    Refused,
}

/// The reasons of one device.
#[derive(Default)]
pub struct Absent(Vec<(Feature, Absence)>);

impl Absent {
    /// The reasons for all features that `profile` does not have. `info` is the application's
    /// create info, `cap` and `additions` are settings.
    ///
    /// # Safety
    /// `info` must be valid.
    pub unsafe fn new(
        profile: &DeviceProfile,
        support: &Support,
        info: &vk::DeviceCreateInfo<'_>,
        cap: &Cap,
        additions: &Additions,
    ) -> Self {
        // SAFETY: the caller's create info.
        let asked = &unsafe { Requested::read(info, support.version) };
        let absent = Feature::ALL.iter().filter(|&&feature| !profile.has(feature));
        let reason = |feature| {
            if !support.supports(feature) {
                let is_core = matches!(table::enabled_by(feature, support.version), EnabledBy::Core { .. });
                Absence::Device { version: support.version, asked: support.is_lowered && !is_core }
            } else if !cap.allows(feature) {
                Absence::Cap
            } else if !choice::may_enable(feature, asked) {
                Absence::Application
            } else if !additions.allows(feature) {
                Absence::NotAdded
            } else {
                Absence::Refused
            }
        };
        Self(absent.map(|&feature| (feature, reason(feature))).collect())
    }

    /// Advice for a feature that a shader needs.
    pub fn advice(&self, feature: Feature) -> String {
        let (structure, name) = (feature.structure(), feature.name());
        let enable = match structure {
            "(extension)" => format!("the extension {name}"),
            _ => format!("{structure}::{name}"),
        };
        match self.0.iter().find(|(other, _)| *other == feature).map(|(_, reason)| reason) {
            Some(Absence::Device { version, asked: true }) => format!(
                "the device does not support it in Vulkan {}.{}, which VkApplicationInfo::apiVersion asks for; a newer version \
                 may have it",
                vk::api_version_major(*version),
                vk::api_version_minor(*version)
            ),
            Some(Absence::Device { .. }) => "the device does not support it".into(),
            Some(Absence::Cap) => "the setting profile_cap excludes it".into(),
            Some(Absence::NotAdded) => {
                format!("the device supports it: enable {enable} at vkCreateDevice, or set enable_features to true")
            }
            Some(Absence::Application) => {
                format!(
                    "the device supports it, and the layer leaves it to the application: enable {enable} at vkCreateDevice"
                )
            }
            Some(Absence::Refused) | None => format!(
                "the device supports it, and the layer could not add it to what the application asks for: enable {enable} at \
                 vkCreateDevice"
            ),
        }
    }
}
