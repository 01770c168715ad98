//! What is checked so far, and what is left to check.

use crate::types::TypeId;
use crate::values::ValueId;

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
    /// Bit of the record of each constant.
    pub constant_bits: Vec<u32>,
    /// Type of each constant.
    pub constant_types: Vec<TypeId>,
    /// Nesting and size of each constant, if it has been checked.
    pub sizes: Vec<ConstantSize>,
    /// Nesting and size of each type of the type table.
    pub type_sizes: Vec<TypeSize>,
    pub metadata_operands: usize,
    pub named_nodes: usize,
    pub global_attachments: usize,
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
        let Self { constant_bits, constant_types, sizes, type_sizes, .. } = self;
        constant_bits.clear();
        constant_types.clear();
        sizes.clear();
        type_sizes.clear();
        (self.metadata_operands, self.named_nodes, self.global_attachments) = (0, 0, 0);
    }
}
