//! Constructs: two-way branches, and where a construct begins and ends.

use super::state::{Arm, InsertionPoint, Lowerer, OpenConstruct, OpenKind, Task, Work};
use crate::labels::{Label, LabelSet, Summary};
use crate::layout::{Arc, Condition, Exit, Merge, Node};
use dxil_base::error::{Place, Result};
use dxil_base::limits;

impl Lowerer<'_> {
    pub(super) fn summary(&self, work: &Work) -> Summary {
        match work {
            Work::Stmt(stmt) => self.memory.summaries.get(*stmt),
            Work::Pass(set) => {
                let plain = self.memory.labels.first(set).zip(set.last());
                Summary { plain, ..Summary::default() }
            }
            Work::Chain { chain, arm } => {
                self.chains.get(*chain).and_then(|c| c.rest.get(*arm)).copied().unwrap_or_default()
            }
        }
    }

    /// Ends `node` in a branch. Lowers first the arm that does not come to the merge, if there is
    /// one.
    pub(super) fn two_way(&mut self, node: Node, condition: Condition, arms: [Arm; 2]) -> Result<()> {
        let [then, els] = &arms;
        let (of_then, of_els) = (self.summary(&then.work), self.summary(&els.work));
        let falls = of_then.or(of_els).falls();
        // If both arms leave, the one that continues the loop stands last: `if (!c) break; …` and
        // not `if (c) { … }; break`.
        let last = |this: Summary, other: Summary| falls.is_none() && self.goes_on(this) && !self.goes_on(other);
        let reversed = self.leaves(of_els, falls) && (!self.leaves(of_then, falls) || last(of_then, of_els));
        let merge = self.new_node()?;
        self.memory.layout.nodes[node].merge = Merge::Selection(merge);
        self.memory.layout.nodes[node].exit = Exit::Branch { condition, arcs: [Arc::plain(node); 2] };
        self.push_construct(OpenKind::Selection, merge, falls)?;
        let [then, els] = arms;
        let (first, second) = if reversed { (els, then) } else { (then, els) };
        let (first_arc, arc) = if reversed { (1, 0) } else { (0, 1) };
        self.position = Some(InsertionPoint::Edge { from: node, arc: first_arc, takes: first.takes });
        self.memory.tasks.push(Task::Second { node, arc, arm: second });
        self.memory.tasks.push(Task::Route);
        self.memory.tasks.push(Task::Work(first.work));
        Ok(())
    }

    /// Whether an arm has an exit to the header of the innermost loop.
    pub(super) fn goes_on(&self, arm: Summary) -> bool {
        let innermost = self
            .memory
            .constructs
            .last()
            .and_then(|top| top.innermost_loop)
            .and_then(|i| self.memory.constructs.get(i));
        match (innermost.map(|construct| construct.kind), arm.plain) {
            (Some(OpenKind::Loop { body, .. }), Some((first, _))) => first.after == body,
            _ => false,
        }
    }

    /// Whether all exits of an arm go past the merge of its selection, which is not begun yet. The
    /// answer may be wrong if exits of several loops come together; it only decides which arm is
    /// lowered first.
    pub(super) fn leaves(&self, arm: Summary, falls: Option<Label>) -> bool {
        if falls.is_some() {
            return arm.is_empty() || (arm.plain.is_none() && falls.is_some_and(|l| Some((l, l)) != arm.cheap));
        }
        let Some((first, _)) = arm.plain else { return true };
        let Some(top) = self.memory.constructs.last() else { return false };
        let kind =
            top.innermost_switch.or(top.innermost_loop).and_then(|i| self.memory.constructs.get(i)).map(|c| c.kind);
        match kind {
            Some(OpenKind::Loop { body, .. }) => first.after >= body,
            Some(OpenKind::Switch { end }) => first.after >= end,
            _ => false,
        }
    }

    pub(super) fn second(&mut self, node: Node, arc: usize, arm: Arm) -> Result<()> {
        let Arm { work, takes } = arm;
        let reached = self.memory.constructs.last().is_some_and(|c| !c.arrivals.is_empty());
        if reached {
            self.position = Some(InsertionPoint::Edge { from: node, arc, takes });
            self.memory.tasks.push(Task::EndSelection);
            self.memory.tasks.push(Task::Route);
        } else if let Some(construct) = self.memory.constructs.pop() {
            // The first arm did not come to the merge, so the second arm can start there.
            self.memory.order.push(construct.merge);
            self.enter(InsertionPoint::Edge { from: node, arc, takes }, construct.merge)?;
            self.position = Some(InsertionPoint::Node(construct.merge));
        }
        self.memory.tasks.push(Task::Work(work));
        Ok(())
    }

    pub(super) fn push_construct(&mut self, kind: OpenKind, merge: Node, falls: Option<Label>) -> Result<()> {
        let index = self.memory.constructs.len();
        limits::check(Place::Input, "nested control-flow constructs", index + 1, limits::CONSTRUCT_NESTING)?;
        let (mut innermost_loop, mut innermost_switch) =
            self.memory.constructs.last().map_or((None, None), |c| (c.innermost_loop, c.innermost_switch));
        match kind {
            OpenKind::Loop { .. } => (innermost_loop, innermost_switch) = (Some(index), None),
            OpenKind::Switch { .. } => innermost_switch = Some(index),
            OpenKind::Selection => {}
        }
        let arrivals = LabelSet::default();
        self.memory.constructs.push(OpenConstruct { kind, merge, falls, arrivals, innermost_loop, innermost_switch });
        Ok(())
    }

    /// Moves the position to the merge of the innermost construct, with the labels that have come
    /// there.
    pub(super) fn end_construct(&mut self) -> Result<()> {
        let construct =
            self.memory.constructs.pop().ok_or_else(|| bug!(Place::Input, "more constructs end than were begun"))?;
        self.memory.order.push(construct.merge);
        self.position = (!construct.arrivals.is_empty()).then_some(InsertionPoint::Node(construct.merge));
        self.pending = construct.arrivals;
        Ok(())
    }
}
