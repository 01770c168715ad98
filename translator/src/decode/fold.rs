//! Folds constant expressions of numbers.
//!
//! In: an operation and its operands, as the bits of their elements (one for a scalar, several for
//! a vector). Out: the elements of the result. What must hold: the result is the one that the same
//! instruction has when the shader runs (`lower/numbers/operators.rs`), including D3D's rules for
//! division by zero, wide shifts and conversions out of range. `None` means that the operation does
//! not fit the types of its operands.
//!
//! LLVM folds such expressions when it makes them, so the bitcode of a compiler rarely has any.

use crate::ir::{BinaryOp, CastOp, CmpOp, Type};
use dxil_base::half;
use dxil_base::integer::{all_ones, sign_extended};

/// The type of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    Int(u32),
    Float(u32),
}

impl Scalar {
    pub fn from_type(ty: &Type) -> Option<Self> {
        match *ty {
            Type::Int(width) => Some(Scalar::Int(width.into())),
            Type::Float(width @ (16 | 32 | 64)) => Some(Scalar::Float(width.into())),
            _ => None,
        }
    }
    pub fn width(self) -> u32 {
        match self {
            Scalar::Int(width) | Scalar::Float(width) => width,
        }
    }
}

/// The value of a float, given its bits. Every half and single is exact as a double.
fn float(bits: u64, width: u32) -> f64 {
    match width {
        16 => f64::from(f32::from_bits(half::single_bits(bits as u16))),
        32 => f64::from(f32::from_bits(bits as u32)),
        _ => f64::from_bits(bits),
    }
}

/// The bits of a float of this width, rounded to nearest even.
fn float_bits(value: f64, width: u32) -> u64 {
    match width {
        16 => u64::from(half::half_bits(value)),
        32 => u64::from((value as f32).to_bits()),
        _ => value.to_bits(),
    }
}

/// Folds one element of a two-operand operation.
pub(super) fn binary(op: BinaryOp, scalar: Scalar, a: u64, b: u64) -> Option<u64> {
    use BinaryOp as B;
    let width = scalar.width();
    match (op, scalar) {
        (B::FAdd | B::FSub | B::FMul | B::FDiv | B::FRem, Scalar::Float(_)) => {
            let (x, y) = (float(a, width), float(b, width));
            // A double has at least twice the significant bits of a single and two more. So an
            // operation on singles that is rounded to double first has the same result as one that
            // is rounded to single directly.
            let result = match op {
                B::FAdd => x + y,
                B::FSub => x - y,
                B::FMul => x * y,
                B::FDiv => x / y,
                _ => x % y,
            };
            Some(float_bits(result, width))
        }
        (B::FAdd | B::FSub | B::FMul | B::FDiv | B::FRem, _) | (_, Scalar::Float(_)) => None,
        (_, Scalar::Int(_)) => {
            let mask = all_ones(width);
            let amount = b & u64::from(width - 1);
            let (x, y) = (sign_extended(a, width), sign_extended(b, width));
            // A division by zero gives all ones, as in `lower/numbers/operators.rs`. A quotient
            // that overflows is the dividend there, and here as well: it wraps around.
            let result = match op {
                B::Add => a.wrapping_add(b),
                B::Sub => a.wrapping_sub(b),
                B::Mul => a.wrapping_mul(b),
                B::And => a & b,
                B::Or => a | b,
                B::Xor => a ^ b,
                B::Shl => a << amount,
                B::LShr => a >> amount,
                B::AShr => (x >> amount) as u64,
                B::UDiv => a.checked_div(b).unwrap_or(mask),
                B::URem => a.checked_rem(b).unwrap_or(mask),
                B::SDiv | B::SRem if y == 0 => mask,
                B::SDiv => x.wrapping_div(y) as u64,
                B::SRem => x.wrapping_rem(y) as u64,
                _ => return None,
            };
            Some(result & mask)
        }
    }
}

/// Folds one element of a conversion between numbers. Bit casts are folded for all elements
/// together.
pub(super) fn cast(op: CastOp, from: Scalar, to: Scalar, a: u64) -> Option<u64> {
    let (source, target) = (from.width(), to.width());
    Some(match (op, from, to) {
        (CastOp::Trunc | CastOp::ZExt, Scalar::Int(_), Scalar::Int(_)) => a & all_ones(target),
        (CastOp::SExt, Scalar::Int(_), Scalar::Int(_)) => sign_extended(a, source) as u64 & all_ones(target),
        // The conversion must round once only, so it does not go through a double: not every 64-bit
        // integer is one.
        (CastOp::UiToFp, Scalar::Int(_), Scalar::Float(32)) => u64::from((a as f32).to_bits()),
        (CastOp::SiToFp, Scalar::Int(_), Scalar::Float(32)) => u64::from((sign_extended(a, source) as f32).to_bits()),
        (CastOp::UiToFp, Scalar::Int(_), Scalar::Float(_)) => float_bits(a as f64, target),
        (CastOp::SiToFp, Scalar::Int(_), Scalar::Float(_)) => float_bits(sign_extended(a, source) as f64, target),
        (CastOp::FpTrunc | CastOp::FpExt, Scalar::Float(_), Scalar::Float(_)) => float_bits(float(a, source), target),
        // Rust's `as` saturates and converts NaN to zero. These are D3D's rules too.
        (CastOp::FpToUi, Scalar::Float(_), Scalar::Int(_)) => (float(a, source) as u64).min(all_ones(target)),
        (CastOp::FpToSi, Scalar::Float(_), Scalar::Int(_)) => {
            let most = (all_ones(target) >> 1) as i64;
            (float(a, source) as i64).clamp(-most - 1, most) as u64 & all_ones(target)
        }
        _ => return None,
    })
}

/// Folds one element of a comparison.
pub(super) fn compare(op: CmpOp, scalar: Scalar, a: u64, b: u64) -> Option<bool> {
    use CmpOp as C;
    let width = scalar.width();
    let (x, y) = (sign_extended(a, width), sign_extended(b, width));
    Some(match (op, scalar) {
        (C::Eq, Scalar::Int(_)) => a == b,
        (C::Ne, Scalar::Int(_)) => a != b,
        (C::Ugt, Scalar::Int(_)) => a > b,
        (C::Uge, Scalar::Int(_)) => a >= b,
        (C::Ult, Scalar::Int(_)) => a < b,
        (C::Ule, Scalar::Int(_)) => a <= b,
        (C::Sgt, Scalar::Int(_)) => x > y,
        (C::Sge, Scalar::Int(_)) => x >= y,
        (C::Slt, Scalar::Int(_)) => x < y,
        (C::Sle, Scalar::Int(_)) => x <= y,
        (C::Eq | C::Ne | C::Ugt | C::Uge | C::Ult | C::Ule | C::Sgt | C::Sge | C::Slt | C::Sle, _) => return None,
        (_, Scalar::Int(_)) => return None,
        (op, Scalar::Float(_)) => {
            let (x, y) = (float(a, width), float(b, width));
            let unordered = x.is_nan() || y.is_nan();
            match op {
                C::FFalse => false,
                C::FTrue => true,
                C::FOrd => !unordered,
                C::FUno => unordered,
                C::FOeq => x == y,
                C::FOne => !unordered && x != y,
                C::FOgt => x > y,
                C::FOge => x >= y,
                C::FOlt => x < y,
                C::FOle => x <= y,
                C::FUeq => unordered || x == y,
                C::FUne => unordered || x != y,
                C::FUgt => unordered || x > y,
                C::FUge => unordered || x >= y,
                C::FUlt => unordered || x < y,
                _ => unordered || x <= y,
            }
        }
    })
}

/// The bits of a value as elements of another width. The first element has the lowest bits.
pub(super) fn reinterpret(from: Scalar, to: Scalar, lanes: &[u64]) -> Option<Vec<u64>> {
    let (source, target) = (from.width() as usize, to.width() as usize);
    let total = lanes.len().checked_mul(source)?;
    if total % target != 0 {
        return None;
    }
    let bit = |n: usize| lanes.get(n / source).map_or(0, |lane| lane >> (n % source) & 1);
    Some((0..total / target).map(|lane| (0..target).fold(0, |bits, n| bits | bit(lane * target + n) << n)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const I32: Scalar = Scalar::Int(32);
    const F16: Scalar = Scalar::Float(16);
    const F32: Scalar = Scalar::Float(32);

    #[test]
    fn integers() {
        let cases = [
            (BinaryOp::Add, 0xffff_ffff, 2, 1),
            (BinaryOp::Sub, 0, 1, 0xffff_ffff),
            (BinaryOp::Shl, 1, 33, 2),
            (BinaryOp::AShr, 0x8000_0000, 4, 0xf800_0000),
            (BinaryOp::UDiv, 7, 0, 0xffff_ffff),
            (BinaryOp::URem, 7, 0, 0xffff_ffff),
            (BinaryOp::SDiv, 0xffff_fff9, 2, 0xffff_fffd),
            (BinaryOp::SRem, 0xffff_fff9, 2, 0xffff_ffff),
            (BinaryOp::SDiv, 7, 0, 0xffff_ffff),
            (BinaryOp::SRem, 7, 0, 0xffff_ffff),
            (BinaryOp::SDiv, 7, 0xffff_ffff, 0xffff_fff9),
            (BinaryOp::SDiv, 0x8000_0000, 2, 0xc000_0000),
            (BinaryOp::SDiv, 0x8000_0000, 0xffff_ffff, 0x8000_0000),
            (BinaryOp::SRem, 0x8000_0000, 0xffff_ffff, 0),
        ];
        for (op, a, b, result) in cases {
            assert_eq!(binary(op, I32, a, b), Some(result), "{op} {a:#x} {b:#x}");
        }
        assert_eq!(binary(BinaryOp::Xor, Scalar::Int(1), 1, 1), Some(0));
        assert_eq!(binary(BinaryOp::SDiv, Scalar::Int(64), 1 << 63, u64::MAX), Some(1 << 63));
        assert_eq!(binary(BinaryOp::SRem, Scalar::Int(64), 1 << 63, u64::MAX), Some(0));
        assert_eq!(binary(BinaryOp::SDiv, Scalar::Int(1), 1, 1), Some(1));
        assert_eq!(binary(BinaryOp::FAdd, I32, 1, 1), None);
        assert_eq!(compare(CmpOp::Slt, I32, 0xffff_ffff, 0), Some(true));
        assert_eq!(compare(CmpOp::Ult, I32, 0xffff_ffff, 0), Some(false));
    }

    #[test]
    fn floats_and_conversions() {
        let bits = |x: f32| u64::from(x.to_bits());
        assert_eq!(binary(BinaryOp::FMul, F32, bits(1.5), bits(-2.0)), Some(bits(-3.0)));
        assert_eq!(binary(BinaryOp::FRem, F32, bits(-5.5), bits(2.0)), Some(bits(-1.5)));
        // 1 + 2^-11 is in the middle between two halves and is rounded to the even one.
        assert_eq!(binary(BinaryOp::FAdd, F16, 0x3c00, 0x1000), Some(0x3c00));
        assert_eq!(binary(BinaryOp::FAdd, F16, 0x7bff, 0x7bff), Some(0x7c00));
        assert_eq!(binary(BinaryOp::FMul, F16, 0x0001, 0x3c00), Some(0x0001));
        assert_eq!(cast(CastOp::FpTrunc, F32, F16, bits(-0.1)), Some(0xae66));
        assert_eq!(cast(CastOp::FpTrunc, F32, F16, bits(65519.0)), Some(0x7bff));
        assert_eq!(cast(CastOp::FpToUi, F32, I32, bits(-1.0)), Some(0));
        assert_eq!(cast(CastOp::FpToUi, F32, I32, bits(1e20)), Some(0xffff_ffff));
        assert_eq!(cast(CastOp::FpToSi, F32, Scalar::Int(16), bits(-1e9)), Some(0x8000));
        assert_eq!(cast(CastOp::FpToSi, F32, I32, bits(f32::NAN)), Some(0));
        assert_eq!(cast(CastOp::SiToFp, I32, F32, 0xffff_fffe), Some(bits(-2.0)));
        assert_eq!(cast(CastOp::SExt, Scalar::Int(1), I32, 1), Some(0xffff_ffff));
        assert_eq!(compare(CmpOp::FUlt, F32, bits(f32::NAN), 0), Some(true));
        assert_eq!(compare(CmpOp::FOne, F32, bits(f32::NAN), 0), Some(false));
    }

    /// Every operation on a pair of numbers of four bits, which differ as signed and unsigned
    /// numbers.
    #[test]
    fn every_operation_on_integers() {
        use BinaryOp as B;
        let results = [
            (B::Add, 12),
            (B::Sub, 6),
            (B::Mul, 11),
            (B::And, 1),
            (B::Or, 11),
            (B::Xor, 10),
            (B::Shl, 8),
            (B::LShr, 1),
            (B::AShr, 15),
            (B::UDiv, 3),
            (B::URem, 0),
            (B::SDiv, 14),
            (B::SRem, 15),
        ];
        let int = Scalar::Int(4);
        for (op, result) in results {
            assert_eq!(binary(op, int, 9, 3), Some(result), "{op}");
            assert_eq!(binary(op, F32, 9, 3), None, "{op}");
        }
        for op in [B::FAdd, B::FSub, B::FMul, B::FDiv, B::FRem] {
            assert_eq!(binary(op, int, 9, 3), None, "{op}");
        }
        let bits = |x: f32| u64::from(x.to_bits());
        let floats = [(B::FAdd, 7.5), (B::FSub, 2.5), (B::FMul, 12.5), (B::FDiv, 2.0), (B::FRem, 0.0)];
        for (op, result) in floats {
            assert_eq!(binary(op, F32, bits(5.0), bits(2.5)), Some(bits(result)), "{op}");
        }
    }

    /// Every comparison of a smaller, an equal and a larger number, and of NaN.
    #[test]
    fn every_comparison() {
        use CmpOp as C;
        let int = Scalar::Int(4);
        // 9 is larger than 3 without a sign, and smaller with one.
        let integers = [
            (C::Eq, [false, true, false]),
            (C::Ne, [true, false, true]),
            (C::Ugt, [true, false, false]),
            (C::Uge, [true, true, false]),
            (C::Ult, [false, false, true]),
            (C::Ule, [false, true, true]),
            (C::Sgt, [false, false, true]),
            (C::Sge, [false, true, true]),
            (C::Slt, [true, false, false]),
            (C::Sle, [true, true, false]),
        ];
        for (op, results) in integers {
            let found = [(9, 3), (9, 9), (3, 9)].map(|(a, b)| compare(op, int, a, b));
            assert_eq!(found, results.map(Some), "{op}");
            assert_eq!(compare(op, F32, 9, 3), None, "{op}");
        }
        let floats = [
            (C::FFalse, [false, false, false, false]),
            (C::FTrue, [true, true, true, true]),
            (C::FOrd, [true, true, true, false]),
            (C::FUno, [false, false, false, true]),
            (C::FOeq, [false, true, false, false]),
            (C::FOne, [true, false, true, false]),
            (C::FOgt, [true, false, false, false]),
            (C::FOge, [true, true, false, false]),
            (C::FOlt, [false, false, true, false]),
            (C::FOle, [false, true, true, false]),
            (C::FUeq, [false, true, false, true]),
            (C::FUne, [true, false, true, true]),
            (C::FUgt, [true, false, false, true]),
            (C::FUge, [true, true, false, true]),
            (C::FUlt, [false, false, true, true]),
            (C::FUle, [false, true, true, true]),
        ];
        let bits = |x: f32| u64::from(x.to_bits());
        for (op, results) in floats {
            let pairs = [(2.0, -3.0), (2.0, 2.0), (-3.0, 2.0), (f32::NAN, 2.0)];
            assert_eq!(pairs.map(|(a, b)| compare(op, F32, bits(a), bits(b))), results.map(Some), "{op}");
            assert_eq!(compare(op, F32, bits(2.0), bits(f32::NAN)), Some(results[3]), "{op}");
            assert_eq!(compare(op, int, 9, 3), None, "{op}");
        }
    }

    #[test]
    fn every_half_survives() {
        for half in 0..=0xffffu16 {
            let value = float(half.into(), 16);
            assert!(value.is_nan() || float_bits(value, 16) == u64::from(half), "{half:#06x}");
        }
    }

    #[test]
    fn bits_of_vectors() {
        assert_eq!(reinterpret(I32, Scalar::Int(16), &[0x1234_5678]), Some(vec![0x5678, 0x1234]));
        assert_eq!(reinterpret(I32, Scalar::Float(64), &[1, 2]), Some(vec![0x2_0000_0001]));
        assert_eq!(reinterpret(I32, Scalar::Float(64), &[1]), None);
    }
}
