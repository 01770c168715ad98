//! Derivatives across a quad.

use rspirv::spirv::Op;

use super::{lanes, quad, quad_shape};
use crate::ir::Value;
use crate::ir::args;
use crate::lower::cx::{Call, Code, FunctionCx, Lowered};
use crate::ops::consts::{QuadOpKind, ShaderStage};
use dxil_base::error::Result;
use dxil_spirv_builder::Id;

/// A derivative of 32-bit floats. It is a SPIR-V instruction, or the difference between two lanes
/// of the quad in a compute shader on a device without derivative groups. The lanes of a quad go
/// left to right, then down (HLSL_SM_6_6_Derivatives).
///
/// # Errors
/// `Malformed` if the thread group does not divide into quads; otherwise as [`quad::read`].
pub fn emit(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, op: Op, ty: Id, value: Id) -> Result<Id> {
    if cx.input.entry.stage == ShaderStage::Pixel {
        return code.derivative(op, ty, value);
    }
    if quad_shape::quads(cx.input).is_none() {
        return Err(malformed!(cx.entry.place, "a derivative in a thread group that does not divide into quads"));
    }
    if quad_shape::has_native_quads(cx.input, &code.caps) {
        return code.derivative(op, ty, value);
    }
    let (direction, bit) = match op {
        Op::DPdxCoarse | Op::DPdxFine => (QuadOpKind::ReadAcrossX, 1),
        _ => (QuadOpKind::ReadAcrossY, 2),
    };
    let (first, second) = if matches!(op, Op::DPdxCoarse | Op::DPdyCoarse) {
        let (corner, next) = (code.const_u32(0), code.const_u32(bit));
        (quad::read(cx, code, ty, value, corner)?, quad::read(cx, code, ty, value, next)?)
    } else {
        let other = quad::across(cx, code, ty, value, direction)?;
        let (lane, word, bit) = (lanes::lane_index(cx, code)?, code.type_u32(), code.const_u32(bit));
        let side = code.binary(Op::BitwiseAnd, word, lane, bit);
        let is_second = code.is_nonzero(side);
        (code.select(ty, is_second, other, value), code.select(ty, is_second, value, other))
    };
    Ok(code.binary(Op::FSub, ty, second, first))
}

/// A derivative of floats of any width. OpDPdx and its siblings take 32-bit floats only (SPIR-V
/// 3.52.16), so a half is widened and the result narrowed.
fn derivative(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    op: Op,
    value: Value,
) -> Result<Lowered> {
    let (value, ty) = (cx.value(code, value)?, cx.entry.ty(code, call.ty()?)?);
    if code.width(ty) == Some(32) {
        return Ok(Lowered::Id(emit(cx, code, op, ty, value)?));
    }
    let single = code.type_f32();
    let wide = code.unary(Op::FConvert, single, value);
    let result = emit(cx, code, op, single, wide)?;
    Ok(Lowered::Id(code.unary(Op::FConvert, ty, result)))
}

/// Difference to the horizontal neighbour, the same for the whole quad.
pub fn coarse_x(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::DerivCoarseX,
) -> Result<Lowered> {
    derivative(cx, code, call, Op::DPdxCoarse, args.value)
}

/// Difference to the vertical neighbour, the same for the whole quad.
pub fn coarse_y(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::DerivCoarseY,
) -> Result<Lowered> {
    derivative(cx, code, call, Op::DPdyCoarse, args.value)
}

/// Difference to the horizontal neighbour, separate for each row of the quad.
pub fn fine_x(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::DerivFineX,
) -> Result<Lowered> {
    derivative(cx, code, call, Op::DPdxFine, args.value)
}

/// Difference to the vertical neighbour, separate for each column of the quad.
pub fn fine_y(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::DerivFineY,
) -> Result<Lowered> {
    derivative(cx, code, call, Op::DPdyFine, args.value)
}
