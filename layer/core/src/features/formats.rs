//! Capabilities of a device that depend on formats.
//!
//! In: the physical device. Out: the kinds of storage images that can be read without a format.
//! What must hold: only `VkFormatProperties3` has these format features, so the result is empty
//! before Vulkan 1.3.

use ash::vk;

use crate::translator::StorageFormats;
use crate::vulkan::dispatch::InstanceTable;

/// The formats of storage images and storage texel buffers (SPIR-V, "Image Format"), with the kind
/// of their texels as a storage image. As a texel buffer it is [`BUFFER`] times as large.
const FORMATS: [(&[vk::Format], u32); 3] = [
    (
        &[
            vk::Format::R32G32B32A32_SFLOAT,
            vk::Format::R16G16B16A16_SFLOAT,
            vk::Format::R32G32_SFLOAT,
            vk::Format::R32_SFLOAT,
            vk::Format::R16G16_SFLOAT,
            vk::Format::R16_SFLOAT,
            vk::Format::B10G11R11_UFLOAT_PACK32,
            vk::Format::R16G16B16A16_UNORM,
            vk::Format::R16G16B16A16_SNORM,
            vk::Format::R16G16_UNORM,
            vk::Format::R16G16_SNORM,
            vk::Format::R16_UNORM,
            vk::Format::R16_SNORM,
            vk::Format::A2B10G10R10_UNORM_PACK32,
            vk::Format::R8G8B8A8_UNORM,
            vk::Format::R8G8B8A8_SNORM,
            vk::Format::B8G8R8A8_UNORM,
            vk::Format::R8G8_UNORM,
            vk::Format::R8G8_SNORM,
            vk::Format::R8_UNORM,
            vk::Format::R8_SNORM,
        ],
        StorageFormats::IMAGE_FLOAT,
    ),
    (
        &[
            vk::Format::R32G32B32A32_SINT,
            vk::Format::R16G16B16A16_SINT,
            vk::Format::R8G8B8A8_SINT,
            vk::Format::R32G32_SINT,
            vk::Format::R32_SINT,
            vk::Format::R16G16_SINT,
            vk::Format::R16_SINT,
            vk::Format::R8G8_SINT,
            vk::Format::R8_SINT,
        ],
        StorageFormats::IMAGE_SINT,
    ),
    (
        &[
            vk::Format::R32G32B32A32_UINT,
            vk::Format::R16G16B16A16_UINT,
            vk::Format::R8G8B8A8_UINT,
            vk::Format::R32G32_UINT,
            vk::Format::R32_UINT,
            vk::Format::R16G16_UINT,
            vk::Format::R16_UINT,
            vk::Format::R8G8_UINT,
            vk::Format::R8_UINT,
            vk::Format::A2B10G10R10_UINT_PACK32,
        ],
        StorageFormats::IMAGE_UINT,
    ),
];

/// The factor from the kind of a storage image to that of a storage texel buffer.
const BUFFER: u32 = StorageFormats::BUFFER_FLOAT / StorageFormats::IMAGE_FLOAT;

/// The kinds of storage images and storage texel buffers of which some format can be read without a
/// format: a sum of the constants of [`StorageFormats`].
///
/// # Safety
/// `table` must be the table of the instance that `device` belongs to.
pub unsafe fn read_without_format(table: &InstanceTable, device: vk::PhysicalDevice, version: u32) -> u32 {
    let Some(query) = table.get_format_properties2.filter(|_| version >= vk::API_VERSION_1_3) else { return 0 };
    let wanted = vk::FormatFeatureFlags2::STORAGE_READ_WITHOUT_FORMAT;
    let mut kinds = 0;
    for (formats, kind) in FORMATS {
        for &format in formats {
            let mut more = vk::FormatProperties3::default();
            let mut properties = vk::FormatProperties2::default().push_next(&mut more);
            // SAFETY: the device is the instance's, and its version has the chained structure.
            unsafe { query(device, format, &mut properties) };
            let images = more.optimal_tiling_features | more.linear_tiling_features;
            if images.contains(wanted) {
                kinds |= kind;
            }
            if more.buffer_features.contains(wanted) {
                kinds |= kind * BUFFER;
            }
        }
    }
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_those_of_the_profile() {
        let all = FORMATS.iter().fold(0, |all, (_, kind)| all | kind | (kind * BUFFER));
        assert_eq!(all, StorageFormats::ALL);
        assert_eq!(StorageFormats::IMAGE_SINT * BUFFER, StorageFormats::BUFFER_SINT);
        assert_eq!(StorageFormats::IMAGE_UINT * BUFFER, StorageFormats::BUFFER_UINT);
    }
}
