//! Nodes of metadata as lists of numbers, texts, nodes and values.
//!
//! In: a module. Out: the elements of its nodes. What must hold: an element that is missing or has
//! another type is `Malformed`, and the message names it.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::ir::declarations::Signature;
use dxil_base::error::{Place, Result};
use dxil_base::limits;
use dxil_base::names::text;
use dxil_bitcode as bitcode;
use dxil_bitcode::{Metadata, MetadataOperand, MetadataView, Type, ValueDef};

/// The most bytes of a name that each reference has a copy of. What refers to it is larger.
const SHORT_NAME: usize = 64;

/// The module, and what has been made of metadata that several nodes may refer to. It is made once,
/// because a reference is smaller than its content.
pub(super) struct MetadataContext<'m> {
    pub(super) module: &'m bitcode::Module,
    pub(super) texts: RefCell<BTreeMap<bitcode::MetadataId, Arc<str>>>,
    pub(super) signatures: RefCell<BTreeMap<bitcode::MetadataId, Arc<Signature>>>,
    /// The signature without elements.
    pub(super) empty: Arc<Signature>,
    /// Rows of the elements of all signatures.
    pub(super) rows: Cell<usize>,
}

impl<'m> MetadataContext<'m> {
    pub(super) fn new(module: &'m bitcode::Module) -> Self {
        Self {
            module,
            texts: RefCell::default(),
            signatures: RefCell::default(),
            empty: Arc::default(),
            rows: Cell::new(0),
        }
    }
}

/// A metadata node with a name for messages.
pub(super) struct MetadataNode<'m> {
    pub(super) source: &'m MetadataContext<'m>,
    pub(super) module: &'m bitcode::Module,
    pub(super) what: &'static str,
    pub(super) operands: &'m [MetadataOperand],
}

impl<'m> MetadataNode<'m> {
    pub(super) fn new(source: &'m MetadataContext<'m>, what: &'static str, id: bitcode::MetadataId) -> Result<Self> {
        let module = source.module;
        match module.metadata(None, id) {
            Some(Metadata::Node { operands, .. }) => {
                Ok(MetadataNode { source, module, what, operands: &module.metadata_operands[operands] })
            }
            _ => Err(malformed!(Place::Input, "`{what}` metadata is not a node")),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.operands.len()
    }

    pub(super) fn view(&self, index: usize) -> MetadataView<'m> {
        self.operands.get(index).map_or(MetadataView::Null, |&o| self.module.metadata_view(None, o))
    }

    pub(super) fn wrong(&self, index: usize, expected: &str) -> dxil_base::error::Error {
        malformed!(Place::Input, "element {index} of `{}` metadata is not {expected}", self.what)
    }

    pub(super) fn uint(&self, index: usize) -> Result<u64> {
        let value = match self.view(index) {
            MetadataView::Value(value) => self.module.constant_int(None, value),
            _ => None,
        };
        value.ok_or_else(|| self.wrong(index, "an integer"))
    }

    pub(super) fn u32(&self, index: usize) -> Result<u32> {
        u32::try_from(self.uint(index)?).map_err(|_| self.wrong(index, "a 32-bit integer"))
    }

    pub(super) fn byte(&self, index: usize) -> Result<u8> {
        u8::try_from(self.uint(index)?).map_err(|_| self.wrong(index, "an integer below 256"))
    }

    pub(super) fn flag(&self, index: usize) -> Result<bool> {
        Ok(self.uint(index)? != 0)
    }

    /// The text at an index, and its number.
    pub(super) fn text(&self, index: usize) -> Result<(bitcode::MetadataId, &'m [u8])> {
        match (self.operands.get(index), self.view(index)) {
            (Some(&MetadataOperand::Id(id)), MetadataView::String(bytes)) => Ok((id, bytes)),
            _ => Err(self.wrong(index, "a string")),
        }
    }

    pub(super) fn string(&self, index: usize) -> Result<Arc<str>> {
        let (id, bytes) = self.text(index)?;
        if bytes.is_empty() {
            return Ok(Arc::default());
        }
        if bytes.len() <= SHORT_NAME {
            return Ok(text(bytes).into());
        }
        if let Some(text) = self.source.texts.borrow().get(&id) {
            return Ok(text.clone());
        }
        limits::check(Place::Input, "bytes of a name in metadata", bytes.len(), limits::NAME_BYTES)?;
        let text: Arc<str> = text(bytes).into();
        self.source.texts.borrow_mut().insert(id, text.clone());
        Ok(text)
    }

    /// The node at an index; `None` if it is null or missing.
    pub(super) fn node(&self, index: usize, what: &'static str) -> Result<Option<MetadataNode<'m>>> {
        match self.view(index) {
            MetadataView::Node(_, operands) => {
                Ok(Some(MetadataNode { source: self.source, module: self.module, what, operands }))
            }
            MetadataView::Null => Ok(None),
            _ => Err(self.wrong(index, "a node or null")),
        }
    }

    /// The node at an index, which must be there.
    pub(super) fn list(&self, index: usize, what: &'static str) -> Result<MetadataNode<'m>> {
        self.node(index, what)?.ok_or_else(|| self.wrong(index, "a node"))
    }

    /// The function at an index; `None` if it is null.
    pub(super) fn function(&self, index: usize) -> Result<Option<bitcode::FunctionId>> {
        match self.view(index) {
            MetadataView::Null => Ok(None),
            MetadataView::Value(value) => match self.module.value(None, value).map(|v| v.def) {
                Some(ValueDef::Function(id)) => Ok(Some(id)),
                _ => Err(self.wrong(index, "a function")),
            },
            _ => Err(self.wrong(index, "a function")),
        }
    }

    /// The global variable at an index, also through a cast; `None` for anything else.
    pub(super) fn global(&self, index: usize) -> Option<bitcode::GlobalId> {
        let MetadataView::Value(mut value) = self.view(index) else { return None };
        for _ in 0..2 {
            match self.module.value(None, value)?.def {
                ValueDef::Global(id) => return Some(id),
                ValueDef::Constant(id) => match self.module.constants[id] {
                    bitcode::Constant::Cast { value: inner, .. } => value = inner,
                    _ => return None,
                },
                _ => return None,
            }
        }
        None
    }

    /// The type that the pointer at an index points to; `None` for anything else.
    pub(super) fn pointee(&self, index: usize) -> Option<bitcode::TypeId> {
        let MetadataView::Value(value) = self.view(index) else { return None };
        match self.module.types[self.module.value(None, value)?.ty] {
            Type::Pointer { pointee, .. } => Some(pointee),
            _ => None,
        }
    }

    /// The number at an index, which must be in a range.
    pub(super) fn count(&self, index: usize, what: &str, range: std::ops::RangeInclusive<u32>) -> Result<u32> {
        let number = self.u32(index)?;
        match range.contains(&number) {
            true => Ok(number),
            false => {
                let (least, most) = (range.start(), range.end());
                Err(malformed!(
                    Place::Input,
                    "`{}` metadata has {number} {what}; {least} to {most} are valid",
                    self.what
                ))
            }
        }
    }

    /// The first numbers of the list, at most `most`.
    pub(super) fn first_numbers(&self, most: usize) -> Result<Box<[u32]>> {
        let mut numbers = Vec::with_capacity(self.len().min(most));
        for i in 0..self.len().min(most) {
            numbers.push(self.u32(i)?);
        }
        Ok(numbers.into_boxed_slice())
    }

    /// A value of one of DXIL's enumerations, stored as a number.
    pub(super) fn constant<T: TryFrom<u32>>(&self, index: usize, what: &str) -> Result<T> {
        let number = self.u32(index)?;
        T::try_from(number).map_err(|_| {
            unsupported!(Place::Input, "unknown {what} {number} in element {index} of `{}` metadata", self.what)
        })
    }

    /// Reads a list of pairs of tag and value: calls `f` with each tag and the index of its value.
    pub(super) fn tags(&self, mut f: impl FnMut(u32, usize) -> Result<()>) -> Result<()> {
        limits::check(Place::Input, "elements of a list of tags", self.len(), limits::METADATA_TAGS)?;
        for i in (0..self.len()).step_by(2) {
            f(self.u32(i)?, i + 1)?;
        }
        Ok(())
    }
}

/// As many numbers of a list at an index.
pub(super) fn numbers<const N: usize>(node: &MetadataNode<'_>, at: usize, what: &'static str) -> Result<[u32; N]> {
    let list = node.list(at, what)?;
    let mut out = [0; N];
    for (i, slot) in out.iter_mut().enumerate() {
        *slot = list.u32(i)?;
    }
    Ok(out)
}
