//! The widths that numbers of the IR have in the output.
//!
//! DXIL's integers have 1, 16, 32 or 64 bits. Integers of other widths, which LLVM's optimiser
//! makes, are held in wider ones ([`narrow`](super::narrow)), and minimum-precision numbers have 32
//! bits on devices without 16-bit arithmetic ([`precision`](super::precision)).

use super::input::Inputs;
use crate::ir::{Type, TypeId};

/// The width of the DXIL integer that holds an integer of `bits` bits. An `i8` is held in 32 bits:
/// DXIL has it only in metadata and immediates.
#[inline]
pub fn holder(bits: u8) -> u8 {
    match bits {
        1 | 16 | 32 | 64 => bits,
        0..=31 => 32,
        _ => 64,
    }
}

impl Inputs<'_> {
    /// The width of the SPIR-V integer that holds an IR integer of `bits` bits.
    #[inline]
    pub fn held_bits(&self, bits: u8) -> u8 {
        match holder(bits) {
            16 if self.analysis.widens => 32,
            bits => bits,
        }
    }

    /// The width in the IR of a narrow integer or of a vector of narrow integers; `None` for other
    /// types.
    pub fn narrow_bits(&self, ty: TypeId) -> Option<u8> {
        match *self.program.module.types.scalar(ty) {
            Type::Int(bits) if self.held_bits(bits) != bits => Some(bits),
            _ => None,
        }
    }

    /// Whether values of a type, or their components, are held in wider numbers.
    pub fn is_widened(&self, ty: TypeId) -> bool {
        match *self.program.module.types.scalar(ty) {
            Type::Float(16) => self.analysis.widens,
            Type::Int(bits) => self.held_bits(bits) != bits,
            _ => false,
        }
    }
}
