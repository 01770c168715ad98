//! Geometry shaders: streams of vertices, and what the entry says of its primitives.
//!
//! Only stream 0 is emitted. The rasteriser takes stream 0, and the others are seen by D3D's stream
//! output alone, which needs captures that no SPIR-V from here declares; so leaving them out
//! changes nothing that can be seen.

use rspirv::spirv::{Capability, ExecutionMode, Op};

use super::point;
use crate::dxil::consts::{InputPrimitive, PrimitiveTopology};
use crate::dxil::ir::Value;
use crate::dxil::ops::args;
use crate::dxil::program::StageProperties;
use crate::error::{Place, Result};
use crate::lower::cx::{Call, Code, FunctionCx, Lowered, ModuleCx};
use crate::spirv::{Id, Module};

/// The execution modes of a geometry shader.
pub fn modes(cx: &ModuleCx<'_>, module: &mut Module<'_>, main: Id) -> Result<()> {
    let StageProperties::Geometry { input, max_vertices, output, instances, .. } = cx.entry.properties else {
        return Err(malformed!(Place::Input, "a geometry shader without its state"));
    };
    let input = match input {
        InputPrimitive::Point => ExecutionMode::InputPoints,
        InputPrimitive::Line => ExecutionMode::InputLines,
        InputPrimitive::Triangle => ExecutionMode::Triangles,
        InputPrimitive::LineWithAdjacency => ExecutionMode::InputLinesAdjacency,
        InputPrimitive::TriangleWithAdjacency => ExecutionMode::InputTrianglesAdjacency,
        other => return Err(unsupported!(Place::Input, "a geometry shader of {other} primitives")),
    };
    let output = match output {
        PrimitiveTopology::PointList => ExecutionMode::OutputPoints,
        PrimitiveTopology::LineStrip => ExecutionMode::OutputLineStrip,
        PrimitiveTopology::TriangleStrip => ExecutionMode::OutputTriangleStrip,
        other => return Err(unsupported!(Place::Input, "a geometry shader that makes a {other}")),
    };
    module.execution_mode(main, input, &[]);
    module.execution_mode(main, output, &[]);
    module.execution_mode(main, ExecutionMode::OutputVertices, &[max_vertices]);
    module.execution_mode(main, ExecutionMode::Invocations, &[instances]);
    Ok(())
}

fn is_seen(cx: &FunctionCx<'_, '_>, stream: Value) -> Result<bool> {
    match cx.immediate(stream)? {
        0 => Ok(true),
        1..=3 => Ok(false),
        stream => Err(malformed!(cx.place, "stream {stream}")),
    }
}

fn emit_and_cut(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, stream: Value, ops: &[Op]) -> Result<Lowered> {
    if is_seen(cx, stream)? {
        let output = match cx.entry.properties {
            StageProperties::Geometry { output, .. } => output,
            _ => return Err(malformed!(cx.place, "vertices of no geometry shader")),
        };
        for &op in ops {
            if op == Op::EmitVertex && output == PrimitiveTopology::PointList {
                point::point_size(cx, code, Capability::GeometryPointSize)?;
            }
            code.stmt::<u32>(op, &[]);
        }
    }
    Ok(Lowered::Nothing)
}

/// `Append`: the outputs as they are become a vertex.
pub fn emit_stream(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    args: args::EmitStream,
) -> Result<Lowered> {
    emit_and_cut(cx, code, args.stream_id, &[Op::EmitVertex])
}

/// `RestartStrip`.
pub fn cut_stream(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    args: args::CutStream,
) -> Result<Lowered> {
    emit_and_cut(cx, code, args.stream_id, &[Op::EndPrimitive])
}

/// Both, in this order.
pub fn emit_then_cut_stream(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    args: args::EmitThenCutStream,
) -> Result<Lowered> {
    emit_and_cut(cx, code, args.stream_id, &[Op::EmitVertex, Op::EndPrimitive])
}
