//! Families of parts that many users share: targets of switches, callees, addresses, and
//! elements of signatures. Each is short for what a walk per user would cost.

use super::family::{Family, Kernel, kernel, limited, linear};
use super::functions::entries_of;
use super::signatures::reads;
use crate::compose::{I32, Operand, Type, Value};

pub(super) const FAMILIES: &[Family] = &[
    limited("cases whose target has phis", 100, cases_with_phis),
    limited("entry points with common callees", 30, common_callees),
    limited("accesses of an address in many steps", 500, |n| accesses(n, 64)),
    linear("accesses of an address in a few steps", 2_000, |n| accesses(n, 3)),
    limited("accesses of a constant address in many steps", 500, constant_steps),
    limited("phis of an address in many steps", 250, |n| phis(n, 15, 2)),
    linear("phis of an address in a few steps", 250, |n| phis(n, 3, 4)),
    linear("phis of a deep part", 30, deep_phis),
    linear("choices of a deep part", 500, deep_choices),
    linear("choices of choices of a deeper part", 500, chained_choices),
    linear("accesses of a deep part", 1_000, deep_accesses),
    limited("accesses through a cast of a deep variable", 1_000, deep_casts),
    linear("loads of inputs with numbers in reverse", 1_000, reversed_inputs),
];

/// Cases of a switch to one block, which has as many phis.
fn cases_with_phis(n: usize) -> Vec<u8> {
    kernel(|k| {
        let cases: Vec<_> = (0..n as u32).map(|label| (k.module.int(label), 2)).collect();
        let one = k.module.int(1);
        k.body.switch(k.input, 1, &cases);
        k.body.jump(2);
        let phis: Vec<Value> = (0..n).map(|_| k.body.phi(I32, &[(k.input, 0), (one, 1)])).collect();
        phis.into_iter().for_each(|phi| k.keep(phi));
        k.body.ret(None);
    })
}

/// Entry points that share a function, which calls functions that call all later ones.
fn common_callees(n: usize) -> Vec<u8> {
    let mut k = Kernel::new("lib");
    let ty = k.module.signature(I32, &[I32]);
    let made: Vec<_> = (0..n).map(|i| k.module.define(&format!("f{i}"), ty, 1)).collect();
    let functions: Vec<Value> = made.iter().map(|&(function, _)| function).collect();
    let mut bodies = Vec::new();
    for (i, (_, mut body)) in made.into_iter().enumerate() {
        let mut result = Value::Local(0);
        for &later in functions.iter().skip(i + 1) {
            result = body.call(later, &[result]);
        }
        body.ret(Some(result));
        bodies.push(body);
    }
    let result = k.body.call(functions[0], &[k.input]);
    k.keep(result);
    k.body.ret(None);
    k.after(bodies);
    entries_of(k, n, None)
}

/// The address of an element of a variable, after this many further operations.
fn steps(k: &mut Kernel, ty: Type, steps: usize) -> Value {
    let (zero, one) = (k.module.int(0), k.module.int(1));
    let pointer = k.module.pointer(ty);
    let variable = k.body.variable(pointer, one);
    let mut address = k.body.address(ty, variable, zero, k.input);
    for _ in 1..steps {
        address = k.body.value(43, vec![1.into(), I32.into(), address.into(), zero.into()]);
    }
    address
}

/// Stores to an address, and a load of the final value.
fn store_often(k: &mut Kernel, address: Value, times: usize) {
    for _ in 0..times {
        k.body.store(address, k.input);
    }
    let element = k.body.load(address);
    k.keep(element);
    k.body.ret(None);
}

/// Stores to one address.
fn accesses(n: usize, count: usize) -> Vec<u8> {
    kernel(|k| {
        let ty = k.module.array(16, I32);
        let address = steps(k, ty, count);
        store_often(k, address, n);
    })
}

/// Addresses of two numbers in arrays that nest, as deep as a chain may be that is not charged.
fn deep_parts(k: &mut Kernel) -> [Value; 2] {
    let ty = (0..6).fold(I32, |element, _| k.module.array(2, element));
    let (zero, one, pointer) = (k.module.int(0), k.module.int(1), k.module.pointer(ty));
    let variable = k.body.variable(pointer, one);
    [zero, one].map(|last| {
        let indexes = [zero, zero, zero, zero, zero, zero, last].map(Into::into);
        k.body.value(43, [vec![1.into(), ty.into(), variable.into()], indexes.to_vec()].concat())
    })
}

/// Stores to a number in arrays that nest.
fn deep_accesses(n: usize) -> Vec<u8> {
    kernel(|k| {
        let [address, _] = deep_parts(k);
        store_often(k, address, n);
    })
}

/// Phis of two numbers in arrays that nest, which many predecessors pass in turn.
fn deep_phis(n: usize) -> Vec<u8> {
    kernel(|k| {
        let addresses = deep_parts(k);
        phis_of(k, &addresses, n, 250);
    })
}

/// Choices between two numbers in arrays that nest.
fn deep_choices(n: usize) -> Vec<u8> {
    kernel(|k| {
        let [then, otherwise] = deep_parts(k);
        let condition = k.condition(1);
        let chosen: Vec<Value> = (0..n).map(|_| k.body.select(condition, then, otherwise)).collect();
        store_often(k, chosen[n - 1], 1);
    })
}

/// Choices between a number in arrays that nest deeper and another one, each of which chooses from
/// the one before.
fn chained_choices(n: usize) -> Vec<u8> {
    kernel(|k| {
        const DEPTH: usize = 60;
        let ty = (0..DEPTH).fold(I32, |element, _| k.module.array(2, element));
        let (zero, one, pointer) = (k.module.int(0), k.module.int(1), k.module.pointer(ty));
        let variable = k.body.variable(pointer, one);
        let part = |k: &mut Kernel, last: Value| {
            let mut operands = vec![1.into(), ty.into(), variable.into()];
            operands.extend([zero; DEPTH].map(Operand::from));
            operands.push(last.into());
            k.body.value(43, operands)
        };
        let (then, otherwise) = (part(k, zero), part(k, one));
        let condition = k.condition(1);
        let first = k.body.select(condition, then, otherwise);
        let last = (0..n).fold(first, |chosen, _| k.body.select(condition, chosen, chosen));
        store_often(k, last, 1);
    })
}

/// Stores to the first number in arrays that nest deeply, through a cast of the variable's address.
fn deep_casts(n: usize) -> Vec<u8> {
    kernel(|k| {
        let ty = (0..60).fold(I32, |element, _| k.module.array(1, element));
        let (pointer, one, number) = (k.module.pointer(ty), k.module.int(1), k.module.pointer(I32));
        let variable = k.body.variable(pointer, one);
        let address = k.body.value(3, vec![variable.into(), number.into(), 11.into()]);
        store_often(k, address, n);
    })
}

/// Stores to one address that is a constant.
fn constant_steps(n: usize) -> Vec<u8> {
    kernel(|k| {
        let array = k.module.array(16, I32);
        let (pointer, element) = (k.module.ty(8, &[array, 3]), k.module.ty(8, &[I32, 3]));
        let (variable, zero) = (k.module.global(array, 3), k.module.int(0));
        // A pointee and pairs of a type and a value.
        let pair = |ty: Type, value: Value| [ty.into(), value.into()];
        let indexes = [pair(pointer, variable), pair(I32, zero), pair(I32, zero)].concat();
        let mut address = k.module.constant(element, 20, [vec![array.into()], indexes].concat());
        for _ in 0..60 {
            let indexes = [pair(element, address), pair(I32, zero)].concat();
            address = k.module.constant(element, 20, [vec![I32.into()], indexes].concat());
        }
        for _ in 0..n {
            k.body.store(address, k.input);
        }
        k.body.ret(None);
    })
}

/// Phis of one address, which this many predecessors pass.
fn phis(n: usize, count: usize, predecessors: u32) -> Vec<u8> {
    kernel(|k| {
        let ty = k.module.array(16, I32);
        let address = steps(k, ty, count);
        phis_of(k, &[address], n, predecessors);
    })
}

/// Phis of addresses, which this many predecessors pass in turn.
fn phis_of(k: &mut Kernel, addresses: &[Value], n: usize, predecessors: u32) {
    let pointer = k.module.pointer(I32);
    let cases: Vec<_> = (2..=predecessors).map(|label| (k.module.int(label), u64::from(label))).collect();
    k.body.switch(k.input, 1, &cases);
    let join = u64::from(predecessors) + 1;
    (1..join).for_each(|_| k.body.jump(join));
    let incoming: Vec<_> = addresses.iter().copied().cycle().zip(1..join).collect();
    let phis: Vec<Value> = (0..n).map(|_| k.body.phi(pointer, &incoming)).collect();
    for phi in phis {
        let element = k.body.load(phi);
        k.keep(element);
    }
    k.body.ret(None);
}

/// Loads of one of many inputs, whose numbers are in reverse.
fn reversed_inputs(n: usize) -> Vec<u8> {
    const ELEMENTS: u32 = 1000;
    let elements = (0..ELEMENTS).map(|row| (ELEMENTS - 1 - row, row));
    reads(std::iter::repeat_n(0, n), elements, 1)
}
