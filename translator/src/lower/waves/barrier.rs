//! Barriers: D3D's flags translated to SPIR-V scopes and memory semantics.

use rspirv::spirv::{MemorySemantics, Scope};

use crate::ir::args;
use crate::lower::cx::{Call, Code, FunctionCx, Lowered};
use crate::ops::consts::BarrierMode;
use dxil_base::error::Result;

/// `barrier` (DXIL.rst, "Barrier"). The fence flags order accesses to UAVs (buffers and images) and
/// to groupshared memory. The flag for thread-group synchronisation makes all threads of the group
/// wait.
pub fn barrier(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::Barrier,
) -> Result<Lowered> {
    let mode =
        BarrierMode::try_from(cx.entry.immediate(args.barrier_mode)?).map_err(|e| malformed!(call.place, "{e}"))?;
    let mut semantics = MemorySemantics::RELAXED;
    let global = mode.contains(BarrierMode::UAV_FENCE_GLOBAL);
    if global || mode.contains(BarrierMode::UAV_FENCE_THREAD_GROUP) {
        semantics |= MemorySemantics::UNIFORM_MEMORY | MemorySemantics::IMAGE_MEMORY;
    }
    if mode.contains(BarrierMode::TGSM_FENCE) {
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
