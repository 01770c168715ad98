//! Textures through samplers: sample, gather, level of detail.
//!
//! Coordinates come in D3D's order, which is SPIR-V's: the sizes, then the layer. What the operation does not have is
//! `undef` in DXIL and absent in SPIR-V.

use rspirv::spirv::{Decoration, Dim, GlslStd450Op, Op};

use super::context::Context;
use super::resource::Image;
use super::texture::{self, coordinates, sparse_type, texel_result, vector, wants_status};
use super::{Call, Code, Lowered, compute, derivative};
use crate::dxil::consts::ShaderStage;
use crate::dxil::ir::{self as dxil, Value};
use crate::dxil::ops::args;
use crate::error::Result;
use crate::spirv::{Id, ImageOperands, Type};

/// A texture, its sampler and where it is sampled.
struct Site<'a> {
    image: Image<'a>,
    sampled: Id,
    at: Id,
}

fn site<'a>(
    cx: &mut Context<'a>,
    code: &mut Code<'_, '_>,
    texture: Value,
    sampler: Value,
    coords: &[Value],
) -> Result<Site<'a>> {
    let image = cx.image(code, texture)?;
    let resource = image.resource;
    if image.ty.storage || image.ty.multisampled || !resource.kind.is_texture() {
        return Err(unsupported!(cx.place, "{resource} sampled"));
    }
    let (sampler, non_uniform) = cx.sampler(code, sampler)?;
    let sampled = code.sampled_image(image.value, sampler);
    if non_uniform || image.non_uniform {
        code.mark_new(sampled, Decoration::NonUniform);
    }
    let at = coordinates(cx, code, &image, coords)?;
    Ok(Site { image, sampled, at })
}

/// Components of an offset or a derivative: the coordinates without the layer.
fn spatial(image: &Image<'_>) -> usize {
    (image.ty.coordinates() - u32::from(image.ty.arrayed)) as usize
}

/// Whether the texels are read as floats.
fn is_float(code: &mut Code<'_, '_>, image: &Image<'_>) -> bool {
    image.ty.sampled_type == code.type_f32()
}

/// The offset of an access, `None` where it is absent or zero. Offsets are signed: consumers that fold constants look.
fn offset(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    image: &Image<'_>,
    values: &[Value],
    dynamic: bool,
) -> Result<Option<Id>> {
    let values = values.get(..spatial(image).min(values.len())).unwrap_or_default();
    let constant = |v: &Value| if cx.is_undef(*v) { Some(0) } else { cx.const_uint(*v).map(|n| n as u32 as i32) };
    let constants: Option<Vec<i32>> = values.iter().map(constant).collect();
    let int = code.type_i32();
    let ty = code.type_vector(int, values.len().max(1) as u32);
    let mut ids = Vec::with_capacity(values.len());
    match constants {
        Some(numbers) if numbers.iter().all(|&n| n == 0) => return Ok(None),
        // D3D has no offsets with cubes, nor has SPIR-V ("ConstOffset").
        _ if image.resource.kind.is_cube() => return Err(malformed!(cx.place, "an offset on a cube texture")),
        Some(numbers) => {
            ids.extend(numbers.iter().map(|&n| code.const_i32(n)));
            if let &[only] = ids.as_slice() {
                return Ok(Some(only));
            }
            return Ok(Some(code.const_composite(ty, &ids)));
        }
        // Vulkan allows Offset with gathers only (VUID-StandaloneSpirv-OpImageGather-Offset).
        None if !dynamic => {
            return Err(unsupported!(cx.place, "a sample with an offset that is no constant"));
        }
        None => {}
    }
    for &value in values {
        let id = if cx.is_undef(value) { code.const_i32(0) } else { cx.value(code, value)? };
        let id = code.bitcast(int, id);
        // Six bits with their sign count (D3D11.3 functional specification, `gather4_po`); Vulkan leaves more than the device's range undefined.
        let (start, count) = (code.const_u32(0), code.const_u32(6));
        ids.push(code.op(Op::BitFieldSExtract, int, &[id, start, count]));
    }
    Ok(Some(code.construct(ty, &ids)))
}

/// A clamp of the level of detail, `None` where it is absent or does nothing.
fn clamp(cx: &mut Context<'_>, code: &mut Code<'_, '_>, value: Value) -> Result<Option<Id>> {
    if cx.is_undef(value) {
        return Ok(None);
    }
    let id = cx.value(code, value)?;
    Ok(if code.constant_u32(id) == Some(0) { None } else { Some(id) })
}

/// The two derivatives of an access.
fn gradients(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    image: &Image<'_>,
    x: [Value; 3],
    y: [Value; 3],
) -> Result<(Id, Id)> {
    let count = spatial(image);
    Ok((vector(cx, code, &x, count)?, vector(cx, code, &y, count)?))
}

/// Which sampling instruction: with a comparison or not, with an explicit level of detail or not.
#[derive(Clone, Copy)]
enum Lod {
    Implicit,
    Explicit,
}

/// Whether the device takes the derivatives of a sample itself in the stage at hand.
fn takes_derivatives(cx: &Context<'_>, code: &Code<'_, '_>) -> Result<bool> {
    match cx.program.entry.stage {
        ShaderStage::Pixel => Ok(true),
        ShaderStage::Compute => Ok(compute::has_native_quads(cx, &code.caps)),
        stage => Err(unsupported!(cx.place, "a sample with derivatives in a {stage} shader")),
    }
}

/// The operands of a sample with the derivatives of its coordinates taken here. A bias of the level is a factor on them: the level
/// is the logarithm of their length.
fn explicit(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    site: &Site<'_>,
    operands: &ImageOperands,
) -> Result<ImageOperands> {
    let (count, float) = (spatial(&site.image) as u32, code.type_f32());
    let ty = code.type_vector(float, count);
    let at = match code.ty_of(site.at) {
        Some(Type::Vector { count: all, .. }) if all == count => site.at,
        Some(Type::Vector { .. }) if count == 1 => code.extract(float, site.at, &[0]),
        Some(Type::Vector { .. }) => {
            let kept = [0, 1, 2];
            code.shuffle(ty, site.at, site.at, kept.get(..count as usize).unwrap_or(&kept))
        }
        _ => site.at,
    };
    let x = derivative::of(cx, code, Op::DPdxCoarse, ty, at)?;
    let y = derivative::of(cx, code, Op::DPdyCoarse, ty, at)?;
    let grad = match operands.bias {
        None => (x, y),
        Some(bias) => {
            let factor = code.glsl(GlslStd450Op::Exp2, float, &[bias]);
            let factor = code.splat(ty, factor);
            (code.binary(Op::FMul, ty, x, factor), code.binary(Op::FMul, ty, y, factor))
        }
    };
    Ok(ImageOperands { bias: None, grad: Some(grad), ..*operands })
}

fn sampled(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    site: &Site<'_>,
    lod: Lod,
    compare: Option<Value>,
    operands: &ImageOperands,
) -> Result<Lowered> {
    let (lod, operands) = match lod {
        Lod::Implicit if !takes_derivatives(cx, code)? => (Lod::Explicit, &explicit(cx, code, site, operands)?),
        _ => (lod, operands),
    };
    let sparse = wants_status(cx, code, call);
    let scalar = site.image.ty.sampled_type;
    let texel_ty = if compare.is_some() { scalar } else { code.type_vector(scalar, 4) };
    let ty = if sparse { sparse_type(code, texel_ty) } else { texel_ty };
    let op = match (lod, compare.is_some(), sparse) {
        (Lod::Implicit, false, false) => Op::ImageSampleImplicitLod,
        (Lod::Implicit, false, true) => Op::ImageSparseSampleImplicitLod,
        (Lod::Implicit, true, false) => Op::ImageSampleDrefImplicitLod,
        (Lod::Implicit, true, true) => Op::ImageSparseSampleDrefImplicitLod,
        (Lod::Explicit, false, false) => Op::ImageSampleExplicitLod,
        (Lod::Explicit, false, true) => Op::ImageSparseSampleExplicitLod,
        (Lod::Explicit, true, false) => Op::ImageSampleDrefExplicitLod,
        (Lod::Explicit, true, true) => Op::ImageSparseSampleDrefExplicitLod,
    };
    let value = match compare {
        Some(reference) => {
            let reference = cx.value(code, reference)?;
            code.image_sample_with(op, ty, site.sampled, site.at, reference, operands)?
        }
        None => code.image_sample(op, ty, site.sampled, site.at, operands)?,
    };
    texel_result(cx, code, call, &site.image, value, sparse)
}

/// `coords!(args)`: the four coordinates; `offsets!(args)`: the three offsets.
macro_rules! coords {
    ($args:ident) => {
        [$args.coord0, $args.coord1, $args.coord2, $args.coord3]
    };
}
macro_rules! offsets {
    ($args:ident) => {
        [$args.offset0, $args.offset1, $args.offset2]
    };
}

pub(super) fn sample(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::Sample,
) -> Result<Lowered> {
    let site = site(cx, code, args.srv, args.sampler, &coords!(args))?;
    let offset = offset(cx, code, &site.image, &offsets!(args), false)?;
    let operands = ImageOperands { offset, min_lod: clamp(cx, code, args.clamp)?, ..Default::default() };
    sampled(cx, code, call, &site, Lod::Implicit, None, &operands)
}

pub(super) fn sample_bias(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::SampleBias,
) -> Result<Lowered> {
    let site = site(cx, code, args.srv, args.sampler, &coords!(args))?;
    let offset = offset(cx, code, &site.image, &offsets!(args), false)?;
    let bias = Some(cx.value(code, args.bias)?);
    let operands = ImageOperands { bias, offset, min_lod: clamp(cx, code, args.clamp)?, ..Default::default() };
    sampled(cx, code, call, &site, Lod::Implicit, None, &operands)
}

pub(super) fn sample_level(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::SampleLevel,
) -> Result<Lowered> {
    let site = site(cx, code, args.srv, args.sampler, &coords!(args))?;
    let offset = offset(cx, code, &site.image, &offsets!(args), false)?;
    let lod = Some(cx.value(code, args.lod)?);
    let operands = ImageOperands { lod, offset, ..Default::default() };
    sampled(cx, code, call, &site, Lod::Explicit, None, &operands)
}

pub(super) fn sample_grad(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::SampleGrad,
) -> Result<Lowered> {
    let site = site(cx, code, args.srv, args.sampler, &coords!(args))?;
    let offset = offset(cx, code, &site.image, &offsets!(args), false)?;
    let (x, y) = ([args.ddx0, args.ddx1, args.ddx2], [args.ddy0, args.ddy1, args.ddy2]);
    let grad = Some(gradients(cx, code, &site.image, x, y)?);
    let operands = ImageOperands { grad, offset, min_lod: clamp(cx, code, args.clamp)?, ..Default::default() };
    sampled(cx, code, call, &site, Lod::Explicit, None, &operands)
}

pub(super) fn sample_cmp(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::SampleCmp,
) -> Result<Lowered> {
    let site = site(cx, code, args.srv, args.sampler, &coords!(args))?;
    let offset = offset(cx, code, &site.image, &offsets!(args), false)?;
    let operands = ImageOperands { offset, min_lod: clamp(cx, code, args.clamp)?, ..Default::default() };
    sampled(cx, code, call, &site, Lod::Implicit, Some(args.compare_value), &operands)
}

pub(super) fn sample_cmp_level_zero(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::SampleCmpLevelZero,
) -> Result<Lowered> {
    let site = site(cx, code, args.srv, args.sampler, &coords!(args))?;
    let offset = offset(cx, code, &site.image, &offsets!(args), false)?;
    let operands = ImageOperands { lod: Some(code.const_f32(0.0)), offset, ..Default::default() };
    sampled(cx, code, call, &site, Lod::Explicit, Some(args.compare_value), &operands)
}

pub(super) fn sample_cmp_level(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::SampleCmpLevel,
) -> Result<Lowered> {
    let site = site(cx, code, args.srv, args.sampler, &coords!(args))?;
    let offset = offset(cx, code, &site.image, &offsets!(args), false)?;
    let operands = ImageOperands { lod: Some(cx.value(code, args.lod)?), offset, ..Default::default() };
    sampled(cx, code, call, &site, Lod::Explicit, Some(args.compare_value), &operands)
}

pub(super) fn sample_cmp_bias(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::SampleCmpBias,
) -> Result<Lowered> {
    let site = site(cx, code, args.srv, args.sampler, &coords!(args))?;
    let offset = offset(cx, code, &site.image, &offsets!(args), false)?;
    let bias = Some(cx.value(code, args.bias)?);
    let operands = ImageOperands { bias, offset, min_lod: clamp(cx, code, args.clamp)?, ..Default::default() };
    sampled(cx, code, call, &site, Lod::Implicit, Some(args.compare_value), &operands)
}

pub(super) fn sample_cmp_grad(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::SampleCmpGrad,
) -> Result<Lowered> {
    let site = site(cx, code, args.srv, args.sampler, &coords!(args))?;
    let offset = offset(cx, code, &site.image, &offsets!(args), false)?;
    let (x, y) = ([args.ddx0, args.ddx1, args.ddx2], [args.ddy0, args.ddy1, args.ddy2]);
    let grad = Some(gradients(cx, code, &site.image, x, y)?);
    let operands = ImageOperands { grad, offset, min_lod: clamp(cx, code, args.clamp)?, ..Default::default() };
    sampled(cx, code, call, &site, Lod::Explicit, Some(args.compare_value), &operands)
}

pub(super) fn gather(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::TextureGather,
) -> Result<Lowered> {
    let channel = cx.immediate(args.channel)?;
    if channel > 3 {
        return Err(malformed!(call.place, "a gather of channel {channel}"));
    }
    let site = site(cx, code, args.srv, args.sampler, &coords!(args))?;
    let channel = code.const_u32(channel);
    gathered(cx, code, call, &site, (Op::ImageGather, Op::ImageSparseGather), channel, [args.offset0, args.offset1])
}

/// `GatherRaw`: the four texels as bits (HLSL_SM_6_7_Advanced_Texture_Ops, "Raw Gather Methods"): D3D views the texture as R16_UINT,
/// R32_UINT or R32G32_UINT, so nothing is converted; 64 bits are two components, low word first.
pub(super) fn gather_raw(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::TextureGatherRaw,
) -> Result<Lowered> {
    let site = site(cx, code, args.srv, args.sampler, &coords!(args))?;
    let (ops, offsets) = ((Op::ImageGather, Op::ImageSparseGather), [args.offset0, args.offset1]);
    let (first, second) = (code.const_u32(0), code.const_u32(1));
    if is_float(code, &site.image) {
        return Err(unsupported!(call.place, "a raw gather from {}, whose texels are floats", site.image.resource));
    }
    let wide = texture::overload(cx, call)?;
    if *cx.ir_type(wide) != dxil::Type::Int(64) {
        return gathered(cx, code, call, &site, ops, first, offsets);
    }
    let ((low, is_sparse), (high, _)) = (
        gather_texels(cx, code, call, &site, ops, first, offsets)?,
        gather_texels(cx, code, call, &site, ops, second, offsets)?,
    );
    let (word, ty) = (code.type_u32(), cx.ty(code, wide)?);
    let (pair, four) = (code.type_vector(word, 2), code.type_vector(word, 4));
    let mut status = first;
    let halves = [low, high].map(|texels| {
        let texels = if is_sparse {
            status = code.extract(word, texels, &[0]);
            let texel_ty = code.type_vector(site.image.ty.sampled_type, 4);
            code.extract(texel_ty, texels, &[1])
        } else {
            texels
        };
        code.bitcast(four, texels)
    });
    let mut leaves = [status; 5];
    for (leaf, n) in leaves.iter_mut().take(4).zip(0u32..) {
        let words = halves.map(|half| code.component(half, n));
        let both = code.construct(pair, &words);
        *leaf = code.bitcast(ty, both);
    }
    Ok(cx.parts(&leaves))
}

pub(super) fn gather_cmp(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::TextureGatherCmp,
) -> Result<Lowered> {
    // OpImageDrefGather has no component: it gathers the first, as depth formats have no other.
    if cx.immediate(args.channel)? != 0 {
        return Err(unsupported!(call.place, "a comparing gather of another channel than the first"));
    }
    let site = site(cx, code, args.srv, args.sampler, &coords!(args))?;
    if !is_float(code, &site.image) {
        // No format of integers can be compared (D3D11.3 functional specification, format support tables; Vulkan asks for a depth format).
        return Err(unsupported!(call.place, "a comparing gather of integers"));
    }
    let reference = cx.value(code, args.compare_value)?;
    let ops = (Op::ImageDrefGather, Op::ImageSparseDrefGather);
    gathered(cx, code, call, &site, ops, reference, [args.offset0, args.offset1])
}

/// Four texels of a gather as the instruction gives them, and whether that is with a status.
fn gather_texels(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    site: &Site<'_>,
    (plain, sparse): (Op, Op),
    third: Id,
    offsets: [Value; 2],
) -> Result<(Id, bool)> {
    // HLSL has Gather on these alone, and so has OpImageGather.
    if !matches!(site.image.ty.dim, Dim::Dim2D | Dim::DimCube) || site.image.ty.multisampled {
        return Err(malformed!(call.place, "{} from {}", call.op, site.image.resource));
    }
    let offset = offset(cx, code, &site.image, &offsets, true)?;
    let operands = ImageOperands { offset, ..Default::default() };
    let is_sparse = wants_status(cx, code, call);
    let texel_ty = code.type_vector(site.image.ty.sampled_type, 4);
    let (op, ty) = match is_sparse {
        true => (sparse, sparse_type(code, texel_ty)),
        false => (plain, texel_ty),
    };
    Ok((code.image_sample_with(op, ty, site.sampled, site.at, third, &operands)?, is_sparse))
}

fn gathered(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    site: &Site<'_>,
    ops: (Op, Op),
    third: Id,
    offsets: [Value; 2],
) -> Result<Lowered> {
    let (value, is_sparse) = gather_texels(cx, code, call, site, ops, third, offsets)?;
    texel_result(cx, code, call, &site.image, value, is_sparse)
}

pub(super) fn calculate_lod(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    _call: &Call<'_>,
    args: args::CalculateLOD,
) -> Result<Lowered> {
    if !takes_derivatives(cx, code)? {
        return Err(unsupported!(
            cx.place,
            "the level of detail of a compute shader's sample, on a device without derivatives there"
        ));
    }
    let image = cx.image(code, args.handle)?;
    // The layer does not enter into it, and SPIR-V does not take it.
    let at = vector(cx, code, &[args.coord0, args.coord1, args.coord2], spatial(&image))?;
    let (sampler, non_uniform) = cx.sampler(code, args.sampler)?;
    let sampled = code.sampled_image(image.value, sampler);
    if non_uniform || image.non_uniform {
        code.mark_new(sampled, Decoration::NonUniform);
    }
    let f32t = code.type_f32();
    let pair = code.type_vector(f32t, 2);
    let lod = code.image_query(Op::ImageQueryLod, pair, sampled, Some(at))?;
    // SPIR-V, OpImageQueryLod: first the level that would be accessed, then the one computed.
    let component = if cx.immediate(args.clamped)? != 0 { 0 } else { 1 };
    Ok(Lowered::Id(code.extract(f32t, lod, &[component])))
}
