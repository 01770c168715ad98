//! Block parameters that are always one value.
//!
//! In: a verified module. Out: the same, where a parameter to which every branch gives the same value, or itself, is that value. What must hold:
//! the value is visible wherever the parameter was, as it is at the end of every block that branches there. Handles and pointers take part,
//! which have no phi.
//!
//! LLVM keeps such phis for values that leave loops ("Loop-Closed SSA"); DXC does not remove them at -Od.

use rustc_hash::FxHashMap;

use crate::dxil::ir::{Block, Function, Module, Terminator, Value};

/// Rewrites all functions. Says whether anything changed.
pub(super) fn fold(module: &mut Module) -> bool {
    let mut changed = false;
    for function in module.functions.values_mut() {
        let mut same = find(function);
        if !same.is_empty() {
            replace(function, &mut same);
            changed = true;
        }
    }
    changed
}

/// The end of a chain of replacements. What it passed leads there at once from then on.
fn resolve(same: &mut FxHashMap<Value, Value>, value: Value) -> Value {
    let mut end = value;
    while let Some(&other) = same.get(&end) {
        end = other;
    }
    let mut at = value;
    while let Some(other) = same.get_mut(&at) {
        at = std::mem::replace(other, end);
    }
    end
}

/// Most times that all parameters are looked at. One is enough where definitions stand before uses, another for each level of loops.
const ROUNDS: usize = 8;

/// Parameters, each with the value that it is.
fn find(function: &Function) -> FxHashMap<Value, Value> {
    let mut given: FxHashMap<Value, Vec<Value>> = FxHashMap::default();
    for call in function.blocks.values().flat_map(|block| block.terminator.targets()) {
        for (&param, &arg) in function.blocks[call.block].params.iter().zip(function.list(call.args)) {
            given.entry(param).or_default().push(arg);
        }
    }
    let mut same: FxHashMap<Value, Value> = FxHashMap::default();
    for _ in 0..ROUNDS {
        let before = same.len();
        for &param in function.blocks.values().flat_map(|block| &block.params) {
            let Some(args) = given.get_mut(&param) else { continue };
            args.iter_mut().for_each(|arg| *arg = resolve(&mut same, *arg));
            let mut others = args.iter().copied().filter(|&arg| arg != param);
            if let Some(only) = others.next()
                && others.all(|other| other == only)
            {
                given.remove(&param);
                same.insert(param, only);
            }
        }
        if same.len() == before {
            break;
        }
    }
    same
}

fn replace(function: &mut Function, same: &mut FxHashMap<Value, Value>) {
    let blocks: Vec<Block> = function.blocks.keys().collect();
    for &block in &blocks {
        let mut terminator = std::mem::replace(&mut function.blocks[block].terminator, Terminator::Unreachable);
        for call in terminator.targets_mut() {
            let params = &function.blocks[call.block].params;
            if params.iter().any(|param| same.contains_key(param)) {
                let args = params.iter().zip(function.list(call.args));
                let kept: Vec<Value> =
                    args.filter(|(param, _)| !same.contains_key(param)).map(|(_, &arg)| arg).collect();
                call.args = function.make_list(&kept);
            }
        }
        function.blocks[block].terminator = terminator;
    }
    for &block in &blocks {
        function.blocks[block].params.retain(|param| !same.contains_key(param));
    }
    function.for_each_use_mut(|value| *value = resolve(same, *value));
}
