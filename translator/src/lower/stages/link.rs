//! How a pixel shader finds the outputs of a mesh shader.
//!
//! In: the signatures of a mesh shader. Out: the place of each of its outputs, by semantic; and for
//! an input of a pixel shader the place that the pipeline's mesh shader gives it. What must hold: a
//! mesh shader's locations depend on the mesh shader alone, so that its translation fits every
//! pixel shader.
//!
//! D3D links these two stages by semantic name and index, because the packed rows of a pixel
//! shader's inputs do not follow those of the mesh shader's two signatures (DirectX-Specs, Mesh
//! Shader, "Signature Linkage"). Outputs of vertices are at their packed rows. Those of primitives
//! follow them.

use super::signature::Side;
use super::{distances, mesh};
use crate::dxil::consts::{SemanticKind, ShaderStage};
use crate::dxil::program::{Entry, SignatureElement};
use crate::error::Result;
use crate::lower::cx::ModuleCx;
use crate::options::MeshOutput;

/// The place of a pixel shader's input.
pub(super) struct Linked {
    pub location: (u32, u32),
    pub per_primitive: bool,
}

/// The location of row 0 of a mesh shader's primitive outputs.
pub(super) fn first_of_primitives(entry: &Entry) -> u32 {
    mesh::rows(&entry.outputs)
}

/// The rows of a mesh shader's outputs; `None` for other stages.
pub fn mesh_outputs(entry: &Entry) -> Option<Vec<MeshOutput>> {
    if entry.stage != ShaderStage::Mesh {
        return None;
    }
    let first = first_of_primitives(entry);
    let vertices = entry.outputs.elements.iter().map(|element| (element, 0, false));
    let primitives = entry.patch_constants.elements.iter().map(|element| (element, first, true));
    let mut outputs = Vec::new();
    for (element, first, per_primitive) in vertices.chain(primitives) {
        for (&index, row) in element.indices.iter().zip(0u32..) {
            let mut output = MeshOutput::new(&element.name, index, element.cols, per_primitive);
            use SemanticKind::{Arbitrary, InstanceId, VertexId};
            if matches!(element.semantic, Arbitrary | InstanceId | VertexId) {
                let start = element.start_row.map(|start| first.saturating_add(start).saturating_add(row));
                output.location = start.map(|start| (start, u32::from(element.start_col)));
            }
            outputs.push(output);
        }
    }
    Some(outputs)
}

/// The output with the semantic of a row of a pixel shader's input.
fn output<'a>(cx: &ModuleCx<'a>, element: &SignatureElement, index: u32) -> Result<Option<&'a MeshOutput>> {
    let Some(outputs) = &cx.options.facts.mesh_outputs else { return Ok(None) };
    let found =
        outputs.iter().find(|output| output.index == index && output.semantic.eq_ignore_ascii_case(&element.name));
    let (name, columns) = (&element.name, element.cols);
    match found {
        Some(output) if output.components >= columns => Ok(Some(output)),
        Some(output) => Err(binding_error!(
            cx.place,
            "the pixel shader reads {columns} components of `{name}{index}`, and the pipeline's mesh shader outputs {}",
            output.components
        )),
        None => Err(binding_error!(
            cx.place,
            "the pixel shader reads `{name}{index}`, which the pipeline's mesh shader does not output"
        )),
    }
}

/// The place of a pixel shader's input in a pipeline with a mesh shader; `None` for any other
/// element.
///
/// # Errors
/// `Binding` if the mesh shader does not have the output; `Unsupported` if it has the rows of the
/// input at places that are not consecutive.
pub(super) fn input(cx: &ModuleCx<'_>, element: &SignatureElement, side: Side) -> Result<Option<Linked>> {
    if cx.entry.stage != ShaderStage::Pixel || side != Side::Input || distances::builtin(element, side).is_some() {
        return Ok(None);
    }
    let mut linked: Option<Linked> = None;
    for (&index, row) in element.indices.iter().zip(0u32..) {
        let Some(output) = output(cx, element, index)? else { return Ok(None) };
        let Some((location, component)) = output.location else { return Ok(None) };
        match &linked {
            None => linked = Some(Linked { location: (location, component), per_primitive: output.per_primitive }),
            Some(first) => {
                let next = (first.location.0.saturating_add(row), first.location.1);
                if (location, component) != next || output.per_primitive != first.per_primitive {
                    return Err(unsupported!(
                        cx.place,
                        "`{}` is an array in the pixel shader, and the mesh shader outputs its rows {} and {index} at \
                         places that are not consecutive",
                        element.name,
                        index.wrapping_sub(1)
                    ));
                }
            }
        }
    }
    Ok(linked)
}

/// Checks that the mesh shader outputs the primitive's number, which the system does not give it
/// (DirectX-Specs, Mesh Shader, "SV_PrimitiveID in the Pixel Shader").
pub(super) fn primitive_id(cx: &ModuleCx<'_>, element: &SignatureElement) -> Result<()> {
    let index = element.indices.first().copied().unwrap_or(0);
    output(cx, element, index).map(|_| ())
}
