//! Stream output: outputs that the last stage before the rasterizer also writes to buffers, as
//! VK_EXT_transform_feedback does.
//!
//! In: the rows of outputs that the pipeline writes ([`StreamOutput`]). Out: for each element of
//! the output signature its place in a buffer, and the decorations of its variable. What must hold:
//! an element is written as a whole or not at all, because Vulkan captures variables; the places
//! keep Vulkan's rules («Transform Feedback» of «Shader Interfaces»).

use std::collections::BTreeMap;

use rspirv::spirv::{Capability, Decoration, ExecutionMode};

use crate::ir::declarations::SignatureElement;
use crate::lower::cx::{Captured, EntryCx, Inputs};
use crate::ops::consts::{SemanticKind, ShaderStage};
use crate::options::StreamOutput;
use dxil_base::error::{Error, Place, Result};
use dxil_base::limits;
use dxil_spirv_builder::{Id, Module, Type};

/// The buffers of D3D's stream output (`D3D12_SO_BUFFER_SLOT_COUNT`).
const BUFFERS: u32 = 4;

/// The largest vertex in a buffer (`D3D12_SO_BUFFER_MAX_STRIDE_IN_BYTES`).
const MOST_BYTES: u32 = 2048;

/// The elements that are written to buffers, by their numbers in the output signature.
///
/// # Errors
/// `Binding` for a row that the shader does not output, or whose place is against Vulkan's rules;
/// `Unsupported` for a stage that writes to no buffer, and for a part of an element.
pub fn resolve(input: Inputs<'_>) -> Result<BTreeMap<u32, Captured>> {
    let Inputs { entry, options, .. } = input;
    let Some(rows) = &options.pipeline.stream_output else { return Ok(BTreeMap::new()) };
    limits::check(Place::Input, "rows of stream output", rows.len(), limits::STREAM_OUTPUTS)?;
    if !matches!(entry.stage, ShaderStage::Vertex | ShaderStage::Domain | ShaderStage::Geometry) {
        let stage = entry.stage;
        return Err(unsupported!(
            Place::Input,
            "stream output of a {stage} shader; vertex, domain and geometry shaders have it"
        ));
    }
    let mut asked: BTreeMap<(&str, u32, u32), &StreamOutput> = BTreeMap::new();
    for row in rows.iter() {
        if asked.insert((&row.semantic, row.index, row.stream), row).is_some() {
            return Err(wrong(row, "is written twice; an output has one place"));
        }
    }
    let mut captured = BTreeMap::new();
    let names: Vec<String> = entry.outputs.elements.iter().map(|element| element.name.to_ascii_uppercase()).collect();
    for (element, name) in entry.outputs.elements.iter().zip(&names) {
        let of_element = element.indices.iter().map(|&index| asked.remove(&(name.as_str(), index, element.stream)));
        let found: Vec<&StreamOutput> = of_element.flatten().collect();
        let Some(&first) = found.first() else { continue };
        captured.insert(element.id, place(input, element, first, &found)?);
    }
    match asked.values().next() {
        Some(row) => Err(wrong(row, "is written to a buffer, and the shader does not output it")),
        None => check_buffers(&captured).map(|()| captured),
    }
}

fn wrong(row: &StreamOutput, what: &str) -> Error {
    let StreamOutput { semantic, index, stream, .. } = row;
    binding_error!(Place::Input, "stream output: `{}{index}` of stream {stream} {what}", semantic.escape_debug())
}

/// The place of an element, of which these rows are written.
fn place(
    input: Inputs<'_>,
    element: &SignatureElement,
    first: &StreamOutput,
    rows: &[&StreamOutput],
) -> Result<Captured> {
    let StreamOutput { buffer, offset, stride, stream, .. } = *first;
    let bytes = u32::from(element.cols) * 4;
    let follows = |(row, number): (&&StreamOutput, u32)| {
        (row.buffer, row.stride) == (buffer, stride)
            && u64::from(row.offset) == u64::from(offset) + u64::from(number) * u64::from(bytes)
    };
    if rows.len() != element.indices.len() || !rows.iter().zip(0..).all(follows) {
        let name = &element.name;
        return Err(unsupported!(
            Place::Input,
            "stream output: the {} rows of `{name}` are one variable, which Vulkan writes as a whole; they must follow \
             each other in one buffer",
            element.rows
        ));
    }
    // All clip or cull distances are one array (`distances`).
    let is_array = matches!(element.semantic, SemanticKind::ClipDistance | SemanticKind::CullDistance) && stream == 0;
    let is_part = is_array && input.entry.outputs.components(element).total != element.components();
    if is_part {
        let semantic = element.semantic;
        return Err(unsupported!(
            Place::Input,
            "stream output of {semantic} that are several outputs, but one variable"
        ));
    }
    if element.semantic == SemanticKind::Position && stream == 0 && input.options.invert_y {
        return Err(unsupported!(
            Place::Input,
            "stream output of the position, whose y coordinate is negated for the rasterizer"
        ));
    }
    let size = bytes.saturating_mul(element.rows);
    let end = u64::from(offset) + u64::from(size);
    match () {
        () if buffer >= BUFFERS => Err(wrong(first, "goes to a buffer whose number is above 3")),
        () if stride > MOST_BYTES => Err(wrong(first, "is in a vertex of more than 2048 bytes")),
        () if offset % 4 != 0 || stride % 4 != 0 => Err(wrong(first, "is not at a multiple of four bytes")),
        () if end > u64::from(stride) => Err(wrong(first, "ends behind its vertex")),
        () => Ok(Captured { stream, buffer, offset, stride, size }),
    }
}

/// Checks that a buffer has one stride and one stream, and each of its bytes one output.
fn check_buffers(captured: &BTreeMap<u32, Captured>) -> Result<()> {
    let mut places: Vec<&Captured> = captured.values().collect();
    places.sort_by_key(|place| (place.buffer, place.offset));
    for (place, next) in places.iter().zip(places.iter().skip(1)).filter(|(place, next)| place.buffer == next.buffer) {
        let buffer = place.buffer;
        if (place.stride, place.stream) != (next.stride, next.stream) {
            return Err(binding_error!(
                Place::Input,
                "stream output: buffer {buffer} has vertices of {} bytes of stream {} and of {} bytes of stream {}; a buffer \
                 has one stream and one stride",
                place.stride,
                place.stream,
                next.stride,
                next.stream
            ));
        }
        if place.offset + place.size > next.offset {
            let offset = next.offset;
            return Err(binding_error!(
                Place::Input,
                "stream output: several outputs are at byte {offset} of buffer {buffer}"
            ));
        }
    }
    Ok(())
}

/// Whether several streams of a geometry shader are written.
pub(super) fn has_several_streams(cx: &EntryCx<'_>) -> bool {
    cx.interface.captured.values().any(|place| place.stream != 0)
}

/// Whether a stream of a geometry shader is seen: the rasterizer sees the first.
pub(super) fn is_seen(cx: &EntryCx<'_>, stream: u32) -> bool {
    stream == 0 || cx.interface.captured.values().any(|place| place.stream == stream)
}

/// Decorates the variable of an output that is written to a buffer.
///
/// # Errors
/// `Binding` for an output of 16 bits: in D3D each component has 32 bits.
pub(super) fn decorate(
    cx: &EntryCx<'_>,
    module: &mut Module<'_>,
    variable: Id,
    element: &SignatureElement,
    scalar: Id,
) -> Result<()> {
    let Some(place) = cx.interface.captured.get(&element.id) else { return Ok(()) };
    if !matches!(module.ty(scalar), Some(Type::Float { width: 32 } | Type::Int { width: 32, .. })) {
        return Err(binding_error!(
            cx.place,
            "stream output of `{}`, which has 16 bits; all stages of the pipeline need interfaces of 32 bits, for which \
             dxil2spv takes --wide-interface",
            element.name
        ));
    }
    module.decorate(variable, Decoration::XfbBuffer, &[place.buffer]);
    module.decorate(variable, Decoration::XfbStride, &[place.stride]);
    module.decorate(variable, Decoration::Offset, &[place.offset]);
    if has_several_streams(cx) {
        module.decorate(variable, Decoration::Stream, &[place.stream]);
    }
    Ok(())
}

/// Declares that the entry point writes to buffers, if it does.
///
/// # Errors
/// `MissingFeature` without transform feedback, or without streams of geometry shaders.
pub fn modes(cx: &EntryCx<'_>, module: &mut Module<'_>, main: Id) -> Result<()> {
    if cx.interface.captured.is_empty() {
        return Ok(());
    }
    module.caps.capability(Capability::TransformFeedback)?;
    if has_several_streams(cx) {
        module.caps.capability(Capability::GeometryStreams)?;
    }
    module.execution_mode(main, ExecutionMode::Xfb, &[]);
    Ok(())
}
