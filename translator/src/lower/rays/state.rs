//! Operations that read a ray query: the ray, the candidate, the committed hit.
//!
//! In: handles of queries. Out: instructions of `SPV_KHR_ray_query`. What must hold: D3D's and
//! SPIR-V's numbers for candidates and for hits are the same (0 triangle, 1 box; 0 nothing, 1
//! triangle, 2 procedural primitive). An operation that needs a candidate or a hit, where there is
//! none, gives zero; CommittedRayT gives the end of the ray then, as D3D says.

use rspirv::spirv::{Op, RayQueryIntersection};

use super::flags;
use super::object::{self, QueryFlags};
use super::query::guarded;
use crate::ir::Value;
use crate::ir::args;
use crate::lower::cx::{Call, Code, FunctionCx, Lowered};
use crate::ops::OpCode;
use dxil_base::error::Result;
use dxil_spirv_builder::Id;

/// The instruction for an operation, and which hit it reads.
fn instruction(op: OpCode) -> Option<(Op, Option<RayQueryIntersection>)> {
    use OpCode as O;
    const CANDIDATE: Option<RayQueryIntersection> = Some(RayQueryIntersection::RayQueryCandidateIntersectionKHR);
    const COMMITTED: Option<RayQueryIntersection> = Some(RayQueryIntersection::RayQueryCommittedIntersectionKHR);
    Some(match op {
        O::RayQuery_CommittedStatus => (Op::RayQueryGetIntersectionTypeKHR, COMMITTED),
        O::RayQuery_CandidateType => (Op::RayQueryGetIntersectionTypeKHR, CANDIDATE),
        O::RayQuery_CandidateObjectToWorld3x4 => (Op::RayQueryGetIntersectionObjectToWorldKHR, CANDIDATE),
        O::RayQuery_CandidateWorldToObject3x4 => (Op::RayQueryGetIntersectionWorldToObjectKHR, CANDIDATE),
        O::RayQuery_CommittedObjectToWorld3x4 => (Op::RayQueryGetIntersectionObjectToWorldKHR, COMMITTED),
        O::RayQuery_CommittedWorldToObject3x4 => (Op::RayQueryGetIntersectionWorldToObjectKHR, COMMITTED),
        O::RayQuery_CandidateProceduralPrimitiveNonOpaque => (Op::RayQueryGetIntersectionCandidateAABBOpaqueKHR, None),
        O::RayQuery_CandidateTriangleFrontFace => (Op::RayQueryGetIntersectionFrontFaceKHR, CANDIDATE),
        O::RayQuery_CommittedTriangleFrontFace => (Op::RayQueryGetIntersectionFrontFaceKHR, COMMITTED),
        O::RayQuery_CandidateTriangleBarycentrics => (Op::RayQueryGetIntersectionBarycentricsKHR, CANDIDATE),
        O::RayQuery_CommittedTriangleBarycentrics => (Op::RayQueryGetIntersectionBarycentricsKHR, COMMITTED),
        O::RayQuery_RayFlags => (Op::RayQueryGetRayFlagsKHR, None),
        O::RayQuery_WorldRayOrigin => (Op::RayQueryGetWorldRayOriginKHR, None),
        O::RayQuery_WorldRayDirection => (Op::RayQueryGetWorldRayDirectionKHR, None),
        O::RayQuery_RayTMin => (Op::RayQueryGetRayTMinKHR, None),
        O::RayQuery_CandidateTriangleRayT => (Op::RayQueryGetIntersectionTKHR, CANDIDATE),
        O::RayQuery_CommittedRayT => (Op::RayQueryGetIntersectionTKHR, COMMITTED),
        O::RayQuery_CandidateInstanceIndex => (Op::RayQueryGetIntersectionInstanceIdKHR, CANDIDATE),
        O::RayQuery_CommittedInstanceIndex => (Op::RayQueryGetIntersectionInstanceIdKHR, COMMITTED),
        O::RayQuery_CandidateInstanceID => (Op::RayQueryGetIntersectionInstanceCustomIndexKHR, CANDIDATE),
        O::RayQuery_CommittedInstanceID => (Op::RayQueryGetIntersectionInstanceCustomIndexKHR, COMMITTED),
        O::RayQuery_CandidateGeometryIndex => (Op::RayQueryGetIntersectionGeometryIndexKHR, CANDIDATE),
        O::RayQuery_CommittedGeometryIndex => (Op::RayQueryGetIntersectionGeometryIndexKHR, COMMITTED),
        O::RayQuery_CandidatePrimitiveIndex => (Op::RayQueryGetIntersectionPrimitiveIndexKHR, CANDIDATE),
        O::RayQuery_CommittedPrimitiveIndex => (Op::RayQueryGetIntersectionPrimitiveIndexKHR, COMMITTED),
        O::RayQuery_CandidateObjectRayOrigin => (Op::RayQueryGetIntersectionObjectRayOriginKHR, CANDIDATE),
        O::RayQuery_CommittedObjectRayOrigin => (Op::RayQueryGetIntersectionObjectRayOriginKHR, COMMITTED),
        O::RayQuery_CandidateObjectRayDirection => (Op::RayQueryGetIntersectionObjectRayDirectionKHR, CANDIDATE),
        O::RayQuery_CommittedObjectRayDirection => (Op::RayQueryGetIntersectionObjectRayDirectionKHR, COMMITTED),
        O::RayQuery_CandidateInstanceContributionToHitGroupIndex => {
            (Op::RayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetKHR, CANDIDATE)
        }
        O::RayQuery_CommittedInstanceContributionToHitGroupIndex => {
            (Op::RayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetKHR, COMMITTED)
        }
        _ => return None,
    })
}

/// What an operation reads, as a value of a type. Several operations of a block that read the same
/// share an instruction.
fn read(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, call: &Call<'_>, ty: Id) -> Result<Id> {
    let object = object::operand(cx, code, call)?;
    if let Some(value) = cx.reads.queries.get(cx.node, &(object.handle, call.op)) {
        return Ok(value);
    }
    let Some((op, which)) = instruction(call.op) else { return Err(bug!(call.place, "{} reads no query", call.op)) };
    let otherwise = match object.end {
        Some(end) if call.op == OpCode::RayQuery_CommittedRayT => code.load(end),
        _ if call.op == OpCode::RayQuery_CandidateProceduralPrimitiveNonOpaque => code.const_bool(true),
        _ => code.const_null(ty),
    };
    let value = guarded(cx, code, call, object, ty, otherwise, |code| {
        let which = which.map(|which| code.const_u32(which as u32));
        let operands: Vec<Id> = [object.pointer].into_iter().chain(which).collect();
        let value = code.op(op, ty, &operands);
        Ok(match object.flags {
            QueryFlags::Constant(constant) if call.op == OpCode::RayQuery_RayFlags => {
                flags::reported(code, constant, value)
            }
            _ => value,
        })
    })?;
    cx.reads.queries.insert(cx.node, (object.handle, call.op), value);
    Ok(value)
}

/// An operation that reads a number or a bool.
pub fn scalar<A>(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, call: &Call<'_>, _: A) -> Result<Lowered> {
    let ty = cx.entry.ty(code, call.ty()?)?;
    Ok(Lowered::Id(read(cx, code, call, ty)?))
}

/// CandidateProceduralPrimitiveNonOpaque: SPIR-V tells whether the box is opaque.
pub fn non_opaque(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    _: args::RayQuery_CandidateProceduralPrimitiveNonOpaque,
) -> Result<Lowered> {
    let ty = code.type_bool();
    let opaque = read(cx, code, call, ty)?;
    Ok(Lowered::Id(code.unary(Op::LogicalNot, ty, opaque)))
}

/// Component `component` of a vector of `count` floats.
fn component(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    count: u32,
    component: Value,
) -> Result<Lowered> {
    let number = cx.entry.immediate(component)?;
    if number >= count {
        return Err(malformed!(call.place, "component {number} of {}, which has {count}", call.op));
    }
    let float = code.type_f32();
    let ty = code.type_vector(float, count);
    let vector = read(cx, code, call, ty)?;
    Ok(Lowered::Id(code.component(vector, number)))
}

/// The operations that read a component of a vector: a function for each.
macro_rules! vectors {
    ($($name:ident: $operation:ident, $count:literal;)+) => {$(
        #[doc = concat!("A component of ", stringify!($operation), ".")]
        pub fn $name(
            cx: &mut FunctionCx<'_, '_>,
            code: &mut Code<'_, '_>,
            call: &Call<'_>,
            args: args::$operation,
        ) -> Result<Lowered> {
            component(cx, code, call, $count, args.component)
        }
    )+};
}

vectors! {
    candidate_barycentrics: RayQuery_CandidateTriangleBarycentrics, 2;
    committed_barycentrics: RayQuery_CommittedTriangleBarycentrics, 2;
    world_origin: RayQuery_WorldRayOrigin, 3;
    world_direction: RayQuery_WorldRayDirection, 3;
    candidate_origin: RayQuery_CandidateObjectRayOrigin, 3;
    candidate_direction: RayQuery_CandidateObjectRayDirection, 3;
    committed_origin: RayQuery_CommittedObjectRayOrigin, 3;
    committed_direction: RayQuery_CommittedObjectRayDirection, 3;
}

/// An element of a matrix. D3D's has three rows of four; SPIR-V's has four columns of three.
fn element(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    row: Value,
    column: Value,
) -> Result<Lowered> {
    let (row, column) = (cx.entry.immediate(row)?, cx.entry.immediate(column)?);
    if row >= 3 || column >= 4 {
        return Err(malformed!(call.place, "row {row}, column {column} of {}, which has 3 rows of 4", call.op));
    }
    let float = code.type_f32();
    let ty = code.type_matrix(float, 3, 4);
    let matrix = read(cx, code, call, ty)?;
    Ok(Lowered::Id(code.extract(float, matrix, &[column, row])))
}

/// The operations that read an element of a matrix: a function for each.
macro_rules! matrices {
    ($($name:ident: $operation:ident;)+) => {$(
        #[doc = concat!("An element of ", stringify!($operation), ".")]
        pub fn $name(
            cx: &mut FunctionCx<'_, '_>,
            code: &mut Code<'_, '_>,
            call: &Call<'_>,
            args: args::$operation,
        ) -> Result<Lowered> {
            element(cx, code, call, args.row, args.col)
        }
    )+};
}

matrices! {
    candidate_to_world: RayQuery_CandidateObjectToWorld3x4;
    candidate_to_object: RayQuery_CandidateWorldToObject3x4;
    committed_to_world: RayQuery_CommittedObjectToWorld3x4;
    committed_to_object: RayQuery_CommittedWorldToObject3x4;
}
