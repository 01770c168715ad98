//! The members of each result that a function extracts. Lowering does not compute the other
//! members.

use crate::analysis::program::{Entry, Program};
use crate::ir::{Func, Function, Inst, InstData, Value};
use dxil_base::entity::SecondaryMap;

/// For each local of each function that an entry reaches, what [`extracted`] finds.
#[derive(Clone, Debug, Default)]
pub struct ExtractedMembers(SecondaryMap<Func, Box<[u8]>>);

impl ExtractedMembers {
    /// Looks at all functions that the entry reaches.
    pub fn find(program: &Program, entry: &Entry) -> Self {
        let mut masks = SecondaryMap::default();
        for &func in &program.reached[entry.reachable.functions] {
            masks[func] = extracted(&program.module.functions[func]).into();
        }
        Self(masks)
    }

    /// The mask of each local of a function.
    pub fn of(&self, func: Func) -> &[u8] {
        &self.0[func]
    }
}

/// The mask of an instruction's result. A result without a mask counts as used as a whole.
pub fn mask_of(masks: &[u8], function: &Function, inst: Inst) -> u8 {
    let result = function.result(inst).and_then(Value::as_local);
    result.and_then(|local| masks.get(local)).copied().unwrap_or(u8::MAX)
}

/// For each local a mask of its first eight members: those that an `extractvalue` takes. All bits
/// are set if the local is used as a whole.
fn extracted(function: &Function) -> Vec<u8> {
    let mut masks = vec![0u8; function.locals.len()];
    let whole = |masks: &mut Vec<u8>, value: Value| {
        if let Some(mask) = value.as_local().and_then(|i| masks.get_mut(i)) {
            *mask = u8::MAX;
        }
    };
    for (inst, data) in function.insts.iter() {
        match *data {
            InstData::ExtractValue { aggregate, first, count } if count != 0 => {
                let index = function.indices.get(first as usize).copied().filter(|&n| n < 8);
                match (index, aggregate.as_local().and_then(|i| masks.get_mut(i))) {
                    (Some(index), Some(mask)) => *mask |= 1 << index,
                    _ => whole(&mut masks, aggregate),
                }
            }
            // These instructions take no aggregates; the verifier has checked it.
            InstData::Binary { .. }
            | InstData::Cast { .. }
            | InstData::Cmp { .. }
            | InstData::Op { .. }
            | InstData::Load { .. }
            | InstData::Gep { .. } => {}
            _ => function.for_each_operand(inst, |value| whole(&mut masks, value)),
        }
    }
    for (_, block) in function.blocks.iter() {
        function.for_each_terminator_operand(&block.terminator, |value| whole(&mut masks, value));
    }
    masks
}
