//! The state of the reader of a body: its operands and the instructions that it adds.
//!
//! Operands count back from the value that the instruction would define. Operands that refer
//! forward carry their type, which is compared with the definition when the body is complete.

use crate::body::{Block, BlockId, Body, Incoming, Inst, Instruction};
use crate::types::TypeId;
use crate::values::{InstId, MetadataId, Value, ValueDef, ValueId};
use crate::visitor::Visitor;
use dxil_base::entity::Entity;
use dxil_base::error::{Error, Place, Result};
use dxil_base::limits;

use super::checked::ForwardReference;
use super::numbers::{decode_signed, metadata_id, value_id};
use super::reader::{BODIES, Reader};

/// A number that no value has, for metadata operands that have no value yet.
pub(super) const METADATA_OPERAND: usize = 1 << 30;

/// Reads one body.
pub(super) struct BodyReader<'r, 'a, V> {
    pub r: &'r mut Reader<'a>,
    /// What gets the instructions.
    pub visitor: &'r mut V,
    pub body: Box<Body>,
    /// The number of instructions so far.
    pub count: usize,
    /// The number of blocks that the body declares.
    pub declared: u32,
    /// First instruction of the current block.
    pub first: InstId,
    /// Type of the function's result.
    pub ret: TypeId,
    /// Places in [`Body::operands`] of metadata operands, which get their value numbers at the end.
    pub metadata_operands: Vec<(usize, MetadataId)>,
}

impl<V: Visitor> BodyReader<'_, '_, V> {
    /// Adds an instruction. `ty` is the type of its result, if it has one. The function is always
    /// inlined, so that each instruction is built in place.
    #[inline(always)]
    pub(super) fn emit(&mut self, bit: u64, inst: Inst, ty: Option<TypeId>) -> Result<()> {
        if self.body.blocks.len() >= self.declared as usize || self.count >= limits::INSTRUCTIONS {
            return Err(self.too_many(Place::Bit(bit)));
        }
        let id = InstId::new(self.count);
        self.count += 1;
        let result = ty.map(|ty| self.r.module.values.push(Value { ty, def: ValueDef::Inst(id) }));
        let inst = Instruction { inst, result, bit: bit as u32 };
        self.visitor.instruction(&self.r.module, &self.body, &inst, ty)
    }
    /// Adds a [terminator](Inst::is_terminator), and ends its block.
    #[inline(always)]
    pub(super) fn terminate(&mut self, ops: Ops<'_>, inst: Inst, ty: Option<TypeId>) -> Result<()> {
        debug_assert!(inst.is_terminator());
        self.emit(ops.bit, inst, ty)?;
        self.r.fuel.items::<Block>(ops.place(), BODIES, 1)?;
        let end = InstId::new(self.count);
        self.body.blocks.push(Block { first: self.first, end });
        self.first = end;
        Ok(())
    }
    #[cold]
    #[inline(never)]
    fn too_many(&self, place: Place) -> Error {
        match limits::check(place, "instructions in a function", self.count + 1, limits::INSTRUCTIONS) {
            Err(e) => e,
            Ok(()) => malformed!(place, "an instruction follows the last of {} blocks", self.declared),
        }
    }

    /// The value that the number of an operand names, and its type, if it is defined already.
    #[inline(always)]
    pub(super) fn defined(&self, number: u64) -> Option<(ValueId, TypeId)> {
        let values = &self.r.module.values;
        let next = values.len() as u64;
        let id = if self.r.relative_ids { next.wrapping_sub(number) } else { number };
        (id < next).then(|| {
            let id = ValueId::new(id as usize);
            (id, values[id].ty)
        })
    }
    /// The value that the number of an operand names, which is not defined yet.
    #[cold]
    #[inline(never)]
    fn undefined(&self, place: Place, number: u64) -> Result<ValueId> {
        if !self.r.relative_ids {
            return value_id(place, number);
        }
        // Differences have 32 bits and wrap: a reference forward is a negative difference.
        let next = self.r.module.values.len();
        match u32::try_from(number) {
            Ok(back) => value_id(place, (next as u32).wrapping_sub(back).into()),
            Err(_) => Err(malformed!(place, "an operand lies {number} values before value {next}")),
        }
    }
    /// An operand whose type is known from elsewhere.
    #[inline(always)]
    pub(super) fn operand(&mut self, ops: &mut Ops<'_>, ty: TypeId) -> Result<ValueId> {
        let number = ops.next()?;
        match self.defined(number) {
            Some((id, found)) if found == ty => Ok(id),
            Some((id, found)) => Err(self.r.wrong_type(ops.place(), id, found, ty)),
            None => {
                let id = self.undefined(ops.place(), number)?;
                self.ahead(*ops, id, ty)
            }
        }
    }
    /// The value, if it has the type. A value that is not defined yet is checked when the body is
    /// complete.
    fn typed(&mut self, ops: Ops<'_>, id: ValueId, ty: TypeId) -> Result<ValueId> {
        match self.r.value(id) {
            Some(value) if value.ty == ty => Ok(id),
            Some(value) => Err(self.r.wrong_type(ops.place(), id, value.ty, ty)),
            None => self.ahead(ops, id, ty),
        }
    }
    #[cold]
    fn ahead(&mut self, ops: Ops<'_>, value: ValueId, ty: TypeId) -> Result<ValueId> {
        self.r.fuel.items::<ForwardReference>(ops.place(), BODIES, 1)?;
        self.r.expected.push(ForwardReference { value, ty: Some(ty), bit: ops.bit });
        Ok(value)
    }
    /// An operand with its type. The record contains the type if the operand refers forward.
    #[inline(always)]
    pub(super) fn pair(&mut self, ops: &mut Ops<'_>) -> Result<(ValueId, TypeId)> {
        let number = ops.next()?;
        match self.defined(number) {
            Some(defined) => Ok(defined),
            None => {
                let id = self.undefined(ops.place(), number)?;
                let ty = self.r.ty(ops.place(), ops.next()?)?;
                Ok((self.ahead(*ops, id, ty)?, ty))
            }
        }
    }
    /// An operand by its absolute number, in all versions: the count of `alloca`, the labels of
    /// `switch`.
    pub(super) fn absolute_operand(&mut self, ops: &mut Ops<'_>, ty: TypeId) -> Result<ValueId> {
        let id = value_id(ops.place(), ops.next()?)?;
        self.typed(*ops, id, ty)
    }
    /// An incoming edge of a phi. Differences are signed here, because phis of loops often refer
    /// forward.
    pub(super) fn incoming(&mut self, ops: &mut Ops<'_>, ty: TypeId) -> Result<Incoming> {
        let number = ops.next()?;
        let id = if self.r.relative_ids {
            let next = self.r.module.values.len() as i64;
            let number = next.checked_sub(decode_signed(number));
            match number.and_then(|n| u64::try_from(n).ok()) {
                Some(number) => value_id(ops.place(), number)?,
                None => return Err(malformed!(ops.place(), "a phi refers to a value before the first")),
            }
        } else {
            value_id(ops.place(), number)?
        };
        Ok(Incoming { value: self.typed(*ops, id, ty)?, block: self.block(ops)? })
    }
    /// The number of a metadata operand, which also counts back from the next value number.
    pub(super) fn metadata_operand(&mut self, ops: &mut Ops<'_>) -> Result<MetadataId> {
        let number = ops.next()?;
        let id = match self.defined(number) {
            Some((id, _)) => id,
            None => self.undefined(ops.place(), number)?,
        };
        metadata_id(ops.place(), id.index() as u64)
    }
    /// A block of this body.
    #[inline]
    pub(super) fn block(&self, ops: &mut Ops<'_>) -> Result<BlockId> {
        let number = ops.next()?;
        if number >= u64::from(self.declared) {
            return Err(malformed!(
                ops.place(),
                "block {number} does not exist; the function declares {}",
                self.declared
            ));
        }
        Ok(BlockId::new(number as usize))
    }
}

/// The operands of a record that are not read yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ops<'r> {
    rest: &'r [u64],
    /// Bit at which the record starts.
    pub bit: u64,
}

impl<'r> Ops<'r> {
    #[inline]
    pub fn new(rest: &'r [u64], bit: u64) -> Self {
        Self { rest, bit }
    }
    /// The place at which the record starts.
    #[inline]
    pub fn place(&self) -> Place {
        Place::Bit(self.bit)
    }
    /// The next operand.
    #[inline]
    pub fn next(&mut self) -> Result<u64> {
        match self.rest.split_off_first() {
            Some(&first) => Ok(first),
            None => Err(malformed!(self.place(), "an instruction record ends within its operands")),
        }
    }
    /// The next operand, or zero if the record ends before it, as in older modules.
    #[inline]
    pub fn next_or_zero(&mut self) -> u64 {
        self.rest.split_off_first().copied().unwrap_or(0)
    }
    /// Moves past operands.
    #[inline]
    pub fn skip(&mut self, count: usize) {
        self.rest = self.rest.get(count..).unwrap_or_default();
    }
    /// The number of operands that are left.
    #[inline]
    pub fn len(&self) -> usize {
        self.rest.len()
    }
    /// The operands that are left.
    pub fn rest(&self) -> &'r [u64] {
        self.rest
    }
}
