//! The nodes and edges that lowering makes at a position.
//!
//! What must hold: an edge lists the original edges taken on it, and sets the selectors that
//! dispatch blocks then test. Two edges from one node to one merge have a node between them and the
//! merge, because their phi operands may differ.

use super::state::{InsertionPoint, Lowerer, SELECTOR};
use crate::graph::{Block, EDGES, Edge, Terminator};
use crate::labels::{Label, LabelSet};
use crate::layout::{Arc, Exit, Merge, Node, NodeData, Selector, SelectorValue};
use dxil_base::entity::Entity;
use dxil_base::error::{Place, Result};

impl Lowerer<'_> {
    pub(super) fn new_node(&mut self) -> Result<Node> {
        self.fuel.items::<(NodeData, Node)>(Place::Input, EDGES, 1)?;
        Ok(self.nodes.push(NodeData { origin: None, merge: Merge::None, exit: Exit::Unreachable }))
    }

    pub(super) fn take_position(&mut self) -> Result<InsertionPoint> {
        self.position
            .take()
            .ok_or_else(|| bug!(Place::Input, "control does not reach the statement that is being lowered"))
    }

    /// A node at the position, to put a terminator in.
    pub(super) fn node_here(&mut self) -> Result<Node> {
        match self.take_position()? {
            InsertionPoint::Node(node) => Ok(node),
            edge => {
                let node = self.new_node()?;
                self.order.push(node);
                self.enter(edge, node)?;
                Ok(node)
            }
        }
    }

    /// The node at the position, in which this block now runs.
    pub(super) fn run_block(&mut self, block: Block) -> Result<Node> {
        let node = self.node_here()?;
        self.nodes[node].origin = Some(block).filter(|b| !self.is_made(*b));
        Ok(node)
    }

    /// Ends the position in a block that has no successors.
    pub(super) fn terminal(&mut self, block: Block) -> Result<()> {
        let node = self.run_block(block)?;
        self.nodes[node].exit = match self.graph.terminator(block) {
            Terminator::Return => Exit::Return(block),
            _ => Exit::Unreachable,
        };
        self.position = None;
        self.pending = LabelSet::default();
        Ok(())
    }

    /// Whether a block was made to dispatch irreducible flow, and is not a block of the input.
    pub(super) fn is_made(&self, block: Block) -> bool {
        self.dispatched.is_some_and(|d| block.index() >= d.original)
    }

    /// Makes an edge from a position to a node that has no other predecessor.
    pub(super) fn enter(&mut self, from: InsertionPoint, to: Node) -> Result<()> {
        self.link(from, Arc::plain(to))
    }

    /// Makes an edge from a position to a merge or continue target, with a label in the selector.
    pub(super) fn join(&mut self, from: InsertionPoint, to: Node, label: Option<Label>) -> Result<()> {
        let set = |label: Label| (Selector::new(SELECTOR), SelectorValue::Constant(label.block.index() as u32));
        let arc = Arc { sets: label.map(set).into_iter().collect(), ..Arc::plain(to) };
        let InsertionPoint::Edge { from: branch, .. } = from else { return self.link(from, arc) };
        // A switch must dominate its targets, except its own merge (SPIR-V 2.11). So an arm that
        // only leaves an outer loop gets a node of its own.
        let data = &self.nodes[branch];
        let direct = !matches!(data.exit, Exit::Switch { .. }) || data.merge == Merge::Selection(to);
        if direct && self.joined.insert((branch, to)) {
            return self.link(from, arc);
        }
        // Two edges from one node to one target cannot carry different values.
        let between = self.new_node()?;
        self.order.push(between);
        self.enter(from, between)?;
        self.link(InsertionPoint::Node(between), arc)
    }

    fn link(&mut self, from: InsertionPoint, mut new: Arc) -> Result<()> {
        self.fuel.items::<(Edge, (Selector, SelectorValue))>(Place::Input, EDGES, 1)?;
        match from {
            InsertionPoint::Node(node) => self.nodes[node].exit = Exit::Jump(new),
            InsertionPoint::Edge { from, arc, takes } => {
                if let Some(edge) = takes {
                    new.takes.extend(takes.filter(|_| !self.is_made(edge.from)));
                    if let Some(&(dispatcher, value)) = self.dispatched.and_then(|d| d.settings.get(&edge)) {
                        let selector = self.dispatchers.get(&dispatcher).copied();
                        new.sets.extend(selector.map(|s| (s, SelectorValue::Constant(value))));
                    }
                }
                let target = self.nodes[from].exit.arc_mut(arc);
                *target.ok_or_else(|| bug!(Place::Input, "the terminator of {from} has no edge {arc}"))? = new;
            }
        }
        Ok(())
    }
}
