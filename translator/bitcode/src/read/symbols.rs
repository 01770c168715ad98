//! Reads symbol tables: names of module values, and of the values and blocks of bodies.
//!
//! In: `VALUE_SYMTAB` blocks, or the string table of module version 2. Out: the names, stored in
//! the module's parts and in the bodies.

use crate::body::{BlockId, Body};
use crate::codes::{strtab, symtab as code};
use crate::pool::Str;
use crate::stream::{BitstreamEntry, BlockStart, Record};
use crate::values::{ValueDef, ValueId};
use dxil_base::entity::Entity;
use dxil_base::error::{Place, Result};
use dxil_base::limits;

use super::numbers::value_id;
use super::reader::{Reader, TABLES};

impl<'a> Reader<'a> {
    /// Reads a symbol table: that of `body`, or the module's. All values of the body must exist.
    pub(super) fn symbol_table(
        &mut self,
        start: BlockStart,
        record: &mut Record<'a>,
        mut body: Option<&mut Body>,
    ) -> Result<()> {
        self.stream.enter(start)?;
        loop {
            match self.next(record, TABLES)? {
                BitstreamEntry::End => return Ok(()),
                BitstreamEntry::Block(inner) => self.stream.skip(inner),
                BitstreamEntry::Record => match record.code {
                    code::ENTRY => {
                        let value = value_id(record.place(), record.op(0)?)?;
                        let name = self.string(record, 1)?;
                        self.name_value(record.place(), value, name, body.as_deref_mut())?;
                    }
                    // [value, offset of the body, name]. With a string table the record has no
                    // name.
                    code::FNENTRY if record.ops.len() > 2 => {
                        let value = value_id(record.place(), record.op(0)?)?;
                        let name = self.string(record, 2)?;
                        self.name_value(record.place(), value, name, None)?;
                    }
                    code::BBENTRY => {
                        let block = record.op(0)?;
                        let name = self.string(record, 1)?;
                        match body.as_deref_mut() {
                            Some(body) if block < body.blocks.len() as u64 => {
                                self.fuel.items::<(BlockId, Str)>(record.place(), TABLES, 1)?;
                                body.block_names.push((BlockId::new(block as usize), name));
                            }
                            _ => {
                                return Err(malformed!(
                                    record.place(),
                                    "the symbol table names block {block}, which does not exist"
                                ));
                            }
                        }
                    }
                    _ => {}
                },
            }
        }
    }

    fn name_value(&mut self, place: Place, value: ValueId, name: Str, body: Option<&mut Body>) -> Result<()> {
        let found = self.value(value);
        if body.is_none() {
            let length = self.module.bytes(name).len();
            limits::check(place, "bytes of the name of a function or variable", length, limits::NAME_BYTES)?;
        }
        match (found.map(|v| v.def), body) {
            (None, _) => {
                return Err(malformed!(place, "the symbol table names value {}, which does not exist", value.index()));
            }
            (Some(ValueDef::Global(id)), None) => self.module.globals[id].name = name,
            (Some(ValueDef::Function(id)), None) => self.module.functions[id].name = name,
            (Some(ValueDef::Alias(id)), None) => self.module.aliases[id].name = name,
            (Some(_), Some(body)) => {
                self.fuel.items::<(ValueId, Str)>(place, TABLES, 1)?;
                body.value_names.push((value, name));
            }
            (Some(_), None) => {}
        }
        Ok(())
    }

    /// Reads the `STRTAB` block, which contains one blob.
    pub(super) fn string_table(&mut self, start: BlockStart, record: &mut Record<'a>) -> Result<()> {
        self.stream.enter(start)?;
        loop {
            match self.next(record, TABLES)? {
                BitstreamEntry::End => return Ok(()),
                BitstreamEntry::Block(inner) => self.stream.skip(inner),
                BitstreamEntry::Record if record.code == strtab::BLOB => self.string_table = record.blob,
                BitstreamEntry::Record => {}
            }
        }
    }

    /// Gives module values their names from the string table.
    pub(super) fn resolve_names(&mut self) -> Result<()> {
        let table = self.string_table;
        for pending in std::mem::take(&mut self.lists.names) {
            let place = Place::Bit(pending.bit);
            let end = pending.offset.checked_add(pending.size).filter(|&end| end <= table.len() as u64);
            let bytes = end.and_then(|end| table.get(pending.offset as usize..end as usize));
            let Some(bytes) = bytes else {
                return Err(malformed!(
                    place,
                    "a name has {} bytes at offset {} of the string table, which has {} bytes",
                    pending.size,
                    pending.offset,
                    table.len()
                ));
            };
            let name = self.add_bytes(place, bytes.iter().copied())?;
            self.name_value(place, pending.value, name, None)?;
        }
        Ok(())
    }
}
