//! Constants, with every kind of record.

use dxil_base::error::ErrorKind::{Limit, Malformed, Unsupported};
use dxil_test_support::bit_writer::{BitWriter, Op};

use crate::make::*;

/// A module with one global of each type. The constants are their initial values, in order.
fn with_constants(types_of: &[u64], content: impl FnOnce(&mut BitWriter)) -> Vec<u8> {
    let count = types_of.len() as u64;
    raw_module(1, |w| {
        types(w);
        for (i, &ty) in types_of.iter().enumerate() {
            w.record(7, &[ty, 3, count + i as u64 + 1, 0, 0, 0]);
        }
        w.block(CONSTANTS_BLOCK, 4, content);
    })
}

/// Initial values of the globals, in order.
fn initial_values(bytes: &[u8]) -> Vec<String> {
    let module = read(bytes);
    let value = |g: &dxil_bitcode::Global| module.value_text(None, g.initializer.unwrap()).to_string();
    module.globals.values().map(value).collect()
}

#[test]
fn plain_constants() {
    let types =
        [I32, I32, FLOAT, FLOAT, HALF, DOUBLE, I128, I128, I8, ARRAY4, BYTES3, BYTES3, IVEC4, PAIR, VEC4, I1, I32];
    let bytes = with_constants(&types, |w| {
        // Constants before the first type record are i32.
        w.record(4, &[signed(-7)]);
        w.record(2, &[]);
        w.record(1, &[FLOAT]);
        w.record(6, &[1.5f32.to_bits().into()]);
        w.record(2, &[]);
        w.record(1, &[HALF]);
        w.record(6, &[0xffff_3c00]);
        w.record(1, &[DOUBLE]);
        w.record(6, &[0.1f64.to_bits()]);
        w.record(1, &[I128]);
        w.record(5, &[signed(-1), signed(i64::MIN)]);
        w.record(4, &[signed(3)]);
        w.record(1, &[I8]);
        // The value is cut to the width of the type.
        w.record(5, &[signed(0x1ff)]);
        w.record(1, &[ARRAY4]);
        w.record(22, &[1, 2, 3, 0x1_0000_0004]);
        w.record(1, &[BYTES3]);
        w.text_record(8, &[], "abc");
        w.text_record(9, &[], "ab");
        w.record(1, &[IVEC4]);
        w.record(3, &[]);
        w.record(1, &[PAIR]);
        // The operands refer forward to the last two values.
        w.record(7, &[33, 32]);
        w.record(1, &[VEC4]);
        w.record(7, &[19, 19, 20, 19]);
        w.record(1, &[I1]);
        w.record(4, &[signed(-1)]);
        w.record(1, &[I32]);
        w.record(26, &[]);
    });
    assert_eq!(
        initial_values(&bytes),
        [
            "i32 -7",
            "i32 0",
            "float 1.5",
            "float 0.0",
            "half 0x3c00",
            "double 0.1",
            "i128 0x8000000000000000ffffffffffffffff",
            "i128 0x0000000000000003",
            "i8 -1",
            "[4 x i32] [1, 2, 3, 4]",
            "[3 x i8] [97, 98, 99]",
            "[3 x i8] [97, 98, 0]",
            "<4 x i32> undef",
            "{ i32, i1 } { i32 poison, i1 true }",
            "<4 x float> <float 1.5, float 1.5, float 0.0, float 1.5>",
            "i1 true",
            "i32 poison",
        ]
    );
}

/// An integer with an abbreviation is the one of a record without, in any number of chunks.
#[test]
fn integers_with_abbreviations() {
    let numbers = [0, 1, -1, 31, -32, 200, 1 << 20, i64::from(i32::MIN), i64::MAX, -(1 << 62)];
    let forms = [Op::Vbr(2), Op::Vbr(6), Op::Vbr(8), Op::Vbr(32), Op::Fixed(64)];
    for form in forms.map(|form| [Op::Literal(4), form]) {
        let bytes = with_constants(&[I64; 11], |w| {
            w.define(&form);
            w.record(1, &[I64]);
            numbers.iter().for_each(|&number| w.abbreviated(4, &form, &[signed(number)], &[]));
            w.record(4, &[signed(7)]);
        });
        let expected = numbers.iter().chain(&[7]).map(|number| format!("i64 {number}"));
        assert_eq!(initial_values(&bytes), expected.collect::<Vec<_>>(), "{form:?}");
    }
}

#[test]
fn constant_expressions() {
    let types = [
        I32, I64, I32_PTR, I32_PTR, I32_PTR, I32, FLOAT, VEC4, VEC4, VEC4, I1, I32, VEC4, I1, IVEC4, I32, FLOAT,
        I32_PTR, VEC4, FLOAT, ARRAY4_PTR,
    ];
    // Constants follow the 21 globals. The uses of these refer forward to them.
    const CONDITION: u64 = 34;
    const MASK: u64 = 35;
    const ONE: u64 = 36;
    const POINTER: u64 = 38;
    const FLOATS: u64 = 39;
    const X: u64 = 40;
    const ARRAY: u64 = 41;
    let bytes = with_constants(&types, |w| {
        w.record(1, &[I32]);
        w.record(10, &[0, ONE, ONE, 3]); // 21: add nuw nsw
        w.record(1, &[I64]);
        w.record(11, &[9, I32_PTR, POINTER]); // 22: ptrtoint
        w.record(1, &[I32_PTR]);
        // 23 is without the element type, 24 with it, 25 with the index of an inrange mark.
        w.record(12, &[ARRAY4_PTR, ARRAY, I32, ONE, I32, ONE]);
        w.record(20, &[ARRAY4, ARRAY4_PTR, ARRAY, I32, ONE, I32, ONE]);
        w.record(24, &[I32, 1 | 1 << 1, I32_PTR, POINTER, I32, ONE]);
        w.record(1, &[I32]);
        w.record(13, &[CONDITION, ONE, ONE]); // 26: select
        w.record(1, &[FLOAT]);
        w.record(14, &[VEC4, FLOATS, ONE]); // 27: extractelement, index i32
        w.record(1, &[VEC4]);
        w.record(15, &[FLOATS, X, I32, ONE]); // 28: insertelement with the index type
        w.record(16, &[FLOATS, FLOATS, MASK]); // 29: shufflevector
        w.record(19, &[VEC4, FLOATS, FLOATS, MASK]); // 30: the same with the type of its operands
        w.record(1, &[I1]);
        w.record(17, &[I32, ONE, ONE, 36]); // 31: icmp ult
        w.record(1, &[I32]);
        w.record(10, &[3, ONE, ONE, 1]); // 32: udiv exact
        w.record(1, &[VEC4]);
        w.record(10, &[4, FLOATS, FLOATS]); // 33: fdiv
        w.record(1, &[I1]);
        w.record(17, &[FLOAT, X, X, 8]); // 34: fcmp uno
        w.record(1, &[IVEC4]);
        w.record(22, &[0, 5, 2, 7]); // 35: data
        w.record(1, &[I32]);
        w.record(4, &[signed(1)]); // 36
        w.record(1, &[FLOAT]);
        w.record(14, &[VEC4, FLOATS, I32, ONE]); // 37: extractelement with the index type
        w.record(1, &[I32_PTR]);
        w.record(11, &[11, ARRAY4_PTR, ARRAY]); // 38: bitcast
        w.record(1, &[VEC4]);
        w.record(2, &[]); // 39
        w.record(1, &[FLOAT]);
        w.record(2, &[]); // 40
        w.record(1, &[ARRAY4_PTR]);
        w.record(3, &[]); // 41
    });
    let values = initial_values(&bytes);
    let expected = [
        "i32 add nuw nsw (i32 1, i32 1)",
        "i64 ptrtoint (i32* bitcast ([4 x i32]* undef to i32*) to i64)",
        "i32* getelementptr ([4 x i32], [4 x i32]* undef, i32 1, i32 1)",
        "i32* getelementptr inbounds ([4 x i32], [4 x i32]* undef, i32 1, i32 1)",
        "i32* getelementptr inbounds (i32, i32* bitcast ([4 x i32]* undef to i32*), i32 1)",
        "i32 select (i1 fcmp uno (float 0.0, float 0.0), i32 1, i32 1)",
        "float extractelement (<4 x float> zeroinitializer, i32 1)",
        "<4 x float> insertelement (<4 x float> zeroinitializer, float 0.0, i32 1)",
        "<4 x float> shufflevector (<4 x float> zeroinitializer, <4 x float> zeroinitializer, <4 x i32> <0, 5, 2, 7>)",
        "<4 x float> shufflevector (<4 x float> zeroinitializer, <4 x float> zeroinitializer, <4 x i32> <0, 5, 2, 7>)",
        "i1 icmp ult (i32 1, i32 1)",
        "i32 udiv exact (i32 1, i32 1)",
        "<4 x float> fdiv (<4 x float> zeroinitializer, <4 x float> zeroinitializer)",
        "i1 fcmp uno (float 0.0, float 0.0)",
    ];
    assert_eq!(values[..expected.len()], expected);
}

#[test]
fn what_dxil_never_has_is_named() {
    let bytes = with_constants(&[FN_VOID_PTR, FN_VOID_PTR, FN_VOID_PTR], |w| {
        w.record(1, &[FN_VOID_PTR]);
        // The operands are flags, length, text, length, constraints. The newest form has the
        // function type first.
        w.record(18, &[1, 2, 97, 98, 1, 99]);
        w.record(23, &[0, 0, 1, 99]);
        w.record(30, &[FN_VOID, 0, 1, 97, 0]);
    });
    assert_eq!(
        initial_values(&bytes),
        ["void ()* asm \"ab\", \"c\"", "void ()* asm \"\", \"c\"", "void ()* asm \"a\", \"\"",]
    );
    let one = |code: u64, ops: &[u64]| with_constants(&[I32], |w| w.record(code, ops));
    refused(&one(18, &[0, 9, 1]), Malformed, "longer than its record");
    refused(&one(25, &[0, 1]), Unsupported, "unary");
    refused(&one(99, &[]), Unsupported, "constant record 99");
}

#[test]
fn constants_that_make_no_sense() {
    // A single constant of a single type. Its value number is 1.
    let one = |ty: u64, code: u64, ops: &[u64]| {
        with_constants(&[ty], |w| {
            w.record(1, &[ty]);
            w.record(code, ops);
        })
    };
    refused(&one(FLOAT, 4, &[2]), Malformed, "a constant of type float cannot be given as an integer");
    refused(&one(I32, 6, &[2]), Malformed, "a constant of type i32 cannot be given as a float");
    refused(&one(I128, 5, &[1, 2, 3]), Malformed, "integer of 128 bits has 3 words");
    refused(&one(I32, 4, &[]), Malformed, "operand 0 is needed");
    refused(&one(ARRAY4, 22, &[1, 2, 3]), Malformed, "do not fit its type [4 x i32]");
    refused(&one(PAIR, 22, &[1, 2]), Malformed, "a constant of type { i32, i1 } cannot be given as packed data");
    refused(&one(ARRAY4, 8, &[1, 2, 3]), Malformed, "do not fit its type");
    refused(&one(PAIR, 7, &[1]), Malformed, "contains itself");
    refused(&one(PAIR, 7, &[7, 7]), Malformed, "value 7, but only 2 are defined");
    refused(&one(PAIR, 7, &[1 << 40]), Malformed, "value number");
    refused(&one(I32, 7, &[]), Malformed, "do not fit its type i32");
    refused(&one(I32, 10, &[0, 0, 0]), Malformed, "do not fit its type i32");
    refused(&one(I32, 10, &[13, 0, 0]), Malformed, "arithmetic operation 13");
    refused(&one(FLOAT, 10, &[3, 0, 0]), Malformed, "arithmetic operation 3 on floats");
    refused(&one(I32, 11, &[77, I32, 0]), Malformed, "cast operation 77");
    refused(&one(I32, 11, &[0, I32, 0]), Malformed, "do not fit its type i32");
    refused(&one(I32_PTR, 12, &[I32, 0]), Malformed, "address arithmetic has type i32");
    refused(&one(I32_PTR, 12, &[]), Malformed, "has no base pointer");
    refused(&one(I1, 17, &[I32, 0, 0, 99]), Malformed, "predicate 99");
    refused(&one(VOID, 2, &[]), Malformed, "constants cannot have type void");
    refused(&with_constants(&[], |w| w.record(1, &[LABEL])), Malformed, "constants cannot have type label");
    refused(&with_constants(&[], |w| w.record(1, &[200])), Malformed, "type 200 does not exist; the module has 26");
    // Each constant refers to the next: a chain that is too long, but not a cycle.
    let chain = with_constants(&[], |w| {
        w.record(1, &[I32]);
        for i in 0..300 {
            w.record(10, &[0, i + 1, i + 1]);
        }
        w.record(2, &[]);
    });
    refused(&chain, Limit, "nested constants");
    // The same chain in the other order. Here the check needs no deep stack, but later walks would.
    let chain = with_constants(&[], |w| {
        w.record(1, &[I32]);
        w.record(2, &[]);
        for i in 0..300 {
            w.record(10, &[0, i, i]);
        }
    });
    refused(&chain, Limit, "constant");
}
