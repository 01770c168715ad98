//! Textures through samplers: sample, gather, level of detail.
//!
//! Coordinates come in D3D's order, which is SPIR-V's: the sizes, then the layer. What the operation does not have is
//! `undef` in DXIL and absent in SPIR-V.

use rspirv::spirv::{Decoration, Dim, GlslStd450Op, Op};

use super::context::Context;
use super::resource::Image;
use super::texture::{self, coordinates, sparse_type, texel_and_status, texel_result, vector, wants_status};
use super::{Call, Code, Lowered, compute, derivative};
use crate::dxil::consts::ShaderStage;
use crate::dxil::ir::{self as dxil, Value};
use crate::dxil::ops::args;
use crate::error::Result;
use crate::spirv::{Id, ImageOperands, Type};

/// A texture, its sampler and where it is sampled.
struct Site<'a> {
    image: Image<'a>,
    sampler: Id,
    non_uniform: bool,
    at: Id,
    offset: Offset,
}

impl Site<'_> {
    /// The texture with its sampler, for use in the block at hand (SPIR-V, "OpSampledImage").
    fn sampled(&self, code: &mut Code<'_, '_>) -> Id {
        let sampled = code.sampled_image(self.image.value, self.sampler);
        if self.non_uniform {
            code.mark_new(sampled, Decoration::NonUniform);
        }
        sampled
    }
}

/// The offset of a sample, in texels of the level that is accessed.
enum Offset {
    /// None, or zero.
    None,
    /// The same always, by component.
    Constant(Vec<i32>),
    /// Components, some of which are known only when the shader runs.
    Dynamic(Vec<Step>),
}

/// A component of an offset.
#[derive(Clone, Copy)]
enum Step {
    Constant(i32),
    Dynamic(Id),
}

/// How many values a component of an offset has that is no constant.
const STEPS: u32 = 16;
/// Most samples that one sample with such an offset becomes: two components of it.
const SAMPLES: u32 = STEPS * STEPS;

fn site<'a>(
    cx: &mut Context<'a>,
    code: &mut Code<'_, '_>,
    texture: Value,
    sampler: Value,
    coords: &[Value],
    offsets: &[Value],
) -> Result<Site<'a>> {
    let image = cx.image(code, texture)?;
    let resource = image.resource;
    if image.ty.storage || image.ty.multisampled || !resource.kind.is_texture() {
        return Err(unsupported!(cx.place, "{resource} sampled"));
    }
    let (sampler, non_uniform) = cx.sampler(code, sampler)?;
    let non_uniform = non_uniform || image.non_uniform;
    let at = coordinates(cx, code, &image, coords)?;
    let offset = offset(cx, code, &image, offsets)?;
    Ok(Site { image, sampler, non_uniform, at, offset })
}

/// Components of an offset or a derivative: the coordinates without the layer.
fn spatial(image: &Image<'_>) -> usize {
    (image.ty.coordinates() - u32::from(image.ty.arrayed)) as usize
}

/// Whether the texels are read as floats.
fn is_float(code: &mut Code<'_, '_>, image: &Image<'_>) -> bool {
    image.ty.sampled_type == code.type_f32()
}

/// The offset of a sample.
fn offset(cx: &mut Context<'_>, code: &mut Code<'_, '_>, image: &Image<'_>, values: &[Value]) -> Result<Offset> {
    let values = values.get(..spatial(image).min(values.len())).unwrap_or_default();
    let mut steps = Vec::with_capacity(values.len());
    for &value in values {
        steps.push(match cx.const_uint(value) {
            _ if cx.is_undef(value) => Step::Constant(0),
            Some(number) => Step::Constant(number as u32 as i32),
            None => Step::Dynamic(cx.value(code, value)?),
        });
    }
    let constants: Option<Vec<i32>> = steps
        .iter()
        .map(|step| match step {
            Step::Constant(number) => Some(*number),
            Step::Dynamic(_) => None,
        })
        .collect();
    match constants {
        Some(numbers) if numbers.iter().all(|&n| n == 0) => Ok(Offset::None),
        // D3D has no offsets with cubes, nor has SPIR-V ("ConstOffset").
        _ if image.resource.kind.is_cube() => Err(malformed!(cx.place, "an offset on a cube texture")),
        Some(numbers) => Ok(Offset::Constant(numbers)),
        None => Ok(Offset::Dynamic(steps)),
    }
}

/// The operand for a constant offset. It is signed: consumers that fold constants look.
fn constant_offset(code: &mut Code<'_, '_>, numbers: &[i32]) -> Id {
    let int = code.type_i32();
    let ids: Vec<Id> = numbers.iter().map(|&n| code.const_i32(n)).collect();
    match ids.as_slice() {
        &[only] => only,
        ids => {
            let ty = code.type_vector(int, ids.len() as u32);
            code.const_composite(ty, ids)
        }
    }
}

/// The offset of a gather, which is the one that Vulkan lets be no constant (VUID-StandaloneSpirv-Offset-04663).
fn gather_offset(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    image: &Image<'_>,
    values: &[Value],
) -> Result<Option<Id>> {
    let steps = match offset(cx, code, image, values)? {
        Offset::None => return Ok(None),
        Offset::Constant(numbers) => return Ok(Some(constant_offset(code, &numbers))),
        Offset::Dynamic(steps) => steps,
    };
    let int = code.type_i32();
    // Six bits with their sign count (D3D11.3 functional specification, `gather4_po`); Vulkan leaves more than the device's range undefined.
    let (start, count) = (code.const_u32(0), code.const_u32(6));
    let ids: Vec<Id> = steps
        .into_iter()
        .map(|step| match step {
            Step::Constant(number) => code.const_i32(number),
            Step::Dynamic(id) => {
                let id = code.bitcast(int, id);
                code.op(Op::BitFieldSExtract, int, &[id, start, count])
            }
        })
        .collect();
    let ty = code.type_vector(int, ids.len().max(1) as u32);
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

/// A sample with an offset that is known only when the shader runs. Four bits of each component count (HLSL_SM_6_7_Advanced_Texture_Ops,
/// "Programmable Offsets"), and Vulkan takes constants alone: so one sample for each offset there can be, of which a lane runs one. To move the
/// coordinates by the offset's share of the texture instead would round, and is another distance on each of two levels.
fn each_offset(
    cx: &Context<'_>,
    code: &mut Code<'_, '_>,
    ty: Id,
    steps: &[Step],
    one: impl Fn(&mut Code<'_, '_>, Option<Id>) -> Result<Id>,
) -> Result<Id> {
    let (word, mask) = (code.type_u32(), code.const_u32(STEPS - 1));
    let (mut which, mut count) = (code.const_u32(0), 1u32);
    for step in steps {
        if let Step::Dynamic(id) = *step {
            let (low, factor) = (code.binary(Op::BitwiseAnd, word, id, mask), code.const_u32(count));
            let shifted = code.binary(Op::IMul, word, low, factor);
            which = code.binary(Op::IAdd, word, which, shifted);
            count = count.saturating_mul(STEPS);
        }
    }
    if count > SAMPLES {
        return Err(unsupported!(cx.place, "a sample with an offset of three components that are no constants"));
    }
    code.select_among(ty, which, count, |code, mut n| {
        let numbers: Vec<i32> = steps
            .iter()
            .map(|step| match *step {
                Step::Constant(number) => number,
                Step::Dynamic(_) => {
                    let low = (n % STEPS) as i32;
                    n /= STEPS;
                    if low < 8 { low } else { low - STEPS as i32 }
                }
            })
            .collect();
        let offset = if numbers.iter().all(|&n| n == 0) { None } else { Some(constant_offset(code, &numbers)) };
        one(code, offset)
    })
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
    // Samples in a switch take the derivatives of its lanes alone, so they are taken before.
    let in_switch = matches!(site.offset, Offset::Dynamic(_));
    let (lod, operands) = match lod {
        Lod::Implicit if !takes_derivatives(cx, code)? || in_switch => {
            (Lod::Explicit, &explicit(cx, code, site, operands)?)
        }
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
    let reference = match compare {
        Some(reference) => Some(cx.value(code, reference)?),
        None => None,
    };
    let one = |code: &mut Code<'_, '_>, offset: Option<Id>| {
        let (sampled, operands) = (site.sampled(code), ImageOperands { offset, ..*operands });
        match reference {
            Some(reference) => code.image_sample_with(op, ty, sampled, site.at, reference, &operands),
            None => code.image_sample(op, ty, sampled, site.at, &operands),
        }
    };
    let value = match &site.offset {
        Offset::None => one(code, None)?,
        Offset::Constant(numbers) => {
            let offset = constant_offset(code, numbers);
            one(code, Some(offset))?
        }
        Offset::Dynamic(steps) => each_offset(cx, code, ty, steps, one)?,
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
    let site = site(cx, code, args.srv, args.sampler, &coords!(args), &offsets!(args))?;
    let operands = ImageOperands { min_lod: clamp(cx, code, args.clamp)?, ..Default::default() };
    sampled(cx, code, call, &site, Lod::Implicit, None, &operands)
}

pub(super) fn sample_bias(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::SampleBias,
) -> Result<Lowered> {
    let site = site(cx, code, args.srv, args.sampler, &coords!(args), &offsets!(args))?;
    let bias = Some(cx.value(code, args.bias)?);
    let operands = ImageOperands { bias, min_lod: clamp(cx, code, args.clamp)?, ..Default::default() };
    sampled(cx, code, call, &site, Lod::Implicit, None, &operands)
}

pub(super) fn sample_level(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::SampleLevel,
) -> Result<Lowered> {
    let site = site(cx, code, args.srv, args.sampler, &coords!(args), &offsets!(args))?;
    let lod = Some(cx.value(code, args.lod)?);
    let operands = ImageOperands { lod, ..Default::default() };
    sampled(cx, code, call, &site, Lod::Explicit, None, &operands)
}

pub(super) fn sample_grad(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::SampleGrad,
) -> Result<Lowered> {
    let site = site(cx, code, args.srv, args.sampler, &coords!(args), &offsets!(args))?;
    let (x, y) = ([args.ddx0, args.ddx1, args.ddx2], [args.ddy0, args.ddy1, args.ddy2]);
    let grad = Some(gradients(cx, code, &site.image, x, y)?);
    let operands = ImageOperands { grad, min_lod: clamp(cx, code, args.clamp)?, ..Default::default() };
    sampled(cx, code, call, &site, Lod::Explicit, None, &operands)
}

pub(super) fn sample_cmp(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::SampleCmp,
) -> Result<Lowered> {
    let site = site(cx, code, args.srv, args.sampler, &coords!(args), &offsets!(args))?;
    let operands = ImageOperands { min_lod: clamp(cx, code, args.clamp)?, ..Default::default() };
    sampled(cx, code, call, &site, Lod::Implicit, Some(args.compare_value), &operands)
}

pub(super) fn sample_cmp_level_zero(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::SampleCmpLevelZero,
) -> Result<Lowered> {
    let site = site(cx, code, args.srv, args.sampler, &coords!(args), &offsets!(args))?;
    let operands = ImageOperands { lod: Some(code.const_f32(0.0)), ..Default::default() };
    sampled(cx, code, call, &site, Lod::Explicit, Some(args.compare_value), &operands)
}

pub(super) fn sample_cmp_level(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::SampleCmpLevel,
) -> Result<Lowered> {
    let site = site(cx, code, args.srv, args.sampler, &coords!(args), &offsets!(args))?;
    let operands = ImageOperands { lod: Some(cx.value(code, args.lod)?), ..Default::default() };
    sampled(cx, code, call, &site, Lod::Explicit, Some(args.compare_value), &operands)
}

pub(super) fn sample_cmp_bias(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::SampleCmpBias,
) -> Result<Lowered> {
    let site = site(cx, code, args.srv, args.sampler, &coords!(args), &offsets!(args))?;
    let bias = Some(cx.value(code, args.bias)?);
    let operands = ImageOperands { bias, min_lod: clamp(cx, code, args.clamp)?, ..Default::default() };
    sampled(cx, code, call, &site, Lod::Implicit, Some(args.compare_value), &operands)
}

pub(super) fn sample_cmp_grad(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::SampleCmpGrad,
) -> Result<Lowered> {
    let site = site(cx, code, args.srv, args.sampler, &coords!(args), &offsets!(args))?;
    let (x, y) = ([args.ddx0, args.ddx1, args.ddx2], [args.ddy0, args.ddy1, args.ddy2]);
    let grad = Some(gradients(cx, code, &site.image, x, y)?);
    let operands = ImageOperands { grad, min_lod: clamp(cx, code, args.clamp)?, ..Default::default() };
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
    let site = site(cx, code, args.srv, args.sampler, &coords!(args), &[])?;
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
    let site = site(cx, code, args.srv, args.sampler, &coords!(args), &[])?;
    let (ops, offsets) = ((Op::ImageGather, Op::ImageSparseGather), [args.offset0, args.offset1]);
    let (first, second) = (code.const_u32(0), code.const_u32(1));
    if is_float(code, &site.image) {
        return Err(unsupported!(call.place, "a raw gather from {}, whose texels are floats", site.image.resource));
    }
    let wide = texture::overload(cx, call)?;
    if *cx.ir_type(wide) != dxil::Type::Int(64) {
        return gathered(cx, code, call, &site, ops, first, offsets);
    }
    let (low, is_sparse) = gather_texels(cx, code, call, &site, ops, first, offsets)?;
    let (high, _) = gather_texels(cx, code, call, &site, ops, second, offsets)?;
    let ((low, _), (high, status)) =
        (texel_and_status(code, call, low, is_sparse)?, texel_and_status(code, call, high, is_sparse)?);
    let (word, ty) = (code.type_u32(), cx.ty(code, wide)?);
    let (pair, four) = (code.type_vector(word, 2), code.type_vector(word, 4));
    let halves = [low, high].map(|texels| code.bitcast(four, texels));
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
    let site = site(cx, code, args.srv, args.sampler, &coords!(args), &[])?;
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
    let offset = gather_offset(cx, code, &site.image, &offsets)?;
    let operands = ImageOperands { offset, ..Default::default() };
    let is_sparse = wants_status(cx, code, call);
    let texel_ty = code.type_vector(site.image.ty.sampled_type, 4);
    let (op, ty) = match is_sparse {
        true => (sparse, sparse_type(code, texel_ty)),
        false => (plain, texel_ty),
    };
    let sampled = site.sampled(code);
    Ok((code.image_sample_with(op, ty, sampled, site.at, third, &operands)?, is_sparse))
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
