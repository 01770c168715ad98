//! Conversions: float to integer, bit casts, legacy half floats, doubles.

use rspirv::spirv::{GlslStd450Op, Op};

use crate::ir::args;
use crate::ir::{TypeId, Value};
use crate::lower::cx::{Call, Code, FunctionCx, Lowered};
use crate::ops::consts::Rounding;
use dxil_base::error::Result;
use dxil_base::integer::all_ones;
use dxil_spirv_builder::Id;

/// Converts a float to an integer. Values out of range saturate, and NaN becomes zero (D3D11.3
/// functional specification, `ftoi` and `ftou`). SPIR-V leaves both undefined, so the float is
/// replaced by the nearest one in range; where that is not converted to the largest integer, the
/// integer is selected. Each of these steps is left out where the float's range proves it needless.
///
/// # Errors
/// As [`EntryCx::ty`](crate::lower::cx::EntryCx::ty), and those of the value.
pub(super) fn float_to_int(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    value: Value,
    to: TypeId,
    signed: bool,
) -> Result<Id> {
    let (from, range) = (cx.type_of(value), cx.analysis.float_range(value));
    let (mut value, mut from_ty, to_ty) = (cx.value(code, value)?, cx.entry.ty(code, from)?, cx.entry.ty(code, to)?);
    let types = &cx.input.program.module.types;
    let (float_bits, int_bits) = (types.scalar_bits(from).unwrap_or(32), types.scalar_bits(to).unwrap_or(32));
    if float_bits == 16 {
        // The bounds of wider integers are not representable in a half: they would become infinity.
        // A float represents all of them.
        let (float, count) = (code.type_f32(), code.scalar(from_ty).1);
        from_ty = code.type_vector(float, count);
        value = code.unary(Op::FConvert, from_ty, value);
    }
    let magnitude_bits = int_bits - u8::from(signed);
    // The first float above all integers of the type, and the least integer.
    let above = 2f64.powi(i32::from(magnitude_bits));
    let least = if signed { -above } else { 0.0 };
    let bound = |code: &mut Code<'_, '_>, x: f64, less: u64| {
        let bits = if float_bits == 64 { x.to_bits() } else { u64::from((x as f32).to_bits()) };
        code.const_bits_splat(from_ty, bits - less)
    };
    let bool_ty = code.type_bool_like(from_ty);
    if signed && range.nan {
        let (nan, zero) = (code.unary(Op::IsNan, bool_ty, value), code.const_bits_splat(from_ty, 0));
        value = code.select(from_ty, nan, zero, value);
    }
    // NMax and NClamp give the least number for NaN.
    let (raise, lower) = (range.low < least || !signed && range.nan, range.high >= above);
    let least = bound(code, least, 0);
    // The largest float below.
    let most = bound(code, above, 1);
    let inside = match (raise, lower) {
        (true, true) => code.glsl(GlslStd450Op::NClamp, from_ty, &[value, least, most]),
        (true, false) => code.glsl(GlslStd450Op::NMax, from_ty, &[value, least]),
        (false, true) => code.glsl(GlslStd450Op::NMin, from_ty, &[value, most]),
        (false, false) => value,
    };
    let converted = code.unary(if signed { Op::ConvertFToS } else { Op::ConvertFToU }, to_ty, inside);
    // The bits of the significand. With enough of them the largest float below is converted to the
    // largest integer.
    let precision = if float_bits == 64 { 53 } else { 24 };
    if !lower || precision >= magnitude_bits {
        return Ok(converted);
    }
    let above = bound(code, above, 0);
    let is_above = code.binary(Op::FOrdGreaterThanEqual, bool_ty, value, above);
    let most = code.const_bits_splat(to_ty, all_ones(magnitude_bits));
    Ok(code.select(to_ty, is_above, most, converted))
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
    Ok(Lowered::Id(half(code, value, None)))
}

/// The half in the low sixteen bits, rounded as a vendor intrinsic says.
pub fn f32_to_f16(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::VendorF32ToF16,
) -> Result<Lowered> {
    let rounding = Rounding::try_from(cx.entry.immediate(args.rounding)?);
    let rounding = rounding.map_err(|error| malformed!(call.place, "{error}"))?;
    let value = cx.value(code, args.value)?;
    Ok(Lowered::Id(half(code, value, Some(rounding))))
}

/// A float as a half in the low sixteen bits of a word. Without a rounding it is rounded towards
/// zero.
pub fn half(code: &mut Code<'_, '_>, value: Id, rounding: Option<Rounding>) -> Id {
    let (word, single, bool_ty) = (code.type_u32(), code.type_f32(), code.type_bool());
    let bits = code.bitcast(word, value);
    let magnitude_mask = code.const_u32(0x7fff_ffff);
    let magnitude = code.binary(Op::BitwiseAnd, word, bits, magnitude_mask);
    // Numbers of at least 2^-14: the exponent's bias changes by 112, and the low thirteen bits of
    // the mantissa are dropped.
    let (bias, dropped, most) = (code.const_u32(112 << 23), code.const_u32(13), code.const_u32(0x7bff));
    let rebased = code.binary(Op::ISub, word, magnitude, bias);
    // What is added to the dropped bits, and the result of numbers that are too large.
    let (added, most) = match rounding {
        None => (None, most),
        Some(Rounding::Nearest) => {
            let (one, below_half) = (code.const_u32(1), code.const_u32(0xfff));
            let odd = code.binary(Op::ShiftRightLogical, word, rebased, dropped);
            let odd = code.binary(Op::BitwiseAnd, word, odd, one);
            (Some(code.binary(Op::IAdd, word, odd, below_half)), code.const_u32(0x7c00))
        }
        Some(Rounding::Up | Rounding::Down) => {
            let away = rounds_away(code, bits, rounding);
            let (none, all, infinity) = (code.const_u32(0), code.const_u32(0x1fff), code.const_u32(0x7c00));
            (Some(code.select(word, away, all, none)), code.select(word, away, infinity, most))
        }
    };
    let rounded = added.map_or(rebased, |added| code.binary(Op::IAdd, word, rebased, added));
    let normal = code.binary(Op::ShiftRightLogical, word, rounded, dropped);
    let normal = code.glsl(GlslStd450Op::UMin, word, &[normal, most]);
    // Smaller numbers: the result counts multiples of 2^-24. The product is exact, and the
    // conversion to an integer truncates. Larger numbers are replaced by zero first, because their
    // conversion could be out of range.
    let (least_normal, zero, scale) = (code.const_u32(0x3880_0000), code.const_u32(0), code.const_f32(16_777_216.0));
    let small = code.binary(Op::ULessThan, bool_ty, magnitude, least_normal);
    let safe = code.select(word, small, magnitude, zero);
    let safe = code.bitcast(single, safe);
    let scaled = code.binary(Op::FMul, single, safe, scale);
    let scaled = match rounding {
        None => scaled,
        Some(Rounding::Nearest) => code.glsl(GlslStd450Op::RoundEven, single, &[scaled]),
        Some(Rounding::Up | Rounding::Down) => {
            let (away, above) = (rounds_away(code, bits, rounding), code.glsl(GlslStd450Op::Ceil, single, &[scaled]));
            code.select(single, away, above, scaled)
        }
    };
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
    code.binary(Op::BitwiseOr, word, half, sign)
}

/// Whether a number with these bits is rounded away from zero: up if it is positive, down if not.
fn rounds_away(code: &mut Code<'_, '_>, bits: Id, rounding: Option<Rounding>) -> Id {
    let (bool_ty, sign) = (code.type_bool(), code.const_u32(0x8000_0000));
    let op = if rounding == Some(Rounding::Up) { Op::ULessThan } else { Op::UGreaterThanEqual };
    code.pure(op, bool_ty, &[bits, sign])
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
    Ok(Lowered::Id(float_to_int(cx, code, args.value, call.ty()?, true)?))
}

/// Converts a double to an unsigned integer, with the rules of `ftou` (D3D11.3 functional
/// specification, `dtou`).
pub fn double_to_u32(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::LegacyDoubleToUInt32,
) -> Result<Lowered> {
    Ok(Lowered::Id(float_to_int(cx, code, args.value, call.ty()?, false)?))
}
