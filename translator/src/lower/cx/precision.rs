//! Minimum precision on devices without 16-bit arithmetic.
//!
//! In: code whose `half` and `i16` are minimum-precision types (the flag NativeLowPrecision is not
//! set: DXIL.rst, "Shader flags"), on a device that lacks shaderFloat16 or shaderInt16. Out: the
//! same code in 32 bits. What must hold:
//!
//! - A float has at least the precision and range of 16 bits. It is a 32-bit float, and the
//!   instruction that computes it is decorated RelaxedPrecision.
//! - An integer wraps at exactly 16 bits, so it is a [`narrow`] integer. HLSL leaves open whether
//!   it wraps at 16 bits or later. But the compiler has optimised the code for LLVM's `i16`, where
//!   `x + 1` with `x` 0xffff compares equal to zero.
//!
//! Code with native 16-bit types is refused on such devices, because the types need capabilities
//! that the device does not have.

use rspirv::spirv::{Decoration, GlslStd450Op, Op};

use super::entry::EntryCx;
use super::input::Inputs;
use super::lowered::{Code, Lowered};
use super::narrow;
use crate::ir::{InstData, Type, TypeId};
use dxil_base::error::Result;
use dxil_spirv_builder::{Id, Type as SpirvType};

/// The result of an instruction in the form that its users expect. Ids from `first` on were made by
/// the instruction itself.
#[inline]
pub fn finished(
    cx: &EntryCx<'_>,
    code: &mut Code<'_, '_>,
    data: &InstData,
    ty: TypeId,
    lowered: Lowered,
    first: u32,
) -> Lowered {
    match lowered {
        Lowered::Id(id) if cx.widened[ty] => finished_id(cx.input, code, data, ty, id, first),
        _ => lowered,
    }
}

fn finished_id(input: Inputs<'_>, code: &mut Code<'_, '_>, data: &InstData, ty: TypeId, id: Id, first: u32) -> Lowered {
    match *input.program.module.types.scalar(ty) {
        Type::Int(bits) if input.held_bits(bits) != bits => Lowered::Id(narrow::canonical(code, data, bits, id)),
        Type::Float(16) if input.analysis.widens => {
            // A conversion to minimum precision emits no instruction here, so the id may belong to
            // a float of full precision. Such an id is not decorated.
            if id.word() >= first && code.constant_value(id).is_none() {
                code.mark_new(id, Decoration::RelaxedPrecision);
            }
            Lowered::Id(id)
        }
        _ => Lowered::Id(id),
    }
}

/// Converts words to a minimum-precision number or a vector of such numbers. Each word holds one
/// number, and a float is held as a 32-bit float (DXIL.rst, "Memory accesses").
pub fn from_words(code: &mut Code<'_, '_>, ty: Id, words: Id) -> Id {
    let (scalar, count) = code.scalar(ty);
    if !matches!(code.ty(scalar), Some(SpirvType::Float { .. })) {
        return code.unary(Op::UConvert, ty, words);
    }
    let single = code.type_f32();
    let singles = code.type_vector(single, count);
    let floats = code.bitcast(singles, words);
    code.unary(Op::FConvert, ty, floats)
}

/// A bit cast from or to a widened type. It casts the 16 bits that the narrower type has.
///
/// # Errors
/// `Unsupported` if the cast combines several numbers into one or splits one into several.
pub fn bitcast(cx: &mut EntryCx<'_>, code: &mut Code<'_, '_>, id: Id, from: TypeId, to: TypeId) -> Result<Id> {
    let ty = cx.ty(code, to)?;
    let (single, word) = (code.type_f32(), code.type_u32());
    match (cx.input.ir_type(from), cx.input.ir_type(to)) {
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
        _ => Err(unsupported!(
            cx.place,
            "a bit cast of numbers of a width other than 16, 32 or 64 bits, or of several minimum-precision numbers at \
             once on a device without shaderFloat16 and shaderInt16"
        )),
    }
}
