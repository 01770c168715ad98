//! The width that numbers of the IR have in the output.
//!
//! D3D's integers have 1, 16, 32 or 64 bits. Integers of other widths are held in wider ones
//! ([`narrow`](super::narrow)), and minimum-precision numbers have 32 bits on devices without
//! 16-bit arithmetic ([`precision`](super::precision)).

use super::module::ModuleCx;
use crate::dxil::ir::{Type, TypeId};

/// The width of D3D's integer that holds one of `bits` bits. `i8` too is narrow: DXIL has it in metadata and immediates alone.
#[inline]
pub fn holder(bits: u8) -> u8 {
    match bits {
        1 | 16 | 32 | 64 => bits,
        0..=31 => 32,
        _ => 64,
    }
}

impl ModuleCx<'_> {
    /// The width of the SPIR-V integer that holds one of `bits` bits.
    #[inline]
    pub fn held_bits(&self, bits: u8) -> u8 {
        match holder(bits) {
            16 if self.widens => 32,
            bits => bits,
        }
    }

    /// The width of a narrow integer, or of a vector of them.
    pub fn narrow_bits(&self, ty: TypeId) -> Option<u8> {
        match *self.program.module.types.scalar(ty) {
            Type::Int(bits) if self.held_bits(bits) != bits => Some(bits),
            _ => None,
        }
    }

    /// Whether values of a type, or its components, are held in numbers of more bits.
    pub fn is_widened(&self, ty: TypeId) -> bool {
        match *self.program.module.types.scalar(ty) {
            Type::Float(16) => self.widens,
            Type::Int(bits) => self.held_bits(bits) != bits,
            _ => false,
        }
    }
}
