//! One `resource` line: what it is, where it lives, what it holds.

use ash::vk;

use super::Pattern;
use crate::vulkan::Format;
use crate::vulkan::memory::ImageShape;

/// A D3D register: `t3` in a space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Register {
    /// `b`, `t`, `u`, `s`, or `c` for the counter of a `u`.
    pub class: char,
    /// The number.
    pub number: u32,
    /// The space.
    pub space: u32,
}

impl Register {
    /// The name of this register's output: `u3`, or `u3_1` in space 1.
    #[must_use]
    pub fn output(&self) -> String {
        match self.space {
            0 => format!("{}{}", self.class, self.number),
            space => format!("{}{}_{space}", self.class, self.number),
        }
    }

    /// What the `register` model adds to the number: the shifts of docs/testing.md.
    #[must_use]
    pub fn shift(&self) -> u32 {
        match self.class {
            't' => 100,
            'u' => 200,
            's' => 300,
            'c' => 1000,
            _ => 0,
        }
    }
}

/// A descriptor set and binding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The set.
    pub set: u32,
    /// The binding.
    pub binding: u32,
}

/// What a resource is.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// A constant buffer of so many bytes.
    ConstantBuffer(u32),
    /// A raw or structured buffer of so many bytes.
    Buffer(u32),
    /// A typed buffer of so many elements.
    TypedBuffer(Format, u32),
    /// A texture and its view.
    Texture(ImageShape, Format, vk::ImageViewType),
    /// A sampler.
    Sampler(SamplerState),
}

/// A sampler's state, as its line gives it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SamplerState {
    /// Minification, magnification.
    pub filters: [vk::Filter; 2],
    /// Between mips.
    pub mip: vk::SamplerMipmapMode,
    /// All three address modes.
    pub address: vk::SamplerAddressMode,
    /// A comparison sampler's operator.
    pub compare: Option<vk::CompareOp>,
    /// The border.
    pub border: vk::BorderColor,
    /// The LOD range.
    pub lod: [f32; 2],
    /// What is added to the LOD.
    pub bias: f32,
    /// Anisotropy.
    pub anisotropy: Option<f32>,
    /// An immutable sampler.
    pub fixed: bool,
}

/// Which mips a texture's view shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mips {
    /// All.
    #[default]
    All,
    /// One.
    One(u32),
    /// Element i of the array shows mip i of one image.
    Each,
}

/// One `resource` line.
#[derive(Debug, Clone, PartialEq)]
pub struct Resource {
    /// The register it is declared at.
    pub register: Register,
    /// What it is.
    pub kind: Kind,
    /// Read back and compared.
    pub out: bool,
    /// Initial contents.
    pub pattern: Pattern,
    /// An array of so many descriptors.
    pub count: u32,
    /// Where its descriptor is.
    pub place: Place,
    /// The descriptor's type.
    pub descriptor: vk::DescriptorType,
    /// The sampler (register) that a combined image sampler has.
    pub with: Option<Register>,
    /// The resource, of a line before, whose memory this one is.
    pub alias: Option<Register>,
    /// Which mips its views show.
    pub mips: Mips,
}

impl Resource {
    /// Words that one element of the array holds.
    #[must_use]
    pub fn words(&self) -> u64 {
        match self.kind {
            Kind::ConstantBuffer(bytes) | Kind::Buffer(bytes) => u64::from(bytes).div_ceil(4),
            Kind::TypedBuffer(format, count) => u64::from(format.words) * u64::from(count),
            Kind::Texture(shape, format, _) => shape.texels() as u64 * u64::from(format.words),
            Kind::Sampler(_) => 0,
        }
    }

    /// Whether a step can write so many words to its start: one command can, and there is room.
    #[must_use]
    pub fn updatable(&self, words: usize) -> bool {
        const MOST: usize = (1 << 16) / 4;
        let buffer = !matches!(self.kind, Kind::Texture(..) | Kind::Sampler(_));
        buffer && (1..=MOST).contains(&words) && words as u64 <= self.words()
    }
}
