//! Variables that another shader declares too: payloads of rays, parameters of callable shaders,
//! attributes of hits, and the payload of a mesh shader.
//!
//! In: an argument of the entry function, an alloca that a call takes, or a type. Out: a variable
//! of the storage class that Vulkan has for it. What must hold: a variable has the compiler's own
//! type, because the other shader declares it too; the attributes of a stage are one variable
//! (Vulkan, VUID-StandaloneSpirv-HitAttributeKHR), and so is the payload of a mesh shader.

use rspirv::spirv::{Decoration, StorageClass};

use crate::analysis::entry::ShaderCall;
use crate::ir::{TypeId, Value};
use crate::lower::cx::{Code, Declared, EntryCx, FunctionCx, Passing};
use crate::ops::consts::ShaderStage;
use dxil_base::error::Result;
use dxil_spirv_builder::{Id, Module, Type as SpirvType};

/// The storage class of an entry function's argument.
pub(super) fn argument_class(cx: &FunctionCx<'_, '_>, value: Value) -> Result<StorageClass> {
    let number = cx.function.args.iter().position(|&arg| arg == value);
    match (cx.input.entry.stage, number) {
        _ if cx.func != cx.input.entry.func => {}
        (ShaderStage::AnyHit | ShaderStage::ClosestHit | ShaderStage::Miss, Some(0)) => {
            return Ok(StorageClass::IncomingRayPayloadKHR);
        }
        (ShaderStage::AnyHit | ShaderStage::ClosestHit, Some(1)) => return Ok(StorageClass::HitAttributeKHR),
        (ShaderStage::Callable, Some(0)) => return Ok(StorageClass::IncomingCallableDataKHR),
        _ => {}
    }
    Err(unsupported!(cx.entry.place, "an address from an argument of a function that is not an entry point"))
}

/// The variable that an argument of the entry function points to.
pub(super) fn argument(cx: &mut FunctionCx<'_, '_>, module: &mut Module<'_>, value: Value, ty: TypeId) -> Result<Id> {
    if let Some(id) = cx.variables.of_alloca(value) {
        return Ok(id);
    }
    let class = argument_class(cx, value)?;
    let id = declare(cx.entry, module, class, ty)?;
    cx.variables.declare(value, id);
    Ok(id)
}

/// The storage class of an alloca that a shader call takes.
pub(super) fn call_class(call: ShaderCall) -> StorageClass {
    match call {
        ShaderCall::TraceRay => StorageClass::RayPayloadKHR,
        ShaderCall::CallShader => StorageClass::CallableDataKHR,
    }
}

/// Declares a variable of one of the storage classes.
pub(super) fn declare(cx: &mut EntryCx<'_>, module: &mut Module<'_>, class: StorageClass, ty: TypeId) -> Result<Id> {
    let ty = cx.ty(module, ty)?;
    let id = module.variable(class, ty, None)?;
    // Calls name the variable itself, so nothing depends on locations. Compilers for older drivers
    // write them, with numbers that are unique among the payloads, or among the parameters.
    let (name, numbered) = match class {
        StorageClass::RayPayloadKHR | StorageClass::IncomingRayPayloadKHR => ("payload", Some(Passing::Payload)),
        StorageClass::CallableDataKHR | StorageClass::IncomingCallableDataKHR => {
            ("parameter", Some(Passing::Parameter))
        }
        _ => ("attributes", None),
    };
    if let Some(numbered) = numbered {
        module.decorate(id, Decoration::Location, &[cx.interface.next(numbered)]);
    }
    module.name(id, name);
    Ok(id)
}

/// The payload's variable, with this type.
///
/// # Errors
/// `Unsupported` if the entry declares it with two types.
pub(super) fn mesh_payload(cx: &mut EntryCx<'_>, module: &mut Module<'_>, ty: Id) -> Result<Id> {
    let id = cx.declare(module, Declared::MeshPayload, |_, module| {
        let id = module.variable(StorageClass::TaskPayloadWorkgroupEXT, ty, None)?;
        module.name(id, "payload");
        Ok(id)
    })?;
    if !matches!(module.ty_of(id), Some(SpirvType::Pointer { pointee, .. }) if pointee == ty) {
        return Err(unsupported!(cx.place, "the payload has two types in one shader"));
    }
    Ok(id)
}

/// The variable of the payload that a mesh shader receives.
pub(super) fn received_mesh_payload(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, ty: TypeId) -> Result<Id> {
    let ty = cx.entry.ty(code, ty)?;
    mesh_payload(cx.entry, code, ty)
}
