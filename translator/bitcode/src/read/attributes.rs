//! Reads attribute groups and attribute lists.
//!
//! In: the `PARAMATTR_GROUP` and `PARAMATTR` blocks. Out:
//! [`Module::attributes`](crate::Module::attributes), in which each list contains the
//! attributes of its groups.

use crate::attributes::{Attribute, AttributeSlot};
use crate::codes::attributes as code;
use crate::pool::{List, Pool};
use crate::stream::{BitstreamEntry, BlockStart, Record};
use dxil_base::error::{Place, Result};
use dxil_base::limits;
use dxil_base::limits::Fuel;

use super::numbers::small;
use super::reader::{Reader, TABLES};

/// Flags of the attribute lists of LLVM before 3.3: bit of the mask, number of the attribute.
/// Alignments are not among them.
const OLD_FLAGS: [(u32, u32); 29] = [
    (0, 34),
    (1, 24),
    (2, 17),
    (3, 5),
    (4, 29),
    (5, 18),
    (6, 9),
    (7, 3),
    (8, 8),
    (9, 20),
    (10, 21),
    (11, 14),
    (12, 2),
    (13, 19),
    (14, 26),
    (15, 27),
    (21, 11),
    (22, 16),
    (23, 13),
    (24, 7),
    (25, 4),
    (29, 23),
    (30, 33),
    (31, 15),
    (32, 30),
    (33, 31),
    (34, 32),
    (35, 6),
    (36, 12),
];

impl<'a> Reader<'a> {
    pub(super) fn attribute_groups(&mut self, start: BlockStart, record: &mut Record<'a>) -> Result<()> {
        self.stream.enter(start)?;
        loop {
            match self.next(record, TABLES)? {
                BitstreamEntry::End => return Ok(()),
                BitstreamEntry::Block(inner) => self.stream.skip(inner),
                BitstreamEntry::Record if record.code == code::GROUP => {
                    let id = record.op(0)?;
                    let slot = slot_of(record.op(1)?);
                    let attributes = self.group(record, slot)?;
                    self.lists.groups.grouped += attributes.len().max(1);
                    limits::check(
                        record.place(),
                        "attributes in groups",
                        self.lists.groups.grouped,
                        limits::ATTRIBUTES,
                    )?;
                    self.lists.groups.by_id.insert(id, attributes);
                }
                BitstreamEntry::Record => {}
            }
        }
    }

    /// `[id, slot, (kind, …)*]`. Kind 0 is a flag, 1 has a number, 3 is a text key, 4 a text key
    /// with its value, 5 is a type attribute without a type, 6 one with a type.
    fn group(&mut self, record: &Record<'_>, slot: AttributeSlot) -> Result<List<(AttributeSlot, Attribute)>> {
        let place = record.place();
        let start = self.module.attribute_items.len();
        let mut at = 2;
        while at < record.ops.len() {
            let kind = record.op(at)?;
            at += 1;
            let attribute = match kind {
                0 | 1 | 5 | 6 => {
                    let key = small(place, "attribute", record.op(at)?)?;
                    at += 1;
                    let argument = if matches!(kind, 1 | 6) { record.op(at)? } else { 0 };
                    at += usize::from(matches!(kind, 1 | 6));
                    match kind {
                        0 => Attribute::Flag(key),
                        1 => Attribute::Int(key, argument),
                        5 => Attribute::Type(key, None),
                        _ => Attribute::Type(key, Some(self.ty(place, argument)?)),
                    }
                }
                3 | 4 => {
                    let mut text = || {
                        let rest = record.ops.get(at..).unwrap_or_default();
                        let Some(len) = rest.iter().position(|&c| c == 0) else {
                            return Err(malformed!(place, "a text attribute has no terminating zero"));
                        };
                        at += len + 1;
                        let chars = rest.get(..len).unwrap_or_default();
                        self.add_bytes(place, chars.iter().map(|&c| c as u8))
                    };
                    let key = text()?;
                    Attribute::Text(key, if kind == 4 { Some(text()?) } else { None })
                }
                kind => return Err(unsupported!(place, "unknown attribute form {kind}")),
            };
            self.module.attribute_items.push((slot, attribute));
        }
        Ok(self.module.attribute_items.since(start))
    }

    pub(super) fn attribute_lists(&mut self, start: BlockStart, record: &mut Record<'a>) -> Result<()> {
        self.stream.enter(start)?;
        loop {
            match self.next(record, TABLES)? {
                BitstreamEntry::End => return Ok(()),
                BitstreamEntry::Block(inner) => self.stream.skip(inner),
                BitstreamEntry::Record if matches!(record.code, code::ENTRY | code::ENTRY_OLD) => {
                    let start = self.module.attribute_items.len();
                    if record.code == code::ENTRY {
                        for id in record.ops.iter() {
                            let Some(group) = self.lists.groups.by_id.get(id) else {
                                return Err(malformed!(record.place(), "attribute group {id} does not exist"));
                            };
                            charge(self.fuel, &mut self.lists.groups.total, record.place(), group.len())?;
                            self.module.attribute_items.repeat(*group);
                        }
                    } else {
                        let items = &mut self.module.attribute_items;
                        for pair in record.ops.chunks_exact(2) {
                            let before = items.len();
                            old_attributes(slot_of(pair[0]), pair[1], items);
                            // A mask has up to thirty-one attributes.
                            charge(self.fuel, &mut self.lists.groups.total, record.place(), items.len() - before)?;
                        }
                    }
                    limits::check(record.place(), "attributes", self.module.attributes.len() + 1, limits::ATTRIBUTES)?;
                    self.module.attributes.push(self.module.attribute_items.since(start));
                }
                BitstreamEntry::Record => {}
            }
        }
    }
}

/// Charges attributes of a list, and checks how many all lists have.
fn charge(fuel: &Fuel, total: &mut usize, place: Place, added: usize) -> Result<()> {
    *total += added;
    limits::check(place, "attributes", *total, limits::ATTRIBUTES)?;
    fuel.bytes(place, TABLES, added * 2 * size_of::<(AttributeSlot, Attribute)>())
}

fn slot_of(index: u64) -> AttributeSlot {
    match index as u32 {
        0 => AttributeSlot::Return,
        u32::MAX => AttributeSlot::Function,
        n => AttributeSlot::Param(n - 1),
    }
}

/// Decodes the 64-bit mask of LLVM before 3.3. It has flags below bit 16, the alignment in the 16
/// bits above, and further flags shifted up by eleven bits.
fn old_attributes(slot: AttributeSlot, bits: u64, list: &mut Pool<(AttributeSlot, Attribute)>) {
    const ALIGN: u32 = 1;
    const STACK_ALIGN: u32 = 25;
    let align = bits >> 16 & 0xffff;
    let mask = bits & 0xffff | (bits & 0xf_ffff << 32) >> 11;
    for (bit, kind) in OLD_FLAGS {
        if mask >> bit & 1 != 0 {
            list.push((slot, Attribute::Flag(kind)));
        }
    }
    if align != 0 {
        list.push((slot, Attribute::Int(ALIGN, align)));
    }
    let stack_align = mask >> 26 & 7;
    if stack_align != 0 {
        list.push((slot, Attribute::Int(STACK_ALIGN, 1 << (stack_align - 1))));
    }
}
