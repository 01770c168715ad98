//! What several passes ask of functions and do with them.

use crate::ir::{Func, Function, InstData, Module};
use crate::ops::{MemoryEffect, OpCode};
use dxil_base::entity::EntitySet;

/// The functions that the entries reach, callees before callers. A call that closes a cycle is
/// ignored.
pub(super) fn callees_first(module: &Module, entries: &[Func]) -> Vec<Func> {
    let mut order = Vec::new();
    let mut seen: EntitySet<Func> = EntitySet::new();
    let mut stack: Vec<(Func, bool)> = entries.iter().map(|&func| (func, false)).collect();
    while let Some((func, done)) = stack.pop() {
        if done {
            order.push(func);
        } else if seen.insert(func) {
            stack.push((func, true));
            let calls = module.functions[func].insts.values().filter_map(|data| match *data {
                InstData::Call { func, .. } => Some((func, false)),
                _ => None,
            });
            stack.extend(calls);
        }
    }
    order
}

/// A placeholder for a function while it is changed. A call of the function itself finds no body
/// and is left.
pub(super) fn placeholder(function: &Function) -> Function {
    Function::new(function.name.clone(), function.ret, function.number)
}

/// Whether an operation ends the invocation.
pub(super) fn ends_invocation(op: OpCode) -> bool {
    op.info().effect == MemoryEffect::End
}
