//! Minimum precision on devices without 16-bit arithmetic.
//!
//! In: code whose `half` and `i16` are minimum-precision types (the flag NativeLowPrecision is not set: DXIL.rst, "Shader flags"), on
//! a device that has not both shaderFloat16 and shaderInt16. Out: the same code in 32 bits. What must hold:
//!
//! - A float has at least the precision and range of 16 bits: it is a 32-bit float, RelaxedPrecision where an instruction makes it.
//! - An integer is exact. HLSL leaves open whether it wraps at 16 bits or later, but the compiler has folded and shortened the code as
//!   LLVM's `i16`, which does not: `x + 1` of 0xffff compares equal to zero. So the low 16 bits of the word are the number and the high
//!   ones are zero: an instruction that might set them is followed by a mask, and one that reads the sign extends it first.
//!
//! Code with native 16-bit types is refused on such devices, by the types' capabilities.

use rspirv::spirv::{Decoration, GlslStd450Op, Op};

use super::context::Context;
use super::{Code, Lowered};
use crate::dxil::ir::{BinaryOp, InstData, Type, TypeId, Value};
use crate::error::Result;
use crate::spirv::Id;

const MASK: u32 = 0xffff;

impl Context<'_> {
    /// Whether values of a type, or its components, are 16 bits wide in the shader and 32 in the output.
    pub fn is_widened(&self, ty: TypeId) -> bool {
        self.widens && self.program.module.types.scalar_bits(ty) == Some(16)
    }

    fn is_widened_int(&self, ty: TypeId) -> bool {
        let scalar = match *self.ir_type(ty) {
            Type::Vector { element, .. } => element,
            _ => ty,
        };
        self.widens && *self.ir_type(scalar) == Type::Int(16)
    }

    /// The id of a value for an instruction that reads its sign.
    pub fn signed(&self, code: &mut Code<'_, '_>, value: Value, id: Id) -> Id {
        if !self.is_widened_int(self.type_of(value)) {
            return id;
        }
        let Some(ty) = code.type_of(id) else { return id };
        if let Some(constant) = code.constant_u32(id) {
            return code.const_bits(ty, constant as u16 as i16 as u64);
        }
        let (zero, width) = (code.const_u32(0), code.const_u32(16));
        code.op(Op::BitFieldSExtract, ty, &[id, zero, width])
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

/// The result of an instruction as its users expect it. Ids from `first` on are the instruction's own.
pub(super) fn finished(
    cx: &Context<'_>,
    code: &mut Code<'_, '_>,
    data: &InstData,
    ty: TypeId,
    lowered: Lowered,
    first: u32,
) -> Lowered {
    let Lowered::Id(id) = lowered else { return lowered };
    if !cx.is_widened(ty) {
        return lowered;
    }
    if !cx.is_widened_int(ty) {
        // A conversion to less precision is no instruction here: the id may be a full float's.
        if id.word() >= first && code.constant_value(id).is_none() {
            code.mark_new(id, Decoration::RelaxedPrecision);
        }
        return lowered;
    }
    let clean = match data {
        InstData::Binary { op, .. } => {
            use BinaryOp as B;
            matches!(op, B::And | B::Or | B::Xor | B::LShr | B::UDiv | B::URem)
        }
        InstData::Select { .. } | InstData::Load { .. } | InstData::Call { .. } => true,
        _ => false,
    };
    let Some(id_ty) = code.type_of(id).filter(|_| !clean) else { return lowered };
    if let Some(constant) = code.constant_u32(id) {
        return Lowered::Id(code.const_bits(id_ty, u64::from(constant & MASK)));
    }
    let mask = code.const_bits_splat(id_ty, u64::from(MASK));
    Lowered::Id(code.binary(Op::BitwiseAnd, id_ty, id, mask))
}

/// A bit cast from or to a type that is widened: the bits are those of sixteen.
///
/// # Errors
/// `Unsupported` where several are put together or taken apart.
pub(super) fn bitcast(cx: &mut Context<'_>, code: &mut Code<'_, '_>, id: Id, from: TypeId, to: TypeId) -> Result<Id> {
    let ty = cx.ty(code, to)?;
    let (single, word) = (code.type_f32(), code.type_u32());
    match (cx.ir_type(from), cx.ir_type(to)) {
        (Type::Float(16), Type::Int(16)) => {
            let (pair, zero) = (code.type_vector(single, 2), code.const_f32(0.0));
            let pair = code.construct(pair, &[id, zero]);
            Ok(code.glsl(GlslStd450Op::PackHalf2x16, word, &[pair]))
        }
        (Type::Int(16), Type::Float(16)) => {
            let pair = code.type_vector(single, 2);
            let pair = code.glsl(GlslStd450Op::UnpackHalf2x16, pair, &[id]);
            Ok(code.component(pair, 0))
        }
        (a, b) if a == b => Ok(code.bitcast(ty, id)),
        _ => {
            Err(unsupported!(cx.place, "a bit cast of several minimum-precision numbers, on a device without 16 bits"))
        }
    }
}
