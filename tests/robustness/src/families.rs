//! Families of inputs that grow with one number: many blocks, many entry points, long names, and
//! products of such numbers.
//!
//! In: the size. Out: bitcode of a shader that is valid, but larger than any that a compiler
//! writes. `tests/growth.rs` measures how time and memory grow with the size.

use dxil_translator::internals::analysis::{Cfg, Dominators};
use dxil_translator::internals::entity::Entity;
use dxil_translator::internals::structure::Block;

use crate::compose::{Body, Composer, FLOAT, I1, I8, I32, Node, VOID, Value};
use crate::random::Random;

/// A family of inputs.
#[derive(Clone, Copy)]
pub struct Family {
    /// Its name.
    pub name: &'static str,
    /// The smallest size that is measured. It is multiplied by 2, 4 and 8.
    pub size: usize,
    /// Makes the input of a size.
    pub make: fn(usize) -> Vec<u8>,
    /// How the cost grows.
    pub growth: Growth,
}

/// How the cost of a family grows with its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Growth {
    /// In proportion to the size of the input, until a limit refuses it.
    Linear,
    /// Faster than the input: the input is short for what it asks for. A limit ends the growth.
    Limited,
}
use Growth::{Limited, Linear};

/// All families.
pub const FAMILIES: &[Family] = &[
    Family { name: "blocks in a chain", size: 4_000, make: chain, growth: Linear },
    Family { name: "branches that come together", size: 1_000, make: diamonds, growth: Linear },
    Family { name: "branches that nest", size: 120, make: nested, growth: Linear },
    Family { name: "loops that nest", size: 60, make: loops, growth: Linear },
    Family { name: "jumps that cross", size: 1_000, make: crossing, growth: Linear },
    Family { name: "unrolled loops with continues", size: 1_000, make: ladder, growth: Linear },
    Family { name: "values that leave loops", size: 2_000, make: left_loops, growth: Linear },
    Family { name: "random irreducible graphs", size: 500, make: irreducible, growth: Linear },
    Family { name: "a switch into a cycle", size: 500, make: switched_cycle, growth: Linear },
    Family { name: "irreducible ladders", size: 250, make: irreducible_ladder, growth: Limited },
    Family { name: "cases with one target", size: 4_000, make: |n| cases(n, 1), growth: Linear },
    Family { name: "cases with their own targets", size: 1_500, make: |n| cases(n, n), growth: Linear },
    Family { name: "breaks out of two loops", size: 200, make: two_level_breaks, growth: Linear },
    Family { name: "breaks out of one loop", size: 2_000, make: breaks, growth: Linear },
    Family { name: "instructions", size: 20_000, make: instructions, growth: Linear },
    Family { name: "block parameters", size: 4_000, make: parameters, growth: Linear },
    Family { name: "global variables", size: 1_000, make: globals, growth: Linear },
    Family { name: "local variables", size: 4_000, make: locals, growth: Linear },
    Family { name: "functions", size: 1_000, make: functions, growth: Linear },
    Family { name: "calls in a chain", size: 1_000, make: call_chain, growth: Linear },
    Family { name: "calls that are inlined", size: 60, make: inlined, growth: Limited },
    Family { name: "calls that double", size: 4, make: doubled, growth: Limited },
    Family { name: "structures that are copied", size: 200, make: copied_structures, growth: Limited },
    Family { name: "labels of switch ranges", size: 20, make: switch_ranges, growth: Limited },
    Family { name: "values after many breaks", size: 100, make: values_after_breaks, growth: Limited },
    Family { name: "entry points", size: 1_000, make: entries, growth: Linear },
    Family { name: "entry points with one signature", size: 1_000, make: shared_signature, growth: Linear },
    Family { name: "index lists of signature elements", size: 60, make: shared_indices, growth: Linear },
    Family { name: "names of signature elements", size: 100, make: |n| long_names(n, 16 * n), growth: Linear },
    Family { name: "names of resources", size: 100, make: |n| resources(n, 16 * n), growth: Linear },
    Family { name: "resources", size: 1_000, make: |n| resources(n, 8), growth: Linear },
    Family { name: "metadata", size: 20_000, make: metadata, growth: Linear },
];

/// What a body of a compute shader is made from.
pub struct Kernel {
    /// The module.
    pub module: Composer,
    /// The body.
    pub body: Body,
    /// A value that differs between threads.
    pub input: Value,
    /// A groupshared variable of type `i32`.
    pub sink: Value,
    function: Value,
}

impl Kernel {
    /// A compute shader whose body has no block yet. The first one is open.
    pub fn new(kind: &str) -> Self {
        let mut module = Composer::new(kind);
        let sink = module.global(I32, 3);
        let operation = module.signature(I32, &[I32, I32]);
        let thread_id = module.declare("dx.op.threadId.i32", operation);
        let main = module.signature(VOID, &[]);
        let (opcode, zero) = (module.int(93), module.int(0));
        let (function, mut body) = module.define("main", main, 0);
        let input = body.call(thread_id, &[opcode, zero]);
        Self { module, body, input, sink, function }
    }

    /// A condition that differs with `n`.
    pub fn condition(&mut self, n: usize) -> Value {
        let n = self.module.int(n as u32);
        self.body.compare(32, self.input, n)
    }

    /// A value that differs with `n`.
    pub fn some(&mut self, n: usize) -> Value {
        let n = self.module.int(n as u32);
        self.body.binary(0, self.input, n)
    }

    /// Stores a value where other threads may see it.
    pub fn keep(&mut self, value: Value) {
        self.body.store(self.sink, value);
    }

    /// The bitcode of the shader, with the entry point `main` only.
    pub fn finish(self) -> Vec<u8> {
        self.with_resources(None)
    }

    fn with_resources(self, resources: Option<Node>) -> Vec<u8> {
        let Self { mut module, body, function, .. } = self;
        module.body(body);
        let properties = module.compute();
        let entry = module.entry(function, "main", None, resources, Some(properties));
        module.name("dx.entryPoints", vec![entry]);
        module.finish()
    }
}

fn kernel(make: impl FnOnce(&mut Kernel)) -> Vec<u8> {
    let mut kernel = Kernel::new("cs");
    make(&mut kernel);
    kernel.finish()
}

fn chain(n: usize) -> Vec<u8> {
    kernel(|k| {
        for i in 1..n as u64 {
            k.body.jump(i);
        }
        k.body.ret(None);
    })
}

fn diamonds(n: usize) -> Vec<u8> {
    kernel(|k| {
        for i in 0..n {
            let at = k.body.blocks();
            let condition = k.condition(i);
            k.body.branch(condition, at + 1, at + 2);
            let a = k.some(i);
            k.body.jump(at + 3);
            let b = k.some(i + 1);
            k.body.jump(at + 3);
            let both = k.body.phi(I32, &[(a, at + 1), (b, at + 2)]);
            k.keep(both);
        }
        k.body.ret(None);
    })
}

fn nested(n: usize) -> Vec<u8> {
    kernel(|k| {
        let last = 2 * n as u64;
        for i in 0..n as u64 {
            let condition = k.condition(i as usize);
            k.body.branch(condition, i + 1, last - i);
        }
        for i in n as u64..last {
            let value = k.some(i as usize);
            k.keep(value);
            k.body.jump(i + 1);
        }
        k.body.ret(None);
    })
}

fn loops(n: usize) -> Vec<u8> {
    kernel(|k| {
        let n = n as u64;
        (0..n).for_each(|i| k.body.jump(i + 1));
        for i in 0..n {
            let condition = k.condition(i as usize);
            k.body.branch(condition, n - i, n + i + 1);
        }
        k.body.ret(None);
    })
}

/// Every block branches to two random later ones, and has a phi of a value of each predecessor.
fn crossing(n: usize) -> Vec<u8> {
    let mut random = Random::new(1, n as u64);
    let last = n - 1;
    let mut targets = Vec::new();
    let mut sources: Vec<Vec<usize>> = vec![Vec::new(); n];
    for i in 0..last {
        let mut to = || (i + 1 + random.below(16)).min(last);
        let (a, b) = (i + 1, to());
        targets.push((a, b));
        sources[a].push(i);
        sources[b].push(i);
    }
    kernel(|k| {
        // A block after the first has a phi, a value and a condition.
        let first = k.body.ahead(0);
        let Value::Local(first) = first else { return };
        let value_of = |block: usize| match block {
            0 => Value::Local(first),
            block => Value::Local(first + 2 + 3 * (block - 1) + 1),
        };
        for (i, sources) in sources.iter().enumerate() {
            if i > 0 {
                let incoming: Vec<_> = sources.iter().map(|&from| (value_of(from), from as u64)).collect();
                let phi = k.body.phi(I32, &incoming);
                let sum = k.body.binary(0, phi, phi);
                k.keep(sum);
            } else {
                k.some(0);
            }
            let condition = k.condition(i);
            match targets.get(i) {
                Some(&(a, b)) => k.body.branch(condition, a as u64, b as u64),
                None => k.body.ret(None),
            }
        }
    })
}

fn ladder(n: usize) -> Vec<u8> {
    kernel(|k| {
        let last = n as u64 - 1;
        for i in 0..last {
            let value = k.some(i as usize);
            k.keep(value);
            let condition = k.condition(i as usize);
            k.body.branch(condition, (i + 2).min(last), i + 1);
        }
        k.body.ret(None);
    })
}

/// Loops with two exits each. The values of every loop are used after all loops.
fn left_loops(n: usize) -> Vec<u8> {
    kernel(|k| {
        let mut values = Vec::new();
        for i in 0..n {
            // Header with one exit, body with another; the second exit comes to the first one's
            // target.
            let at = k.body.blocks();
            k.body.jump(at + 1);
            let value = k.some(i);
            values.push(value);
            let condition = k.condition(i);
            k.body.branch(condition, at + 2, at + 3);
            let other = k.condition(i + 1);
            k.body.branch(other, at + 1, at + 3);
        }
        for value in values {
            k.keep(value);
        }
        k.body.ret(None);
    })
}

/// A graph with random edges. Every block uses values of blocks that dominate it.
fn irreducible(n: usize) -> Vec<u8> {
    let mut random = Random::new(2, n as u64);
    let mut to = |block: usize| match random.below(4) {
        0 => 1 + random.below(n - 1),
        _ => (block + 1 + random.below(8)).min(n - 1),
    };
    let targets: Vec<(usize, usize)> = (0..n - 1).map(|block| (block + 1, to(block))).collect();
    let cfg = Cfg::<Block>::new(n, |block, out| {
        out.extend(targets.get(block.index()).into_iter().flat_map(|&(a, b)| [Block::new(a), Block::new(b)]));
    });
    let dominators = Dominators::new(&cfg);
    kernel(|k| {
        let Value::Local(first) = k.body.next() else { return };
        for (block, &(a, b)) in targets.iter().enumerate() {
            let mut value = k.some(1);
            let mut above = Block::new(block);
            for _ in 0..random.below(12) {
                above = dominators.immediate(above).unwrap_or(above);
            }
            // A block defines three values.
            value = k.body.binary(0, Value::Local(first + 3 * above.index()), value);
            let condition = k.body.compare(32, value, k.input);
            k.body.branch(condition, a as u64, b as u64);
        }
        k.body.ret(None);
    })
}

fn switched_cycle(n: usize) -> Vec<u8> {
    kernel(|k| {
        let labels: Vec<(Value, u64)> = (0..n).map(|i| (k.module.int(i as u32), i as u64 + 1)).collect();
        let input = k.input;
        k.body.switch(input, n as u64 + 1, &labels);
        for i in 0..n {
            let value = k.some(i);
            k.keep(value);
            let condition = k.condition(i);
            k.body.branch(condition, (i as u64 + 1) % n as u64 + 1, n as u64 + 1);
        }
        k.body.ret(None);
    })
}

fn irreducible_ladder(n: usize) -> Vec<u8> {
    kernel(|k| {
        let last = n as u64 + 1;
        let condition = k.condition(0);
        k.body.branch(condition, 1, n as u64);
        for i in 1..=n as u64 {
            let condition = k.condition(i as usize);
            let back = if i == 1 { last } else { i - 1 };
            k.body.branch(condition, back, i + 1);
        }
        k.body.ret(None);
    })
}

/// A switch with this many cases and targets.
pub fn cases(n: usize, targets: usize) -> Vec<u8> {
    kernel(|k| {
        let end = targets as u64 + 1;
        let labels: Vec<(Value, u64)> = (0..n)
            .map(|i| (k.module.int(i as u32), if targets == 1 { end } else { 1 + (i % targets) as u64 }))
            .collect();
        let input = k.input;
        k.body.switch(input, 1, &labels);
        let mut incoming = Vec::new();
        for i in 0..targets {
            let value = k.some(i);
            incoming.push((value, i as u64 + 1));
            k.body.jump(end);
        }
        if targets == 1 {
            incoming.extend(labels.iter().map(|&(label, _)| (label, 0)));
        }
        let phi = k.body.phi(I32, &incoming);
        k.keep(phi);
        k.body.ret(None);
    })
}

/// A loop nest, in which every loop breaks out of two loops at once.
fn two_level_breaks(n: usize) -> Vec<u8> {
    kernel(|k| {
        let n = n as u64;
        let last = 2 * n + 1;
        k.body.jump(1);
        for i in 1..=n {
            let condition = k.condition(i as usize);
            // The latch of the loop around the one around this one's.
            k.body.branch(condition, (last - i + 2).min(last), i + 1);
        }
        for i in n + 1..last {
            let condition = k.condition(i as usize);
            k.body.branch(condition, last - i, i + 1);
        }
        k.body.ret(None);
    })
}

/// A loop with many breaks, each of which gives the value after the loop.
pub fn breaks(n: usize) -> Vec<u8> {
    kernel(|k| {
        let after = n as u64 + 1;
        k.body.jump(1);
        let mut incoming = Vec::new();
        for block in 1..=n as u64 {
            incoming.push((k.some(block as usize), block));
            let condition = k.condition(block as usize);
            k.body.branch(condition, after, if block == n as u64 { 1 } else { block + 1 });
        }
        let phi = k.body.phi(I32, &incoming);
        k.keep(phi);
        k.body.ret(None);
    })
}

/// A pixel shader with two outputs, each of which is one component of a render target.
pub fn two_targets(indices: [u32; 2]) -> Vec<u8> {
    let mut module = Composer::new("ps");
    let store = module.signature(VOID, &[I32, I32, I32, I8, FLOAT]);
    let store = module.declare("dx.op.storeOutput.f32", store);
    let main = module.signature(VOID, &[]);
    let (opcode, row, column) = (module.int(5), module.int(0), module.integer(I8, 0));
    let value = module.constant(FLOAT, 6, vec![u64::from(0.5f32.to_bits()).into()]);
    let (function, mut body) = module.define("main", main, 0);
    let mut elements = Vec::new();
    for (id, index) in (0..).zip(indices) {
        let number = module.int(id);
        body.call_void(store, &[opcode, number, row, column, value]);
        let (name, index) = (module.string(b"SV_Target"), module.number(index));
        let list = module.node(&[Some(index)]);
        // Identity, component type, semantic kind, interpolation, rows, columns, first row, first
        // column.
        let [id, float, target, none, one, zero] = [id, 9, 16, 0, 1, 0].map(|number| Some(module.number(number)));
        elements.push(Some(module.node(&[id, Some(name), float, target, Some(list), none, one, one, id, zero, None])));
    }
    body.ret(None);
    module.body(body);
    let list = module.node(&elements);
    let signatures = module.node(&[None, Some(list), None]);
    let entry = module.entry(function, "main", Some(signatures), None, None);
    module.name("dx.entryPoints", vec![entry]);
    module.finish()
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

/// This many groupshared variables.
pub fn globals(n: usize) -> Vec<u8> {
    kernel(|k| {
        let variables: Vec<Value> = (0..n).map(|_| k.module.global(I32, 3)).collect();
        for (i, variable) in variables.into_iter().enumerate() {
            let value = k.some(i);
            k.body.store(variable, value);
            let back = k.body.load(variable);
            k.keep(back);
        }
        k.body.ret(None);
    })
}

fn locals(n: usize) -> Vec<u8> {
    kernel(|k| {
        let (pointer, one) = (k.module.pointer(I32), k.module.int(1));
        let variables: Vec<Value> =
            (0..n).map(|_| k.body.value(19, vec![pointer.into(), I32.into(), one.into(), 0.into()])).collect();
        for (i, variable) in variables.into_iter().enumerate() {
            let value = k.some(i);
            k.body.store(variable, value);
            let back = k.body.load(variable);
            k.keep(back);
        }
        k.body.ret(None);
    })
}

fn functions(n: usize) -> Vec<u8> {
    kernel(|k| {
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
    })
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

impl Kernel {
    /// Adds the bodies of other functions after that of `main`.
    fn after(&mut self, bodies: Vec<Body>) {
        self.module.body(std::mem::take(&mut self.body));
        let mut bodies = bodies.into_iter();
        let last = bodies.next_back();
        bodies.for_each(|body| self.module.body(body));
        self.body = last.unwrap_or_default();
    }
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

/// Switches whose labels are ranges of 4,096 numbers.
pub fn switch_ranges(n: usize) -> Vec<u8> {
    kernel(|k| {
        for i in 0..n as u64 {
            // LLVM's magic number of this form, the type, the value, the default; one case with one
            // range.
            let operands = [0x4b5 << 16, I32, 0, i + 1, 1, 1, 0, 0, 4095 << 1, i + 1];
            let mut operands: Vec<_> = operands.into_iter().map(Into::into).collect();
            operands[2] = k.input.into();
            k.body.end(12, operands);
        }
        k.body.ret(None);
    })
}

/// A loop with many breaks, and a value of each block that is used after the loop. No compiler
/// writes this, because the blocks do not dominate the uses.
pub fn values_after_breaks(n: usize) -> Vec<u8> {
    kernel(|k| {
        let after = n as u64 + 1;
        k.body.jump(1);
        let mut values = Vec::new();
        for block in 1..=n as u64 {
            values.push(k.some(block as usize));
            let condition = k.condition(block as usize);
            k.body.branch(condition, after, if block == n as u64 { 1 } else { block + 1 });
        }
        values.into_iter().for_each(|value| k.keep(value));
        k.body.ret(None);
    })
}

/// Entry points that share one function, which is as large as their number.
fn entries(n: usize) -> Vec<u8> {
    library(n, n, None)
}

fn library(n: usize, instructions: usize, signatures: Option<fn(&mut Composer, usize) -> Node>) -> Vec<u8> {
    let mut k = Kernel::new("lib");
    let mut sum = k.input;
    for _ in 0..instructions {
        sum = k.body.binary(0, sum, k.input);
    }
    k.keep(sum);
    k.body.ret(None);
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

/// An element of a signature that is not packed.
fn element(module: &mut Composer, id: u32, name: Node, indices: Node) -> Node {
    let [id, float, none, linear, one, four] = [id, 9, 0, 2, 1, 4].map(|number| Some(module.number(number)));
    let unpacked = Some(module.number(u32::MAX));
    let zero = Some(module.number(0));
    let name = Some(name);
    module.node(&[id, name, float, none, Some(indices), linear, one, four, unpacked, zero, None])
}

fn signature(module: &mut Composer, n: usize) -> Node {
    let (name, zero) = (module.string(b"TEXCOORD"), module.number(0));
    let indices = module.node(&[Some(zero)]);
    let elements: Vec<_> = (0..n).map(|id| Some(element(module, id as u32, name, indices))).collect();
    let list = module.node(&elements);
    module.node(&[Some(list), None, None])
}

fn shared_signature(n: usize) -> Vec<u8> {
    library(n, 1, Some(signature))
}

/// A compute shader has no inputs, so an element that nothing reads is never declared.
fn with_elements(n: usize, name: &[u8], indices: usize) -> Vec<u8> {
    let Kernel { mut module, mut body, function, .. } = Kernel::new("cs");
    body.ret(None);
    module.body(body);
    let (name, zero) = (module.string(name), module.number(0));
    let indices = module.node(&vec![Some(zero); indices]);
    let elements: Vec<_> = (0..n).map(|id| Some(element(&mut module, id as u32, name, indices))).collect();
    let list = module.node(&elements);
    let signatures = module.node(&[Some(list), None, None]);
    let properties = module.compute();
    let entry = module.entry(function, "main", Some(signatures), None, Some(properties));
    module.name("dx.entryPoints", vec![entry]);
    module.finish()
}

/// Signature elements that share one list of semantic indexes, which is longer than their number.
pub fn shared_indices(n: usize) -> Vec<u8> {
    with_elements(n, b"A", 1000 * n)
}

/// Signature elements that share one name of this many bytes.
pub fn long_names(n: usize, bytes: usize) -> Vec<u8> {
    with_elements(n, &vec![b'A'; bytes], 1)
}

/// Resources that share one name of this many bytes. Each is written to.
pub fn resources(n: usize, name: usize) -> Vec<u8> {
    let mut k = Kernel::new("cs");
    let handle = k.module.handle();
    let create = k.module.signature(handle, &[I32, I8, I32, I32, I1]);
    let create = k.module.declare("dx.op.createHandle", create);
    let store = k.module.signature(VOID, &[I32, handle, I32, I32, I32, I32, I32, I32, I8]);
    let store = k.module.declare("dx.op.bufferStore.i32", store);
    let (opcode, uav, uniform) = (k.module.int(57), k.module.integer(I8, 1), k.module.integer(I1, 0));
    let (store_opcode, zero, mask) = (k.module.int(69), k.module.int(0), k.module.integer(I8, 1));
    let undef = k.module.undef(I32);
    let name = k.module.string(&vec![b'R'; name]);
    let pointer = k.module.pointer(handle);
    let symbol = k.module.undef(pointer);
    let symbol = k.module.of_value(pointer, symbol);
    let mut records = Vec::new();
    for i in 0..n {
        let index = k.module.int(i as u32);
        let made = k.body.call(create, &[opcode, uav, index, index, uniform]);
        k.body.call_void(store, &[store_opcode, made, zero, undef, k.input, undef, undef, undef, mask]);
        let [id, zero, one, raw] = [i as u32, 0, 1, 11].map(|number| Some(k.module.number(number)));
        let operands = [id, Some(symbol), Some(name), zero, id, one, raw, zero, zero, zero, None];
        records.push(Some(k.module.node(&operands)));
    }
    k.body.ret(None);
    let list = k.module.node(&records);
    let resources = k.module.node(&[None, Some(list), None, None]);
    k.module.name("dx.resources", vec![resources]);
    k.with_resources(Some(resources))
}

fn metadata(n: usize) -> Vec<u8> {
    kernel(|k| {
        k.body.ret(None);
        let mut last = k.module.number(1);
        for _ in 0..n {
            last = k.module.node(&[Some(last), Some(last)]);
        }
        k.module.name("some", vec![last]);
    })
}
