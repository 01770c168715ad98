//! Families of resources and handles.

use dxil_translator::{BindingPlan, Error, Options, Shader, translate};

use super::family::{Family, Kernel, limited, linear};
use crate::compose::{I1, I8, I32, Node, VOID, Value};

pub(super) const FAMILIES: &[Family] = &[
    linear("names of resources", 100, |n| resources(n, 16 * n)),
    linear("resources", 500, |n| resources(n, 8)),
    limited("tags of resources", 100, tagged),
    linear("phis of handles", 250, handle_phis),
    linear("loads of members of elements", 1_000, element_loads),
    linear("handles of one load", 500, loaded_handles),
    limited("choices between handles in rounds", 100, handle_rounds),
    linear("choices between handles by long conditions", 250, long_conditions),
    Family { run: at_an_address, ..linear("loads of root constants at an address", 250, constant_loads) },
];

/// Writable byte-address buffers, and what a body needs to store to them.
struct Buffers {
    kernel: Kernel,
    create: Value,
    store: Value,
    handle: u64,
    /// The variable of all resources, if there is one.
    symbol: Option<Value>,
}

impl Buffers {
    fn new() -> Self {
        Self::from_kernel(Kernel::new("cs"))
    }

    fn from_kernel(mut kernel: Kernel) -> Self {
        let handle = kernel.module.handle();
        let create = kernel.module.signature(handle, &[I32, I8, I32, I32, I1]);
        let create = kernel.module.declare("dx.op.createHandle", create);
        let store = kernel.module.signature(VOID, &[I32, handle, I32, I32, I32, I32, I32, I32, I8]);
        let store = kernel.module.declare("dx.op.bufferStore.i32", store);
        Self { kernel, create, store, handle, symbol: None }
    }

    /// The handle of a register of a resource.
    fn handle(&mut self, resource: u32, register: u32) -> Value {
        let module = &mut self.kernel.module;
        let (opcode, uav, uniform) = (module.int(57), module.integer(I8, 1), module.integer(I1, 0));
        let (resource, register) = (module.int(resource), module.int(register));
        self.kernel.body.call(self.create, &[opcode, uav, resource, register, uniform])
    }

    fn store(&mut self, handle: Value) {
        let module = &mut self.kernel.module;
        let (opcode, zero, mask) = (module.int(69), module.int(0), module.integer(I8, 1));
        let undef = module.undef(I32);
        let input = self.kernel.input;
        self.kernel.body.call_void(self.store, &[opcode, handle, zero, undef, input, undef, undef, undef, mask]);
    }

    /// Ends the body. A resource has its first register and its number of registers.
    fn finish(self, name: &[u8], resources: impl Iterator<Item = (u32, u32)>) -> Vec<u8> {
        self.finish_tagged(name, resources, 0)
    }

    /// The same with one list of so many tags that DXIL does not have.
    fn finish_tagged(mut self, name: &[u8], resources: impl Iterator<Item = (u32, u32)>, tags: usize) -> Vec<u8> {
        let tag = Some(self.kernel.module.number(1_000));
        let tags = (tags > 0).then(|| self.kernel.module.node(&vec![tag; 2 * tags]));
        self.finish_kind(name, resources, (11, tags))
    }

    /// The same with a kind of resource, and tags.
    fn finish_kind(
        self,
        name: &[u8],
        resources: impl Iterator<Item = (u32, u32)>,
        kind: (u32, Option<Node>),
    ) -> Vec<u8> {
        let (kernel, resources) = self.kernel_with(name, resources, kind);
        kernel.with_resources(Some(resources))
    }

    /// The kernel with its body at an end, and the list of its resources.
    fn kernel_with(
        mut self,
        name: &[u8],
        resources: impl Iterator<Item = (u32, u32)>,
        (kind, tags): (u32, Option<Node>),
    ) -> (Kernel, Node) {
        self.kernel.body.ret(None);
        let module = &mut self.kernel.module;
        let name = module.string(name);
        let pointer = module.pointer(self.handle);
        let symbol = self.symbol.unwrap_or_else(|| module.undef(pointer));
        let symbol = module.metadata_value(pointer, symbol);
        let mut records = Vec::new();
        for (id, (register, count)) in (0..).zip(resources) {
            let [id, zero, register, count, kind] =
                [id, 0, register, count, kind].map(|number| Some(module.number(number)));
            let operands = [id, Some(symbol), Some(name), zero, register, count, kind, zero, zero, zero, tags];
            records.push(Some(module.node(&operands)));
        }
        let list = module.node(&records);
        let resources = module.node(&[None, Some(list), None, None]);
        module.name("dx.resources", vec![resources]);
        (self.kernel, resources)
    }
}

/// Resources that share one name of this many bytes. Each is written to.
pub fn resources(n: usize, name: usize) -> Vec<u8> {
    let mut buffers = Buffers::new();
    for i in 0..n as u32 {
        let handle = buffers.handle(i, i);
        buffers.store(handle);
    }
    buffers.finish(&vec![b'R'; name], (0..n as u32).map(|i| (i, 1)))
}

/// Resources of a ray-generation shader. Each is written to.
pub fn ray_resources(n: usize) -> Vec<u8> {
    let mut buffers = Buffers::from_kernel(Kernel::new("lib"));
    for i in 0..n as u32 {
        let handle = buffers.handle(i, i);
        buffers.store(handle);
    }
    let (mut kernel, resources) = buffers.kernel_with(b"R", (0..n as u32).map(|i| (i, 1)), (11, None));
    let [kind, ray_generation] = [8, 7].map(|number| Some(kernel.module.number(number)));
    let properties = kernel.module.node(&[kind, ray_generation]);
    kernel.with_properties(Some(resources), properties)
}

/// Resources that share one list of as many tags. One is written to.
fn tagged(n: usize) -> Vec<u8> {
    let mut buffers = Buffers::new();
    let handle = buffers.handle(0, 0);
    buffers.store(handle);
    buffers.finish_tagged(b"R", (0..n as u32).map(|i| (i, 1)), n)
}

/// Resources with one register and one long name. No binding model can distinguish them.
pub fn overlapping(n: usize) -> Vec<u8> {
    let mut buffers = Buffers::new();
    for i in 0..n as u32 {
        let handle = buffers.handle(i, 0);
        buffers.store(handle);
    }
    buffers.finish(&vec![b'R'; (16 * n).min(16_000)], (0..n).map(|_| (0, 1)))
}

/// One join with phis of the handles of an array of resources.
fn handle_phis(n: usize) -> Vec<u8> {
    let mut buffers = Buffers::new();
    let handles: Vec<Value> = (0..=n as u32).map(|i| buffers.handle(0, i)).collect();
    let condition = buffers.kernel.condition(1);
    buffers.kernel.body.branch(condition, 1, 2);
    buffers.kernel.body.jump(2);
    let pairs = handles.windows(2).map(|pair| [(pair[0], 0), (pair[1], 1)]);
    let phis: Vec<Value> = pairs.map(|pair| buffers.kernel.body.phi(buffers.handle, &pair)).collect();
    phis.into_iter().for_each(|phi| buffers.store(phi));
    buffers.finish(b"R", std::iter::once((0, n as u32 + 1)))
}

/// Loads from a structured buffer whose elements have 512 members. Of most of them nothing is used.
fn element_loads(n: usize) -> Vec<u8> {
    const STRIDE: u32 = 2048;
    let mut buffers = Buffers::new();
    let handle = buffers.handle(0, 0);
    let k = &mut buffers.kernel;
    let loaded = k.module.structure("dx.types.ResRet.i32", &[I32; 5]);
    let load = k.module.signature(loaded, &[I32, buffers.handle, I32, I32]);
    let load = k.module.declare("dx.op.bufferLoad.i32", load);
    let opcode = k.module.int(68);
    for i in 0..n as u32 {
        let offset = k.module.int(4 * i % STRIDE);
        let number = k.body.call(load, &[opcode, handle, k.input, offset]);
        if 4 * i < STRIDE {
            let number = k.body.value(26, vec![number.into(), 0.into()]);
            k.keep(number);
        }
    }
    let [tag, stride] = [1, STRIDE].map(|number| Some(buffers.kernel.module.number(number)));
    let tags = buffers.kernel.module.node(&[tag, stride]);
    buffers.finish_kind(b"R", std::iter::once((0, 1)), (12, Some(tags)))
}

/// A chain of choices, of which the next one can be replaced only after the one before, and phis of
/// as many of its handles as a switch has cases.
fn handle_rounds(n: usize) -> Vec<u8> {
    const ROUNDS: usize = 14;
    let mut buffers = Buffers::new();
    let handles = [0, 1].map(|register| buffers.handle(0, register));
    let (handle, k) = (buffers.handle, &mut buffers.kernel);
    let properties_ty = k.module.structure("dx.types.ResourceProperties", &[I32, I32]);
    // A writable byte-address buffer (DXIL.rst, "ResourceProperties").
    let fields = [0x100b, 0].map(|number| k.module.int(number).into());
    let properties = k.module.constant(properties_ty, 7, fields.to_vec());
    let annotate = k.module.signature(handle, &[I32, handle, properties_ty]);
    let annotate = k.module.declare("dx.op.annotateHandle", annotate);
    let (opcode, condition) = (k.module.int(216), k.condition(1));
    let mut chosen = handles;
    for _ in 0..ROUNDS {
        let choice = k.body.select(condition, chosen[0], chosen[1]);
        chosen = [(); 2].map(|()| k.body.call(annotate, &[opcode, choice, properties]));
    }
    k.body.branch(condition, 1, 2);
    let labels: Vec<(Value, u64)> = (0..n).map(|i| (k.module.int(i as u32), 3)).collect();
    k.body.switch(k.input, 3, &labels);
    k.body.switch(k.input, 3, &labels);
    let incoming: Vec<(Value, u64)> =
        (0..2 * (n + 1)).map(|i| if i <= n { (chosen[0], 1) } else { (chosen[1], 2) }).collect();
    let phis = [(); 8].map(|()| k.body.phi(handle, &incoming));
    phis.into_iter().for_each(|phi| buffers.store(phi));
    buffers.finish(b"R", std::iter::once((0, 2)))
}

/// Choices between handles by conditions that sixty additions lead to.
fn long_conditions(n: usize) -> Vec<u8> {
    let mut buffers = Buffers::new();
    let handles = [0, 1].map(|register| buffers.handle(0, register));
    let k = &mut buffers.kernel;
    let ty = k.module.signature(I32, &[I32, I32]);
    let (group_id, opcode, zero) = (k.module.declare("dx.op.groupId.i32", ty), k.module.int(94), k.module.int(0));
    let mut sum = k.body.call(group_id, &[opcode, zero]);
    for _ in 0..60 {
        sum = k.body.binary(0, sum, sum);
    }
    let choices: Vec<Value> = (0..n as u32)
        .map(|i| {
            let number = k.module.int(i);
            let condition = k.body.compare(32, sum, number);
            k.body.select(condition, handles[0], handles[1])
        })
        .collect();
    choices.into_iter().for_each(|choice| buffers.store(choice));
    buffers.finish(b"R", std::iter::once((0, 2)))
}

/// Handles that are made from one load, whose address many operations lead to.
fn loaded_handles(n: usize) -> Vec<u8> {
    let mut buffers = Buffers::new();
    let (handle, k) = (buffers.handle, &mut buffers.kernel);
    let create = k.module.signature(handle, &[I32, handle]);
    let (create, opcode) = (k.module.declare("dx.op.createHandleForLib.dx.types.Handle", create), k.module.int(160));
    let (global, zero) = (k.module.global(handle, 0), k.module.int(0));
    let mut address = global;
    for _ in 0..60 {
        address = k.body.value(43, vec![1.into(), handle.into(), address.into(), zero.into()]);
    }
    let loaded = k.body.value(20, vec![address.into(), handle.into(), 0.into(), 0.into()]);
    let made: Vec<Value> = (0..n).map(|_| k.body.call(create, &[opcode, loaded])).collect();
    made.into_iter().take(4).for_each(|handle| buffers.store(handle));
    buffers.symbol = Some(global);
    buffers.finish(b"R", std::iter::once((0, 1)))
}

/// Loads of constant buffers of one row each.
fn constant_loads(n: usize) -> Vec<u8> {
    let Buffers { mut kernel, create, handle, .. } = Buffers::new();
    let module = &mut kernel.module;
    let loaded = module.structure("dx.types.CBufRet.i32", &[I32; 4]);
    let load = module.signature(loaded, &[I32, handle, I32]);
    let load = module.declare("dx.op.cbufferLoadLegacy.i32", load);
    let (opcode, class, zero, uniform) = (module.int(57), module.integer(I8, 2), module.int(0), module.integer(I1, 0));
    let of_load = module.int(59);
    for i in 0..n as u32 {
        let i = kernel.module.int(i);
        let constants = kernel.body.call(create, &[opcode, class, i, i, uniform]);
        let numbers = kernel.body.call(load, &[of_load, constants, zero]);
        let number = kernel.body.value(26, vec![numbers.into(), 0.into()]);
        kernel.keep(number);
    }
    kernel.body.ret(None);
    let module = &mut kernel.module;
    let pointer = module.pointer(handle);
    let symbol = module.undef(pointer);
    let (symbol, name) = (module.metadata_value(pointer, symbol), module.string(b"C"));
    let [zero, one, size] = [0, 1, 16].map(|number| Some(module.number(number)));
    let mut records = Vec::new();
    for i in 0..n as u32 {
        let i = Some(module.number(i));
        records.push(Some(module.node(&[i, Some(symbol), Some(name), zero, i, one, size, None])));
    }
    let list = module.node(&records);
    let resources = module.node(&[None, None, Some(list), None]);
    module.name("dx.resources", vec![resources]);
    kernel.with_resources(Some(resources))
}

/// Translates a shader whose constant buffers are root constants in one buffer, whose address is a
/// root argument.
fn at_an_address(input: &[u8], options: &Options) -> Result<usize, Error> {
    let shader = Shader::parse(input)?;
    let resources = &shader.program().resources;
    let place =
        |i: usize| format!("\"b{i} space0\".inline_address = {{ address.push = 0, offset = {}, size = 16 }}\n", 16 * i);
    let places: String = (0..resources.len()).map(place).collect();
    let plan = BindingPlan::parse(&("push_constant_size = 8\n[resources]\n".to_owned() + &places), resources)?;
    let Some((entry, _)) = shader.entries().next() else { return Ok(0) };
    translate(&shader, entry, &plan, options).map(|translation| translation.words.len())
}
