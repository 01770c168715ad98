//! The control-flow graph of a function, in the form that [`structure`] takes.
//!
//! In: an IR function. Out: a [`structure::Graph`] with the same block numbers. What must hold: a
//! side of a branch that is marked as never taken is never taken ([`breaks`]).

use std::fmt::Write as _;

use super::breaks;
use crate::ir;
use crate::ir::{Block, InstData, Terminator};
use crate::ops::Tangle;
use dxil_base::entity::Entity;
use dxil_base::error::Result;
use dxil_base::limits;
use dxil_base::limits::Fuel;
use dxil_structure as structure;

/// Largest number of instructions in a returning block that the structurizer may duplicate. It is
/// enough for the stores of a pixel shader's outputs.
const COPIED_SIZE: usize = 8;

fn graph_block(block: Block) -> structure::Block {
    structure::Block::new(block.index())
}

/// The IR block that a block of the graph stands for. Both have the same number.
pub fn ir_block(block: structure::Block) -> Block {
    Block::new(block.index())
}

/// The structured control flow of every function as text: a line with the number and the name of
/// the function, then a line for each statement.
///
/// # Errors
/// `Limit` if the budget does not suffice.
pub fn tree_text(module: &ir::Module, fuel: &Fuel) -> Result<String> {
    let (mut text, options) = (String::new(), structure::Options::default());
    for function in module.functions.values() {
        let structured = structure::structure_with_fuel(&graph(module, function, true), &options, fuel)?;
        // Writing to a string does not fail.
        let _ = writeln!(text, "function {} `{}`", function.number, function.name.escape_debug());
        text.push_str(&limits::text(fuel, &structured.tree)?);
    }
    Ok(text)
}

/// Makes the control-flow graph of a function. In a graph of one block, which has nothing to keep
/// together, no block counts as tangled. `may_tangle` says whether the function may have tangled
/// operations or calls.
pub fn graph(module: &ir::Module, function: &ir::Function, may_tangle: bool) -> structure::Graph {
    let mut graph = structure::Graph::new();
    graph.blocks.reserve(function.blocks.len());
    let may_tangle = may_tangle && function.blocks.len() > 1;
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
        let is_tangled = |&inst: &ir::Inst| match function.insts[inst] {
            InstData::Op { op, .. } => op.info().tangle != Tangle::None,
            InstData::Call { .. } => true,
            _ => false,
        };
        let tangled = may_tangle && block.insts.iter().any(is_tangled);
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
