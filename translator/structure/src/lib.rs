//! Structured control flow from a bare graph.
//!
//! In: a [`Graph`] of blocks and edges. Out: [`Structured`], which holds a [`Layout`], the block
//! graph to write as SPIR-V. What must hold: the layout runs the same original blocks in the same
//! order as the graph for every sequence of branch outcomes; it keeps the structured control-flow
//! rules ([`legal`]); and the lanes that run a block together in the graph also run it together in
//! the layout. Nothing here knows DXIL or SPIR-V types.
//!
//! [`ssa`] moves values: the layout alone decides where each block parameter is assigned, and which
//! values no longer dominate a use.
#![forbid(unsafe_code)]
// Hashes have a random secret, and the same input gives the same words.
#![cfg_attr(not(test), warn(clippy::iter_over_hash_type))]

#[macro_use]
extern crate dxil_base;

pub mod analysis;
mod build;
mod dispatch;
mod fold;
pub mod graph;
mod labels;
pub mod layout;
mod leave;
pub mod legal;
mod lower;
mod memory;
mod options;
pub mod outline;
pub mod ssa;
#[cfg(test)]
mod tests;
mod text;
pub mod tree;

use analysis::Dominators;
use dxil_base::entity::Entity;
use dxil_base::error::{Place, Result};
use dxil_base::limits::Fuel;
use graph::EDGES;
pub use graph::{Block, BlockData, Edge, Graph, Side, Terminator};
pub use layout::{
    Arc, Condition, Exit, Layout, Merge, Node, NodeData, Selector, SelectorType, SelectorValue, SwitchOperand,
};
use memory::Memory;
pub use options::{ExitRegions, Fallthrough, Guards, Irreducible, Leaving, Options, TangledSwitch, Terminals};
use tree::StmtData;
pub use tree::Tree;

/// A structured function.
#[derive(Clone, Debug)]
pub struct Structured {
    /// For an irreducible input: the graph that the tree was built from, in which dispatch blocks
    /// follow the input's own blocks.
    pub dispatched: Option<Graph>,
    /// The dominators of the input without the edges that are never taken; none for an irreducible
    /// input and for a single block.
    pub dominators: Option<Dominators<Block>>,
    /// The statements, for people to read.
    pub tree: Tree,
    /// The block graph to write.
    pub layout: Layout,
}

impl Structured {
    /// Puts the memory of a function that is not needed any more into the pool of the thread,
    /// unless it is too much.
    pub fn recycle(self) {
        Memory::recycle_results(self.tree, self.layout, self.dominators);
    }
}

/// Structures a graph, within the default budget.
///
/// # Errors
/// `Malformed` if the graph breaks its contract, `Unsupported` if it is irreducible and the options
/// refuse that, `Limit` if it is too large or nests too deeply.
pub fn structure(graph: &Graph, options: &Options) -> Result<Structured> {
    structure_with_fuel(graph, options, &Fuel::default())
}

/// [`structure`] with fuel.
///
/// # Errors
/// Those of [`structure`].
pub fn structure_with_fuel(graph: &Graph, options: &Options, fuel: &Fuel) -> Result<Structured> {
    let edges = charge_edges(graph, fuel)?;
    graph.check()?;
    if let Some(structured) = single(graph) {
        return Ok(structured);
    }
    let mut memory = Memory::take();
    let structured = several(graph, options, fuel, &mut memory);
    // Dispatch blocks may be many more.
    if structured.as_ref().is_ok_and(|structured| structured.dispatched.is_none()) {
        memory.recycle(graph.blocks.len() + edges);
    }
    structured
}

/// Structures a graph of several blocks.
fn several(graph: &Graph, options: &Options, fuel: &Fuel, memory: &mut Memory) -> Result<Structured> {
    let Memory { build, lower } = memory;
    match build::build(graph, options, build) {
        Ok(tree) => {
            let layout = lower::lower(graph, None, &tree, options, fuel, lower)?;
            let dominators = Some(std::mem::take(&mut build.homes.dominators));
            Ok(Structured { dispatched: None, dominators, tree, layout })
        }
        Err(error) if options.irreducible == Irreducible::Refuse => {
            let place = Place::Edge { from: error.from.index() as u32, to: error.to.index() as u32 };
            Err(unsupported!(
                place,
                "irreducible control flow: a loop with more than one entry; expected loops that are entered at one block only"
            ))
        }
        Err(_) => {
            let dispatched = dispatch::dispatch(graph, fuel)?;
            let tree = build::build(&dispatched.graph, options, build).map_err(|edge| {
                bug!(
                    Place::Input,
                    "the graph is still irreducible after dispatch blocks were added, at the edge from {} to {}",
                    edge.from,
                    edge.to
                )
            })?;
            let layout = lower::lower(&dispatched.graph, Some(&dispatched), &tree, options, fuel, lower)?;
            Ok(Structured { dispatched: Some(dispatched.graph), dominators: None, tree, layout })
        }
    }
}

/// A graph of one block, which has no edge to structure. It is one node. Many shaders have no other
/// block.
fn single(graph: &Graph) -> Option<Structured> {
    let entry = graph.entry();
    let (exit, stmt) = match graph.terminator(entry) {
        _ if graph.blocks.len() != 1 => return None,
        Terminator::Return => (Exit::Return(entry), StmtData::Return(entry)),
        Terminator::Unreachable => (Exit::Unreachable, StmtData::Unreachable(entry)),
        _ => return None,
    };
    let (mut layout, mut tree) = (Layout::default(), Tree::default());
    layout.nodes.push(NodeData { origin: Some(entry), merge: Merge::None, exit });
    tree.stmts.push(stmt);
    Some(Structured { dispatched: None, dominators: None, tree, layout })
}

/// Charges the edges of a graph, and returns their number. Blocks are limited, but each of many
/// switches may go to all of them.
fn charge_edges(graph: &Graph, fuel: &Fuel) -> Result<usize> {
    let edges = graph.blocks.values().map(|data| data.terminator.slots()).sum();
    // A value and its target, the target among the arms, the edge in both directions of two
    // control-flow graphs, and a statement.
    fuel.items::<((u64, Block), (Block, u32), [Block; 4], StmtData)>(Place::Input, EDGES, edges)?;
    Ok(edges)
}
