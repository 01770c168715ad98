//! Hit objects as values: `SPV_EXT_shader_invocation_reorder`, or
//! `SPV_NV_shader_invocation_reorder`.
//!
//! In: what the pass `hit_objects` leaves. Out: a variable for the hit objects that are never
//! needed at one time ([`HitObjects`]), and instructions on it. What must hold: no instruction asks
//! a hit object in a state that the extension gives no answer for. The answer there is that of HLSL
//! proposal 0027: zeros, the world's ray for a miss, and the identity for matrices.

use rspirv::spirv::{Capability, GlslStd450Op, Op, StorageClass};

use super::calls::{Ray, low_bits, vector};
use super::{calls, flags, object, query};
use crate::analysis::hit_objects::{HitObjects, MAKERS, OF_QUERIES};
use crate::ir::args::{self, Args};
use crate::ir::{InstData, TypeId, Value};
use crate::lower::cx::{Call, Code, Declared, FunctionCx, Lowered};
use crate::lower::memory::{CallVariable, write_object};
use crate::lower::numbers::index;
use crate::ops::OpCode;
use dxil_base::error::Result;
use dxil_spirv_builder::{Id, Member, MemoryAccess, StructKind};

/// The ray flags that D3D defines.
const FLAGS: u32 = 0x7ff;

/// The bits of the number of a record that count for a hit, and for a miss.
const RECORD_BITS: [u32; 2] = [28, 16];

/// The extension that has the instructions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extension {
    Nv,
    Ext,
}

/// An instruction that both extensions have.
#[derive(Clone, Copy)]
struct Form {
    nv: Op,
    ext: Op,
}

macro_rules! forms {
    ($($name:ident = $nv:ident $ext:ident;)*) => {
        $(const $name: Form = Form { nv: Op::$nv, ext: Op::$ext };)*
    };
}

forms! {
    TYPE = TypeHitObjectNV TypeHitObjectEXT;
    TRACE = HitObjectTraceRayNV HitObjectTraceRayEXT;
    RECORD_MISS = HitObjectRecordMissNV HitObjectRecordMissEXT;
    RECORD_EMPTY = HitObjectRecordEmptyNV HitObjectRecordEmptyEXT;
    EXECUTE = HitObjectExecuteShaderNV HitObjectExecuteShaderEXT;
    REORDER = ReorderThreadWithHitObjectNV ReorderThreadWithHitObjectEXT;
    REORDER_BY_HINT = ReorderThreadWithHintNV ReorderThreadWithHintEXT;
    IS_EMPTY = HitObjectIsEmptyNV HitObjectIsEmptyEXT;
    IS_HIT = HitObjectIsHitNV HitObjectIsHitEXT;
    IS_MISS = HitObjectIsMissNV HitObjectIsMissEXT;
    T_MIN = HitObjectGetRayTMinNV HitObjectGetRayTMinEXT;
    T_MAX = HitObjectGetRayTMaxNV HitObjectGetRayTMaxEXT;
    RECORD = HitObjectGetShaderBindingTableRecordIndexNV HitObjectGetShaderBindingTableRecordIndexEXT;
    RECORD_ADDRESS = HitObjectGetShaderRecordBufferHandleNV HitObjectGetShaderRecordBufferHandleEXT;
    GEOMETRY = HitObjectGetGeometryIndexNV HitObjectGetGeometryIndexEXT;
    INSTANCE = HitObjectGetInstanceIdNV HitObjectGetInstanceIdEXT;
    CUSTOM_INDEX = HitObjectGetInstanceCustomIndexNV HitObjectGetInstanceCustomIndexEXT;
    PRIMITIVE = HitObjectGetPrimitiveIndexNV HitObjectGetPrimitiveIndexEXT;
    HIT_KIND = HitObjectGetHitKindNV HitObjectGetHitKindEXT;
    WORLD_ORIGIN = HitObjectGetWorldRayOriginNV HitObjectGetWorldRayOriginEXT;
    WORLD_DIRECTION = HitObjectGetWorldRayDirectionNV HitObjectGetWorldRayDirectionEXT;
    OBJECT_ORIGIN = HitObjectGetObjectRayOriginNV HitObjectGetObjectRayOriginEXT;
    OBJECT_DIRECTION = HitObjectGetObjectRayDirectionNV HitObjectGetObjectRayDirectionEXT;
    OBJECT_TO_WORLD = HitObjectGetObjectToWorldNV HitObjectGetObjectToWorldEXT;
    WORLD_TO_OBJECT = HitObjectGetWorldToObjectNV HitObjectGetWorldToObjectEXT;
    ATTRIBUTES = HitObjectGetAttributesNV HitObjectGetAttributesEXT;
}

impl Extension {
    /// The extension that a device has; that of EXT before that of NV. `None` if it has neither.
    fn enabled(code: &Code<'_, '_>) -> Option<Self> {
        let has = |capability| code.caps.allows(capability);
        match has(Capability::ShaderInvocationReorderEXT) {
            true => Some(Self::Ext),
            false => has(Capability::ShaderInvocationReorderNV).then_some(Self::Nv),
        }
    }

    /// Declares the extension that a device has.
    ///
    /// # Errors
    /// `MissingFeature` if it has neither.
    fn declare(code: &mut Code<'_, '_>) -> Result<Self> {
        let extension = Self::enabled(code).unwrap_or(Self::Ext);
        code.caps.capability(match extension {
            Self::Nv => Capability::ShaderInvocationReorderNV,
            Self::Ext => Capability::ShaderInvocationReorderEXT,
        })?;
        Ok(extension)
    }

    fn op(self, form: Form) -> Op {
        match self {
            Self::Nv => form.nv,
            Self::Ext => form.ext,
        }
    }

    fn attribute_class(self) -> StorageClass {
        match self {
            Self::Nv => StorageClass::HitObjectAttributeNV,
            Self::Ext => StorageClass::HitObjectAttributeEXT,
        }
    }
}

/// The type of hit objects, if the entry point makes some.
pub fn object_type(cx: &FunctionCx<'_, '_>) -> Option<TypeId> {
    let operations = cx.input.entry.reachable.operations;
    if !MAKERS.into_iter().any(|op| operations.has(op)) {
        return None;
    }
    HitObjects::ty(&cx.input.program.module, cx.function)
}

/// A hit object.
#[derive(Clone, Copy)]
struct Object {
    /// Its variable.
    variable: Id,
    extension: Extension,
}

impl Object {
    /// The hit object that a value is.
    ///
    /// # Errors
    /// `MissingFeature` if the device has no extension of hit objects. `Unsupported` if another
    /// one, which would have the same variable, is needed at the same time.
    fn find(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, call: &Call<'_>, value: Value) -> Result<Self> {
        let extension = Extension::declare(code)?;
        let function = cx.function;
        let objects = match cx.variables.hit_objects.take() {
            Some(objects) => objects,
            None => HitObjects::find(&cx.input.program.module, function, &code.fuel)?,
        };
        let representative = objects.representative(value);
        cx.variables.hit_objects = Some(objects);
        let Some(representative) = representative else {
            return Err(unsupported!(
                call.place,
                "{} of a hit object that is chosen from several, of which more than one is needed at a time",
                call.op
            ));
        };
        if let Some(&variable) = cx.variables.hit_object_variables.get(&representative) {
            return Ok(Self { variable, extension });
        }
        let ty = code.type_hit_object(extension.op(TYPE));
        let variable = code.local(ty, None);
        cx.variables.hit_object_variables.insert(representative, variable);
        Ok(Self { variable, extension })
    }

    /// The hit object that an operation makes.
    fn made(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, call: &Call<'_>) -> Result<Self> {
        let Some(object) = cx.function.result(call.inst) else {
            return Err(bug!(call.place, "{} makes no hit object", call.op));
        };
        Self::find(cx, code, call, object)
    }

    /// The hit object that is an operation's first operand.
    fn operand(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, call: &Call<'_>) -> Result<Self> {
        let Some(&object) = call.args.first() else { return Err(bug!(call.place, "{} has no hit object", call.op)) };
        Self::find(cx, code, call, object)
    }

    /// An instruction without a result, whose first operand is the hit object.
    fn change(self, code: &mut Code<'_, '_>, form: Form, operands: &[Id]) {
        code.stmt(self.extension.op(form), &[&[self.variable], operands].concat());
    }

    fn ask(self, code: &mut Code<'_, '_>, form: Form, ty: Id) -> Id {
        code.unary(self.extension.op(form), ty, self.variable)
    }

    fn is_hit(self, code: &mut Code<'_, '_>) -> Id {
        let bool_ty = code.type_bool();
        self.ask(code, IS_HIT, bool_ty)
    }

    /// Whether the hit object has a ray.
    fn has_ray(self, code: &mut Code<'_, '_>) -> Id {
        let bool_ty = code.type_bool();
        let empty = self.ask(code, IS_EMPTY, bool_ty);
        code.unary(Op::LogicalNot, bool_ty, empty)
    }
}

/// The operation that makes a hit object, with its operands. `None` if it is chosen from several.
fn maker<'a>(cx: &FunctionCx<'_, 'a>, object: Value) -> Option<(OpCode, &'a [Value])> {
    match cx.function.def_inst(object)?.1 {
        &InstData::Op { op, args, .. } => Some((op, cx.function.list(args))),
        _ => None,
    }
}

/// Whether a hit object has no record of a shader table, because a ray query gave it, and no
/// operation has set the record.
fn has_no_record(cx: &FunctionCx<'_, '_>, call: &Call<'_>) -> bool {
    let maker = call.args.first().and_then(|&object| maker(cx, object));
    maker.is_some_and(|(op, _)| OF_QUERIES.contains(&op))
}

/// Traces a ray, and runs no closest-hit and no miss shader.
pub fn trace(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::HitObject_TraceRay,
) -> Result<Lowered> {
    let object = Object::made(cx, code, call)?;
    let ray = Ray::new(cx, code, call.args)?;
    let what = "the payload of HitObject::TraceRay";
    let payload = CallVariable::find(cx, code, args.payload, StorageClass::RayPayloadKHR, what)?;
    object.change(code, TRACE, &ray.operands(payload.variable));
    code.forget_values();
    payload.copy_back(code);
    Ok(Lowered::Virtual)
}

/// Makes a miss.
pub fn miss(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::HitObject_MakeMiss,
) -> Result<Lowered> {
    let object = Object::made(cx, code, call)?;
    let index = low_bits(cx, code, args.miss_shader_index, 16)?;
    let origin = vector(cx, code, [args.origin_x, args.origin_y, args.origin_z])?;
    let direction = vector(cx, code, [args.direction_x, args.direction_y, args.direction_z])?;
    let [least, most] = cx.values(code, [args.t_min, args.t_max])?;
    let ray = [index, origin, least, direction, most];
    match object.extension {
        Extension::Ext => {
            let flags = flags::combined(cx, code, 0, args.ray_flags)?;
            object.change(code, RECORD_MISS, &[&[flags], ray.as_slice()].concat());
        }
        // A miss shader may ask for the flags.
        Extension::Nv if cx.input.const_uint(args.ray_flags) != Some(0) => {
            return Err(unsupported!(
                call.place,
                "{} with ray flags, which only VkPhysicalDeviceRayTracingInvocationReorderFeaturesEXT has",
                call.op
            ));
        }
        Extension::Nv => object.change(code, RECORD_MISS, &ray),
    }
    Ok(Lowered::Virtual)
}

/// Makes a hit object that is neither a hit nor a miss.
pub fn nop(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    _: args::HitObject_MakeNop,
) -> Result<Lowered> {
    Object::made(cx, code, call)?.change(code, RECORD_EMPTY, &[]);
    Ok(Lowered::Virtual)
}

/// What only the EXT form has.
fn need_ext(code: &mut Code<'_, '_>) -> Result<()> {
    code.caps.capability(Capability::ShaderInvocationReorderEXT)
}

/// Makes a hit object of what a ray query has found; one that is neither a hit nor a miss if it has
/// no hit. Its record is set by another operation, without which its invocation does nothing.
pub fn from_query(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    _: args::HitObject_FromRayQuery,
) -> Result<Lowered> {
    need_ext(code)?;
    let object = Object::made(cx, code, call)?;
    let float = code.type_f32();
    let barycentrics = code.type_vector(float, 2);
    let class = object.extension.attribute_class();
    let key = Declared::Payload(class as u32, barycentrics.word());
    // Those of a triangle are the query's. For a box D3D gives none to this operation.
    let attributes = cx.entry.declare(code, key, |_, module| module.variable(class, barycentrics, None))?;
    record_query(cx, code, call, object, &[attributes])
}

/// The same with the hit kind and the attributes that a hit of a box gets; those of a triangle are
/// the query's. The hit kind is an operand since the third revision of the extension.
pub fn from_query_with_attributes(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::HitObject_FromRayQueryWithAttrs,
) -> Result<Lowered> {
    need_ext(code)?;
    let object = Object::made(cx, code, call)?;
    let (kind, class) = (cx.value(code, args.hit_kind)?, object.extension.attribute_class());
    let what = "the attributes of HitObject::FromRayQuery";
    // The instruction writes no attributes, so a copy is not copied back.
    let attributes = CallVariable::find(cx, code, args.committed_attribs, class, what)?;
    record_query(cx, code, call, object, &[attributes.variable, kind])
}

/// Makes a hit object of a ray query's hit, with the operands that follow the record.
fn record_query(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    object: Object,
    last: &[Id],
) -> Result<Lowered> {
    let query = object::operand(cx, code, call)?;
    object.change(code, RECORD_EMPTY, &[]);
    let record = code.const_u32(0);
    query::if_ready(cx, code, call, query, |code| {
        let operands = [&[object.variable, query.pointer, record], last].concat();
        code.stmt(Op::HitObjectRecordFromQueryEXT, &operands);
    })?;
    Ok(Lowered::Virtual)
}

/// Gives a hit object another record of the shader table. One that is neither a hit nor a miss
/// ignores it.
pub fn set_record(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::HitObject_SetShaderTableIndex,
) -> Result<Lowered> {
    need_ext(code)?;
    let object = Object::made(cx, code, call)?;
    let [of_hit, of_miss] = [
        low_bits(cx, code, args.shader_table_index, RECORD_BITS[0])?,
        low_bits(cx, code, args.shader_table_index, RECORD_BITS[1])?,
    ];
    let index = if of_hit == of_miss {
        of_hit
    } else {
        let (is_hit, word) = (object.is_hit(code), code.type_u32());
        code.select(word, is_hit, of_hit, of_miss)
    };
    let has_ray = object.has_ray(code);
    code.if_then(has_ray, |code| {
        code.stmt(Op::HitObjectSetShaderBindingTableRecordIndexEXT, &[object.variable, index]);
        Ok(())
    })?;
    Ok(Lowered::Virtual)
}

/// Runs the closest-hit or miss shader.
pub fn invoke(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::HitObject_Invoke,
) -> Result<Lowered> {
    if has_no_record(cx, call) {
        return Ok(Lowered::Nothing);
    }
    let object = Object::operand(cx, code, call)?;
    let what = "the payload of HitObject::Invoke";
    let payload = CallVariable::find(cx, code, args.payload, StorageClass::RayPayloadKHR, what)?;
    object.change(code, EXECUTE, &[payload.variable]);
    code.forget_values();
    payload.copy_back(code);
    Ok(Lowered::Nothing)
}

/// The hint of a reordering and the number of its bits, of which there are at most 32; nothing if
/// it is none.
fn hint(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, [hint, bits]: [Value; 2]) -> Result<Vec<Id>> {
    let most = code.const_u32(32);
    Ok(match cx.input.const_uint(bits) {
        Some(0) => Vec::new(),
        Some(number) => vec![cx.value(code, hint)?, code.const_u32(number.min(32) as u32)],
        None => {
            let ([hint, bits], word) = (cx.values(code, [hint, bits])?, code.type_u32());
            vec![hint, code.glsl(GlslStd450Op::UMin, word, &[bits, most])]
        }
    })
}

/// Reorders invocations by a hit object and a hint.
pub fn reorder(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::MaybeReorderThread,
) -> Result<Lowered> {
    let object = Object::operand(cx, code, call)?;
    let hint = hint(cx, code, [args.coherence_hint, args.num_coherence_hint_bits_from_lsb])?;
    object.change(code, REORDER, &hint);
    code.forget_values();
    Ok(Lowered::Nothing)
}

/// Reorders invocations by a hint, where the device can.
pub fn reorder_by_hint(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    args: args::VendorReorder,
) -> Result<Lowered> {
    if Extension::enabled(code).is_some() {
        let extension = Extension::declare(code)?;
        let hint = hint(cx, code, [args.hint, args.bits])?;
        if !hint.is_empty() {
            code.stmt(extension.op(REORDER_BY_HINT), &hint);
            code.forget_values();
        }
    }
    Ok(Lowered::Nothing)
}

/// Traces a ray, reorders invocations by its hit and a hint where the device can, and runs the
/// closest-hit or miss shader.
pub fn trace_reordered(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::VendorTraceReorder,
) -> Result<Lowered> {
    let Some(extension) = Extension::enabled(code) else {
        return calls::trace(cx, code, call.args, args.payload);
    };
    Extension::declare(code)?;
    let ray = Ray::new(cx, code, call.args)?;
    let hint = hint(cx, code, [args.hint, args.bits])?;
    let payload = CallVariable::find(cx, code, args.payload, StorageClass::RayPayloadKHR, "the payload of TraceRay")?;
    let ty = code.type_hit_object(extension.op(TYPE));
    let object = Object { variable: code.local(ty, None), extension };
    let operands = ray.operands(payload.variable);
    match extension {
        Extension::Ext => {
            let operands = [&[object.variable], operands.as_slice(), &hint].concat();
            code.stmt(Op::HitObjectTraceReorderExecuteEXT, &operands);
        }
        Extension::Nv => {
            object.change(code, TRACE, &operands);
            object.change(code, REORDER, &hint);
            object.change(code, EXECUTE, &[payload.variable]);
        }
    }
    code.forget_values();
    payload.copy_back(code);
    Ok(Lowered::Nothing)
}

/// A question whose answer is a number or a bool.
pub fn scalar<A>(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, call: &Call<'_>, _: A) -> Result<Lowered> {
    let (object, ty) = (Object::operand(cx, code, call)?, cx.entry.ty(code, call.ty()?)?);
    // Whether a hit is needed, or a ray; `None` if any hit object has an answer.
    let (form, needs_hit) = match call.op {
        OpCode::HitObject_IsMiss => (IS_MISS, None),
        OpCode::HitObject_IsHit => (IS_HIT, None),
        OpCode::HitObject_IsNop => (IS_EMPTY, None),
        OpCode::HitObject_RayTMin => (T_MIN, Some(false)),
        OpCode::HitObject_RayTCurrent => (T_MAX, Some(false)),
        OpCode::HitObject_ShaderTableIndex if has_no_record(cx, call) => return Ok(Lowered::Id(code.const_null(ty))),
        OpCode::HitObject_ShaderTableIndex => (RECORD, Some(false)),
        OpCode::HitObject_GeometryIndex => (GEOMETRY, Some(true)),
        OpCode::HitObject_InstanceIndex => (INSTANCE, Some(true)),
        OpCode::HitObject_InstanceID => (CUSTOM_INDEX, Some(true)),
        OpCode::HitObject_PrimitiveIndex => (PRIMITIVE, Some(true)),
        OpCode::HitObject_HitKind => (HIT_KIND, Some(true)),
        _ => return Err(bug!(call.place, "{} is no question for a number", call.op)),
    };
    let condition = match needs_hit {
        None => return Ok(Lowered::Id(object.ask(code, form, ty))),
        Some(true) => object.is_hit(code),
        Some(false) => object.has_ray(code),
    };
    let none = code.const_null(ty);
    Ok(Lowered::Id(code.if_value(ty, condition, none, |code| Ok(object.ask(code, form, ty)))?))
}

/// The ray flags. In the NV form, they are an operand of the operation that made the hit object.
pub fn ray_flags(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::HitObject_RayFlags,
) -> Result<Lowered> {
    let object = Object::operand(cx, code, call)?;
    let (word, mask, none) = (code.type_u32(), code.const_u32(FLAGS), code.const_u32(0));
    if object.extension == Extension::Ext {
        let condition = object.has_ray(code);
        return Ok(Lowered::Id(code.if_value(word, condition, none, |code| {
            let flags = code.unary(Op::HitObjectGetRayFlagsEXT, word, object.variable);
            Ok(code.binary(Op::BitwiseAnd, word, flags, mask))
        })?));
    }
    match maker(cx, args.hit_object) {
        Some((OpCode::HitObject_TraceRay, made)) => {
            let Some(made) = args::HitObject_TraceRay::view(made) else {
                return Err(bug!(call.place, "a hit object is traced with other operands"));
            };
            let value = cx.value(code, made.ray_flags)?;
            Ok(Lowered::Id(code.binary(Op::BitwiseAnd, word, value, mask)))
        }
        // A miss of the NV form has no flags.
        Some((OpCode::HitObject_MakeMiss | OpCode::HitObject_MakeNop, _)) => Ok(Lowered::Id(none)),
        _ => Err(unsupported!(
            call.place,
            "{} of a hit object that is chosen from several, without \
             VkPhysicalDeviceRayTracingInvocationReorderFeaturesEXT",
            call.op
        )),
    }
}

/// A component of the origin or of the direction of a ray.
fn component(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, call: &Call<'_>, number: Value) -> Result<Lowered> {
    let object = Object::operand(cx, code, call)?;
    let number = cx.entry.immediate(number)?;
    if number > 2 {
        return Err(malformed!(call.place, "component {number} of {}; components are 0 to 2", call.op));
    }
    let (world, of_hit) = match call.op {
        OpCode::HitObject_WorldRayOrigin => (WORLD_ORIGIN, None),
        OpCode::HitObject_WorldRayDirection => (WORLD_DIRECTION, None),
        OpCode::HitObject_ObjectRayOrigin => (WORLD_ORIGIN, Some(OBJECT_ORIGIN)),
        _ => (WORLD_DIRECTION, Some(OBJECT_DIRECTION)),
    };
    let float = code.type_f32();
    let ty = code.type_vector(float, 3);
    let (condition, none) = (object.has_ray(code), code.const_null(ty));
    let mut value = code.if_value(ty, condition, none, |code| Ok(object.ask(code, world, ty)))?;
    if let Some(form) = of_hit {
        let hit = object.is_hit(code);
        value = code.if_value(ty, hit, value, |code| Ok(object.ask(code, form, ty)))?;
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
    let object = Object::operand(cx, code, call)?;
    let (row, column) = (cx.entry.immediate(row)?, cx.entry.immediate(column)?);
    if row > 2 || column > 3 {
        return Err(malformed!(call.place, "row {row} and column {column} of {}", call.op));
    }
    let form = match call.op {
        OpCode::HitObject_ObjectToWorld3x4 => OBJECT_TO_WORLD,
        _ => WORLD_TO_OBJECT,
    };
    let float = code.type_f32();
    let matrix = code.type_matrix(float, 3, 4);
    let (hit, identity) = (object.is_hit(code), code.const_f32(if row == column { 1.0 } else { 0.0 }));
    let value = code.if_value(float, hit, identity, |code| {
        let value = object.ask(code, form, matrix);
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
    let object = Object::operand(cx, code, call)?;
    let (hit, class) = (object.is_hit(code), object.extension.attribute_class());
    write_object(cx, code, args.attributes, class, "the attributes of a hit object", |code, variable, ty| {
        let none = code.const_null(ty);
        code.if_value(ty, hit, none, |code| {
            object.change(code, ATTRIBUTES, &[variable]);
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
    let (word, none) = (code.type_u32(), code.const_u32(0));
    if has_no_record(cx, call) {
        return Ok(Lowered::Id(none));
    }
    let (object, offset) = (Object::operand(cx, code, call)?, cx.value(code, args.offset)?);
    let (condition, pair) = (object.has_ray(code), code.type_vector(word, 2));
    let value = code.if_value(word, condition, none, |code| {
        let address = object.ask(code, RECORD_ADDRESS, pair);
        let words = code.type_runtime_array(word, Some(4));
        let content = code.type_struct(StructKind::Block, &[Member { non_writable: true, ..Member::at(words, 0) }]);
        let record = code.at_address(content, address)?;
        let index = index::shifted(code, offset, 4);
        let pointer = code.access_chain(word, record, &[none, index]);
        Ok(code.load_with(pointer, MemoryAccess { aligned: Some(4), ..MemoryAccess::default() }))
    })?;
    Ok(Lowered::Id(value))
}
