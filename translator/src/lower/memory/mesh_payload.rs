//! The payload between amplification and mesh shaders.
//!
//! In: the groupshared variable that `DispatchMesh` names, or the pointer that `GetMeshPayload`
//! gives. Out: one variable of the storage class TaskPayloadWorkgroupEXT. What must hold: both
//! stages declare it with the type that the shader has for it, without a layout, so that equal
//! structures in HLSL are equal types in SPIR-V.
//!
//! D3D's payload is groupshared memory whose contents are sent at `DispatchMesh`. If the shader
//! sends one whole variable, which all compilers write, that variable itself is declared as the
//! payload, and nothing is copied. All threads of the group can access it, with atomic operations
//! too (SPV_EXT_mesh_shader), and Vulkan's limit for payload and groupshared memory together is
//! D3D's limit for groupshared memory, which includes the payload.

use rspirv::spirv::{BuiltIn, MemorySemantics, Op, Scope};

use super::{passed, variables};
use crate::analysis::address::{Address, MemoryVariable};
use crate::ir::args;
use crate::ir::declarations::StageProperties;
use crate::ir::{AddressSpace, Type, TypeId, Value};
use crate::lower::cx::{Call, Code, EntryCx, FunctionCx, Lowered};
use dxil_base::error::Result;
use dxil_spirv_builder::Id;

/// Checks the size of a payload against the size that the metadata declares.
fn check_size(cx: &EntryCx<'_>, ty: TypeId) -> Result<()> {
    let (StageProperties::Mesh { payload_bytes, .. } | StageProperties::Amplification { payload_bytes, .. }) =
        cx.input.entry.properties
    else {
        return Err(malformed!(
            cx.place,
            "a payload in a {} shader whose metadata has no state of the stage",
            cx.input.entry.stage
        ));
    };
    match cx.input.program.sizes().stride(ty) {
        Some(size) if size <= u64::from(payload_bytes) => Ok(()),
        Some(size) => Err(malformed!(
            cx.place,
            "the payload has {size} bytes, and the metadata of the {} shader declares {payload_bytes}",
            cx.input.entry.stage
        )),
        None => Err(malformed!(cx.place, "the payload has a type without a size")),
    }
}

/// `GetMeshPayload`. The pointer is resolved where it is used.
pub fn get_mesh_payload(
    cx: &mut FunctionCx<'_, '_>,
    _: &mut Code<'_, '_>,
    call: &Call<'_>,
    _: args::GetMeshPayload,
) -> Result<Lowered> {
    let Type::Pointer { pointee, .. } = *cx.input.ir_type(call.ty()?) else {
        return Err(malformed!(call.place, "GetMeshPayload returns a value that is not a pointer"));
    };
    check_size(cx.entry, pointee)?;
    Ok(Lowered::Virtual)
}

/// The variable with the payload that `DispatchMesh` sends, or `None` if the payload is empty. All
/// writes of the group to groupshared memory are visible afterwards: `DispatchMesh` implies
/// `GroupMemoryBarrierWithGroupSync` (DirectX-Specs, Mesh Shader, "DispatchMesh intrinsic").
///
/// # Errors
/// `Malformed` if the pointer does not lead into groupshared memory, or if the payload is larger
/// than the metadata declares.
pub fn sent(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, payload: Value) -> Result<Option<Id>> {
    let program = cx.input.program;
    let ty = cx.type_of(payload);
    let (Type::Pointer { pointee, space: AddressSpace::GroupShared }, Ok(address)) =
        (cx.input.ir_type(ty), Address::resolve(&program.module, cx.function, payload))
    else {
        return Err(malformed!(cx.entry.place, "the payload of DispatchMesh is not a variable of groupshared memory"));
    };
    if address.ty != *pointee {
        return Err(unsupported!(cx.entry.place, "the payload of DispatchMesh has another type than the variable"));
    }
    check_size(cx.entry, *pointee)?;
    barrier(code);
    if matches!(cx.input.ir_type(*pointee), Type::Struct { fields, .. } if fields.is_empty()) {
        return Ok(None);
    }
    let pointer = variables::pointer(cx, code, payload)?;
    if matches!(address.variable, MemoryVariable::Global(global) if cx.input.analysis.mesh.payload == Some(global)) {
        return Ok(Some(pointer.id));
    }
    let whole = code.pointee(pointer.id);
    let sent = passed::mesh_payload(cx.entry, code, whole)?;
    let (word, bool_ty, zero) = (code.type_u32(), code.type_bool(), code.const_u32(0));
    let thread = cx.entry.load_builtin(code, BuiltIn::LocalInvocationIndex, word)?;
    let first = code.binary(Op::IEqual, bool_ty, thread, zero);
    code.if_then(first, |code| {
        code.stmt(Op::CopyMemory, &[sent, pointer.id]);
        Ok(())
    })?;
    barrier(code);
    Ok(Some(sent))
}

/// Waits for the group, and makes its writes to groupshared memory visible.
fn barrier(code: &mut Code<'_, '_>) {
    let semantics = MemorySemantics::WORKGROUP_MEMORY | MemorySemantics::ACQUIRE_RELEASE;
    code.control_barrier(Scope::Workgroup, Scope::Workgroup, semantics);
}
