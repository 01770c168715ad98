//! Numbers and positions of the samples of textures and render targets.

use rspirv::spirv::Op;

use super::image;
use crate::ir::args;
use crate::lower::cx::{Call, Code, Declared, FunctionCx, Lowered};
use dxil_base::error::Result;
use dxil_spirv_builder::Id;

/// Standard sample positions in sixteenths of a pixel from its centre, for 1, 2, 4, 8 and 16
/// samples (D3D11.3 functional specification, "Sample Positions"). The positions for n samples
/// start at index n − 1. Vulkan ("Standard sample locations") has the same positions, measured from
/// the pixel's corner.
#[rustfmt::skip]
const SAMPLE_POSITIONS: [(i8, i8); 31] = [
    (0, 0),
    (4, 4), (-4, -4),
    (-2, -6), (6, -2), (-6, 2), (2, 6),
    (1, -3), (-1, 3), (5, 1), (-3, -5), (-5, 5), (-7, -1), (3, 7), (7, -7),
    (1, 1), (-1, -3), (-3, 2), (4, -1), (-5, -2), (2, 5), (5, 3), (3, -5),
    (-2, 6), (0, -7), (-4, -6), (-6, 4), (-8, 0), (7, -4), (6, 7), (-7, -8),
];

/// `GetSamplePosition` of a texture: D3D's standard position for the texture's number of samples.
/// The position of a sample that does not exist is 0.
pub fn sample_position(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::Texture2DMSGetSamplePosition,
) -> Result<Lowered> {
    let image = image::open(cx, code, args.srv)?;
    if !image.ty.multisampled {
        return Err(malformed!(call.place, "{} of {}, which is not multisampled", call.op, image.resource));
    }
    let sample = cx.value(code, args.index)?;
    let word = code.type_u32();
    let count = code.image_query(Op::ImageQuerySamples, word, image.value, None)?;
    let parts = standard_position(code, count, sample);
    Ok(cx.locals.parts(&parts))
}

/// D3D's standard position of one of `count` samples, in pixels from the centre of the pixel. It is
/// 0 for a sample that does not exist.
pub fn standard_position(code: &mut Code<'_, '_>, count: Id, sample: Id) -> [Id; 2] {
    let (word, float, bool_ty) = (code.type_u32(), code.type_f32(), code.type_bool());
    let pair = code.type_vector(float, 2);
    let mut positions = Vec::with_capacity(SAMPLE_POSITIONS.len());
    for (x, y) in SAMPLE_POSITIONS {
        let numbers = [x, y].map(|n| code.const_f32(f32::from(n) / 16.0));
        positions.push(code.const_composite(pair, &numbers));
    }
    let table = code.type_array(pair, positions.len() as u32, None);
    let values = code.const_composite(table, &positions);
    let table = code.local(table, Some(values));
    // The positions of n samples, a power of two, start at n - 1.
    let one = code.const_u32(1);
    let there = code.binary(Op::ULessThan, bool_ty, sample, count);
    let (known, most) = (code.type_bool(), code.const_u32(16));
    let known = code.binary(Op::ULessThanEqual, known, count, most);
    let there = code.binary(Op::LogicalAnd, bool_ty, there, known);
    let start = code.binary(Op::ISub, word, count, one);
    let at = code.binary(Op::IAdd, word, start, sample);
    let zero = code.const_u32(0);
    let at = code.select(word, there, at, zero);
    let pointer = code.access_chain(pair, table, &[at]);
    let position = code.load(pointer);
    [code.component(position, 0), code.component(position, 1)]
}

/// The number of samples of the render targets. It is a constant of the pipeline, because Vulkan
/// has no query for it in a shader.
///
/// # Errors
/// `Binding` if the caller did not say it.
fn samples(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, call: &Call<'_>) -> Result<Id> {
    let pipeline = &cx.input.options.pipeline;
    match (pipeline.samples, pipeline.samples_constant) {
        (0, None) => Err(binding_error!(
            call.place,
            "{} needs the pipeline's number of samples, which is not known; dxil2spv takes --samples N",
            call.op
        )),
        (0, Some(id)) => cx.entry.declare(code, Declared::Specialised(id), |_, module| {
            let constant = module.spec_constant_u32(id, 1);
            module.name(constant, "samples");
            Ok(constant)
        }),
        (count, _) => Ok(code.const_u32(count)),
    }
}

/// `GetRenderTargetSampleCount`.
pub fn target_sample_count(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    _: args::RenderTargetGetSampleCount,
) -> Result<Lowered> {
    Ok(Lowered::Id(samples(cx, code, call)?))
}

/// `GetRenderTargetSamplePosition`: the position in D3D's standard pattern.
pub fn target_sample_position(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::RenderTargetGetSamplePosition,
) -> Result<Lowered> {
    let (count, sample) = (samples(cx, code, call)?, cx.value(code, args.index)?);
    let parts = standard_position(code, count, sample);
    Ok(cx.locals.parts(&parts))
}
