//! SSA construction on the structured graph, for the values that structuring moves.
//!
//! In: the [`Layout`], and variables with their definitions (at the end of an edge, or inside a
//! node) and their reads (at the head of a node). Out: [`Solution`], the phis of each node and the
//! source that each read sees. What must hold: a phi has one entry per predecessor; a path without
//! a definition gives [`Source::Undef`], or another visible value if that makes a phi unnecessary.
//!
//! Three kinds of variable cover everything that structuring moves:
//! - A block parameter is *defined on every structured edge that takes an original edge into its
//!   block*, by that edge's argument, and *read at the head of the block's node*. The value that
//!   the read sees is the parameter.
//! - An instruction's (or parameter's) value that is used where its node no longer dominates is
//!   *defined in its node* and *read at the head of the node of the use*. [`dominance`] says which
//!   uses these are. A use in an edge's argument is a use in the node that the edge leaves.
//! - A selector is defined on the edges that set it and read at the nodes that test it.
//!
//! A variable is live until its next definition, unless the client says where it is dead. That
//! matters in loops: otherwise a phi of the header, which is never read, would carry a value of one
//! iteration into the next. The client knows from the original graph where a variable is dead. At
//! the head of a block that the block of the definition does not strictly dominate, no later read
//! sees an earlier value; and a block parameter does not outlive the edge that sets it.
//!
//! Definitions with equal names must be one value that is visible at both places. Where a
//! definition is itself the result of a read (an edge's argument that no longer dominates the
//! edge), its name therefore includes the node of that read.
//!
//! Values that cannot be phis (handles, pointers) are computed again at the use by the client.

use rustc_hash::FxHashMap;

use crate::analysis::{Cfg, Dominators};
use crate::entity::{Entity, PrimaryMap, SecondaryMap};
use crate::structure::layout::{Layout, Node, Selector, SelectorValue};

entity! {
    /// A variable to be turned into SSA form.
    pub struct Variable, "v";
    /// A phi of the solution.
    pub struct Phi, "phi";
}

/// The source of the value that a read or a phi entry sees. `T` is the client's own name of a
/// definition.
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
    /// Predecessors, each with the source of its value.
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
    /// The variable gets a value inside a node, which the node's successors see. At most once per
    /// variable and node.
    pub fn define_inside(&mut self, variable: Variable, node: Node, value: T) {
        self.variables[variable].inside.push((node, value));
    }
    /// The variable gets a value on an edge. At most once per variable and edge.
    pub fn define_on_edge(&mut self, variable: Variable, from: Node, to: Node, value: T) {
        self.variables[variable].edges.push((from, to, value));
    }
    /// A selector as a variable, with all its definitions and reads.
    pub fn selector(&mut self, layout: &Layout, selector: Selector, value: impl Fn(SelectorValue) -> T) -> Variable {
        let variable = self.variable();
        for (node, data) in layout.nodes.iter() {
            for arc in data.exit.arcs() {
                for set in arc.sets.iter().filter(|set| set.0 == selector) {
                    self.define_on_edge(variable, node, arc.to, value(set.1));
                }
            }
            if data.exit.tests() == Some(selector) {
                self.read(variable, node);
            }
        }
        variable
    }
    /// The variable is read at the head of a node, before any definition inside that node.
    pub fn read(&mut self, variable: Variable, node: Node) {
        self.variables[variable].reads.push(node);
    }
}

/// The phis, and the source that each read sees.
#[derive(Clone, Debug)]
pub struct Solution<T> {
    /// All phis; each is needed by a read.
    pub phis: PrimaryMap<Phi, PhiData<T>>,
    at: SecondaryMap<Node, Vec<Phi>>,
    reads: FxHashMap<(Variable, Node), Source<T>>,
}

impl<T: Copy + Eq> Solution<T> {
    /// The phis at the head of a node, by ascending variable.
    pub fn at(&self, node: Node) -> &[Phi] {
        &self.at[node]
    }
    /// The source that a registered read sees; `Undef` if the read was not registered.
    pub fn read(&self, variable: Variable, node: Node) -> Source<T> {
        self.reads.get(&(variable, node)).copied().unwrap_or(Source::Undef)
    }
}

impl<T: Copy + Eq> Problem<T> {
    /// Places the phis: only where a read needs them, and none that merges a single value.
    ///
    /// The cost of a variable is the number of nodes where it is live. `dead` tells whether a
    /// variable is dead at the head of a node, except for a read right there: a value from before
    /// such a node is undefined after it. `above` tells whether a definition's value is computed in
    /// a node that strictly dominates the given one, so that it is visible there and the same at
    /// the end of all its predecessors. `dominance` is that of the layout.
    pub fn solve(
        &self,
        layout: &Layout,
        dominance: &Dominance,
        dead: impl Fn(Variable, Node) -> bool,
        above: impl Fn(T, Node) -> bool,
    ) -> Solution<T> {
        let mut solver = Solver::new(layout);
        for (variable, data) in self.variables.iter() {
            if !data.reads.is_empty() {
                solver.place(variable, data, |node| dead(variable, node));
            }
        }
        solver.simplify(dominance, above);
        solver.finish()
    }
}

struct Solver<T> {
    cfg: Cfg<Node>,
    /// All predecessors, including unreachable ones: a phi needs an entry for each.
    predecessors: Vec<Vec<Node>>,
    /// Place in reverse postorder.
    place: Vec<u32>,
    phis: PrimaryMap<Phi, PhiData<T>>,
    /// The source that replaces a phi.
    replaced: Vec<Option<Source<T>>>,
    reads: Vec<(Variable, Node, Source<T>)>,
    /// The nodes at whose head the current variable is live. `head` has its source there, by node.
    live: Vec<Node>,
    head: Vec<Option<Source<T>>>,
}

impl<T: Copy + Eq> Solver<T> {
    fn new(layout: &Layout) -> Self {
        let cfg = layout.cfg();
        let mut predecessors = vec![Vec::new(); layout.nodes.len()];
        for node in layout.nodes.keys() {
            for to in cfg.successors(node) {
                predecessors[to.index()].push(node);
            }
        }
        let mut place = vec![u32::MAX; cfg.len()];
        for (i, node) in cfg.postorder().rev().enumerate() {
            place[node.index()] = i as u32;
        }
        let head = vec![None; cfg.len()];
        let (phis, replaced, reads, live) = Default::default();
        Self { cfg, predecessors, place, phis, replaced, reads, live, head }
    }

    /// Puts a phi at every join where the variable is live. [`simplify`](Self::simplify) removes
    /// those that merge a single value.
    fn place(&mut self, variable: Variable, data: &VariableData<T>, dead: impl Fn(Node) -> bool) {
        let definitions = Definitions::new(data);
        self.find_live(data, &definitions, dead);
        self.live.sort_unstable_by_key(|n| self.place[n.index()]);
        let first_phi = self.phis.len();
        for i in 0..self.live.len() {
            let node = self.live[i];
            let (first, second) = {
                let mut reachable = self.cfg.predecessors(node);
                (reachable.next(), reachable.next())
            };
            let head = match (first, second) {
                (None, _) => Source::Undef,
                // The only predecessor is earlier in the order, so its source is known.
                (Some(from), None) => definitions.after(from, node).unwrap_or_else(|| self.head_or_undef(from)),
                (Some(_), Some(_)) => Source::Phi(self.new_phi(variable, node)),
            };
            self.head[node.index()] = Some(head);
        }
        for phi in (first_phi..self.phis.len()).map(Phi::new) {
            let node = self.phis[phi].node;
            let entries = self.predecessors[node.index()].iter().map(|&from| {
                let source = match self.cfg.is_reachable(from) {
                    true => definitions.after(from, node).unwrap_or_else(|| self.head_or_undef(from)),
                    false => Source::Undef,
                };
                (from, source)
            });
            self.phis[phi].entries = entries.collect();
        }
        for &node in &data.reads {
            self.reads.push((variable, node, self.head_or_undef(node)));
        }
        for node in self.live.drain(..) {
            self.head[node.index()] = None;
        }
    }

    /// Walks from the reads against the edges, up to the definitions and the nodes where the
    /// variable is dead.
    fn find_live(&mut self, data: &VariableData<T>, definitions: &Definitions<T>, dead: impl Fn(Node) -> bool) {
        let mut stack: Vec<Node> = data.reads.clone();
        while let Some(node) = stack.pop() {
            if !self.cfg.is_reachable(node) || self.head[node.index()].is_some() {
                continue;
            }
            self.head[node.index()] = Some(Source::Undef);
            self.live.push(node);
            let passes = |from: &Node| definitions.after(*from, node).is_none() && !dead(*from);
            stack.extend(self.cfg.predecessors(node).filter(passes));
        }
    }

    fn head_or_undef(&self, node: Node) -> Source<T> {
        self.head[node.index()].unwrap_or(Source::Undef)
    }

    fn new_phi(&mut self, variable: Variable, node: Node) -> Phi {
        self.replaced.push(None);
        self.phis.push(PhiData { node, variable, entries: Vec::new() })
    }

    fn resolve(&self, mut source: Source<T>) -> Source<T> {
        while let Source::Phi(phi) = source {
            match self.replaced[phi.index()] {
                Some(next) => source = next,
                None => break,
            }
        }
        source
    }

    /// Replaces each phi that merges a single value by that value, and then the phis that this
    /// makes superfluous. A path without a definition may give any value, because no read observes
    /// it; it gives the phi's other value if that is visible there. A predecessor that is never
    /// reached gives no value.
    fn simplify(&mut self, dominance: &Dominance, above: impl Fn(T, Node) -> bool) {
        let mut users: Vec<Vec<Phi>> = vec![Vec::new(); self.phis.len()];
        for (phi, data) in self.phis.iter() {
            for &(_, source) in &data.entries {
                if let Source::Phi(used) = source
                    && used != phi
                {
                    users[used.index()].push(phi);
                }
            }
        }
        let mut work: Vec<Phi> = self.phis.keys().rev().collect();
        while let Some(phi) = work.pop() {
            if self.replaced[phi.index()].is_some() {
                continue;
            }
            let (mut only, mut several, mut undefined) = (None, false, false);
            for &(from, source) in &self.phis[phi].entries {
                match self.resolve(source) {
                    source if source == Source::Phi(phi) || !self.cfg.is_reachable(from) => {}
                    Source::Undef => undefined = true,
                    source => {
                        several |= only.is_some_and(|o| o != source);
                        only = Some(source);
                    }
                }
            }
            let node = self.phis[phi].node;
            let visible = !undefined
                || match only {
                    Some(Source::Definition(value)) => above(value, node),
                    Some(Source::Phi(other)) => {
                        let other = self.phis[other].node;
                        other != node && dominance.dominates(other, node)
                    }
                    Some(Source::Undef) | None => true,
                };
            if !several && visible {
                self.replaced[phi.index()] = Some(only.unwrap_or(Source::Undef));
                let freed = std::mem::take(&mut users[phi.index()]);
                if let Some(Source::Phi(now)) = only {
                    users[now.index()].extend(&freed);
                }
                work.extend(freed);
            }
        }
    }

    fn finish(self) -> Solution<T> {
        let mut kept = vec![None; self.phis.len()];
        let mut phis = PrimaryMap::new();
        let mut at: SecondaryMap<Node, Vec<Phi>> = SecondaryMap::filled(self.cfg.len(), Vec::new());
        for (phi, data) in self.phis.iter().filter(|(phi, _)| self.replaced[phi.index()].is_none()) {
            let new = phis.push(data.clone());
            kept[phi.index()] = Some(new);
            at[data.node].push(new);
        }
        let renumber = |source| match self.resolve(source) {
            Source::Phi(phi) => kept[phi.index()].map_or(Source::Undef, Source::Phi),
            other => other,
        };
        for data in phis.values_mut() {
            for (_, source) in &mut data.entries {
                *source = renumber(*source);
            }
        }
        let reads = self.reads.iter().map(|&(variable, node, source)| ((variable, node), renumber(source)));
        Solution { phis, at, reads: reads.collect() }
    }
}

/// The definitions of one variable, sorted for look-up.
struct Definitions<T> {
    inside: Vec<(Node, T)>,
    edges: Vec<(Node, Node, T)>,
}

impl<T: Copy> Definitions<T> {
    fn new(data: &VariableData<T>) -> Self {
        let (mut inside, mut edges) = (data.inside.clone(), data.edges.clone());
        inside.sort_by_key(|d| d.0);
        edges.sort_by_key(|d| (d.0, d.1));
        Self { inside, edges }
    }
    /// The last definition on the path from the head of `from` over one edge to the head of `to`.
    fn after(&self, from: Node, to: Node) -> Option<Source<T>> {
        let edge = self.edges.binary_search_by_key(&(from, to), |d| (d.0, d.1)).ok().and_then(|i| self.edges.get(i));
        let inside = || self.inside.binary_search_by_key(&from, |d| d.0).ok().and_then(|i| self.inside.get(i));
        edge.map(|d| d.2).or_else(|| inside().map(|d| d.1)).map(Source::Definition)
    }
}

/// Which nodes dominate which, in the structured graph.
pub type Dominance = Dominators<Node>;

/// The dominators of a layout.
pub fn dominance(layout: &Layout) -> Dominance {
    Dominators::new(&layout.cfg())
}
