//! Handles before lowering: which declared resource a handle stands for.
//!
//! In: a handle value of a function. Out: the [`Handle`] that created it. A handle is resolved by
//! walking back along its use-def chain to the operation that creates it (`createHandle`;
//! `annotateHandle` of `createHandleFromBinding`), so no handle needs a SPIR-V value. A handle that
//! comes from a phi, a select, a call or memory is refused by name.

use crate::dxil::consts::ResourceClass;
use crate::dxil::ir::{ConstKind, InstData, Value};
use crate::dxil::ops::{OpCode, args, args::Args};
use crate::dxil::program::Program;
use crate::dxil::resources::{Resource, ResourceId};
use crate::error::{Place, Result};
use crate::limits::HANDLE_CHAIN;

/// A resolved handle.
#[derive(Clone, Copy, Debug)]
pub struct Handle {
    /// The declaration.
    pub resource: ResourceId,
    /// The register asked for, counted from register 0 of the class and space.
    pub index: Value,
    /// Whether the index differs between lanes that run together.
    pub non_uniform: bool,
}

/// The creation of a handle: which resource, and the value that picks the register.
///
/// # Errors
/// `Unsupported` where the handle comes from a phi, select, call or heap; `Malformed` where it names no resource.
pub fn resolve(program: &Program, function: &crate::dxil::ir::Function, place: Place, value: Value) -> Result<Handle> {
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
