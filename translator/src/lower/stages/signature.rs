//! The elements of a stage's signatures.
//!
//! In: the entry's signatures and properties. Out: the element that an operation names, its row,
//! its storage class, and the number of vertices for which the stage sees it.

use rspirv::spirv::StorageClass;

use crate::ir::Value;
use crate::ir::declarations::{Signature, SignatureElement, StageProperties};
use crate::lower::cx::{Declared, EntryCx, Inputs};
use crate::ops::consts::{ComponentType, InputPrimitive, InterpolationMode, ShaderStage};
use dxil_base::error::{Place, Result};

/// Which of a stage's signatures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SignatureKind {
    /// Inputs.
    Input,
    /// Outputs.
    Output,
    /// Patch constants: outputs of a hull shader, inputs of a domain shader. In a mesh shader the
    /// outputs that have one value per primitive.
    Patch,
}

impl SignatureKind {
    pub fn declared(self, id: u32) -> Declared {
        match self {
            SignatureKind::Input => Declared::Input(id),
            SignatureKind::Output => Declared::Output(id),
            SignatureKind::Patch => Declared::Patch(id),
        }
    }
}

/// A row of an element.
#[derive(Clone, Copy, Debug)]
pub enum Row {
    /// A constant row, which the element has.
    At(u32),
    /// A row that is known only at run time.
    Dynamic(Value),
}

/// A component of an element.
#[derive(Clone, Copy, Debug)]
pub struct Component {
    /// Its row in the element.
    pub row: Row,
    /// Its column.
    pub column: u32,
}

/// The operands that name a component of an element.
#[derive(Clone, Copy, Debug)]
pub struct ComponentOperands {
    /// The number of the element.
    pub element: Value,
    /// The row.
    pub row: Value,
    /// The column.
    pub column: Value,
}

/// A place in an interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InterfaceSlot {
    /// The location of the first row.
    pub location: u32,
    /// The first component there.
    pub component: u32,
}

/// The signature of a kind.
pub fn get<'a>(input: Inputs<'a>, side: SignatureKind) -> &'a Signature {
    let entry = input.entry;
    match side {
        SignatureKind::Input => &entry.inputs,
        SignatureKind::Output => &entry.outputs,
        SignatureKind::Patch => &entry.patch_constants,
    }
}

/// Storage class of a signature's variables.
pub fn class(input: Inputs<'_>, side: SignatureKind) -> StorageClass {
    match (side, input.entry.stage) {
        (SignatureKind::Input, _) | (SignatureKind::Patch, ShaderStage::Domain) => StorageClass::Input,
        _ => StorageClass::Output,
    }
}

/// The number of vertices, control points or primitives for which the stage sees an element at
/// once, or `None` if it sees one.
pub fn vertices(cx: &EntryCx<'_>, side: SignatureKind, element: &SignatureElement) -> Result<Option<u32>> {
    let entry = cx.input.entry;
    Ok(match (&entry.properties, side) {
        (StageProperties::Geometry { input, .. }, SignatureKind::Input) => Some(primitive_vertices(*input, cx.place)?),
        (
            StageProperties::Hull { input_points, .. } | StageProperties::Domain { input_points, .. },
            SignatureKind::Input,
        ) => Some((*input_points).max(1)),
        (StageProperties::Hull { output_points, .. }, SignatureKind::Output) => Some((*output_points).max(1)),
        (StageProperties::Mesh { max_vertices, .. }, SignatureKind::Output) => Some((*max_vertices).max(1)),
        (StageProperties::Mesh { max_primitives, .. }, SignatureKind::Patch) => Some((*max_primitives).max(1)),
        (_, SignatureKind::Input) if cx.input.analysis.pixel.per_vertex.binary_search(&element.id).is_ok() => Some(3),
        _ => None,
    })
}

/// Number of vertices of an input primitive.
///
/// # Errors
/// `Unsupported` for patches, which Vulkan does not pass to geometry shaders.
fn primitive_vertices(input: InputPrimitive, place: Place) -> Result<u32> {
    Ok(match input {
        InputPrimitive::Point => 1,
        InputPrimitive::Line => 2,
        InputPrimitive::Triangle => 3,
        InputPrimitive::LineWithAdjacency => 4,
        InputPrimitive::TriangleWithAdjacency => 6,
        other => {
            return Err(unsupported!(
                place,
                "a geometry shader with input primitive {other}; Vulkan has points, lines and triangles"
            ));
        }
    })
}

/// The element that an operation names.
///
/// # Errors
/// `Malformed` if the signature has no such element.
pub fn element<'a>(cx: &EntryCx<'a>, side: SignatureKind, id: Value) -> Result<&'a SignatureElement> {
    let number = cx.immediate(id)?;
    get(cx.input, side)
        .element(number)
        .ok_or_else(|| malformed!(cx.place, "the {side:?} signature has no signature element {number}"))
}

/// The component that operands name.
///
/// # Errors
/// `Malformed` for a row that the element does not have; `Unsupported` for a column that is not
/// constant.
pub fn component(cx: &EntryCx<'_>, element: &SignatureElement, operands: ComponentOperands) -> Result<Component> {
    Ok(Component { row: row(cx, element, operands.row)?, column: cx.immediate(operands.column)? })
}

/// A row of an element. A constant row is checked.
pub fn row(cx: &EntryCx<'_>, element: &SignatureElement, row: Value) -> Result<Row> {
    match cx.input.const_uint(row).map(u32::try_from) {
        Some(Ok(row)) if row < element.rows => Ok(Row::At(row)),
        Some(_) => Err(malformed!(
            cx.place,
            "row {row} of signature element `{}`, which has {} rows",
            element.name,
            element.rows
        )),
        None => Ok(Row::Dynamic(row)),
    }
}

/// Whether a pixel shader's input is not interpolated.
pub fn is_flat(element: &SignatureElement) -> bool {
    use ComponentType as C;
    !matches!(element.component, C::F16 | C::F32 | C::SNormF16 | C::UNormF16 | C::SNormF32 | C::UNormF32)
        || element.interpolation == InterpolationMode::Constant
}

/// Number of rows of a stream's elements in a signature.
pub fn stream_rows(signature: &Signature, stream: u32) -> u32 {
    let elements = signature.elements.iter().filter(|e| e.stream == stream);
    elements.filter_map(|e| Some(e.start_row?.saturating_add(e.rows))).max().unwrap_or(0)
}

/// Number of rows of a signature.
pub fn rows(signature: &Signature) -> u32 {
    let ends = signature.elements.iter().filter_map(|e| Some(e.start_row?.saturating_add(e.rows)));
    ends.max().unwrap_or(0)
}
