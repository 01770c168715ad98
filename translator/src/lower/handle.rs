//! Handles: which resource an operation's handle stands for.
//!
//! A handle is resolved at its use by walking back to what created it (`createHandle`; `annotateHandle` of
//! `createHandleFromBinding`), so it needs no SPIR-V value. What can not be walked (phi, select, memory) is refused by name.

use super::context::Context;
use super::{Call, Code, Lowered};
use crate::binding::plan::{Descriptor, Location};
use crate::dxil::consts::ResourceClass;
use crate::dxil::ir::{ConstKind, InstData, Value};
use crate::dxil::ops::{OpCode, args, args::Args};
use crate::dxil::program::Program;
use crate::dxil::resources::{Resource, ResourceId};
use crate::error::{Place, Result};
use crate::limits::HANDLE_CHAIN;

/// A resolved handle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Handle {
    /// The declaration.
    pub resource: ResourceId,
    /// The register asked for, counted from register 0 of the class and space.
    pub index: Value,
    /// Whether the index differs between lanes that run together.
    pub non_uniform: bool,
}

/// What makes a handle: nothing is written for it, because its uses resolve it.
#[expect(clippy::unnecessary_wraps, reason = "the signature is that of every lowering")]
pub(super) fn deferred<A>(_: &mut Context<'_>, _: &mut Code<'_, '_>, _: &Call<'_>, _: A) -> Result<Lowered> {
    Ok(Lowered::Virtual)
}

/// The creation of a handle: which resource, and the value that picks the register.
///
/// # Errors
/// `Unsupported` where the handle comes from a phi, select, call or heap; `Malformed` where it names no resource.
pub(super) fn resolve(
    program: &Program,
    function: &crate::dxil::ir::Function,
    place: Place,
    value: Value,
) -> Result<Handle> {
    let mut at = value;
    for _ in 0..HANDLE_CHAIN {
        let Some((_, &InstData::Op { op, args, .. })) = function.def_inst(at) else {
            return Err(unsupported!(place, "a handle that no createHandle operation makes (phi, select, call)"));
        };
        let operands = function.list(args);
        match op {
            OpCode::AnnotateHandle => match args::AnnotateHandle::view(operands) {
                Some(args) => at = args.res,
                None => break,
            },
            OpCode::CreateHandle => {
                let Some(args) = args::CreateHandle::view(operands) else { break };
                let number = |v| program.module.const_uint(v).and_then(|n| u32::try_from(n).ok());
                let class = number(args.resource_class).and_then(|n| ResourceClass::try_from(n).ok());
                let found = class.zip(number(args.range_id)).and_then(|(class, id)| program.resource(class, id));
                let resource =
                    found.ok_or_else(|| malformed!(place, "createHandle of a resource that is not declared"))?;
                let non_uniform = number(args.non_uniform_index) == Some(1);
                return Ok(Handle { resource, index: args.index, non_uniform });
            }
            OpCode::CreateHandleFromBinding => {
                let Some(args) = args::CreateHandleFromBinding::view(operands) else { break };
                let resource = from_binding(program, args.bind)
                    .ok_or_else(|| malformed!(place, "createHandleFromBinding of a resource that is not declared"))?;
                let non_uniform = program.module.const_uint(args.non_uniform_index) == Some(1);
                return Ok(Handle { resource, index: args.index, non_uniform });
            }
            other => return Err(unsupported!(place, "a handle made by {other}")),
        }
    }
    Err(unsupported!(place, "a handle through more than {HANDLE_CHAIN} operations"))
}

/// The declared resource that a `ResBind` constant `{ lower, upper, space, class }` lies in.
fn from_binding(program: &Program, bind: Value) -> Option<ResourceId> {
    let constant = &program.module.consts[bind.as_const()?];
    let field = |i: usize| match &constant.kind {
        ConstKind::Aggregate(fields) => program.module.consts.as_uint(*fields.get(i)?).map(|n| n as u32),
        ConstKind::Null => Some(0),
        _ => None,
    };
    let (lower, upper, space) = (field(0)?, field(1)?, field(2)?);
    let class = ResourceClass::try_from(field(3)?).ok()?;
    let holds =
        |r: &Resource| r.class == class && r.space == space && r.lower_bound <= lower && upper <= r.upper_bound();
    program.resources.iter().find(|(_, r)| holds(r)).map(|(id, _)| id)
}

impl<'a> Context<'a> {
    /// The resource that a handle stands for.
    ///
    /// # Errors
    /// As [`resolve`].
    pub fn handle(&self, value: Value) -> Result<Handle> {
        resolve(self.program, self.function, self.place, value)
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
                Err(binding_error!(declared.place(), "{declared} can not live in push constants"))
            }
        }
    }
}
