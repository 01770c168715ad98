//! Abbreviations, and what is known of them between modules.
//!
//! An abbreviation is the form of a record: the encoding of each of its numbers (LLVM Bitcode File
//! Format, "Abbreviations"). A block has those that it defines, and before them those that
//! `BLOCKINFO` gives it.

use foldhash::HashMap;

/// The encoding of one number of an abbreviated record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Op {
    Literal(u64),
    Fixed(u32),
    /// The encoding of most operands.
    Vbr6,
    Vbr(u32),
    Char6,
}

/// What follows the operands of an abbreviated record that have encodings of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tail {
    Nothing,
    /// A count, then that many operands in this encoding.
    Array(Op),
    Blob,
}

/// An abbreviation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Abbrev {
    pub code: Op,
    /// The encodings of the operands, as a run of those that the stream knows.
    pub start: u32,
    pub len: u32,
    /// The number of literals among them.
    pub literals: u32,
    pub tail: Tail,
    /// The form of its records, if they may be short records.
    pub short: Option<ShortForm>,
    /// The form of its records, if they have one operand.
    pub single: Option<SingleForm>,
}

/// The form of the short records of an abbreviation.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShortForm {
    pub code: u32,
    pub len: u32,
    /// Whether the second operand has six-bit chunks, as the first one has.
    pub pair: bool,
    /// The bits of the operands after them; zero for those that are not there.
    pub widths: [u32; 2],
    /// The bits that these operands keep.
    pub masks: [u64; 2],
}

/// The form of the records of an abbreviation with one operand, which is a number.
#[derive(Clone, Copy, Debug)]
pub(super) struct SingleForm {
    pub code: u32,
    /// The bits of the operand, or of each of its chunks.
    pub width: u32,
    /// The bit that tells whether another chunk follows; zero for an operand without chunks.
    pub more: u64,
}

/// What `BLOCKINFO` says: the abbreviations that blocks begin with.
#[derive(Clone, Debug, Default)]
pub(super) struct BlockInfo {
    /// Lists of abbreviations.
    pub lists: Vec<Vec<Abbrev>>,
    /// By block id: its list.
    pub list_of: HashMap<u32, u32>,
    /// The number of records so far, and of their operands.
    pub records: usize,
}

/// A `BLOCKINFO` block that was read, with what it said. A compiler writes it the same for all
/// modules but for the bits of a type's number. So a thread compares it with those before, and
/// takes what an equal one said.
#[derive(Clone, Debug)]
pub(super) struct KnownInfo {
    /// Its bytes, and the bits of its abbreviation ids.
    pub content: Vec<u8>,
    pub width: u32,
    /// The operands of its abbreviations.
    pub ops: Vec<Op>,
    /// The number of literal operands in its own records.
    pub literals: u64,
    /// What it says; `None` while a stream has it.
    pub info: Option<BlockInfo>,
}

/// A block that has nothing but records of one code, which were skipped: the names of the kinds of
/// metadata. A compiler writes few different ones, so a thread remembers where their records end.
#[derive(Clone, Debug)]
pub(super) struct SkippedBlock {
    /// Its bytes, and the bits of its abbreviation ids.
    pub content: Vec<u8>,
    pub width: u32,
    /// The code of the records, and the bits of all of them.
    pub code: u32,
    pub bits: u64,
}

/// The last item that is the same, which becomes the one that was used last.
pub(super) fn recent<T>(known: &mut [T], is_same: impl Fn(&T) -> bool) -> Option<&mut T> {
    let at = known.iter().rposition(is_same)?;
    known[at..].rotate_left(1);
    known.last_mut()
}

/// Adds an item to those that a thread remembers, which are `most`. The one goes that was not used
/// for longest.
pub(super) fn remember<T>(known: &mut Vec<T>, most: usize, item: T) {
    known.drain(..(known.len() + 1).saturating_sub(most));
    known.push(item);
}

/// The form of records with a code and operands, if they have one operand.
pub(super) fn single_form(code: u64, ops: &[Op]) -> Option<SingleForm> {
    let (width, more) = match *ops {
        [Op::Fixed(width @ 1..=32)] => (width, 0),
        [Op::Vbr(width)] => (width, 1 << (width - 1)),
        [Op::Vbr6] => (6, 1 << 5),
        _ => return None,
    };
    Some(SingleForm { code: u32::try_from(code).ok()?, width, more })
}

/// The form of records with a code and operands, if they may be short records.
pub(super) fn short_form(code: u64, ops: &[Op]) -> Option<ShortForm> {
    let (pair, fixed) = match ops {
        [Op::Vbr6, Op::Vbr6, fixed @ ..] => (true, fixed),
        [Op::Vbr6, fixed @ ..] => (false, fixed),
        _ => return None,
    };
    let mut widths = [0; 2];
    for (n, op) in fixed.iter().enumerate() {
        let &Op::Fixed(width @ 1..=16) = op else { return None };
        *widths.get_mut(n)? = width;
    }
    let masks = widths.map(|width| (1 << width) - 1);
    Some(ShortForm { code: u32::try_from(code).ok()?, len: ops.len() as u32, pair, widths, masks })
}
