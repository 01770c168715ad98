//! Discard on devices that cannot demote: a flag, and the invocation's end where the shader
//! returns.
//!
//! In: a pixel shader that discards, and the flag that says whether its lane has ([`helper`]). What
//! must hold is what a demotion does (DXIL.rst, "Discard"; Vulkan, "HelperInvocation"): the lane
//! runs on, so that derivatives and quad operations of its neighbours stay defined; nothing that it
//! writes to memory is seen; it calls itself a helper; wave operations do not count it; and its
//! outputs go nowhere, as it ends at the return instead of returning.

use rspirv::spirv::Op;

use crate::dxil::ops::{MemoryEffect, OpType};
use crate::error::Result;
use crate::lower::cx::{Call, Code, FunctionCx, Lowered};
use crate::lower::waves::helper;

/// Runs the lowering of an operation. One that writes a resource does nothing in a lane that has discarded; what an atomic operation gives there is
/// undefined in D3D, and zero here.
pub fn guarded(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    operation: impl FnOnce(&mut FunctionCx<'_, '_>, &mut Code<'_, '_>) -> Result<Lowered>,
) -> Result<Lowered> {
    let info = call.op.info();
    let writes = info.effect == MemoryEffect::Write && info.operands.iter().any(|o| o.ty == OpType::Handle);
    let flag = if writes { helper::has_discarded(cx, code)? } else { None };
    let Some(flag) = flag else { return operation(cx, code) };
    let bool_ty = code.type_bool();
    let live = code.unary(Op::LogicalNot, bool_ty, flag);
    let Some(ty) = call.ty else {
        code.if_then(live, |code| operation(cx, code).map(drop))?;
        return Ok(Lowered::Nothing);
    };
    let ty = cx.ty(code, ty)?;
    let zero = code.const_null(ty);
    let value = code.if_value(ty, live, zero, |code| match operation(cx, code)? {
        Lowered::Id(id) => Ok(id),
        _ => Err(unsupported!(call.place, "{} after a discard, on a device that cannot demote", call.op)),
    })?;
    Ok(Lowered::Id(value))
}

/// What comes before the entry's return: the end of the lanes that have discarded.
pub fn end(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>) -> Result<()> {
    if cx.function.number != cx.program.module.functions[cx.entry.func].number {
        return Ok(());
    }
    match helper::has_discarded(cx, code)? {
        Some(flag) => code.kill_if(flag),
        None => Ok(()),
    }
}
