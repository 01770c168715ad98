//! The data of a `resource` line: its kind, its place and its contents.

use ash::vk;

use super::Pattern;
use crate::vulkan::Format;
use dxil_vulkan::ImageShape;

/// A D3D register, such as `t3`, in a register space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Register {
    /// The class: `b`, `t`, `u`, `s`, or `c` for the counter of the `u` with the same number.
    pub class: char,
    /// The register number.
    pub number: u32,
    /// The register space.
    pub space: u32,
}

impl Register {
    /// The name of the output at this register, such as `u3`, or `u3_1` in space 1.
    #[must_use]
    pub fn output(&self) -> String {
        match self.space {
            0 => format!("{}{}", self.class, self.number),
            space => format!("{}{}_{space}", self.class, self.number),
        }
    }

    /// The shift that the model `register` adds to the number (docs/testing.md).
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
pub struct SetBinding {
    /// The descriptor set.
    pub set: u32,
    /// The binding in the set.
    pub binding: u32,
}

/// The kind of a resource.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// A constant buffer of this many bytes.
    ConstantBuffer(u32),
    /// A raw or structured buffer of this many bytes.
    Buffer(u32),
    /// A typed buffer of this many elements.
    TypedBuffer(Format, u32),
    /// A texture and the type of its view.
    Texture(ImageShape, Format, vk::ImageViewType),
    /// A sampler.
    Sampler(SamplerState),
    /// Top-level acceleration structures by name, one for each element or one for all of them.
    /// `None` is a null structure.
    Structures(Vec<Option<String>>),
}

/// The state of a sampler.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SamplerState {
    /// The minification and magnification filters.
    pub filters: [vk::Filter; 2],
    /// The filter between mips.
    pub mip: vk::SamplerMipmapMode,
    /// The address mode of all three coordinates.
    pub address: vk::SamplerAddressMode,
    /// The operator of a comparison sampler.
    pub compare: Option<vk::CompareOp>,
    /// The border colour.
    pub border: vk::BorderColor,
    /// The smallest and largest level of detail.
    pub lod: [f32; 2],
    /// The bias of the level of detail.
    pub bias: f32,
    /// The largest anisotropy.
    pub anisotropy: Option<f32>,
    /// The filters of the elements of an array that have odd numbers, if they are others.
    pub odd: Option<vk::Filter>,
    /// Whether the sampler is immutable.
    pub fixed: bool,
}

/// The mips of a texture's view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mips {
    /// All mips.
    #[default]
    All,
    /// One mip.
    One(u32),
    /// Element i of the array is a view of mip i of the same image.
    Each,
}

/// The data of a `resource` line.
#[derive(Debug, Clone, PartialEq)]
pub struct Resource {
    /// The register.
    pub register: Register,
    /// The kind.
    pub kind: Kind,
    /// Whether the resource is an output.
    pub out: bool,
    /// The initial contents.
    pub pattern: Pattern,
    /// The number of descriptors in the array.
    pub count: u32,
    /// The set and binding of the descriptor.
    pub place: SetBinding,
    /// The index in a descriptor heap, for a resource whose descriptors are in the heap.
    pub heap: Option<u32>,
    /// The byte of the push constants that holds the resource's address.
    pub address: Option<u32>,
    /// The buffer that holds the address of each of the resource's buffers, and the element of
    /// eight bytes that is the first address.
    pub listed: Option<(Register, u32)>,
    /// Whether the resource has a descriptor. Otherwise its address is in the push constants, in
    /// records of shader binding tables, or in a buffer.
    pub described: bool,
    /// The descriptor type.
    pub descriptor: vk::DescriptorType,
    /// The register of the sampler of a combined image sampler.
    pub with: Option<Register>,
    /// The register of an earlier resource whose memory this one uses.
    pub alias: Option<Register>,
    /// The mips of the views.
    pub mips: Mips,
    /// The dynamic offset of the descriptor, in bytes. The contents begin there.
    pub offset: u32,
    /// Bytes of noise before and after the contents, which the shader must leave alone.
    pub margin: u32,
}

impl Resource {
    /// The number of words that one element of the array holds.
    #[must_use]
    pub fn words(&self) -> u64 {
        match self.kind {
            Kind::ConstantBuffer(bytes) | Kind::Buffer(bytes) => u64::from(bytes).div_ceil(4),
            Kind::TypedBuffer(format, count) => u64::from(format.words) * u64::from(count),
            Kind::Texture(shape, format, _) => shape.texels() as u64 * u64::from(format.words),
            Kind::Sampler(_) | Kind::Structures(_) => 0,
        }
    }

    /// `descriptorCount` of the binding: the number of descriptors, or the bytes of an inline
    /// uniform block.
    #[must_use]
    pub fn descriptor_count(&self) -> u32 {
        match self.kind {
            Kind::ConstantBuffer(bytes) if self.descriptor == vk::DescriptorType::INLINE_UNIFORM_BLOCK => bytes,
            _ => self.count,
        }
    }

    /// Whether an element is a null acceleration structure.
    #[must_use]
    pub fn has_null(&self) -> bool {
        matches!(&self.kind, Kind::Structures(names) if names.contains(&None))
    }

    /// Whether an `update` step can write this many words to the start of the resource: the buffer
    /// has space, and one vkCmdUpdateBuffer suffices.
    #[must_use]
    pub fn updatable(&self, words: usize) -> bool {
        const MOST: usize = (1 << 16) / 4;
        let buffer = !matches!(self.kind, Kind::Texture(..) | Kind::Sampler(_) | Kind::Structures(_));
        buffer && self.offset == 0 && (1..=MOST).contains(&words) && words as u64 <= self.words()
    }
}
