//! Mesh shaders: the counts, indices and attributes that a group outputs.
//!
//! In: `[outputtopology]`, the sizes of the output arrays, and operations that write elements of
//! them. Out: execution modes, and stores to output variables that are arrays over the vertices or
//! primitives of the group. What must hold: no store is outside its array. D3D leaves open what
//! happens there, and to elements beyond the counts (DirectX-Specs, Mesh Shader,
//! "SetMeshOutputCounts"); in Vulkan no robustness feature covers output variables.
//!
//! A group that never sets its counts outputs nothing, in D3D and in SPIR-V (SPV_EXT_mesh_shader,
//! "OpSetMeshOutputsEXT").

use rspirv::spirv::{BuiltIn, Decoration, ExecutionMode, GlslStd450Op, Op, StorageClass};

use super::signature::{ComponentOperands, SignatureKind};
use super::{group, outputs, signature};
use crate::analysis::program::Entry;
use crate::ir::Value;
use crate::ir::args;
use crate::ir::declarations::{Signature, StageProperties};
use crate::lower::cx::{Call, Code, Declared, FunctionCx, Inputs, Limit, Lowered, check_limit};
use crate::ops::consts::{MeshOutputTopology, ShaderStage};
use dxil_base::error::{Place, Result};
use dxil_base::limits::{MESH_OUTPUT_BYTES, MESH_THREADS, SIGNATURE_ROWS};
use dxil_base::profile::Feature;
use dxil_spirv_builder::{Id, Module};

/// The metadata of the stage.
struct MeshMetadata {
    vertices: u32,
    primitives: u32,
    topology: MeshOutputTopology,
    payload_bytes: u32,
}

fn state(entry: &Entry) -> Result<MeshMetadata> {
    match entry.properties {
        StageProperties::Mesh { max_vertices, max_primitives, topology, payload_bytes, .. } => {
            // An array of no elements does not exist in SPIR-V. The element that is declared
            // instead is never output.
            Ok(MeshMetadata { vertices: max_vertices, primitives: max_primitives, topology, payload_bytes })
        }
        _ => Err(malformed!(Place::Input, "the metadata of a mesh shader has no state of the stage")),
    }
}

/// The vertices of one primitive.
fn corners(state: &MeshMetadata, place: Place) -> Result<u32> {
    match state.topology {
        MeshOutputTopology::Line => Ok(2),
        MeshOutputTopology::Triangle => Ok(3),
        other => Err(malformed!(place, "a mesh shader with output topology {other}; expected line or triangle")),
    }
}

/// The execution modes of a mesh shader.
///
/// # Errors
/// `Malformed` if the metadata breaks a limit of D3D; `Unsupported` where it breaks one of the
/// device.
pub fn modes(input: Inputs<'_>, module: &mut Module<'_>, main: Id) -> Result<[u32; 3]> {
    let state = state(input.entry)?;
    group::needs_mesh_shading(module, Feature::MeshShader, ShaderStage::Mesh)?;
    let limits = *module.caps.limits();
    let limit = Limit { name: "maxMeshWorkGroupInvocations", most: limits.max_mesh_work_group_invocations };
    let threads = group::local_size(input.entry, module, main, MESH_THREADS, Some(limit))?;
    check_outputs(input, &state)?;
    check_limit(
        "output vertices",
        state.vertices,
        Limit { name: "maxMeshOutputVertices", most: limits.max_mesh_output_vertices },
    )?;
    check_limit(
        "output primitives",
        state.primitives,
        Limit { name: "maxMeshOutputPrimitives", most: limits.max_mesh_output_primitives },
    )?;
    check_limit(
        "bytes of payload",
        state.payload_bytes,
        Limit { name: "maxTaskPayloadSize", most: limits.max_task_payload_size },
    )?;
    shape(input.entry, module, main)?;
    Ok(threads)
}

/// Declares the output primitive, and how many vertices and primitives a group outputs at most.
///
/// # Errors
/// `Malformed` if the metadata does not say the output primitive.
pub fn shape(entry: &Entry, module: &mut Module<'_>, main: Id) -> Result<()> {
    let state = state(entry)?;
    let topology = if corners(&state, Place::Input)? == 2 {
        ExecutionMode::OutputLinesEXT
    } else {
        ExecutionMode::OutputTrianglesEXT
    };
    module.execution_mode(main, topology, &[]);
    module.execution_mode(main, ExecutionMode::OutputVertices, &[state.vertices.max(1)]);
    module.execution_mode(main, ExecutionMode::OutputPrimitivesEXT, &[state.primitives.max(1)]);
    Ok(())
}

/// Checks the size of all outputs against D3D's limits (DirectX-Specs, Mesh Shader, "Mesh shader
/// output size limits").
fn check_outputs(input: Inputs<'_>, state: &MeshMetadata) -> Result<()> {
    let (vertices, primitives) = (&input.entry.outputs, &input.entry.patch_constants);
    let bytes = |signature: &Signature, count: u32| {
        let packed = signature.elements.iter().filter(|e| e.start_row.is_some());
        let scalars = packed.fold(0u64, |sum, e| sum.saturating_add(u64::from(e.rows) * u64::from(e.cols)));
        scalars.saturating_mul(4 * u64::from(count.next_multiple_of(32)))
    };
    let all = bytes(vertices, state.vertices).saturating_add(bytes(primitives, state.primitives));
    if all > u64::from(MESH_OUTPUT_BYTES) {
        return Err(malformed!(
            Place::Input,
            "a mesh shader outputs {all} bytes; D3D allows {MESH_OUTPUT_BYTES}, with both counts rounded up to multiples \
             of 32"
        ));
    }
    let all = signature::rows(vertices).saturating_add(signature::rows(primitives));
    if all > SIGNATURE_ROWS {
        return Err(malformed!(
            Place::Input,
            "the outputs of a mesh shader have {all} rows; D3D allows {SIGNATURE_ROWS} for vertices and primitives together"
        ));
    }
    Ok(())
}

/// A count of outputs, at most `most`.
fn count(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, value: Value, most: u32) -> Result<Id> {
    if group::bound(cx, value).is_some_and(|bound| bound <= u64::from(most)) {
        return cx.value(code, value);
    }
    let (value, word, most) = (cx.value(code, value)?, code.type_u32(), code.const_u32(most));
    Ok(code.glsl(GlslStd450Op::UMin, word, &[value, most]))
}

/// `SetMeshOutputCounts`. In both D3D and SPIR-V the counts are those of the first active thread.
pub fn set_mesh_output_counts(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    args: args::SetMeshOutputCounts,
) -> Result<Lowered> {
    let state = state(cx.input.entry)?;
    let vertices = count(cx, code, args.num_vertices, state.vertices)?;
    let primitives = count(cx, code, args.num_primitives, state.primitives)?;
    code.stmt(Op::SetMeshOutputsEXT, &[vertices, primitives]);
    Ok(Lowered::Nothing)
}

/// Stores the vertices of a primitive.
pub fn emit_indices(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::EmitIndices,
) -> Result<Lowered> {
    let state = state(cx.input.entry)?;
    let corners = corners(&state, call.place)?;
    let (builtin, last) = match corners {
        2 => (BuiltIn::PrimitiveLineIndicesEXT, None),
        _ => (BuiltIn::PrimitiveTriangleIndicesEXT, Some(args.vertex_index2)),
    };
    let word = code.type_u32();
    let vector = code.type_vector(word, corners);
    let variable = cx.entry.declare(code, Declared::Indices, |_, module| {
        let array = module.type_array(vector, state.primitives.max(1), None);
        let id = module.builtin_variable(StorageClass::Output, array, builtin)?;
        module.mark(id, Decoration::PerPrimitiveEXT);
        Ok(id)
    })?;
    let mut vertices = Vec::with_capacity(3);
    for vertex in [args.vertex_index0, args.vertex_index1].into_iter().chain(last) {
        vertices.push(cx.value(code, vertex)?);
    }
    let vertices = code.construct(vector, &vertices);
    outputs::store_at(cx, code, args.primitive_index, state.primitives, |_, code, primitive| {
        let pointer = code.access_chain(vector, variable, &[primitive]);
        code.store(pointer, vertices);
        Ok(())
    })?;
    Ok(Lowered::Nothing)
}

/// Stores a component of an output of a vertex.
pub fn store_vertex_output(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    args: args::StoreVertexOutput,
) -> Result<Lowered> {
    let operands = ComponentOperands { element: args.output_sig_id, row: args.row_index, column: args.col_index };
    outputs::store(cx, code, SignatureKind::Output, operands, args.value, Some(args.vertex_index))
}

/// Stores a component of an output of a primitive.
pub fn store_primitive_output(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    args: args::StorePrimitiveOutput,
) -> Result<Lowered> {
    let operands = ComponentOperands { element: args.output_sig_id, row: args.row_index, column: args.col_index };
    outputs::store(cx, code, SignatureKind::Patch, operands, args.value, Some(args.primitive_index))
}
