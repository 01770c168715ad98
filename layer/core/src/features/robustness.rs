//! Robustness by pipeline stage (VK_EXT_pipeline_robustness, Vulkan 1.4): the behaviour that a
//! stage requests, and the profile for its translation.
//!
//! In: the device's profile and support, and a `VkPipelineRobustnessCreateInfo`. Out: the structure
//! to chain to DXIL stages, and the profile of a stage, which determines who checks bounds. What
//! must hold: a behaviour is requested only if the device supports it (VUIDs 06928 to 06934 of
//! `VkPipelineRobustnessCreateInfo`); a structure of the application has precedence.

use ash::vk;

use crate::features::cap::Cap;
use crate::features::support::Support;
use crate::translator::{DeviceProfile, Feature};

type Buffers = vk::PipelineRobustnessBufferBehaviorEXT;
type Images = vk::PipelineRobustnessImageBehaviorEXT;

/// The behaviour that a pipeline stage requests.
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
    /// The behaviour that the application's structure requests.
    pub fn from_info(info: &vk::PipelineRobustnessCreateInfoEXT<'_>) -> Self {
        Self { storage_buffers: info.storage_buffers, uniform_buffers: info.uniform_buffers, images: info.images }
    }

    /// The behaviour that DXIL stages need in addition to the device's features; `None` if they
    /// need none, or the device supports none.
    pub fn needed(profile: &DeviceProfile, support: &Support, cap: &Cap) -> Option<Self> {
        let more = |feature| !profile.has(feature) && support.supports(feature) && cap.allows(feature);
        Self::among(profile, more)
    }

    /// As [`needed`](Self::needed); `more` tests whether a stage can request a feature that is not
    /// enabled on the device.
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

    /// The structure that requests it. Vertex inputs keep the device's default.
    pub fn info(self) -> vk::PipelineRobustnessCreateInfoEXT<'static> {
        vk::PipelineRobustnessCreateInfoEXT {
            storage_buffers: self.storage_buffers,
            uniform_buffers: self.uniform_buffers,
            images: self.images,
            ..Default::default()
        }
    }

    /// The profile of a stage that requests this behaviour.
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
            // A texel buffer may be a uniform or a storage texel buffer.
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
        // Nothing is needed, or nothing is supported.
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
