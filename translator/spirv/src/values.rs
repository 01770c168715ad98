//! Values that a function has computed, so that an equal instruction takes the value again.
//!
//! In: an instruction that was just written and that has no effect but its result, which depends on
//! its operands alone. Out: its result, or that of an equal instruction before it. What must hold:
//! the block of the earlier instruction dominates the open block.
//!
//! The caller knows the dominator tree, and gives each block its [`Region`]. A piece of control
//! flow that the builder makes inside a block has no region of its own: its blocks take values that
//! are there, and none of theirs is taken elsewhere. A result of OpSampledImage is used in the
//! block that makes it (SPIR-V, OpSampledImage), so it is taken in that block only.
//!
//! The table has one slot for each hash, and a later instruction replaces an earlier one. So the
//! cost of an instruction is constant, whatever the input. The hash has no secret, because the
//! words of a module depend on it.

use std::ops::RangeInclusive;

use rspirv::spirv::Op;

use super::words::Id;

/// The places of the blocks that a block dominates, itself first, in a preorder of the dominator
/// tree.
pub type Region = RangeInclusive<u32>;

/// The logarithm of the number of slots.
const SLOTS: u32 = 10;
/// As many values as most functions share.
const RESERVED: usize = 256;

/// The values of the function that is being written.
#[derive(Default)]
pub(super) struct Values {
    /// By hash: the number of a known instruction. Empty until a value is there.
    slots: Vec<u16>,
    /// The first one is in no round, so that it equals none.
    known: Vec<Known>,
    /// The first and the last place of the open block's region; `None` where values are not shared.
    region: Option<(u32, u32)>,
    /// How many pieces of control flow inside that block are open.
    pub(super) inside: u32,
    /// What earlier rounds know is forgotten.
    round: u32,
}

/// An instruction.
#[derive(Clone, Copy, Default)]
struct Known {
    round: u32,
    /// The hash that decided its slot.
    hash: u32,
    /// Its position in the code of the function.
    at: u32,
    /// Its length in words.
    count: u32,
    /// The region of its block.
    first: u32,
    last: u32,
    /// The label of its block.
    label: u32,
}

impl Values {
    /// Shares values in a block that is now open.
    pub(super) fn open(&mut self, region: Region) {
        self.region = Some(region.into_inner());
        self.inside = 0;
    }

    /// Forgets all values.
    pub(super) fn forget(&mut self) {
        self.round += 1;
    }

    /// Makes it as for the first function of a module.
    pub(super) fn clear(&mut self) {
        self.slots.fill(0);
        self.known.truncate(1);
        (self.region, self.inside, self.round) = (None, 0, 0);
    }

    /// Forgets all values. The next ones are not shared until a region is given.
    pub(super) fn end(&mut self) {
        self.region = None;
        self.inside = 0;
        self.forget();
    }

    /// The result of an instruction that equals the one from `start` to the end of the code, in a
    /// block that dominates the open one. Where there is none, the new one is remembered.
    pub(super) fn earlier(&mut self, code: &[u32], start: usize, label: Id) -> Option<Id> {
        let (first, last) = self.region?;
        let new = code.get(start..)?;
        if self.slots.is_empty() {
            self.slots = vec![0; 1 << SLOTS];
            self.known.reserve(RESERVED);
            self.known.push(Known::default());
        }
        let hash = hash(new);
        let slot = self.slots.get_mut((hash >> (u32::BITS - SLOTS)) as usize)?;
        let known = self.known.get_mut(usize::from(*slot))?;
        let (round, count, label) = (self.round, new.len() as u32, label.word());
        if (known.hash, known.round) == (hash, round)
            && known.first <= first
            && first <= known.last
            && (known.label == label || !new.first().is_some_and(is_sampled))
            && let Some(earlier) = code.get(known.at as usize..(known.at + known.count) as usize)
            && equal(earlier, new)
        {
            return earlier.get(2).and_then(|&word| Id::from_word(word));
        }
        if self.inside == 0 {
            let new = Known { round, hash, at: start as u32, count, first, last, label };
            match *slot {
                0 => {
                    *slot = self.known.len() as u16;
                    self.known.push(new);
                }
                _ => *known = new,
            }
        }
        None
    }
}

/// Whether two instructions differ in their results alone.
fn equal(one: &[u32], other: &[u32]) -> bool {
    match (one, other) {
        ([op, ty, _, rest @ ..], [other_op, other_ty, _, other_rest @ ..]) => {
            op == other_op && ty == other_ty && rest == other_rest
        }
        _ => false,
    }
}

/// Whether an instruction that begins with this word makes a sampled image.
fn is_sampled(word: &u32) -> bool {
    word & 0xffff == Op::SampledImage as u32
}

/// The hash of an instruction without its result.
fn hash(instruction: &[u32]) -> u32 {
    let [op, ty, _, operands @ ..] = instruction else { return 0 };
    let mix = |hash: u32, word: &u32| (hash ^ word).wrapping_mul(0x9e37_79b1).rotate_left(15);
    operands.iter().fold(mix(mix(0, op), ty), mix)
}
