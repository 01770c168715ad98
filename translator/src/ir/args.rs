//! Views of operands by name: one structure per operation, whose fields have the names of the
//! table.
//!
//! In: the operands of a call, without the opcode. Out: `let args::Bfi { width, offset, value,
//! replaced_value } = …`. What must hold: no other code of the crate takes an operand by its
//! number.
#![expect(non_camel_case_types, missing_docs, reason = "the names are DXIL's, and the table documents them")]

use super::Value;
use crate::ops::{OpCode, for_each_dxil_op};

/// The operands of one operation, by name.
pub trait Args: Sized {
    /// The operation.
    const OPCODE: OpCode;
    /// The view of these operands, without the opcode. `None` if the operation has another number
    /// of operands.
    fn view(args: &[Value]) -> Option<Self>;
}

macro_rules! views {
    ($(
        $group:ident $code:literal $name:ident($($operand:ident: $ty:ident$([$mark:ident])?$( @$role:ident)?),*) -> $result:ident:
            $class:ident $overloads:literal, $effect:ident$(($access:ident$( $memory:ident)?))?, $tangle:ident, $stages:ident,
            $model:literal => $lowering:ident$(($($lowering_arg:tt)+))?;
    )+) => {$(
        #[derive(Clone, Copy)]
        pub struct $name {
            $(pub $operand: Value,)*
        }
        impl Args for $name {
            const OPCODE: OpCode = OpCode::$name;
            #[inline]
            fn view(args: &[Value]) -> Option<Self> {
                let &[$($operand),*] = args else { return None };
                Some(Self { $($operand),* })
            }
        }
    )+};
}
for_each_dxil_op!(views);
