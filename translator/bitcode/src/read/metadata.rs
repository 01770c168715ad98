//! Reads the metadata blocks of the module and of bodies.
//!
//! In: `METADATA`, `METADATA_KIND` and `METADATA_ATTACHMENT` blocks, in the encodings of LLVM 3.7
//! and of older and newer versions. Out: [`Metadata`] with LLVM's numbers, named metadata, kinds
//! and attachments. Numbers may refer forward. They are checked when all metadata of the module, or
//! of the body, is known.

use crate::body::Body;
use crate::codes::{block, metadata as code};
use crate::cursor::Cursor;
use crate::metadata::{Attachment, DebugCode, Metadata, MetadataOperand, NamedMetadata};
use crate::pool::{List, Str};
use crate::stream::{BitstreamEntry, BlockStart, Record};
use crate::types::Type;
use crate::values::{GlobalId, InstId, MetadataId, ValueDef};
use dxil_base::entity::Entity;
use dxil_base::error::{Place, Result};
use dxil_base::limits;

use super::numbers::{metadata_id, value_id};
use super::reader::{BODIES, Reader, TABLES};

impl<'a> Reader<'a> {
    /// Reads a metadata block of the module, or of a body.
    pub(super) fn metadata_block(&mut self, start: BlockStart, record: &mut Record<'a>) -> Result<()> {
        self.stream.enter(start)?;
        // The names of kinds are a fifth of a small module, and few modules have attachments.
        if self.stream.skip_records(&start, code::KIND)? {
            self.fuel.items::<BlockStart>(start.place, TABLES, 1)?;
            self.lists.kinds.push(start);
        }
        // The name of named metadata is in a record of its own, before the record with the nodes.
        let mut name = None;
        loop {
            match self.next(record, TABLES)? {
                BitstreamEntry::End => return Ok(()),
                BitstreamEntry::Block(inner) => self.stream.skip(inner),
                BitstreamEntry::Record => self.metadata_record(record, &mut name)?,
            }
        }
    }

    fn metadata_record(&mut self, record: &Record<'a>, name: &mut Option<Str>) -> Result<()> {
        let place = record.place();
        let metadata = match record.code {
            code::STRING_OLD => Metadata::String(self.string(record, 0)?),
            code::STRINGS => return self.metadata_strings(record),
            code::VALUE => {
                let ty = self.ty(place, record.op(0)?)?;
                match self.expect(record.bit, Some(record.op(1)?), Some(ty))? {
                    Some(value) if !matches!(self.module.types[ty], Type::Metadata | Type::Void) => {
                        Metadata::Value(value)
                    }
                    _ => {
                        return Err(malformed!(
                            place,
                            "metadata refers to a value of type metadata or void, which cannot exist"
                        ));
                    }
                }
            }
            code::NODE | code::DISTINCT_NODE => {
                self.check_operand_count(record)?;
                // Null is zero, and the numbers of nodes are one more.
                if let Some(last) = record.ops.iter().max().and_then(|op| op.checked_sub(1)) {
                    self.expect_metadata(place, last)?;
                }
                let operands = record.ops.iter().map(|&op| match op.checked_sub(1) {
                    None => MetadataOperand::Null,
                    Some(id) => MetadataOperand::Id(MetadataId::new(id as usize)),
                });
                let operands = self.module.metadata_operands.extend(operands);
                Metadata::Node { distinct: record.code == code::DISTINCT_NODE, operands }
            }
            code::OLD_NODE => Metadata::Node { distinct: false, operands: self.typed_operands(record)? },
            // Function-local metadata. A node of a single value is that value. LLVM has dropped all
            // other nodes since 3.6.
            code::OLD_FN_NODE => {
                let operands = self.typed_operands(record)?;
                match self.module.metadata_operands[operands] {
                    [MetadataOperand::Value(value)] => Metadata::Value(value),
                    _ => Metadata::Node { distinct: false, operands: Default::default() },
                }
            }
            code::NAME => {
                *name = Some(self.string(record, 0)?);
                return Ok(());
            }
            code::NAMED_NODE => {
                let Some(name) = name.take() else {
                    return Err(malformed!(place, "named metadata has no name record before it"));
                };
                self.fuel.items::<NamedMetadata>(place, TABLES, 1)?;
                self.fuel.items::<MetadataId>(place, TABLES, record.ops.len())?;
                if let Some(&last) = record.ops.iter().max() {
                    self.expect_metadata(place, last)?;
                }
                let nodes = record.ops.iter().map(|&node| MetadataId::new(node as usize));
                let nodes = self.module.named_nodes.extend(nodes);
                self.module.named_metadata.push(NamedMetadata { name, nodes });
                return Ok(());
            }
            code::KIND => return self.metadata_kind(record),
            code::GLOBAL_DECL_ATTACHMENT => return self.global_attachment(record),
            code::LOCATION | code::GENERIC_DEBUG..=code::MACRO_FILE | code::GLOBAL_VAR_EXPR => self.debug(record)?,
            code::LABEL..=code::STRING_TYPE | code::COMMON_BLOCK..=code::ARG_LIST => self.debug(record)?,
            // Indexes for lazy loading and unknown records do not take a metadata number, so they
            // can be skipped.
            _ => return Ok(()),
        };
        self.push_metadata(place, metadata)
    }

    /// The reader checks nothing of the operands: who reads debug information expects any numbers.
    fn debug(&mut self, record: &Record<'_>) -> Result<Metadata> {
        let mut operands = List::default();
        if self.debug {
            let total = self.module.debug_operands.items().len() + record.ops.len();
            limits::check(record.place(), "operands of debug nodes", total, limits::METADATA_OPERANDS)?;
            self.fuel.items::<u64>(record.place(), TABLES, record.ops.len())?;
            operands = self.module.debug_operands.extend(record.ops.iter().copied());
        }
        Ok(Metadata::Debug { code: DebugCode(record.code as u8), operands })
    }

    fn push_metadata(&mut self, place: Place, metadata: Metadata) -> Result<()> {
        limits::check(place, "metadata nodes", self.module.metadata.len() + 1, limits::METADATA)?;
        self.fuel.items::<Metadata>(place, TABLES, 1)?;
        self.module.metadata.push(metadata);
        Ok(())
    }

    /// Records that metadata must exist when all of it has been read.
    fn expect_metadata(&mut self, place: Place, number: u64) -> Result<MetadataId> {
        let id = metadata_id(place, number)?;
        self.checked.metadata = self.checked.metadata.max(id.index() + 1);
        Ok(id)
    }

    fn check_operand_count(&self, record: &Record<'_>) -> Result<()> {
        let total = self.module.metadata_operands.items().len() + record.ops.len();
        limits::check(record.place(), "operands of metadata nodes", total, limits::METADATA_OPERANDS)?;
        self.fuel.items::<MetadataOperand>(record.place(), TABLES, record.ops.len())
    }

    /// `[n x (type, number)]`. With type metadata the number is that of a node, with type void the
    /// operand is null, and with other types the number is that of a value.
    fn typed_operands(&mut self, record: &Record<'_>) -> Result<List<MetadataOperand>> {
        let place = record.place();
        self.check_operand_count(record)?;
        if !record.ops.len().is_multiple_of(2) {
            return Err(malformed!(
                place,
                "a metadata node has {} operands; expected pairs of a type and a number",
                record.ops.len()
            ));
        }
        let mut operands = Vec::with_capacity(record.ops.len() / 2);
        for pair in record.ops.chunks_exact(2) {
            let ty = self.ty(place, pair[0])?;
            operands.push(match self.module.types[ty] {
                Type::Metadata => MetadataOperand::Id(self.expect_metadata(place, pair[1])?),
                Type::Void => MetadataOperand::Null,
                _ => match self.expect(record.bit, Some(pair[1]), Some(ty))? {
                    Some(value) => MetadataOperand::Value(value),
                    None => MetadataOperand::Null,
                },
            });
        }
        Ok(self.module.metadata_operands.extend(operands))
    }

    /// `[count, offset] blob`. The blob has the lengths as a bit stream of six-bit variable-width
    /// integers, and from `offset` on the characters of all strings.
    fn metadata_strings(&mut self, record: &Record<'a>) -> Result<()> {
        let place = record.place();
        let (count, offset) = (record.op(0)?, record.op(1)?);
        let blob: &'a [u8] = record.blob;
        let split = usize::try_from(offset).ok().and_then(|offset| blob.split_at_checked(offset));
        let Some((lengths, mut chars)) = split else {
            return Err(malformed!(place, "metadata strings start at byte {offset} of a blob of {} bytes", blob.len()));
        };
        let mut lengths = Cursor::new(lengths, 0);
        for _ in 0..count {
            let len = lengths.vbr6();
            lengths.check(0).map_err(|_| malformed!(place, "the lengths of metadata strings end early"))?;
            let Some((string, rest)) = usize::try_from(len).ok().and_then(|len| chars.split_at_checked(len)) else {
                return Err(malformed!(place, "a metadata string has {len} bytes, but only {} are left", chars.len()));
            };
            chars = rest;
            let string = self.add_bytes(place, string.iter().copied())?;
            self.push_metadata(place, Metadata::String(string))?;
        }
        Ok(())
    }

    /// Reads the names of kinds in the blocks that begin with them, before the first attachments.
    pub(super) fn metadata_kinds(&mut self, record: &mut Record<'a>) -> Result<()> {
        for start in std::mem::take(&mut self.lists.kinds) {
            self.stream.enter(start)?;
            loop {
                match self.next(record, TABLES)? {
                    BitstreamEntry::End => break,
                    BitstreamEntry::Block(inner) => self.stream.skip(inner),
                    BitstreamEntry::Record if record.code == code::KIND => self.metadata_kind(record)?,
                    BitstreamEntry::Record => {}
                }
            }
        }
        Ok(())
    }

    /// `[number, name…]`
    fn metadata_kind(&mut self, record: &Record<'_>) -> Result<()> {
        let number = record.op(0)?;
        limits::check(record.place(), "metadata kinds", number as usize, limits::METADATA_KINDS)?;
        let name = self.string(record, 1)?;
        let kinds = &mut self.module.metadata_kinds;
        if kinds.len() <= number as usize {
            self.fuel.items::<Str>(record.place(), TABLES, number as usize + 1 - kinds.len())?;
            kinds.resize(number as usize + 1, Str::EMPTY);
        }
        kinds[number as usize] = name;
        Ok(())
    }

    /// `[global value, n x (kind, node)]`
    fn global_attachment(&mut self, record: &Record<'_>) -> Result<()> {
        let place = record.place();
        let id = value_id(place, record.op(0)?)?;
        let at = match self.value(id).map(|v| v.def) {
            Some(ValueDef::Global(global)) => global,
            // Attachments of function declarations are debug information, which is not read.
            Some(ValueDef::Function(_)) => return Ok(()),
            _ => {
                return Err(malformed!(
                    place,
                    "metadata is attached to value {}, which is neither a global variable nor a function",
                    id.index()
                ));
            }
        };
        let mut attachments = std::mem::take(&mut self.module.global_attachments);
        let start = attachments.len();
        self.attachments::<GlobalId>(record, 1, at, &mut attachments)?;
        if let Some(last) = attachments[start..].iter().map(|attachment| attachment.node.index()).max() {
            self.expect_metadata(place, last as u64)?;
        }
        self.module.global_attachments = attachments;
        Ok(())
    }

    /// Appends the attachments of a record to a list.
    fn attachments<At: Copy>(
        &self,
        record: &Record<'_>,
        from: usize,
        at: At,
        list: &mut Vec<Attachment<At>>,
    ) -> Result<()> {
        let place = record.place();
        let pairs = record.ops.get(from..).unwrap_or_default();
        if !pairs.len().is_multiple_of(2) {
            return Err(malformed!(
                place,
                "an attachment record has {} operands; expected pairs of a kind and a node",
                record.ops.len()
            ));
        }
        self.fuel.items::<Attachment<At>>(place, BODIES, pairs.len() / 2)?;
        for pair in pairs.chunks_exact(2) {
            let kind = u32::try_from(pair[0])
                .map_err(|_| malformed!(place, "metadata kind {} does not fit in 32 bits", pair[0]))?;
            list.push(Attachment { at, kind, node: metadata_id(place, pair[1])? });
        }
        Ok(())
    }

    /// Reads records `[instruction, n x (kind, node)]`; the instruction is missing for attachments
    /// of the function itself. The body must be complete; it has `count` instructions.
    pub(super) fn attachment_block(
        &mut self,
        start: BlockStart,
        record: &mut Record<'a>,
        body: &mut Body,
        count: usize,
    ) -> Result<()> {
        debug_assert_eq!(start.id, block::METADATA_ATTACHMENT);
        self.metadata_kinds(record)?;
        self.stream.enter(start)?;
        loop {
            match self.next(record, TABLES)? {
                BitstreamEntry::End => return Ok(()),
                BitstreamEntry::Block(inner) => self.stream.skip(inner),
                BitstreamEntry::Record if record.code != code::ATTACHMENT => {}
                BitstreamEntry::Record if record.ops.len().is_multiple_of(2) => {
                    self.attachments(record, 0, (), &mut body.function_attachments)?;
                }
                BitstreamEntry::Record => {
                    let inst = record.op(0)?;
                    if inst >= count as u64 {
                        return Err(malformed!(
                            record.place(),
                            "metadata is attached to instruction {inst}, but the function has only {count}"
                        ));
                    }
                    self.attachments(record, 1, InstId::new(inst as usize), &mut body.attachments)?;
                }
            }
        }
    }

    /// Sorts the attachments of a body by their instructions, and checks that their nodes exist.
    /// The place is that of the first block with attachments.
    pub(super) fn finish_attachments(&self, place: Place, body: &mut Body) -> Result<()> {
        body.attachments.sort_by_key(|a| a.at);
        let count = self.module.metadata.len();
        let nodes = body.attachments.iter().map(|a| a.node).chain(body.function_attachments.iter().map(|a| a.node));
        for node in nodes {
            if node.index() >= count {
                return Err(malformed!(place, "metadata {} is attached, but only {count} are defined", node.index()));
            }
        }
        Ok(())
    }
}
