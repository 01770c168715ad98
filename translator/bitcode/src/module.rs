//! The module that bitcode describes, as data.
//!
//! In: the records that the reader read. Out: [`Module`], which holds types, globals, functions,
//! constants and metadata with LLVM's own numbers. What must hold, and the reader checks: every id
//! stored anywhere in a module is in range. A [`ValueId`] that is stored in a body, or in constants
//! and metadata that a body defines, may name a value of that body. All others name module values.
//! The module knows LLVM, not DXIL.

use dxil_base::entity::{Entity, PrimaryMap};
use dxil_base::names;

use super::attributes::{Attribute, AttributeListId, AttributeSlot};
use super::body::Body;
use super::metadata::{Attachment, Metadata, MetadataOperand, MetadataView, NamedMetadata};
use super::ops::Linkage;
use super::pool::{List, Pool, Str};
use super::types::{Type, TypeId};
use super::values::{AliasId, Constant, ConstantId, FunctionId, GlobalId, MetadataId, Value, ValueDef, ValueId};

/// A whole module. Lists in its parts are handles into the pools at the end of this structure.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// Name of the program that wrote the bitcode, from the identification block, which LLVM 3.8
    /// and later write.
    pub producer: Option<Str>,
    /// Target triple: `dxil-ms-dx`.
    pub triple: Str,
    /// Data layout.
    pub data_layout: Str,
    /// Name of the source file, if a record gives it.
    pub source_name: Str,
    /// Module-level inline assembly.
    pub inline_asm: Str,
    /// The type table.
    pub types: PrimaryMap<TypeId, Type>,
    /// Module-level values.
    pub values: PrimaryMap<ValueId, Value>,
    /// Global variables.
    pub globals: PrimaryMap<GlobalId, Global>,
    /// Functions: declarations, and definitions with their bodies.
    pub functions: PrimaryMap<FunctionId, Function>,
    /// Aliases.
    pub aliases: PrimaryMap<AliasId, Alias>,
    /// Constants of the module and of all bodies.
    pub constants: PrimaryMap<ConstantId, Constant>,
    /// Module-level metadata.
    pub metadata: PrimaryMap<MetadataId, Metadata>,
    /// Named metadata, in the order of the records.
    pub named_metadata: Vec<NamedMetadata>,
    /// Names of the kinds of attachments, by number; empty for a number without a name. The reader
    /// need not read them before there is an attachment.
    pub metadata_kinds: Vec<Str>,
    /// The attributes of one function or call, of its result and of its parameters, in
    /// [`attribute_items`](Self::attribute_items).
    pub attributes: PrimaryMap<AttributeListId, List<(AttributeSlot, Attribute)>>,
    /// Names of section and garbage collector records.
    pub sections: Vec<Str>,
    /// Attachments of global variables.
    pub global_attachments: Vec<Attachment<GlobalId>>,

    /// Bytes of all names and strings.
    pub strings: Pool<u8>,
    /// Fields of structs and parameters of functions.
    pub type_lists: Pool<TypeId>,
    /// Elements of aggregates and operands of constant expressions.
    pub constant_operands: Pool<ValueId>,
    /// Elements of data constants, and words of wide numbers.
    pub constant_words: Pool<u64>,
    /// Operands of metadata nodes.
    pub metadata_operands: Pool<MetadataOperand>,
    /// The nodes of named metadata.
    pub named_nodes: Pool<MetadataId>,
    /// The attributes of lists, each with the slot that it belongs to, in the order of the records.
    pub attribute_items: Pool<(AttributeSlot, Attribute)>,
    /// Operands of debug nodes, if debug information is read.
    pub debug_operands: Pool<u64>,
}

/// A global variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Global {
    /// Name.
    pub name: Str,
    /// The variable's value, which is its address.
    pub value: ValueId,
    /// Type of the content.
    pub ty: TypeId,
    /// Address space; DXIL uses 3 for groupshared memory.
    pub address_space: u32,
    /// Whether the variable is never written.
    pub constant: bool,
    /// Initial value; `None` for a declaration.
    pub initializer: Option<ValueId>,
    /// Linkage.
    pub linkage: Linkage,
    /// Alignment in bytes; zero if the record gives none.
    pub align: u32,
    /// Section, as a number of [`Module::sections`] plus one; zero for none.
    pub section: u32,
    /// Whether each thread has a copy of its own.
    pub thread_local: bool,
    /// Whether the address is not significant (any of LLVM's forms of `unnamed_addr`).
    pub unnamed_addr: bool,
    /// Whether code outside the module may set the initial value.
    pub externally_initialized: bool,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Name.
    pub name: Str,
    /// The function's value, which is a pointer.
    pub value: ValueId,
    /// Type, which is a [`Type::Function`].
    pub ty: TypeId,
    /// Calling convention, by LLVM's number.
    pub calling_convention: u32,
    /// Linkage.
    pub linkage: Linkage,
    /// Attributes.
    pub attributes: Option<AttributeListId>,
    /// Alignment in bytes; zero if the record gives none.
    pub align: u32,
    /// Section, as a number of [`Module::sections`] plus one; zero for none.
    pub section: u32,
    /// Whether the address is not significant (any of LLVM's forms of `unnamed_addr`).
    pub unnamed_addr: bool,
    /// Whether the module defines the function.
    pub defined: bool,
    /// Body; `None` for a declaration, or if a [`Visitor`](super::Visitor) got it.
    pub body: Option<Body>,
}

/// An alias of a global or function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alias {
    /// Name.
    pub name: Str,
    /// The alias's value, which is a pointer.
    pub value: ValueId,
    /// Pointer type of the alias.
    pub ty: TypeId,
    /// The global, function or constant that the alias stands for.
    pub target: ValueId,
    /// Linkage.
    pub linkage: Linkage,
}

impl Module {
    /// Makes it an empty module, which has the memory of this one.
    pub(super) fn clear(&mut self) {
        let Self {
            producer,
            triple,
            data_layout,
            source_name,
            inline_asm,
            types,
            values,
            globals,
            functions,
            aliases,
            constants,
            metadata,
            named_metadata,
            metadata_kinds,
            attributes,
            sections,
            global_attachments,
            strings,
            type_lists,
            constant_operands,
            constant_words,
            metadata_operands,
            named_nodes,
            attribute_items,
            debug_operands,
        } = self;
        *producer = None;
        [triple, data_layout, source_name, inline_asm].into_iter().for_each(|text| *text = Str::EMPTY);
        types.clear();
        values.clear();
        globals.clear();
        functions.clear();
        aliases.clear();
        constants.clear();
        metadata.clear();
        named_metadata.clear();
        metadata_kinds.clear();
        attributes.clear();
        sections.clear();
        global_attachments.clear();
        strings.clear();
        type_lists.clear();
        constant_operands.clear();
        constant_words.clear();
        metadata_operands.clear();
        named_nodes.clear();
        attribute_items.clear();
        debug_operands.clear();
    }
    /// A value by its number; `body` is needed for values of a body. `None` if the number is out of
    /// range; stored ids are always in range.
    #[inline]
    pub fn value(&self, body: Option<&Body>, id: ValueId) -> Option<Value> {
        match self.values.get(id) {
            Some(value) => Some(*value),
            None => body?.values.get(id.index().checked_sub(self.values.len())?).copied(),
        }
    }
    /// The constant of a value; `None` if the value is not a constant.
    pub fn constant(&self, body: Option<&Body>, id: ValueId) -> Option<Constant> {
        match self.value(body, id)?.def {
            ValueDef::Constant(c) => self.constants.get(c).copied(),
            _ => None,
        }
    }
    /// Bits of an integer constant of at most 64 bits, zero-extended.
    pub fn constant_int(&self, body: Option<&Body>, id: ValueId) -> Option<u64> {
        match self.constant(body, id)? {
            Constant::Int(bits) => Some(bits),
            Constant::Null => match self.types.get(self.value(body, id)?.ty)? {
                Type::Integer(width) if *width <= 64 => Some(0),
                _ => None,
            },
            _ => None,
        }
    }
    /// Bytes of a name or string.
    #[inline]
    pub fn bytes(&self, s: Str) -> &[u8] {
        &self.strings[s]
    }
    /// A name or string as text, for messages.
    pub fn text(&self, s: Str) -> std::borrow::Cow<'_, str> {
        names::text(self.bytes(s))
    }
    /// A piece of metadata by its number; `body` is needed for metadata of a body.
    pub fn metadata(&self, body: Option<&Body>, id: MetadataId) -> Option<Metadata> {
        match self.metadata.get(id) {
            Some(m) => Some(*m),
            None => body?.metadata.get(id.index().checked_sub(self.metadata.len())?).copied(),
        }
    }
    /// The content of a node's operand.
    pub fn metadata_view(&self, body: Option<&Body>, operand: MetadataOperand) -> MetadataView<'_> {
        let id = match operand {
            MetadataOperand::Null => return MetadataView::Null,
            MetadataOperand::Value(v) => return MetadataView::Value(v),
            MetadataOperand::Id(id) => id,
        };
        match self.metadata(body, id) {
            Some(Metadata::String(s)) => MetadataView::String(self.bytes(s)),
            Some(Metadata::Node { operands, .. }) => MetadataView::Node(id, &self.metadata_operands[operands]),
            Some(Metadata::Value(v)) => MetadataView::Value(v),
            Some(Metadata::Debug { .. }) => MetadataView::Debug(id),
            None => MetadataView::Null,
        }
    }
    /// The nodes of named metadata, by its name without the exclamation mark.
    pub fn named_metadata(&self, name: &str) -> Option<&[MetadataId]> {
        let named = self.named_metadata.iter().find(|n| self.bytes(n.name) == name.as_bytes())?;
        Some(&self.named_nodes[named.nodes])
    }
    /// The number of a kind of attachment, such as `dx.precise`.
    pub fn metadata_kind(&self, name: &str) -> Option<u32> {
        self.metadata_kinds.iter().position(|&k| self.bytes(k) == name.as_bytes()).map(|i| i as u32)
    }
    /// The value of a textual attribute (`"key"="value"`) that a list gives to the function; empty
    /// for an attribute without a value.
    pub fn text_attribute(&self, list: AttributeListId, key: &str) -> Option<&[u8]> {
        self.attribute_items[*self.attributes.get(list)?].iter().find_map(|item| match *item {
            (AttributeSlot::Function, Attribute::Text(k, v)) if self.bytes(k) == key.as_bytes() => {
                Some(v.map_or(&[][..], |v| self.bytes(v)))
            }
            _ => None,
        })
    }
}
