//! The operands of instructions: values, constants and lists of values.

use super::{CastOp, Const, Func, Global, TypeId};
use std::ops::{Deref, DerefMut};

use dxil_base::entity::{Entity, UniqueMap};

/// An operand of an instruction: a local of the function, or a constant of the module.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(u32);

/// The two kinds of [`Value`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueKind {
    /// Index into [`Function::locals`](super::Function::locals).
    Local(usize),
    /// A constant of the module.
    Const(Const),
}

impl Value {
    const CONST: u32 = 1 << 31;
    /// The function-local value with this index into [`Function::locals`](super::Function::locals).
    #[inline]
    pub fn local(index: usize) -> Self {
        Self(index as u32 & !Self::CONST)
    }
    /// The module constant as a value.
    #[inline]
    pub fn constant(constant: Const) -> Self {
        Self(constant.index() as u32 | Self::CONST)
    }
    /// The kind of the value.
    #[inline]
    pub fn kind(self) -> ValueKind {
        if self.0 & Self::CONST == 0 {
            ValueKind::Local(self.0 as usize)
        } else {
            ValueKind::Const(Const::new((self.0 & !Self::CONST) as usize))
        }
    }
    /// The constant, if the value is one.
    #[inline]
    pub fn as_const(self) -> Option<Const> {
        match self.kind() {
            ValueKind::Const(c) => Some(c),
            ValueKind::Local(_) => None,
        }
    }
    /// The index into [`Function::locals`](super::Function::locals), if the value is a local.
    #[inline]
    pub fn as_local(self) -> Option<usize> {
        match self.kind() {
            ValueKind::Local(i) => Some(i),
            ValueKind::Const(_) => None,
        }
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.kind() {
            ValueKind::Local(i) => write!(f, "v{i}"),
            ValueKind::Const(c) => write!(f, "{c}"),
        }
    }
}

impl std::fmt::Debug for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

/// A range of a function's operand pool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ValueList {
    start: u32,
    len: u32,
}

impl ValueList {
    /// The number of values in the list.
    pub fn len(self) -> usize {
        self.len as usize
    }
    /// Whether the list has no values.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.len == 0
    }
    /// The list of `len` values from `start` in the pool.
    pub(crate) fn from_range(start: usize, len: usize) -> Self {
        Self { start: start as u32, len: len as u32 }
    }
    /// The range of its values in the pool.
    #[inline]
    pub(super) fn range(self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + self.len) as usize
    }
}

/// The content of a constant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ConstKind {
    /// An integer, zero-extended from its width.
    Int(u64),
    /// A float, as the bits of its width.
    Float(u64),
    /// The zero value of any type: `null`, `zeroinitializer`.
    Null,
    /// `undef`.
    Undef,
    /// Elements of an array, vector or structure.
    Aggregate(Box<[Const]>),
    /// The address of a global variable.
    GlobalAddr(Global),
    /// The address of a function. Only metadata and calls may use it.
    FuncAddr(Func),
    /// A constant `getelementptr`: base, then indexes.
    Gep {
        /// The address it starts from.
        base: Const,
        /// The indexes, the first of which steps over whole pointees.
        indices: Box<[Const]>,
    },
    /// Another constant cast that folding did not remove.
    Cast {
        /// Which cast.
        op: CastOp,
        /// Its operand.
        value: Const,
    },
    /// A constant that decoding cannot express, with the reason. It is an error only if it is used.
    Unsupported(Box<str>),
}

/// A constant: type and content.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ConstData {
    /// Its type.
    pub ty: TypeId,
    /// Its content.
    pub kind: ConstKind,
}

/// The constants of a module, each once.
#[derive(Clone, Debug, Default)]
pub struct Consts(UniqueMap<Const, ConstData>);

impl Deref for Consts {
    type Target = UniqueMap<Const, ConstData>;
    #[inline]
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for Consts {
    #[inline]
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl Consts {
    /// A constant as a value.
    pub fn value(&mut self, ty: TypeId, kind: ConstKind) -> Value {
        Value::constant(self.intern(ConstData { ty, kind }))
    }
    /// The value of an integer constant, zero-extended. A `Null` integer is zero.
    pub fn as_uint(&self, id: Const) -> Option<u64> {
        match self[id].kind {
            ConstKind::Int(bits) => Some(bits),
            ConstKind::Null => Some(0),
            _ => None,
        }
    }
}
