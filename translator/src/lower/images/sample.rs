//! Accesses to textures through samplers: samples, and queries of the level of detail.
//!
//! Coordinates have the same order in D3D and SPIR-V: the spatial ones, then the layer. An operand
//! that the access does not have is `undef` in DXIL and absent in SPIR-V.

use rspirv::spirv::{Decoration, Dim, GlslStd450Op, Op};

use super::coordinates::{coordinates, vector};
use super::image;
use super::image::Image;
use super::offset::{Offset, constant_offset, each_offset, offset};
use super::texel::{sparse_type, texel_result, wants_status};
use crate::ir::Value;
use crate::ir::args;
use crate::lower::cx::{Call, Code, FunctionCx, Lowered};
use crate::lower::waves::{derivative, quad_shape};
use crate::ops::consts::{ResourceClass, ShaderStage};
use dxil_base::error::Result;
use dxil_spirv_builder::{Id, ImageOperands, Type};

/// A texture, its sampler, and the coordinates and offset of the access.
pub struct TextureAccess<'a> {
    pub image: Image<'a>,
    sampler: Id,
    non_uniform: bool,
    /// The coordinates.
    pub at: Id,
    offset: Offset,
}

impl TextureAccess<'_> {
    /// The texture combined with its sampler. The result must be used in the same block (SPIR-V,
    /// "OpSampledImage").
    pub fn sampled(&self, code: &mut Code<'_, '_>) -> Id {
        let sampled = code.sampled_image(self.image.value, self.sampler);
        if self.non_uniform {
            code.mark(sampled, Decoration::NonUniform);
        }
        sampled
    }
}

/// Resolves the operands of an access. The site has an offset if there are operands for one.
pub(super) fn site<'a>(
    cx: &mut FunctionCx<'_, 'a>,
    code: &mut Code<'_, '_>,
    texture: Value,
    sampler: Value,
    coords: &[Value],
    offsets: &[Value],
) -> Result<TextureAccess<'a>> {
    let image = texture_of(cx, code, texture)?;
    let (sampler, non_uniform) = image::sampler(cx, code, sampler)?;
    let non_uniform = non_uniform || image.non_uniform;
    let at = coordinates(cx, code, &image, coords)?;
    let offset = offset(cx, code, &image, offsets)?;
    Ok(TextureAccess { image, sampler, non_uniform, at, offset })
}

/// The texture that a handle stands for, which may be combined with a sampler.
fn texture_of<'a>(cx: &mut FunctionCx<'_, 'a>, code: &mut Code<'_, '_>, texture: Value) -> Result<Image<'a>> {
    let image = image::open(cx, code, texture)?;
    let resource = image.resource;
    if image.ty.storage && resource.class == ResourceClass::Srv {
        return Err(unsupported!(
            resource.place(),
            "{resource} is in a storage_image, from which only loads are possible; a sample needs a sampled_image or \
             combined_image_sampler"
        ));
    }
    if image.ty.storage || image.ty.multisampled || !resource.kind.is_texture() {
        return Err(unsupported!(
            cx.entry.place,
            "{resource} cannot be sampled; it must be a read-only texture that is not multisampled"
        ));
    }
    Ok(image)
}

/// Whether the texels are read as floats.
pub(super) fn is_float(code: &mut Code<'_, '_>, image: &Image<'_>) -> bool {
    image.ty.sampled_type == code.type_f32()
}

/// The lower bound of the level of detail, or `None` if it is absent or zero.
fn clamp(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, value: Value) -> Result<Option<Id>> {
    if cx.input.is_undef(value) {
        return Ok(None);
    }
    let id = cx.value(code, value)?;
    Ok(if code.constant_u32(id) == Some(0) { None } else { Some(id) })
}

/// The two derivatives of an access.
fn gradients(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    image: &Image<'_>,
    x: [Value; 3],
    y: [Value; 3],
) -> Result<(Id, Id)> {
    let count = image.ty.spatial() as usize;
    Ok((vector(cx, code, &x, count)?, vector(cx, code, &y, count)?))
}

/// Whether the instruction has an implicit or an explicit level of detail.
#[derive(Clone, Copy)]
enum Lod {
    Implicit,
    Explicit,
}

/// Whether the device computes the derivatives of a sample itself in the entry's stage.
fn takes_derivatives(cx: &FunctionCx<'_, '_>, code: &Code<'_, '_>) -> Result<bool> {
    match cx.input.entry.stage {
        ShaderStage::Pixel => Ok(true),
        ShaderStage::Compute => Ok(quad_shape::has_native_quads(cx.input, &code.caps)),
        stage => Err(unsupported!(
            cx.entry.place,
            "a sample with implicit derivatives in a {stage} shader; only pixel and compute shaders have them"
        )),
    }
}

/// The operands of a sample with explicit derivatives, which are computed here. A bias becomes a
/// factor of 2^bias on the derivatives, because the level of detail is the base-2 logarithm of
/// their length.
fn explicit(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    site: &TextureAccess<'_>,
    operands: &ImageOperands,
) -> Result<ImageOperands> {
    let (count, float) = (site.image.ty.spatial(), code.type_f32());
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
    let x = derivative::emit(cx, code, Op::DPdxCoarse, ty, at)?;
    let y = derivative::emit(cx, code, Op::DPdyCoarse, ty, at)?;
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
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    site: &TextureAccess<'_>,
    lod: Lod,
    compare: Option<Value>,
    operands: &ImageOperands,
) -> Result<Lowered> {
    // Neither HLSL nor Vulkan compares with texels of 3D textures
    // (VUID-StandaloneSpirv-OpImage-04777).
    if compare.is_some() && site.image.ty.dim == Dim::Dim3D {
        let resource = site.image.resource;
        return Err(malformed!(
            call.place,
            "{} from {resource}, which is 3D; only other textures are compared",
            call.op
        ));
    }
    // A sample with a dynamic offset becomes a switch. Derivatives inside a case would be those of
    // the lanes in that case only, so they are computed before the switch.
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

pub fn sample(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::Sample,
) -> Result<Lowered> {
    let site = site(cx, code, args.srv, args.sampler, &coords!(args), &offsets!(args))?;
    let operands = ImageOperands { min_lod: clamp(cx, code, args.clamp)?, ..Default::default() };
    sampled(cx, code, call, &site, Lod::Implicit, None, &operands)
}

pub fn sample_bias(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::SampleBias,
) -> Result<Lowered> {
    let site = site(cx, code, args.srv, args.sampler, &coords!(args), &offsets!(args))?;
    let bias = Some(cx.value(code, args.bias)?);
    let operands = ImageOperands { bias, min_lod: clamp(cx, code, args.clamp)?, ..Default::default() };
    sampled(cx, code, call, &site, Lod::Implicit, None, &operands)
}

pub fn sample_level(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::SampleLevel,
) -> Result<Lowered> {
    let site = site(cx, code, args.srv, args.sampler, &coords!(args), &offsets!(args))?;
    let lod = Some(cx.value(code, args.lod)?);
    let operands = ImageOperands { lod, ..Default::default() };
    sampled(cx, code, call, &site, Lod::Explicit, None, &operands)
}

pub fn sample_grad(
    cx: &mut FunctionCx<'_, '_>,
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

pub fn sample_cmp(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::SampleCmp,
) -> Result<Lowered> {
    let site = site(cx, code, args.srv, args.sampler, &coords!(args), &offsets!(args))?;
    let operands = ImageOperands { min_lod: clamp(cx, code, args.clamp)?, ..Default::default() };
    sampled(cx, code, call, &site, Lod::Implicit, Some(args.compare_value), &operands)
}

pub fn sample_cmp_level_zero(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::SampleCmpLevelZero,
) -> Result<Lowered> {
    let site = site(cx, code, args.srv, args.sampler, &coords!(args), &offsets!(args))?;
    let operands = ImageOperands { lod: Some(code.const_f32(0.0)), ..Default::default() };
    sampled(cx, code, call, &site, Lod::Explicit, Some(args.compare_value), &operands)
}

pub fn sample_cmp_level(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::SampleCmpLevel,
) -> Result<Lowered> {
    let site = site(cx, code, args.srv, args.sampler, &coords!(args), &offsets!(args))?;
    let operands = ImageOperands { lod: Some(cx.value(code, args.lod)?), ..Default::default() };
    sampled(cx, code, call, &site, Lod::Explicit, Some(args.compare_value), &operands)
}

pub fn sample_cmp_bias(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::SampleCmpBias,
) -> Result<Lowered> {
    let site = site(cx, code, args.srv, args.sampler, &coords!(args), &offsets!(args))?;
    let bias = Some(cx.value(code, args.bias)?);
    let operands = ImageOperands { bias, min_lod: clamp(cx, code, args.clamp)?, ..Default::default() };
    sampled(cx, code, call, &site, Lod::Implicit, Some(args.compare_value), &operands)
}

pub fn sample_cmp_grad(
    cx: &mut FunctionCx<'_, '_>,
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

pub fn calculate_lod(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _call: &Call<'_>,
    args: args::CalculateLOD,
) -> Result<Lowered> {
    if !takes_derivatives(cx, code)? {
        return Err(unsupported!(
            cx.entry.place,
            "CalculateLevelOfDetail in a compute shader needs a thread group that divides into quads and a device with \
             VK_KHR_compute_shader_derivatives"
        ));
    }
    let image = texture_of(cx, code, args.handle)?;
    // The level of detail does not depend on the layer, and OpImageQueryLod does not take one.
    let at = vector(cx, code, &[args.coord0, args.coord1, args.coord2], image.ty.spatial() as usize)?;
    let (sampler, non_uniform) = image::sampler(cx, code, args.sampler)?;
    let sampled = code.sampled_image(image.value, sampler);
    if non_uniform || image.non_uniform {
        code.mark(sampled, Decoration::NonUniform);
    }
    let f32t = code.type_f32();
    let pair = code.type_vector(f32t, 2);
    let lod = code.image_query(Op::ImageQueryLod, pair, sampled, Some(at))?;
    // The first component is the level that would be accessed, the second the computed level before
    // clamping (SPIR-V, OpImageQueryLod).
    let component = if cx.entry.immediate(args.clamped)? != 0 { 0 } else { 1 };
    Ok(Lowered::Id(code.extract(f32t, lod, &[component])))
}
