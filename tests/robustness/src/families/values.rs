//! Families of instructions, phis, constants, variables, arrays, vectors and types.

use super::family::{Family, Kernel, kernel, limited, linear};
use crate::compose::{FLOAT, I32, Type, VOID, Value};

pub(super) const FAMILIES: &[Family] = &[
    linear("instructions", 10_000, instructions),
    linear("instructions of many words", 500, many_words),
    limited("loads of arrays", 10, array_loads),
    linear("names of values", 2_000, |n| named_values(n, 16)),
    linear("block parameters", 1_000, parameters),
    linear("constants", 4_000, constants),
    linear("types", 2_000, types),
    linear("members of a structure", 250, members),
    linear("global variables", 500, globals),
    linear("local variables", 2_000, locals),
    linear("elements of a table", 2_000, table),
    linear("numbers in tables", 4, full_tables),
    linear("tables", 500, tables),
    linear("choices between addresses", 500, chosen_addresses),
    linear("phis of addresses", 250, address_phis),
    linear("operations on long vectors", 250, vectors),
    // D3D has no longer vectors.
    linear("elements of one vector", 128, |n| elements_of_vector(n.min(1024))),
    limited("structures that are copied", 100, copied_structures),
    limited("members after empty structures", 100, after_empty),
    limited("arrays of empty structures", 100, empty_array),
    limited("empty structures in each other", 5, nested_empty),
    linear("arrays of their own types", 500, own_arrays),
    linear("variables of words in many functions", 250, words_of_functions),
    limited("chains of constant addresses", 250, constant_chains),
    linear("vectors over deep objects", 250, deep_vectors),
];

fn instructions(n: usize) -> Vec<u8> {
    kernel(|k| {
        let mut sum = k.input;
        for _ in 0..n {
            sum = k.body.binary(0, sum, k.input);
        }
        k.keep(sum);
        k.body.ret(None);
    })
}

/// Operations in one block that are two hundred words of SPIR-V each.
fn many_words(n: usize) -> Vec<u8> {
    kernel(|k| {
        let ty = k.module.signature(I32, &[I32; 4]);
        let (msad, opcode) = (k.module.declare("dx.op.tertiary.i32", ty), k.module.int(50));
        let mut sum = k.input;
        for _ in 0..n {
            sum = k.body.call(msad, &[opcode, k.input, sum, sum]);
        }
        k.keep(sum);
        k.body.ret(None);
    })
}

/// Loads of a thousand numbers each in one block, of which one is kept.
fn array_loads(n: usize) -> Vec<u8> {
    kernel(|k| {
        let (ty, one) = (k.module.array(1_000, I32), k.module.int(1));
        let pointer = k.module.pointer(ty);
        let variable = k.body.variable(pointer, one);
        for _ in 0..n {
            let all = k.body.value(20, vec![variable.into(), ty.into(), 0.into(), 0.into()]);
            let number = k.body.value(26, vec![all.into(), 0.into()]);
            k.keep(number);
        }
        k.body.ret(None);
    })
}

/// One loop whose header has many phis.
fn parameters(n: usize) -> Vec<u8> {
    kernel(|k| {
        let start = k.module.int(1);
        k.body.jump(1);
        let phis: Vec<Value> = (0..n)
            .map(|i| {
                let next = k.body.ahead(n);
                let _ = i;
                k.body.phi(I32, &[(start, 0), (next, 1)])
            })
            .collect();
        let sums: Vec<Value> = phis.iter().map(|&phi| k.body.binary(0, phi, start)).collect();
        let condition = k.condition(1);
        k.body.branch(condition, 1, 2);
        sums.iter().for_each(|&sum| k.keep(sum));
        k.body.ret(None);
    })
}

/// Variables, each of which is stored to and loaded.
fn variables(n: usize, variable: impl Fn(&mut Kernel) -> Value) -> Vec<u8> {
    kernel(|k| {
        let variables: Vec<Value> = (0..n).map(|_| variable(k)).collect();
        for (i, variable) in variables.into_iter().enumerate() {
            let value = k.some(i);
            k.body.store(variable, value);
            let back = k.body.load(variable);
            k.keep(back);
        }
        k.body.ret(None);
    })
}

/// This many groupshared variables.
pub fn globals(n: usize) -> Vec<u8> {
    variables(n, |k| k.module.global(I32, 3))
}

fn locals(n: usize) -> Vec<u8> {
    variables(n, |k| {
        let (pointer, one) = (k.module.pointer(I32), k.module.int(1));
        k.body.variable(pointer, one)
    })
}

/// Copies of a structure of a thousand numbers, each with another member.
pub fn copied_structures(n: usize) -> Vec<u8> {
    kernel(|k| {
        let ty = k.module.structure("S", &[I32; 1000]);
        let mut structure = k.module.undef(ty);
        for i in 0..n as u64 {
            structure = k.body.value(27, vec![structure.into(), k.input.into(), (i % 1000).into()]);
        }
        let member = k.body.value(26, vec![structure.into(), 0.into()]);
        k.keep(member);
        k.body.ret(None);
    })
}

/// Members of a structure of which all others are empty.
fn after_empty(n: usize) -> Vec<u8> {
    kernel(|k| {
        let empty = k.module.structure("E", &[]);
        let mut fields = vec![empty; n.min(60_000)];
        fields.push(I32);
        let ty = k.module.structure("S", &fields);
        extract(k, ty, fields.len() - 1, n);
    })
}

/// Elements of an array of empty structures.
fn empty_array(n: usize) -> Vec<u8> {
    kernel(|k| {
        let empty = k.module.structure("E", &[]);
        let array = k.module.array(n as u64, empty);
        let ty = k.module.structure("S", &[array, I32]);
        extract(k, ty, 0, n);
    })
}

/// Members of a structure of many structures that contain one another fifty deep, and no number.
fn nested_empty(n: usize) -> Vec<u8> {
    kernel(|k| {
        let mut ty = k.module.structure("E", &[]);
        for i in 0..50 {
            ty = k.module.structure(&format!("E{i}"), &[ty]);
        }
        let width = n.min(200);
        let many = k.module.structure("M", &vec![ty; width]);
        let ty = k.module.structure("S", &vec![many; width]);
        extract(k, ty, width - 1, n);
    })
}

/// Takes a member out of a value of a structure, again and again.
fn extract(k: &mut Kernel, ty: Type, member: usize, times: usize) {
    let value = k.module.undef(ty);
    for _ in 0..times {
        k.body.value(26, vec![value.into(), (member as u64).into()]);
    }
    k.keep(k.input);
    k.body.ret(None);
}

/// Instructions with names of this many bytes.
fn named_values(n: usize, bytes: usize) -> Vec<u8> {
    kernel(|k| {
        let mut sum = k.input;
        for i in 0..n {
            sum = k.body.binary(0, sum, k.input);
            k.body.name(sum, format!("v{i:0bytes$}"));
        }
        k.keep(sum);
        k.body.ret(None);
    })
}

fn constants(n: usize) -> Vec<u8> {
    kernel(|k| {
        for i in 0..n {
            let constant = k.module.int(1_000_000 + i as u32);
            k.keep(constant);
        }
        k.body.ret(None);
    })
}

/// Structures with names of their own, each a variable of which one member is stored.
fn types(n: usize) -> Vec<u8> {
    kernel(|k| {
        let (zero, one) = (k.module.int(0), k.module.int(1));
        for i in 0..n {
            let ty = k.module.structure(&format!("S{i}"), &[I32, I32]);
            let pointer = k.module.pointer(ty);
            let variable = k.body.variable(pointer, one);
            let member = k.body.address(ty, variable, zero, zero);
            k.body.store(member, k.input);
        }
        k.body.ret(None);
    })
}

/// A table of this many numbers, read at an index that differs between threads.
fn table(n: usize) -> Vec<u8> {
    kernel(|k| {
        let ty = k.module.array(n as u64, I32);
        read_table(k, ty, 0..n as u64);
        k.body.ret(None);
    })
}

/// Tables of 4,096 numbers that no other table has.
fn full_tables(n: usize) -> Vec<u8> {
    kernel(|k| {
        let ty = k.module.array(1 << 12, I32);
        for i in 0..n as u64 {
            read_table(k, ty, i << 12..(i + 1) << 12);
        }
        k.body.ret(None);
    })
}

/// Makes a table of numbers and keeps the one at an index that differs between threads.
fn read_table(k: &mut Kernel, ty: Type, numbers: std::ops::Range<u64>) {
    let value = k.module.constant(ty, 22, numbers.map(Into::into).collect());
    let (table, zero) = (k.module.table(ty, value), k.module.int(0));
    let address = k.body.address(ty, table, zero, k.input);
    let element = k.body.load(address);
    k.keep(element);
}

/// Tables of four numbers, each read at an index that differs between threads.
fn tables(n: usize) -> Vec<u8> {
    kernel(|k| {
        let ty = k.module.array(4, I32);
        for i in 0..n as u64 {
            read_table(k, ty, i..i + 4);
        }
        k.body.ret(None);
    })
}

/// A variable of one structure, all of whose members are stored.
fn members(n: usize) -> Vec<u8> {
    kernel(|k| {
        let (zero, one) = (k.module.int(0), k.module.int(1));
        let ty = k.module.structure("S", &vec![I32; n]);
        let pointer = k.module.pointer(ty);
        let variable = k.body.variable(pointer, one);
        for i in 0..n {
            let number = k.module.int(i as u32);
            let member = k.body.address(ty, variable, zero, number);
            k.body.store(member, k.input);
        }
        k.body.ret(None);
    })
}

/// Two variables, and addresses that are in one or the other.
fn two_arrays(k: &mut Kernel) -> (Type, [Value; 2]) {
    let (ty, one) = (k.module.array(16, I32), k.module.int(1));
    let pointer = k.module.pointer(ty);
    (ty, [k.body.variable(pointer, one), k.body.variable(pointer, one)])
}

fn chosen_addresses(n: usize) -> Vec<u8> {
    kernel(|k| {
        let (ty, [a, b]) = two_arrays(k);
        let zero = k.module.int(0);
        for i in 0..n {
            let condition = k.condition(i);
            let index = k.module.int(i as u32 % 16);
            let (then, otherwise) = (k.body.address(ty, a, zero, index), k.body.address(ty, b, zero, index));
            let chosen = k.body.select(condition, then, otherwise);
            k.body.store(chosen, k.input);
            let back = k.body.load(chosen);
            k.keep(back);
        }
        k.body.ret(None);
    })
}

/// One join with phis of addresses in one array.
fn address_phis(n: usize) -> Vec<u8> {
    kernel(|k| {
        let (ty, [a, _]) = two_arrays(k);
        let pointer = k.module.pointer(I32);
        let zero = k.module.int(0);
        let mut pairs = Vec::new();
        for i in 0..n as u32 {
            let [this, next] = [i % 16, (i + 1) % 16].map(|index| k.module.int(index));
            pairs.push((k.body.address(ty, a, zero, this), k.body.address(ty, a, zero, next)));
        }
        let condition = k.condition(1);
        k.body.branch(condition, 1, 2);
        k.body.jump(2);
        let phis: Vec<Value> =
            pairs.into_iter().map(|(this, next)| k.body.phi(pointer, &[(this, 0), (next, 1)])).collect();
        for phi in phis {
            let element = k.body.load(phi);
            k.keep(element);
        }
        k.body.ret(None);
    })
}

/// Additions of vectors of sixteen numbers, which SPIR-V does not have.
fn vectors(n: usize) -> Vec<u8> {
    kernel(|k| {
        let ty = k.module.ty(12, &[16, I32]);
        let (undef, zero) = (k.module.undef(ty), k.module.int(0));
        let mut sum = undef;
        for i in 0..16 {
            let index = k.module.int(i);
            sum = k.body.value(7, vec![sum.into(), k.input.into(), index.into()]);
        }
        for _ in 0..n {
            sum = k.body.binary(0, sum, sum);
        }
        let element = k.body.value(6, vec![sum.into(), zero.into()]);
        k.keep(element);
        k.body.ret(None);
    })
}

/// Operations on vectors of so many numbers: arithmetic, a comparison, a choice, and each element.
fn elements_of_vector(n: usize) -> Vec<u8> {
    kernel(|k| {
        let ty = k.module.ty(12, &[n as u64, I32]);
        let (undef, zeros) = (k.module.undef(ty), k.module.constant(ty, 2, Vec::new()));
        let mut vector = undef;
        for i in 0..n {
            let (index, number) = (k.module.int(i as u32), k.some(i));
            vector = k.body.value(7, vec![vector.into(), number.into(), index.into()]);
        }
        let sum = k.body.binary(0, vector, vector);
        let product = k.body.binary(2, sum, vector);
        let equal = k.body.compare(32, product, zeros);
        let chosen = k.body.select(equal, sum, product);
        for i in 0..n {
            let index = k.module.int(i as u32);
            let element = k.body.value(6, vec![chosen.into(), index.into()]);
            k.keep(element);
        }
        k.body.ret(None);
    })
}

/// Functions, each with two variables between which an address is chosen.
fn words_of_functions(n: usize) -> Vec<u8> {
    kernel(|k| {
        let (ty, array) = (k.module.signature(VOID, &[]), k.module.array(4, I32));
        let (pointer, zero, one) = (k.module.pointer(array), k.module.int(0), k.module.int(1));
        let mut bodies = Vec::new();
        for i in 0..n {
            let (function, mut body) = k.module.define(&format!("f{i}"), ty, 0);
            let variables = [(); 2].map(|()| body.variable(pointer, one));
            let [a, b] = variables.map(|variable| body.address(array, variable, zero, one));
            let value = body.load(k.sink);
            let condition = body.compare(32, value, zero);
            let chosen = body.select(condition, a, b);
            body.store(chosen, value);
            let back = body.load(chosen);
            body.store(k.sink, back);
            body.ret(None);
            bodies.push(body);
            k.body.call_void(function, &[]);
        }
        k.body.ret(None);
        k.after(bodies);
    })
}

/// Addresses that nothing uses, each computed from the end of one long chain of constant addresses,
/// in a shader in which control flow chooses an address.
fn constant_chains(n: usize) -> Vec<u8> {
    kernel(|k| {
        let (array, zero) = (k.module.array(4, I32), k.module.int(0));
        let global = k.module.global(array, 3);
        let [whole, part] = [array, I32].map(|ty| k.module.ty(8, &[ty, 3]));
        // LLVM's constant address: the pointee, then the base and the indexes with their types.
        let first = vec![array.into(), whole.into(), global.into(), I32.into(), zero.into(), I32.into(), zero.into()];
        let mut chain = k.module.constant(part, 12, first);
        for _ in 0..200 {
            chain = k.module.constant(part, 12, vec![I32.into(), part.into(), chain.into(), I32.into(), zero.into()]);
        }
        for _ in 0..n {
            k.body.value(43, vec![1.into(), I32.into(), chain.into(), zero.into()]);
        }
        let (ty, [a, b]) = two_arrays(k);
        let (condition, [a, b]) = (k.condition(1), [a, b].map(|base| k.body.address(ty, base, zero, zero)));
        let chosen = k.body.select(condition, a, b);
        k.body.store(chosen, k.input);
        let back = k.body.load(chosen);
        k.keep(back);
        k.body.ret(None);
    })
}

/// Loads of a vector through casts of the address of an object that begins deep inside.
fn deep_vectors(n: usize) -> Vec<u8> {
    kernel(|k| {
        let (zero, one) = (k.module.int(0), k.module.int(1));
        let mut ty = FLOAT;
        for i in 0..60 {
            ty = k.module.structure(&format!("S{i}"), &[ty, ty][..1 + usize::from(i == 0)]);
        }
        let vector = k.module.ty(12, &[2, I32]);
        let [object, over] = [ty, vector].map(|ty| k.module.pointer(ty));
        let variable = k.body.variable(object, one);
        for _ in 0..n {
            let cast = k.body.value(3, vec![variable.into(), over.into(), 11.into()]);
            let loaded = k.body.value(20, vec![cast.into(), vector.into(), 0.into(), 0.into()]);
            let number = k.body.value(6, vec![loaded.into(), zero.into()]);
            k.keep(number);
        }
        k.body.ret(None);
    })
}

/// Variables of several elements, each of another number of them.
fn own_arrays(n: usize) -> Vec<u8> {
    kernel(|k| {
        let (pointer, zero) = (k.module.pointer(I32), k.module.int(0));
        for i in 0..n {
            let count = k.module.int(2 + i as u32 % 1_000);
            let variable = k.body.variable(pointer, count);
            if i == 0 {
                k.body.store(variable, zero);
                let back = k.body.load(variable);
                k.keep(back);
            }
        }
        k.body.ret(None);
    })
}
