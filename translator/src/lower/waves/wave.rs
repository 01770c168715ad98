//! Wave operations of shader models 6.0 to 6.7, lowered to subgroup operations.
//!
//! In: operands. Out: the operation's result for the lanes that execute it together. Control flow
//! and [`lanes`] decide which lanes those are. What must hold: the code assumes no particular
//! subgroup size, and prefix operations are exclusive.
//!
//! References: the DXC wiki's «Wave Intrinsics», HLSL_ShaderModel6_5 (WaveMatch, WaveMultiPrefix),
//! SPIR-V 3.52.24.

use rspirv::spirv::{BuiltIn, Capability, GroupOperation, Op};

use super::lanes::{self, among_active, group, group_with, operand};
use crate::ir::Value;
use crate::ir::args;
use crate::lower::cx::{Call, Code, FunctionCx, Lowered};
use crate::ops::consts::{SignedOpKind, WaveBitOpKind, WaveMultiPrefixOpKind, WaveOpKind};
use dxil_base::error::Result;
use dxil_base::integer::all_ones;
use dxil_spirv_builder::{Id, Type};

/// A reduction: the instruction for the operand's type, and the bits of its identity element.
#[derive(Clone, Copy)]
struct ReductionOp {
    op: Op,
    identity: u64,
}

/// The kinds of `WaveActiveOp`, `WavePrefixOp`, `WaveActiveBit` and `WaveMultiPrefixOp`.
#[derive(Clone, Copy)]
enum WaveReduction {
    Sum,
    Product,
    Min,
    Max,
    And,
    Or,
    Xor,
}

fn fold(code: &Code<'_, '_>, call: &Call<'_>, kind: WaveReduction, signed: bool, ty: Id) -> Result<ReductionOp> {
    let (width, float) = match code.ty(ty) {
        Some(Type::Int { width, .. }) => (width, false),
        Some(Type::Float { width }) => (width, true),
        // Arithmetic on an `i1` is modulo two (LLVM). As a signed number `true` is −1.
        Some(Type::Bool) => {
            let (op, identity) = match kind {
                WaveReduction::Sum | WaveReduction::Xor => (Op::GroupNonUniformLogicalXor, 0),
                WaveReduction::Min if signed => (Op::GroupNonUniformLogicalOr, 0),
                WaveReduction::Max if signed => (Op::GroupNonUniformLogicalAnd, 1),
                WaveReduction::Product | WaveReduction::Min | WaveReduction::And => (Op::GroupNonUniformLogicalAnd, 1),
                WaveReduction::Max | WaveReduction::Or => (Op::GroupNonUniformLogicalOr, 0),
            };
            return Ok(ReductionOp { op, identity });
        }
        _ => return Err(unsupported!(call.place, "{} of an operand that is not a scalar number or bool", call.op)),
    };
    let ones = all_ones(width);
    let top = ones ^ (ones >> 1);
    // The bits of one and of positive infinity. Negative infinity has the top bit set as well.
    let (one, infinity) = match width {
        16 => (0x3c00, 0x7c00),
        32 => (0x3f80_0000, 0x7f80_0000),
        _ => (0x3ff0_0000_0000_0000, 0x7ff0_0000_0000_0000),
    };
    let pick = |op, identity| Ok(ReductionOp { op, identity });
    match (kind, float) {
        (WaveReduction::Sum, false) => pick(Op::GroupNonUniformIAdd, 0),
        (WaveReduction::Sum, true) => pick(Op::GroupNonUniformFAdd, 0),
        (WaveReduction::Product, false) => pick(Op::GroupNonUniformIMul, 1),
        (WaveReduction::Product, true) => pick(Op::GroupNonUniformFMul, one),
        (WaveReduction::Min, false) if signed => pick(Op::GroupNonUniformSMin, ones >> 1),
        (WaveReduction::Min, false) => pick(Op::GroupNonUniformUMin, ones),
        (WaveReduction::Min, true) => pick(Op::GroupNonUniformFMin, infinity),
        (WaveReduction::Max, false) if signed => pick(Op::GroupNonUniformSMax, top),
        (WaveReduction::Max, false) => pick(Op::GroupNonUniformUMax, 0),
        (WaveReduction::Max, true) => pick(Op::GroupNonUniformFMax, infinity | top),
        (WaveReduction::And, false) => pick(Op::GroupNonUniformBitwiseAnd, ones),
        (WaveReduction::Or, false) => pick(Op::GroupNonUniformBitwiseOr, 0),
        (WaveReduction::Xor, false) => pick(Op::GroupNonUniformBitwiseXor, 0),
        (WaveReduction::And | WaveReduction::Or | WaveReduction::Xor, true) => {
            Err(malformed!(call.place, "{} is a bit operation, and its operand is a float", call.op))
        }
    }
}

impl From<WaveOpKind> for WaveReduction {
    fn from(kind: WaveOpKind) -> Self {
        match kind {
            WaveOpKind::Sum => WaveReduction::Sum,
            WaveOpKind::Product => WaveReduction::Product,
            WaveOpKind::Min => WaveReduction::Min,
            WaveOpKind::Max => WaveReduction::Max,
        }
    }
}

impl From<WaveBitOpKind> for WaveReduction {
    fn from(kind: WaveBitOpKind) -> Self {
        match kind {
            WaveBitOpKind::And => WaveReduction::And,
            WaveBitOpKind::Or => WaveReduction::Or,
            WaveBitOpKind::Xor => WaveReduction::Xor,
        }
    }
}

impl From<WaveMultiPrefixOpKind> for WaveReduction {
    fn from(kind: WaveMultiPrefixOpKind) -> Self {
        match kind {
            WaveMultiPrefixOpKind::Sum => WaveReduction::Sum,
            WaveMultiPrefixOpKind::And => WaveReduction::And,
            WaveMultiPrefixOpKind::Or => WaveReduction::Or,
            WaveMultiPrefixOpKind::Xor => WaveReduction::Xor,
            WaveMultiPrefixOpKind::Product => WaveReduction::Product,
        }
    }
}

/// An immediate operand as an enumeration of `dxil::consts`.
fn kind<T: TryFrom<u32>>(cx: &FunctionCx<'_, '_>, call: &Call<'_>, value: Value) -> Result<T>
where
    T::Error: std::fmt::Display,
{
    T::try_from(cx.entry.immediate(value)?).map_err(|error| malformed!(call.place, "{error}"))
}

fn is_signed(cx: &FunctionCx<'_, '_>, call: &Call<'_>, value: Value) -> Result<bool> {
    Ok(kind::<SignedOpKind>(cx, call, value)? == SignedOpKind::Signed)
}

/// A reduction or scan over the lanes that count. A helper lane gets its own value from a
/// reduction, and the identity element from an exclusive scan.
fn folded(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    value: Value,
    kind: WaveReduction,
    signed: bool,
    operation: GroupOperation,
) -> Result<Lowered> {
    let (id, ty) = operand(cx, code, value)?;
    let value = if signed { cx.signed(code, value, id) } else { id };
    let fold = fold(code, call, kind, signed, ty)?;
    lanes::require(cx.input, code, Capability::GroupNonUniformArithmetic)?;
    let alone = match operation {
        GroupOperation::Reduce => value,
        _ => code.const_bits(ty, fold.identity),
    };
    let op = |code: &mut Code<'_, '_>| Ok(group_with(code, fold.op, ty, operation, &[value]));
    Ok(Lowered::Id(among_active(cx, code, alone, ty, op)?))
}

/// `WaveIsFirstLane`.
pub fn is_first_lane(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    _: args::WaveIsFirstLane,
) -> Result<Lowered> {
    lanes::require(cx.input, code, Capability::GroupNonUniform)?;
    let (ty, alone) = (code.type_bool(), code.const_bool(true));
    let id = among_active(cx, code, alone, ty, |code| Ok(group(code, Op::GroupNonUniformElect, ty, &[])))?;
    Ok(Lowered::Id(id))
}

/// `WaveGetLaneIndex`.
pub fn lane_index(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    _: args::WaveGetLaneIndex,
) -> Result<Lowered> {
    Ok(Lowered::Id(lanes::lane_index(cx, code)?))
}

/// `WaveGetLaneCount`.
pub fn lane_count(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    _: args::WaveGetLaneCount,
) -> Result<Lowered> {
    lanes::require(cx.input, code, Capability::GroupNonUniform)?;
    let word = code.type_u32();
    Ok(Lowered::Id(cx.entry.load_builtin(code, BuiltIn::SubgroupSize, word)?))
}

/// A vote of the lanes that count. Outside of loops a helper lane gets their result too, so that it
/// takes the branch of its quad, or true where only helper lanes vote.
fn vote(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, op: Op, condition: Value) -> Result<Lowered> {
    lanes::require(cx.input, code, Capability::GroupNonUniformVote)?;
    let (condition, ty) = operand(cx, code, condition)?;
    if let Some(helper) = lanes::helper_once(cx, code)? {
        if op == Op::GroupNonUniformAll {
            let agrees = code.binary(Op::LogicalOr, ty, condition, helper);
            return Ok(Lowered::Id(group(code, op, ty, &[agrees])));
        }
        let counts = code.unary(Op::LogicalNot, ty, helper);
        let agrees = code.binary(Op::LogicalAnd, ty, condition, counts);
        let (any, only_helpers) = (group(code, op, ty, &[agrees]), only_helpers(code, helper));
        return Ok(Lowered::Id(code.binary(Op::LogicalOr, ty, any, only_helpers)));
    }
    let id = among_active(cx, code, condition, ty, |code| Ok(group(code, op, ty, &[condition])))?;
    Ok(Lowered::Id(id))
}

/// Whether only helper lanes run an operation. A device may keep helper lanes out of a vote; then
/// this is false where a lane counts, and undefined in helper lanes.
fn only_helpers(code: &mut Code<'_, '_>, helper: Id) -> Id {
    let ty = code.type_bool();
    group(code, Op::GroupNonUniformAll, ty, &[helper])
}

/// `WaveActiveAnyTrue`.
pub fn any_true(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    args: args::WaveAnyTrue,
) -> Result<Lowered> {
    vote(cx, code, Op::GroupNonUniformAny, args.cond)
}

/// `WaveActiveAllTrue`.
pub fn all_true(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    args: args::WaveAllTrue,
) -> Result<Lowered> {
    vote(cx, code, Op::GroupNonUniformAll, args.cond)
}

/// `WaveActiveAllEqual`: whether the value has the same bits in every lane.
/// OpGroupNonUniformAllEqual on floats would find a NaN different from itself.
pub fn active_all_equal(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    args: args::WaveActiveAllEqual,
) -> Result<Lowered> {
    lanes::require(cx.input, code, Capability::GroupNonUniformVote)?;
    let (value, _) = operand(cx, code, args.value)?;
    let (bits, ty, alone) = (lanes::bits(code, value)?, code.type_bool(), code.const_bool(true));
    let id = among_active(cx, code, alone, ty, |code| Ok(group(code, Op::GroupNonUniformAllEqual, ty, &[bits])))?;
    Ok(Lowered::Id(id))
}

/// The mask of lanes that count and for which a condition holds. A helper lane gets an empty mask.
fn balloted(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, condition: Value) -> Result<Id> {
    let (condition, _) = operand(cx, code, condition)?;
    lanes::require(cx.input, code, Capability::GroupNonUniformBallot)?;
    let mask = lanes::mask_type(code);
    let none = code.const_null(mask);
    among_active(cx, code, none, mask, |code| Ok(group(code, Op::GroupNonUniformBallot, mask, &[condition])))
}

/// `WaveActiveBallot`.
pub fn active_ballot(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    args: args::WaveActiveBallot,
) -> Result<Lowered> {
    Ok(lanes::mask_result(balloted(cx, code, args.cond)?))
}

/// `WaveReadLaneAt`. The index need not be the same in all lanes.
pub fn read_lane_at(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    args: args::WaveReadLaneAt,
) -> Result<Lowered> {
    let ((value, ty), (lane, _)) = (operand(cx, code, args.value)?, operand(cx, code, args.lane)?);
    Ok(Lowered::Id(lanes::read_lane(cx, code, ty, value, lane)?))
}

/// `WaveReadLaneFirst`. Where only helper lanes run it and no loop is around it, the result is
/// zero.
pub fn read_lane_first(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    args: args::WaveReadLaneFirst,
) -> Result<Lowered> {
    lanes::require(cx.input, code, Capability::GroupNonUniformBallot)?;
    let (value, ty) = operand(cx, code, args.value)?;
    let alone = match lanes::helper_once(cx, code)? {
        Some(helper) if lanes::allows(cx.input, code, Capability::GroupNonUniformVote) => {
            lanes::require(cx.input, code, Capability::GroupNonUniformVote)?;
            let (only_helpers, bool_ty) = (only_helpers(code, helper), code.type_bool());
            // Before SPIR-V 1.4 a bool selects no vector.
            let each = match code.scalar(ty).1 {
                1 => bool_ty,
                count => code.type_vector(bool_ty, count),
            };
            let (all, zero) = (code.splat(each, only_helpers), code.const_null(ty));
            code.select(ty, all, zero, value)
        }
        _ => value,
    };
    let op = |code: &mut Code<'_, '_>| Ok(group(code, Op::GroupNonUniformBroadcastFirst, ty, &[value]));
    Ok(Lowered::Id(among_active(cx, code, alone, ty, op)?))
}

/// `WaveActiveSum`, `WaveActiveProduct`, `WaveActiveMin`, `WaveActiveMax`.
pub fn active_op(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::WaveActiveOp,
) -> Result<Lowered> {
    let kind = kind::<WaveOpKind>(cx, call, args.op)?.into();
    let signed = is_signed(cx, call, args.sop)?;
    folded(cx, code, call, args.value, kind, signed, GroupOperation::Reduce)
}

/// `WaveActiveBitAnd`, `WaveActiveBitOr`, `WaveActiveBitXor`.
pub fn active_bit(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::WaveActiveBit,
) -> Result<Lowered> {
    let kind = kind::<WaveBitOpKind>(cx, call, args.op)?.into();
    folded(cx, code, call, args.value, kind, false, GroupOperation::Reduce)
}

/// `WavePrefixSum`, `WavePrefixProduct`: over the lanes before this one.
pub fn prefix_op(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::WavePrefixOp,
) -> Result<Lowered> {
    let kind = kind::<WaveOpKind>(cx, call, args.op)?.into();
    let signed = is_signed(cx, call, args.sop)?;
    folded(cx, code, call, args.value, kind, signed, GroupOperation::ExclusiveScan)
}

/// The number of lanes in a mask: all of them, or those before this one.
fn count(code: &mut Code<'_, '_>, operation: GroupOperation, mask: Id) -> Lowered {
    let word = code.type_u32();
    Lowered::Id(group_with(code, Op::GroupNonUniformBallotBitCount, word, operation, &[mask]))
}

/// `WaveActiveCountBits`.
pub fn all_bit_count(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    args: args::WaveAllBitCount,
) -> Result<Lowered> {
    let mask = balloted(cx, code, args.value)?;
    Ok(count(code, GroupOperation::Reduce, mask))
}

/// `WavePrefixCountBits`.
pub fn prefix_bit_count(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    args: args::WavePrefixBitCount,
) -> Result<Lowered> {
    let mask = balloted(cx, code, args.value)?;
    Ok(count(code, GroupOperation::ExclusiveScan, mask))
}

/// Runs `op` once for each set of lanes with the same key. Each round serves the set of the first
/// lane that has not been served, so there are as many rounds as sets.
///
/// In each round every lane that has not been served runs `op`, whose argument says whether the
/// lane belongs to the round's set. So the result does not depend on whether the device keeps the
/// lanes of a set together after a branch. All lanes leave the loop together
/// ([`LanesLeaveTogether`](dxil_base::quirks::Quirk::LanesLeaveTogether)).
fn for_each_set(
    code: &mut Code<'_, '_>,
    key: Id,
    result: Id,
    op: impl FnOnce(&mut Code<'_, '_>, Id) -> Result<Id>,
) -> Result<Id> {
    let Some(ty) = code.type_of(key) else { return Err(bug!(code.place(), "a key has no type")) };
    code.repeat_until_all(
        result,
        |code| {
            let first = group(code, Op::GroupNonUniformBroadcastFirst, ty, &[key]);
            let of_set = lanes::same_bits(code, key, first);
            Ok((of_set, op(code, of_set)?))
        },
        |code, through| {
            // A ballot finds out whether any lane is left. Both callers need the capability for
            // ballots anyway.
            let (bool_ty, mask) = (code.type_bool(), lanes::mask_type(code));
            let left = code.unary(Op::LogicalNot, bool_ty, through);
            let left = group(code, Op::GroupNonUniformBallot, mask, &[left]);
            let (bools, none) = (code.type_vector(bool_ty, 4), code.const_null(mask));
            let empty = code.binary(Op::IEqual, bools, left, none);
            Ok(code.unary(Op::All, bool_ty, empty))
        },
    )
}

/// `WaveMatch`: the mask of lanes whose value has the same bits.
pub fn wave_match(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    args: args::WaveMatch,
) -> Result<Lowered> {
    let (value, _) = operand(cx, code, args.value)?;
    let (key, mask) = (lanes::bits(code, value)?, lanes::mask_type(code));
    let none = code.const_null(mask);
    let stage = lanes::stage_bit(cx.input.entry.stage);
    // A double is a vector of two words here. OpGroupNonUniformPartitionEXT compares vectors as
    // well as scalars.
    let native = lanes::allows(cx.input, code, Capability::GroupNonUniformPartitionedEXT);
    let id = among_active(cx, code, none, mask, |code| {
        if native {
            code.caps.subgroup(stage, Capability::GroupNonUniformPartitionedEXT)?;
            return Ok(code.unary(Op::GroupNonUniformPartitionEXT, mask, key));
        }
        code.caps.subgroup(stage, Capability::GroupNonUniformBallot)?;
        for_each_set(code, key, mask, |code, of_set| Ok(group(code, Op::GroupNonUniformBallot, mask, &[of_set])))
    })?;
    Ok(lanes::mask_result(id))
}

/// The mask operands of a multi-prefix operation.
fn mask(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, words: [Value; 4]) -> Result<Id> {
    let ty = lanes::mask_type(code);
    let mut ids = [ty; 4];
    for (id, word) in ids.iter_mut().zip(words) {
        *id = operand(cx, code, word)?.0;
    }
    Ok(code.construct(ty, &ids))
}

/// `WaveMultiPrefixSum` and its siblings: over the lanes before this one in its set. The masks of
/// the lanes that execute the operation form a partition, and bits of other lanes do not matter
/// (HLSL_ShaderModel6_5).
pub fn multi_prefix_op(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::WaveMultiPrefixOp,
) -> Result<Lowered> {
    let (value, ty) = operand(cx, code, args.value)?;
    let kind = kind::<WaveMultiPrefixOpKind>(cx, call, args.op)?.into();
    let fold = fold(code, call, kind, is_signed(cx, call, args.sop)?, ty)?;
    let set = mask(cx, code, [args.mask0, args.mask1, args.mask2, args.mask3])?;
    let (identity, always, mask_ty) =
        (code.const_bits(ty, fold.identity), code.const_bool(true), lanes::mask_type(code));
    let stage = lanes::stage_bit(cx.input.entry.stage);
    let native = lanes::allows(cx.input, code, Capability::GroupNonUniformPartitionedEXT);
    let id = among_active(cx, code, identity, ty, |code| {
        code.caps.subgroup(stage, Capability::GroupNonUniformBallot)?;
        let active = group(code, Op::GroupNonUniformBallot, mask_ty, &[always]);
        let set = code.binary(Op::BitwiseAnd, mask_ty, set, active);
        if native {
            code.caps.subgroup(stage, Capability::GroupNonUniformPartitionedEXT)?;
            let operation = GroupOperation::PartitionedExclusiveScanEXT;
            return Ok(group_with(code, fold.op, ty, operation, &[value, set]));
        }
        code.caps.subgroup(stage, Capability::GroupNonUniformArithmetic)?;
        for_each_set(code, set, ty, |code, of_set| {
            let part = code.select(ty, of_set, value, identity);
            Ok(group_with(code, fold.op, ty, GroupOperation::ExclusiveScan, &[part]))
        })
    })?;
    Ok(Lowered::Id(id))
}

/// `WaveMultiPrefixCountBits`: the set's lanes before this one for which the condition holds.
pub fn multi_prefix_bit_count(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    args: args::WaveMultiPrefixBitCount,
) -> Result<Lowered> {
    let holds = balloted(cx, code, args.value)?;
    let set = mask(cx, code, [args.mask0, args.mask1, args.mask2, args.mask3])?;
    let mask_ty = lanes::mask_type(code);
    let both = code.binary(Op::BitwiseAnd, mask_ty, holds, set);
    Ok(count(code, GroupOperation::ExclusiveScan, both))
}
