//! System values: which builtin each is in each stage, and how its value differs.
//!
//! In: a signature element. Out: its builtin, or that it has a location like any other: a system
//! value that the pipeline neither gives nor takes between two stages is plain data there (DXC's
//! `DxilSigPoint`). What must hold: both stages of an interface decide alike; what Vulkan cannot
//! express is refused by name.

use rspirv::spirv::{BuiltIn, Capability, Decoration, GlslStd450Op, Op, StorageClass};

use super::signature::Side;
use super::{builtin, signature};
use crate::dxil::consts::{InterpolationMode, SemanticKind, ShaderStage};
use crate::dxil::ops::args;
use crate::dxil::program::SignatureElement;
use crate::error::Result;
use crate::lower::cx::{Call, Code, FunctionCx, Lowered, ModuleCx};
use crate::profile::Feature;
use crate::spirv::{Id, Module};

/// How the value of a builtin differs from D3D's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// Not at all.
    Same,
    /// A bool, where D3D has all ones or zero.
    Bool,
    /// The w component is the reciprocal.
    ReciprocalW,
    /// Likewise, and x and y are those of the sample: the position is interpolated there.
    AtSample,
    /// Includes this base, which D3D excludes.
    Based(BuiltIn),
    /// An array of one: the sample mask.
    MaskArray,
}

/// A system value's builtin.
pub struct System {
    /// The builtin.
    pub builtin: BuiltIn,
    /// How it differs from D3D's value.
    pub meaning: Meaning,
    /// Components of the builtin variable.
    pub components: u32,
    /// Whether they are floats.
    pub float: bool,
}

fn system(builtin: BuiltIn, meaning: Meaning, components: u32, float: bool) -> Option<System> {
    Some(System { builtin, meaning, components, float })
}

/// Whether a value tells the rasterizer something, where the last stage before it writes it.
fn for_rasterizer(semantic: SemanticKind) -> bool {
    use SemanticKind as S;
    matches!(semantic, S::RenderTargetArrayIndex | S::ViewPortArrayIndex | S::ShadingRate)
}

/// The builtin of an element, or `None` where it has a location.
pub(super) fn of(
    cx: &ModuleCx<'_>,
    module: &mut Module<'_>,
    element: &SignatureElement,
    side: Side,
) -> Result<Option<System>> {
    match side {
        Side::Input => input(cx, module, element),
        Side::Output => output(cx, module, element),
        // Patch constants hold no system values but tessellation factors, which are arrays: see `distances`.
        Side::Patch => Ok(None),
    }
}

fn input(cx: &ModuleCx<'_>, module: &mut Module<'_>, element: &SignatureElement) -> Result<Option<System>> {
    use Meaning::{AtSample, Based, Bool, MaskArray, ReciprocalW, Same};
    let stage = cx.entry.stage;
    Ok(match (stage, element.semantic) {
        (ShaderStage::Vertex, SemanticKind::VertexId) if cx.options.vulkan_vertex_ids => {
            system(BuiltIn::VertexIndex, Same, 1, false)
        }
        (ShaderStage::Vertex, SemanticKind::InstanceId) if cx.options.vulkan_vertex_ids => {
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
            use InterpolationMode as M;
            match element.interpolation {
                M::LinearSample | M::LinearNoperspectiveSample => {
                    module.caps.capability(Capability::SampleRateShading)?;
                    system(BuiltIn::FragCoord, AtSample, 4, true)
                }
                // D3D11.3 functional specification, 24.3: interpolated there. FragCoord is at the centre, which is the centroid only
                // where a pixel has one sample.
                M::LinearCentroid | M::LinearNoperspectiveCentroid if cx.options.facts.samples == 0 => {
                    let what = "at the centroid needs the pipeline's number of samples, which is not known";
                    return Err(binding_error!(cx.place, "{} {what}", element.semantic));
                }
                M::LinearCentroid | M::LinearNoperspectiveCentroid if cx.options.facts.samples > 1 => {
                    return Err(unsupported!(cx.place, "{} at the centroid of several samples", element.semantic));
                }
                _ => system(BuiltIn::FragCoord, ReciprocalW, 4, true),
            }
        }
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
            layered(cx, module, BuiltIn::Layer)?;
            system(BuiltIn::Layer, Same, 1, false)
        }
        (ShaderStage::Pixel, SemanticKind::ViewPortArrayIndex) => {
            layered(cx, module, BuiltIn::ViewportIndex)?;
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
        // DXIL.rst, "Semantic Interpretations": before the last stage they are plain values.
        (ShaderStage::Hull | ShaderStage::Domain | ShaderStage::Geometry, semantic) if for_rasterizer(semantic) => None,
        (ShaderStage::Vertex, _) => None,
        (_, SemanticKind::VertexId | SemanticKind::InstanceId) => None,
        (_, semantic) => return Err(unsupported!(cx.place, "input {semantic} of a {stage} shader")),
    })
}

fn output(cx: &ModuleCx<'_>, module: &mut Module<'_>, element: &SignatureElement) -> Result<Option<System>> {
    use Meaning::{MaskArray, Same};
    let stage = cx.entry.stage;
    Ok(match (stage, element.semantic) {
        (ShaderStage::Pixel, SemanticKind::Target) => None,
        (ShaderStage::Pixel, SemanticKind::Depth | SemanticKind::DepthLessEqual | SemanticKind::DepthGreaterEqual) => {
            system(BuiltIn::FragDepth, Same, 1, true)
        }
        (ShaderStage::Pixel, SemanticKind::Coverage) => system(BuiltIn::SampleMask, MaskArray, 1, false),
        (ShaderStage::Pixel, SemanticKind::StencilRef) => {
            module.caps.capability(Capability::StencilExportEXT)?;
            system(BuiltIn::FragStencilRefEXT, Same, 1, false)
        }
        // DXIL.rst, "Semantic Interpretations": a pixel shader has no other outputs.
        (ShaderStage::Pixel, semantic) => {
            return Err(malformed!(cx.place, "output {semantic} of a {stage} shader"));
        }
        (_, SemanticKind::Position) => system(BuiltIn::Position, Same, 4, true),
        (ShaderStage::Hull, semantic) if for_rasterizer(semantic) => None,
        (_, semantic) if cx.options.facts.feeds_stage && for_rasterizer(semantic) => None,
        (ShaderStage::Geometry, SemanticKind::PrimitiveId) => system(BuiltIn::PrimitiveId, Same, 1, false),
        (_, SemanticKind::RenderTargetArrayIndex) => {
            layered(cx, module, BuiltIn::Layer)?;
            system(BuiltIn::Layer, Same, 1, false)
        }
        (_, SemanticKind::ViewPortArrayIndex) => {
            layered(cx, module, BuiltIn::ViewportIndex)?;
            system(BuiltIn::ViewportIndex, Same, 1, false)
        }
        // Both models have two bits for the height and two for the width, as powers of two (D3D12_SHADING_RATE; Vulkan,
        // "PrimitiveShadingRateKHR"): the number goes through.
        (ShaderStage::Vertex | ShaderStage::Geometry, SemanticKind::ShadingRate) => {
            module.caps.require(Feature::PrimitiveFragmentShadingRate)?;
            module.caps.capability(Capability::FragmentShadingRateKHR)?;
            system(BuiltIn::PrimitiveShadingRateKHR, Same, 1, false)
        }
        (_, SemanticKind::Arbitrary | SemanticKind::VertexId | SemanticKind::InstanceId) => None,
        (_, SemanticKind::PrimitiveId) => None,
        (_, semantic) => return Err(unsupported!(cx.place, "output {semantic} of a {stage} shader")),
    })
}

/// Capabilities of layer and viewport index outside geometry shaders.
fn layered(cx: &ModuleCx<'_>, module: &mut Module<'_>, builtin: BuiltIn) -> Result<()> {
    if cx.entry.stage == ShaderStage::Pixel {
        // Vulkan, "Layer" and "ViewportIndex": reading them in a fragment shader takes Geometry or MultiViewport.
        let plain = if builtin == BuiltIn::Layer { Capability::Geometry } else { Capability::MultiViewport };
        if module.caps.allows(plain) {
            return module.caps.capability(plain);
        }
    }
    if cx.entry.stage == ShaderStage::Geometry {
        // The capability Geometry has the layer.
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

/// The variable of a system value: one per vertex where the stage sees several.
pub(super) fn variable(
    cx: &mut ModuleCx<'_>,
    module: &mut Module<'_>,
    system: &System,
    element: &SignatureElement,
    side: Side,
) -> Result<Id> {
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
    let ty = match signature::vertices(cx, side, element)? {
        Some(count) => module.type_array(ty, count, None),
        None => ty,
    };
    if side != Side::Input {
        return module.builtin_variable(StorageClass::Output, ty, system.builtin);
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

/// A component of a system value, as D3D has it.
pub(super) fn load(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    system: &System,
    (variable, vertex): (Id, Option<Id>),
    col: u32,
) -> Result<Id> {
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
            let base = cx.load_builtin(code, base, u32_ty)?;
            code.binary(Op::ISub, u32_ty, value, base)
        }
        Meaning::AtSample if col < 2 => {
            // Vulkan, "SamplePosition": who reads it runs once for each sample. The decoration Sample on FragCoord would say so too, and
            // not every driver looks for it there.
            let float = code.type_f32();
            let pair = code.type_vector(float, 2);
            let offset = cx.builtin(code, BuiltIn::SamplePosition, pair)?;
            let (value, offset) = (code.load(variable), code.load(offset));
            let (value, offset) = (code.component(value, col), code.component(offset, col));
            let corner = code.glsl(GlslStd450Op::Floor, float, &[value]);
            code.binary(Op::FAdd, float, corner, offset)
        }
        Meaning::Same | Meaning::ReciprocalW | Meaning::AtSample => {
            let pointer = match vertex {
                Some(vertex) => {
                    let scalar = if system.float { code.type_f32() } else { u32_ty };
                    let ty = code.type_vector(scalar, system.components);
                    code.access_chain(ty, variable, &[vertex])
                }
                None => variable,
            };
            let value = code.load(pointer);
            let value = code.component(value, col);
            if system.builtin == BuiltIn::FragCoord && col == 3 {
                // D3D11.3 functional specification, "SV_Position": w as the vertex shader wrote it; Vulkan's FragCoord has 1/w.
                let (ty, one) = (code.type_f32(), code.const_f32(1.0));
                code.binary(Op::FDiv, ty, one, value)
            } else if system.builtin == BuiltIn::Position && col == 1 && cx.options.invert_y {
                // The stage before has flipped it, as every stage flips what it hands on.
                let ty = code.type_f32();
                code.unary(Op::FNegate, ty, value)
            } else {
                value
            }
        }
    })
}

/// `SV_ViewID`: the view being drawn, Vulkan's multiview index.
pub fn view_id(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, _: &Call<'_>, _: args::ViewID) -> Result<Lowered> {
    builtin::word(cx, code, BuiltIn::ViewIndex, Capability::MultiView)
}

/// `SV_StartVertexLocation`: the base vertex of indexed draws, the first vertex of others, as Vulkan's BaseVertex.
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
