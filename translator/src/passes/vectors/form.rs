//! Which vectors a program keeps.

use crate::ir::{Type, TypeId, Types};
use dxil_base::entity::Entity;

/// What a program has where the compiler wrote vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VectorForm {
    /// Vectors of two to four elements, otherwise scalars and arrays: what SPIR-V's core has.
    Core,
    /// Vectors of two elements or more, which SPV_EXT_long_vector has. DXIL's operations have
    /// scalars.
    Long,
}

/// The elements of the longest vector of SPIR-V's core.
pub const LONGEST_OF_CORE: u32 = 4;

impl VectorForm {
    /// Whether there is no vector of this many elements.
    pub fn is_odd(self, len: u32) -> bool {
        match self {
            Self::Core => is_odd(len),
            Self::Long => len < 2,
        }
    }
}

/// Whether SPIR-V's core has no vector of this many elements.
pub fn is_odd(len: u32) -> bool {
    !(2..=LONGEST_OF_CORE).contains(&len)
}

/// The elements of the longest vector; 0 if there is none.
pub fn longest(types: &Types) -> u32 {
    let length = |ty: &Type| if let Type::Vector { len, .. } = *ty { len } else { 0 };
    types.iter().map(|(_, ty)| length(ty)).max().unwrap_or(0)
}

/// Whether a pointer leads to a vector that is longer than those of SPIR-V's core, or to an object
/// with such a part. Then variables may have such vectors.
pub fn has_long_in_memory(types: &Types) -> bool {
    // A type comes after those that it consists of.
    let mut has: Vec<bool> = Vec::with_capacity(types.len());
    for (_, ty) in types.iter() {
        let at = |ty: TypeId| has.get(ty.index()).copied().unwrap_or(false);
        has.push(match ty {
            Type::Vector { len, .. } => *len > LONGEST_OF_CORE,
            Type::Array { element, .. } => at(*element),
            Type::Pointer { pointee, .. } if at(*pointee) => return true,
            Type::Struct { fields, .. } => fields.iter().any(|&field| at(field)),
            _ => false,
        });
    }
    false
}
