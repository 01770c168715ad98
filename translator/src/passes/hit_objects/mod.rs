//! Replaces hit objects by rays, where that is the same.
//!
//! In: a verified module. Out: the same module, in which a hit object that is traced and then
//! invoked is one `TraceRay` ([`fuse`]), and in which one that is inspected alone is a ray query
//! ([`mod@inspect`]). These are what devices without an extension of hit objects can do.
//! `MaybeReorderThread`, which may do nothing (HLSL proposal 0027, "Device Support"), goes with an
//! inspected hit object. Where the device can reorder, it is a part of the ray
//! ([`OpCode::VendorTraceReorder`]), or has no hit object ([`OpCode::VendorReorder`]). The
//! invocation of a hit object that is no hit and no miss does nothing, and is removed (the same,
//! "HitObject::Invoke"). What must hold: what only hints of a removed reordering need is removed
//! with it, such as the instance that was hit; nothing else is. Other hit objects are values, those
//! in variables as well ([`variables`]), and phis choose them ([`choices`]); lowering needs an
//! extension for them.

mod choices;
mod fuse;
mod inspect;
mod uses;
mod variables;

use foldhash::{HashMap, HashSet};

use self::fuse::Fused;
use self::uses::Uses;
use super::growth::Growth;
use super::splice::Splice;
use crate::analysis::hit_objects::{HitObjects, MAKERS, is_empty};
use crate::analysis::strict;
use crate::ir::args::{self, Args};
use crate::ir::{Func, Function, Inst, InstData, Module, Value};
use crate::ops::{OpCode, OpSet, Role};
use dxil_base::error::Result;
use dxil_base::limits::Fuel;

/// Whether the functions have an operation that this pass replaces.
pub(super) fn is_needed(operations: OpSet) -> bool {
    MAKERS.into_iter().any(|op| operations.has(op))
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
        if is_strict && let Some(ty) = HitObjects::ty(module, &module.functions[func]) {
            changed |= variables::make(module, func, ty, &mut growth, fuel)?;
        }
        changed |= reorder_by_hints(&mut module.functions[func]);
        let mut uses = Uses::new(&module.functions[func]);
        remove_empty(&module.functions[func], &mut uses);
        let hints = reorderings(module, func, &mut uses, is_strict);
        for Fused { trace, invoke, payload } in fuse::find(module, func, &uses) {
            let function = &mut module.functions[func];
            let InstData::Op { args, precise, .. } = function.insts[trace] else { continue };
            // The operands of both operations are the same, in the same order, but for the payload.
            let mut operands = function.list(args).to_vec();
            let at = OpCode::HitObject_TraceRay.info().operand(Role::Payload);
            if let Some(operand) = at.and_then(|at| operands.get_mut(at)) {
                *operand = payload;
            }
            let hint = function.result(trace).and_then(|object| hints.get(&object));
            let op = if hint.is_some() { OpCode::VendorTraceReorder } else { OpCode::TraceRay };
            operands.extend(hint.into_iter().flatten());
            let args = function.make_list(&operands);
            function.insts[invoke] = InstData::Op { op, precise, args };
            uses.removed.insert(trace);
        }
        if is_strict {
            changed |= inspect(module, func, &uses, &mut growth)?;
        }
        changed |= remove(&mut module.functions[func], &uses);
        if is_strict && let Some(ty) = HitObjects::ty(module, &module.functions[func]) {
            changed |= choices::make(module, func, ty, &mut growth)?;
        }
        // An empty hit object that was passed to phis is made anew for each.
        let function = &mut module.functions[func];
        let mut uses = Uses::new(function);
        remove_unused(function, &mut uses);
        changed |= remove(function, &uses);
    }
    Ok(changed)
}

/// The operands of an instruction that is this operation.
fn view<A: Args>(function: &Function, inst: Inst) -> Option<A> {
    match function.insts[inst] {
        InstData::Op { op, args, .. } if op == A::OPCODE => A::view(function.list(args)),
        _ => None,
    }
}

/// The instructions in the blocks of a function.
fn instructions(function: &Function) -> Vec<Inst> {
    function.blocks.values().flat_map(|block| &block.insts).copied().collect()
}

/// Takes the hit object from reorderings by a hint alone. Returns whether there are any.
fn reorder_by_hints(function: &mut Function) -> bool {
    let mut changed = false;
    for inst in instructions(function) {
        if let Some(reorder) = view::<args::MaybeReorderThread>(function, inst)
            && is_empty(function, reorder.hit_object)
        {
            let args = [reorder.coherence_hint, reorder.num_coherence_hint_bits_from_lsb];
            let args = function.make_list(&args);
            function.insts[inst] = InstData::Op { op: OpCode::VendorReorder, precise: false, args };
            changed = true;
        }
    }
    changed
}

/// Removes the invocations of hit objects that are neither a hit nor a miss.
fn remove_empty(function: &Function, uses: &mut Uses) {
    for inst in instructions(function) {
        if view::<args::HitObject_Invoke>(function, inst).is_some_and(|invoke| is_empty(function, invoke.hit_object)) {
            uses.remove(function, inst);
        }
    }
}

/// Removes empty hit objects that nothing uses.
fn remove_unused(function: &Function, uses: &mut Uses) {
    for inst in instructions(function) {
        if function.result(inst).is_some_and(|object| uses.of(object) == 0 && is_empty(function, object)) {
            uses.remove(function, inst);
        }
    }
}

/// Removes the reorderings by hit objects that are replaced. Which ones they are is decided as if
/// all reorderings were removed. Returns the hints of those that become a part of a ray, and the
/// numbers of their bits, by the hit object.
fn reorderings(module: &Module, func: Func, uses: &mut Uses, is_strict: bool) -> HashMap<Value, [Value; 2]> {
    let function = &module.functions[func];
    let all: Vec<(Inst, args::MaybeReorderThread)> =
        instructions(function).into_iter().filter_map(|inst| Some((inst, view(function, inst)?))).collect();
    let mut hints = HashMap::default();
    if all.is_empty() {
        return hints;
    }
    let mut without = uses.clone();
    all.iter().for_each(|&(inst, _)| without.remove(function, inst));
    let objects =
        |insts: Vec<Inst>| -> HashSet<Value> { insts.into_iter().filter_map(|inst| function.result(inst)).collect() };
    let fused = objects(fuse::find(module, func, &without).iter().map(|fused| fused.trace).collect());
    let inspected = if is_strict { inspect::find(module, func, &without) } else { Vec::new() };
    let inspected = objects(inspected.iter().map(|object| object.inst).collect());
    for (inst, reorder) in all {
        let object = reorder.hit_object;
        // It is invoked and reordered by, so that the hint does not ask it.
        if fused.contains(&object) && uses.of(object) == 2 {
            uses.remove_alone(function, inst);
            hints.insert(object, [reorder.coherence_hint, reorder.num_coherence_hint_bits_from_lsb]);
        } else if fused.contains(&object) || inspected.contains(&object) {
            uses.remove(function, inst);
        }
    }
    hints
}

/// Takes what is removed from the blocks. Returns whether there is anything.
fn remove(function: &mut Function, uses: &Uses) -> bool {
    if uses.removed.iter().next().is_none() {
        return false;
    }
    for block in function.blocks.values_mut() {
        block.insts.retain(|&inst| !uses.removed.contains(inst));
    }
    for inst in uses.removed.iter() {
        // The instruction is in no block, but analyses look at all instructions.
        function.insts[inst] = InstData::Fence;
    }
    true
}

/// Replaces the hit objects of a function that are inspected alone. Returns whether there are any.
fn inspect(module: &mut Module, func: Func, uses: &Uses, growth: &mut Growth<'_>) -> Result<bool> {
    let inspected = inspect::find(module, func, uses);
    let mut splice = Splice::default();
    for object in &inspected {
        let (before, bytes) = (module.functions[func].insts.len(), module.functions[func].bytes());
        inspect::answer(module, func, object, &mut splice);
        let function = &module.functions[func];
        growth.add(function, function.insts.len() - before, function.bytes() - bytes)?;
    }
    splice.apply(&mut module.functions[func]);
    Ok(!inspected.is_empty())
}
