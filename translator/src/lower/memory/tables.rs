//! Constant tables that are declared as arrays of vectors
//! ([`VectorTables`](crate::analysis::entry::VectorTables)).
//!
//! In: a table's contents as an array of numbers, and indexes of that array. Out: the array of
//! vectors, and for each index that of the vector and of its component. What must hold: both name
//! the same number for every index inside the table.

use rspirv::spirv::Op;

use crate::ir::{BinaryOp, Const, ConstKind, InstData, Value};
use crate::lower::cx::{Code, EntryCx, FunctionCx};
use dxil_base::error::Result;
use dxil_spirv_builder::{Id, Module};

/// The type and the contents of a table whose vectors have this number of components.
///
/// # Errors
/// `Bug` if the contents are not those of an array; the errors of
/// [`constant`](EntryCx::constant).
pub fn declaration(
    cx: &mut EntryCx<'_>,
    module: &mut Module<'_>,
    init: Const,
    components: u32,
) -> Result<(Id, Option<Id>)> {
    let ConstKind::Aggregate(elements) = &cx.input.program.module.consts[init].kind else {
        return Err(bug!(cx.place, "a table of vectors has no elements"));
    };
    let [first, ..] = elements[..] else { return Err(bug!(cx.place, "a table of vectors is empty")) };
    let number = cx.ty(module, cx.input.program.module.consts[first].ty)?;
    let vector = module.type_vector(number, components);
    let (mut vectors, mut ids) = (Vec::with_capacity(elements.len() / 2), Vec::with_capacity(4));
    for elements in elements.chunks_exact(components as usize) {
        ids.clear();
        for &element in elements {
            ids.push(cx.constant(module, element)?);
        }
        vectors.push(module.const_composite(vector, &ids));
    }
    let ty = module.type_array(vector, vectors.len() as u32, None);
    Ok((ty, Some(module.const_composite(ty, &vectors))))
}

/// Replaces the index of a number in a table by that of its vector and that of the component.
///
/// # Errors
/// Those of the index as a value.
pub fn element(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    index: Value,
    components: u32,
    indices: &mut Vec<Id>,
) -> Result<()> {
    let (count, low) = cx.analysis.known_bits(index).lowest();
    let component = if count >= components.trailing_zeros() {
        code.const_u32(low as u32 % components)
    } else {
        let index = cx.signed_value(code, index)?;
        let ty = code.type_of(index).unwrap_or(index);
        let mask = code.const_bits(ty, u64::from(components - 1));
        code.pure(Op::BitwiseAnd, ty, &[index, mask])
    };
    let vector = vector_of(cx, code, index, components)?;
    indices.clear();
    indices.extend([vector, component]);
    Ok(())
}

/// The index of the vector that has an element.
fn vector_of(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, index: Value, components: u32) -> Result<Id> {
    let (module, bits) = (&cx.input.program.module, components.trailing_zeros());
    // An operation with a constant, on either side.
    let operation = |value: Value| match *cx.function.def_inst(value)?.1 {
        InstData::Binary { op: op @ (BinaryOp::Add | BinaryOp::Or | BinaryOp::Mul), lhs, rhs, .. } => {
            match (module.const_uint(lhs), module.const_uint(rhs)) {
                (_, Some(number)) => Some((op, lhs, number)),
                (Some(number), _) => Some((op, rhs, number)),
                _ => None,
            }
        }
        _ => None,
    };
    // The number of a component does not change the vector of the first one.
    let first = match operation(index) {
        Some((BinaryOp::Add | BinaryOp::Or, first, component))
            if component < u64::from(components) && cx.analysis.known_bits(first).trailing_zeros() >= bits =>
        {
            first
        }
        _ => index,
    };
    let multiplied = match operation(first) {
        Some((BinaryOp::Mul, vector, by)) if by == u64::from(components) => Some(vector),
        _ => None,
    };
    // The multiplication must not lose bits.
    let width = module.types.scalar_bits(module.type_of(cx.function, index)).map_or(32, u32::from);
    if let Some(vector) = multiplied
        && cx.analysis.known_bits(vector).most() >> width.saturating_sub(bits).min(63) == 0
    {
        return cx.signed_value(code, vector);
    }
    let first = cx.signed_value(code, first)?;
    let ty = code.type_of(first).unwrap_or(first);
    let by = code.const_bits(ty, bits.into());
    Ok(code.pure(Op::ShiftRightLogical, ty, &[first, by]))
}
