//! Derivatives across a quad.

use rspirv::spirv::Op;

use super::context::Context;
use super::{Call, Code, Lowered};
use crate::dxil::consts::ShaderStage;
use crate::dxil::ir::Value;
use crate::dxil::ops::args;
use crate::error::Result;

/// OpDPdx and its siblings take 32-bit floats only (SPIR-V 3.52.16): halves are widened and the result narrowed.
fn derivative(cx: &mut Context<'_>, code: &mut Code<'_, '_>, call: &Call<'_>, op: Op, value: Value) -> Result<Lowered> {
    if cx.program.entry.stage != ShaderStage::Pixel {
        return Err(unsupported!(call.place, "{} outside pixel shaders is not lowered yet", call.op));
    }
    let (value, ty) = (cx.value(code, value)?, cx.ty(code, call.ty()?)?);
    if code.width(ty) == Some(32) {
        return Ok(Lowered::Id(code.derivative(op, ty, value)?));
    }
    let single = code.type_f32();
    let wide = code.unary(Op::FConvert, single, value);
    let result = code.derivative(op, single, wide)?;
    Ok(Lowered::Id(code.unary(Op::FConvert, ty, result)))
}

/// Difference to the horizontal neighbour, one for the quad.
pub(super) fn coarse_x(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::DerivCoarseX,
) -> Result<Lowered> {
    derivative(cx, code, call, Op::DPdxCoarse, args.value)
}

/// Difference to the vertical neighbour, one for the quad.
pub(super) fn coarse_y(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::DerivCoarseY,
) -> Result<Lowered> {
    derivative(cx, code, call, Op::DPdyCoarse, args.value)
}

/// Difference to the horizontal neighbour, one for each row.
pub(super) fn fine_x(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::DerivFineX,
) -> Result<Lowered> {
    derivative(cx, code, call, Op::DPdxFine, args.value)
}

/// Difference to the vertical neighbour, one for each column.
pub(super) fn fine_y(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::DerivFineY,
) -> Result<Lowered> {
    derivative(cx, code, call, Op::DPdyFine, args.value)
}
