//! The state of lowering: positions, constructs and what is still to be done.

use crate::dispatch::Dispatched;
use crate::graph::{Block, Edge, Graph};
use crate::labels::{Label, LabelSet, Labels, Summaries, Summary};
use crate::layout::{Layout, Node, NodeData};
use crate::options::Options;
use crate::tree::{Stmt, Tree};
use dxil_base::entity::{PrimaryMap, SecondaryMap};
use dxil_base::limits::Fuel;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OpenKind {
    Selection,
    /// Labels consumed after this statement or later leave the switch.
    Switch {
        end: Stmt,
    },
    /// Labels consumed after the body are the header's; those consumed later leave the loop.
    Loop {
        body: Stmt,
        header: Block,
        continuing: Node,
    },
}

/// A construct being lowered.
#[derive(Debug)]
pub(super) struct OpenConstruct {
    pub(super) kind: OpenKind,
    pub(super) merge: Node,
    /// The label with which control reaches the construct's end, if only one label is possible
    /// there.
    pub(super) falls: Option<Label>,
    /// The labels that have come to the merge.
    pub(super) arrivals: LabelSet,
    /// The innermost loop around the construct's content, as an index of `constructs`.
    pub(super) innermost_loop: Option<usize>,
    /// The innermost switch inside that loop.
    pub(super) innermost_switch: Option<usize>,
}

/// The content of an arm.
#[derive(Debug)]
pub(super) enum Work {
    Stmt(Stmt),
    /// An empty arm: these labels stay pending.
    Pass(LabelSet),
    /// The arms of a switch that is lowered to a chain of branches, from this arm on.
    Chain {
        chain: usize,
        arm: usize,
    },
}

#[derive(Debug)]
pub(super) enum Task {
    Work(Work),
    /// Lowers the child with this index, which consumes the first pending label, then goes on with
    /// the next child.
    Child {
        seq: Stmt,
        index: usize,
    },
    /// Routes the labels that are pending at the end of an arm or body.
    Route,
    /// Starts the second arm of a two-way branch.
    Second {
        node: Node,
        arc: usize,
        arm: Arm,
    },
    /// Starts an arm of a switch. The arm before may run into it.
    Arm {
        node: Node,
        arc: usize,
        takes: Option<Edge>,
        stmt: Stmt,
    },
    /// Ends an arm of a switch: control with the label of the next arm falls through, the other
    /// pending labels are routed.
    EndArm {
        arm: Stmt,
    },
    EndSelection,
    EndLoop {
        header: Node,
    },
}

/// Memory of lowering. Nothing of it is read before it is set.
#[derive(Debug, Default)]
pub struct LowerMemory {
    pub(super) summaries: Summaries,
    pub(super) labels: Labels,
    /// The nodes in order of creation. Before, it is a layout that nobody needs any more.
    pub layout: Layout,
    /// The nodes in the order in which they are emitted.
    pub(super) order: Vec<Node>,
    /// By node, in the order of creation: its number in that order.
    pub(super) numbers: Vec<Option<Node>>,
    /// The content of the nodes in that order.
    pub(super) emitted: PrimaryMap<Node, NodeData>,
    /// By node: the merge or continue target that an edge of the node went to last.
    pub(super) joined: SecondaryMap<Node, Option<Node>>,
    pub(super) constructs: Vec<OpenConstruct>,
    pub(super) tasks: Vec<Task>,
    /// The number of copies made of each block.
    pub(super) copies: SecondaryMap<Block, u32>,
}

impl LowerMemory {
    /// Removes what is in it.
    pub(super) fn clear(&mut self) {
        self.labels.clear();
        self.layout.clear();
        self.emitted.clear();
        self.numbers.clear();
        self.order.clear();
        self.joined.fill(0);
        self.constructs.clear();
        self.tasks.clear();
        self.copies.fill(0);
    }
}

pub(super) struct Lowerer<'a> {
    pub(super) graph: &'a Graph,
    pub(super) fuel: &'a Fuel,
    pub(super) dispatched: Option<&'a Dispatched>,
    pub(super) tree: &'a Tree,
    pub(super) options: &'a Options,
    pub(super) memory: &'a mut LowerMemory,
    pub(super) chains: Vec<Chain>,
    pub(super) position: Option<InsertionPoint>,
    pub(super) pending: LabelSet,
    /// The end of a switch's arm that runs into the next one.
    pub(super) falling: Option<InsertionPoint>,
}

/// The selector of exits. Its values are block numbers, like those of the dispatch blocks'
/// selectors.
pub(super) const SELECTOR: usize = 0;

/// The place where control is.
#[derive(Clone, Copy, Debug)]
pub(super) enum InsertionPoint {
    /// In a node that has no origin and no terminator yet.
    Node(Node),
    /// On an edge that has no target yet: its node, its index among the node's edges, and the
    /// original edge that is taken on it.
    Edge { from: Node, arc: usize, takes: Option<Edge> },
}

/// An arm of a two-way branch, and the original edge that is taken to it.
#[derive(Debug)]
pub(super) struct Arm {
    pub(super) work: Work,
    pub(super) takes: Option<Edge>,
}

/// A switch lowered to a chain of branches.
pub(super) struct Chain {
    pub(super) block: Block,
    /// For each arm its values, the original edge to it, and its statement. The default is last and
    /// has no values.
    pub(super) arms: Vec<(Vec<u64>, Edge, Stmt)>,
    /// The summary of each arm and all after it.
    pub(super) rest: Vec<Summary>,
}
