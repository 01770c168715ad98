//! Tests of the subgroup sizes that stages require.

use super::*;
use crate::translator::VULKAN_1_1_FLOOR;

/// `VK_SHADER_STAGE_COMPUTE_BIT`, and another stage.
const COMPUTE: u32 = 0x20;
const VERTEX: u32 = 1;

fn profile(size: u32, min_size: u32, max_size: u32, control: bool) -> DeviceProfile {
    let mut profile = VULKAN_1_1_FLOOR;
    profile.subgroup.required_size_stages = COMPUTE;
    (profile.subgroup.size, profile.subgroup.min_size, profile.subgroup.max_size) = (size, min_size, max_size);
    profile.features.set(Feature::SubgroupSizeControl, control);
    profile
}

#[test]
fn subgroup_sizes() {
    let fixed = profile(8, 8, 8, false);
    assert_eq!(subgroup_size([8, 0, 0], COMPUTE, 64, &fixed), Ok(None));
    assert!(subgroup_size([32, 0, 0], COMPUTE, 64, &fixed).is_err());
    let wide = profile(32, 8, 64, true);
    assert_eq!(subgroup_size([16, 0, 0], COMPUTE, 64, &wide), Ok(Some(16)));
    assert_eq!(subgroup_size([16, 64, 0], COMPUTE, 64, &wide), Ok(Some(32)));
    assert_eq!(subgroup_size([16, 64, 64], COMPUTE, 64, &wide), Ok(Some(64)));
    assert!(subgroup_size([128, 0, 0], COMPUTE, 64, &wide).is_err());
    let other = subgroup_size([16, 0, 0], VERTEX, 64, &wide).unwrap_err();
    assert!(other.message().contains("only in the stages 0x20"), "{other}");
    assert_eq!(subgroup_size([8, 0, 0], VERTEX, 64, &fixed), Ok(None), "nothing has to be required");
    assert!(subgroup_size([16, 0, 0], COMPUTE, 64, &profile(32, 8, 64, false)).is_err());
}

/// VUID-VkPipelineShaderStageCreateInfo-pNext-02756: a group has at most as many threads as the
/// largest number of subgroups of the required size.
#[test]
fn subgroup_sizes_of_large_groups() {
    let mut device = profile(32, 8, 32, true);
    device.subgroup.max_compute_workgroup_subgroups = 64;
    assert_eq!(subgroup_size([8, 16, 0], COMPUTE, 512, &device), Ok(Some(8)));
    assert_eq!(subgroup_size([8, 16, 0], COMPUTE, 513, &device), Ok(Some(16)));
    assert_eq!(subgroup_size([8, 16, 0], COMPUTE, 1024, &device), Ok(Some(16)));
    assert_eq!(subgroup_size([8, 16, 8], COMPUTE, 1024, &device), Ok(Some(16)), "8 is preferred, and too few");
    let error = subgroup_size([8, 0, 0], COMPUTE, 1024, &device).unwrap_err();
    let text = "a workgroup has at most 64 if their size is required";
    assert!(error.message().contains(text) && error.message().contains("of 1024 threads"), "{error}");
    // A device of one size, which the shader allows, has to require none.
    device.subgroup.min_size = 32;
    assert_eq!(subgroup_size([32, 0, 0], COMPUTE, 4096, &device), Ok(None));
}
