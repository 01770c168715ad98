//! Versions of Vulkan as text.

use ash::vk;

/// A version of Vulkan as text: `1.3.250`.
#[must_use]
pub fn version_text(version: u32) -> String {
    let [major, minor] = [vk::api_version_major(version), vk::api_version_minor(version)];
    format!("{major}.{minor}.{}", vk::api_version_patch(version))
}
