//! Families of signature elements.

use dxil_translator::{Error, MeshOutput, Options, Shader};

use super::family::{Family, Kernel, limited, linear};
use crate::compose::{Composer, FLOAT, I8, I32, Node, VOID, Value};
use crate::pipeline;

pub(super) const FAMILIES: &[Family] = &[
    limited("signature elements that are read", 100, read_elements),
    linear("index lists of signature elements", 30, shared_indices),
    linear("names of signature elements", 100, |n| long_names(n, 16 * n)),
    linear("stores to outputs of a mesh shader", 500, stores),
    linear("blocks that start mesh shaders", 2_000, dispatches),
    linear("bounds of one number", 10_000, bounds),
    Family { run: mesh_outputs, ..linear("rows of the outputs of a mesh shader", 100, rows) },
    Family { run: after_a_mesh_shader, ..linear("pixel shaders after a mesh shader", 100, pixel_shaders) },
];

/// An element of a signature that is not packed.
fn element(module: &mut Composer, id: u32, name: Node, indices: Node) -> Node {
    let [id, float, none, linear, one, four] = [id, 9, 0, 2, 1, 4].map(|number| Some(module.number(number)));
    let unpacked = Some(module.number(u32::MAX));
    let zero = Some(module.number(0));
    let name = Some(name);
    module.node(&[id, name, float, none, Some(indices), linear, one, four, unpacked, zero, None])
}

/// A list of signatures with `n` inputs.
pub(super) fn signature(module: &mut Composer, n: usize) -> Node {
    let (name, zero) = (module.string(b"TEXCOORD"), module.number(0));
    let indices = module.node(&[Some(zero)]);
    let elements: Vec<_> = (0..n).map(|id| Some(element(module, id as u32, name, indices))).collect();
    let list = module.node(&elements);
    module.node(&[Some(list), None, None])
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

/// A pixel shader that reads one component of each input. The inputs are too many to be packed.
fn read_elements(n: usize) -> Vec<u8> {
    let all = 0..n as u32;
    reads(all.clone(), all.map(|id| (id, id)), 4)
}

/// A pixel shader that reads one component of each of these inputs. `elements` has the number and
/// the row of each input, and `columns` is the number of components of each.
pub(super) fn reads(
    inputs_read: impl Iterator<Item = u32>,
    elements: impl Iterator<Item = (u32, u32)>,
    columns: u32,
) -> Vec<u8> {
    let mut module = Composer::new("ps");
    let (function, signatures) = reader(&mut module, inputs_read, elements, columns);
    let entry = module.entry(function, "main", Some(signatures), None, None);
    module.name("dx.entryPoints", vec![entry]);
    module.finish()
}

/// The function of such a pixel shader, and its signatures.
fn reader(
    module: &mut Composer,
    inputs_read: impl Iterator<Item = u32>,
    elements: impl Iterator<Item = (u32, u32)>,
    columns: u32,
) -> (Value, Node) {
    let load = module.signature(FLOAT, &[I32, I32, I32, I8, I32]);
    let load = module.declare("dx.op.loadInput.f32", load);
    let store = module.signature(VOID, &[I32, I32, I32, I8, FLOAT]);
    let store = module.declare("dx.op.storeOutput.f32", store);
    let main = module.signature(VOID, &[]);
    let (read, write, zero, column) = (module.int(4), module.int(5), module.int(0), module.integer(I8, 0));
    let undef = module.undef(I32);
    let (function, mut body) = module.define("main", main, 0);
    for id in inputs_read {
        let id = module.int(id);
        let value = body.call(load, &[read, id, zero, column, undef]);
        body.call_void(store, &[write, zero, zero, column, value]);
    }
    body.ret(None);
    module.body(body);
    let (texcoord, target) = (module.string(b"TEXCOORD"), module.string(b"SV_Target"));
    let mut inputs = Vec::new();
    for (id, row) in elements {
        let index = module.number(row);
        let indices = module.node(&[Some(index)]);
        let [id, float, none, linear, one, columns, row, zero] =
            [id, 9, 0, 2, 1, columns, row, 0].map(|number| Some(module.number(number)));
        let element = [id, Some(texcoord), float, none, Some(indices), linear, one, columns, row, zero, None];
        inputs.push(Some(module.node(&element)));
    }
    let [zero, float, kind, one] = [0, 9, 16, 1].map(|number| Some(module.number(number)));
    let indices = module.node(&[zero]);
    let output = module.node(&[zero, Some(target), float, kind, Some(indices), zero, one, one, zero, zero, None]);
    let (inputs, outputs) = (module.node(&inputs), module.node(&[Some(output)]));
    (function, module.node(&[Some(inputs), Some(outputs), None]))
}

/// A library of pixel shaders, each of which reads one input.
fn pixel_shaders(n: usize) -> Vec<u8> {
    let mut module = Composer::new("lib");
    let (function, signatures) = reader(&mut module, std::iter::once(0), std::iter::once((0, 0)), 4);
    let [kind, pixel] = [8, 0].map(|number| Some(module.number(number)));
    let properties = module.node(&[kind, pixel]);
    let entry = |i| module.entry(function, &format!("e{i}"), Some(signatures), None, Some(properties));
    let entries = (0..n).map(entry).collect();
    module.name("dx.entryPoints", entries);
    module.finish()
}

/// Translates pixel shaders to one module, for a mesh shader whose outputs have names as long as
/// the pixel shaders are many.
fn after_a_mesh_shader(input: &[u8], options: &Options) -> Result<usize, Error> {
    let length = 4 * Shader::parse(input)?.entries().len();
    let name = |n: u32| if n == 0 { "TEXCOORD".to_owned() } else { format!("{n:0length$}") };
    let output = |n| {
        let mut output = MeshOutput::new(&name(n), 0, 4, false);
        output.location = Some((n, 0));
        output
    };
    let mut options = options.clone();
    options.pipeline.mesh_outputs = Some((0..256).map(output).collect());
    pipeline::all_entries(input, &options).map(|words| words.len())
}

/// A mesh shader that stores to its outputs: each time one component, of another vertex or element.
fn stores(n: usize) -> Vec<u8> {
    let mut module = Composer::new("ms");
    let count = module.signature(VOID, &[I32, I32, I32]);
    let count = module.declare("dx.op.setMeshOutputCounts", count);
    let store = module.signature(VOID, &[I32, I32, I32, I8, FLOAT, I32]);
    let store = module.declare("dx.op.storeVertexOutput.f32", store);
    let main = module.signature(VOID, &[]);
    let (counts, write, zero, column) = (module.int(168), module.int(171), module.int(0), module.integer(I8, 0));
    let (vertices, one) = (module.int(64), module.int(1));
    let value = module.constant(FLOAT, 6, vec![u64::from(0.5f32.to_bits()).into()]);
    let (function, mut body) = module.define("main", main, 0);
    body.call_void(count, &[counts, vertices, one]);
    for i in 0..n as u32 {
        let (element, vertex) = (module.int(i / 64 % 24), module.int(i % 64));
        body.call_void(store, &[write, element, zero, column, value, vertex]);
    }
    body.ret(None);
    module.body(body);
    let name = module.string(b"A");
    let mut outputs = Vec::new();
    for id in 0..24 {
        let index = module.number(id);
        let indices = module.node(&[Some(index)]);
        let [id, float, none, linear, one, four, zero] = [id, 9, 0, 2, 1, 4, 0].map(|n| Some(module.number(n)));
        let element = [id, Some(name), float, none, Some(indices), linear, one, four, id, zero, None];
        outputs.push(Some(module.node(&element)));
    }
    let outputs = module.node(&outputs);
    let signatures = module.node(&[None, Some(outputs), None]);
    let properties = mesh(&mut module);
    let entry = module.entry(function, "main", Some(signatures), None, Some(properties));
    module.name("dx.entryPoints", vec![entry]);
    module.finish()
}

/// A mesh shader with outputs of so many rows, all of which have one long name.
fn rows(n: usize) -> Vec<u8> {
    let mut module = Composer::new("ms");
    let main = module.signature(VOID, &[]);
    let (function, mut body) = module.define("main", main, 0);
    body.ret(None);
    module.body(body);
    let name = Some(module.string(&[b'A'; 16_000]));
    let mut outputs = Vec::new();
    for id in 0..60 {
        let numbers: Vec<_> = (0..n as u32).map(|row| Some(module.number(row))).collect();
        let indices = module.node(&numbers);
        let [id, float, none, linear, rows, four, unpacked, zero] =
            [id, 9, 0, 2, n as u32, 4, u32::MAX, 0].map(|number| Some(module.number(number)));
        let element = [id, name, float, none, Some(indices), linear, rows, four, unpacked, zero, None];
        outputs.push(Some(module.node(&element)));
    }
    let outputs = module.node(&outputs);
    let signatures = module.node(&[None, Some(outputs), None]);
    let properties = mesh(&mut module);
    let entry = module.entry(function, "main", Some(signatures), None, Some(properties));
    module.name("dx.entryPoints", vec![entry]);
    module.finish()
}

/// The properties of a mesh shader.
fn mesh(module: &mut Composer) -> Node {
    let [tag, one, vertices, triangles, none] = [9, 1, 64, 2, 0].map(|number| Some(module.number(number)));
    let threads = module.node(&[one; 3]);
    let state = module.node(&[Some(threads), vertices, one, triangles, none]);
    module.node(&[tag, Some(state)])
}

/// The number of rows of a mesh shader's outputs that a pixel shader is matched with.
fn mesh_outputs(input: &[u8], _: &Options) -> Result<usize, Error> {
    let shader = Shader::parse(input)?;
    let mut outputs = shader.entries().filter_map(|(entry, _)| shader.mesh_outputs(entry));
    Ok(outputs.next().map_or(0, |outputs| outputs.len()))
}

/// A mesh shader that sets the counts of its outputs over and over, to a number that takes many
/// operations to bound.
fn bounds(n: usize) -> Vec<u8> {
    let mut module = Composer::new("ms");
    let count = module.signature(VOID, &[I32, I32, I32]);
    let count = module.declare("dx.op.setMeshOutputCounts", count);
    let thread = module.signature(I32, &[I32]);
    let thread = module.declare("dx.op.flattenedThreadIdInGroup.i32", thread);
    let main = module.signature(VOID, &[]);
    let (counts, thread_id) = (module.int(168), module.int(96));
    let (function, mut body) = module.define("main", main, 0);
    let mut value = body.call(thread, &[thread_id]);
    for _ in 0..5 {
        value = body.binary(11, value, value);
    }
    for _ in 0..n {
        body.call_void(count, &[counts, value, value]);
    }
    body.ret(None);
    module.body(body);
    let properties = mesh(&mut module);
    let entry = module.entry(function, "main", None, None, Some(properties));
    module.name("dx.entryPoints", vec![entry]);
    module.finish()
}

/// An amplification shader with blocks that start mesh shaders and return.
fn dispatches(n: usize) -> Vec<u8> {
    let mut module = Composer::new("as");
    let payload = module.structure("Payload", &[I32]);
    let pointer = module.ty(8, &[payload, 3]);
    let variable = module.global(payload, 3);
    let dispatch = module.signature(VOID, &[I32, I32, I32, I32, pointer]);
    let dispatch = module.declare("dx.op.dispatchMesh.struct.Payload", dispatch);
    let thread = module.signature(I32, &[I32, I32]);
    let thread = module.declare("dx.op.threadId.i32", thread);
    let main = module.signature(VOID, &[]);
    let (opcode, thread_id, zero, one) = (module.int(173), module.int(93), module.int(0), module.int(1));
    let (function, mut body) = module.define("main", main, 0);
    let on = body.call(thread, &[thread_id, zero]);
    let cases: Vec<_> = (1..n as u32).map(|i| (module.int(i), 1 + u64::from(i))).collect();
    body.switch(on, 1, &cases);
    for i in 0..n as u32 {
        let groups = module.int(i);
        body.call_void(dispatch, &[opcode, groups, one, one, variable]);
        body.ret(None);
    }
    module.body(body);
    let [tag, one, bytes] = [10, 1, 4].map(|number| Some(module.number(number)));
    let threads = module.node(&[one; 3]);
    let state = module.node(&[Some(threads), bytes]);
    let properties = module.node(&[tag, Some(state)]);
    let entry = module.entry(function, "main", None, None, Some(properties));
    module.name("dx.entryPoints", vec![entry]);
    module.finish()
}
