//! Ray query objects: the variable that a handle names, and the state stored beside it.
//!
//! In: an operation with the handle of a query. Out: an [`Object`]. What must hold: a handle is the
//! number of its query in the pool, and its constant ray flags from bit 16 on. A handle at run time
//! is limited to the pool, so no access is outside of it, whatever the handle is.

use rspirv::spirv::{Capability, GlslStd450Op, Op, StorageClass};

use crate::analysis::entry::{QueryStorage, StoredState};
use crate::ir::Value;
use crate::lower::cx::{Call, Code, Declared, FunctionCx};
use crate::ops::Role;
use dxil_base::error::Result;
use dxil_spirv_builder::Id;

/// A ray was traced.
pub const TRACED: u32 = 1;
/// A ray was traced, and Proceed has not returned false since.
pub const SEARCHING: u32 = 2;
/// The last Proceed returned true.
pub const CANDIDATE: u32 = 4;

/// The first bit of the constant ray flags in a handle.
const FLAGS: u32 = 16;

/// The constant ray flags of a query.
#[derive(Clone, Copy, Debug)]
pub enum QueryFlags {
    /// They are known.
    Constant(u32),
    /// They depend on the handle.
    Value(Id),
}

/// A ray query.
#[derive(Clone, Copy, Debug)]
pub struct Object {
    /// The IR value of its handle.
    pub handle: Value,
    /// The pointer to the query.
    pub pointer: Id,
    /// Its constant ray flags.
    pub flags: QueryFlags,
    /// The pointer to its state, if that is stored: a set of [`TRACED`], [`SEARCHING`],
    /// [`CANDIDATE`].
    pub state: Option<Id>,
    /// The pointer to the end of its ray, if that is stored.
    pub end: Option<Id>,
}

/// The handle of a query as a number.
pub fn number(storage: QueryStorage, flags: u32) -> u32 {
    match storage {
        QueryStorage::Own => 0,
        QueryStorage::Pooled(index) => index | flags << FLAGS,
    }
}

/// The variables of a query or of the pool.
#[derive(Clone, Copy, PartialEq, Eq)]
enum QueryVariable {
    Query,
    State,
    End,
}

impl QueryVariable {
    /// The type, and the value before any ray is traced.
    fn content(self, code: &mut Code<'_, '_>) -> (Id, Option<Id>) {
        let ty = match self {
            QueryVariable::Query => return (code.type_ray_query(), None),
            QueryVariable::State => code.type_u32(),
            QueryVariable::End => code.type_f32(),
        };
        (ty, Some(code.const_null(ty)))
    }
}

/// The query that an operation works on.
///
/// # Errors
/// `MissingFeature` if the device has no ray queries. `Malformed` for a handle that no operation
/// made.
pub fn operand(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, call: &Call<'_>) -> Result<Object> {
    code.caps.capability(Capability::RayQueryKHR)?;
    let Some(handle) = call.op.info().value(Role::RayQuery, call.args) else {
        return Err(bug!(call.place, "{} has no ray query", call.op));
    };
    if let Some(query) = cx.input.analysis.rays.queries.get(cx.func, handle)
        && query.storage == QueryStorage::Own
    {
        let StoredState { state, end } = query.stored;
        return Ok(Object {
            handle,
            pointer: own(cx, code, handle, QueryVariable::Query),
            flags: QueryFlags::Constant(query.flags),
            state: state.then(|| own(cx, code, handle, QueryVariable::State)),
            end: end.then(|| own(cx, code, handle, QueryVariable::End)),
        });
    }
    pooled(cx, code, call, handle)
}

/// A variable of a query that has its own.
fn own(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, handle: Value, part: QueryVariable) -> Id {
    let key = (handle, part as u32);
    if let Some(&id) = cx.variables.queries.get(&key) {
        return id;
    }
    let (ty, initial) = part.content(code);
    let id = code.local(ty, initial);
    cx.variables.queries.insert(key, id);
    id
}

/// A query of the pool.
fn pooled(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, call: &Call<'_>, handle: Value) -> Result<Object> {
    let (count, stored) = (cx.input.analysis.rays.queries.pooled, cx.input.analysis.rays.queries.pool_stored);
    let Some(last) = count.checked_sub(1) else {
        return Err(malformed!(call.place, "{} on a ray query that no AllocateRayQuery operation makes", call.op));
    };
    let word = code.type_u32();
    let (index, flags) = match cx.input.analysis.rays.queries.get(cx.func, handle) {
        Some(query) => (code.const_u32(number(query.storage, 0)), QueryFlags::Constant(query.flags)),
        None => {
            let value = cx.value(code, handle)?;
            let (mask, last, shift) = (code.const_u32((1 << FLAGS) - 1), code.const_u32(last), code.const_u32(FLAGS));
            let index = code.binary(Op::BitwiseAnd, word, value, mask);
            let index = code.glsl(GlslStd450Op::UMin, word, &[index, last]);
            let flags = match cx.input.analysis.rays.queries.pool_flags {
                Some(all) => QueryFlags::Constant(all),
                None => QueryFlags::Value(code.binary(Op::ShiftRightLogical, word, value, shift)),
            };
            (index, flags)
        }
    };
    let mut element = |part: QueryVariable| -> Result<Id> {
        let (ty, initial) = part.content(code);
        let variable = cx.entry.declare(code, Declared::RayQueries(part as u32), |_, module| {
            let array = module.type_array(ty, count, None);
            let initial = initial.map(|_| module.const_null(array));
            let id = module.variable(StorageClass::Private, array, initial)?;
            module.name(id, "ray_queries");
            Ok(id)
        })?;
        Ok(code.access_chain(ty, variable, &[index]))
    };
    let pointer = element(QueryVariable::Query)?;
    let state = stored.state.then(|| element(QueryVariable::State)).transpose()?;
    let end = stored.end.then(|| element(QueryVariable::End)).transpose()?;
    Ok(Object { handle, pointer, flags, state, end })
}
