//! Loads and stores of planned variables: whole elements, parts of one, or several.
//!
//! In: an array, an offset in bytes and a type. Out: instructions on the array's elements. What
//! must hold: an access changes its own bytes only, even if other threads write the other bytes of
//! a word.

use super::writer::{RewrittenArray, WordsRewriter, part_offset};
use crate::ir::{AddressSpace, BinaryOp, CastOp, ConstKind, InstData, RmwOp, Type, TypeId, Types, Value};

/// The array that is accessed, and how.
#[derive(Clone, Copy)]
pub(super) struct ArrayAccess {
    /// Number of the array.
    pub array: usize,
    /// `volatile`.
    pub volatile: bool,
}

/// Loads and stores.
impl WordsRewriter<'_> {
    /// The address of the element that is `plus` elements after an offset.
    pub(super) fn element(&mut self, array: usize, offset: Value, plus: u32) -> Value {
        let RewrittenArray { word_pointer, bits, global, .. } = self.shared.arrays[array];
        let base = global.or_else(|| self.own.get(&array).copied()).unwrap_or(offset);
        let (shift, plus) = (self.number(u64::from((bits / 8).trailing_zeros())), self.number(u64::from(plus)));
        let index = self.binary(BinaryOp::LShr, offset, shift);
        let index = self.binary(BinaryOp::Add, index, plus);
        let indices = [self.number(0), index];
        let indices = self.function.make_list(&indices);
        self.emit(InstData::Gep { base, indices }, word_pointer)
    }

    /// The types of an object's parts, with their offsets; empty for a number.
    fn parts(&self, ty: TypeId) -> Vec<(u64, TypeId)> {
        let types: Vec<TypeId> = match &self.types[ty] {
            Type::Struct { fields, .. } => fields.to_vec(),
            Type::Array { element, len } | Type::Vector { element, len } => vec![*element; *len as usize],
            _ => Vec::new(),
        };
        let offset = |number| part_offset(self.types, self.shared.sizes, ty, number).unwrap_or(0);
        types.into_iter().enumerate().map(|(number, part)| (offset(number), part)).collect()
    }

    pub(super) fn load(&mut self, at: ArrayAccess, offset: Value, ty: TypeId) -> Value {
        let mut whole = self.constant(ty, ConstKind::Undef);
        let is_vector = match self.types[ty] {
            Type::Vector { .. } => true,
            Type::Struct { .. } | Type::Array { .. } => false,
            _ => return self.load_number(at, offset, ty),
        };
        for (number, (bytes, part)) in self.parts(ty).into_iter().enumerate() {
            let bytes = self.number(bytes);
            let offset = self.binary(BinaryOp::Add, offset, bytes);
            let value = self.load(at, offset, part);
            let data = if is_vector {
                InstData::InsertElement { vector: whole, value, index: self.number(number as u64) }
            } else {
                InstData::InsertValue { aggregate: whole, value, first: self.member(number), count: 1 }
            };
            whole = self.emit(data, ty);
        }
        whole
    }

    pub(super) fn store(&mut self, at: ArrayAccess, offset: Value, ty: TypeId, value: Value) {
        let is_vector = match self.types[ty] {
            Type::Vector { .. } => true,
            Type::Struct { .. } | Type::Array { .. } => false,
            _ => return self.store_number(at, offset, ty, value),
        };
        for (number, (bytes, part)) in self.parts(ty).into_iter().enumerate() {
            let bytes = self.number(bytes);
            let offset = self.binary(BinaryOp::Add, offset, bytes);
            let data = if is_vector {
                InstData::ExtractElement { vector: value, index: self.number(number as u64) }
            } else {
                InstData::ExtractValue { aggregate: value, first: self.member(number), count: 1 }
            };
            let value = self.emit(data, part);
            self.store(at, offset, part, value);
        }
    }

    fn load_number(&mut self, at: ArrayAccess, offset: Value, ty: TypeId) -> Value {
        let RewrittenArray { word, bits, .. } = self.shared.arrays[at.array];
        let size = stored_bits(self.types, ty);
        if size > bits {
            // Two words, the less significant one first.
            let pair = self.types.intern(Type::Vector { element: word, len: 2 });
            let mut both = self.constant(pair, ConstKind::Undef);
            for number in 0..2 {
                let value = self.load_element(at, offset, number);
                let index = self.number(u64::from(number));
                both = self.emit(InstData::InsertElement { vector: both, value, index }, pair);
            }
            return self.number_of(both, 64, ty);
        }
        let value = self.load_element(at, offset, 0);
        if size == bits {
            return self.number_of(value, bits, ty);
        }
        let shift = self.shift(offset);
        let value = self.binary(BinaryOp::LShr, value, shift);
        let part = self.types.intern(Type::Int(size));
        let value = self.emit(InstData::Cast { op: CastOp::Trunc, value }, part);
        self.number_of(value, size, ty)
    }

    fn store_number(&mut self, at: ArrayAccess, offset: Value, ty: TypeId, value: Value) {
        let RewrittenArray { word, bits, space, .. } = self.shared.arrays[at.array];
        let size = stored_bits(self.types, ty);
        if size > bits {
            let pair = self.types.intern(Type::Vector { element: word, len: 2 });
            let value = match self.types[ty] {
                Type::Int(_) => self.bits_of(value, ty, 64),
                _ => value,
            };
            let both = self.cast(CastOp::BitCast, value, pair);
            for number in 0..2 {
                let index = self.number(u64::from(number));
                let value = self.emit(InstData::ExtractElement { vector: both, index }, word);
                self.store_element(at, offset, number, value);
            }
            return;
        }
        if size == bits {
            let value = if ty == word { value } else { self.bits_of(value, ty, bits) };
            return self.store_element(at, offset, 0, value);
        }
        let value = self.bits_of(value, ty, size);
        let value = self.emit(InstData::Cast { op: CastOp::ZExt, value }, word);
        let shift = self.shift(offset);
        let (mask, all) = (self.number((1 << size) - 1), self.number(u64::from(u32::MAX)));
        let mask = self.binary(BinaryOp::Shl, mask, shift);
        let others = self.binary(BinaryOp::Xor, mask, all);
        let value = self.binary(BinaryOp::Shl, value, shift);
        if space == AddressSpace::GroupShared {
            // Another thread may write another part of the word.
            let ptr = self.element(at.array, offset, 0);
            self.emit(InstData::AtomicRmw { op: RmwOp::And, ptr, value: others }, word);
            self.emit(InstData::AtomicRmw { op: RmwOp::Or, ptr, value }, word);
            return;
        }
        let old = self.load_element(at, offset, 0);
        let kept = self.binary(BinaryOp::And, old, others);
        let value = self.binary(BinaryOp::Or, kept, value);
        self.store_element(at, offset, 0, value);
    }

    fn load_element(&mut self, at: ArrayAccess, offset: Value, plus: u32) -> Value {
        let ptr = self.element(at.array, offset, plus);
        self.emit(InstData::Load { ptr, volatile: at.volatile }, self.shared.arrays[at.array].word)
    }

    fn store_element(&mut self, at: ArrayAccess, offset: Value, plus: u32, value: Value) {
        let ptr = self.element(at.array, offset, plus);
        let inst = self.function.make_inst(InstData::Store { ptr, value, volatile: at.volatile }, None);
        self.out.push(inst);
    }

    /// The number of bits by which a part is shifted in its 32-bit word.
    fn shift(&mut self, offset: Value) -> Value {
        let three = self.number(3);
        let byte = self.binary(BinaryOp::And, offset, three);
        self.binary(BinaryOp::Shl, byte, three)
    }

    /// Makes a number from the bits that it takes in memory.
    fn number_of(&mut self, value: Value, bits: u8, ty: TypeId) -> Value {
        match self.types[ty] {
            Type::Int(own) if own < bits => {
                let whole = self.types.intern(Type::Int(bits));
                let value = self.cast(CastOp::BitCast, value, whole);
                self.emit(InstData::Cast { op: CastOp::Trunc, value }, ty)
            }
            _ => self.cast(CastOp::BitCast, value, ty),
        }
    }

    /// The bits of a number, in the width that it takes in memory.
    fn bits_of(&mut self, value: Value, ty: TypeId, bits: u8) -> Value {
        let whole = self.types.intern(Type::Int(bits));
        match self.types[ty] {
            Type::Int(own) if own < bits => self.emit(InstData::Cast { op: CastOp::ZExt, value }, whole),
            _ => self.cast(CastOp::BitCast, value, whole),
        }
    }
}

/// The width of a number in memory: 8, 16, 32 or 64 bits.
fn stored_bits(types: &Types, ty: TypeId) -> u8 {
    match types.scalar_bits(ty) {
        Some(0..=8) => 8,
        Some(9..=16) => 16,
        Some(17..=32) => 32,
        _ => 64,
    }
}
