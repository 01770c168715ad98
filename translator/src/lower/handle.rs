//! Handles: which resource an operation's handle stands for.
//!
//! A handle is resolved at its use by walking back to what created it (`createHandle`; `annotateHandle` of
//! `createHandleFromBinding`), so it needs no SPIR-V value. What can not be walked (phi, select, memory) is refused by name.

use super::context::Context;
use super::{Call, Code, Lowered};
use crate::binding::plan::{Descriptor, Location};
use crate::dxil::handles::Handle;
use crate::dxil::ir::Value;
use crate::dxil::resources::{Resource, ResourceId};
use crate::error::Result;

/// What makes a handle: nothing is written for it, because its uses resolve it.
#[expect(clippy::unnecessary_wraps, reason = "the signature is that of every lowering")]
pub(super) fn deferred<A>(_: &mut Context<'_>, _: &mut Code<'_, '_>, _: &Call<'_>, _: A) -> Result<Lowered> {
    Ok(Lowered::Virtual)
}

impl<'a> Context<'a> {
    /// The resource that a handle stands for.
    ///
    /// # Errors
    /// `Unsupported` where the handle comes from a phi, a `select` or a call.
    pub fn handle(&self, value: Value) -> Result<Handle> {
        let handle = self.handles.get(value).copied();
        handle.ok_or_else(|| {
            unsupported!(self.place, "a handle that no createHandle operation makes (phi, select, call)")
        })
    }

    /// The declaration of a resolved handle.
    pub fn resource(&self, handle: Handle) -> &'a Resource {
        &self.program.resources[handle.resource]
    }

    /// Where a resource lives.
    ///
    /// # Errors
    /// `Binding` where the plan has no place for it.
    pub fn location(&self, resource: ResourceId) -> Result<Location> {
        let declared = &self.program.resources[resource];
        match self.plan.resources.get(resource) {
            None => Err(binding_error!(declared.place(), "the binding plan has no place for {declared}")),
            Some(plan) if plan.location == Location::Unused => Err(binding_error!(
                declared.place(),
                "the binding plan calls {declared} unused, and the shader uses it"
            )),
            Some(plan) => Ok(plan.location),
        }
    }

    /// Where a resource lives, for one that can only be a descriptor.
    ///
    /// # Errors
    /// `Binding` where the plan has none, or root constants.
    pub fn descriptor(&self, resource: ResourceId) -> Result<Descriptor> {
        match self.location(resource)? {
            Location::Descriptor(descriptor) => Ok(descriptor),
            _ => {
                let declared = &self.program.resources[resource];
                Err(binding_error!(declared.place(), "{declared} cannot live in push constants"))
            }
        }
    }
}
