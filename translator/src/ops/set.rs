//! Sets of operations.

use super::{Access, MemoryEffect, OPCODE_END, OpCode};
use dxil_base::entity::ones;

/// A set of DXIL operations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpSet([u64; OpSet::WORDS]);

impl OpSet {
    const WORDS: usize = OPCODE_END.div_ceil(64);

    /// Whether the operation is in the set.
    pub fn has(self, op: OpCode) -> bool {
        let number = op as usize;
        self.0.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 != 0)
    }

    /// Adds an operation.
    pub fn insert(&mut self, op: OpCode) {
        let number = op as usize;
        if let Some(word) = self.0.get_mut(number / 64) {
            *word |= 1 << (number % 64);
        }
    }

    /// Adds all operations of another set.
    pub fn unite(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(word, more)| *word |= more);
    }

    /// The operations of the set, in ascending order.
    pub fn iter(self) -> impl Iterator<Item = OpCode> {
        let words = self.0.into_iter().enumerate();
        let numbers = words.flat_map(|(number, word)| ones(word).map(move |bit| number * 64 + bit));
        numbers.filter_map(|number| OpCode::from_u32(number as u32))
    }

    /// Whether some operation of the set has this effect.
    pub fn has_effect(self, effect: MemoryEffect) -> bool {
        self.iter().any(|op| op.info().effect == effect)
    }

    /// Whether some operation of the set has this access.
    pub fn accesses(self, access: Access) -> bool {
        self.iter().any(|op| op.info().access == access)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_every_operation() {
        for op in OpCode::all() {
            let mut set = OpSet::default();
            assert!(!set.has(op));
            set.insert(op);
            assert!(set.has(op), "{op}");
            assert_eq!(set.0.iter().map(|word| word.count_ones()).sum::<u32>(), 1);
        }
    }
    /// An operation that both a function and its callee call.

    #[test]
    fn a_set_lists_its_operations_in_order() {
        let mut set = OpSet::default();
        OpCode::all().filter(|op| (*op as usize).is_multiple_of(3)).for_each(|op| set.insert(op));
        let expected: Vec<_> = OpCode::all().filter(|op| (*op as usize).is_multiple_of(3)).collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), expected);
    }
}
