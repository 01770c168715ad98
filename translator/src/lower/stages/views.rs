//! The views of a multiview draw as D3D's view instances.
//!
//! In: the view instancing of the pipeline, if it has any. Out: `SV_ViewID`, and the viewport that
//! an instance adds to those that the last stage before the rasterizer chooses (DirectX-Specs, View
//! Instancing, "View Instance Locations"). What must hold: Vulkan draws a view to the layer with
//! its number, so a shader that chooses a layer itself is refused.

use rspirv::spirv::{BuiltIn, Capability, Op, StorageClass};

use super::signature::SignatureKind;
use super::system;
use crate::ir::args;
use crate::ir::declarations::SignatureElement;
use crate::lower::cx::{Call, Code, Declared, FunctionCx, Inputs, Lowered};
use crate::ops::consts::{SemanticKind, ShaderStage};
use crate::options::ViewInstancing;
use dxil_base::error::{Place, Result};
use dxil_base::profile::Feature;
use dxil_spirv_builder::Id;

/// The bits of an entry of the specialisation constants.
const BITS: u32 = 4;

/// The numbers of views that are the instances with the same numbers.
const SAME: u32 = 0x7654_3210;

/// Refuses what a draw of several views does not have.
///
/// # Errors
/// `Unsupported` for a mesh shader, and for a shader that chooses the layer.
pub fn check(input: Inputs<'_>) -> Result<()> {
    let Inputs { entry, options, .. } = input;
    if options.pipeline.view_instancing.is_none() {
        return Ok(());
    }
    if entry.stage == ShaderStage::Mesh {
        return Err(unsupported!(Place::Input, "view instancing of a mesh shader"));
    }
    let layer = |element: &&SignatureElement| element.semantic == SemanticKind::RenderTargetArrayIndex;
    match entry.outputs.elements.iter().find(layer) {
        Some(element) if feeds_rasterizer(input) => Err(unsupported!(
            Place::Input,
            "view instancing of a shader that outputs {}: Vulkan's multiview draws each view to the layer with its number",
            element.semantic
        )),
        _ => Ok(()),
    }
}

/// Whether the rasterizer gets the outputs of a stage that writes one viewport per vertex.
fn feeds_rasterizer(input: Inputs<'_>) -> bool {
    let last = matches!(input.entry.stage, ShaderStage::Vertex | ShaderStage::Domain | ShaderStage::Geometry);
    last && !input.options.pipeline.feeds_stage
}

/// `SV_ViewID`: the index of the view being drawn, from Vulkan's multiview, or the view instance
/// that it is.
///
/// Without the feature multiviewMeshShader, "a pipeline compiled against a subpass with a non-zero
/// view mask must not include a mesh shader" (VkPhysicalDeviceMeshShaderFeaturesEXT), so the view
/// is 0 there ([`MeshViewIndex`](dxil_base::quirks::Quirk::MeshViewIndex)).
pub fn view_id(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, _: &Call<'_>, _: args::ViewID) -> Result<Lowered> {
    if cx.input.entry.stage == ShaderStage::Mesh && !code.caps.enabled(Feature::MultiviewMeshShader) {
        return Ok(Lowered::Id(code.const_u32(0)));
    }
    instance(cx, code).map(Lowered::Id)
}

fn instance(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>) -> Result<Id> {
    code.caps.capability(Capability::MultiView)?;
    let word = code.type_u32();
    let view = cx.entry.load_builtin(code, BuiltIn::ViewIndex, word)?;
    match cx.input.options.pipeline.view_instancing {
        Some(ViewInstancing { instances, .. }) => number(cx, code, instances, SAME, view),
        None => Ok(view),
    }
}

/// The number that a specialisation constant has for a view or an instance.
fn number(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, constant: u32, default: u32, of: Id) -> Result<Id> {
    let numbers = cx
        .entry
        .declare(code, Declared::Specialised(constant), |_, module| Ok(module.spec_constant_u32(constant, default)))?;
    let (word, bits) = (code.type_u32(), code.const_u32(BITS));
    let first = code.binary(Op::IMul, word, of, bits);
    Ok(code.op(Op::BitFieldUExtract, word, &[numbers, first, bits]))
}

/// The viewport of the view instance, if this stage is the one that chooses viewports.
fn viewport(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>) -> Result<Option<Id>> {
    match cx.input.options.pipeline.view_instancing {
        Some(ViewInstancing { viewports, .. }) if feeds_rasterizer(cx.input) => {
            let instance = instance(cx, code)?;
            number(cx, code, viewports, 0, instance).map(Some)
        }
        _ => Ok(None),
    }
}

fn is_viewport(element: &SignatureElement) -> bool {
    element.semantic == SemanticKind::ViewPortArrayIndex && element.stream == 0
}

/// Writes the viewport of a vertex of a shader that has no output for it.
pub(super) fn write_viewport(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>) -> Result<()> {
    if cx.input.entry.outputs.elements.iter().any(is_viewport) {
        return Ok(());
    }
    let Some(viewport) = viewport(cx, code)? else { return Ok(()) };
    system::layered(cx.input, code, BuiltIn::ViewportIndex)?;
    let word = code.type_u32();
    let variable = cx.entry.declare(code, Declared::Viewport, |_, module| {
        module.builtin_variable(StorageClass::Output, word, BuiltIn::ViewportIndex)
    })?;
    code.store(variable, viewport);
    Ok(())
}

/// The value to store to an output: the viewport of the view instance is added to a viewport, with
/// 32 bits.
pub(super) fn placed(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    side: SignatureKind,
    element: &SignatureElement,
    value: Id,
) -> Result<Id> {
    if side != SignatureKind::Output || !is_viewport(element) {
        return Ok(value);
    }
    let word = code.type_u32();
    Ok(match viewport(cx, code)? {
        Some(viewport) => code.binary(Op::IAdd, word, value, viewport),
        None => value,
    })
}
