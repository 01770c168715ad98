//! Families of variables that become arrays of words, because their accesses do not fit their
//! types.

use super::family::{Family, Kernel, kernel, limited, linear};
use crate::compose::{I32, Type, VOID, Value};

pub(super) const FAMILIES: &[Family] = &[
    linear("small arrays reached through casts", 1_000, small_arrays),
    linear("functions with arrays reached through casts", 250, |n| in_functions(n, 16, true)),
    linear("functions with arrays reached through casts and not used", 250, |n| in_functions(n, 38, false)),
    limited("loads through a long chain of casts", 250, cast_chain),
    limited("variables with one value of many empty parts", 20, |n| valued(n, false)),
    limited("variables with one value of many numbers", 8, |n| valued(n, true)),
];

/// Two numbers of 16 bits, a pointer to them, and a pointer to a number of 32 bits.
fn halves(k: &mut Kernel) -> (Type, Type, Type) {
    let half = k.module.ty(7, &[16]);
    let array = k.module.array(2, half);
    (array, k.module.pointer(array), k.module.pointer(I32))
}

/// Variables that are loaded through a cast.
fn small_arrays(n: usize) -> Vec<u8> {
    kernel(|k| {
        let ((_, pointer, number), one) = (halves(k), k.module.int(1));
        for _ in 0..n {
            let variable = k.body.variable(pointer, one);
            let cast = k.body.value(3, vec![variable.into(), number.into(), 11.into()]);
            let value = k.body.load(cast);
            k.keep(value);
        }
        k.body.ret(None);
    })
}

/// Functions, each of which has so many such variables. The loaded values are used or not.
fn in_functions(n: usize, count: usize, used: bool) -> Vec<u8> {
    kernel(|k| {
        let ((_, pointer, number), one) = (halves(k), k.module.int(1));
        let ty = k.module.signature(VOID, &[]);
        let mut bodies = Vec::new();
        for i in 0..n {
            let (function, mut body) = k.module.define(&format!("f{i}"), ty, 0);
            for _ in 0..count {
                let variable = body.variable(pointer, one);
                let cast = body.value(3, vec![variable.into(), number.into(), 11.into()]);
                let value = body.load(cast);
                if used {
                    body.store(k.sink, value);
                }
            }
            body.ret(None);
            bodies.push(body);
            k.body.call_void(function, &[]);
        }
        k.body.ret(None);
        k.after(bodies);
    })
}

/// Casts of a variable's address, each in a block before that of the cast that it casts, and as
/// many loads.
fn cast_chain(n: usize) -> Vec<u8> {
    kernel(|k| {
        let ((_, pointer, number), one) = (halves(k), k.module.int(1));
        let variable = k.body.variable(pointer, one);
        let (first, last) = (k.body.next(), n as u64);
        k.body.jump(last);
        // The cast in block `i` casts that in block `i + 1`, which runs before.
        for i in 1..=last {
            // A value that is defined later has its type beside it.
            let from = if i < last { vec![k.body.ahead(1).into(), number.into()] } else { vec![variable.into()] };
            k.body.value(3, [from, vec![number.into(), 11.into()]].concat());
            k.body.jump(if i == 1 { last + 1 } else { i - 1 });
        }
        for _ in 0..n {
            let value = k.body.load(first);
            k.keep(value);
        }
        k.body.ret(None);
    })
}

/// Variables with one initial value, each of which is loaded through a cast.
fn valued(n: usize, numbers: bool) -> Vec<u8> {
    kernel(|k| {
        let part = if numbers { k.module.ty(7, &[16]) } else { k.module.ty(18, &[0]) };
        let count = if numbers { 100_000 } else { 2_000 * n.min(100) };
        let array = k.module.array(count as u64, part);
        let (pointer, word) = (k.module.pointer(array), k.module.pointer(I32));
        // A null value, which is in an aggregate as often as the array has elements.
        let null = if numbers { k.module.integer(part, 1) } else { k.module.constant(part, 2, Vec::new()) };
        let value = k.module.constant(array, 7, vec![null.into(); count]);
        for _ in 0..n {
            let variable = k.module.table(array, value);
            let operands = vec![11.into(), pointer.into(), variable.into()];
            let cast: Value = k.module.constant(word, 11, operands);
            let number = k.body.load(cast);
            k.keep(number);
        }
        k.body.ret(None);
    })
}
