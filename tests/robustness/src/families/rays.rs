//! Families of ray queries, shader calls and their payloads, mesh shaders and wave operations.

use super::family::{Family, Kernel, kernel, limited, linear};
use crate::compose::{Body, Composer, FLOAT, I1, I8, I32, Node, Operand, Type, VOID, Value};

pub(super) const FAMILIES: &[Family] = &[
    limited("entry points with one function of ray queries", 20, shared_queries).all_entries(),
    limited("choices of a ray query in a loop", 100, query_choices),
    linear("operations on as many ray queries as may be", 500, many_queries),
    linear("ray queries that are stored", 32, stored_queries),
    linear("calls with parameters of their own", 500, own_parameters),
    linear("calls with one large parameter", 500, one_parameter),
    limited("calls with parts of a large parameter", 50, |n| copied_parameter(n, false)),
    limited("calls with a large parameter that is reached through a cast", 50, |n| copied_parameter(n, true)),
    linear("calls with parameters of many types", 100, types_of_parameters),
    linear("rays", 500, rays),
    linear("hits that are reported", 500, hits),
    limited("returns with a large payload that is reached through a cast", 50, returns),
    limited("entry points of one module with one payload", 30, |n| payload_entries(n, n)).all_entries(),
    linear("outputs of vertices", 500, |n| vertices(n, 0)),
    linear("outputs of vertices with indexes that operations compute", 500, |n| vertices(n, 12)),
    linear("groups of mesh shaders", 250, dispatches),
    linear("wave operations that serve sets of lanes", 250, sets_of_lanes),
];

/// The operation of rayQuery_StateScalar that reads the committed status.
const COMMITTED_STATUS: u32 = 184;

/// Operations on ray queries in a kernel.
struct Queries {
    allocate: Value,
    proceed: Value,
    status: Value,
}

impl Queries {
    fn new(k: &mut Kernel) -> Self {
        let (allocate, bit) = (k.module.signature(I32, &[I32, I32]), k.module.signature(I1, &[I32, I32]));
        Self {
            allocate: k.module.declare("dx.op.allocateRayQuery", allocate),
            proceed: k.module.declare("dx.op.rayQuery_Proceed.i1", bit),
            status: k.module.declare("dx.op.rayQuery_StateScalar.i32", allocate),
        }
    }

    fn allocate(&self, k: &mut Kernel) -> Value {
        let (opcode, flags) = (k.module.int(178), k.module.int(0));
        k.body.call(self.allocate, &[opcode, flags])
    }

    fn proceed(&self, k: &mut Kernel, query: Value) -> Value {
        let opcode = k.module.int(180);
        k.body.call(self.proceed, &[opcode, query])
    }

    fn status(&self, k: &mut Kernel, query: Value) -> Value {
        let opcode = k.module.int(COMMITTED_STATUS);
        k.body.call(self.status, &[opcode, query])
    }
}

/// Entry points with one function, which has eight times as many blocks and operations on many
/// queries.
fn shared_queries(n: usize) -> Vec<u8> {
    let mut k = Kernel::new("lib");
    let queries = Queries::new(&mut k);
    let handles: Vec<Value> = (0..n.min(200)).map(|_| queries.allocate(&mut k)).collect();
    (0..8 * n as u64).for_each(|i| k.body.jump(i + 1));
    for handle in handles {
        queries.proceed(&mut k, handle);
    }
    k.keep(k.input);
    k.body.ret(None);
    super::functions::entries_of(k, n, None)
}

/// A loop that allocates a query and chooses its handle often. Many blocks later every choice is
/// used.
fn query_choices(n: usize) -> Vec<u8> {
    kernel(|k| {
        let queries = Queries::new(k);
        let condition = k.condition(1);
        k.body.jump(1);
        let handle = queries.allocate(k);
        let choices: Vec<Value> = (0..n).map(|_| k.body.select(condition, handle, handle)).collect();
        (0..n as u64).for_each(|i| k.body.jump(i + 2));
        for choice in choices {
            queries.proceed(k, choice);
        }
        let status = queries.status(k, handle);
        k.keep(status);
        let again = k.condition(2);
        let end = k.body.blocks() + 1;
        k.body.branch(again, 1, end);
        k.body.ret(None);
    })
}

/// Branches by operations on queries, of which there are as many as a limit allows.
fn many_queries(n: usize) -> Vec<u8> {
    kernel(|k| {
        let queries = Queries::new(k);
        let handles: Vec<Value> = (0..n.min(256)).map(|_| queries.allocate(k)).collect();
        for (i, &handle) in (0..n as u64).zip(handles.iter().cycle()) {
            let found = queries.proceed(k, handle);
            k.body.branch(found, 2 * i + 1, 2 * i + 2);
            let status = queries.status(k, handle);
            k.keep(status);
            k.body.jump(2 * i + 2);
        }
        k.body.ret(None);
    })
}

/// Queries whose handles are stored, with operations on what is loaded.
fn stored_queries(n: usize) -> Vec<u8> {
    kernel(|k| {
        let queries = Queries::new(k);
        let (array, zero, one) = (k.module.array(256, I32), k.module.int(0), k.module.int(1));
        let pointer = k.module.pointer(array);
        let variable = k.body.variable(pointer, one);
        for i in 0..n.min(256) {
            let handle = queries.allocate(k);
            let index = k.module.int(i as u32);
            let address = k.body.address(array, variable, zero, index);
            k.body.store(address, handle);
        }
        let address = k.body.address(array, variable, zero, k.input);
        for _ in 0..10 * n {
            let handle = k.body.load(address);
            queries.proceed(k, handle);
            let status = queries.status(k, handle);
            k.keep(status);
        }
        k.body.ret(None);
    })
}

/// What a shader of a ray-tracing pipeline is made from.
struct Shader {
    module: Composer,
    body: Body,
    function: Value,
    /// A number that differs between invocations.
    input: Value,
    /// A variable of the module.
    sink: Value,
}

/// The numbers of stages in the metadata of entry points.
const RAY_GENERATION: u32 = 7;
const INTERSECTION: u32 = 8;
const MISS: u32 = 11;

impl Shader {
    /// A shader with parameters whose body has no block yet. `make` makes the types of the
    /// parameters.
    fn new(make: impl FnOnce(&mut Composer) -> Vec<Type>) -> Self {
        let mut module = Composer::new("lib");
        let sink = module.global(I32, 0);
        let index = module.signature(I32, &[I32, I8]);
        let index = module.declare("dx.op.dispatchRaysIndex.i32", index);
        let parameters = make(&mut module);
        let main = module.signature(VOID, &parameters);
        let (opcode, zero) = (module.int(145), module.integer(I8, 0));
        let (function, mut body) = module.define("main", main, parameters.len());
        let input = body.call(index, &[opcode, zero]);
        Self { module, body, function, input, sink }
    }

    /// The library, with so many entry points of a stage and with a payload of so many bytes.
    fn finish(self, (stage, count): (u32, usize), payload: Option<u32>, resources: Option<Node>) -> Vec<u8> {
        let Self { mut module, body, function, .. } = self;
        module.body(body);
        let mut tags = vec![Some(module.number(8)), Some(module.number(stage))];
        if let Some(bytes) = payload {
            tags.extend([Some(module.number(6)), Some(module.number(bytes))]);
        }
        let properties = module.node(&tags);
        let entry = |i| module.entry(function, &format!("e{i}"), None, resources, Some(properties));
        let entries = (0..count).map(entry).collect();
        module.name("dx.entryPoints", entries);
        module.finish()
    }

    /// A ray generation shader.
    fn generation(self) -> Vec<u8> {
        self.finish((RAY_GENERATION, 1), None, None)
    }

    /// A function for calls with a pointer to a structure, which `parameters` precede.
    fn declare(&mut self, name: &str, ret: Type, parameters: &[Type], pointer: Type) -> Value {
        let ty = self.module.signature(ret, &[parameters, &[pointer]].concat());
        self.module.declare(&format!("dx.op.{name}"), ty)
    }

    fn call_shader(&mut self, function: Value, parameter: Value) {
        let (opcode, zero) = (self.module.int(159), self.module.int(0));
        self.body.call_void(function, &[opcode, zero, parameter]);
    }

    /// A variable of a type.
    fn variable(&mut self, ty: Type) -> Value {
        let (pointer, one) = (self.module.pointer(ty), self.module.int(1));
        self.body.variable(pointer, one)
    }

    /// The address of a member of a structure.
    fn member(&mut self, ty: Type, base: Value, path: &[u32]) -> Value {
        let path: Vec<Operand> = [0].iter().chain(path).map(|&member| self.module.int(member).into()).collect();
        self.body.value(43, [vec![1.into(), ty.into(), base.into()], path].concat())
    }
}

/// A structure of so many numbers.
fn numbers(module: &mut Composer, name: &str, count: usize) -> Type {
    module.structure(&format!("struct.{name}"), &vec![I32; count])
}

fn own_parameters(n: usize) -> Vec<u8> {
    let mut shader = Shader::new(|_| Vec::new());
    let ty = numbers(&mut shader.module, "P", 4);
    let pointer = shader.module.pointer(ty);
    let call = shader.declare("callShader.struct.P", VOID, &[I32, I32], pointer);
    for _ in 0..n {
        let variable = shader.variable(ty);
        let first = shader.member(ty, variable, &[0]);
        shader.body.store(first, shader.input);
        shader.call_shader(call, variable);
    }
    shader.body.ret(None);
    shader.generation()
}

fn one_parameter(n: usize) -> Vec<u8> {
    let mut shader = Shader::new(|_| Vec::new());
    let ty = numbers(&mut shader.module, "P", 1_000);
    let pointer = shader.module.pointer(ty);
    let call = shader.declare("callShader.struct.P", VOID, &[I32, I32], pointer);
    let variable = shader.variable(ty);
    for _ in 0..n {
        let first = shader.member(ty, variable, &[0]);
        shader.body.store(first, shader.input);
        shader.call_shader(call, variable);
    }
    shader.body.ret(None);
    shader.generation()
}

/// Calls that take a part of a variable, or a variable of which a cast gives another type. A copy
/// of many numbers is passed.
fn copied_parameter(n: usize, cast: bool) -> Vec<u8> {
    let mut shader = Shader::new(|_| Vec::new());
    let ty = numbers(&mut shader.module, "P", 500);
    let pointer = shader.module.pointer(ty);
    let call = shader.declare("callShader.struct.P", VOID, &[I32, I32], pointer);
    let parameter = if cast {
        let variable = shader.variable(ty);
        let half = shader.module.ty(7, &[16]);
        let halves = shader.module.pointer(half);
        let other = shader.body.value(3, vec![variable.into(), halves.into(), 11.into()]);
        let loaded = shader.body.value(20, vec![other.into(), half.into(), 0.into(), 0.into()]);
        shader.body.store(other, loaded);
        variable
    } else {
        let outer = shader.module.structure("struct.Q", &[ty, ty]);
        let variable = shader.variable(outer);
        shader.member(outer, variable, &[1])
    };
    for _ in 0..n {
        shader.call_shader(call, parameter);
    }
    shader.body.ret(None);
    shader.generation()
}

/// Calls, each with a part of another type.
fn types_of_parameters(n: usize) -> Vec<u8> {
    let mut shader = Shader::new(|_| Vec::new());
    for i in 0..n {
        let name = format!("P{i}");
        let ty = numbers(&mut shader.module, &name, 2 + i % 8);
        let outer = shader.module.structure(&format!("struct.Q{i}"), &[ty, ty]);
        let pointer = shader.module.pointer(ty);
        let call = shader.declare(&format!("callShader.struct.{name}"), VOID, &[I32, I32], pointer);
        let variable = shader.variable(outer);
        let part = shader.member(outer, variable, &[1]);
        shader.call_shader(call, part);
    }
    shader.body.ret(None);
    shader.generation()
}

/// Rays in one acceleration structure, with one payload.
fn rays(n: usize) -> Vec<u8> {
    let mut shader = Shader::new(|_| Vec::new());
    let ty = numbers(&mut shader.module, "P", 4);
    let pointer = shader.module.pointer(ty);
    let module = &mut shader.module;
    let handle = module.handle();
    let create = module.signature(handle, &[I32, I8, I32, I32, I1]);
    let create = module.declare("dx.op.createHandle", create);
    let parameters = [&[I32, handle][..], &[I32; 5], &[FLOAT; 8]].concat();
    let trace = shader.declare("traceRay.struct.P", VOID, &parameters, pointer);
    let variable = shader.variable(ty);
    let module = &mut shader.module;
    let (opcode, class, zero, uniform) = (module.int(57), module.integer(I8, 0), module.int(0), module.integer(I1, 0));
    let (traced, number) = (module.int(157), module.constant(FLOAT, 6, vec![0x3f80_0000.into()]));
    let scene = shader.body.call(create, &[opcode, class, zero, zero, uniform]);
    let arguments = [&[traced, scene][..], &[zero; 5], &[number; 8], &[variable]].concat();
    for _ in 0..n {
        shader.body.call_void(trace, &arguments);
    }
    shader.body.ret(None);
    let module = &mut shader.module;
    let symbol = module.pointer(handle);
    let undef = module.undef(symbol);
    let (symbol, name) = (module.metadata_value(symbol, undef), module.string(b"scene"));
    let [zero, one, kind] = [0, 1, 16].map(|number| Some(module.number(number)));
    let record = module.node(&[zero, Some(symbol), Some(name), zero, zero, one, kind, zero, None]);
    let list = module.node(&[Some(record)]);
    let resources = module.node(&[Some(list), None, None, None]);
    module.name("dx.resources", vec![resources]);
    shader.finish((RAY_GENERATION, 1), None, Some(resources))
}

/// Hits with attributes of their own.
fn hits(n: usize) -> Vec<u8> {
    let mut shader = Shader::new(|_| Vec::new());
    let ty = numbers(&mut shader.module, "A", 2);
    let pointer = shader.module.pointer(ty);
    let report = shader.declare("reportHit.struct.A", I1, &[I32, FLOAT, I32], pointer);
    let (opcode, zero) = (shader.module.int(158), shader.module.int(0));
    let t = shader.module.constant(FLOAT, 6, vec![0x3f80_0000.into()]);
    for _ in 0..n {
        let variable = shader.variable(ty);
        let first = shader.member(ty, variable, &[0]);
        shader.body.store(first, shader.input);
        shader.body.call(report, &[opcode, t, zero, variable]);
    }
    shader.body.ret(None);
    shader.finish((INTERSECTION, 1), None, None)
}

/// A miss shader whose payload of many numbers is reached through a cast, with many returns.
fn returns(n: usize) -> Vec<u8> {
    let mut shader = Shader::new(|module| {
        let ty = numbers(module, "P", 500);
        vec![module.pointer(ty)]
    });
    let half = shader.module.ty(7, &[16]);
    let halves = shader.module.pointer(half);
    let other = shader.body.value(3, vec![Value::Local(0).into(), halves.into(), 11.into()]);
    let loaded = shader.body.value(20, vec![other.into(), half.into(), 0.into(), 0.into()]);
    shader.body.store(other, loaded);
    let cases: Vec<_> = (0..n as u32).map(|i| (shader.module.int(i), u64::from(i) + 1)).collect();
    shader.body.switch(shader.input, 1, &cases);
    for _ in 0..n {
        shader.body.store(shader.sink, shader.input);
        shader.body.ret(None);
    }
    shader.finish((MISS, 1), Some(2_000), None)
}

/// Miss shaders with one function, which has a payload and many calls.
fn payload_entries(n: usize, calls: usize) -> Vec<u8> {
    let mut ty = VOID;
    let mut shader = Shader::new(|module| {
        ty = numbers(module, "P", 4);
        vec![module.pointer(ty)]
    });
    let pointer = shader.module.pointer(ty);
    let call = shader.declare("callShader.struct.P", VOID, &[I32, I32], pointer);
    let variable = shader.variable(ty);
    for _ in 0..calls {
        shader.call_shader(call, variable);
    }
    shader.body.ret(None);
    shader.finish((MISS, n), Some(16), None)
}

/// A mesh shader that stores to outputs of vertices, each with an index of its own, which so many
/// operations compute.
fn vertices(n: usize, operations: usize) -> Vec<u8> {
    let mut module = Composer::new("ms");
    let thread = module.signature(I32, &[I32, I32]);
    let thread = module.declare("dx.op.threadId.i32", thread);
    let store = module.signature(VOID, &[I32, I32, I32, I8, FLOAT, I32]);
    let store = module.declare("dx.op.storeVertexOutput.f32", store);
    let main = module.signature(VOID, &[]);
    let (opcode, zero, column) = (module.int(93), module.int(0), module.integer(I8, 0));
    let (function, mut body) = module.define("main", main, 0);
    let input = body.call(thread, &[opcode, zero]);
    let stores = module.int(171);
    let value = module.constant(FLOAT, 6, vec![0x3f80_0000.into()]);
    let mask = module.int(3);
    let mut index = body.binary(10, input, mask);
    for i in 0..n {
        let number = module.int(i as u32);
        index = body.binary(if operations == 0 { 12 } else { 0 }, index, number);
        for _ in 0..operations {
            index = body.binary(11, index, index);
        }
        body.call_void(store, &[stores, zero, zero, column, value, index]);
    }
    body.ret(None);
    module.body(body);
    let name = module.string(b"T");
    let [none, float, one, interpolation] = [0, 9, 1, 2].map(|number| Some(module.number(number)));
    let rows = module.node(&[none]);
    let element = [none, Some(name), float, none, Some(rows), interpolation, one, one, none, none, None];
    let element = module.node(&element);
    let outputs = module.node(&[Some(element)]);
    let signatures = module.node(&[None, Some(outputs), None]);
    let [tag, threads, most, triangle] = [9, 32, 64, 2].map(|number| Some(module.number(number)));
    let threads = module.node(&[threads, one, one]);
    let state = module.node(&[Some(threads), most, most, triangle, none]);
    let properties = module.node(&[tag, Some(state)]);
    let entry = module.entry(function, "main", Some(signatures), None, Some(properties));
    module.name("dx.entryPoints", vec![entry]);
    module.finish()
}

/// An amplification shader with many ends, of which each sends a payload.
fn dispatches(n: usize) -> Vec<u8> {
    let mut module = Composer::new("as");
    let payload = numbers(&mut module, "P", 1_000);
    let pointer = module.ty(8, &[payload, 3]);
    let sent = module.global(payload, 3);
    let thread = module.signature(I32, &[I32, I32]);
    let thread = module.declare("dx.op.threadId.i32", thread);
    let dispatch = module.signature(VOID, &[I32, I32, I32, I32, pointer]);
    let dispatch = module.declare("dx.op.dispatchMesh.struct.P", dispatch);
    let main = module.signature(VOID, &[]);
    let (opcode, dispatches, zero) = (module.int(93), module.int(173), module.int(0));
    let (function, mut body) = module.define("main", main, 0);
    let input = body.call(thread, &[opcode, zero]);
    let cases: Vec<_> = (0..n as u32).map(|i| (module.int(i), u64::from(i) + 1)).collect();
    body.switch(input, 1, &cases);
    for &(number, _) in &cases {
        body.call_void(dispatch, &[dispatches, number, number, number, sent]);
        body.ret(None);
    }
    module.body(body);
    let [tag, threads, one, bytes] = [10, 32, 1, 4_000].map(|number| Some(module.number(number)));
    let threads = module.node(&[threads, one, one]);
    let state = module.node(&[Some(threads), bytes]);
    let properties = module.node(&[tag, Some(state)]);
    let entry = module.entry(function, "main", None, None, Some(properties));
    module.name("dx.entryPoints", vec![entry]);
    module.finish()
}

/// Operations among the lanes of a set, each with the result of the one before.
fn sets_of_lanes(n: usize) -> Vec<u8> {
    kernel(|k| {
        let ty = k.module.signature(I32, &[I32, I32, I32, I32, I32, I32, I8, I8]);
        let function = k.module.declare("dx.op.waveMultiPrefixOp.i32", ty);
        let (opcode, zero) = (k.module.int(166), k.module.integer(I8, 0));
        let mut value = k.input;
        for _ in 0..n {
            value = k.body.call(function, &[opcode, value, k.input, k.input, k.input, k.input, zero, zero]);
        }
        k.keep(value);
        k.body.ret(None);
    })
}
