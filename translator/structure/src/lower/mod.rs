//! Step 2: makes a structured block graph of the tree.
//!
//! In: the [`Tree`] and the labels that its statements exit to
//! ([`Summaries`](crate::labels::Summaries)). Out: [`Layout`].
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

mod constructs;
mod place;
mod route;
mod state;
mod switch;

pub use self::state::LowerMemory;
use self::state::{Arm, InsertionPoint, Lowerer, OpenConstruct, OpenKind, SELECTOR, Task, Work};
use crate::dispatch::Dispatched;
use crate::graph::{Block, Edge, Graph};
use crate::labels::{Label, LabelSet, LabelSpan};
use crate::layout::{Arc, Condition, Exit, Layout, Merge, Node, Selector, SelectorType};
use crate::options::{Guards, Leaving, Options, Terminals};
use crate::tree::{Stmt, StmtData, Tree};
use crate::{fold, leave};
use dxil_base::entity::Entity;
use dxil_base::error::{Place, Result};
use dxil_base::limits::Fuel;

/// Lowers a tree.
///
/// # Errors
/// `Limit` if constructs nest too deeply, or the selectors are live in too many nodes.
pub fn lower(
    graph: &Graph,
    dispatched: Option<&Dispatched>,
    tree: &Tree,
    options: &Options,
    fuel: &Fuel,
    memory: &mut LowerMemory,
) -> Result<Layout> {
    let copies = options.terminals == Terminals::Copy;
    let is_cheap = |b: Block| copies && graph.blocks[b].cheap;
    memory.clear();
    let LowerMemory { summaries, labels, layout, .. } = memory;
    summaries.set(graph, tree, labels, is_cheap);
    // The selector of exits comes first, those of dispatch blocks follow in order.
    for _ in 0..=dispatched.map_or(0, |d| d.dispatchers.len()) {
        layout.selectors.push(SelectorType::U32);
    }
    let (chains, position, falling) = (Vec::new(), None, None);
    let pending = LabelSet::default();
    let mut lowering = Lowerer { graph, fuel, dispatched, tree, options, memory, chains, position, pending, falling };
    lowering.run()?;
    lowering.finish()
}

impl Lowerer<'_> {
    fn run(&mut self) -> Result<()> {
        let entry = self.new_node()?;
        self.memory.order.push(entry);
        self.position = Some(InsertionPoint::Node(entry));
        self.memory.tasks.extend(self.tree.root().map(|root| Task::Work(Work::Stmt(root))));
        while let Some(task) = self.memory.tasks.pop() {
            match task {
                Task::Work(work) => self.work(work)?,
                Task::Child { seq, index } => self.child(seq, index)?,
                Task::Route => self.route()?,
                Task::Second { node, arc, arm } => self.second(node, arc, arm)?,
                Task::Arm { node, arc, takes, stmt } => self.begin_arm(node, arc, takes, stmt)?,
                Task::EndArm { arm } => self.end_arm(arm)?,
                Task::EndSelection => self.end_construct()?,
                Task::EndLoop { header } => {
                    if let Some(OpenConstruct { kind: OpenKind::Loop { continuing, .. }, .. }) =
                        self.memory.constructs.last()
                    {
                        let continuing = *continuing;
                        self.memory.order.push(continuing);
                        self.memory.layout.nodes[continuing].exit = Exit::Jump(Arc::plain(header));
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
        match self.tree.stmts[stmt] {
            StmtData::Run { edge, next } => {
                let node = self.run_block(edge.from)?;
                self.memory.layout.nodes[node].exit = Exit::Jump(Arc::plain(node));
                self.position = Some(InsertionPoint::Edge { from: node, arc: 0, takes: Some(edge) });
                self.memory.tasks.push(Task::Work(Work::Stmt(next)));
            }
            StmtData::If { block, then, els } => {
                let node = self.run_block(block)?;
                let arm = |stmt, slot| Arm { work: Work::Stmt(stmt), takes: Some(Edge { from: block, slot }) };
                let arms = [arm(then, 0), arm(els, 1)];
                self.two_way(node, Condition::Branch(block), arms)?;
            }
            StmtData::Switch { block, arms } => self.switch(stmt, block, &self.tree.arms[arms])?,
            StmtData::Return(block) | StmtData::Unreachable(block) => {
                self.terminal(block)?;
            }
            StmtData::Loop { header, body } => self.begin_loop(stmt, header, body)?,
            StmtData::Seq { body, .. } => {
                self.memory.tasks.push(Task::Child { seq: stmt, index: 0 });
                self.memory.tasks.push(Task::Work(Work::Stmt(body)));
            }
            StmtData::Exit(to) => self.exit_to(self.memory.summaries.block(to).forward)?,
            StmtData::Continue(to) => self.exit_to(self.memory.summaries.block(to).back)?,
        }
        Ok(())
    }

    fn exit_to(&mut self, label: Option<Label>) -> Result<()> {
        let label = label.ok_or_else(|| bug!(Place::Input, "no enclosing statement consumes the label of an exit"))?;
        self.pending = self.memory.labels.one(label);
        Ok(())
    }

    fn child(&mut self, seq: Stmt, index: usize) -> Result<()> {
        let StmtData::Seq { children, .. } = self.tree.stmts[seq] else { return Ok(()) };
        let children = &self.tree.children[children];
        let Some(&(block, child)) = children.get(index) else { return Ok(()) };
        self.memory.tasks.push(Task::Child { seq, index: index + 1 });
        if self.memory.labels.first(&self.pending) != self.memory.summaries.block(block).forward {
            // Every exit to this child ran a copy of it, or comes from a block that only
            // never-taken edges reach.
            return Ok(());
        }
        let pending = std::mem::take(&mut self.pending);
        let others = self.memory.labels.beyond(pending, child);
        if others.is_empty() {
            self.memory.tasks.push(Task::Work(Work::Stmt(child)));
            return Ok(());
        }
        let mut els = Work::Pass(others);
        // If the only other label is the next child's, and this child does not exit to the next
        // one, the two children are the arms of one branch.
        if let (Guards::Fold, Some(&(block, next)), Work::Pass(set)) =
            (self.options.guards, children.get(index + 1), &els)
        {
            let label = self.memory.summaries.block(block).forward;
            let summary = self.memory.summaries.get(child);
            let exits_there = |span: LabelSpan| span.map(|(first, _)| first) == label;
            if self.memory.labels.only(set) == label && !exits_there(summary.plain) && !exits_there(summary.cheap) {
                self.memory.tasks.pop();
                self.memory.tasks.push(Task::Child { seq, index: index + 2 });
                els = Work::Stmt(next);
            }
        }
        let node = self.node_here()?;
        let condition = Condition::SelectorIs(Selector::new(SELECTOR), block.index() as u32);
        self.two_way(node, condition, [Work::Stmt(child), els].map(|work| Arm { work, takes: None }))
    }

    fn begin_loop(&mut self, stmt: Stmt, header: Block, body: Stmt) -> Result<()> {
        let (node, merge, continuing) = (self.new_node()?, self.new_node()?, self.new_node()?);
        let from = self.take_position()?;
        self.memory.order.push(node);
        self.enter(from, node)?;
        self.memory.layout.nodes[node].merge =
            Merge::Loop { merge, continuing, header: Some(header).filter(|h| !self.is_made(*h)) };
        self.memory.layout.nodes[node].exit = Exit::Jump(Arc::plain(node));
        self.push_construct(
            OpenKind::Loop { body, header, continuing },
            merge,
            self.memory.summaries.get(stmt).falls(),
        )?;
        self.position = Some(InsertionPoint::Edge { from: node, arc: 0, takes: None });
        self.memory.tasks.push(Task::EndLoop { header: node });
        self.memory.tasks.push(Task::Route);
        self.memory.tasks.push(Task::Work(Work::Stmt(body)));
        Ok(())
    }

    /// Numbers the nodes in emission order.
    fn finish(self) -> Result<Layout> {
        let LowerMemory { layout, emitted, numbers, order, .. } = self.memory;
        numbers.resize(layout.nodes.len(), None);
        for (i, node) in order.iter().enumerate() {
            numbers[node.index()] = Some(Node::new(i));
        }
        let lost = || bug!(Place::Input, "a node has no place in the emission order");
        let number = |node: Node| numbers.get(node.index()).copied().flatten().ok_or_else(lost);
        let mut all = Ok(());
        for &old in order.iter() {
            let mut data = std::mem::take(&mut layout.nodes[old]);
            data.for_each_node(|node| match number(*node) {
                Ok(new) => *node = new,
                Err(error) => all = Err(error),
            });
            emitted.push(data);
        }
        all?;
        std::mem::swap(&mut layout.nodes, emitted);
        let mut layout = std::mem::take(layout);
        if layout.nodes.values().any(|data| data.exit.tests().is_some()) {
            let cfg = layout.cfg();
            let arcs_to = layout.arcs_to(&cfg);
            layout.drop_unread_settings(&arcs_to, self.fuel)?;
            if self.options.guards == Guards::Fold {
                fold::fold_guards(&mut layout, &cfg, &arcs_to);
            }
        }
        if self.options.leaving == Leaving::Direct {
            leave::leave_directly(&mut layout);
        }
        layout.drop_unused_selectors();
        Ok(layout)
    }
}
