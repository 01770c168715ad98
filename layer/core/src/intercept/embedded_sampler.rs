//! Static samplers of root signatures as samplers that a pipeline embeds (VK_EXT_descriptor_heap).
//!
//! In: a static sampler. Out: the create info of its sampler. What must hold: D3D12's numbers are
//! translated by the tables of `D3D12_STATIC_SAMPLER_DESC`.

use ash::vk;

use crate::translator::{StaticSampler, sampler_flags};

/// The create info of a sampler, with the structure that it may have in its chain.
pub struct EmbeddedSampler {
    info: vk::SamplerCreateInfo<'static>,
    reduction: vk::SamplerReductionModeCreateInfo<'static>,
}

/// The parts of `D3D12_FILTER`.
mod filter {
    pub const MIP_LINEAR: u32 = 0x1;
    pub const MAG_LINEAR: u32 = 0x4;
    pub const MIN_LINEAR: u32 = 0x10;
    pub const ANISOTROPIC: u32 = 0x40;
    pub const REDUCTION: u32 = 0x180;
    pub const COMPARISON: u32 = 0x80;
    pub const MINIMUM: u32 = 0x100;
    pub const MAXIMUM: u32 = 0x180;
}

impl EmbeddedSampler {
    /// The sampler, with anisotropy only if the device has `samplerAnisotropy` enabled.
    pub fn new(sampler: &StaticSampler, has_anisotropy: bool) -> Self {
        let has = |bit| sampler.filter & bit != 0;
        let texels = |is_linear| if is_linear { vk::Filter::LINEAR } else { vk::Filter::NEAREST };
        let mip = if has(filter::MIP_LINEAR) { vk::SamplerMipmapMode::LINEAR } else { vk::SamplerMipmapMode::NEAREST };
        let [u, v, w] = sampler.address.map(address);
        let info = vk::SamplerCreateInfo::default()
            .min_filter(texels(has(filter::MIN_LINEAR)))
            .mag_filter(texels(has(filter::MAG_LINEAR)))
            .mipmap_mode(mip)
            .address_mode_u(u)
            .address_mode_v(v)
            .address_mode_w(w)
            .mip_lod_bias(f32::from_bits(sampler.mip_lod_bias))
            .anisotropy_enable(has(filter::ANISOTROPIC) && has_anisotropy)
            .max_anisotropy(sampler.max_anisotropy.clamp(1, 16) as f32)
            .compare_enable(sampler.filter & filter::REDUCTION == filter::COMPARISON)
            .compare_op(compare(sampler.comparison))
            .min_lod(f32::from_bits(sampler.min_lod))
            .max_lod(f32::from_bits(sampler.max_lod))
            .border_color(border(sampler.border_color))
            .unnormalized_coordinates(sampler.flags & sampler_flags::NON_NORMALIZED_COORDINATES != 0);
        let mode = match sampler.filter & filter::REDUCTION {
            filter::MINIMUM => vk::SamplerReductionMode::MIN,
            filter::MAXIMUM => vk::SamplerReductionMode::MAX,
            _ => vk::SamplerReductionMode::WEIGHTED_AVERAGE,
        };
        Self { info, reduction: vk::SamplerReductionModeCreateInfo::default().reduction_mode(mode) }
    }

    /// The create info, at an address that the box keeps.
    pub fn info(self: &mut Box<Self>) -> *const vk::SamplerCreateInfo<'static> {
        if self.reduction.reduction_mode != vk::SamplerReductionMode::WEIGHTED_AVERAGE {
            self.info.p_next = (&raw const self.reduction).cast();
        }
        &raw const self.info
    }
}

/// `D3D12_TEXTURE_ADDRESS_MODE`.
fn address(mode: u32) -> vk::SamplerAddressMode {
    match mode {
        2 => vk::SamplerAddressMode::MIRRORED_REPEAT,
        3 => vk::SamplerAddressMode::CLAMP_TO_EDGE,
        4 => vk::SamplerAddressMode::CLAMP_TO_BORDER,
        5 => vk::SamplerAddressMode::MIRROR_CLAMP_TO_EDGE,
        _ => vk::SamplerAddressMode::REPEAT,
    }
}

/// `D3D12_COMPARISON_FUNC`, whose numbers are Vulkan's plus one.
fn compare(function: u32) -> vk::CompareOp {
    vk::CompareOp::from_raw(function.clamp(1, 8) as i32 - 1)
}

/// `D3D12_STATIC_BORDER_COLOR`.
fn border(color: u32) -> vk::BorderColor {
    match color {
        1 => vk::BorderColor::FLOAT_OPAQUE_BLACK,
        2 => vk::BorderColor::FLOAT_OPAQUE_WHITE,
        3 => vk::BorderColor::INT_OPAQUE_BLACK,
        4 => vk::BorderColor::INT_OPAQUE_WHITE,
        _ => vk::BorderColor::FLOAT_TRANSPARENT_BLACK,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::translator::RootSignature;

    fn sampler(text: &str) -> Box<EmbeddedSampler> {
        let signature = RootSignature::from_bytes(text.as_bytes(), None).unwrap();
        Box::new(EmbeddedSampler::new(&signature.static_samplers[0], true))
    }

    #[test]
    fn every_member_is_translated() {
        let mut all = sampler(
            "StaticSampler(s0, filter = FILTER_COMPARISON_MIN_LINEAR_MAG_MIP_POINT, addressU = TEXTURE_ADDRESS_CLAMP, \
             addressV = TEXTURE_ADDRESS_BORDER, addressW = TEXTURE_ADDRESS_MIRROR_ONCE, mipLODBias = 0.5, \
             comparisonFunc = COMPARISON_GREATER, borderColor = STATIC_BORDER_COLOR_OPAQUE_WHITE, minLOD = 1, maxLOD = 2)",
        );
        // SAFETY: the box lives until the end of the test.
        let info = unsafe { *all.info() };
        assert!(info.p_next.is_null());
        assert_eq!([info.min_filter, info.mag_filter], [vk::Filter::LINEAR, vk::Filter::NEAREST]);
        assert_eq!(info.mipmap_mode, vk::SamplerMipmapMode::NEAREST);
        assert_eq!(
            [info.address_mode_u, info.address_mode_v, info.address_mode_w].map(vk::SamplerAddressMode::as_raw),
            [2, 3, 4]
        );
        assert_eq!([info.mip_lod_bias, info.min_lod, info.max_lod], [0.5, 1.0, 2.0]);
        assert_eq!((info.compare_enable, info.compare_op), (vk::TRUE, vk::CompareOp::GREATER));
        assert_eq!(info.border_color, vk::BorderColor::FLOAT_OPAQUE_WHITE);
    }

    #[test]
    fn filters_with_a_reduction_or_anisotropy() {
        let mut minimum = sampler("StaticSampler(s0, filter = FILTER_MINIMUM_MIN_MAG_MIP_LINEAR)");
        // SAFETY: the box lives until the end of the test, and its chain has this structure.
        let mode =
            unsafe { (*(*minimum.info()).p_next.cast::<vk::SamplerReductionModeCreateInfo<'_>>()).reduction_mode };
        assert_eq!(mode, vk::SamplerReductionMode::MIN);
        let mut anisotropic = sampler("StaticSampler(s0, filter = FILTER_ANISOTROPIC, maxAnisotropy = 8)");
        // SAFETY: the box lives until the end of the test.
        let info = unsafe { *anisotropic.info() };
        assert_eq!((info.anisotropy_enable, info.max_anisotropy), (vk::TRUE, 8.0));
        assert_eq!((info.min_filter, info.mipmap_mode), (vk::Filter::LINEAR, vk::SamplerMipmapMode::LINEAR));
    }
}
