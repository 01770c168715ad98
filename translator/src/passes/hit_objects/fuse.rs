//! Traces rays where their hit objects are invoked.
//!
//! In: a function, and how often its locals are used. Out: the pairs of a trace and an invocation
//! that are one `TraceRay` (HLSL proposal 0027, "Detailed Design": the sequence is functionally
//! equivalent), which stands where the invocation was. What must hold: no instruction in between
//! can tell that the any-hit shaders of the ray run later.
//!
//! DXC gives each call a payload of its own. It stores all of it before the call, and loads it
//! afterwards. So the payload of the trace is copied to that of the invocation, number by number,
//! and is used for nothing else. The copy then happens before any shader of the ray runs, and the
//! shaders write the payload of the invocation.

use std::collections::BTreeSet;

use foldhash::HashMap;

use super::uses::{Uses, is_arithmetic};
use crate::analysis::address::{Address, Index, MemoryVariable};
use crate::ir::args;
use crate::ir::args::Args;
use crate::ir::{Block, Func, Function, Inst, InstData, Module, Type, TypeId, Types, Value};
use crate::ops::{Access, Memory, MemoryEffect, OpCode};
use dxil_base::entity::EntitySet;

/// The largest number of numbers in a payload that is copied.
const NUMBERS: usize = 256;

/// A trace and the invocation of its hit object.
pub(super) struct Fused {
    pub(super) trace: Inst,
    pub(super) invoke: Inst,
    /// The payload of the invocation.
    pub(super) payload: Value,
}

/// The constant indexes from a variable to a number in it.
type Path = Vec<u32>;

/// What a function does with a variable of its own.
#[derive(Default)]
struct Variable {
    /// The block that has all uses; `None` after uses in several blocks.
    block: Option<Block>,
    /// The position of the last use in the block.
    last: usize,
    /// A use is neither an address, a load, a store nor the payload of a hit object.
    escapes: bool,
}

/// A trace that no instruction has followed that it would have to stay before.
struct Traced {
    inst: Inst,
    object: Value,
    payload: Value,
    /// The numbers of the payload before the trace are stored in the block of the trace.
    is_stored: bool,
    /// The values that were loaded from the payload and are not stored yet.
    loads: HashMap<Value, Path>,
    /// The variable that they were stored to, and where.
    target: Option<Value>,
    copied: BTreeSet<Path>,
}

struct Finder<'a> {
    module: &'a Module,
    function: &'a Function,
    uses: &'a Uses,
    variables: HashMap<Value, Variable>,
}

/// Finds the pairs of a function.
pub(super) fn find(module: &Module, func: Func, uses: &Uses) -> Vec<Fused> {
    let function = &module.functions[func];
    let is_trace = |data: &InstData| matches!(data, InstData::Op { op: OpCode::HitObject_TraceRay, .. });
    if !function.insts.values().any(is_trace) {
        return Vec::new();
    }
    let Some(variables) = variables(function) else { return Vec::new() };
    let finder = Finder { module, function, uses, variables };
    let mut found = Vec::new();
    for (block, data) in function.blocks.iter() {
        finder.block(block, &data.insts, &mut found);
    }
    found
}

/// The variables of a function by their allocas. `None` if an address is used in a block before
/// that of its definition.
fn variables(function: &Function) -> Option<HashMap<Value, Variable>> {
    let mut roots: HashMap<Value, Value> = HashMap::default();
    let mut variables: HashMap<Value, Variable> = HashMap::default();
    let mut known = EntitySet::new();
    for (block, data) in function.blocks.iter() {
        for (at, &inst) in data.insts.iter().enumerate() {
            let (data, result) = (function.insts[inst], function.result(inst));
            let mut missing = false;
            function.for_each_operand(inst, |value| {
                missing |=
                    function.def_inst(value).is_some_and(|(inst, data)| is_address(data) && !known.contains(inst));
                let Some(variable) = roots.get(&value).and_then(|root| variables.get_mut(root)) else { return };
                let elsewhere = variable.block.is_some_and(|other| other != block);
                (variable.block, variable.last) = (Some(block), at);
                let is_pointer = match data {
                    InstData::Store { ptr, value: stored, .. } => ptr == value && stored != value,
                    InstData::Load { .. } | InstData::Gep { .. } | InstData::Cast { .. } => true,
                    InstData::Op { op: OpCode::HitObject_TraceRay | OpCode::HitObject_Invoke, .. } => true,
                    _ => false,
                };
                variable.escapes |= elsewhere || !is_pointer;
            });
            if missing {
                return None;
            }
            if is_address(&data) {
                known.insert(inst);
            }
            let Some(result) = result else { continue };
            match data {
                InstData::Alloca { .. } => {
                    roots.insert(result, result);
                    variables.insert(result, Variable::default());
                }
                InstData::Gep { base: from, .. } | InstData::Cast { value: from, .. } => {
                    if let Some(&root) = roots.get(&from) {
                        roots.insert(result, root);
                    }
                }
                _ => {}
            }
        }
        // A phi of addresses is not followed.
        function.for_each_terminator_operand(&data.terminator, |value| {
            if let Some(variable) = roots.get(&value).and_then(|root| variables.get_mut(root)) {
                variable.escapes = true;
            }
        });
    }
    Some(variables)
}

/// Whether an instruction makes an address of another one, or of a variable.
fn is_address(data: &InstData) -> bool {
    matches!(data, InstData::Alloca { .. } | InstData::Gep { .. } | InstData::Cast { .. })
}

/// Whether an instruction gives the same before a ray's shaders run as after them.
fn is_unaffected(data: &InstData) -> bool {
    match *data {
        InstData::Op { op, .. } => {
            let info = op.info();
            op.makes_handle() || info.effect == MemoryEffect::Pure || info.access == Access::Load(Memory::Constants)
        }
        _ => is_arithmetic(data),
    }
}

/// The paths of all numbers of a type; `None` if there are too many, or an address may be among
/// them.
fn numbers(types: &Types, ty: TypeId) -> Option<BTreeSet<Path>> {
    let (mut found, mut stack) = (BTreeSet::new(), vec![(ty, Path::new())]);
    while let Some((ty, path)) = stack.pop() {
        let parts: Vec<TypeId> = match &types[ty] {
            Type::Int(_) | Type::Float(_) => {
                found.insert(path);
                continue;
            }
            Type::Array { element, len } | Type::Vector { element, len } if *len as usize <= NUMBERS => {
                vec![*element; *len as usize]
            }
            Type::Struct { fields, .. } => fields.to_vec(),
            _ => return None,
        };
        for (number, part) in (0u32..).zip(parts) {
            stack.push((part, path.iter().copied().chain([number]).collect()));
        }
        if stack.len() + found.len() > NUMBERS {
            return None;
        }
    }
    Some(found)
}

impl Finder<'_> {
    fn block(&self, block: Block, insts: &[Inst], found: &mut Vec<Fused>) {
        let mut stored: HashMap<Value, BTreeSet<Path>> = HashMap::default();
        let mut traced: Option<Traced> = None;
        for (at, &inst) in insts.iter().enumerate().filter(|(_, inst)| !self.uses.removed.contains(**inst)) {
            match self.function.insts[inst] {
                InstData::Op { op: OpCode::HitObject_TraceRay, args, .. } => {
                    traced = self.traced(inst, self.function.list(args), &stored);
                }
                InstData::Op { op: OpCode::HitObject_Invoke, args, .. } => {
                    let invoke = args::HitObject_Invoke::view(self.function.list(args));
                    if let (Some(traced), Some(invoke)) = (traced.take(), invoke)
                        && traced.object == invoke.hit_object
                        && (traced.payload == invoke.payload && traced.loads.is_empty() && traced.target.is_none()
                            || self.is_copied(&traced, invoke.payload, block, at))
                    {
                        found.push(Fused { trace: traced.inst, invoke: inst, payload: invoke.payload });
                    }
                }
                InstData::Load { ptr, volatile } => {
                    let place = self.place(ptr).filter(|_| !volatile);
                    let value = self.function.result(inst).filter(|&value| self.uses.of(value) == 1);
                    match (&mut traced, place, value) {
                        (Some(open), Some((variable, path)), Some(value)) if variable == open.payload => {
                            open.loads.insert(value, path);
                        }
                        _ => traced = None,
                    }
                }
                InstData::Store { ptr, value, volatile } => {
                    let place = self.place(ptr).filter(|_| !volatile);
                    if let Some((variable, path)) = &place {
                        stored.entry(*variable).or_default().extend(self.numbers_at(value, path));
                    }
                    let is_copy = match (&mut traced, place) {
                        (Some(open), Some((variable, path))) => {
                            // A value that is used for more than the copy would differ.
                            let is_loaded = open.loads.remove(&value).as_ref() == Some(&path);
                            let is_target = *open.target.get_or_insert(variable) == variable;
                            open.copied.extend(self.numbers_at(value, &path));
                            is_loaded && is_target && variable != open.payload
                        }
                        _ => false,
                    };
                    traced = traced.filter(|_| is_copy);
                }
                ref data if is_unaffected(data) => {}
                _ => traced = None,
            }
        }
    }

    fn traced(&self, inst: Inst, args: &[Value], stored: &HashMap<Value, BTreeSet<Path>>) -> Option<Traced> {
        let object = self.function.result(inst).filter(|&object| self.uses.of(object) == 1)?;
        let payload = args::HitObject_TraceRay::view(args)?.payload;
        let all = self.numbers_of(payload);
        let is_stored = all.is_some_and(|all| stored.get(&payload).is_some_and(|stored| all.is_subset(stored)));
        let (loads, copied) = (HashMap::default(), BTreeSet::new());
        Some(Traced { inst, object, payload, is_stored, loads, target: None, copied })
    }

    /// Whether the payload of a trace is copied as a whole to that of the invocation at a position,
    /// and is used for nothing else.
    fn is_copied(&self, traced: &Traced, payload: Value, block: Block, at: usize) -> bool {
        let ty = |value| self.module.type_of(self.function, value);
        let is_private = |variable: &Variable| !variable.escapes && variable.block == Some(block) && variable.last < at;
        traced.is_stored
            && traced.loads.is_empty()
            && traced.target == Some(payload)
            && ty(payload) == ty(traced.payload)
            && self.variables.get(&traced.payload).is_some_and(is_private)
            && self.numbers_of(payload).is_some_and(|all| all == traced.copied)
    }

    /// The paths of all numbers of a variable.
    fn numbers_of(&self, variable: Value) -> Option<BTreeSet<Path>> {
        match self.function.def_inst(variable)?.1 {
            InstData::Alloca { ty } => numbers(&self.module.types, *ty),
            _ => None,
        }
    }

    /// The paths of the numbers of a value that is stored at a path.
    fn numbers_at(&self, value: Value, path: &Path) -> Vec<Path> {
        match self.module.types[self.module.type_of(self.function, value)] {
            Type::Vector { len, .. } if len as usize <= NUMBERS => {
                (0..len).map(|number| path.iter().copied().chain([number]).collect()).collect()
            }
            Type::Int(_) | Type::Float(_) => vec![path.clone()],
            _ => Vec::new(),
        }
    }

    /// The variable of the function and the path in it that an address names.
    fn place(&self, ptr: Value) -> Option<(Value, Path)> {
        let address = Address::resolve(self.module, self.function, ptr).ok()?;
        let MemoryVariable::Alloca(variable) = address.variable else { return None };
        let index = |index: &Index| match *index {
            Index::Element(None) => Some(0),
            Index::Element(Some(value)) => self.module.const_uint(value).and_then(|n| u32::try_from(n).ok()),
            Index::Member(member) => Some(member),
            Index::Plus(_) => None,
        };
        // A cast may give the part another type.
        let Type::Pointer { pointee, .. } = self.module.types[self.module.type_of(self.function, ptr)] else {
            return None;
        };
        let path = address.indices.iter().map(index).collect::<Option<Path>>()?;
        (pointee == address.ty).then_some((variable, path))
    }
}
