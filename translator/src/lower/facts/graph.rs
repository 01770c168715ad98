//! The bare graph of a function, as [`structure`] takes it.
//!
//! In: an IR function. Out: [`structure::Graph`] with the same block numbers. What must hold: a
//! side marked as never taken really is not ([`breaks`]).

use super::breaks;
use crate::dxil::ir::{self, Block, InstData, Terminator};
use crate::dxil::ops::Tangle;
use crate::entity::Entity;
use crate::structure;

/// A block that returns may be written several times if it has no more instructions than this: the stores of a pixel shader's outputs.
const COPIED_SIZE: usize = 8;

fn graph_block(block: Block) -> structure::Block {
    structure::Block::new(block.index())
}

/// The IR's block of a block of the graph: the numbers are the same.
pub fn ir_block(block: structure::Block) -> Block {
    Block::new(block.index())
}

/// The graph of a function.
pub fn graph(module: &ir::Module, function: &ir::Function) -> structure::Graph {
    let mut graph = structure::Graph::new();
    for (_, block) in function.blocks.iter() {
        let terminator = match &block.terminator {
            Terminator::Jump(to) => structure::Terminator::Jump(graph_block(to.block)),
            Terminator::Branch { then, otherwise, condition } => structure::Terminator::Branch {
                then: graph_block(then.block),
                els: graph_block(otherwise.block),
                never: breaks::never(module, function, *condition),
            },
            Terminator::Switch { default, cases, .. } => structure::Terminator::Switch {
                cases: cases.iter().map(|(label, to)| (*label, graph_block(to.block))).collect(),
                default: graph_block(default.block),
            },
            Terminator::Return(_) => structure::Terminator::Return,
            Terminator::Unreachable => structure::Terminator::Unreachable,
        };
        let tangled = block.insts.iter().any(|&inst| match function.insts[inst] {
            InstData::Op { op, .. } => op.info().tangle != Tangle::None,
            InstData::Call { .. } => true,
            _ => false,
        });
        let simple =
            matches!(block.terminator, Terminator::Return(None) | Terminator::Unreachable | Terminator::Jump(_));
        let returns = matches!(block.terminator, Terminator::Return(_)) && block.insts.len() <= COPIED_SIZE && !tangled;
        graph.blocks.push(structure::BlockData {
            terminator,
            tangled,
            cheap: returns || simple && block.insts.is_empty() && block.params.is_empty(),
            size: block.insts.len() as u32,
        });
    }
    graph
}
