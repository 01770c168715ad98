//! Who gets the instructions of a body that is being read.

use super::body::{Body, Instruction};
use super::module::Module;
use super::types::TypeId;
use dxil_base::error::Result;

/// Takes the instructions of a body while they are read, which [`Body::insts`] then does not have.
pub trait Visitor {
    /// Reserves memory for so many blocks, before the first instruction.
    fn reserve(&mut self, blocks: usize);

    /// Takes an instruction, with the type of its result. `body` has the lists that the instruction
    /// refers to. `module` has the values and the metadata of the body after its own, as far as
    /// they are read: an operand may be a value that comes later. A metadata operand has a number
    /// that no value has.
    ///
    /// # Errors
    /// The reader ends with the visitor's error.
    fn instruction(&mut self, module: &Module, body: &Body, inst: &Instruction, ty: Option<TypeId>) -> Result<()>;

    /// Takes what comes after the instructions: all blocks and attachments. `module` still has the
    /// values and the metadata of the body.
    ///
    /// # Errors
    /// The reader ends with the visitor's error.
    fn end(&mut self, module: &Module, body: &Body) -> Result<()>;
}
