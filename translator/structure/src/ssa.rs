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

mod paths;
#[cfg(test)]
mod tests;

use std::cell::Cell;

use foldhash::HashMap;

use self::paths::{Blocks, Change, Frontiers, HeadValue, PHIS, SeenValue, VariableView};
pub use self::paths::{Dominance, dominance};

use crate::analysis::Cfg;
use crate::layout::{Layout, Node, Selector, SelectorValue};
use dxil_base::entity::{Entity, PrimaryMap, SecondaryMap};
use dxil_base::error::{Place, Result};
use dxil_base::limits;
use dxil_base::limits::Fuel;

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
    reads: HashMap<(Variable, Node), Source<T>>,
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
    /// A variable costs what its definitions, their iterated dominance frontiers, and the entries
    /// of its phis cost. The nodes in between cost nothing, so a variable may be live in many
    /// nodes.
    ///
    /// `dead` tells whether a variable is dead at the head of a node with an original block, except
    /// for a read right there: a value from before such a node is undefined after it. If it is dead
    /// at a node, it must be dead at all nodes with an original block that dominate this one, or
    /// values from before it may be kept. `above` tells whether a definition's value is computed in
    /// a node that strictly dominates the given one, so that it is visible there and the same at
    /// the end of all its predecessors. `dominance` is that of the layout. `fuel` is charged; `at`
    /// is the place of its errors.
    ///
    /// # Errors
    /// `Limit` if the phis cost more than the budget.
    pub fn solve(
        &self,
        layout: &Layout,
        dominance: &Dominance,
        dead: impl Fn(Variable, Node) -> bool,
        above: impl Fn(T, Node) -> bool,
        fuel: &Fuel,
        at: Place,
    ) -> Result<Solution<T>> {
        let mut solver = SsaSolver::new(layout, dominance, fuel, at)?;
        for (variable, data) in self.variables.iter() {
            if !data.reads.is_empty() {
                solver.place(variable, data, |node| dead(variable, node))?;
            }
        }
        solver.simplify(above)?;
        solver.check_size()?;
        Ok(solver.finish())
    }
}

/// What is seen over each edge to a node, by predecessor.
type SeenByEdge<T> = Vec<(Node, SeenValue<T>)>;

struct SsaSolver<'a, T> {
    cfg: Cfg<Node>,
    fuel: &'a Fuel,
    /// The place of errors.
    at: Place,
    dominance: &'a Dominance,
    frontiers: Frontiers,
    blocks: Blocks,
    /// All predecessors, including unreachable ones: a phi needs an entry for each.
    predecessors: Vec<Vec<Node>>,
    /// Place in reverse postorder.
    order: Vec<u32>,
    phis: PrimaryMap<Phi, PhiData<T>>,
    /// The source that replaces a phi.
    replaced: Vec<Option<Source<T>>>,
    reads: Vec<(Variable, Node, Source<T>)>,
    /// By node: the phi of the current variable.
    numbers: Vec<Option<Phi>>,
    /// By node: the number of the last walk that found the variable live there.
    live: Vec<u32>,
    walks: u32,
}

impl<'a, T: Copy + Eq> SsaSolver<'a, T> {
    fn new(layout: &Layout, dominance: &'a Dominance, fuel: &'a Fuel, at: Place) -> Result<Self> {
        let cfg = layout.cfg();
        let mut predecessors = vec![Vec::new(); layout.nodes.len()];
        for node in layout.nodes.keys() {
            for to in cfg.successors(node) {
                predecessors[to.index()].push(node);
            }
        }
        let mut order = vec![u32::MAX; cfg.len()];
        for (i, node) in cfg.postorder().rev().enumerate() {
            order[node.index()] = i as u32;
        }
        let frontiers = Frontiers::new(&cfg, dominance, fuel, at)?;
        let blocks = Blocks::new(layout, &cfg, dominance);
        let numbers = vec![None; cfg.len()];
        let live = vec![0; cfg.len()];
        let (phis, replaced, reads) = Default::default();
        Ok(Self {
            cfg,
            fuel,
            at,
            dominance,
            frontiers,
            blocks,
            predecessors,
            order,
            phis,
            replaced,
            reads,
            numbers,
            live,
            walks: 0,
        })
    }

    /// Puts phis where definitions of the variable meet, if a read needs them.
    /// [`simplify`](Self::simplify) removes those that merge a single value.
    fn place(&mut self, variable: Variable, data: &VariableData<T>, dead: impl Fn(Node) -> bool) -> Result<()> {
        let definitions = Definitions::new(data);
        let changes = self.changes(&definitions, &data.reads);
        self.fuel.steps(self.at, PHIS, changes.len() + data.reads.len())?;
        let steps = Cell::new(0);
        let sight =
            VariableView { dominance: self.dominance, blocks: &self.blocks, changes: &changes, dead, steps: &steps };
        let mut reads: Vec<(Node, SeenValue<T>)> = Vec::with_capacity(data.reads.len());
        for &node in &data.reads {
            reads.push((node, sight.head(node)));
            self.fuel.steps(self.at, PHIS, steps.take())?;
        }
        // The phis that a read needs, each with the sources of its entries.
        let mut wanted: Vec<(Node, SeenByEdge<T>)> = Vec::new();
        let mut stack: Vec<SeenValue<T>> = reads.iter().map(|read| read.1).collect();
        while let Some(seen) = stack.pop() {
            let SeenValue::Phi(node) = seen else { continue };
            if self.numbers[node.index()].replace(Phi::new(0)).is_some() {
                continue;
            }
            let count = self.predecessors[node.index()].len();
            self.fuel.steps(self.at, PHIS, count)?;
            // An entry as it is found, in the phi and in the solution, and the user of its source.
            self.fuel.items::<((Node, SeenValue<T>), [(Node, Source<T>); 2], Phi)>(self.at, PHIS, count)?;
            let entries = self.predecessors[node.index()].iter().map(|&from| {
                let seen = match definitions.on_edge(from, node) {
                    _ if !self.cfg.is_reachable(from) => SeenValue::Undef,
                    Some(value) => SeenValue::Definition(value),
                    None => sight.end(from),
                };
                (from, seen)
            });
            let entries: SeenByEdge<T> = entries.collect();
            self.fuel.steps(self.at, PHIS, steps.take())?;
            stack.extend(entries.iter().map(|entry| entry.1));
            wanted.push((node, entries));
        }
        wanted.sort_unstable_by_key(|(node, _)| self.order[node.index()]);
        for &(node, _) in &wanted {
            self.numbers[node.index()] = Some(self.phis.push(PhiData { node, variable, entries: Vec::new() }));
            self.replaced.push(None);
        }
        let source = |seen: SeenValue<T>| match seen {
            SeenValue::Definition(value) => Source::Definition(value),
            SeenValue::Phi(node) => self.numbers[node.index()].map_or(Source::Undef, Source::Phi),
            SeenValue::Undef => Source::Undef,
        };
        for (node, entries) in &wanted {
            if let Some(phi) = self.numbers[node.index()] {
                self.phis[phi].entries = entries.iter().map(|&(from, seen)| (from, source(seen))).collect();
            }
        }
        self.reads.extend(reads.iter().map(|&(node, seen)| (variable, node, source(seen))));
        for (node, _) in wanted {
            self.numbers[node.index()] = None;
        }
        Ok(())
    }

    /// The nodes where the value of a variable changes: those with definitions, and those where
    /// several definitions meet.
    fn changes(&mut self, definitions: &Definitions<T>, reads: &[Node]) -> Vec<Change<T>> {
        let mut changes: Vec<Change<T>> = Vec::new();
        let mut roots = Vec::new();
        for &(node, value) in definitions.inside.iter().filter(|d| self.cfg.is_reachable(d.0)) {
            roots.push(node);
            changes.push(Change::new(node, None, Some(value)));
        }
        for &(from, to, value) in definitions.edges.iter().filter(|d| self.cfg.is_reachable(d.0)) {
            roots.push(to);
            let only = self.cfg.predecessors(to).all(|other| other == from);
            let head = if only { HeadValue::Definition(value) } else { HeadValue::Phi };
            changes.push(Change::new(to, Some(head), None));
        }
        let near = self.live(definitions, reads);
        let (live, walk) = (&self.live, self.walks);
        let met = self.frontiers.iterated(&roots, |node| !near || live[node.index()] == walk);
        changes.extend(met.into_iter().map(|node| Change::new(node, Some(HeadValue::Phi), None)));
        Change::sort(&mut changes, self.dominance);
        changes
    }

    /// Marks the nodes at whose heads the variable is live, if there are not many more of them than
    /// there are definitions and reads. Otherwise the result is false.
    ///
    /// A selector is live in a few nodes only, but its definitions meet in every construct around
    /// them.
    fn live(&mut self, definitions: &Definitions<T>, reads: &[Node]) -> bool {
        self.walks += 1;
        let mut left = 32 + 4 * (definitions.inside.len() + definitions.edges.len() + reads.len());
        let mut stack = reads.to_vec();
        while let Some(node) = stack.pop() {
            if std::mem::replace(&mut self.live[node.index()], self.walks) == self.walks {
                continue;
            }
            for &from in &self.predecessors[node.index()] {
                let Some(less) = left.checked_sub(1) else { return false };
                left = less;
                if definitions.on_edge(from, node).is_none() && !definitions.is_inside(from) {
                    stack.push(from);
                }
            }
        }
        true
    }

    fn resolve(&mut self, source: Source<T>) -> Source<T> {
        let mut end = source;
        while let Source::Phi(phi) = end {
            match self.replaced[phi.index()] {
                Some(next) => end = next,
                None => break,
            }
        }
        // Later walks over the chain are short.
        let mut at = source;
        while let Source::Phi(phi) = at {
            match &mut self.replaced[phi.index()] {
                Some(next) => at = std::mem::replace(next, end),
                None => break,
            }
        }
        end
    }

    /// Replaces each phi that merges a single value by that value, and then the phis that this
    /// makes superfluous. A path without a definition may give any value, because no read observes
    /// it; it gives the phi's other value if that is visible there. A predecessor that is never
    /// reached gives no value.
    fn simplify(&mut self, above: impl Fn(T, Node) -> bool) -> Result<()> {
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
            self.fuel.steps(self.at, PHIS, self.phis[phi].entries.len())?;
            let (mut only, mut several, mut undefined) = (None, false, false);
            for i in 0..self.phis[phi].entries.len() {
                let (from, source) = self.phis[phi].entries[i];
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
                        other != node && self.dominance.dominates(other, node)
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
        Ok(())
    }

    /// A phi that is left is written with all of its entries.
    fn check_size(&self) -> Result<()> {
        let kept = self.phis.iter().filter(|(phi, _)| self.replaced[phi.index()].is_none());
        let most = kept.map(|(_, data)| data.entries.len()).max().unwrap_or(0);
        limits::check(self.at, "predecessors of a phi", most, limits::SPIRV_PHI_PREDECESSORS)
    }

    fn finish(mut self) -> Solution<T> {
        let reads = std::mem::take(&mut self.reads);
        let mut kept = vec![None; self.phis.len()];
        let mut phis = PrimaryMap::new();
        let mut at: SecondaryMap<Node, Vec<Phi>> = SecondaryMap::filled(self.cfg.len(), Vec::new());
        for (phi, data) in self.phis.iter().filter(|(phi, _)| self.replaced[phi.index()].is_none()) {
            let new = phis.push(data.clone());
            kept[phi.index()] = Some(new);
            at[data.node].push(new);
        }
        let mut renumber = |source| match self.resolve(source) {
            Source::Phi(phi) => kept[phi.index()].map_or(Source::Undef, Source::Phi),
            other => other,
        };
        for data in phis.values_mut() {
            for (_, source) in &mut data.entries {
                *source = renumber(*source);
            }
        }
        let reads = reads.into_iter().map(|(variable, node, source)| ((variable, node), renumber(source)));
        let reads = reads.collect();
        Solution { phis, at, reads }
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
    /// Whether there is a definition inside a node.
    fn is_inside(&self, node: Node) -> bool {
        self.inside.binary_search_by_key(&node, |d| d.0).is_ok()
    }
    /// The definition on an edge.
    fn on_edge(&self, from: Node, to: Node) -> Option<T> {
        let edge = self.edges.binary_search_by_key(&(from, to), |d| (d.0, d.1)).ok();
        edge.and_then(|i| self.edges.get(i)).map(|d| d.2)
    }
}
