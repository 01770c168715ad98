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

/// [`disassemble`] with fuel.
///
/// # Errors
/// Those of [`disassemble`]; `Limit` if the objects and the text would cost more than the budget.
pub fn disassemble_within(words: &[u32], fuel: &Fuel) -> Result<String> {
    // A word is an operand, or the first one of an instruction.
    fuel.bytes(Place::Input, TEXTS, words.len() * size_of::<rspirv::dr::Instruction>())?;
    match rspirv::dr::load_words(words) {
        Ok(module) => {
            let text = module.disassemble();
            fuel.items::<u8>(Place::Input, TEXTS, text.len())?;
            Ok(text)
        }
        Err(state) => Err(malformed!(Place::Input, "the words are not a SPIR-V module: {state}")),
    }
}
