//! The typed IR: one module, its functions as blocks with parameters.
//!
//! In: [`decode`](super::decode) builds it from LLVM records. Out: passes change it, `structure` sees its block graph,
//! `lower` turns it into SPIR-V. What must hold is the contract of [`verify`](super::verify).
//!
//! A [`Value`] is either *local* to a function (an argument, a block parameter, an instruction's result) or a module
//! *constant*. There are no phis: a branch passes arguments to the parameters of its target. Operand lists live in one pool
//! per function ([`ValueList`]), so that instructions are small and copied freely. The IR is data; it knows no pass.

mod function;
mod inst;
mod types;
mod values;

pub use crate::dxil::llvm_ops::{BinaryOp, CastOp, CmpOp, RmwOp};
pub use function::{BlockData, ControlFlowHints, Def, Function, Local};
pub use inst::{BlockCall, InstData, Terminator};
pub use types::{AddressSpace, Type, Types};
pub use values::{ConstData, ConstKind, Consts, Value, ValueKind, ValueList};

use crate::dxil::data_layout::DataLayout;
use crate::entity::PrimaryMap;

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
    /// Where the parts of objects lie.
    pub layout: DataLayout,
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
