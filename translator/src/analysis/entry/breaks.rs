//! The break condition that DXC writes to keep wave-sensitive blocks in their loop.
//!
//! DXC turns `break` in a loop with wave operations into a conditional branch on `load
//! dx.break.cond[0] == 0` (DXC's `CleanupDxBreak`). The array is constant and zero, so the test is
//! always true. It exists only to give LLVM an edge back into the loop, which keeps the block
//! before the `break` part of the loop.
//!
//! Lowering replaces the test by the constant `true`. The edge that is never taken stays in the
//! graph, where it says which blocks belong to the loop
//! ([`structure::Terminator::Branch`](dxil_structure::Terminator)). A branch on a constant
//! condition gets the same treatment.

use crate::ir::{CmpOp, ConstKind, Function, InstData, Module, Value, ValueKind};
use dxil_structure::Side;

/// Whether the address is that of the break condition, and its array is constant and zero.
fn is_break_condition(module: &Module, function: &Function, pointer: Value) -> bool {
    /// A constant address is a global under one or two constant expressions.
    const STEPS: usize = 4;
    let mut at = pointer;
    for _ in 0..STEPS {
        at = match at.kind() {
            ValueKind::Const(c) => match &module.consts[c].kind {
                ConstKind::Gep { base, .. } => Value::constant(*base),
                ConstKind::Cast { value, .. } => Value::constant(*value),
                ConstKind::GlobalAddr(global) => {
                    let data = &module.globals[*global];
                    let zero = data.init.is_some_and(|init| module.consts[init].kind == ConstKind::Null);
                    return &*data.name == "dx.break.cond" && data.constant && zero;
                }
                _ => return false,
            },
            ValueKind::Local(_) => match function.def_inst(at) {
                Some((_, InstData::Gep { base, .. })) => *base,
                _ => return false,
            },
        };
    }
    false
}

/// Whether an instruction loads the break condition. The loaded value is zero.
pub fn is_zero_load(module: &Module, function: &Function, data: &InstData) -> bool {
    matches!(*data, InstData::Load { ptr, .. } if is_break_condition(module, function, ptr))
}

/// Whether an instruction compares the break condition with zero. The result is true.
pub fn is_true_test(module: &Module, function: &Function, data: &InstData) -> bool {
    let InstData::Cmp { op: CmpOp::Eq, lhs, rhs } = *data else { return false };
    let loads = |value| function.def_inst(value).is_some_and(|(_, data)| is_zero_load(module, function, data));
    let is_zero = |value| module.const_uint(value) == Some(0);
    loads(lhs) && is_zero(rhs) || is_zero(lhs) && loads(rhs)
}

/// The side of a branch that is never taken, if its condition is the test of the break condition or
/// a constant. DXC leaves a constant at -Od in loops that it does not find wave-sensitive.
pub(super) fn never(module: &Module, function: &Function, condition: Value) -> Option<Side> {
    let tests = || function.def_inst(condition).is_some_and(|(_, data)| is_true_test(module, function, data));
    match module.const_uint(condition) {
        Some(0) => Some(Side::Then),
        Some(_) => Some(Side::Else),
        None => tests().then_some(Side::Else),
    }
}
