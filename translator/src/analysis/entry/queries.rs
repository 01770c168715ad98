//! Ray queries: where each query object lives, and what is known of its state at each operation.
//!
//! In: the functions that an entry reaches. Out: [`Queries`]. What must hold: an operation that
//! [`Queries::needs`] does not list finds its query in a state in which Vulkan defines it, whatever
//! the shader's inputs are.
//!
//! DXIL gives a query a number, its handle. A query whose handle is only an operand of operations
//! on queries is a variable of its own. If a handle goes elsewhere (into memory, through a phi,
//! `select` or call), the query is an element of one array, the *pool*, and handles are numbers at
//! run time.
//!
//! SPIR-V leaves several operations undefined by the state of the query, where D3D defines them or
//! leaves only their result undefined (DXR, «RayQuery intrinsics»; SPV_KHR_ray_query). A forward
//! analysis finds what holds on all paths; what it does not prove, lowering checks when the shader
//! runs.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::query_states::{Proofs, reads_end};
use super::query_uses::Uses;
use crate::analysis::program;
use crate::analysis::program::Program;
use crate::ir::{Func, Function, Inst, InstData, Module, Value};
use crate::ops::consts::RayFlags;
use crate::ops::{Access, OpCode, QueryState, Role};
use dxil_base::entity::Entity;
use dxil_base::error::{Place, Result};
use dxil_base::limits;

/// Where a query lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueryStorage {
    /// A variable of its own.
    Own,
    /// An element of the pool.
    Pooled(u32),
}

/// The state that lowering stores beside a query object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StoredState {
    /// Its state.
    pub state: bool,
    /// The end of its ray.
    pub end: bool,
}

impl StoredState {
    fn add(&mut self, op: OpCode, need: QueryState, traced: bool) {
        self.state |= need != QueryState::Hit || !traced;
        self.end |= reads_end(op);
    }
}

/// A query: the result of one AllocateRayQuery operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Query {
    /// Where it lives.
    pub storage: QueryStorage,
    /// Its constant ray flags.
    pub flags: u32,
    /// The state stored beside it, for a query with a variable of its own.
    pub stored: StoredState,
}

/// An operation whose query may be in a state in which SPIR-V does not define it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unproved {
    /// What it needs.
    pub need: QueryState,
    /// Whether it is known that a ray was traced.
    pub traced: bool,
}

/// A query of a function, whichever entry point reaches the function.
struct FunctionQuery {
    handle: Value,
    /// Its constant ray flags.
    flags: u32,
    /// Whether its handle is used otherwise than as an operand of operations on queries.
    escapes: bool,
    place: Place,
}

/// An operation of a function with what is not proved, whichever entry point reaches the function.
struct UnprovedOp {
    inst: Inst,
    op: OpCode,
    handle: Value,
    unproved: Unproved,
}

/// The queries of one function, and its operations on queries of which something is not proved.
#[derive(Default)]
struct FunctionFindings {
    queries: Vec<FunctionQuery>,
    unproved_ops: Vec<UnprovedOp>,
}

/// What is found of functions. Entry points of one module may share a function, which is looked at
/// once for all of them.
#[derive(Default)]
pub struct FunctionQueries {
    functions: BTreeMap<Func, FunctionFindings>,
    /// What was visited so far to find where handles go, and what is known of states.
    visited: [usize; 2],
}

impl FunctionQueries {
    /// The queries of a function.
    fn function(&mut self, module: &Module, func: Func) -> Result<&FunctionFindings> {
        Ok(match self.functions.entry(func) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                new.insert(FunctionFindings::find(module, &module.functions[func], &mut self.visited)?)
            }
        })
    }
}

impl FunctionFindings {
    fn find(module: &Module, function: &Function, visited: &mut [usize; 2]) -> Result<Self> {
        let mut found = Self::default();
        let mut own = Vec::new();
        // Most functions have no queries, and the uses of their values need not be known.
        let mut uses: Option<Uses> = None;
        for (block, data) in function.blocks.iter() {
            for &inst in &data.insts {
                let Some((flags, handle)) = allocation(module, function, inst)? else { continue };
                let place = Place::Inst { func: function.number, inst: inst.index() as u32 };
                let uses = uses.get_or_insert_with(|| Uses::new(function, visited[0]));
                let escapes = uses.escapes(handle);
                if escapes {
                    uses.check_rounds(function, block, handle, place)?;
                } else {
                    own.push(handle);
                }
                found.queries.push(FunctionQuery { handle, flags, escapes, place });
                limits::check(place, "ray queries", found.queries.len(), limits::RAY_QUERIES)?;
            }
        }
        visited[0] = uses.map_or(visited[0], |uses| uses.steps());
        let proofs = Proofs::find(module, function, &own, &mut visited[1]);
        for (inst, data) in function.insts.iter() {
            let InstData::Op { op, args, .. } = *data else { continue };
            let handle = op.info().value(Role::RayQuery, function.list(args));
            let (Some(need), Some(handle)) = (needed_state(op), handle) else { continue };
            let state = proofs.before(inst);
            if !state.has(need) {
                let unproved = Unproved { need, traced: state.has(QueryState::Traced) };
                found.unproved_ops.push(UnprovedOp { inst, op, handle, unproved });
            }
        }
        Ok(found)
    }
}

/// The ray queries of an entry.
#[derive(Clone, Debug, Default)]
pub struct Queries {
    queries: BTreeMap<(Func, Value), Query>,
    unproved: BTreeMap<(Func, Inst), Unproved>,
    /// How many queries are in the pool.
    pub pooled: u32,
    /// The state stored beside the queries in the pool.
    pub pool_stored: StoredState,
    /// The constant ray flags of all queries in the pool, if they are the same.
    pub pool_flags: Option<u32>,
    /// The constant ray flags that some query in the pool has.
    pub some_pool_flags: u32,
}

impl Queries {
    /// Finds the queries of an entry. `known` serves all entry points of the module.
    ///
    /// # Errors
    /// `Limit` for too many queries. `Unsupported` for a query that is allocated in a loop and
    /// whose handle outlives a round. `Malformed` for ray flags that do not exist.
    pub fn find(program: &Program, entry: &program::Entry, known: &mut FunctionQueries) -> Result<Self> {
        let mut found = Queries::default();
        if !entry.reachable.operations.accesses(Access::AllocateQuery) {
            return Ok(found);
        }
        for &func in &program.reached[entry.reachable.functions] {
            found.function(&program.module, func, known)?;
        }
        Ok(found)
    }

    /// The query that a handle is the direct result of; `None` for a number at run time.
    pub fn get(&self, func: Func, handle: Value) -> Option<Query> {
        self.queries.get(&(func, handle)).copied()
    }

    /// What lowering must check before an operation.
    pub fn needs(&self, func: Func, inst: Inst) -> Option<Unproved> {
        self.unproved.get(&(func, inst)).copied()
    }

    /// Adds the queries of a function.
    pub(super) fn function(&mut self, module: &Module, func: Func, known: &mut FunctionQueries) -> Result<()> {
        let FunctionFindings { queries, unproved_ops } = known.function(module, func)?;
        for &FunctionQuery { handle, flags, escapes, place } in queries {
            let storage = if escapes {
                let index = self.pooled;
                self.pool_flags = self.pool_flags.filter(|&all| all == flags).or((index == 0).then_some(flags));
                self.some_pool_flags |= flags;
                self.pooled += 1;
                QueryStorage::Pooled(index)
            } else {
                QueryStorage::Own
            };
            self.queries.insert((func, handle), Query { storage, flags, stored: StoredState::default() });
            limits::check(place, "ray queries", self.queries.len(), limits::RAY_QUERIES)?;
        }
        for &UnprovedOp { inst, op, handle, unproved } in unproved_ops {
            self.unproved.insert((func, inst), unproved);
            match self.queries.get_mut(&(func, handle)) {
                Some(query) if query.storage == QueryStorage::Own => {
                    query.stored.add(op, unproved.need, unproved.traced)
                }
                _ => self.pool_stored.add(op, unproved.need, unproved.traced),
            }
        }
        Ok(())
    }
}

/// The state in which an operation needs its query; `None` if it needs none.
fn needed_state(op: OpCode) -> Option<QueryState> {
    match op.info().access {
        Access::RayQuery(state) => Some(state),
        _ => None,
    }
}

/// The constant ray flags and the handle of a query that an instruction allocates.
fn allocation(module: &Module, function: &Function, inst: Inst) -> Result<Option<(u32, Value)>> {
    let InstData::Op { op, args, .. } = function.insts[inst] else { return Ok(None) };
    let (true, Some(handle)) = (op.info().access == Access::AllocateQuery, function.result(inst)) else {
        return Ok(None);
    };
    let place = Place::Inst { func: function.number, inst: inst.index() as u32 };
    let operand = |role| module.const_uint(op.info().value(role, function.list(args))?);
    let number = operand(Role::RayFlags).and_then(|n| u32::try_from(n).ok()).unwrap_or(u32::MAX);
    let flags = RayFlags::try_from(number)
        .map_err(|_| malformed!(place, "{op} with ray flags {number:#x}, of which some do not exist"))?;
    // The only flag allows opacity micromaps, which Vulkan's queries need not know
    // (VK_EXT_opacity_micromap).
    let query_flags = operand(Role::QueryFlags).unwrap_or(0);
    if query_flags > 1 {
        return Err(malformed!(place, "{op} with query flags {query_flags:#x}, of which some do not exist"));
    }
    Ok(Some((flags.bits(), handle)))
}
