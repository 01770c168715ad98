//! The texels of the formats that the lab uses.

use ash::vk;

use crate::results::Element;

/// The components of a texel.
pub fn components(format: vk::Format) -> usize {
    use vk::Format as F;
    match format {
        F::R32_SFLOAT | F::R32_UINT | F::R32_SINT | F::D32_SFLOAT | F::D32_SFLOAT_S8_UINT => 1,
        F::R32G32_SFLOAT | F::R32G32_UINT | F::R32G32_SINT => 2,
        _ => 4,
    }
}

/// The bytes of a texel; of depth and stencil, those of the depth.
pub fn texel_bytes(format: vk::Format) -> usize {
    components(format) * element_of(format).bytes()
}

/// The elements of a texel.
pub fn element_of(format: vk::Format) -> Element {
    use vk::Format as F;
    match format {
        F::R32G32B32A32_SFLOAT | F::R32G32B32_SFLOAT | F::R32G32_SFLOAT | F::R32_SFLOAT => Element::Float,
        F::D32_SFLOAT | F::D32_SFLOAT_S8_UINT => Element::Float,
        F::R16G16B16A16_SFLOAT => Element::Half,
        F::R8G8B8A8_UNORM | F::R8G8B8A8_SRGB | F::B8G8R8A8_UNORM | F::B8G8R8A8_SRGB => Element::Unorm,
        F::R8G8B8A8_SNORM => Element::Snorm,
        _ => Element::Integer,
    }
}

/// Whether the sizes above are those of a format that an application may draw to.
pub fn is_known(format: vk::Format) -> bool {
    use vk::Format as F;
    let of_32_bits = [F::R32_UINT, F::R32_SINT, F::R32G32_UINT, F::R32G32_SINT];
    let of_four = [F::R32G32B32A32_UINT, F::R32G32B32A32_SINT];
    element_of(format) != Element::Integer || of_32_bits.contains(&format) || of_four.contains(&format)
}
