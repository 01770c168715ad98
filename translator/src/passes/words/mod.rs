//! Memory that is accessed in other ways than its type says becomes an array of words.
//!
//! In: a module whose functions take no pointers, and what of it is reached. Out: the same program, in which every address is one way
//! through one variable's type ([`Address`](crate::dxil::address::Address)), as SPIR-V's logical addressing wants it. A variable stays as
//! it is unless an access needs more: through a cast to another layout, of an address that was chosen between variables, past the member
//! that it started from. Then it becomes bytes, together with the variables that one address may be of: one array, in which each has its
//! place, and addresses are 32-bit offsets into it. What must hold: where the parts lie is the data layout's word; a set of variables that escapes (an
//! address in memory, as a number, in a call) stays as it is, and lowering refuses it by name; variables that need nothing are not touched.
//!
//! LLVM's optimiser writes such code where it moves the stores of two branches behind them (a phi of two arrays' addresses); converters of
//! older shader code write groupshared memory as bytes, and doubles into arrays of floats.

mod rewrite;
mod survey;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use self::survey::Survey;
use super::inline::callees_first;
use crate::dxil::ir::{AddressSpace, Func, Global, Module, TypeId, Value};
use crate::error::Result;

/// Rewrites what is reached from the entries. Says whether anything changed.
///
/// # Errors
/// `Limit` where it would become too much code.
pub(super) fn run(module: &mut Module, entries: &[Func]) -> Result<bool> {
    let functions = callees_first(module, entries);
    if !survey::is_needed(module, &functions) {
        return Ok(false);
    }
    let sizes = module.layout.measure(&module.types);
    let plan = Survey::new(module, &functions).plan(&sizes);
    if plan.arrays.is_empty() {
        return Ok(false);
    }
    rewrite::rewrite(module, &functions, &sizes, &plan)?;
    Ok(true)
}

/// Variables that share an array.
struct WordArray {
    space: AddressSpace,
    /// The type of its elements, where it is that of all accesses; otherwise it is an integer.
    word: Option<TypeId>,
    /// How many bits an element has: 16, 32 or 64.
    bits: u8,
    /// Bytes of all variables together.
    bytes: u64,
    /// The function whose allocas alone they are; otherwise the array is the module's.
    owner: Option<Func>,
    /// The module's variables among them, with their places.
    globals: Vec<(Global, u64)>,
}

/// What is rewritten.
struct Plan {
    arrays: Vec<WordArray>,
    /// The array that each pointer of a function leads into.
    pointers: BTreeMap<(Func, Value), usize>,
    /// Of variables: also where in it.
    allocas: BTreeMap<(Func, Value), u64>,
    globals: BTreeMap<Global, (usize, u64)>,
}
