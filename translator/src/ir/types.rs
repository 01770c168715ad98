//! Types. A module has each type once.

use super::TypeId;
use std::ops::Deref;

use dxil_base::entity::{PrimaryMap, UniqueMap};

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

/// What a value of a type consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartCounts {
    /// Its leaves: the numbers, vectors, pointers and handles in it.
    pub leaves: u32,
    /// Its leaves, structures and arrays. There may be more of these than leaves, because a
    /// structure may be empty.
    pub parts: u32,
}

impl PartCounts {
    const LEAF: Self = Self { leaves: 1, parts: 1 };

    /// The counts of a type, from those of the types that it consists of.
    fn new(ty: &Type, of: impl Fn(TypeId) -> Self) -> Self {
        match ty {
            Type::Struct { fields, .. } => fields.iter().fold(Self { leaves: 0, parts: 1 }, |sum, &field| {
                let Self { leaves, parts } = of(field);
                Self { leaves: sum.leaves.saturating_add(leaves), parts: sum.parts.saturating_add(parts) }
            }),
            Type::Array { element, len } => {
                let Self { leaves, parts } = of(*element);
                Self { leaves: leaves.saturating_mul(*len), parts: parts.saturating_mul(*len).saturating_add(1) }
            }
            _ => Self::LEAF,
        }
    }
}

/// The types of a module, each once.
#[derive(Clone, Debug, Default)]
pub struct Types {
    types: UniqueMap<TypeId, Type>,
    counts: PrimaryMap<TypeId, PartCounts>,
}

impl Deref for Types {
    type Target = UniqueMap<TypeId, Type>;
    #[inline]
    fn deref(&self) -> &Self::Target {
        &self.types
    }
}

impl Types {
    /// The type with this content. It is added if it is new. The types that it consists of are
    /// there.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        let id = self.types.intern(ty);
        if id == self.counts.next_key() {
            let counts = PartCounts::new(&self[id], |part| self.counts(part));
            let _: TypeId = self.counts.push(counts);
        }
        id
    }
    /// Reserves memory for further types.
    pub fn reserve(&mut self, types: usize) {
        self.types.reserve(types);
        self.counts.reserve(types);
    }
    /// What values of a type consist of.
    #[inline]
    pub fn counts(&self, id: TypeId) -> PartCounts {
        self.counts.get(id).copied().unwrap_or(PartCounts::LEAF)
    }
    /// The bytes that the types occupy, without the names and members of structures.
    pub fn heap_bytes(&self) -> usize {
        self.types.heap_bytes() + self.counts.heap_bytes()
    }
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
