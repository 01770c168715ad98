//! Bit manipulation. The bit instructions of SPIR-V and GLSL.std.450 take 32-bit integers. Integers
//! of other widths are converted to words of 32 bits first.

use rspirv::spirv::{GlslStd450Op, Op};

use crate::ir::args;
use crate::ir::{Type, Value};
use crate::lower::cx::{Call, Code, FunctionCx, Lowered};
use crate::ops::consts::{PackMode, UnpackMode};
use dxil_base::error::Result;
use dxil_spirv_builder::Id;

/// A scalar integer as words: its low word, its high word if it has one, and its width in bits.
struct IntWords {
    low: Id,
    high: Option<Id>,
    bits: u32,
}

/// Splits an integer into words. Narrow ones are extended with their sign or with zero.
fn words(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    value: Value,
    signed: bool,
) -> Result<IntWords> {
    let id = if signed { cx.signed_value(code, value)? } else { cx.value(code, value)? };
    let word = code.type_u32();
    match *cx.input.ir_type(cx.type_of(value)) {
        Type::Int(32) => Ok(IntWords { low: id, high: None, bits: 32 }),
        Type::Int(16) => {
            let op = if signed { Op::SConvert } else { Op::UConvert };
            Ok(IntWords { low: code.unary(op, word, id), high: None, bits: 16 })
        }
        Type::Int(64) => {
            let pair = code.type_vector(word, 2);
            let pair = code.bitcast(pair, id);
            Ok(IntWords { low: code.component(pair, 0), high: Some(code.component(pair, 1)), bits: 64 })
        }
        _ => {
            Err(unsupported!(call.place, "{} of an operand that is not a scalar integer of 16, 32 or 64 bits", call.op))
        }
    }
}

/// Reverses the bits.
pub fn bfrev(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::Bfrev,
) -> Result<Lowered> {
    let value = words(cx, code, call, args.value, false)?;
    let (word, ty) = (code.type_u32(), cx.entry.ty(code, call.ty()?)?);
    let low = code.unary(Op::BitReverse, word, value.low);
    Ok(Lowered::Id(match (value.bits, value.high) {
        (16, _) => {
            let half = code.const_u32(16);
            let shifted = code.binary(Op::ShiftRightLogical, word, low, half);
            code.unary(Op::UConvert, ty, shifted)
        }
        (_, Some(high)) => {
            let high = code.unary(Op::BitReverse, word, high);
            let pair = code.type_vector(word, 2);
            let swapped = code.construct(pair, &[high, low]);
            code.bitcast(ty, swapped)
        }
        _ => low,
    }))
}

/// The number of set bits.
pub fn countbits(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::Countbits,
) -> Result<Lowered> {
    let value = words(cx, code, call, args.value, false)?;
    let word = code.type_u32();
    let low = code.unary(Op::BitCount, word, value.low);
    Ok(Lowered::Id(match value.high {
        Some(high) => {
            let high = code.unary(Op::BitCount, word, high);
            code.binary(Op::IAdd, word, low, high)
        }
        None => low,
    }))
}

/// The lowest set bit, counted from the least significant; −1 if there is none. FindILsb has the
/// same result for a word.
pub fn firstbit_lo(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::FirstbitLo,
) -> Result<Lowered> {
    let value = words(cx, code, call, args.value, false)?;
    let word = code.type_u32();
    let low = code.glsl(GlslStd450Op::FindILsb, word, &[value.low]);
    let Some(high) = value.high else { return Ok(Lowered::Id(low)) };
    let high = code.glsl(GlslStd450Op::FindILsb, word, &[high]);
    let (bool_ty, none, base) = (code.type_bool(), code.const_u32(u32::MAX), code.const_u32(32));
    let raised = code.binary(Op::IAdd, word, high, base);
    let high_none = code.binary(Op::IEqual, bool_ty, high, none);
    let high = code.select(word, high_none, none, raised);
    let low_none = code.binary(Op::IEqual, bool_ty, low, none);
    Ok(Lowered::Id(code.select(word, low_none, high, low)))
}

/// The highest bit that differs from the sign bit (signed) or is set (unsigned), counted from the
/// *most* significant; −1 if there is none (D3D11.3 functional specification, `firstbit_hi`,
/// `firstbit_shi`). FindUMsb and FindSMsb count from the least significant.
fn firstbit_high(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    value: Value,
    signed: bool,
) -> Result<Lowered> {
    let value = words(cx, code, call, value, signed)?;
    let (word, bool_ty, none) = (code.type_u32(), code.type_bool(), code.const_u32(u32::MAX));
    let (low, high) = match (value.high, signed) {
        // The highest zero of a negative number is the highest one of its complement.
        (Some(high), true) => {
            let sign_shift = code.const_u32(31);
            let sign = code.binary(Op::ShiftRightArithmetic, word, high, sign_shift);
            (code.binary(Op::BitwiseXor, word, value.low, sign), Some(code.binary(Op::BitwiseXor, word, high, sign)))
        }
        (high, _) => (value.low, high),
    };
    let find = if signed && high.is_none() { GlslStd450Op::FindSMsb } else { GlslStd450Op::FindUMsb };
    let mut position = code.glsl(find, word, &[low]);
    if let Some(high) = high {
        let upper = code.glsl(find, word, &[high]);
        let base = code.const_u32(32);
        let raised = code.binary(Op::IAdd, word, upper, base);
        let upper_none = code.binary(Op::IEqual, bool_ty, upper, none);
        position = code.select(word, upper_none, position, raised);
    }
    let top = code.const_u32(value.bits - 1);
    let from_top = code.binary(Op::ISub, word, top, position);
    let missing = code.binary(Op::IEqual, bool_ty, position, none);
    Ok(Lowered::Id(code.select(word, missing, none, from_top)))
}

/// The highest set bit.
pub fn firstbit_hi(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::FirstbitHi,
) -> Result<Lowered> {
    firstbit_high(cx, code, call, args.value, false)
}

/// The highest bit that differs from the sign bit.
pub fn firstbit_shi(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::FirstbitSHi,
) -> Result<Lowered> {
    firstbit_high(cx, code, call, args.value, true)
}

/// Width and offset of a bit field. D3D uses the low five bits of both (D3D11.3 functional
/// specification, `ubfe`).
fn field(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, width: Value, offset: Value) -> Result<(Id, Id)> {
    let [width, offset] = cx.values(code, [width, offset])?;
    let (word, mask) = (code.type_u32(), code.const_u32(31));
    Ok((code.binary(Op::BitwiseAnd, word, width, mask), code.binary(Op::BitwiseAnd, word, offset, mask)))
}

/// Extracts a bit field. In D3D a field that reaches past the top bit is the shifted value, and a
/// field of width zero is zero. OpBitFieldSExtract and OpBitFieldUExtract leave the former
/// undefined, so shifts are used: left by the number of bits above the field, then right.
fn extract_bits(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    [width, offset, value]: [Value; 3],
    signed: bool,
) -> Result<Lowered> {
    let (width, offset) = field(cx, code, width, offset)?;
    let value = cx.value(code, value)?;
    let (word, bool_ty, zero, all) = (code.type_u32(), code.type_bool(), code.const_u32(0), code.const_u32(32));
    let shift = if signed { Op::ShiftRightArithmetic } else { Op::ShiftRightLogical };
    let end = code.binary(Op::IAdd, word, width, offset);
    let past = code.binary(Op::UGreaterThanEqual, bool_ty, end, all);
    let whole = code.binary(shift, word, value, offset);
    // If the field ends inside the word, both amounts are below 32. Otherwise they are replaced by
    // zero, and the result is not used.
    let above = code.binary(Op::ISub, word, all, end);
    let down = code.binary(Op::ISub, word, all, width);
    let empty = code.binary(Op::IEqual, bool_ty, width, zero);
    let skip = code.binary(Op::LogicalOr, bool_ty, past, empty);
    let (above, down) = (code.select(word, skip, zero, above), code.select(word, skip, zero, down));
    let raised = code.binary(Op::ShiftLeftLogical, word, value, above);
    let lowered = code.binary(shift, word, raised, down);
    let result = code.select(word, past, whole, lowered);
    Ok(Lowered::Id(code.select(word, empty, zero, result)))
}

/// Signed bit-field extract: `a` is the width, `b` the offset.
pub fn ibfe(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, _: &Call<'_>, args: args::Ibfe) -> Result<Lowered> {
    extract_bits(cx, code, [args.a, args.b, args.c], true)
}

/// Unsigned bit-field extract: `a` is the width, `b` the offset.
pub fn ubfe(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, _: &Call<'_>, args: args::Ubfe) -> Result<Lowered> {
    extract_bits(cx, code, [args.a, args.b, args.c], false)
}

/// Bit-field insert. The mask is `((1 << width) − 1) << offset` without the bits above 31 (D3D11.3
/// functional specification, `bfi`).
pub fn bfi(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, _: &Call<'_>, args: args::Bfi) -> Result<Lowered> {
    let (width, offset) = field(cx, code, args.width, args.offset)?;
    let [value, base] = cx.values(code, [args.value, args.replaced_value])?;
    let (word, one) = (code.type_u32(), code.const_u32(1));
    let bit = code.binary(Op::ShiftLeftLogical, word, one, width);
    let low = code.binary(Op::ISub, word, bit, one);
    let mask = code.binary(Op::ShiftLeftLogical, word, low, offset);
    let placed = code.binary(Op::ShiftLeftLogical, word, value, offset);
    let inside = code.binary(Op::BitwiseAnd, word, placed, mask);
    let outside_mask = code.unary(Op::Not, word, mask);
    let outside = code.binary(Op::BitwiseAnd, word, base, outside_mask);
    Ok(Lowered::Id(code.binary(Op::BitwiseOr, word, inside, outside)))
}

/// Masked sum of absolute differences of bytes. Bytes of `a` that are zero do not count (D3D11.3
/// functional specification, `msad`).
pub fn msad(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, _: &Call<'_>, args: args::Msad) -> Result<Lowered> {
    let [reference, source, mut sum] = cx.values(code, [args.a, args.b, args.c])?;
    let (word, bool_ty, zero) = (code.type_u32(), code.type_bool(), code.const_u32(0));
    let byte_mask = code.const_u32(0xff);
    for n in 0..4 {
        let shift = code.const_u32(8 * n);
        let byte = |code: &mut Code<'_, '_>, value: Id| {
            let shifted = code.binary(Op::ShiftRightLogical, word, value, shift);
            code.binary(Op::BitwiseAnd, word, shifted, byte_mask)
        };
        let (a, b) = (byte(code, reference), byte(code, source));
        let (high, low) = (code.glsl(GlslStd450Op::UMax, word, &[a, b]), code.glsl(GlslStd450Op::UMin, word, &[a, b]));
        let difference = code.binary(Op::ISub, word, high, low);
        let masked = code.binary(Op::IEqual, bool_ty, a, zero);
        let counted = code.select(word, masked, zero, difference);
        sum = code.binary(Op::IAdd, word, sum, counted);
    }
    Ok(Lowered::Id(sum))
}

/// Widens four bytes (HLSL `unpack_s8s16` and its siblings).
pub fn unpack4x8(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::Unpack4x8,
) -> Result<Lowered> {
    let mode =
        UnpackMode::try_from(cx.entry.immediate(args.unpack_mode)?).map_err(|e| malformed!(call.place, "{e}"))?;
    let element = cx.entry.element_type(call.ty()?)?;
    let (packed, ty, word) = (cx.value(code, args.pk)?, cx.entry.ty(code, element)?, code.type_u32());
    let (shift, convert) = match mode {
        UnpackMode::Signed => (Op::ShiftRightArithmetic, Op::SConvert),
        UnpackMode::Unsigned => (Op::ShiftRightLogical, Op::UConvert),
    };
    let down = code.const_u32(24);
    let mut leaves = [packed; 4];
    for (slot, n) in leaves.iter_mut().zip(0u32..) {
        let up = code.const_u32(24 - 8 * n);
        let raised = code.binary(Op::ShiftLeftLogical, word, packed, up);
        let byte = code.binary(shift, word, raised, down);
        *slot = if ty == word { byte } else { code.unary(convert, ty, byte) };
    }
    Ok(cx.locals.parts(&leaves))
}

/// Narrows four numbers to bytes (HLSL `pack_u8` and its siblings).
pub fn pack4x8(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::Pack4x8,
) -> Result<Lowered> {
    let mode = PackMode::try_from(cx.entry.immediate(args.pack_mode)?).map_err(|e| malformed!(call.place, "{e}"))?;
    let (word, mask) = (code.type_u32(), code.const_u32(0xff));
    let mut packed = code.const_u32(0);
    for (n, value) in (0u32..).zip([args.x, args.y, args.z, args.w]) {
        let id = cx.signed_value(code, value)?;
        // 16-bit numbers are sign-extended, because both clamps read them as signed (HLSL, "Packed
        // intrinsics").
        let id = if code.type_of(id) == Some(word) { id } else { code.unary(Op::SConvert, word, id) };
        let clamped = match mode {
            PackMode::Truncate => id,
            PackMode::ClampUnsigned => {
                let (low, high) = (code.const_u32(0), code.const_u32(255));
                code.glsl(GlslStd450Op::SClamp, word, &[id, low, high])
            }
            PackMode::ClampSigned => {
                let (low, high) = (code.const_u32(-128i32 as u32), code.const_u32(127));
                code.glsl(GlslStd450Op::SClamp, word, &[id, low, high])
            }
        };
        let byte = code.binary(Op::BitwiseAnd, word, clamped, mask);
        let shift = code.const_u32(8 * n);
        let placed = code.binary(Op::ShiftLeftLogical, word, byte, shift);
        packed = code.binary(Op::BitwiseOr, word, packed, placed);
    }
    Ok(Lowered::Id(packed))
}
