//! Values that a function has computed, so that an equal instruction takes the value again.
//!
//! In: an instruction that was just written and that has no effect but its result, which depends on
//! its operands alone. Out: its result, or that of an equal instruction before it. What must hold:
//! the block of the earlier instruction dominates the open block.
//!
//! The caller knows the dominator tree, and gives each block its [`Region`]. A piece of control flow
//! that the builder makes inside a block has no region of its own: its blocks take values that are
//! there, and none of theirs is taken elsewhere. A result of OpSampledImage is used in the block that
//! makes it (SPIR-V, OpSampledImage), so it is taken in that block only.
//!
//! The table has one slot for each hash, and a later instruction replaces an earlier one. So the
//! cost of an instruction is constant, whatever the input. The hash has no secret, because the words
//! of a module depend on it.

use std::ops::RangeInclusive;

use rspirv::spirv::Op;

use super::words::Id;

/// The places of the blocks that a block dominates, itself first, in a preorder of the dominator
/// tree.
pub type Region = RangeInclusive<u32>;

/// The logarithm of the number of slots.
const SLOTS: u32 = 10;

/// The values of the function that is being written.
#[derive(Default)]
pub(super) struct Values {
    /// By hash. Empty until a value is there.
    slots: Vec<Slot>,
    /// The region of the open block; `None` where values are not shared.
    region: Option<Region>,
    /// How many pieces of control flow inside that block are open.
    pub(super) inside: u32,
    /// The slots of earlier rounds are empty.
    round: u32,
}

/// An instruction.
#[derive(Clone, Copy, Default)]
struct Slot {
    round: u32,
    /// Its position in the code of the function.
    at: usize,
    /// Its length in words.
    count: usize,
    /// The region of its block.
    first: u32,
    last: u32,
    /// The label of its block.
    label: u32,
}

impl Values {
    /// Shares values in a block that is now open.
    pub(super) fn open(&mut self, region: Region) {
        self.region = Some(region);
        self.inside = 0;
    }

    /// Forgets all values.
    pub(super) fn forget(&mut self) {
        self.round += 1;
    }

    /// Forgets all values. The next ones are not shared until a region is given.
    pub(super) fn end(&mut self) {
        self.region = None;
        self.inside = 0;
        self.forget();
    }

    /// The result of an instruction that equals the one from `start` to the end of the code, in a block
    /// that dominates the open one. Where there is none, the new one is remembered.
    pub(super) fn earlier(&mut self, code: &[u32], start: usize, label: Id) -> Option<Id> {
        let (first, last) = self.region.clone()?.into_inner();
        let new = code.get(start..)?;
        if self.slots.is_empty() {
            self.slots.resize(1 << SLOTS, Slot::default());
        }
        let slot = self.slots.get_mut(slot(new))?;
        let (round, count, label) = (self.round, new.len(), label.word());
        let sampled = |word: &u32| word & 0xffff == Op::SampledImage as u32;
        if slot.round == round
            && (slot.first..=slot.last).contains(&first)
            && (slot.label == label || !new.first().is_some_and(sampled))
            && let Some(earlier) = code.get(slot.at..slot.at + slot.count)
            && equal(earlier, new)
        {
            return earlier.get(2).and_then(|&word| Id::from_word(word));
        }
        if self.inside == 0 {
            *slot = Slot { round, at: start, count, first, last, label };
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

/// The number of an instruction's slot.
fn slot(instruction: &[u32]) -> usize {
    let Some((head, rest)) = instruction.split_at_checked(2) else { return 0 };
    let operands = rest.get(1..).unwrap_or_default();
    let mix = |hash: u32, &word: &u32| (hash ^ word).wrapping_mul(0x9e37_79b1).rotate_left(15);
    let hash = head.iter().chain(operands).fold(0, mix);
    (hash >> (u32::BITS - SLOTS)) as usize
}
