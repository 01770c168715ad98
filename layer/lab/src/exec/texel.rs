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
        F::R8G8B8A8_UNORM => Element::Unorm,
        F::R8G8B8A8_SNORM => Element::Snorm,
        _ => Element::Integer,
    }
}
