//! The values of the phis of a body, by the edges of its blocks.

use crate::ir::Block;
use dxil_base::entity::Entity;
use dxil_base::error::{Place, Result};
use dxil_bitcode as bitcode;
use dxil_bitcode::ValueId;

/// The values of all phis of a body.
#[derive(Default)]
pub(super) struct Phis {
    /// Sorted by [`EdgeValue::key`], but for those of the current block.
    values: Vec<EdgeValue>,
    /// The first of those of the current block.
    start: usize,
    /// The number of incoming values of the first phi of the current block.
    edges: Option<usize>,
}

/// The value of a phi on an edge.
#[derive(Clone, Copy)]
pub(super) struct EdgeValue {
    /// The number of the phi in its block.
    pub(super) phi: u32,
    /// The edge, by [`edge_between`].
    edge: u32,
    pub(super) value: ValueId,
}

impl EdgeValue {
    fn key(&self) -> u64 {
        u64::from(self.edge) << 32 | u64::from(self.phi)
    }
}

/// The number of an edge. Block numbers have at most 16 bits
/// ([`limits::BLOCKS`](dxil_base::limits::BLOCKS)).
fn edge_between(from: usize, to: usize) -> u32 {
    (to << 16 | from) as u32
}

impl Phis {
    /// Removes all values.
    pub(super) fn clear(&mut self) {
        self.values.clear();
        (self.start, self.edges) = (0, None);
    }

    /// Adds the incoming values of a phi of a block, by its number there.
    pub(super) fn add(
        &mut self,
        place: Place,
        (block, phi): (Block, usize),
        incoming: &[bitcode::Incoming],
    ) -> Result<()> {
        // The phis of a block have one value for each of its predecessors (LLVM Language
        // Reference, "'phi' Instruction").
        let first = *self.edges.get_or_insert(incoming.len());
        if incoming.len() != first {
            return Err(malformed!(
                place,
                "a phi has {} incoming values, but the first phi of its block has {first}",
                incoming.len()
            ));
        }
        self.values.extend(incoming.iter().map(|edge| EdgeValue {
            edge: edge_between(edge.block.index(), block.index()),
            phi: phi as u32,
            value: edge.value,
        }));
        Ok(())
    }

    /// Ends a block. The phis of the next one may have another number of values.
    pub(super) fn end_block(&mut self) {
        if self.edges.take().is_some() {
            self.values.get_mut(self.start..).unwrap_or_default().sort_by_key(EdgeValue::key);
            self.start = self.values.len();
        }
    }

    /// Completes the values, when all are known. Returns whether there are any.
    pub(super) fn complete(&mut self) -> bool {
        // A switch with several cases for one block has as many equal edges. The last value counts,
        // and the sort is stable.
        self.values.dedup_by(|later, kept| {
            let same = later.key() == kept.key();
            if same {
                kept.value = later.value;
            }
            same
        });
        !self.values.is_empty()
    }

    /// The values on an edge.
    pub(super) fn on_edge(&self, from: Block, to: Block) -> &[EdgeValue] {
        let edge = edge_between(from.index(), to.index());
        let start = self.values.partition_point(|value| value.edge < edge);
        let values = self.values.get(start..).unwrap_or_default();
        let end = values.iter().take_while(|value| value.edge == edge).count();
        values.get(..end).unwrap_or_default()
    }
}
