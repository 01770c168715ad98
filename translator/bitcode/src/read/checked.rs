//! What is checked so far, and what is left to check.

use crate::types::TypeId;
use crate::values::{ConstantId, ValueId};

/// A value that a record names before the value is known to exist.
#[derive(Clone, Copy, Debug)]
pub(super) struct ForwardReference {
    pub value: ValueId,
    pub ty: Option<TypeId>,
    pub bit: u64,
}

/// Progress of the checks, and the data they need.
#[derive(Debug, Default)]
pub(super) struct CheckState {
    /// What the checks need of each constant.
    pub constants: Vec<ConstantState>,
    /// The constants that are not checked yet, in ascending order.
    pub unchecked: Vec<ConstantId>,
    /// Memory for the constants that are being checked, each with the number of its next operand.
    pub stack: Vec<(ConstantId, usize)>,
    /// Nesting and size of each type of the type table.
    pub type_sizes: Vec<TypeSize>,
    /// How much metadata there must be: one more than the last number that a record refers to.
    pub metadata: usize,
}

/// What the checks need of a constant.
#[derive(Clone, Copy, Debug)]
pub(super) struct ConstantState {
    /// Bit of its record.
    pub bit: u32,
    pub ty: TypeId,
    pub size: ConstantSize,
}

/// The nesting and the size of a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ConstantSize {
    Unknown,
    Open,
    Known { depth: u32, leaves: u32 },
}

/// The nesting of a type, and the number of its fields with those of fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TypeSize {
    Unknown,
    Open,
    Known { depth: u32, fields: u32 },
}

impl CheckState {
    /// Nothing has been checked.
    pub(super) fn clear(&mut self) {
        let Self { constants, unchecked, stack, type_sizes, metadata } = self;
        constants.clear();
        unchecked.clear();
        stack.clear();
        type_sizes.clear();
        *metadata = 0;
    }
}
