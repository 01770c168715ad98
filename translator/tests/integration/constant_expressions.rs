//! The decoder computes constant expressions.

#[path = "../../bitcode/tests/bitcode/make.rs"]
#[expect(dead_code, reason = "the tests of the bitcode reader use the rest")]
mod make;

use dxil_base::limits::Fuel;
use dxil_translator::decode;
use dxil_translator::ir::{ConstKind, InstData, Value};
use make::*;

/// The results are numbers, by D3D's rules where LLVM leaves the result undefined.
#[test]
fn constant_expressions_are_computed() {
    const FIRST: u64 = FIRST_LOCAL;
    let bytes = module(
        1,
        FN_VOID,
        |_| (),
        |b| {
            b.act(1, &[1]);
            b.w.block(CONSTANTS_BLOCK, 4, |w| {
                w.record(1, &[I32]);
                w.record(4, &[signed(-7)]); // 0
                w.record(4, &[signed(3)]); // 1
                w.record(2, &[]); // 2: zero
                w.record(10, &[0, FIRST, FIRST + 1]); // 3: add
                w.record(10, &[3, FIRST, FIRST + 2]); // 4: udiv by zero
                w.record(10, &[7, FIRST + 1, FIRST]); // 5: shl by more than the width
                w.record(1, &[I1]);
                w.record(17, &[I32, FIRST, FIRST + 1, 40]); // 6: icmp slt
                w.record(17, &[I32, FIRST, FIRST + 1, 36]); // 7: icmp ult
                w.record(1, &[I32]);
                w.record(13, &[FIRST + 6, FIRST, FIRST + 1]); // 8: select
                w.record(1, &[FLOAT]);
                w.record(6, &[2.5f32.to_bits().into()]); // 9
                w.record(11, &[6, I32, FIRST]); // 10: sitofp
                w.record(10, &[0, FIRST + 9, FIRST + 10]); // 11: fadd
                w.record(1, &[I32]);
                w.record(11, &[4, FLOAT, FIRST + 11]); // 12: fptosi
                w.record(11, &[11, FLOAT, FIRST + 9]); // 13: bitcast
                w.record(1, &[IVEC4]);
                w.record(7, &[FIRST, FIRST + 1, FIRST + 2, FIRST + 1]); // 14
                w.record(10, &[0, FIRST + 14, FIRST + 14]); // 15: add
                w.record(16, &[FIRST + 15, FIRST + 14, FIRST + 14]); // 16: an invalid mask: element -7 does not exist
                w.record(1, &[I32]);
                w.record(14, &[IVEC4, FIRST + 15, FIRST + 1]); // 17: extractelement
                w.record(1, &[ARRAY4_PTR]);
                w.record(2, &[]); // 18: null
                w.record(1, &[I1]);
                w.record(17, &[ARRAY4_PTR, GLOBAL, FIRST + 18, 33]); // 19: icmp ne
            });
            b.next += 20;
            for number in [3, 4, 5, 8, 12, 13, 17] {
                let operands = [b.v(FIRST + number), b.v(ONE), 0];
                b.value(2, &operands);
            }
            for number in [6, 7, 19] {
                let operands = [b.v(FIRST + number), I32, 1];
                b.value(3, &operands);
            }
            b.act(10, &[]);
        },
    );
    let decoded = decode::decode(&read(&bytes), &Fuel::default()).unwrap_or_else(|e| panic!("{e}"));
    let function = decoded.module.functions.values().next().expect("a function");
    let number = |value: Value| match &decoded.module.consts[value.as_const().expect("a constant")].kind {
        ConstKind::Int(bits) => *bits,
        other => panic!("{other:?}"),
    };
    let found: Vec<u64> = function
        .insts
        .values()
        .map(|data| match *data {
            InstData::Binary { lhs, .. } => number(lhs),
            InstData::Cast { value, .. } => number(value),
            ref other => panic!("{other:?}"),
        })
        .collect();
    let expected =
        [0xffff_fffc, 0xffff_ffff, 3 << 25, 0xffff_fff9, 0xffff_fffc, u64::from(2.5f32.to_bits()), 6, 1, 0, 1];
    assert_eq!(found, expected);
}
