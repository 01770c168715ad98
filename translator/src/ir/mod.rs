//! The typed IR: a module whose functions consist of blocks with parameters.
//!
//! In: [`decode`](crate::decode) builds it from LLVM records. Out: passes change it, `structure`
//! reads its block graph, and `lower` turns it into SPIR-V. What must hold is the contract of
//! [`verify`].
//!
//! A [`Value`] is either *local* to a function (an argument, a block parameter, an instruction's
//! result) or a module *constant*. There are no phis: a branch passes arguments to the parameters
//! of its target. Operand lists are in one pool per function ([`ValueList`]), so that instructions
//! are small and cheap to copy. The IR is plain data and does not depend on any pass.

pub mod args;
pub mod data_layout;
pub mod debug;
pub mod declarations;
mod entities;
mod function;
mod inst;
pub mod members;
pub mod nodes;
pub mod properties;
pub mod resource_types;
pub mod resources;
mod same;
mod types;
mod values;
pub mod verify;

pub use crate::ops::llvm::{BinaryOp, CastOp, CmpOp, RmwOp};
pub use entities::{Block, Const, Func, Global, Inst, TypeId};
pub use function::{Attributes, BlockData, ControlFlowHints, Def, Denormals, Function, Local};
pub use inst::{BlockCall, InstData, Terminator};
pub use same::has_same_code;
pub use types::{AddressSpace, PartCounts, Type, Types};
pub use values::{ConstData, ConstKind, Consts, Value, ValueKind, ValueList};

use crate::ir::data_layout::{DataLayout, Sizes};
use dxil_base::entity::PrimaryMap;

/// A global variable.
#[derive(Clone, Debug)]
pub struct GlobalVar {
    /// Its name, as the compiler wrote it.
    pub name: Box<str>,
    /// The type of its content.
    pub ty: TypeId,
    /// Its address space: groupshared, or the default space for a constant table.
    pub space: AddressSpace,
    /// Whether the variable is constant.
    pub constant: bool,
    /// Initial content.
    pub init: Option<Const>,
}

/// A module: the functions and everything that they share.
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
    /// The data layout string, which says where the parts of objects are in memory.
    pub layout: Box<str>,
    /// What the debug information says of the source, where it was read.
    pub debug: Option<Box<debug::DebugInfo>>,
}

impl Module {
    /// The sizes of all types, in the module's data layout. Few modules need them.
    pub fn sizes(&self) -> Sizes {
        DataLayout::parse(&self.layout).measure(&self.types)
    }
    /// The type of a value of the function.
    #[inline]
    pub fn type_of(&self, func: &Function, value: Value) -> TypeId {
        match value.kind() {
            ValueKind::Local(i) => func.locals[i].ty,
            ValueKind::Const(c) => self.consts[c].ty,
        }
    }
    /// The value as an unsigned integer, if it is an integer constant.
    pub fn const_uint(&self, value: Value) -> Option<u64> {
        self.consts.as_uint(value.as_const()?)
    }
    /// Whether the value is `undef`.
    pub fn is_undef(&self, value: Value) -> bool {
        value.as_const().is_some_and(|c| matches!(self.consts[c].kind, ConstKind::Undef))
    }
}
