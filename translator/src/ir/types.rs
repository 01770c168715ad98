//! Types. A module has each type once.

use super::TypeId;
use std::ops::{Deref, DerefMut};

use dxil_base::entity::UniqueMap;

/// The address space of a pointer (DXIL.rst, "Address spaces").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AddressSpace {
    /// 0: function-local memory (allocas), and constant tables.
    Default,
    /// 1: device memory.
    DeviceMemory,
    /// 2: constant-buffer memory.
    CBuffer,
    /// 3: groupshared memory.
    GroupShared,
    /// 6: records of work-graph nodes.
    NodeRecord,
    /// Any other number.
    Other(u32),
}

impl AddressSpace {
    /// The address space with this number in LLVM.
    pub fn from_number(n: u32) -> Self {
        match n {
            0 => AddressSpace::Default,
            1 => AddressSpace::DeviceMemory,
            2 => AddressSpace::CBuffer,
            3 => AddressSpace::GroupShared,
            6 => AddressSpace::NodeRecord,
            n => AddressSpace::Other(n),
        }
    }
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `void`: no value.
    Void,
    /// An integer of 1 to 64 bits. D3D has 1, 16, 32 and 64; LLVM's optimiser makes others.
    Int(u8),
    /// A float of 16, 32 or 64 bits.
    Float(u8),
    /// A typed pointer.
    Pointer {
        /// The type of the object that it points to.
        pointee: TypeId,
        /// The address space.
        space: AddressSpace,
    },
    /// An array.
    Array {
        /// The element's type.
        element: TypeId,
        /// How many elements.
        len: u32,
    },
    /// A vector of scalars.
    Vector {
        /// The element's type.
        element: TypeId,
        /// How many elements.
        len: u32,
    },
    /// A structure.
    Struct {
        /// Its name, without LLVM's `%`; empty for a literal structure.
        name: Box<str>,
        /// The members' types.
        fields: Box<[TypeId]>,
        /// Whether it is packed: its members follow one another without padding.
        packed: bool,
    },
    /// `%dx.types.Handle`, which represents a resource.
    Handle,
    /// A valid LLVM type that has no meaning in a shader: labels, metadata, other opaque types. It
    /// is an error only if a value of the type is used.
    Other(Box<str>),
}

/// The types of a module, each once.
#[derive(Clone, Debug, Default)]
pub struct Types(UniqueMap<TypeId, Type>);

impl Deref for Types {
    type Target = UniqueMap<TypeId, Type>;
    #[inline]
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for Types {
    #[inline]
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl Types {
    /// Whether values of the type are pointers.
    #[inline]
    pub fn is_pointer(&self, id: TypeId) -> bool {
        matches!(self[id], Type::Pointer { .. })
    }
    /// The element type of a vector; for any other type the type itself.
    #[inline]
    pub fn scalar(&self, id: TypeId) -> &Type {
        match &self[id] {
            Type::Vector { element, .. } => &self[*element],
            ty => ty,
        }
    }
    /// The width in bits of a scalar or of a vector's elements; `None` for any other type.
    #[inline]
    pub fn scalar_bits(&self, id: TypeId) -> Option<u8> {
        match *self.scalar(id) {
            Type::Int(bits) | Type::Float(bits) => Some(bits),
            _ => None,
        }
    }
}
