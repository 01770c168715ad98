//! Which vectors a program keeps.

use crate::ir::{Type, Types};

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
