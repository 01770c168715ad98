//! The bitstream container: blocks, abbreviations and records (LLVM Bitcode File Format, "Bitstream
//! Format").
//!
//! In: a [`Cursor`]. Out: a flat sequence of [`BitstreamEntry`]: a record with its operands, the
//! start of a block, or its end. The caller enters a block or skips it; abbreviation definitions
//! and `BLOCKINFO` are handled here. What must hold: the memory for a record is bounded by the bits
//! that the record takes. Literal operands take no bits, so a budget limits their number.

use std::ops::Deref;

use dxil_base::error::{Error, Place, Result};
use dxil_base::limits;

use super::abbreviations::{
    Abbrev, BlockInfo, KnownInfo, Op, ShortForm, SingleForm, SkippedBlock, Tail, recent, remember, short_form,
    single_form,
};
use super::codes::{block, blockinfo};
use super::cursor::{Cursor, PEEKED, Window, short_vbr6};

/// Widths and numbers that the format fixes.
const END_BLOCK: u64 = 0;
const ENTER_SUBBLOCK: u64 = 1;
const DEFINE_ABBREV: u64 = 2;
const UNABBREV_RECORD: u64 = 3;
const FIRST_ABBREV: u64 = 4;
/// How many `BLOCKINFO` blocks and how many skipped blocks a thread remembers, and the largest.
const KNOWN: usize = 4;
const KNOWN_SKIPPED: usize = 8;
const KNOWN_BYTES: usize = 1 << 12;
/// Abbreviation ids outside of any block have two bits.
const TOP_WIDTH: u32 = 2;

/// A block being read, or the top of the stream.
#[derive(Clone, Copy, Debug)]
struct BlockScope {
    /// Bits of an abbreviation id.
    width: u32,
    /// The bits that an abbreviation id keeps.
    mask: u64,
    /// The list of [`BlockInfo`] that the first abbreviations of the block are from, and its length
    /// when the block was entered.
    list: Option<u32>,
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

/// A list of numbers in memory that is used again. The numbers behind its length are of lists
/// before.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbers {
    items: Vec<u64>,
    len: usize,
}

impl Numbers {
    /// Appends so many numbers, which the caller writes.
    #[inline(always)]
    fn append(&mut self, count: usize) -> &mut [u64] {
        let start = self.len;
        self.len += count;
        if self.len > self.items.len() {
            self.grow();
        }
        self.items.get_mut(start..self.len).unwrap_or_default()
    }

    /// Makes it empty.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Reserves memory for the numbers.
    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        self.items.resize(self.len.next_power_of_two().max(64), 0);
    }
}

impl Deref for Numbers {
    type Target = [u64];
    #[inline]
    fn deref(&self) -> &[u64] {
        self.items.get(..self.len).unwrap_or_default()
    }
}

/// A record. One is reused for all records, so that its operands are allocated once.
#[derive(Clone, Debug, Default)]
pub(super) struct Record<'a> {
    /// Record code, by the numbers of its block.
    pub code: u32,
    /// Operands.
    pub ops: Numbers,
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
        self.ops.len = 0;
    }
    /// The place at which the record starts.
    #[inline]
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

/// Most operands of a [`ShortRecord`].
const SHORT: usize = 4;

/// A record whose abbreviation has one or two operands in chunks of six bits, then up to two of a
/// few bits each: arithmetic and conversions. It is read without a [`Record`].
#[derive(Clone, Copy, Debug)]
pub(super) struct ShortRecord {
    /// Record code, by the numbers of its block.
    pub code: u32,
    /// Bit at which the record starts.
    pub bit: u64,
    /// The operands, and zeros after them.
    pub values: [u64; SHORT],
    /// How many operands.
    pub len: usize,
}

impl ShortRecord {
    /// The place at which the record starts.
    #[inline]
    pub fn place(&self) -> Place {
        Place::Bit(self.bit)
    }
    /// Operands.
    #[inline]
    pub fn ops(&self) -> &[u64] {
        self.values.get(..self.len).unwrap_or_default()
    }
}

/// A record whose abbreviation has one operand, a number: most constants. It is seen before it is
/// read, and without a [`Record`].
#[derive(Clone, Copy, Debug)]
pub(super) struct SingleRecord {
    /// Record code, by the numbers of its block.
    pub code: u32,
    /// Bit at which the record starts.
    pub bit: u64,
    /// The operand.
    pub value: u64,
    /// The bits of the record.
    width: u32,
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
    /// What `BLOCKINFO` says, and whether there was such a block.
    info: BlockInfo,
    has_info: bool,
    /// Blocks that were read before. The last one may be the stream's own, which has lent what it
    /// says to [`info`](Self::info).
    known: Vec<KnownInfo>,
    /// Blocks whose records were skipped before.
    skipped: Vec<SkippedBlock>,
    /// The number of literal operands that may still be made.
    literals: u64,
}

/// Memory of a stream, for another one.
#[derive(Debug, Default)]
pub(super) struct StreamMemory {
    outer: Vec<BlockScope>,
    ops: Vec<Op>,
    own: Vec<Abbrev>,
    known: Vec<KnownInfo>,
    skipped: Vec<SkippedBlock>,
}

impl StreamMemory {
    pub fn clear(&mut self) {
        let Self { outer, ops, own, known: _, skipped: _ } = self;
        outer.clear();
        ops.clear();
        own.clear();
    }
}

impl<'a> Stream<'a> {
    /// A stream at the start of `bytes`, which are `base` bytes into the input.
    pub fn new(bytes: &'a [u8], base: usize, memory: StreamMemory) -> Self {
        let StreamMemory { outer, ops, own, known, skipped } = memory;
        Self {
            cursor: Cursor::new(bytes, base),
            scope: BlockScope {
                width: TOP_WIDTH,
                mask: (1 << TOP_WIDTH) - 1,
                list: None,
                inherited: 0,
                own: 0,
                end: 0,
            },
            outer,
            ops,
            own,
            info: BlockInfo::default(),
            has_info: false,
            known,
            skipped,
            literals: bytes.len() as u64 * 8,
        }
    }
    /// Its memory.
    pub fn memory(self) -> StreamMemory {
        let Self { outer, ops, own, info, mut known, skipped, .. } = self;
        if let Some(own) = known.last_mut() {
            own.info.get_or_insert(info);
        }
        StreamMemory { outer, ops, own, known, skipped }
    }
    /// The current place.
    pub fn place(&self) -> Place {
        self.cursor.place()
    }
    fn place_of(&self, bit: u64) -> Place {
        Place::Bit(self.cursor.offset(bit))
    }
    /// The number of bits that are left.
    pub fn remaining(&self) -> u64 {
        self.cursor.remaining()
    }
    /// Reads a 32-bit word outside of any block: the magic number.
    pub fn word(&mut self) -> Result<u64> {
        let (start, word) = (self.cursor.bit(), self.cursor.fixed(32));
        self.cursor.check(start).map(|()| word)
    }

    /// Reads the next record, block or end. `BLOCKINFO` blocks and abbreviation definitions are
    /// processed here and not reported.
    #[inline(always)]
    pub fn next(&mut self, record: &mut Record<'a>) -> Result<BitstreamEntry> {
        loop {
            let bit = self.cursor.bit();
            let mut window = self.cursor.window();
            let id = window.first(self.scope.width);
            if id == UNABBREV_RECORD {
                self.unabbreviated(bit, window, record)?;
                return Ok(BitstreamEntry::Record);
            }
            self.cursor = window.cursor;
            if id >= FIRST_ABBREV {
                self.abbreviated(bit, id, record)?;
                return Ok(BitstreamEntry::Record);
            }
            if let Some(entry) = self.structure(bit, id, record)? {
                return Ok(entry);
            }
        }
    }

    /// Whether a record with an abbreviation is next.
    #[inline(always)]
    pub fn is_abbreviated(&self) -> bool {
        self.cursor.peek() & self.scope.mask >= FIRST_ABBREV
    }

    /// Reads the next record if it is short, and if all of its bits can be seen at once. `None`,
    /// and nothing is read, for anything else.
    #[inline(always)]
    pub fn next_short(&mut self) -> Option<ShortRecord> {
        let (mut bits, mut width) = (self.cursor.whole()?, self.scope.width);
        let ShortForm { code, len, pair, widths: [one, two], masks } =
            self.abbreviation(bits & self.scope.mask)?.short?;
        bits >>= width;
        let (first, taken) = short_vbr6(bits)?;
        bits >>= taken;
        width += taken + one + two;
        let mut second = 0;
        if pair {
            let taken;
            (second, taken) = short_vbr6(bits)?;
            bits >>= taken;
            width += taken;
        }
        let fixed = [bits & masks[0], bits >> one & masks[1]];
        let values = if pair { [first, second, fixed[0], fixed[1]] } else { [first, fixed[0], fixed[1], 0] };
        let bit = self.cursor.bit();
        if width > PEEKED {
            return None;
        }
        self.cursor.seek(bit + u64::from(width));
        Some(ShortRecord { code, bit: self.cursor.offset(bit), values, len: len as usize })
    }

    /// The next record if it has one operand, and if all of its bits can be seen at once. The
    /// caller reads it with [`take`](Self::take).
    #[inline(always)]
    pub fn peek_single(&self) -> Option<SingleRecord> {
        let bits = self.cursor.whole()?;
        let SingleForm { code, width, more } = self.abbreviation(bits & self.scope.mask)?.single?;
        let (mut taken, mut value, mut shift) = (self.scope.width, 0, 0);
        loop {
            let chunk = bits >> taken & ((1 << width) - 1);
            taken += width;
            if taken > PEEKED {
                return None;
            }
            value |= (chunk & !more) << shift;
            if chunk & more == 0 {
                let bit = self.cursor.offset(self.cursor.bit());
                return Some(SingleRecord { code, bit, value, width: taken });
            }
            shift += width - 1;
        }
    }

    /// Reads a record that [`peek_single`](Self::peek_single) has seen.
    #[inline(always)]
    pub fn take(&mut self, record: SingleRecord) {
        self.cursor.seek(self.cursor.bit() + u64::from(record.width));
    }

    /// Moves past the records at the start of a block that have no abbreviation and this code.
    /// Tells whether there are any. Their operands are not read.
    ///
    /// # Errors
    /// `Malformed` if the bitcode ends within one of them.
    pub fn skip_records(&mut self, block: &BlockStart, code: u32) -> Result<bool> {
        let content = self.cursor.whole_bytes(block.body, block.end);
        let is_same =
            |known: &SkippedBlock| (known.width, known.code, &known.content[..]) == (block.width, code, content);
        if let Some(known) = recent(&mut self.skipped, is_same) {
            self.cursor.seek(block.body + known.bits);
            return Ok(known.bits != 0);
        }
        loop {
            let bit = self.cursor.bit();
            let mut window = self.cursor.window();
            let id = window.first(self.scope.width);
            if id != UNABBREV_RECORD || window.vbr6() != code.into() {
                if id == END_BLOCK && content.len() <= KNOWN_BYTES {
                    let (content, bits) = (content.to_vec(), bit - block.body);
                    let skipped = SkippedBlock { content, width: block.width, code, bits };
                    remember(&mut self.skipped, KNOWN_SKIPPED, skipped);
                }
                return Ok(bit != block.body);
            }
            let count = window.vbr6();
            self.cursor = window.cursor;
            check_count(&self.cursor, self.cursor.offset(bit), count, 6)?;
            self.cursor.skip_vbr6(count);
            self.cursor.check(bit)?;
        }
    }

    /// Reads what is no record.
    #[inline(never)]
    fn structure(&mut self, bit: u64, id: u64, record: &mut Record<'a>) -> Result<Option<BitstreamEntry>> {
        match id {
            END_BLOCK => {
                self.leave()?;
                return Ok(Some(BitstreamEntry::End));
            }
            ENTER_SUBBLOCK => {
                let start = self.block_start(bit)?;
                if start.id != block::BLOCKINFO {
                    return Ok(Some(BitstreamEntry::Block(start)));
                }
                self.block_info(start, record)?;
            }
            _ => {
                let abbrev = self.define()?;
                if self.outer.is_empty() {
                    return Err(malformed!(self.place_of(bit), "an abbreviation is defined outside of any block"));
                }
                let count = self.own.len() - self.scope.own as usize + self.scope.inherited as usize + 1;
                limits::check(self.place(), "abbreviations", count, limits::ABBREVIATIONS)?;
                self.own.push(abbrev);
            }
        }
        Ok(None)
    }

    /// Enters a block.
    pub fn enter(&mut self, start: BlockStart) -> Result<()> {
        limits::check(start.place, "nested blocks", self.outer.len() + 1, limits::BLOCK_NESTING)?;
        let list = self.info.list_of.get(&start.id).copied();
        self.cursor.seek(start.body);
        self.outer.push(self.scope);
        self.scope = BlockScope {
            width: start.width,
            mask: (1 << start.width) - 1,
            list,
            inherited: list.and_then(|list| self.info.lists.get(list as usize)).map_or(0, Vec::len) as u32,
            own: self.own.len() as u32,
            end: start.end,
        };
        Ok(())
    }
    /// Skips a block.
    pub fn skip(&mut self, start: BlockStart) {
        self.cursor.seek(start.end);
    }

    fn leave(&mut self) -> Result<()> {
        let start = self.cursor.bit();
        self.cursor.align32();
        self.cursor.check(start)?;
        let place = self.place();
        let Some(outer) = self.outer.pop() else {
            return Err(malformed!(place, "a block ends, but none was entered"));
        };
        let scope = std::mem::replace(&mut self.scope, outer);
        if self.cursor.bit() != scope.end {
            return Err(malformed!(
                place,
                "a block ends here, but its header says that it ends at {}",
                self.place_of(scope.end)
            ));
        }
        self.own.truncate(scope.own as usize);
        Ok(())
    }
    fn block_start(&mut self, bit: u64) -> Result<BlockStart> {
        let place = self.place_of(bit);
        let id = self.cursor.vbr(8);
        let width = self.cursor.vbr(4);
        self.cursor.align32();
        let words = self.cursor.fixed(32);
        self.cursor.check(bit)?;
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
        let (place, bit) = (self.place(), self.cursor.bit());
        let mut window = self.cursor.window();
        let count = window.vbr(5);
        // An operand takes four bits of the input at least, and much more memory.
        let start = self.ops.len();
        let total = start.saturating_add(usize::try_from(count).unwrap_or(usize::MAX));
        limits::check(place, "operands of abbreviations", total, limits::ABBREVIATION_OPERANDS)?;
        let mut tail = None;
        for left in (0..count).rev() {
            match (encoding(&mut window, place)?, &tail) {
                (Encoding::Number(op), _) => self.ops.push(op),
                // The encoding of the elements follows.
                (Encoding::Array, None) if left == 1 => tail = Some(Encoding::Array),
                (Encoding::Blob, None) if left == 0 => tail = Some(Encoding::Blob),
                _ => return Err(misplaced(place)),
            }
        }
        self.cursor = window.cursor;
        self.cursor.check(bit)?;
        let tail = match tail {
            None => Tail::Nothing,
            Some(Encoding::Blob) => Tail::Blob,
            Some(_) => match self.ops.pop() {
                Some(element) if !matches!(element, Op::Literal(_)) => Tail::Array(element),
                _ => return Err(misplaced(place)),
            },
        };
        let [code, ops @ ..] = self.ops.get(start..).unwrap_or_default() else { return Err(misplaced(place)) };
        let literals = ops.iter().filter(|op| matches!(op, Op::Literal(_))).count();
        let (short, single) = match *code {
            Op::Literal(code) if tail == Tail::Nothing => (short_form(code, ops), single_form(code, ops)),
            _ => (None, None),
        };
        let (code, len, literals) = (*code, ops.len() as u32, literals as u32);
        Ok(Abbrev { code, start: start as u32 + 1, len, literals, tail, short, single })
    }

    fn block_info(&mut self, start: BlockStart, record: &mut Record<'a>) -> Result<()> {
        let is_first = !std::mem::replace(&mut self.has_info, true) && self.ops.is_empty();
        let content = self.cursor.whole_bytes(start.body, start.end);
        let is_same = |known: &KnownInfo| known.width == start.width && known.content == content;
        if is_first
            && let Some(known) = recent(&mut self.known, is_same)
            && let Some(literals) = self.literals.checked_sub(known.literals)
        {
            limits::check(start.place, "nested blocks", self.outer.len() + 1, limits::BLOCK_NESTING)?;
            self.literals = literals;
            self.ops.extend_from_slice(&known.ops);
            self.info = known.info.take().unwrap_or_default();
            self.skip(start);
            return Ok(());
        }
        // The stream's own would get back what this block says besides.
        self.known.pop_if(|known| known.info.is_none());
        let literals = self.literals;
        self.read_block_info(start, record)?;
        if is_first && content.len() <= KNOWN_BYTES {
            let (content, ops, literals) = (content.to_vec(), self.ops.clone(), literals - self.literals);
            remember(&mut self.known, KNOWN, KnownInfo { content, width: start.width, ops, literals, info: None });
        }
        Ok(())
    }

    fn read_block_info(&mut self, start: BlockStart, record: &mut Record<'a>) -> Result<()> {
        self.enter(start)?;
        let mut list = None;
        loop {
            let bit = self.cursor.bit();
            match self.cursor.fixed(self.scope.width) {
                END_BLOCK => return self.leave(),
                ENTER_SUBBLOCK => {
                    let inner = self.block_start(bit)?;
                    self.skip(inner);
                }
                DEFINE_ABBREV => {
                    let abbrev = self.define()?;
                    let place = self.place();
                    let Some(list) = list.and_then(|list: u32| self.info.lists.get_mut(list as usize)) else {
                        return Err(malformed!(place, "BLOCKINFO defines an abbreviation before it names a block"));
                    };
                    limits::check(place, "abbreviations", list.len() + 1, limits::ABBREVIATIONS)?;
                    list.push(abbrev);
                    continue;
                }
                UNABBREV_RECORD => self.unabbreviated(bit, self.cursor.window(), record)?,
                id => self.abbreviated(bit, id, record)?,
            }
            // No other part charges these records. A record of literals takes a few bits.
            self.info.records = self.info.records.saturating_add(record.ops.len() + 1);
            let (place, count) = (record.place(), self.info.records);
            limits::check(place, "records and operands in BLOCKINFO", count, limits::BLOCK_INFO_RECORDS)?;
            if record.code == blockinfo::SETBID {
                let id = record.op(0)?;
                let Ok(id) = u32::try_from(id) else {
                    return Err(malformed!(
                        record.place(),
                        "BLOCKINFO names block id {id}, which does not fit in 32 bits"
                    ));
                };
                let next = self.info.lists.len();
                limits::check(record.place(), "block ids in BLOCKINFO", next + 1, limits::ABBREVIATIONS)?;
                let index = *self.info.list_of.entry(id).or_insert(next as u32);
                if index as usize == next {
                    self.info.lists.push(Vec::with_capacity(8));
                }
                list = Some(index);
            }
        }
    }

    /// Reads a record without an abbreviation, which is like one with a code and an array.
    #[inline(always)]
    fn unabbreviated(&mut self, bit: u64, mut window: Window<'a>, record: &mut Record<'a>) -> Result<()> {
        record.start(self.cursor.offset(bit));
        record.code = u32::try_from(window.vbr6()).unwrap_or(u32::MAX);
        let count = window.vbr6();
        for number in append(&window.cursor, record, count, 6)? {
            *number = window.vbr6();
        }
        self.cursor = window.cursor;
        self.cursor.check(bit)
    }

    /// Reads a record with an abbreviation.
    #[inline]
    fn abbreviated(&mut self, bit: u64, id: u64, record: &mut Record<'a>) -> Result<()> {
        record.start(self.cursor.offset(bit));
        let Some(&Abbrev { code, start, len, literals, tail, .. }) = self.abbreviation(id) else {
            return Err(malformed!(record.place(), "abbreviation {id} is not defined here"));
        };
        self.literals = self.literals.checked_sub(literals.into()).ok_or_else(|| {
            limit_error!(record.place(), "abbreviations make more literal operands than the bitcode has bits")
        })?;
        // The loops keep a copy in registers.
        let mut cursor = self.cursor;
        record.code = u32::try_from(number(&mut cursor, code)).unwrap_or(u32::MAX);
        let ops = self.ops.get(start as usize..(start + len) as usize).unwrap_or_default();
        for (slot, &op) in record.ops.append(len as usize).iter_mut().zip(ops) {
            *slot = number(&mut cursor, op);
        }
        match tail {
            Tail::Nothing => {}
            Tail::Array(element) => array(&mut cursor, record, element)?,
            Tail::Blob => {
                let len = cursor.vbr6();
                cursor.align32();
                record.blob = cursor.bytes(len, bit)?;
                cursor.align32();
            }
        }
        self.cursor = cursor;
        self.cursor.check(bit)
    }

    /// The abbreviation with an id in the current block.
    #[inline]
    fn abbreviation(&self, id: u64) -> Option<&Abbrev> {
        let index = id.checked_sub(FIRST_ABBREV)? as usize;
        match index.checked_sub(self.scope.inherited as usize) {
            None => self.info.lists.get(self.scope.list? as usize)?.get(index),
            Some(own) => self.own.get((self.scope.own as usize).checked_add(own)?),
        }
    }
}

/// Reads a number.
#[inline(always)]
fn number(cursor: &mut Cursor<'_>, op: Op) -> u64 {
    match op {
        Op::Literal(value) => value,
        Op::Fixed(width) => cursor.fixed(width),
        Op::Vbr6 => cursor.vbr6(),
        Op::Vbr(width) => cursor.vbr(width),
        Op::Char6 => letter(cursor.fixed(6)),
    }
}

/// Reads an array. The loops are inside the match for speed: all operands have one encoding.
#[inline(always)]
fn array(cursor: &mut Cursor<'_>, record: &mut Record<'_>, element: Op) -> Result<()> {
    let count = cursor.vbr6();
    let least = match element {
        Op::Fixed(width) | Op::Vbr(width) => width,
        _ => 6,
    };
    let numbers = append(cursor, record, count, least)?;
    match element {
        Op::Fixed(width @ 1..=8) => cursor.fixed_list(width, numbers, |number| number),
        Op::Char6 => cursor.fixed_list(6, numbers, letter),
        _ => numbers.iter_mut().for_each(|slot| *slot = number(cursor, element)),
    }
    Ok(())
}

/// Appends operands to a record, which the caller reads. They have at least `least` bits each.
#[inline(always)]
fn append<'r>(cursor: &Cursor<'_>, record: &'r mut Record<'_>, count: u64, least: u32) -> Result<&'r mut [u64]> {
    check_count(cursor, record.bit, count, least)?;
    limits::check(record.place(), "operands in a record", count as usize, limits::RECORD_OPERANDS)?;
    Ok(record.ops.append(count as usize))
}

/// Checks that the bitcode has bits for so many operands of at least `least` bits each. The record
/// starts at `bit`.
#[inline(always)]
fn check_count(cursor: &Cursor<'_>, bit: u64, count: u64, least: u32) -> Result<()> {
    if count.saturating_mul(least.into()) > cursor.remaining() {
        return Err(malformed!(Place::Bit(bit), "a record has {count} operands, more than the bitcode has bits for"));
    }
    Ok(())
}

/// The character of a six-bit code.
#[inline]
fn letter(code: u64) -> u64 {
    const LETTERS: &[u8; 64] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";
    LETTERS[code as usize & 63].into()
}

/// An encoding in the definition of an abbreviation.
enum Encoding {
    Number(Op),
    Array,
    Blob,
}

#[inline(always)]
fn encoding(bits: &mut Window<'_>, place: Place) -> Result<Encoding> {
    if bits.fixed(1) != 0 {
        return Ok(Encoding::Number(Op::Literal(bits.vbr(8))));
    }
    Ok(match bits.fixed(3) {
        encoding @ (1 | 2) => Encoding::Number(match (encoding, bits.vbr(5)) {
            // LLVM reads an operand of width zero as the number zero.
            (_, 0) => Op::Literal(0),
            (1, width @ 1..=64) => Op::Fixed(width as u32),
            (2, 6) => Op::Vbr6,
            (2, width @ 2..=32) => Op::Vbr(width as u32),
            (_, width) => {
                return Err(malformed!(
                    place,
                    "an abbreviation has an operand of {width} bits; expected at most 64, or 2 to 32 if its width is variable"
                ));
            }
        }),
        3 => Encoding::Array,
        4 => Encoding::Number(Op::Char6),
        5 => Encoding::Blob,
        encoding => {
            return Err(malformed!(
                place,
                "an abbreviation has the unknown operand encoding {encoding}; expected 1 to 5"
            ));
        }
    })
}

fn misplaced(place: Place) -> Error {
    malformed!(place, "an abbreviation has no record code, or its array or blob is not at its end")
}
