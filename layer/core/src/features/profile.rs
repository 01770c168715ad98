//! The device profile: the features that are enabled on a device, and its properties.
//!
//! In: the create info that succeeded, and the physical device. Out: the profile, which
//! `dxil_vulkan_profile` makes from structures. What must hold: a structure is queried only if its
//! extension is enabled or part of the Vulkan version.

use ash::vk;
use dxil_vulkan_profile::{Known, Properties, Requested, profile};

use crate::features::cap::Cap;
use crate::features::formats;
use crate::features::support::Support;
use crate::translator::DeviceProfile;
use crate::vulkan::dispatch::InstanceTable;

/// The profile of a device that was created with `info`.
///
/// # Safety
/// `info` must be valid, `table` the table of the instance that `device` belongs to.
pub unsafe fn read_profile(
    info: &vk::DeviceCreateInfo<'_>,
    device: vk::PhysicalDevice,
    table: &InstanceTable,
    support: &Support,
    cap: &Cap,
) -> DeviceProfile {
    // SAFETY: the caller's create info.
    let requested = unsafe { Requested::read(info, support.version) };
    let version = cap.version.map_or(support.version, |cap| support.version.min(cap));
    let known = Known::new(&requested, version);
    /// A structure of the device's properties, if the device has it.
    macro_rules! query {
        ($known:ident) => {
            // SAFETY: the device is the table's, and its version or extension has the structure.
            if known.$known { unsafe { table.properties(device, version) } } else { None }
        };
    }
    let properties = Properties {
        core: support.properties,
        subgroup: query!(subgroup),
        subgroup_size_control: query!(subgroup_size_control),
        driver: query!(driver),
        float_controls: query!(float_controls),
        mesh_shader: query!(mesh_shader),
        long_vector: query!(long_vector),
        inline_uniform_block: query!(inline_uniform_block),
    };
    // SAFETY: the device is the table's, by the caller's contract.
    let formats = unsafe { formats::read_without_format(table, device, version) };
    let mut profile = profile(&requested, version, &properties, formats);
    for feature in requested.enabled() {
        profile.features.set(feature, cap.allows(feature));
    }
    profile
}
