//! Common parts of wave and quad operations: capabilities by stage and type, exclusion of helper
//! lanes, comparison of values by their bits.
//!
//! In: SPIR-V values. Out: instructions of subgroup scope. What must hold: a wave operation in a
//! pixel shader never counts a helper lane, unless the entry asks for it
//! (HLSL_SM_6_7_Wave_Ops_Include_Helper_Lanes). In Vulkan the implementation chooses whether a
//! helper invocation takes part in a subgroup operation. So such operations run in a branch that
//! helper lanes do not take.

use rspirv::spirv::{BuiltIn, Capability, GroupOperation, Op, Scope};

use super::helper;
use crate::binding::stage_flag;
use crate::ir::Value;
use crate::lower::cx::{Code, FunctionCx, Inputs, Lowered};
use crate::ops::consts::ShaderStage;
use dxil_base::error::Result;
use dxil_base::profile::Feature;
use dxil_spirv_builder::{Id, Type};

/// The stage as `VkShaderStageFlagBits`, the form in which a profile lists the stages of subgroup
/// operations. Other kinds of shader are 0, which no profile lists.
pub(super) fn stage_bit(stage: ShaderStage) -> u32 {
    stage_flag(stage).unwrap_or(0)
}

/// Declares a capability of subgroup operations for the entry's stage.
///
/// # Errors
/// `Unsupported`, naming the property that the device does not have.
pub(super) fn require(input: Inputs<'_>, code: &mut Code<'_, '_>, capability: Capability) -> Result<()> {
    code.caps.subgroup(stage_bit(input.entry.stage), capability)
}

/// Whether [`require`] would succeed.
pub(super) fn allows(input: Inputs<'_>, code: &Code<'_, '_>, capability: Capability) -> bool {
    code.caps.allows_subgroup(stage_bit(input.entry.stage), capability)
}

/// The value of an operand that lanes exchange, and its type. In Vulkan subgroup operations always
/// work on 32-bit numbers, bools and doubles. Other widths need a feature
/// (`VkPhysicalDeviceShaderSubgroupExtendedTypesFeatures`).
///
/// # Errors
/// `MissingFeature` for those widths if the device does not have the feature.
pub(super) fn operand(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, value: Value) -> Result<(Id, Id)> {
    let ty = cx.type_of(value);
    let ty = cx.entry.ty(code, ty)?;
    if let Some(Type::Int { width: 8 | 16 | 64, .. } | Type::Float { width: 16 }) = code.ty(code.scalar(ty).0) {
        code.caps.require(Feature::SubgroupExtendedTypes)?;
    }
    // `undef` may have a different value at each use, so a loop that compares values might never
    // end.
    let id = if cx.input.is_undef(value) { code.const_null(ty) } else { cx.value(code, value)? };
    Ok((id, ty))
}

/// A subgroup instruction without a group operation.
pub(super) fn group(code: &mut Code<'_, '_>, op: Op, ty: Id, operands: &[Id]) -> Id {
    let scope = code.const_u32(Scope::Subgroup as u32);
    code.op_with(op, ty, [scope.word()], operands)
}

/// A subgroup instruction with a group operation.
pub(super) fn group_with(code: &mut Code<'_, '_>, op: Op, ty: Id, operation: GroupOperation, operands: &[Id]) -> Id {
    let scope = code.const_u32(Scope::Subgroup as u32);
    code.op_with(op, ty, [scope.word(), operation as u32], operands)
}

/// The value as an unsigned integer of its width; a bool stays a bool. Wave operations compare
/// values by their bits: D3D's wording is that a value is *the same* in all lanes. A comparison of
/// floats would find a NaN different from itself, and −0 equal to +0.
///
/// # Errors
/// `MissingFeature` if the device has no integers of this width.
pub(super) fn bits(code: &mut Code<'_, '_>, value: Id) -> Result<Id> {
    match code.ty_of(value) {
        Some(Type::Float { width: 64 }) => {
            // A double becomes two words, because 64-bit integers would need two features that
            // doubles do not.
            let word = code.type_u32();
            let pair = code.type_vector(word, 2);
            Ok(code.bitcast(pair, value))
        }
        Some(Type::Float { width }) => {
            let ty = code.type_int(width)?;
            Ok(code.bitcast(ty, value))
        }
        _ => Ok(value),
    }
}

/// Whether two values that [`bits`] returned are equal.
pub(super) fn same_bits(code: &mut Code<'_, '_>, a: Id, b: Id) -> Id {
    let bool_ty = code.type_bool();
    match code.ty_of(a) {
        Some(Type::Bool) => code.binary(Op::LogicalEqual, bool_ty, a, b),
        Some(Type::Vector { count, .. }) => {
            let each = code.type_vector(bool_ty, count);
            let equal = code.binary(Op::IEqual, each, a, b);
            code.unary(Op::All, bool_ty, equal)
        }
        _ => code.binary(Op::IEqual, bool_ty, a, b),
    }
}

/// The index of the lane in its wave.
///
/// # Errors
/// As [`require`].
pub(super) fn lane_index(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>) -> Result<Id> {
    require(cx.input, code, Capability::GroupNonUniform)?;
    let word = code.type_u32();
    cx.entry.load_builtin(code, BuiltIn::SubgroupLocalInvocationId, word)
}

/// Whether wave operations of the entry need not exclude helper lanes: the entry wants them
/// included, or it is not a pixel shader and has none.
pub fn counts_helpers(input: Inputs<'_>) -> bool {
    let asked = input.program.module.functions[input.entry.func].attributes.includes_helper_lanes;
    input.entry.stage != ShaderStage::Pixel || asked
}

/// Whether the lane is a helper, where wave operations exclude helper lanes and each lane runs the
/// operation at most once. In a loop, results other than those of [`among_active`] might keep a
/// helper lane there for ever.
///
/// # Errors
/// If the device does not have the type of the builtin.
pub(super) fn helper_once(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>) -> Result<Option<Id>> {
    if cx.repeats || counts_helpers(cx.input) {
        return Ok(None);
    }
    Ok(Some(helper::helper(cx, code)?))
}

/// A wave operation among the lanes that count. A helper lane gets `alone`, the result that the
/// operation would have if it were the only lane. D3D leaves that result open. This choice lets
/// loops that end when a lane has had its turn end for helper lanes too.
///
/// # Errors
/// Those of `op`.
pub(super) fn among_active(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    alone: Id,
    ty: Id,
    op: impl FnOnce(&mut Code<'_, '_>) -> Result<Id>,
) -> Result<Id> {
    if counts_helpers(cx.input) {
        return op(code);
    }
    let helper = helper::helper(cx, code)?;
    let bool_ty = code.type_bool();
    let counts = code.unary(Op::LogicalNot, bool_ty, helper);
    code.if_value(ty, counts, alone, op)
}

/// The value of the lane with index `lane`.
///
/// # Errors
/// As [`require`].
pub(super) fn read_lane(cx: &FunctionCx<'_, '_>, code: &mut Code<'_, '_>, ty: Id, value: Id, lane: Id) -> Result<Id> {
    // The value of a lane with a constant index can be broadcast. Before SPIR-V 1.5
    // OpGroupNonUniformBroadcast requires a constant.
    if code.constant_u32(lane).is_some() && allows(cx.input, code, Capability::GroupNonUniformBallot) {
        require(cx.input, code, Capability::GroupNonUniformBallot)?;
        return Ok(group(code, Op::GroupNonUniformBroadcast, ty, &[value, lane]));
    }
    require(cx.input, code, Capability::GroupNonUniformShuffle)?;
    Ok(group(code, Op::GroupNonUniformShuffle, ty, &[value, lane]))
}

/// The type of a mask of lanes.
pub(super) fn mask_type(code: &mut Code<'_, '_>) -> Id {
    let word = code.type_u32();
    code.type_vector(word, 4)
}

/// The result of an operation that returns four words, as a row from which `extractvalue` takes
/// components.
pub(super) fn mask_result(mask: Id) -> Lowered {
    Lowered::Row(mask)
}
