//! System values: the builtin that each is in each stage, and how the builtin's value differs from
//! D3D's.
//!
//! In: a signature element. Out: its builtin, or `None` if it has a location like any other
//! element. A system value that the pipeline neither provides nor consumes between two stages is
//! plain data there (DXC's `DxilSigPoint`). What must hold: both stages of an interface decide
//! alike, and a system value that Vulkan cannot express is refused by name.

use rspirv::spirv::{BuiltIn, Capability, Decoration, GlslStd450Op, Op, StorageClass};

use super::signature::SignatureKind;
use super::{builtin, group, link, signature, stream_output};
use crate::ir::args;
use crate::ir::declarations::SignatureElement;
use crate::lower::cx::{Call, Code, EntryCx, FunctionCx, Inputs, Lowered};
use crate::ops::consts::{InterpolationMode, SemanticKind, ShaderStage};
use dxil_base::error::Result;
use dxil_base::profile::Feature;
use dxil_spirv_builder::{Id, Module};

/// The difference between the value of a builtin and D3D's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// There is no difference.
    Same,
    /// The builtin is a bool; D3D's value is all ones or zero.
    Bool,
    /// The w component of the builtin is the reciprocal of D3D's.
    ReciprocalW,
    /// As [`ReciprocalW`](Self::ReciprocalW). Also, D3D's x and y are those of the sample, where
    /// the position is interpolated.
    AtSample,
    /// D3D's value is the one that the entry point's first block computes.
    AtCentroid,
    /// D3D's value is that at the pixel's centre, and the builtin's is that at the sample.
    AtCenter,
    /// The builtin includes the value of this base; D3D's value does not.
    Based(BuiltIn),
    /// The builtin is an array with one element: the sample mask.
    MaskArray,
    /// The builtin is a signed integer of the same bits. SPIR-V's validator accepts no other in the
    /// primitives of mesh shaders.
    Signed,
}

/// The builtin of a system value.
pub struct System {
    /// The builtin.
    pub builtin: BuiltIn,
    /// How its value differs from D3D's.
    pub meaning: Meaning,
    /// Number of components of the builtin variable.
    pub components: u32,
    /// Whether its components are floats.
    pub float: bool,
}

impl System {
    /// The type of a component.
    pub(super) fn scalar(&self, module: &mut Module<'_>) -> Id {
        match self.meaning {
            Meaning::Bool => module.type_bool(),
            Meaning::Signed => module.type_i32(),
            _ if self.float => module.type_f32(),
            _ => module.type_u32(),
        }
    }
}

fn system(builtin: BuiltIn, meaning: Meaning, components: u32, float: bool) -> Option<System> {
    Some(System { builtin, meaning, components, float })
}

/// Whether a system value controls the rasterizer if the last stage before it writes the value.
fn for_rasterizer(semantic: SemanticKind) -> bool {
    use SemanticKind as S;
    matches!(semantic, S::RenderTargetArrayIndex | S::ViewPortArrayIndex | S::ShadingRate)
}

/// The builtin of an element, or `None` if it has a location.
pub(super) fn system_value(
    cx: &mut EntryCx<'_>,
    module: &mut Module<'_>,
    element: &SignatureElement,
    side: SignatureKind,
) -> Result<Option<System>> {
    let system = match side {
        SignatureKind::Input => input(cx, module, element),
        SignatureKind::Output => output(cx, module, element),
        // The only system values among patch constants are tessellation factors, which are arrays:
        // see `distances`.
        SignatureKind::Patch if cx.input.entry.stage == ShaderStage::Mesh => primitive(cx, module, element),
        SignatureKind::Patch => Ok(None),
    }?;
    // No builtin has rows, and D3D has one of each of these system values.
    if system.is_some() && element.rows != 1 {
        return Err(malformed!(
            cx.place,
            "signature element `{}` ({}) has {} rows; this system value has one",
            element.name,
            element.semantic,
            element.rows
        ));
    }
    Ok(system)
}

fn input(cx: &mut EntryCx<'_>, module: &mut Module<'_>, element: &SignatureElement) -> Result<Option<System>> {
    use Meaning::{AtSample, Based, Bool, MaskArray, Same};
    let stage = cx.input.entry.stage;
    Ok(match (stage, element.semantic) {
        (ShaderStage::Vertex, SemanticKind::VertexId) if cx.input.options.vulkan_vertex_ids => {
            system(BuiltIn::VertexIndex, Same, 1, false)
        }
        (ShaderStage::Vertex, SemanticKind::InstanceId) if cx.input.options.vulkan_vertex_ids => {
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
        (ShaderStage::Pixel, SemanticKind::Position) => {
            let meaning = position(cx, element)?;
            if meaning == AtSample {
                module.caps.capability(Capability::SampleRateShading)?;
            }
            system(BuiltIn::FragCoord, meaning, 4, true)
        }
        (ShaderStage::Pixel, SemanticKind::IsFrontFace) => system(BuiltIn::FrontFacing, Bool, 1, false),
        (ShaderStage::Pixel, SemanticKind::PrimitiveId) => {
            // In a fragment shader this builtin needs Geometry, Tessellation or a mesh or ray
            // capability (Vulkan, "PrimitiveId").
            let after_mesh = cx.input.options.pipeline.mesh_outputs.is_some();
            let any = [Capability::Geometry, Capability::Tessellation];
            match any.into_iter().find(|&capability| module.caps.allows(capability)) {
                Some(capability) => module.caps.capability(capability)?,
                None if after_mesh => group::mesh_capability(module)?,
                None => module.caps.capability(Capability::Tessellation)?,
            }
            link::primitive_id(cx, element)?;
            system(BuiltIn::PrimitiveId, Same, 1, false)
        }
        (ShaderStage::Pixel, SemanticKind::SampleIndex) => {
            module.caps.capability(Capability::SampleRateShading)?;
            system(BuiltIn::SampleId, Same, 1, false)
        }
        (ShaderStage::Pixel, SemanticKind::Coverage) => system(BuiltIn::SampleMask, MaskArray, 1, false),
        // A multiview draw has each view in the layer with its number, and no shader with the
        // builtin Layer.
        (ShaderStage::Pixel, SemanticKind::RenderTargetArrayIndex)
            if cx.input.options.pipeline.view_instancing.is_some() =>
        {
            module.caps.capability(Capability::MultiView)?;
            system(BuiltIn::ViewIndex, Same, 1, false)
        }
        (ShaderStage::Pixel, SemanticKind::RenderTargetArrayIndex) => {
            layered(cx.input, module, BuiltIn::Layer)?;
            system(BuiltIn::Layer, Same, 1, false)
        }
        (ShaderStage::Pixel, SemanticKind::ViewPortArrayIndex) => {
            layered(cx.input, module, BuiltIn::ViewportIndex)?;
            system(BuiltIn::ViewportIndex, Same, 1, false)
        }
        (ShaderStage::Pixel, SemanticKind::ShadingRate) => {
            module.caps.capability(Capability::FragmentShadingRateKHR)?;
            system(BuiltIn::ShadingRateKHR, Same, 1, false)
        }
        (ShaderStage::Pixel, SemanticKind::Barycentrics) => {
            module.caps.capability(Capability::FragmentBarycentricKHR)?;
            use InterpolationMode as M;
            let noperspective = matches!(
                element.interpolation,
                M::LinearNoperspective | M::LinearNoperspectiveCentroid | M::LinearNoperspectiveSample
            );
            let builtin = if noperspective { BuiltIn::BaryCoordNoPerspKHR } else { BuiltIn::BaryCoordKHR };
            system(builtin, Same, 3, true)
        }
        (ShaderStage::Hull | ShaderStage::Domain | ShaderStage::Geometry, SemanticKind::Position) => {
            system(BuiltIn::Position, Same, 4, true)
        }
        (_, SemanticKind::Arbitrary) => None,
        // Before the last stage that precedes the rasterizer these are plain values (DXIL.rst,
        // "Semantic Interpretations").
        (ShaderStage::Hull | ShaderStage::Domain | ShaderStage::Geometry, semantic) if for_rasterizer(semantic) => None,
        (ShaderStage::Vertex, _) => None,
        (_, SemanticKind::VertexId | SemanticKind::InstanceId) => None,
        (_, semantic) => {
            return Err(unsupported!(cx.place, "a {stage} shader has the input {semantic}, which is not supported"));
        }
    })
}

fn output(cx: &EntryCx<'_>, module: &mut Module<'_>, element: &SignatureElement) -> Result<Option<System>> {
    use Meaning::{MaskArray, Same};
    let stage = cx.input.entry.stage;
    Ok(match (stage, element.semantic) {
        // The rasterizer sees stream 0 alone.
        _ if element.stream != 0 => None,
        (ShaderStage::Pixel, SemanticKind::Target) => None,
        (ShaderStage::Pixel, SemanticKind::Depth | SemanticKind::DepthLessEqual | SemanticKind::DepthGreaterEqual) => {
            system(BuiltIn::FragDepth, Same, 1, true)
        }
        (ShaderStage::Pixel, SemanticKind::Coverage) => system(BuiltIn::SampleMask, MaskArray, 1, false),
        (ShaderStage::Pixel, SemanticKind::StencilRef) => {
            module.caps.capability(Capability::StencilExportEXT)?;
            system(BuiltIn::FragStencilRefEXT, Same, 1, false)
        }
        // A pixel shader has no other outputs (DXIL.rst, "Semantic Interpretations").
        (ShaderStage::Pixel, semantic) => {
            return Err(malformed!(cx.place, "a {stage} shader has the output {semantic}, which is not allowed"));
        }
        (_, SemanticKind::Position) => system(BuiltIn::Position, Same, 4, true),
        // A mesh shader writes these per primitive (DirectX-Specs, Mesh Shader, "Primitive
        // Attributes").
        (ShaderStage::Mesh, semantic) if for_rasterizer(semantic) || semantic == SemanticKind::PrimitiveId => {
            return Err(malformed!(
                cx.place,
                "a mesh shader has {semantic} per vertex; it is allowed per primitive only"
            ));
        }
        (ShaderStage::Hull, semantic) if for_rasterizer(semantic) => None,
        (_, semantic) if cx.input.options.pipeline.feeds_stage && for_rasterizer(semantic) => None,
        (ShaderStage::Geometry, SemanticKind::PrimitiveId) => system(BuiltIn::PrimitiveId, Same, 1, false),
        (_, SemanticKind::RenderTargetArrayIndex) => {
            layered(cx.input, module, BuiltIn::Layer)?;
            system(BuiltIn::Layer, Same, 1, false)
        }
        (_, SemanticKind::ViewPortArrayIndex) => {
            layered(cx.input, module, BuiltIn::ViewportIndex)?;
            system(BuiltIn::ViewportIndex, Same, 1, false)
        }
        // D3D and Vulkan encode the rate alike: two bits for the height and two for the width, as
        // powers of two (D3D12_SHADING_RATE; Vulkan, "PrimitiveShadingRateKHR"). So the number
        // needs no conversion.
        (ShaderStage::Vertex | ShaderStage::Geometry, SemanticKind::ShadingRate) => {
            module.caps.require(Feature::PrimitiveFragmentShadingRate)?;
            module.caps.capability(Capability::FragmentShadingRateKHR)?;
            system(BuiltIn::PrimitiveShadingRateKHR, Same, 1, false)
        }
        (_, SemanticKind::Arbitrary | SemanticKind::VertexId | SemanticKind::InstanceId) => None,
        (_, SemanticKind::PrimitiveId) => None,
        (_, semantic) => {
            return Err(unsupported!(cx.place, "a {stage} shader has the output {semantic}, which is not supported"));
        }
    })
}

/// The builtin of an output that a mesh shader writes per primitive. The capability of mesh shaders
/// includes the layer and the viewport index.
fn primitive(cx: &EntryCx<'_>, module: &mut Module<'_>, element: &SignatureElement) -> Result<Option<System>> {
    use Meaning::{Bool, Signed};
    Ok(match element.semantic {
        SemanticKind::PrimitiveId => system(BuiltIn::PrimitiveId, Signed, 1, false),
        SemanticKind::RenderTargetArrayIndex => system(BuiltIn::Layer, Signed, 1, false),
        SemanticKind::ViewPortArrayIndex => system(BuiltIn::ViewportIndex, Signed, 1, false),
        SemanticKind::CullPrimitive => system(BuiltIn::CullPrimitiveEXT, Bool, 1, false),
        SemanticKind::ShadingRate => {
            module.caps.require(Feature::PrimitiveFragmentShadingRateMeshShader)?;
            module.caps.capability(Capability::FragmentShadingRateKHR)?;
            system(BuiltIn::PrimitiveShadingRateKHR, Signed, 1, false)
        }
        SemanticKind::Arbitrary => None,
        semantic => {
            return Err(unsupported!(
                cx.place,
                "a mesh shader has the primitive output {semantic}, which is not supported"
            ));
        }
    })
}

/// Declares the capability for the layer or viewport index.
pub(super) fn layered(input: Inputs<'_>, module: &mut Module<'_>, builtin: BuiltIn) -> Result<()> {
    if input.entry.stage == ShaderStage::Pixel {
        // A fragment shader needs Geometry or MultiViewport to read these (Vulkan, "Layer" and
        // "ViewportIndex").
        let plain = if builtin == BuiltIn::Layer { Capability::Geometry } else { Capability::MultiViewport };
        if module.caps.allows(plain) {
            return module.caps.capability(plain);
        }
    }
    if input.entry.stage == ShaderStage::Geometry {
        // The capability Geometry includes the layer.
        return match builtin {
            BuiltIn::Layer => Ok(()),
            _ => module.caps.capability(Capability::MultiViewport),
        };
    }
    match (builtin, module.caps.version() >= (1, 5)) {
        (BuiltIn::Layer, true) => module.caps.capability(Capability::ShaderLayer),
        (_, true) => module.caps.capability(Capability::ShaderViewportIndex),
        (_, false) => module.caps.capability(Capability::ShaderViewportIndexLayerEXT),
    }
}

/// The variable of a system value. It is an array over the vertices if the stage sees several.
pub(super) fn variable(
    cx: &mut EntryCx<'_>,
    module: &mut Module<'_>,
    system: &System,
    element: &SignatureElement,
    side: SignatureKind,
) -> Result<Id> {
    let scalar = system.scalar(module);
    let ty = match system.meaning {
        Meaning::MaskArray => module.type_array(scalar, 1, None),
        _ => module.type_vector(scalar, system.components),
    };
    let ty = match signature::vertices(cx, side, element)? {
        Some(count) => module.type_array(ty, count, None),
        None => ty,
    };
    if side != SignatureKind::Input {
        let id = module.builtin_variable(StorageClass::Output, ty, system.builtin)?;
        if system.builtin == BuiltIn::Position && cx.input.options.invariant_position {
            module.mark(id, Decoration::Invariant);
        }
        if side == SignatureKind::Patch {
            module.mark(id, Decoration::PerPrimitiveEXT);
        }
        if side == SignatureKind::Output {
            stream_output::decorate(cx, module, id, element, scalar)?;
        }
        return Ok(id);
    }
    let variable = cx.builtin(module, system.builtin, ty)?;
    if matches!(system.builtin, BuiltIn::BaryCoordKHR | BuiltIn::BaryCoordNoPerspKHR) {
        use InterpolationMode as M;
        match element.interpolation {
            M::LinearCentroid | M::LinearNoperspectiveCentroid => module.mark(variable, Decoration::Centroid),
            M::LinearSample | M::LinearNoperspectiveSample => {
                module.caps.capability(Capability::SampleRateShading)?;
                module.mark(variable, Decoration::Sample);
            }
            _ => {}
        }
    }
    Ok(variable)
}

/// What a pixel shader's position is beside FragCoord: D3D interpolates it at the place that its
/// declaration says (D3D11.3 functional specification, 16.3).
///
/// # Errors
/// `Binding` or `Unsupported` for a centroid that is, or may be, another place than the pixel's
/// centre, where the samples that the primitive covers are not known.
pub(super) fn position(cx: &EntryCx<'_>, element: &SignatureElement) -> Result<Meaning> {
    use InterpolationMode as M;
    Ok(match (element.interpolation, cx.input.options.pipeline.samples) {
        (M::LinearSample | M::LinearNoperspectiveSample, _) => Meaning::AtSample,
        // FragCoord is at the pixel's centre, which is the centroid if a pixel has one sample.
        (_, 1) => Meaning::ReciprocalW,
        (M::LinearCentroid | M::LinearNoperspectiveCentroid, 0) => {
            let what = "at the centroid needs the pipeline's number of samples, which is not known; dxil2spv takes \
                        --samples N";
            return Err(binding_error!(cx.place, "{} {what}", element.semantic));
        }
        (M::LinearCentroid | M::LinearNoperspectiveCentroid, _) if cx.input.analysis.pixel.runs_per_sample => {
            return Err(unsupported!(
                cx.place,
                "{} at the centroid in a shader that runs once for each of several samples: Vulkan gives an invocation the \
                 coverage of its own samples only (SampleMask)",
                element.semantic
            ));
        }
        (M::LinearCentroid | M::LinearNoperspectiveCentroid, _) => Meaning::AtCentroid,
        // FragCoord is at the sample of the invocation (Vulkan, "FragCoord").
        _ if cx.input.analysis.pixel.runs_per_sample => Meaning::AtCenter,
        _ => Meaning::ReciprocalW,
    })
}

/// Loads a component of a system value and converts it to D3D's value.
pub(super) fn load(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    system: &System,
    variable: Id,
    vertex: Option<Id>,
    col: u32,
) -> Result<Id> {
    if col >= system.components {
        return Err(malformed!(
            cx.entry.place,
            "component {col} of {:?}, which has {} components",
            system.builtin,
            system.components
        ));
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
            let base = cx.entry.load_builtin(code, base, u32_ty)?;
            code.binary(Op::ISub, u32_ty, value, base)
        }
        Meaning::AtCentroid | Meaning::AtCenter => {
            let known = cx.reads.position.and_then(|position| position.get(col as usize).copied().flatten());
            known.ok_or_else(|| {
                unsupported!(
                    cx.entry.place,
                    "SV_Position at the centroid, or in a shader that runs once for each sample, in a function other than the \
                     entry point"
                )
            })?
        }
        Meaning::AtSample if col < 2 => {
            // A shader that reads SamplePosition runs once for each sample (Vulkan,
            // "SamplePosition"). The decoration Sample on FragCoord would have the same effect, but
            // for `Quirk::SampleOnFragCoord`.
            let float = code.type_f32();
            let pair = code.type_vector(float, 2);
            let offset = cx.entry.builtin(code, BuiltIn::SamplePosition, pair)?;
            let (value, offset) = (code.load(variable), code.load(offset));
            let (value, offset) = (code.component(value, col), code.component(offset, col));
            let corner = code.glsl(GlslStd450Op::Floor, float, &[value]);
            code.binary(Op::FAdd, float, corner, offset)
        }
        Meaning::Same | Meaning::ReciprocalW | Meaning::AtSample | Meaning::Signed => {
            let pointer = match vertex {
                Some(vertex) => {
                    let scalar = system.scalar(code);
                    let ty = code.type_vector(scalar, system.components);
                    code.access_chain(ty, variable, &[vertex])
                }
                None => variable,
            };
            let value = code.load(pointer);
            let value = code.component(value, col);
            position_component(cx, code, system, col, value)
        }
    })
}

/// A component of a position as D3D has it; any other value as it is.
fn position_component(cx: &FunctionCx<'_, '_>, code: &mut Code<'_, '_>, system: &System, col: u32, value: Id) -> Id {
    if system.builtin == BuiltIn::FragCoord && col == 3 {
        // D3D's w is the one that the vertex shader wrote (D3D11.3 functional
        // specification, "SV_Position"). Vulkan's FragCoord has 1/w.
        let (ty, one) = (code.type_f32(), code.const_f32(1.0));
        code.binary(Op::FDiv, ty, one, value)
    } else if system.builtin == BuiltIn::Position && col == 1 && cx.input.options.invert_y {
        // The previous stage has flipped y, because every stage flips the position that it
        // writes.
        let ty = code.type_f32();
        code.unary(Op::FNegate, ty, value)
    } else {
        value
    }
}

/// `SV_StartVertexLocation`: the base vertex of an indexed draw, or the first vertex of any other
/// draw. Vulkan's BaseVertex has the same value.
pub fn start_vertex(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    _: args::StartVertexLocation,
) -> Result<Lowered> {
    builtin::word(cx, code, BuiltIn::BaseVertex, Capability::DrawParameters)
}

/// `SV_StartInstanceLocation`.
pub fn start_instance(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    _: args::StartInstanceLocation,
) -> Result<Lowered> {
    builtin::word(cx, code, BuiltIn::BaseInstance, Capability::DrawParameters)
}

/// The number of an indirect draw among those of its command; 0 for other draws.
pub fn draw_index(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    _: args::VendorDrawIndex,
) -> Result<Lowered> {
    if cx.input.entry.stage != ShaderStage::Vertex {
        return Err(unsupported!(call.place, "the number of a draw outside of vertex shaders"));
    }
    builtin::word(cx, code, BuiltIn::DrawIndex, Capability::DrawParameters)
}

/// A component of the barycentrics of the pixel's centre.
pub fn barycentric(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::VendorBarycentric,
) -> Result<Lowered> {
    use InterpolationMode as M;
    if cx.input.entry.stage != ShaderStage::Pixel {
        return Err(unsupported!(call.place, "barycentrics outside of pixel shaders"));
    }
    // The variable of a builtin has one place.
    let elements = &cx.input.entry.inputs.elements;
    let is_elsewhere = |element: &SignatureElement| {
        element.semantic == SemanticKind::Barycentrics
            && !matches!(element.interpolation, M::Linear | M::LinearNoperspective | M::Undefined)
    };
    if elements.iter().any(is_elsewhere) {
        return Err(unsupported!(call.place, "barycentrics of the pixel's centre beside those of another place"));
    }
    code.caps.capability(Capability::FragmentBarycentricKHR)?;
    let perspective = cx.input.const_uint(args.perspective) != Some(0);
    let builtin = if perspective { BuiltIn::BaryCoordKHR } else { BuiltIn::BaryCoordNoPerspKHR };
    let float = code.type_f32();
    let vector = code.type_vector(float, 3);
    let value = cx.entry.load_builtin(code, builtin, vector)?;
    let component = cx.input.const_uint(args.component).unwrap_or_default().min(2) as u32;
    Ok(Lowered::Id(code.extract(float, value, &[component])))
}
