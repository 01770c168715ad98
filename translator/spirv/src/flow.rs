//! Terminators and merge instructions, and structured code pieces that begin and end in an open
//! block.

use rspirv::spirv::{LoopControl, Op, SelectionControl};

use super::block::{OpenBlock, Terminated};
use super::types::Type;
use super::words::{Id, Operands};
use dxil_base::error::Result;
use dxil_base::limits;

/// The merge instruction that goes before a branch.
#[derive(Clone, Copy, Debug)]
pub enum Merge {
    /// No merge instruction: the branch stays within a construct or leaves it.
    None,
    /// OpSelectionMerge.
    Selection {
        /// The merge block.
        merge: Id,
        /// Selection control: flatten, don't flatten, or no hint.
        control: SelectionControl,
    },
    /// OpLoopMerge.
    Loop {
        /// The merge block.
        merge: Id,
        /// The continue target.
        continue_target: Id,
        /// Loop control: unroll, don't unroll, or no hint.
        control: LoopControl,
    },
}

impl Merge {
    /// A selection without a hint.
    pub fn selection(merge: Id) -> Self {
        Merge::Selection { merge, control: SelectionControl::NONE }
    }
    /// A loop without a hint.
    pub fn looping(merge: Id, continue_target: Id) -> Self {
        Merge::Loop { merge, continue_target, control: LoopControl::NONE }
    }
}

impl<'m, 'p> OpenBlock<'m, 'p> {
    fn merge(&mut self, merge: Merge) {
        match merge {
            Merge::None => {}
            Merge::Selection { merge, control } => self.stmt(Op::SelectionMerge, &[merge.word(), control.bits()]),
            Merge::Loop { merge, continue_target, control } => {
                self.stmt(Op::LoopMerge, &[merge.word(), continue_target.word(), control.bits()]);
            }
        }
    }

    /// Ends the block with an instruction. Checks the size of the output, because every block comes
    /// through here.
    fn terminate(self, op: Op, operands: impl Operands) -> Result<Terminated<'m, 'p>> {
        let mut block = self;
        block.stmt(op, operands);
        block.check_size()?;
        Ok(block.into_terminated())
    }

    /// OpBranch.
    ///
    /// # Errors
    /// `Limit` if the output grows too long. The same holds for every terminator.
    pub fn branch(self, target: Id) -> Result<Terminated<'m, 'p>> {
        self.terminate(Op::Branch, &[target])
    }

    /// OpBranch after a merge: the end of a loop header.
    ///
    /// # Errors
    /// `Limit` as [`branch`](Self::branch).
    pub fn branch_merging(mut self, target: Id, merge: Merge) -> Result<Terminated<'m, 'p>> {
        self.merge(merge);
        self.terminate(Op::Branch, &[target])
    }

    /// OpBranchConditional.
    ///
    /// # Errors
    /// `Limit` as [`branch`](Self::branch).
    pub fn branch_conditional(
        mut self,
        condition: Id,
        if_true: Id,
        if_false: Id,
        merge: Merge,
    ) -> Result<Terminated<'m, 'p>> {
        self.merge(merge);
        self.terminate(Op::BranchConditional, &[condition, if_true, if_false])
    }

    /// OpSwitch. Case values have the width of the selector's type: one word, or for 64 bits two
    /// words, the low one first.
    ///
    /// # Errors
    /// `Limit` as [`branch`](Self::branch), and for more cases than SPIR-V allows.
    pub fn switch(
        mut self,
        selector: Id,
        default: Id,
        cases: &[(u64, Id)],
        merge: Merge,
    ) -> Result<Terminated<'m, 'p>> {
        let wide = matches!(self.ty_of(selector), Some(Type::Int { width: 64, .. }));
        // All of them fit in one instruction.
        limits::check(self.place(), "cases of a switch", cases.len(), limits::SPIRV_SWITCH_CASES)?;
        let words = cases.len() * if wide { 3 } else { 2 } + 3;
        self.merge(merge);
        let code = &mut self.module.code;
        code.put([(words as u32) << 16 | Op::Switch as u32, selector.word(), default.word()]);
        for &(label, target) in cases {
            match wide {
                true => code.put([label as u32, (label >> 32) as u32, target.word()]),
                false => code.put([label as u32, target.word()]),
            }
        }
        self.check_size()?;
        Ok(self.into_terminated())
    }

    /// OpReturn.
    ///
    /// # Errors
    /// `Limit` as [`branch`](Self::branch).
    pub fn ret(self) -> Result<Terminated<'m, 'p>> {
        self.terminate(Op::Return, ())
    }

    /// OpReturnValue.
    ///
    /// # Errors
    /// `Limit` as [`branch`](Self::branch).
    pub fn ret_value(self, value: Id) -> Result<Terminated<'m, 'p>> {
        self.terminate(Op::ReturnValue, &[value])
    }

    /// OpEmitMeshTasksEXT: ends the invocation, and starts the mesh shaders of its group.
    ///
    /// # Errors
    /// `Limit` as [`branch`](Self::branch).
    pub fn emit_mesh_tasks(self, groups: [Id; 3], payload: Option<Id>) -> Result<Terminated<'m, 'p>> {
        let operands: Vec<Id> = groups.into_iter().chain(payload).collect();
        self.terminate(Op::EmitMeshTasksEXT, &operands)
    }

    /// [`emit_mesh_tasks`](Self::emit_mesh_tasks) before the end of a block. Afterwards a block is
    /// open that no path reaches.
    pub fn emit_mesh_tasks_here(&mut self, groups: [Id; 3], payload: Option<Id>) {
        let operands: Vec<Id> = groups.into_iter().chain(payload).collect();
        self.stmt(Op::EmitMeshTasksEXT, &operands);
        let rest = self.fresh();
        self.begin(rest);
        // No path leads from here to the blocks that take values of this one.
        self.module.values.inside += 1;
    }

    /// OpUnreachable.
    ///
    /// # Errors
    /// `Limit` as [`branch`](Self::branch).
    pub fn unreachable(self) -> Result<Terminated<'m, 'p>> {
        self.terminate(Op::Unreachable, ())
    }

    /// OpIgnoreIntersectionKHR.
    ///
    /// # Errors
    /// `Limit` as [`branch`](Self::branch).
    pub fn ignore_intersection(self) -> Result<Terminated<'m, 'p>> {
        self.terminate(Op::IgnoreIntersectionKHR, ())
    }

    /// OpTerminateRayKHR.
    ///
    /// # Errors
    /// `Limit` as [`branch`](Self::branch).
    pub fn terminate_ray(self) -> Result<Terminated<'m, 'p>> {
        self.terminate(Op::TerminateRayKHR, ())
    }

    /// OpKill: discards the fragment.
    ///
    /// # Errors
    /// `Limit` as [`branch`](Self::branch).
    pub fn kill(self) -> Result<Terminated<'m, 'p>> {
        self.terminate(Op::Kill, ())
    }

    /// Ends the invocation if the condition is true, by OpTerminateInvocation if the profile has it
    /// and else by OpKill. Afterwards the block for a false condition is open.
    ///
    /// # Errors
    /// `Limit` as [`branch`](Self::branch).
    pub fn kill_if(&mut self, condition: Id) -> Result<()> {
        let (body, merge) = (self.fresh(), self.fresh());
        self.merge(Merge::selection(merge));
        self.stmt(Op::BranchConditional, &[condition, body, merge]);
        self.begin(body);
        let op = if self.caps.use_terminate_invocation() { Op::TerminateInvocation } else { Op::Kill };
        self.stmt(op, ());
        self.begin(merge);
        self.check_size()
    }

    /// Branches to a block and opens it.
    pub fn branch_into(&mut self, label: Id) {
        self.stmt(Op::Branch, &[label]);
        self.begin(label);
    }

    /// Runs `then` if the condition is true. Afterwards the merge block is open.
    ///
    /// # Errors
    /// Those of `then`.
    pub fn if_then(&mut self, condition: Id, then: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let (body, merge) = (self.fresh(), self.fresh());
        self.merge(Merge::selection(merge));
        self.stmt(Op::BranchConditional, &[condition, body, merge]);
        self.begin(body);
        self.inside(then)?;
        self.branch_into(merge);
        Ok(())
    }

    /// The value of `then` if the condition is true, or else `otherwise`, which is already
    /// computed. A guarded load has this form.
    ///
    /// # Errors
    /// Those of `then`.
    pub fn if_value(
        &mut self,
        ty: Id,
        condition: Id,
        otherwise: Id,
        then: impl FnOnce(&mut Self) -> Result<Id>,
    ) -> Result<Id> {
        let (body, merge) = (self.fresh(), self.fresh());
        let second = (otherwise, self.label());
        self.merge(Merge::selection(merge));
        self.stmt(Op::BranchConditional, &[condition, body, merge]);
        self.begin(body);
        let first = (self.inside(then)?, self.label());
        self.branch_into(merge);
        Ok(self.phi(ty, &[first, second]))
    }

    /// Runs `then` if the condition is true, or else `otherwise`. Afterwards the merge block is
    /// open.
    ///
    /// # Errors
    /// Those of `then` and `otherwise`.
    pub fn if_else(
        &mut self,
        condition: Id,
        then: impl FnOnce(&mut Self) -> Result<()>,
        otherwise: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let (first, second, merge) = (self.fresh(), self.fresh(), self.fresh());
        self.merge(Merge::selection(merge));
        self.stmt(Op::BranchConditional, &[condition, first, second]);
        self.begin(first);
        self.inside(then)?;
        self.stmt(Op::Branch, &[merge]);
        self.begin(second);
        self.inside(otherwise)?;
        self.branch_into(merge);
        self.check_size()
    }

    /// The value of `then` if the condition is true, or else of `otherwise`. Afterwards the merge
    /// block is open.
    ///
    /// # Errors
    /// Those of `then` and `otherwise`.
    pub fn if_else_value(
        &mut self,
        ty: Id,
        condition: Id,
        then: impl FnOnce(&mut Self) -> Result<Id>,
        otherwise: impl FnOnce(&mut Self) -> Result<Id>,
    ) -> Result<Id> {
        let (first, second, merge) = (self.fresh(), self.fresh(), self.fresh());
        self.merge(Merge::selection(merge));
        self.stmt(Op::BranchConditional, &[condition, first, second]);
        self.begin(first);
        let one = (self.inside(then)?, self.label());
        self.stmt(Op::Branch, &[merge]);
        self.begin(second);
        let other = (self.inside(otherwise)?, self.label());
        self.branch_into(merge);
        self.check_size()?;
        Ok(self.phi(ty, &[one, other]))
    }

    /// The value of `arm(n)`, where `n` is the value of `which` and is below `count`. Afterwards
    /// the merge block is open.
    ///
    /// # Errors
    /// Those of `arm`, and `Limit` for more arms than SPIR-V allows.
    pub fn select_among(
        &mut self,
        ty: Id,
        which: Id,
        count: u32,
        arm: impl Fn(&mut Self, u32) -> Result<Id>,
    ) -> Result<Id> {
        limits::check(self.place(), "cases of a switch", count as usize, limits::SPIRV_SWITCH_CASES)?;
        let (labels, merge): (Vec<Id>, Id) = ((0..count).map(|_| self.fresh()).collect(), self.fresh());
        let Some((&first, rest)) = labels.split_first() else {
            return Err(bug!(self.place(), "a switch has no arms"));
        };
        self.merge(Merge::selection(merge));
        let mut switch = vec![which.word(), first.word()];
        switch.extend((1u32..).zip(rest).flat_map(|(n, label)| [n, label.word()]));
        self.stmt(Op::Switch, &switch);
        let mut values = Vec::with_capacity(labels.len());
        for (n, &label) in (0u32..).zip(&labels) {
            self.begin(label);
            values.push((self.inside(|block| arm(block, n))?, self.label()));
            self.stmt(Op::Branch, &[merge]);
        }
        self.check_size()?;
        self.begin(merge);
        Ok(self.phi(ty, &values))
    }

    /// Runs `body` repeatedly until all invocations are finished. In each iteration `body` runs for
    /// the unfinished invocations, and gives a condition that tells whether an invocation is now
    /// finished, and its value. `all` tells whether a condition holds for all invocations. All
    /// invocations leave the loop together, after the same iteration, and the merge block is open
    /// then. Values of finished invocations are carried from iteration to iteration, so the result
    /// does not depend on which invocations have left a loop.
    ///
    /// # Errors
    /// Those of `body` and `all`.
    pub fn repeat_until_all(
        &mut self,
        ty: Id,
        body: impl FnOnce(&mut Self) -> Result<(Id, Id)>,
        all: impl FnOnce(&mut Self, Id) -> Result<Id>,
    ) -> Result<Id> {
        let (header, first, latch, merge) = (self.fresh(), self.fresh(), self.fresh(), self.fresh());
        let (bool_ty, no, yes, none) =
            (self.type_bool(), self.const_bool(false), self.const_bool(true), self.const_null(ty));
        let before = self.label();
        self.module.values.inside += 1;
        self.branch_into(header);
        let (through, had) = (self.phi_later(bool_ty, 2), self.phi_later(ty, 2));
        self.merge(Merge::looping(merge, latch));
        self.branch_into(first);
        let (run, joined) = (self.fresh(), self.fresh());
        self.merge(Merge::selection(joined));
        self.stmt(Op::BranchConditional, &[through.id, joined, run]);
        self.begin(run);
        let (now, value) = body(self)?;
        let conditions = self.type_bool_like(ty);
        let chosen = if conditions == bool_ty { now } else { self.splat(conditions, now) };
        let value = self.select(ty, chosen, value, had.id);
        let ran = self.label();
        self.branch_into(joined);
        let now = self.phi(bool_ty, &[(now, ran), (yes, first)]);
        let value = self.phi(ty, &[(value, ran), (had.id, first)]);
        let end = all(self, now)?;
        self.stmt(Op::BranchConditional, &[end, merge, latch]);
        self.begin(latch);
        self.stmt(Op::Branch, &[header]);
        for (phi, start, next) in [(through, no, now), (had, none, value)] {
            self.patch_phi(phi, 0, start, before);
            self.patch_phi(phi, 1, next, latch);
        }
        self.module.values.inside = self.module.values.inside.saturating_sub(1);
        self.begin(merge);
        Ok(value)
    }
}
