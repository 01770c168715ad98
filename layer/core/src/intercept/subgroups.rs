//! Full subgroups of varying size: the flags of stages with wave operations.
//!
//! D3D launches whole waves, and `WaveGetLaneCount` is the number of lanes that a wave really has.
//! Vulkan has both only by request. With `REQUIRE_FULL_SUBGROUPS` all invocations of a subgroup are
//! there. Without `ALLOW_VARYING_SUBGROUP_SIZE`, which SPIR-V 1.6 implies, `SubgroupSize` is the
//! device's `subgroupSize`, even if fewer invocations run (specification, "SubgroupSize").
//!
//! In: what is known of a translation, its stage, and the device. Out: the flags. What must hold:
//! VUID-VkPipelineShaderStageCreateInfo-pNext-02754, 02757, and -flags-02758, 02759, 02784, 02785
//! and 08988, which VkShaderCreateInfoEXT has by other numbers.

use ash::vk;

use crate::translate::{DeviceProfile, Feature, StageOfCode};

/// The flags that a stage gets, in addition to its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// `ALLOW_VARYING_SUBGROUP_SIZE`.
    pub varies: bool,
    /// `REQUIRE_FULL_SUBGROUPS`.
    pub full: bool,
}

/// The flags of a stage with this code. `required` is the subgroup size that the stage requires,
/// and `varies` tells whether it already has `ALLOW_VARYING_SUBGROUP_SIZE`.
pub fn flags(
    code: &StageOfCode,
    stage: vk::ShaderStageFlags,
    required: Option<u32>,
    varies: bool,
    profile: &DeviceProfile,
) -> Flags {
    use vk::ShaderStageFlags as S;
    if !code.has_waves {
        return Flags::default();
    }
    let may_vary = required.is_none() && !code.varies && profile.has(Feature::SubgroupSizeControl);
    let may_be_full =
        profile.has(Feature::ComputeFullSubgroups) && (S::COMPUTE | S::TASK_EXT | S::MESH_EXT).contains(stage);
    let fills = |size: u32| may_be_full && size != 0 && code.group_width != 0 && code.group_width.is_multiple_of(size);
    let device = &profile.subgroup;
    match required {
        Some(size) => Flags { varies: false, full: fills(size) },
        None if code.varies || varies => Flags { varies: false, full: fills(device.max_size) },
        None if may_vary && fills(device.max_size) => Flags { varies: true, full: true },
        // Full subgroups of the one size that the shader reads are as in D3D, too.
        None if fills(device.size) => Flags { varies: false, full: true },
        None => Flags { varies: may_vary, full: false },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::translator::VULKAN_1_1_FLOOR;

    const ALL: [Feature; 2] = [Feature::SubgroupSizeControl, Feature::ComputeFullSubgroups];

    fn given(width: u32, varies: bool, required: Option<u32>, features: &[Feature]) -> Flags {
        let mut profile = VULKAN_1_1_FLOOR;
        profile.features = Default::default();
        (profile.subgroup.size, profile.subgroup.min_size, profile.subgroup.max_size) = (32, 8, 64);
        features.iter().for_each(|feature| profile.features.set(*feature, true));
        let code = StageOfCode { has_waves: true, varies, group_width: width, ..Default::default() };
        let none = StageOfCode { has_waves: false, ..code.clone() };
        assert_eq!(flags(&none, vk::ShaderStageFlags::COMPUTE, required, false, &profile), Flags::default());
        // A pixel shader has no full subgroups, which Vulkan has for thread groups only.
        let pixel = flags(&code, vk::ShaderStageFlags::FRAGMENT, required, false, &profile);
        assert!(!pixel.full, "{pixel:?}");
        // The application's own flag is not changed, and its sizes count.
        let own = flags(&code, vk::ShaderStageFlags::COMPUTE, required, true, &profile);
        assert!(!own.varies && (required.is_some() || !own.full || width.is_multiple_of(64)), "{own:?}");
        flags(&code, vk::ShaderStageFlags::COMPUTE, required, false, &profile)
    }

    #[test]
    fn full_subgroups_where_the_group_has_a_whole_number_of_them() {
        let (both, full) = (Flags { varies: true, full: true }, Flags { varies: false, full: true });
        let (varies, none) = (Flags { varies: true, full: false }, Flags::default());
        // 02758 with both flags, 02759 with one.
        assert_eq!(given(64, false, None, &ALL), both);
        assert_eq!(given(32, false, None, &ALL), full);
        assert_eq!(given(8, false, None, &ALL), varies);
        // SPIR-V 1.6 varies without the flag.
        assert_eq!(given(64, true, None, &ALL), full);
        assert_eq!(given(32, true, None, &ALL), none);
        // 02757: the required size counts, and 02754: it does not vary.
        assert_eq!(given(16, false, Some(16), &ALL), full);
        assert_eq!(given(8, false, Some(16), &ALL), none);
        // 02784 and 02785: without the features there are no flags.
        assert_eq!(given(64, false, None, &ALL[..1]), varies);
        assert_eq!(given(64, false, None, &ALL[1..]), full);
        assert_eq!(given(64, false, None, &[]), none);
        assert_eq!(given(0, false, None, &ALL), varies, "a stage without thread groups");
    }
}
