//! Checks a layout against the structured control-flow rules of SPIR-V.
//!
//! In: [`Layout`]. Out: the rules that it breaks, as text. The rules are those of the SPIR-V
//! specification, section 2.11 "Structured Control Flow", with the stricter form that the
//! SPV_KHR_maximal_reconvergence extension requires of branches. They are written here from their
//! definitions (structural dominance, constructs as sets of blocks), not from how `lower` makes
//! layouts. This makes them slow, so they serve tests and the search for faults.

use crate::analysis::{Cfg, Dominators};
use crate::layout::{Exit, Layout, Merge, Node};
use dxil_base::entity::{Entity, EntitySet};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ConstructKind {
    Selection,
    Switch,
    Loop,
    Continue,
}

/// A construct: the nodes that its head structurally dominates, without those that its merge (and
/// for a loop, its continue target) dominates.
struct Construct {
    kind: ConstructKind,
    head: Node,
    merge: Node,
    continuing: Option<Node>,
    members: EntitySet<Node>,
}

/// The rules that a layout breaks; empty for a layout that may be written.
pub fn broken_rules(layout: &Layout) -> Vec<String> {
    let mut broken = Vec::new();
    let count = layout.nodes.len();
    let structural = Cfg::<Node>::new(count, |node, out| {
        let data = &layout.nodes[node];
        out.extend(data.exit.arcs().iter().map(|arc| arc.to));
        match data.merge {
            Merge::None => {}
            Merge::Selection(merge) => out.push(merge),
            Merge::Loop { merge, continuing, .. } => out.extend([merge, continuing]),
        }
    });
    let dominators = Dominators::new(&structural);
    for (node, data) in layout.nodes.iter() {
        for arc in data.exit.arcs() {
            if arc.to.index() >= count || arc.to == layout.entry() {
                broken.push(format!("{node} goes to {}, which does not exist or is the entry", arc.to));
                return broken;
            }
        }
        if !structural.is_reachable(node) {
            broken.push(format!("{node} is not structurally reachable"));
        }
        if dominators.immediate(node).is_some_and(|above| above >= node) {
            broken.push(format!("{node} stands before its dominator"));
        }
    }
    let mut constructs = constructs(layout, &dominators);
    constructs.sort_by_key(|construct| construct.members.iter().count());
    let mut predecessors = vec![Vec::new(); count];
    for (node, data) in layout.nodes.iter().filter(|(node, _)| structural.is_reachable(*node)) {
        data.exit.arcs().iter().for_each(|arc| predecessors[arc.to.index()].push(node));
    }
    let innermost = |kinds: &[ConstructKind]| -> Vec<Option<usize>> {
        let around = |node| constructs.iter().position(|c| kinds.contains(&c.kind) && c.members.contains(node));
        layout.nodes.keys().map(around).collect()
    };
    let loops = innermost(&[ConstructKind::Loop, ConstructKind::Continue]);
    let switches = innermost(&[ConstructKind::Switch]);
    Rules { layout, dominators: &dominators, constructs: &constructs, predecessors, loops, switches, broken }.check()
}

fn constructs(layout: &Layout, dominators: &Dominators<Node>) -> Vec<Construct> {
    let set = |head: Node, without: &[Node]| {
        let inside = |n: Node| dominators.dominates(head, n) && !without.iter().any(|&w| dominators.dominates(w, n));
        let mut members = EntitySet::new();
        layout.nodes.keys().filter(|&n| inside(n)).for_each(|n| {
            members.insert(n);
        });
        members
    };
    let mut constructs = Vec::new();
    for (head, data) in layout.nodes.iter() {
        match data.merge {
            Merge::None => {}
            Merge::Selection(merge) => {
                let kind = if matches!(data.exit, Exit::Switch { .. }) {
                    ConstructKind::Switch
                } else {
                    ConstructKind::Selection
                };
                constructs.push(Construct { kind, head, merge, continuing: None, members: set(head, &[merge]) });
            }
            Merge::Loop { merge, continuing, .. } => {
                let members = set(head, &[merge, continuing]);
                constructs.push(Construct {
                    kind: ConstructKind::Loop,
                    head,
                    merge,
                    continuing: Some(continuing),
                    members,
                });
                let members = set(continuing, &[merge]);
                constructs.push(Construct {
                    kind: ConstructKind::Continue,
                    head: continuing,
                    merge,
                    continuing: None,
                    members,
                });
            }
        }
    }
    constructs
}

struct Rules<'a> {
    layout: &'a Layout,
    dominators: &'a Dominators<Node>,
    /// Sorted by size, smallest first.
    constructs: &'a [Construct],
    predecessors: Vec<Vec<Node>>,
    /// By node: the innermost loop or continue construct, and the innermost switch.
    loops: Vec<Option<usize>>,
    switches: Vec<Option<usize>>,
    broken: Vec<String>,
}

impl Rules<'_> {
    fn check(mut self) -> Vec<String> {
        self.headers();
        self.exits_and_entries();
        self.branches();
        self.cases();
        self.broken
    }

    fn predecessors(&self, node: Node) -> &[Node] {
        self.predecessors.get(node.index()).map_or(&[], Vec::as_slice)
    }

    /// The innermost loop or continue construct around a node.
    fn loop_around(&self, node: Node) -> Option<&Construct> {
        self.loops.get(node.index()).copied().flatten().and_then(|i| self.constructs.get(i))
    }

    /// The innermost switch around a node, if no loop lies between the two.
    fn switch_around(&self, node: Node) -> Option<&Construct> {
        let switch = self.switches.get(node.index()).copied().flatten().and_then(|i| self.constructs.get(i));
        switch.filter(|s| self.loop_around(node).is_none_or(|l| l.members.contains(s.head)))
    }

    /// Rule: merge and continue targets are used once, and their header dominates them; a loop has
    /// one back edge, from its continue construct.
    fn headers(&mut self) {
        let mut used = EntitySet::new();
        for construct in self.constructs {
            let Construct { kind, head, merge, .. } = construct;
            if *kind == ConstructKind::Continue {
                if !used.insert(*head) {
                    self.broken.push(format!("{head} is the continue target of two loops, or a merge as well"));
                }
                continue;
            }
            if !used.insert(*merge) {
                self.broken.push(format!("{merge} is the merge of two headers"));
            }
            if head == merge || !self.dominators.dominates(*head, *merge) {
                self.broken.push(format!("{head} does not dominate its merge {merge}"));
            }
            if let Some(continuing) = construct.continuing {
                let data = &self.layout.nodes[*head];
                if data.origin.is_some() || !matches!(data.exit, Exit::Jump(_)) {
                    self.broken.push(format!("loop header {head} does more than jump"));
                }
                let back: Vec<Node> =
                    self.predecessors(*head).iter().copied().filter(|&p| self.dominators.dominates(*head, p)).collect();
                let from_continue = |n: &Node| self.dominators.dominates(continuing, *n);
                if back.len() != 1 || !back.iter().all(from_continue) {
                    self.broken
                        .push(format!("loop header {head} has back edges from {back:?}, continue target {continuing}"));
                }
            }
        }
        for node in self.layout.nodes.keys() {
            let is_loop = matches!(self.layout.nodes[node].merge, Merge::Loop { .. });
            let back = |p: &Node| self.dominators.dominates(node, *p);
            if !is_loop && self.predecessors(node).iter().any(back) {
                self.broken.push(format!("an edge goes back to {node}, which is not a loop header"));
            }
        }
    }

    /// Rule: a construct is entered at its head, and left to its merge, the innermost loop's merge
    /// or continue target, or the innermost switch's merge.
    fn exits_and_entries(&mut self) {
        let mut broken = Vec::new();
        for (from, data) in self.layout.nodes.iter() {
            let (innermost_loop, switch) = (self.loop_around(from), self.switch_around(from));
            for to in data.exit.arcs().iter().map(|arc| arc.to) {
                for construct in self.constructs {
                    let (inside, stays) = (construct.members.contains(from), construct.members.contains(to));
                    if !inside && stays && to != construct.head {
                        broken.push(format!("{from} enters the construct of {} at {to}", construct.head));
                    }
                    if !inside || stays {
                        continue;
                    }
                    let own = to == construct.merge || construct.continuing == Some(to);
                    let of_loop = innermost_loop.is_some_and(|l| to == l.merge || l.continuing == Some(to));
                    let of_switch = switch.is_some_and(|s| to == s.merge);
                    let allowed = match construct.kind {
                        ConstructKind::Selection => own || of_loop || of_switch,
                        ConstructKind::Switch => own || of_loop,
                        ConstructKind::Loop => own,
                        // A continue construct is also left by the back edge.
                        ConstructKind::Continue => own || self.dominators.dominates(to, construct.head),
                    };
                    if !allowed {
                        broken.push(format!("{from} leaves the {:?} of {} to {to}", construct.kind, construct.head));
                    }
                }
            }
        }
        self.broken.extend(broken);
    }

    /// Rules: edges of one branch have different targets; a branch without a merge instruction has
    /// at most one target that is not an exit of the innermost loop or switch; only heads, merges,
    /// continue targets and switch targets have several predecessors; a node without predecessors
    /// is an empty `OpUnreachable` or a continue target.
    fn branches(&mut self) {
        let mut joins = EntitySet::new();
        for construct in self.constructs {
            joins.insert(construct.merge);
            if construct.kind == ConstructKind::Loop || construct.kind == ConstructKind::Continue {
                joins.insert(construct.head);
            }
            if construct.kind == ConstructKind::Switch {
                self.layout.nodes[construct.head].exit.arcs().iter().for_each(|arc| {
                    joins.insert(arc.to);
                });
            }
        }
        let mut broken = Vec::new();
        for (node, data) in self.layout.nodes.iter() {
            let mut targets: Vec<Node> = data.exit.arcs().iter().map(|arc| arc.to).collect();
            targets.sort_unstable();
            targets.dedup();
            if targets.len() != data.exit.arcs().len() {
                broken.push(format!("{node} has two edges to one target"));
            }
            let (innermost_loop, switch) = (self.loop_around(node), self.switch_around(node));
            let exits = |to: Node| {
                innermost_loop.is_some_and(|l| to == l.merge || l.continuing == Some(to))
                    || switch.is_some_and(|s| to == s.merge)
            };
            let needs_merge = match data.exit {
                Exit::Branch { .. } => targets.iter().filter(|&&to| !exits(to)).count() > 1,
                Exit::Switch { .. } => true,
                _ => false,
            };
            if needs_merge && data.merge == Merge::None {
                broken.push(format!("{node} branches without a merge instruction"));
            }
            let before = self.predecessors(node);
            if before.len() > 1 && !joins.contains(node) {
                broken.push(format!("{node} has several predecessors and is neither a header, a merge, a continue target nor a switch target"));
            }
            let idle = data.origin.is_none() && matches!(data.exit, Exit::Unreachable);
            let continues = self.constructs.iter().any(|c| c.kind == ConstructKind::Continue && c.head == node);
            if before.is_empty() && node != self.layout.entry() && !idle && !continues {
                broken.push(format!("{node} has no predecessors, but is not an empty unreachable block"));
            }
        }
        self.broken.extend(broken);
    }

    /// Rule: a case runs into at most one other case, is entered from at most one other, and that
    /// one is written right before it. The default has no place among the cases in `OpSwitch`, so a
    /// case that runs through the default into another counts as running into that other.
    fn cases(&mut self) {
        let mut broken = Vec::new();
        for construct in self.constructs.iter().filter(|c| c.kind == ConstructKind::Switch) {
            let Exit::Switch { arcs, .. } = &self.layout.nodes[construct.head].exit else { continue };
            let Some((default, arms)) = arcs.split_last() else { continue };
            for to in arcs.iter().map(|arc| arc.to) {
                if to != construct.merge && !construct.members.contains(to) {
                    broken.push(format!("case {to} is not dominated by its switch {}", construct.head));
                }
            }
            let cases: Vec<Node> = arms.iter().map(|arc| arc.to).filter(|&to| construct.members.contains(to)).collect();
            let all =
                || cases.iter().copied().chain([default.to].into_iter().filter(|&to| construct.members.contains(to)));
            let case_of =
                |n: Node| all().find(|&case| construct.members.contains(n) && self.dominators.dominates(case, n));
            // Pairs of a case and the case that it runs into.
            let mut runs: Vec<(Node, Node)> = Vec::new();
            for to in all() {
                let before = self.predecessors(to).iter().copied().filter(|&p| p != construct.head).map(case_of);
                for from in before.filter(|&from| from != Some(to)) {
                    match from {
                        Some(from) => runs.push((from, to)),
                        None => broken.push(format!("case {to} is entered from outside the cases")),
                    }
                }
            }
            for case in all() {
                let (out, into) = (runs.iter().filter(|r| r.0 == case), runs.iter().filter(|r| r.1 == case));
                if out.count() > 1 || into.count() > 1 {
                    broken.push(format!("case {case} runs into several cases or is entered from several"));
                }
            }
            let through_default = |(from, to): (Node, Node)| match from == default.to {
                true => runs.iter().find(|r| r.1 == from).map(|r| (r.0, to)),
                false => Some((from, to)),
            };
            for (from, to) in runs.iter().copied().filter(|r| r.1 != default.to).filter_map(through_default) {
                if !cases.windows(2).any(|pair| pair == [from, to]) {
                    broken.push(format!("case {from} runs into {to}, which is not the next one"));
                }
            }
        }
        self.broken.extend(broken);
    }
}
