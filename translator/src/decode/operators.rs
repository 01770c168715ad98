//! The operators of bitcode as those of the IR.

use crate::ir::{BinaryOp, CastOp, CmpOp, RmwOp};
use dxil_bitcode as bitcode;

/// The IR cast of a bitcode cast.
pub(super) fn cast_op(op: bitcode::CastOp) -> CastOp {
    use bitcode::CastOp as C;
    match op {
        C::Trunc => CastOp::Trunc,
        C::ZExt => CastOp::ZExt,
        C::SExt => CastOp::SExt,
        C::FpToUi => CastOp::FpToUi,
        C::FpToSi => CastOp::FpToSi,
        C::UiToFp => CastOp::UiToFp,
        C::SiToFp => CastOp::SiToFp,
        C::FpTrunc => CastOp::FpTrunc,
        C::FpExt => CastOp::FpExt,
        C::PtrToInt => CastOp::PtrToInt,
        C::IntToPtr => CastOp::IntToPtr,
        C::BitCast => CastOp::BitCast,
        C::AddrSpaceCast => CastOp::AddrSpaceCast,
    }
}

/// The IR operation of a bitcode operation.
#[inline]
pub(super) fn binary_op(op: bitcode::BinaryOp) -> BinaryOp {
    use bitcode::BinaryOp as B;
    match op {
        B::Add => BinaryOp::Add,
        B::Sub => BinaryOp::Sub,
        B::Mul => BinaryOp::Mul,
        B::UDiv => BinaryOp::UDiv,
        B::SDiv => BinaryOp::SDiv,
        B::URem => BinaryOp::URem,
        B::SRem => BinaryOp::SRem,
        B::Shl => BinaryOp::Shl,
        B::LShr => BinaryOp::LShr,
        B::AShr => BinaryOp::AShr,
        B::And => BinaryOp::And,
        B::Or => BinaryOp::Or,
        B::Xor => BinaryOp::Xor,
        B::FAdd => BinaryOp::FAdd,
        B::FSub => BinaryOp::FSub,
        B::FMul => BinaryOp::FMul,
        B::FDiv => BinaryOp::FDiv,
        B::FRem => BinaryOp::FRem,
    }
}

/// The IR comparison of a bitcode predicate.
pub(super) fn cmp_op(pred: bitcode::Predicate) -> CmpOp {
    use bitcode::Predicate as P;
    match pred {
        P::FFalse => CmpOp::FFalse,
        P::FOeq => CmpOp::FOeq,
        P::FOgt => CmpOp::FOgt,
        P::FOge => CmpOp::FOge,
        P::FOlt => CmpOp::FOlt,
        P::FOle => CmpOp::FOle,
        P::FOne => CmpOp::FOne,
        P::FOrd => CmpOp::FOrd,
        P::FUno => CmpOp::FUno,
        P::FUeq => CmpOp::FUeq,
        P::FUgt => CmpOp::FUgt,
        P::FUge => CmpOp::FUge,
        P::FUlt => CmpOp::FUlt,
        P::FUle => CmpOp::FUle,
        P::FUne => CmpOp::FUne,
        P::FTrue => CmpOp::FTrue,
        P::IEq => CmpOp::Eq,
        P::INe => CmpOp::Ne,
        P::IUgt => CmpOp::Ugt,
        P::IUge => CmpOp::Uge,
        P::IUlt => CmpOp::Ult,
        P::IUle => CmpOp::Ule,
        P::ISgt => CmpOp::Sgt,
        P::ISge => CmpOp::Sge,
        P::ISlt => CmpOp::Slt,
        P::ISle => CmpOp::Sle,
    }
}

/// The IR operation of an `atomicrmw`; `None` for one on floats, which DXIL does not have.
pub(super) fn rmw_op(op: bitcode::RmwOp) -> Option<RmwOp> {
    use bitcode::RmwOp as R;
    Some(match op {
        R::Xchg => RmwOp::Xchg,
        R::Add => RmwOp::Add,
        R::Sub => RmwOp::Sub,
        R::And => RmwOp::And,
        R::Nand => RmwOp::Nand,
        R::Or => RmwOp::Or,
        R::Xor => RmwOp::Xor,
        R::Max => RmwOp::Max,
        R::Min => RmwOp::Min,
        R::UMax => RmwOp::UMax,
        R::UMin => RmwOp::UMin,
        R::FAdd | R::FSub => return None,
    })
}
