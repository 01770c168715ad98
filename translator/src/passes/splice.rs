//! Puts other code in the place of instructions.
//!
//! In: instructions of a function, the code that replaces each, and the values that replace
//! results. Out: the function with that code. What must hold: the caller has written the code into
//! the function, and a value that replaces a result dominates its uses.

use foldhash::HashMap;

use super::replacements::Replacements;
use crate::ir::{Function, Inst, InstData, Value};

/// What replaces instructions of one function.
#[derive(Default)]
pub(super) struct Splice {
    code: HashMap<Inst, Vec<Inst>>,
    values: Replacements,
}

impl Splice {
    /// Replaces an instruction by code, which may be none.
    pub(super) fn inst(&mut self, inst: Inst, code: Vec<Inst>) {
        self.code.insert(inst, code);
    }

    /// Replaces a value, such as the result of an instruction, where it is used.
    pub(super) fn value(&mut self, value: Value, by: Value) {
        self.values.insert(value, by);
    }

    /// What replaces a value by now, or the value.
    pub(super) fn resolve(&mut self, value: Value) -> Value {
        self.values.resolve(value)
    }

    /// Changes the function.
    pub(super) fn apply(mut self, function: &mut Function) {
        for block in function.blocks.values_mut() {
            if !block.insts.iter().any(|inst| self.code.contains_key(inst)) {
                continue;
            }
            let mut out = Vec::new();
            for inst in std::mem::take(&mut block.insts) {
                match self.code.remove(&inst) {
                    Some(code) => {
                        out.extend(code);
                        // The instruction is in no block, but analyses look at all instructions.
                        function.insts[inst] = InstData::Fence;
                    }
                    None => out.push(inst),
                }
            }
            block.insts = out;
        }
        function.for_each_use_mut(|value| *value = self.values.resolve(*value));
    }
}
