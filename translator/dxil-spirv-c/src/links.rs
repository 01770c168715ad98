//! Callbacks for the inputs and outputs of a stage.
//!
//! In: the signatures of an entry point, and the callbacks of a converter. Out: the outputs of the
//! mesh shader that a pixel shader draws after, and the outputs that go to buffers. What must hold:
//! a location that the translator would not give is refused, with the name of the semantic.

use std::sync::Arc;

use dxil_translator::analysis::program::Entry;
use dxil_translator::ir::declarations::{Signature, SignatureElement};
use dxil_translator::ops::consts::SemanticKind;
use dxil_translator::{EntryId, MeshOutput, Shader, ShaderStage, StreamOutput};

use crate::abi::{Code, PER_PRIMITIVE, StageIo, StageIoPlace, StreamOutputPlace, StreamOutputSemantic, VertexInput};
use crate::border::{Answer, Failure, c_text};
use crate::remap::Remapper;

/// The callbacks for inputs and outputs.
#[derive(Clone, Debug, Default)]
pub struct Links {
    /// For inputs of a vertex shader.
    pub vertex_input: Remapper<StageIo, VertexInput>,
    /// For outputs that are written to buffers.
    pub stream_output: Remapper<StreamOutputSemantic, StreamOutputPlace>,
    /// For inputs of a pixel shader after a mesh shader.
    pub stage_input: Remapper<StageIo, StageIoPlace>,
    /// For outputs of a mesh shader.
    pub stage_output: Remapper<StageIo, StageIoPlace>,
}

/// What the callbacks answer.
#[derive(Clone, Debug, Default)]
pub struct Linked {
    /// The outputs of the mesh shader before a pixel shader.
    pub mesh_outputs: Option<Arc<[MeshOutput]>>,
    /// The outputs that are written to buffers.
    pub stream_output: Option<Arc<[StreamOutput]>>,
}

fn refused(element: &SignatureElement, why: &str) -> Failure {
    let index = element.indices.first().copied().unwrap_or_default();
    Failure::new(Code::UnsupportedFeature, format!("`{}{index}` {why}", element.name.escape_debug()))
}

/// Elements with locations: those that are no system values.
fn plain(signature: &Signature) -> impl Iterator<Item = &SignatureElement> {
    use SemanticKind::{Arbitrary, InstanceId, VertexId};
    let is_plain = |element: &&SignatureElement| matches!(element.semantic, Arbitrary | InstanceId | VertexId);
    signature.elements.iter().filter(is_plain)
}

/// Asks a callback for an element; `None` without a callback.
fn ask<O>(remapper: &Remapper<StageIo, O>, element: &SignatureElement, out: &mut O) -> Answer<Option<()>> {
    let name = c_text(&element.name);
    let input = StageIo {
        semantic: name.as_ptr(),
        semantic_index: element.indices.first().copied().unwrap_or_default(),
        start_row: element.start_row.unwrap_or_default(),
        rows: element.rows,
    };
    match remapper.ask(&input, out) {
        None => Ok(None),
        Some(true) => Ok(Some(())),
        Some(false) => Err(refused(element, "has no location in the program")),
    }
}

impl Links {
    /// Asks for everything that the stage has.
    ///
    /// # Errors
    /// `UnsupportedFeature` for an answer that the translator cannot follow, or none.
    pub fn resolve(&self, shader: &Shader, id: EntryId, entry: &Entry) -> Answer<Linked> {
        let mut linked = Linked::default();
        match entry.stage {
            ShaderStage::Vertex => self.vertex_inputs(entry)?,
            ShaderStage::Mesh => self.mesh_outputs(shader, id, entry)?,
            ShaderStage::Pixel => linked.mesh_outputs = self.pixel_inputs(entry)?,
            _ => {}
        }
        if matches!(entry.stage, ShaderStage::Vertex | ShaderStage::Domain | ShaderStage::Geometry) {
            linked.stream_output = self.stream_outputs(entry);
        }
        Ok(linked)
    }

    fn vertex_inputs(&self, entry: &Entry) -> Answer {
        use SemanticKind::{InstanceId, VertexId};
        for element in plain(&entry.inputs).filter(|element| !matches!(element.semantic, InstanceId | VertexId)) {
            let row = element.start_row.unwrap_or_default();
            let mut out = VertexInput { location: row };
            ask(&self.vertex_input, element, &mut out)?;
            if out.location != row {
                let why = format!("is at location {}; vertex inputs are at their rows, here {row}", out.location);
                return Err(refused(element, &why));
            }
        }
        Ok(())
    }

    fn stream_outputs(&self, entry: &Entry) -> Option<Arc<[StreamOutput]>> {
        let mut outputs = Vec::new();
        for element in &entry.outputs.elements {
            let name = c_text(&element.name);
            for &index in &element.indices {
                let input = StreamOutputSemantic { semantic: name.as_ptr(), semantic_index: index };
                let mut out = StreamOutputPlace::default();
                if self.stream_output.ask(&input, &mut out) == Some(true) && out.enable != 0 {
                    let StreamOutputPlace { offset, stride, buffer_index, .. } = out;
                    let mut output = StreamOutput::new(&element.name, index, buffer_index, offset, stride);
                    output.stream = element.stream;
                    outputs.push(output);
                }
            }
        }
        (!outputs.is_empty()).then(|| outputs.into())
    }

    /// Tells the program the locations of a mesh shader's outputs.
    fn mesh_outputs(&self, shader: &Shader, id: EntryId, entry: &Entry) -> Answer {
        let outputs = shader.mesh_outputs(id).unwrap_or_default();
        let mut rows = outputs.iter();
        for element in entry.outputs.elements.iter().chain(&entry.patch_constants.elements) {
            let first = rows.by_ref().take(element.indices.len()).reduce(|first, _| first);
            let Some((location, component)) = first.and_then(|output| output.location) else { continue };
            let flags = if first.is_some_and(|output| output.per_primitive) { PER_PRIMITIVE } else { 0 };
            let expected = StageIoPlace { location, component, flags };
            let mut out = expected;
            ask(&self.stage_output, element, &mut out)?;
            if out != expected {
                return Err(refused(element, "has another place in the program than the mesh shader gives it"));
            }
        }
        Ok(())
    }

    /// The outputs of the mesh shader that the program gives a pixel shader.
    fn pixel_inputs(&self, entry: &Entry) -> Answer<Option<Arc<[MeshOutput]>>> {
        let mut outputs = Vec::new();
        for element in plain(&entry.inputs) {
            let mut out = StageIoPlace {
                location: element.start_row.unwrap_or_default(),
                component: element.start_col.into(),
                flags: 0,
            };
            if ask(&self.stage_input, element, &mut out)?.is_none() {
                return Ok(None);
            }
            for (&index, row) in element.indices.iter().zip(0u32..) {
                let per_primitive = out.flags & PER_PRIMITIVE != 0;
                let mut output = MeshOutput::new(&element.name, index, element.cols, per_primitive);
                output.location = Some((out.location.saturating_add(row), out.component));
                outputs.push(output);
            }
        }
        // System values have no locations, and the callback is not asked for them.
        let plain: Vec<u32> = plain(&entry.inputs).map(|element| element.id).collect();
        for element in entry.inputs.elements.iter().filter(|element| !plain.contains(&element.id)) {
            let rows = element.indices.iter();
            outputs.extend(rows.map(|&index| MeshOutput::new(&element.name, index, element.cols, true)));
        }
        Ok((!outputs.is_empty() && self.stage_input.is_set()).then(|| outputs.into()))
    }
}
