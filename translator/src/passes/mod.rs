//! What is done to the IR between decoding and lowering.
//!
//! In: a verified [`Module`] and the functions that pipelines enter. Out: the same program in a form that lowering takes. What must hold: the result
//! is verified again in debug builds, and each pass says itself what it leaves alone.

mod inline;
#[cfg(test)]
mod tests;

use crate::dxil::ir::{Func, Module};
use crate::dxil::verify;
use crate::error::Result;

/// Runs all passes, in order.
///
/// # Errors
/// `Limit` where inlining makes too much code; in debug builds the verifier's, where a pass broke the IR.
pub fn run(module: &mut Module, entries: &[Func]) -> Result<()> {
    let changed = inline::inline(module, entries)?;
    if changed && cfg!(debug_assertions) {
        verify::verify(module)?;
    }
    Ok(())
}
