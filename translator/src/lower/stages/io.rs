//! Loads of components of stage inputs and outputs. [`outputs`](super::outputs) stores them.
//!
//! In: element, row and column. Out: a load from the element's variable ([`interface`]), or to the
//! builtin of a system value ([`system`]).

use rspirv::spirv::Op;

use super::signature::{Component, ComponentOperands, Row, SignatureKind};
use super::system::{Meaning, System};
use super::{distances, interface, signature, system};
use crate::ir::args;
use crate::ir::declarations::SignatureElement;
use crate::lower::cx::{Call, Code, FunctionCx, Leaf, Lowered};
use crate::ops::consts::ShaderStage;
use dxil_base::error::{Place, Result};
use dxil_spirv_builder::{Id, MemoryAccess};

/// Pointer to a component of an element that the stage writes, or reads without conversion.
pub(super) fn pointer(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    side: SignatureKind,
    element: &SignatureElement,
    component: Component,
    vertex: Option<Id>,
) -> Result<Id> {
    if let Some(pointer) = distances::pointer(cx, code, side, element, component, vertex)? {
        return Ok(pointer);
    }
    let variable = interface::variable(cx.entry, code, element, side)?;
    let Some(system) = system::system_value(cx.entry, code, element, side)? else {
        return component_pointer(cx, code, side, variable, vertex, element, component);
    };
    let Component { column, .. } = component;
    check_component(cx, &system, column)?;
    let scalar = system.scalar(code);
    let mut indexes: Vec<Id> = vertex.into_iter().collect();
    if system.components > 1 || system.meaning == Meaning::MaskArray {
        indexes.push(code.const_u32(column));
    }
    Ok(code.access_chain(scalar, variable, &indexes))
}

/// # Errors
/// `Malformed` for a component that the builtin does not have.
pub(super) fn check_component(cx: &FunctionCx<'_, '_>, system: &System, column: u32) -> Result<()> {
    if column < system.components {
        return Ok(());
    }
    Err(malformed!(
        cx.entry.place,
        "component {column} of {:?}, which has {} components",
        system.builtin,
        system.components
    ))
}

/// Pointer to a component of an element's variable. If the variable is an array over vertices,
/// `vertex` is its index.
fn component_pointer(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    side: SignatureKind,
    variable: Id,
    vertex: Option<Id>,
    element: &SignatureElement,
    Component { row, column }: Component,
) -> Result<Id> {
    let columns = checked_columns(cx, side, element, column)?;
    let scalar = interface::scalar(cx.entry, code, element)?;
    let mut indexes = std::mem::take(&mut cx.variables.paths.chain);
    indexes.clear();
    indexes.extend(vertex);
    indexes.extend(row_index(cx, code, element, row)?);
    if columns > 1 {
        indexes.push(code.const_u32(column));
    }
    let pointer = code.access_chain(scalar, variable, &indexes);
    cx.variables.paths.chain = indexes;
    Ok(pointer)
}

/// Pointer to a component of an input element with a location, for interpolation at a position that
/// the pixel shader chooses.
///
/// # Errors
/// `Unsupported` for system values and inputs that are read per vertex, which cannot be
/// interpolated at another position.
pub(super) fn interpolant(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    operands: ComponentOperands,
) -> Result<Id> {
    let element = signature::element(cx.entry, SignatureKind::Input, operands.element)?;
    if system::system_value(cx.entry, code, element, SignatureKind::Input)?.is_some()
        || signature::vertices(cx.entry, SignatureKind::Input, element)?.is_some()
    {
        return Err(unsupported!(
            cx.entry.place,
            "interpolation of `{}` ({}) at another position; only inputs that are not system values and are not read \
             per vertex allow it",
            element.name,
            element.semantic
        ));
    }
    let component = signature::component(cx.entry, element, operands)?;
    pointer(cx, code, SignatureKind::Input, element, component, None)
}

/// Loads a component. `vertex` says of which vertex, if the stage sees several.
pub(super) fn load(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    side: SignatureKind,
    operands: ComponentOperands,
    vertex: Option<Id>,
) -> Result<Lowered> {
    let element = signature::element(cx.entry, side, operands.element)?;
    let component = signature::component(cx.entry, element, operands)?;
    let vertex = match (signature::vertices(cx.entry, side, element)?, vertex) {
        (Some(_), None) => {
            return Err(malformed!(
                call.place,
                "`{}` is an array over vertices, and the operation names no vertex",
                element.name
            ));
        }
        (Some(_), vertex) => vertex,
        (None, _) => None,
    };
    let ty = cx.entry.ty(code, call.ty()?)?;
    let is_distance = distances::builtin(element, side).is_some();
    let system = if is_distance { None } else { system::system_value(cx.entry, code, element, side)? };
    let value = match system {
        Some(system) => {
            let variable = interface::variable(cx.entry, code, element, side)?;
            system::load(cx, code, &system, variable, vertex, component.column)?
        }
        None if side == SignatureKind::Input && !is_distance => {
            let (row, count) = row_of(cx, code, element, component, vertex)?;
            if count > 1 && code.type_of(row).is_some_and(|row| code.scalar(row).0 == ty) {
                return Ok(Leaf::Component(row, component.column as u8).into());
            }
            code.component(row, component.column)
        }
        None => {
            let pointer = pointer(cx, code, side, element, component, vertex)?;
            code.load(pointer)
        }
    };
    Ok(Lowered::Id(convert(cx.entry.place, code, value, ty)?))
}

/// Loads the row of an input element that has a component, and the number of its columns. Nothing
/// writes inputs, so that each row is loaded once.
fn row_of(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    element: &SignatureElement,
    Component { row, column }: Component,
    vertex: Option<Id>,
) -> Result<(Id, u32)> {
    let columns = checked_columns(cx, SignatureKind::Input, element, column)?;
    let variable = interface::variable(cx.entry, code, element, SignatureKind::Input)?;
    let scalar = interface::scalar(cx.entry, code, element)?;
    let mut indexes = std::mem::take(&mut cx.variables.paths.chain);
    indexes.clear();
    indexes.extend(vertex);
    indexes.extend(row_index(cx, code, element, row)?);
    let vector = code.type_vector(scalar, columns);
    let pointer = code.access_chain(vector, variable, &indexes);
    cx.variables.paths.chain = indexes;
    Ok((code.load_constant(pointer, MemoryAccess::default()), columns))
}

/// The number of columns of an element's variable.
///
/// # Errors
/// `Malformed` if the element has no such column.
fn checked_columns(
    cx: &FunctionCx<'_, '_>,
    side: SignatureKind,
    element: &SignatureElement,
    column: u32,
) -> Result<u32> {
    let columns = interface::columns(cx.input, element, side);
    if column < columns {
        return Ok(columns);
    }
    Err(malformed!(
        cx.entry.place,
        "column {column} of signature element `{}`, which has {} columns",
        element.name,
        element.cols
    ))
}

/// Loads a component of an input element.
pub fn load_input(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::LoadInput,
) -> Result<Lowered> {
    let vertex = match cx.input.entry.stage {
        // An input that is also read per vertex is an array. Its plain value is that of the first
        // vertex, as for `nointerpolation`.
        ShaderStage::Pixel => Some(code.const_u32(0)),
        _ if cx.input.is_undef(args.gs_vertex_axis) => None,
        _ => Some(cx.value(code, args.gs_vertex_axis)?),
    };
    load(
        cx,
        code,
        call,
        SignatureKind::Input,
        ComponentOperands { element: args.input_sig_id, row: args.row_index, column: args.col_index },
        vertex,
    )
}

/// `GetAttributeAtVertex`: the value at one of the primitive's vertices, as the previous stage
/// wrote it.
pub fn attribute_at_vertex(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::AttributeAtVertex,
) -> Result<Lowered> {
    let vertex = cx.entry.immediate(args.vertex_id)?;
    let element = signature::element(cx.entry, SignatureKind::Input, args.input_sig_id)?;
    if vertex > 2
        || !signature::is_flat(element)
        || system::system_value(cx.entry, code, element, SignatureKind::Input)?.is_some()
    {
        return Err(unsupported!(
            call.place,
            "GetAttributeAtVertex of `{}` ({}) at vertex {vertex}; it needs an input with nointerpolation that is not \
             a system value, and a vertex from 0 to 2",
            element.name,
            element.interpolation
        ));
    }
    let vertex = Some(code.const_u32(vertex));
    let operands =
        ComponentOperands { element: args.input_sig_id, row: args.input_row_index, column: args.input_col_index };
    load(cx, code, call, SignatureKind::Input, operands, vertex)
}

/// The index of a row of an element's variable, if it is an array of rows.
pub(super) fn row_index(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    element: &SignatureElement,
    row: Row,
) -> Result<Option<Id>> {
    Ok(match row {
        _ if element.rows <= 1 => None,
        Row::At(row) => Some(code.const_u32(row)),
        Row::Dynamic(row) => Some(cx.value(code, row)?),
    })
}

/// Converts between the type of an interface variable and that of a value. The types may differ in
/// sign, and in width if 16-bit types are widened.
///
/// # Errors
/// `Malformed` between a float and an integer of another width, because the operation's overload
/// then does not match the element's type.
pub(super) fn convert(place: Place, code: &mut Code<'_, '_>, value: Id, ty: Id) -> Result<Id> {
    use dxil_spirv_builder::Type;
    let from = code.type_of(value);
    if from == Some(ty) {
        return Ok(value);
    }
    let op = match (code.ty_of(value), code.ty(ty)) {
        (Some(Type::Float { .. }), Some(Type::Float { .. })) => Op::FConvert,
        (Some(Type::Int { width: a, .. }), Some(Type::Int { width: b, .. })) if a == b => Op::Bitcast,
        (Some(Type::Int { signed, .. }), Some(Type::Int { signed: to, .. })) => {
            if signed || to {
                Op::SConvert
            } else {
                Op::UConvert
            }
        }
        (Some(Type::Int { .. }), Some(Type::Bool)) => return Ok(code.is_nonzero(value)),
        (Some(Type::Bool), Some(Type::Int { .. })) => {
            let (one, zero) = (code.const_bits(ty, 1), code.const_bits(ty, 0));
            return Ok(code.select(ty, value, one, zero));
        }
        (Some(Type::Float { width: a }), Some(Type::Int { width: b, .. }))
        | (Some(Type::Int { width: a, .. }), Some(Type::Float { width: b }))
            if a == b =>
        {
            Op::Bitcast
        }
        _ => {
            return Err(malformed!(
                place,
                "the type of a load or store differs from the type of its signature element"
            ));
        }
    };
    Ok(code.unary(op, ty, value))
}

#[cfg(test)]
mod tests {
    use rspirv::spirv::FunctionControl;

    use super::*;
    use dxil_base::error::ErrorKind;
    use dxil_base::profile::DeviceProfile;
    use dxil_spirv_builder::Module;

    /// A float and an integer have one width, or the operation's overload is not the element's
    /// type.
    #[test]
    fn floats_and_integers_convert_as_bits() {
        let profile = DeviceProfile::named("everything").unwrap();
        let mut module = Module::new(&profile, (1, 5), false);
        module.begin_entry();
        let (main, void) = (module.fresh(), module.type_void());
        let ty = module.type_function(void, &[]);
        let mut code = module.function(main, ty, FunctionControl::NONE).open_new();
        let (word, long, float) = (code.type_u32(), code.type_int(64).unwrap(), code.type_f32());
        let (one, bits, long_bits) = (code.const_f32(1.0), code.const_u32(1), code.const_bits(long, 1));
        for (value, ty) in [(one, word), (bits, float)] {
            let converted = convert(Place::Input, &mut code, value, ty).unwrap();
            assert_eq!(code.type_of(converted), Some(ty));
        }
        for (value, ty) in [(one, long), (long_bits, float)] {
            let error = convert(Place::Input, &mut code, value, ty).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Malformed, "{error}");
        }
        code.ret().unwrap().end();
    }
}
