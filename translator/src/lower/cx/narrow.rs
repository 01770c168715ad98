//! Narrow integers: those that the output holds in wider ones.
//!
//! In: values of integer types that the output does not have. LLVM's optimiser keeps a counter of
//! which only two bits are used in an `i2`, and a table of seven flags in an `i7`. On devices
//! without 16-bit arithmetic `i16` is such a type too ([`precision`](super::precision)). Out:
//! SPIR-V integers of 32 bits, or of 64 if the width is above 32. What must hold: between
//! instructions a value is *canonical*, which means that the bits above its width are zero. So
//! equality, unsigned order, switches, selects and phis work as they do for the wider type. An
//! instruction that might set these bits is followed by a mask ([`canonical`]). An instruction that
//! reads the sign gets a sign-extended operand ([`FunctionCx::signed`]).

use rspirv::spirv::Op;

use super::function::FunctionCx;
use super::lowered::Code;
use crate::ir::{BinaryOp, CastOp, InstData, Value};
use dxil_base::error::Result;
use dxil_base::integer::{all_ones, sign_extended};
use dxil_spirv_builder::Id;

impl FunctionCx<'_, '_> {
    /// The id of a value for an instruction that reads its sign. The sign is extended into the bits
    /// above the width.
    pub fn signed(&self, code: &mut Code<'_, '_>, value: Value, id: Id) -> Id {
        let (Some(bits), Some(ty)) = (self.input.narrow_bits(self.type_of(value)), code.type_of(id)) else { return id };
        if let Some(constant) = code.constant_u32(id) {
            return code.const_bits(ty, sign_extended(constant.into(), bits) as u64);
        }
        if self.input.held_bits(bits) == 32 {
            return code.sign_extended(ty, id, bits.into());
        }
        // Vulkan allows bit-field instructions on 32-bit integers only
        // (VUID-StandaloneSpirv-Base-04781).
        let unused = code.const_bits_splat(ty, u64::from(self.input.held_bits(bits) - bits));
        let raised = code.binary(Op::ShiftLeftLogical, ty, id, unused);
        code.binary(Op::ShiftRightArithmetic, ty, raised, unused)
    }

    /// [`value`](Self::value) for an instruction that reads its sign.
    ///
    /// # Errors
    /// As [`value`](Self::value).
    pub fn signed_value(&mut self, code: &mut Code<'_, '_>, value: Value) -> Result<Id> {
        let id = self.value(code, value)?;
        Ok(self.signed(code, value, id))
    }
}

/// The result of an instruction, made canonical: the bits above its width are zero.
pub fn canonical(code: &mut Code<'_, '_>, data: &InstData, bits: u8, id: Id) -> Id {
    use BinaryOp as B;
    let is_canonical = match data {
        // D3D defines division by zero, and its result of all ones has the operand's width already.
        InstData::Binary { op, .. } => matches!(op, B::And | B::Or | B::Xor | B::LShr | B::UDiv | B::URem),
        InstData::Cast { op, .. } => *op == CastOp::ZExt,
        InstData::Select { .. } | InstData::Load { .. } | InstData::Call { .. } => true,
        _ => false,
    };
    let Some(ty) = code.type_of(id).filter(|_| !is_canonical) else { return id };
    if let Some(constant) = code.constant_u32(id) {
        return code.const_bits(ty, u64::from(constant) & all_ones(bits));
    }
    let mask = code.const_bits_splat(ty, all_ones(bits));
    code.binary(Op::BitwiseAnd, ty, id, mask)
}
