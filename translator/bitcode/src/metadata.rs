//! Metadata: strings, nodes and values that annotate the module.
//!
//! In: metadata blocks, in the old and the new encodings. Out: [`Metadata`] by [`MetadataId`], in
//! LLVM's numbering: the module's metadata first, then that of the current function. What must
//! hold: every id and value in a node is in range. Nodes may form cycles (distinct nodes do), so a
//! walk needs a bound.

use super::pool::{List, Str};
use super::values::{MetadataId, ValueId};

/// One piece of metadata.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metadata {
    /// `!"text"`
    String(Str),
    /// `!{…}` or `distinct !{…}`; operands are in
    /// [`Module::metadata_operands`](super::Module::metadata_operands).
    Node {
        /// Whether the node is distinct from other nodes of the same content.
        distinct: bool,
        /// Operands of the node.
        operands: List<MetadataOperand>,
    },
    /// `T value`
    Value(ValueId),
    /// A specialised debug node (`!DILocation`, `!DISubprogram`, …). Only its number matters; its
    /// content is not read.
    Debug {
        /// Code of the record.
        code: u32,
    },
}

/// An operand of a node or a named list, as the records store it.
/// [`Module::metadata_view`](super::Module::metadata_view) resolves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetadataOperand {
    /// `null`
    Null,
    /// Another piece of metadata.
    Id(MetadataId),
    /// A value, stored in place by encodings before LLVM 3.6.
    Value(ValueId),
}

/// An operand with its content, independent of the encoding that stored it.
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
    /// Name, without the exclamation mark.
    pub name: Str,
    /// The listed nodes.
    pub nodes: Vec<MetadataId>,
}

/// A node attached to an instruction or a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attachment<At> {
    /// The instruction or global that the node is attached to.
    pub at: At,
    /// Kind of the attachment: a number of
    /// [`Module::metadata_kinds`](super::Module::metadata_kinds).
    pub kind: u32,
    /// The node.
    pub node: MetadataId,
}
