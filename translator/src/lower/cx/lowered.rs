//! What an instruction becomes ([`Lowered`]), and the operation that is being lowered ([`Call`]).

use crate::dxil::ir::{Inst, TypeId, Value};
use crate::dxil::ops::OpCode;
use crate::error::{Place, Result};
use crate::spirv::{Id, OpenBlock};

/// The open block that instructions go to.
pub type Code<'m, 'p> = OpenBlock<'m, 'p>;

/// What an instruction became.
#[derive(Clone, Copy, Debug, Default)]
pub enum Lowered {
    /// No result.
    #[default]
    Nothing,
    /// One SPIR-V value.
    Id(Id),
    /// The leaves of a result structure as they come from memory: the components of a vector, and the status where the operation
    /// has one. Taking one out is one instruction, made only where it is used.
    Row(Id, Option<Id>),
    /// The leaves of a structure or array, in order; made by [`FunctionCx::parts`](super::FunctionCx::parts).
    Parts(Parts),
    /// A handle or pointer: computed where it is used.
    Virtual,
}

/// A run of ids in the context's pool.
#[derive(Clone, Copy, Debug)]
pub struct Parts {
    pub start: u32,
    pub len: u32,
}

/// A DXIL operation at hand.
#[derive(Clone, Copy)]
pub struct Call<'f> {
    /// The operation.
    pub op: OpCode,
    /// The instruction.
    pub inst: Inst,
    /// Whether it carries `!dx.precise`.
    pub precise: bool,
    /// Its operands, without the opcode.
    pub args: &'f [Value],
    /// The result's type, where it has a result.
    pub ty: Option<TypeId>,
    /// Where it is.
    pub place: Place,
}

impl Call<'_> {
    /// The result's type, for operations that have one.
    pub fn ty(&self) -> Result<TypeId> {
        self.ty.ok_or_else(|| bug!(self.place, "{} without a result", self.op))
    }
}
