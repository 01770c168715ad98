//! LLVM's arithmetic, conversions and comparisons.
//!
//! Integers are unsigned SPIR-V integers; the operation carries the sign. If LLVM leaves a result
//! undefined and D3D does not, D3D's result is computed. If both leave it undefined, the result is
//! some value, and the instructions are chosen so that no driver traps.

use rspirv::spirv::Op;

use super::convert;
use crate::ir::{BinaryOp, CastOp, CmpOp, Type, TypeId, Value};
use crate::lower::cx::{Code, FunctionCx, holder, precision};
use dxil_base::error::Result;
use dxil_base::integer::all_ones;
use dxil_spirv_builder::Id;

fn is_bool(cx: &FunctionCx<'_, '_>, ty: TypeId) -> bool {
    matches!(cx.input.program.module.types.scalar(ty), Type::Int(1))
}

pub fn binary(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    op: BinaryOp,
    precise: bool,
    ty: TypeId,
    lhs: Value,
    rhs: Value,
) -> Result<Id> {
    let [a, b] = cx.values(code, [lhs, rhs])?;
    let id_ty = cx.entry.ty(code, ty)?;
    if is_bool(cx, ty) {
        let op = match op {
            BinaryOp::And | BinaryOp::Mul => Op::LogicalAnd,
            BinaryOp::Or => Op::LogicalOr,
            BinaryOp::Xor | BinaryOp::Add | BinaryOp::Sub => Op::LogicalNotEqual,
            // A shift of one bit uses none of the amount's bits.
            BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => return Ok(a),
            // Division by zero gives all ones: see `unsigned_division`. A signed divisor is 0 or
            // −1, and division of −1 by −1 is undefined in LLVM.
            BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem => {
                let by_zero = code.unary(Op::LogicalNot, id_ty, b);
                let is_quotient = matches!(op, BinaryOp::UDiv | BinaryOp::SDiv);
                return Ok(if is_quotient { code.binary(Op::LogicalOr, id_ty, a, by_zero) } else { by_zero });
            }
            BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv | BinaryOp::FRem => {
                return Err(bug!(cx.entry.place, "`{op}` of an i1"));
            }
        };
        return Ok(code.binary(op, id_ty, a, b));
    }
    let spirv_op = match op {
        BinaryOp::Add => Op::IAdd,
        BinaryOp::FAdd => Op::FAdd,
        BinaryOp::Sub => Op::ISub,
        BinaryOp::FSub => Op::FSub,
        BinaryOp::Mul => Op::IMul,
        BinaryOp::FMul => Op::FMul,
        BinaryOp::FDiv => Op::FDiv,
        BinaryOp::FRem => Op::FRem,
        BinaryOp::And => Op::BitwiseAnd,
        BinaryOp::Or => Op::BitwiseOr,
        BinaryOp::Xor => Op::BitwiseXor,
        BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => {
            let op = match op {
                BinaryOp::Shl => Op::ShiftLeftLogical,
                BinaryOp::LShr => Op::ShiftRightLogical,
                _ => Op::ShiftRightArithmetic,
            };
            let amount = shift_amount(cx, code, ty, id_ty, rhs, b);
            let a = if op == Op::ShiftRightArithmetic { cx.signed(code, lhs, a) } else { a };
            return Ok(code.binary(op, id_ty, a, amount));
        }
        BinaryOp::UDiv | BinaryOp::URem => {
            return Ok(unsigned_division(cx, code, id_ty, &Division { op, ty, dividend: a, divisor: b, by: rhs }));
        }
        BinaryOp::SDiv | BinaryOp::SRem if [lhs, rhs].into_iter().all(|value| is_natural(cx, ty, value)) => {
            let op = if op == BinaryOp::SDiv { BinaryOp::UDiv } else { BinaryOp::URem };
            return Ok(unsigned_division(cx, code, id_ty, &Division { op, ty, dividend: a, divisor: b, by: rhs }));
        }
        BinaryOp::SDiv | BinaryOp::SRem => {
            let (a, b) = (cx.signed(code, lhs, a), cx.signed(code, rhs, b));
            return Ok(signed_division(cx, code, id_ty, &Division { op, ty, dividend: a, divisor: b, by: rhs }));
        }
    };
    // The compiler writes the same sums and products again for each access to a variable's parts.
    if matches!(op, BinaryOp::Add | BinaryOp::Mul) {
        return Ok(match (op, cx.input.const_uint(lhs), cx.input.const_uint(rhs)) {
            (BinaryOp::Add, Some(0), _) => b,
            (BinaryOp::Add, _, Some(0)) => a,
            _ => code.pure(spirv_op, id_ty, &[a, b]),
        });
    }
    let id = code.binary(spirv_op, id_ty, a, b);
    if precise {
        code.no_contraction(id);
    }
    Ok(id)
}

/// Masks the amount of a shift. D3D uses only its low bits (D3D11.3 functional specification,
/// `ishl` and its siblings). SPIR-V leaves shifts by the width or more undefined. Where the known
/// bits of the amount make it less than the width, the mask changes nothing.
fn shift_amount(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    ty: TypeId,
    id_ty: Id,
    amount: Value,
    id: Id,
) -> Id {
    let bits = u64::from(holder(cx.input.program.module.types.scalar_bits(ty).unwrap_or(32)));
    if cx.analysis.known_bits(amount).most() < bits {
        return id;
    }
    let mask = code.const_bits_splat(id_ty, bits - 1);
    code.binary(Op::BitwiseAnd, id_ty, id, mask)
}

/// A division of integers.
struct Division {
    op: BinaryOp,
    ty: TypeId,
    dividend: Id,
    divisor: Id,
    /// The IR value that the divisor is.
    by: Value,
}

/// Unsigned division. Quotient and remainder of a division by zero are all ones (D3D11.3 functional
/// specification, `udiv`). SPIR-V leaves them undefined. A divisor with a bit that is known to be
/// one is not zero.
fn unsigned_division(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    id_ty: Id,
    &Division { op, ty, dividend: a, divisor: b, by }: &Division,
) -> Id {
    let spirv_op = if op == BinaryOp::UDiv { Op::UDiv } else { Op::UMod };
    if cx.analysis.known_bits(by).least() != 0 {
        return code.binary(spirv_op, id_ty, a, b);
    }
    let bool_ty = code.type_bool_like(id_ty);
    let (zero, one) = (code.const_bits_splat(id_ty, 0), code.const_bits_splat(id_ty, 1));
    let ones = code.const_bits_splat(id_ty, all_ones(cx.input.program.module.types.scalar_bits(ty).unwrap_or(32)));
    // Several divisions may have one divisor.
    let by_zero = code.pure(Op::IEqual, bool_ty, &[b, zero]);
    // Some drivers trap on a division by zero even if its result is not used, so the divisor is
    // replaced as well.
    let safe = code.pure(Op::Select, id_ty, &[by_zero, one, b]);
    let result = code.binary(spirv_op, id_ty, a, safe);
    code.select(id_ty, by_zero, ones, result)
}

/// Whether an integer is known not to be negative.
fn is_natural(cx: &mut FunctionCx<'_, '_>, ty: TypeId, value: Value) -> bool {
    let bits = u32::from(cx.input.program.module.types.scalar_bits(ty).unwrap_or(32));
    cx.analysis.known_bits(value).most() >> (bits - 1) == 0
}

/// Signed division. D3D has none, and LLVM leaves division by zero and INT_MIN / −1 undefined. In
/// these cases the divisor is replaced by one, so that no driver traps. Quotient and remainder of a
/// division by zero are all ones, as most hardware gives them for D3D and as those of an unsigned
/// division are. Of INT_MIN / −1 the quotient is the dividend, and the remainder zero.
fn signed_division(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    id_ty: Id,
    &Division { op, ty, dividend: a, divisor: b, by }: &Division,
) -> Id {
    let bits = cx.input.program.module.types.scalar_bits(ty).unwrap_or(32);
    let known = cx.analysis.known_bits(by);
    if known.least() != 0 && known.most() < all_ones(bits) {
        return truncated(code, op, id_ty, a, b);
    }
    let bits = cx.input.held_bits(bits);
    let bool_ty = code.type_bool_like(id_ty);
    let (zero, one) = (code.const_bits_splat(id_ty, 0), code.const_bits_splat(id_ty, 1));
    let minus_one = code.const_bits_splat(id_ty, all_ones(bits));
    let least = code.const_bits_splat(id_ty, 1 << (bits - 1));
    // Several divisions may have one divisor, or one dividend.
    let by_zero = code.pure(Op::IEqual, bool_ty, &[b, zero]);
    let by_minus_one = code.pure(Op::IEqual, bool_ty, &[b, minus_one]);
    let from_least = code.pure(Op::IEqual, bool_ty, &[a, least]);
    let overflow = code.binary(Op::LogicalAnd, bool_ty, by_minus_one, from_least);
    let unsafe_divisor = code.binary(Op::LogicalOr, bool_ty, by_zero, overflow);
    let safe = code.select(id_ty, unsafe_divisor, one, b);
    let result = truncated(code, op, id_ty, a, safe);
    code.select(id_ty, by_zero, minus_one, result)
}

/// The quotient, rounded towards zero, or the remainder of a signed division that is defined. There
/// is no OpSRem: where an operand is negative, Vulkan leaves its result undefined (Vulkan,
/// "Precision and Operation of SPIR-V Instructions"), and NVIDIA's driver then gives the unsigned
/// remainder.
fn truncated(code: &mut Code<'_, '_>, op: BinaryOp, id_ty: Id, a: Id, b: Id) -> Id {
    let quotient = code.binary(Op::SDiv, id_ty, a, b);
    if op == BinaryOp::SDiv {
        return quotient;
    }
    let product = code.binary(Op::IMul, id_ty, quotient, b);
    code.binary(Op::ISub, id_ty, a, product)
}

/// The bits of 1.0 in a float type or in the components of a vector of floats.
fn float_one(code: &Code<'_, '_>, ty: Id) -> u64 {
    match code.width(code.scalar(ty).0) {
        Some(16) => 0x3c00,
        Some(64) => 0x3ff0_0000_0000_0000,
        _ => 0x3f80_0000,
    }
}

pub fn cast(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, op: CastOp, value: Value, to: TypeId) -> Result<Id> {
    let from = cx.type_of(value);
    let id = cx.value(code, value)?;
    let ty = cx.entry.ty(code, to)?;
    if is_bool(cx, from) {
        let ones = match op {
            CastOp::ZExt => 1,
            CastOp::SExt => all_ones(cx.input.program.module.types.scalar_bits(to).unwrap_or(32)),
            CastOp::UiToFp => float_one(code, ty),
            CastOp::SiToFp => {
                // The number is selected as an integer and then converted. Drivers turn a selection
                // between −1.0 and 0.0 into the negation of a selection between 1.0 and 0.0, which
                // gives −0.0 for false.
                let (word, lanes) = (code.type_u32(), code.scalar(ty).1);
                let integers = code.type_vector(word, lanes);
                let (minus_one, zero) =
                    (code.const_bits_splat(integers, 0xffff_ffff), code.const_bits_splat(integers, 0));
                let number = code.select(integers, id, minus_one, zero);
                return Ok(code.unary(Op::ConvertSToF, ty, number));
            }
            CastOp::BitCast if from == to => return Ok(id),
            _ => return Err(unsupported!(cx.entry.place, "conversion `{op}` of an i1 is not supported")),
        };
        let (then, otherwise) = (code.const_bits_splat(ty, ones), code.const_bits_splat(ty, 0));
        return Ok(code.select(ty, id, then, otherwise));
    }
    if is_bool(cx, to) {
        let from_ty = cx.entry.ty(code, from)?;
        return Ok(match op {
            CastOp::Trunc => {
                let one = code.const_bits_splat(from_ty, 1);
                let low = code.binary(Op::BitwiseAnd, from_ty, id, one);
                code.is_nonzero(low)
            }
            // The conversion saturates, as for wider integers. The unsigned number is 0 or 1, the
            // signed one 0 or −1.
            CastOp::FpToUi | CastOp::FpToSi => {
                let one = float_one(code, from_ty);
                let bound = code.const_bits_splat(from_ty, one);
                if op == CastOp::FpToUi {
                    code.binary(Op::FOrdGreaterThanEqual, ty, id, bound)
                } else {
                    let negated = code.unary(Op::FNegate, from_ty, id);
                    code.binary(Op::FOrdGreaterThanEqual, ty, negated, bound)
                }
            }
            _ => return Err(unsupported!(cx.entry.place, "conversion `{op}` to an i1 is not supported")),
        });
    }
    let id = if matches!(op, CastOp::SExt | CastOp::SiToFp) { cx.signed(code, value, id) } else { id };
    Ok(match op {
        CastOp::BitCast if cx.input.is_widened(from) || cx.input.is_widened(to) => {
            precision::bitcast(cx.entry, code, id, from, to)?
        }
        CastOp::Trunc | CastOp::ZExt => code.unary(Op::UConvert, ty, id),
        CastOp::SExt => code.unary(Op::SConvert, ty, id),
        CastOp::UiToFp => code.unary(Op::ConvertUToF, ty, id),
        CastOp::SiToFp => code.unary(Op::ConvertSToF, ty, id),
        CastOp::FpTrunc | CastOp::FpExt => code.unary(Op::FConvert, ty, id),
        CastOp::FpToUi | CastOp::FpToSi => convert::float_to_int(cx, code, value, to, op == CastOp::FpToSi)?,
        CastOp::BitCast => code.bitcast(ty, id),
        CastOp::AddrSpaceCast | CastOp::PtrToInt | CastOp::IntToPtr => {
            return Err(unsupported!(cx.entry.place, "instruction `{op}` is not supported"));
        }
    })
}

pub fn compare(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, op: CmpOp, lhs: Value, rhs: Value) -> Result<Id> {
    let operand_ty = cx.type_of(lhs);
    let [a, b] = cx.values(code, [lhs, rhs])?;
    let ty = cx.entry.ty(code, operand_ty)?;
    let ty = code.type_bool_like(ty);
    if is_bool(cx, operand_ty) {
        let (op, a, b) = match op {
            CmpOp::Eq => (Op::LogicalEqual, a, b),
            CmpOp::Ne => (Op::LogicalNotEqual, a, b),
            // As a signed number `true` is −1, so signed orders are the unsigned ones reversed.
            CmpOp::Ult | CmpOp::Sgt => (Op::LogicalAnd, code.unary(Op::LogicalNot, ty, a), b),
            CmpOp::Ule | CmpOp::Sge => (Op::LogicalOr, code.unary(Op::LogicalNot, ty, a), b),
            CmpOp::Ugt | CmpOp::Slt => (Op::LogicalAnd, a, code.unary(Op::LogicalNot, ty, b)),
            CmpOp::Uge | CmpOp::Sle => (Op::LogicalOr, a, code.unary(Op::LogicalNot, ty, b)),
            _ => return Err(bug!(cx.entry.place, "comparison `{op}` of an i1")),
        };
        return Ok(code.binary(op, ty, a, b));
    }
    let signed = matches!(op, CmpOp::Sgt | CmpOp::Sge | CmpOp::Slt | CmpOp::Sle);
    let (a, b) = if signed { (cx.signed(code, lhs, a), cx.signed(code, rhs, b)) } else { (a, b) };
    let spirv_op = match op {
        CmpOp::FFalse | CmpOp::FTrue => {
            let constant = code.const_bool(op == CmpOp::FTrue);
            return Ok(code.const_splat(ty, constant));
        }
        CmpOp::FOrd | CmpOp::FUno => {
            // OpOrdered and OpUnordered belong to the Kernel capability.
            let (a, b) = (code.unary(Op::IsNan, ty, a), code.unary(Op::IsNan, ty, b));
            let unordered = code.binary(Op::LogicalOr, ty, a, b);
            return Ok(if op == CmpOp::FUno { unordered } else { code.unary(Op::LogicalNot, ty, unordered) });
        }
        CmpOp::FOeq => Op::FOrdEqual,
        CmpOp::FOgt => Op::FOrdGreaterThan,
        CmpOp::FOge => Op::FOrdGreaterThanEqual,
        CmpOp::FOlt => Op::FOrdLessThan,
        CmpOp::FOle => Op::FOrdLessThanEqual,
        CmpOp::FOne => Op::FOrdNotEqual,
        CmpOp::FUeq => Op::FUnordEqual,
        CmpOp::FUgt => Op::FUnordGreaterThan,
        CmpOp::FUge => Op::FUnordGreaterThanEqual,
        CmpOp::FUlt => Op::FUnordLessThan,
        CmpOp::FUle => Op::FUnordLessThanEqual,
        CmpOp::FUne => Op::FUnordNotEqual,
        CmpOp::Eq => Op::IEqual,
        CmpOp::Ne => Op::INotEqual,
        CmpOp::Ugt => Op::UGreaterThan,
        CmpOp::Uge => Op::UGreaterThanEqual,
        CmpOp::Ult => Op::ULessThan,
        CmpOp::Ule => Op::ULessThanEqual,
        CmpOp::Sgt => Op::SGreaterThan,
        CmpOp::Sge => Op::SGreaterThanEqual,
        CmpOp::Slt => Op::SLessThan,
        CmpOp::Sle => Op::SLessThanEqual,
    };
    Ok(code.binary(spirv_op, ty, a, b))
}

/// Whether an integer equals one of several constants.
///
/// # Errors
/// As [`EntryCx::ty`](crate::lower::cx::EntryCx::ty).
pub fn equals_any(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    operand: Id,
    value: Value,
    numbers: &[u64],
) -> Result<Id> {
    let ty = cx.type_of(value);
    let ty = cx.entry.ty(code, ty)?;
    let bool_ty = code.type_bool();
    let mut any = None;
    for &number in numbers {
        let constant = code.const_bits(ty, number);
        let equal = code.binary(Op::IEqual, bool_ty, operand, constant);
        any = Some(match any {
            None => equal,
            Some(before) => code.binary(Op::LogicalOr, bool_ty, before, equal),
        });
    }
    any.ok_or_else(|| bug!(cx.entry.place, "a switch case has no values"))
}
