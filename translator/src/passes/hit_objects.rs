//! Removes what hit objects say about the order of threads.
//!
//! In: a verified module. Out: the same module without `MaybeReorderThread`, which may do nothing (HLSL
//! proposal 0027, "Device Support"), and without the invocation of a hit object that is no hit and no
//! miss, which does nothing (the same, "HitObject::Invoke"). What must hold: what only hints of a
//! reordering need is removed with it, such as the instance that was hit; nothing else is. Lowering
//! refuses other hit objects by name.

use crate::ir::args;
use crate::ir::args::Args;
use crate::ir::{Function, Inst, InstData, Module, Value};
use crate::ops::{MemoryEffect, OpCode, OpSet};
use dxil_base::entity::EntitySet;

/// Whether the functions have an operation that this pass replaces.
pub(super) fn is_needed(operations: OpSet) -> bool {
    operations.has(OpCode::MaybeReorderThread) || operations.has(OpCode::HitObject_Invoke)
}

/// Rewrites all functions. Returns whether anything changed.
pub(super) fn run(module: &mut Module) -> bool {
    let mut changed = false;
    for function in module.functions.values_mut() {
        let mut uses = Uses::new(function);
        uses.remove_reordering(function);
        let removed = uses.removed;
        if removed.iter().next().is_none() {
            continue;
        }
        changed = true;
        for block in function.blocks.values_mut() {
            block.insts.retain(|&inst| !removed.contains(inst));
        }
        for inst in removed.iter() {
            // The instruction is in no block, but analyses look at all instructions.
            function.insts[inst] = InstData::Fence;
        }
    }
    changed
}

/// How often each local is used, and what is removed.
struct Uses {
    counts: Vec<u32>,
    removed: EntitySet<Inst>,
}

impl Uses {
    fn new(function: &Function) -> Self {
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

    /// Removes an instruction, and those whose results nothing uses without it.
    fn remove(&mut self, function: &Function, inst: Inst) {
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

    fn remove_reordering(&mut self, function: &Function) {
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

fn is_arithmetic(data: &InstData) -> bool {
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
