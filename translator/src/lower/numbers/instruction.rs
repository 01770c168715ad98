//! Operations that become one SPIR-V or GLSL.std.450 instruction with the same operands in the same
//! order.

use rspirv::spirv::{GlslStd450Op, Op};

use crate::lower::cx::{Call, Code, FunctionCx, Lowered, precision};
use dxil_base::error::Result;
use dxil_spirv_builder::Id;

/// Lowers an operation to one SPIR-V instruction.
pub fn spirv(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, call: &Call<'_>, op: Op) -> Result<Lowered> {
    let (ty, ids, count) = operands(cx, code, call, false)?;
    if op == Op::Bitcast
        && let (&[value], to) = (call.args, call.ty()?)
        && let from = cx.type_of(value)
        && (cx.input.is_widened(from) || cx.input.is_widened(to))
    {
        return Ok(Lowered::Id(precision::bitcast(cx.entry, code, ids[0], from, to)?));
    }
    let id = code.op(op, ty, &ids[..count]);
    if call.precise {
        code.no_contraction(id);
    }
    Ok(Lowered::Id(id))
}

/// Lowers an operation to one GLSL.std.450 instruction.
pub fn glsl(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    op: GlslStd450Op,
) -> Result<Lowered> {
    let signed = matches!(op, GlslStd450Op::SMax | GlslStd450Op::SMin);
    let (ty, ids, count) = operands(cx, code, call, signed)?;
    Ok(Lowered::Id(code.glsl(op, ty, &ids[..count])))
}

/// The result type, the operand ids and their number. Operations that become one instruction have
/// at most four operands.
fn operands(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    signed: bool,
) -> Result<(Id, [Id; 4], usize)> {
    let ty = cx.entry.ty(code, call.ty()?)?;
    let mut ids = [ty; 4];
    if call.args.len() > ids.len() {
        return Err(bug!(call.place, "{} has too many operands for one instruction", call.op));
    }
    for (slot, &arg) in ids.iter_mut().zip(call.args) {
        *slot = if signed { cx.signed_value(code, arg)? } else { cx.value(code, arg)? };
    }
    Ok((ty, ids, call.args.len()))
}
