//! Replaces hit objects by rays, where that is the same.
//!
//! In: a verified module. Out: the same module without `MaybeReorderThread`, which may do nothing (HLSL
//! proposal 0027, "Device Support"), in which a hit object that is traced and then invoked is one
//! `TraceRay` ([`fuse`]), and in which one that is inspected alone is a ray query ([`mod@inspect`]). The
//! invocation of a hit object that is no hit and no miss does nothing, and is removed (the same,
//! "HitObject::Invoke"). What must hold: what only hints of a reordering need is removed with it, such as
//! the instance that was hit; nothing else is. Other hit objects are left alone, and lowering refuses
//! them by name.

mod fuse;
mod inspect;
mod uses;

use self::fuse::Fused;
use self::inspect::Answers;
use self::uses::Uses;
use super::growth::Growth;
use crate::analysis::strict;
use crate::ir::{Func, InstData, Module};
use crate::ops::{OpCode, OpSet, Role};
use dxil_base::error::Result;
use dxil_base::limits::Fuel;

/// Whether the functions have an operation that this pass replaces.
pub(super) fn is_needed(operations: OpSet) -> bool {
    operations.has(OpCode::MaybeReorderThread)
        || operations.has(OpCode::HitObject_TraceRay)
        || operations.has(OpCode::HitObject_MakeMiss)
        || operations.has(OpCode::HitObject_MakeNop)
}

/// Rewrites all functions. Returns whether anything changed.
///
/// # Errors
/// `Limit` if the code that replaces hit objects is too much.
pub(super) fn run(module: &mut Module, fuel: &Fuel) -> Result<bool> {
    let mut changed = false;
    // What a hit object was made of is used where it is inspected.
    let is_strict = strict::is_strict(module);
    let mut growth = Growth::new(fuel, "instructions that replace hit objects", "code of hit objects");
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
        if is_strict {
            changed |= inspect(module, func, &uses, &mut growth)?;
        }
        let (function, removed) = (&mut module.functions[func], uses.removed);
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
    Ok(changed)
}

/// Replaces the hit objects of a function that are inspected alone. Returns whether there are any.
fn inspect(module: &mut Module, func: Func, uses: &Uses, growth: &mut Growth<'_>) -> Result<bool> {
    let inspected = inspect::find(module, func, uses);
    let mut answers = Answers::default();
    for object in &inspected {
        let (before, bytes) = (module.functions[func].insts.len(), module.functions[func].bytes());
        answers.write(module, func, object);
        let function = &module.functions[func];
        growth.add(function, function.insts.len() - before, function.bytes() - bytes)?;
    }
    answers.apply(&mut module.functions[func]);
    Ok(!inspected.is_empty())
}
