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

mod rewrite;
mod survey;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use self::survey::Survey;
use super::inline::callees_first;
use crate::ir::{AddressSpace, Func, Global, Module, TypeId, Value};
use dxil_base::error::Result;
use dxil_base::limits::Fuel;

/// What is charged for variables that become arrays of words, and for copies that lead to them.
pub(super) const WORD_ARRAYS: &str = "variables that become arrays of words";

/// Rewrites the functions that the entries reach. Returns whether anything changed.
///
/// # Errors
/// `Limit` if the result would be too much code.
pub(super) fn run(module: &mut Module, entries: &[Func], fuel: &Fuel) -> Result<bool> {
    let functions = callees_first(module, entries);
    if !survey::is_needed(module, &functions) {
        return Ok(false);
    }
    let sizes = module.layout.measure(&module.types);
    let plan = Survey::new(module, &functions).plan(&sizes);
    if plan.arrays.is_empty() {
        return Ok(false);
    }
    rewrite::rewrite(module, &functions, &sizes, &plan, fuel)?;
    Ok(true)
}

/// Variables that share an array.
struct WordArray {
    space: AddressSpace,
    /// The type of the array's elements, if all accesses have this type; `None` for an integer of
    /// `bits`.
    word: Option<TypeId>,
    /// Width of an element in bits: 16, 32 or 64.
    bits: u8,
    /// Size of all variables together, in bytes.
    bytes: u64,
    /// The function that owns the array, if all variables are allocas of that function; otherwise
    /// the array is a variable of the module.
    owner: Option<Func>,
    /// The module's variables among them, with their byte offsets in the array.
    globals: Vec<(Global, u64)>,
}

/// A place in an array.
#[derive(Clone, Copy)]
struct Position {
    /// The number of the array.
    array: usize,
    /// In bytes.
    offset: u64,
}

/// The pointers and variables to rewrite.
struct Plan {
    arrays: Vec<WordArray>,
    /// The array that each pointer of a function points into, as a list of the function's locals, in which
    /// [`NO_ARRAY`] stands for none. Most pointers are in the functions that have some.
    pointers: BTreeMap<Func, Box<[u32]>>,
    /// The byte offset of each alloca in its array.
    allocas: BTreeMap<(Func, Value), u64>,
    /// The position of each variable of the module.
    globals: BTreeMap<Global, Position>,
}

/// A local that points into no array of the plan.
const NO_ARRAY: u32 = u32::MAX;

impl Plan {
    /// The array that a local of a function points into.
    fn array_of(&self, func: Func, value: Value) -> Option<usize> {
        let array = *self.pointers.get(&func)?.get(value.as_local()?)?;
        (array != NO_ARRAY).then_some(array as usize)
    }
}
