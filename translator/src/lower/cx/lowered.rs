//! The result of lowering an instruction ([`Lowered`]), and the operation being lowered ([`Call`]).

use crate::ir::{Inst, TypeId, Value};
use crate::ops::OpCode;
use dxil_base::error::{Place, Result};
use dxil_spirv_builder::{Id, OpenBlock};

/// The open block that instructions are appended to.
pub type Code<'m, 'p> = OpenBlock<'m, 'p>;

/// The result of lowering an instruction.
#[derive(Clone, Copy, Debug, Default)]
pub enum Lowered {
    /// The instruction has no result.
    #[default]
    Nothing,
    /// One SPIR-V value.
    Id(Id),
    /// The leaves of a result structure as a load returns them: the four components of one vector.
    /// Extracting a component takes an instruction, which is emitted only where the component is
    /// used.
    Row(Id),
    /// The leaves of a structure or array, in order.
    /// [`Locals::parts`](super::locals::Locals::parts) makes it.
    Parts(Parts),
    /// A handle or pointer, which is resolved where it is used.
    Virtual,
}

/// A range of ids in the pool of a [`FunctionCx`](super::FunctionCx).
#[derive(Clone, Copy, Debug)]
pub struct Parts {
    pub start: u32,
    pub len: u32,
}

/// The DXIL operation that is being lowered.
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
    /// The type of the result, if the operation has one.
    pub ty: Option<TypeId>,
    /// Place of the instruction, for errors.
    pub place: Place,
}

impl Call<'_> {
    /// The type of the result, for operations that always have one.
    pub fn ty(&self) -> Result<TypeId> {
        self.ty.ok_or_else(|| bug!(self.place, "operation {} has no result", self.op))
    }
}
