//! Barriers: D3D's flags translated to SPIR-V scopes and memory semantics.

use rspirv::spirv::{MemorySemantics, Scope};

use crate::ir::{Value, args};
use crate::lower::cx::{Call, Code, FunctionCx, Lowered};
use crate::ops::StageSet;
use crate::ops::consts::{BarrierMode, BarrierSemanticFlags};
use dxil_base::error::Result;

/// `barrier` (DXIL.rst, "Barrier"). The fence flags order accesses to UAVs (buffers and images) and
/// to groupshared memory. The flag for thread-group synchronisation makes all threads of the group
/// wait.
pub fn barrier(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    _: args::Barrier,
) -> Result<Lowered> {
    order(cx, code, call)
}

/// `barrierByMemoryType` (DirectX-Specs, "Barrier"): the same with flags of memory and of scope.
///
/// # Errors
/// `Malformed` if the flags need a thread group, and the stage has none.
pub fn by_memory_type(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::BarrierByMemoryType,
) -> Result<Lowered> {
    check_scope(cx, call, args.semantic_flags)?;
    order(cx, code, call)
}

/// `barrierByMemoryHandle`: orders accesses to one UAV. SPIR-V orders those to all.
///
/// # Errors
/// As [`by_memory_type`].
pub fn by_memory_handle(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::BarrierByMemoryHandle,
) -> Result<Lowered> {
    check_scope(cx, call, args.semantic_flags)?;
    order(cx, code, call)
}

/// Threads wait for their group, and accesses are ordered for it, in stages with thread groups
/// only.
fn check_scope(cx: &FunctionCx<'_, '_>, call: &Call<'_>, flags: Value) -> Result<()> {
    let flags = cx.entry.immediate(flags)?;
    let of_group = BarrierSemanticFlags::GROUP_SYNC.bits() | BarrierSemanticFlags::GROUP_SCOPE.bits();
    let stage = cx.input.entry.stage;
    if flags & of_group != 0 && !StageSet::GROUPS.contains(stage) {
        return Err(malformed!(
            call.place,
            "{} with GROUP_SYNC or GROUP_SCOPE in a {stage} shader, which has no thread groups",
            call.op
        ));
    }
    Ok(())
}

fn order(cx: &FunctionCx<'_, '_>, code: &mut Code<'_, '_>, call: &Call<'_>) -> Result<Lowered> {
    let constant = |at: usize| cx.entry.immediate(*call.args.get(at)?).ok();
    let Some(mode) = call.op.info().barrier_mode(constant) else {
        return Err(malformed!(call.place, "the flags of {} are not constant", call.op));
    };
    let mut semantics = MemorySemantics::RELAXED;
    let global = mode.contains(BarrierMode::UAV_FENCE_GLOBAL);
    if global || mode.contains(BarrierMode::UAV_FENCE_THREAD_GROUP) {
        semantics |= MemorySemantics::UNIFORM_MEMORY | MemorySemantics::IMAGE_MEMORY;
    }
    if mode.contains(BarrierMode::TGSM_FENCE) && StageSet::GROUPS.contains(cx.input.entry.stage) {
        semantics |= MemorySemantics::WORKGROUP_MEMORY;
    }
    if semantics != MemorySemantics::RELAXED {
        semantics |= MemorySemantics::ACQUIRE_RELEASE;
    }
    let scope = if global { Scope::Device } else { Scope::Workgroup };
    if mode.contains(BarrierMode::SYNC_THREAD_GROUP) {
        code.control_barrier(Scope::Workgroup, scope, semantics);
    } else if semantics != MemorySemantics::RELAXED {
        code.memory_barrier(scope, semantics);
    }
    Ok(Lowered::Nothing)
}
