//! Functions: their blocks with parameters, values, instructions and operand lists.

use super::debug::FunctionDebug;
use super::{Block, Inst, InstData, Terminator, TypeId, Value, ValueList};
use dxil_base::entity::PrimaryMap;

/// A basic block.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockData {
    /// The block's parameters, which are locals. Each branch to the block passes a value for each
    /// of them.
    pub params: Vec<Value>,
    /// Its instructions in order.
    pub insts: Vec<Inst>,
    /// The terminator.
    pub terminator: Terminator,
    /// `dx.controlflow.hints` and `llvm.loop` on the branch that ends it.
    pub hints: ControlFlowHints,
}

/// The attributes that the source gave to a branch (`dx.controlflow.hints`) or to a loop, stored at
/// the branch back to its header (`llvm.loop`).
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

/// The attributes of a function that lowering uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Attributes {
    /// `fp32-denorm-mode`.
    pub denormals: Denormals,
    /// `waveops-include-helper-lanes`.
    pub includes_helper_lanes: bool,
}

/// What becomes of 32-bit floats that are too small to be normal (DXIL.rst,
/// "fp32-denorm-mode").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Denormals {
    /// The device may do either. A mode that DXIL does not have counts as this one.
    #[default]
    Any,
    /// They are kept.
    Preserve,
    /// They become zero.
    FlushToZero,
}

/// The definition of a local value.
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
    /// Its definition.
    pub def: Def,
}

/// A function with a body. The entry block is the first and has no parameters.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name, as the compiler wrote it.
    pub name: Box<str>,
    /// The type of its result.
    pub ret: TypeId,
    /// Its arguments, which are locals.
    pub args: Vec<Value>,
    /// All local values, by [`ValueKind::Local`](super::ValueKind::Local).
    pub locals: Vec<Local>,
    /// All instructions.
    pub insts: PrimaryMap<Inst, InstData>,
    /// The result of each instruction that has one.
    pub results: PrimaryMap<Inst, Option<Value>>,
    /// All blocks. The first is the entry.
    pub blocks: PrimaryMap<Block, BlockData>,
    /// Constant indexes of `extractvalue` and `insertvalue`.
    pub indices: Vec<u32>,
    /// What the function's attributes ask for.
    pub attributes: Attributes,
    /// The function's number in the bitcode module, for error places.
    pub number: u32,
    /// The pool of operand lists.
    pub pool: Vec<Value>,
    /// The places and variables of the source, where debug information was read.
    pub debug: Option<Box<FunctionDebug>>,
}

impl Function {
    /// A function whose body is still empty. Its number in the bitcode module is for error places.
    pub fn new(name: Box<str>, ret: TypeId, number: u32) -> Self {
        Self {
            name,
            ret,
            args: Vec::new(),
            locals: Vec::new(),
            insts: PrimaryMap::new(),
            results: PrimaryMap::new(),
            blocks: PrimaryMap::new(),
            indices: Vec::new(),
            attributes: Attributes::default(),
            number,
            pool: Vec::new(),
            debug: None,
        }
    }
    /// The bytes of the items in the function's lists.
    pub fn bytes(&self) -> usize {
        // A local is in a list of arguments or parameters, or a result. An instruction is in a
        // block.
        self.locals.len() * size_of::<(Local, Value)>()
            + self.insts.len() * size_of::<(InstData, Option<Value>, Inst)>()
            + self.blocks.len() * size_of::<BlockData>()
            + size_of_val(self.pool.as_slice())
            + size_of_val(self.indices.as_slice())
    }
    /// The values of a list.
    #[inline]
    pub fn list(&self, list: ValueList) -> &[Value] {
        &self.pool[list.range()]
    }
    /// Adds a list to the pool.
    pub fn make_list(&mut self, values: &[Value]) -> ValueList {
        let start = self.pool.len();
        self.pool.extend_from_slice(values);
        ValueList::from_range(start, values.len())
    }
    /// The result of an instruction, if it has one.
    #[inline]
    pub fn result(&self, inst: Inst) -> Option<Value> {
        self.results[inst]
    }
    /// Adds a local value.
    #[inline]
    pub fn make_local(&mut self, ty: TypeId, def: Def) -> Value {
        let value = Value::local(self.locals.len());
        self.locals.push(Local { ty, def });
        value
    }
    /// Adds an instruction, with a result if `ty` is given. The caller puts it into a block.
    pub fn make_inst(&mut self, data: InstData, ty: Option<TypeId>) -> Inst {
        let inst = self.insts.push(data);
        let result = ty.map(|ty| self.make_local(ty, Def::Inst(inst)));
        self.results.push(result);
        inst
    }
    /// Adds an instruction with a result at the end of a list, which the caller puts into a block.
    pub fn emit(&mut self, out: &mut Vec<Inst>, data: InstData, ty: TypeId) -> Value {
        let inst = self.insts.push(data);
        let value = self.make_local(ty, Def::Inst(inst));
        self.results.push(Some(value));
        out.push(inst);
        value
    }
    /// Adds an instruction whose result is an existing local value, which had another definition
    /// before. The caller puts it into a block.
    pub fn define(&mut self, value: Value, data: InstData) -> Inst {
        let inst = self.insts.push(data);
        self.results.push(Some(value));
        if let Some(local) = value.as_local().and_then(|i| self.locals.get_mut(i)) {
            local.def = Def::Inst(inst);
        }
        inst
    }
    /// The instruction that defines a value; `None` for an argument, a block parameter or a
    /// constant.
    pub fn def_inst(&self, value: Value) -> Option<(Inst, &InstData)> {
        match self.locals.get(value.as_local()?)?.def {
            Def::Inst(inst) => Some((inst, &self.insts[inst])),
            Def::Arg(_) | Def::Param(_) => None,
        }
    }
    /// Calls `f` on every operand of an instruction.
    #[inline]
    pub fn for_each_operand(&self, inst: Inst, mut f: impl FnMut(Value)) {
        let mut data = self.insts[inst];
        let list = data.for_each_value_mut(|value| f(*value));
        if !list.is_empty() {
            self.list(list).iter().copied().for_each(f);
        }
    }
    /// Calls `f` on every use of a value in the function: each operand of its instructions, the
    /// conditions and results of its terminators, all lists of the pool, and the values of the
    /// source's variables.
    pub fn for_each_use_mut(&mut self, mut f: impl FnMut(&mut Value)) {
        for data in self.insts.values_mut() {
            data.for_each_value_mut(&mut f);
        }
        self.pool.iter_mut().for_each(&mut f);
        self.blocks.values_mut().filter_map(|block| block.terminator.operand_mut()).for_each(&mut f);
        if let Some(debug) = &mut self.debug {
            debug.values.iter_mut().for_each(|held| f(&mut held.value));
        }
    }
    /// Calls `f` on every operand of a terminator: its condition, then the arguments of its
    /// targets.
    pub fn for_each_terminator_operand(&self, terminator: &Terminator, mut f: impl FnMut(Value)) {
        terminator.operand().into_iter().for_each(&mut f);
        terminator.targets().for_each(|target| self.list(target.args).iter().copied().for_each(&mut f));
    }
}
