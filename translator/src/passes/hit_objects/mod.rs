//! Replaces hit objects by rays, where that is the same.
//!
//! In: a verified module. Out: the same module without `MaybeReorderThread`, which may do nothing (HLSL
//! proposal 0027, "Device Support"), and in which a hit object that is traced and then invoked is one
//! `TraceRay` ([`fuse`]). The invocation of a hit object that is no hit and no miss does nothing, and is
//! removed (the same, "HitObject::Invoke"). What must hold: what only hints of a reordering need is
//! removed with it, such as the instance that was hit; nothing else is. Other hit objects are left alone,
//! and lowering refuses them by name.

mod fuse;
mod uses;

use self::fuse::Fused;
use self::uses::Uses;
use crate::ir::{Func, InstData, Module};
use crate::ops::{OpCode, OpSet, Role};

/// Whether the functions have an operation that this pass replaces.
pub(super) fn is_needed(operations: OpSet) -> bool {
    operations.has(OpCode::MaybeReorderThread) || operations.has(OpCode::HitObject_Invoke)
}

/// Rewrites all functions. Returns whether anything changed.
pub(super) fn run(module: &mut Module) -> bool {
    let mut changed = false;
    let funcs: Vec<Func> = module.functions.keys().collect();
    for func in funcs {
        let mut uses = Uses::new(&module.functions[func]);
        uses.remove_reordering(&module.functions[func]);
        let fused = fuse::find(module, func, &uses);
        let function = &mut module.functions[func];
        for Fused { trace, invoke, payload } in fused {
            let InstData::Op { args, precise, .. } = function.insts[trace] else { continue };
            // The operands of both operations are the same, in the same order, but for the payload.
            let mut operands = function.list(args).to_vec();
            let at = OpCode::HitObject_TraceRay.info().operand(Role::Payload);
            if let Some(operand) = at.and_then(|at| operands.get_mut(at)) {
                *operand = payload;
            }
            let args = function.make_list(&operands);
            function.insts[invoke] = InstData::Op { op: OpCode::TraceRay, precise, args };
            uses.removed.insert(trace);
        }
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
