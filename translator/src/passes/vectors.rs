//! Replaces vectors that SPIR-V does not have, and accesses to matrices as vectors.
//!
//! In: a verified module. Out: the same program, in which vectors of one element, or of more than
//! four, are arrays, and a vector that a pointer cast lays over a matrix is loaded and stored
//! element by element. What must hold: a vector is laid out like an array of its elements
//! ([`data_layout`](crate::ir::data_layout)); a module with an operation on such vectors, or with
//! one of more than [`LARGEST`] elements, is left unchanged, and lowering refuses it by name.
//!
//! HLSL's matrices are structures of rows in memory, and DXC loads and stores them as one vector:
//! `float2x3` is `{ [2 x <3 x float>] }` in a payload, and is accessed as `<6 x float>`. `float1`
//! is `<1 x float>`.

#[cfg(test)]
mod tests;

use std::rc::Rc;

use foldhash::HashMap;

use super::functions::placeholder;
use super::growth::Growth;
use crate::ir::{
    AddressSpace, Block, CmpOp, Const, ConstData, ConstKind, Consts, Func, Function, Inst, InstData, Module, Type,
    TypeId, Types, Value, ValueKind,
};
use dxil_base::entity::Entity;
use dxil_base::error::Result;
use dxil_base::limits;
use dxil_base::limits::Fuel;

/// The elements of HLSL's largest vector that is not a long vector (a matrix of 4 × 4).
const LARGEST: u32 = 16;

/// Rewrites all functions. Returns whether anything changed.
///
/// # Errors
/// `Limit` if the result would be too much code.
pub(super) fn run(module: &mut Module, fuel: &Fuel) -> Result<bool> {
    let wide = uses_odd_vectors(module);
    if wide && !is_supported(module) {
        return Ok(false);
    }
    let mut changed = wide;
    let mut known = KnownPaths::default();
    let mut growth = Growth::new(fuel, "instructions for elements of vectors", "elements of vectors");
    let functions: Vec<Func> = module.functions.keys().collect();
    for func in functions {
        let none = placeholder(&module.functions[func]);
        let mut function = std::mem::replace(&mut module.functions[func], none);
        let mut writer = VectorRewriter {
            types: &mut module.types,
            consts: &mut module.consts,
            function: &mut function,
            known: &mut known,
            out: Vec::new(),
        };
        let result = writer.run(&mut growth);
        module.functions[func] = function;
        changed |= result?;
    }
    if wide {
        exchange(module);
    }
    Ok(changed)
}

/// Whether SPIR-V has no vector of this many elements.
fn is_odd(len: u32) -> bool {
    !(2..=4).contains(&len)
}

/// The element type and length of a vector that SPIR-V does not have.
fn odd(types: &Types, ty: TypeId) -> Option<(TypeId, u32)> {
    match types[ty] {
        Type::Vector { element, len } if is_odd(len) => Some((element, len)),
        _ => None,
    }
}

/// Whether each type has such a vector in it. Pointers to such vectors count if `pointees` is set.
fn with_odd_vectors(types: &Types, pointees: bool) -> Vec<bool> {
    // A type comes after those that it consists of.
    let mut has: Vec<bool> = Vec::with_capacity(types.len());
    for (_, ty) in types.iter() {
        let at = |ty: TypeId| has.get(ty.index()).copied().unwrap_or(false);
        has.push(match ty {
            Type::Vector { len, .. } => is_odd(*len),
            Type::Array { element, .. } => at(*element),
            Type::Pointer { pointee, .. } => pointees && at(*pointee),
            Type::Struct { fields, .. } => fields.iter().any(|&field| at(field)),
            _ => false,
        });
    }
    has
}

/// Whether a value of the functions has such a vector in its type.
pub(super) fn uses_odd_vectors(module: &Module) -> bool {
    let has = with_odd_vectors(&module.types, true);
    has.contains(&true)
        && module.functions.values().any(|function| function.locals.iter().any(|local| has[local.ty.index()]))
}

/// Whether every use of such a vector can be rewritten.
fn is_supported(module: &Module) -> bool {
    if module.types.iter().any(|(_, ty)| matches!(*ty, Type::Vector { len, .. } if len == 0 || len > LARGEST)) {
        return false;
    }
    let has = with_odd_vectors(&module.types, false);
    let is_odd = |ty: TypeId| odd(&module.types, ty).is_some();
    let lengths = |ty: TypeId| match module.types[ty] {
        Type::Vector { len, .. } => len,
        _ => 1,
    };
    module.functions.values().all(|function| {
        function.insts.iter().all(|(inst, data)| {
            let result = function.result(inst).map(|value| module.type_of(function, value));
            let mut operands: Vec<TypeId> = Vec::new();
            function.for_each_operand(inst, |operand| operands.push(module.type_of(function, operand)));
            match *data {
                // The table names the types of results, also those of their members.
                InstData::Op { .. } => !operands.into_iter().any(is_odd) && !result.is_some_and(|ty| has[ty.index()]),
                // A cast whose parts are the elements.
                InstData::Cast { .. } => {
                    let types = || operands.iter().chain(&result).copied();
                    !types().any(is_odd) || operands.first().map(|&ty| lengths(ty)) == result.map(lengths)
                }
                // Atomic operations have scalars only.
                _ => true,
            }
        })
    })
}

/// Gives all types, constants and values arrays instead of such vectors.
fn exchange(module: &mut Module) {
    let mut types: Vec<TypeId> = Vec::with_capacity(module.types.len());
    let ids: Vec<TypeId> = module.types.iter().map(|(id, _)| id).collect();
    for id in ids {
        let at = |ty: TypeId| types.get(ty.index()).copied().unwrap_or(ty);
        let new = match module.types[id].clone() {
            Type::Vector { element, len } if is_odd(len) => Type::Array { element, len },
            Type::Array { element, len } => Type::Array { element: at(element), len },
            Type::Pointer { pointee, space } => Type::Pointer { pointee: at(pointee), space },
            Type::Struct { name, fields, packed } => {
                Type::Struct { name, fields: fields.iter().map(|&field| at(field)).collect(), packed }
            }
            other => other,
        };
        types.push(module.types.intern(new));
    }
    let ty = |old: TypeId| types.get(old.index()).copied().unwrap_or(old);
    let mut consts: Vec<Const> = Vec::with_capacity(module.consts.len());
    let ids: Vec<Const> = module.consts.iter().map(|(id, _)| id).collect();
    for id in ids {
        // A constant comes after those that it consists of.
        let at = |constant: Const| consts.get(constant.index()).copied().unwrap_or(constant);
        let data = module.consts[id].clone();
        let kind = match data.kind {
            ConstKind::Aggregate(parts) => ConstKind::Aggregate(parts.iter().map(|&part| at(part)).collect()),
            ConstKind::Gep { base, indices } => ConstKind::Gep { base: at(base), indices },
            ConstKind::Cast { op, value } => ConstKind::Cast { op, value: at(value) },
            other => other,
        };
        consts.push(module.consts.intern(ConstData { ty: ty(data.ty), kind }));
    }
    let constant = |old: Const| consts.get(old.index()).copied().unwrap_or(old);
    for global in module.globals.values_mut() {
        global.ty = ty(global.ty);
        global.init = global.init.map(constant);
    }
    for function in module.functions.values_mut() {
        function.ret = ty(function.ret);
        function.locals.iter_mut().for_each(|local| local.ty = ty(local.ty));
        for data in function.insts.values_mut() {
            if let InstData::Alloca { ty: allocated } = data {
                *allocated = ty(*allocated);
            }
        }
        function.for_each_use_mut(|value| {
            if let ValueKind::Const(old) = value.kind() {
                *value = Value::constant(constant(old));
            }
        });
    }
}

/// The indexes that lead to each number of an object.
type Paths = Option<Rc<Vec<Vec<u32>>>>;

/// By the types of an object and of a vector laid over it: what [`VectorRewriter::paths`] found.
type KnownPaths = HashMap<(TypeId, TypeId), Paths>;

/// Rewrites one function. Types and constants are exchanged afterwards.
struct VectorRewriter<'a> {
    types: &'a mut Types,
    consts: &'a mut Consts,
    function: &'a mut Function,
    known: &'a mut KnownPaths,
    /// The block's new instructions so far.
    out: Vec<Inst>,
}

impl VectorRewriter<'_> {
    /// Rewrites the function. Counts the instructions that take the place of others.
    fn run(&mut self, growth: &mut Growth<'_>) -> Result<bool> {
        let mut changed = false;
        let blocks: Vec<Block> = self.function.blocks.keys().collect();
        for block in blocks {
            let insts = std::mem::take(&mut self.function.blocks[block].insts);
            for inst in insts {
                let (before, bytes) = (self.out.len(), self.function.bytes());
                changed |= self.instruction(inst);
                let more = self.out.len() - before;
                if more > 1 {
                    growth.add(self.function, more, self.function.bytes() - bytes)?;
                }
            }
            self.function.blocks[block].insts = std::mem::take(&mut self.out);
        }
        Ok(changed)
    }

    fn ty(&self, value: Value) -> TypeId {
        match value.kind() {
            ValueKind::Local(index) => self.function.locals[index].ty,
            ValueKind::Const(constant) => self.consts[constant].ty,
        }
    }

    fn uint(&self, value: Value) -> Option<u32> {
        u32::try_from(self.consts.as_uint(value.as_const()?)?).ok()
    }

    /// Whether a value is a vector that SPIR-V does not have, or already an array in its place.
    fn is_odd(&self, value: Value) -> bool {
        odd(self.types, self.ty(value)).is_some()
    }

    /// Writes an instruction, or those that replace it. Returns whether it was replaced.
    fn instruction(&mut self, inst: Inst) -> bool {
        let (data, result) = (self.function.insts[inst], self.function.result(inst));
        match (data, result) {
            (InstData::Load { ptr, volatile }, Some(result)) => {
                let Some((element, addresses)) = self.elements(ptr, self.ty(result)) else { return self.keep(inst) };
                let values =
                    addresses.into_iter().map(|ptr| self.emit(InstData::Load { ptr, volatile }, element)).collect();
                self.build(result, values);
            }
            (InstData::Store { ptr, value, volatile }, _) => {
                let Some((element, addresses)) = self.elements(ptr, self.ty(value)) else { return self.keep(inst) };
                for (number, ptr) in (0u32..).zip(addresses) {
                    let value = self.part(value, number, element);
                    let store = self.function.make_inst(InstData::Store { ptr, value, volatile }, None);
                    self.out.push(store);
                }
            }
            (InstData::ExtractElement { vector, index }, Some(result)) if self.is_odd(vector) => {
                self.extract(result, vector, index);
            }
            (InstData::InsertElement { vector, value, index }, Some(result)) if self.is_odd(vector) => {
                self.insert(result, vector, value, index);
            }
            (InstData::ShuffleVector { a, b, mask }, Some(result)) if self.is_odd(a) || self.is_odd(result) => {
                self.shuffle(result, a, b, mask);
            }
            (InstData::Binary { .. } | InstData::Cmp { .. }, Some(result)) if self.is_odd(result) => {
                self.each(result, data);
            }
            (InstData::Cast { value, .. }, Some(result)) if self.is_odd(result) || self.is_odd(value) => {
                self.each(result, data);
            }
            (InstData::Select { condition, .. }, Some(result)) if self.is_odd(result) && self.is_odd(condition) => {
                self.each(result, data);
            }
            _ => return self.keep(inst),
        }
        true
    }

    fn keep(&mut self, inst: Inst) -> bool {
        self.out.push(inst);
        false
    }

    /// The element type and the addresses of a vector's elements, if they are accessed one by one.
    fn elements(&mut self, ptr: Value, ty: TypeId) -> Option<(TypeId, Vec<Value>)> {
        let Type::Vector { element, len } = self.types[ty] else { return None };
        let cast = match ptr.kind() {
            ValueKind::Const(constant) => match self.consts[constant].kind {
                ConstKind::Cast { value, .. } => Some(Value::constant(value)),
                _ => None,
            },
            ValueKind::Local(_) => match self.function.def_inst(ptr) {
                Some((_, &InstData::Cast { value, .. })) => Some(value),
                _ => None,
            },
        };
        let laid_over = cast.and_then(|base| Some((base, self.paths(base, ty, element, len)?)));
        // A vector in memory of its own is one object, unless SPIR-V does not have it.
        let (base, paths) = match laid_over {
            Some(found) => found,
            None if is_odd(len) => (ptr, self.paths(ptr, ty, element, len)?),
            None => return None,
        };
        let Type::Pointer { space, .. } = self.types[self.ty(base)] else { return None };
        Some((element, paths.iter().map(|path| self.address(base, space, element, path)).collect()))
    }

    /// The indexes of the first `len` numbers of the object at an address, if all are of type
    /// `element`. `None` if the object begins with the vector itself, and SPIR-V has such vectors.
    fn paths(&mut self, base: Value, vector: TypeId, element: TypeId, len: u32) -> Paths {
        let Type::Pointer { pointee, .. } = self.types[self.ty(base)] else { return None };
        // Many accesses may lay one vector over one deep type.
        if let Some(known) = self.known.get(&(pointee, vector)) {
            return known.clone();
        }
        let found = match !is_odd(len) && begins_with(self.types, pointee, vector) {
            true => None,
            false => numbers(self.types, pointee, NumberRun { element, len: len as usize }).map(Rc::new),
        };
        self.known.insert((pointee, vector), found.clone());
        found
    }

    fn address(&mut self, base: Value, space: AddressSpace, element: TypeId, path: &[u32]) -> Value {
        let indices: Vec<Value> = [0].iter().chain(path).map(|&index| self.number(index)).collect();
        let indices = self.function.make_list(&indices);
        let ty = self.types.intern(Type::Pointer { pointee: element, space });
        self.emit(InstData::Gep { base, indices }, ty)
    }

    /// One element of a vector.
    fn part(&mut self, vector: Value, number: u32, element: TypeId) -> Value {
        let data = match self.is_odd(vector) {
            true => InstData::ExtractValue { aggregate: vector, first: self.member(number), count: 1 },
            false => InstData::ExtractElement { vector, index: self.number(number) },
        };
        self.emit(data, element)
    }

    /// The vector with one element replaced.
    fn replaced(&mut self, vector: Value, value: Value, number: u32, odd: bool) -> InstData {
        match odd {
            true => InstData::InsertValue { aggregate: vector, value, first: self.member(number), count: 1 },
            false => InstData::InsertElement { vector, value, index: self.number(number) },
        }
    }

    /// Makes a result from its elements.
    fn build(&mut self, result: Value, values: Vec<Value>) {
        let (ty, odd) = (self.ty(result), self.is_odd(result));
        let mut whole = self.constant(ty, ConstKind::Undef);
        let last = values.len().saturating_sub(1);
        for (number, value) in values.into_iter().enumerate() {
            let data = self.replaced(whole, value, number as u32, odd);
            whole = if number == last { self.define(result, data) } else { self.emit(data, ty) };
        }
    }

    /// The comparison of an index with a number.
    fn is_number(&mut self, index: Value, number: u32) -> Value {
        let (ty, truth) = (self.ty(index), self.types.intern(Type::Int(1)));
        let rhs = self.constant(ty, ConstKind::Int(number.into()));
        self.emit(InstData::Cmp { op: CmpOp::Eq, lhs: index, rhs }, truth)
    }

    fn extract(&mut self, result: Value, vector: Value, index: Value) {
        let Some((element, len)) = odd(self.types, self.ty(vector)) else { return };
        if let Some(number) = self.uint(index) {
            // An index past the end gives any value (LLVM, "extractelement").
            let first = self.member(if number < len { number } else { 0 });
            self.define(result, InstData::ExtractValue { aggregate: vector, first, count: 1 });
            return;
        }
        let mut otherwise = self.part(vector, 0, element);
        for number in 1..len {
            let (then, condition) = (self.part(vector, number, element), self.is_number(index, number));
            let data = InstData::Select { condition, then, otherwise };
            otherwise = if number + 1 == len { self.define(result, data) } else { self.emit(data, element) };
        }
        if len == 1 {
            let first = self.member(0);
            self.define(result, InstData::ExtractValue { aggregate: vector, first, count: 1 });
        }
    }

    fn insert(&mut self, result: Value, vector: Value, value: Value, index: Value) {
        let Some((element, len)) = odd(self.types, self.ty(vector)) else { return };
        if let Some(number) = self.uint(index) {
            let data = self.replaced(vector, value, number.min(len - 1), true);
            self.define(result, data);
            return;
        }
        let mut values = Vec::with_capacity(len as usize);
        for number in 0..len {
            let (otherwise, condition) = (self.part(vector, number, element), self.is_number(index, number));
            values.push(self.emit(InstData::Select { condition, then: value, otherwise }, element));
        }
        self.build(result, values);
    }

    fn shuffle(&mut self, result: Value, a: Value, b: Value, mask: Value) {
        let Type::Vector { element, len } = self.types[self.ty(result)] else { return };
        let count = match self.types[self.ty(a)] {
            Type::Vector { len, .. } => len,
            _ => return,
        };
        let chosen = |number: u32| match mask.as_const().map(|mask| &self.consts[mask].kind) {
            Some(ConstKind::Aggregate(lanes)) => {
                lanes.get(number as usize).and_then(|&lane| u32::try_from(self.consts.as_uint(lane)?).ok())
            }
            Some(ConstKind::Null) => Some(0),
            _ => None,
        };
        let lanes: Vec<Option<u32>> = (0..len).map(chosen).collect();
        let mut values = Vec::with_capacity(lanes.len());
        for lane in lanes {
            values.push(match lane {
                Some(lane) if lane < count => self.part(a, lane, element),
                Some(lane) if lane < count.saturating_mul(2) => self.part(b, lane - count, element),
                _ => self.constant(element, ConstKind::Undef),
            });
        }
        self.build(result, values);
    }

    /// Applies an instruction to each element. A vector of one element may be cast to its element
    /// and back.
    fn each(&mut self, result: Value, data: InstData) {
        let Type::Vector { element, len } = self.types[self.ty(result)] else {
            if let InstData::Cast { op, value } = data
                && let Some((element, _)) = odd(self.types, self.ty(value))
            {
                let value = self.part(value, 0, element);
                self.define(result, InstData::Cast { op, value });
            }
            return;
        };
        let mut values = Vec::with_capacity(len as usize);
        for number in 0..len {
            let mut operands = Vec::new();
            let mut scalar = data;
            scalar.for_each_value_mut(|operand| operands.push(*operand));
            let mut parts = Vec::with_capacity(operands.len());
            for operand in operands {
                parts.push(match self.types[self.ty(operand)] {
                    Type::Vector { element, .. } => self.part(operand, number, element),
                    _ => operand,
                });
            }
            let mut parts = parts.into_iter();
            scalar.for_each_value_mut(|operand| *operand = parts.next().unwrap_or(*operand));
            values.push(self.emit(scalar, element));
        }
        self.build(result, values);
    }
}

/// Instructions and constants.
impl VectorRewriter<'_> {
    fn emit(&mut self, data: InstData, ty: TypeId) -> Value {
        let inst = self.function.make_inst(data, Some(ty));
        self.out.push(inst);
        // `make_inst` was given a type, so the instruction has a result.
        self.function.result(inst).unwrap_or(Value::local(0))
    }

    fn define(&mut self, result: Value, data: InstData) -> Value {
        let inst = self.function.define(result, data);
        self.out.push(inst);
        result
    }

    fn constant(&mut self, ty: TypeId, kind: ConstKind) -> Value {
        Value::constant(self.consts.intern(ConstData { ty, kind }))
    }

    fn number(&mut self, number: u32) -> Value {
        let word = self.types.intern(Type::Int(32));
        self.constant(word, ConstKind::Int(number.into()))
    }

    /// A list of one constant index.
    fn member(&mut self, number: u32) -> u32 {
        self.function.indices.push(number);
        self.function.indices.len() as u32 - 1
    }
}

/// The indexes of the first numbers of an object, if it has as many as are wanted.
fn numbers(types: &Types, object: TypeId, wanted: NumberRun) -> Option<Vec<Vec<u32>>> {
    let (mut found, mut path, mut steps) = (Vec::new(), Vec::new(), 0);
    wanted.collect(types, object, &mut path, &mut found, &mut steps)?;
    (found.len() == wanted.len).then_some(found)
}

/// Whether an object, or its first part at any depth, has a type.
fn begins_with(types: &Types, mut ty: TypeId, wanted: TypeId) -> bool {
    for _ in 0..limits::TYPE_NESTING {
        if ty == wanted {
            return true;
        }
        ty = match &types[ty] {
            Type::Array { element, .. } => *element,
            Type::Struct { fields, .. } => match fields.first() {
                Some(&first) => first,
                None => return false,
            },
            _ => return false,
        };
    }
    false
}

/// The numbers at the start of an object.
struct NumberRun {
    element: TypeId,
    len: usize,
}

impl NumberRun {
    /// Collects the indexes of the first numbers. `None` if one has another type, or if the search
    /// takes too many steps.
    fn collect(
        &self,
        types: &Types,
        ty: TypeId,
        path: &mut Vec<u32>,
        found: &mut Vec<Vec<u32>>,
        steps: &mut u32,
    ) -> Option<()> {
        /// More than a structure of sixteen numbers needs, with a structure around each.
        const STEPS: u32 = 256;
        *steps += 1;
        if *steps > STEPS || path.len() > limits::TYPE_NESTING {
            return None;
        }
        let mut enter = |number: u32, ty: TypeId| {
            if found.len() == self.len {
                return Some(());
            }
            path.push(number);
            self.collect(types, ty, path, found, steps)?;
            path.pop();
            Some(())
        };
        match &types[ty] {
            Type::Array { element, len } | Type::Vector { element, len } => {
                (0..*len).take(self.len).try_for_each(|number| enter(number, *element))
            }
            Type::Struct { fields, .. } => {
                (0u32..).zip(fields).take(self.len).try_for_each(|(number, &field)| enter(number, field))
            }
            _ if ty == self.element => {
                found.push(path.clone());
                Some(())
            }
            _ => None,
        }
    }
}
