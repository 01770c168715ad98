//! What families of inputs are made of.

use dxil_translator::{Error, Options};

use crate::compose::{Body, Composer, I32, Node, VOID, Value};
use crate::pipeline;

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
    /// Translates an input. Gives the number of words.
    pub run: fn(&[u8], &Options) -> Result<usize, Error>,
}

pub(super) const fn linear(name: &'static str, size: usize, make: fn(usize) -> Vec<u8>) -> Family {
    let run = |input: &[u8], options: &Options| pipeline::first_entry(input, options).map(|words| words.len());
    Family { name, size, make, growth: Growth::Linear, run }
}

pub(super) const fn limited(name: &'static str, size: usize, make: fn(usize) -> Vec<u8>) -> Family {
    Family { growth: Growth::Limited, ..linear(name, size, make) }
}

impl Family {
    /// The same, translated to one module with all entry points.
    pub(super) const fn all_entries(self) -> Self {
        let run = |input: &[u8], options: &Options| pipeline::all_entries(input, options).map(|words| words.len());
        Self { run, ..self }
    }
}

/// How the cost of a family grows with its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Growth {
    /// In proportion to the size of the input, until a limit refuses it.
    Linear,
    /// Faster than the input, because a short input requests a lot. A limit ends the growth.
    Limited,
}

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
    pub(super) function: Value,
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

    pub(super) fn with_resources(mut self, resources: Option<Node>) -> Vec<u8> {
        let properties = self.module.compute();
        self.with_properties(resources, properties)
    }

    pub(super) fn with_properties(self, resources: Option<Node>, properties: Node) -> Vec<u8> {
        let Self { mut module, body, function, .. } = self;
        module.body(body);
        let entry = module.entry(function, "main", None, resources, Some(properties));
        module.name("dx.entryPoints", vec![entry]);
        module.finish()
    }

    /// Adds the bodies of other functions after that of `main`.
    pub(super) fn after(&mut self, bodies: Vec<Body>) {
        self.module.body(std::mem::take(&mut self.body));
        let mut bodies = bodies.into_iter();
        let last = bodies.next_back();
        bodies.for_each(|body| self.module.body(body));
        self.body = last.unwrap_or_default();
    }
}

pub(super) fn kernel(make: impl FnOnce(&mut Kernel)) -> Vec<u8> {
    let mut kernel = Kernel::new("cs");
    make(&mut kernel);
    kernel.finish()
}
