//! SPIR-V as text, for people and tests. Translation does not use this module.

use rspirv::binary::Disassemble;

use dxil_base::error::{Place, Result};
use dxil_base::limits::{Fuel, TEXTS};

/// The assembly of a module, as `spirv-dis` writes it with raw ids.
///
/// # Errors
/// `Malformed` if the `rspirv` loader does not accept the words.
pub fn disassemble(words: &[u32]) -> Result<String> {
    disassemble_within(words, &Fuel::default())
}

/// Bytes that a word takes as an object of `rspirv` and as text. An operand is an object of 32 bytes,
/// and the text of an instruction has about ten bytes for each word.
const WORD_BYTES: usize = 64;

/// [`disassemble`] with fuel.
///
/// # Errors
/// Those of [`disassemble`]; `Limit` if the objects and the text would cost more than the budget.
pub fn disassemble_within(words: &[u32], fuel: &Fuel) -> Result<String> {
    fuel.bytes(Place::Input, TEXTS, words.len() * WORD_BYTES)?;
    match rspirv::dr::load_words(words) {
        Ok(module) => Ok(module.disassemble()),
        Err(state) => Err(malformed!(Place::Input, "the words are not a SPIR-V module: {state}")),
    }
}
