//! Stores to components of stage outputs.
//!
//! In: element, row, column and value. Out: a store to the element's variable ([`interface`]), or
//! to the builtin of a system value ([`system`]). What must hold: the last value that a thread
//! stores to a component is the one that stays, and no store moves across a barrier or an operation
//! that reads outputs.
//!
//! HLSL assigns vectors, and DXIL stores their components one by one, with the computation of the
//! next one in between. A store therefore waits for the other components of the same vector, until
//! the node ends at the latest. In mesh shaders, a store of the whole vector needs only one check
//! of its index, and avoids the quirk
//! [`MeshOutputComponents`](dxil_base::quirks::Quirk::MeshOutputComponents).

use rspirv::spirv::{Op, StorageClass};

use super::signature::{Component, ComponentOperands, Row, SignatureKind};
use super::{builtin, distances, group, interface, io, signature, system, views};
use crate::analysis::bits::Bits;
use crate::ir::declarations::SignatureElement;
use crate::ir::{BinaryOp, InstData, Value, args};
use crate::lower::cx::{Call, Code, FunctionCx, Lowered, PendingStore};
use crate::ops::consts::{ComponentType, SemanticKind};
use crate::ops::{Access, Memory, Tangle};
use crate::options::{Bounds, Swizzle};
use dxil_base::error::Result;
use dxil_spirv_builder::Id;

/// The most stores that wait at once: a search among them is short.
const MOST_PENDING: usize = 128;

/// Stores a component of an output element.
pub fn store_output(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    args: args::StoreOutput,
) -> Result<Lowered> {
    let operands = ComponentOperands { element: args.output_sig_id, row: args.row_index, column: args.col_index };
    store(cx, code, SignatureKind::Output, operands, args.value, None)
}

/// Stores a component, as soon as the other components of its vector are there. `index` is the
/// vertex or primitive, in mesh shaders.
pub(super) fn store(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    side: SignatureKind,
    operands: ComponentOperands,
    value: Value,
    index: Option<Value>,
) -> Result<Lowered> {
    if signature::class(cx.input, side) == StorageClass::Input {
        return Err(malformed!(
            cx.entry.place,
            "a store to an input of a {} shader; inputs are read-only",
            cx.input.entry.stage
        ));
    }
    let element = signature::element(cx.entry, side, operands.element)?;
    let Component { column, .. } = signature::component(cx.entry, element, operands)?;
    if column >= u32::from(element.cols) {
        let (name, columns) = (&element.name, element.cols);
        return Err(malformed!(
            cx.entry.place,
            "column {column} of signature element `{name}`, which has {columns} columns"
        ));
    }
    if element.stream != 0 && !cx.entry.interface.captured.contains_key(&element.id) {
        // Nothing sees it: see `geometry`.
        return Ok(Lowered::Nothing);
    }
    let is_patch = side == SignatureKind::Patch;
    let mut store = PendingStore { element, is_patch, row: operands.row, index, columns: [None; 4] };
    let mut at = 0;
    while let Some(&pending) = cx.pending.stores.get(at) {
        if are_apart(cx, &pending, &store) {
            at += 1;
            continue;
        }
        cx.pending.stores.swap_remove(at);
        match (pending.row, pending.index) == (store.row, store.index) {
            true => store.columns = pending.columns,
            false => write(cx, code, &pending, false)?,
        }
    }
    if cx.pending.stores.len() >= MOST_PENDING {
        flush(cx, code)?;
    }
    if let Some(slot) = store.columns.get_mut(column as usize) {
        *slot = Some(value);
    }
    match is_whole(cx, &store) {
        true => write(cx, code, &store, true)?,
        false => cx.pending.stores.push(store),
    }
    Ok(Lowered::Nothing)
}

/// Whether two stores cannot be to the same row of the same vertex. Different sums with the same
/// base name different ones; all others may turn out to be the same at run time.
fn are_apart(cx: &mut FunctionCx<'_, '_>, a: &PendingStore<'_>, b: &PendingStore<'_>) -> bool {
    let mut differ = |a: Value, b: Value| {
        a != b && {
            let ((base, number), (other_base, other)) = (sum(cx, a), sum(cx, b));
            base == other_base && number != other
        }
    };
    (a.is_patch, a.element.id) != (b.is_patch, b.element.id)
        || differ(a.row, b.row)
        || a.index.zip(b.index).is_some_and(|(a, b)| differ(a, b))
}

/// A value as the sum of a base and a constant. Rows and vertices have 32 bits, in which sums with
/// different constants differ even where they overflow.
fn sum(cx: &mut FunctionCx<'_, '_>, value: Value) -> (Option<Value>, u64) {
    if let Some(number) = cx.input.const_uint(value) {
        return (None, number);
    }
    let Some((_, &InstData::Binary { op, lhs, rhs, .. })) = cx.function.def_inst(value) else {
        return (Some(value), 0);
    };
    match cx.input.const_uint(rhs) {
        Some(number) if op == BinaryOp::Add => (Some(lhs), number),
        // A compiler writes sums without carries like this.
        Some(number)
            if op == BinaryOp::Or && cx.analysis.known_bits(lhs).and(Bits::constant(number, 32)).most() == 0 =>
        {
            (Some(lhs), number)
        }
        _ => (Some(value), 0),
    }
}

/// Whether a store has all columns of the element; in mesh shaders, all that the shader stores
/// anywhere, because the others have no defined value.
fn is_whole(cx: &FunctionCx<'_, '_>, store: &PendingStore<'_>) -> bool {
    let all = (1 << store.element.cols.min(4)) - 1;
    let element = (store.is_patch, store.element.id.into());
    let stored = cx.input.analysis.mesh.stored_columns.get(&element).copied().unwrap_or(all);
    (0..).zip(store.columns).all(|(column, value)| value.is_some() || stored >> column & 1 == 0)
}

/// Writes what waits, before an instruction that may read it or that other threads wait for.
pub fn flush_before(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, inst: &InstData) -> Result<()> {
    let ends = match inst {
        InstData::Op { op, .. } => {
            let info = op.info();
            info.tangle == Tangle::Barrier || matches!(info.access, Access::Emit | Access::Load(Memory::Output))
        }
        InstData::Call { .. } => true,
        _ => false,
    };
    if ends { flush(cx, code) } else { Ok(()) }
}

/// Writes what waits.
pub fn flush(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>) -> Result<()> {
    let mut stores = std::mem::take(&mut cx.pending.stores);
    stores.iter().try_for_each(|store| write(cx, code, store, false))?;
    stores.clear();
    cx.pending.stores = stores;
    Ok(())
}

/// Writes the components that there are. `whole` says that these are all.
fn write(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, store: &PendingStore<'_>, whole: bool) -> Result<()> {
    let side = if store.is_patch { SignatureKind::Patch } else { SignatureKind::Output };
    let count = signature::vertices(cx.entry, side, store.element)?;
    match (store.index, count) {
        (Some(index), Some(count)) => {
            store_at(cx, code, index, count, |cx, code, index| put(cx, code, side, store, whole, Some(index)))
        }
        // A hull shader's invocation writes its own control point only.
        (None, Some(_)) => {
            let own = builtin::invocation(cx, code)?;
            put(cx, code, side, store, whole, Some(own))
        }
        (_, None) => put(cx, code, side, store, whole, None),
    }
}

/// Stores to the element `index` of an array of `count` elements, if it exists.
pub(super) fn store_at(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    index: Value,
    count: u32,
    store: impl FnOnce(&mut FunctionCx<'_, '_>, &mut Code<'_, '_>, Id) -> Result<()>,
) -> Result<()> {
    let inside = cx.input.options.bounds == Bounds::Driver
        || group::bound(cx, index).is_some_and(|bound| bound < u64::from(count));
    let id = cx.value(code, index)?;
    if inside {
        return store(cx, code, id);
    }
    let (bool_ty, count) = (code.type_bool(), code.const_u32(count));
    let inside = code.binary(Op::ULessThan, bool_ty, id, count);
    code.if_then(inside, |code| store(cx, code, id))
}

/// Stores to a row of an element, the whole vector where the effect is the same.
fn put(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    side: SignatureKind,
    store: &PendingStore<'_>,
    whole: bool,
    vertex: Option<Id>,
) -> Result<()> {
    let element = store.element;
    let row = signature::row(cx.entry, element, store.row)?;
    if whole
        && element.cols > 1
        && distances::builtin(element, side).is_none()
        && interface::columns(cx.input, element, side) == u32::from(element.cols)
        && target_swizzle(cx, side, element, row)? == Swizzle::IDENTITY
    {
        return put_row(cx, code, side, element, row, &store.columns, vertex);
    }
    for (column, value) in (0..).zip(store.columns) {
        if let Some(value) = value {
            put_component(cx, code, side, element, Component { row, column }, value, vertex)?;
        }
    }
    Ok(())
}

/// Stores to a component of an element.
fn put_component(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    side: SignatureKind,
    element: &SignatureElement,
    component: Component,
    value: Value,
    vertex: Option<Id>,
) -> Result<()> {
    let value = source(cx, code, element, value)?;
    let swizzle = target_swizzle(cx, side, element, component.row)?;
    let mut put_column = |column| {
        let pointer = io::pointer(cx, code, side, element, Component { column, ..component }, vertex)?;
        let ty = code.pointee(pointer);
        let value = converted(cx, code, side, element, column, value, ty)?;
        let value = views::placed(cx, code, side, element, value)?;
        code.store(pointer, value);
        Ok(())
    };
    if swizzle == Swizzle::IDENTITY {
        return put_column(component.column);
    }
    let columns = (0..).zip(swizzle.components()).filter(|(_, from)| u32::from(*from) == component.column);
    columns.map(|(column, _)| column).try_for_each(put_column)
}

/// The order in which the target of a row of an output gets its components.
///
/// # Errors
/// `Unsupported` for a row that is known only at run time, if the targets of the rows differ.
fn target_swizzle(
    cx: &FunctionCx<'_, '_>,
    side: SignatureKind,
    element: &SignatureElement,
    row: Row,
) -> Result<Swizzle> {
    if side != SignatureKind::Output {
        return Ok(Swizzle::IDENTITY);
    }
    let of = |row| interface::swizzle(cx.input, element, row);
    match row {
        Row::At(row) => Ok(of(row)),
        Row::Dynamic(_) if (1..element.rows.min(8)).any(|row| of(row) != of(0)) => Err(unsupported!(
            cx.entry.place,
            "`{}` is written at a row that is known only at run time, and the targets of its rows have several orders of \
             components",
            element.name
        )),
        Row::Dynamic(_) => Ok(of(0)),
    }
}

/// The value to store to a column of an element.
fn source(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    element: &SignatureElement,
    value: Value,
) -> Result<Id> {
    match element.component {
        ComponentType::I16 | ComponentType::I32 => cx.signed_value(code, value),
        _ => cx.value(code, value),
    }
}

/// The value of a column as the type of the element's variable.
fn converted(
    cx: &FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    side: SignatureKind,
    element: &SignatureElement,
    column: u32,
    value: Id,
    ty: Id,
) -> Result<Id> {
    let value = io::convert(cx.entry.place, code, value, ty)?;
    let flipped = element.semantic == SemanticKind::Position && side == SignatureKind::Output && column == 1;
    Ok(if flipped && cx.input.options.invert_y { code.unary(Op::FNegate, ty, value) } else { value })
}

/// Stores a whole row of an element. A column without a value becomes zero.
fn put_row(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    side: SignatureKind,
    element: &SignatureElement,
    row: Row,
    columns: &[Option<Value>; 4],
    vertex: Option<Id>,
) -> Result<()> {
    let variable = interface::variable(cx.entry, code, element, side)?;
    let (scalar, count) = match system::system_value(cx.entry, code, element, side)? {
        Some(system) => {
            io::check_component(cx, &system, u32::from(element.cols).saturating_sub(1))?;
            (system.scalar(code), system.components)
        }
        None => (interface::scalar(cx.entry, code, element)?, u32::from(element.cols)),
    };
    let mut indexes = std::mem::take(&mut cx.variables.paths.chain);
    indexes.clear();
    indexes.extend(vertex);
    indexes.extend(io::row_index(cx, code, element, row)?);
    let vector = code.type_vector(scalar, count);
    let pointer = code.access_chain(vector, variable, &indexes);
    cx.variables.paths.chain = indexes;
    let columns = columns.get(..count as usize).unwrap_or_default();
    let value = match stored_as_given(cx, code, side, element, columns, scalar)? {
        Some(values) => cx.vector(code, &values)?,
        None => {
            let mut values = [variable; 4];
            for ((column, value), lowered) in (0..).zip(columns).zip(&mut values) {
                *lowered = match *value {
                    Some(value) => {
                        let value = source(cx, code, element, value)?;
                        converted(cx, code, side, element, column, value, scalar)?
                    }
                    None => code.const_null(scalar),
                };
            }
            code.construct(vector, values.get(..count as usize).unwrap_or_default())
        }
    };
    code.store(pointer, value);
    Ok(())
}

/// The values of a row's columns, if all are there and are stored without a conversion.
fn stored_as_given(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    side: SignatureKind,
    element: &SignatureElement,
    columns: &[Option<Value>],
    scalar: Id,
) -> Result<Option<Vec<Value>>> {
    let is_inverted = cx.input.options.invert_y && element.semantic == SemanticKind::Position;
    if is_inverted && side == SignatureKind::Output || element.component != ComponentType::F32 {
        return Ok(None);
    }
    let Some(values) = columns.iter().copied().collect::<Option<Vec<Value>>>() else { return Ok(None) };
    for &value in &values {
        let ty = cx.type_of(value);
        if cx.entry.ty(code, ty)? != scalar {
            return Ok(None);
        }
    }
    Ok(Some(values))
}
