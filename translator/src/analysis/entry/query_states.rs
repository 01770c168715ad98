//! What is known of the state of ray queries, by a forward analysis over a function's blocks.
//!
//! In: a function, and the handles of queries that only operations on queries use. Out: the state
//! before each of these operations that holds on all paths. What must hold: nothing is assumed of a
//! handle that is a number at run time.

use foldhash::HashMap;

use crate::ir::{BinaryOp, Block, CmpOp, Function, Inst, InstData, Module, Terminator, Value};
use crate::ops::{OpCode, QueryState, Role};
use dxil_base::entity::Entity;
use dxil_base::limits;

/// Operations and comparisons that are looked through for one condition.
const CONDITIONS: usize = 16;

/// Whether an operation reads the end of the committed ray, which SPIR-V does not keep.
pub fn reads_end(op: OpCode) -> bool {
    op == OpCode::RayQuery_CommittedRayT
}

/// What is known of a query at a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KnownQueryState {
    traced: bool,
    searching: bool,
    candidate: bool,
    hit: bool,
    /// The result of the last Proceed.
    proceeded: Option<Value>,
    /// A result of CommittedStatus since the last ray was traced. A hit stays until the next ray.
    status: Option<Value>,
}

impl KnownQueryState {
    /// Whether the query is known to be as an operation needs it.
    pub fn has(self, need: QueryState) -> bool {
        match need {
            QueryState::Traced => self.traced,
            QueryState::Searching => self.searching,
            QueryState::Candidate => self.candidate,
            QueryState::Hit => self.hit,
        }
    }

    /// What both states have.
    fn join(self, other: Self) -> Self {
        Self {
            traced: self.traced && other.traced,
            searching: self.searching && other.searching,
            candidate: self.candidate && other.candidate,
            hit: self.hit && other.hit,
            proceeded: self.proceeded.filter(|_| self.proceeded == other.proceeded),
            status: self.status.filter(|_| self.status == other.status),
        }
    }

    fn after(self, op: OpCode, result: Option<Value>) -> Self {
        match op {
            OpCode::RayQuery_TraceRayInline => Self { traced: true, searching: true, ..Self::default() },
            OpCode::RayQuery_Proceed => Self { searching: false, candidate: false, proceeded: result, ..self },
            OpCode::RayQuery_CommitNonOpaqueTriangleHit | OpCode::RayQuery_CommitProceduralPrimitiveHit => {
                Self { hit: self.hit || self.candidate, ..self }
            }
            OpCode::RayQuery_CommittedStatus => Self { status: result, ..self },
            _ => self,
        }
    }

    /// The state where a condition is `is`. Adds to `steps` what was looked through.
    fn assume(mut self, module: &Module, function: &Function, condition: Value, is: bool, steps: &mut usize) -> Self {
        // Conditions say something of these results only.
        if self.proceeded.is_none() && self.status.is_none() {
            return self;
        }
        let mut pending = vec![(condition, is)];
        for _ in 0..CONDITIONS {
            let Some((value, is)) = pending.pop() else { break };
            *steps += 1;
            if Some(value) == self.proceeded && is {
                self = Self { traced: true, searching: true, candidate: true, ..self };
            }
            match function.def_inst(value).map(|(_, data)| *data) {
                Some(InstData::Cmp { op, lhs, rhs }) => {
                    let Some(constant) = module.const_uint(rhs) else { continue };
                    let equal = match op {
                        CmpOp::Eq => is,
                        CmpOp::Ne => !is,
                        CmpOp::Ugt if is && Some(lhs) == self.status => {
                            self.hit = true;
                            continue;
                        }
                        _ => continue,
                    };
                    if Some(lhs) == self.status {
                        self.hit |= equal == (constant != 0);
                    } else if module.types.scalar_bits(module.type_of(function, lhs)) == Some(1) {
                        pending.push((lhs, equal == (constant != 0)));
                    }
                }
                Some(InstData::Binary { op: BinaryOp::And, lhs, rhs, .. }) if is => {
                    pending.extend([(lhs, true), (rhs, true)]);
                }
                Some(InstData::Binary { op: BinaryOp::Or, lhs, rhs, .. }) if !is => {
                    pending.extend([(lhs, false), (rhs, false)]);
                }
                Some(InstData::Binary { op: BinaryOp::Xor, lhs, rhs, .. }) => {
                    if let Some(constant) = module.const_uint(rhs) {
                        pending.push((lhs, is != (constant != 0)));
                    }
                }
                Some(InstData::Select { condition, then, otherwise })
                    if is && module.const_uint(otherwise) == Some(0) =>
                {
                    pending.extend([(condition, true), (then, true)]);
                }
                _ => {}
            }
        }
        self
    }
}

/// An operation on a query.
#[derive(Clone, Copy)]
struct QueryOp {
    inst: Inst,
    op: OpCode,
}

/// The states before the operations on queries.
#[derive(Clone, Debug, Default)]
pub struct Proofs {
    before: HashMap<Inst, KnownQueryState>,
}

impl Proofs {
    /// Finds the states of the queries with these handles. Nothing is known where there is too much
    /// to visit: `steps` counts what is visited in the code of all entry points.
    pub fn find(module: &Module, function: &Function, handles: &[Value], steps: &mut usize) -> Self {
        let mut proofs = Proofs::default();
        if handles.is_empty() || *steps > limits::QUERY_STEPS {
            return proofs;
        }
        let mut operations: HashMap<Value, HashMap<Block, Vec<QueryOp>>> =
            handles.iter().map(|&handle| (handle, HashMap::default())).collect();
        for (block, data) in function.blocks.iter() {
            for &inst in &data.insts {
                let InstData::Op { op, args, .. } = function.insts[inst] else { continue };
                let Some(handle) = op.info().value(Role::RayQuery, function.list(args)) else { continue };
                if let Some(blocks) = operations.get_mut(&handle) {
                    blocks.entry(block).or_default().push(QueryOp { inst, op });
                }
            }
        }
        let mut states = vec![None; function.blocks.len()];
        for blocks in handles.iter().filter_map(|handle| operations.get(handle)) {
            if !proofs.query(module, function, blocks, &mut states, steps) {
                // States from before the fixed point may hold on some paths only.
                for operation in blocks.values().flatten() {
                    proofs.before.remove(&operation.inst);
                }
                break;
            }
        }
        proofs
    }

    /// What is known before an operation.
    pub fn before(&self, inst: Inst) -> KnownQueryState {
        self.before.get(&inst).copied().unwrap_or_default()
    }

    /// Finds the states of one query; false if the steps did not suffice. `states` is empty before
    /// and after.
    fn query(
        &mut self,
        module: &Module,
        function: &Function,
        blocks: &HashMap<Block, Vec<QueryOp>>,
        states: &mut [Option<KnownQueryState>],
        steps: &mut usize,
    ) -> bool {
        let Some(entry) = states.first_mut() else { return true };
        *entry = Some(KnownQueryState::default());
        let mut pending = vec![Block::new(0)];
        let mut reached = pending.clone();
        while let Some(block) = pending.pop() {
            if *steps > limits::QUERY_STEPS {
                return false;
            }
            let Some(&Some(mut state)) = states.get(block.index()) else { continue };
            let (mut visited, mut looked) = (1, 0);
            for &QueryOp { inst, op } in blocks.get(&block).into_iter().flatten() {
                self.before.insert(inst, state);
                state = state.after(op, function.result(inst));
                visited += 1;
            }
            let mut arrive = |target: Block, state: KnownQueryState| {
                visited += 1;
                let Some(slot) = states.get_mut(target.index()) else { return };
                if slot.is_none() {
                    reached.push(target);
                }
                let joined = slot.map_or(state, |before| before.join(state));
                if *slot != Some(joined) {
                    *slot = Some(joined);
                    pending.push(target);
                }
            };
            match &function.blocks[block].terminator {
                Terminator::Branch { condition, then, otherwise } => {
                    arrive(then.block, state.assume(module, function, *condition, true, &mut looked));
                    arrive(otherwise.block, state.assume(module, function, *condition, false, &mut looked));
                }
                Terminator::Switch { selector, default, cases } if Some(*selector) == state.status => {
                    for (label, case) in cases {
                        arrive(case.block, KnownQueryState { hit: state.hit || *label != 0, ..state });
                    }
                    let zero = cases.iter().any(|(label, _)| *label == 0);
                    arrive(default.block, KnownQueryState { hit: state.hit || zero, ..state });
                }
                other => other.targets().for_each(|target| arrive(target.block, state)),
            }
            *steps += visited + looked;
        }
        for block in reached {
            if let Some(state) = states.get_mut(block.index()) {
                *state = None;
            }
        }
        true
    }
}
