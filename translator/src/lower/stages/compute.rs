//! The ids of a thread in its group and in the dispatch.
//!
//! In: `[numthreads]`. Out: the thread's ids. What must hold: four lanes with consecutive indexes
//! execute the threads of a quad. From shader model 6.6 on, D3D says which threads those are
//! (HLSL_SM_6_6_Derivatives).
//!
//! Vulkan assigns the threads of a group to lanes row by row. So on a device without derivative
//! groups of two by two threads, lowering permutes the thread ids within the group: each four
//! consecutive lanes get the ids of a square. D3D allows this, because it does not say which lane
//! executes which thread.

use rspirv::spirv::{BuiltIn, Capability, Op, Scope};

use super::builtin;
use crate::ir::args;
use crate::lower::cx::{Call, Code, FunctionCx, Lowered};
use crate::lower::waves::quad_shape::{self, Quads};
use dxil_base::error::Result;
use dxil_base::profile::Feature;
use dxil_spirv_builder::Id;

/// The ids of a thread in its group.
struct Thread {
    local: Id,
    index: Id,
}

/// The permuted ids of the thread, or `None` if Vulkan's ids can be used as they are.
fn moved(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>) -> Result<Option<Thread>> {
    if quad_shape::quads(cx.input) != Some(Quads::Square) || quad_shape::has_native_quads(cx.input, &code.caps) {
        return Ok(None);
    }
    let Some([width, height, _]) = cx.input.entry.properties.num_threads() else { return Ok(None) };
    let word = code.type_u32();
    let lane = cx.entry.load_builtin(code, BuiltIn::LocalInvocationIndex, word)?;
    let [one, two] = [1, 2].map(|n| code.const_u32(n));
    let [half_width, width, height] = [width / 2, width, height].map(|n| code.const_u32(n));
    // Quads are numbered row by row. The rows of all layers are counted as one sequence, because
    // the height is even, so no quad spans two layers.
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
pub fn thread_id(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::ThreadId,
) -> Result<Lowered> {
    let Some(thread) = moved(cx, code)? else {
        return builtin::builtin(cx, code, call, BuiltIn::GlobalInvocationId);
    };
    let Some(num_threads) = cx.input.entry.properties.num_threads() else {
        return Err(bug!(call.place, "a thread id in a shader without a thread group"));
    };
    let word = code.type_u32();
    let vector = code.type_vector(word, 3);
    let group = cx.entry.load_builtin(code, BuiltIn::WorkgroupId, vector)?;
    let size = num_threads.map(|n| code.const_u32(n));
    let size = code.const_composite(vector, &size);
    let first = code.binary(Op::IMul, vector, group, size);
    let id = code.binary(Op::IAdd, vector, first, thread.local);
    builtin::component(cx, code, call, id, args.component)
}

/// `SV_GroupThreadID`.
pub fn thread_id_in_group(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::ThreadIdInGroup,
) -> Result<Lowered> {
    match moved(cx, code)? {
        Some(thread) => builtin::component(cx, code, call, thread.local, args.component),
        None => builtin::builtin(cx, code, call, BuiltIn::LocalInvocationId),
    }
}

/// `SV_GroupIndex`.
pub fn flattened_thread_id_in_group(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    _: args::FlattenedThreadIdInGroup,
) -> Result<Lowered> {
    match moved(cx, code)? {
        Some(thread) => Ok(Lowered::Id(thread.index)),
        None => builtin::builtin(cx, code, call, BuiltIn::LocalInvocationIndex),
    }
}

/// The legacy cycle counter: low and high word of a clock. Its values are comparable within one
/// subgroup only (SPV_KHR_shader_clock).
pub fn cycle_counter_legacy(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    _: args::CycleCounterLegacy,
) -> Result<Lowered> {
    clock(cx, code, Scope::Subgroup, Feature::SubgroupClock)
}

/// Low and high word of the clock that all invocations of a device share (SPV_KHR_shader_clock).
pub fn device_clock(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    _: args::VendorDeviceClock,
) -> Result<Lowered> {
    clock(cx, code, Scope::Device, Feature::DeviceClock)
}

fn clock(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, scope: Scope, feature: Feature) -> Result<Lowered> {
    code.caps.require(feature)?;
    code.caps.capability(Capability::ShaderClockKHR)?;
    let (word, scope) = (code.type_u32(), code.const_u32(scope as u32));
    let pair = code.type_vector(word, 2);
    let now = code.op(Op::ReadClockKHR, pair, &[scope]);
    let parts = [code.component(now, 0), code.component(now, 1)];
    Ok(cx.locals.parts(&parts))
}
