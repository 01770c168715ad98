//! Conversions: float to integer, bit casts, legacy half floats, doubles.

use rspirv::spirv::{GlslStd450Op, Op};

use crate::ir::TypeId;
use crate::ir::args;
use crate::lower::cx::{Call, Code, EntryCx, FunctionCx, Lowered};
use dxil_base::error::Result;
use dxil_base::integer::all_ones;
use dxil_spirv_builder::Id;

/// Converts a float to an integer. Values out of range saturate, and NaN becomes zero (D3D11.3
/// functional specification, `ftoi` and `ftou`). SPIR-V leaves both undefined.
///
/// # Errors
/// As [`EntryCx::ty`](crate::lower::cx::EntryCx::ty).
pub(super) fn float_to_int(
    cx: &mut EntryCx<'_>,
    code: &mut Code<'_, '_>,
    value: Id,
    from: TypeId,
    to: TypeId,
    signed: bool,
) -> Result<Id> {
    let (mut value, mut from_ty, to_ty) = (value, cx.ty(code, from)?, cx.ty(code, to)?);
    let types = &cx.input.program.module.types;
    let (float_bits, int_bits) = (types.scalar_bits(from).unwrap_or(32), types.scalar_bits(to).unwrap_or(32));
    if float_bits == 16 {
        // The bounds of wider integers are not representable in a half: they would become infinity.
        // A float represents all of them.
        let (float, count) = (code.type_f32(), code.scalar(from_ty).1);
        from_ty = code.type_vector(float, count);
        value = code.unary(Op::FConvert, from_ty, value);
    }
    let (low, high) = if signed {
        (-(2f64.powi(i32::from(int_bits) - 1)), 2f64.powi(i32::from(int_bits) - 1))
    } else {
        (0.0, 2f64.powi(i32::from(int_bits)))
    };
    let ones = all_ones(int_bits);
    let (least, most) = if signed { (1 << (int_bits - 1), ones >> 1) } else { (0, ones) };
    let convert = if signed { Op::ConvertFToS } else { Op::ConvertFToU };
    let bool_ty = code.type_bool_like(from_ty);
    let bound = |code: &mut Code<'_, '_>, x: f64| {
        let bits = match float_bits {
            64 => x.to_bits(),
            _ => u64::from((x as f32).to_bits()),
        };
        code.const_bits_splat(from_ty, bits)
    };
    let (low_id, high_id) = (bound(code, low), bound(code, high));
    // Both comparisons are false for NaN.
    let above = code.binary(Op::FOrdGreaterThanEqual, bool_ty, value, high_id);
    let inside_low =
        code.binary(if signed { Op::FOrdGreaterThanEqual } else { Op::FOrdGreaterThan }, bool_ty, value, low_id);
    let zero = code.const_bits_splat(from_ty, 0);
    let below_high = code.unary(Op::LogicalNot, bool_ty, above);
    let inside = code.binary(Op::LogicalAnd, bool_ty, inside_low, below_high);
    let safe = code.select(from_ty, inside, value, zero);
    let converted = code.unary(convert, to_ty, safe);
    let most = code.const_bits_splat(to_ty, most);
    let result = code.select(to_ty, above, most, converted);
    if !signed {
        return Ok(result);
    }
    let below = code.binary(Op::FOrdLessThan, bool_ty, value, low_id);
    let least = code.const_bits_splat(to_ty, least);
    Ok(code.select(to_ty, below, least, result))
}

/// `f32tof16`: the half in the low sixteen bits. D3D rounds a conversion to a float of less range
/// towards zero: a number that is too large becomes the largest finite one, infinity and NaN stay
/// as they are, and denormals are kept (D3D11.3 functional specification, "Floating Point
/// Conversion", which `f32tof16` follows). PackHalf2x16 is not used, because the device chooses its
/// rounding and whether it flushes denormals.
pub fn legacy_f32_to_f16(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    args: args::LegacyF32ToF16,
) -> Result<Lowered> {
    let value = cx.value(code, args.value)?;
    let (word, single, bool_ty) = (code.type_u32(), code.type_f32(), code.type_bool());
    let bits = code.bitcast(word, value);
    let magnitude_mask = code.const_u32(0x7fff_ffff);
    let magnitude = code.binary(Op::BitwiseAnd, word, bits, magnitude_mask);
    // Numbers of at least 2^-14: the exponent's bias changes by 112, and the low thirteen bits of
    // the mantissa are dropped.
    let (bias, dropped, most) = (code.const_u32(112 << 23), code.const_u32(13), code.const_u32(0x7bff));
    let rebased = code.binary(Op::ISub, word, magnitude, bias);
    let normal = code.binary(Op::ShiftRightLogical, word, rebased, dropped);
    let normal = code.glsl(GlslStd450Op::UMin, word, &[normal, most]);
    // Smaller numbers: the result counts multiples of 2^-24. The product is exact, and the
    // conversion to an integer truncates. Larger numbers are replaced by zero first, because their
    // conversion could be out of range.
    let (least_normal, zero, scale) = (code.const_u32(0x3880_0000), code.const_u32(0), code.const_f32(16_777_216.0));
    let small = code.binary(Op::ULessThan, bool_ty, magnitude, least_normal);
    let safe = code.select(word, small, magnitude, zero);
    let safe = code.bitcast(single, safe);
    let scaled = code.binary(Op::FMul, single, safe, scale);
    let denormal = code.unary(Op::ConvertFToU, word, scaled);
    let finite = code.select(word, small, denormal, normal);
    let (infinity, half_infinity, half_nan) =
        (code.const_u32(0x7f80_0000), code.const_u32(0x7c00), code.const_u32(0x7e00));
    let is_infinite = code.binary(Op::IEqual, bool_ty, magnitude, infinity);
    let is_nan = code.binary(Op::UGreaterThan, bool_ty, magnitude, infinity);
    let half = code.select(word, is_infinite, half_infinity, finite);
    let half = code.select(word, is_nan, half_nan, half);
    let (sixteen, sign_mask) = (code.const_u32(16), code.const_u32(0x8000));
    let sign = code.binary(Op::ShiftRightLogical, word, bits, sixteen);
    let sign = code.binary(Op::BitwiseAnd, word, sign, sign_mask);
    Ok(Lowered::Id(code.binary(Op::BitwiseOr, word, half, sign)))
}

/// `f16tof32`: the float of the half in the low sixteen bits.
pub fn legacy_f16_to_f32(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    args: args::LegacyF16ToF32,
) -> Result<Lowered> {
    let value = cx.value(code, args.value)?;
    let single = code.type_f32();
    let pair = code.type_vector(single, 2);
    let pair = code.glsl(GlslStd450Op::UnpackHalf2x16, pair, &[value]);
    Ok(Lowered::Id(code.component(pair, 0)))
}

/// A double from its low and high words.
pub fn make_double(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::MakeDouble,
) -> Result<Lowered> {
    let words = cx.values(code, [args.lo, args.hi])?;
    let (ty, word) = (cx.entry.ty(code, call.ty()?)?, code.type_u32());
    let pair = code.type_vector(word, 2);
    let pair = code.construct(pair, &words);
    Ok(Lowered::Id(code.bitcast(ty, pair)))
}

/// The low and the high word of a double.
pub fn split_double(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    args: args::SplitDouble,
) -> Result<Lowered> {
    let (value, word) = (cx.value(code, args.value)?, code.type_u32());
    let pair = code.type_vector(word, 2);
    let pair = code.bitcast(pair, value);
    let parts = [code.component(pair, 0), code.component(pair, 1)];
    Ok(cx.locals.parts(&parts))
}

/// Converts a double to a signed integer, with the rules of `ftoi` (D3D11.3 functional
/// specification, `dtoi`).
pub fn double_to_i32(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::LegacyDoubleToSInt32,
) -> Result<Lowered> {
    let (value, from) = (cx.value(code, args.value)?, cx.type_of(args.value));
    Ok(Lowered::Id(float_to_int(cx.entry, code, value, from, call.ty()?, true)?))
}

/// Converts a double to an unsigned integer, with the rules of `ftou` (D3D11.3 functional
/// specification, `dtou`).
pub fn double_to_u32(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::LegacyDoubleToUInt32,
) -> Result<Lowered> {
    let (value, from) = (cx.value(code, args.value)?, cx.type_of(args.value));
    Ok(Lowered::Id(float_to_int(cx.entry, code, value, from, call.ty()?, false)?))
}
