//! Structured control flow from a bare graph.
//!
//! In: a [`Graph`] of blocks and edges. Out: [`Structured`]: a [`Layout`], the block graph to write as SPIR-V. What must hold: the layout runs the same
//! original blocks in the same order as the graph for every sequence of branch outcomes, it keeps the structured control-flow
//! rules ([`legal`]), and it runs no block with fewer lanes together than the graph's reconvergence gives. Nothing here knows DXIL or SPIR-V types.
//!
//! Values are moved by [`ssa`]: which block parameter is assigned where, and which value no longer dominates a use, is decided
//! on the layout alone.

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

use crate::entity::Entity;
use crate::error::{Place, Result};
pub use graph::{Block, BlockData, Edge, Graph, Side, Terminator};
pub use layout::{Arc, Condition, Exit, Layout, Merge, Node, NodeData, Operand, Selector, SelectorType, SelectorValue};
pub use tree::Tree;

/// What to do with cheap blocks (no instruction and one successor at most, or a short return) that are exited to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Terminals {
    /// An exit that would need a selector runs a copy instead.
    #[default]
    Copy,
    /// They are blocks like all others.
    Share,
}

/// What to do with a switch that contains tangled operations. SPIR-V does not fix which lanes run the cases of `OpSwitch` together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TangledSwitch {
    /// It becomes a chain of two-way branches.
    #[default]
    Chain,
    /// It stays a switch.
    Switch,
}

/// Where a block that leaves a loop, with all that follows from it alone, is placed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ExitRegions {
    /// In the loop, in the arm that leads there, where the loop has several exits and the region is small and has no tangled operation.
    #[default]
    Inline,
    /// After the loop.
    After,
}

/// What to do where one target of a switch runs into another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Fallthrough {
    /// Where SPIR-V allows that and nothing in the switch is tangled, the arm runs into the next.
    #[default]
    Native,
    /// The target is after the switch, guarded by a selector.
    Selector,
}

/// What to do with tests of a selector.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Guards {
    /// Neighbours become the arms of one branch; a test of two labels becomes a boolean, and a branch that only decides which label it is becomes its value.
    #[default]
    Fold,
    /// They stay as they are.
    Plain,
}

/// What to do with a branch both of whose ways leave a loop or go on with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Leaving {
    /// It has no merge instruction.
    #[default]
    Direct,
    /// It is a selection, one way of which goes through the merge.
    Selection,
}

/// What to do with a loop that has several entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Irreducible {
    /// It is entered through a dispatch block with a selector.
    #[default]
    Dispatch,
    /// It is refused. DXIL forbids such loops, so one means that something before is wrong.
    Refuse,
}

/// The switchable steps. Each only changes the form of the result, never what runs.
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
    /// The graph that the tree is of, where it is not the input: an irreducible input, with dispatch blocks after its own blocks.
    pub dispatched: Option<Graph>,
    /// The statements, for a reader.
    pub tree: Tree,
    /// The block graph to write.
    pub layout: Layout,
}

/// Structures a graph.
///
/// # Errors
/// `Malformed` where the graph breaks its contract, `Unsupported` where it is irreducible and the options refuse that, `Limit` where it is too large or too
/// deep.
pub fn structure(graph: &Graph, options: &Options) -> Result<Structured> {
    graph.check()?;
    match build::build(graph, options) {
        Ok(tree) => {
            let layout = lower::lower(graph, None, &tree, options)?;
            Ok(Structured { dispatched: None, tree, layout })
        }
        Err(error) if options.irreducible == Irreducible::Refuse => {
            let place = Place::Edge { from: error.from.index() as u32, to: error.to.index() as u32 };
            Err(unsupported!(place, "irreducible control flow: a loop with more than one entry"))
        }
        Err(_) => {
            let dispatched = dispatch::dispatch(graph)?;
            let tree = build::build(&dispatched.graph, options)
                .map_err(|edge| bug!(Place::Input, "still irreducible from {} to {}", edge.from, edge.to))?;
            let layout = lower::lower(&dispatched.graph, Some(&dispatched), &tree, options)?;
            Ok(Structured { dispatched: Some(dispatched.graph), tree, layout })
        }
    }
}
