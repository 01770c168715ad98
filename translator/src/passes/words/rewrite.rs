//! Replaces planned variables by their arrays, and pointers by offsets.
//!
//! In: the plan. Out: the module, rewritten by the plan. What must hold: after this every pointer
//! of the plan is a 32-bit offset in bytes, and every access through it loads and stores whole
//! elements. An access is assumed to be aligned to its size, as D3D requires, so it lies in one
//! element or fills several.

mod access;
mod offsets;
mod writer;

use std::collections::BTreeMap;

use foldhash::HashMap;

use self::access::ArrayAccess;
use self::offsets::{Offsets, enter, signed};
use self::writer::{RewriteContext, RewrittenArray, WordsRewriter, part_offset};
use super::plan::{Plan, WORD_ARRAYS, WordArray};
use crate::ir::data_layout::Sizes;
use crate::ir::{
    AddressSpace, BinaryOp, Block, CastOp, Const, ConstData, ConstKind, Consts, Func, GlobalVar, Inst, InstData,
    Module, Terminator, Type, TypeId, Value,
};
use crate::passes::functions::placeholder;
use crate::passes::growth::Growth;
use dxil_base::error::{Place, Result};
use dxil_base::limits::Fuel;

/// Rewrites the functions.
///
/// # Errors
/// `Limit` if the result would be too much code.
pub(super) fn rewrite(module: &mut Module, functions: &[Func], sizes: &Sizes, plan: &Plan, fuel: &Fuel) -> Result<()> {
    let word = module.types.intern(Type::Int(32));
    let mut arrays: Vec<RewrittenArray> = Vec::with_capacity(plan.arrays.len());
    // There may be many functions, each with arrays of its own.
    let mut owned: BTreeMap<Func, Vec<usize>> = BTreeMap::new();
    let mut parts = HashMap::default();
    for (number, planned) in plan.arrays.iter().enumerate() {
        for init in planned.globals.iter().filter_map(|&(global, _)| module.globals[global].init) {
            fuel.steps(Place::Input, WORD_ARRAYS, parts_of(&module.consts, init, &mut parts))?;
        }
        if let Some(func) = planned.owner {
            owned.entry(func).or_default().push(number);
        }
        arrays.push(array(module, sizes, planned, fuel)?);
    }
    let offsets = Offsets::new(module, sizes, &plan.globals);
    let shared = RewriteContext { sizes, plan, arrays: &arrays, offsets: &offsets, word };
    let mut growth = Growth::new(fuel, "instructions for variables that became arrays of words", WORD_ARRAYS);
    for &func in functions {
        let none = placeholder(&module.functions[func]);
        let mut function = std::mem::replace(&mut module.functions[func], none);
        let own = owned.get(&func).map_or(&[][..], Vec::as_slice);
        let result = WordsRewriter::new(module, &mut function, func, shared).run(own, &mut growth);
        module.functions[func] = function;
        result?;
    }
    Ok(())
}

fn array(module: &mut Module, sizes: &Sizes, planned: &WordArray, fuel: &Fuel) -> Result<RewrittenArray> {
    let (bits, space) = (planned.bits, planned.space);
    let word = planned.word.unwrap_or_else(|| module.types.intern(Type::Int(bits)));
    let len = planned.bytes.div_ceil(u64::from(bits / 8)).max(1) as u32;
    let ty = module.types.intern(Type::Array { element: word, len });
    let word_pointer = module.types.intern(Type::Pointer { pointee: word, space });
    let pointer = module.types.intern(Type::Pointer { pointee: ty, space });
    let mut array = RewrittenArray { ty, word, word_pointer, bits, space, global: None };
    if planned.owner.is_none() {
        let name = planned.globals.first().map_or("".into(), |&(global, _)| module.globals[global].name.clone());
        let init = initializer(module, sizes, planned, ty, word, len, fuel)?;
        let global = module.globals.push(GlobalVar { name, ty, space, constant: false, init });
        let address = ConstData { ty: pointer, kind: ConstKind::GlobalAddr(global) };
        array.global = Some(Value::constant(module.consts.intern(address)));
    }
    Ok(array)
}

/// The initial value of the array, if one of its variables has one.
fn initializer(
    module: &mut Module,
    sizes: &Sizes,
    planned: &WordArray,
    ty: TypeId,
    word: TypeId,
    len: u32,
    fuel: &Fuel,
) -> Result<Option<Const>> {
    let has_value = planned.globals.iter().any(|&(global, _)| module.globals[global].init.is_some());
    if !has_value || planned.space == AddressSpace::GroupShared {
        return Ok(None);
    }
    // Many variables may have one initial value, of which each array gets a copy: its bytes, and
    // its words.
    fuel.bytes(Place::Input, WORD_ARRAYS, planned.bytes as usize)?;
    fuel.items::<(Const, ConstData)>(Place::Input, WORD_ARRAYS, len as usize)?;
    let mut bytes = vec![0; planned.bytes as usize];
    for &(global, start) in &planned.globals {
        if let Some(init) = module.globals[global].init {
            put(module, sizes, init, &mut bytes, start as usize);
        }
    }
    let float = matches!(module.types[word], Type::Float(_));
    let mut words = Vec::with_capacity(len as usize);
    for chunk in bytes.chunks(usize::from(planned.bits / 8)) {
        let number = chunk.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte));
        let kind = if float { ConstKind::Float(number) } else { ConstKind::Int(number) };
        words.push(module.consts.intern(ConstData { ty: word, kind }));
    }
    Ok(Some(module.consts.intern(ConstData { ty, kind: ConstKind::Aggregate(words.into()) })))
}

/// Writes a constant's bytes, least significant first. A number that does not fit is left out,
/// because the plan has no place for it.
fn put(module: &Module, sizes: &Sizes, constant: Const, bytes: &mut [u8], start: usize) {
    let data = &module.consts[constant];
    match &data.kind {
        &ConstKind::Int(number) | &ConstKind::Float(number) => {
            let size = module.types.scalar_bits(data.ty).map_or(0, |bits| usize::from(bits).div_ceil(8));
            if let Some(place) = bytes.get_mut(start..start + size) {
                place.copy_from_slice(&number.to_le_bytes()[..size]);
            }
        }
        ConstKind::Aggregate(parts) => {
            for (number, &part) in parts.iter().enumerate() {
                if let Some(offset) = part_offset(&module.types, sizes, data.ty, number) {
                    put(module, sizes, part, bytes, start.saturating_add(offset as usize));
                }
            }
        }
        _ => {}
    }
}

/// The number of constants in a constant, with its own parts counted as often as it has them: the
/// steps of [`put`]. An array may have many parts and no bytes.
fn parts_of(consts: &Consts, constant: Const, known: &mut HashMap<Const, usize>) -> usize {
    let ConstKind::Aggregate(parts) = &consts[constant].kind else { return 1 };
    if let Some(&count) = known.get(&constant) {
        return count;
    }
    let count = parts.iter().fold(1, |sum: usize, &part| sum.saturating_add(parts_of(consts, part, known)));
    known.insert(constant, count);
    count
}

impl<'a> WordsRewriter<'a> {
    /// Rewrites the function, which has these arrays of its own.
    fn run(mut self, own: &[usize], growth: &mut Growth<'_>) -> Result<()> {
        for &number in own {
            let Some(array) = self.shared.arrays.get(number) else { continue };
            let pointer = self.types.intern(Type::Pointer { pointee: array.ty, space: array.space });
            let address = self.emit(InstData::Alloca { ty: array.ty }, pointer);
            self.own.insert(number, address);
        }
        for index in 0..self.before.len() {
            if self.shared.plan.array_of(self.func, Value::local(index)).is_some() {
                self.function.locals[index].ty = self.shared.word;
            }
        }
        let mut counted = 0;
        let blocks: Vec<Block> = self.function.blocks.keys().collect();
        for block in blocks {
            for inst in std::mem::take(&mut self.function.blocks[block].insts) {
                let bytes = self.function.bytes();
                self.instruction(inst);
                growth.add(self.function, self.out.len() - counted, self.function.bytes() - bytes)?;
                counted = self.out.len();
            }
            counted = 0;
            self.function.blocks[block].insts = std::mem::take(&mut self.out);
            self.arguments(block);
        }
        self.function.for_each_use_mut(|value| *value = self.aliases.resolve(*value));
        Ok(())
    }

    fn instruction(&mut self, inst: Inst) {
        let (data, result) = (self.function.insts[inst], self.function.result(inst));
        let planned = result.filter(|&result| self.shared.plan.array_of(self.func, result).is_some());
        match (data, planned) {
            (InstData::Alloca { .. }, Some(result)) => {
                let start = self.shared.plan.allocas.get(&(self.func, result)).copied().unwrap_or(0);
                let start = self.number(start);
                self.alias(result, start);
            }
            (InstData::Gep { base, indices }, Some(result)) => {
                let indices = self.function.list(indices).to_vec();
                let offset = self.gep(base, &indices);
                self.alias(result, offset);
            }
            (InstData::Cast { value, .. }, Some(result)) => {
                let offset = self.offset(value);
                self.alias(result, offset);
            }
            (InstData::Select { condition, then, otherwise }, Some(_)) => {
                let (then, otherwise) = (self.offset(then), self.offset(otherwise));
                self.function.insts[inst] = InstData::Select { condition, then, otherwise };
                self.out.push(inst);
            }
            _ => self.access(inst, data, result),
        }
    }

    fn access(&mut self, inst: Inst, data: InstData, result: Option<Value>) {
        let ptr = match data {
            InstData::Load { ptr, .. }
            | InstData::Store { ptr, .. }
            | InstData::AtomicRmw { ptr, .. }
            | InstData::CmpXchg { ptr, .. } => ptr,
            _ => return self.out.push(inst),
        };
        let Some(array) = self.array_of(ptr) else { return self.out.push(inst) };
        let offset = self.offset(ptr);
        match data {
            InstData::Load { volatile, .. } => {
                let Some(result) = result else { return };
                let ty = self.type_before(result);
                let value = self.load(ArrayAccess { array, volatile }, offset, ty);
                self.alias(result, value);
            }
            InstData::Store { value, volatile, .. } => {
                let ty = self.type_before(value);
                self.store(ArrayAccess { array, volatile }, offset, ty, value);
            }
            InstData::AtomicRmw { op, value, .. } => {
                let ptr = self.element(array, offset, 0);
                self.function.insts[inst] = InstData::AtomicRmw { op, ptr, value };
                self.out.push(inst);
            }
            InstData::CmpXchg { compare, new, .. } => {
                let ptr = self.element(array, offset, 0);
                self.function.insts[inst] = InstData::CmpXchg { ptr, compare, new };
                self.out.push(inst);
            }
            _ => {}
        }
    }

    /// The offset that address arithmetic computes.
    fn gep(&mut self, base: Value, indices: &[Value]) -> Value {
        let mut offset = self.offset(base);
        let Type::Pointer { pointee, .. } = self.types[self.type_before(base)] else { return offset };
        let mut ty = pointee;
        for (nth, &index) in indices.iter().enumerate() {
            let constant = index.as_const().and_then(|constant| signed(self.types, self.consts, constant));
            let is_member = nth > 0 && matches!(self.types[ty], Type::Struct { .. });
            let entered = if nth == 0 {
                self.shared.sizes.stride(ty).map(|bytes| (bytes, ty))
            } else {
                enter(self.types, self.shared.sizes, ty, constant.unwrap_or(0))
            };
            let Some((bytes, inner)) = entered else { return offset };
            let step = match constant {
                _ if is_member => self.number(bytes),
                Some(count) => self.number((bytes as i64).wrapping_mul(count) as u64),
                None => {
                    let index = self.index(index);
                    let bytes = self.number(bytes);
                    self.binary(BinaryOp::Mul, index, bytes)
                }
            };
            offset = self.binary(BinaryOp::Add, offset, step);
            ty = inner;
        }
        offset
    }

    /// An index in 32 bits.
    fn index(&mut self, index: Value) -> Value {
        let op = match self.types[self.type_before(index)] {
            Type::Int(bits) if bits < 32 => CastOp::SExt,
            Type::Int(bits) if bits > 32 => CastOp::Trunc,
            _ => return index,
        };
        self.emit(InstData::Cast { op, value: index }, self.shared.word)
    }

    /// Replaces all uses of one value by another. In unreachable code an address may be computed
    /// from itself; it is not replaced.
    fn alias(&mut self, value: Value, other: Value) {
        if value != other {
            self.aliases.insert(value, other);
        }
    }

    /// Passes offsets instead of pointers to the blocks that a block branches to.
    fn arguments(&mut self, block: Block) {
        let mut terminator = std::mem::replace(&mut self.function.blocks[block].terminator, Terminator::Unreachable);
        for call in terminator.targets_mut() {
            let params = self.function.blocks[call.block].params.clone();
            if !params.iter().any(|&param| self.shared.plan.array_of(self.func, param).is_some()) {
                continue;
            }
            let mut args = self.function.list(call.args).to_vec();
            for (&param, arg) in params.iter().zip(&mut args) {
                if self.shared.plan.array_of(self.func, param).is_some() {
                    *arg = self.offset(*arg);
                }
            }
            call.args = self.function.make_list(&args);
        }
        self.function.blocks[block].terminator = terminator;
    }
}
