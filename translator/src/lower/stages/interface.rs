//! The variables of a stage's inputs and outputs.
//!
//! In: a signature element. Out: its variable. The variable is a vector of the element's columns,
//! or an array of such vectors for several rows. If the stage sees several vertices, it is an array
//! of that over the vertices. What must hold: between stages the location is the packed row and the
//! component is the start column, so that stages that are translated separately agree
//! (docs/bindings.md, "Stage interfaces"). A system value that the pipeline provides or consumes is
//! a builtin ([`system`]).

use std::sync::Arc;

use rspirv::spirv::{Capability, Decoration, ExecutionMode};

use super::signature::{InterfaceSlot, SignatureKind};
use super::{distances, group, link, signature, stream_output, system};
use crate::analysis::program::Entry;
use crate::ir::declarations::SignatureElement;
use crate::lower::cx::{Declared, EntryCx, Inputs, InterfaceComponents};
use crate::ops::consts::{ComponentType, InterpolationMode, SemanticKind, ShaderStage};
use crate::options::{PipelineState, Swizzle, VertexLocations};
use crate::reflect::VertexInput;
use dxil_base::error::{Place, Result};
use dxil_spirv_builder::{Id, Module, Type};

/// The locations of control points and patch constants together.
const TESSELLATION_LOCATIONS: u32 = 32;

/// The variable of an element.
pub(super) fn variable(
    cx: &mut EntryCx<'_>,
    module: &mut Module<'_>,
    element: &SignatureElement,
    side: SignatureKind,
) -> Result<Id> {
    cx.declare(module, side.declared(element.id), |cx, module| declare(cx, module, element, side))
}

/// The scalar type of an element's variable. Signedness is kept, because Vulkan matches it with the
/// format of a vertex attribute or render target. 16-bit types are widened if the device has none
/// in stage interfaces, or if the pipeline's pixel shader interpolates some itself.
pub(super) fn scalar(cx: &EntryCx<'_>, module: &mut Module<'_>, element: &SignatureElement) -> Result<Id> {
    let small =
        module.caps.native_16_bit_io() && !cx.input.analysis.widens && !cx.input.options.pipeline.wide_interface;
    use ComponentType as C;
    Ok(match element.component {
        C::F16 | C::SNormF16 | C::UNormF16 if small => module.type_float(16)?,
        C::F32 | C::SNormF32 | C::UNormF32 | C::F16 | C::SNormF16 | C::UNormF16 => module.type_f32(),
        C::U16 if small => module.type_int(16)?,
        C::I1 | C::U16 | C::U32 => module.type_u32(),
        // A signed 16-bit integer is widened on every device, because the module builder's only
        // signed integer type has 32 bits.
        C::I16 | C::I32 => module.type_i32(),
        other => return Err(unsupported!(cx.place, "a stage input or output of type {other} is not supported")),
    })
}

/// The number of columns of an element's variable. A swizzle has four.
pub(super) fn columns(input: Inputs<'_>, element: &SignatureElement, side: SignatureKind) -> u32 {
    let swizzled = side == SignatureKind::Output
        && (0..element.rows.min(8)).any(|row| swizzle(input, element, row) != Swizzle::IDENTITY);
    if swizzled { 4 } else { u32::from(element.cols) }
}

/// The order in which the target of a row of a pixel shader's output gets its components. Both
/// sources of dual-source blending go to target 0.
pub(super) fn swizzle(input: Inputs<'_>, element: &SignatureElement, row: u32) -> Swizzle {
    if input.entry.stage != ShaderStage::Pixel || element.semantic != SemanticKind::Target {
        return Swizzle::IDENTITY;
    }
    let pipeline = &input.options.pipeline;
    let first = if pipeline.dual_source { 0 } else { element.indices.first().copied().unwrap_or(0) };
    let target = first.saturating_add(row) as usize;
    pipeline.output_swizzles.get(target).copied().unwrap_or_default()
}

/// Declares an element's variable: type, builtin or location, interpolation.
fn declare(
    cx: &mut EntryCx<'_>,
    module: &mut Module<'_>,
    element: &SignatureElement,
    side: SignatureKind,
) -> Result<Id> {
    if let Some(system) = system::system_value(cx, module, element, side)? {
        return system::variable(cx, module, &system, element, side);
    }
    let scalar = scalar(cx, module, element)?;
    let row = module.type_vector(scalar, columns(cx.input, element, side));
    let ty = if element.rows > 1 { module.type_array(row, element.rows, None) } else { row };
    let vertices = signature::vertices(cx, side, element)?;
    let ty = match vertices {
        Some(count) => module.type_array(ty, count, None),
        None => ty,
    };
    let id = module.variable(signature::class(cx.input, side), ty, None)?;
    let index = element.indices.first().copied().unwrap_or(0);
    if module.names() {
        module.name(id, &format!("{}{index}", element.name));
    }
    let linked = link::input(cx, element, side)?;
    let slot = match &linked {
        Some(linked) => linked.slot,
        None => slot(cx, element, side)?,
    };
    take(cx, element, side, slot)?;
    module.decorate(id, Decoration::Location, &[slot.location]);
    if slot.component != 0 {
        module.decorate(id, Decoration::Component, &[slot.component]);
    }
    if side == SignatureKind::Patch {
        let per_primitive = cx.input.entry.stage == ShaderStage::Mesh;
        module.mark(id, if per_primitive { Decoration::PerPrimitiveEXT } else { Decoration::Patch });
    }
    if cx.input.options.pipeline.dual_source && element.semantic == SemanticKind::Target {
        module.decorate(id, Decoration::Index, &[index]);
    }
    if side == SignatureKind::Output {
        stream_output::decorate(cx, module, id, element, scalar)?;
    }
    if side == SignatureKind::Input && cx.input.entry.stage == ShaderStage::Pixel {
        match vertices {
            Some(_) => {
                module.caps.capability(Capability::FragmentBarycentricKHR)?;
                module.mark(id, Decoration::PerVertexKHR);
            }
            None if linked.is_some_and(|linked| linked.per_primitive) => {
                group::mesh_capability(module)?;
                module.mark(id, Decoration::PerPrimitiveEXT);
                // Integers must be Flat, those of primitives too (VUID-StandaloneSpirv-Flat-04744).
                if matches!(module.ty(scalar), Some(Type::Int { .. })) {
                    module.mark(id, Decoration::Flat);
                }
            }
            None => interpolation(module, id, element)?,
        }
    }
    Ok(id)
}

/// Whether any patch constant has a location. All have one except tessellation factors.
fn has_patch_locations(input: Inputs<'_>) -> bool {
    let mut elements = signature::get(input, SignatureKind::Patch).elements.iter();
    elements.any(|element| distances::builtin(element, SignatureKind::Patch).is_none())
}

/// Location and component of an element that is not a builtin.
fn slot(cx: &EntryCx<'_>, element: &SignatureElement, side: SignatureKind) -> Result<InterfaceSlot> {
    let own = |location| InterfaceSlot { location, component: u32::from(element.start_col) };
    let first = |location| InterfaceSlot { location, component: 0 };
    let stage = cx.input.entry.stage;
    let first_index = element.indices.first().copied().unwrap_or(0);
    if stage == ShaderStage::Pixel && side == SignatureKind::Output {
        if cx.input.options.pipeline.dual_source && (first_index > 1 || element.rows > 1) {
            return Err(unsupported!(
                cx.place,
                "`{}{first_index}` in a pipeline with dual-source blending; only indexes 0 and 1 are allowed",
                element.name
            ));
        }
        return Ok(first(if cx.input.options.pipeline.dual_source { 0 } else { first_index }));
    }
    if stage == ShaderStage::Mesh {
        return link::place(cx, element, side);
    }
    let Some(row) = element.start_row else {
        return Err(malformed!(cx.place, "signature element `{}` has no start row", element.name));
    };
    if side == SignatureKind::Output && element.stream != 0 {
        // Each stream is packed by itself.
        let before = |stream| signature::stream_rows(&cx.input.entry.outputs, stream);
        return Ok(own((0..element.stream.min(3)).fold(row, |sum, stream| sum.saturating_add(before(stream)))));
    }
    let tessellated = matches!(
        (stage, side),
        (ShaderStage::Hull, SignatureKind::Output) | (ShaderStage::Domain, SignatureKind::Input)
    );
    if tessellated || side == SignatureKind::Patch {
        let patch = cx.input.options.pipeline.patch_location.unwrap_or(PipelineState::PATCH_LOCATION);
        let after = TESSELLATION_LOCATIONS.saturating_sub(patch);
        let is_patch = side == SignatureKind::Patch;
        let last = row.saturating_add(element.rows);
        if last > if is_patch { after } else { patch } && (is_patch || has_patch_locations(cx.input)) {
            let name = &element.name;
            return Err(binding_error!(
                cx.place,
                "`{name}` begins at row {row}: control points have {patch} rows and patch constants {after}, unless the \
                 hull and the domain shader agree on other numbers; dxil2spv takes --patch-location, and the layer does it \
                 where both stages are DXIL and are created together"
            ));
        }
        if is_patch {
            return Ok(own(patch + row));
        }
    }
    if !(stage == ShaderStage::Vertex && side == SignatureKind::Input) {
        return Ok(own(row));
    }
    let locations = cx.input.options.vertex_locations;
    match vertex_location(cx.input.entry, element, locations) {
        Some(location) if locations == VertexLocations::Row => Ok(own(location)),
        Some(location) => Ok(first(location)),
        None => Err(binding_error!(
            cx.place,
            "vertex input `{}` has no location; the choice `texcoord` of vertex locations needs the semantic TEXCOORD",
            element.name
        )),
    }
}

/// The location of an input of a vertex shader, the first one of an array. `None` where the choice
/// of locations gives it none.
pub fn vertex_location(entry: &Entry, element: &SignatureElement, locations: VertexLocations) -> Option<u32> {
    match locations {
        VertexLocations::Row => element.start_row,
        VertexLocations::Texcoord => {
            let named = element.name.eq_ignore_ascii_case("TEXCOORD");
            named.then(|| element.indices.first().copied().unwrap_or(0))
        }
        VertexLocations::Order => {
            let before = entry.inputs.elements.iter().take_while(|e| e.id != element.id);
            Some(before.filter(|e| !is_generated(e)).fold(0u32, |sum, e| sum.saturating_add(e.rows)))
        }
    }
}

/// Whether an input of a vertex shader is a number that the pipeline counts.
fn is_generated(element: &SignatureElement) -> bool {
    matches!(element.semantic, SemanticKind::VertexId | SemanticKind::InstanceId)
}

/// The inputs of a vertex shader that come from vertex buffers, one for each row, in the order of
/// the signature.
///
/// # Errors
/// `Binding` if the choice of locations gives an input none.
pub fn vertex_inputs(entry: &Entry, locations: VertexLocations) -> Result<Vec<VertexInput>> {
    let mut inputs = Vec::new();
    for element in entry.inputs.elements.iter().filter(|element| !is_generated(element)) {
        let first = vertex_location(entry, element, locations).ok_or_else(|| {
            binding_error!(Place::Input, "vertex input `{}` has no location by this choice", element.name)
        })?;
        let component = if locations == VertexLocations::Row { u32::from(element.start_col) } else { 0 };
        inputs.extend(element.indices.iter().zip(first..).map(|(&index, location)| VertexInput {
            semantic: Arc::clone(&element.name),
            index,
            location,
            component,
            components: u32::from(element.cols),
            ty: element.component,
            is_read: element.is_read(),
        }));
    }
    Ok(inputs)
}

/// Checks that no other element of the same interface uses one of this element's components.
/// Elements must not overlap (SPIR-V, "Location").
fn take(cx: &mut EntryCx<'_>, element: &SignatureElement, side: SignatureKind, slot: InterfaceSlot) -> Result<()> {
    // The two sources of dual-source blending share a location and must have different indexes
    // (Vulkan, "Fragment Output Interface").
    let row = match cx.input.options.pipeline.dual_source && element.semantic == SemanticKind::Target {
        true => element.indices.first().copied().unwrap_or(0),
        false => slot.location,
    };
    let components = InterfaceComponents {
        class: signature::class(cx.input, side),
        rows: row..row.saturating_add(element.rows),
        columns: slot.component..slot.component.saturating_add(columns(cx.input, element, side)),
    };
    if !cx.interface.take(components) {
        return Err(malformed!(cx.place, "signature element `{}` overlaps another one", element.name));
    }
    Ok(())
}

fn interpolation(module: &mut Module<'_>, id: Id, element: &SignatureElement) -> Result<()> {
    use InterpolationMode as M;
    if signature::is_flat(element) {
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

/// Declares the execution modes that a pixel shader's outputs need.
pub fn pixel_modes(cx: &EntryCx<'_>, module: &mut Module<'_>, main: Id) {
    for element in &cx.input.entry.outputs.elements {
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
