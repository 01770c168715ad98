//! How a pixel shader finds the outputs of a mesh shader.
//!
//! In: the signatures of a mesh shader. Out: the place of each of its outputs, by semantic; and for
//! an input of a pixel shader the place that the pipeline's mesh shader gives it. What must hold: a
//! mesh shader's locations depend on the mesh shader alone, so that its translation fits every
//! pixel shader.
//!
//! D3D links these two stages by semantic name and index, because the packed rows of a pixel
//! shader's inputs do not follow those of the mesh shader's two signatures (DirectX-Specs, Mesh
//! Shader, "Signature Linkage").

use super::signature::{InterfaceSlot, SignatureKind};
use super::{distances, signature};
use crate::analysis::program::Entry;
use crate::ir::declarations::SignatureElement;
use crate::lower::cx::{ByIndex, EntryCx};
use crate::ops::consts::{SemanticKind, ShaderStage};
use crate::options::MeshOutput;
use dxil_base::error::Result;
use dxil_base::limits;

/// The place of a pixel shader's input.
pub(super) struct LinkedInput {
    pub slot: InterfaceSlot,
    pub per_primitive: bool,
}

/// The place of an output of a mesh shader: location and first component. Outputs of vertices are
/// at their packed rows, and those of primitives follow them. An array that does not begin at the
/// first component gets rows of its own after these, because a variable with the decoration
/// Component cannot be an array per vertex of arrays (VUID-StandaloneSpirv-Component-04924).
///
/// # Errors
/// `Malformed` for an element that is not packed.
pub(super) fn place(cx: &EntryCx<'_>, element: &SignatureElement, side: SignatureKind) -> Result<InterfaceSlot> {
    let outputs = Outputs::new(cx.input.entry);
    outputs
        .place(element, side == SignatureKind::Patch)
        .ok_or_else(|| malformed!(cx.place, "signature element `{}` has no start row", element.name))
}

/// The outputs of a mesh shader and the number of rows that they are packed into.
struct Outputs<'a> {
    entry: &'a Entry,
    vertex_rows: u32,
    rows: u32,
}

impl<'a> Outputs<'a> {
    fn new(entry: &'a Entry) -> Self {
        let vertex_rows = signature::rows(&entry.outputs);
        Self { entry, vertex_rows, rows: vertex_rows.saturating_add(signature::rows(&entry.patch_constants)) }
    }

    /// All elements, with whether there is one value per primitive.
    fn elements(&self) -> impl Iterator<Item = (&'a SignatureElement, bool)> + use<'a> {
        let vertices = self.entry.outputs.elements.iter().map(|element| (element, false));
        vertices.chain(self.entry.patch_constants.elements.iter().map(|element| (element, true)))
    }

    fn place(&self, element: &SignatureElement, per_primitive: bool) -> Option<InterfaceSlot> {
        let own_rows = |element: &SignatureElement| element.rows > 1 && element.start_col != 0;
        let start = element.start_row?;
        if own_rows(element) {
            let before = self.elements().take_while(|&(other, of)| (other.id, of) != (element.id, per_primitive));
            let before =
                before.filter(|(other, _)| own_rows(other)).fold(0u32, |sum, (e, _)| sum.saturating_add(e.rows));
            return Some(InterfaceSlot { location: self.rows.saturating_add(before), component: 0 });
        }
        let first = if per_primitive { self.vertex_rows } else { 0 };
        Some(InterfaceSlot { location: first.saturating_add(start), component: u32::from(element.start_col) })
    }
}

/// The rows of a mesh shader's outputs, at most [`limits::MESH_OUTPUTS`]; `None` for other stages.
pub fn mesh_outputs(entry: &Entry) -> Option<Vec<MeshOutput>> {
    if entry.stage != ShaderStage::Mesh {
        return None;
    }
    let all = Outputs::new(entry);
    let mut outputs = Vec::new();
    for (element, per_primitive) in all.elements() {
        use SemanticKind::{Arbitrary, InstanceId, VertexId};
        let plain = matches!(element.semantic, Arbitrary | InstanceId | VertexId);
        let place = all.place(element, per_primitive).filter(|_| plain);
        for (&index, row) in element.indices.iter().zip(0u32..) {
            // A shader with more is refused when it is translated. Its rows may share a long name.
            if outputs.len() == limits::MESH_OUTPUTS {
                return Some(outputs);
            }
            let mut output = MeshOutput::new(&element.name, index, element.cols, per_primitive);
            output.location = place.map(|slot| (slot.location.saturating_add(row), slot.component));
            outputs.push(output);
        }
    }
    Some(outputs)
}

/// The output with the semantic of a row of a pixel shader's input. `named` has the outputs with
/// its semantic name.
fn output<'a>(
    cx: &EntryCx<'a>,
    element: &SignatureElement,
    named: Option<&ByIndex<'a>>,
    index: u32,
) -> Result<&'a MeshOutput> {
    let (name, columns) = (&element.name, element.cols);
    match named.and_then(|named| named.get(&index)) {
        Some(output) if output.components >= columns => Ok(output),
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
pub(super) fn input(cx: &EntryCx<'_>, element: &SignatureElement, side: SignatureKind) -> Result<Option<LinkedInput>> {
    if cx.input.entry.stage != ShaderStage::Pixel
        || side != SignatureKind::Input
        || distances::builtin(element, side).is_some()
    {
        return Ok(None);
    }
    let Some(links) = cx.input.mesh_links else { return Ok(None) };
    let named = links.named(&element.name);
    let mut linked: Option<LinkedInput> = None;
    for (&index, row) in element.indices.iter().zip(0u32..) {
        let output = output(cx, element, named, index)?;
        let Some((location, component)) = output.location else { return Ok(None) };
        let slot = InterfaceSlot { location, component };
        match &linked {
            None => linked = Some(LinkedInput { slot, per_primitive: output.per_primitive }),
            Some(first) => {
                let next = InterfaceSlot { location: first.slot.location.saturating_add(row), ..first.slot };
                if slot != next || output.per_primitive != first.per_primitive {
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
pub(super) fn primitive_id(cx: &mut EntryCx<'_>, element: &SignatureElement) -> Result<()> {
    // Each of the instructions that read the element asks.
    let Some(links) = cx.input.mesh_links else { return Ok(()) };
    if cx.interface.linked.contains(&element.id) {
        return Ok(());
    }
    let index = element.indices.first().copied().unwrap_or(0);
    output(cx, element, links.named(&element.name), index)?;
    cx.interface.linked.insert(element.id);
    Ok(())
}
