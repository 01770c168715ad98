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
        Ok(self.memory.layout.nodes.push(NodeData::default()))
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
                self.memory.order.push(node);
                self.enter(edge, node)?;
                Ok(node)
            }
        }
    }

    /// The node at the position, in which this block now runs.
    pub(super) fn run_block(&mut self, block: Block) -> Result<Node> {
        let node = self.node_here()?;
        self.memory.layout.nodes[node].origin = Some(block).filter(|b| !self.is_made(*b));
        Ok(node)
    }

    /// Ends the position in a block that has no successors.
    pub(super) fn terminal(&mut self, block: Block) -> Result<()> {
        let node = self.run_block(block)?;
        self.memory.layout.nodes[node].exit = match self.graph.terminator(block) {
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

    /// The selector of a dispatch block. The selectors follow that of exits in the order of the
    /// blocks.
    pub(super) fn dispatcher(&self, block: Block) -> Option<Selector> {
        let found = self.dispatched.and_then(|d| d.dispatchers.binary_search(&block).ok());
        found.map(|i| Selector::new(SELECTOR + 1 + i))
    }

    /// Makes an edge from a position to a node that has no other predecessor.
    pub(super) fn enter(&mut self, from: InsertionPoint, to: Node) -> Result<()> {
        self.link(from, to, None)
    }

    /// Makes an edge from a position to a merge or continue target, with a label in the selector.
    pub(super) fn join(&mut self, from: InsertionPoint, to: Node, label: Option<Label>) -> Result<()> {
        let InsertionPoint::Edge { from: branch, .. } = from else { return self.link(from, to, label) };
        // A switch must dominate its targets, except its own merge (SPIR-V 2.11). So an arm that
        // only leaves an outer loop gets a node of its own.
        let data = &self.memory.layout.nodes[branch];
        let direct = !matches!(data.exit, Exit::Switch { .. }) || data.merge == Merge::Selection(to);
        // Either the node has at most two edges, or it is a switch and this is its merge.
        if direct && self.memory.joined[branch] != Some(to) {
            self.memory.joined[branch] = Some(to);
            return self.link(from, to, label);
        }
        // Two edges from one node to one target cannot carry different values.
        let between = self.new_node()?;
        self.memory.order.push(between);
        self.enter(from, between)?;
        self.link(InsertionPoint::Node(between), to, label)
    }

    fn link(&mut self, from: InsertionPoint, to: Node, label: Option<Label>) -> Result<()> {
        self.fuel.items::<(Edge, (Selector, SelectorValue))>(Place::Input, EDGES, 1)?;
        let label = label.map(|label| (Selector::new(SELECTOR), SelectorValue::Constant(label.block.index() as u32)));
        match from {
            InsertionPoint::Node(node) => {
                self.memory.layout.nodes[node].exit =
                    Exit::Jump(Arc { sets: self.memory.layout.sets.extend(label), ..Arc::plain(to) });
            }
            InsertionPoint::Edge { from, arc, takes } => {
                let setting = takes.and_then(|edge| self.dispatched?.settings.get(&edge));
                let setting =
                    setting.and_then(|&(block, value)| Some((self.dispatcher(block)?, SelectorValue::Constant(value))));
                let sets = self.memory.layout.sets.extend([label, setting].into_iter().flatten());
                let takes = self.memory.layout.takes.extend(takes.filter(|edge| !self.is_made(edge.from)));
                let target = self.memory.layout.nodes[from].exit.arcs_mut().get_mut(arc);
                *target.ok_or_else(|| bug!(Place::Input, "the terminator of {from} has no edge {arc}"))? =
                    Arc { to, takes, sets };
            }
        }
        Ok(())
    }
}
