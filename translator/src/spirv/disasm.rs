//! SPIR-V as text, for people and tests. Translation does not use this module.

use rspirv::binary::Disassemble;

use crate::error::{Place, Result};

/// The assembly of a module, as `spirv-dis` writes it with raw ids.
///
/// # Errors
/// `Malformed` if the `rspirv` loader does not accept the words.
pub fn disassemble(words: &[u32]) -> Result<String> {
    match rspirv::dr::load_words(words) {
        Ok(module) => Ok(module.disassemble()),
        Err(state) => Err(malformed!(Place::Input, "the words are not a SPIR-V module: {state}")),
    }
}
