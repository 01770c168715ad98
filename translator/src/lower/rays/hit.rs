//! Hit objects as values: `SPV_NV_shader_invocation_reorder`.
//!
//! In: what the pass `hit_objects` leaves. Out: a variable for each operation that makes a hit object, and
//! instructions on it. What must hold: questions that a hit object has no answer to in the extension run
//! in no such state, and give what D3D says (HLSL proposal 0027): zeros, the world's ray for a miss, and
//! the identity for matrices. A variable is enough, because a use without a phi sees the object that the
//! operation made last.

use rspirv::spirv::{Capability, Op, StorageClass};

use super::calls::{low_bits, vector};
use super::{flags, structure};
use crate::ir::args::{self, Args};
use crate::ir::{InstData, TypeId, Value};
use crate::lower::cx::{Call, Code, FunctionCx, Lowered};
use crate::lower::memory::{CallVariable, write_object};
use crate::lower::numbers::index;
use crate::ops::OpCode;
use dxil_base::error::Result;
use dxil_spirv_builder::{Id, Member, MemoryAccess, StructKind};

/// The ray flags that D3D defines.
const FLAGS: u32 = 0x7ff;

/// The operations that make hit objects.
const MAKERS: [OpCode; 3] = [OpCode::HitObject_TraceRay, OpCode::HitObject_MakeMiss, OpCode::HitObject_MakeNop];

/// The type of hit objects, if the entry point makes some.
pub fn object_type(cx: &FunctionCx<'_, '_>) -> Option<TypeId> {
    let operations = cx.input.entry.reachable.operations;
    if !MAKERS.into_iter().any(|op| operations.has(op)) {
        return None;
    }
    let function = cx.function;
    let object = function.insts.iter().find_map(|(inst, data)| match data {
        InstData::Op { op, .. } if MAKERS.contains(op) => function.result(inst),
        _ => None,
    })?;
    Some(cx.type_of(object))
}

/// The variable of a hit object.
fn variable(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, object: Value) -> Result<Id> {
    code.caps.capability(Capability::ShaderInvocationReorderNV)?;
    if let Some(&id) = cx.variables.hit_objects.get(&object) {
        return Ok(id);
    }
    let ty = code.type_hit_object();
    let id = code.local(ty, None);
    cx.variables.hit_objects.insert(object, id);
    Ok(id)
}

/// The variable of the hit object that an operation makes.
fn made(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, call: &Call<'_>) -> Result<Id> {
    let Some(object) = cx.function.result(call.inst) else {
        return Err(bug!(call.place, "{} makes no hit object", call.op));
    };
    variable(cx, code, object)
}

/// The operation that makes a hit object, with its operands.
fn maker<'a>(cx: &FunctionCx<'_, 'a>, call: &Call<'_>, object: Value) -> Result<(OpCode, &'a [Value])> {
    match cx.function.def_inst(object) {
        Some((_, &InstData::Op { op, args, .. })) if MAKERS.contains(&op) => Ok((op, cx.function.list(args))),
        _ => Err(unsupported!(
            call.place,
            "{} of a hit object that is chosen, made of a ray query, or has another record",
            call.op
        )),
    }
}

/// The variable of the hit object that is an operation's first operand.
fn operand(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, call: &Call<'_>) -> Result<Id> {
    let Some(&object) = call.args.first() else { return Err(bug!(call.place, "{} has no hit object", call.op)) };
    let pointer = variable(cx, code, object)?;
    maker(cx, call, object)?;
    Ok(pointer)
}

/// Traces a ray, and runs no closest-hit and no miss shader.
pub fn trace(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::HitObject_TraceRay,
) -> Result<Lowered> {
    let object = made(cx, code, call)?;
    let structure = structure::value(cx, code, args.acceleration_structure)?;
    let flags = flags::combined(cx, code, 0, args.ray_flags)?;
    let mask = low_bits(cx, code, args.instance_inclusion_mask, 8)?;
    let contribution = low_bits(cx, code, args.ray_contribution_to_hit_group_index, 4)?;
    let multiplier = low_bits(cx, code, args.multiplier_for_geometry_contribution_to_hit_group_index, 4)?;
    let miss = low_bits(cx, code, args.miss_shader_index, 16)?;
    let origin = vector(cx, code, [args.origin_x, args.origin_y, args.origin_z])?;
    let direction = vector(cx, code, [args.direction_x, args.direction_y, args.direction_z])?;
    let [least, most] = cx.values(code, [args.t_min, args.t_max])?;
    let what = "the payload of HitObject::TraceRay";
    let payload = CallVariable::find(cx, code, args.payload, StorageClass::RayPayloadKHR, what)?;
    let ray = [origin, least, direction, most, payload.variable];
    let operands = [[object, structure, flags, mask, contribution, multiplier, miss].as_slice(), &ray].concat();
    code.stmt(Op::HitObjectTraceRayNV, &operands);
    code.forget_values();
    payload.copy_back(code);
    Ok(Lowered::Virtual)
}

/// Makes a miss. Its ray flags have no place in the extension, and a miss shader may ask for them.
pub fn miss(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::HitObject_MakeMiss,
) -> Result<Lowered> {
    if cx.input.const_uint(args.ray_flags) != Some(0) {
        return Err(unsupported!(
            call.place,
            "{} with ray flags, which SPV_NV_shader_invocation_reorder has not",
            call.op
        ));
    }
    let object = made(cx, code, call)?;
    let index = low_bits(cx, code, args.miss_shader_index, 16)?;
    let origin = vector(cx, code, [args.origin_x, args.origin_y, args.origin_z])?;
    let direction = vector(cx, code, [args.direction_x, args.direction_y, args.direction_z])?;
    let [least, most] = cx.values(code, [args.t_min, args.t_max])?;
    code.stmt(Op::HitObjectRecordMissNV, &[object, index, origin, least, direction, most]);
    Ok(Lowered::Virtual)
}

/// Makes a hit object that is neither a hit nor a miss.
pub fn nop(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    _: args::HitObject_MakeNop,
) -> Result<Lowered> {
    let object = made(cx, code, call)?;
    code.stmt(Op::HitObjectRecordEmptyNV, &[object]);
    Ok(Lowered::Virtual)
}

/// Runs the closest-hit or miss shader.
pub fn invoke(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::HitObject_Invoke,
) -> Result<Lowered> {
    let object = operand(cx, code, call)?;
    let what = "the payload of HitObject::Invoke";
    let payload = CallVariable::find(cx, code, args.payload, StorageClass::RayPayloadKHR, what)?;
    code.stmt(Op::HitObjectExecuteShaderNV, &[object, payload.variable]);
    code.forget_values();
    payload.copy_back(code);
    Ok(Lowered::Nothing)
}

fn is_hit(code: &mut Code<'_, '_>, object: Id) -> Id {
    let bool_ty = code.type_bool();
    code.unary(Op::HitObjectIsHitNV, bool_ty, object)
}

/// Whether a hit object has a ray.
fn has_ray(code: &mut Code<'_, '_>, object: Id) -> Id {
    let bool_ty = code.type_bool();
    let empty = code.unary(Op::HitObjectIsEmptyNV, bool_ty, object);
    code.unary(Op::LogicalNot, bool_ty, empty)
}

/// A question whose answer is a number or a bool.
pub fn scalar<A>(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, call: &Call<'_>, _: A) -> Result<Lowered> {
    let (object, ty) = (operand(cx, code, call)?, cx.entry.ty(code, call.ty()?)?);
    // Whether a hit is needed, or a ray; `None` if any hit object has an answer.
    let (op, needs_hit) = match call.op {
        OpCode::HitObject_IsMiss => (Op::HitObjectIsMissNV, None),
        OpCode::HitObject_IsHit => (Op::HitObjectIsHitNV, None),
        OpCode::HitObject_IsNop => (Op::HitObjectIsEmptyNV, None),
        OpCode::HitObject_RayTMin => (Op::HitObjectGetRayTMinNV, Some(false)),
        OpCode::HitObject_RayTCurrent => (Op::HitObjectGetRayTMaxNV, Some(false)),
        OpCode::HitObject_ShaderTableIndex => (Op::HitObjectGetShaderBindingTableRecordIndexNV, Some(false)),
        OpCode::HitObject_GeometryIndex => (Op::HitObjectGetGeometryIndexNV, Some(true)),
        OpCode::HitObject_InstanceIndex => (Op::HitObjectGetInstanceIdNV, Some(true)),
        OpCode::HitObject_InstanceID => (Op::HitObjectGetInstanceCustomIndexNV, Some(true)),
        OpCode::HitObject_PrimitiveIndex => (Op::HitObjectGetPrimitiveIndexNV, Some(true)),
        OpCode::HitObject_HitKind => (Op::HitObjectGetHitKindNV, Some(true)),
        _ => return Err(bug!(call.place, "{} is no question for a number", call.op)),
    };
    let condition = match needs_hit {
        None => return Ok(Lowered::Id(code.unary(op, ty, object))),
        Some(true) => is_hit(code, object),
        Some(false) => has_ray(code, object),
    };
    let none = code.const_null(ty);
    Ok(Lowered::Id(code.if_value(ty, condition, none, |code| Ok(code.unary(op, ty, object)))?))
}

/// The ray flags, which are an operand of the operation that made the hit object.
pub fn ray_flags(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::HitObject_RayFlags,
) -> Result<Lowered> {
    let (op, made) = maker(cx, call, args.hit_object)?;
    let flags = match op {
        OpCode::HitObject_TraceRay => args::HitObject_TraceRay::view(made).map(|made| made.ray_flags),
        _ => None,
    };
    let Some(flags) = flags else { return Ok(Lowered::Id(code.const_u32(0))) };
    let (value, word, mask) = (cx.value(code, flags)?, code.type_u32(), code.const_u32(FLAGS));
    Ok(Lowered::Id(code.binary(Op::BitwiseAnd, word, value, mask)))
}

/// A component of the origin or of the direction of a ray.
fn component(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, call: &Call<'_>, number: Value) -> Result<Lowered> {
    let object = operand(cx, code, call)?;
    let number = cx.entry.immediate(number)?;
    if number > 2 {
        return Err(malformed!(call.place, "component {number} of {}; components are 0 to 2", call.op));
    }
    let (world, of_hit) = match call.op {
        OpCode::HitObject_WorldRayOrigin => (Op::HitObjectGetWorldRayOriginNV, None),
        OpCode::HitObject_WorldRayDirection => (Op::HitObjectGetWorldRayDirectionNV, None),
        OpCode::HitObject_ObjectRayOrigin => {
            (Op::HitObjectGetWorldRayOriginNV, Some(Op::HitObjectGetObjectRayOriginNV))
        }
        _ => (Op::HitObjectGetWorldRayDirectionNV, Some(Op::HitObjectGetObjectRayDirectionNV)),
    };
    let float = code.type_f32();
    let ty = code.type_vector(float, 3);
    let (condition, none) = (has_ray(code, object), code.const_null(ty));
    let mut value = code.if_value(ty, condition, none, |code| Ok(code.unary(world, ty, object)))?;
    if let Some(op) = of_hit {
        let hit = is_hit(code, object);
        value = code.if_value(ty, hit, value, |code| Ok(code.unary(op, ty, object)))?;
    }
    Ok(Lowered::Id(code.component(value, number)))
}

/// An element of a matrix of the instance that was hit.
fn element(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    [row, column]: [Value; 2],
) -> Result<Lowered> {
    let object = operand(cx, code, call)?;
    let (row, column) = (cx.entry.immediate(row)?, cx.entry.immediate(column)?);
    if row > 2 || column > 3 {
        return Err(malformed!(call.place, "row {row} and column {column} of {}", call.op));
    }
    let op = match call.op {
        OpCode::HitObject_ObjectToWorld3x4 => Op::HitObjectGetObjectToWorldNV,
        _ => Op::HitObjectGetWorldToObjectNV,
    };
    let float = code.type_f32();
    let matrix = code.type_matrix(float, 3, 4);
    let (hit, identity) = (is_hit(code, object), code.const_f32(if row == column { 1.0 } else { 0.0 }));
    let value = code.if_value(float, hit, identity, |code| {
        let value = code.unary(op, matrix, object);
        Ok(code.extract(float, value, &[column, row]))
    })?;
    Ok(Lowered::Id(value))
}

macro_rules! parts {
    ($($name:ident($args:ident) = $read:ident($($operand:ident)+);)*) => {$(
        #[doc = concat!("`", stringify!($args), "`.")]
        pub fn $name(
            cx: &mut FunctionCx<'_, '_>,
            code: &mut Code<'_, '_>,
            call: &Call<'_>,
            args: args::$args,
        ) -> Result<Lowered> {
            parts!(@ $read cx code call args $($operand)+)
        }
    )*};
    (@ component $cx:ident $code:ident $call:ident $args:ident $number:ident) => {
        component($cx, $code, $call, $args.$number)
    };
    (@ element $cx:ident $code:ident $call:ident $args:ident $row:ident $column:ident) => {
        element($cx, $code, $call, [$args.$row, $args.$column])
    };
}

parts! {
    world_origin(HitObject_WorldRayOrigin) = component(component);
    world_direction(HitObject_WorldRayDirection) = component(component);
    object_origin(HitObject_ObjectRayOrigin) = component(component);
    object_direction(HitObject_ObjectRayDirection) = component(component);
    object_to_world(HitObject_ObjectToWorld3x4) = element(row col);
    world_to_object(HitObject_WorldToObject3x4) = element(row col);
}

/// The attributes of a hit, or zeros.
pub fn attributes(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::HitObject_Attributes,
) -> Result<Lowered> {
    let object = operand(cx, code, call)?;
    let hit = is_hit(code, object);
    let class = StorageClass::HitObjectAttributeNV;
    write_object(cx, code, args.attributes, class, "the attributes of a hit object", |code, variable, ty| {
        let none = code.const_null(ty);
        code.if_value(ty, hit, none, |code| {
            code.stmt(Op::HitObjectGetAttributesNV, &[object, variable]);
            Ok(code.load(variable))
        })
    })?;
    Ok(Lowered::Nothing)
}

/// A word of the record of the shader that an invocation would run, whose data is at an address.
pub fn record_word(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::HitObject_LoadLocalRootTableConstant,
) -> Result<Lowered> {
    let (object, offset) = (operand(cx, code, call)?, cx.value(code, args.offset)?);
    let (condition, word) = (has_ray(code, object), code.type_u32());
    let (pair, none) = (code.type_vector(word, 2), code.const_u32(0));
    let value = code.if_value(word, condition, none, |code| {
        let address = code.unary(Op::HitObjectGetShaderRecordBufferHandleNV, pair, object);
        let words = code.type_runtime_array(word, Some(4));
        let content = code.type_struct(StructKind::Block, &[Member { non_writable: true, ..Member::at(words, 0) }]);
        let record = code.at_address(content, address)?;
        let index = index::shifted(code, offset, 4);
        let pointer = code.access_chain(word, record, &[none, index]);
        Ok(code.load_with(pointer, MemoryAccess { aligned: Some(4), ..MemoryAccess::default() }))
    })?;
    Ok(Lowered::Id(value))
}
