//! The plan: which variables become words of which arrays, and the pointers into them.

use std::collections::BTreeMap;

use crate::ir::{AddressSpace, Func, Global, TypeId, Value};

/// What is charged for variables that become arrays of words, and for copies that lead to them.
pub(in crate::passes) const WORD_ARRAYS: &str = "variables that become arrays of words";

/// Variables that share an array.
pub(super) struct WordArray {
    pub space: AddressSpace,
    /// The type of the array's elements, if all accesses have this type; `None` for an integer of
    /// `bits`.
    pub word: Option<TypeId>,
    /// Width of an element in bits: 16, 32 or 64.
    pub bits: u8,
    /// Size of all variables together, in bytes.
    pub bytes: u64,
    /// The function that owns the array, if all variables are allocas of that function; otherwise
    /// the array is a variable of the module.
    pub owner: Option<Func>,
    /// The module's variables among them, with their byte offsets in the array.
    pub globals: Vec<(Global, u64)>,
}

/// A place in an array.
#[derive(Clone, Copy)]
pub(super) struct ArrayOffset {
    /// The number of the array.
    pub array: usize,
    /// In bytes.
    pub offset: u64,
}

/// The pointers and variables to rewrite.
pub(super) struct Plan {
    pub arrays: Vec<WordArray>,
    /// The array that each pointer of a function points into, as a list of the function's locals,
    /// in which [`NO_ARRAY`] stands for none. Most pointers are in the functions that have some.
    pub pointers: BTreeMap<Func, Box<[u32]>>,
    /// The byte offset of each alloca in its array.
    pub allocas: BTreeMap<(Func, Value), u64>,
    /// The position of each variable of the module.
    pub globals: BTreeMap<Global, ArrayOffset>,
}

/// A local that points into no array of the plan.
pub(super) const NO_ARRAY: u32 = u32::MAX;

impl Plan {
    /// The array that a local of a function points into.
    pub fn array_of(&self, func: Func, value: Value) -> Option<usize> {
        let array = *self.pointers.get(&func)?.get(value.as_local()?)?;
        (array != NO_ARRAY).then_some(array as usize)
    }
}
