//! Reads LLVM bitstreams into blocks of records, and writes them again without abbreviations.
//!
//! In: bitcode that a compiler wrote. Out: a tree that can be changed record by record, and bitcode
//! of the changed tree. A flipped bit mostly ends the stream early, but a changed record reaches
//! the stages after the bitcode reader. This module is independent of the translator's reader, so
//! that the two check each other: bitcode that was read and written must translate like the
//! original. The format is that of LLVM's document BitCodeFormat.

use std::sync::Arc;

/// A block or a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A block.
    Block(Block),
    /// A record. A copy of a tree shares its records until one of them is changed.
    Record(Arc<Record>),
}

impl From<Record> for Item {
    fn from(record: Record) -> Self {
        Self::Record(Arc::new(record))
    }
}

/// A block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Block id.
    pub id: u32,
    /// The contents of the block.
    pub items: Vec<Item>,
}

/// A record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Code.
    pub code: u64,
    /// Operands.
    pub operands: Vec<u64>,
}

const MAGIC: [u8; 4] = *b"BC\xc0\xde";
const BLOCK_INFO: u32 = 0;
const END_BLOCK: u64 = 0;
const ENTER_BLOCK: u64 = 1;
const DEFINE_ABBREVIATION: u64 = 2;
const UNABBREVIATED: u64 = 3;
/// The width of abbreviation ids in written bitcode, in bits. It holds the four built-in ids.
const WIDTH: u32 = 2;

#[derive(Clone, Debug)]
enum Field {
    Literal(u64),
    Fixed(u32),
    Variable(u32),
    Array,
    Char6,
    Blob,
}

type Abbreviation = Vec<Field>;

struct Reader<'a> {
    bytes: &'a [u8],
    bit: usize,
    /// The abbreviations that BLOCKINFO defines, with the id of their block.
    block_info: Vec<(u32, Abbreviation)>,
}

impl Reader<'_> {
    fn fixed(&mut self, width: u32) -> Option<u64> {
        if width > 64 {
            return None;
        }
        let mut value = 0;
        for i in 0..width as usize {
            let byte = self.bytes.get((self.bit + i) / 8)?;
            value |= u64::from(byte >> ((self.bit + i) % 8) & 1) << i;
        }
        self.bit += width as usize;
        Some(value)
    }

    fn variable(&mut self, width: u32) -> Option<u64> {
        if width == 0 {
            return None;
        }
        let (mut value, mut shift) = (0u64, 0);
        loop {
            let chunk = self.fixed(width)?;
            value |= (chunk & ((1 << (width - 1)) - 1)).checked_shl(shift)?;
            if chunk >> (width - 1) & 1 == 0 {
                return Some(value);
            }
            shift += width - 1;
        }
    }

    fn align(&mut self) {
        self.bit = self.bit.next_multiple_of(32);
    }

    fn abbreviation(&mut self) -> Option<Abbreviation> {
        let count = self.variable(5)?;
        let mut fields = Vec::new();
        for _ in 0..count {
            fields.push(match self.fixed(1)? {
                1 => Field::Literal(self.variable(8)?),
                _ => match self.fixed(3)? {
                    1 => Field::Fixed(self.variable(5)? as u32),
                    2 => Field::Variable(self.variable(5)? as u32),
                    3 => Field::Array,
                    4 => Field::Char6,
                    5 => Field::Blob,
                    _ => return None,
                },
            });
        }
        Some(fields)
    }

    fn scalar(&mut self, field: &Field) -> Option<u64> {
        Some(match *field {
            Field::Literal(value) => value,
            Field::Fixed(width) => self.fixed(width)?,
            Field::Variable(0) => 0,
            Field::Variable(width) => self.variable(width)?,
            Field::Char6 => {
                let letters = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";
                u64::from(letters[self.fixed(6)? as usize])
            }
            Field::Array | Field::Blob => return None,
        })
    }

    fn record(&mut self, fields: &[Field]) -> Option<Record> {
        let mut values = Vec::new();
        let mut fields = fields.iter();
        while let Some(field) = fields.next() {
            match field {
                Field::Array => {
                    let element = fields.next()?;
                    for _ in 0..self.variable(6)? {
                        values.push(self.scalar(element)?);
                    }
                }
                Field::Blob => {
                    let len = self.variable(6)?;
                    self.align();
                    for _ in 0..len {
                        values.push(self.fixed(8)?);
                    }
                    self.align();
                }
                scalar => values.push(self.scalar(scalar)?),
            }
        }
        let operands = values.split_off(1.min(values.len()));
        Some(Record { code: *values.first()?, operands })
    }

    fn block(&mut self, id: u32, width: u32) -> Option<Block> {
        let known = self.block_info.iter().filter(|(block, _)| *block == id);
        let mut abbreviations: Vec<Abbreviation> = known.map(|(_, abbreviation)| abbreviation.clone()).collect();
        let mut items = Vec::new();
        let mut described = None;
        loop {
            match self.fixed(width)? {
                END_BLOCK => {
                    self.align();
                    return Some(Block { id, items });
                }
                ENTER_BLOCK => {
                    let (id, width) = self.enter()?;
                    items.push(Item::Block(self.block(id, width)?));
                }
                DEFINE_ABBREVIATION => {
                    let abbreviation = self.abbreviation()?;
                    match described {
                        Some(block) => self.block_info.push((block, abbreviation)),
                        None => abbreviations.push(abbreviation),
                    }
                }
                UNABBREVIATED => {
                    let (code, count) = (self.variable(6)?, self.variable(6)?);
                    let operands = (0..count).map(|_| self.variable(6)).collect::<Option<Vec<_>>>()?;
                    // SETBID in BLOCKINFO: the following abbreviations are for the block it names.
                    if id == BLOCK_INFO && code == 1 {
                        described = operands.first().map(|&block| block as u32);
                    }
                    items.push(Record { code, operands }.into());
                }
                abbreviated => {
                    let fields = abbreviations.get(abbreviated as usize - 4)?.clone();
                    items.push(self.record(&fields)?.into());
                }
            }
        }
    }

    fn enter(&mut self) -> Option<(u32, u32)> {
        let (id, width) = (self.variable(8)? as u32, self.variable(4)? as u32);
        self.align();
        self.fixed(32)?;
        Some((id, width))
    }
}

/// The top-level blocks of bitcode, or `None` if the bitstream is malformed.
pub fn read(bitcode: &[u8]) -> Option<Vec<Block>> {
    let mut reader = Reader { bytes: bitcode.strip_prefix(&MAGIC)?, bit: 0, block_info: Vec::new() };
    let mut blocks = Vec::new();
    while reader.bit + 64 <= reader.bytes.len() * 8 && reader.fixed(2)? == ENTER_BLOCK {
        let (id, width) = reader.enter()?;
        blocks.push(reader.block(id, width)?);
    }
    Some(blocks)
}

/// Collects bits in a word, and writes the word when it is full.
struct Writer {
    bytes: Vec<u8>,
    word: u64,
    /// The number of bits in `word`, less than 32.
    bits: u32,
}

impl Writer {
    /// Writes the low bits of a value. `width` is at most 32.
    fn fixed(&mut self, value: u64, width: u32) {
        self.word |= value << self.bits;
        self.bits += width;
        if self.bits >= 32 {
            self.bytes.extend((self.word as u32).to_le_bytes());
            self.word >>= 32;
            self.bits -= 32;
        }
    }
    fn variable(&mut self, mut value: u64, width: u32) {
        let low = (1 << (width - 1)) - 1;
        while value > low {
            self.fixed(value & low | (low + 1), width);
            value >>= width - 1;
        }
        self.fixed(value, width);
    }
    fn align(&mut self) {
        if self.bits > 0 {
            self.fixed(0, 32 - self.bits);
        }
    }
    fn block(&mut self, block: &Block, outer_width: u32) {
        self.fixed(ENTER_BLOCK, outer_width);
        self.variable(u64::from(block.id), 8);
        self.variable(u64::from(WIDTH), 4);
        self.align();
        let size_at = self.bytes.len();
        self.fixed(0, 32);
        for item in &block.items {
            match item {
                Item::Block(block) if block.id == BLOCK_INFO => {}
                Item::Block(block) => self.block(block, WIDTH),
                Item::Record(record) => {
                    self.fixed(UNABBREVIATED, WIDTH);
                    self.variable(record.code, 6);
                    self.variable(record.operands.len() as u64, 6);
                    record.operands.iter().for_each(|&operand| self.variable(operand, 6));
                }
            }
        }
        self.fixed(END_BLOCK, WIDTH);
        self.align();
        let words = (self.bytes.len() - size_at - 4) / 4;
        self.bytes[size_at..size_at + 4].copy_from_slice(&(words as u32).to_le_bytes());
    }
}

/// The bitcode of these top-level blocks. BLOCKINFO is left out, because no record is abbreviated.
pub fn write(blocks: &[Block]) -> Vec<u8> {
    let mut writer = Writer { bytes: MAGIC.to_vec(), word: 0, bits: 0 };
    for block in blocks.iter().filter(|block| block.id != BLOCK_INFO) {
        writer.block(block, WIDTH);
    }
    writer.bytes
}

/// Appends every record with the id of its block to `found`, in order.
pub fn records<'a>(blocks: &'a mut [Block], found: &mut Vec<(u32, &'a mut Arc<Record>)>) {
    for block in blocks {
        let id = block.id;
        for item in &mut block.items {
            match item {
                Item::Block(inner) => records(std::slice::from_mut(inner), found),
                Item::Record(record) => found.push((id, record)),
            }
        }
    }
}

/// Appends the contents of every block with this id to `found`, in order.
pub fn lists<'a>(blocks: &'a mut [Block], id: u32, found: &mut Vec<&'a mut Vec<Item>>) {
    for block in blocks {
        if block.id == id {
            found.push(&mut block.items);
            continue;
        }
        for item in &mut block.items {
            if let Item::Block(inner) = item {
                lists(std::slice::from_mut(inner), id, found);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Corpus;

    #[test]
    fn reads_back_what_it_writes() {
        for mut entry in Corpus::fixtures(usize::MAX).entries {
            let mut found = Vec::new();
            records(&mut entry.blocks, &mut found);
            assert!(found.len() > 50, "{}: {} records", entry.name, found.len());
            let written = write(&entry.blocks);
            let again = read(&written).unwrap();
            assert_eq!(write(&again), written, "{}", entry.name);
        }
    }
}
