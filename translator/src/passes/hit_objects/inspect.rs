//! Answers what a shader asks of hit objects that it does not invoke.
//!
//! In: a function, and how often its locals are used. Out: the hit objects of which nothing but
//! questions is made, and the code of the answers. A traced one becomes a ray query, which is the
//! same where no any-hit and no intersection shader can run: all triangles are opaque or culled by
//! constant ray flags, and procedural primitives are skipped. So one Proceed ends the search. The
//! answers for a miss, and for hit objects that were made as a miss or as nothing, are those of
//! HLSL proposal 0027. What must hold: no shader is invoked, and no record of a shader table is
//! read.

use foldhash::HashMap;

use super::super::splice::Splice;
use super::super::writer::CodeWriter;
use super::uses::Uses;
use crate::ir::args;
use crate::ir::args::Args;
use crate::ir::{BinaryOp, ConstKind, Func, Function, Inst, InstData, Module, Type, TypeId, Types, Value};
use crate::ops::OpCode;

/// Ray flags (DXR, "Ray flags").
const FORCE_OPAQUE: u64 = 1;
const FORCE_NON_OPAQUE: u64 = 2;
const CULL_NON_OPAQUE: u64 = 0x80;
const SKIP_PROCEDURAL: u64 = 0x200;
const ALL_FLAGS: u32 = 0x7ff;
/// `RAYQUERY_FLAG_ALLOW_OPACITY_MICROMAPS`, because a pipeline may allow them.
const ALLOW_MICROMAPS: u64 = 1;

/// The ray of a hit object.
#[derive(Clone, Copy)]
struct Ray {
    flags: Value,
    miss: Value,
    origin: [Value; 3],
    start: Value,
    direction: [Value; 3],
    end: Value,
}

/// How a hit object was traced.
#[derive(Clone, Copy)]
struct Trace {
    structure: Value,
    mask: Value,
    /// The contribution of the ray and the multiplier of geometries to a record's number.
    record: [Value; 2],
}

/// A hit object of which nothing but questions is made.
pub(super) struct Inspected {
    /// The instruction that makes it.
    pub(super) inst: Inst,
    /// `None` if it is neither a hit nor a miss.
    ray: Option<Ray>,
    /// `None` if it is no hit.
    trace: Option<Trace>,
    /// The questions.
    questions: Vec<Inst>,
}

fn is_question(op: OpCode) -> bool {
    (OpCode::HitObject_IsMiss..=OpCode::HitObject_ShaderTableIndex).contains(&op) || op == OpCode::HitObject_Attributes
}

/// Finds the hit objects that are only inspected.
pub(super) fn find(module: &Module, func: Func, uses: &Uses) -> Vec<Inspected> {
    let function = &module.functions[func];
    let mut questions: HashMap<Value, Vec<Inst>> = HashMap::default();
    let instructions = || {
        function.blocks.values().flat_map(|block| &block.insts).copied().filter(|&inst| !uses.removed.contains(inst))
    };
    for inst in instructions() {
        if let InstData::Op { op, args, .. } = function.insts[inst]
            && is_question(op)
            && let Some(&object) = function.list(args).first()
            && has_answer(module, function, op, function.list(args))
        {
            questions.entry(object).or_default().push(inst);
        }
    }
    let mut found = Vec::new();
    for inst in instructions() {
        let Some((ray, trace)) = made(module, function, inst) else { continue };
        let asked = function.result(inst).and_then(|object| Some((object, questions.remove(&object)?)));
        if let Some((object, questions)) = asked
            && questions.len() == uses.of(object) as usize
        {
            found.push(Inspected { inst, ray, trace, questions });
        }
    }
    found
}

/// What an instruction makes, if it makes a hit object that may be one of these.
fn made(module: &Module, function: &Function, inst: Inst) -> Option<(Option<Ray>, Option<Trace>)> {
    let InstData::Op { op, args, .. } = function.insts[inst] else { return None };
    let args = function.list(args);
    match op {
        OpCode::HitObject_MakeNop => Some((None, None)),
        OpCode::HitObject_MakeMiss => {
            let a = args::HitObject_MakeMiss::view(args)?;
            let (origin, direction) =
                ([a.origin_x, a.origin_y, a.origin_z], [a.direction_x, a.direction_y, a.direction_z]);
            let ray =
                Ray { flags: a.ray_flags, miss: a.miss_shader_index, origin, start: a.t_min, direction, end: a.t_max };
            Some((Some(ray), None))
        }
        OpCode::HitObject_TraceRay => {
            let a = args::HitObject_TraceRay::view(args)?;
            let flags = module.const_uint(a.ray_flags)?;
            let is_decided = flags & SKIP_PROCEDURAL != 0
                && flags & (FORCE_OPAQUE | CULL_NON_OPAQUE) != 0
                && flags & FORCE_NON_OPAQUE == 0;
            let (origin, direction) =
                ([a.origin_x, a.origin_y, a.origin_z], [a.direction_x, a.direction_y, a.direction_z]);
            let ray =
                Ray { flags: a.ray_flags, miss: a.miss_shader_index, origin, start: a.t_min, direction, end: a.t_max };
            let record =
                [a.ray_contribution_to_hit_group_index, a.multiplier_for_geometry_contribution_to_hit_group_index];
            let trace = Trace { structure: a.acceleration_structure, mask: a.instance_inclusion_mask, record };
            is_decided.then_some((Some(ray), Some(trace)))
        }
        _ => None,
    }
}

/// Whether a question has constants that it may have, or a place for attributes of a triangle.
fn has_answer(module: &Module, function: &Function, op: OpCode, args: &[Value]) -> bool {
    let below = |at: usize, end: u64| args.get(at).and_then(|&value| module.const_uint(value)).is_some_and(|n| n < end);
    match op {
        OpCode::HitObject_Attributes => args.get(1).is_some_and(|&ptr| barycentrics(module, function, ptr).is_some()),
        OpCode::HitObject_ObjectToWorld3x4 | OpCode::HitObject_WorldToObject3x4 => below(1, 3) && below(2, 4),
        OpCode::HitObject_WorldRayOrigin
        | OpCode::HitObject_WorldRayDirection
        | OpCode::HitObject_ObjectRayOrigin
        | OpCode::HitObject_ObjectRayDirection => below(1, 3),
        _ => true,
    }
}

/// The paths to the two floats of a variable with the attributes of a triangle.
fn barycentrics(module: &Module, function: &Function, ptr: Value) -> Option<[Vec<u32>; 2]> {
    let Type::Pointer { pointee, .. } = module.types[module.type_of(function, ptr)] else { return None };
    let (mut ty, mut path) = (pointee, Vec::new());
    // Structures with one member, of which the innermost has the floats.
    for _ in 0..4 {
        match &module.types[ty] {
            Type::Struct { fields, .. } if fields.len() == 1 => {
                path.push(0);
                ty = fields[0];
            }
            Type::Struct { fields, .. } if fields.iter().all(|&field| is_float(&module.types, field)) => {
                return (fields.len() == 2).then(|| both(&path));
            }
            &Type::Vector { element, len } => {
                return (len == 2 && is_float(&module.types, element)).then(|| both(&path));
            }
            &Type::Array { element, len } => {
                return (len == 2 && is_float(&module.types, element)).then(|| both(&path));
            }
            _ => return None,
        }
    }
    None
}

fn is_float(types: &Types, ty: TypeId) -> bool {
    types[ty] == Type::Float(32)
}

fn both(path: &[u32]) -> [Vec<u32>; 2] {
    [0, 1].map(|last| path.iter().copied().chain([last]).collect())
}

/// Writes the answers to the questions about a hit object.
pub(super) fn answer(module: &mut Module, func: Func, object: &Inspected, splice: &mut Splice) {
    let paths: Vec<_> = object
        .questions
        .iter()
        .map(|&inst| match module.functions[func].insts[inst] {
            InstData::Op { op: OpCode::HitObject_Attributes, args, .. } => {
                let function = &module.functions[func];
                function.list(args).get(1).and_then(|&ptr| barycentrics(module, function, ptr))
            }
            _ => None,
        })
        .collect();
    let Module { types, consts, functions, .. } = module;
    let function = &mut functions[func];
    let mut out = Vec::new();
    let mut writer = CodeWriter { types, consts, function, out: &mut out };
    let query = object.ray.zip(object.trace).map(|(ray, trace)| writer.query(&ray, &trace));
    splice.inst(object.inst, out);
    for (&inst, paths) in object.questions.iter().zip(paths) {
        let InstData::Op { op, args, .. } = function.insts[inst] else { continue };
        let (args, mut out) = (function.list(args).to_vec(), Vec::new());
        let mut writer = CodeWriter { types, consts, function, out: &mut out };
        let of = Asked { ray: object.ray, record: object.trace.map(|trace| trace.record), query };
        match (paths, args.get(1)) {
            (Some(paths), Some(&ptr)) => writer.attributes(&of, ptr, paths),
            _ => {
                let answer = writer.answer(&of, op, &args);
                if let Some(result) = function.result(inst) {
                    splice.value(result, answer);
                }
            }
        }
        splice.inst(inst, out);
    }
}

/// What the answers to questions are made of.
struct Asked {
    ray: Option<Ray>,
    record: Option<[Value; 2]>,
    /// The handle of the query that has the hit.
    query: Option<Value>,
}

impl CodeWriter<'_> {
    /// Traces a ray. The result is the handle of the query.
    fn query(&mut self, ray: &Ray, trace: &Trace) -> Value {
        let (word, flag) = (self.integer(32), self.integer(1));
        let (none, micromaps) = (self.number(32, 0), self.number(32, ALLOW_MICROMAPS));
        let query = self.op(OpCode::AllocateRayQuery2, &[none, micromaps], word);
        let ([x, y, z], [dx, dy, dz]) = (ray.origin, ray.direction);
        let args = [query, trace.structure, ray.flags, trace.mask, x, y, z, ray.start, dx, dy, dz, ray.end];
        self.statement(OpCode::RayQuery_TraceRayInline, &args);
        self.op(OpCode::RayQuery_Proceed, &[query], flag);
        query
    }

    fn answer(&mut self, of: &Asked, op: OpCode, args: &[Value]) -> Value {
        let number = |at: usize| args.get(at).copied();
        let component = |writer: &Self, of: [Value; 3]| {
            let at = number(1).and_then(|value| writer.constant_number(value)).unwrap_or_default() as usize;
            of.get(at).copied().unwrap_or(of[0])
        };
        match op {
            OpCode::HitObject_IsHit => self.is_hit(of),
            OpCode::HitObject_IsMiss => match (of.ray, of.query) {
                (Some(_), Some(_)) => {
                    let (hit, yes) = (self.is_hit(of), self.number(1, 1));
                    self.binary(BinaryOp::Xor, hit, yes)
                }
                (ray, _) => self.number(1, ray.is_some().into()),
            },
            OpCode::HitObject_IsNop => self.number(1, of.ray.is_none().into()),
            OpCode::HitObject_RayFlags => match of.ray {
                Some(ray) => self.with(BinaryOp::And, ray.flags, ALL_FLAGS),
                None => self.number(32, 0),
            },
            OpCode::HitObject_RayTMin => of.ray.map_or_else(|| self.float(0.0), |ray| ray.start),
            OpCode::HitObject_RayTCurrent => match (of.ray, of.query) {
                // Without a hit that is the end of the ray.
                (_, Some(query)) => self.committed(query, OpCode::RayQuery_CommittedRayT, &[]),
                (ray, None) => ray.map_or_else(|| self.float(0.0), |ray| ray.end),
            },
            OpCode::HitObject_WorldRayOrigin => match of.ray {
                Some(ray) => component(self, ray.origin),
                None => self.float(0.0),
            },
            OpCode::HitObject_WorldRayDirection => match of.ray {
                Some(ray) => component(self, ray.direction),
                None => self.float(0.0),
            },
            OpCode::HitObject_ObjectRayOrigin | OpCode::HitObject_ObjectRayDirection => {
                let Some(ray) = of.ray else { return self.float(0.0) };
                let (world, op) = match op {
                    OpCode::HitObject_ObjectRayOrigin => (ray.origin, OpCode::RayQuery_CommittedObjectRayOrigin),
                    _ => (ray.direction, OpCode::RayQuery_CommittedObjectRayDirection),
                };
                let otherwise = component(self, world);
                let at = number(1).and_then(|value| self.constant_number(value)).unwrap_or_default();
                self.if_hit(of, op, &[(8, at)], otherwise)
            }
            OpCode::HitObject_ObjectToWorld3x4 | OpCode::HitObject_WorldToObject3x4 => {
                let [row, column] =
                    [1, 2].map(|at| number(at).and_then(|value| self.constant_number(value)).unwrap_or_default());
                let otherwise = self.float(if row == column { 1.0 } else { 0.0 });
                let op = match op {
                    OpCode::HitObject_ObjectToWorld3x4 => OpCode::RayQuery_CommittedObjectToWorld3x4,
                    _ => OpCode::RayQuery_CommittedWorldToObject3x4,
                };
                self.if_hit(of, op, &[(32, row), (8, column)], otherwise)
            }
            OpCode::HitObject_HitKind => {
                let Some(query) = of.query else { return self.number(32, 0) };
                let front = self.committed(query, OpCode::RayQuery_CommittedTriangleFrontFace, &[]);
                let [none, to_front, to_back] = [0, 254, 255].map(|kind| self.number(32, kind));
                let kind = self.select(front, to_front, to_back);
                let hit = self.is_hit(of);
                self.select(hit, kind, none)
            }
            OpCode::HitObject_ShaderTableIndex => self.record(of),
            _ => {
                let op = match op {
                    OpCode::HitObject_GeometryIndex => OpCode::RayQuery_CommittedGeometryIndex,
                    OpCode::HitObject_InstanceIndex => OpCode::RayQuery_CommittedInstanceIndex,
                    OpCode::HitObject_InstanceID => OpCode::RayQuery_CommittedInstanceID,
                    _ => OpCode::RayQuery_CommittedPrimitiveIndex,
                };
                let none = self.number(32, 0);
                self.if_hit(of, op, &[], none)
            }
        }
    }

    /// The number of the record of the shader that an invocation would run.
    fn record(&mut self, of: &Asked) -> Value {
        let Some(ray) = of.ray else { return self.number(32, 0) };
        let miss = self.with(BinaryOp::And, ray.miss, 0xffff);
        let (Some(query), Some([contribution, multiplier])) = (of.query, of.record) else { return miss };
        let contribution = self.with(BinaryOp::And, contribution, 15);
        let multiplier = self.with(BinaryOp::And, multiplier, 15);
        let geometry = self.committed(query, OpCode::RayQuery_CommittedGeometryIndex, &[]);
        let instance = self.committed(query, OpCode::RayQuery_CommittedInstanceContributionToHitGroupIndex, &[]);
        let geometry = self.binary(BinaryOp::Mul, geometry, multiplier);
        let record = self.binary(BinaryOp::Add, geometry, contribution);
        let record = self.binary(BinaryOp::Add, record, instance);
        let hit = self.is_hit(of);
        self.select(hit, record, miss)
    }

    /// Stores the barycentrics of a hit, or zeros.
    fn attributes(&mut self, of: &Asked, ptr: Value, paths: [Vec<u32>; 2]) {
        for (component, path) in (0..).zip(paths) {
            let none = self.float(0.0);
            let value = self.if_hit(of, OpCode::RayQuery_CommittedTriangleBarycentrics, &[(8, component)], none);
            self.store_at(ptr, &path, value);
        }
    }

    fn is_hit(&mut self, of: &Asked) -> Value {
        let Some(query) = of.query else { return self.number(1, 0) };
        let status = self.committed(query, OpCode::RayQuery_CommittedStatus, &[]);
        self.is_set(status)
    }

    /// What a query says of its hit; another value where there is none.
    fn if_hit(&mut self, of: &Asked, op: OpCode, numbers: &[(u8, u64)], otherwise: Value) -> Value {
        let Some(query) = of.query else { return otherwise };
        let value = self.committed(query, op, numbers);
        let hit = self.is_hit(of);
        self.select(hit, value, otherwise)
    }

    /// An operation on a query, with constants of these widths.
    fn committed(&mut self, query: Value, op: OpCode, numbers: &[(u8, u64)]) -> Value {
        let mut args = vec![query];
        args.extend(numbers.iter().map(|&(bits, number)| self.number(bits, number)));
        let ty = match op {
            OpCode::RayQuery_CommittedTriangleFrontFace => self.integer(1),
            OpCode::RayQuery_CommittedStatus
            | OpCode::RayQuery_CommittedGeometryIndex
            | OpCode::RayQuery_CommittedInstanceIndex
            | OpCode::RayQuery_CommittedInstanceID
            | OpCode::RayQuery_CommittedPrimitiveIndex
            | OpCode::RayQuery_CommittedInstanceContributionToHitGroupIndex => self.integer(32),
            _ => self.types.intern(Type::Float(32)),
        };
        self.op(op, &args, ty)
    }

    fn select(&mut self, condition: Value, then: Value, otherwise: Value) -> Value {
        let ty = self.ty(then);
        self.emit(InstData::Select { condition, then, otherwise }, ty)
    }

    fn float(&mut self, value: f32) -> Value {
        let ty = self.types.intern(Type::Float(32));
        self.constant(ty, ConstKind::Float(value.to_bits().into()))
    }
}
