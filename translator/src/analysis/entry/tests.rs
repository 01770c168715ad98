//! Tests of the analyses, most of them on functions made by hand.

use super::breaks;
use super::graph;
use super::queries::{FunctionQueries, Queries, QueryStorage, StoredState, Unproved};
use super::query_states::Proofs;
use super::stores::{StoredColumns, add_columns};
use crate::ir::*;
use crate::ops::OpCode;
use crate::ops::QueryState;
use crate::ops::consts::RayFlags;
use dxil_base::entity::Entity;
use dxil_base::error::{ErrorKind, Place};
use dxil_base::limits;
use dxil_structure::Side;

/// A function that is made block by block.
struct Maker {
    module: Module,
    function: Function,
    bit: TypeId,
    word: TypeId,
    /// The block that instructions go to.
    at: Block,
}

impl Maker {
    /// A function with an empty block.
    fn new() -> Self {
        let mut module = Module::default();
        let void = module.types.intern(Type::Void);
        let (bit, word) = (module.types.intern(Type::Int(1)), module.types.intern(Type::Int(32)));
        let function = Function::new("main".into(), void, 0);
        let mut maker = Maker { module, function, bit, word, at: Block::new(0) };
        maker.at = maker.block();
        maker
    }

    /// A new block, which ends the function.
    fn block(&mut self) -> Block {
        let (params, insts, terminator) = (Vec::new(), Vec::new(), Terminator::Return(None));
        self.function.blocks.push(BlockData { params, insts, terminator, hints: ControlFlowHints::default() })
    }

    fn constant(&mut self, ty: TypeId, number: u64) -> Value {
        self.module.consts.value(ty, ConstKind::Int(number))
    }

    fn number(&mut self, number: u64) -> Value {
        self.constant(self.word, number)
    }

    /// A value of which nothing is known.
    fn unknown(&mut self, ty: TypeId) -> Value {
        let value = self.function.make_local(ty, Def::Arg(self.function.args.len() as u32));
        self.function.args.push(value);
        value
    }

    fn inst(&mut self, data: InstData, ty: Option<TypeId>) -> Inst {
        let inst = self.function.make_inst(data, ty);
        self.function.blocks[self.at].insts.push(inst);
        inst
    }

    /// The result of an instruction.
    fn value(&mut self, data: InstData, ty: TypeId) -> Value {
        let inst = self.inst(data, Some(ty));
        self.function.result(inst).expect("the type says so")
    }

    /// An operation on a query.
    fn op(&mut self, op: OpCode, query: Value) -> Inst {
        let ty = match op {
            OpCode::RayQuery_Proceed => Some(self.bit),
            OpCode::RayQuery_TraceRayInline | OpCode::RayQuery_Abort => None,
            OpCode::RayQuery_CommitNonOpaqueTriangleHit | OpCode::RayQuery_CommitProceduralPrimitiveHit => None,
            _ => Some(self.word),
        };
        let args = self.function.make_list(&[query]);
        self.inst(InstData::Op { op, precise: false, args }, ty)
    }

    fn result(&mut self, op: OpCode, query: Value) -> Value {
        let inst = self.op(op, query);
        self.function.result(inst).expect("the operation has one")
    }

    fn allocate(&mut self, flags: u32) -> Value {
        let flags = self.number(flags.into());
        self.result(OpCode::AllocateRayQuery, flags)
    }

    /// Lets a handle escape into memory.
    fn store(&mut self, value: Value) {
        let ptr = self.unknown(self.word);
        self.inst(InstData::Store { ptr, value, volatile: false }, None);
    }

    fn compare(&mut self, op: CmpOp, lhs: Value, rhs: Value) -> Value {
        self.value(InstData::Cmp { op, lhs, rhs }, self.bit)
    }

    fn binary(&mut self, op: BinaryOp, lhs: Value, rhs: Value) -> Value {
        let ty = self.module.type_of(&self.function, lhs);
        self.value(InstData::Binary { op, precise: false, lhs, rhs }, ty)
    }

    fn select(&mut self, condition: Value, then: Value, otherwise: Value) -> Value {
        let ty = self.module.type_of(&self.function, then);
        self.value(InstData::Select { condition, then, otherwise }, ty)
    }

    fn end(&mut self, terminator: Terminator) {
        self.function.blocks[self.at].terminator = terminator;
    }

    fn jump(&mut self, target: Block) {
        self.end(Terminator::Jump(call(target)));
    }

    fn branch(&mut self, condition: Value, [then, otherwise]: [Block; 2]) {
        self.end(Terminator::Branch { condition, then: call(then), otherwise: call(otherwise) });
    }

    /// Two operations at the end of a block, of which one needs a candidate and one a hit.
    fn reads(&mut self, block: Block, query: Value) -> [Inst; 2] {
        self.at = block;
        [OpCode::RayQuery_CandidateType, OpCode::RayQuery_CommittedInstanceID].map(|op| self.op(op, query))
    }

    /// Whether it is known before these operations that there is a candidate, and a hit.
    fn known(&self, query: Value, [candidate, hit]: [Inst; 2]) -> (bool, bool) {
        let proofs = Proofs::find(&self.module, &self.function, &[query], &mut 0);
        (proofs.before(candidate).has(QueryState::Candidate), proofs.before(hit).has(QueryState::Hit))
    }

    fn queries(&self) -> dxil_base::error::Result<Queries> {
        let mut module =
            Module { types: self.module.types.clone(), consts: self.module.consts.clone(), ..Module::default() };
        let func = module.functions.push(self.function.clone());
        let mut queries = Queries::default();
        queries.function(&module, func, &mut FunctionQueries::default()).map(|()| queries)
    }
}

fn call(block: Block) -> BlockCall {
    BlockCall { block, args: ValueList::default() }
}

/// A query whose ray was traced, with the result of Proceed and then of CommittedStatus.
fn traced() -> (Maker, Value, Value, Value) {
    let mut maker = Maker::new();
    let query = maker.allocate(0);
    maker.op(OpCode::RayQuery_TraceRayInline, query);
    let proceeded = maker.result(OpCode::RayQuery_Proceed, query);
    let status = maker.result(OpCode::RayQuery_CommittedStatus, query);
    (maker, query, proceeded, status)
}

/// SPV_KHR_ray_query has what each instruction needs.
#[test]
fn operations_on_a_query_that_was_not_traced_are_checked() {
    use OpCode as O;
    for (op, need) in [
        (O::RayQuery_Proceed, QueryState::Searching),
        (O::RayQuery_Abort, QueryState::Searching),
        (O::RayQuery_CommittedStatus, QueryState::Traced),
        (O::RayQuery_RayFlags, QueryState::Traced),
        (O::RayQuery_WorldRayOrigin, QueryState::Traced),
        (O::RayQuery_WorldRayDirection, QueryState::Traced),
        (O::RayQuery_RayTMin, QueryState::Traced),
        (O::RayQuery_CommitNonOpaqueTriangleHit, QueryState::Candidate),
        (O::RayQuery_CommitProceduralPrimitiveHit, QueryState::Candidate),
        (O::RayQuery_CandidateType, QueryState::Candidate),
        (O::RayQuery_CandidateTriangleRayT, QueryState::Candidate),
        (O::RayQuery_CommittedRayT, QueryState::Hit),
        (O::RayQuery_CommittedInstanceID, QueryState::Hit),
    ] {
        let mut maker = Maker::new();
        let query = maker.allocate(0);
        let before = maker.op(op, query);
        maker.op(O::RayQuery_TraceRayInline, query);
        let after = maker.op(op, query);
        let queries = maker.queries().unwrap();
        assert_eq!(queries.needs(Func::new(0), before), Some(Unproved { need, traced: false }), "{op}");
        let unproved = (need > QueryState::Searching).then_some(Unproved { need, traced: true });
        assert_eq!(queries.needs(Func::new(0), after), unproved, "{op}");
        let end = op == O::RayQuery_CommittedRayT;
        assert_eq!(
            queries.get(Func::new(0), query).map(|query| query.stored),
            Some(StoredState { state: true, end }),
            "{op}"
        );
    }
    // A Proceed may have ended the search.
    let (mut maker, query, ..) = traced();
    let again = maker.op(O::RayQuery_Proceed, query);
    let unproved = Some(Unproved { need: QueryState::Searching, traced: true });
    assert_eq!(maker.queries().unwrap().needs(Func::new(0), again), unproved);
}

#[test]
fn the_flags_of_the_pool_are_those_of_its_queries() {
    let (none, cull, skip) = (0, RayFlags::CULL_NON_OPAQUE.bits(), RayFlags::SKIP_TRIANGLES.bits());
    for (flags, same, some) in [
        (&[skip][..], Some(skip), skip),
        (&[none, none], Some(none), none),
        (&[cull, cull, cull], Some(cull), cull),
        (&[none, cull], None, cull),
        (&[cull, none, none], None, cull),
        (&[skip, skip, none], None, skip),
        (&[cull, skip, cull], None, cull | skip),
    ] {
        let mut maker = Maker::new();
        // A query that does not escape is not in the pool.
        let own = maker.allocate(RayFlags::FORCE_OPAQUE.bits());
        maker.op(OpCode::RayQuery_TraceRayInline, own);
        for &flags in flags {
            let query = maker.allocate(flags);
            maker.store(query);
        }
        let queries = maker.queries().unwrap();
        assert_eq!(queries.get(Func::new(0), own).map(|query| query.storage), Some(QueryStorage::Own));
        assert_eq!(queries.pooled as usize, flags.len(), "{flags:?}");
        assert_eq!(queries.pool_flags, same, "{flags:?}");
        assert_eq!(queries.some_pool_flags, some, "{flags:?}");
    }
}

/// Whether it is known that there is a candidate, and a hit.
type Known = (bool, bool);

const NOTHING: Known = (false, false);
const CANDIDATE: Known = (true, false);
const HIT: Known = (false, true);

/// What is known where a condition is true and where it is false. The condition is made of the
/// results of Proceed and CommittedStatus, and of a bit of which nothing is known.
fn said_by(condition: impl Fn(&mut Maker, Value, Value, Value) -> Value) -> [Known; 2] {
    let (mut maker, query, proceeded, status) = traced();
    let unknown = maker.unknown(maker.bit);
    let condition = condition(&mut maker, proceeded, status, unknown);
    let blocks = [maker.block(), maker.block()];
    maker.branch(condition, blocks);
    blocks.map(|block| maker.reads(block, query)).map(|reads| maker.known(query, reads))
}

#[test]
fn comparisons_tell_of_candidates_and_hits() {
    for (op, number, then, otherwise) in [
        (CmpOp::Ne, 0, HIT, NOTHING),
        (CmpOp::Eq, 0, NOTHING, HIT),
        (CmpOp::Eq, 1, HIT, NOTHING),
        (CmpOp::Ne, 1, NOTHING, HIT),
        (CmpOp::Eq, 2, HIT, NOTHING),
        (CmpOp::Ugt, 0, HIT, NOTHING),
        (CmpOp::Ugt, 1, HIT, NOTHING),
        (CmpOp::Ult, 2, NOTHING, NOTHING),
    ] {
        let found = said_by(|maker, _, status, _| {
            let number = maker.number(number);
            maker.compare(op, status, number)
        });
        assert_eq!(found, [then, otherwise], "the status: {op:?} {number}");
    }
    for (op, number, then, otherwise) in [
        (CmpOp::Ne, 0, CANDIDATE, NOTHING),
        (CmpOp::Eq, 0, NOTHING, CANDIDATE),
        (CmpOp::Eq, 1, CANDIDATE, NOTHING),
        (CmpOp::Ne, 1, NOTHING, CANDIDATE),
    ] {
        let found = said_by(|maker, proceeded, _, _| {
            let number = maker.constant(maker.bit, number);
            maker.compare(op, proceeded, number)
        });
        assert_eq!(found, [then, otherwise], "the result of Proceed: {op:?} {number}");
    }
}

#[test]
fn bits_that_are_combined_tell_of_candidates_and_hits() {
    type Condition = fn(&mut Maker, Value, Value, Value) -> Value;
    let conditions: &[(&str, Condition, Known, Known)] = &[
        ("proceeded", |_, proceeded, _, _| proceeded, CANDIDATE, NOTHING),
        ("unknown", |_, _, _, unknown| unknown, NOTHING, NOTHING),
        ("proceeded & unknown", |m, p, _, x| m.binary(BinaryOp::And, p, x), CANDIDATE, NOTHING),
        ("unknown & proceeded", |m, p, _, x| m.binary(BinaryOp::And, x, p), CANDIDATE, NOTHING),
        ("proceeded | unknown", |m, p, _, x| m.binary(BinaryOp::Or, p, x), NOTHING, NOTHING),
        ("not proceeded", |m, p, _, _| not(m, p), NOTHING, CANDIDATE),
        (
            "proceeded ^ false",
            |m, p, _, _| {
                let no = m.constant(m.bit, 0);
                m.binary(BinaryOp::Xor, p, no)
            },
            CANDIDATE,
            NOTHING,
        ),
        ("proceeded ^ unknown", |m, p, _, x| m.binary(BinaryOp::Xor, p, x), NOTHING, NOTHING),
        (
            "not proceeded | unknown",
            |m, p, _, x| {
                let not = not(m, p);
                m.binary(BinaryOp::Or, not, x)
            },
            NOTHING,
            CANDIDATE,
        ),
        (
            "not proceeded & unknown",
            |m, p, _, x| {
                let not = not(m, p);
                m.binary(BinaryOp::And, not, x)
            },
            NOTHING,
            NOTHING,
        ),
        (
            "proceeded & hit",
            |m, p, s, _| {
                let hit = hit(m, s);
                m.binary(BinaryOp::And, p, hit)
            },
            (true, true),
            NOTHING,
        ),
        ("select proceeded, unknown, false", |m, p, _, x| chosen(m, p, x, 0), CANDIDATE, NOTHING),
        ("select unknown, proceeded, false", |m, p, _, x| chosen(m, x, p, 0), CANDIDATE, NOTHING),
        ("select proceeded, unknown, true", |m, p, _, x| chosen(m, p, x, 1), NOTHING, NOTHING),
        ("select unknown, proceeded, true", |m, p, _, x| chosen(m, x, p, 1), NOTHING, NOTHING),
    ];
    for &(text, condition, then, otherwise) in conditions {
        assert_eq!(said_by(condition), [then, otherwise], "{text}");
    }
}

fn not(maker: &mut Maker, value: Value) -> Value {
    let yes = maker.constant(maker.bit, 1);
    maker.binary(BinaryOp::Xor, value, yes)
}

fn hit(maker: &mut Maker, status: Value) -> Value {
    let nothing = maker.number(0);
    maker.compare(CmpOp::Ne, status, nothing)
}

fn chosen(maker: &mut Maker, condition: Value, then: Value, otherwise: u64) -> Value {
    let otherwise = maker.constant(maker.bit, otherwise);
    maker.select(condition, then, otherwise)
}

/// A case of zero leaves hits to the default, and another case is a hit.
#[test]
fn switches_tell_of_hits() {
    for (labels, hits) in [
        (&[0][..], &[false, true][..]),
        (&[0, 1], &[false, true, true]),
        (&[1], &[true, false]),
        (&[2, 1], &[true, true, false]),
        (&[], &[false]),
    ] {
        let (mut maker, query, _, selector) = traced();
        let blocks: Vec<Block> = (0..=labels.len()).map(|_| maker.block()).collect();
        let cases = labels.iter().zip(&blocks).map(|(&label, &block)| (label, call(block))).collect();
        maker.end(Terminator::Switch { selector, default: call(blocks[labels.len()]), cases });
        let reads: Vec<_> = blocks.iter().map(|&block| maker.reads(block, query)).collect();
        let found: Vec<bool> = reads.iter().map(|&reads| maker.known(query, reads).1).collect();
        assert_eq!(found, hits, "{labels:?}");
    }
}

/// What only one of two paths knows is not known where they meet.
#[test]
fn paths_that_meet_know_what_both_know() {
    let (mut maker, query, proceeded, _) = traced();
    let [found, ended, after] = [(); 3].map(|()| maker.block());
    maker.branch(proceeded, [found, ended]);
    let [in_found, in_ended, in_after] = [found, ended, after].map(|block| {
        let reads = maker.reads(block, query);
        if block != after {
            maker.jump(after);
        }
        reads
    });
    assert_eq!(maker.known(query, in_found), (true, false));
    assert_eq!(maker.known(query, in_ended), (false, false));
    assert_eq!(maker.known(query, in_after), (false, false));
}

/// A status that was read before two paths part is that of both, where neither traces another ray.
#[test]
fn a_status_outlives_branches_but_not_the_next_ray() {
    for traces in [false, true] {
        let (mut maker, query, _, status) = traced();
        let condition = maker.unknown(maker.bit);
        let [left, right, after, there, not_there] = [(); 5].map(|()| maker.block());
        maker.branch(condition, [left, right]);
        maker.at = left;
        maker.jump(after);
        maker.at = right;
        if traces {
            maker.op(OpCode::RayQuery_TraceRayInline, query);
        }
        maker.jump(after);
        maker.at = after;
        let is_hit = hit(&mut maker, status);
        maker.branch(is_hit, [there, not_there]);
        let reads = maker.reads(there, query);
        assert_eq!(maker.known(query, reads), (false, !traces), "{traces}");
    }
}

/// The second round of a loop has another ray, so the status of the first says nothing there.
#[test]
fn a_status_is_not_that_of_the_next_round() {
    let (mut maker, query, _, status) = traced();
    let condition = maker.unknown(maker.bit);
    let [head, again, end, there, not_there] = [(); 5].map(|()| maker.block());
    maker.jump(head);
    maker.at = head;
    maker.branch(condition, [again, end]);
    maker.at = again;
    maker.op(OpCode::RayQuery_TraceRayInline, query);
    maker.jump(head);
    maker.at = end;
    let is_hit = hit(&mut maker, status);
    maker.branch(is_hit, [there, not_there]);
    let reads = maker.reads(there, query);
    assert_eq!(maker.known(query, reads), (false, false));
}

#[test]
fn a_committed_candidate_is_a_hit() {
    for op in [OpCode::RayQuery_CommitNonOpaqueTriangleHit, OpCode::RayQuery_CommitProceduralPrimitiveHit] {
        let (mut maker, query, proceeded, _) = traced();
        let blocks = [maker.block(), maker.block()];
        maker.branch(proceeded, blocks);
        let found = blocks.map(|block| {
            maker.at = block;
            maker.op(op, query);
            let once = maker.reads(block, query);
            // The next Proceed ends what is known of the candidate, but not of the hit.
            maker.op(OpCode::RayQuery_Proceed, query);
            let then = maker.reads(block, query);
            maker.op(op, query);
            [once, then, maker.reads(block, query)]
        });
        let found = found.map(|reads| reads.map(|reads| maker.known(query, reads)));
        assert_eq!(found[0], [(true, true), (false, true), (false, true)], "{op}");
        // Without a candidate the operation does nothing.
        assert_eq!(found[1], [(false, false); 3], "{op}");
    }
}

/// Each query whose handle is stored is looked for from its block against the direction of
/// branches, and every branch counts.
#[test]
fn visited_blocks_are_limited() {
    const BRANCHES: usize = 1 << 16;
    let mut maker = Maker::new();
    let joined = maker.block();
    let selector = maker.unknown(maker.word);
    let cases = (1..BRANCHES as u64).map(|label| (label, call(joined))).collect();
    maker.end(Terminator::Switch { selector, default: call(joined), cases });
    maker.at = joined;
    let enough = limits::QUERY_STEPS / BRANCHES;
    let mut last = None;
    for _ in 0..=enough {
        let query = maker.allocate(0);
        last = maker.function.def_inst(query).map(|(inst, _)| inst.index() as u32);
        maker.store(query);
    }
    let error = maker.queries().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
    assert!(error.message().contains("blocks visited for the handles of ray queries"), "{error}");
    assert_eq!(error.place(), Place::Inst { func: 0, inst: last.expect("the last query exceeds the limit") });
}

/// A block is emitted more than once if it contains nothing, or if it returns and is small.
#[test]
fn blocks_that_may_be_copied() {
    type End = fn(Block, Value) -> Terminator;
    let jump: End = |to, _| Terminator::Jump(call(to));
    let returns: End = |_, _| Terminator::Return(None);
    let returns_value: End = |_, value| Terminator::Return(Some(value));
    let ends: End = |_, _| Terminator::Unreachable;
    let branch: End = |to, condition| Terminator::Branch { condition, then: call(to), otherwise: call(to) };
    // The end, the number of instructions, whether one of them is a barrier, whether the block has
    // a parameter.
    let cases: [(End, u32, bool, bool, bool); 14] = [
        (jump, 0, false, false, true),
        (jump, 1, false, false, false),
        (jump, 0, true, false, false),
        (jump, 0, false, true, false),
        (ends, 0, false, false, true),
        (ends, 1, false, false, false),
        (ends, 0, false, true, false),
        (branch, 0, false, false, false),
        (returns, 0, false, false, true),
        (returns, 8, false, true, true),
        (returns, 9, false, false, false),
        (returns, 7, true, false, false),
        (returns_value, 8, false, true, true),
        (returns_value, 9, false, false, false),
    ];
    let mut maker = Maker::new();
    let value = maker.unknown(maker.bit);
    for (end, insts, barrier, param, _) in cases {
        maker.at = maker.block();
        maker.end(end(Block::new(0), value));
        for _ in 0..insts {
            maker.binary(BinaryOp::Xor, value, value);
        }
        if barrier {
            let mode = maker.number(9);
            let args = maker.function.make_list(&[mode]);
            maker.inst(InstData::Op { op: OpCode::Barrier, precise: false, args }, None);
        }
        if param {
            let param = maker.function.make_local(maker.word, Def::Param(maker.at));
            maker.function.blocks[maker.at].params.push(param);
        }
    }
    let graph = graph(&maker.module, &maker.function, true);
    for ((_, data), (n, case)) in graph.blocks.iter().skip(1).zip(cases.iter().enumerate()) {
        assert_eq!((data.tangled, data.cheap), (case.2, case.4), "case {n}");
    }
}

/// A load of an element of a global array.
fn loaded(maker: &mut Maker, name: &str, constant: bool, init: Option<ConstKind>) -> Value {
    let array = maker.module.types.intern(Type::Array { element: maker.word, len: 1 });
    let space = AddressSpace::Default;
    let pointer = maker.module.types.intern(Type::Pointer { pointee: array, space });
    let init = init.map(|kind| maker.module.consts.intern(ConstData { ty: array, kind }));
    let global = maker.module.globals.push(GlobalVar { name: name.into(), ty: array, space, constant, init });
    let base = maker.module.consts.intern(ConstData { ty: pointer, kind: ConstKind::GlobalAddr(global) });
    let zero = maker.module.consts.intern(ConstData { ty: maker.word, kind: ConstKind::Int(0) });
    let ty = maker.module.types.intern(Type::Pointer { pointee: maker.word, space });
    let kind = ConstKind::Gep { base, indices: [zero, zero].into() };
    let ptr = maker.module.consts.value(ty, kind);
    maker.value(InstData::Load { ptr, volatile: false }, maker.word)
}

#[test]
fn the_break_condition_is_compared_with_zero() {
    let mut maker = Maker::new();
    let name = "dx.break.cond";
    let condition = loaded(&mut maker, name, true, Some(ConstKind::Null));
    let others = [
        loaded(&mut maker, "other", true, Some(ConstKind::Null)),
        loaded(&mut maker, name, false, Some(ConstKind::Null)),
        loaded(&mut maker, name, true, None),
        maker.unknown(maker.word),
        maker.number(1),
    ];
    let zero = maker.number(0);
    let never = |maker: &mut Maker, op: CmpOp, lhs: Value, rhs: Value| {
        let test = maker.compare(op, lhs, rhs);
        breaks::never(&maker.module, &maker.function, test)
    };
    assert_eq!(never(&mut maker, CmpOp::Eq, condition, zero), Some(Side::Else));
    assert_eq!(never(&mut maker, CmpOp::Eq, zero, condition), Some(Side::Else));
    assert_eq!(never(&mut maker, CmpOp::Ne, condition, zero), None);
    for other in others {
        for (lhs, rhs) in [(zero, other), (other, zero), (condition, other), (other, condition)] {
            assert_eq!(never(&mut maker, CmpOp::Eq, lhs, rhs), None, "{lhs} == {rhs}");
        }
    }
}

/// Other columns have no defined value only if nothing stores them anywhere.
#[test]
fn stored_columns_are_those_of_all_blocks() {
    let mut maker = Maker::new();
    let [id, row] = [maker.number(2), maker.number(0)];
    let [vertex, value] = [maker.unknown(maker.word), maker.unknown(maker.word)];
    for column in [0, 1, 0] {
        maker.at = maker.block();
        let column = maker.number(column);
        let args = maker.function.make_list(&[id, row, column, value, vertex]);
        maker.inst(InstData::Op { op: OpCode::StoreVertexOutput, precise: false, args }, None);
    }
    let mut columns = StoredColumns::new();
    add_columns(&mut columns, &maker.module, &maker.function);
    assert_eq!(columns, StoredColumns::from([((false, 2), 0b11)]));
}
