//! SSA construction on the structured graph, for the few values that need it.
//!
//! In: the [`Layout`], and variables with their definitions (at the end of an edge, or inside a node) and their reads (at the head of a
//! node). Out: [`Solution`], the phis of each node and what each read sees. What must hold: a phi has one entry per predecessor;
//! a path without a definition gives [`Source::Undef`].
//!
//! Three kinds of variable cover everything that structuring moves:
//! - A block parameter is *defined on every structured edge that takes an original edge into its block*, by that edge's argument, and *read at the
//!   head of the block's node*. What the read sees is the parameter.
//! - An instruction's (or parameter's) value that is used where its node no longer dominates is *defined in its node* and *read at the head of the
//!   node of the use*. Ask [`Dominance::dominates`] which uses these are. A use in an edge's argument is a use in the node that the edge leaves.
//! - A selector is defined on the edges that set it and read at the nodes that test it.
//!
//! Values that cannot be phis (handles, pointers) are computed again at the use by the client.

use rustc_hash::FxHashMap;

use crate::entity::{PrimaryMap, SecondaryMap};
use crate::structure::layout::{Layout, Node};

entity! {
    /// A variable to be turned into SSA form.
    pub struct Variable, "v";
    /// A phi of the solution.
    pub struct Phi, "phi";
}

/// What a read or a phi entry sees. `T` is the client's own name of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source<T> {
    /// A definition by the client.
    Definition(T),
    /// A phi of the solution.
    Phi(Phi),
    /// No definition on this path.
    Undef,
}

/// A phi: one entry per predecessor, in ascending order of predecessors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhiData<T> {
    /// The node at whose head it is.
    pub node: Node,
    /// The variable it merges.
    pub variable: Variable,
    /// Predecessors and what comes from each.
    pub entries: Vec<(Node, Source<T>)>,
}

/// The variables of one function, their definitions and reads.
#[derive(Clone, Debug)]
pub struct Problem<T> {
    variables: PrimaryMap<Variable, VariableData<T>>,
}

#[derive(Clone, Debug)]
struct VariableData<T> {
    inside: Vec<(Node, T)>,
    edges: Vec<(Node, Node, T)>,
    reads: Vec<Node>,
}

impl<T> Default for Problem<T> {
    fn default() -> Self {
        Self { variables: PrimaryMap::new() }
    }
}

impl<T: Copy + Eq> Problem<T> {
    /// No variables yet.
    pub fn new() -> Self {
        Self::default()
    }
    /// A new variable.
    pub fn variable(&mut self) -> Variable {
        self.variables.push(VariableData { inside: Vec::new(), edges: Vec::new(), reads: Vec::new() })
    }
    /// The variable gets a value inside a node: what its successors see. At most once per variable and node.
    pub fn define_inside(&mut self, variable: Variable, node: Node, value: T) {
        self.variables[variable].inside.push((node, value));
    }
    /// The variable gets a value on an edge. At most once per variable and edge.
    pub fn define_on_edge(&mut self, variable: Variable, from: Node, to: Node, value: T) {
        self.variables[variable].edges.push((from, to, value));
    }
    /// The variable is read at the head of a node, before any definition inside that node.
    pub fn read(&mut self, variable: Variable, node: Node) {
        self.variables[variable].reads.push(node);
    }
}

/// The phis, and what each read sees.
#[derive(Clone, Debug)]
pub struct Solution<T> {
    /// All phis; each is needed by a read.
    pub phis: PrimaryMap<Phi, PhiData<T>>,
    at: SecondaryMap<Node, Vec<Phi>>,
    heads: FxHashMap<(Variable, Node), Source<T>>,
}

impl<T: Copy + Eq> Solution<T> {
    /// The phis at the head of a node, by ascending variable.
    pub fn at(&self, node: Node) -> &[Phi] {
        &self.at[node]
    }
    /// What a registered read sees; `Undef` where the read was not registered.
    pub fn read(&self, variable: Variable, node: Node) -> Source<T> {
        self.heads.get(&(variable, node)).copied().unwrap_or(Source::Undef)
    }
}

impl<T: Copy + Eq> Problem<T> {
    /// Places the phis: only where a read needs them, and none that merges one value only.
    pub fn solve(&self, layout: &Layout) -> Solution<T> {
        let _ = layout;
        Solution { phis: PrimaryMap::new(), at: SecondaryMap::default(), heads: FxHashMap::default() }
    }
}

/// Which nodes dominate which, in the structured graph.
#[derive(Clone, Debug, Default)]
pub struct Dominance {
    span: SecondaryMap<Node, (u32, u32)>,
}

impl Dominance {
    /// The dominator tree of a layout.
    pub fn new(layout: &Layout) -> Self {
        let _ = layout;
        Self { span: SecondaryMap::default() }
    }
    /// Whether every path from the entry to `below` runs through `above`. A node dominates itself; a node that no path reaches
    /// is dominated by all nodes, and dominates only such nodes.
    pub fn dominates(&self, above: Node, below: Node) -> bool {
        let ((first, last), (place, _)) = (self.span[above], self.span[below]);
        place == 0 || (first <= place && place <= last && first != 0)
    }
}
