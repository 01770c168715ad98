//! What is done to the IR between decoding and lowering.
//!
//! In: a verified [`Module`] and the functions that pipelines enter. Out: the same program in a form that lowering takes. What must hold: what
//! was changed is verified again; each pass says itself what it leaves alone.

mod inline;
mod params;
#[cfg(test)]
mod tests;
mod words;

use crate::dxil::ir::{Func, Module};
use crate::dxil::{pointers, verify};
use crate::error::Result;

/// Runs all passes, in order.
///
/// # Errors
/// `Limit` where inlining makes too much code; the verifier's, where a pass broke the IR.
pub fn run(module: &mut Module, entries: &[Func]) -> Result<()> {
    if params::fold(module) {
        verify::verify(module)?;
    }
    // Addresses that come in as parameters are known after inlining only.
    if inline::inline(module, entries)? {
        verify::verify(module)?;
    }
    // An index that an address is made of may be out of reach where the address was chosen. Then it is for the next pass, which keeps offsets.
    let merged = pointers::merge(module);
    if !merged.is_empty() && verify::verify(module).is_err() {
        for (func, before) in merged {
            module.functions[func] = before;
        }
    }
    if words::run(module, entries)? {
        verify::verify(module)?;
    }
    Ok(())
}
