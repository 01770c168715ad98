//! An element of NVAPI's buffer.
//!
//! In: what an increment of the counter gave. Out: the words that are stored in the element, and
//! the instructions that access it. What must hold: the places of the words are those of NVIDIA's
//! header `nvHLSLExtnsInternal.h`.

use crate::ir::{Inst, Value};

/// The words of an element that the header gives a meaning.
pub(super) const WORDS: usize = 37;
/// Words of an element: the opcode, operands, the result, the mark, and the number of results that
/// increments give.
pub(super) const OPCODE: usize = 0;
pub(super) const SOURCE_0: usize = 19;
pub(super) const SOURCE_1: usize = 23;
pub(super) const SOURCE_2: usize = 27;
pub(super) const RESULT: usize = 31;
pub(super) const MARK: usize = 35;
pub(super) const OUTPUTS: usize = 36;

/// A resource that a store names.
#[derive(Clone, Copy)]
pub(super) struct Named {
    pub(super) handle: Value,
    pub(super) is_texture: bool,
}

/// An element.
pub(super) struct Element {
    pub(super) index: Value,
    pub(super) words: [Option<Value>; WORDS],
    /// The instructions that access it.
    pub(super) insts: Vec<Inst>,
    /// How many of them use its index.
    pub(super) index_uses: u32,
    /// The results that increments gave.
    pub(super) outputs: Vec<Value>,
    /// The call of a shader that has the last result as the shader's number, and nothing else has.
    pub(super) call: Option<Inst>,
    /// The instruction that stored the opcode.
    pub(super) opcode_store: Option<Inst>,
    /// The instruction that gave the first result.
    pub(super) first_output: Option<Inst>,
    /// The values that were loaded from it, by the number of the result's word.
    pub(super) loaded: Vec<(usize, Value)>,
    /// The resource that it names.
    pub(super) resource: Option<Named>,
}

impl Element {
    pub(super) fn new(index: Value, inst: Inst) -> Self {
        Self {
            index,
            words: [None; WORDS],
            insts: vec![inst],
            index_uses: 0,
            outputs: Vec::new(),
            call: None,
            opcode_store: None,
            first_output: None,
            loaded: Vec::new(),
            resource: None,
        }
    }
}
