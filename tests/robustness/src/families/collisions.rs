//! Families of constants whose hashes collide where the hash function is public: a table that is
//! keyed by them and whose hash function has no secret takes time in the square of their number.

use super::family::{Family, kernel, linear};
use crate::compose::{Operand, Type, Value};

pub(super) const FAMILIES: &[Family] = &[
    linear("constants whose hashes collide", 4_000, constants),
    linear("elements of a table whose hashes collide", 8_000, table),
];

/// What the multiplier of `rustc-hash` gives 1 with, modulo 2⁶⁴. Products with it and small numbers
/// differ in the low bits of their hash only, which that function turns to where no table looks.
const INVERSE: u64 = inverse(0xf135_7aea_2e62_a9c5);

/// The inverse of an odd number modulo 2⁶⁴. Each of Newton's steps doubles the number of right
/// bits.
const fn inverse(number: u64) -> u64 {
    let (mut inverse, mut step) = (number, 0);
    while step < 6 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(number.wrapping_mul(inverse)));
        step += 1;
    }
    inverse
}

fn number(n: usize) -> u64 {
    INVERSE.wrapping_mul(n as u64)
}

/// A number as an integer constant has it: the sign is in the lowest bit.
fn signed(number: u64) -> Operand {
    let number = number as i64;
    (number.unsigned_abs() << 1 | u64::from(number < 0)).into()
}

const WIDE: [u64; 1] = [64];

fn constants(n: usize) -> Vec<u8> {
    kernel(|k| {
        let wide = k.module.ty(7, &WIDE);
        let sink = k.module.global(wide, 3);
        for i in 1..=n {
            let constant = k.module.constant(wide, 4, vec![signed(number(i))]);
            k.body.store(sink, constant);
        }
        k.body.ret(None);
    })
}

fn table(n: usize) -> Vec<u8> {
    kernel(|k| {
        let wide: Type = k.module.ty(7, &WIDE);
        let (sink, ty) = (k.module.global(wide, 3), k.module.array(n as u64, wide));
        let value = k.module.constant(ty, 22, (1..=n).map(|i| number(i).into()).collect());
        let (table, zero) = (k.module.table(ty, value), k.module.int(0));
        let address = k.body.address(ty, table, zero, k.input);
        let element: Value = k.body.value(20, vec![address.into(), wide.into(), 0.into(), 0.into()]);
        k.body.store(sink, element);
        k.body.ret(None);
    })
}
