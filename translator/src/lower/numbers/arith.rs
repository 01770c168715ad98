//! Arithmetic on floats and integers that takes more than one instruction.

use rspirv::spirv::{Capability, GlslStd450Op, Op, PackedVectorFormat};

use crate::ir::Value;
use crate::ir::args;
use crate::lower::cx::{Call, Code, FunctionCx, Lowered};
use dxil_base::error::Result;
use dxil_spirv_builder::Id;

/// Clamps to the range from 0 to 1; NaN becomes 0 (D3D11.3 functional specification, `_sat`).
/// NClamp is NMin of NMax (GLSL.std.450), and NMax gives the operand that is not NaN, the lower
/// bound.
pub fn saturate(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::Saturate,
) -> Result<Lowered> {
    let (ty, value) = (cx.entry.ty(code, call.ty()?)?, cx.value(code, args.value)?);
    Ok(Lowered::Id(clamped(code, ty, value)))
}

/// A float, or each component of a vector of floats, between zero and one. NaN becomes zero.
pub fn clamped(code: &mut Code<'_, '_>, ty: Id, value: Id) -> Id {
    let one = match code.width(ty) {
        Some(16) => 0x3c00,
        Some(64) => 0x3ff0_0000_0000_0000,
        _ => 0x3f80_0000,
    };
    let (zero, one) = (code.const_bits_splat(ty, 0), code.const_bits_splat(ty, one));
    code.glsl(GlslStd450Op::NClamp, ty, &[value, zero, one])
}

/// Hyperbolic tangent: 1 and −1 at infinity (DXIL.rst, "Htan"). Vulkan lets a device divide the
/// hyperbolic sine by the hyperbolic cosine, which are both infinite from about 90 on. So the sign
/// is the result for magnitudes above ten, where the tangent rounds to one.
pub fn htan(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::Htan,
) -> Result<Lowered> {
    let (ty, value) = (cx.entry.ty(code, call.ty()?)?, cx.value(code, args.value)?);
    let bool_ty = code.type_bool_like(ty);
    let ten = if code.width(ty) == Some(16) { 0x4900 } else { 0x4120_0000 };
    let ten = code.const_bits_splat(ty, ten);
    let (magnitude, one) = (code.glsl(GlslStd450Op::FAbs, ty, &[value]), code.glsl(GlslStd450Op::FSign, ty, &[value]));
    let large = code.binary(Op::FOrdGreaterThan, bool_ty, magnitude, ten);
    let tangent = code.glsl(GlslStd450Op::Tanh, ty, &[value]);
    Ok(Lowered::Id(code.select(ty, large, one, tangent)))
}

/// The fraction, which is below one (DXIL.rst, "Frc": [+0, 1)). Fract is `x − floor(x)`, which
/// rounds to one for small negative numbers, so that result is replaced by the largest number below
/// one. For other numbers the difference is exact: it is a multiple of the last bit of x.
pub fn frc(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, call: &Call<'_>, args: args::Frc) -> Result<Lowered> {
    let (ty, value) = (cx.entry.ty(code, call.ty()?)?, cx.value(code, args.value)?);
    let bool_ty = code.type_bool_like(ty);
    let (one, below) = if code.width(ty) == Some(16) { (0x3c00, 0x3bff) } else { (0x3f80_0000, 0x3f7f_ffff) };
    let (one, below) = (code.const_bits_splat(ty, one), code.const_bits_splat(ty, below));
    let fraction = code.glsl(GlslStd450Op::Fract, ty, &[value]);
    if cx.analysis.float_range(args.value).low >= 0.0 {
        return Ok(Lowered::Id(fraction));
    }
    // A selection keeps NaN; a minimum would not.
    let reached = code.binary(Op::FOrdGreaterThanEqual, bool_ty, fraction, one);
    Ok(Lowered::Id(code.select(ty, reached, below, fraction)))
}

/// Whether a float is finite: neither NaN nor infinite.
pub fn is_finite(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::IsFinite,
) -> Result<Lowered> {
    let (ty, value) = (cx.entry.ty(code, call.ty()?)?, cx.value(code, args.value)?);
    let (nan, inf) = (code.unary(Op::IsNan, ty, value), code.unary(Op::IsInf, ty, value));
    let either = code.binary(Op::LogicalOr, ty, nan, inf);
    Ok(Lowered::Id(code.unary(Op::LogicalNot, ty, either)))
}

/// `a * b + c`. It must not be fused if it is precise (DXIL.rst, "FMad"); Fma is the fused
/// operation.
pub fn fmad(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::FMad,
) -> Result<Lowered> {
    let [a, b, c] = cx.values(code, [args.a, args.b, args.c])?;
    let ty = cx.entry.ty(code, call.ty()?)?;
    let product = code.binary(Op::FMul, ty, a, b);
    let sum = code.binary(Op::FAdd, ty, product, c);
    if call.precise {
        code.no_contraction(product);
        code.no_contraction(sum);
    }
    Ok(Lowered::Id(sum))
}

/// Fused `a * b + c` of doubles, which rounds once (D3D11.3 functional specification, `dfma`).
/// GLSL.std.450's Fma counts as one operation if it is decorated NoContraction. Whether it then
/// rounds only once is the device's choice in Vulkan.
pub fn fma(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, call: &Call<'_>, args: args::Fma) -> Result<Lowered> {
    let operands = cx.values(code, [args.a, args.b, args.c])?;
    let ty = cx.entry.ty(code, call.ty()?)?;
    let id = code.glsl(GlslStd450Op::Fma, ty, &operands);
    code.no_contraction(id);
    Ok(Lowered::Id(id))
}

fn integer_mad(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    operands: [Value; 3],
) -> Result<Lowered> {
    let [a, b, c] = cx.values(code, operands)?;
    let ty = cx.entry.ty(code, call.ty()?)?;
    let product = code.binary(Op::IMul, ty, a, b);
    Ok(Lowered::Id(code.binary(Op::IAdd, ty, product, c)))
}

/// `a * b + c` of signed integers. The low bits do not depend on the sign, so it is the same as for
/// unsigned ones.
pub fn imad(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::IMad,
) -> Result<Lowered> {
    integer_mad(cx, code, call, [args.a, args.b, args.c])
}

/// `a * b + c` of unsigned integers.
pub fn umad(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::UMad,
) -> Result<Lowered> {
    integer_mad(cx, code, call, [args.a, args.b, args.c])
}

/// A dot product. A precise one adds the products in order (D3D11.3 functional specification, `dp2`
/// and its siblings). Any other may be reassociated (DXIL.rst, "Precise"), so it is OpDot.
fn dot(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    lhs: &[Value],
    rhs: &[Value],
) -> Result<Lowered> {
    let ty = cx.entry.ty(code, call.ty()?)?;
    if !call.precise && !code.precise {
        let (lhs, rhs) = (cx.vector(code, lhs)?, cx.vector(code, rhs)?);
        return Ok(Lowered::Id(code.binary(Op::Dot, ty, lhs, rhs)));
    }
    let mut sum: Option<Id> = None;
    for (&a, &b) in lhs.iter().zip(rhs) {
        let [a, b] = cx.values(code, [a, b])?;
        let product = code.binary(Op::FMul, ty, a, b);
        let next = match sum {
            None => product,
            Some(sum) => code.binary(Op::FAdd, ty, sum, product),
        };
        if call.precise {
            code.no_contraction(product);
            if next != product {
                code.no_contraction(next);
            }
        }
        sum = Some(next);
    }
    sum.map(Lowered::Id).ok_or_else(|| bug!(call.place, "a dot product has no operands"))
}

/// Dot product of two components.
pub fn dot2(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::Dot2,
) -> Result<Lowered> {
    dot(cx, code, call, &[args.ax, args.ay], &[args.bx, args.by])
}

/// Dot product of three components.
pub fn dot3(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::Dot3,
) -> Result<Lowered> {
    dot(cx, code, call, &[args.ax, args.ay, args.az], &[args.bx, args.by, args.bz])
}

/// Dot product of four components.
pub fn dot4(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::Dot4,
) -> Result<Lowered> {
    dot(cx, code, call, &[args.ax, args.ay, args.az, args.aw], &[args.bx, args.by, args.bz, args.bw])
}

/// The two members of the structure that an instruction returns: low and high halves, or sum and
/// carry.
fn extended(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, op: Op, operands: [Value; 2]) -> Result<(Id, Id)> {
    let [a, b] = cx.values(code, operands)?;
    let ty = code.type_u32();
    let pair = code.type_struct(
        dxil_spirv_builder::StructKind::Plain,
        &[dxil_spirv_builder::Member::new(ty), dxil_spirv_builder::Member::new(ty)],
    );
    let both = code.binary(op, pair, a, b);
    Ok((code.extract(ty, both, &[0]), code.extract(ty, both, &[1])))
}

/// High and low halves of the signed product. The high half is the first result (DXIL.rst, "IMul").
pub fn imul(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, _: &Call<'_>, args: args::IMul) -> Result<Lowered> {
    let (low, high) = extended(cx, code, Op::SMulExtended, [args.a, args.b])?;
    Ok(cx.locals.parts(&[high, low]))
}

/// High and low halves of the unsigned product.
pub fn umul(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, _: &Call<'_>, args: args::UMul) -> Result<Lowered> {
    let (low, high) = extended(cx, code, Op::UMulExtended, [args.a, args.b])?;
    Ok(cx.locals.parts(&[high, low]))
}

/// Quotient and remainder. Both are all ones for a division by zero (D3D11.3 functional
/// specification, `udiv`).
pub fn udiv(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, _: &Call<'_>, args: args::UDiv) -> Result<Lowered> {
    let [a, b] = cx.values(code, [args.a, args.b])?;
    let (ty, bool_ty) = (code.type_u32(), code.type_bool());
    if cx.analysis.known_bits(args.b).least() != 0 {
        let both = [Op::UDiv, Op::UMod].map(|op| code.binary(op, ty, a, b));
        return Ok(cx.locals.parts(&both));
    }
    let (zero, one, ones) = (code.const_u32(0), code.const_u32(1), code.const_u32(u32::MAX));
    let by_zero = code.binary(Op::IEqual, bool_ty, b, zero);
    let safe = code.select(ty, by_zero, one, b);
    let (quotient, remainder) = (code.binary(Op::UDiv, ty, a, safe), code.binary(Op::UMod, ty, a, safe));
    let quotient = code.select(ty, by_zero, ones, quotient);
    let remainder = code.select(ty, by_zero, ones, remainder);
    Ok(cx.locals.parts(&[quotient, remainder]))
}

/// Sum and carry.
pub fn uaddc(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, _: &Call<'_>, args: args::UAddc) -> Result<Lowered> {
    let (sum, carry) = extended(cx, code, Op::IAddCarry, [args.a, args.b])?;
    let carry = code.is_nonzero(carry);
    Ok(cx.locals.parts(&[sum, carry]))
}

/// Difference and borrow.
pub fn usubb(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, _: &Call<'_>, args: args::USubb) -> Result<Lowered> {
    let (difference, borrow) = extended(cx, code, Op::ISubBorrow, [args.a, args.b])?;
    let borrow = code.is_nonzero(borrow);
    Ok(cx.locals.parts(&[difference, borrow]))
}

/// Whether a float is normal: neither zero, denormal, infinite nor NaN. The bits of the exponent
/// decide, because OpIsNormal belongs to the Kernel capability.
pub fn is_normal(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::IsNormal,
) -> Result<Lowered> {
    let (value, ty) = (cx.value(code, args.value)?, cx.entry.ty(code, call.ty()?)?);
    let (bits, exponent) = match code.type_of(value).and_then(|t| code.width(t)) {
        Some(16) => (code.type_int(16)?, 0x7c00),
        _ => (code.type_u32(), 0x7f80_0000),
    };
    let (mask, zero) = (code.const_bits(bits, exponent), code.const_bits(bits, 0));
    let value = code.bitcast(bits, value);
    let exponent = code.binary(Op::BitwiseAnd, bits, value, mask);
    let above = code.binary(Op::INotEqual, ty, exponent, zero);
    let below = code.binary(Op::INotEqual, ty, exponent, mask);
    Ok(Lowered::Id(code.binary(Op::LogicalAnd, ty, above, below)))
}

/// `dot2add`: two products of halves, accumulated in single precision (HLSL shader model 6.4,
/// "dot2add").
pub fn dot2_add_half(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::Dot2AddHalf,
) -> Result<Lowered> {
    let mut sum = cx.value(code, args.acc)?;
    let float = code.type_f32();
    for (a, b) in [(args.ax, args.bx), (args.ay, args.by)] {
        let factors = cx.values(code, [a, b])?.map(|half| code.unary(Op::FConvert, float, half));
        let product = code.binary(Op::FMul, float, factors[0], factors[1]);
        sum = code.binary(Op::FAdd, float, sum, product);
        if call.precise {
            code.no_contraction(product);
            code.no_contraction(sum);
        }
    }
    Ok(Lowered::Id(sum))
}

/// Adds four products of bytes to an accumulator, with wrap-around.
fn dot4_add(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    [acc, a, b]: [Value; 3],
    signed: bool,
) -> Result<Lowered> {
    let [mut sum, a, b] = cx.values(code, [acc, a, b])?;
    let word = code.type_u32();
    if code.caps.allows(Capability::DotProduct) && code.caps.allows(Capability::DotProductInput4x8BitPacked) {
        code.caps.capability(Capability::DotProduct)?;
        code.caps.capability(Capability::DotProductInput4x8BitPacked)?;
        let op = if signed { Op::SDot } else { Op::UDot };
        let format = PackedVectorFormat::PackedVectorFormat4x8Bit as u32;
        let dot = code.op(op, word, &[a.word(), b.word(), format]);
        return Ok(Lowered::Id(code.binary(Op::IAdd, word, sum, dot)));
    }
    let shift = if signed { Op::ShiftRightArithmetic } else { Op::ShiftRightLogical };
    let down = code.const_u32(24);
    for n in 0..4 {
        let up = code.const_u32(24 - 8 * n);
        let factors = [a, b].map(|packed| {
            let raised = code.binary(Op::ShiftLeftLogical, word, packed, up);
            code.binary(shift, word, raised, down)
        });
        let product = code.binary(Op::IMul, word, factors[0], factors[1]);
        sum = code.binary(Op::IAdd, word, sum, product);
    }
    Ok(Lowered::Id(sum))
}

/// `dot4add_i8packed`.
pub fn dot4_add_i8(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    args: args::Dot4AddI8Packed,
) -> Result<Lowered> {
    dot4_add(cx, code, [args.acc, args.a, args.b], true)
}

/// `dot4add_u8packed`.
pub fn dot4_add_u8(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    args: args::Dot4AddU8Packed,
) -> Result<Lowered> {
    dot4_add(cx, code, [args.acc, args.a, args.b], false)
}
