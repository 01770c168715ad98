//! Turns variables into arrays of words, if an access does not fit the variable's type.
//!
//! In: a module whose functions take no pointers, and its reachable functions. Out: the same
//! program, in which every address is a single access path into one variable
//! ([`Address`](crate::analysis::address::Address)), as SPIR-V's logical addressing requires.
//!
//! Three kinds of accesses do not fit the variable's type: through a cast to another layout,
//! through an address that control flow chooses between variables, and past the member that the
//! address started from. All variables that such an address may point into form a set. The set
//! becomes one array, in which each variable has its place, and addresses become 32-bit byte
//! offsets into the array.
//!
//! What must hold: the data layout gives the offsets of members; a set of variables that escapes
//! (an address in memory, as a number, in a call) stays as it is, and lowering refuses it by name;
//! variables whose accesses all fit are not changed.
//!
//! LLVM's optimiser writes such code if it moves the stores of two branches to the block after them
//! (a phi of two arrays' addresses). Converters of older shader code declare groupshared memory as
//! bytes, and store doubles into arrays of floats.

mod plan;
mod rewrite;
mod survey;
#[cfg(test)]
mod tests;

pub(super) use self::plan::WORD_ARRAYS;
use self::survey::Survey;
pub(super) use self::survey::is_irregular;
use super::functions::callees_first;
use crate::ir::{Func, Module};
use dxil_base::error::Result;
use dxil_base::limits::Fuel;

/// Rewrites the functions that the entries reach. Returns whether anything changed.
///
/// # Errors
/// `Limit` if the result would be too much code.
pub(super) fn run(module: &mut Module, entries: &[Func], fuel: &Fuel) -> Result<bool> {
    let functions = callees_first(module, entries);
    let sizes = module.sizes();
    let plan = Survey::new(module, &functions).plan(&sizes);
    if plan.arrays.is_empty() {
        return Ok(false);
    }
    rewrite::rewrite(module, &functions, &sizes, &plan, fuel)?;
    Ok(true)
}
