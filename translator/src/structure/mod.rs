//! Structured control flow from a bare graph.
//!
//! In: a [`Graph`] of blocks and edges. Out: [`Structured`]: a [`Layout`], the block graph to write as SPIR-V. What must hold: the layout runs the same
//! original blocks in the same order as the graph for every sequence of branch outcomes, it keeps the structured control-flow
//! rules ([`legal`]), and it runs no block with fewer lanes together than the graph's reconvergence gives. Nothing here knows DXIL or SPIR-V types.
//!
//! Values are moved by [`ssa`]: which block parameter is assigned where, and which value no longer dominates a use, is decided
//! on the layout alone.

pub mod graph;
pub mod layout;
pub mod ssa;

use crate::error::{Place, Result};
pub use graph::{Block, BlockData, Edge, Graph, Side, Terminator};
pub use layout::{Arc, Condition, Exit, Layout, Merge, Node, NodeData, Operand, Selector, SelectorType, SelectorValue};

/// The switchable steps.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options {}

/// A structured function.
#[derive(Clone, Debug)]
pub struct Structured {
    /// The block graph to write.
    pub layout: Layout,
}

/// Structures a graph.
///
/// # Errors
/// `Malformed` where the graph breaks its contract, `Unsupported` where it is irreducible, `Limit` where it is too large or too deep.
pub fn structure(graph: &Graph, options: &Options) -> Result<Structured> {
    graph.check()?;
    let _ = options;
    Err(unsupported!(Place::Input, "structuring is not written yet"))
}
