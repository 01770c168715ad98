//! The bitstream container: blocks, abbreviations and records (LLVM Bitcode File Format, "Bitstream
//! Format").
//!
//! In: a [`Cursor`]. Out: a flat sequence of [`BitstreamEntry`]: a record with its operands, the
//! start of a block, or its end. The caller enters a block or skips it; abbreviation definitions
//! and `BLOCKINFO` are handled here. What must hold: the memory for a record is bounded by the bits
//! that the record takes. Literal operands take no bits, so a budget limits their number.

use foldhash::HashMap;

use dxil_base::error::{Place, Result};
use dxil_base::limits;

use super::codes::{block, blockinfo};
use super::cursor::Cursor;

/// Widths and numbers that the format fixes.
const END_BLOCK: u64 = 0;
const ENTER_SUBBLOCK: u64 = 1;
const DEFINE_ABBREV: u64 = 2;
const UNABBREV_RECORD: u64 = 3;
const FIRST_ABBREV: u64 = 4;
/// Abbreviation ids outside of any block have two bits.
const TOP_WIDTH: u32 = 2;

/// The encoding of one operand of an abbreviated record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Op {
    Literal(u64),
    Fixed(u32),
    Vbr(u32),
    Char6,
    /// A count, then that many elements in the encoding of the operand after this one.
    Array,
    Blob,
}

/// An abbreviation: a run of [`Stream::ops`].
#[derive(Clone, Copy, Debug)]
struct Abbrev {
    start: u32,
    len: u32,
    literals: u32,
}

/// A block being read, or the top of the stream.
#[derive(Clone, Copy, Debug)]
struct BlockScope {
    /// Bits of an abbreviation id.
    width: u32,
    /// The list of [`Stream::info`] that the first abbreviations of the block are from, and its
    /// length when the block was entered.
    info: u32,
    inherited: u32,
    /// Start of the block's own abbreviations in [`Stream::own`].
    own: u32,
    /// Bit at which the block must end.
    end: u64,
}

/// The start of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockStart {
    /// Block id.
    pub id: u32,
    /// Bit at which the content starts.
    body: u64,
    width: u32,
    /// Bit at which the block ends.
    end: u64,
    /// Place of the block's header, for errors.
    pub place: Place,
}

impl BlockStart {
    /// Size of the content, in bytes.
    pub fn bytes(&self) -> usize {
        ((self.end - self.body) / 8) as usize
    }
}

/// The next item of the stream.
#[derive(Clone, Copy, Debug)]
pub(super) enum BitstreamEntry {
    /// A record, stored in the [`Record`] that the caller passed.
    Record,
    /// A block, which the caller must [`enter`](Stream::enter) or [`skip`](Stream::skip).
    Block(BlockStart),
    /// The block that was entered last has ended.
    End,
}

/// A record. One is reused for all records, so that its operands are allocated once.
#[derive(Clone, Debug, Default)]
pub(super) struct Record<'a> {
    /// Record code, by the numbers of its block.
    pub code: u32,
    /// Operands.
    pub ops: Vec<u64>,
    /// Blob, if the record's abbreviation has one.
    pub blob: &'a [u8],
    /// Bit at which the record starts.
    pub bit: u64,
}

impl Record<'_> {
    /// Empties the record, for one that starts at a bit.
    #[inline]
    fn start(&mut self, bit: u64) {
        self.bit = bit;
        self.blob = &[];
        self.ops.clear();
    }
    /// The place at which the record starts.
    pub fn place(&self) -> Place {
        Place::Bit(self.bit)
    }
    /// An operand.
    ///
    /// # Errors
    /// `Malformed` if the record has fewer operands.
    #[inline]
    pub fn op(&self, index: usize) -> Result<u64> {
        self.ops.get(index).copied().ok_or_else(|| {
            malformed!(
                self.place(),
                "record {} has {} operands, but operand {index} is needed",
                self.code,
                self.ops.len()
            )
        })
    }
    /// An operand that newer writers add; zero if it is absent.
    pub fn op_or_zero(&self, index: usize) -> u64 {
        self.ops.get(index).copied().unwrap_or(0)
    }
}

/// Reads blocks and records.
#[derive(Clone, Debug)]
pub(super) struct Stream<'a> {
    cursor: Cursor<'a>,
    /// The block that is being read.
    scope: BlockScope,
    /// The blocks around it, from the top of the stream.
    outer: Vec<BlockScope>,
    /// Operands of all abbreviations.
    ops: Vec<Op>,
    /// Abbreviations defined inside the open blocks.
    own: Vec<Abbrev>,
    /// Lists of abbreviations from `BLOCKINFO`. [`info_of`](Self::info_of) maps a block id to its
    /// list. The first list belongs to no block.
    info: Vec<Vec<Abbrev>>,
    info_of: HashMap<u32, u32>,
    /// The number of literal operands that may still be made.
    literals: u64,
    /// The number of records in `BLOCKINFO` so far, and of their operands.
    info_records: usize,
}

impl<'a> Stream<'a> {
    /// A stream at the start of `bytes`, which are `base` bytes into the input.
    pub fn new(bytes: &'a [u8], base: usize) -> Self {
        Self {
            cursor: Cursor::new(bytes, base),
            scope: BlockScope { width: TOP_WIDTH, info: 0, inherited: 0, own: 0, end: 0 },
            outer: Vec::new(),
            ops: Vec::new(),
            own: Vec::new(),
            info: vec![Vec::new()],
            info_of: HashMap::default(),
            literals: bytes.len() as u64 * 8,
            info_records: 0,
        }
    }
    /// The current place.
    pub fn place(&self) -> Place {
        self.cursor.place()
    }
    /// The number of bits that are left.
    pub fn remaining(&self) -> u64 {
        self.cursor.remaining()
    }
    /// Reads a 32-bit word outside of any block: the magic number.
    pub fn word(&mut self) -> Result<u64> {
        self.cursor.fixed(32)
    }

    /// Reads the next record, block or end. `BLOCKINFO` blocks and abbreviation definitions are
    /// processed here and not reported.
    pub fn next(&mut self, record: &mut Record<'a>) -> Result<BitstreamEntry> {
        loop {
            let bit = self.cursor.bit();
            let id = self.cursor.fixed(self.scope.width)?;
            match id {
                END_BLOCK => {
                    self.leave()?;
                    return Ok(BitstreamEntry::End);
                }
                ENTER_SUBBLOCK => {
                    let start = self.block_start(bit)?;
                    if start.id != block::BLOCKINFO {
                        return Ok(BitstreamEntry::Block(start));
                    }
                    self.block_info(start, record)?;
                }
                DEFINE_ABBREV => {
                    let abbrev = self.define()?;
                    if self.outer.is_empty() {
                        return Err(malformed!(
                            self.cursor.place_of(bit),
                            "an abbreviation is defined outside of any block"
                        ));
                    }
                    let count = self.own.len() - self.scope.own as usize + self.scope.inherited as usize + 1;
                    limits::check(self.place(), "abbreviations", count, limits::ABBREVIATIONS)?;
                    self.own.push(abbrev);
                }
                UNABBREV_RECORD => {
                    self.unabbreviated(bit, record)?;
                    return Ok(BitstreamEntry::Record);
                }
                _ => {
                    self.abbreviated(bit, id, record)?;
                    return Ok(BitstreamEntry::Record);
                }
            }
        }
    }

    /// Enters a block.
    pub fn enter(&mut self, start: BlockStart) -> Result<()> {
        limits::check(start.place, "nested blocks", self.outer.len() + 1, limits::BLOCK_NESTING)?;
        let info = self.info_of.get(&start.id).copied().unwrap_or(0);
        self.cursor.seek(start.body)?;
        self.outer.push(self.scope);
        self.scope = BlockScope {
            width: start.width,
            info,
            inherited: self.info.get(info as usize).map_or(0, Vec::len) as u32,
            own: self.own.len() as u32,
            end: start.end,
        };
        Ok(())
    }
    /// Skips a block.
    pub fn skip(&mut self, start: BlockStart) -> Result<()> {
        self.cursor.seek(start.end)
    }

    fn leave(&mut self) -> Result<()> {
        let place = self.place();
        self.cursor.align32()?;
        let Some(outer) = self.outer.pop() else {
            return Err(malformed!(place, "a block ends, but none was entered"));
        };
        let scope = std::mem::replace(&mut self.scope, outer);
        if self.cursor.bit() != scope.end {
            return Err(malformed!(
                place,
                "a block ends here, but its header says that it ends at {}",
                self.cursor.place_of(scope.end)
            ));
        }
        self.own.truncate(scope.own as usize);
        Ok(())
    }
    fn block_start(&mut self, bit: u64) -> Result<BlockStart> {
        let place = self.cursor.place_of(bit);
        let id = self.cursor.vbr(8)?;
        let width = self.cursor.vbr(4)?;
        self.cursor.align32()?;
        let words = self.cursor.fixed(32)?;
        let body = self.cursor.bit();
        if !(2..=32).contains(&width) {
            return Err(malformed!(place, "a block has abbreviation ids of {width} bits; expected 2 to 32"));
        }
        let end = body + words * 32;
        if words * 32 > self.cursor.remaining() {
            return Err(malformed!(
                place,
                "block {id} has {words} words according to its header, but only {} bytes are left",
                self.cursor.remaining() / 8
            ));
        }
        Ok(BlockStart { id: u32::try_from(id).unwrap_or(u32::MAX), body, width: width as u32, end, place })
    }

    fn define(&mut self) -> Result<Abbrev> {
        let place = self.place();
        let count = self.cursor.vbr(5)?;
        // An operand takes four bits of the input at least, and much more memory.
        let start = self.ops.len();
        let total = start.saturating_add(usize::try_from(count).unwrap_or(usize::MAX));
        limits::check(place, "operands of abbreviations", total, limits::ABBREVIATION_OPERANDS)?;
        let mut literals = 0;
        for _ in 0..count {
            if self.cursor.fixed(1)? != 0 {
                literals += 1;
                let value = self.cursor.vbr(8)?;
                self.ops.push(Op::Literal(value));
                continue;
            }
            let encoding = self.cursor.fixed(3)?;
            let op = match encoding {
                1 | 2 => match (encoding, self.cursor.vbr(5)?) {
                    // LLVM reads an operand of width zero as the number zero.
                    (_, 0) => {
                        literals += 1;
                        Op::Literal(0)
                    }
                    (1, width @ 1..=64) => Op::Fixed(width as u32),
                    (2, width @ 2..=32) => Op::Vbr(width as u32),
                    (_, width) => {
                        return Err(malformed!(
                            place,
                            "an abbreviation has an operand of {width} bits; expected at most 64, or 2 to 32 if its width is variable"
                        ));
                    }
                },
                3 => Op::Array,
                4 => Op::Char6,
                5 => Op::Blob,
                _ => {
                    return Err(malformed!(
                        place,
                        "an abbreviation has the unknown operand encoding {encoding}; expected 1 to 5"
                    ));
                }
            };
            self.ops.push(op);
        }
        let ops = self.ops.get(start..).unwrap_or_default();
        let well_formed = match ops {
            [] | [Op::Array | Op::Blob, ..] => false,
            [head @ .., Op::Array, Op::Fixed(_) | Op::Vbr(_) | Op::Char6] => scalars(head),
            [head @ .., Op::Blob] => scalars(head),
            all => scalars(all),
        };
        if !well_formed {
            return Err(malformed!(
                place,
                "an abbreviation has no record code, or its array or blob is not at its end"
            ));
        }
        Ok(Abbrev { start: start as u32, len: ops.len() as u32, literals })
    }

    fn block_info(&mut self, start: BlockStart, record: &mut Record<'a>) -> Result<()> {
        self.enter(start)?;
        let mut list = None;
        loop {
            let bit = self.cursor.bit();
            match self.cursor.fixed(self.scope.width)? {
                END_BLOCK => return self.leave(),
                ENTER_SUBBLOCK => {
                    let inner = self.block_start(bit)?;
                    self.skip(inner)?;
                }
                DEFINE_ABBREV => {
                    let abbrev = self.define()?;
                    let place = self.place();
                    let Some(list) = list.and_then(|i: u32| self.info.get_mut(i as usize)) else {
                        return Err(malformed!(place, "BLOCKINFO defines an abbreviation before it names a block"));
                    };
                    limits::check(place, "abbreviations", list.len() + 1, limits::ABBREVIATIONS)?;
                    list.push(abbrev);
                    continue;
                }
                UNABBREV_RECORD => self.unabbreviated(bit, record)?,
                id => self.abbreviated(bit, id, record)?,
            }
            // No other part charges these records. A record of literals takes a few bits.
            self.info_records = self.info_records.saturating_add(record.ops.len() + 1);
            let (place, count) = (record.place(), self.info_records);
            limits::check(place, "records and operands in BLOCKINFO", count, limits::BLOCK_INFO_RECORDS)?;
            if record.code == blockinfo::SETBID {
                let id = record.op(0)?;
                let Ok(id) = u32::try_from(id) else {
                    return Err(malformed!(
                        record.place(),
                        "BLOCKINFO names block id {id}, which does not fit in 32 bits"
                    ));
                };
                let next = self.info.len();
                limits::check(record.place(), "block ids in BLOCKINFO", next, limits::ABBREVIATIONS)?;
                let index = *self.info_of.entry(id).or_insert(next as u32);
                if index as usize == next {
                    self.info.push(Vec::new());
                }
                list = Some(index);
            }
        }
    }

    fn unabbreviated(&mut self, bit: u64, record: &mut Record<'a>) -> Result<()> {
        let cursor = &mut self.cursor;
        record.start(cursor_bit(cursor, bit));
        record.code = u32::try_from(cursor.vbr6()?).unwrap_or(u32::MAX);
        let count = cursor.vbr6()?;
        reserve(cursor, record, count, 6)?;
        cursor.vbr6_run(count, &mut record.ops)
    }

    fn abbreviated(&mut self, bit: u64, id: u64, record: &mut Record<'a>) -> Result<()> {
        let cursor = &mut self.cursor;
        record.start(cursor_bit(cursor, bit));
        let index = (id - FIRST_ABBREV) as usize;
        let abbrev = match index.checked_sub(self.scope.inherited as usize) {
            None => self.info.get(self.scope.info as usize).and_then(|list| list.get(index)),
            Some(own) => (self.scope.own as usize).checked_add(own).and_then(|own| self.own.get(own)),
        };
        let Some(&Abbrev { start, len, literals }) = abbrev else {
            return Err(malformed!(record.place(), "abbreviation {id} is not defined here"));
        };
        self.literals = self.literals.checked_sub(literals.into()).ok_or_else(|| {
            limit_error!(record.place(), "abbreviations make more literal operands than the bitcode has bits")
        })?;
        let [code, ops @ ..] = self.ops.get(start as usize..(start + len) as usize).unwrap_or_default() else {
            return Err(malformed!(record.place(), "abbreviation {id} is empty"));
        };
        record.code = u32::try_from(scalar(cursor, *code)?).unwrap_or(u32::MAX);
        record.ops.reserve(ops.len());
        for (at, &op) in ops.iter().enumerate() {
            match op {
                Op::Array => {
                    let count = cursor.vbr6()?;
                    return array(cursor, record, count, ops.get(at + 1).copied().unwrap_or(Op::Char6));
                }
                Op::Blob => {
                    let len = cursor.vbr6()?;
                    cursor.align32()?;
                    record.blob = cursor.bytes(len)?;
                    return cursor.align32();
                }
                _ => record.ops.push(scalar(cursor, op)?),
            }
        }
        Ok(())
    }
}

/// A bit of the cursor, counted from the start of the input.
fn cursor_bit(cursor: &Cursor<'_>, bit: u64) -> u64 {
    match cursor.place_of(bit) {
        Place::Bit(bit) => bit,
        _ => bit,
    }
}

fn scalars(ops: &[Op]) -> bool {
    !ops.iter().any(|op| matches!(op, Op::Array | Op::Blob))
}

#[inline(always)]
fn scalar(cursor: &mut Cursor<'_>, op: Op) -> Result<u64> {
    match op {
        Op::Literal(value) => Ok(value),
        Op::Fixed(width) => cursor.fixed(width),
        Op::Vbr(width) => cursor.vbr(width),
        Op::Char6 => cursor.fixed(6).map(letter),
        Op::Array | Op::Blob => Err(malformed!(cursor.place(), "an abbreviation has an array or blob before its end")),
    }
}

/// The character of a six-bit code.
#[inline]
fn letter(code: u64) -> u64 {
    const LETTERS: &[u8; 64] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";
    LETTERS[code as usize & 63].into()
}

/// Reads an array. The loops are inside the match for speed: names and strings are arrays of one
/// element kind.
fn array(cursor: &mut Cursor<'_>, record: &mut Record<'_>, count: u64, element: Op) -> Result<()> {
    let least = match element {
        Op::Fixed(width) | Op::Vbr(width) => width,
        _ => 6,
    };
    reserve(cursor, record, count, least)?;
    match element {
        Op::Fixed(width) => cursor.fixed_run(width, count, &mut record.ops),
        Op::Vbr(6) => cursor.vbr6_run(count, &mut record.ops),
        Op::Vbr(width) => (0..count).try_for_each(|_| cursor.vbr(width).map(|v| record.ops.push(v))),
        _ => {
            cursor.fixed_run(6, count, &mut record.ops)?;
            record.ops.iter_mut().rev().take(count as usize).for_each(|op| *op = letter(*op));
            Ok(())
        }
    }
}

/// Reserves memory for `count` operands of at least `least` bits each, if the input can have that
/// many.
#[inline]
fn reserve(cursor: &Cursor<'_>, record: &mut Record<'_>, count: u64, least: u32) -> Result<()> {
    if count.saturating_mul(least.into()) > cursor.remaining() {
        return Err(malformed!(record.place(), "a record has {count} operands, more than the bitcode has bits for"));
    }
    limits::check(record.place(), "operands in a record", count as usize, limits::RECORD_OPERANDS)?;
    record.ops.reserve(count as usize);
    Ok(())
}
