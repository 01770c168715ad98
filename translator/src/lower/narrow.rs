//! Integers of widths that neither D3D nor SPIR-V has.
//!
//! LLVM's optimiser keeps a counter of which only two bits are used in an `i2`, a table of flags in an `i7`. In: values of such types. Out: SPIR-V
//! integers of 32 bits, of 64 where the width is above 32. What must hold: a value is *canonical* between instructions, its upper bits
//! zero. So equality, unsigned order, switches, selects and phis are those of the wider type; sums, products and left shifts are cut;
//! what reads the sign gets it extended first.

use rspirv::spirv::Op;

use super::context::Context;
use super::{Code, llvm};
use crate::dxil::ir::{BinaryOp, CastOp, CmpOp, Type, TypeId, Value};
use crate::error::Result;
use crate::integer::all_ones;
use crate::spirv::Id;

/// The width of the SPIR-V integer that holds one of `bits` bits. `i8` too is narrow: DXIL has it in metadata and immediates alone.
pub(super) fn holder(bits: u8) -> u8 {
    match bits {
        1 | 16 | 32 | 64 => bits,
        0..=31 => 32,
        _ => 64,
    }
}

/// Whether a type is a narrow integer, or a vector of them: its width, and its holder's.
pub(super) fn width(cx: &Context<'_>, ty: TypeId) -> Option<(u8, u8)> {
    let bits = match *cx.ir_type(ty) {
        Type::Int(bits) => bits,
        Type::Vector { element, .. } => match *cx.ir_type(element) {
            Type::Int(bits) => bits,
            _ => return None,
        },
        _ => return None,
    };
    Some((bits, holder(bits))).filter(|(bits, holder)| bits != holder)
}

/// Zeroes the bits above the width.
pub(super) fn cut(cx: &Context<'_>, code: &mut Code<'_, '_>, ty: TypeId, id: Id) -> Id {
    let (Some((bits, _)), Some(id_ty)) = (width(cx, ty), code.type_of(id)) else { return id };
    let mask = code.const_bits_splat(id_ty, all_ones(bits));
    code.binary(Op::BitwiseAnd, id_ty, id, mask)
}

/// Copies the sign into the bits above the width.
fn extend(cx: &Context<'_>, code: &mut Code<'_, '_>, ty: TypeId, id: Id) -> Id {
    let (Some((bits, holder)), Some(id_ty)) = (width(cx, ty), code.type_of(id)) else { return id };
    let amount = code.const_bits_splat(id_ty, u64::from(holder - bits));
    let raised = code.binary(Op::ShiftLeftLogical, id_ty, id, amount);
    code.binary(Op::ShiftRightArithmetic, id_ty, raised, amount)
}

/// Arithmetic. Shifts by the width or more are undefined in LLVM, and D3D has no such integers.
///
/// # Errors
/// As [`Context::ty`].
pub(super) fn binary(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    op: BinaryOp,
    ty: TypeId,
    lhs: Value,
    rhs: Value,
) -> Result<Id> {
    let [a, b] = cx.values(code, [lhs, rhs])?;
    let id_ty = cx.ty(code, ty)?;
    let signed = matches!(op, BinaryOp::AShr | BinaryOp::SDiv | BinaryOp::SRem);
    let a = if signed { extend(cx, code, ty, a) } else { a };
    let spirv_op = match op {
        BinaryOp::And => Op::BitwiseAnd,
        BinaryOp::Or => Op::BitwiseOr,
        BinaryOp::Xor => Op::BitwiseXor,
        BinaryOp::Add => Op::IAdd,
        BinaryOp::Sub => Op::ISub,
        BinaryOp::Mul => Op::IMul,
        BinaryOp::Shl => Op::ShiftLeftLogical,
        BinaryOp::LShr => Op::ShiftRightLogical,
        BinaryOp::AShr => Op::ShiftRightArithmetic,
        // All ones of the narrow width for a division by zero: canonical as it is.
        BinaryOp::UDiv | BinaryOp::URem => {
            return Ok(llvm::unsigned_division(cx, code, op, ty, id_ty, (a, b), rhs));
        }
        BinaryOp::SDiv | BinaryOp::SRem => {
            let b = extend(cx, code, ty, b);
            let id = llvm::signed_division(cx, code, op, ty, id_ty, (a, b), rhs);
            return Ok(cut(cx, code, ty, id));
        }
        BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv | BinaryOp::FRem => {
            return Err(bug!(cx.place, "`{op}` of integers"));
        }
    };
    let b = match op {
        BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => llvm::shift_amount(cx, code, ty, id_ty, rhs, b),
        _ => b,
    };
    let id = code.binary(spirv_op, id_ty, a, b);
    let canonical = matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::LShr);
    Ok(if canonical { id } else { cut(cx, code, ty, id) })
}

/// The operands of a comparison: with their signs where it reads them.
pub(super) fn compared(cx: &Context<'_>, code: &mut Code<'_, '_>, op: CmpOp, ty: TypeId, ids: [Id; 2]) -> [Id; 2] {
    match op {
        CmpOp::Sgt | CmpOp::Sge | CmpOp::Slt | CmpOp::Sle => ids.map(|id| extend(cx, code, ty, id)),
        _ => ids,
    }
}

/// A conversion from or to a narrow integer; not from or to `i1`.
///
/// # Errors
/// `Unsupported` for bit casts between vectors of different widths, and for pointers.
pub(super) fn cast(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    op: CastOp,
    (id, from): (Id, TypeId),
    to: TypeId,
) -> Result<Id> {
    let ty = cx.ty(code, to)?;
    let same = code.type_of(id) == Some(ty);
    let converted = match op {
        CastOp::Trunc | CastOp::ZExt if same => id,
        CastOp::Trunc | CastOp::ZExt => code.unary(Op::UConvert, ty, id),
        CastOp::SExt => {
            let id = extend(cx, code, from, id);
            if same { id } else { code.unary(Op::SConvert, ty, id) }
        }
        CastOp::UiToFp => code.unary(Op::ConvertUToF, ty, id),
        CastOp::SiToFp => {
            let id = extend(cx, code, from, id);
            code.unary(Op::ConvertSToF, ty, id)
        }
        CastOp::FpToUi | CastOp::FpToSi => super::convert::float_to_int(cx, code, id, from, to, op == CastOp::FpToSi)?,
        CastOp::BitCast if from == to => id,
        _ => return Err(unsupported!(cx.place, "`{op}` of an integer of unusual width")),
    };
    // What is widened without its sign was canonical.
    Ok(if op == CastOp::ZExt { converted } else { cut(cx, code, to, converted) })
}
