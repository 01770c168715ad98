//! Inlines functions that SPIR-V cannot call.
//!
//! In: a module. Out: the same module, in which the function's body replaces each reachable call of
//! a function that has a handle, a pointer or an aggregate as a parameter or result. The functions
//! that lowering writes take and return numbers: a handle has no SPIR-V value, and a pointer
//! parameter tells neither the variable that it points into nor the offset. A function that may end
//! the invocation is inlined too, because the payload is copied back first
//! ([`payloads`](super::payloads)). What must hold: callees are finished before their callers, so
//! that each call is inlined once; the copies stay below
//! [`limits::INLINED`](dxil_base::limits::INLINED); recursion, which DXIL forbids, is left for
//! lowering to refuse.
//!
//! The sets of lanes that run together do not change. Lanes that return from a call are together
//! again after it; lanes that leave the copy are together again at the block after it, which all
//! returns jump to.

mod copy;
mod debug;

use self::copy::InlinedCopy;
use super::functions::{callees_first, ends_invocation, placeholder};
use super::growth::Growth;
use crate::ir::debug::DebugInfo;
use crate::ir::{
    Block, BlockCall, BlockData, Def, Func, Function, InstData, Module, Terminator, Type, TypeId, Value, ValueList,
};
use dxil_base::entity::Entity;
use dxil_base::error::Result;
use dxil_base::limits::Fuel;

/// Inlines the calls that SPIR-V cannot express. Returns whether anything changed.
///
/// # Errors
/// `Limit` if the copies are too much code.
pub fn inline(module: &mut Module, entries: &[Func], fuel: &Fuel) -> Result<bool> {
    let wanted: Vec<bool> = module.functions.iter().map(|(_, f)| !is_callable(module, f)).collect();
    let wanted = |func: Func| wanted.get(func.index()).copied().unwrap_or(false);
    let mut growth = Growth::new(fuel, "values in copies of inlined functions", "copies of inlined functions");
    let mut changed = false;
    for caller in callees_first(module, entries) {
        let function = &module.functions[caller];
        let calls_wanted = |data: &InstData| matches!(*data, InstData::Call { func, .. } if wanted(func));
        if !function.insts.values().any(calls_wanted) {
            continue;
        }
        // The caller is taken out of the module while its callees are read, because both cannot be
        // borrowed at once.
        let none = placeholder(function);
        let mut function = std::mem::replace(&mut module.functions[caller], none);
        let result = calls(module, &mut function, caller, &wanted, &mut growth);
        module.functions[caller] = function;
        result?;
        changed = true;
    }
    Ok(changed)
}

/// Whether a SPIR-V function can take the arguments and give the result, and always returns.
fn is_callable(module: &Module, function: &Function) -> bool {
    let is_number = |ty: TypeId| matches!(module.types[ty], Type::Int(_) | Type::Float(_) | Type::Vector { .. });
    function.args.iter().all(|&arg| is_number(module.type_of(function, arg)))
        && (is_number(function.ret) || module.types[function.ret] == Type::Void)
        && !function.insts.values().any(|data| matches!(*data, InstData::Op { op, .. } if ends_invocation(op)))
}

/// Replaces the wanted calls of one function.
fn calls(
    module: &mut Module,
    function: &mut Function,
    caller: Func,
    wanted: &impl Fn(Func) -> bool,
    growth: &mut Growth<'_>,
) -> Result<()> {
    let blocks: Vec<Block> = function.blocks.keys().collect();
    for block in blocks {
        // The last call comes first. The instructions after a call move to a block of their own, so
        // in this order each moves once.
        let calls: Vec<(usize, Func, ValueList)> = function.blocks[block]
            .insts
            .iter()
            .enumerate()
            .filter_map(|(at, &inst)| match function.insts[inst] {
                InstData::Call { func, args } if func != caller && wanted(func) => Some((at, func, args)),
                _ => None,
            })
            .collect();
        for &(at, func, args) in calls.iter().rev() {
            let Module { functions, debug, .. } = &mut *module;
            let callee = &functions[func];
            if callee.blocks.is_empty() {
                continue;
            }
            let (values, bytes) = size(callee);
            growth.add(function, values, bytes)?;
            replace(function, block, at, callee, args, debug.as_deref_mut());
        }
    }
    Ok(())
}

/// The size of a copy of a function, as counted against the limit, and its bytes.
fn size(function: &Function) -> (usize, usize) {
    let cases = function.blocks.values().map(|block| match &block.terminator {
        Terminator::Switch { cases, .. } => cases.len(),
        _ => 0,
    });
    let cases = cases.sum::<usize>();
    let lists = function.locals.len() + function.pool.len() + function.indices.len();
    let values = function.blocks.len() + function.insts.len() + lists + cases;
    // Each copy of a place of the source is a place of its own.
    let debug = function.debug.as_ref().map_or(0, |debug| 4 * debug.heap_bytes());
    (values, function.bytes() + debug + cases * size_of::<(u64, BlockCall)>())
}

/// Puts a copy of the callee in place of the call at an index of a block.
fn replace(
    caller: &mut Function,
    block: Block,
    at: usize,
    callee: &Function,
    args: ValueList,
    info: Option<&mut DebugInfo>,
) {
    let args = caller.list(args).to_vec();
    let data = &mut caller.blocks[block];
    let rest = data.insts.split_off(at + 1);
    let Some(call) = data.insts.pop() else { return };
    let (terminator, hints) = (std::mem::replace(&mut data.terminator, Terminator::Unreachable), data.hints);
    data.hints = Default::default();
    // The block that runs after the call. Its parameter is the call's result, which the returns
    // pass.
    let behind = Block::new(caller.blocks.len());
    let result = caller.results[call].take();
    if let Some(local) = result.and_then(Value::as_local).and_then(|i| caller.locals.get_mut(i)) {
        local.def = Def::Param(behind);
    }
    let _: Block =
        caller.blocks.push(BlockData { params: result.into_iter().collect(), insts: rest, terminator, hints });
    // The call is in no block any more. It becomes a fence, because code that visits all
    // instructions ignores fences.
    caller.insts[call] = InstData::Fence;
    let mut copy = InlinedCopy {
        values: Vec::with_capacity(callee.locals.len()),
        first_inst: caller.insts.len(),
        first_block: caller.blocks.len(),
        first_index: caller.indices.len() as u32,
        behind,
    };
    let entry = copy.run(caller, callee, &args, result.is_some());
    debug::copy(&copy, caller, callee, debug::Call { block, inst: call }, info);
    caller.blocks[block].terminator = Terminator::Jump(BlockCall { block: entry, args: ValueList::default() });
}
