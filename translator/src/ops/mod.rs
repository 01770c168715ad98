//! DXIL operations, and everything that derives from their [table].
//!
//! In: the rows of the table. Out: [`OpCode`], its properties ([`OpCode::info`]), operand views
//! ([`args`](crate::ir::args)), validity checks ([`OpInfo`]), the coverage document
//! ([`coverage_markdown`]), and the rows for the dispatch of `lower` (`for_each_dxil_op!`). What
//! must hold: whatever is said of an operation here comes from its row.

pub mod consts;
mod coverage;
mod info;
pub mod llvm;
mod preview;
mod set;
mod table;

pub use coverage::{Executed, coverage_markdown, without_fixture};
pub use info::{
    Access, Componentwise, Lowering, Memory, MemoryEffect, NO_FEEDBACK, OpInfo, OpType, Operand, OperandKind, Overload,
    Overloads, QueryState, Role, ScalarKind, StageSet, Tangle,
};
pub use preview::preview_name;
pub use set::OpSet;
pub(crate) use table::for_each_dxil_op;

use info::{Positions, shader_model};
use rspirv::spirv::{BuiltIn, GlslStd450Op, Op};

/// Makes a [`Lowering`] from the lowering of a row.
macro_rules! lowering {
    (todo) => {
        Lowering::Todo
    };
    (spirv $op:ident) => {
        Lowering::Spirv(Op::$op)
    };
    (glsl $op:ident) => {
        Lowering::Glsl(GlslStd450Op::$op)
    };
    (builtin $builtin:ident) => {
        Lowering::BuiltIn(BuiltIn::$builtin)
    };
    (func $($path:tt)+) => {
        Lowering::Func(concat!($(stringify!($path)),+))
    };
    (pass $pass:ident) => {
        Lowering::Pass(stringify!($pass))
    };
    (refused $reason:ident) => {
        Lowering::Refused($reason)
    };
}

/// Makes an [`Access`] from the access of a row.
macro_rules! access {
    () => {
        Access::None
    };
    ($access:ident) => {
        Access::$access
    };
    (RayQuery $state:ident) => {
        Access::RayQuery(QueryState::$state)
    };
    ($access:ident $memory:ident) => {
        Access::$access(Memory::$memory)
    };
}

macro_rules! opcodes_and_rows {
    ($(
        $group:ident $code:literal $name:ident($($operand:ident: $ty:ident$([$mark:ident])?$( @$role:ident)?),*) -> $result:ident:
            $class:ident $overloads:literal, $effect:ident$(($access:ident$( $memory:ident)?))?, $tangle:ident, $stages:ident,
            $model:literal => $lowering:ident$(($($lowering_arg:tt)+))?;
    )+) => {
        /// A DXIL operation. Names and numbers are those of DXIL.rst, "Operations".
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u32)]
        #[expect(non_camel_case_types, missing_docs, reason = "the names are DXIL's, and the table documents them")]
        pub enum OpCode {
            $($name = $code,)+
        }

        /// The operations, in the order of the rows.
        static OPCODES: &[OpCode] = &[$(OpCode::$name),+];

        static TABLE: &[OpInfo] = &[$({
            const OPERANDS: &[Operand] = &[$(
                Operand {
                    name: stringify!($operand),
                    ty: OpType::$ty,
                    kind: OperandKind::Value$(.marked(OperandKind::$mark))?,
                    role: Role::Operand$(.named(Role::$role))?,
                },
            )*];
            OpInfo {
                opcode: $code,
                name: stringify!($name),
                group: stringify!($group),
                class: stringify!($class),
                overloads: Overloads::from_letters($overloads),
                operands: OPERANDS,
                result: OpType::$result,
                effect: MemoryEffect::$effect,
                access: access!($($access$( $memory)?)?),
                tangle: Tangle::$tangle,
                stages: StageSet::$stages,
                shader_model: shader_model(stringify!($model)),
                lowering: lowering!($lowering $($($lowering_arg)+)?),
                positions: Positions::new(OPERANDS),
            }
        }),+];
    };
}
for_each_dxil_op!(opcodes_and_rows);

/// The end of the opcodes that may have a row.
const OPCODE_END: usize = 322;

/// By number: the operation and its row. A number without an operation has any row. The table is
/// computed at compile time; an opcode at or after [`OPCODE_END`] does not compile.
static BY_NUMBER: [(Option<OpCode>, &OpInfo); OPCODE_END] = {
    let mut all = [(None, &TABLE[0]); OPCODE_END];
    let mut row = 0;
    while row < TABLE.len() {
        all[TABLE[row].opcode as usize] = (Some(OPCODES[row]), &TABLE[row]);
        row += 1;
    }
    all
};

impl OpCode {
    /// The operation with this number; `None` if there is no such operation.
    #[inline]
    pub fn from_u32(opcode: u32) -> Option<Self> {
        BY_NUMBER.get(opcode as usize)?.0
    }
    /// Whether the operation is one that passes write, and that DXIL does not have.
    pub fn is_vendors(self) -> bool {
        self >= OpCode::VendorDrawIndex
    }
    /// Its row of the table.
    #[inline]
    pub fn info(self) -> &'static OpInfo {
        BY_NUMBER[self as usize].1
    }
    /// DXIL's name of the operation.
    pub fn name(self) -> &'static str {
        self.info().name
    }
    /// Whether the operation makes a handle, from nothing or from another handle, instead of
    /// accessing a resource.
    pub fn makes_handle(self) -> bool {
        self.info().result == OpType::Handle
    }
    /// Whether an operand of the operation is a handle.
    #[inline]
    pub fn takes_handle(self) -> bool {
        self.info().handles().next().is_some()
    }
    /// What the operation becomes on vectors, if it treats each component as a scalar. Operations
    /// that need more than an instruction or two have no form of their own here.
    #[inline]
    pub fn componentwise(self) -> Option<Componentwise> {
        let info = self.info();
        match (self, info.lowering) {
            (OpCode::FMad, _) => Some(Componentwise::ProductAndSum),
            (OpCode::Saturate, _) => Some(Componentwise::Saturate),
            (_, Lowering::Glsl(op)) if info.result == OpType::Overload => Some(Componentwise::Glsl(op)),
            _ => None,
        }
    }
    /// All operations, in the order of their numbers.
    pub fn all() -> impl ExactSizeIterator<Item = OpCode> {
        OPCODES.iter().copied()
    }
}

impl std::fmt::Display for OpCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl std::fmt::Debug for OpCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests;
