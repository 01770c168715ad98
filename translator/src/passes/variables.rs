//! Variables that are loaded and stored alone, which code has that was not optimised.
//!
//! In: a function that keeps the contract of the [verifier](crate::ir::verify). Out: its variables
//! that nothing but loads and stores of their whole content uses, with these accesses. What must
//! hold: the address of such a variable is nowhere else, so that no other instruction and no called
//! function accesses it.

use foldhash::HashMap;

use crate::ir::{Block, Function, Inst, InstData, TypeId, Value};

/// A variable that is loaded and stored alone.
pub(super) struct PlainVariable {
    /// The instruction that makes it.
    pub(super) alloca: Inst,
    /// Its loads and stores, in the order of the code; and casts of its address that nothing uses,
    /// which are left of marks of its lifetime.
    pub(super) accesses: Vec<(Block, Inst)>,
}

/// The variables of the types that are asked for, in the order of the code. The cost is one visit
/// of each instruction.
pub(super) fn find(function: &Function, is_asked: impl Fn(TypeId) -> bool) -> Vec<PlainVariable> {
    // Compilers declare variables in the entry block.
    let entry = function.blocks.values().next();
    let is_variable = |inst: Inst| matches!(function.insts[inst], InstData::Alloca { ty } if is_asked(ty));
    let allocas = entry.into_iter().flat_map(|block| &block.insts).copied().filter(|&inst| is_variable(inst));
    let variables: Vec<(Value, Inst)> = allocas.filter_map(|inst| Some((function.result(inst)?, inst))).collect();
    if variables.is_empty() {
        return Vec::new();
    }
    let plain = |&(ptr, alloca): &(Value, Inst)| (ptr, PlainVariable { alloca, accesses: Vec::new() });
    let mut found: HashMap<Value, PlainVariable> = variables.iter().map(plain).collect();
    for (block, data) in function.blocks.iter() {
        for &inst in &data.insts {
            let accessed = match function.insts[inst] {
                InstData::Load { ptr, volatile: false } => Some(ptr),
                InstData::Store { ptr, value, volatile: false } if ptr != value => Some(ptr),
                InstData::Cast { value, .. } => Some(value),
                _ => None,
            };
            if let Some(variable) = accessed.and_then(|ptr| found.get_mut(&ptr)) {
                variable.accesses.push((block, inst));
            }
            function.for_each_operand(inst, |value| match function.def_inst(value) {
                Some((_, InstData::Cast { value: address, .. })) => drop(found.remove(address)),
                _ if Some(value) != accessed => drop(found.remove(&value)),
                _ => {}
            });
        }
        function.for_each_terminator_operand(&data.terminator, |value| {
            found.remove(&value);
        });
    }
    variables.into_iter().filter_map(|(ptr, _)| found.remove(&ptr)).collect()
}
