//! Metadata: strings, nodes and values that annotate the module.
//!
//! In: metadata blocks, in the old and the new encodings. Out: [`Metadata`] by [`MetadataId`], in
//! LLVM's numbering: the module's metadata first, then that of the current function. What must
//! hold: every id and value in a node is in range. Nodes may form cycles (distinct nodes do), so a
//! walk needs a bound.

use super::codes::metadata as code;
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
    /// A specialised debug node (`!DILocation`, `!DISubprogram`, …).
    Debug {
        /// Code of the record.
        code: DebugCode,
        /// Operands of the record, in [`Module::debug_operands`](super::Module::debug_operands).
        /// Empty if debug information is not read.
        operands: List<u64>,
    },
}

/// The code of a record of debug information (LLVMBitCodes.h, `MetadataCodes`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DebugCode(pub u8);

impl DebugCode {
    /// `!DILocation`, a call that was inlined, or the place of an instruction.
    pub const LOCATION: Self = Self(code::LOCATION as u8);
    /// `!DISubrange`
    pub const SUBRANGE: Self = Self(13);
    /// `!DIBasicType`
    pub const BASIC_TYPE: Self = Self(15);
    /// `!DIFile`
    pub const FILE: Self = Self(16);
    /// `!DIDerivedType`
    pub const DERIVED_TYPE: Self = Self(17);
    /// `!DICompositeType`
    pub const COMPOSITE_TYPE: Self = Self(18);
    /// `!DISubroutineType`
    pub const SUBROUTINE_TYPE: Self = Self(19);
    /// `!DICompileUnit`
    pub const COMPILE_UNIT: Self = Self(20);
    /// `!DISubprogram`
    pub const SUBPROGRAM: Self = Self(21);
    /// `!DILexicalBlock`
    pub const LEXICAL_BLOCK: Self = Self(22);
    /// `!DILexicalBlockFile`
    pub const LEXICAL_BLOCK_FILE: Self = Self(23);
    /// `!DINamespace`
    pub const NAMESPACE: Self = Self(24);
    /// `!DIGlobalVariable`
    pub const GLOBAL_VARIABLE: Self = Self(27);
    /// `!DILocalVariable`
    pub const LOCAL_VARIABLE: Self = Self(28);
    /// `!DIExpression`
    pub const EXPRESSION: Self = Self(29);
}

/// The place of an instruction in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DebugLocation {
    /// Line, counted from one; zero for none.
    pub line: u32,
    /// Column, counted from one; zero for none.
    pub column: u32,
    /// The scope, a node of debug information; `None` for none.
    pub scope: Option<MetadataId>,
    /// The call that the instruction was inlined at, a `!DILocation`.
    pub inlined_at: Option<MetadataId>,
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedMetadata {
    /// Name, without the exclamation mark.
    pub name: Str,
    /// The listed nodes, in [`Module::named_nodes`](super::Module::named_nodes).
    pub nodes: List<MetadataId>,
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
