//! Families of functions, calls, inlined copies and entry points.

use super::family::{Family, Kernel, kernel, limited, linear};
use super::metadata::attribute;
use super::signatures::signature;
use crate::compose::{Composer, I32, Node, VOID, Value};

pub(super) const FAMILIES: &[Family] = &[
    linear("functions", 500, functions),
    linear("functions with many attributes", 500, with_attributes),
    linear("functions with a long attribute", 500, with_long_attribute),
    limited("functions with many parameters", 500, with_parameters),
    linear("calls in a chain", 500, call_chain),
    limited("calls that are inlined", 40, inlined),
    limited("calls that double", 4, doubled),
    linear("entry points", 1_000, entries),
    linear("entry points with one signature", 1_000, shared_signature),
    limited("entry points of one module", 30, entries).all_entries(),
    limited("entry points with one function that writes nothing", 30, idle_entries).all_entries(),
    limited("entry points with one large type", 30, typed_entries).all_entries(),
    linear("entry points of one module with their own functions", 250, own_entries).all_entries(),
    linear("names of functions", 500, |n| named_functions(n, 64)),
    limited("long names of functions", 60, |n| named_functions(n, 16 * n)),
];

fn functions(n: usize) -> Vec<u8> {
    kernel(|k| call_each(k, n))
}

/// As many functions as attributes, which all functions have.
fn with_attributes(n: usize) -> Vec<u8> {
    kernel(|k| {
        k.module.attributes((1..=n as u64).map(|i| attribute(i, &format!("key{i}\0"), None)).collect());
        call_each(k, n);
    })
}

/// Functions with one attribute, whose text is sixteen times as long as their number.
fn with_long_attribute(n: usize) -> Vec<u8> {
    kernel(|k| {
        k.module.attributes(vec![attribute(1, "fp32-denorm-mode\0", Some(&format!("{}\0", "x".repeat(16 * n))))]);
        call_each(k, n);
    })
}

/// Functions of one type, which has as many parameters. Nothing calls them.
fn with_parameters(n: usize) -> Vec<u8> {
    kernel(|k| {
        let ty = k.module.signature(VOID, &vec![I32; n]);
        let bodies = (0..n).map(|i| {
            let (_, mut body) = k.module.define(&format!("f{i}"), ty, n);
            body.ret(None);
            body
        });
        let bodies = bodies.collect();
        k.body.ret(None);
        k.after(bodies);
    })
}

/// Calls functions that nothing else calls, and ends.
fn call_each(k: &mut Kernel, n: usize) {
    let ty = k.module.signature(I32, &[I32]);
    let mut bodies = Vec::new();
    for i in 0..n {
        let (function, mut body) = k.module.define(&format!("f{i}"), ty, 1);
        let sum = body.binary(0, Value::Local(0), Value::Local(0));
        body.ret(Some(sum));
        bodies.push(body);
        let result = k.body.call(function, &[k.input]);
        k.keep(result);
    }
    k.body.ret(None);
    k.after(bodies);
}

fn call_chain(n: usize) -> Vec<u8> {
    kernel(|k| {
        let ty = k.module.signature(I32, &[I32]);
        // The functions follow `main` and the declaration.
        let mut bodies = Vec::new();
        for i in 0..n {
            let (Value::Function(own), mut body) = k.module.define(&format!("f{i}"), ty, 1) else { return };
            let result = match i + 1 < n {
                true => body.call(Value::Function(own + 1), &[Value::Local(0)]),
                false => body.binary(0, Value::Local(0), Value::Local(0)),
            };
            body.ret(Some(result));
            if i == 0 {
                let result = k.body.call(Value::Function(own), &[k.input]);
                k.keep(result);
            }
            bodies.push(body);
        }
        k.body.ret(None);
        k.after(bodies);
    })
}

/// A function with a pointer parameter of `n` instructions, called `n` times.
fn inlined(n: usize) -> Vec<u8> {
    kernel(|k| {
        let pointer = k.module.ty(8, &[I32, 3]);
        let ty = k.module.signature(VOID, &[pointer]);
        let (function, mut body) = k.module.define("f", ty, 1);
        let mut sum = body.load(Value::Local(0));
        for _ in 0..n {
            sum = body.binary(0, sum, sum);
        }
        body.store(Value::Local(0), sum);
        body.ret(None);
        for _ in 0..n {
            k.body.call_void(function, &[k.sink]);
        }
        k.body.ret(None);
        k.after(vec![body]);
    })
}

/// Functions with a pointer parameter, each of which calls the next one twice.
pub fn doubled(n: usize) -> Vec<u8> {
    kernel(|k| {
        let pointer = k.module.ty(8, &[I32, 3]);
        let ty = k.module.signature(VOID, &[pointer]);
        let mut bodies = Vec::new();
        for i in 0..n {
            let (Value::Function(own), mut body) = k.module.define(&format!("f{i}"), ty, 1) else { return };
            if i + 1 < n {
                body.call_void(Value::Function(own + 1), &[Value::Local(0)]);
                body.call_void(Value::Function(own + 1), &[Value::Local(0)]);
            } else {
                let value = body.load(Value::Local(0));
                body.store(Value::Local(0), value);
            }
            body.ret(None);
            if i == 0 {
                k.body.call_void(Value::Function(own), &[k.sink]);
            }
            bodies.push(body);
        }
        k.body.ret(None);
        k.after(bodies);
    })
}

/// A function with this many parameters.
pub fn wide_function(parameters: usize) -> Vec<u8> {
    kernel(|k| {
        let ty = k.module.signature(I32, &vec![I32; parameters]);
        let (function, mut body) = k.module.define("f", ty, parameters);
        body.ret(Some(Value::Local(0)));
        let result = k.body.call(function, &vec![k.input; parameters]);
        k.keep(result);
        k.body.ret(None);
        k.after(vec![body]);
    })
}

/// Entry points that share one function, which is as large as their number.
pub fn entries(n: usize) -> Vec<u8> {
    library(n, n, None)
}

/// Entry points with one function, whose instructions become no words.
fn idle_entries(n: usize) -> Vec<u8> {
    idle(n, |k| {
        let (pointer, one) = (k.module.pointer(I32), k.module.int(1));
        let (variable, zero) = (k.body.variable(pointer, one), k.module.int(0));
        for _ in 0..20 * n {
            k.body.value(43, vec![1.into(), I32.into(), variable.into(), zero.into()]);
        }
    })
}

/// Entry points with one function, which has a variable of a type with many members.
fn typed_entries(n: usize) -> Vec<u8> {
    idle(n, |k| {
        let fields = k.module.structure("F", &vec![I32; n.min(1_000)]);
        let ty = k.module.structure("S", &[fields; 60]);
        let (pointer, one, zero) = (k.module.pointer(ty), k.module.int(1), k.module.int(0));
        let variable = k.body.variable(pointer, one);
        let member =
            k.body.value(43, vec![1.into(), ty.into(), variable.into(), zero.into(), zero.into(), zero.into()]);
        k.body.store(member, k.input);
        let back = k.body.load(member);
        k.keep(back);
    })
}

fn idle(n: usize, make: impl FnOnce(&mut Kernel)) -> Vec<u8> {
    let mut k = Kernel::new("lib");
    make(&mut k);
    k.keep(k.input);
    k.body.ret(None);
    entries_of(k, n, None)
}

fn library(n: usize, instructions: usize, signatures: Option<fn(&mut Composer, usize) -> Node>) -> Vec<u8> {
    let mut k = Kernel::new("lib");
    let mut sum = k.input;
    for _ in 0..instructions {
        sum = k.body.binary(0, sum, k.input);
    }
    k.keep(sum);
    k.body.ret(None);
    entries_of(k, n, signatures)
}

/// A library with a kernel as the function of so many entry points.
pub(super) fn entries_of(k: Kernel, n: usize, signatures: Option<fn(&mut Composer, usize) -> Node>) -> Vec<u8> {
    let Kernel { mut module, body, function, .. } = k;
    module.body(body);
    let (kind, compute, tag, one) = (module.number(8), module.number(5), module.number(4), module.number(1));
    let threads = module.node(&[Some(one); 3]);
    let properties = module.node(&[Some(kind), Some(compute), Some(tag), Some(threads)]);
    let signatures = signatures.map(|make| make(&mut module, 1024));
    let entries =
        (0..n).map(|i| module.entry(function, &format!("e{i}"), signatures, None, Some(properties))).collect();
    module.name("dx.entryPoints", entries);
    module.finish()
}

/// One entry point, which `dx.entryPoints` names `n` times.
pub fn one_entry(n: usize) -> Vec<u8> {
    let Kernel { mut module, mut body, function, .. } = Kernel::new("cs");
    body.ret(None);
    module.body(body);
    let properties = module.compute();
    let entry = module.entry(function, "main", None, None, Some(properties));
    module.name("dx.entryPoints", vec![entry; n]);
    module.finish()
}

fn shared_signature(n: usize) -> Vec<u8> {
    library(n, 1, Some(signature))
}

/// Entry points with a function each.
fn own_entries(n: usize) -> Vec<u8> {
    let mut module = Composer::new("lib");
    let sink = module.global(I32, 3);
    let ty = module.signature(VOID, &[]);
    let (kind, compute, tag, one) = (module.number(8), module.number(5), module.number(4), module.number(1));
    let threads = module.node(&[Some(one); 3]);
    let properties = module.node(&[Some(kind), Some(compute), Some(tag), Some(threads)]);
    let mut entries = Vec::new();
    for i in 0..n {
        let name = format!("e{i}");
        let (function, mut body) = module.define(&name, ty, 0);
        let value = module.int(i as u32);
        body.store(sink, value);
        body.ret(None);
        module.body(body);
        entries.push(module.entry(function, &name, None, None, Some(properties)));
    }
    module.name("dx.entryPoints", entries);
    module.finish()
}

/// Functions with names of this many bytes.
fn named_functions(n: usize, bytes: usize) -> Vec<u8> {
    kernel(|k| {
        let ty = k.module.signature(I32, &[I32]);
        let mut bodies = Vec::new();
        for i in 0..n {
            let (function, mut body) = k.module.define(&format!("f{i:0bytes$}"), ty, 1);
            body.ret(Some(Value::Local(0)));
            bodies.push(body);
            let result = k.body.call(function, &[k.input]);
            k.keep(result);
        }
        k.body.ret(None);
        k.after(bodies);
    })
}
