//! Which definition of a variable is seen from where, by walks over the dominator tree.
//!
//! In: the layout's dominator tree, and for one variable the nodes where its value changes. Out:
//! what is seen at the head and at the end of a node. What must hold: no walk visits the nodes
//! between a definition and its uses. A value from above the nearest change is the same on all
//! paths in between, because a phi stands where definitions meet (Cytron and others, "Efficiently
//! computing static single assignment form and the control dependence graph", 1991).

use std::cell::Cell;
use std::ops::RangeInclusive;

use crate::analysis::Dominators;
use crate::layout::{Layout, Node};
use dxil_base::entity::Entity;
use dxil_base::error::{Place, Result};
use dxil_base::limits::Fuel;
use dxil_base::lists::Lists;

/// What is charged for values that control flow moves.
pub(super) const PHIS: &str = "phis";
/// Which nodes dominate which, in the structured graph.
#[derive(Debug, Default)]
pub struct Dominance {
    /// By node: those that lead to it, in ascending order. Unreachable ones are among them, because
    /// a phi needs an entry for each.
    pub(super) predecessors: Lists<Node, Node>,
    pub(super) dominators: Dominators<Node>,
}

impl Dominance {
    /// Makes it that of a layout. The nodes are in emission order, in which only the edges from
    /// continue targets to their loop headers go back; and the edges of a node go to different
    /// nodes.
    pub fn set(&mut self, layout: &Layout) {
        let Self { predecessors, dominators } = self;
        let nodes = layout.nodes.iter();
        let arcs = nodes.flat_map(|(from, data)| data.exit.arcs().iter().map(move |arc| (arc.to, from)));
        predecessors.set(layout.nodes.len(), arcs);
        dominators.set_in_order(layout.nodes.len(), |node| predecessors[node].iter().copied());
    }
    /// The number of nodes and edges.
    pub fn size(&self) -> usize {
        self.predecessors.items().len() + self.dominators.len()
    }
    /// Whether every path from the entry to `below` runs through `above`.
    pub fn dominates(&self, above: Node, below: Node) -> bool {
        self.dominators.dominates(above, below)
    }
    /// The places of the nodes that a node dominates, itself first, in a preorder of the dominator
    /// tree.
    pub fn places(&self, node: Node) -> RangeInclusive<u32> {
        self.dominators.places(node)
    }
    /// Whether the entry reaches a node.
    pub(super) fn is_reachable(&self, node: Node) -> bool {
        self.dominators.place(node) != 0
    }
    /// The reachable nodes from which an edge goes to a node.
    pub(super) fn reachable_predecessors(&self, node: Node) -> impl Iterator<Item = Node> {
        self.predecessors[node].iter().copied().filter(|&from| self.is_reachable(from))
    }
}

/// The dominators of a layout.
pub fn dominance(layout: &Layout) -> Dominance {
    let mut dominance = Dominance::default();
    dominance.set(layout);
    dominance
}

/// The dominance frontier of each node: the nodes with several predecessors where the nodes that it
/// dominates end. In a structured graph these are the merges and continue targets that a construct
/// may exit to, so there are few of them for each node.
pub(super) struct Frontiers {
    of: Lists<Node, Node>,
    /// By node: the number of the last query that found it.
    found: Vec<u32>,
    queries: u32,
}

impl Frontiers {
    /// # Errors
    /// `Limit` if the frontiers of all nodes together cost more than the budget.
    pub(super) fn new(layout: &Layout, dominance: &Dominance, fuel: &Fuel, at: Place) -> Result<Self> {
        let (count, dominators) = (layout.nodes.len(), &dominance.dominators);
        let mut ends: Vec<(Node, Node)> = Vec::with_capacity(count);
        // By node: the last node of its frontier.
        let mut last = vec![None; count];
        let meet = |node: &Node| dominance.predecessors[*node].len() > 1 && dominance.is_reachable(*node);
        for node in layout.nodes.keys().filter(meet) {
            let (end, before) = (dominators.immediate(node), ends.len());
            for from in dominance.reachable_predecessors(node) {
                let mut next = Some(from).filter(|&from| Some(from) != end);
                // If the node is there already, an earlier walk has visited the rest.
                while let Some(below) = next.filter(|below| last[below.index()] != Some(node)) {
                    last[below.index()] = Some(node);
                    ends.push((below, node));
                    next = dominators.immediate(below).filter(|&above| Some(above) != end);
                }
            }
            let visited = ends.len() - before;
            fuel.steps(at, PHIS, visited)?;
            fuel.bytes(at, PHIS, visited * size_of::<Node>())?;
        }
        Ok(Self { of: Lists::new(count, ends.iter().copied()), found: vec![0; count], queries: 0 })
    }

    /// Visits the nodes where definitions in `roots` meet one another, or meet no definition. Nodes
    /// that are not `wanted` are left out, with those that only a definition there would make ones.
    /// The roots are used up.
    pub(super) fn iterated(
        &mut self,
        roots: &mut Vec<Node>,
        wanted: impl Fn(Node) -> bool,
        mut visit: impl FnMut(Node),
    ) {
        self.queries += 1;
        while let Some(node) = roots.pop() {
            for &end in &self.of[node] {
                if wanted(end) && std::mem::replace(&mut self.found[end.index()], self.queries) != self.queries {
                    visit(end);
                    roots.push(end);
                }
            }
        }
    }
}

/// The nodes with an original block, as a tree by dominance.
pub(super) struct Blocks {
    /// By node: the closest such node that dominates it. It may be the node itself.
    closest: Vec<Option<Node>>,
    /// By node, for these nodes: the closest other such node that dominates it, and some node
    /// further up, chosen so that a search visits logarithmically many nodes.
    up: Vec<JumpPointers>,
}

#[derive(Clone, Copy)]
struct JumpPointers {
    parent: Option<Node>,
    jump: Option<Node>,
    depth: u32,
}

impl Blocks {
    pub(super) fn new(layout: &Layout, dominators: &Dominators<Node>) -> Self {
        let count = layout.nodes.len();
        let mut closest: Vec<Option<Node>> = vec![None; count];
        let mut up = vec![JumpPointers { parent: None, jump: None, depth: 0 }; count];
        // Dominators come first.
        for node in layout.nodes.keys().filter(|&node| dominators.place(node) != 0) {
            let parent = dominators.immediate(node).and_then(|above| closest[above.index()]);
            if layout.nodes[node].origin.is_none() {
                closest[node.index()] = parent;
                continue;
            }
            closest[node.index()] = Some(node);
            if let Some(parent) = parent {
                let near = up[parent.index()];
                let far = near.jump.map(|far| up[far.index()]);
                // Two jumps of one length become one of twice the length.
                let jump = match far.and_then(|far| Some((far, up[far.jump?.index()]))) {
                    Some((far, farther)) if near.depth - far.depth == far.depth - farther.depth => far.jump,
                    _ => Some(parent),
                };
                up[node.index()] = JumpPointers { parent: Some(parent), jump, depth: near.depth + 1 };
            }
        }
        Self { closest, up }
    }

    /// The closest node at or above this one that has an original block and where `dead` holds. It
    /// must hold at all further ones above as well.
    pub(super) fn first_dead(&self, node: Node, dead: impl Fn(Node) -> bool, steps: &Cell<usize>) -> Option<Node> {
        let mut at = self.closest[node.index()]?;
        while !dead(at) {
            steps.set(steps.get() + 1);
            let up = &self.up[at.index()];
            at = match up.jump.filter(|&jump| !dead(jump)) {
                Some(jump) => jump,
                None => up.parent?,
            };
        }
        Some(at)
    }
}

/// What is seen of a variable: a definition, the phi of a node, or nothing.
#[derive(Clone, Copy)]
pub(super) enum SeenValue<T> {
    Definition(T),
    Phi(Node),
    Undef,
}

impl<T> SeenValue<T> {
    /// The node of the phi that is seen.
    pub(super) fn phi(&self) -> Option<Node> {
        match *self {
            Self::Phi(node) => Some(node),
            Self::Definition(_) | Self::Undef => None,
        }
    }
}

/// What a variable becomes at the head of a node.
#[derive(Clone, Copy)]
pub(super) enum HeadValue<T> {
    /// The definition on the only edge to the node.
    Definition(T),
    /// A phi.
    Phi,
}

/// A node where the value of a variable changes.
pub(super) struct Change<T> {
    node: Node,
    head: Option<HeadValue<T>>,
    /// The value that is defined inside the node.
    inside: Option<T>,
    /// The closest other change whose node dominates this one's.
    above: Option<usize>,
}

impl<T: Copy> Change<T> {
    pub(super) fn new(node: Node, head: Option<HeadValue<T>>, inside: Option<T>) -> Self {
        Self { node, head, inside, above: None }
    }

    /// Sorts changes by their place in the dominator tree, with one for each node.
    pub(super) fn sort(changes: &mut Vec<Self>, dominators: &Dominators<Node>) {
        changes.sort_by_key(|change| dominators.place(change.node));
        changes.dedup_by(|next, kept| {
            let same = next.node == kept.node;
            if same {
                kept.head = kept.head.or(next.head);
                kept.inside = kept.inside.or(next.inside);
            }
            same
        });
        for i in 1..changes.len() {
            let mut above = Some(i - 1);
            while let Some(at) = above.filter(|&at| !dominators.dominates(changes[at].node, changes[i].node)) {
                above = changes[at].above;
            }
            changes[i].above = above;
        }
    }
}

/// What is seen of one variable.
pub(super) struct VariableView<'a, T, D> {
    pub(super) dominators: &'a Dominators<Node>,
    pub(super) blocks: &'a Blocks,
    /// Sorted by [`Change::sort`].
    pub(super) changes: &'a [Change<T>],
    pub(super) dead: D,
    /// What the walks have cost so far, in nodes and changes that were visited.
    pub(super) steps: &'a Cell<usize>,
}

impl<T: Copy, D: Fn(Node) -> bool> VariableView<'_, T, D> {
    /// The closest change at or above a node.
    fn change(&self, node: Node) -> Option<&Change<T>> {
        let place = self.dominators.place(node);
        let mut at = self.changes.partition_point(|change| self.dominators.place(change.node) <= place).checked_sub(1);
        while let Some(change) = at.and_then(|at| self.changes.get(at)) {
            if self.dominators.dominates(change.node, node) {
                return Some(change);
            }
            self.steps.set(self.steps.get() + 1);
            at = change.above;
        }
        None
    }

    /// What a read at the head of a node sees.
    pub(super) fn head(&self, node: Node) -> SeenValue<T> {
        if self.dominators.place(node) == 0 {
            return SeenValue::Undef;
        }
        match self.change(node).filter(|change| change.node == node).and_then(|change| change.head) {
            Some(head) => head.seen(node),
            None => self.dominators.immediate(node).map_or(SeenValue::Undef, |above| self.end(above)),
        }
    }

    /// What is seen at the end of a node that the entry reaches.
    pub(super) fn end(&self, node: Node) -> SeenValue<T> {
        let Some(change) = self.change(node) else { return SeenValue::Undef };
        if let Some(dead) = self.blocks.first_dead(node, &self.dead, self.steps)
            && self.dominators.dominates(change.node, dead)
            // A definition inside a node comes after the head, where the variable is dead.
            && (change.node != dead || change.inside.is_none())
        {
            return SeenValue::Undef;
        }
        match (change.inside, change.head) {
            (Some(value), _) => SeenValue::Definition(value),
            (None, Some(head)) => head.seen(change.node),
            (None, None) => SeenValue::Undef,
        }
    }
}

impl<T: Copy> HeadValue<T> {
    fn seen(self, node: Node) -> SeenValue<T> {
        match self {
            Self::Definition(value) => SeenValue::Definition(value),
            Self::Phi => SeenValue::Phi(node),
        }
    }
}
