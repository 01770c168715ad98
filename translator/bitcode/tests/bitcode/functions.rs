//! Function bodies: old and new records, relative and absolute numbers, forward references.

use dxil_base::error::ErrorKind::{Limit, Malformed, Unsupported};

use crate::make::*;

const DECLARE: u64 = 1;
const BINOP: u64 = 2;
const CAST: u64 = 3;
const GEP_OLD: u64 = 4;
const SELECT: u64 = 5;
const EXTRACTELT: u64 = 6;
const INSERTELT: u64 = 7;
const SHUFFLE: u64 = 8;
const CMP: u64 = 9;
const RET: u64 = 10;
const BR: u64 = 11;
const SWITCH: u64 = 12;
const INVOKE: u64 = 13;
const UNREACHABLE: u64 = 15;
const PHI: u64 = 16;
const ALLOCA: u64 = 19;
const LOAD: u64 = 20;
const VAARG: u64 = 23;
const STORE_OLD: u64 = 24;
const EXTRACTVAL: u64 = 26;
const INSERTVAL: u64 = 27;
const CMP2: u64 = 28;
const VSELECT: u64 = 29;
const INBOUNDS_GEP_OLD: u64 = 30;
const INDIRECTBR: u64 = 31;
const CALL: u64 = 34;
const FENCE: u64 = 36;
const CMPXCHG_OLD: u64 = 37;
const ATOMICRMW_OLD: u64 = 38;
const RESUME: u64 = 39;
const LANDINGPAD_OLD: u64 = 40;
const LOADATOMIC: u64 = 41;
const STOREATOMIC_OLD: u64 = 42;
const GEP: u64 = 43;
const STORE: u64 = 44;
const STOREATOMIC: u64 = 45;
const CMPXCHG: u64 = 46;
const LANDINGPAD: u64 = 47;
const UNOP: u64 = 56;
const FREEZE: u64 = 58;
const ATOMICRMW: u64 = 59;

const A: u64 = FIRST_LOCAL;
const B: u64 = FIRST_LOCAL + 1;

/// A module whose function has this type and this number of blocks.
fn with_body(version: u64, ty: u64, blocks: u64, body: impl FnOnce(&mut Body<'_>)) -> Vec<u8> {
    module(
        version,
        ty,
        |_| {},
        |b| {
            b.act(DECLARE, &[blocks]);
            body(b);
        },
    )
}

/// The lines of the body without its first label.
fn lines(bytes: &[u8]) -> Vec<String> {
    body_lines(&read(bytes)).split_off(1)
}

#[test]
fn old_records_by_absolute_and_relative_numbers() {
    for version in [0, 1] {
        let bytes = with_body(version, FN_INTS, 1, |b| {
            b.w.block(METADATA_BLOCK, 4, |w| w.record(3, &[]));
            let sum = b.value(BINOP, &[b.v(A), b.v(B), 0, 3]);
            let place = b.value(GEP_OLD, &[b.v(GLOBAL), b.v(ONE), b.v(sum)]);
            let inside = b.value(INBOUNDS_GEP_OLD, &[b.v(GLOBAL), b.v(ONE), b.v(sum)]);
            let loaded = b.value(LOAD, &[b.v(place), 3, 1]);
            b.act(STORE_OLD, &[b.v(inside), b.v(loaded), 0, 0]);
            b.act(STOREATOMIC_OLD, &[b.v(inside), b.v(loaded), 3, 0, 6, 1]);
            let atomic = b.value(LOADATOMIC, &[b.v(inside), 3, 0, 3, 0]);
            let less = b.value(CMP, &[b.v(atomic), b.v(loaded), 40]);
            let choice = b.value(SELECT, &[b.v(atomic), b.v(loaded), b.v(less)]);
            let added = b.value(ATOMICRMW_OLD, &[b.v(place), b.v(choice), 1, 0, 2, 1]);
            // Before LLVM had weak exchanges, the result was only the old value.
            let old = b.value(CMPXCHG_OLD, &[b.v(place), b.v(added), b.v(choice), 1, 6, 1]);
            let pair = b.value(CMPXCHG_OLD, &[b.v(place), b.v(old), b.v(choice), 0, 5, 1, 2, 1]);
            let exchanged = b.value(EXTRACTVAL, &[b.v(pair), 0]);
            // The type of the pointer, the type of the count, the count by its absolute number,
            // alignment 8.
            let cell = b.value(ALLOCA, &[I32_PTR, I32, TWO, 4]);
            b.act(STORE_OLD, &[b.v(cell), b.v(exchanged), 0, 0]);
            // The call record does not have the function type.
            b.act(CALL, &[0, 0, b.v(CALLEE), b.v(0)]);
            b.act(RET, &[b.v(exchanged)]);
        });
        assert_eq!(
            lines(&bytes),
            [
                "%10 = add nuw nsw i32 %8, i32 %9",
                "%11 = getelementptr [4 x i32], [4 x i32]* @g, i32 1, i32 %10",
                "%12 = getelementptr inbounds [4 x i32], [4 x i32]* @g, i32 1, i32 %10",
                "%13 = load volatile i32, i32* %11, align 4",
                "store i32 %13, i32* %12",
                "store atomic i32 %13, i32* %12 system seq_cst, align 4",
                "%14 = load atomic i32, i32* %12 singlethread acquire, align 4",
                "%15 = icmp slt i32 %14, i32 %13",
                "%16 = select i1 %15, i32 %14, i32 %13",
                "%17 = atomicrmw add i32* %11, i32 %16 system monotonic",
                "%18 = cmpxchg volatile i32* %11, i32 %17, i32 %16 system seq_cst seq_cst",
                "%19 = cmpxchg weak i32* %11, i32 %18, i32 %16 system acq_rel monotonic",
                "%20 = extractvalue { i32, i1 } %19, 0",
                "%21 = alloca i32, i32 2, align 8",
                "store i32 %20, i32* %21",
                "call void @callee(metadata !0)",
                "ret i32 %20",
                "!0 = !{}",
            ],
            "version {version}"
        );
    }
}

#[test]
fn new_records() {
    let bytes = with_body(1, FN_INTS, 1, |b| {
        let place = b.value(GEP, &[1, ARRAY4, b.v(GLOBAL), b.v(ONE), b.v(A)]);
        let loaded = b.value(LOAD, &[b.v(place), I32, 3, 0]);
        b.act(STORE, &[b.v(place), b.v(loaded), 3, 0]);
        b.act(STOREATOMIC, &[b.v(place), b.v(loaded), 3, 1, 4, 0]);
        let atomic = b.value(LOADATOMIC, &[b.v(place), I32, 3, 0, 1, 1]);
        b.value(ATOMICRMW, &[b.v(place), b.v(atomic), 10, 1, 6, 1, 3]);
        b.value(CMPXCHG, &[b.v(place), b.v(atomic), b.v(loaded), 0, 6, 1, 6, 0, 3]);
        b.act(FENCE, &[5, 1]);
        b.value(CMP2, &[b.v(HALF_FLOAT), b.v(HALF_FLOAT), 4, 1]);
        b.value(UNOP, &[b.v(HALF_FLOAT), 0, 8]);
        b.value(FREEZE, &[b.v(A)]);
        b.value(VSELECT, &[b.v(HALF_FLOAT), b.v(HALF_FLOAT), b.v(TRUE), 1]);
        b.value(CAST, &[b.v(A), FLOAT, 6]);
        b.value(BINOP, &[b.v(HALF_FLOAT), b.v(HALF_FLOAT), 4, 1 << 1 | 1 << 4]);
        // A number of one bit, sign-extended.
        b.value(CAST, &[b.v(TRUE), I32, 2]);
        b.act(RET, &[b.v(loaded)]);
    });
    assert_eq!(
        lines(&bytes),
        [
            "%10 = getelementptr inbounds [4 x i32], [4 x i32]* @g, i32 1, i32 %8",
            "%11 = load i32, i32* %10, align 4",
            "store i32 %11, i32* %10, align 4",
            "store atomic volatile i32 %11, i32* %10 singlethread release, align 4",
            "%12 = load atomic i32, i32* %10 system unordered, align 4",
            "%13 = atomicrmw volatile umin i32* %10, i32 %12 system seq_cst, align 4",
            "%14 = cmpxchg i32* %10, i32 %12, i32 %11 system seq_cst seq_cst, align 4",
            "fence system acq_rel",
            "%15 = fcmp fast olt float 0.5, float 0.5",
            "%16 = fneg nsz float 0.5",
            "%17 = freeze i32 %8",
            "%18 = select fast i1 true, float 0.5, float 0.5",
            "%19 = sitofp i32 %8 to float",
            "%20 = fdiv nnan arcp float 0.5, float 0.5",
            "%21 = sext i1 true to i32",
            "ret i32 %11",
        ]
    );
}

#[test]
fn references_ahead() {
    let bytes = with_body(1, FN_INTS, 3, |b| {
        // Block 0 goes to block 1, which goes to itself or to block 2. The phi and the sum use a
        // value that comes later.
        b.act(BR, &[1]);
        let next = b.next + 4;
        b.value(PHI, &[I32, b.phi(A), 0, b.phi(next), 1]);
        // A first operand that refers forward has its type in the record; a second operand has the
        // type of the first.
        b.value(BINOP, &[b.v(next), I32, b.v(A), 0]);
        b.value(BINOP, &[b.v(A), b.v(next), 0]);
        let condition = b.value(CMP2, &[b.v(next), I32, b.v(next), 32]);
        let last = b.value(BINOP, &[b.v(A), b.v(B), 2]);
        assert_eq!(last, next);
        b.act(BR, &[1, 2, b.v(condition)]);
        b.act(RET, &[b.v(last)]);
    });
    assert_eq!(
        lines(&bytes),
        [
            "br b1",
            "b1:",
            "%10 = phi i32 [ %8, b0 ], [ %14, b1 ]",
            "%11 = add i32 %14, i32 %8",
            "%12 = add i32 %8, i32 %14",
            "%13 = icmp eq i32 %14, i32 %14",
            "%14 = mul i32 %8, i32 %9",
            "br i1 %13, b1, b2",
            "b2:",
            "ret i32 %14",
        ]
    );
    // The type in the record must be that of the definition, and the value must exist.
    let lying = |ty: u64, ahead: u64| {
        with_body(1, FN_INTS, 1, |b| {
            b.value(BINOP, &[b.v(b.next + ahead), ty, b.v(ONE), 0]);
            b.value(BINOP, &[b.v(A), b.v(B), 0]);
            b.act(RET, &[b.v(A)]);
        })
    };
    read(&lying(I32, 1));
    refused(&lying(I64, 1), Malformed, "expected i64");
    refused(&lying(I32, 2), Malformed, "value 12, but only 12 are defined");
    refused(&lying(99, 1), Malformed, "type 99");
}

#[test]
fn switches_old_and_new() {
    let bytes = with_body(1, FN_INTS, 3, |b| {
        b.act(SWITCH, &[I32, b.v(A), 1, ONE, 2, TWO, 1]);
        // The form with ranges: type, condition, default, two cases. The first case has one label
        // and a range of three labels, the second an empty range.
        let magic = 0x4b5 << 16;
        b.act(
            SWITCH,
            &[magic, I32, b.v(A), 2, 2, 2, 1, signed(-1), 0, signed(5), signed(7), 1, 1, 0, signed(3), signed(2), 2],
        );
        b.act(RET, &[b.v(A)]);
    });
    assert_eq!(
        lines(&bytes),
        [
            "switch i32 %8, b1 [ 1: b2 2: b1 ]",
            "b1:",
            "switch i32 %8, b2 [ -1: b1 5: b1 6: b1 7: b1 ]",
            "b2:",
            "ret i32 %8",
        ]
    );
    let switch = |ops: &[u64]| with_body(1, FN_INTS, 1, |b| b.act(SWITCH, ops));
    refused(&switch(&[I32, 2, 0, FIVE64, 0]), Malformed, "expected i32");
    refused(&switch(&[I32, 2, 0, A, 0]), Malformed, "not a constant integer");
    refused(&switch(&[I32, 2, 7]), Malformed, "block 7 does not exist");
    refused(&switch(&[FLOAT, 2, 0]), Malformed, "float is not a valid type for a switch");
    refused(&switch(&[I128, 2, 0]), Unsupported, "128 bits");
    refused(&switch(&[0x4b5 << 16, I32, 2, 0, 1, 1, 0, 0, signed(i32::MAX.into())]), Limit, "labels");
    refused(&switch(&[0x4b5 << 16, I32, 2, 0, u64::MAX, u64::MAX]), Malformed, "ends within");
}

#[test]
fn vectors_and_aggregates() {
    let bytes = with_body(1, FN_VOID, 1, |b| {
        b.w.block(CONSTANTS_BLOCK, 4, |w| {
            w.record(1, &[VEC4]);
            w.record(3, &[]);
            w.record(1, &[IVEC4]);
            w.record(22, &[0, 1, 6, 7]);
            w.record(1, &[I128_PAIR]);
            w.record(2, &[]);
            w.record(1, &[BVEC4]);
            w.record(2, &[]);
        });
        b.next += 4;
        let (vector, mask, pair, bits) = (FIRST_LOCAL, FIRST_LOCAL + 1, FIRST_LOCAL + 2, FIRST_LOCAL + 3);
        let element = b.value(EXTRACTELT, &[b.v(vector), b.v(FIVE64)]);
        let inserted = b.value(INSERTELT, &[b.v(vector), b.v(element), b.v(ONE)]);
        let shuffled = b.value(SHUFFLE, &[b.v(vector), b.v(inserted), b.v(mask)]);
        b.value(VSELECT, &[b.v(vector), b.v(shuffled), b.v(bits)]);
        let part = b.value(EXTRACTVAL, &[b.v(pair), 1]);
        b.value(INSERTVAL, &[b.v(pair), b.v(part), 1]);
        b.value(CMP2, &[b.v(vector), b.v(shuffled), 14]);
        b.act(RET, &[]);
    });
    assert_eq!(
        lines(&bytes),
        [
            "%12 = extractelement <4 x float> undef, i64 5",
            "%13 = insertelement <4 x float> undef, float %12, i32 1",
            "%14 = shufflevector <4 x float> undef, <4 x float> %13, <4 x i32> <0, 1, 6, 7>",
            "%15 = select <4 x i1> zeroinitializer, <4 x float> undef, <4 x float> %14",
            "%16 = extractvalue <{ i128, half }> zeroinitializer, 1",
            "%17 = insertvalue <{ i128, half }> zeroinitializer, half %16, 1",
            "%18 = fcmp une <4 x float> undef, <4 x float> %14",
            "ret void",
        ]
    );
}

#[test]
fn what_dxil_never_has_is_named() {
    let bytes = with_body(1, FN_VOID, 4, |b| {
        // The operands are attributes, convention, blocks and callee. The last `invoke` also has
        // the function type, as its flag says.
        b.act(INVOKE, &[0, 0, 1, 1, b.v(FUNCTION)]);
        b.value(LANDINGPAD, &[PAIR, 1, 0]);
        b.value(LANDINGPAD_OLD, &[PAIR, b.v(FUNCTION), 1, 0]);
        b.act(RESUME, &[1]);
        b.value(VAARG, &[ARRAY4_PTR, b.v(GLOBAL), I32]);
        b.act(INDIRECTBR, &[FN_VOID_PTR, b.v(FUNCTION), 0]);
        b.act(INVOKE, &[0, 1 << 13, 0, 0, FN_VOID, b.v(FUNCTION)]);
    });
    assert_eq!(
        lines(&bytes),
        [
            "invoke void ()* @f",
            "b1:",
            "%8 = landingpad ",
            "%9 = landingpad ",
            "resume { i32, i1 } %9",
            "b2:",
            "%10 = va_arg [4 x i32]* @g",
            "indirectbr void ()* @f",
            "b3:",
            "invoke void ()* @f",
        ]
        .map(str::trim)
    );
    for code in [48, 49, 50, 51, 52, 55, 57, 60, 200] {
        let bytes = with_body(1, FN_VOID, 1, |b| b.act(code, &[0, 0, 0]));
        assert_eq!(dxil_bitcode::read(&bytes).unwrap_err().kind(), Unsupported, "{code}");
    }
}

#[test]
fn bodies_that_make_no_sense() {
    let one = |code: u64, ops: &dyn Fn(&Body<'_>) -> Vec<u64>| {
        with_body(1, FN_INTS, 1, |b| {
            let ops = ops(b);
            b.act(code, &ops);
        })
    };
    let v = |all: &'static [u64]| move |b: &Body<'_>| all.iter().map(|&x| b.v(x)).collect::<Vec<_>>();
    refused(&one(BINOP, &v(&[A])), Malformed, "ends within");
    refused(&one(BINOP, &|b| vec![b.v(A), b.v(HALF_FLOAT), 0]), Malformed, "expected i32");
    refused(&one(BINOP, &|b| vec![b.v(GLOBAL), b.v(GLOBAL), 0]), Malformed, "is not a valid type for arithmetic");
    refused(&one(BINOP, &|b| vec![b.v(A), b.v(A), 13]), Malformed, "arithmetic operation 13");
    refused(&one(BINOP, &|b| vec![b.v(HALF_FLOAT), b.v(HALF_FLOAT), 3]), Malformed, "arithmetic operation 3");
    refused(&one(BINOP, &|b| vec![1 << 40, b.v(A), 0]), Malformed, "values before value 10");
    refused(&one(CAST, &|b| vec![b.v(A), I64, 0]), Malformed, "trunc from i32 to i64");
    refused(&one(CAST, &|b| vec![b.v(A), FLOAT, 10]), Malformed, "inttoptr from");
    refused(&one(CAST, &|b| vec![b.v(A), I32, 99]), Malformed, "cast operation 99");
    refused(&one(CMP2, &|b| vec![b.v(A), b.v(A), 3]), Malformed, "i32 is not a valid type for the comparison oge");
    refused(
        &one(CMP2, &|b| vec![b.v(HALF_FLOAT), b.v(HALF_FLOAT), 32]),
        Malformed,
        "float is not a valid type for the comparison eq",
    );
    refused(&one(CMP2, &|b| vec![b.v(A), b.v(A), 50]), Malformed, "predicate 50");
    refused(&one(VSELECT, &|b| vec![b.v(A), b.v(A), b.v(A)]), Malformed, "i32 is not a valid type for a condition");
    refused(&one(EXTRACTELT, &v(&[A, A])), Malformed, "i32 is not a valid type for the vector of an element access");
    refused(&one(EXTRACTVAL, &|b| vec![b.v(A), 0]), Malformed, "member 0 does not exist in i32");
    refused(&one(EXTRACTVAL, &v(&[A])), Malformed, "has no index");
    refused(&one(GEP, &|b| vec![0, I32, b.v(GLOBAL), b.v(A)]), Malformed, "expected a pointer to i32");
    refused(&one(GEP, &|b| vec![0, ARRAY4, b.v(GLOBAL), b.v(A), b.v(A), b.v(A)]), Malformed, "an index goes into i32");
    refused(&one(GEP, &|b| vec![0, ARRAY4, b.v(GLOBAL), b.v(HALF_FLOAT)]), Malformed, "an index has type float");
    refused(&one(GEP_OLD, &v(&[A, A])), Malformed, "i32 is not a valid type for address arithmetic");
    refused(
        &one(LOAD, &|b| vec![b.v(A), 0, 0]),
        Malformed,
        "i32 is not a valid type for the pointer of a memory access",
    );
    refused(
        &one(LOAD, &|b| vec![b.v(GLOBAL), I32, 0, 0]),
        Malformed,
        "[4 x i32]* is not a valid type for the pointer of a memory access",
    );
    refused(&one(LOAD, &|b| vec![b.v(GLOBAL), 99, 0]), Malformed, "alignment");
    refused(&one(STORE, &|b| vec![b.v(GLOBAL), b.v(A), 0, 0]), Malformed, "the pointer of a memory access");
    refused(&one(ALLOCA, &|_| vec![VOID, I32, ONE, 1 << 6]), Malformed, "void is not a valid type for an allocation");
    refused(&one(ALLOCA, &|_| vec![I32, I32, ONE, 0]), Malformed, "i32 is not a valid type for an allocation");
    refused(&one(ALLOCA, &|_| vec![I32, FLOAT, HALF_FLOAT, 1 << 6]), Malformed, "an allocation");
    refused(&one(ATOMICRMW, &|b| vec![b.v(GLOBAL), b.v(A), 99, 0, 0, 0]), Malformed, "the pointer of a memory access");
    refused(&one(PHI, &|b| vec![VOID, b.phi(A), 0]), Malformed, "a value cannot have type void");
    refused(&one(PHI, &|b| vec![I32, b.phi(A), 9]), Malformed, "block 9 does not exist");
    refused(&one(PHI, &|_| vec![I32, signed(1 << 40), 0]), Malformed, "before the first");
    refused(&one(BR, &|_| vec![1]), Malformed, "block 1 does not exist; the function declares 1");
    refused(&one(BR, &|b| vec![0, 0, b.v(A)]), Malformed, "expected i1");
    refused(&one(RET, &|_| vec![]), Malformed, "a return has no value");
    refused(&one(RET, &|b| vec![b.v(HALF_FLOAT)]), Malformed, "expected i32");
    refused(&one(CALL, &|b| vec![0, 0, b.v(A)]), Malformed, "i32 is not a valid type for the callee of a call");
    refused(&one(CALL, &|b| vec![0, 0, b.v(FUNCTION), b.v(A)]), Malformed, "ends within");
    refused(&one(CALL, &|b| vec![0, 0, b.v(FUNCTION), b.v(A), b.v(A), b.v(A)]), Malformed, "after its last argument");
    refused(&one(CALL, &|b| vec![0, 1 << 15, FN_VOID, b.v(FUNCTION)]), Malformed, "the callee of a call");
    refused(
        &one(CALL, &|b| vec![5, 0, b.v(FUNCTION), b.v(A), b.v(A)]),
        Malformed,
        "attribute list 5 does not exist; the module has 0",
    );
    refused(&one(UNOP, &|b| vec![b.v(A), 0]), Malformed, "unary operation 0 on i32");
}

/// Blocks that are declared but missing, or present but not declared.
#[test]
fn blocks_that_are_not_as_declared() {
    refused(&with_body(1, FN_VOID, 2, |b| b.act(RET, &[])), Malformed, "declares 2 blocks, but 1 are complete");
    refused(
        &with_body(1, FN_VOID, 1, |b| (b.act(RET, &[]), b.act(RET, &[])).0),
        Malformed,
        "follows the last of 1 blocks",
    );
    refused(&with_body(1, FN_VOID, 1, |b| b.act(FREEZE, &[b.v(ONE)])), Malformed, "0 are complete");
    refused(&with_body(1, FN_VOID, 0, |_| {}), Malformed, "declares 0 blocks; expected a single declaration");
    refused(
        &with_body(1, FN_VOID, 1, |b| b.act(DECLARE, &[1])),
        Malformed,
        "declares 1 blocks; expected a single declaration",
    );
    refused(&with_body(1, FN_VOID, u64::MAX, |_| {}), Limit, "blocks in a function");
    refused(&module(1, FN_VOID, |_| {}, |_| {}), Malformed, "declares 0 blocks, but");
    refused(&module(1, FN_VOID, |_| {}, |b| b.act(UNREACHABLE, &[])), Malformed, "follows the last of 0 blocks");
}

#[test]
fn names_in_bodies() {
    let bytes = with_body(1, FN_INTS, 1, |b| {
        b.w.block(SYMTAB_BLOCK, 4, |w| {
            w.text_record(1, &[FIRST_LOCAL + 2], "sum");
            w.text_record(1, &[A], "a");
            w.text_record(2, &[0], "entry");
        });
        b.value(BINOP, &[b.v(A), b.v(B), 0]);
        b.act(RET, &[1]);
    });
    let module = read(&bytes);
    assert_eq!(body_lines(&module)[0], "b0: entry");
    let body = module.functions.values().next().unwrap().body.as_ref().unwrap();
    let names: Vec<_> = body.value_names.iter().map(|n| module.text(n.1)).collect();
    assert_eq!(names, ["a", "sum"]);
    assert_eq!(body.arguments().len(), 2);
    let named = |code: u64, id: u64| {
        with_body(1, FN_VOID, 1, |b| {
            b.w.block(SYMTAB_BLOCK, 4, |w| w.text_record(code, &[id], "x"));
            b.act(RET, &[]);
        })
    };
    refused(&named(1, 99), Malformed, "value 99, which does not exist");
    refused(&named(2, 1), Malformed, "block 1, which does not exist");
}
