//! The dimensions and formats of images, and what they contain.
//!
//! In: an image as a shader sees it. Out: what the lab makes of it. What must hold: a component of
//! a texel is the same in every format that has it.

use ash::vk;
use rspirv::spirv::{Dim, ImageFormat};

use super::declared::{Block, Field, Scalar, Shape};
use super::fill::{NumberSource, half};
use super::picture::Spec;
use super::texel::{components, element_of};
use crate::results::Element;

/// The dimensions of an image; its format and use are those of a texture.
pub fn spec_of(shape: &Shape) -> Option<Spec> {
    use vk::ImageViewType as View;
    let (view, extent, layers) = match (shape.dim, shape.is_arrayed) {
        (Dim::Dim1D, false) => (View::TYPE_1D, [64, 1, 1], 1),
        (Dim::Dim1D, true) => (View::TYPE_1D_ARRAY, [64, 1, 1], 4),
        (Dim::Dim2D, false) => (View::TYPE_2D, [32, 32, 1], 1),
        (Dim::Dim2D, true) => (View::TYPE_2D_ARRAY, [32, 32, 1], 4),
        (Dim::Dim3D, false) => (View::TYPE_3D, [16, 16, 8], 1),
        (Dim::DimCube, false) => (View::CUBE, [16, 16, 1], 6),
        (Dim::DimCube, true) => (View::CUBE_ARRAY, [16, 16, 1], 12),
        _ => return None,
    };
    let mut spec = Spec::new(view, extent, vk::ImageUsageFlags::SAMPLED);
    spec.shape.layers = layers;
    (spec.shape.mips, spec.shape.samples) = if shape.is_multisampled { (1, 4) } else { (3, 1) };
    Some(spec)
}

/// The format of an image. Without one in the shader it has four components; those of textures can
/// be filtered, and those of storage images keep every bit.
pub fn format_of(shape: &Shape, is_storage: bool) -> Option<vk::Format> {
    use vk::Format as F;
    Some(match shape.format {
        ImageFormat::Rgba32f => F::R32G32B32A32_SFLOAT,
        ImageFormat::Rgba16f => F::R16G16B16A16_SFLOAT,
        ImageFormat::Rg32f => F::R32G32_SFLOAT,
        ImageFormat::R32f => F::R32_SFLOAT,
        ImageFormat::Rgba8 => F::R8G8B8A8_UNORM,
        ImageFormat::Rgba8Snorm => F::R8G8B8A8_SNORM,
        ImageFormat::Rgba32ui => F::R32G32B32A32_UINT,
        ImageFormat::Rgba32i => F::R32G32B32A32_SINT,
        ImageFormat::Rg32ui => F::R32G32_UINT,
        ImageFormat::Rg32i => F::R32G32_SINT,
        ImageFormat::R32ui => F::R32_UINT,
        ImageFormat::R32i => F::R32_SINT,
        ImageFormat::Unknown => match (shape.scalar, shape.is_signed) {
            (Scalar::Float, _) if shape.is_compared => F::D32_SFLOAT,
            (Scalar::Float, _) if is_storage || shape.dim == Dim::DimBuffer => F::R32G32B32A32_SFLOAT,
            (Scalar::Float, _) => F::R16G16B16A16_SFLOAT,
            (Scalar::Integer, true) if shape.is_atomic => F::R32_SINT,
            (Scalar::Integer, false) if shape.is_atomic => F::R32_UINT,
            (Scalar::Integer, true) => F::R32G32B32A32_SINT,
            (Scalar::Integer, false) => F::R32G32B32A32_UINT,
        },
        _ => return None,
    })
}

/// The content of an image or of a buffer of texels. A component is the same in every format that
/// has it.
pub fn texels(source: NumberSource, stream: u64, format: vk::Format, count: usize) -> Vec<u8> {
    let (element, components) = (element_of(format), components(format));
    let mut bytes = Vec::with_capacity(count * components * element.bytes());
    for (texel, component) in (0..count as u64).flat_map(|texel| (0..components as u64).map(move |c| (texel, c))) {
        let index = texel * 4 + component;
        let word = match element {
            // What is compared with depths is one: from 0 to 1.
            Element::Float if format == vk::Format::D32_SFLOAT => source.float(stream, index).clamp(0.0, 1.0).to_bits(),
            Element::Float => source.float(stream, index).to_bits(),
            Element::Half => half(source.float(stream, index)).into(),
            Element::Unorm | Element::Snorm => source.bits(stream, index) as u32,
            Element::Integer | Element::Words => source.integer(stream, index),
        };
        bytes.extend_from_slice(&word.to_le_bytes()[..element.bytes()]);
    }
    bytes
}

impl Element {
    /// The elements of a buffer: numbers of one kind, or words.
    pub fn of_block(block: &Block) -> Self {
        let fields = || block.fields.iter().chain(block.tail.iter().flat_map(|(_, fields)| fields));
        let all =
            |scalar: Scalar, width: u32| fields().all(|field: &Field| (field.scalar, field.width) == (scalar, width));
        match () {
            () if fields().next().is_none() => Self::Words,
            () if all(Scalar::Float, 32) => Self::Float,
            () if all(Scalar::Float, 16) => Self::Half,
            () => Self::Words,
        }
    }
}
