//! What wave and quad operations share: capabilities by stage and type, lanes that do not count,
//! values as bits.
//!
//! In: SPIR-V values. Out: instructions of subgroup scope. What must hold: a wave operation in a
//! pixel shader never counts a helper lane, unless the entry asks for it
//! (HLSL_SM_6_7_Wave_Ops_Include_Helper_Lanes); whether a helper invocation takes part in a
//! subgroup operation is the implementation's choice in Vulkan, so such operations run in a branch
//! that helpers do not take.

use rspirv::spirv::{BuiltIn, Capability, GroupOperation, Op, Scope};

use super::helper;
use crate::dxil::consts::ShaderStage;
use crate::dxil::ir::Value;
use crate::error::Result;
use crate::lower::cx::{Code, FunctionCx, Lowered, ModuleCx};
use crate::profile::Feature;
use crate::spirv::{Id, Type};

/// The stage as `VkShaderStageFlagBits`, for what a profile says of subgroups; 0, which no profile has, for what is no stage.
pub(super) fn stage_bit(stage: ShaderStage) -> u32 {
    match stage {
        ShaderStage::Vertex => 1,
        ShaderStage::Hull => 2,
        ShaderStage::Domain => 4,
        ShaderStage::Geometry => 8,
        ShaderStage::Pixel => 0x10,
        ShaderStage::Compute => 0x20,
        ShaderStage::Amplification => 0x40,
        ShaderStage::Mesh => 0x80,
        _ => 0,
    }
}

/// Declares a capability of subgroup operations for the stage at hand.
///
/// # Errors
/// `Unsupported`, naming the property, where the device has it not.
pub(super) fn require(cx: &ModuleCx<'_>, code: &mut Code<'_, '_>, capability: Capability) -> Result<()> {
    code.caps.subgroup(stage_bit(cx.entry.stage), capability)
}

/// Whether [`require`] would succeed.
pub(super) fn allows(cx: &ModuleCx<'_>, code: &Code<'_, '_>, capability: Capability) -> bool {
    code.caps.allows_subgroup(stage_bit(cx.entry.stage), capability)
}

/// The value of an operand that lanes exchange, and its type. Vulkan promises subgroup operations on 32-bit numbers, bools and
/// doubles; other widths are a feature (`VkPhysicalDeviceShaderSubgroupExtendedTypesFeatures`).
///
/// # Errors
/// `MissingFeature` for those widths.
pub(super) fn operand(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, value: Value) -> Result<(Id, Id)> {
    let ty = cx.type_of(value);
    let ty = cx.ty(code, ty)?;
    if let Some(Type::Int { width: 8 | 16 | 64, .. } | Type::Float { width: 16 }) = code.ty(code.scalar(ty).0) {
        code.caps.require(Feature::SubgroupExtendedTypes)?;
    }
    // `undef` may be another value at each use, which a loop over values would never end on.
    let id = if cx.is_undef(value) { code.const_null(ty) } else { cx.value(code, value)? };
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

/// The value as an unsigned integer of its width; bools as they are. Equality of values is equality of bits here: D3D's
/// wording is that a value is *the same* in all lanes, which `NaN == NaN` and `-0 == +0` would contradict.
///
/// # Errors
/// `MissingFeature` where the device has no integers of this width.
pub(super) fn bits(code: &mut Code<'_, '_>, value: Id) -> Result<Id> {
    match code.ty_of(value) {
        Some(Type::Float { width: 64 }) => {
            // Two words: 64-bit integers are two features that doubles do not need.
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

/// Whether two values of [`bits`] are equal.
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

/// The number of the lane.
///
/// # Errors
/// As [`require`].
pub(super) fn lane_index(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>) -> Result<Id> {
    require(cx, code, Capability::GroupNonUniform)?;
    let word = code.type_u32();
    cx.load_builtin(code, BuiltIn::SubgroupLocalInvocationId, word)
}

/// Whether helper lanes take part in the entry's wave operations, or there are none.
pub fn counts_helpers(cx: &ModuleCx<'_>) -> bool {
    let attributes = &cx.program.module.functions[cx.entry.func].attributes;
    let asked = attributes.iter().any(|(key, _)| &**key == "waveops-include-helper-lanes");
    cx.entry.stage != ShaderStage::Pixel || asked
}

/// A wave operation among the lanes that count. A helper lane gets `alone`, which is what the operation would give it if it
/// were the only lane: D3D leaves it open, and loops that end when a lane has had its turn end for helpers too.
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
    if counts_helpers(cx) {
        return op(code);
    }
    let helper = helper::helper(cx, code)?;
    let bool_ty = code.type_bool();
    let counts = code.unary(Op::LogicalNot, bool_ty, helper);
    code.if_value(ty, counts, alone, op)
}

/// The value of another lane, whichever it is.
///
/// # Errors
/// As [`require`].
pub(super) fn read_lane(cx: &FunctionCx<'_, '_>, code: &mut Code<'_, '_>, ty: Id, value: Id, lane: Id) -> Result<Id> {
    // A lane that is a constant can be broadcast (SPIR-V, OpGroupNonUniformBroadcast: constant before 1.5).
    if code.constant_u32(lane).is_some() && allows(cx, code, Capability::GroupNonUniformBallot) {
        require(cx, code, Capability::GroupNonUniformBallot)?;
        return Ok(group(code, Op::GroupNonUniformBroadcast, ty, &[value, lane]));
    }
    require(cx, code, Capability::GroupNonUniformShuffle)?;
    Ok(group(code, Op::GroupNonUniformShuffle, ty, &[value, lane]))
}

/// The type of a mask of lanes.
pub(super) fn mask_type(code: &mut Code<'_, '_>) -> Id {
    let word = code.type_u32();
    code.type_vector(word, 4)
}

/// The result of an operation that gives four words: the row that `extractvalue` takes from.
pub(super) fn mask_result(mask: Id) -> Lowered {
    Lowered::Row(mask, None)
}
