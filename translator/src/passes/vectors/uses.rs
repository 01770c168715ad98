//! Which vectors are needed as wholes, where vectors stay.

use crate::ir::{Block, Function, InstData, Value};

/// How the locals of a function are made and used.
pub(super) struct Uses {
    /// How often each is an operand.
    pub(super) count: Vec<u32>,
    /// Whether each is an operand of anything that takes no single elements of it.
    pub(super) as_a_whole: Vec<bool>,
    /// Whether the elements of each are values already: what operations give, and vectors that are
    /// made of elements.
    has_parts: Vec<bool>,
}

impl Uses {
    /// Looks at the blocks of a strict function in reverse postorder.
    pub(super) fn new(function: &Function, order: &[Block]) -> Self {
        let len = function.locals.len();
        let mut all = Self { count: vec![0; len], as_a_whole: vec![false; len], has_parts: vec![false; len] };
        for &block in order {
            for &inst in &function.blocks[block].insts {
                let (data, result) = (function.insts[inst], function.result(inst));
                let whole = !all.takes_elements(&data);
                function.for_each_operand(inst, |value| all.used(value, whole));
                let makes_parts = matches!(data, InstData::Op { .. })
                    || matches!(data, InstData::InsertElement { .. } | InstData::ExtractValue { .. }) && !whole;
                if let Some(local) = result.and_then(Value::as_local).filter(|&local| local < len) {
                    all.has_parts[local] = makes_parts;
                }
            }
            function.for_each_terminator_operand(&function.blocks[block].terminator, |value| all.used(value, true));
        }
        all
    }

    fn used(&mut self, value: Value, whole: bool) {
        if let Some(local) = value.as_local().filter(|&local| local < self.count.len()) {
            self.count[local] += 1;
            self.as_a_whole[local] |= whole;
        }
    }

    /// Whether an instruction takes single elements of a vector, if vectors stay.
    pub(super) fn takes_elements(&self, data: &InstData) -> bool {
        match *data {
            InstData::Op { .. } => true,
            InstData::ExtractElement { index, .. } => index.as_const().is_some(),
            InstData::InsertElement { vector, index, .. } => index.as_const().is_some() && self.knows(vector),
            InstData::ExtractValue { aggregate, .. } => self.knows(aggregate),
            _ => false,
        }
    }

    /// Whether the elements of a vector are values already.
    fn knows(&self, vector: Value) -> bool {
        vector.as_local().is_none_or(|local| self.has_parts.get(local) == Some(&true))
    }
}
