//! The texel formats that fixtures can use.

use ash::vk;
use dxil_vulkan::{Image, View};

use crate::error::Result;

/// A texel format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Format {
    /// The name in fixtures.
    pub name: &'static str,
    /// The Vulkan format.
    pub vk: vk::Format,
    /// The number of 32-bit words per texel.
    pub words: u32,
}

const fn format(name: &'static str, vk: vk::Format, words: u32) -> Format {
    Format { name, vk, words }
}

const FORMATS: &[Format] = &[
    format("r32_uint", vk::Format::R32_UINT, 1),
    format("r32_sint", vk::Format::R32_SINT, 1),
    format("r32_sfloat", vk::Format::R32_SFLOAT, 1),
    format("rg32_uint", vk::Format::R32G32_UINT, 2),
    format("rg32_sint", vk::Format::R32G32_SINT, 2),
    format("rg32_sfloat", vk::Format::R32G32_SFLOAT, 2),
    format("rgb32_sfloat", vk::Format::R32G32B32_SFLOAT, 3),
    format("rgba32_uint", vk::Format::R32G32B32A32_UINT, 4),
    format("rgba32_sint", vk::Format::R32G32B32A32_SINT, 4),
    format("rgba32_sfloat", vk::Format::R32G32B32A32_SFLOAT, 4),
    format("r64_uint", vk::Format::R64_UINT, 2),
    format("rg16_sfloat", vk::Format::R16G16_SFLOAT, 1),
    format("rg16_uint", vk::Format::R16G16_UINT, 1),
    format("rg16_sint", vk::Format::R16G16_SINT, 1),
    format("rg16_unorm", vk::Format::R16G16_UNORM, 1),
    format("rg16_snorm", vk::Format::R16G16_SNORM, 1),
    format("rgba16_sfloat", vk::Format::R16G16B16A16_SFLOAT, 2),
    format("rgba16_uint", vk::Format::R16G16B16A16_UINT, 2),
    format("rgba16_sint", vk::Format::R16G16B16A16_SINT, 2),
    format("rgba16_unorm", vk::Format::R16G16B16A16_UNORM, 2),
    format("rgba16_snorm", vk::Format::R16G16B16A16_SNORM, 2),
    Format::RGBA8,
    format("rgba8_snorm", vk::Format::R8G8B8A8_SNORM, 1),
    format("rgba8_uint", vk::Format::R8G8B8A8_UINT, 1),
    format("rgba8_sint", vk::Format::R8G8B8A8_SINT, 1),
    format("rgba8_srgb", vk::Format::R8G8B8A8_SRGB, 1),
    format("rgb10a2_unorm", vk::Format::A2B10G10R10_UNORM_PACK32, 1),
    Format::DEPTH,
];

impl Format {
    /// The depth format.
    pub const DEPTH: Self = format("d32_sfloat", vk::Format::D32_SFLOAT, 1);

    /// The format of stencil buffers. Fixtures cannot name it. Four texels fill a word.
    pub const STENCIL: Self = format("s8_uint", vk::Format::S8_UINT, 0);

    /// The RGBA format with 8 bits per channel.
    pub const RGBA8: Self = format("rgba8_unorm", vk::Format::R8G8B8A8_UNORM, 1);

    /// Finds a format by its name in fixtures.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        FORMATS.iter().copied().find(|format| format.name == name)
    }

    /// The number of bytes per texel.
    #[must_use]
    pub fn bytes(&self) -> usize {
        if *self == Self::STENCIL { 1 } else { self.words as usize * 4 }
    }

    /// The image aspect that the texels are in.
    #[must_use]
    pub fn aspect(&self) -> vk::ImageAspectFlags {
        match *self {
            Self::DEPTH => vk::ImageAspectFlags::DEPTH,
            Self::STENCIL => vk::ImageAspectFlags::STENCIL,
            _ => vk::ImageAspectFlags::COLOR,
        }
    }

    /// The range of all mips, and of as many layers as a view of this type can have.
    pub fn whole(&self, kind: vk::ImageViewType) -> vk::ImageSubresourceRange {
        let range = vk::ImageSubresourceRange::default().aspect_mask(self.aspect());
        range.level_count(vk::REMAINING_MIP_LEVELS).layer_count(if kind == vk::ImageViewType::CUBE {
            6
        } else {
            vk::REMAINING_ARRAY_LAYERS
        })
    }

    /// Creates a view of all mips and layers of an image.
    ///
    /// # Errors
    /// The Vulkan command that failed.
    pub fn view<'g>(&self, image: &Image<'g>, kind: vk::ImageViewType) -> Result<View<'g>> {
        Ok(image.view(self.vk, kind, self.whole(kind), vk::ImageUsageFlags::empty())?)
    }

    /// Whether the texels are integers.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        self.name.ends_with("int")
    }
}
