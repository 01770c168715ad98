//! Handles in lowering: the declaration that a handle stands for, and the place that the plan gives
//! it.
//!
//! A handle has no SPIR-V value: it was resolved when the shader was parsed
//! ([`handles`](crate::dxil::handles)), and each use looks it up. So an operation that makes a handle
//! becomes nothing.

use crate::binding::plan::{Descriptor, Location};
use crate::dxil::handles::Handle;
use crate::dxil::ir::Value;
use crate::dxil::resources::{Resource, ResourceId};
use crate::error::Result;
use crate::lower::cx::{Call, Code, FunctionCx, Lowered, ModuleCx};

/// What makes a handle: nothing is written for it, because its uses resolve it.
#[expect(clippy::unnecessary_wraps, reason = "the signature is that of every lowering")]
pub fn deferred<A>(_: &mut FunctionCx<'_, '_>, _: &mut Code<'_, '_>, _: &Call<'_>, _: A) -> Result<Lowered> {
    Ok(Lowered::Virtual)
}

/// The resource that a handle stands for.
///
/// # Errors
/// `Unsupported` where the handle comes from a phi, a `select` or a call.
pub fn resolve(cx: &FunctionCx<'_, '_>, value: Value) -> Result<Handle> {
    cx.handles
        .get(value)
        .copied()
        .ok_or_else(|| unsupported!(cx.place, "a handle that no createHandle operation makes (phi, select, call)"))
}

/// The declaration of a resolved handle.
pub fn declaration<'a>(cx: &ModuleCx<'a>, handle: Handle) -> &'a Resource {
    &cx.program.resources[handle.resource]
}

/// Where a resource lives.
///
/// # Errors
/// `Binding` where the plan has no place for it.
pub fn location(cx: &ModuleCx<'_>, resource: ResourceId) -> Result<Location> {
    let declared = &cx.program.resources[resource];
    match cx.plan.resources.get(resource) {
        None => Err(binding_error!(declared.place(), "the binding plan has no place for {declared}")),
        Some(plan) if plan.location == Location::Unused => {
            Err(binding_error!(declared.place(), "the binding plan calls {declared} unused, and the shader uses it"))
        }
        Some(plan) => Ok(plan.location),
    }
}

/// Where a resource lives, for one that can only be a descriptor.
///
/// # Errors
/// `Binding` where the plan has none, or root constants.
pub fn descriptor(cx: &ModuleCx<'_>, resource: ResourceId) -> Result<Descriptor> {
    match location(cx, resource)? {
        Location::Descriptor(descriptor) => Ok(descriptor),
        _ => {
            let declared = &cx.program.resources[resource];
            Err(binding_error!(declared.place(), "{declared} cannot live in push constants"))
        }
    }
}
