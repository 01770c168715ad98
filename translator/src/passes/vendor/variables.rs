//! Forwards the results of AMD's instructions through variables, which unoptimised code has.
//!
//! In: a function in strict SSA form. Out: the same function, in which a load of a variable that
//! got the result of an instruction is the value that the same block stored last. What must hold:
//! the variable is loaded and stored alone. A variable that nothing loads afterwards is gone.

use foldhash::{HashMap, HashSet};

use super::super::splice::Splice;
use super::ags;
use crate::ir::{Function, Inst, InstData, Module, TypeId, Value};

/// Rewrites all functions. Returns whether anything changed.
pub(super) fn forward(module: &mut Module) -> bool {
    let found: Vec<_> = module
        .functions
        .iter()
        .map(|(func, function)| (func, find(module, function)))
        .filter(|(_, found)| !found.is_empty())
        .collect();
    let changed = !found.is_empty();
    for (func, variables) in found {
        replace(&mut module.functions[func], &variables);
    }
    changed
}

/// The variables that got results, and that are loaded and stored alone.
fn find(module: &Module, function: &Function) -> HashSet<Value> {
    let insts = || function.blocks.values().flat_map(|block| &block.insts).copied();
    let mut found: HashSet<Value> = insts()
        .filter_map(|inst| match function.insts[inst] {
            InstData::Store { ptr, value, volatile: false } => Some((ptr, value)),
            _ => None,
        })
        .filter(|&(ptr, value)| variable_type(function, ptr).is_some() && is_result(module, function, value))
        .map(|(ptr, _)| ptr)
        .collect();
    if found.is_empty() {
        return found;
    }
    let type_of = |value: Value| module.type_of(function, value);
    for inst in insts() {
        let accessed = match function.insts[inst] {
            // All accesses are of one type, that of words.
            InstData::Load { ptr, volatile: false } => {
                let loaded = function.result(inst).map(type_of);
                (loaded == variable_type(function, ptr)).then_some(ptr)
            }
            InstData::Store { ptr, value, volatile: false } if ptr != value => {
                (Some(type_of(value)) == variable_type(function, ptr)).then_some(ptr)
            }
            _ => None,
        };
        function.for_each_operand(inst, |value| {
            if Some(value) != accessed {
                found.remove(&value);
            }
        });
    }
    for block in function.blocks.values() {
        function.for_each_terminator_operand(&block.terminator, |value| {
            found.remove(&value);
        });
    }
    found
}

/// The type of a variable's content.
fn variable_type(function: &Function, ptr: Value) -> Option<TypeId> {
    match function.def_inst(ptr)? {
        (_, &InstData::Alloca { ty }) => Some(ty),
        _ => None,
    }
}

/// Whether a value is the result of an instruction.
fn is_result(module: &Module, function: &Function, value: Value) -> bool {
    function.def_inst(value).is_some_and(|(_, data)| match *data {
        InstData::Op { op, args, .. } => ags::instruction(module, op, function.list(args)).is_some(),
        _ => false,
    })
}

/// Replaces the loads whose block stored before, and removes the variables that have no others.
fn replace(function: &mut Function, variables: &HashSet<Value>) {
    let mut splice = Splice::default();
    let (mut needed, mut stores): (HashSet<Value>, Vec<(Inst, Value)>) = (HashSet::default(), Vec::new());
    for block in function.blocks.values() {
        let mut stored: HashMap<Value, Value> = HashMap::default();
        for &inst in &block.insts {
            match function.insts[inst] {
                InstData::Load { ptr, .. } if variables.contains(&ptr) => {
                    match (stored.get(&ptr), function.result(inst)) {
                        (Some(&value), Some(loaded)) => {
                            splice.value(loaded, value);
                            splice.inst(inst, Vec::new());
                        }
                        _ => {
                            needed.insert(ptr);
                        }
                    }
                }
                InstData::Store { ptr, value, .. } if variables.contains(&ptr) => {
                    stored.insert(ptr, value);
                    stores.push((inst, ptr));
                }
                _ => {}
            }
        }
    }
    for (inst, _) in stores.into_iter().filter(|(_, ptr)| !needed.contains(ptr)) {
        splice.inst(inst, Vec::new());
    }
    for &variable in variables.difference(&needed) {
        function.def_inst(variable).into_iter().for_each(|(inst, _)| splice.inst(inst, Vec::new()));
    }
    splice.apply(function);
}
