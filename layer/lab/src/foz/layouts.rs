//! Samplers, set layouts, pipeline layouts and modules.

use ash::vk;
use serde_json::{Value, json};

use super::chain::{Around, add, array, none};
use super::hash::{Hasher, JsonNode, hex, object};
use super::unsupported::Unsupported;

/// A sampler.
///
/// # Safety
/// The create info must be valid.
pub unsafe fn sampler(info: &vk::SamplerCreateInfo<'_>, around: Around<'_>) -> Result<(u64, Value), Unsupported> {
    object(|node: &mut JsonNode<'_>| {
        let replay = vk::SamplerCreateFlags::DESCRIPTOR_BUFFER_CAPTURE_REPLAY_EXT;
        node.hash.u32((info.flags & !replay).as_raw());
        node.set("flags", info.flags.as_raw());
        node.f32("maxAnisotropy", info.max_anisotropy);
        node.f32("mipLodBias", info.mip_lod_bias);
        node.f32("minLod", info.min_lod);
        node.f32("maxLod", info.max_lod);
        node.u32("minFilter", info.min_filter.as_raw() as u32);
        node.u32("magFilter", info.mag_filter.as_raw() as u32);
        node.u32("mipmapMode", info.mipmap_mode.as_raw() as u32);
        node.u32("compareEnable", info.compare_enable);
        node.u32("compareOp", info.compare_op.as_raw() as u32);
        node.u32("anisotropyEnable", info.anisotropy_enable);
        node.u32("addressModeU", info.address_mode_u.as_raw() as u32);
        node.u32("addressModeV", info.address_mode_v.as_raw() as u32);
        node.u32("addressModeW", info.address_mode_w.as_raw() as u32);
        node.u32("borderColor", info.border_color.as_raw() as u32);
        node.u32("unnormalizedCoordinates", info.unnormalized_coordinates);
        // SAFETY: the chain of a valid create info.
        unsafe { add(node, info.p_next, around) }
    })
}

/// A set layout.
///
/// # Safety
/// The create info must be valid.
pub unsafe fn set_layout(
    info: &vk::DescriptorSetLayoutCreateInfo<'_>,
    around: Around<'_>,
) -> Result<(u64, Value), Unsupported> {
    object(|node: &mut JsonNode<'_>| {
        node.hash.u32(info.binding_count);
        node.u32("flags", info.flags.as_raw());
        // SAFETY: an array of a valid create info.
        node.list("bindings", unsafe { array(info.p_bindings, info.binding_count) }, |node, it| {
            node.u32("binding", it.binding);
            node.u32("descriptorCount", it.descriptor_count);
            node.u32("descriptorType", it.descriptor_type.as_raw() as u32);
            node.u32("stageFlags", it.stage_flags.as_raw());
            let has_samplers =
                matches!(it.descriptor_type, vk::DescriptorType::SAMPLER | vk::DescriptorType::COMBINED_IMAGE_SAMPLER);
            if has_samplers && !it.p_immutable_samplers.is_null() {
                // SAFETY: the samplers of a valid binding, which Vulkan reads for these types.
                let samplers = unsafe { array(it.p_immutable_samplers, it.descriptor_count) };
                node.objects("immutableSamplers", &around.objects.all(samplers)?);
            }
            Ok(())
        })?;
        // SAFETY: the chain of a valid create info.
        unsafe { add(node, info.p_next, around) }
    })
}

/// A pipeline layout.
///
/// # Safety
/// The create info must be valid.
pub unsafe fn pipeline_layout(
    info: &vk::PipelineLayoutCreateInfo<'_>,
    around: Around<'_>,
) -> Result<(u64, Value), Unsupported> {
    // SAFETY: the chain of a valid create info.
    unsafe { none("VkPipelineLayoutCreateInfo", info.p_next)? };
    object(|node: &mut JsonNode<'_>| {
        let mut sets = Vec::new();
        node.hash.u32(info.set_layout_count);
        // SAFETY: an array of a valid create info.
        for set in unsafe { array(info.p_set_layouts, info.set_layout_count) } {
            let hash = around.objects.get(*set)?;
            match hash {
                // A set that another pipeline library defines.
                0 => node.hash.u32(0),
                hash => node.hash.u64(hash),
            }
            sets.push(hex(hash));
        }
        node.set("setLayouts", sets);
        node.hash.u32(info.push_constant_range_count);
        // SAFETY: an array of a valid create info.
        let ranges = unsafe { array(info.p_push_constant_ranges, info.push_constant_range_count) };
        node.list("pushConstantRanges", ranges, |node, it| {
            node.u32("stageFlags", it.stage_flags.as_raw());
            node.u32("size", it.size);
            node.u32("offset", it.offset);
            Ok(())
        })?;
        node.u32("flags", info.flags.as_raw());
        Ok(())
    })
}

/// The hash of a module.
///
/// # Safety
/// The create info must be valid.
pub unsafe fn module_hash(info: &vk::ShaderModuleCreateInfo<'_>) -> u64 {
    let mut hash = Hasher::default();
    // SAFETY: the code of a valid create info.
    let words = unsafe { std::slice::from_raw_parts(info.p_code, info.code_size / 4) };
    words.iter().for_each(|word| hash.u32(*word));
    hash.u32(info.flags.as_raw());
    hash.get()
}

/// A module: its hash, and its whole payload, JSON and behind a NUL the code.
///
/// # Safety
/// The create info must be valid.
pub unsafe fn module(info: &vk::ShaderModuleCreateInfo<'_>) -> Result<(u64, Vec<u8>), Unsupported> {
    // SAFETY: a valid create info.
    let (hash, words) = unsafe {
        none("VkShaderModuleCreateInfo", info.p_next)?;
        (module_hash(info), std::slice::from_raw_parts(info.p_code, info.code_size / 4))
    };
    let code = varints(words);
    let object = json!({ "varintOffset": 0, "varintSize": code.len(), "codeSize": info.code_size, "flags": 0 });
    let mut payload = super::document::document("shaderModules", hash, object);
    payload.push(0);
    payload.extend(code);
    Ok((hash, payload))
}

/// Words as LEB128: seven bits in a byte, the lowest first, and the highest bit for more.
fn varints(words: &[u32]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(words.len() * 2);
    for &word in words {
        let mut rest = word;
        while rest >= 0x80 {
            bytes.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        bytes.push(rest as u8);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_as_many_bytes_as_they_need() {
        assert_eq!(varints(&[0, 0x7f, 0x80, 0x3fff, 0x4000]), [0, 0x7f, 0x80, 1, 0xff, 0x7f, 0x80, 0x80, 1]);
        // The first word of SPIR-V, as in the databases of Fossilize's layer.
        assert_eq!(varints(&[0x0723_0203]), [0x83, 0x84, 0x8c, 0x39]);
        assert_eq!(varints(&[u32::MAX]), [0xff, 0xff, 0xff, 0xff, 0x0f]);
    }
}
