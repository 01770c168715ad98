//! Discard on devices that cannot demote: a flag, and the invocation's end where the shader returns.
//!
//! In: a pixel shader that discards. Out: a variable that says whether this lane has. What must hold is what a demotion does
//! (DXIL.rst, "Discard"; Vulkan, "HelperInvocation"): the lane runs on, so that derivatives and quad operations of its neighbours
//! stay defined; nothing that it writes to memory is seen; it calls itself a helper; wave operations do not count it; and its
//! outputs go nowhere, as it ends at the return instead of returning.

use rspirv::spirv::{Op, StorageClass};

use super::context::{Context, Declared};
use super::{Call, Code, Lowered, operation};
use crate::dxil::consts::ShaderStage;
use crate::dxil::ir::{Func, InstData};
use crate::dxil::ops::{MemoryEffect, OpCode, OpType};
use crate::dxil::program::{Entry, Program};
use crate::error::Result;
use crate::spirv::{Caps, Id, Module};

/// Whether the functions that an entry reaches discard in this way on a device.
pub(super) fn is_needed(program: &Program, entry: &Entry, functions: &[Func], caps: &Caps<'_>) -> bool {
    let discards = |&func: &Func| {
        let insts = program.module.functions[func].insts.values();
        insts.into_iter().any(|data| matches!(data, InstData::Op { op: OpCode::Discard, .. }))
    };
    entry.stage == ShaderStage::Pixel && !caps.native_demote() && functions.iter().any(discards)
}

/// The flag: private to the invocation, false at first.
fn flag(cx: &mut Context<'_>, module: &mut Module<'_>) -> Result<Id> {
    cx.declare(module, Declared::Discarded, |_, module| {
        let (bool_ty, no) = (module.type_bool(), module.const_bool(false));
        let id = module.variable(StorageClass::Private, bool_ty, Some(no))?;
        module.name(id, "discarded");
        Ok(id)
    })
}

/// Discards where the condition holds, everywhere where there is none.
pub(super) fn discard(cx: &mut Context<'_>, code: &mut Code<'_, '_>, condition: Option<Id>) -> Result<()> {
    let (flag, bool_ty) = (flag(cx, code)?, code.type_bool());
    let now = match condition {
        Some(condition) => {
            let before = code.load(flag);
            code.binary(Op::LogicalOr, bool_ty, before, condition)
        }
        None => code.const_bool(true),
    };
    code.store(flag, now);
    Ok(())
}

/// Whether the lane has discarded; `None` where discards are demotions, or there are none.
pub(super) fn has_discarded(cx: &mut Context<'_>, code: &mut Code<'_, '_>) -> Result<Option<Id>> {
    if !cx.flags_discards {
        return Ok(None);
    }
    let flag = flag(cx, code)?;
    Ok(Some(code.load(flag)))
}

/// Lowers an operation. One that writes a resource does nothing in a lane that has discarded; what an atomic operation gives there is
/// undefined in D3D, and zero here.
pub(super) fn guarded(cx: &mut Context<'_>, code: &mut Code<'_, '_>, call: &Call<'_>) -> Result<Lowered> {
    let info = call.op.info();
    let writes = info.effect == MemoryEffect::Write && info.operands.iter().any(|o| o.ty == OpType::Handle);
    let flag = if writes { has_discarded(cx, code)? } else { None };
    let Some(flag) = flag else { return operation(cx, code, call) };
    let bool_ty = code.type_bool();
    let live = code.unary(Op::LogicalNot, bool_ty, flag);
    let Some(ty) = call.ty else {
        code.if_then(live, |code| operation(cx, code, call).map(drop))?;
        return Ok(Lowered::Nothing);
    };
    let ty = cx.ty(code, ty)?;
    let zero = code.const_null(ty);
    let value = code.if_value(ty, live, zero, |code| match operation(cx, code, call)? {
        Lowered::Id(id) => Ok(id),
        _ => Err(unsupported!(call.place, "{} after a discard, on a device that cannot demote", call.op)),
    })?;
    Ok(Lowered::Id(value))
}

/// What comes before the entry's return: the end of the lanes that have discarded.
pub(super) fn end(cx: &mut Context<'_>, code: &mut Code<'_, '_>) -> Result<()> {
    if cx.function.number != cx.program.module.functions[cx.entry.func].number {
        return Ok(());
    }
    match has_discarded(cx, code)? {
        Some(flag) => code.kill_if(flag),
        None => Ok(()),
    }
}
