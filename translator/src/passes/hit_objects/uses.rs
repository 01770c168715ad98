//! How often each local of a function is used, and what goes with the last use.
//!
//! In: a function. Out: the instructions that are removed. What must hold: an instruction that is
//! removed does nothing, or nothing uses its result.

use crate::ir::{Function, Inst, InstData, Value};
use crate::ops::MemoryEffect;
use dxil_base::entity::EntitySet;

/// How often each local is used, and what is removed.
#[derive(Clone)]
pub(super) struct Uses {
    counts: Vec<u32>,
    pub(super) removed: EntitySet<Inst>,
}

impl Uses {
    pub(super) fn new(function: &Function) -> Self {
        let mut counts = vec![0; function.locals.len()];
        let mut count = |value: Value| {
            if let Some(uses) = value.as_local().and_then(|local| counts.get_mut(local)) {
                *uses += 1;
            }
        };
        for block in function.blocks.values() {
            block.insts.iter().for_each(|&inst| function.for_each_operand(inst, &mut count));
            function.for_each_terminator_operand(&block.terminator, &mut count);
        }
        Self { counts, removed: EntitySet::new() }
    }

    pub(super) fn of(&self, value: Value) -> u32 {
        value.as_local().and_then(|local| self.counts.get(local)).copied().unwrap_or(0)
    }

    /// Removes an instruction, and those whose results nothing uses without it.
    pub(super) fn remove(&mut self, function: &Function, inst: Inst) {
        let mut stack = vec![inst];
        while let Some(inst) = stack.pop() {
            if !self.removed.insert(inst) {
                continue;
            }
            function.for_each_operand(inst, |value| {
                let Some(uses) = value.as_local().and_then(|local| self.counts.get_mut(local)) else { return };
                *uses = uses.saturating_sub(1);
                if *uses == 0
                    && let Some((inst, data)) = function.def_inst(value)
                    && only_computes(data)
                {
                    stack.push(inst);
                }
            });
        }
    }

    /// Removes an instruction, and keeps what its operands are computed from.
    pub(super) fn remove_alone(&mut self, function: &Function, inst: Inst) {
        if self.removed.insert(inst) {
            function.for_each_operand(inst, |value| {
                value.as_local().and_then(|local| self.counts.get_mut(local)).into_iter().for_each(|uses| {
                    *uses = uses.saturating_sub(1);
                });
            });
        }
    }
}

/// Whether an instruction does nothing but compute its result, so that it goes with the last use.
fn only_computes(data: &InstData) -> bool {
    match *data {
        InstData::Op { op, .. } => matches!(op.info().effect, MemoryEffect::Pure | MemoryEffect::Read),
        InstData::Load { volatile, .. } => !volatile,
        _ => is_arithmetic(data),
    }
}

pub(super) fn is_arithmetic(data: &InstData) -> bool {
    matches!(
        data,
        InstData::Binary { .. }
            | InstData::Cast { .. }
            | InstData::Cmp { .. }
            | InstData::Select { .. }
            | InstData::Gep { .. }
            | InstData::ExtractValue { .. }
            | InstData::InsertValue { .. }
            | InstData::ExtractElement { .. }
            | InstData::InsertElement { .. }
            | InstData::ShuffleVector { .. }
    )
}
