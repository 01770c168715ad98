//! Amplification shaders: the mesh shaders that a group starts.
//!
//! In: `DispatchMesh`. Out: OpEmitMeshTasksEXT, which ends the invocation, as `DispatchMesh` does
//! (DirectX-Specs, Mesh Shader, "DispatchMesh intrinsic"). What must hold: every path to the end of
//! the entry point has one, because SPIR-V wants it executed once (SPV_EXT_mesh_shader). A path
//! without `DispatchMesh` starts no mesh shaders.

use super::group;
use crate::ir::args;
use crate::ir::declarations::StageProperties;
use crate::lower::cx::{Call, Code, FunctionCx, Inputs, Limit, Lowered, MeshTasks, check_limit};
use crate::lower::memory::mesh_payload;
use crate::ops::consts::ShaderStage;
use dxil_base::error::{Place, Result};
use dxil_base::limits::MESH_THREADS;
use dxil_base::profile::Feature;
use dxil_spirv_builder::{Id, Module, OpenBlock, Terminated};

/// The execution modes of an amplification shader.
///
/// # Errors
/// As [`mesh::modes`](super::mesh::modes).
pub fn modes(input: Inputs<'_>, module: &mut Module<'_>, main: Id) -> Result<[u32; 3]> {
    let StageProperties::Amplification { payload_bytes, .. } = input.entry.properties else {
        return Err(malformed!(Place::Input, "the metadata of an amplification shader has no state of the stage"));
    };
    group::needs_mesh_shading(module, Feature::TaskShader, ShaderStage::Amplification)?;
    let limits = *module.caps.limits();
    check_limit(
        "bytes of payload",
        payload_bytes,
        Limit { name: "maxTaskPayloadSize", most: limits.max_task_payload_size },
    )?;
    let limit = Limit { name: "maxTaskWorkGroupInvocations", most: limits.max_task_work_group_invocations };
    group::local_size(input.entry, module, main, MESH_THREADS, Some(limit))
}

/// `DispatchMesh`. Code that follows it never runs.
pub fn dispatch_mesh(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::DispatchMesh,
) -> Result<Lowered> {
    if cx.func != cx.input.entry.func {
        return Err(unsupported!(call.place, "DispatchMesh in a function other than the entry point"));
    }
    let groups = cx.values(code, [args.thread_group_count_x, args.thread_group_count_y, args.thread_group_count_z])?;
    let payload = mesh_payload::sent(cx, code, args.payload)?;
    if cx.analysis.is_last(call.inst) && cx.pending.mesh_tasks.is_none() {
        cx.pending.mesh_tasks = Some(MeshTasks { groups, payload });
    } else {
        code.emit_mesh_tasks_here(groups, payload);
    }
    Ok(Lowered::Nothing)
}

/// Ends a node that returns from the entry point.
pub fn end<'m, 'p>(cx: &mut FunctionCx<'_, '_>, mut code: OpenBlock<'m, 'p>) -> Result<Terminated<'m, 'p>> {
    if let Some(MeshTasks { groups, payload }) = cx.pending.mesh_tasks.take() {
        return code.emit_mesh_tasks(groups, payload);
    }
    let none = code.const_u32(0);
    code.emit_mesh_tasks([none; 3], None)
}

/// Emits the pending `DispatchMesh` of a node that does not return, where it has one.
pub fn flush(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>) {
    if let Some(MeshTasks { groups, payload }) = cx.pending.mesh_tasks.take() {
        code.emit_mesh_tasks_here(groups, payload);
    }
}
