//! SPIR-V as text, for people and tests. Nothing here is on the path from DXIL to SPIR-V.

use rspirv::binary::Disassemble;

use crate::error::{Place, Result};

/// The assembly of a module, as `spirv-dis` writes it with raw ids.
///
/// # Errors
/// `Malformed` where the words are no SPIR-V that the `rspirv` loader takes.
pub fn disassemble(words: &[u32]) -> Result<String> {
    match rspirv::dr::load_words(words) {
        Ok(module) => Ok(module.disassemble()),
        Err(state) => Err(malformed!(Place::Input, "no SPIR-V module: {state}")),
    }
}
