//! Integers of more than 64 bits, which the IR does not have.
//!
//! In: instructions on them. Out: the same on the vectors that have their bits. LLVM's optimiser
//! makes such a number of a vector, where the source reads the first elements of one in memory. It
//! takes the lowest bits of the number, also after a bitwise operation or a choice. What must hold:
//! another use of the number is a use of the vector, which the verifier refuses.

use super::decoder::{IR, Input};
use super::function::{AHEAD, BodyDecoder};
use crate::ir::*;
use dxil_base::error::{Place, Result};
use dxil_bitcode as bitcode;
use dxil_bitcode::ValueId;

/// The most instructions that take the place of one.
const MOST: usize = 4;

/// Whether a type is an integer of more than 64 bits.
pub(super) fn is_wide(input: Input<'_>, ty: Option<bitcode::TypeId>) -> bool {
    ty.is_some_and(|ty| matches!(input.module.types.get(ty), Some(bitcode::Type::Integer(65..))))
}

/// Whether an operation on all bits of a number is one on the bits of each element.
pub(super) fn is_bitwise(op: bitcode::BinaryOp) -> bool {
    matches!(op, bitcode::BinaryOp::And | bitcode::BinaryOp::Or | bitcode::BinaryOp::Xor)
}

impl BodyDecoder<'_, '_> {
    /// The vector that a number of so many bits was made of.
    pub(super) fn wide(
        &mut self,
        input: Input<'_>,
        inst: &bitcode::Instruction,
        ty: Option<bitcode::TypeId>,
        value: ValueId,
    ) -> Result<()> {
        // The verifier finds out whether another instruction takes it for a number.
        (self.has_wide, self.proven) = (true, false);
        self.memory.numbers.end(self.at);
        let mut value = self.value(input, inst.bit, value)?;
        if self.type_of(value).is_none()
            && let Some(&bitcode::Type::Integer(bits)) = ty.and_then(|ty| input.module.types.get(ty))
        {
            // The type of a vector that is defined later is not known here.
            self.charge(inst.place())?;
            let width = [64, 32, 16, 8].into_iter().find(|&width| bits % u32::from(width) == 0).unwrap_or(1);
            let types = &mut self.decoder.module.types;
            let element = types.intern(Type::Int(width));
            let vector = types.intern(Type::Vector { element, len: bits / u32::from(width) });
            value = self.step(InstData::Cast { op: CastOp::BitCast, value }, vector);
        }
        self.alias(inst, value);
        Ok(())
    }

    /// An instruction whose result and last two operands are such numbers. `make` makes it of the
    /// operands.
    pub(super) fn wide_pair(
        &mut self,
        input: Input<'_>,
        (bit, result): (u32, Option<ValueId>),
        ty: Option<bitcode::TypeId>,
        operands: [ValueId; 2],
        make: impl FnOnce([Value; 2]) -> InstData,
    ) -> Result<()> {
        let [first, second] = [self.value(input, bit, operands[0])?, self.value(input, bit, operands[1])?];
        self.charge(Place::Bit(bit.into()))?;
        let (first, vector) = self.integers(first, None);
        let (second, _) = self.integers(second, vector);
        let number = self.push(input.module, result, ty, make([first, second]));
        let result = self.out.result(number).and_then(Value::as_local);
        if let (Some(vector), Some(local)) = (vector, result.and_then(|local| self.out.locals.get_mut(local))) {
            local.ty = vector;
        }
        self.prove(number);
        Ok(())
    }

    /// Charges what takes the place of an instruction.
    fn charge(&mut self, place: Place) -> Result<()> {
        self.memory.numbers.end(self.at);
        self.decoder.fuel.items::<[(InstData, Option<Value>, Inst, Local, Type); MOST - 1]>(place, IR, 1)
    }

    /// The type of a value. `None` if it is defined later.
    fn type_of(&self, value: Value) -> Option<TypeId> {
        match value.kind() {
            ValueKind::Local(local) => self.out.locals.get(local).map(|local| local.ty),
            ValueKind::Const(constant) => Some(self.decoder.module.consts[constant].ty),
        }
    }

    /// A vector as one of type `like`, or else of integers, with its type. Another value is itself.
    fn integers(&mut self, value: Value, like: Option<TypeId>) -> (Value, Option<TypeId>) {
        let of = self.type_of(value);
        let types = &mut self.decoder.module.types;
        let Some(&Type::Vector { element, len }) = of.map(|of| &types[of]) else { return (value, None) };
        let Some(bits) = types.scalar_bits(element) else { return (value, None) };
        let element = types.intern(Type::Int(bits));
        let ty = like.unwrap_or_else(|| types.intern(Type::Vector { element, len }));
        let same = of == Some(ty);
        (if same { value } else { self.step(InstData::Cast { op: CastOp::BitCast, value }, ty) }, Some(ty))
    }

    /// The lowest bits of a vector.
    ///
    /// # Errors
    /// `Limit` if the budget does not allow the instructions.
    pub(super) fn lowest(
        &mut self,
        input: Input<'_>,
        inst: &bitcode::Instruction,
        ty: Option<bitcode::TypeId>,
        value: ValueId,
    ) -> Result<InstData> {
        let vector = self.value(input, inst.bit, value)?;
        self.charge(inst.place())?;
        let to = ty.map(|ty| self.decoder.ty(input.module, ty));
        let of = self.type_of(vector);
        let types = &mut self.decoder.module.types;
        let zero = ConstData { ty: types.intern(Type::Int(32)), kind: ConstKind::Int(0) };
        let index = Value::constant(self.decoder.module.consts.intern(zero));
        let first = InstData::ExtractElement { vector, index };
        let (Some(to), Some(&Type::Vector { element, .. })) = (to, of.map(|of| &types[of])) else { return Ok(first) };
        let (Some(from_bits), Some(to_bits)) = (types.scalar_bits(element), types.scalar_bits(to)) else {
            return Ok(first);
        };
        if element == to {
            return Ok(first);
        }
        // The first elements that have the bits, of which there are a power of two.
        let count = u32::from(to_bits).div_ceil(u32::from(from_bits.max(1))).next_power_of_two();
        let number = types.intern(Type::Int((count * u32::from(from_bits)).min(64) as u8));
        let value = match count {
            1 => self.step(first, element),
            _ => self.first_elements(vector, element, count),
        };
        let has_bits = count == 1 && element == number;
        let exact = u32::from(to_bits) == count * u32::from(from_bits);
        let value = if has_bits || exact { value } else { self.cast(value, number) };
        Ok(InstData::Cast { op: if exact { CastOp::BitCast } else { CastOp::Trunc }, value })
    }

    fn cast(&mut self, value: Value, ty: TypeId) -> Value {
        self.step(InstData::Cast { op: CastOp::BitCast, value }, ty)
    }

    /// The first elements of a vector, as a vector.
    fn first_elements(&mut self, vector: Value, element: TypeId, count: u32) -> Value {
        let module = &mut self.decoder.module;
        let word = module.types.intern(Type::Int(32));
        let [ty, mask] = [element, word].map(|element| module.types.intern(Type::Vector { element, len: count }));
        let number = |number: u32| ConstData { ty: word, kind: ConstKind::Int(number.into()) };
        let lanes: Vec<Const> = (0..count).map(|lane| module.consts.intern(number(lane))).collect();
        let mask = module.consts.intern(ConstData { ty: mask, kind: ConstKind::Aggregate(lanes.into()) });
        self.step(InstData::ShuffleVector { a: vector, b: vector, mask: Value::constant(mask) }, ty)
    }

    /// Adds an instruction before the one that is decoded. Returns its result.
    fn step(&mut self, data: InstData, ty: TypeId) -> Value {
        let inst = self.out.make_inst(data, Some(ty));
        self.prove(inst);
        self.out.result(inst).unwrap_or(Value::local(AHEAD))
    }
}
