//! Numbers of a thread in its group and in the dispatch, and which threads make a quad.
//!
//! In: `[numthreads]`. Out: the thread's numbers. What must hold: the lanes of a quad are four in a row, and where D3D says which threads
//! those are (from shader model 6.6 on, HLSL_SM_6_6_Derivatives), they are those threads. Vulkan counts the threads of a group row by row; so where the
//! device has no quads of two rows itself, the lanes are given other threads' numbers: D3D does not say which lane is which thread.

use rspirv::spirv::{BuiltIn, Capability, ExecutionMode, Op, Scope};

use super::context::Context;
use super::{Call, Code, Lowered, values};
use crate::dxil::consts::ShaderStage;
use crate::dxil::ops::args;
use crate::dxil::program::StageProperties;
use crate::error::Result;
use crate::spirv::{Caps, Id};

/// The shape of a group's quads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quads {
    /// Four threads in a row: the group has one row.
    Linear,
    /// Two by two.
    Square,
}

impl Quads {
    /// What lets the device make such quads itself, and the mode that asks for it.
    pub fn native(self) -> (Capability, ExecutionMode) {
        match self {
            Quads::Linear => (Capability::ComputeDerivativeGroupLinearKHR, ExecutionMode::DerivativeGroupLinearKHR),
            Quads::Square => (Capability::ComputeDerivativeGroupQuadsKHR, ExecutionMode::DerivativeGroupQuadsKHR),
        }
    }
}

/// The shape of the quads that the shader counts on: `None` outside compute shaders, where nothing asks for quads, and where no shape fits.
/// HLSL_SM_6_6_Derivatives, "Thread Groups and Quads".
pub(super) fn quads(cx: &Context<'_>) -> Option<Quads> {
    let entry = cx.entry;
    let StageProperties::Compute { num_threads: [x, y, z], .. } = entry.properties else { return None };
    let asked = cx.tangles.gradient || cx.tangles.quad && cx.program.shader_model >= (6, 6);
    if entry.stage != ShaderStage::Compute || !asked {
        return None;
    }
    match (x, y, z) {
        (_, 1, 1) if x % 4 == 0 => Some(Quads::Linear),
        _ if x % 2 == 0 && y % 2 == 0 => Some(Quads::Square),
        _ => None,
    }
}

/// Whether the device makes the shader's quads itself.
pub(super) fn has_native_quads(cx: &Context<'_>, caps: &Caps<'_>) -> bool {
    quads(cx).is_some_and(|quads| caps.allows(quads.native().0))
}

/// A thread's place in its group.
struct Thread {
    local: Id,
    index: Id,
}

/// The thread's place, where it is not the one that Vulkan gives the lane.
fn moved(cx: &mut Context<'_>, code: &mut Code<'_, '_>) -> Result<Option<Thread>> {
    if quads(cx) != Some(Quads::Square) || has_native_quads(cx, &code.caps) {
        return Ok(None);
    }
    let StageProperties::Compute { num_threads: [width, height, _], .. } = cx.entry.properties else {
        return Ok(None);
    };
    let word = code.type_u32();
    let lane = cx.load_builtin(code, BuiltIn::LocalInvocationIndex, word)?;
    let [one, two] = [1, 2].map(|n| code.const_u32(n));
    let [half_width, width, height] = [width / 2, width, height].map(|n| code.const_u32(n));
    // Quads go row by row; all layers are rows here, since the height is even.
    let quad = code.binary(Op::ShiftRightLogical, word, lane, two);
    let (quad_x, quad_y) =
        (code.binary(Op::UMod, word, quad, half_width), code.binary(Op::UDiv, word, quad, half_width));
    let below = code.binary(Op::ShiftRightLogical, word, lane, one);
    let (right, below) = (code.binary(Op::BitwiseAnd, word, lane, one), code.binary(Op::BitwiseAnd, word, below, one));
    let (left, top) = (code.binary(Op::IMul, word, quad_x, two), code.binary(Op::IMul, word, quad_y, two));
    let (x, row) = (code.binary(Op::IAdd, word, left, right), code.binary(Op::IAdd, word, top, below));
    let (y, z) = (code.binary(Op::UMod, word, row, height), code.binary(Op::UDiv, word, row, height));
    let before = code.binary(Op::IMul, word, row, width);
    let index = code.binary(Op::IAdd, word, before, x);
    let vector = code.type_vector(word, 3);
    Ok(Some(Thread { local: code.construct(vector, &[x, y, z]), index }))
}

/// `SV_DispatchThreadID`.
pub(super) fn thread_id(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::ThreadId,
) -> Result<Lowered> {
    let Some(thread) = moved(cx, code)? else {
        return values::builtin(cx, code, call, BuiltIn::GlobalInvocationId);
    };
    let StageProperties::Compute { num_threads, .. } = cx.entry.properties else {
        return Err(bug!(call.place, "a thread without a group"));
    };
    let word = code.type_u32();
    let vector = code.type_vector(word, 3);
    let group = cx.load_builtin(code, BuiltIn::WorkgroupId, vector)?;
    let size = num_threads.map(|n| code.const_u32(n));
    let size = code.const_composite(vector, &size);
    let first = code.binary(Op::IMul, vector, group, size);
    let id = code.binary(Op::IAdd, vector, first, thread.local);
    values::component(cx, code, call, id, args.component)
}

/// `SV_GroupThreadID`.
pub(super) fn thread_id_in_group(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::ThreadIdInGroup,
) -> Result<Lowered> {
    match moved(cx, code)? {
        Some(thread) => values::component(cx, code, call, thread.local, args.component),
        None => values::builtin(cx, code, call, BuiltIn::LocalInvocationId),
    }
}

/// `SV_GroupIndex`.
pub(super) fn flattened_thread_id_in_group(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    _: args::FlattenedThreadIdInGroup,
) -> Result<Lowered> {
    match moved(cx, code)? {
        Some(thread) => Ok(Lowered::Id(thread.index)),
        None => values::builtin(cx, code, call, BuiltIn::LocalInvocationIndex),
    }
}

/// The legacy cycle counter: low and high word of a counter that only its own subgroup may compare (SPV_KHR_shader_clock).
pub(super) fn cycle_counter_legacy(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    _: args::CycleCounterLegacy,
) -> Result<Lowered> {
    code.caps.capability(Capability::ShaderClockKHR)?;
    let (word, scope) = (code.type_u32(), code.const_u32(Scope::Subgroup as u32));
    let pair = code.type_vector(word, 2);
    let now = code.op(Op::ReadClockKHR, pair, &[scope]);
    let parts = [code.component(now, 0), code.component(now, 1)];
    Ok(cx.parts(&parts))
}
