//! Robustness by pipeline stage (VK_EXT_pipeline_robustness, Vulkan 1.4): what a stage asks for, and
//! the profile with which it is translated.
//!
//! In: the device's profile and support, and a `VkPipelineRobustnessCreateInfo`. Out: what to chain
//! onto stages that are DXIL, and profiles that say for a stage who keeps the bounds. What must hold:
//! a behaviour is asked for only where the device supports it (VUIDs 06928 to 06934 of
//! `VkPipelineRobustnessCreateInfo`); the application's own structure decides where there is one.

use ash::vk;

use crate::features::cap::Cap;
use crate::features::support::Support;
use crate::translator::{DeviceProfile, Feature};

type Buffers = vk::PipelineRobustnessBufferBehaviorEXT;
type Images = vk::PipelineRobustnessImageBehaviorEXT;

/// What a pipeline stage asks for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Robustness {
    /// Storage buffers, and storage texel buffers.
    pub storage_buffers: Buffers,
    /// Uniform buffers, and uniform texel buffers.
    pub uniform_buffers: Buffers,
    /// Images.
    pub images: Images,
}

impl Robustness {
    /// What the application's structure asks for.
    pub fn of(info: &vk::PipelineRobustnessCreateInfoEXT<'_>) -> Self {
        Self { storage_buffers: info.storage_buffers, uniform_buffers: info.uniform_buffers, images: info.images }
    }

    /// What stages that are DXIL need beyond what the device has enabled; `None` where they need
    /// nothing, or the device has nothing to give.
    pub fn needed(profile: &DeviceProfile, support: &Support, cap: &Cap) -> Option<Self> {
        let more = |feature| !profile.has(feature) && support.supports(feature) && cap.allows(feature);
        Self::among(profile, more)
    }

    /// As [`needed`](Self::needed), where `more` says whether a stage can have a feature that the
    /// device has not enabled.
    fn among(profile: &DeviceProfile, more: impl Fn(Feature) -> bool) -> Option<Self> {
        let buffers =
            if more(Feature::RobustBufferAccess2) { Buffers::ROBUST_BUFFER_ACCESS_2 } else { Buffers::DEVICE_DEFAULT };
        let images = if more(Feature::RobustImageAccess2) {
            Images::ROBUST_IMAGE_ACCESS_2
        } else if !profile.has(Feature::RobustImageAccess2) && more(Feature::RobustImageAccess) {
            Images::ROBUST_IMAGE_ACCESS
        } else {
            Images::DEVICE_DEFAULT
        };
        let asks = buffers != Buffers::DEVICE_DEFAULT || images != Images::DEVICE_DEFAULT;
        (profile.has(Feature::PipelineRobustness) && asks).then_some(Self {
            storage_buffers: buffers,
            uniform_buffers: buffers,
            images,
        })
    }

    /// The structure that asks for it. Vertex inputs stay as the device has them.
    pub fn info(self) -> vk::PipelineRobustnessCreateInfoEXT<'static> {
        vk::PipelineRobustnessCreateInfoEXT {
            storage_buffers: self.storage_buffers,
            uniform_buffers: self.uniform_buffers,
            images: self.images,
            ..Default::default()
        }
    }

    /// The profile of a stage that asks for this.
    pub fn profile(self, device: &DeviceProfile) -> DeviceProfile {
        let mut profile = device.clone();
        let buffers = |behaviour: Buffers, feature, least: Buffers| match behaviour {
            Buffers::DEVICE_DEFAULT => device.has(feature),
            other => other.as_raw() >= least.as_raw(),
        };
        for (feature, least) in [
            (Feature::RobustBufferAccess, Buffers::ROBUST_BUFFER_ACCESS),
            (Feature::RobustBufferAccess2, Buffers::ROBUST_BUFFER_ACCESS_2),
        ] {
            // Texel buffers are of either kind.
            let all = [self.storage_buffers, self.uniform_buffers];
            profile.features.set(feature, all.into_iter().all(|one| buffers(one, feature, least)));
        }
        for (feature, least) in [
            (Feature::RobustImageAccess, Images::ROBUST_IMAGE_ACCESS),
            (Feature::RobustImageAccess2, Images::ROBUST_IMAGE_ACCESS_2),
        ] {
            if self.images != Images::DEVICE_DEFAULT {
                profile.features.set(feature, self.images.as_raw() >= least.as_raw());
            }
        }
        profile
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::translator::VULKAN_1_1_FLOOR;

    const ALL: [Feature; 4] = [
        Feature::RobustBufferAccess,
        Feature::RobustBufferAccess2,
        Feature::RobustImageAccess,
        Feature::RobustImageAccess2,
    ];

    fn device(features: &[Feature]) -> DeviceProfile {
        let mut profile = VULKAN_1_1_FLOOR;
        ALL.iter().for_each(|&feature| profile.features.set(feature, features.contains(&feature)));
        profile.features.set(Feature::PipelineRobustness, true);
        profile
    }

    fn has(profile: &DeviceProfile) -> [bool; 4] {
        ALL.map(|feature| profile.has(feature))
    }

    fn own(storage_buffers: Buffers, uniform_buffers: Buffers, images: Images) -> Robustness {
        Robustness { storage_buffers, uniform_buffers, images }
    }

    #[test]
    fn stages_ask_for_what_the_device_lacks() {
        let all = |_: Feature| true;
        let asked = Robustness::among(&device(&[]), all).unwrap();
        let buffers = Buffers::ROBUST_BUFFER_ACCESS_2;
        assert!(asked == own(buffers, buffers, Images::ROBUST_IMAGE_ACCESS_2));
        assert_eq!(has(&asked.profile(&device(&[]))), [true; 4]);
        let older = Robustness::among(&device(&[]), |f| f == Feature::RobustImageAccess).unwrap();
        assert!(older == own(Buffers::DEVICE_DEFAULT, Buffers::DEVICE_DEFAULT, Images::ROBUST_IMAGE_ACCESS));
        assert_eq!(has(&older.profile(&device(&[Feature::RobustBufferAccess]))), [true, false, true, false]);
        // Nothing to ask for, or nobody to ask.
        assert!(Robustness::among(&device(&ALL), |_| false).is_none());
        let mut without = device(&[]);
        without.features.set(Feature::PipelineRobustness, false);
        assert!(Robustness::among(&without, all).is_none());
    }

    #[test]
    fn the_application_decides() {
        let default = own(Buffers::DEVICE_DEFAULT, Buffers::DEVICE_DEFAULT, Images::DEVICE_DEFAULT);
        assert_eq!(has(&default.profile(&device(&ALL))), [true; 4]);
        assert_eq!(has(&default.profile(&device(&[]))), [false; 4]);
        let off = own(Buffers::DISABLED, Buffers::DISABLED, Images::DISABLED);
        assert_eq!(has(&off.profile(&device(&ALL))), [false; 4]);
        let mixed = own(Buffers::ROBUST_BUFFER_ACCESS_2, Buffers::ROBUST_BUFFER_ACCESS, Images::ROBUST_IMAGE_ACCESS);
        assert_eq!(has(&mixed.profile(&device(&ALL))), [true, false, true, false]);
    }
}
