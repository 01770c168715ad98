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
pub mod outline;
pub mod ssa;
#[cfg(test)]
mod tests;
mod text;
pub mod tree;

use dxil_base::entity::Entity;
use dxil_base::error::{Place, Result};
use dxil_base::limits::Fuel;
pub use graph::{Block, BlockData, Edge, Graph, Side, Terminator};
pub use layout::{Arc, Condition, Exit, Layout, Merge, Node, NodeData, Operand, Selector, SelectorType, SelectorValue};
pub use tree::Tree;

/// Treatment of exits to cheap blocks. A block is cheap if it has no instruction and at most one
/// successor, or if it is a short return.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Terminals {
    /// An exit that would need a selector runs a copy of the block instead.
    #[default]
    Copy,
    /// The block is emitted once, like all others.
    Share,
}

/// Treatment of a switch that contains tangled operations. SPIR-V does not define which lanes run
/// the cases of `OpSwitch` together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TangledSwitch {
    /// It becomes a chain of two-way branches.
    #[default]
    Chain,
    /// It stays a switch.
    Switch,
}

/// Where an exit region is placed: a block that leaves a loop, with all blocks that only it leads
/// to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ExitRegions {
    /// In the loop, in the arm that leads to the region, if the loop has several exits and the
    /// region is small and has no tangled operation.
    #[default]
    Inline,
    /// After the loop.
    After,
}

/// Treatment of a switch target that another target runs into.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Fallthrough {
    /// It becomes the next arm of the switch, if SPIR-V allows that and the switch contains no
    /// tangled operation.
    #[default]
    Native,
    /// It is placed after the switch, guarded by a selector.
    Selector,
}

/// Treatment of guards: the branches that test a selector.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Guards {
    /// Neighbouring guards become the arms of one branch. A guard that chooses between two labels
    /// tests a boolean. A branch that only sets this boolean is removed, and its condition becomes
    /// the boolean's value.
    #[default]
    Fold,
    /// They stay as they are.
    Plain,
}

/// Treatment of a branch whose two targets both leave a loop or continue it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Leaving {
    /// It has no merge instruction.
    #[default]
    Direct,
    /// It has a merge instruction, and one of its edges goes through the merge.
    Selection,
}

/// Treatment of a loop that has several entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Irreducible {
    /// It is entered through a dispatch block with a selector.
    #[default]
    Dispatch,
    /// It is refused. DXIL forbids such loops, so the fault lies before structuring.
    Refuse,
}

/// The switchable steps. Each changes the form of the result, and never which blocks run or in
/// which order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options {
    /// Cheap terminals.
    pub terminals: Terminals,
    /// Switches with tangled operations.
    pub tangled_switch: TangledSwitch,
    /// Exit regions of loops.
    pub exit_regions: ExitRegions,
    /// Switch targets that run into one another.
    pub fallthrough: Fallthrough,
    /// Tests of selectors.
    pub guards: Guards,
    /// Branches that leave loops.
    pub leaving: Leaving,
    /// Loops with several entries.
    pub irreducible: Irreducible,
}

/// A structured function.
#[derive(Clone, Debug)]
pub struct Structured {
    /// For an irreducible input: the graph that the tree was built from, in which dispatch blocks
    /// follow the input's own blocks.
    pub dispatched: Option<Graph>,
    /// The statements, for people to read.
    pub tree: Tree,
    /// The block graph to write.
    pub layout: Layout,
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
    graph.check()?;
    charge_cases(graph, fuel)?;
    match build::build(graph, options) {
        Ok(tree) => {
            let layout = lower::lower(graph, None, &tree, (options, fuel))?;
            Ok(Structured { dispatched: None, tree, layout })
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
            let tree = build::build(&dispatched.graph, options).map_err(|edge| {
                bug!(
                    Place::Input,
                    "the graph is still irreducible after dispatch blocks were added, at the edge from {} to {}",
                    edge.from,
                    edge.to
                )
            })?;
            let layout = lower::lower(&dispatched.graph, Some(&dispatched), &tree, (options, fuel))?;
            Ok(Structured { dispatched: Some(dispatched.graph), tree, layout })
        }
    }
}

/// Bytes that a case of a switch takes: its edge, and the nodes and statements that lead to its target.
const CASE_BYTES: usize = 1024;

/// Charges the targets of switches. Blocks are limited, but each of many switches may go to all of
/// them.
fn charge_cases(graph: &Graph, fuel: &Fuel) -> Result<()> {
    for (block, data) in graph.blocks.iter() {
        if matches!(data.terminator, Terminator::Switch { .. }) {
            fuel.bytes(Place::Input, "cases of switches", graph.arms(block).len() * CASE_BYTES)?;
        }
    }
    Ok(())
}
