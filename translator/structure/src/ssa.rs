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
use std::ops::Range;

use self::paths::{Blocks, Change, Frontiers, HeadValue, PHIS, SeenValue, VariableView};
pub use self::paths::{Dominance, dominance};

use crate::layout::{Layout, Node, Selector, SelectorValue};
use dxil_base::entity::{Entity, PrimaryMap};
use dxil_base::error::{Place, Result};
use dxil_base::limits;
use dxil_base::limits::Fuel;
use dxil_base::lists::{List, Lists, Pool};

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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PhiData<T> {
    /// The node at whose head it is.
    pub node: Node,
    /// The variable it merges.
    pub variable: Variable,
    /// Its entries, in [`Solution::entries`].
    pub entries: List<(Node, Source<T>)>,
}

/// The variables of one function, their definitions and reads.
#[derive(Clone, Debug)]
pub struct Problem<T> {
    /// For each variable whether it is like the one before.
    variables: Vec<bool>,
    inside: Vec<(Variable, (Node, T))>,
    edges: Vec<(Variable, (Node, Node, T))>,
    reads: Vec<(Variable, Node)>,
    memory: Memory<T>,
}

/// Memory of [`Problem::solve`]. Nothing of it is read before it is set.
#[derive(Clone, Debug)]
struct Memory<T> {
    inside: Lists<Variable, (Node, T)>,
    edges: Lists<Variable, (Node, Node, T)>,
    reads: Lists<Variable, Node>,
    replaced: Vec<Option<Source<T>>>,
    found: Vec<(Node, (Variable, Source<T>))>,
    solution: Solution<T>,
}

impl<T> Default for Memory<T> {
    fn default() -> Self {
        let (inside, edges, reads, solution) = Default::default();
        Self { inside, edges, reads, replaced: Vec::new(), found: Vec::new(), solution }
    }
}

impl<T> Default for Problem<T> {
    fn default() -> Self {
        let (variables, inside, edges, reads) = Default::default();
        Self { variables, inside, edges, reads, memory: Memory::default() }
    }
}

impl<T: Copy + Eq> Problem<T> {
    /// No variables yet.
    pub fn new() -> Self {
        Self::default()
    }
    /// A new variable.
    pub fn variable(&mut self) -> Variable {
        self.variables.push(false);
        Variable::new(self.variables.len() - 1)
    }
    /// A new variable that is like the last one: it is defined at the same places, read at the same
    /// nodes, and dead at the same nodes. So it has phis at the same nodes.
    pub fn variable_like_last(&mut self) -> Variable {
        self.variables.push(true);
        Variable::new(self.variables.len() - 1)
    }
    /// The variable gets a value inside a node, which the node's successors see. At most once per
    /// variable and node.
    pub fn define_inside(&mut self, variable: Variable, node: Node, value: T) {
        self.inside.push((variable, (node, value)));
    }
    /// The variable gets a value on an edge. At most once per variable and edge.
    pub fn define_on_edge(&mut self, variable: Variable, from: Node, to: Node, value: T) {
        self.edges.push((variable, (from, to, value)));
    }
    /// A selector as a variable, with all its definitions and reads.
    pub fn selector(&mut self, layout: &Layout, selector: Selector, value: impl Fn(SelectorValue) -> T) -> Variable {
        let variable = self.variable();
        for (node, data) in layout.nodes.iter() {
            for arc in data.exit.arcs() {
                for set in layout.sets[arc.sets].iter().filter(|set| set.0 == selector) {
                    self.define_on_edge(variable, node, arc.to, value(set.1));
                }
            }
            if data.exit.tests() == Some(selector) {
                self.read(variable, node);
            }
        }
        variable
    }
    /// Removes all variables. Their solution gives its memory to the next one.
    pub fn clear(&mut self, solution: Solution<T>) {
        self.variables.clear();
        self.inside.clear();
        self.edges.clear();
        self.reads.clear();
        self.memory.solution = solution;
    }
    /// The variable is read at the head of a node, before any definition inside that node.
    pub fn read(&mut self, variable: Variable, node: Node) {
        self.reads.push((variable, node));
    }
}

/// The phis, and the source that each read sees.
#[derive(Clone, Debug)]
pub struct Solution<T> {
    /// All phis; each is needed by a read.
    pub phis: PrimaryMap<Phi, PhiData<T>>,
    /// The entries of phis: predecessors, each with the source of its value.
    pub entries: Pool<(Node, Source<T>)>,
    at: Lists<Node, Phi>,
    reads: Lists<Node, (Variable, Source<T>)>,
}

impl<T> Default for Solution<T> {
    fn default() -> Self {
        Self { phis: PrimaryMap::new(), entries: Pool::default(), at: Lists::default(), reads: Lists::default() }
    }
}

impl<T> Solution<T> {
    /// Removes all phis and reads.
    fn clear(&mut self) {
        self.phis.clear();
        self.entries.clear();
        self.at.clear();
        self.reads.clear();
    }
}

impl<T: Copy + Eq> Solution<T> {
    /// The phis at the head of a node, by ascending variable.
    pub fn at(&self, node: Node) -> &[Phi] {
        &self.at[node]
    }
    /// The registered reads at the head of a node, each with the source that it sees, by ascending
    /// variable.
    pub fn reads(&self, node: Node) -> &[(Variable, Source<T>)] {
        &self.reads[node]
    }
    /// The source that a registered read sees; `Undef` if the read was not registered.
    pub fn read(&self, variable: Variable, node: Node) -> Source<T> {
        let reads = self.reads(node);
        reads.binary_search_by_key(&variable, |read| read.0).map_or(Source::Undef, |i| reads[i].1)
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
        &mut self,
        layout: &Layout,
        dominance: &Dominance,
        dead: impl Fn(Variable, Node) -> bool,
        above: impl Fn(T, Node) -> bool,
        fuel: &Fuel,
        at: Place,
    ) -> Result<Solution<T>> {
        if self.reads.is_empty() {
            self.memory.solution.clear();
            return Ok(std::mem::take(&mut self.memory.solution));
        }
        let count = self.variables.len();
        let Memory { mut inside, mut edges, mut reads, replaced, found, solution } = std::mem::take(&mut self.memory);
        inside.set(count, self.inside.iter().copied());
        edges.set(count, self.edges.iter().copied());
        reads.set(count, self.reads.iter().copied());
        let mut solver = SsaSolver::new(layout, dominance, fuel, at, solution);
        (solver.replaced, solver.reads) = (replaced, found);
        solver.replaced.clear();
        solver.reads.clear();
        for (variable, &like_last) in (0..).map(Variable::new).zip(&self.variables) {
            if reads[variable].is_empty() {
                continue;
            }
            inside[variable].sort_by_key(|d| d.0);
            edges[variable].sort_by_key(|d| (d.0, d.1));
            let definitions = Definitions { inside: &inside[variable], edges: &edges[variable] };
            solver.place(variable, like_last, &definitions, &reads[variable], |node| dead(variable, node))?;
        }
        solver.simplify(above)?;
        solver.check_size()?;
        self.memory = Memory { inside, edges, reads, ..Memory::default() };
        Ok(solver.finish(&mut self.memory))
    }
}

/// What the search for the phis of a variable needs.
struct Search {
    frontiers: Frontiers,
    blocks: Blocks,
}

struct SsaSolver<'a, T> {
    dominance: &'a Dominance,
    fuel: &'a Fuel,
    /// The place of errors.
    at: Place,
    layout: &'a Layout,
    /// What variables need whose phis are searched for. Most have none, or one where they are read.
    search: Option<Search>,
    solution: Solution<T>,
    /// The source that replaces a phi.
    replaced: Vec<Option<Source<T>>>,
    reads: Vec<(Node, (Variable, Source<T>))>,
    // By node, once a search has begun.
    /// The phi of the current variable.
    numbers: Vec<Option<Phi>>,
    /// The number of the last walk that found the variable live there.
    live: Vec<u32>,
    walks: u32,
    // Lists that are made for each variable that is not like the one before. Definitions have the
    // numbers that `Definitions::value` takes.
    /// The nodes where its value changes.
    changes: Vec<Change<usize>>,
    /// What its reads see.
    heads: Vec<SeenValue<usize>>,
    /// The nodes of its phis, each with the part of `seen` for the edges to it.
    wanted: Vec<(Node, Range<usize>)>,
    /// What is seen over edges, by predecessor.
    seen: Vec<(Node, SeenValue<usize>)>,
    /// Nodes that are still to be visited.
    stack: Vec<Node>,
}

impl<'a, T: Copy + Eq> SsaSolver<'a, T> {
    /// Nothing is found. The solution goes into the memory of another one.
    fn new(layout: &'a Layout, dominance: &'a Dominance, fuel: &'a Fuel, at: Place, mut solution: Solution<T>) -> Self {
        let (replaced, reads, numbers, live) = Default::default();
        let (changes, heads, wanted, seen, stack) = Default::default();
        solution.clear();
        Self {
            dominance,
            fuel,
            at,
            layout,
            search: None,
            solution,
            replaced,
            reads,
            numbers,
            live,
            walks: 0,
            changes,
            heads,
            wanted,
            seen,
            stack,
        }
    }

    /// Puts phis where definitions of the variable meet, if a read needs them.
    /// [`simplify`](Self::simplify) removes those that merge a single value.
    fn place(
        &mut self,
        variable: Variable,
        like_last: bool,
        definitions: &Definitions<'_, T>,
        reads: &[Node],
        dead: impl Fn(Node) -> bool,
    ) -> Result<()> {
        // Most block parameters are read where the edges that define them end.
        if let &[node] = reads
            && self.place_near(variable, node, definitions)?
        {
            return Ok(());
        }
        if like_last {
            self.wanted.iter().try_for_each(|(_, places)| self.charge_phi(places.len()))?;
        } else {
            self.find_phis(definitions, reads, dead)?;
        }
        self.put_phis(variable, definitions, reads);
        Ok(())
    }

    /// Finds the phis that the reads of a variable need, and what those and the reads see.
    fn find_phis(
        &mut self,
        definitions: &Definitions<'_, T>,
        reads: &[Node],
        dead: impl Fn(Node) -> bool,
    ) -> Result<()> {
        let mut search = match self.search.take() {
            Some(search) => search,
            None => {
                let count = self.layout.nodes.len();
                (self.numbers, self.live) = (vec![None; count], vec![0; count]);
                Search {
                    frontiers: Frontiers::new(self.layout, self.dominance, self.fuel, self.at)?,
                    blocks: Blocks::new(self.layout, &self.dominance.dominators),
                }
            }
        };
        self.find_changes(&mut search.frontiers, definitions, reads);
        self.fuel.steps(self.at, PHIS, self.changes.len() + reads.len())?;
        let steps = Cell::new(0);
        let (dominators, blocks, changes) = (&self.dominance.dominators, &search.blocks, self.changes.as_slice());
        let view = VariableView { dominators, blocks, changes, dead, steps: &steps };
        self.heads.clear();
        for &node in reads {
            self.heads.push(view.head(node));
            self.fuel.steps(self.at, PHIS, steps.take())?;
        }
        // The phis that a read needs, each with the sources of its entries.
        self.wanted.clear();
        self.seen.clear();
        self.stack.clear();
        self.stack.extend(self.heads.iter().filter_map(|seen| seen.phi()));
        while let Some(node) = self.stack.pop() {
            if self.numbers[node.index()].replace(Phi::new(0)).is_some() {
                continue;
            }
            let predecessors = &self.dominance.predecessors[node];
            self.charge_phi(predecessors.len())?;
            let first = self.seen.len();
            self.seen.extend(predecessors.iter().map(|&from| {
                let seen = match definitions.on_edge(from, node) {
                    _ if !self.dominance.is_reachable(from) => SeenValue::Undef,
                    Some(number) => SeenValue::Definition(number),
                    None => view.end(from),
                };
                (from, seen)
            }));
            self.fuel.steps(self.at, PHIS, steps.take())?;
            self.stack.extend(self.seen[first..].iter().filter_map(|entry| entry.1.phi()));
            self.wanted.push((node, first..self.seen.len()));
        }
        self.wanted.sort_unstable_by_key(|(node, _)| *node);
        for (node, _) in &self.wanted {
            self.numbers[node.index()] = None;
        }
        self.search = Some(search);
        Ok(())
    }

    /// Makes the phis that were found for a variable, and sets what its reads see.
    fn put_phis(&mut self, variable: Variable, definitions: &Definitions<'_, T>, reads: &[Node]) {
        for &(node, _) in &self.wanted {
            self.numbers[node.index()] =
                Some(self.solution.phis.push(PhiData { node, variable, entries: List::EMPTY }));
            self.replaced.push(None);
        }
        let source = |seen: SeenValue<usize>| match seen {
            SeenValue::Definition(number) => definitions.value(number).map_or(Source::Undef, Source::Definition),
            SeenValue::Phi(node) => self.numbers[node.index()].map_or(Source::Undef, Source::Phi),
            SeenValue::Undef => Source::Undef,
        };
        for (node, places) in &self.wanted {
            if let Some(phi) = self.numbers[node.index()] {
                let seen = self.seen[places.clone()].iter();
                self.solution.phis[phi].entries =
                    self.solution.entries.extend(seen.map(|&(from, seen)| (from, source(seen))));
            }
        }
        self.reads.extend(reads.iter().zip(&self.heads).map(|(&node, &seen)| (node, (variable, source(seen)))));
        for (node, _) in &self.wanted {
            self.numbers[node.index()] = None;
        }
    }

    /// Does the same for a variable that is read at one node only, if it is defined near all edges
    /// to that node or to the loop header above it.
    fn place_near(&mut self, variable: Variable, node: Node, definitions: &Definitions<'_, T>) -> Result<bool> {
        let (dominance, layout) = (self.dominance, self.layout);
        let is_header =
            |&&above: &&Node| layout.nodes[above].origin.is_none() && definitions.on_edge(above, node).is_none();
        let above = match &dominance.predecessors[node] {
            [above] => Some(above).filter(is_header),
            _ => None,
        };
        let at = above.copied().unwrap_or(node);
        // The definition on an edge, or on the only edge to the continue target that it leaves.
        let near = |from: Node| {
            definitions.on_edge(from, at).or_else(|| match dominance.predecessors[from] {
                [before] if layout.nodes[from].origin.is_none() && !definitions.is_inside(from) => {
                    definitions.on_edge(before, from)
                }
                _ => None,
            })
        };
        let predecessors = &dominance.predecessors[at];
        if definitions.is_inside(at) && at != node || predecessors.iter().any(|&from| near(from).is_none()) {
            return Ok(false);
        }
        self.charge_phi(predecessors.len())?;
        let mut entries = predecessors.iter().map(|&from| {
            let value =
                near(from).filter(|_| dominance.is_reachable(from)).and_then(|number| definitions.value(number));
            (from, value.map_or(Source::Undef, Source::Definition))
        });
        let source = match dominance.reachable_predecessors(at).count() {
            0 => Source::Undef,
            1 => entries.find(|(_, source)| *source != Source::Undef).map_or(Source::Undef, |entry| entry.1),
            _ => {
                let entries = self.solution.entries.extend(entries);
                self.replaced.push(None);
                Source::Phi(self.solution.phis.push(PhiData { node: at, variable, entries }))
            }
        };
        self.reads.push((node, (variable, source)));
        Ok(true)
    }

    fn charge_phi(&self, entries: usize) -> Result<()> {
        self.fuel.steps(self.at, PHIS, entries)?;
        // An entry as it is found, in the phi and in the solution, and the user of its source.
        self.fuel.items::<((Node, SeenValue<usize>), [(Node, Source<T>); 2], Phi)>(self.at, PHIS, entries)
    }

    /// Finds the nodes where the value of a variable changes: those with definitions, and those
    /// where several definitions meet.
    fn find_changes(&mut self, frontiers: &mut Frontiers, definitions: &Definitions<'_, T>, reads: &[Node]) {
        let near = self.live(definitions, reads);
        self.changes.clear();
        self.stack.clear();
        for (number, &(node, _)) in definitions.inside.iter().enumerate().filter(|d| self.dominance.is_reachable(d.1.0))
        {
            self.stack.push(node);
            self.changes.push(Change::new(node, None, Some(number)));
        }
        let edges = (definitions.inside.len()..).zip(definitions.edges);
        for (number, &(from, to, _)) in edges.filter(|d| self.dominance.is_reachable(d.1.0)) {
            self.stack.push(to);
            let only = self.dominance.reachable_predecessors(to).all(|other| other == from);
            let head = if only { HeadValue::Definition(number) } else { HeadValue::Phi };
            self.changes.push(Change::new(to, Some(head), None));
        }
        let (live, walk) = (&self.live, self.walks);
        let wanted = |node: Node| !near || live[node.index()] == walk;
        let met = |node| self.changes.push(Change::new(node, Some(HeadValue::Phi), None));
        frontiers.iterated(&mut self.stack, wanted, met);
        Change::sort(&mut self.changes, &self.dominance.dominators);
    }

    /// Marks the nodes at whose heads the variable is live, if there are not many more of them than
    /// there are definitions and reads. Otherwise the result is false.
    ///
    /// A selector is live in a few nodes only, but its definitions meet in every construct around
    /// them.
    fn live(&mut self, definitions: &Definitions<'_, T>, reads: &[Node]) -> bool {
        self.walks += 1;
        let mut left = 32 + 4 * (definitions.inside.len() + definitions.edges.len() + reads.len());
        self.stack.clear();
        self.stack.extend(reads);
        while let Some(node) = self.stack.pop() {
            if std::mem::replace(&mut self.live[node.index()], self.walks) == self.walks {
                continue;
            }
            for &from in &self.dominance.predecessors[node] {
                let Some(less) = left.checked_sub(1) else { return false };
                left = less;
                if definitions.on_edge(from, node).is_none() && !definitions.is_inside(from) {
                    self.stack.push(from);
                }
            }
        }
        true
    }

    /// Replaces each phi that merges a single value by that value, and then the phis that this
    /// makes superfluous. A path without a definition may give any value, because no read observes
    /// it; it gives the phi's other value if that is visible there. A predecessor that is never
    /// reached gives no value.
    fn simplify(&mut self, above: impl Fn(T, Node) -> bool) -> Result<()> {
        // They are found for the first phi that is replaced; most functions have none.
        let mut users: Option<Vec<Vec<Phi>>> = None;
        let mut work: Vec<Phi> = self.solution.phis.keys().rev().collect();
        while let Some(phi) = work.pop() {
            if self.replaced[phi.index()].is_some() {
                continue;
            }
            let PhiData { node, entries, .. } = self.solution.phis[phi];
            self.fuel.steps(self.at, PHIS, entries.len())?;
            let (mut only, mut several, mut undefined) = (None, false, false);
            for &(from, source) in &self.solution.entries[entries] {
                match resolve(&mut self.replaced, source) {
                    source if source == Source::Phi(phi) || !self.dominance.is_reachable(from) => {}
                    Source::Undef => undefined = true,
                    source => {
                        several |= only.is_some_and(|o| o != source);
                        only = Some(source);
                    }
                }
            }
            let visible = !undefined
                || match only {
                    Some(Source::Definition(value)) => above(value, node),
                    Some(Source::Phi(other)) => {
                        let other = self.solution.phis[other].node;
                        other != node && self.dominance.dominates(other, node)
                    }
                    Some(Source::Undef) | None => true,
                };
            if !several && visible {
                self.replaced[phi.index()] = Some(only.unwrap_or(Source::Undef));
                let users = users.get_or_insert_with(|| self.users());
                let freed = std::mem::take(&mut users[phi.index()]);
                if let Some(Source::Phi(now)) = only {
                    users[now.index()].extend(&freed);
                }
                work.extend(freed);
            }
        }
        Ok(())
    }

    /// By phi: the other phis that have it as an entry.
    fn users(&self) -> Vec<Vec<Phi>> {
        let mut users = vec![Vec::new(); self.solution.phis.len()];
        for (phi, data) in self.solution.phis.iter() {
            for &(_, source) in &self.solution.entries[data.entries] {
                if let Source::Phi(used) = source
                    && used != phi
                {
                    users[used.index()].push(phi);
                }
            }
        }
        users
    }

    /// A phi that is left is written with all of its entries.
    fn check_size(&self) -> Result<()> {
        let kept = self.solution.phis.iter().filter(|(phi, _)| self.replaced[phi.index()].is_none());
        let most = kept.map(|(_, data)| data.entries.len()).max().unwrap_or(0);
        limits::check(self.at, "predecessors of a phi", most, limits::SPIRV_PHI_PREDECESSORS)
    }

    /// The solution. Memory for the next one is left.
    fn finish(self, memory: &mut Memory<T>) -> Solution<T> {
        let Self { layout, mut solution, mut replaced, mut reads, .. } = self;
        let Solution { phis, entries, at, reads: by_node } = &mut solution;
        if replaced.iter().any(Option::is_some) {
            let mut kept = vec![None; phis.len()];
            let all = std::mem::take(phis);
            for (phi, &data) in all.iter().filter(|(phi, _)| replaced[phi.index()].is_none()) {
                kept[phi.index()] = Some(phis.push(data));
            }
            let mut renumber = |source: &mut Source<T>| {
                *source = match resolve(&mut replaced, *source) {
                    Source::Phi(phi) => kept[phi.index()].map_or(Source::Undef, Source::Phi),
                    other => other,
                }
            };
            for data in phis.values() {
                entries[data.entries].iter_mut().for_each(|entry| renumber(&mut entry.1));
            }
            reads.iter_mut().for_each(|(_, read)| renumber(&mut read.1));
        }
        at.set(layout.nodes.len(), phis.iter().map(|(phi, data)| (data.node, phi)));
        by_node.set(layout.nodes.len(), reads.iter().copied());
        (memory.replaced, memory.found) = (replaced, reads);
        solution
    }
}

/// What a source is after phis have been replaced.
#[inline]
fn resolve<T: Copy>(replaced: &mut [Option<Source<T>>], source: Source<T>) -> Source<T> {
    match source {
        Source::Phi(_) => resolve_phi(replaced, source),
        Source::Definition(_) | Source::Undef => source,
    }
}

fn resolve_phi<T: Copy>(replaced: &mut [Option<Source<T>>], source: Source<T>) -> Source<T> {
    let mut end = source;
    while let Source::Phi(phi) = end {
        match replaced[phi.index()] {
            Some(next) => end = next,
            None => break,
        }
    }
    // Later walks over the chain are short.
    let mut at = source;
    while let Source::Phi(phi) = at {
        match &mut replaced[phi.index()] {
            Some(next) => at = std::mem::replace(next, end),
            None => break,
        }
    }
    end
}

/// The definitions of one variable, sorted for look-up.
struct Definitions<'a, T> {
    inside: &'a [(Node, T)],
    edges: &'a [(Node, Node, T)],
}

impl<T: Copy> Definitions<'_, T> {
    /// Whether there is a definition inside a node.
    fn is_inside(&self, node: Node) -> bool {
        self.inside.binary_search_by_key(&node, |d| d.0).is_ok()
    }
    /// The number of the definition on an edge.
    fn on_edge(&self, from: Node, to: Node) -> Option<usize> {
        let edge = self.edges.binary_search_by_key(&(from, to), |d| (d.0, d.1)).ok();
        edge.map(|edge| self.inside.len() + edge)
    }
    /// The value of a definition: those inside nodes have the first numbers.
    fn value(&self, number: usize) -> Option<T> {
        match number.checked_sub(self.inside.len()) {
            None => self.inside.get(number).map(|d| d.1),
            Some(edge) => self.edges.get(edge).map(|d| d.2),
        }
    }
}
