//! The input of structuring: a control-flow graph without instructions.
//!
//! In: blocks pushed by the client, or text. Out: [`Graph`]. What must hold ([`Graph::check`]): the
//! graph has an entry, every successor exists, and the values of one switch differ. Edges of one
//! terminator to the same target count as one edge: the client gives them equal block arguments
//! (LLVM's rule for `phi`).

use std::fmt;

use dxil_base::entity::{Entity, PrimaryMap};
use dxil_base::error::{Place, Result};
use dxil_base::limits;

entity! {
    /// A block of the original graph.
    pub struct Block, "b";
}

/// A side of a two-way branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The side taken if the condition is true.
    Then,
    /// The side taken if the condition is false.
    Else,
}

/// How a block ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Terminator {
    /// Goes to one block.
    Jump(Block),
    /// Goes to one of two blocks by the block's condition.
    Branch {
        /// Taken if the condition is true.
        then: Block,
        /// Taken if the condition is false.
        els: Block,
        /// A side that is never taken. DXC ends a block in such a branch (on `dx.break.cond`, which
        /// is always true) so that the block stays in the loop that it breaks from.
        never: Option<Side>,
    },
    /// Goes to the block of the case whose value equals the switch operand.
    Switch {
        /// Values and their targets; the values differ.
        cases: Vec<(u64, Block)>,
        /// The target if no value is equal.
        default: Block,
    },
    /// Leaves the function.
    Return,
    /// Is never reached.
    Unreachable,
}

impl Terminator {
    /// The number of successor slots. A switch has its default in slot 0 and its cases from slot 1
    /// on.
    pub fn slots(&self) -> usize {
        match self {
            Self::Jump(_) => 1,
            Self::Branch { .. } => 2,
            Self::Switch { cases, .. } => cases.len() + 1,
            Self::Return | Self::Unreachable => 0,
        }
    }
    /// The successor in a slot: `then` before `els`, `default` before the cases.
    pub fn successor(&self, slot: usize) -> Option<Block> {
        match (self, slot) {
            (Self::Jump(to), 0) => Some(*to),
            (Self::Branch { then, .. }, 0) => Some(*then),
            (Self::Branch { els, .. }, 1) => Some(*els),
            (Self::Switch { default, .. }, 0) => Some(*default),
            (Self::Switch { cases, .. }, n) => cases.get(n - 1).map(|c| c.1),
            _ => None,
        }
    }
    /// The successor in a slot, mutable.
    pub(super) fn successor_mut(&mut self, slot: usize) -> Option<&mut Block> {
        match (self, slot) {
            (Self::Jump(to), 0) => Some(to),
            (Self::Branch { then, .. }, 0) => Some(then),
            (Self::Branch { els, .. }, 1) => Some(els),
            (Self::Switch { default, .. }, 0) => Some(default),
            (Self::Switch { cases, .. }, n) => cases.get_mut(n - 1).map(|c| &mut c.1),
            _ => None,
        }
    }
    /// All successors in slot order.
    pub fn successors(&self) -> impl Iterator<Item = Block> + '_ {
        (0..self.slots()).filter_map(|slot| self.successor(slot))
    }
}

/// A block: how it ends, and the properties of its instructions that structuring needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockData {
    /// How the block ends.
    pub terminator: Terminator,
    /// Whether the block contains an operation whose result depends on which lanes run it together:
    /// wave, quad, derivative, barrier.
    pub tangled: bool,
    /// Whether the block may be emitted more than once. Either it contains no instruction, defines
    /// no value, and returns, is unreachable or jumps; or it returns, and is small and not tangled.
    pub cheap: bool,
    /// Number of instructions.
    pub size: u32,
}

impl From<Terminator> for BlockData {
    fn from(terminator: Terminator) -> Self {
        Self { terminator, tangled: false, cheap: false, size: 0 }
    }
}

/// A control-flow graph. The entry is block 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// The blocks.
    pub blocks: PrimaryMap<Block, BlockData>,
}

impl Graph {
    /// An empty graph.
    pub fn new() -> Self {
        Self::default()
    }
    /// The entry: the first block pushed.
    pub fn entry(&self) -> Block {
        Block::new(0)
    }
    /// How a block ends; `Unreachable` for a block that does not exist.
    pub fn terminator(&self, block: Block) -> &Terminator {
        self.blocks.get(block).map_or(&Terminator::Unreachable, |b| &b.terminator)
    }
    /// Replaces a list by the targets that a block can go to, each once, with the first slot that
    /// goes there: `then` before `else`, cases before the default. A side that is never taken is
    /// left out.
    pub fn arms(&self, block: Block, arms: &mut Vec<(Block, u32)>) {
        arms.clear();
        match self.terminator(block) {
            Terminator::Jump(to) => arms.push((*to, 0)),
            Terminator::Branch { then, els, never } => {
                if *never != Some(Side::Then) {
                    arms.push((*then, 0));
                }
                if *never != Some(Side::Else) && (then != els || arms.is_empty()) {
                    arms.push((*els, 1));
                }
            }
            Terminator::Switch { cases, default } => {
                arms.push((*default, 0));
                arms.extend(cases.iter().zip(1..).map(|(case, slot)| (case.1, slot)));
                arms.sort_unstable();
                arms.dedup_by_key(|arm| arm.0);
                // The default, slot 0, sorts last because `wrapping_sub` makes it the largest
                // number.
                arms.sort_unstable_by_key(|arm| arm.1.wrapping_sub(1));
            }
            Terminator::Return | Terminator::Unreachable => {}
        }
    }
    /// Checks the contract in the module documentation.
    ///
    /// # Errors
    /// `Malformed` for a graph that breaks it, `Limit` for too many blocks, or cases of one switch.
    pub fn check(&self) -> Result<()> {
        limits::check(Place::Input, "blocks in one function", self.blocks.len(), limits::BLOCKS)?;
        if self.blocks.is_empty() {
            return Err(malformed!(Place::Input, "the function has no blocks; expected at least an entry block"));
        }
        let mut values = Vec::new();
        for (from, data) in self.blocks.iter() {
            for to in data.terminator.successors() {
                if to.index() >= self.blocks.len() {
                    let place = Place::Edge { from: from.index() as u32, to: to.index() as u32 };
                    return Err(malformed!(
                        place,
                        "the branch target does not exist: the function has {} blocks",
                        self.blocks.len()
                    ));
                }
            }
            if let Terminator::Switch { cases, default } = &data.terminator {
                let place = Place::Edge { from: from.index() as u32, to: default.index() as u32 };
                let count = cases.iter().filter(|case| case.1 != *default).count();
                limits::check(place, "cases of a switch", count, limits::SPIRV_SWITCH_CASES)?;
                values.clear();
                values.extend(cases.iter().map(|c| c.0));
                values.sort_unstable();
                if let Some(twice) = values.windows(2).find(|w| w.first() == w.last()) {
                    return Err(malformed!(place, "the switch has the case value {} twice", twice[0]));
                }
            }
        }
        Ok(())
    }
}

/// What is charged for edges as they are structured.
pub(crate) const EDGES: &str = "branches";

/// An edge of the original graph: the block it leaves, and the slot of that block's terminator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    /// The block that branches.
    pub from: Block,
    /// The successor slot, see [`Terminator::successor`].
    pub slot: u32,
}

impl fmt::Display for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.from, self.slot)
    }
}
