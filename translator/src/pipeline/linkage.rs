//! Whether each stage of a graphics pipeline reads what the stage before it writes.
//!
//! In: the stages of a pipeline. Out: the inputs that no output feeds. What must hold: what is
//! reported here is refused by D3D12 when the pipeline is created (its debug layer calls it
//! `CREATEGRAPHICSPIPELINESTATE_SHADER_LINKAGE_…`), while Vulkan leaves the values undefined
//! (Vulkan, "Interface Matching"). An input that the shader does not read does no harm and is not
//! reported.

use std::fmt;
use std::sync::Arc;

use crate::analysis::program::Entry;
use crate::ir::declarations::{Signature, SignatureElement};
use crate::ops::consts::{ComponentType, SemanticKind, ShaderStage};
use crate::shader::PipelineStage;

/// An input that the stage before does not write as the shader reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InterfaceMismatch {
    /// The stage that writes.
    pub writer: ShaderStage,
    /// The stage that reads.
    pub reader: ShaderStage,
    /// Semantic name of the input.
    pub semantic: Arc<str>,
    /// Semantic index of the input.
    pub index: u32,
    /// What is wrong with it.
    pub fault: InterfaceFault,
}

/// What is wrong with an input of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InterfaceFault {
    /// No output has its semantic.
    Missing,
    /// The output of its semantic is at another place: its first register, and the components
    /// there.
    #[non_exhaustive]
    Elsewhere {
        /// Register and first component of the output.
        written: (u32, u8),
        /// Register and first component of the input.
        read: (u32, u8),
    },
    /// The output has fewer components than the shader reads.
    #[non_exhaustive]
    FewerComponents {
        /// Components of the output.
        written: u8,
        /// Components that the shader reads.
        read: u8,
    },
    /// The output has components of another type.
    #[non_exhaustive]
    OtherType {
        /// Type of the output.
        written: ComponentType,
        /// Type of the input.
        read: ComponentType,
    },
}

impl fmt::Display for InterfaceMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { writer, reader, semantic, index, fault } = self;
        let semantic = semantic.escape_debug();
        write!(f, "the {reader} shader reads {semantic}{index}, which the {writer} shader ")?;
        match fault {
            InterfaceFault::Missing => f.write_str("does not write"),
            InterfaceFault::Elsewhere { written: (row, col), read: (read_row, read_col) } => write!(
                f,
                "writes to register {row} from component {col}, and not to register {read_row} from component \
                 {read_col}: declare the elements of both in the same order"
            ),
            InterfaceFault::FewerComponents { written, read } => {
                write!(f, "writes with {written} components, and not with {read}")
            }
            InterfaceFault::OtherType { written, read } => {
                write!(f, "writes with components of type {written}, and not {read}")
            }
        }
    }
}

/// The inputs that the stages of a graphics pipeline read, and that the stage before does not
/// write. The stages may be a part of a pipeline: an input is compared with the outputs of a stage
/// that certainly comes before.
pub fn interface_mismatches(stages: &[PipelineStage<'_>]) -> Vec<InterfaceMismatch> {
    use ShaderStage::{Domain, Geometry, Hull, Mesh, Pixel, Vertex};
    let entries = stages.iter().filter_map(|stage| stage.shader.entry(stage.entry));
    let entries: Vec<&Entry> = entries.collect();
    let of = |stage: ShaderStage| entries.iter().copied().find(|entry| entry.stage == stage);
    let tessellation = [Hull, Domain].into_iter().any(|stage| of(stage).is_some());
    let mut found = Vec::new();
    let mut link = |writer: Option<&Entry>, reader: Option<&Entry>| {
        if let (Some(writer), Some(reader)) = (writer, reader) {
            compare(writer, reader, &mut found);
        }
    };
    link(of(Vertex), of(Hull));
    link(of(Hull), of(Domain));
    let vertices = if tessellation { of(Domain) } else { of(Vertex) };
    link(vertices, of(Geometry));
    link(of(Mesh).or_else(|| of(Geometry)).or(vertices), of(Pixel));
    found
}

/// Adds the inputs of a stage that the stage before it does not write.
fn compare(writer: &Entry, reader: &Entry, found: &mut Vec<InterfaceMismatch>) {
    // A mesh shader's outputs of primitives and of vertices are both inputs of the pixel shader.
    let outputs = match writer.stage {
        ShaderStage::Mesh => vec![&*writer.outputs, &*writer.patch_constants],
        _ => vec![&*writer.outputs],
    };
    compare_signatures(writer, &outputs, reader, &reader.inputs, found);
    if reader.stage == ShaderStage::Domain {
        compare_signatures(writer, &[&writer.patch_constants], reader, &reader.patch_constants, found);
    }
}

fn compare_signatures(
    writer: &Entry,
    outputs: &[&Signature],
    reader: &Entry,
    inputs: &Signature,
    found: &mut Vec<InterfaceMismatch>,
) {
    // The translation links a mesh shader and a pixel shader by semantics.
    let by_place = writer.stage != ShaderStage::Mesh;
    let read = || inputs.elements.iter().filter(|input| is_written_before(reader.stage, input));
    // Nearly all interfaces match in the order of their elements, which costs one walk.
    let mut written = outputs.iter().flat_map(|signature| &signature.elements);
    let feeds = |output: &SignatureElement, input: &SignatureElement| {
        output.name.eq_ignore_ascii_case(&input.name)
            && output.indices == input.indices
            && fault((output, 0), (input, 0), by_place).is_none()
    };
    if read().all(|input| written.any(|output| feeds(output, input))) {
        return;
    }
    // The rows of all outputs by semantic, as names without case.
    let mut rows: Vec<(String, u32, &SignatureElement, u32)> = Vec::new();
    for element in outputs.iter().flat_map(|signature| &signature.elements) {
        let name = element.name.to_ascii_lowercase();
        rows.extend(element.indices.iter().zip(0..).map(|(&index, row)| (name.clone(), index, element, row)));
    }
    rows.sort_by(|(a, i, ..), (b, j, ..)| (a, i).cmp(&(b, j)));
    for element in read() {
        let name = element.name.to_ascii_lowercase();
        for (&index, row) in element.indices.iter().zip(0..) {
            let at = rows.partition_point(|(other, i, ..)| (other, *i) < (&name, index));
            let output = rows.get(at).filter(|(other, i, ..)| *other == name && *i == index);
            let fault = match output {
                None => Some(InterfaceFault::Missing),
                Some((_, _, output, written)) => fault((output, *written), (element, row), by_place),
            };
            if let Some(fault) = fault {
                let (writer, reader, semantic) = (writer.stage, reader.stage, Arc::clone(&element.name));
                found.push(InterfaceMismatch { writer, reader, semantic, index, fault });
                // The other rows of an array have the same fault.
                break;
            }
        }
    }
}

/// Whether the stage before has to write an input that a stage reads. The others are generated, or
/// have a value also where nothing writes them (DXIL.rst, "Semantic Interpretations").
fn is_written_before(stage: ShaderStage, input: &SignatureElement) -> bool {
    use SemanticKind as S;
    let generated = match input.semantic {
        S::Arbitrary | S::ClipDistance | S::CullDistance | S::TessFactor | S::InsideTessFactor => false,
        S::VertexId | S::InstanceId => false,
        S::Position | S::RenderTargetArrayIndex | S::ViewPortArrayIndex => stage == ShaderStage::Pixel,
        _ => true,
    };
    input.is_read() && !generated
}

fn is_integer(ty: ComponentType) -> bool {
    use ComponentType::{I1, I16, I32, I64, U16, U32, U64};
    matches!(ty, I1 | I16 | U16 | I32 | U32 | I64 | U64)
}

/// What is wrong with a row of an input for which there is a row of an output.
fn fault(
    (output, written_row): (&SignatureElement, u32),
    (input, read_row): (&SignatureElement, u32),
    by_place: bool,
) -> Option<InterfaceFault> {
    if is_integer(output.component) != is_integer(input.component) {
        return Some(InterfaceFault::OtherType { written: output.component, read: input.component });
    }
    // System values have no place in Vulkan.
    if input.semantic != SemanticKind::Arbitrary || output.semantic != SemanticKind::Arbitrary {
        return None;
    }
    let place =
        |element: &SignatureElement, row: u32| Some((element.start_row?.saturating_add(row), element.start_col));
    if by_place
        && let (Some(written), Some(read)) = (place(output, written_row), place(input, read_row))
        && written != read
    {
        return Some(InterfaceFault::Elsewhere { written, read });
    }
    // The mask counts components from the first of the element.
    let read = 8 - (input.usage_mask | input.dynamic_index_mask).leading_zeros() as u8;
    let read = read.min(input.cols);
    (read > output.cols).then_some(InterfaceFault::FewerComponents { written: output.cols, read })
}
