//! Makes DXIL modules of any size, for inputs that no compiler writes.
//!
//! In: calls that add types, constants, functions and metadata. Out: bitcode. Values are named
//! before their numbers are known, and [`Composer::finish`] numbers them in LLVM's order: globals,
//! functions, constants, then the values of each body. The record numbers are those of LLVM's
//! LLVMBitCodes.h. The module has version 0, in which operands are absolute numbers of values.

use std::collections::HashMap;

use crate::bitstream::{self, Block, Item, Record};

/// A value of a module or of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// A global variable, by its number among them.
    Global(usize),
    /// A function, by its number among them.
    Function(usize),
    /// A constant, by its number among them.
    Constant(usize),
    /// An argument or result of the body, by its number among them.
    Local(usize),
}

/// An operand of a record: a number, or a value whose number is not known yet.
#[derive(Clone, Copy, Debug)]
pub enum Operand {
    /// A number.
    Number(u64),
    /// A value.
    Value(Value),
}

impl From<u64> for Operand {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

impl From<Value> for Operand {
    fn from(value: Value) -> Self {
        Self::Value(value)
    }
}

/// A type, by its number in the type table.
pub type Type = u64;
/// The type `void`.
pub const VOID: Type = 0;
/// The type `i1`.
pub const I1: Type = 1;
/// The type `i8`.
pub const I8: Type = 2;
/// The type `i32`.
pub const I32: Type = 3;
/// The type `float`.
pub const FLOAT: Type = 4;
/// The type `metadata`.
pub const METADATA: Type = 5;

/// A metadata node or string, by its number.
pub type Node = usize;

const MODULE_BLOCK: u32 = 8;
const ATTRIBUTES_BLOCK: u32 = 9;
const ATTRIBUTE_GROUPS_BLOCK: u32 = 10;
const CONSTANTS_BLOCK: u32 = 11;
const FUNCTION_BLOCK: u32 = 12;
const SYMTAB_BLOCK: u32 = 14;
const METADATA_BLOCK: u32 = 15;
const ATTACHMENT_BLOCK: u32 = 16;
const TYPE_BLOCK: u32 = 17;

type Line = (u64, Vec<Operand>);

/// A body: its records, and the number of values that it has defined.
#[derive(Clone, Debug, Default)]
pub struct Body {
    records: Vec<Line>,
    /// Number of arguments and results so far.
    locals: usize,
    blocks: u64,
    names: Vec<(Value, String)>,
    attachments: Vec<Vec<u64>>,
    items: Vec<Item>,
}

impl Body {
    /// An instruction that defines a value.
    pub fn value(&mut self, code: u64, operands: Vec<Operand>) -> Value {
        self.records.push((code, operands));
        self.locals += 1;
        Value::Local(self.locals - 1)
    }
    /// An instruction that defines no value.
    pub fn act(&mut self, code: u64, operands: Vec<Operand>) {
        self.records.push((code, operands));
    }
    /// A binary operation on integers, by LLVM's number: 0 is addition.
    pub fn binary(&mut self, operation: u64, a: Value, b: Value) -> Value {
        self.value(2, vec![a.into(), b.into(), operation.into()])
    }
    /// A comparison of integers, by LLVM's number: 32 is equality.
    pub fn compare(&mut self, predicate: u64, a: Value, b: Value) -> Value {
        self.value(28, vec![a.into(), b.into(), predicate.into()])
    }
    /// A phi. The incoming values may be defined later.
    pub fn phi(&mut self, ty: Type, incoming: &[(Value, u64)]) -> Value {
        let pairs = incoming.iter().flat_map(|&(value, block)| [value.into(), block.into()]);
        self.value(16, std::iter::once(ty.into()).chain(pairs).collect())
    }
    /// The value that the next instruction defines.
    pub fn next(&self) -> Value {
        Value::Local(self.locals)
    }
    /// The value that an instruction defines which has `ahead` other values before it.
    pub fn ahead(&self, ahead: usize) -> Value {
        Value::Local(self.locals + ahead)
    }
    /// Ends a block with a jump.
    pub fn jump(&mut self, to: u64) {
        self.blocks += 1;
        self.act(11, vec![to.into()]);
    }
    /// Ends a block with a two-way branch.
    pub fn branch(&mut self, condition: Value, then: u64, otherwise: u64) {
        self.blocks += 1;
        self.act(11, vec![then.into(), otherwise.into(), condition.into()]);
    }
    /// Ends a block with a switch on an `i32`.
    pub fn switch(&mut self, on: Value, default: u64, cases: &[(Value, u64)]) {
        self.blocks += 1;
        let pairs = cases.iter().flat_map(|&(label, block)| [label.into(), block.into()]);
        self.act(12, [I32.into(), on.into(), default.into()].into_iter().chain(pairs).collect());
    }
    /// Ends a block with any instruction.
    pub fn end(&mut self, code: u64, operands: Vec<Operand>) {
        self.blocks += 1;
        self.act(code, operands);
    }
    /// Ends a block with a return.
    pub fn ret(&mut self, value: Option<Value>) {
        self.blocks += 1;
        self.act(10, value.into_iter().map(Operand::Value).collect());
    }
    /// A call of a function that returns a value.
    pub fn call(&mut self, function: Value, arguments: &[Value]) -> Value {
        let all = [0.into(), 0.into(), function.into()].into_iter().chain(arguments.iter().map(|&a| a.into()));
        self.value(34, all.collect())
    }
    /// A call of a function that returns nothing.
    pub fn call_void(&mut self, function: Value, arguments: &[Value]) {
        let all = [0.into(), 0.into(), function.into()].into_iter().chain(arguments.iter().map(|&a| a.into()));
        self.act(34, all.collect());
    }
    /// A load of an `i32`.
    pub fn load(&mut self, pointer: Value) -> Value {
        self.value(20, vec![pointer.into(), I32.into(), 0.into(), 0.into()])
    }
    /// A store.
    pub fn store(&mut self, pointer: Value, value: Value) {
        self.act(44, vec![pointer.into(), value.into(), 0.into(), 0.into()]);
    }
    /// A choice between two values by a condition.
    pub fn select(&mut self, condition: Value, then: Value, otherwise: Value) -> Value {
        self.value(29, vec![then.into(), otherwise.into(), condition.into()])
    }
    /// A variable of the function, of the type that `pointer` points to. `one` is an `i32`.
    pub fn variable(&mut self, pointer: Type, one: Value) -> Value {
        self.value(19, vec![pointer.into(), I32.into(), one.into(), 0.into()])
    }
    /// The address of an element of an array.
    pub fn address(&mut self, array: Type, base: Value, zero: Value, index: Value) -> Value {
        self.value(43, vec![1.into(), array.into(), base.into(), zero.into(), index.into()])
    }
    /// Names a value of this function.
    pub fn name(&mut self, value: Value, name: String) {
        self.names.push((value, name));
    }
    /// Attaches metadata of a kind to an instruction.
    pub fn attach(&mut self, instruction: u64, kind: u64, node: Node) {
        self.attachments.push(vec![instruction, kind, node as u64]);
    }
    /// Adds a block or record that comes after the instructions.
    pub fn item(&mut self, item: Item) {
        self.items.push(item);
    }
    /// The number of blocks that have ended.
    pub fn blocks(&self) -> u64 {
        self.blocks
    }
}

#[derive(Debug)]
enum Metadata {
    String(Vec<u8>),
    Value(Type, Value),
    Node(Vec<Option<Node>>),
}

/// A module under construction.
#[derive(Default, Debug)]
pub struct Composer {
    types: Vec<Record>,
    /// The number of records in `types` that name a structure.
    type_names: usize,
    pointers: HashMap<Type, Type>,
    /// Records of globals, without the initial value, which follows.
    globals: Vec<(Vec<u64>, Option<Value>)>,
    /// Items that come before the types.
    items: Vec<Item>,
    functions: Vec<(Type, bool, String)>,
    /// The number of the attribute list that all functions have; 0 for none.
    attributes: u64,
    bodies: Vec<Body>,
    constants: Vec<(Type, u64, Vec<Operand>)>,
    integers: HashMap<(Type, u32), Value>,
    metadata: Vec<Metadata>,
    named: Vec<(String, Vec<Node>)>,
    numbers: HashMap<u32, Node>,
}

impl Composer {
    /// A module of this shader kind (`cs`, `ps`, `lib`, …) with DXIL 1.6.
    pub fn new(kind: &str) -> Self {
        let record = |code, operands: &[u64]| Record { code, operands: operands.to_vec() };
        let types =
            vec![record(2, &[]), record(7, &[1]), record(7, &[8]), record(7, &[32]), record(3, &[]), record(16, &[])];
        let mut composer = Self { types, ..Self::default() };
        let (name, major, minor) = (composer.string(kind.as_bytes()), composer.number(6), composer.number(6));
        let one = composer.number(1);
        let model = composer.node(&[Some(name), Some(major), Some(minor)]);
        let version = composer.node(&[Some(one), Some(minor)]);
        composer.name("dx.version", vec![version]);
        composer.name("dx.shaderModel", vec![model]);
        composer
    }

    /// Adds a type by its record.
    pub fn ty(&mut self, code: u64, operands: &[u64]) -> Type {
        self.types.push(Record { code, operands: operands.to_vec() });
        (self.types.len() - 1 - self.type_names) as u64
    }
    /// A pointer type.
    pub fn pointer(&mut self, to: Type) -> Type {
        if let Some(&known) = self.pointers.get(&to) {
            return known;
        }
        let made = self.ty(8, &[to, 0]);
        self.pointers.insert(to, made);
        made
    }
    /// A structure type with a name.
    pub fn structure(&mut self, name: &str, fields: &[Type]) -> Type {
        self.types.push(Record { code: 19, operands: name.bytes().map(u64::from).collect() });
        self.type_names += 1;
        let operands: Vec<u64> = std::iter::once(0).chain(fields.iter().copied()).collect();
        self.ty(20, &operands)
    }
    /// An array type.
    pub fn array(&mut self, len: u64, of: Type) -> Type {
        self.ty(11, &[len, of])
    }
    /// A function type.
    pub fn signature(&mut self, ret: Type, params: &[Type]) -> Type {
        let operands: Vec<u64> = [0, ret].into_iter().chain(params.iter().copied()).collect();
        self.ty(21, &operands)
    }
    /// A global variable of a type and address space, without an initial value.
    pub fn global(&mut self, ty: Type, address_space: u64) -> Value {
        self.globals.push((vec![ty, address_space << 2 | 2, 0, 3, 0, 0], None));
        Value::Global(self.globals.len() - 1)
    }
    /// A constant global variable of a type, with its value.
    pub fn table(&mut self, ty: Type, value: Value) -> Value {
        self.globals.push((vec![ty, 3, 0, 3, 0, 0], Some(value)));
        Value::Global(self.globals.len() - 1)
    }
    /// Adds a record or block that comes before the types.
    pub fn item(&mut self, item: Item) {
        self.items.push(item);
    }
    /// Gives all functions one attribute list. The groups of attributes are records of their block.
    pub fn attributes(&mut self, groups: Vec<Item>) {
        let all: Vec<u64> = (1..=groups.len() as u64).collect();
        self.item(Item::Block(Block { id: ATTRIBUTE_GROUPS_BLOCK, items: groups }));
        let list = Item::from(Record { code: 2, operands: all });
        self.item(Item::Block(Block { id: ATTRIBUTES_BLOCK, items: vec![list] }));
        self.attributes = 1;
    }
    /// A function without a body.
    pub fn declare(&mut self, name: &str, ty: Type) -> Value {
        self.functions.push((ty, true, name.to_owned()));
        Value::Function(self.functions.len() - 1)
    }
    /// A function with a body.
    pub fn define(&mut self, name: &str, ty: Type, params: usize) -> (Value, Body) {
        self.functions.push((ty, false, name.to_owned()));
        (Value::Function(self.functions.len() - 1), Body { locals: params, ..Body::default() })
    }
    /// Adds a finished body. Bodies come in the order in which their functions were defined.
    pub fn body(&mut self, body: Body) {
        self.bodies.push(body);
    }
    /// An integer constant.
    pub fn integer(&mut self, ty: Type, value: u32) -> Value {
        if let Some(&known) = self.integers.get(&(ty, value)) {
            return known;
        }
        // The sign is in the lowest bit.
        let made = self.constant(ty, 4, vec![(u64::from(value) << 1).into()]);
        self.integers.insert((ty, value), made);
        made
    }
    /// An `i32` constant.
    pub fn int(&mut self, value: u32) -> Value {
        self.integer(I32, value)
    }
    /// An undefined value.
    pub fn undef(&mut self, ty: Type) -> Value {
        self.constant(ty, 3, Vec::new())
    }
    /// A constant by its record.
    pub fn constant(&mut self, ty: Type, code: u64, operands: Vec<Operand>) -> Value {
        self.constants.push((ty, code, operands));
        Value::Constant(self.constants.len() - 1)
    }

    /// A metadata string.
    pub fn string(&mut self, text: &[u8]) -> Node {
        self.metadata.push(Metadata::String(text.to_vec()));
        self.metadata.len() - 1
    }
    /// A metadata value.
    pub fn metadata_value(&mut self, ty: Type, value: Value) -> Node {
        self.metadata.push(Metadata::Value(ty, value));
        self.metadata.len() - 1
    }
    /// An `i32` in metadata.
    pub fn number(&mut self, value: u32) -> Node {
        if let Some(&known) = self.numbers.get(&value) {
            return known;
        }
        let constant = self.int(value);
        let made = self.metadata_value(I32, constant);
        self.numbers.insert(value, made);
        made
    }
    /// A metadata node.
    pub fn node(&mut self, operands: &[Option<Node>]) -> Node {
        self.metadata.push(Metadata::Node(operands.to_vec()));
        self.metadata.len() - 1
    }
    /// A function as metadata.
    pub fn function_node(&mut self, function: Value) -> Node {
        let Value::Function(index) = function else { return self.node(&[]) };
        let ty = self.pointer(self.functions[index].0);
        self.metadata_value(ty, function)
    }
    /// Named metadata.
    pub fn name(&mut self, name: &str, nodes: Vec<Node>) {
        self.named.push((name.to_owned(), nodes));
    }
    /// The record of an entry point: function, name, signatures, resources, properties.
    pub fn entry(
        &mut self,
        function: Value,
        name: &str,
        signatures: Option<Node>,
        resources: Option<Node>,
        properties: Option<Node>,
    ) -> Node {
        let (function, name) = (self.function_node(function), self.string(name.as_bytes()));
        self.node(&[Some(function), Some(name), signatures, resources, properties])
    }
    /// The properties of a compute shader: the size of its groups.
    pub fn compute(&mut self) -> Node {
        let (tag, one) = (self.number(4), self.number(1));
        let threads = self.node(&[Some(one); 3]);
        self.node(&[Some(tag), Some(threads)])
    }
    /// The type of handles.
    pub fn handle(&mut self) -> Type {
        let bytes = self.pointer(I8);
        self.structure("dx.types.Handle", &[bytes])
    }

    /// The bitcode of the module.
    pub fn finish(self) -> Vec<u8> {
        let (globals, functions) = (self.globals.len(), self.functions.len());
        let module_values = globals + functions + self.constants.len();
        let number = |value: Value| match value {
            Value::Global(n) => n,
            Value::Function(n) => globals + n,
            Value::Constant(n) => globals + functions + n,
            Value::Local(n) => module_values + n,
        };
        let plain = |operands: &[Operand]| -> Vec<u64> {
            let number = |operand: &Operand| match *operand {
                Operand::Number(number) => number,
                Operand::Value(value) => number(value) as u64,
            };
            operands.iter().map(number).collect()
        };
        let record = |code: u64, operands: Vec<u64>| Item::from(Record { code, operands });
        let block = |id: u32, items: Vec<Item>| Item::Block(Block { id, items });
        let text = |text: &[u8]| text.iter().map(|&byte| u64::from(byte)).collect::<Vec<u64>>();
        let mut items = vec![record(1, vec![0])];
        items.extend(self.items);
        let count = (self.types.len() - self.type_names) as u64;
        let types = std::iter::once(record(1, vec![count])).chain(self.types.into_iter().map(Item::from));
        items.push(block(TYPE_BLOCK, types.collect()));
        for (mut operands, initial) in self.globals {
            operands[2] = initial.map_or(0, |value| number(value) as u64 + 1);
            items.push(record(7, operands));
        }
        for (ty, declaration, _) in &self.functions {
            items.push(record(8, vec![*ty, 0, u64::from(*declaration), 0, self.attributes, 0, 0, 0, 0, 0]));
        }
        let mut constants = Vec::new();
        let mut of = None;
        for (ty, code, operands) in &self.constants {
            if of.replace(*ty) != Some(*ty) {
                constants.push(record(1, vec![*ty]));
            }
            constants.push(record(*code, plain(operands)));
        }
        items.push(block(CONSTANTS_BLOCK, constants));
        let mut metadata = Vec::new();
        for data in &self.metadata {
            metadata.push(match data {
                Metadata::String(bytes) => record(1, text(bytes)),
                Metadata::Value(ty, value) => record(2, vec![*ty, number(*value) as u64]),
                Metadata::Node(operands) => {
                    record(3, operands.iter().map(|node| node.map_or(0, |node| node as u64 + 1)).collect())
                }
            });
        }
        for (name, nodes) in &self.named {
            metadata.push(record(4, text(name.as_bytes())));
            metadata.push(record(10, nodes.iter().map(|&node| node as u64).collect()));
        }
        items.push(block(METADATA_BLOCK, metadata));
        let names = self.functions.iter().enumerate().map(|(index, (_, _, name))| {
            record(1, std::iter::once((globals + index) as u64).chain(text(name.as_bytes())).collect())
        });
        items.push(block(SYMTAB_BLOCK, names.collect()));
        for body in self.bodies {
            let first = record(1, vec![body.blocks]);
            let records = body.records.iter().map(|(code, operands)| record(*code, plain(operands)));
            let mut inside: Vec<Item> = std::iter::once(first).chain(records).collect();
            if !body.names.is_empty() {
                let name = |(value, name): (Value, String)| {
                    record(1, std::iter::once(number(value) as u64).chain(text(name.as_bytes())).collect())
                };
                inside.push(block(SYMTAB_BLOCK, body.names.into_iter().map(name).collect()));
            }
            if !body.attachments.is_empty() {
                let attachments = body.attachments.into_iter().map(|operands| record(11, operands));
                inside.push(block(ATTACHMENT_BLOCK, attachments.collect()));
            }
            inside.extend(body.items);
            items.push(block(FUNCTION_BLOCK, inside));
        }
        bitstream::write(&[Block { id: MODULE_BLOCK, items }])
    }
}
