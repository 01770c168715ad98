//! The typed IR: one module, its functions as blocks with parameters.
//!
//! In: [`decode`](super::decode) builds it from LLVM records. Out: passes change it, `structure` sees its block graph,
//! `lower` turns it into SPIR-V. What must hold is the contract of [`verify`](super::verify).
//!
//! A [`Value`] is either *local* to a function (an argument, a block parameter, an instruction's result) or a module
//! *constant*. There are no phis: a branch passes arguments to the parameters of its target. Operand lists live in one pool
//! per function ([`ValueList`]), so that instructions are small and copied freely. The IR is data; it knows no pass.

pub use crate::dxil::llvm_ops::{BinaryOp, CastOp, CmpOp, RmwOp};
use crate::dxil::ops::OpCode;
use crate::entity::{Entity, PrimaryMap};
use rustc_hash::FxHashMap;

entity! {
    /// A type of the module.
    pub struct TypeId, "ty";
    /// A constant of the module: number, aggregate, address of a global, constant expression.
    pub struct Const, "c";
    /// A global variable: groupshared memory or a constant table.
    pub struct Global, "g";
    /// A function with a body. Operations and intrinsics are not functions but instructions.
    pub struct Func, "fn";
    /// A basic block of a function.
    pub struct Block, "b";
    /// An instruction of a function.
    pub struct Inst, "i";
}

/// A value that instructions use: a local of the function, or a constant of the module.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(u32);

/// What a [`Value`] names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueKind {
    /// Index into [`Function::locals`].
    Local(usize),
    /// A constant of the module.
    Const(Const),
}

impl Value {
    const CONST: u32 = 1 << 31;
    /// The function-local value with this index into [`Function::locals`].
    #[inline]
    pub fn local(index: usize) -> Self {
        Self(index as u32 & !Self::CONST)
    }
    /// The module constant as a value.
    #[inline]
    pub fn constant(constant: Const) -> Self {
        Self(constant.index() as u32 | Self::CONST)
    }
    /// Which of the two it is.
    #[inline]
    pub fn kind(self) -> ValueKind {
        if self.0 & Self::CONST == 0 {
            ValueKind::Local(self.0 as usize)
        } else {
            ValueKind::Const(Const::new((self.0 & !Self::CONST) as usize))
        }
    }
    /// The constant, where it is one.
    #[inline]
    pub fn as_const(self) -> Option<Const> {
        match self.kind() {
            ValueKind::Const(c) => Some(c),
            ValueKind::Local(_) => None,
        }
    }
    /// The index into [`Function::locals`], where it is a local.
    #[inline]
    pub fn as_local(self) -> Option<usize> {
        match self.kind() {
            ValueKind::Local(i) => Some(i),
            ValueKind::Const(_) => None,
        }
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.kind() {
            ValueKind::Local(i) => write!(f, "v{i}"),
            ValueKind::Const(c) => write!(f, "{c}"),
        }
    }
}

impl std::fmt::Debug for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

/// Where a pointer points (DXIL.rst, "Address spaces").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AddressSpace {
    /// 0: function-local memory (allocas), and constant tables.
    Default,
    /// 1: device memory.
    DeviceMemory,
    /// 2: constant-buffer memory.
    CBuffer,
    /// 3: groupshared memory.
    GroupShared,
    /// 6: records of work-graph nodes.
    NodeRecord,
    /// Any other.
    Other(u32),
}

impl AddressSpace {
    /// From LLVM's number.
    pub fn from_number(n: u32) -> Self {
        match n {
            0 => AddressSpace::Default,
            1 => AddressSpace::DeviceMemory,
            2 => AddressSpace::CBuffer,
            3 => AddressSpace::GroupShared,
            6 => AddressSpace::NodeRecord,
            n => AddressSpace::Other(n),
        }
    }
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// No value.
    Void,
    /// An integer of 1 to 64 bits. D3D has 1, 16, 32 and 64; LLVM's optimiser makes others.
    Int(u8),
    /// A float of 16, 32 or 64 bits.
    Float(u8),
    /// A typed pointer.
    Pointer {
        /// What it points to.
        pointee: TypeId,
        /// Where it points.
        space: AddressSpace,
    },
    /// An array.
    Array {
        /// The element's type.
        element: TypeId,
        /// How many elements.
        len: u32,
    },
    /// A vector of scalars.
    Vector {
        /// The element's type.
        element: TypeId,
        /// How many elements.
        len: u32,
    },
    /// A structure.
    Struct {
        /// Its name, without LLVM's `%`; empty for a literal structure.
        name: Box<str>,
        /// The members' types.
        fields: Box<[TypeId]>,
    },
    /// `%dx.types.Handle`, what stands for a resource.
    Handle,
    /// Valid LLVM that has no meaning in a shader: labels, metadata, other opaque types. Named when something uses it.
    Other(Box<str>),
}

/// All types of a module, each once.
#[derive(Clone, Debug, Default)]
pub struct Types {
    items: PrimaryMap<TypeId, Type>,
    index: FxHashMap<Type, TypeId>,
}

impl Types {
    /// The type's id, added where it is new.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.index.get(&ty) {
            return id;
        }
        let id = self.items.push(ty.clone());
        self.index.insert(ty, id);
        id
    }
    /// All types in order.
    pub fn iter(&self) -> impl Iterator<Item = (TypeId, &Type)> {
        self.items.iter()
    }
    /// How many there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
    /// Whether values of the type are pointers.
    pub fn is_pointer(&self, id: TypeId) -> bool {
        matches!(self[id], Type::Pointer { .. })
    }
    /// Bits of a scalar, or of the element of a vector; `None` for anything else.
    pub fn scalar_bits(&self, id: TypeId) -> Option<u8> {
        match self[id] {
            Type::Int(bits) | Type::Float(bits) => Some(bits),
            Type::Vector { element, .. } => match self[element] {
                Type::Int(bits) | Type::Float(bits) => Some(bits),
                _ => None,
            },
            _ => None,
        }
    }
}

impl std::ops::Index<TypeId> for Types {
    type Output = Type;
    #[inline]
    fn index(&self, id: TypeId) -> &Type {
        &self.items[id]
    }
}

/// A constant's content.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ConstKind {
    /// An integer, zero-extended from its width.
    Int(u64),
    /// A float, by the bits of its width.
    Float(u64),
    /// The zero value of any type: `null`, `zeroinitializer`.
    Null,
    /// `undef`.
    Undef,
    /// Elements of an array, vector or structure.
    Aggregate(Box<[Const]>),
    /// The address of a global variable.
    GlobalAddr(Global),
    /// The address of a function. Only metadata and calls may use it.
    FuncAddr(Func),
    /// A constant `getelementptr`: base, then indexes.
    Gep {
        /// The address it starts from.
        base: Const,
        /// The indexes, the first of which steps over whole pointees.
        indices: Box<[Const]>,
    },
    /// Another constant cast or operation, by name, that folding did not remove.
    Cast {
        /// Which cast.
        op: CastOp,
        /// Its operand.
        value: Const,
    },
    /// What decode could not express; an error only where it is used. Holds the reason.
    Unsupported(Box<str>),
}

/// A constant: type and content.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ConstData {
    /// Its type.
    pub ty: TypeId,
    /// Its content.
    pub kind: ConstKind,
}

/// All constants of a module, each once.
#[derive(Clone, Debug, Default)]
pub struct Consts {
    items: PrimaryMap<Const, ConstData>,
    index: FxHashMap<ConstData, Const>,
}

impl Consts {
    /// The constant's id, added where it is new.
    pub fn intern(&mut self, data: ConstData) -> Const {
        if let Some(&id) = self.index.get(&data) {
            return id;
        }
        let id = self.items.push(data.clone());
        self.index.insert(data, id);
        id
    }
    /// All constants in order.
    pub fn iter(&self) -> impl Iterator<Item = (Const, &ConstData)> {
        self.items.iter()
    }
    /// How many there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
    /// The integer's bits, zero-extended; `Null` integers are zero.
    pub fn as_uint(&self, id: Const) -> Option<u64> {
        match self.items[id].kind {
            ConstKind::Int(bits) => Some(bits),
            ConstKind::Null => Some(0),
            _ => None,
        }
    }
}

impl std::ops::Index<Const> for Consts {
    type Output = ConstData;
    #[inline]
    fn index(&self, id: Const) -> &ConstData {
        &self.items[id]
    }
}

/// A global variable.
#[derive(Clone, Debug)]
pub struct GlobalVar {
    /// Its name, as the compiler wrote it.
    pub name: Box<str>,
    /// The type of its content.
    pub ty: TypeId,
    /// Where it lives: groupshared, or a constant table in the default space.
    pub space: AddressSpace,
    /// Whether nothing writes it.
    pub constant: bool,
    /// Initial content.
    pub init: Option<Const>,
}

/// A range of a function's operand pool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ValueList {
    start: u32,
    len: u32,
}

impl ValueList {
    /// How many values it holds.
    pub fn len(self) -> usize {
        self.len as usize
    }
    /// Whether it holds none.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }
    /// The list of `len` values from `start` in the pool.
    pub(super) fn from_range(start: usize, len: usize) -> Self {
        Self { start: start as u32, len: len as u32 }
    }
}

/// A branch target with the arguments for its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockCall {
    /// The block branched to.
    pub block: Block,
    /// One argument for each of the block's parameters.
    pub args: ValueList,
}

/// An instruction. Results, where there are any, are [`Function::result`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum InstData {
    /// Arithmetic. `precise`: float without fast-math flags, so neither contracted nor reassociated.
    Binary {
        /// Which.
        op: BinaryOp,
        /// No fast-math flags (floats only).
        precise: bool,
        /// Left operand.
        lhs: Value,
        /// Right operand.
        rhs: Value,
    },
    /// A conversion to the result's type.
    Cast {
        /// Which.
        op: CastOp,
        /// What is converted.
        value: Value,
    },
    /// A comparison.
    Cmp {
        /// Which.
        op: CmpOp,
        /// Left operand.
        lhs: Value,
        /// Right operand.
        rhs: Value,
    },
    /// One of two values.
    Select {
        /// `i1`, or a vector of it.
        condition: Value,
        /// Where true.
        then: Value,
        /// Where false.
        otherwise: Value,
    },
    /// A DXIL operation.
    Op {
        /// Which.
        op: OpCode,
        /// Whether the call carries `!dx.precise`.
        precise: bool,
        /// Its operands, without the opcode.
        args: ValueList,
    },
    /// A call of a function of the module.
    Call {
        /// Which.
        func: Func,
        /// Its arguments.
        args: ValueList,
    },
    /// Function-local memory.
    Alloca {
        /// The type of what is allocated.
        ty: TypeId,
    },
    /// A load of the result's type.
    Load {
        /// The address.
        ptr: Value,
        /// `volatile`.
        volatile: bool,
    },
    /// A store.
    Store {
        /// The address.
        ptr: Value,
        /// What is stored.
        value: Value,
        /// `volatile`.
        volatile: bool,
    },
    /// Address arithmetic: base, then indexes.
    Gep {
        /// The address it starts from.
        base: Value,
        /// The indexes, the first of which steps over whole pointees.
        indices: ValueList,
    },
    /// Atomic read-modify-write.
    AtomicRmw {
        /// Which.
        op: RmwOp,
        /// The address.
        ptr: Value,
        /// The operand.
        value: Value,
    },
    /// Atomic compare and exchange; gives `{ old, success }`.
    CmpXchg {
        /// The address.
        ptr: Value,
        /// Compared with.
        compare: Value,
        /// Stored where equal.
        new: Value,
    },
    /// `fence`.
    Fence,
    /// One member of an aggregate, by constant indexes in [`Function::indices`].
    ExtractValue {
        /// The aggregate.
        aggregate: Value,
        /// First of the indexes in the pool [`Function::indices`].
        first: u32,
        /// How many indexes.
        count: u32,
    },
    /// An aggregate with one member replaced.
    InsertValue {
        /// The aggregate.
        aggregate: Value,
        /// The new member.
        value: Value,
        /// First of the indexes in the pool [`Function::indices`].
        first: u32,
        /// How many indexes.
        count: u32,
    },
    /// An element of a vector.
    ExtractElement {
        /// The vector.
        vector: Value,
        /// Which element.
        index: Value,
    },
    /// A vector with one element replaced.
    InsertElement {
        /// The vector.
        vector: Value,
        /// The new element.
        value: Value,
        /// Which element.
        index: Value,
    },
    /// Elements of two vectors by a constant mask.
    ShuffleVector {
        /// First vector.
        a: Value,
        /// Second vector.
        b: Value,
        /// A constant vector of `i32`.
        mask: Value,
    },
}

impl InstData {
    /// Calls `f` on every operand that stands in the instruction itself. Those of lists are in [`Function::pool`].
    pub fn for_each_value_mut(&mut self, mut f: impl FnMut(&mut Value)) {
        match self {
            InstData::Binary { lhs: a, rhs: b, .. }
            | InstData::Cmp { lhs: a, rhs: b, .. }
            | InstData::Store { ptr: a, value: b, .. }
            | InstData::AtomicRmw { ptr: a, value: b, .. }
            | InstData::InsertValue { aggregate: a, value: b, .. }
            | InstData::ExtractElement { vector: a, index: b } => {
                f(a);
                f(b);
            }
            InstData::Cast { value: a, .. }
            | InstData::Load { ptr: a, .. }
            | InstData::Gep { base: a, .. }
            | InstData::ExtractValue { aggregate: a, .. } => f(a),
            InstData::Select { condition: a, then: b, otherwise: c }
            | InstData::CmpXchg { ptr: a, compare: b, new: c }
            | InstData::InsertElement { vector: a, value: b, index: c }
            | InstData::ShuffleVector { a, b, mask: c } => {
                f(a);
                f(b);
                f(c);
            }
            InstData::Op { .. } | InstData::Call { .. } | InstData::Alloca { .. } | InstData::Fence => {}
        }
    }
}

/// How a block ends.
#[derive(Clone, Debug, PartialEq)]
pub enum Terminator {
    /// To one block.
    Jump(BlockCall),
    /// To one of two blocks.
    Branch {
        /// `i1`.
        condition: Value,
        /// Where true.
        then: BlockCall,
        /// Where false.
        otherwise: BlockCall,
    },
    /// To the block of the matching label.
    Switch {
        /// The integer that selects.
        selector: Value,
        /// Where no label matches.
        default: BlockCall,
        /// Labels (zero-extended from the selector's width) and their blocks.
        cases: Box<[(u64, BlockCall)]>,
    },
    /// Back to the caller.
    Return(Option<Value>),
    /// Never reached.
    Unreachable,
}

impl Terminator {
    /// The branch targets in order: `then` before `otherwise`; the cases, then the default.
    pub fn targets(&self) -> impl Iterator<Item = BlockCall> + '_ {
        let (fixed, cases): ([Option<BlockCall>; 2], &[(u64, BlockCall)]) = match self {
            Terminator::Jump(t) => ([Some(*t), None], &[]),
            Terminator::Branch { then, otherwise, .. } => ([Some(*then), Some(*otherwise)], &[]),
            Terminator::Switch { default, cases, .. } => ([None, Some(*default)], cases),
            Terminator::Return(_) | Terminator::Unreachable => ([None, None], &[]),
        };
        let (first, last) = (fixed[0], fixed[1]);
        first.into_iter().chain(cases.iter().map(|c| c.1)).chain(last)
    }
    /// The branch targets, in the same order, to be changed.
    pub fn targets_mut(&mut self) -> impl Iterator<Item = &mut BlockCall> {
        type Fixed<'a> = Option<&'a mut BlockCall>;
        let (first, cases, last): (Fixed<'_>, &mut [(u64, BlockCall)], Fixed<'_>) = match self {
            Terminator::Jump(t) => (Some(t), &mut [], None),
            Terminator::Branch { then, otherwise, .. } => (Some(then), &mut [], Some(otherwise)),
            Terminator::Switch { default, cases, .. } => (None, cases, Some(default)),
            Terminator::Return(_) | Terminator::Unreachable => (None, &mut [], None),
        };
        first.into_iter().chain(cases.iter_mut().map(|c| &mut c.1)).chain(last)
    }
}

/// A basic block.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockData {
    /// Locals that each branch here gives a value.
    pub params: Vec<Value>,
    /// Its instructions in order.
    pub insts: Vec<Inst>,
    /// How it ends.
    pub terminator: Terminator,
    /// `dx.controlflow.hints` and `llvm.loop` on the branch that ends it.
    pub hints: ControlFlowHints,
}

/// What the source asked of a branch (`dx.controlflow.hints`) or of the loop that a branch goes back to the header of (`llvm.loop`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ControlFlowHints {
    /// `[branch]`.
    pub branch: bool,
    /// `[flatten]`.
    pub flatten: bool,
    /// `[loop]`.
    pub no_unroll: bool,
    /// `[unroll]`.
    pub unroll: bool,
}

/// What defines a local value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Def {
    /// The function's argument with this number.
    Arg(u32),
    /// A parameter of the block.
    Param(Block),
    /// The result of the instruction.
    Inst(Inst),
}

/// A local value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Local {
    /// Its type.
    pub ty: TypeId,
    /// What defines it.
    pub def: Def,
}

/// A function with a body. The entry block is the first and has no parameters.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name, as the compiler wrote it.
    pub name: Box<str>,
    /// What it returns.
    pub ret: TypeId,
    /// Its arguments, all locals.
    pub args: Vec<Value>,
    /// All local values, by [`ValueKind::Local`].
    pub locals: Vec<Local>,
    /// All instructions.
    pub insts: PrimaryMap<Inst, InstData>,
    /// Result of each instruction.
    pub results: PrimaryMap<Inst, Option<Value>>,
    /// All blocks. The first is the entry.
    pub blocks: PrimaryMap<Block, BlockData>,
    /// Constant indexes of `extractvalue` and `insertvalue`.
    pub indices: Vec<u32>,
    /// Function attributes of note: `fp32-denorm-mode`, `waveops-include-helper-lanes`, as key and value.
    pub attributes: Vec<(Box<str>, Box<str>)>,
    /// The function's number in the bitcode module, for error places.
    pub number: u32,
    /// Operand lists.
    pub pool: Vec<Value>,
}

impl Function {
    /// The values of a list.
    #[inline]
    pub fn list(&self, list: ValueList) -> &[Value] {
        &self.pool[list.start as usize..(list.start + list.len) as usize]
    }
    /// Adds a list to the pool.
    pub fn make_list(&mut self, values: &[Value]) -> ValueList {
        let start = self.pool.len() as u32;
        self.pool.extend_from_slice(values);
        ValueList { start, len: values.len() as u32 }
    }
    /// The result of an instruction, where it has one.
    #[inline]
    pub fn result(&self, inst: Inst) -> Option<Value> {
        self.results[inst]
    }
    /// Adds a local value.
    pub fn make_local(&mut self, ty: TypeId, def: Def) -> Value {
        let value = Value::local(self.locals.len());
        self.locals.push(Local { ty, def });
        value
    }
    /// Adds an instruction, with a result where `ty` is given. The caller puts it into a block.
    pub fn make_inst(&mut self, data: InstData, ty: Option<TypeId>) -> Inst {
        let inst = self.insts.push(data);
        let result = ty.map(|ty| self.make_local(ty, Def::Inst(inst)));
        self.results.push(result);
        inst
    }
    /// Adds an instruction whose result is a local value that something else defined before. The caller puts it into a block.
    pub fn define(&mut self, value: Value, data: InstData) -> Inst {
        let inst = self.insts.push(data);
        self.results.push(Some(value));
        if let Some(local) = value.as_local().and_then(|i| self.locals.get_mut(i)) {
            local.def = Def::Inst(inst);
        }
        inst
    }
    /// The instruction that defines a value, where one does.
    pub fn def_inst(&self, value: Value) -> Option<(Inst, &InstData)> {
        match self.locals.get(value.as_local()?)?.def {
            Def::Inst(inst) => Some((inst, &self.insts[inst])),
            Def::Arg(_) | Def::Param(_) => None,
        }
    }
    /// Calls `f` on every operand of an instruction.
    pub fn for_each_operand(&self, inst: Inst, mut f: impl FnMut(Value)) {
        match self.insts[inst] {
            InstData::Binary { lhs, rhs, .. } | InstData::Cmp { lhs, rhs, .. } => {
                f(lhs);
                f(rhs);
            }
            InstData::Cast { value, .. } => f(value),
            InstData::Select { condition, then, otherwise } => {
                f(condition);
                f(then);
                f(otherwise);
            }
            InstData::Op { args, .. } | InstData::Call { args, .. } => self.list(args).iter().copied().for_each(f),
            InstData::Alloca { .. } | InstData::Fence => {}
            InstData::Load { ptr, .. } => f(ptr),
            InstData::Store { ptr, value, .. } | InstData::AtomicRmw { ptr, value, .. } => {
                f(ptr);
                f(value);
            }
            InstData::Gep { base, indices } => {
                f(base);
                self.list(indices).iter().copied().for_each(f);
            }
            InstData::CmpXchg { ptr, compare, new } => {
                f(ptr);
                f(compare);
                f(new);
            }
            InstData::ExtractValue { aggregate, .. } => f(aggregate),
            InstData::InsertValue { aggregate, value, .. } => {
                f(aggregate);
                f(value);
            }
            InstData::ExtractElement { vector, index } => {
                f(vector);
                f(index);
            }
            InstData::InsertElement { vector, value, index } => {
                f(vector);
                f(value);
                f(index);
            }
            InstData::ShuffleVector { a, b, mask } => {
                f(a);
                f(b);
                f(mask);
            }
        }
    }
    /// Calls `f` on every operand of a terminator: its condition, then the arguments of its targets.
    pub fn for_each_terminator_operand(&self, terminator: &Terminator, mut f: impl FnMut(Value)) {
        match terminator {
            Terminator::Branch { condition, .. } => f(*condition),
            Terminator::Switch { selector, .. } => f(*selector),
            Terminator::Return(Some(value)) => f(*value),
            Terminator::Return(None) | Terminator::Jump(_) | Terminator::Unreachable => {}
        }
        for target in terminator.targets() {
            self.list(target.args).iter().copied().for_each(&mut f);
        }
    }
}

/// A module: what the functions share.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// All types.
    pub types: Types,
    /// All constants.
    pub consts: Consts,
    /// All global variables.
    pub globals: PrimaryMap<Global, GlobalVar>,
    /// All functions with a body.
    pub functions: PrimaryMap<Func, Function>,
}

impl Module {
    /// The type of a value of the function.
    #[inline]
    pub fn type_of(&self, func: &Function, value: Value) -> TypeId {
        match value.kind() {
            ValueKind::Local(i) => func.locals[i].ty,
            ValueKind::Const(c) => self.consts[c].ty,
        }
    }
    /// The value as an unsigned constant, where it is one.
    pub fn const_uint(&self, value: Value) -> Option<u64> {
        self.consts.as_uint(value.as_const()?)
    }
    /// Whether the value is `undef`.
    pub fn is_undef(&self, value: Value) -> bool {
        value.as_const().is_some_and(|c| self.consts[c].kind == ConstKind::Undef)
    }
}
