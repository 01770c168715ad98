//! Passes over the IR between decoding and lowering.
//!
//! In: a verified [`Module`] and its entry functions. Out: the same program in a form that lowering
//! accepts. What must hold: a module that a pass has changed is verified again; each pass documents
//! what it leaves alone.

mod choices;
mod handles;
mod inline;
mod params;
mod payloads;
mod pointers;
#[cfg(test)]
mod tests;
mod vectors;
mod words;

use crate::analysis::address;
use crate::ir::{Func, Function, Module};

use crate::ir::verify;
use dxil_base::error::Result;
use dxil_base::limits::Fuel;

/// Runs all passes, in order.
///
/// # Errors
/// `Limit` if a pass makes too much code; the verifier's error if a pass broke the IR.
pub fn run(module: &mut Module, entries: &[Func], fuel: &Fuel) -> Result<()> {
    if params::fold(module) {
        verify::verify(module)?;
    }
    if payloads::end_blocks(module) | vectors::run(module, fuel)? {
        verify::verify(module)?;
    }
    // The variable that a pointer parameter points into is known only after inlining.
    if inline::inline(module, entries, fuel)? {
        verify::verify(module)?;
    }
    // An index is defined before the handle that is created at it, so it is also defined at the place
    // of a choice between handles. Unreachable code may break that in valid LLVM; then the verifier
    // refuses the result, and the functions are restored.
    let merged = handles::merge(module, fuel)?;
    if !merged.is_empty() && verify::verify(module).is_err() {
        restore(module, merged);
    }
    // The passes below and lowering follow the chains of addresses, which inlining makes longer.
    address::charge(module, fuel)?;
    // This pass moves the choice from addresses to their indexes, and computes the address at the place
    // of the choice. A variable that is allocated in a loop may come after that place. Then the verifier
    // refuses the result, the functions are restored, and the addresses are left to the next pass, which
    // works with offsets.
    let merged = pointers::merge(module, fuel)?;
    if !merged.is_empty() && verify::verify(module).is_err() {
        restore(module, merged);
    }
    // What words are made of must be known, so payloads are copied first.
    if payloads::copy(module, entries, fuel)? {
        verify::verify(module)?;
    }
    if words::run(module, entries, fuel)? {
        verify::verify(module)?;
    }
    Ok(())
}

fn restore(module: &mut Module, functions: Vec<(Func, Function)>) {
    for (func, before) in functions {
        module.functions[func] = before;
    }
}
