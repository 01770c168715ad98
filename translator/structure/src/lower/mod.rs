//! Step 2: makes a structured block graph of the tree.
//!
//! In: the [`Tree`] and the labels that its statements exit to ([`Summaries`]). Out: [`Layout`].
//! What must hold: the rules that [`legal`](crate::legal) checks.
//!
//! A statement is lowered at a *position*, the place where control is. It leaves a position with
//! *pending* labels: those that may be the current exit there. At the end of an arm the enclosing
//! construct sends the pending labels along a *route*:
//! - if all exits of the construct have one label, to the construct's own merge, where that label
//!   is then certain;
//! - else, if SPIR-V allows it, directly to the innermost loop's continue target or merge, or the
//!   innermost switch's merge;
//! - else to the construct's own merge, with the label in the selector.
//!
//! If several labels are pending, a `Seq` guards its child by `selector == label`. Besides these
//! guards, only the end of a loop body or of a switch's arm tests the selector, to tell `continue`
//! from `break` or the next arm from the end of the switch. Assignments to a selector that no test
//! reads are removed at the end.
//!
//! If the first arm of a two-way branch never comes to its merge, the other arm starts at the merge
//! instead of nesting: the code after `if (c) break;` stays at the level of the `if`.

mod place;
mod route;
mod switch;

use foldhash::{HashMap, HashSet};

use self::place::Position;
use self::switch::Chain;
use crate::dispatch::Dispatched;
use crate::graph::{Block, Edge, Graph, Terminator};
use crate::labels::{Label, LabelSet, Labels, Span, Summaries, Summary};
use crate::layout::{Arc, Condition, Exit, Layout, Merge, Node, NodeData, Selector, SelectorType};
use crate::tree::{Stmt, StmtData, Tree};
use crate::{Guards, Leaving, Options, Terminals, fold, leave};
use dxil_base::entity::{Entity, PrimaryMap, SecondaryMap};
use dxil_base::error::{Place, Result};
use dxil_base::limits;
use dxil_base::limits::Fuel;

/// Lowers a tree.
///
/// # Errors
/// `Limit` if constructs nest too deeply, or the selectors are live in too many nodes.
pub fn lower(
    graph: &Graph,
    dispatched: Option<&Dispatched>,
    tree: &Tree,
    (options, fuel): (&Options, &Fuel),
) -> Result<Layout> {
    let copies = options.terminals == Terminals::Copy;
    let is_cheap = |b: Block| copies && graph.blocks[b].cheap;
    let mut selectors = PrimaryMap::new();
    selectors.push(SelectorType::U32);
    let dispatchers = dispatched.map_or(&[][..], |d| &d.dispatchers);
    let dispatchers = dispatchers.iter().map(|&block| (block, selectors.push(SelectorType::U32))).collect();
    let mut lowering = Lowering {
        graph,
        dispatched,
        dispatchers,
        selectors,
        tree,
        options,
        summaries: Summaries::new(graph, tree, is_cheap),
        labels: Labels::default(),
        nodes: PrimaryMap::new(),
        order: Vec::new(),
        joined: HashSet::default(),
        constructs: Vec::new(),
        tasks: Vec::new(),
        chains: Vec::new(),
        position: None,
        pending: LabelSet::default(),
        falling: None,
        copies: SecondaryMap::default(),
    };
    lowering.run()?;
    lowering.finish(fuel)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
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
struct Construct {
    kind: Kind,
    merge: Node,
    /// The label with which control reaches the construct's end, if only one label is possible
    /// there.
    falls: Option<Label>,
    /// The labels that have come to the merge.
    arrivals: LabelSet,
    /// The innermost loop around the construct's content, as an index of `constructs`.
    innermost_loop: Option<usize>,
    /// The innermost switch inside that loop.
    innermost_switch: Option<usize>,
}

/// The content of an arm.
#[derive(Debug)]
enum Work {
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
enum Task {
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
        takes: Option<Edge>,
        work: Work,
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

struct Lowering<'a> {
    graph: &'a Graph,
    dispatched: Option<&'a Dispatched>,
    /// The selectors of dispatch blocks.
    dispatchers: HashMap<Block, Selector>,
    selectors: PrimaryMap<Selector, SelectorType>,
    tree: &'a Tree,
    options: &'a Options,
    summaries: Summaries,
    labels: Labels,
    /// The nodes in order of creation; `order` is the order in which they are emitted.
    nodes: PrimaryMap<Node, NodeData>,
    order: Vec<Node>,
    /// Pairs of a node and a merge or continue target that an edge of the node already goes to.
    joined: HashSet<(Node, Node)>,
    constructs: Vec<Construct>,
    tasks: Vec<Task>,
    chains: Vec<Chain>,
    position: Option<Position>,
    pending: LabelSet,
    /// The end of a switch's arm that runs into the next one.
    falling: Option<Position>,
    /// The number of copies made of each block.
    copies: SecondaryMap<Block, u32>,
}

/// The selector of exits. Its values are block numbers, like those of the dispatch blocks'
/// selectors.
const SELECTOR: usize = 0;

impl Lowering<'_> {
    fn run(&mut self) -> Result<()> {
        let entry = self.new_node();
        self.order.push(entry);
        self.position = Some(Position::Node(entry));
        self.tasks.extend(self.tree.root().map(|root| Task::Work(Work::Stmt(root))));
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Work(work) => self.work(work)?,
                Task::Child { seq, index } => self.child(seq, index)?,
                Task::Route => self.route()?,
                Task::Second { node, arc, takes, work } => self.second(node, arc, takes, work)?,
                Task::Arm { node, arc, takes, stmt } => self.begin_arm(node, arc, takes, stmt)?,
                Task::EndArm { arm } => self.end_arm(arm)?,
                Task::EndSelection => self.end_construct()?,
                Task::EndLoop { header } => {
                    if let Some(Construct { kind: Kind::Loop { continuing, .. }, .. }) = self.constructs.last() {
                        let continuing = *continuing;
                        self.order.push(continuing);
                        self.nodes[continuing].exit = Exit::Jump(Arc::plain(header));
                    }
                    self.end_construct()?;
                }
            }
        }
        Ok(())
    }

    fn work(&mut self, work: Work) -> Result<()> {
        let stmt = match work {
            Work::Stmt(stmt) => stmt,
            Work::Pass(labels) => {
                self.pending = labels;
                return Ok(());
            }
            Work::Chain { chain, arm } => return self.chain(chain, arm),
        };
        self.pending = LabelSet::default();
        match &self.tree.stmts[stmt] {
            StmtData::Run { edge, next } => {
                let node = self.run_block(edge.from)?;
                self.nodes[node].exit = Exit::Jump(Arc::plain(node));
                self.position = Some(Position::Edge { from: node, arc: 0, takes: Some(*edge) });
                self.tasks.push(Task::Work(Work::Stmt(*next)));
            }
            &StmtData::If { block, then, els } => {
                let node = self.run_block(block)?;
                let edge = |slot| Some(Edge { from: block, slot });
                let arms = [(Work::Stmt(then), edge(0)), (Work::Stmt(els), edge(1))];
                self.two_way(node, Condition::Branch(block), arms)?;
            }
            StmtData::Switch { block, arms } => self.switch(stmt, *block, arms)?,
            StmtData::Return(block) | StmtData::Unreachable(block) => {
                self.terminal(*block)?;
            }
            &StmtData::Loop { header, body } => self.begin_loop(stmt, header, body)?,
            &StmtData::Seq { body, .. } => {
                self.tasks.push(Task::Child { seq: stmt, index: 0 });
                self.tasks.push(Task::Work(Work::Stmt(body)));
            }
            StmtData::Exit(to) => self.exit_to(self.summaries.forward[*to])?,
            StmtData::Continue(to) => self.exit_to(self.summaries.back[*to])?,
        }
        Ok(())
    }

    fn exit_to(&mut self, label: Option<Label>) -> Result<()> {
        let label = label.ok_or_else(|| bug!(Place::Input, "no enclosing statement consumes the label of an exit"))?;
        self.pending = self.labels.one(label);
        Ok(())
    }

    /// Ends the position in a block that has no successors.
    fn terminal(&mut self, block: Block) -> Result<()> {
        let node = self.run_block(block)?;
        self.nodes[node].exit = match self.graph.terminator(block) {
            Terminator::Return => Exit::Return(block),
            _ => Exit::Unreachable,
        };
        self.position = None;
        self.pending = LabelSet::default();
        Ok(())
    }

    fn child(&mut self, seq: Stmt, index: usize) -> Result<()> {
        let StmtData::Seq { children, .. } = &self.tree.stmts[seq] else { return Ok(()) };
        let Some(&(block, child)) = children.get(index) else { return Ok(()) };
        self.tasks.push(Task::Child { seq, index: index + 1 });
        if self.labels.first(&self.pending) != self.summaries.forward[block] {
            // Every exit to this child ran a copy of it, or comes from a block that only
            // never-taken edges reach.
            return Ok(());
        }
        let pending = std::mem::take(&mut self.pending);
        let others = self.labels.beyond(pending, child);
        if others.is_empty() {
            self.tasks.push(Task::Work(Work::Stmt(child)));
            return Ok(());
        }
        let mut els = Work::Pass(others);
        // If the only other label is the next child's, and this child does not exit to the next
        // one, the two children are the arms of one branch.
        if let (Guards::Fold, Some(&(block, next)), Work::Pass(set)) =
            (self.options.guards, children.get(index + 1), &els)
        {
            let label = self.summaries.forward[block];
            let summary = self.summaries.of(child);
            let exits_there = |span: Span| span.map(|(first, _)| first) == label;
            if self.labels.only(set) == label && !exits_there(summary.plain) && !exits_there(summary.cheap) {
                self.tasks.pop();
                self.tasks.push(Task::Child { seq, index: index + 2 });
                els = Work::Stmt(next);
            }
        }
        let node = self.node_here()?;
        let condition = Condition::SelectorIs(Selector::new(SELECTOR), block.index() as u32);
        self.two_way(node, condition, [(Work::Stmt(child), None), (els, None)])
    }

    fn summary(&self, work: &Work) -> Summary {
        match work {
            Work::Stmt(stmt) => self.summaries.of(*stmt),
            Work::Pass(set) => {
                let plain = self.labels.first(set).zip(set.last());
                Summary { plain, ..Summary::default() }
            }
            Work::Chain { chain, arm } => {
                self.chains.get(*chain).and_then(|c| c.rest.get(*arm)).copied().unwrap_or_default()
            }
        }
    }

    /// Ends `node` in a branch. Lowers first the arm that does not come to the merge, if there is
    /// one.
    fn two_way(&mut self, node: Node, condition: Condition, arms: [(Work, Option<Edge>); 2]) -> Result<()> {
        let [then, els] = &arms;
        let (of_then, of_els) = (self.summary(&then.0), self.summary(&els.0));
        let falls = of_then.or(of_els).falls();
        // If both arms leave, the one that continues the loop stands last: `if (!c) break; …` and
        // not `if (c) { … }; break`.
        let last = |this: Summary, other: Summary| falls.is_none() && self.goes_on(this) && !self.goes_on(other);
        let reversed = self.leaves(of_els, falls) && (!self.leaves(of_then, falls) || last(of_then, of_els));
        let merge = self.new_node();
        let (then, els) = (Arc::plain(node), Arc::plain(node));
        self.nodes[node].merge = Merge::Selection(merge);
        self.nodes[node].exit = Exit::Branch { condition, then, els };
        self.push_construct(Kind::Selection, merge, falls)?;
        let [then, els] = arms;
        let ((first, first_takes), (work, takes)) = if reversed { (els, then) } else { (then, els) };
        let (first_arc, arc) = if reversed { (1, 0) } else { (0, 1) };
        self.position = Some(Position::Edge { from: node, arc: first_arc, takes: first_takes });
        self.tasks.push(Task::Second { node, arc, takes, work });
        self.tasks.push(Task::Route);
        self.tasks.push(Task::Work(first));
        Ok(())
    }

    /// Whether an arm has an exit to the header of the innermost loop.
    fn goes_on(&self, arm: Summary) -> bool {
        let innermost = self.constructs.last().and_then(|top| top.innermost_loop).and_then(|i| self.constructs.get(i));
        match (innermost.map(|construct| construct.kind), arm.plain) {
            (Some(Kind::Loop { body, .. }), Some((first, _))) => first.after == body,
            _ => false,
        }
    }

    /// Whether all exits of an arm go past the merge of its selection, which is not begun yet. The
    /// answer may be wrong if exits of several loops come together; it only decides which arm is
    /// lowered first.
    fn leaves(&self, arm: Summary, falls: Option<Label>) -> bool {
        if falls.is_some() {
            return arm.is_empty() || (arm.plain.is_none() && falls.is_some_and(|l| Some((l, l)) != arm.cheap));
        }
        let Some((first, _)) = arm.plain else { return true };
        let Some(top) = self.constructs.last() else { return false };
        let kind = top.innermost_switch.or(top.innermost_loop).and_then(|i| self.constructs.get(i)).map(|c| c.kind);
        match kind {
            Some(Kind::Loop { body, .. }) => first.after >= body,
            Some(Kind::Switch { end }) => first.after >= end,
            _ => false,
        }
    }

    fn second(&mut self, node: Node, arc: usize, takes: Option<Edge>, work: Work) -> Result<()> {
        let reached = self.constructs.last().is_some_and(|c| !c.arrivals.is_empty());
        if reached {
            self.position = Some(Position::Edge { from: node, arc, takes });
            self.tasks.push(Task::EndSelection);
            self.tasks.push(Task::Route);
        } else if let Some(construct) = self.constructs.pop() {
            // The first arm did not come to the merge, so the second arm can start there.
            self.order.push(construct.merge);
            self.enter(Position::Edge { from: node, arc, takes }, construct.merge)?;
            self.position = Some(Position::Node(construct.merge));
        }
        self.tasks.push(Task::Work(work));
        Ok(())
    }

    fn begin_loop(&mut self, stmt: Stmt, header: Block, body: Stmt) -> Result<()> {
        let (node, merge, continuing) = (self.new_node(), self.new_node(), self.new_node());
        let from = self.take_position()?;
        self.order.push(node);
        self.enter(from, node)?;
        self.nodes[node].merge = Merge::Loop { merge, continuing, header: Some(header).filter(|h| !self.is_made(*h)) };
        self.nodes[node].exit = Exit::Jump(Arc::plain(node));
        self.push_construct(Kind::Loop { body, header, continuing }, merge, self.summaries.of(stmt).falls())?;
        self.position = Some(Position::Edge { from: node, arc: 0, takes: None });
        self.tasks.push(Task::EndLoop { header: node });
        self.tasks.push(Task::Route);
        self.tasks.push(Task::Work(Work::Stmt(body)));
        Ok(())
    }

    fn push_construct(&mut self, kind: Kind, merge: Node, falls: Option<Label>) -> Result<()> {
        let index = self.constructs.len();
        limits::check(Place::Input, "nested control-flow constructs", index + 1, limits::CONSTRUCT_NESTING)?;
        let (mut innermost_loop, mut innermost_switch) =
            self.constructs.last().map_or((None, None), |c| (c.innermost_loop, c.innermost_switch));
        match kind {
            Kind::Loop { .. } => (innermost_loop, innermost_switch) = (Some(index), None),
            Kind::Switch { .. } => innermost_switch = Some(index),
            Kind::Selection => {}
        }
        let arrivals = LabelSet::default();
        self.constructs.push(Construct { kind, merge, falls, arrivals, innermost_loop, innermost_switch });
        Ok(())
    }

    /// Moves the position to the merge of the innermost construct, with the labels that have come
    /// there.
    fn end_construct(&mut self) -> Result<()> {
        let construct =
            self.constructs.pop().ok_or_else(|| bug!(Place::Input, "more constructs end than were begun"))?;
        self.order.push(construct.merge);
        self.position = (!construct.arrivals.is_empty()).then_some(Position::Node(construct.merge));
        self.pending = construct.arrivals;
        Ok(())
    }

    /// Numbers the nodes in emission order.
    fn finish(self, fuel: &Fuel) -> Result<Layout> {
        let mut numbers = vec![None; self.nodes.len()];
        for (i, node) in self.order.iter().enumerate() {
            numbers[node.index()] = Some(Node::new(i));
        }
        let lost = || bug!(Place::Input, "a node has no place in the emission order");
        let number = |node: Node| numbers.get(node.index()).copied().flatten().ok_or_else(lost);
        let mut nodes = PrimaryMap::with_capacity(self.order.len());
        for &old in &self.order {
            let mut data = self.nodes[old].clone();
            match &mut data.merge {
                Merge::None => {}
                Merge::Selection(merge) => *merge = number(*merge)?,
                Merge::Loop { merge, continuing, .. } => {
                    (*merge, *continuing) = (number(*merge)?, number(*continuing)?);
                }
            }
            for arc in data.exit.arcs_mut() {
                arc.to = number(arc.to)?;
            }
            nodes.push(data);
        }
        let mut layout = Layout { nodes, selectors: self.selectors };
        layout.drop_unread_settings(fuel)?;
        if self.options.guards == Guards::Fold {
            fold::fold_guards(&mut layout);
        }
        if self.options.leaving == Leaving::Direct {
            leave::leave_directly(&mut layout);
        }
        layout.drop_unused_selectors();
        Ok(layout)
    }
}
