//! Rewrites instructions on vectors that SPIR-V does not have, and accesses to matrices as vectors,
//! element by element.
//!
//! In: one function, with the types and constants of its module. Out: the function, in which these
//! vectors are accessed as arrays; the types of its values are exchanged afterwards.

use std::rc::Rc;

use foldhash::HashMap;

use super::form::{VectorForm, is_odd};
use crate::ir::{
    AddressSpace, Block, CmpOp, ConstKind, Consts, Function, Inst, InstData, Type, TypeId, Types, Value, ValueKind,
};
use crate::passes::growth::Growth;
use dxil_base::error::Result;
use dxil_base::limits;

/// The elements of HLSL's largest vector that is not a long vector (a matrix of 4 × 4).
pub(super) const LARGEST: u32 = 16;

/// The element type and length of a vector that SPIR-V does not have.
pub(super) fn odd(types: &Types, ty: TypeId) -> Option<(TypeId, u32)> {
    match types[ty] {
        Type::Vector { element, len } if is_odd(len) => Some((element, len)),
        _ => None,
    }
}

/// The pointer that a pointer is cast from.
pub(super) fn cast_from(consts: &Consts, function: &Function, ptr: Value) -> Option<Value> {
    match ptr.kind() {
        ValueKind::Const(constant) => match consts[constant].kind {
            ConstKind::Cast { value, .. } => Some(Value::constant(value)),
            _ => None,
        },
        ValueKind::Local(_) => match function.def_inst(ptr) {
            Some((_, &InstData::Cast { value, .. })) => Some(value),
            _ => None,
        },
    }
}

/// The indexes that lead to each number of an object.
pub(super) type Paths = Option<Rc<Vec<Vec<u32>>>>;

/// By the types of an object and of a vector laid over it: what [`VectorRewriter::paths`] found.
pub(super) type KnownPaths = HashMap<(TypeId, TypeId), Paths>;

/// Rewrites one function. Types and constants are exchanged afterwards.
pub(super) struct VectorRewriter<'a> {
    pub(super) types: &'a mut Types,
    pub(super) consts: &'a mut Consts,
    pub(super) function: &'a mut Function,
    pub(super) known: &'a mut KnownPaths,
    pub(super) form: VectorForm,
    /// The block's new instructions so far.
    pub(super) out: Vec<Inst>,
}

impl VectorRewriter<'_> {
    /// Rewrites the function. Counts the instructions that take the place of others.
    pub(super) fn run(&mut self, growth: &mut Growth<'_>) -> Result<bool> {
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

    pub(super) fn ty(&self, value: Value) -> TypeId {
        match value.kind() {
            ValueKind::Local(index) => self.function.locals[index].ty,
            ValueKind::Const(constant) => self.consts[constant].ty,
        }
    }

    pub(super) fn uint(&self, value: Value) -> Option<u32> {
        u32::try_from(self.consts.as_uint(value.as_const()?)?).ok()
    }

    /// Whether a value is a vector that becomes an array.
    fn is_odd(&self, value: Value) -> bool {
        matches!(self.types[self.ty(value)], Type::Vector { len, .. } if self.form.is_odd(len))
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
    pub(super) fn elements(&mut self, ptr: Value, ty: TypeId) -> Option<(TypeId, Vec<Value>)> {
        let Type::Vector { element, len } = self.types[ty] else { return None };
        let cast = cast_from(self.consts, self.function, ptr);
        let laid_over = cast.and_then(|base| Some((base, self.paths(base, ty, element, len)?)));
        // A vector in memory of its own is one object, unless SPIR-V does not have it.
        let (base, paths) = match laid_over {
            Some(found) => found,
            None if self.form.is_odd(len) => (ptr, self.paths(ptr, ty, element, len)?),
            None => return None,
        };
        let Type::Pointer { space, .. } = self.types[self.ty(base)] else { return None };
        Some((element, paths.iter().map(|path| self.address(base, space, element, path)).collect()))
    }

    /// The indexes of the first `len` numbers of the object at an address, if all are of type
    /// `element`. `None` if the object begins with the vector itself, which stays one.
    fn paths(&mut self, base: Value, vector: TypeId, element: TypeId, len: u32) -> Paths {
        let Type::Pointer { pointee, .. } = self.types[self.ty(base)] else { return None };
        // Many accesses may lay one vector over one deep type.
        if let Some(known) = self.known.get(&(pointee, vector)) {
            return known.clone();
        }
        let found = match !self.form.is_odd(len) && begins_with(self.types, pointee, vector) {
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
    pub(super) fn part(&mut self, vector: Value, number: u32, element: TypeId) -> Value {
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
    pub(super) fn build(&mut self, result: Value, values: Vec<Value>) {
        let (ty, odd) = (self.ty(result), self.is_odd(result));
        let mut whole = self.constant(ty, ConstKind::Undef);
        let last = values.len().saturating_sub(1);
        for (number, value) in values.into_iter().enumerate() {
            let data = self.replaced(whole, value, number as u32, odd);
            whole = if number == last { self.define(result, data) } else { self.emit(data, ty) };
        }
    }

    /// The comparison of an index with a number.
    pub(super) fn is_number(&mut self, index: Value, number: u32) -> Value {
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
        let mut values = Vec::with_capacity(len as usize);
        for lane in self.lanes(mask, len) {
            values.push(match lane {
                Some(lane) if lane < count => self.part(a, lane, element),
                Some(lane) if lane < count.saturating_mul(2) => self.part(b, lane - count, element),
                _ => self.constant(element, ConstKind::Undef),
            });
        }
        self.build(result, values);
    }

    /// The elements that the mask of a shuffle chooses; `None` for any.
    pub(super) fn lanes(&self, mask: Value, len: u32) -> Vec<Option<u32>> {
        let chosen = |number: u32| match mask.as_const().map(|mask| &self.consts[mask].kind) {
            Some(ConstKind::Aggregate(lanes)) => {
                lanes.get(number as usize).and_then(|&lane| u32::try_from(self.consts.as_uint(lane)?).ok())
            }
            Some(ConstKind::Null) => Some(0),
            _ => None,
        };
        (0..len).map(chosen).collect()
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
            let mut scalar = data;
            scalar.for_each_value_mut(|operand| {
                if let Type::Vector { element, .. } = self.types[self.ty(*operand)] {
                    *operand = self.part(*operand, number, element);
                }
            });
            values.push(self.emit(scalar, element));
        }
        self.build(result, values);
    }
}

/// Instructions and constants.
impl VectorRewriter<'_> {
    pub(super) fn emit(&mut self, data: InstData, ty: TypeId) -> Value {
        self.function.emit(&mut self.out, data, ty)
    }

    pub(super) fn define(&mut self, result: Value, data: InstData) -> Value {
        let inst = self.function.define(result, data);
        self.out.push(inst);
        result
    }

    pub(super) fn constant(&mut self, ty: TypeId, kind: ConstKind) -> Value {
        self.consts.value(ty, kind)
    }

    pub(super) fn number(&mut self, number: u32) -> Value {
        let word = self.types.intern(Type::Int(32));
        self.constant(word, ConstKind::Int(number.into()))
    }

    /// A list of one constant index.
    pub(super) fn member(&mut self, number: u32) -> u32 {
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
        steps: &mut usize,
    ) -> Option<()> {
        /// More than a structure of numbers needs, with a structure around each.
        const STEPS_PER_NUMBER: usize = 16;
        *steps += 1;
        if *steps > STEPS_PER_NUMBER * self.len.max(LARGEST as usize) || path.len() > limits::TYPE_NESTING {
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
