//! Forwards the results of AMD's instructions through variables, which unoptimised code has.
//!
//! In: a function in strict SSA form. Out: the same function, in which a load of a variable that
//! got the result of an instruction is the value that the same block stored last. What must hold:
//! the variable is loaded and stored alone. A variable that nothing loads afterwards is gone.

use super::super::splice::Splice;
use super::super::variables::{self, PlainVariable};
use super::ags;
use crate::ir::{Func, Function, InstData, Module, Value};

/// Rewrites all functions. Returns whether anything changed.
pub(super) fn forward(module: &mut Module) -> bool {
    let mut changed = false;
    let funcs: Vec<Func> = module.functions.keys().collect();
    for func in funcs {
        let mut found = variables::find(&module.functions[func], |_| true);
        found.retain(|variable| gets_result(module, &module.functions[func], variable));
        if !found.is_empty() {
            replace(&mut module.functions[func], &found);
            changed = true;
        }
    }
    changed
}

/// Whether the result of an instruction is stored to a variable.
fn gets_result(module: &Module, function: &Function, variable: &PlainVariable) -> bool {
    variable.accesses.iter().any(|&(_, inst)| match function.insts[inst] {
        InstData::Store { value, .. } => is_result(module, function, value),
        _ => false,
    })
}

/// Whether a value is the result of an instruction.
fn is_result(module: &Module, function: &Function, value: Value) -> bool {
    function.def_inst(value).is_some_and(|(_, data)| match *data {
        InstData::Op { op, args, .. } => ags::instruction(module, op, function.list(args)).is_some(),
        _ => false,
    })
}

/// Replaces the loads whose block stored before, and removes the variables that have no others.
fn replace(function: &mut Function, variables: &[PlainVariable]) {
    let mut splice = Splice::default();
    for PlainVariable { alloca, accesses } in variables {
        let (mut stored, mut is_needed) = (None, false);
        for &(block, inst) in accesses {
            match (function.insts[inst], function.result(inst), stored) {
                (InstData::Store { value, .. }, ..) => stored = Some((block, value)),
                (InstData::Load { .. }, Some(loaded), Some((at, value))) if at == block => {
                    splice.value(loaded, value);
                    splice.inst(inst, Vec::new());
                }
                (InstData::Load { .. }, ..) => is_needed = true,
                _ => {}
            }
        }
        if !is_needed {
            let all = accesses.iter().map(|&(_, inst)| inst).chain([*alloca]);
            all.for_each(|inst| splice.inst(inst, Vec::new()));
        }
    }
    splice.apply(function);
}
