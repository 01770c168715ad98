//! Integers of 1 to 64 bits, each in a `u64` with zeros above its width.
//!
//! In: bits and a width. Out: bits, or the number that they encode. LLVM's constants, the folding
//! of expressions and the constants of lowered code all use these functions.

/// The largest unsigned number of this many bits. Widths above 64 count as 64.
#[inline]
pub fn all_ones(width: impl Into<u32>) -> u64 {
    let width = width.into();
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// The number that the low `width` bits encode in two's complement. `width` is clamped to 1 to 64.
#[inline]
pub fn sign_extended(bits: u64, width: impl Into<u32>) -> i64 {
    let unused = 64 - width.into().clamp(1, 64);
    (bits << unused) as i64 >> unused
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths() {
        let cases = [(1u32, 1, -1), (13, 0x1fff, -1), (16, 0xffff, -1), (40, (1 << 40) - 1, -1), (64, u64::MAX, -1)];
        for (width, ones, minus_one) in cases {
            assert_eq!((all_ones(width), sign_extended(ones, width)), (ones, minus_one), "{width}");
            let top = 1 << (width - 1);
            assert_eq!(sign_extended(top, width), i64::MIN >> (64 - width), "{width}");
        }
        assert_eq!((all_ones(0u8), all_ones(65u8)), (0, u64::MAX));
        assert_eq!(sign_extended(0x1_0007, 16u8), 7);
    }
}
