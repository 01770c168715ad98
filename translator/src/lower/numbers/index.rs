//! Arithmetic on 32-bit indexes and offsets, folded if the operands are constants.

use rspirv::spirv::{GlslStd450Op, Op};

use crate::lower::cx::Code;
use dxil_spirv_builder::Id;

/// `a + b` in 32 bits, folded if `a` is a constant.
pub fn add(code: &mut Code<'_, '_>, a: Id, b: u32) -> Id {
    if b == 0 {
        return a;
    }
    if let Some(a) = code.constant_u32(a) {
        return code.const_u32(a.wrapping_add(b));
    }
    let (ty, b) = (code.type_u32(), code.const_u32(b));
    code.pure(Op::IAdd, ty, &[a, b])
}

/// `value * factor`, folded if `value` is a constant.
pub fn scaled(code: &mut Code<'_, '_>, value: Id, factor: u32) -> Id {
    match (code.constant_u32(value), factor) {
        (_, 1) => value,
        (Some(value), _) => code.const_u32(value.wrapping_mul(factor)),
        (None, _) => {
            let (ty, factor) = (code.type_u32(), code.const_u32(factor));
            code.pure(Op::IMul, ty, &[value, factor])
        }
    }
}

/// `value / bytes` for a power of two, folded if `value` is a constant.
pub fn shifted(code: &mut Code<'_, '_>, value: Id, bytes: u32) -> Id {
    let shift = bytes.trailing_zeros();
    if shift == 0 {
        return value;
    }
    match code.constant_u32(value) {
        Some(value) => code.const_u32(value >> shift),
        None => {
            let (ty, shift) = (code.type_u32(), code.const_u32(shift));
            code.pure(Op::ShiftRightLogical, ty, &[value, shift])
        }
    }
}

/// The index of an element, clamped so that its byte offset fits in 32 bits.
pub fn last_element(code: &mut Code<'_, '_>, index: Id, stride: u32) -> Id {
    let last = u32::MAX / stride - 1;
    match code.constant_u32(index) {
        Some(index) => code.const_u32(index.min(last)),
        None => {
            let (ty, last) = (code.type_u32(), code.const_u32(last));
            code.pure_glsl(GlslStd450Op::UMin, ty, &[index, last])
        }
    }
}
