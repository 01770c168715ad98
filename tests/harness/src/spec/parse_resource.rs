//! Reads `resource` lines.

use ash::vk;

use super::Pattern;
use super::line::Line;
use super::resource::{Kind, Mips, Register, Resource, SamplerState, SetBinding};
use crate::error::Result;
use dxil_vulkan::ImageShape;

/// The possible numbers of samples per pixel or texel.
pub(super) const SAMPLES: &[(&str, u32)] = &[("1", 1), ("2", 2), ("4", 4), ("8", 8)];

pub(super) const COMPARE: &[(&str, vk::CompareOp)] = &[
    ("less", vk::CompareOp::LESS),
    ("lequal", vk::CompareOp::LESS_OR_EQUAL),
    ("greater", vk::CompareOp::GREATER),
    ("gequal", vk::CompareOp::GREATER_OR_EQUAL),
    ("equal", vk::CompareOp::EQUAL),
    ("notequal", vk::CompareOp::NOT_EQUAL),
    ("always", vk::CompareOp::ALWAYS),
    ("never", vk::CompareOp::NEVER),
];

const DESCRIPTORS: &[(&str, vk::DescriptorType)] = &[
    ("uniform_buffer", vk::DescriptorType::UNIFORM_BUFFER),
    ("uniform_buffer_dynamic", vk::DescriptorType::UNIFORM_BUFFER_DYNAMIC),
    ("inline_uniform_block", vk::DescriptorType::INLINE_UNIFORM_BLOCK),
    ("storage_buffer", vk::DescriptorType::STORAGE_BUFFER),
    ("storage_buffer_dynamic", vk::DescriptorType::STORAGE_BUFFER_DYNAMIC),
    ("uniform_texel_buffer", vk::DescriptorType::UNIFORM_TEXEL_BUFFER),
    ("storage_texel_buffer", vk::DescriptorType::STORAGE_TEXEL_BUFFER),
    ("sampled_image", vk::DescriptorType::SAMPLED_IMAGE),
    ("storage_image", vk::DescriptorType::STORAGE_IMAGE),
    ("combined", vk::DescriptorType::COMBINED_IMAGE_SAMPLER),
    ("input_attachment", vk::DescriptorType::INPUT_ATTACHMENT),
    ("inline_uniform_block", vk::DescriptorType::INLINE_UNIFORM_BLOCK),
];

const VIEWS: &[(&str, vk::ImageViewType)] = &[
    ("1d", vk::ImageViewType::TYPE_1D),
    ("1d_array", vk::ImageViewType::TYPE_1D_ARRAY),
    ("2d", vk::ImageViewType::TYPE_2D),
    ("2d_array", vk::ImageViewType::TYPE_2D_ARRAY),
    ("3d", vk::ImageViewType::TYPE_3D),
    ("cube", vk::ImageViewType::CUBE),
    ("cube_array", vk::ImageViewType::CUBE_ARRAY),
];

fn texture(line: &mut Line<'_>, dimensions: usize) -> Result<Kind> {
    let format = line.format()?;
    let mut extent = [1; 3];
    for (size, what) in extent.iter_mut().zip(["W", "H", "D"]).take(dimensions) {
        *size = line.size(what)?;
    }
    let layers = if dimensions == 3 { 1 } else { line.size("LAYERS")? };
    let mips = line.size("MIPS")?;
    if mips > 16 || mips > 32 - extent.iter().max().unwrap_or(&1).leading_zeros() {
        return Err(line.fault(format_args!("{mips} mips are too many for this size")));
    }
    let (kind, view) = match dimensions {
        1 => (vk::ImageType::TYPE_1D, vk::ImageViewType::TYPE_1D),
        2 => (vk::ImageType::TYPE_2D, vk::ImageViewType::TYPE_2D),
        _ => (vk::ImageType::TYPE_3D, vk::ImageViewType::TYPE_3D),
    };
    let view = line.option_choice("view", VIEWS)?.unwrap_or(view);
    let samples = line.option_choice("samples", SAMPLES)?.unwrap_or(1);
    let cube = matches!(view, vk::ImageViewType::CUBE | vk::ImageViewType::CUBE_ARRAY);
    let shape = ImageShape { kind, format: format.vk, extent, mips, layers, samples, cube, reformatted: false };
    Ok(Kind::Texture(shape, format, view))
}

fn sampler(line: &mut Line<'_>) -> Result<Kind> {
    let filters = [("nearest", vk::Filter::NEAREST), ("linear", vk::Filter::LINEAR)];
    let [min, mag] = [line.choice("MIN", &filters)?, line.choice("MAG", &filters)?];
    let mips = [("nearest", vk::SamplerMipmapMode::NEAREST), ("linear", vk::SamplerMipmapMode::LINEAR)];
    let mip = line.choice("MIP", &mips)?;
    let address = line.choice(
        "ADDRESS",
        &[
            ("repeat", vk::SamplerAddressMode::REPEAT),
            ("mirror", vk::SamplerAddressMode::MIRRORED_REPEAT),
            ("clamp", vk::SamplerAddressMode::CLAMP_TO_EDGE),
            ("border", vk::SamplerAddressMode::CLAMP_TO_BORDER),
        ],
    )?;
    let borders = [
        ("transparent", vk::BorderColor::FLOAT_TRANSPARENT_BLACK),
        ("black", vk::BorderColor::FLOAT_OPAQUE_BLACK),
        ("white", vk::BorderColor::FLOAT_OPAQUE_WHITE),
    ];
    // `static` is the only option without a value.
    let fixed = line.accept("static");
    Ok(Kind::Sampler(SamplerState {
        filters: [min, mag],
        mip,
        address,
        compare: line.option_choice("compare", COMPARE)?,
        border: line.option_choice("border", &borders)?.unwrap_or(vk::BorderColor::FLOAT_TRANSPARENT_BLACK),
        lod: [
            line.option_value("min_lod")?.unwrap_or(0.0),
            line.option_value("max_lod")?.unwrap_or(vk::LOD_CLAMP_NONE),
        ],
        bias: line.option_value("lod_bias")?.unwrap_or(0.0),
        anisotropy: line.option_value("anisotropy")?,
        odd: line.option_choice("odd", &filters)?,
        fixed,
    }))
}

/// Reads the names of acceleration structures.
fn structures(line: &mut Line<'_>) -> Result<Kind> {
    let mut names = vec![line.word("NAME")?];
    names.extend(line.words.by_ref());
    Ok(Kind::Structures(names.into_iter().map(|name| (name != "null").then(|| name.to_owned())).collect()))
}

fn default_descriptor(class: char, kind: &Kind) -> Option<vk::DescriptorType> {
    Some(match (kind, class) {
        (Kind::ConstantBuffer(_), 'b') => vk::DescriptorType::UNIFORM_BUFFER,
        (Kind::Buffer(_), 't' | 'u' | 'c') => vk::DescriptorType::STORAGE_BUFFER,
        (Kind::TypedBuffer(..), 't') => vk::DescriptorType::UNIFORM_TEXEL_BUFFER,
        (Kind::TypedBuffer(..), 'u') => vk::DescriptorType::STORAGE_TEXEL_BUFFER,
        (Kind::Texture(..), 't') => vk::DescriptorType::SAMPLED_IMAGE,
        (Kind::Texture(..), 'u') => vk::DescriptorType::STORAGE_IMAGE,
        (Kind::Sampler(_), 's') => vk::DescriptorType::SAMPLER,
        (Kind::Structures(_), 't') => vk::DescriptorType::ACCELERATION_STRUCTURE_KHR,
        _ => return None,
    })
}

/// Reads the kind of a resource and what belongs to it. Returns its name as well.
fn kind<'a>(line: &mut Line<'a>) -> Result<(&'a str, Kind)> {
    let name = line.word("KIND")?;
    let kind = match name {
        "cbuffer" => Kind::ConstantBuffer(line.size("BYTES")?),
        "raw_buffer" => Kind::Buffer(line.size("BYTES")?),
        "structured_buffer" => {
            let (stride, count) = (line.size("STRIDE")?, line.size("COUNT")?);
            let bytes = stride.checked_mul(count).ok_or_else(|| line.fault("the buffer is too large"))?;
            Kind::Buffer(bytes)
        }
        "typed_buffer" => Kind::TypedBuffer(line.format()?, line.size("COUNT")?),
        "texture1d" => texture(line, 1)?,
        "texture2d" => texture(line, 2)?,
        "texture3d" => texture(line, 3)?,
        "sampler" => sampler(line)?,
        "acceleration_structure" => structures(line)?,
        _ => return Err(line.fault(format_args!("unknown resource kind `{name}`"))),
    };
    Ok((name, kind))
}

/// An address in push constants (its byte), and one in a buffer (its element).
type Address = (Option<u32>, Option<(Register, u32)>);

/// Where an address of the resource is, if `at=` says that.
fn address(line: &Line<'_>, at: &str, kind: &Kind, is_alias: bool) -> Result<Address> {
    let address = at.strip_prefix("push.");
    let address = address.map(|text| match (text.parse(), kind) {
        (Ok(byte), Kind::ConstantBuffer(_) | Kind::Buffer(_) | Kind::Structures(_)) if byte % 8 == 0 => Ok(byte),
        _ => Err(line.fault(format_args!(
            "invalid option `at=push.{text}`; an address is of a raw, structured or constant buffer or an acceleration structure, at a multiple of 8"
        ))),
    });
    let listed = at.rsplit_once('.').filter(|(buffer, _)| {
        // Not SET.BINDING or push.BYTE.
        buffer.starts_with(['b', 't', 'u'])
    });
    let listed = listed.map(|(buffer, element)| match (line.register(buffer), element.parse(), kind) {
        (Ok(buffer), Ok(element), Kind::Buffer(_) | Kind::Structures(_)) if !is_alias => Ok((buffer, element)),
        _ => Err(line.fault(format_args!(
            "invalid option `at={buffer}.{element}`; addresses of acceleration structures, and of raw and structured buffers \
             without `is=`, are elements of a buffer, as in `at=t9.3`"
        ))),
    });
    Ok((address.transpose()?, listed.transpose()?))
}

/// Reads the number of descriptors.
fn count(line: &mut Line<'_>, kind: &Kind) -> Result<u32> {
    let named = match kind {
        Kind::Structures(names) => u32::try_from(names.len()).unwrap_or(u32::MAX),
        _ => 1,
    };
    let count: u32 = line.option_value("count")?.unwrap_or(named);
    if named > 1 && count != named {
        return Err(line.fault(format_args!("`count={count}` does not agree with {named} acceleration structures")));
    }
    if !(1..=4096).contains(&count) {
        return Err(line.fault("`count` must be from 1 to 4096"));
    }
    Ok(count)
}

/// Reads the bytes of noise before and after the contents. `can_have` says whether other options
/// permit some.
fn margin(line: &mut Line<'_>, kind: &Kind, can_have: bool) -> Result<u32> {
    let margin: u32 = line.option_value("margin")?.unwrap_or(0);
    let can_have = can_have && matches!(kind, Kind::Buffer(_) | Kind::TypedBuffer(..));
    if margin == 0 || can_have && margin.is_multiple_of(4) && margin <= 1 << 16 {
        return Ok(margin);
    }
    Err(line.fault(
        "`margin` is for raw, structured and typed buffers without `is=` and `offset=`, and must be a multiple of 4 that \
         is at most 65536",
    ))
}

/// Reads a `resource` line. Returns the resource, and whether the line has `at=`. A line with `is=`
/// has no pattern, because it has no contents of its own.
pub(super) fn resource(line: &mut Line<'_>) -> Result<(Resource, bool)> {
    let register = line.word("REGISTER")?;
    let register = line.register(register)?;
    let (name, kind) = kind(line)?;
    let descriptor = default_descriptor(register.class, &kind)
        .ok_or_else(|| line.fault(format_args!("a {name} cannot be at register {}", register.output())))?;
    let out = line.accept("out");
    let alias = line.option("is").map(|text| line.register(text)).transpose()?;
    let contents = !matches!(kind, Kind::Sampler(_) | Kind::Structures(_));
    if !contents && (alias.is_some() || out) || alias.is_some() && out {
        return Err(
            line.fault("`is=` and `out` are for textures and buffers, and `out` must be on the line that `is=` names")
        );
    }
    let filled = alias.is_none() && contents;
    let pattern = if filled { line.pattern()? } else { Pattern::Zero };
    let mips = match (line.option("mip"), &kind) {
        (None, _) => Mips::All,
        (Some("each"), Kind::Texture(..)) if alias.is_some() => Mips::Each,
        (Some(text), Kind::Texture(shape, ..)) => match text.parse() {
            Ok(mip) if mip < shape.mips => Mips::One(mip),
            _ => return Err(line.fault(format_args!("the texture has no mip {text}"))),
        },
        (Some(_), _) => return Err(line.fault("`mip=` is for textures")),
    };
    let with = line.option("with").map(|text| line.register(text)).transpose()?;
    let combined = with.map(|_| vk::DescriptorType::COMBINED_IMAGE_SAMPLER);
    let descriptor = line.option_choice("as", DESCRIPTORS)?.or(combined).unwrap_or(descriptor);
    if (descriptor == vk::DescriptorType::COMBINED_IMAGE_SAMPLER) != with.is_some() {
        return Err(line.fault("`as=combined` needs `with=`, and `with=` needs a combined image sampler"));
    }
    let at = line.option("at");
    let (address, listed) = at.map_or(Ok((None, None)), |at| address(line, at, &kind, alias.is_some()))?;
    let described = address.is_none() && listed.is_none() && at != Some("record");
    let place = match at.filter(|_| described) {
        None => SetBinding { set: register.space, binding: register.number.saturating_add(register.shift()) },
        Some(text) => text
            .split_once('.')
            .and_then(|(set, binding)| Some(SetBinding { set: set.parse().ok()?, binding: binding.parse().ok()? }))
            .ok_or_else(|| line.fault(format_args!("invalid option `at={text}`; expected `at=SET.BINDING`")))?,
    };
    let count = count(line, &kind)?;
    let offset: u32 = line.option_value("offset")?.unwrap_or(0);
    let dynamic =
        matches!(descriptor, vk::DescriptorType::UNIFORM_BUFFER_DYNAMIC | vk::DescriptorType::STORAGE_BUFFER_DYNAMIC);
    if offset != 0 && (!dynamic || alias.is_some() || !offset.is_multiple_of(256) || offset > 1 << 16) {
        return Err(line.fault(
            "`offset` is for dynamic buffers without `is=`, and must be a multiple of 256 that is at most 65536",
        ));
    }
    let margin = margin(line, &kind, alias.is_none() && offset == 0)?;
    if count != 1 && (!described && listed.is_none() || descriptor == vk::DescriptorType::INLINE_UNIFORM_BLOCK) {
        return Err(line.fault("there are no arrays of addresses and of inline uniform blocks"));
    }
    let heap: Option<u32> = line.option_value("heap")?;
    let placed = at.is_some() || heap.is_some();
    Ok((
        Resource {
            register,
            kind,
            out,
            pattern,
            count,
            place,
            heap,
            address,
            listed,
            described,
            descriptor,
            with,
            alias,
            mips,
            offset,
            margin,
        },
        placed,
    ))
}
