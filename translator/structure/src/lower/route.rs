//! Routes of the exits that are pending at the end of an arm or of a loop's body.
//!
//! In: the position, the pending labels, and the enclosing constructs. Out: a branch to a merge or
//! a continue target, or a copy of a small block. What must hold: SPIR-V allows the branch; if a
//! merge is reached with several labels, the selector tells them apart.

use super::state::{InsertionPoint, Lowerer, OpenConstruct, OpenKind, SELECTOR};
use crate::graph::{Block, Edge};
use crate::labels::{CopiedExit, Label, LabelSet};
use crate::layout::{Arc, Condition, Exit, Selector};
use crate::tree::Stmt;
use dxil_base::entity::Entity;
use dxil_base::error::{Place, Result};

/// The largest number of cheap blocks in a row that an exit may copy.
const COPIES: usize = 4;
/// The largest number of copies of a block with instructions. Further exits use a selector.
const SIZED_COPIES: u32 = 4;

enum Route {
    Merge(usize),
    Continue(usize),
    /// Runs a copy of the block, which ends the function.
    End(Block),
    /// Runs a copy of the block, then exits to the label.
    Run(Block, Label),
    /// Continues the loop for the header's label and breaks for all others.
    Split(usize),
}

impl Lowerer<'_> {
    /// Routes the position with its pending labels, as the innermost construct allows.
    pub(super) fn route(&mut self) -> Result<()> {
        self.route_after(0)
    }

    /// Does the same after copies of this many blocks have run.
    fn route_after(&mut self, copied: usize) -> Result<()> {
        let set = std::mem::take(&mut self.pending);
        let Some(position) = self.position.take() else { return Ok(()) };
        let only = self.memory.labels.only(&set);
        match self.find_route(&set, copied)? {
            Route::Continue(index) => {
                if let Some(OpenConstruct { kind: OpenKind::Loop { continuing, .. }, .. }) =
                    self.memory.constructs.get(index)
                {
                    let continuing = *continuing;
                    self.join(position, continuing, None)?;
                }
            }
            Route::Merge(index) => {
                let merge = self.memory.constructs[index].merge;
                self.join(position, merge, only)?;
                let arrivals = std::mem::take(&mut self.memory.constructs[index].arrivals);
                self.memory.constructs[index].arrivals = self.memory.labels.join(arrivals, set);
            }
            Route::End(block) => {
                self.memory.copies[block] += 1;
                self.position = Some(position);
                self.terminal(block)?;
            }
            Route::Run(block, label) => {
                self.position = Some(position);
                let node = self.run_block(block)?;
                self.memory.layout.nodes[node].exit = Exit::Jump(Arc::plain(node));
                self.position =
                    Some(InsertionPoint::Edge { from: node, arc: 0, takes: Some(Edge { from: block, slot: 0 }) });
                self.pending = self.memory.labels.one(label);
                self.route_after(copied + 1)?;
            }
            Route::Split(index) => {
                let &OpenConstruct { kind: OpenKind::Loop { continuing, header, body }, merge, .. } =
                    &self.memory.constructs[index]
                else {
                    return Err(bug!(Place::Input, "`continue` and `break` are distinguished outside a loop"));
                };
                self.position = Some(position);
                let node = self.node_here()?;
                let condition = Condition::SelectorIs(Selector::new(SELECTOR), header.index() as u32);
                let arcs = [continuing, merge].map(Arc::plain);
                self.memory.layout.nodes[node].exit = Exit::Branch { condition, arcs };
                // The label that is consumed right after the body is the header's.
                let others = self.memory.labels.beyond(set, Stmt::new(body.index() + 1));
                let arrivals = std::mem::take(&mut self.memory.constructs[index].arrivals);
                self.memory.constructs[index].arrivals = self.memory.labels.join(arrivals, others);
                self.position = None;
            }
        }
        Ok(())
    }

    fn find_route(&self, set: &LabelSet, copied: usize) -> Result<Route> {
        let lost = || bug!(Place::Input, "no construct is left that could take an exit");
        let top = self.memory.constructs.len().checked_sub(1).ok_or_else(lost)?;
        let first = self.memory.labels.first(set).ok_or_else(lost)?;
        let only = self.memory.labels.only(set);
        let OpenConstruct { kind, falls, innermost_loop, innermost_switch, .. } = &self.memory.constructs[top];
        if only.is_some() && only == *falls && !matches!(kind, OpenKind::Loop { .. }) {
            return Ok(Route::Merge(top));
        }
        let kind_of = |index: &Option<usize>| index.and_then(|i| self.memory.constructs.get(i).map(|c| (i, c.kind)));
        let merge = match (kind_of(innermost_loop), kind_of(innermost_switch)) {
            (Some((index, OpenKind::Loop { body, .. })), _) if first.after > body => index,
            (Some((index, OpenKind::Loop { body, .. })), _) if first.after == body && only.is_some() => {
                return Ok(Route::Continue(index));
            }
            (Some((index, _)), _) if index == top => return Ok(Route::Split(index)),
            (_, Some((index, OpenKind::Switch { end }))) if first.after >= end => index,
            _ => top,
        };
        let copy = match only {
            Some(label)
                if self.memory.constructs[merge].falls != only
                    && self.memory.summaries.block(label.block).forward == only =>
            {
                self.memory.summaries.block(label.block).copy
            }
            _ => CopiedExit::No,
        };
        Ok(match (copy, only) {
            (CopiedExit::Ends, Some(Label { block, .. }))
                if self.graph.blocks[block].size == 0 || self.memory.copies[block] < SIZED_COPIES =>
            {
                Route::End(block)
            }
            (CopiedExit::Goes(next), Some(label)) if copied < COPIES => Route::Run(label.block, next),
            _ => Route::Merge(merge),
        })
    }
}
