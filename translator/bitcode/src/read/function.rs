//! Reads function bodies. [`super::inst`] interprets the
//! instruction records.
//!
//! In: a `FUNCTION` block. Out: [`Body`].

use super::numbers::metadata_id;
use super::operands::{BodyReader, Ops};
use crate::body::{Body, Instruction};
use crate::codes::{block, function as code};
use crate::metadata::DebugLocation;
use crate::module::{Function, Module};
use crate::stream::{BitstreamEntry, BlockStart, Record, ShortRecord};
use crate::types::{Type, TypeId};
use crate::values::{FunctionId, InstId, Value, ValueDef};
use crate::visitor::Visitor;
use dxil_base::entity::{Entity, PrimaryMap};
use dxil_base::error::{Place, Result};
use dxil_base::limits;

use super::reader::{BODIES, RESERVED, Reader};

/// What a record of a body costs without its operands: the record, and an instruction with a result
/// in lists, whose capacity is up to twice their length.
const INSTRUCTION_BYTES: usize = size_of::<(Record<'_>, [(Instruction, Value); 2])>();

/// Most blocks that memory is reserved for before they are read.
const RESERVED_BLOCKS: u64 = 1 << 6;

impl<'a> Reader<'a> {
    /// Reads the body of a function. `visit` makes the visitor of its instructions, given how many
    /// there may be. The values and the metadata of the body are then behind those of the module.
    pub(super) fn body<V: Visitor>(
        &mut self,
        function: FunctionId,
        start: BlockStart,
        record: &mut Record<'a>,
        visit: impl FnOnce(&Module, &Body, usize) -> Result<V>,
    ) -> Result<(V, Box<Body>)> {
        let Function { ty, .. } = self.module.functions[function];
        // Instructions that compilers write take four bytes or more in all but a few functions.
        let capacity = (start.bytes() / 4).min(RESERVED).min(self.reserve);
        self.reserve -= capacity;
        let mut body = self.body.take().unwrap_or_default();
        body.clear();
        body.first_value = self.module.values.len() as u32;
        body.operands.reserve(capacity);
        body.indices.reserve(capacity / 8);
        body.incoming.reserve(capacity / 8);
        self.module.values.reserve(capacity);
        let Type::Function { ret, params, .. } = self.module.types[ty] else {
            return Err(bug!(start.place, "the type of a function is not a function type"));
        };
        let params = &self.module.type_lists[params];
        // Many functions may have one type.
        self.fuel.items::<Value>(start.place, BODIES, params.len())?;
        body.args = params.len() as u32;
        for (i, &ty) in params.iter().enumerate() {
            self.module.values.push(Value { ty, def: ValueDef::Argument(i as u32) });
        }
        let mut visitor = visit(&self.module, &body, capacity)?;
        let mut reader = BodyReader {
            r: self,
            visitor: &mut visitor,
            body,
            count: 0,
            declared: 0,
            first: InstId::new(0),
            ret,
            metadata_operands: Vec::new(),
        };
        reader.read(start, record)?;
        let body = reader.body;
        visitor.end(&self.module, &body)?;
        Ok((visitor, body))
    }
}

impl Visitor for PrimaryMap<InstId, Instruction> {
    fn instruction(&mut self, _: &Module, _: &Body, inst: &Instruction, _: Option<TypeId>) -> Result<()> {
        let _: InstId = self.push(*inst);
        Ok(())
    }
    fn reserve(&mut self, _: usize) {}
    fn end(&mut self, _: &Module, _: &Body) -> Result<()> {
        Ok(())
    }
}

impl<'a, V: Visitor> BodyReader<'_, 'a, V> {
    fn read(&mut self, start: BlockStart, record: &mut Record<'a>) -> Result<()> {
        // Names and attachments may belong to values and instructions that come later in the block.
        let mut later = std::mem::take(&mut self.r.lists.later);
        later.clear();
        self.r.stream.enter(start)?;
        loop {
            if self.r.stream.is_abbreviated() {
                self.short_records()?;
            }
            match self.r.stream.next(record)? {
                BitstreamEntry::End => break,
                BitstreamEntry::Record => self.record(record.code, Ops::new(&record.ops, record.bit))?,
                BitstreamEntry::Block(inner) => match inner.id {
                    block::CONSTANTS => self.r.constants(inner, record, true)?,
                    block::METADATA => self.r.metadata_block(inner, record)?,
                    block::VALUE_SYMTAB | block::METADATA_ATTACHMENT => {
                        self.r.fuel.items::<BlockStart>(inner.place, BODIES, 1)?;
                        later.push(inner);
                        self.r.stream.skip(inner);
                    }
                    _ => self.r.stream.skip(inner),
                },
            }
        }
        let end = self.r.stream.place();
        let open = self.first.index() != self.count;
        if open || self.body.blocks.len() != self.declared as usize || self.declared == 0 {
            let found = self.body.blocks.len();
            return Err(malformed!(end, "the function declares {} blocks, but {found} are complete", self.declared));
        }
        self.r.check()?;
        self.number_metadata(end)?;
        let mut attachments = None;
        for &inner in &later {
            match inner.id {
                block::VALUE_SYMTAB => self.r.symbol_table(inner, record, Some(&mut self.body))?,
                _ => {
                    self.r.attachment_block(inner, record, &mut self.body, self.count)?;
                    attachments.get_or_insert(inner.place);
                }
            }
        }
        self.r.lists.later = later;
        // This is done once for all blocks, because a body may have many of them.
        if let Some(place) = attachments {
            self.r.finish_attachments(place, &mut self.body)?;
        }
        self.body.value_names.sort_by_key(|n| n.0);
        self.body.block_names.sort_by_key(|n| n.0);
        Ok(())
    }

    /// Reads the records up to the next one that is not short.
    #[inline(never)]
    fn short_records(&mut self) -> Result<()> {
        while let Some(short) = self.r.stream.next_short() {
            let [lhs, rhs, op, flags] = short.values;
            match (short.code, self.defined(lhs), self.defined(rhs)) {
                // The most frequent record by far.
                (code::BINOP, Some(lhs), Some(rhs)) if short.len > 2 => {
                    self.charge(short.place(), short.len)?;
                    self.arithmetic(short.bit, lhs, rhs, op, flags)?;
                }
                _ => self.rarer_short_record(short)?,
            }
        }
        Ok(())
    }

    #[inline(never)]
    fn rarer_short_record(&mut self, short: ShortRecord) -> Result<()> {
        self.record(short.code, Ops::new(short.ops(), short.bit))
    }

    /// Charges a record with its operands.
    #[inline]
    fn charge(&self, place: Place, operands: usize) -> Result<()> {
        self.r.fuel.bytes(place, BODIES, INSTRUCTION_BYTES + operands * size_of::<u64>())
    }

    #[inline(always)]
    fn record(&mut self, code: u32, mut ops: Ops<'_>) -> Result<()> {
        self.charge(ops.place(), ops.len())?;
        match code {
            code::DECLAREBLOCKS => {
                let count = ops.next()?;
                limits::check(ops.place(), "blocks in a function", count as usize, limits::BLOCKS)?;
                if count == 0 || self.declared != 0 {
                    return Err(malformed!(
                        ops.place(),
                        "the function declares {count} blocks; expected a single declaration of at least one"
                    ));
                }
                self.declared = count as u32;
                let reserved = count.min(RESERVED_BLOCKS) as usize;
                self.body.blocks.reserve(reserved);
                self.visitor.reserve(reserved);
                Ok(())
            }
            code::DEBUG_LOC | code::DEBUG_LOC_AGAIN if self.r.debug => self.location(code, &mut ops),
            code::DEBUG_LOC | code::DEBUG_LOC_AGAIN => Ok(()),
            _ => self.instruction(code, ops),
        }
    }

    /// `DEBUG_LOC`: `[line, column, scope, inlined at]`, the place of the instruction before it.
    /// `DEBUG_LOC_AGAIN`: the place of the last `DEBUG_LOC`. Numbers of nodes begin at one here.
    fn location(&mut self, code: u32, ops: &mut Ops<'_>) -> Result<()> {
        let Some(inst) = self.count.checked_sub(1) else { return Ok(()) };
        let location = match code {
            code::DEBUG_LOC => {
                let (line, column) = (ops.next()? as u32, ops.next()? as u32);
                let mut node = || -> Result<_> {
                    let number = ops.next_or_zero().checked_sub(1);
                    number.map(|number| metadata_id(ops.place(), number)).transpose()
                };
                Some(DebugLocation { line, column, scope: node()?, inlined_at: node()? })
            }
            _ => self.body.locations.last().map(|&(_, location)| location),
        };
        let Some(location) = location else { return Ok(()) };
        self.r.fuel.items::<(InstId, DebugLocation)>(ops.place(), BODIES, 1)?;
        self.body.locations.push((InstId::new(inst), location));
        Ok(())
    }

    /// Gives each metadata operand a value after the numbered ones.
    fn number_metadata(&mut self, place: Place) -> Result<()> {
        let count = self.r.module.metadata.len();
        for (at, id) in std::mem::take(&mut self.metadata_operands) {
            if id.index() >= count {
                return Err(malformed!(place, "an operand is metadata {}, but only {count} are defined", id.index()));
            }
            let ty = self.r.metadata_type(place)?;
            let value = self.r.module.values.push(Value { ty, def: ValueDef::Metadata(id) });
            if let Some(slot) = self.body.operands.items_mut().get_mut(at) {
                *slot = value;
            }
        }
        Ok(())
    }
}
