//! Discard on devices that cannot demote. A discard sets a flag, and the invocation ends when the
//! shader returns.
//!
//! In: a pixel shader that discards, and the flag that says whether its lane has discarded
//! ([`helper`]). What must hold: a discard has the effects of a demotion (DXIL.rst, "Discard";
//! Vulkan, "HelperInvocation"):
//!
//! - The lane keeps running, so that derivatives and quad operations of its neighbours stay
//!   defined.
//! - Its writes to memory have no effect.
//! - It reports that it is a helper, and wave operations do not count it.
//! - Its outputs are dropped, because the invocation is killed instead of returning.

use rspirv::spirv::Op;

use crate::lower::cx::{Call, Code, FunctionCx, Lowered};
use crate::lower::waves::helper;
use dxil_base::error::Result;

/// Runs the lowering of an operation. An operation that writes a resource is skipped in a lane that
/// has discarded. The result of an atomic operation in such a lane is undefined in D3D; here it is
/// zero.
#[inline]
pub fn guarded(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    operation: impl FnOnce(&mut FunctionCx<'_, '_>, &mut Code<'_, '_>) -> Result<Lowered>,
) -> Result<Lowered> {
    if !cx.input.analysis.pixel.flags_discards || !call.op.info().writes_resource() {
        return operation(cx, code);
    }
    let Some(flag) = helper::has_discarded(cx, code)? else { return operation(cx, code) };
    let bool_ty = code.type_bool();
    let live = code.unary(Op::LogicalNot, bool_ty, flag);
    let Some(ty) = call.ty else {
        code.if_then(live, |code| operation(cx, code).map(drop))?;
        return Ok(Lowered::Nothing);
    };
    let ty = cx.entry.ty(code, ty)?;
    let zero = code.const_null(ty);
    let value = code.if_value(ty, live, zero, |code| match operation(cx, code)? {
        Lowered::Id(id) => Ok(id),
        _ => Err(unsupported!(
            call.place,
            "{} after a discard needs a device with shaderDemoteToHelperInvocation",
            call.op
        )),
    })?;
    Ok(Lowered::Id(value))
}

/// Emits the code before the entry's return, which kills the lanes that have discarded.
pub fn end(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>) -> Result<()> {
    if cx.function.number != cx.input.program.module.functions[cx.input.entry.func].number {
        return Ok(());
    }
    match helper::has_discarded(cx, code)? {
        Some(flag) => code.kill_if(flag),
        None => Ok(()),
    }
}
