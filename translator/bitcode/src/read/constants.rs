//! Reads the constants blocks of the module and of bodies.
//!
//! In: `CONSTANTS` blocks. Out: values with their [`Constant`]. Operands may refer forward, so
//! [`super::check`] checks them when all constants are known. This module checks only what does not
//! depend on operands.

use crate::codes::constants as code;
use crate::ops::{CastOp, Predicate};
use crate::pool::{List, Str};
use crate::stream::{BitstreamEntry, BlockStart, Record};
use crate::types::{Type, TypeId};
use crate::values::{Constant, ConstantId, Value, ValueDef, ValueId};
use dxil_base::entity::Entity;
use dxil_base::error::{Place, Result};
use dxil_base::integer::all_ones;
use dxil_base::limits;

use super::checked::{ConstantSize, ConstantState};
use super::numbers::{binary_op, decode_signed, flags_of, small, value_id};
use super::reader::{Reader, TABLES};

impl<'a> Reader<'a> {
    /// Reads a constants block of the module, or of a body.
    pub(super) fn constants(&mut self, start: BlockStart, record: &mut Record<'a>, in_body: bool) -> Result<()> {
        self.stream.enter(start)?;
        // Constants before the first type record are i32, as in LLVM's reader.
        let mut ty = None;
        loop {
            self.single_records(&mut ty, in_body)?;
            match self.next(record, TABLES)? {
                BitstreamEntry::End => return Ok(()),
                BitstreamEntry::Block(inner) => self.stream.skip(inner),
                BitstreamEntry::Record if record.code == code::SETTYPE => {
                    ty = Some(self.constant_type(record.place(), record.op(0)?)?);
                }
                BitstreamEntry::Record => {
                    let ty = match ty {
                        Some(ty) => ty,
                        None => *ty.insert(self.integer(record.place(), 32)?),
                    };
                    let constant = self.constant(record, ty)?;
                    self.push_constant(record.bit, ty, constant, in_body)?;
                }
            }
        }
    }

    /// Reads the types and integers up to the next record that is neither, or that has a form which
    /// few compilers write.
    fn single_records(&mut self, ty: &mut Option<TypeId>, in_body: bool) -> Result<()> {
        while let Some(record) = self.stream.peek_single() {
            let place = Place::Bit(record.bit);
            let integer = match (record.code, ty.map(|ty| (ty, self.module.types[ty]))) {
                (code::SETTYPE, _) => None,
                (code::INTEGER, Some((ty, Type::Integer(width @ ..=64)))) => Some((ty, width)),
                _ => return Ok(()),
            };
            self.fuel.bytes(place, TABLES, size_of::<(Record<'_>, u64)>())?;
            self.stream.take(record);
            match integer {
                None => *ty = Some(self.constant_type(place, record.value)?),
                Some((ty, width)) => {
                    self.push_constant(record.bit, ty, integer_of(record.value, width), in_body)?;
                }
            }
        }
        Ok(())
    }

    /// The type of the constants that follow, by its number.
    fn constant_type(&self, place: Place, number: u64) -> Result<TypeId> {
        let id = self.ty(place, number)?;
        if matches!(self.module.types[id], Type::Void | Type::Label | Type::Metadata | Type::Function { .. }) {
            let text = self.module.type_text(id);
            return Err(malformed!(place, "constants cannot have type {text}"));
        }
        Ok(id)
    }

    #[inline(always)]
    fn push_constant(&mut self, bit: u64, ty: TypeId, constant: Constant, in_body: bool) -> Result<()> {
        let place = Place::Bit(bit);
        limits::check(place, "constants", self.module.constants.len() + 1, limits::CONSTANTS)?;
        // With its value, if it is one of a body.
        self.fuel.items::<(Constant, ConstantState, Value)>(place, TABLES, 1)?;
        let id = self.module.constants.push(constant);
        // Most constants have no operands.
        let size = match constant {
            Constant::Int(_) | Constant::Float(_) | Constant::Null | Constant::Undef => {
                ConstantSize::Known { depth: 1, leaves: 1 }
            }
            _ => {
                self.fuel.items::<ConstantId>(place, TABLES, 1)?;
                self.checked.unchecked.push(id);
                ConstantSize::Unknown
            }
        };
        self.checked.constants.push(ConstantState { bit: bit as u32, ty, size });
        let value = Value { ty, def: ValueDef::Constant(id) };
        if in_body {
            self.module.values.push(value);
            return Ok(());
        }
        self.push_value(place, value)
    }

    fn constant(&mut self, record: &Record<'_>, id: TypeId) -> Result<Constant> {
        let place = record.place();
        let ty = self.module.types[id];
        let value = |i: usize| value_id(place, record.op(i)?);
        Ok(match record.code {
            code::NULL => match ty {
                Type::Opaque { .. } | Type::Token => return Err(self.no_constant(place, "zero", id)),
                _ => Constant::Null,
            },
            code::UNDEF => Constant::Undef,
            code::POISON => Constant::Poison,
            code::INTEGER | code::WIDE_INTEGER => match ty {
                Type::Integer(width) if width <= 64 => integer_of(record.op(0)?, width),
                Type::Integer(width) => self.wide_integer(record, width)?,
                _ => return Err(self.no_constant(place, "an integer", id)),
            },
            code::FLOAT => self.float(record, id)?,
            code::AGGREGATE => Constant::Aggregate(self.operands_of(record, &record.ops)?),
            code::STRING => Constant::Data(self.words(place, record.ops.iter().map(|c| c & 0xff))?),
            code::CSTRING => {
                let chars = record.ops.iter().map(|c| c & 0xff);
                Constant::Data(self.words(place, ExactSize(chars.chain([0]), record.ops.len() + 1))?)
            }
            code::DATA => {
                let mask = match self.element(id).map(|e| self.module.types[e]) {
                    Some(Type::Integer(width @ (8 | 16 | 32 | 64))) => all_ones(width),
                    Some(Type::Half | Type::BFloat) => 0xffff,
                    Some(Type::Float) => 0xffff_ffff,
                    Some(Type::Double) => u64::MAX,
                    _ => return Err(self.no_constant(place, "packed data", id)),
                };
                Constant::Data(self.words(place, record.ops.iter().map(|w| w & mask))?)
            }
            code::CE_BINOP => {
                let op = binary_op(place, record.op(0)?, self.is_float(id))?;
                let flags = flags_of(op, record.op_or_zero(3));
                Constant::Binary { op, flags, lhs: value(1)?, rhs: value(2)? }
            }
            code::CE_CAST => {
                let Some(op) = CastOp::from_code(record.op(0)?) else {
                    return Err(malformed!(place, "unknown cast operation {}", record.op(0)?));
                };
                self.ty(place, record.op(1)?)?;
                Constant::Cast { op, value: value(2)? }
            }
            code::CE_GEP | code::CE_INBOUNDS_GEP | code::CE_GEP_INRANGE_INDEX => self.constant_gep(record)?,
            code::CE_SELECT => Constant::Select { cond: value(0)?, if_true: value(1)?, if_false: value(2)? },
            // The vector's type comes first. The index has its type before it, or is i32.
            code::CE_EXTRACTELT => {
                let index = if record.ops.len() >= 4 { 3 } else { 2 };
                Constant::ExtractElement { vector: value(1)?, index: value(index)? }
            }
            code::CE_INSERTELT => {
                let index = if record.ops.len() >= 4 { 3 } else { 2 };
                Constant::InsertElement { vector: value(0)?, element: value(1)?, index: value(index)? }
            }
            code::CE_SHUFFLEVEC => Constant::ShuffleVector { lhs: value(0)?, rhs: value(1)?, mask: value(2)? },
            code::CE_SHUFVEC_EX => Constant::ShuffleVector { lhs: value(1)?, rhs: value(2)?, mask: value(3)? },
            code::CE_CMP => {
                let Some(pred) = Predicate::from_code(record.op(3)?) else {
                    return Err(malformed!(place, "unknown comparison predicate {}", record.op(3)?));
                };
                Constant::Cmp { pred, lhs: value(1)?, rhs: value(2)? }
            }
            code::BLOCKADDRESS => {
                Constant::BlockAddress { function: value(1)?, block: small(place, "block", record.op(2)?)? }
            }
            code::INLINEASM_OLD | code::INLINEASM_OLD2 | code::INLINEASM_OLD3 => self.inline_asm(record, 1)?,
            code::INLINEASM => self.inline_asm(record, 2)?,
            // Each of these records takes a value number, so it cannot be skipped.
            code::CE_UNOP => {
                return Err(unsupported!(place, "the module has a constant unary operation, which DXIL does not have"));
            }
            code => return Err(unsupported!(place, "unknown constant record {code}")),
        })
    }

    fn float(&mut self, record: &Record<'_>, id: TypeId) -> Result<Constant> {
        let place = record.place();
        Ok(match self.module.types[id] {
            Type::Half | Type::BFloat => Constant::Float(record.op(0)? & 0xffff),
            Type::Float => Constant::Float(record.op(0)? & 0xffff_ffff),
            Type::Double => Constant::Float(record.op(0)?),
            Type::X86Fp80 | Type::Fp128 | Type::PpcFp128 => {
                let words = [record.op(0)?, record.op(1)?];
                Constant::WideFloat(self.words(place, words.into_iter())?)
            }
            _ => return Err(self.no_constant(place, "a float", id)),
        })
    }

    /// `[(element type)? , n x (type, value)]`. In newer modules the index of an `inrange` mark
    /// precedes the pairs.
    fn constant_gep(&mut self, record: &Record<'_>) -> Result<Constant> {
        let place = record.place();
        let mut ops = &*record.ops;
        let mut inbounds = record.code == code::CE_INBOUNDS_GEP;
        let mut base_ty = None;
        let take = |ops: &mut &[u64]| match ops.split_first() {
            Some((&first, rest)) => {
                *ops = rest;
                Ok(first)
            }
            None => Err(malformed!(place, "constant address arithmetic has no operands")),
        };
        if record.code == code::CE_GEP_INRANGE_INDEX || !ops.len().is_multiple_of(2) {
            base_ty = Some(self.ty(place, take(&mut ops)?)?);
        }
        if record.code == code::CE_GEP_INRANGE_INDEX {
            inbounds = take(&mut ops)? & 1 != 0;
        }
        let [ty, _, ..] = ops else {
            return Err(malformed!(place, "constant address arithmetic has no base pointer"));
        };
        let ty = self.ty(place, *ty)?;
        let base_ty = match (base_ty, self.module.types[ty]) {
            (None, Type::Pointer { pointee, .. }) => pointee,
            (Some(ty), _) => ty,
            (None, _) => {
                return Err(malformed!(
                    place,
                    "the base of constant address arithmetic has type {}; expected a pointer",
                    self.module.type_text(ty)
                ));
            }
        };
        let mut values = Vec::with_capacity(ops.len() / 2);
        for pair in ops.chunks_exact(2) {
            self.ty(place, pair[0])?;
            values.push(pair[1]);
        }
        Ok(Constant::GetElementPtr { inbounds, base_ty, operands: self.operands_of(record, &values)? })
    }

    /// `[flags, (type,)? length, text…, length, constraints…]`
    fn inline_asm(&mut self, record: &Record<'_>, length: usize) -> Result<Constant> {
        let place = record.place();
        let mut text = |at: usize| -> Result<(Str, usize)> {
            let len = usize::try_from(record.op(at)?).ok();
            let end = len.and_then(|len| len.checked_add(at + 1));
            match end.and_then(|end| Some((record.ops.get(at + 1..end)?, end))) {
                Some((chars, end)) => Ok((self.add_bytes(place, chars.iter().map(|&c| c as u8))?, end)),
                None => Err(malformed!(place, "inline assembly is longer than its record")),
            }
        };
        let (assembly, next) = text(length)?;
        let (constraints, _) = text(next)?;
        Ok(Constant::InlineAsm { text: assembly, constraints })
    }

    fn wide_integer(&mut self, record: &Record<'_>, width: u32) -> Result<Constant> {
        let words = width.div_ceil(64) as usize;
        if record.ops.is_empty() || record.ops.len() > words {
            return Err(malformed!(
                record.place(),
                "a constant integer of {width} bits has {} words; expected 1 to {words}",
                record.ops.len()
            ));
        }
        // The highest word is cut to the width. Words that the record leaves out are zero and are
        // not stored.
        let word = |(i, &op): (usize, &u64)| {
            let used = width - i as u32 * 64;
            decode_signed(op) as u64 & all_ones(used)
        };
        Ok(Constant::WideInt(self.words(record.place(), record.ops.iter().enumerate().map(word))?))
    }

    fn words(&mut self, place: Place, words: impl ExactSizeIterator<Item = u64>) -> Result<List<u64>> {
        let total = self.module.constant_words.items().len() + words.len();
        limits::check(place, "words of constants", total, limits::CONSTANT_WORDS)?;
        self.fuel.items::<u64>(place, TABLES, words.len())?;
        Ok(self.module.constant_words.extend(words))
    }

    fn operands_of(&mut self, record: &Record<'_>, numbers: &[u64]) -> Result<List<ValueId>> {
        let total = self.module.constant_operands.items().len() + numbers.len();
        limits::check(record.place(), "operands of constants", total, limits::CONSTANT_WORDS)?;
        self.fuel.items::<ValueId>(record.place(), TABLES, numbers.len())?;
        value_id(record.place(), numbers.iter().copied().max().unwrap_or(0))?;
        Ok(self.module.constant_operands.extend(numbers.iter().map(|&n| ValueId::new(n as usize))))
    }

    /// Type of the elements of an array or vector.
    pub(super) fn element(&self, ty: TypeId) -> Option<TypeId> {
        match self.module.types[ty] {
            Type::Array { element, .. } | Type::Vector { element, .. } => Some(element),
            _ => None,
        }
    }

    fn no_constant(&self, place: Place, what: &str, ty: TypeId) -> dxil_base::error::Error {
        malformed!(place, "a constant of type {} cannot be given as {what}", self.module.type_text(ty))
    }
}

/// An integer of at most 64 bits, from the operand of its record.
fn integer_of(operand: u64, width: u32) -> Constant {
    Constant::Int(decode_signed(operand) as u64 & all_ones(width))
}

/// An iterator with a known length, which its adapters do not report.
struct ExactSize<I>(I, usize);

impl<I: Iterator<Item = u64>> Iterator for ExactSize<I> {
    type Item = u64;
    fn next(&mut self) -> Option<u64> {
        self.0.next()
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.1, Some(self.1))
    }
}
impl<I: Iterator<Item = u64>> ExactSizeIterator for ExactSize<I> {}
