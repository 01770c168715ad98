//! Quad operations: values of the three other lanes of a quad.
//!
//! In: operands. Out: the value in another lane of the quad. Helper lanes take part, because they
//! exist for quad operations and derivatives.
//!
//! In both D3D and Vulkan a quad is four lanes with consecutive indexes (HLSL_SM_6_6_Derivatives,
//! "Thread Groups and Quads"; Vulkan, "Quad shader scope").

use rspirv::spirv::{Capability, Op};

use super::lanes::{self, group, operand};
use crate::ir::args;
use crate::lower::cx::{Call, Code, FunctionCx, Lowered};
use crate::ops::consts::{QuadOpKind, QuadVoteOpKind, ShaderStage};
use dxil_base::error::Result;
use dxil_spirv_builder::Id;

/// The value of the neighbour in a direction, by a quad operation or, if the device has none, by a
/// shuffle.
///
/// # Errors
/// `Unsupported`, naming the property, if the device has neither.
pub(super) fn across(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    ty: Id,
    value: Id,
    direction: QuadOpKind,
) -> Result<Id> {
    if !has_quad_operations(cx, code) && lanes::allows(cx.input, code, Capability::GroupNonUniformShuffle) {
        lanes::require(cx.input, code, Capability::GroupNonUniformShuffle)?;
        let distance = code.const_u32(direction as u32 + 1);
        return Ok(group(code, Op::GroupNonUniformShuffleXor, ty, &[value, distance]));
    }
    lanes::require(cx.input, code, Capability::GroupNonUniformQuad)?;
    // D3D and SPIR-V number the directions alike: horizontal, vertical, diagonal.
    let direction = code.const_u32(direction as u32);
    Ok(group(code, Op::GroupNonUniformQuadSwap, ty, &[value, direction]))
}

/// Whether quad operations may be written in the entry's stage. In stages other than pixel and
/// compute shaders they need a property of their own (`quadOperationsInAllStages`), which a profile
/// does not have.
fn is_quad_stage(cx: &FunctionCx<'_, '_>) -> bool {
    !matches!(cx.input.entry.stage, ShaderStage::Mesh | ShaderStage::Amplification)
}

/// Whether the device has quad operations in the entry's stage.
fn has_quad_operations(cx: &FunctionCx<'_, '_>, code: &Code<'_, '_>) -> bool {
    is_quad_stage(cx) && lanes::allows(cx.input, code, Capability::GroupNonUniformQuad)
}

/// The value of one lane of the quad. Of a lane above 3, whose value is undefined (DXIL.rst,
/// `QuadReadLaneAt`), it is that of the lane's two low bits.
///
/// # Errors
/// As [`across`].
pub(super) fn read(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, ty: Id, value: Id, lane: Id) -> Result<Id> {
    // Before SPIR-V 1.5 OpGroupNonUniformQuadBroadcast requires a constant index, and from then on
    // one that is uniform in the quad. D3D requires neither.
    if let Some(lane) = code.constant_u32(lane)
        && has_quad_operations(cx, code)
    {
        lanes::require(cx.input, code, Capability::GroupNonUniformQuad)?;
        let lane = code.const_u32(lane & 3);
        return Ok(group(code, Op::GroupNonUniformQuadBroadcast, ty, &[value, lane]));
    }
    let own = lanes::lane_index(cx, code)?;
    let (word, low, high) = (code.type_u32(), code.const_u32(3), code.const_u32(!3));
    let first = code.binary(Op::BitwiseAnd, word, own, high);
    let lane = code.binary(Op::BitwiseAnd, word, lane, low);
    let source = code.binary(Op::BitwiseOr, word, first, lane);
    lanes::require(cx.input, code, Capability::GroupNonUniformShuffle)?;
    Ok(group(code, Op::GroupNonUniformShuffle, ty, &[value, source]))
}

/// `QuadReadLaneAt`.
pub fn read_lane_at(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    args: args::QuadReadLaneAt,
) -> Result<Lowered> {
    let ((value, ty), (lane, _)) = (operand(cx, code, args.value)?, operand(cx, code, args.quad_lane)?);
    Ok(Lowered::Id(read(cx, code, ty, value, lane)?))
}

/// `QuadReadAcrossX`, `QuadReadAcrossY`, `QuadReadAcrossDiagonal`.
pub fn quad_op(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::QuadOp,
) -> Result<Lowered> {
    let direction = QuadOpKind::try_from(cx.entry.immediate(args.op)?).map_err(|e| malformed!(call.place, "{e}"))?;
    let (value, ty) = operand(cx, code, args.value)?;
    Ok(Lowered::Id(across(cx, code, ty, value, direction)?))
}

/// `QuadAny`, `QuadAll`.
pub fn vote(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::QuadVote,
) -> Result<Lowered> {
    let kind = QuadVoteOpKind::try_from(cx.entry.immediate(args.op)?).map_err(|e| malformed!(call.place, "{e}"))?;
    let (value, ty) = operand(cx, code, args.cond)?;
    let (native, either) = match kind {
        QuadVoteOpKind::Any => (Op::GroupNonUniformQuadAnyKHR, Op::LogicalOr),
        QuadVoteOpKind::All => (Op::GroupNonUniformQuadAllKHR, Op::LogicalAnd),
    };
    let native_quads = is_quad_stage(cx) && code.caps.allows(Capability::QuadControlKHR);
    if native_quads && lanes::allows(cx.input, code, Capability::GroupNonUniformVote) {
        lanes::require(cx.input, code, Capability::GroupNonUniformVote)?;
        code.caps.capability(Capability::QuadControlKHR)?;
        return Ok(Lowered::Id(code.unary(native, ty, value)));
    }
    // The first step combines the two lanes of a row, the second step both rows.
    let beside = across(cx, code, ty, value, QuadOpKind::ReadAcrossX)?;
    let row = code.binary(either, ty, value, beside);
    let other = across(cx, code, ty, row, QuadOpKind::ReadAcrossY)?;
    Ok(Lowered::Id(code.binary(either, ty, row, other)))
}
