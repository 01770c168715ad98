//! Metadata: strings, nodes and values that annotate the module.
//!
//! In: metadata blocks, in the old and the new encodings. Out: [`Metadata`] by [`MetadataId`], LLVM's numbering: the
//! module's first, then those of the function at hand. What must hold: every id and value in a node is in range. Nodes may form
//! cycles (distinct nodes do), so a walk needs a bound.

use super::module::{Str, ValueId};
use super::pool::List;

entity! {
    /// A piece of metadata, by LLVM's number.
    pub struct MetadataId, "m";
}

/// One piece of metadata.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metadata {
    /// `!"text"`
    String(Str),
    /// `!{…}` or `distinct !{…}`; operands are in [`Module::metadata_operands`](super::Module::metadata_operands).
    Node {
        /// Whether it is different from every other node of the same content.
        distinct: bool,
        /// Its operands.
        operands: List<MetadataOperand>,
    },
    /// `T value`
    Value(ValueId),
    /// A specialised node (`!DILocation`, `!DISubprogram`, …), kept for its number alone.
    Debug {
        /// Code of its record.
        code: u32,
    },
}

/// An operand of a node or a named list, as the records store it. [`Module::metadata_view`](super::Module::metadata_view) looks through it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetadataOperand {
    /// `null`
    Null,
    /// Another piece of metadata.
    Id(MetadataId),
    /// A value, stored in place by encodings before LLVM 3.6.
    Value(ValueId),
}

/// What an operand is, whichever encoding stored it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetadataView<'m> {
    /// `null`
    Null,
    /// A string.
    String(&'m [u8]),
    /// A value: a constant, global or function, or (in function metadata) a local value.
    Value(ValueId),
    /// A node, with its operands.
    Node(MetadataId, &'m [MetadataOperand]),
    /// A specialised node of debug information.
    Debug(MetadataId),
}

/// `!name = !{…}`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedMetadata {
    /// Its name, without the exclamation mark.
    pub name: Str,
    /// The nodes it lists.
    pub nodes: Vec<MetadataId>,
}

/// A node attached to an instruction or a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attachment<At> {
    /// What it is attached to.
    pub at: At,
    /// Its kind: a number of [`Module::metadata_kinds`](super::Module::metadata_kinds).
    pub kind: u32,
    /// The node.
    pub node: MetadataId,
}
