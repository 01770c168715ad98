//! What the numbers of records stand for.

use crate::ops::{BinaryOp, Linkage, OptimizationFlags};
use crate::values::{MetadataId, ValueId};
use dxil_base::entity::Entity;
use dxil_base::error::{Place, Result};

/// A value number that fits. Whether the value exists is checked when all values are known.
#[inline]
pub(super) fn value_id(place: Place, number: u64) -> Result<ValueId> {
    if number >= 1 << 30 {
        return Err(malformed!(place, "value number {number} is too large; the largest is 2^30 - 1"));
    }
    Ok(ValueId::new(number as usize))
}

pub(super) fn small(place: Place, what: &str, number: u64) -> Result<u32> {
    u32::try_from(number).map_err(|_| malformed!(place, "{what} {number} does not fit in 32 bits"))
}

pub(super) fn address_space(place: Place, number: u64) -> Result<u32> {
    if number >= 1 << 24 {
        return Err(malformed!(place, "address space {number} is too large; the largest is 2^24 - 1"));
    }
    Ok(number as u32)
}

/// Alignment in bytes, from the record form: the logarithm plus one, or zero for none.
pub(super) fn align_of(place: Place, log: u64) -> Result<u32> {
    match log {
        0 => Ok(0),
        1..=32 => Ok(1 << (log - 1)),
        _ => {
            Err(malformed!(place, "an alignment is 2 to the power of {}; the largest is 2 to the power of 31", log - 1))
        }
    }
}

/// The linkage of a number, including the numbers that LLVM no longer writes.
pub(super) fn linkage_of(place: Place, code: u64) -> Result<Linkage> {
    let code = match code {
        1 => 16,
        4 => 18,
        10 => 17,
        11 => 19,
        // dllimport, dllexport and linkonce_odr_auto_hide
        5 | 6 => 0,
        13 | 14 => 9,
        15 => 19,
        other => other,
    };
    Linkage::from_code(code).ok_or_else(|| malformed!(place, "unknown linkage {code}"))
}
/// Undoes the rotation that keeps small negative numbers short: the sign is the lowest bit.
#[inline]
pub(super) fn decode_signed(op: u64) -> i64 {
    match op {
        // Minus zero encodes the smallest number.
        1 => i64::MIN,
        op if op & 1 == 0 => (op >> 1) as i64,
        op => -((op >> 1) as i64),
    }
}

/// The operation that a number stands for, on integers or floats.
#[inline]
pub(super) fn binary_op(place: Place, number: u64, float: bool) -> Result<BinaryOp> {
    /// Difference between the number of the integer form and that of the float form.
    const FLOAT_FORMS: u64 = 16;
    let op = match float {
        true if number < FLOAT_FORMS => BinaryOp::from_code(number + FLOAT_FORMS),
        false if number < FLOAT_FORMS => BinaryOp::from_code(number),
        _ => None,
    };
    op.ok_or_else(|| {
        malformed!(place, "unknown arithmetic operation {number} on {}", if float { "floats" } else { "integers" })
    })
}

/// Optimisation flags of arithmetic. The meaning of the bits depends on the operation.
#[inline]
pub(super) fn flags_of(op: BinaryOp, bits: u64) -> OptimizationFlags {
    let flag = |bit: u64, flag: OptimizationFlags| if bits & bit != 0 { flag } else { OptimizationFlags::NONE };
    match op {
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Shl => {
            flag(1, OptimizationFlags::NUW).union(flag(2, OptimizationFlags::NSW))
        }
        BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::LShr | BinaryOp::AShr => flag(1, OptimizationFlags::EXACT),
        op if op.is_float() => fast_math(bits),
        _ => OptimizationFlags::NONE,
    }
}

/// Fast-math flags. The lowest bit is LLVM 3.7's `fast`, which implies all others.
#[inline]
pub(super) fn fast_math(bits: u64) -> OptimizationFlags {
    // From `nnan` on, the bits of the record are those of `OptimizationFlags`, shifted right by
    // two.
    let flags = OptimizationFlags(((bits & 0xfe) << 2) as u16);
    if bits & 1 != 0 { flags.union(OptimizationFlags::FAST) } else { flags }
}

/// A metadata number that fits. Whether the metadata exists is checked when all metadata is known.
pub(super) fn metadata_id(place: Place, number: u64) -> Result<MetadataId> {
    if number >= 1 << 30 {
        return Err(malformed!(place, "metadata number {number} is too large; the largest is 2^30 - 1"));
    }
    Ok(MetadataId::new(number as usize))
}
