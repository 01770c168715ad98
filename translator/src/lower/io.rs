//! Stage inputs and outputs.
//!
//! Each signature element is one variable: a vector of its columns, or an array of them for several rows. Between stages the
//! location is the packed row and the component the start column, so that stages translated apart agree (docs/bindings.md, "Stage
//! interfaces"). System values are builtins where the pipeline gives or takes them.

use rspirv::spirv::{BuiltIn, Capability, Decoration, ExecutionMode, Op, StorageClass};

use super::context::{Context, Declared};
use super::{Call, Code, Lowered};
use crate::dxil::consts::{ComponentType, InterpolationMode, SemanticKind, ShaderStage};
use crate::dxil::ir::Value;
use crate::dxil::ops::args;
use crate::dxil::program::{Signature, SignatureElement};
use crate::error::Result;
use crate::options::VertexLocations;
use crate::spirv::{Id, Module};

/// What runs before the entry's own instructions.
///
/// # Errors
/// None yet.
pub(super) fn prologue(_: &mut Context<'_>, _: &mut Code<'_, '_>) -> Result<()> {
    Ok(())
}

/// How the value of a builtin differs from D3D's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Meaning {
    /// Not at all.
    Same,
    /// A bool, where D3D has all ones or zero.
    Bool,
    /// The w component is the reciprocal.
    ReciprocalW,
    /// Includes this base, which D3D excludes.
    Based(BuiltIn),
    /// An array of one: the sample mask.
    MaskArray,
}

/// A system value's builtin.
struct System {
    builtin: BuiltIn,
    meaning: Meaning,
    /// Components of the builtin variable.
    components: u32,
    float: bool,
}

fn system(builtin: BuiltIn, meaning: Meaning, components: u32, float: bool) -> Option<System> {
    Some(System { builtin, meaning, components, float })
}

impl Context<'_> {
    /// The builtin of an input element, or `None` where it has a location.
    fn system_input(&self, module: &mut Module<'_>, element: &SignatureElement) -> Result<Option<System>> {
        use Meaning::{Based, Bool, MaskArray, ReciprocalW, Same};
        let stage = self.program.entry.stage;
        Ok(match (stage, element.semantic) {
            (ShaderStage::Vertex, SemanticKind::VertexId) if self.options.vulkan_vertex_ids => {
                system(BuiltIn::VertexIndex, Same, 1, false)
            }
            (ShaderStage::Vertex, SemanticKind::InstanceId) if self.options.vulkan_vertex_ids => {
                system(BuiltIn::InstanceIndex, Same, 1, false)
            }
            (ShaderStage::Vertex, SemanticKind::VertexId) => {
                module.caps.capability(Capability::DrawParameters)?;
                system(BuiltIn::VertexIndex, Based(BuiltIn::BaseVertex), 1, false)
            }
            (ShaderStage::Vertex, SemanticKind::InstanceId) => {
                module.caps.capability(Capability::DrawParameters)?;
                system(BuiltIn::InstanceIndex, Based(BuiltIn::BaseInstance), 1, false)
            }
            (ShaderStage::Pixel, SemanticKind::Position) => system(BuiltIn::FragCoord, ReciprocalW, 4, true),
            (ShaderStage::Pixel, SemanticKind::IsFrontFace) => system(BuiltIn::FrontFacing, Bool, 1, false),
            (ShaderStage::Pixel, SemanticKind::PrimitiveId) => {
                // Vulkan, "PrimitiveId": a fragment shader needs Geometry, Tessellation or a mesh or ray capability.
                let geometry = module.caps.allows(Capability::Geometry);
                let capability = if geometry { Capability::Geometry } else { Capability::Tessellation };
                module.caps.capability(capability)?;
                system(BuiltIn::PrimitiveId, Same, 1, false)
            }
            (ShaderStage::Pixel, SemanticKind::SampleIndex) => {
                module.caps.capability(Capability::SampleRateShading)?;
                system(BuiltIn::SampleId, Same, 1, false)
            }
            (ShaderStage::Pixel, SemanticKind::Coverage) => system(BuiltIn::SampleMask, MaskArray, 1, false),
            (ShaderStage::Pixel, SemanticKind::RenderTargetArrayIndex) => {
                self.layered(module, BuiltIn::Layer)?;
                system(BuiltIn::Layer, Same, 1, false)
            }
            (ShaderStage::Pixel, SemanticKind::ViewPortArrayIndex) => {
                self.layered(module, BuiltIn::ViewportIndex)?;
                system(BuiltIn::ViewportIndex, Same, 1, false)
            }
            (_, SemanticKind::Arbitrary) => None,
            (ShaderStage::Vertex, _) => None,
            (_, semantic) => return Err(unsupported!(self.place, "input {semantic} of a {stage} shader")),
        })
    }

    /// The builtin of an output element, or `None` where it has a location.
    fn system_output(&self, module: &mut Module<'_>, element: &SignatureElement) -> Result<Option<System>> {
        use Meaning::{MaskArray, Same};
        let stage = self.program.entry.stage;
        Ok(match (stage, element.semantic) {
            (ShaderStage::Pixel, SemanticKind::Target) => None,
            (
                ShaderStage::Pixel,
                SemanticKind::Depth | SemanticKind::DepthLessEqual | SemanticKind::DepthGreaterEqual,
            ) => system(BuiltIn::FragDepth, Same, 1, true),
            (ShaderStage::Pixel, SemanticKind::Coverage) => system(BuiltIn::SampleMask, MaskArray, 1, false),
            (ShaderStage::Pixel, SemanticKind::StencilRef) => {
                module.caps.capability(Capability::StencilExportEXT)?;
                system(BuiltIn::FragStencilRefEXT, Same, 1, false)
            }
            (_, SemanticKind::Position) => system(BuiltIn::Position, Same, 4, true),
            (_, SemanticKind::RenderTargetArrayIndex) => {
                self.layered(module, BuiltIn::Layer)?;
                system(BuiltIn::Layer, Same, 1, false)
            }
            (_, SemanticKind::ViewPortArrayIndex) => {
                self.layered(module, BuiltIn::ViewportIndex)?;
                system(BuiltIn::ViewportIndex, Same, 1, false)
            }
            (_, SemanticKind::Arbitrary | SemanticKind::VertexId | SemanticKind::InstanceId) => None,
            (_, SemanticKind::PrimitiveId) => None,
            (_, semantic) => return Err(unsupported!(self.place, "output {semantic} of a {stage} shader")),
        })
    }

    /// Capabilities of layer and viewport index outside geometry shaders.
    fn layered(&self, module: &mut Module<'_>, builtin: BuiltIn) -> Result<()> {
        if self.program.entry.stage == ShaderStage::Pixel {
            // Vulkan, "Layer" and "ViewportIndex": reading them in a fragment shader takes Geometry or MultiViewport.
            let plain = if builtin == BuiltIn::Layer { Capability::Geometry } else { Capability::MultiViewport };
            if module.caps.allows(plain) {
                return module.caps.capability(plain);
            }
        }
        match (builtin, module.caps.version() >= (1, 5)) {
            (BuiltIn::Layer, true) => module.caps.capability(Capability::ShaderLayer),
            (_, true) => module.caps.capability(Capability::ShaderViewportIndex),
            (_, false) => module.caps.capability(Capability::ShaderViewportIndexLayerEXT),
        }
    }

    fn element<'s>(&self, signature: &'s Signature, id: Value) -> Result<&'s SignatureElement> {
        let number = self.immediate(id)?;
        signature.element(number).ok_or_else(|| malformed!(self.place, "no signature element {number}"))
    }

    /// The scalar type of an element's variable. Signedness is kept, because Vulkan matches it with the format of a vertex attribute
    /// or render target; 16-bit types are widened where the device has none between stages.
    fn element_scalar(&self, module: &mut Module<'_>, element: &SignatureElement) -> Result<Id> {
        let small = module.caps.native_16_bit_io();
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
    fn element_variable(&mut self, module: &mut Module<'_>, element: &SignatureElement, input: bool) -> Result<Id> {
        let class = if input { StorageClass::Input } else { StorageClass::Output };
        let system = if input { self.system_input(module, element)? } else { self.system_output(module, element)? };
        if let Some(system) = system {
            return self.system_variable(module, &system, class);
        }
        let scalar = self.element_scalar(module, element)?;
        let row = module.type_vector(scalar, u32::from(element.cols));
        let ty = if element.rows > 1 { module.type_array(row, element.rows, None) } else { row };
        let id = module.variable(class, ty, None)?;
        let index = element.indices.first().copied().unwrap_or(0);
        module.name(id, &format!("{}{index}", element.name));
        let (location, component) = self.element_location(element, input)?;
        module.decorate(id, Decoration::Location, &[location]);
        if component != 0 {
            module.decorate(id, Decoration::Component, &[component]);
        }
        if input && self.program.entry.stage == ShaderStage::Pixel {
            self.interpolation(module, id, element)?;
        }
        Ok(id)
    }

    fn system_variable(&mut self, module: &mut Module<'_>, system: &System, class: StorageClass) -> Result<Id> {
        let ty = match (system.meaning, system.float) {
            (Meaning::Bool, _) => module.type_bool(),
            (_, true) => {
                let scalar = module.type_f32();
                module.type_vector(scalar, system.components)
            }
            (Meaning::MaskArray, _) => {
                let scalar = module.type_u32();
                module.type_array(scalar, 1, None)
            }
            (_, false) => module.type_u32(),
        };
        if class == StorageClass::Input {
            return self.builtin(module, system.builtin, ty);
        }
        module.builtin_variable(class, ty, system.builtin)
    }

    /// Location and component of an element without builtin.
    fn element_location(&self, element: &SignatureElement, input: bool) -> Result<(u32, u32)> {
        let stage = self.program.entry.stage;
        let first_index = element.indices.first().copied().unwrap_or(0);
        if stage == ShaderStage::Pixel && !input {
            return Ok((first_index, 0));
        }
        let Some(row) = element.start_row else {
            return Err(malformed!(self.place, "signature element `{}` has no row", element.name));
        };
        if !(stage == ShaderStage::Vertex && input) {
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

    fn interpolation(&self, module: &mut Module<'_>, id: Id, element: &SignatureElement) -> Result<()> {
        use InterpolationMode as M;
        let float = matches!(
            element.component,
            ComponentType::F16 | ComponentType::F32 | ComponentType::SNormF32 | ComponentType::UNormF32
        );
        if !float || element.interpolation == M::Constant {
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

    /// Pointer to a component of an element's variable, and the component's type.
    fn component_pointer(
        &mut self,
        code: &mut Code<'_, '_>,
        variable: Id,
        element: &SignatureElement,
        row: Value,
        col: u32,
    ) -> Result<Id> {
        if col >= u32::from(element.cols) {
            return Err(malformed!(self.place, "column {col} of `{}`, which has {}", element.name, element.cols));
        }
        let scalar = self.element_scalar(code, element)?;
        let mut indexes = Vec::with_capacity(2);
        match self.const_uint(row) {
            Some(row) if row >= u64::from(element.rows) => {
                return Err(malformed!(self.place, "row {row} of `{}`, which has {}", element.name, element.rows));
            }
            _ if element.rows == 1 => {}
            _ => indexes.push(self.value(code, row)?),
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

/// Pointer to a component of an input element with a location, for the pixel shader's own interpolation.
///
/// # Errors
/// `Unsupported` for system values, which can not be interpolated elsewhere.
pub(super) fn interpolant(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    (id, row, col): (Value, Value, Value),
) -> Result<Id> {
    let program = cx.program;
    let element = cx.element(&program.entry.inputs, id)?;
    if cx.system_input(code, element)?.is_some() {
        return Err(unsupported!(cx.place, "interpolation of {}", element.semantic));
    }
    let variable =
        cx.declare(code, Declared::Input(element.id), |cx, module| cx.element_variable(module, element, true))?;
    let col = cx.immediate(col)?;
    cx.component_pointer(code, variable, element, row, col)
}

/// A component of an input element.
pub(super) fn load_input(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::LoadInput,
) -> Result<Lowered> {
    let program = cx.program;
    let element = cx.element(&program.entry.inputs, args.input_sig_id)?;
    let col = cx.immediate(args.col_index)?;
    let place = (args.row_index, col);
    if let Some(pointer) = cx.distance(code, &program.entry.inputs, element, place, StorageClass::Input)? {
        return Ok(Lowered::Id(code.load(pointer)));
    }
    let system = cx.system_input(code, element)?;
    let variable =
        cx.declare(code, Declared::Input(element.id), |cx, module| cx.element_variable(module, element, true))?;
    let ty = cx.ty(code, call.ty()?)?;
    let value = match system {
        Some(system) => load_system(cx, code, &system, variable, col)?,
        None => {
            let pointer = cx.component_pointer(code, variable, element, args.row_index, col)?;
            code.load(pointer)
        }
    };
    Ok(Lowered::Id(convert(code, value, ty)))
}

fn load_system(cx: &mut Context<'_>, code: &mut Code<'_, '_>, system: &System, variable: Id, col: u32) -> Result<Id> {
    if col >= system.components {
        return Err(malformed!(cx.place, "component {col} of {:?}", system.builtin));
    }
    let u32_ty = code.type_u32();
    Ok(match system.meaning {
        Meaning::Bool => {
            let value = code.load(variable);
            let (ones, zero) = (code.const_u32(u32::MAX), code.const_u32(0));
            code.select(u32_ty, value, ones, zero)
        }
        Meaning::MaskArray => {
            let zero = code.const_u32(0);
            let pointer = code.access_chain(u32_ty, variable, &[zero]);
            code.load(pointer)
        }
        Meaning::Based(base) => {
            let value = code.load(variable);
            let base = cx.builtin(code, base, u32_ty)?;
            let base = code.load(base);
            code.binary(Op::ISub, u32_ty, value, base)
        }
        Meaning::Same | Meaning::ReciprocalW => {
            let value = code.load(variable);
            let value = code.component(value, col);
            if system.meaning == Meaning::ReciprocalW && col == 3 {
                // D3D11.3 functional specification, "SV_Position": w as the vertex shader wrote it; Vulkan's FragCoord has 1/w.
                let (ty, one) = (code.type_f32(), code.const_f32(1.0));
                code.binary(Op::FDiv, ty, one, value)
            } else {
                value
            }
        }
    })
}

/// A component of an output element.
pub(super) fn store_output(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    args: args::StoreOutput,
) -> Result<Lowered> {
    let program = cx.program;
    let element = cx.element(&program.entry.outputs, args.output_sig_id)?;
    let col = cx.immediate(args.col_index)?;
    let place = (args.row_index, col);
    if let Some(pointer) = cx.distance(code, &program.entry.outputs, element, place, StorageClass::Output)? {
        let value = cx.value(code, args.value)?;
        code.store(pointer, value);
        return Ok(Lowered::Nothing);
    }
    let system = cx.system_output(code, element)?;
    let variable =
        cx.declare(code, Declared::Output(element.id), |cx, module| cx.element_variable(module, element, false))?;
    let mut value = cx.value(code, args.value)?;
    let pointer = match &system {
        Some(system) => {
            if col >= system.components {
                return Err(malformed!(cx.place, "component {col} of {:?}", system.builtin));
            }
            if system.builtin == BuiltIn::Position && col == 1 && cx.options.invert_y {
                let ty = code.type_f32();
                value = code.unary(Op::FNegate, ty, value);
            }
            let scalar = if system.float { code.type_f32() } else { code.type_u32() };
            let index = code.const_u32(col);
            let indexed = system.components > 1 || system.meaning == Meaning::MaskArray;
            let pointer = code.access_chain(scalar, variable, if indexed { std::slice::from_ref(&index) } else { &[] });
            value = convert(code, value, scalar);
            pointer
        }
        None => {
            let pointer = cx.component_pointer(code, variable, element, args.row_index, col)?;
            let ty = cx.element_scalar(code, element)?;
            value = convert(code, value, ty);
            pointer
        }
    };
    code.store(pointer, value);
    Ok(Lowered::Nothing)
}

/// Between the type of an interface variable and that of the value: sign, or width where 16-bit types are widened.
pub(super) fn convert(code: &mut Code<'_, '_>, value: Id, ty: Id) -> Id {
    use crate::spirv::Type;
    let from = code.type_of(value);
    if from == Some(ty) {
        return value;
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
        (Some(Type::Int { .. }), Some(Type::Bool)) => return code.is_nonzero(value),
        (Some(Type::Bool), Some(Type::Int { .. })) => {
            let (one, zero) = (code.const_bits(ty, 1), code.const_bits(ty, 0));
            return code.select(ty, value, one, zero);
        }
        _ => Op::Bitcast,
    };
    code.unary(op, ty, value)
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
