//! Geometry shaders: streams of vertices, and the execution modes for primitives.
//!
//! Stream 0 is emitted, which is the stream that is rasterised, and those that the pipeline writes
//! to buffers ([`stream_output`]). Nothing sees the other streams, so they are left out.

use rspirv::spirv::{Capability, ExecutionMode, Op};

use super::{point, stream_output, views};
use crate::ir::Value;
use crate::ir::args;
use crate::ir::declarations::StageProperties;
use crate::lower::cx::{Call, Code, FunctionCx, Lowered};
use crate::ops::consts::{InputPrimitive, PrimitiveTopology};
use dxil_base::error::{Place, Result};
use dxil_spirv_builder::{Id, Module};

/// The execution modes of a geometry shader.
pub fn modes(properties: &StageProperties, module: &mut Module<'_>, main: Id) -> Result<()> {
    let StageProperties::Geometry { input, max_vertices, output, instances, .. } = *properties else {
        return Err(malformed!(Place::Input, "the metadata of a geometry shader has no stage properties"));
    };
    let input = match input {
        InputPrimitive::Point => ExecutionMode::InputPoints,
        InputPrimitive::Line => ExecutionMode::InputLines,
        InputPrimitive::Triangle => ExecutionMode::Triangles,
        InputPrimitive::LineWithAdjacency => ExecutionMode::InputLinesAdjacency,
        InputPrimitive::TriangleWithAdjacency => ExecutionMode::InputTrianglesAdjacency,
        other => {
            return Err(unsupported!(
                Place::Input,
                "a geometry shader with input primitive {other}; Vulkan has points, lines and triangles"
            ));
        }
    };
    let output = match output {
        PrimitiveTopology::PointList => ExecutionMode::OutputPoints,
        PrimitiveTopology::LineStrip => ExecutionMode::OutputLineStrip,
        PrimitiveTopology::TriangleStrip => ExecutionMode::OutputTriangleStrip,
        other => {
            return Err(unsupported!(
                Place::Input,
                "a geometry shader with output topology {other}; Vulkan has point lists, line strips and \
                 triangle strips"
            ));
        }
    };
    module.execution_mode(main, input, &[]);
    module.execution_mode(main, output, &[]);
    module.execution_mode(main, ExecutionMode::OutputVertices, &[max_vertices]);
    module.execution_mode(main, ExecutionMode::Invocations, &[instances]);
    Ok(())
}

/// Emits a vertex to a stream, or ends its strip, or both in this order.
fn emit_and_cut(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, stream: Value, ops: &[Op]) -> Result<Lowered> {
    let stream = cx.entry.immediate(stream)?;
    if stream > 3 {
        return Err(malformed!(cx.entry.place, "stream {stream} of a geometry shader; streams are 0 to 3"));
    }
    if !stream_output::is_seen(cx.entry, stream) {
        return Ok(Lowered::Nothing);
    }
    let StageProperties::Geometry { output, .. } = cx.input.entry.properties else {
        return Err(malformed!(cx.entry.place, "a shader that is not a geometry shader emits vertices"));
    };
    // SPIR-V has instructions of their own where several streams are present.
    let number = stream_output::has_several_streams(cx.entry).then(|| code.const_u32(stream));
    if number.is_some() && output != PrimitiveTopology::PointList {
        return Err(malformed!(cx.entry.place, "a geometry shader with several streams of {output}; they are points"));
    }
    for &op in ops {
        if op == Op::EmitVertex && stream == 0 {
            views::write_viewport(cx, code)?;
        }
        if op == Op::EmitVertex && stream == 0 && output == PrimitiveTopology::PointList {
            point::point_size(cx, code, Capability::GeometryPointSize)?;
        }
        match (op, number) {
            (Op::EmitVertex, Some(number)) => code.stmt(Op::EmitStreamVertex, &[number]),
            (_, Some(number)) => code.stmt(Op::EndStreamPrimitive, &[number]),
            (op, None) => code.stmt(op, ()),
        }
    }
    Ok(Lowered::Nothing)
}

/// `Append`: emits a vertex with the current values of the outputs.
pub fn emit_stream(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    args: args::EmitStream,
) -> Result<Lowered> {
    emit_and_cut(cx, code, args.stream_id, &[Op::EmitVertex])
}

/// `RestartStrip`: ends the primitive strip.
pub fn cut_stream(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    args: args::CutStream,
) -> Result<Lowered> {
    emit_and_cut(cx, code, args.stream_id, &[Op::EndPrimitive])
}

/// Emits a vertex, then ends the primitive strip.
pub fn emit_then_cut_stream(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    args: args::EmitThenCutStream,
) -> Result<Lowered> {
    emit_and_cut(cx, code, args.stream_id, &[Op::EmitVertex, Op::EndPrimitive])
}
