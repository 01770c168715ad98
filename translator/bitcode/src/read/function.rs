//! Reads function bodies: blocks, value numbers and operands. [`super::inst`] interprets the
//! instruction records.
//!
//! In: a `FUNCTION` block. Out: [`Body`]. Operands count back from the value that the instruction
//! would define. Operands that refer forward carry their type, which is compared with the
//! definition when the body is complete.

use crate::body::{Block, BlockId, Body, Incoming, Inst, InstId, Instruction};
use crate::codes::{block, function as code};
use crate::metadata::MetadataId;
use crate::module::{Function, FunctionId, Value, ValueDef, ValueId};
use crate::stream::{BlockStart, Entry, Record};
use crate::types::{Type, TypeId};
use dxil_base::entity::{Entity, PrimaryMap};
use dxil_base::error::{Error, Place, Result};
use dxil_base::limits;

use super::metadata::metadata_id;
use super::{BODIES, EXPECTED_BYTES, Expected, PARAMETER_BYTES, RECORD_BYTES, ROOM, Reader, value_id};

impl<'a> Reader<'a> {
    pub(super) fn body(&mut self, function: FunctionId, start: BlockStart, record: &mut Record<'a>) -> Result<Body> {
        let Function { ty, .. } = self.module.functions[function];
        // Instructions that compilers write take at least ten bytes.
        let room = (start.bytes() / 10).min(ROOM).min(self.room);
        self.room -= room;
        let mut body = Body {
            first_value: self.module.values.len() as u32,
            insts: PrimaryMap::with_capacity(room),
            values: Vec::with_capacity(room),
            ..Body::default()
        };
        body.operands.reserve(room * 2);
        let Type::Function { ret, params, .. } = self.module.types[ty] else {
            return Err(bug!(start.place, "the type of a function is not a function type"));
        };
        let params = &self.module.type_lists[params];
        // Many functions may have one type.
        self.fuel.bytes(start.place, BODIES, params.len() * PARAMETER_BYTES)?;
        body.args = params.len() as u32;
        body.values.extend(params.iter().enumerate().map(|(i, &ty)| Value { ty, def: ValueDef::Argument(i as u32) }));
        let mut reader =
            BodyReader { r: self, body, declared: 0, first: InstId::new(0), ret, metadata_operands: Vec::new() };
        reader.read(start, record)?;
        Ok(reader.body)
    }
}

/// Reads one body.
pub(super) struct BodyReader<'r, 'a> {
    pub r: &'r mut Reader<'a>,
    pub body: Body,
    /// The number of blocks that the body declares.
    declared: u32,
    /// First instruction of the current block.
    first: InstId,
    /// Type of the function's result.
    pub ret: TypeId,
    /// Places in [`Body::operands`] of metadata operands, which get their value numbers at the end.
    pub metadata_operands: Vec<(usize, MetadataId)>,
}

impl<'a> BodyReader<'_, 'a> {
    fn read(&mut self, start: BlockStart, record: &mut Record<'a>) -> Result<()> {
        // Names and attachments may belong to values and instructions that come later in the block.
        let mut later = Vec::new();
        self.r.stream.enter(start)?;
        loop {
            match self.r.next(record, BODIES)? {
                Entry::End => break,
                Entry::Record => self.record(record)?,
                Entry::Block(inner) => match inner.id {
                    block::CONSTANTS => self.r.constants(inner, record, Some(&mut self.body))?,
                    block::METADATA => self.r.metadata_block(inner, record, Some(&mut self.body))?,
                    block::VALUE_SYMTAB | block::METADATA_ATTACHMENT => {
                        self.r.fuel.bytes(inner.place, BODIES, RECORD_BYTES)?;
                        later.push(inner);
                        self.r.stream.skip(inner)?;
                    }
                    _ => self.r.stream.skip(inner)?,
                },
            }
        }
        let end = self.r.stream.place();
        let open = self.first != self.body.insts.next_key();
        if open || self.body.blocks.len() != self.declared as usize || self.declared == 0 {
            let found = self.body.blocks.len();
            return Err(malformed!(end, "the function declares {} blocks, but {found} are complete", self.declared));
        }
        self.r.check_body(&self.body)?;
        self.charge_cases(end)?;
        self.number_metadata(end)?;
        let mut attachments = None;
        for inner in later {
            match inner.id {
                block::VALUE_SYMTAB => self.r.symbol_table(inner, record, Some(&mut self.body))?,
                _ => {
                    self.r.attachment_block(inner, record, &mut self.body)?;
                    attachments.get_or_insert(inner.place);
                }
            }
        }
        // This is done once for all blocks, because a body may have many of them.
        if let Some(place) = attachments {
            self.r.finish_attachments(place, &mut self.body)?;
        }
        self.body.value_names.sort_by_key(|n| n.0);
        self.body.block_names.sort_by_key(|n| n.0);
        Ok(())
    }

    /// Charges the arguments of branches that have no incoming value of their own: each case of a
    /// switch passes a value to each phi of its target, and the cases of one target share the
    /// incoming values.
    fn charge_cases(&self, place: Place) -> Result<()> {
        let body = &self.body;
        let phis_of = |block| body.block_insts(block).filter(|(_, inst)| matches!(inst.inst, Inst::Phi { .. })).count();
        // Only the phis of targets are counted, because most functions have no switch.
        let mut phis: Vec<Option<usize>> = Vec::new();
        for id in body.blocks.keys() {
            let Some((_, &Instruction { inst: Inst::Switch { cases, .. }, .. })) = body.block_insts(id).next_back()
            else {
                continue;
            };
            phis.resize(body.blocks.len(), None);
            for case in &body.cases[cases] {
                let Some(known) = phis.get_mut(case.target.index()) else { continue };
                self.r.fuel.steps(place, "phis", *known.get_or_insert_with(|| phis_of(case.target)))?;
            }
        }
        Ok(())
    }

    fn record(&mut self, record: &Record<'a>) -> Result<()> {
        match record.code {
            code::DECLAREBLOCKS => {
                let count = record.op(0)?;
                limits::check(record.place(), "blocks in a function", count as usize, limits::BLOCKS)?;
                if count == 0 || self.declared != 0 {
                    return Err(malformed!(
                        record.place(),
                        "the function declares {count} blocks; expected a single declaration of at least one"
                    ));
                }
                self.declared = count as u32;
                Ok(())
            }
            code::DEBUG_LOC | code::DEBUG_LOC_AGAIN => Ok(()),
            _ => self.instruction(record),
        }
    }

    /// Adds an instruction. `ty` is the type of its result, if it has one. The function is always
    /// inlined, so that each instruction is built in place.
    #[inline(always)]
    pub(super) fn emit(&mut self, ops: &Ops<'_>, inst: Inst, ty: Option<TypeId>) -> Result<()> {
        if let Some(ty) = ty {
            self.r.charge(ops.place, ty)?;
        }
        if self.body.blocks.len() >= self.declared as usize || self.body.insts.len() >= limits::INSTRUCTIONS {
            return Err(self.too_many(ops.place));
        }
        let id = self.body.insts.next_key();
        let result = ty.map(|ty| {
            let value = ValueId::new(self.next_value());
            self.body.values.push(Value { ty, def: ValueDef::Inst(id) });
            value
        });
        let ends = inst.is_terminator();
        self.body.insts.push(Instruction { inst, result, bit: ops.bit as u32 });
        if ends {
            let end = self.body.insts.next_key();
            self.body.blocks.push(Block { first: self.first, end });
            self.first = end;
        }
        Ok(())
    }
    #[cold]
    #[inline(never)]
    fn too_many(&self, place: Place) -> Error {
        match limits::check(place, "instructions in a function", self.body.insts.len() + 1, limits::INSTRUCTIONS) {
            Err(e) => e,
            Ok(()) => malformed!(place, "an instruction follows the last of {} blocks", self.declared),
        }
    }

    /// Number of the next value.
    #[inline]
    pub(super) fn next_value(&self) -> usize {
        self.body.first_value as usize + self.body.values.len()
    }

    /// Gives each metadata operand a value after the numbered ones.
    fn number_metadata(&mut self, place: Place) -> Result<()> {
        let count = self.r.module.metadata.len() + self.body.metadata.len();
        for (at, id) in std::mem::take(&mut self.metadata_operands) {
            if id.index() >= count {
                return Err(malformed!(place, "an operand is metadata {}, but only {count} are defined", id.index()));
            }
            let ty = self.r.metadata_type(place)?;
            let value = ValueId::new(self.next_value());
            self.body.values.push(Value { ty, def: ValueDef::Metadata(id) });
            if let Some(slot) = self.body.operands.items_mut().get_mut(at) {
                *slot = value;
            }
        }
        Ok(())
    }

    /// Makes a value number of a record absolute.
    #[inline(always)]
    fn absolute(&self, place: Place, number: u64) -> Result<ValueId> {
        if !self.r.relative_ids {
            return value_id(place, number);
        }
        // Differences have 32 bits and wrap: a reference forward is a negative difference.
        match u32::try_from(number) {
            Ok(back) => value_id(place, (self.next_value() as u32).wrapping_sub(back).into()),
            Err(_) => Err(malformed!(place, "an operand lies {number} values before value {}", self.next_value())),
        }
    }

    /// The type of a value that is already defined.
    #[inline(always)]
    fn known(&self, id: ValueId) -> Option<TypeId> {
        let own = id.index().wrapping_sub(self.body.first_value as usize);
        match self.body.values.get(own) {
            Some(value) => Some(value.ty),
            None => self.r.module.values.get(id).map(|v| v.ty),
        }
    }

    /// An operand whose type is known from elsewhere.
    #[inline]
    pub(super) fn operand(&mut self, ops: &mut Ops<'_>, ty: TypeId) -> Result<ValueId> {
        let number = ops.next()?;
        let id = self.absolute(ops.place, number)?;
        self.typed(ops.place, id, ty)
    }
    /// The value, if it has the type. A value that is not defined yet is checked when the body is
    /// complete.
    #[inline]
    fn typed(&mut self, place: Place, id: ValueId, ty: TypeId) -> Result<ValueId> {
        match self.known(id) {
            Some(found) if found == ty => Ok(id),
            Some(found) => Err(self.r.wrong_type(place, id, found, ty)),
            None => self.ahead(place, id, ty),
        }
    }
    #[cold]
    fn ahead(&mut self, place: Place, value: ValueId, ty: TypeId) -> Result<ValueId> {
        let Place::Bit(bit) = place else {
            return Err(bug!(place, "a record has no bit offset"));
        };
        self.r.fuel.bytes(place, BODIES, EXPECTED_BYTES)?;
        self.r.expected.push(Expected { value, ty: Some(ty), bit });
        Ok(value)
    }
    /// An operand with its type. The record contains the type if the operand refers forward.
    #[inline]
    pub(super) fn pair(&mut self, ops: &mut Ops<'_>) -> Result<(ValueId, TypeId)> {
        let number = ops.next()?;
        let id = self.absolute(ops.place, number)?;
        if let Some(ty) = self.known(id) {
            return Ok((id, ty));
        }
        let ty = self.r.ty(ops.place, ops.next()?)?;
        Ok((self.ahead(ops.place, id, ty)?, ty))
    }
    /// An operand by its absolute number, in all versions: the count of `alloca`, the labels of
    /// `switch`.
    pub(super) fn absolute_operand(&mut self, ops: &mut Ops<'_>, ty: TypeId) -> Result<ValueId> {
        let id = value_id(ops.place, ops.next()?)?;
        self.typed(ops.place, id, ty)
    }
    /// An incoming edge of a phi. Differences are signed here, because phis of loops often refer
    /// forward.
    pub(super) fn incoming(&mut self, ops: &mut Ops<'_>, ty: TypeId) -> Result<Incoming> {
        let number = ops.next()?;
        let id = if self.r.relative_ids {
            let next = self.next_value() as i64;
            let number = next.checked_sub(super::constants::decode_signed(number));
            match number.and_then(|n| u64::try_from(n).ok()) {
                Some(number) => value_id(ops.place, number)?,
                None => return Err(malformed!(ops.place, "a phi refers to a value before the first")),
            }
        } else {
            value_id(ops.place, number)?
        };
        Ok(Incoming { value: self.typed(ops.place, id, ty)?, block: self.block(ops)? })
    }
    /// The number of a metadata operand, which also counts back from the next value number.
    pub(super) fn metadata_operand(&mut self, ops: &mut Ops<'_>) -> Result<MetadataId> {
        let number = ops.next()?;
        let id = self.absolute(ops.place, number)?;
        metadata_id(ops.place, id.index() as u64)
    }
    /// A block of this body.
    #[inline]
    pub(super) fn block(&self, ops: &mut Ops<'_>) -> Result<BlockId> {
        let number = ops.next()?;
        if number >= u64::from(self.declared) {
            return Err(malformed!(
                ops.place,
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
    pub place: Place,
    pub bit: u64,
}

impl<'r> Ops<'r> {
    pub fn new(record: &'r Record<'_>) -> Self {
        Self { rest: &record.ops, place: record.place(), bit: record.bit }
    }
    /// The next operand.
    #[inline]
    pub fn next(&mut self) -> Result<u64> {
        match self.rest.split_off_first() {
            Some(&first) => Ok(first),
            None => Err(malformed!(self.place, "an instruction record ends within its operands")),
        }
    }
    /// The next operand, or zero if the record ends before it, as in older modules.
    pub fn next_or_zero(&mut self) -> u64 {
        self.rest.split_off_first().copied().unwrap_or(0)
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
