//! Stage inputs and outputs.
//!
//! Each signature element is one variable: a vector of its columns, or an array of them for several rows; where the stage sees
//! several vertices, an array of that by vertex. Between stages the location is the packed row and the component the start column,
//! so that stages translated apart agree (docs/bindings.md, "Stage interfaces"). System values are builtins where the pipeline gives
//! or takes them ([`system`]).

use rspirv::spirv::{BuiltIn, Capability, Decoration, ExecutionMode, Op, StorageClass};

use super::context::{Context, Declared};
use super::system::{self, Meaning};
use super::{Call, Code, Lowered, distances, geometry, tessellation};
use crate::dxil::consts::{ComponentType, InterpolationMode, SemanticKind, ShaderStage};
use crate::dxil::ir::{InstData, Value};
use crate::dxil::ops::OpCode;
use crate::dxil::ops::args::{self, Args};
use crate::dxil::program::{Program, Signature, SignatureElement, StageProperties};
use crate::error::{Place, Result};
use crate::options::VertexLocations;
use crate::profile::Feature;
use crate::spirv::{Id, Module};

/// One of a stage's interfaces, each with its signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    /// Inputs.
    Input,
    /// Outputs.
    Output,
    /// Patch constants: outputs of a hull shader, inputs of a domain shader.
    Patch,
}

impl Side {
    fn declared(self, id: u32) -> Declared {
        match self {
            Side::Input => Declared::Input(id),
            Side::Output => Declared::Output(id),
            Side::Patch => Declared::Patch(id),
        }
    }
}

/// A row of an element.
#[derive(Clone, Copy, Debug)]
pub(super) enum Row {
    /// This one, which is there.
    At(u32),
    /// One that is only known when the shader runs.
    Dynamic(Value),
}

/// First location of patch constants. They are packed apart from control points, whose locations they share in Vulkan, and no stage
/// knows how many rows of the other signature the other stage has: so each gets half of the 32 rows that D3D has.
const PATCH_LOCATIONS: u32 = 16;

/// What runs before the entry's own instructions.
///
/// # Errors
/// `MissingFeature`, by the declarations.
pub(super) fn prologue(cx: &mut Context<'_>, code: &mut Code<'_, '_>) -> Result<()> {
    match cx.program.entry.stage {
        ShaderStage::Vertex => point_size(cx, code, Capability::Shader),
        // The hull shader says whether points are made.
        ShaderStage::Domain => point_size(cx, code, Capability::TessellationPointSize),
        _ => Ok(()),
    }
}

/// Points of D3D are one pixel wide. Vulkan wants that said (Vulkan, "PointSize"), as far as the device lets the stage say it,
/// unless it has maintenance5, where one is the default.
pub(super) fn point_size(cx: &mut Context<'_>, code: &mut Code<'_, '_>, capability: Capability) -> Result<()> {
    if cx.options.profile.has(Feature::Maintenance5) || !code.caps.allows(capability) {
        return Ok(());
    }
    code.caps.capability(capability)?;
    let (float, one) = (code.type_f32(), code.const_f32(1.0));
    let variable = cx.declare(code, Declared::PointSize, |_, module| {
        module.builtin_variable(StorageClass::Output, float, BuiltIn::PointSize)
    })?;
    code.store(variable, one);
    Ok(())
}

impl<'a> Context<'a> {
    fn element(&self, side: Side, id: Value) -> Result<&'a SignatureElement> {
        let number = self.immediate(id)?;
        self.signature(side).element(number).ok_or_else(|| malformed!(self.place, "no signature element {number}"))
    }

    /// The signature of a side.
    pub fn signature(&self, side: Side) -> &'a Signature {
        let entry = &self.program.entry;
        match side {
            Side::Input => &entry.inputs,
            Side::Output => &entry.outputs,
            Side::Patch => &entry.patch_constants,
        }
    }

    /// Storage class of a side's variables.
    pub fn class(&self, side: Side) -> StorageClass {
        match (side, self.program.entry.stage) {
            (Side::Input, _) | (Side::Patch, ShaderStage::Domain) => StorageClass::Input,
            _ => StorageClass::Output,
        }
    }

    /// How many vertices or control points of an element the stage sees, where it sees several at once.
    pub fn vertices(&self, side: Side, element: &SignatureElement) -> Result<Option<u32>> {
        let entry = &self.program.entry;
        Ok(match (&entry.properties, side) {
            (StageProperties::Geometry { input, .. }, Side::Input) => Some(geometry::vertices(*input, self.place)?),
            (
                StageProperties::Hull { input_points, .. } | StageProperties::Domain { input_points, .. },
                Side::Input,
            ) => Some((*input_points).max(1)),
            (StageProperties::Hull { output_points, .. }, Side::Output) => Some((*output_points).max(1)),
            (_, Side::Input) if self.per_vertex.contains(&element.id) => Some(3),
            _ => None,
        })
    }

    /// The variable of an element.
    pub fn variable(&mut self, module: &mut Module<'_>, element: &SignatureElement, side: Side) -> Result<Id> {
        self.declare(module, side.declared(element.id), |cx, module| cx.element_variable(module, element, side))
    }

    /// The scalar type of an element's variable. Signedness is kept, because Vulkan matches it with the format of a vertex attribute
    /// or render target; 16-bit types are widened where the device has none between stages.
    fn element_scalar(&self, module: &mut Module<'_>, element: &SignatureElement) -> Result<Id> {
        let small = module.caps.native_16_bit_io() && !self.widens;
        use ComponentType as C;
        Ok(match element.component {
            C::F16 | C::SNormF16 | C::UNormF16 if small => module.type_float(16)?,
            C::F32 | C::SNormF32 | C::UNormF32 | C::F16 | C::SNormF16 | C::UNormF16 => module.type_f32(),
            C::U16 if small => module.type_int(16)?,
            C::I1 | C::U16 | C::U32 => module.type_u32(),
            // A signed 16-bit type is only loaded, stored and converted here.
            C::I16 | C::I32 => module.type_i32(),
            other => return Err(unsupported!(self.place, "a stage input or output of type {other}")),
        })
    }

    /// Declares an element's variable: type, builtin or location, interpolation.
    fn element_variable(&mut self, module: &mut Module<'_>, element: &SignatureElement, side: Side) -> Result<Id> {
        if let Some(system) = self.system(module, element, side)? {
            return self.system_variable(module, &system, element, side);
        }
        let scalar = self.element_scalar(module, element)?;
        let row = module.type_vector(scalar, u32::from(element.cols));
        let ty = if element.rows > 1 { module.type_array(row, element.rows, None) } else { row };
        let vertices = self.vertices(side, element)?;
        let ty = match vertices {
            Some(count) => module.type_array(ty, count, None),
            None => ty,
        };
        let id = module.variable(self.class(side), ty, None)?;
        let index = element.indices.first().copied().unwrap_or(0);
        module.name(id, &format!("{}{index}", element.name));
        let (location, component) = self.element_location(element, side)?;
        self.claim_location(element, side, (location, component))?;
        module.decorate(id, Decoration::Location, &[location]);
        if component != 0 {
            module.decorate(id, Decoration::Component, &[component]);
        }
        if side == Side::Patch {
            module.mark(id, Decoration::Patch);
        }
        if self.options.dual_source && element.semantic == SemanticKind::Target {
            module.decorate(id, Decoration::Index, &[index]);
        }
        if side == Side::Input && self.program.entry.stage == ShaderStage::Pixel {
            match vertices {
                Some(_) => {
                    module.caps.capability(Capability::FragmentBarycentricKHR)?;
                    module.mark(id, Decoration::PerVertexKHR);
                }
                None => self.interpolation(module, id, element)?,
            }
        }
        Ok(id)
    }

    /// Whether any patch constant has a location: all but tessellation factors.
    fn has_patch_locations(&self) -> bool {
        let mut elements = self.signature(Side::Patch).elements.iter();
        elements.any(|element| distances::builtin(element, Side::Patch).is_none())
    }

    /// Location and component of an element without builtin.
    fn element_location(&self, element: &SignatureElement, side: Side) -> Result<(u32, u32)> {
        let stage = self.program.entry.stage;
        let first_index = element.indices.first().copied().unwrap_or(0);
        if stage == ShaderStage::Pixel && side == Side::Output {
            if self.options.dual_source && (first_index > 1 || element.rows > 1) {
                return Err(unsupported!(
                    self.place,
                    "`{}{first_index}` beside two sources of one target",
                    element.name
                ));
            }
            return Ok((if self.options.dual_source { 0 } else { first_index }, 0));
        }
        let Some(row) = element.start_row else {
            return Err(malformed!(self.place, "signature element `{}` has no row", element.name));
        };
        let tessellated =
            matches!((stage, side), (ShaderStage::Hull, Side::Output) | (ShaderStage::Domain, Side::Input));
        if tessellated || side == Side::Patch {
            let last = row.saturating_add(element.rows);
            if last > PATCH_LOCATIONS && (side == Side::Patch || self.has_patch_locations()) {
                let name = &element.name;
                return Err(unsupported!(
                    self.place,
                    "`{name}` at row {row}: control points and patch constants have 16 rows each"
                ));
            }
        }
        if side == Side::Patch {
            return Ok((PATCH_LOCATIONS + row, u32::from(element.start_col)));
        }
        if !(stage == ShaderStage::Vertex && side == Side::Input) {
            return Ok((row, u32::from(element.start_col)));
        }
        match self.options.vertex_locations {
            VertexLocations::Row => Ok((row, u32::from(element.start_col))),
            VertexLocations::Texcoord if element.name.eq_ignore_ascii_case("TEXCOORD") => Ok((first_index, 0)),
            VertexLocations::Texcoord => {
                Err(binding_error!(self.place, "vertex input `{}` is no TEXCOORD", element.name))
            }
            VertexLocations::Order => {
                let before = self.program.entry.inputs.elements.iter().take_while(|e| e.id != element.id);
                let system =
                    |e: &&SignatureElement| !matches!(e.semantic, SemanticKind::VertexId | SemanticKind::InstanceId);
                Ok((before.filter(system).fold(0u32, |sum, e| sum.saturating_add(e.rows)), 0))
            }
        }
    }

    /// Checks that no other element of the same interface has one of this one's components (SPIR-V, "Location": they may not overlap).
    fn claim_location(&mut self, element: &SignatureElement, side: Side, (row, column): (u32, u32)) -> Result<()> {
        // Two sources of one target share its location, with different indexes.
        if self.options.dual_source && element.semantic == SemanticKind::Target {
            return Ok(());
        }
        let rows = row..row.saturating_add(element.rows);
        let columns = column..column.saturating_add(u32::from(element.cols));
        let claim = (self.class(side), rows, columns);
        let meet = |a: &std::ops::Range<u32>, b: &std::ops::Range<u32>| a.start < b.end && b.start < a.end;
        let taken = self
            .locations
            .iter()
            .any(|other| other.0 == claim.0 && meet(&other.1, &claim.1) && meet(&other.2, &claim.2));
        if taken {
            return Err(malformed!(self.place, "signature element `{}` lies over another one", element.name));
        }
        self.locations.push(claim);
        Ok(())
    }

    fn interpolation(&self, module: &mut Module<'_>, id: Id, element: &SignatureElement) -> Result<()> {
        use InterpolationMode as M;
        if is_flat(element) {
            module.mark(id, Decoration::Flat);
            return Ok(());
        }
        let mode = element.interpolation;
        if matches!(mode, M::LinearNoperspective | M::LinearNoperspectiveCentroid | M::LinearNoperspectiveSample) {
            module.mark(id, Decoration::NoPerspective);
        }
        if matches!(mode, M::LinearCentroid | M::LinearNoperspectiveCentroid) {
            module.mark(id, Decoration::Centroid);
        }
        if matches!(mode, M::LinearSample | M::LinearNoperspectiveSample) {
            module.caps.capability(Capability::SampleRateShading)?;
            module.mark(id, Decoration::Sample);
        }
        Ok(())
    }

    /// A row of an element, checked where it is a constant.
    pub fn element_row(&self, element: &SignatureElement, row: Value) -> Result<Row> {
        match self.const_uint(row).map(u32::try_from) {
            Some(Ok(row)) if row < element.rows => Ok(Row::At(row)),
            Some(_) => Err(malformed!(self.place, "{row} of the {} rows of `{}`", element.rows, element.name)),
            None => Ok(Row::Dynamic(row)),
        }
    }

    /// Pointer to a component of an element that the stage writes, or reads as it is.
    pub fn element_pointer(
        &mut self,
        code: &mut Code<'_, '_>,
        side: Side,
        element: &SignatureElement,
        (row, col): (Row, u32),
        vertex: Option<Id>,
    ) -> Result<Id> {
        if let Some(pointer) = self.joined(code, side, element, (row, col), vertex)? {
            return Ok(pointer);
        }
        let variable = self.variable(code, element, side)?;
        let Some(system) = self.system(code, element, side)? else {
            return self.component_pointer(code, (variable, vertex), element, (row, col));
        };
        if col >= system.components {
            return Err(malformed!(self.place, "component {col} of {:?}", system.builtin));
        }
        let scalar = if system.float { code.type_f32() } else { code.type_u32() };
        let mut indexes: Vec<Id> = vertex.into_iter().collect();
        if system.components > 1 || system.meaning == Meaning::MaskArray {
            indexes.push(code.const_u32(col));
        }
        Ok(code.access_chain(scalar, variable, &indexes))
    }

    /// Pointer to a component of an element's variable, of the vertex where there are several.
    fn component_pointer(
        &mut self,
        code: &mut Code<'_, '_>,
        (variable, vertex): (Id, Option<Id>),
        element: &SignatureElement,
        (row, col): (Row, u32),
    ) -> Result<Id> {
        if col >= u32::from(element.cols) {
            return Err(malformed!(self.place, "column {col} of `{}`, which has {}", element.name, element.cols));
        }
        let scalar = self.element_scalar(code, element)?;
        let mut indexes = Vec::with_capacity(3);
        indexes.extend(vertex);
        if element.rows > 1 {
            indexes.push(match row {
                Row::At(row) => code.const_u32(row),
                Row::Dynamic(row) => self.value(code, row)?,
            });
        }
        if element.cols > 1 {
            indexes.push(code.const_u32(col));
        }
        Ok(code.access_chain(scalar, variable, &indexes))
    }
}

/// The view being drawn: Vulkan's multiview index.
pub(super) fn view_id(cx: &mut Context<'_>, code: &mut Code<'_, '_>, _: &Call<'_>, _: args::ViewID) -> Result<Lowered> {
    code.caps.capability(Capability::MultiView)?;
    let word = code.type_u32();
    let variable = cx.builtin(code, BuiltIn::ViewIndex, word)?;
    Ok(Lowered::Id(code.load(variable)))
}

fn draw_parameter(cx: &mut Context<'_>, code: &mut Code<'_, '_>, builtin: BuiltIn) -> Result<Lowered> {
    code.caps.capability(Capability::DrawParameters)?;
    let word = code.type_u32();
    let variable = cx.builtin(code, builtin, word)?;
    Ok(Lowered::Id(code.load(variable)))
}

/// `SV_StartVertexLocation`: the base vertex of indexed draws, the first vertex of others, as Vulkan's BaseVertex.
pub(super) fn start_vertex(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    _: args::StartVertexLocation,
) -> Result<Lowered> {
    draw_parameter(cx, code, BuiltIn::BaseVertex)
}

/// `SV_StartInstanceLocation`.
pub(super) fn start_instance(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    _: args::StartInstanceLocation,
) -> Result<Lowered> {
    draw_parameter(cx, code, BuiltIn::BaseInstance)
}

/// Whether a pixel shader's input is not interpolated.
fn is_flat(element: &SignatureElement) -> bool {
    use ComponentType as C;
    !matches!(element.component, C::F16 | C::F32 | C::SNormF16 | C::UNormF16 | C::SNormF32 | C::UNormF32)
        || element.interpolation == InterpolationMode::Constant
}

/// Pointer to a component of an input element with a location, for the pixel shader's own interpolation.
///
/// # Errors
/// `Unsupported` for system values, which can not be interpolated elsewhere.
pub(super) fn interpolant(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    (id, row, col): (Value, Value, Value),
) -> Result<Id> {
    let element = cx.element(Side::Input, id)?;
    if cx.system(code, element, Side::Input)?.is_some() || cx.vertices(Side::Input, element)?.is_some() {
        return Err(unsupported!(cx.place, "interpolation of {}", element.semantic));
    }
    let (row, col) = (cx.element_row(element, row)?, cx.immediate(col)?);
    cx.element_pointer(code, Side::Input, element, (row, col), None)
}

/// A component of an element: number, row and column as the operation names them.
pub(super) type Component = (Value, Value, Value);

/// Loads a component, of the vertex where the stage sees several.
pub(super) fn load(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    side: Side,
    (id, row, col): Component,
    vertex: Option<Id>,
) -> Result<Lowered> {
    let element = cx.element(side, id)?;
    let place = (cx.element_row(element, row)?, cx.immediate(col)?);
    let vertex = match (cx.vertices(side, element)?, vertex) {
        (Some(_), None) => return Err(malformed!(call.place, "`{}` is read of no vertex", element.name)),
        (Some(_), vertex) => vertex,
        (None, _) => None,
    };
    let ty = cx.ty(code, call.ty()?)?;
    let system = if distances::builtin(element, side).is_some() { None } else { cx.system(code, element, side)? };
    let value = match system {
        Some(system) => {
            let variable = cx.variable(code, element, side)?;
            system::load(cx, code, &system, (variable, vertex), place.1)?
        }
        None => {
            let pointer = cx.element_pointer(code, side, element, place, vertex)?;
            code.load(pointer)
        }
    };
    Ok(Lowered::Id(convert(cx.place, code, value, ty)?))
}

/// A component of an input element.
pub(super) fn load_input(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::LoadInput,
) -> Result<Lowered> {
    let vertex = match cx.program.entry.stage {
        // Of an input that is also read per vertex: the first, which is what `nointerpolation` takes.
        ShaderStage::Pixel => Some(code.const_u32(0)),
        _ if cx.is_undef(args.gs_vertex_axis) => None,
        _ => Some(cx.value(code, args.gs_vertex_axis)?),
    };
    load(cx, code, call, Side::Input, (args.input_sig_id, args.row_index, args.col_index), vertex)
}

/// `GetAttributeAtVertex`: the value at one of the primitive's vertices, as the stage before wrote it.
pub(super) fn attribute_at_vertex(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::AttributeAtVertex,
) -> Result<Lowered> {
    let vertex = cx.immediate(args.vertex_id)?;
    let element = cx.element(Side::Input, args.input_sig_id)?;
    if vertex > 2 || !is_flat(element) || cx.system(code, element, Side::Input)?.is_some() {
        return Err(unsupported!(call.place, "`{}` of vertex {vertex}, {}", element.name, element.interpolation));
    }
    let vertex = Some(code.const_u32(vertex));
    let component = (args.input_sig_id, args.input_row_index, args.input_col_index);
    load(cx, code, call, Side::Input, component, vertex)
}

/// The inputs that some operation reads per vertex: each is one array then.
pub(super) fn per_vertex_inputs(program: &Program) -> Vec<u32> {
    let mut ids = Vec::new();
    for (_, function) in program.module.functions.iter() {
        for data in function.insts.values() {
            if let InstData::Op { op: OpCode::AttributeAtVertex, args, .. } = *data
                && let Some(args) = args::AttributeAtVertex::view(function.list(args))
                && let Some(id) = program.module.const_uint(args.input_sig_id).and_then(|id| u32::try_from(id).ok())
            {
                ids.push(id);
            }
        }
    }
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// Stores a component.
pub(super) fn store(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    side: Side,
    (id, row, col): Component,
    value: Value,
) -> Result<Lowered> {
    if cx.class(side) == StorageClass::Input {
        return Err(malformed!(cx.place, "a store to an input of a {} shader", cx.program.entry.stage));
    }
    let element = cx.element(side, id)?;
    let place = (cx.element_row(element, row)?, cx.immediate(col)?);
    if element.stream != 0 {
        // Nobody sees it: lower/geometry.rs.
        return Ok(Lowered::Nothing);
    }
    let vertex = match cx.vertices(side, element)? {
        // A hull shader's invocation writes its own control point only.
        Some(_) => Some(tessellation::invocation(cx, code)?),
        None => None,
    };
    let signed = matches!(element.component, ComponentType::I16 | ComponentType::I32);
    let mut value = if signed { cx.signed_value(code, value)? } else { cx.value(code, value)? };
    let pointer = cx.element_pointer(code, side, element, place, vertex)?;
    let ty = code.pointee(pointer);
    value = convert(cx.place, code, value, ty)?;
    if element.semantic == SemanticKind::Position && side == Side::Output && place.1 == 1 && cx.options.invert_y {
        value = code.unary(Op::FNegate, ty, value);
    }
    code.store(pointer, value);
    Ok(Lowered::Nothing)
}

/// A component of an output element.
pub(super) fn store_output(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    args: args::StoreOutput,
) -> Result<Lowered> {
    store(cx, code, Side::Output, (args.output_sig_id, args.row_index, args.col_index), args.value)
}

/// Between the type of an interface variable and that of the value: sign, or width where 16-bit types are widened.
///
/// # Errors
/// `Malformed` between a float and an integer of another width: the operation's overload is not the element's.
pub(super) fn convert(place: Place, code: &mut Code<'_, '_>, value: Id, ty: Id) -> Result<Id> {
    use crate::spirv::Type;
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
        _ => return Err(malformed!(place, "the type of a stage input or output is not its element's")),
    };
    Ok(code.unary(op, ty, value))
}

/// Execution modes that a pixel shader's outputs ask for.
pub(super) fn pixel_modes(cx: &Context<'_>, module: &mut Module<'_>, main: Id) {
    for element in &cx.program.entry.outputs.elements {
        if cx.declared(Declared::Output(element.id)).is_none() {
            continue;
        }
        let mode = match element.semantic {
            SemanticKind::Depth => None,
            SemanticKind::DepthLessEqual => Some(ExecutionMode::DepthLess),
            SemanticKind::DepthGreaterEqual => Some(ExecutionMode::DepthGreater),
            SemanticKind::StencilRef => {
                module.execution_mode(main, ExecutionMode::StencilRefReplacingEXT, &[]);
                continue;
            }
            _ => continue,
        };
        module.execution_mode(main, ExecutionMode::DepthReplacing, &[]);
        if let Some(mode) = mode {
            module.execution_mode(main, mode, &[]);
        }
    }
}
