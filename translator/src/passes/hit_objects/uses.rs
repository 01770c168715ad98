//! How often each local of a function is used, and what goes with the last use.
//!
//! In: a function. Out: the instructions that are removed. What must hold: an instruction that is removed
//! does nothing, or nothing uses its result.

use crate::ir::args;
use crate::ir::args::Args;
use crate::ir::{Function, Inst, InstData, Value};
use crate::ops::{MemoryEffect, OpCode};
use dxil_base::entity::EntitySet;

/// How often each local is used, and what is removed.
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

    pub(super) fn remove_reordering(&mut self, function: &Function) {
        for &inst in function.blocks.values().flat_map(|block| &block.insts) {
            let InstData::Op { op, args, .. } = function.insts[inst] else { continue };
            let is_nop = |object: Value| {
                matches!(function.def_inst(object), Some((_, InstData::Op { op: OpCode::HitObject_MakeNop, .. })))
            };
            let does_nothing = match op {
                OpCode::MaybeReorderThread => true,
                OpCode::HitObject_Invoke => {
                    args::HitObject_Invoke::view(function.list(args)).is_some_and(|args| is_nop(args.hit_object))
                }
                _ => false,
            };
            if does_nothing {
                self.remove(function, inst);
            }
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
