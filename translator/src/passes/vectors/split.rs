//! Splits vectors into their elements.
//!
//! Shader model 6.9 has operations on vectors of up to 1,024 elements (DirectX-Specs, "HLSL Long
//! Vectors"), and DXC uses them for HLSL's short vectors as well. In: a strict module. Out: the
//! same program without values that are vectors: each is as many scalars, and each operation on
//! vectors is as many operations on scalars, as compilers of earlier shader models wrote them.
//! Loads and stores of vectors of raw and structured buffers are those of four elements at a time.
//! In the form [`VectorForm::Long`], vectors of two elements and more stay, and only operations of
//! DXIL become scalar: a vector that one gives is made of its elements again where anything else
//! uses it.
//! What must hold: the work and the code are linear in the lengths of the vectors, but for
//! insertions into a vector that has other uses, which copy the list of its elements and charge it.

use super::form::VectorForm;
use super::rewriter::VectorRewriter;
use super::uses::Uses;
use crate::analysis::strict;
use crate::ir::{
    BinaryOp, Block, CastOp, CmpOp, ConstKind, Def, Func, Inst, InstData, Local, Module, Terminator, Type, TypeId,
    Value, ValueList,
};
use crate::ops::{OpCode, OpType};
use crate::passes::functions::placeholder;
use crate::passes::growth::Growth;
use dxil_base::entity::Entity;
use dxil_base::error::{Error, Place, Result};
use dxil_base::integer::all_ones;
use foldhash::HashMap;

/// The elements of the longest vector (DirectX-Specs, "HLSL Long Vectors").
const LONGEST: u32 = 1024;

/// Splits all vectors of all functions.
///
/// # Errors
/// `Limit` if the result would be too much code, `Unsupported` for an operation on vectors that has
/// no form on scalars, and for a vector of more than 1,024 elements.
pub(super) fn run(module: &mut Module, form: VectorForm, growth: &mut Growth<'_>) -> Result<()> {
    for (_, ty) in module.types.iter() {
        if let Type::Vector { len, .. } = *ty
            && !(1..=LONGEST).contains(&len)
        {
            return Err(unsupported!(Place::Input, "a vector of {len} elements; HLSL has vectors of 1 to {LONGEST}"));
        }
    }
    let functions: Vec<Func> = module.functions.keys().collect();
    for func in functions {
        let none = placeholder(&module.functions[func]);
        let mut function = std::mem::replace(&mut module.functions[func], none);
        let order: Vec<Block> = strict::graph(&function).postorder().rev().collect();
        let uses = Uses::new(&function, &order);
        let writer = VectorRewriter {
            types: &mut module.types,
            consts: &mut module.consts,
            function: &mut function,
            known: &mut HashMap::default(),
            form,
            out: Vec::new(),
        };
        let parts = vec![Vec::new(); uses.count.len()];
        let result = Splitter { writer, growth, uses, parts, loads: HashMap::default() }.run(&order);
        module.functions[func] = function;
        result?;
    }
    Ok(())
}

struct Splitter<'a, 'f> {
    writer: VectorRewriter<'a>,
    growth: &'a mut Growth<'f>,
    uses: Uses,
    /// The elements of each local that is a vector, of those that operations give alone if vectors
    /// stay; the value that a scalar is, if it is an element of a vector; the statuses of a load
    /// that is several. Empty for other locals.
    parts: Vec<Vec<Value>>,
    /// By the results of loads of vectors: the loads of up to four elements.
    loads: HashMap<Value, Vec<Value>>,
}

impl Splitter<'_, '_> {
    fn run(&mut self, order: &[Block]) -> Result<()> {
        self.parameters()?;
        for &block in order {
            let insts = std::mem::take(&mut self.writer.function.blocks[block].insts);
            if block.index() == 0 {
                for arg in self.writer.function.args.clone() {
                    self.unpack(arg)?;
                }
            }
            for inst in insts {
                let (before, bytes) = (self.writer.out.len(), self.writer.function.bytes());
                self.instruction(inst)?;
                if !self.writer.out[before..].contains(&inst) {
                    // Code that visits all instructions ignores fences.
                    self.writer.function.insts[inst] = InstData::Fence;
                    self.writer.function.results[inst] = None;
                }
                let more = self.writer.out.len() - before;
                if more > 1 {
                    self.growth.add(self.writer.function, more, self.writer.function.bytes() - bytes)?;
                }
            }
            if let Some(value) = self.writer.function.blocks[block].terminator.operand() {
                let value = self.operand(self.place(), value)?;
                if let Some(operand) = self.writer.function.blocks[block].terminator.operand_mut() {
                    *operand = value;
                }
            }
            self.writer.function.blocks[block].insts = std::mem::take(&mut self.writer.out);
        }
        order.iter().try_for_each(|&block| self.arguments(block))
    }

    /// Whether a value is a vector that stays one.
    fn stays(&self, value: Value) -> bool {
        self.writer.form == VectorForm::Long && self.vector(value).is_some_and(|(_, len)| !self.writer.form.is_odd(len))
    }

    fn place(&self) -> Place {
        Place::Function(self.writer.function.number)
    }

    /// The element type and length of a value that is a vector.
    fn vector(&self, value: Value) -> Option<(TypeId, u32)> {
        match self.writer.types[self.writer.ty(value)] {
            Type::Vector { element, len } => Some((element, len)),
            _ => None,
        }
    }

    /// Gives the blocks a parameter for each element of a vector.
    fn parameters(&mut self) -> Result<()> {
        let blocks: Vec<Block> = self.writer.function.blocks.keys().collect();
        for block in blocks {
            let mut params = Vec::new();
            for param in std::mem::take(&mut self.writer.function.blocks[block].params) {
                let Some((element, len)) = self.vector(param).filter(|_| !self.stays(param)) else {
                    params.push(param);
                    continue;
                };
                let parts: Vec<Value> =
                    (0..len).map(|_| self.writer.function.make_local(element, Def::Param(block))).collect();
                params.extend_from_slice(&parts);
                self.set(param, parts);
                self.charge(len)?;
            }
            self.writer.function.blocks[block].params = params;
        }
        Ok(())
    }

    /// Charges the elements of a vector, as values and as a list.
    fn charge(&mut self, len: u32) -> Result<()> {
        let bytes = len as usize * size_of::<(Local, Value, Value)>();
        self.growth.add(self.writer.function, len as usize, bytes)
    }

    /// Gives the branches of a block an argument for each element of a vector.
    fn arguments(&mut self, block: Block) -> Result<()> {
        let mut terminator =
            std::mem::replace(&mut self.writer.function.blocks[block].terminator, Terminator::Unreachable);
        for target in terminator.targets_mut() {
            let mut args = Vec::new();
            for value in self.writer.function.list(target.args).to_vec() {
                match self.vector(value) {
                    Some(_) if self.stays(value) => args.push(value),
                    Some((_, len)) => {
                        self.charge(len)?;
                        args.extend((0..len).map(|number| self.part(value, number)));
                    }
                    None => args.push(self.scalar(self.place(), value)?),
                }
            }
            target.args = self.writer.function.make_list(&args);
        }
        // The elements of constants are constants, so no instruction was written.
        debug_assert!(self.writer.out.is_empty());
        self.writer.function.blocks[block].terminator = terminator;
        Ok(())
    }

    fn set(&mut self, value: Value, parts: Vec<Value>) {
        let Some(local) = value.as_local().filter(|&local| local < self.parts.len()) else { return };
        if self.uses.as_a_whole[local] && self.stays(value) {
            self.writer.build(value, parts.clone());
        }
        self.parts[local] = parts;
    }

    /// The elements that are known of a value; empty if it is none of the function's vectors.
    fn known(&self, value: Value) -> &[Value] {
        value.as_local().and_then(|i| self.parts.get(i)).map_or(&[], Vec::as_slice)
    }

    /// An element of a vector.
    fn part(&mut self, vector: Value, number: u32) -> Value {
        if let Some(&part) = self.known(vector).get(number as usize) {
            return part;
        }
        let Some((element, _)) = self.vector(vector) else { return vector };
        let kind = vector.as_const().map(|constant| &self.writer.consts[constant].kind);
        match kind {
            Some(ConstKind::Aggregate(parts)) => match parts.get(number as usize) {
                Some(&part) => Value::constant(part),
                None => self.writer.constant(element, ConstKind::Undef),
            },
            Some(ConstKind::Undef) => self.writer.constant(element, ConstKind::Undef),
            Some(ConstKind::Null) => self.writer.constant(element, ConstKind::Null),
            _ => self.writer.part(vector, number, element),
        }
    }

    /// All elements of a vector. They are taken from it if this is its only use.
    fn all(&mut self, vector: Value, len: u32) -> Result<Vec<Value>> {
        let local = vector.as_local().filter(|&i| self.parts.get(i).is_some_and(|parts| !parts.is_empty()));
        if let Some(local) = local
            && self.uses.count.get(local) == Some(&1)
        {
            return Ok(std::mem::take(&mut self.parts[local]));
        }
        self.growth.add(self.writer.function, 0, len as usize * size_of::<Value>())?;
        Ok((0..len).map(|number| self.part(vector, number)).collect())
    }

    /// What takes the place of a value that is no vector.
    fn scalar(&self, place: Place, value: Value) -> Result<Value> {
        if self.loads.contains_key(&value) {
            return Err(unsupported!(place, "the result of RawBufferVectorLoad as a whole; expected its members"));
        }
        match self.known(value) {
            [] => Ok(value),
            [part] => Ok(*part),
            _ => Err(unsupported!(
                place,
                "the status of a load of a long vector, but as an operand of CheckAccessFullyMapped"
            )),
        }
    }

    /// What takes the place of an operand of an instruction that stays: a vector is made of its
    /// elements again.
    fn operand(&mut self, place: Place, value: Value) -> Result<Value> {
        let Some((_, len)) = self.vector(value) else { return self.scalar(place, value) };
        if self.known(value).is_empty() || self.stays(value) {
            return Ok(value);
        }
        self.charge(len)?;
        let ty = self.writer.ty(value);
        let whole = self.writer.function.make_local(ty, Def::Arg(u32::MAX));
        let parts = (0..len).map(|number| self.part(value, number)).collect();
        self.writer.build(whole, parts);
        Ok(whole)
    }

    /// Takes a vector apart that an instruction gives, or that is an argument of the function.
    fn unpack(&mut self, value: Value) -> Result<()> {
        if let Some((element, len)) = self.vector(value).filter(|_| !self.stays(value)) {
            self.charge(len)?;
            let parts = (0..len).map(|number| self.writer.part(value, number, element)).collect();
            self.set(value, parts);
        }
        Ok(())
    }

    fn instruction(&mut self, inst: Inst) -> Result<()> {
        let (data, result) = (self.writer.function.insts[inst], self.writer.function.result(inst));
        let place = Place::Inst { func: self.writer.function.number, inst: inst.index() as u32 };
        let vector = result.and_then(|result| self.vector(result));
        match (data, result) {
            (InstData::Load { ptr, volatile }, Some(result)) if vector.is_some() => {
                let ptr = self.scalar(place, ptr)?;
                let Some((element, addresses)) = self.writer.elements(ptr, self.writer.ty(result)) else {
                    return self.keep(place, inst);
                };
                let loads = addresses.into_iter();
                let parts = loads.map(|ptr| self.writer.emit(InstData::Load { ptr, volatile }, element)).collect();
                self.set(result, parts);
            }
            (InstData::Store { ptr, value, volatile }, _) if self.vector(value).is_some() => {
                let ptr = self.scalar(place, ptr)?;
                let Some((_, addresses)) = self.writer.elements(ptr, self.writer.ty(value)) else {
                    return self.keep(place, inst);
                };
                for (number, ptr) in (0u32..).zip(addresses) {
                    let value = self.part(value, number);
                    let store = self.writer.function.make_inst(InstData::Store { ptr, value, volatile }, None);
                    self.writer.out.push(store);
                }
            }
            (InstData::Op { op, precise, args }, _) => return self.operation(place, inst, op, precise, args),
            (InstData::ExtractValue { aggregate, first, count: 1 }, Some(result))
                if self.loads.contains_key(&aggregate) =>
            {
                self.loaded(result, aggregate, first);
            }
            (InstData::Cast { op: CastOp::BitCast, value }, Some(result))
                if self.vector(value).map(|v| v.1) != vector.map(|v| v.1) =>
            {
                self.reinterpret(place, result, value)?;
            }
            (InstData::ExtractElement { vector, index }, Some(result))
                if !self.stays(vector) || index.as_const().is_some() =>
            {
                self.extract(place, result, vector, index)?;
            }
            (InstData::InsertElement { vector, value, index }, Some(result))
                if !self.stays(vector) || self.uses.takes_elements(&data) =>
            {
                self.insert(place, result, vector, value, index)?;
            }
            (InstData::ShuffleVector { a, b, mask }, Some(result)) if !self.stays(a) || !self.stays(result) => {
                self.shuffle(result, a, b, mask);
            }
            (_, Some(result)) if self.stays(result) || self.takes_vector(inst) => {
                self.bound_index(place, inst)?;
                return self.keep(place, inst);
            }
            (
                InstData::Binary { .. } | InstData::Cmp { .. } | InstData::Cast { .. } | InstData::Select { .. },
                Some(result),
            ) if vector.is_some() => {
                self.each(place, result, data)?;
            }
            _ => return self.keep(place, inst),
        }
        Ok(())
    }

    /// Whether an operand is a vector that stays one.
    fn takes_vector(&self, inst: Inst) -> bool {
        let mut found = false;
        self.writer.function.for_each_operand(inst, |operand| found |= self.stays(operand));
        found
    }

    /// Keeps the computed index of an element inside the vector. LLVM gives any value for an index
    /// past the end, and SPIR-V leaves the behaviour undefined (OpVectorExtractDynamic).
    fn bound_index(&mut self, place: Place, inst: Inst) -> Result<()> {
        let (vector, index) = match self.writer.function.insts[inst] {
            InstData::ExtractElement { vector, index } | InstData::InsertElement { vector, index, .. } => {
                (vector, index)
            }
            _ => return Ok(()),
        };
        let Some((_, len)) = self.vector(vector).filter(|_| index.as_const().is_none()) else { return Ok(()) };
        let index = self.scalar(place, index)?;
        let bits = self.writer.types.scalar_bits(self.writer.ty(index)).unwrap_or(64);
        if all_ones(bits) < u64::from(len) {
            return Ok(());
        }
        let (ty, truth) = (self.writer.ty(index), self.writer.types.intern(Type::Int(1)));
        let [zero, rhs] = [0, len].map(|number| self.writer.constant(ty, ConstKind::Int(number.into())));
        let condition = self.writer.emit(InstData::Cmp { op: CmpOp::Ult, lhs: index, rhs }, truth);
        let inside = self.writer.emit(InstData::Select { condition, then: index, otherwise: zero }, ty);
        match &mut self.writer.function.insts[inst] {
            InstData::ExtractElement { index, .. } | InstData::InsertElement { index, .. } => *index = inside,
            _ => {}
        }
        Ok(())
    }

    /// Writes an instruction that stays, with operands that exist.
    fn keep(&mut self, place: Place, inst: Inst) -> Result<()> {
        let mut data = self.writer.function.insts[inst];
        let list = exchange(&mut data, |operand| self.operand(place, operand))?;
        let list = self.writer.function.list(list).to_vec();
        let mut exchanged = Vec::with_capacity(list.len());
        for &operand in &list {
            exchanged.push(self.operand(place, operand)?);
        }
        if exchanged != list {
            let list = self.writer.function.make_list(&exchanged);
            match &mut data {
                InstData::Op { args, .. } | InstData::Call { args, .. } => *args = list,
                InstData::Gep { indices, .. } => *indices = list,
                _ => {}
            }
        }
        self.writer.function.insts[inst] = data;
        self.writer.out.push(inst);
        if let Some(result) = self.writer.function.result(inst) {
            self.unpack(result)?;
        }
        Ok(())
    }

    fn extract(&mut self, place: Place, result: Value, vector: Value, index: Value) -> Result<()> {
        let Some((element, len)) = self.vector(vector) else { return Ok(()) };
        let index = self.scalar(place, index)?;
        if let Some(number) = self.writer.uint(index) {
            // An index past the end gives any value (LLVM, "extractelement").
            let part = self.part(vector, if number < len { number } else { 0 });
            self.set(result, vec![part]);
            return Ok(());
        }
        let mut chosen = self.part(vector, 0);
        for number in 1..len {
            let (then, condition) = (self.part(vector, number), self.writer.is_number(index, number));
            chosen = self.writer.emit(InstData::Select { condition, then, otherwise: chosen }, element);
        }
        self.set(result, vec![chosen]);
        Ok(())
    }

    fn insert(&mut self, place: Place, result: Value, vector: Value, value: Value, index: Value) -> Result<()> {
        let Some((element, len)) = self.vector(vector) else { return Ok(()) };
        let (value, index) = (self.scalar(place, value)?, self.scalar(place, index)?);
        let mut parts = self.all(vector, len)?;
        match self.writer.uint(index) {
            Some(number) => {
                if let Some(part) = parts.get_mut(number as usize) {
                    *part = value;
                }
            }
            None => {
                for (number, part) in (0u32..).zip(&mut parts) {
                    let condition = self.writer.is_number(index, number);
                    let data = InstData::Select { condition, then: value, otherwise: *part };
                    *part = self.writer.emit(data, element);
                }
            }
        }
        self.set(result, parts);
        Ok(())
    }

    fn shuffle(&mut self, result: Value, a: Value, b: Value, mask: Value) {
        let (Some((element, len)), Some((_, count))) = (self.vector(result), self.vector(a)) else { return };
        let lanes = self.writer.lanes(mask, len);
        let parts = lanes.into_iter().map(|lane| match lane {
            Some(lane) if lane < count => self.part(a, lane),
            Some(lane) if lane < count.saturating_mul(2) => self.part(b, lane - count),
            _ => self.writer.constant(element, ConstKind::Undef),
        });
        let parts = parts.collect();
        self.set(result, parts);
    }

    /// Applies an instruction to each element.
    fn each(&mut self, place: Place, result: Value, data: InstData) -> Result<()> {
        let Some((element, len)) = self.vector(result) else { return Ok(()) };
        let mut parts = Vec::with_capacity(len as usize);
        for number in 0..len {
            let mut scalar = data;
            exchange(&mut scalar, |operand| self.value(place, operand, number))?;
            parts.push(self.writer.emit(scalar, element));
        }
        self.set(result, parts);
        Ok(())
    }

    /// The element with a number of a vector, or what takes the place of another value.
    fn value(&mut self, place: Place, operand: Value, number: u32) -> Result<Value> {
        match self.vector(operand) {
            Some(_) => Ok(self.part(operand, number)),
            None => self.scalar(place, operand),
        }
    }
}

/// Replaces each operand in the instruction itself, in order. Returns the list of the others.
fn exchange(data: &mut InstData, mut by: impl FnMut(Value) -> Result<Value>) -> Result<ValueList> {
    let mut failed = None;
    let list = data.for_each_value_mut(|operand| match by(*operand) {
        Ok(value) => *operand = value,
        Err(error) => _ = failed.get_or_insert(error),
    });
    failed.map_or(Ok(list), Err)
}

/// Casts between vectors of different lengths.
impl Splitter<'_, '_> {
    /// The element type, its width in bits, and the number of elements; one for a scalar.
    fn shape(&self, value: Value) -> Option<(TypeId, u8, u32)> {
        let ty = self.writer.ty(value);
        let (element, len) = self.vector(value).unwrap_or((ty, 1));
        Some((element, self.writer.types.scalar_bits(element)?, len))
    }

    /// Reads the bits of a vector or scalar as those of another: the first element has the lowest
    /// bits (LLVM, "bitcast", on little-endian targets).
    fn reinterpret(&mut self, place: Place, result: Value, value: Value) -> Result<()> {
        let shapes = self.shape(value).zip(self.shape(result));
        let Some(((_, narrow, _), (element, wide, len))) =
            shapes.filter(|((_, a, _), (_, b, _))| a % b == 0 || b % a == 0)
        else {
            return Err(unsupported!(place, "a cast between these vectors"));
        };
        let integers = [narrow, wide].map(|bits| self.writer.types.intern(Type::Int(bits)));
        let mut parts = Vec::with_capacity(len as usize);
        for number in 0..len {
            let bits = match wide <= narrow {
                true => {
                    let per = u32::from(narrow / wide);
                    let source = self.value(place, value, number / per)?;
                    let source = self.cast(CastOp::BitCast, source, integers[0]);
                    let shift = u64::from(number % per) * u64::from(wide);
                    let source = self.shift(BinaryOp::LShr, source, shift, integers[0]);
                    self.cast(CastOp::Trunc, source, integers[1])
                }
                false => {
                    let per = u32::from(wide / narrow);
                    let mut all = None;
                    for part in 0..per {
                        let source = self.value(place, value, number * per + part)?;
                        let source = self.cast(CastOp::BitCast, source, integers[0]);
                        let source = self.cast(CastOp::ZExt, source, integers[1]);
                        let shift = u64::from(part) * u64::from(narrow);
                        let source = self.shift(BinaryOp::Shl, source, shift, integers[1]);
                        all = Some(match all {
                            None => source,
                            Some(lhs) => self.binary(BinaryOp::Or, lhs, source, integers[1]),
                        });
                    }
                    all.unwrap_or(value)
                }
            };
            parts.push(self.cast(CastOp::BitCast, bits, element));
        }
        self.set(result, parts);
        Ok(())
    }

    fn cast(&mut self, op: CastOp, value: Value, ty: TypeId) -> Value {
        match self.writer.ty(value) == ty {
            true => value,
            false => self.writer.emit(InstData::Cast { op, value }, ty),
        }
    }

    fn shift(&mut self, op: BinaryOp, lhs: Value, bits: u64, ty: TypeId) -> Value {
        if bits == 0 {
            return lhs;
        }
        let rhs = self.writer.constant(ty, ConstKind::Int(bits));
        self.binary(op, lhs, rhs, ty)
    }

    fn binary(&mut self, op: BinaryOp, lhs: Value, rhs: Value, ty: TypeId) -> Value {
        self.writer.emit(InstData::Binary { op, precise: false, lhs, rhs }, ty)
    }
}

/// Operations.
impl Splitter<'_, '_> {
    fn operation(&mut self, place: Place, inst: Inst, op: OpCode, precise: bool, args: ValueList) -> Result<()> {
        let (list, result) = (self.writer.function.list(args).to_vec(), self.writer.function.result(inst));
        match (op, &list[..], result) {
            (OpCode::RawBufferVectorLoad, &[buffer, index, offset, _], Some(result)) => {
                return self.load(place, result, [buffer, index, offset]);
            }
            (OpCode::RawBufferVectorStore, &[buffer, index, offset, value, _], _) => {
                return self.store(place, value, [buffer, index, offset]);
            }
            (OpCode::VectorReduceAnd, &[vector], Some(result)) => self.reduce(result, vector, BinaryOp::And),
            (OpCode::VectorReduceOr, &[vector], Some(result)) => self.reduce(result, vector, BinaryOp::Or),
            (OpCode::FDot, &[a, b], Some(result)) => self.dot(result, a, b, precise),
            (OpCode::WaveMatch, &[vector], Some(result)) if self.vector(vector).is_some() => {
                self.matches(result, vector)
            }
            (OpCode::CheckAccessFullyMapped, &[status], Some(result))
                if self.vector(status).is_none() && self.known(status).len() > 1 =>
            {
                self.mapped(result, status);
            }
            _ if list.iter().any(|&operand| self.vector(operand).is_some()) => {
                return self.each_operation(place, op, precise, &list, result);
            }
            _ => return self.keep(place, inst),
        }
        Ok(())
    }

    fn emit_op(&mut self, op: OpCode, precise: bool, args: &[Value], ty: TypeId) -> Value {
        let args = self.writer.function.make_list(args);
        self.writer.emit(InstData::Op { op, precise, args }, ty)
    }

    /// Applies an operation to each element. Its row says that the elements are independent: its
    /// operands and its result have the type of the overload, or one with as many elements.
    fn each_operation(
        &mut self,
        place: Place,
        op: OpCode,
        precise: bool,
        args: &[Value],
        result: Option<Value>,
    ) -> Result<()> {
        let info = op.info();
        let by_element =
            args.iter().zip(info.operands).all(|(&arg, row)| self.vector(arg).is_none() || row.ty == OpType::Overload)
                && matches!(info.result, OpType::Overload | OpType::OverloadI1 | OpType::OverloadI32);
        let (Some(result), true) = (result, by_element) else { return Err(no_scalars(place, op)) };
        let Some((element, len)) = self.vector(result) else { return Err(no_scalars(place, op)) };
        let mut parts = Vec::with_capacity(len as usize);
        for number in 0..len {
            let args: Vec<Value> =
                args.iter().map(|&operand| self.value(place, operand, number)).collect::<Result<_>>()?;
            parts.push(self.emit_op(op, precise, &args, element));
        }
        self.set(result, parts);
        Ok(())
    }

    /// Combines the elements of a vector.
    fn reduce(&mut self, result: Value, vector: Value, op: BinaryOp) {
        let Some((element, len)) = self.vector(vector) else { return };
        let mut all = self.part(vector, 0);
        for number in 1..len {
            let part = self.part(vector, number);
            all = self.binary(op, all, part, element);
        }
        self.set(result, vec![all]);
    }

    /// The sum of the products of the elements, from the first to the last.
    fn dot(&mut self, result: Value, a: Value, b: Value, precise: bool) {
        let Some((element, len)) = self.vector(a) else { return };
        let (lhs, rhs) = (self.part(a, 0), self.part(b, 0));
        let mut sum = self.writer.emit(InstData::Binary { op: BinaryOp::FMul, precise, lhs, rhs }, element);
        for number in 1..len {
            let factors = [self.part(a, number), self.part(b, number), sum];
            sum = self.emit_op(OpCode::FMad, precise, &factors, element);
        }
        self.set(result, vec![sum]);
    }

    /// The lanes whose vectors are equal: in the masks of all elements.
    fn matches(&mut self, result: Value, vector: Value) {
        let Some((_, len)) = self.vector(vector) else { return };
        let (ty, word) = (self.writer.ty(result), self.writer.types.intern(Type::Int(32)));
        let mut masks: [Option<Value>; 4] = [None; 4];
        for number in 0..len {
            let part = self.part(vector, number);
            let matched = self.emit_op(OpCode::WaveMatch, false, &[part], ty);
            for (member, mask) in (0u32..).zip(&mut masks) {
                let part = self.member(matched, member, word);
                *mask = Some(match *mask {
                    None => part,
                    Some(lhs) => self.binary(BinaryOp::And, lhs, part, word),
                });
            }
        }
        let mut whole = self.writer.constant(ty, ConstKind::Undef);
        for (member, value) in (0u32..).zip(masks.into_iter().flatten()) {
            let data = InstData::InsertValue { aggregate: whole, value, first: self.writer.member(member), count: 1 };
            whole = match member == 3 {
                true => self.writer.define(result, data),
                false => self.writer.emit(data, ty),
            };
        }
    }

    fn member(&mut self, aggregate: Value, member: u32, ty: TypeId) -> Value {
        let first = self.writer.member(member);
        self.writer.emit(InstData::ExtractValue { aggregate, first, count: 1 }, ty)
    }

    /// Whether all of several loads found memory.
    fn mapped(&mut self, result: Value, status: Value) {
        let ty = self.writer.ty(result);
        let mut all = None;
        for status in self.known(status).to_vec() {
            let mapped = self.emit_op(OpCode::CheckAccessFullyMapped, false, &[status], ty);
            all = Some(match all {
                None => mapped,
                Some(lhs) => self.binary(BinaryOp::And, lhs, mapped, ty),
            });
        }
        self.set(result, all.into_iter().collect());
    }
}

/// The most elements of `RawBufferLoad` and `RawBufferStore`.
const AT_ONCE: u32 = 4;

/// Vectors in raw and structured buffers.
impl Splitter<'_, '_> {
    fn load(&mut self, place: Place, result: Value, [buffer, index, offset]: [Value; 3]) -> Result<()> {
        let vector = match &self.writer.types[self.writer.ty(result)] {
            Type::Struct { fields, .. } => fields.first().map(|&field| self.writer.types[field].clone()),
            _ => None,
        };
        let Some(Type::Vector { element, len }) = vector else {
            return Err(no_scalars(place, OpCode::RawBufferVectorLoad));
        };
        let word = self.writer.types.intern(Type::Int(32));
        let fields = [element, element, element, element, word].into();
        let loaded = self.writer.types.intern(Type::Struct { name: "dx.types.ResRet".into(), fields, packed: false });
        let [buffer, index, offset] =
            [self.scalar(place, buffer)?, self.scalar(place, index)?, self.scalar(place, offset)?];
        let mut loads = Vec::new();
        for first in (0..len).step_by(AT_ONCE as usize) {
            let [index, offset] = self.advance([index, offset], first, element);
            let [mask, alignment] = self.mask_and_alignment(len - first, element);
            loads.push(self.emit_op(OpCode::RawBufferLoad, false, &[buffer, index, offset, mask, alignment], loaded));
        }
        self.loads.insert(result, loads);
        Ok(())
    }

    /// A member of the result of a load: the vector, or the status.
    fn loaded(&mut self, result: Value, aggregate: Value, first: u32) {
        let loads = self.loads.get(&aggregate).cloned().unwrap_or_default();
        let word = self.writer.ty(result);
        let parts = match (self.vector(result), self.writer.function.indices.get(first as usize)) {
            (Some((element, len)), Some(0)) => {
                let part = |number: u32| Some((*loads.get((number / AT_ONCE) as usize)?, number % AT_ONCE));
                (0..len).filter_map(part).map(|(load, member)| self.member(load, member, element)).collect()
            }
            _ => loads.into_iter().map(|load| self.member(load, AT_ONCE, word)).collect(),
        };
        self.set(result, parts);
    }

    fn store(&mut self, place: Place, value: Value, [buffer, index, offset]: [Value; 3]) -> Result<()> {
        let Some((element, len)) = self.vector(value) else {
            return Err(no_scalars(place, OpCode::RawBufferVectorStore));
        };
        let [buffer, index, offset] =
            [self.scalar(place, buffer)?, self.scalar(place, index)?, self.scalar(place, offset)?];
        let undef = self.writer.constant(element, ConstKind::Undef);
        for first in (0..len).step_by(AT_ONCE as usize) {
            let [index, offset] = self.advance([index, offset], first, element);
            let mut args = vec![buffer, index, offset];
            for number in first..first + AT_ONCE {
                args.push(if number < len { self.part(value, number) } else { undef });
            }
            args.extend(self.mask_and_alignment(len - first, element));
            let args = self.writer.function.make_list(&args);
            let data = InstData::Op { op: OpCode::RawBufferStore, precise: false, args };
            let store = self.writer.function.make_inst(data, None);
            self.writer.out.push(store);
        }
        Ok(())
    }

    fn element_bytes(&self, element: TypeId) -> u32 {
        u32::from(self.writer.types.scalar_bits(element).unwrap_or(32) / 8)
    }

    /// The place of an element. In a raw buffer the index is an offset in bytes, and there is no
    /// other offset (DXIL.rst, "RawBufferLoad").
    fn advance(&mut self, [index, offset]: [Value; 2], elements: u32, element: TypeId) -> [Value; 2] {
        let bytes = elements.saturating_mul(self.element_bytes(element));
        let is_raw = offset.as_const().is_some_and(|c| self.writer.consts[c].kind == ConstKind::Undef);
        match is_raw {
            true => [self.add(index, bytes), offset],
            false => [index, self.add(offset, bytes)],
        }
    }

    fn add(&mut self, value: Value, number: u32) -> Value {
        if number == 0 {
            return value;
        }
        if let Some(known) = self.writer.uint(value) {
            return self.writer.number(known.wrapping_add(number));
        }
        let (ty, rhs) = (self.writer.ty(value), self.writer.number(number));
        self.binary(BinaryOp::Add, value, rhs, ty)
    }

    /// The mask of up to four elements, and the alignment of one element in bytes.
    fn mask_and_alignment(&mut self, elements: u32, element: TypeId) -> [Value; 2] {
        let byte = self.writer.types.intern(Type::Int(8));
        let mask = (1u64 << elements.min(AT_ONCE)) - 1;
        let alignment = self.element_bytes(element);
        [self.writer.constant(byte, ConstKind::Int(mask)), self.writer.number(alignment)]
    }
}

#[cold]
fn no_scalars(place: Place, op: OpCode) -> Error {
    unsupported!(place, "{op} on a vector, which has no form on scalars")
}
