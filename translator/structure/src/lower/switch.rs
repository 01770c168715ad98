//! Lowers switches: to `OpSwitch` if lanes of different cases need not run together, and else to a
//! chain of branches.
//!
//! In: a statement `Switch`. Out: its arms as tasks. What must hold: an arm runs into the next one
//! at most; an arm that leaves the switch does so along its route.

use std::cmp::Ordering;

use super::state::{Arm, Chain, InsertionPoint, Lowerer, OpenKind, SELECTOR, Task, Work};
use crate::graph::{Block, EDGES, Edge, Terminator};
use crate::labels::Summary;
use crate::layout::{Arc, Condition, Exit, Merge, Node, Selector, SwitchOperand};
use crate::options::TangledSwitch;
use crate::tree::Stmt;
use dxil_base::entity::Entity;
use dxil_base::error::{Place, Result};

impl Lowerer<'_> {
    pub(super) fn switch(&mut self, stmt: Stmt, block: Block, arms: &[(u32, Stmt)]) -> Result<()> {
        let (values, targets) = (self.graph.terminator(block).slots(), arms.len());
        self.fuel.items::<u64>(Place::Input, EDGES, values)?;
        self.fuel.items::<((Vec<u64>, Edge, Stmt), [Task; 2], (Vec<u64>, Arc))>(Place::Input, EDGES, targets)?;
        let mut targets = self.switch_arms(block, arms);
        let summary = self.memory.summaries.get(stmt);
        let tangled = targets.iter().any(|target| self.memory.summaries.get(target.2).tangled);
        let dispatcher = self.dispatcher(block);
        if (self.options.tangled_switch == TangledSwitch::Chain && tangled)
            || (dispatcher.is_some() && targets.len() == 2)
        {
            targets.sort_by_key(|target| target.1.slot == 0);
            let mut rest: Vec<Summary> = targets.iter().map(|arm| self.memory.summaries.get(arm.2)).collect();
            for i in (1..rest.len()).rev() {
                rest[i - 1] = rest[i - 1].or(rest[i]);
            }
            self.chains.push(Chain { block, arms: targets, rest });
            return self.chain(self.chains.len() - 1, 0);
        }
        let node = self.run_block(block)?;
        let merge = self.new_node()?;
        self.push_construct(OpenKind::Switch { end: stmt }, merge, summary.falls())?;
        self.memory.tasks.push(Task::EndSelection);
        // The default may stand between the cases in emission order, but is the last edge.
        let default = targets.iter().position(|target| target.1.slot == 0).unwrap_or(targets.len());
        for (i, (_, takes, stmt)) in targets.iter().enumerate().rev() {
            let arc = match i.cmp(&default) {
                Ordering::Less => i,
                Ordering::Equal => targets.len().saturating_sub(1),
                Ordering::Greater => i.saturating_sub(1),
            };
            self.memory.tasks.push(Task::EndArm { arm: *stmt });
            self.memory.tasks.push(Task::Arm { node, arc, takes: Some(*takes), stmt: *stmt });
        }
        let cases = targets.into_iter().filter(|target| target.1.slot != 0);
        let values: Vec<Vec<u64>> = cases.map(|(values, ..)| values).collect();
        let arcs = vec![Arc::plain(node); values.len() + 1];
        self.memory.layout.nodes[node].merge = Merge::Selection(merge);
        let operand = dispatcher.map_or(SwitchOperand::Switch(block), SwitchOperand::Selector);
        self.memory.layout.nodes[node].exit = Exit::Switch { operand, values, arcs };
        Ok(())
    }

    pub(super) fn begin_arm(&mut self, node: Node, arc: usize, takes: Option<Edge>, stmt: Stmt) -> Result<()> {
        self.position = Some(InsertionPoint::Edge { from: node, arc, takes });
        if let Some(before) = self.falling.take() {
            let target = self.node_here()?;
            self.enter(before, target)?;
            self.position = Some(InsertionPoint::Node(target));
        }
        self.memory.tasks.push(Task::Work(Work::Stmt(stmt)));
        Ok(())
    }

    pub(super) fn end_arm(&mut self, arm: Stmt) -> Result<()> {
        let first = self.memory.labels.first(&self.pending).filter(|label| label.after == arm);
        let Some(next) = first else { return self.route() };
        let pending = std::mem::take(&mut self.pending);
        let others = self.memory.labels.beyond(pending, Stmt::new(arm.index() + 1));
        if others.is_empty() {
            self.falling = self.position.take();
            return Ok(());
        }
        // The other labels leave the switch, so only the label of the next arm is pending after
        // this branch.
        let node = self.node_here()?;
        let condition = Condition::SelectorIs(Selector::new(SELECTOR), next.block.index() as u32);
        let falls = self.memory.labels.one(next);
        self.memory.tasks.push(Task::EndArm { arm });
        self.two_way(node, condition, [Work::Pass(falls), Work::Pass(others)].map(|work| Arm { work, takes: None }))
    }

    /// The arms with their values. The default has no values.
    fn switch_arms(&self, block: Block, arms: &[(u32, Stmt)]) -> Vec<(Vec<u64>, Edge, Stmt)> {
        let terminator = self.graph.terminator(block);
        let mut targets: Vec<(Vec<u64>, Edge, Stmt)> =
            arms.iter().map(|&(slot, stmt)| (Vec::new(), Edge { from: block, slot }, stmt)).collect();
        let mut by_target: Vec<(Option<Block>, usize)> =
            arms.iter().enumerate().map(|(i, arm)| (terminator.successor(arm.0 as usize), i)).collect();
        by_target.sort_unstable();
        if let Terminator::Switch { cases, default } = terminator {
            for (value, to) in cases.iter().filter(|case| case.1 != *default) {
                let found = by_target.binary_search_by_key(&Some(*to), |t| t.0);
                let arm = found.ok().and_then(|i| by_target.get(i)).and_then(|t| targets.get_mut(t.1));
                arm.into_iter().for_each(|arm| arm.0.push(*value));
            }
        }
        targets
    }

    pub(super) fn chain(&mut self, chain: usize, arm: usize) -> Result<()> {
        let Some(Chain { block, arms, .. }) = self.chains.get(chain) else { return Ok(()) };
        let block = *block;
        let edge = |i: usize| arms.get(i).map(|a| (a.2, Some(a.1)));
        let (Some((then, takes)), Some(next)) = (edge(arm), edge(arm + 1)) else { return Ok(()) };
        let values = arms.get(arm).map(|a| a.0.clone()).unwrap_or_default();
        let els = match arm + 2 == arms.len() {
            true => Arm { work: Work::Stmt(next.0), takes: next.1 },
            false => Arm { work: Work::Chain { chain, arm: arm + 1 }, takes: None },
        };
        let node = if arm == 0 { self.run_block(block)? } else { self.node_here()? };
        let condition = match (self.dispatcher(block), values.as_slice()) {
            (Some(selector), &[value]) => Condition::SelectorIs(selector, value as u32),
            _ => Condition::Operand { block, values },
        };
        self.two_way(node, condition, [Arm { work: Work::Stmt(then), takes }, els])
    }
}
