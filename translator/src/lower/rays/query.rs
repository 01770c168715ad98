//! Operations that change a ray query: allocation, rays, the search and its hits.
//!
//! In: handles of queries. Out: instructions of `SPV_KHR_ray_query`. What must hold: an instruction
//! that SPIR-V leaves undefined in a state of the query runs in no such state ([`QueryState`]). D3D
//! defines two of them: after Proceed has returned false, it keeps returning false, and Abort does
//! nothing (DXR, «RayQuery Proceed»).

use rspirv::spirv::{Op, RayQueryIntersection};

use super::object::{self, Object, QueryFlags};
use super::{flags, structure};
use crate::ir::args;
use crate::lower::cx::{Call, Code, FunctionCx, Lowered};
use crate::ops::QueryState;
use dxil_base::error::Result;
use dxil_spirv_builder::Id;

/// AllocateRayQuery and AllocateRayQuery2: the handle, a constant. The query is a variable.
pub fn allocate<A>(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, call: &Call<'_>, _: A) -> Result<Lowered> {
    let query = cx.function.result(call.inst).and_then(|handle| cx.input.analysis.rays.queries.get(cx.func, handle));
    let Some(query) = query else { return Err(bug!(call.place, "{} was not found before", call.op)) };
    Ok(Lowered::Id(code.const_u32(object::number(query.storage, query.flags))))
}

/// TraceRayInline: begins a search. Both take the low eight bits of the mask.
pub fn trace(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::RayQuery_TraceRayInline,
) -> Result<Lowered> {
    let object = object::operand(cx, code, call)?;
    let scene = structure::value(cx, code, args.acceleration_structure)?;
    let flags = match object.flags {
        QueryFlags::Constant(constant) => flags::combined(cx, code, constant, args.ray_flags)?,
        QueryFlags::Value(constant) => {
            let constant = flags::declare(code, cx.input.analysis.rays.queries.some_pool_flags, constant)?;
            let (word, flags) = (code.type_u32(), flags::combined(cx, code, 0, args.ray_flags)?);
            code.binary(Op::BitwiseOr, word, flags, constant)
        }
    };
    let mask = cx.value(code, args.instance_inclusion_mask)?;
    let origin = cx.values(code, [args.origin_x, args.origin_y, args.origin_z])?;
    let direction = cx.values(code, [args.direction_x, args.direction_y, args.direction_z])?;
    let [start, end] = cx.values(code, [args.t_min, args.t_max])?;
    let float = code.type_f32();
    let vector = code.type_vector(float, 3);
    let (origin, direction) = (code.construct(vector, &origin), code.construct(vector, &direction));
    let operands = [object.pointer, scene, flags, mask, origin, start, direction, end];
    code.stmt(Op::RayQueryInitializeKHR, &operands);
    cx.reads.queries.clear();
    if let Some(state) = object.state {
        let traced = code.const_u32(object::TRACED | object::SEARCHING);
        code.store(state, traced);
    }
    if let Some(stored) = object.end {
        code.store(stored, end);
    }
    Ok(Lowered::Nothing)
}

/// Proceed: goes on with a search until there is a candidate.
pub fn proceed(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    _: args::RayQuery_Proceed,
) -> Result<Lowered> {
    let object = object::operand(cx, code, call)?;
    let (bool_ty, no) = (code.type_bool(), code.const_bool(false));
    let found = guarded(cx, code, call, object, bool_ty, no, |code| {
        let found = code.unary(Op::RayQueryProceedKHR, bool_ty, object.pointer);
        if let Some(state) = object.state {
            let word = code.type_u32();
            let open = code.const_u32(object::TRACED | object::SEARCHING | object::CANDIDATE);
            let ended = code.const_u32(object::TRACED);
            let now = code.select(word, found, open, ended);
            code.store(state, now);
        }
        Ok(found)
    })?;
    cx.reads.queries.clear();
    Ok(Lowered::Id(found))
}

/// Abort: ends a search, so that the next Proceed returns false.
pub fn abort(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    _: args::RayQuery_Abort,
) -> Result<Lowered> {
    statement(cx, code, call, Op::RayQueryTerminateKHR, None)
}

/// CommitNonOpaqueTriangleHit: the candidate triangle is hit.
pub fn commit_triangle(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    _: args::RayQuery_CommitNonOpaqueTriangleHit,
) -> Result<Lowered> {
    statement(cx, code, call, Op::RayQueryConfirmIntersectionKHR, None)
}

/// CommitProceduralPrimitiveHit: the candidate box has a hit at `t`.
pub fn commit_procedural(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::RayQuery_CommitProceduralPrimitiveHit,
) -> Result<Lowered> {
    let t = cx.value(code, args.t)?;
    statement(cx, code, call, Op::RayQueryGenerateIntersectionKHR, Some(t))
}

/// An instruction without a result.
fn statement(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    op: Op,
    operand: Option<Id>,
) -> Result<Lowered> {
    let object = object::operand(cx, code, call)?;
    let operands: Vec<Id> = [object.pointer].into_iter().chain(operand).collect();
    if_ready(cx, code, call, object, |code| code.stmt(op, &operands))?;
    cx.reads.queries.clear();
    Ok(Lowered::Nothing)
}

/// Writes code where the query is as the operation needs it.
pub(super) fn if_ready(
    cx: &FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    object: Object,
    write: impl FnOnce(&mut Code<'_, '_>),
) -> Result<()> {
    match condition(cx, code, call, object)? {
        Some(condition) => code.if_then(condition, |code| {
            write(code);
            Ok(())
        }),
        None => {
            write(code);
            Ok(())
        }
    }
}

/// The value of `value`, or `otherwise` where the query is not as the operation needs it.
pub(super) fn guarded(
    cx: &FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    object: Object,
    ty: Id,
    otherwise: Id,
    value: impl FnOnce(&mut Code<'_, '_>) -> Result<Id>,
) -> Result<Id> {
    match condition(cx, code, call, object)? {
        Some(condition) => code.if_value(ty, condition, otherwise, value),
        None => value(code),
    }
}

/// Whether the query is as the operation needs it; `None` where that is known.
fn condition(cx: &FunctionCx<'_, '_>, code: &mut Code<'_, '_>, call: &Call<'_>, object: Object) -> Result<Option<Id>> {
    let Some(unproved) = cx.input.analysis.rays.queries.needs(cx.func, call.inst) else { return Ok(None) };
    let has = |code: &mut Code<'_, '_>, bit: u32| {
        let Some(pointer) = object.state else {
            return Err(bug!(call.place, "the state of a ray query is not stored"));
        };
        let (word, bit) = (code.type_u32(), code.const_u32(bit));
        let state = code.load(pointer);
        let masked = code.binary(Op::BitwiseAnd, word, state, bit);
        Ok(code.is_nonzero(masked))
    };
    let is_hit = |code: &mut Code<'_, '_>| {
        let (word, which) =
            (code.type_u32(), code.const_u32(RayQueryIntersection::RayQueryCommittedIntersectionKHR as u32));
        let status = code.binary(Op::RayQueryGetIntersectionTypeKHR, word, object.pointer, which);
        Ok(code.is_nonzero(status))
    };
    Ok(Some(match unproved.need {
        QueryState::Traced => has(code, object::TRACED)?,
        QueryState::Searching => has(code, object::SEARCHING)?,
        QueryState::Candidate => has(code, object::CANDIDATE)?,
        QueryState::Hit if unproved.traced => is_hit(code)?,
        QueryState::Hit => {
            let (traced, bool_ty, no) = (has(code, object::TRACED)?, code.type_bool(), code.const_bool(false));
            code.if_value(bool_ty, traced, no, is_hit)?
        }
    }))
}
