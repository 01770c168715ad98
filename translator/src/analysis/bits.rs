//! Known bits of an integer: which bits are zero, and which are one, whatever the program's input.
//!
//! In: what is known of the operands of an operation. Out: what is then known of its result. What
//! must hold: a result is sound for every pair of operands that their known bits allow, with the
//! wrap-around of the integer's width. Bits above the width are zero, as in a zero-extended number.

/// Known bits of an integer of at most 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits {
    /// The bits that are zero.
    zeros: u64,
    /// The bits that are one.
    ones: u64,
}

/// The mask of the low `count` bits.
fn low(count: u32) -> u64 {
    u64::MAX.checked_shr(64 - count.min(64)).unwrap_or_default()
}

impl Bits {
    /// Nothing is known of an integer of `width` bits.
    pub fn unknown(width: u32) -> Self {
        Bits { zeros: !low(width), ones: 0 }
    }

    /// A constant of `width` bits.
    pub fn constant(value: u64, width: u32) -> Self {
        let value = value & low(width);
        Bits { zeros: !value, ones: value }
    }

    /// Whether a number has the bits that are known.
    pub fn allows(self, value: u64) -> bool {
        value & self.zeros == 0 && value & self.ones == self.ones
    }

    /// The number, if every bit is known.
    pub fn value(self) -> Option<u64> {
        (self.zeros | self.ones == u64::MAX).then_some(self.ones)
    }

    /// The least number that has the bits which are known.
    pub fn least(self) -> u64 {
        self.ones
    }

    /// The largest number that has the bits which are known.
    pub fn most(self) -> u64 {
        !self.zeros
    }

    /// Numbers that are not larger than one.
    fn at_most(number: u64) -> Self {
        Bits { zeros: !low(u64::BITS - number.leading_zeros()), ones: 0 }
    }

    /// How many of the lowest bits are known without a gap, and their value.
    pub fn lowest(self) -> (u32, u64) {
        let count = (self.zeros | self.ones).trailing_ones();
        (count, self.ones & low(count))
    }

    /// What is known without gap of the lowest bits, and nothing of those above.
    pub fn only_lowest(self) -> Self {
        let known = low(self.lowest().0);
        Bits { zeros: self.zeros & known, ones: self.ones & known }
    }

    /// How many of the lowest bits are zero.
    pub fn trailing_zeros(self) -> u32 {
        self.zeros.trailing_ones()
    }

    /// What is known of a number that is one of the two.
    pub fn either(self, other: Self) -> Self {
        Bits { zeros: self.zeros & other.zeros, ones: self.ones & other.ones }
    }

    /// `self & other`.
    pub fn and(self, other: Self) -> Self {
        Bits { zeros: self.zeros | other.zeros, ones: self.ones & other.ones }
    }

    /// `self | other`.
    pub fn or(self, other: Self) -> Self {
        Bits { zeros: self.zeros & other.zeros, ones: self.ones | other.ones }
    }

    /// `self ^ other`.
    pub fn xor(self, other: Self) -> Self {
        Bits {
            zeros: self.zeros & other.zeros | self.ones & other.ones,
            ones: self.zeros & other.ones | self.ones & other.zeros,
        }
    }

    /// `self + other`.
    pub fn add(self, other: Self, width: u32) -> Self {
        self.sum(other, 0, width)
    }

    /// `self - other`.
    pub fn sub(self, other: Self, width: u32) -> Self {
        // a − b = a + ~b + 1. The bits above the width are cut off by the sum.
        self.sum(Bits { zeros: other.ones, ones: other.zeros }, 1, width)
    }

    /// The sum with a carry into the lowest bit. A bit of the sum is known where both operands'
    /// bits are known and the carry into it is the same in the smallest and the largest sum.
    fn sum(self, other: Self, carry: u64, width: u32) -> Self {
        let smallest = self.ones.wrapping_add(other.ones).wrapping_add(carry);
        let largest = (!self.zeros).wrapping_add(!other.zeros).wrapping_add(carry);
        let no_carry = !(largest ^ !self.zeros ^ !other.zeros);
        let carried = smallest ^ self.ones ^ other.ones;
        let known = (self.zeros | self.ones) & (other.zeros | other.ones) & (no_carry | carried);
        Bits { zeros: !smallest & known, ones: smallest & known }.cut(width)
    }

    /// `self * other`.
    pub fn mul(self, other: Self, width: u32) -> Self {
        // With a = A + 2^m · x and b = B + 2^n · y, where A and B are known, the unknown terms are
        // multiples of 2^(n + zeros of A) and of 2^(m + zeros of B).
        let ((m, a), (n, b)) = (self.lowest(), other.lowest());
        let known = (m + other.trailing_zeros().min(n)).min(n + self.trailing_zeros().min(m));
        let (known, product) = (low(known), a.wrapping_mul(b));
        Bits { zeros: !product & known, ones: product & known }.cut(width)
    }

    /// `self << amount`, of which the low bits count that number the bits of the width. The width
    /// is a power of two.
    pub fn shl(self, amount: Self, width: u32) -> Self {
        let amount = amount.and(Bits::constant(u64::from(width - 1), 64));
        match amount.value() {
            Some(amount) => {
                Bits { zeros: self.zeros << amount | low(amount as u32), ones: self.ones << amount }.cut(width)
            }
            None => {
                // The smallest amount has the ones that are known.
                let zeros = self.trailing_zeros() + amount.ones as u32;
                Bits { zeros: low(zeros.min(width)), ones: 0 }.cut(width)
            }
        }
    }

    /// `self >> amount` without the sign; the amount as in [`shl`](Self::shl).
    pub fn lshr(self, amount: Self, width: u32) -> Self {
        match amount.and(Bits::constant(u64::from(width - 1), 64)).value() {
            Some(amount) => {
                Bits { zeros: self.zeros >> amount | !low(width - amount as u32), ones: self.ones >> amount }
            }
            None => Bits::at_most(self.most()).cut(width),
        }
    }

    /// The smaller one of two numbers without sign.
    pub fn umin(self, other: Self) -> Self {
        let most = Bits::at_most(self.most().min(other.most()));
        Bits { zeros: self.zeros & other.zeros | most.zeros, ones: self.ones & other.ones }
    }

    /// `self / other` without sign. Nothing is known where the divisor may be zero.
    pub fn udiv(self, other: Self, width: u32) -> Self {
        self.most().checked_div(other.least()).map_or(Bits::unknown(width), Bits::at_most)
    }

    /// The remainder of [`udiv`](Self::udiv).
    pub fn urem(self, other: Self, width: u32) -> Self {
        match other.least() {
            0 => Bits::unknown(width),
            _ => Bits::at_most(self.most().min(other.most() - 1)),
        }
    }

    /// `self >> amount` with the sign; the amount as in [`shl`](Self::shl).
    pub fn ashr(self, amount: Self, width: u32) -> Self {
        match amount.and(Bits::constant(u64::from(width - 1), 64)).value() {
            Some(amount) => {
                let extended = self.sext(width, 64);
                let shift = |bits: u64| (bits.cast_signed() >> amount).cast_unsigned();
                Bits { zeros: shift(extended.zeros), ones: shift(extended.ones) }.cut(width)
            }
            None => Bits::unknown(width),
        }
    }

    /// The sign-extension from one width to another one.
    pub fn sext(self, from: u32, to: u32) -> Self {
        let (above, sign) = (!low(from), 1 << (from - 1));
        let spread = |bits: u64| if bits & sign != 0 { bits | above } else { bits & !above };
        Bits { zeros: spread(self.zeros), ones: spread(self.ones) }.cut(to)
    }

    /// The low `width` bits.
    pub fn cut(self, width: u32) -> Self {
        Bits { zeros: self.zeros | !low(width), ones: self.ones & low(width) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All known bits of numbers of four bits.
    fn all_bits() -> Vec<Bits> {
        let all = (0..16u64).flat_map(|zeros| (0..16u64).map(move |ones| (zeros, ones)));
        all.filter(|(zeros, ones)| zeros & ones == 0).map(|(zeros, ones)| Bits { zeros: zeros | !0xf, ones }).collect()
    }

    /// Checks an operation on all known bits of two numbers of four bits, and on all numbers that
    /// they allow. Returns whether every result was the most precise one that is sound.
    fn exhaust(name: &str, transfer: impl Fn(Bits, Bits) -> Bits, value: impl Fn(u64, u64) -> u64) -> bool {
        let mut strongest = true;
        for a in all_bits() {
            for b in all_bits() {
                let result = transfer(a, b);
                let mut best = Bits { zeros: u64::MAX, ones: u64::MAX };
                for x in (0..16).filter(|&x| a.allows(x)) {
                    for y in (0..16).filter(|&y| b.allows(y)) {
                        let exact = value(x, y) & 0xf;
                        assert!(result.allows(exact), "{name} {x} {y} = {exact}: {a:x?} {b:x?} {result:x?}");
                        best = best.either(Bits::constant(exact, 4));
                    }
                }
                strongest &= result == best;
            }
        }
        strongest
    }

    #[test]
    fn known_bits_hold_for_all_numbers_of_four_bits() {
        let signed = |x: u64| (x as i64) << 60 >> 60;
        assert!(exhaust("and", Bits::and, |x, y| x & y));
        assert!(exhaust("or", Bits::or, |x, y| x | y));
        assert!(exhaust("xor", Bits::xor, |x, y| x ^ y));
        assert!(exhaust("add", |a, b| a.add(b, 4), |x, y| x + y));
        assert!(exhaust("sub", |a, b| a.sub(b, 4), |x, y| x.wrapping_sub(y)));
        // Products and shifts by unknown amounts have sound known bits, which are not always the
        // strongest.
        assert!(!exhaust("mul", |a, b| a.mul(b, 4), |x, y| x * y));
        assert!(!exhaust("shl", |a, b| a.shl(b, 4), |x, y| x << (y & 3)));
        assert!(!exhaust("lshr", |a, b| a.lshr(b, 4), |x, y| x >> (y & 3)));
        assert!(!exhaust("ashr", |a, b| a.ashr(b, 4), |x, y| (signed(x) >> (y & 3)).cast_unsigned()));
        exhaust("umin", Bits::umin, u64::min);
        let by = |y: u64| if y == 0 { None } else { Some(y) };
        exhaust("udiv", |a, b| a.udiv(b, 4), |x, y| by(y).map_or(15, |y| x / y));
        exhaust("urem", |a, b| a.urem(b, 4), |x, y| by(y).map_or(15, |y| x % y));
        exhaust("sext", |a, _| a.sext(4, 4), |x, _| x);
        exhaust("either", Bits::either, |x, _| x);
        exhaust("either", Bits::either, |_, y| y);
    }

    #[test]
    fn constants_and_widths() {
        for width in [16, 32, 64] {
            let ones = Bits::constant(u64::MAX, width);
            assert_eq!(ones.value(), Some(low(width)));
            assert_eq!(ones.add(Bits::constant(1, width), width).value(), Some(0));
            assert_eq!(Bits::constant(0, width).sub(Bits::constant(1, width), width).value(), Some(low(width)));
            assert_eq!(ones.mul(ones, width).value(), Some(1));
            assert_eq!(Bits::unknown(width).shl(Bits::constant(4, width), width).trailing_zeros(), 4);
            assert_eq!(Bits::unknown(width).mul(Bits::constant(48, width), width).lowest(), (4, 0));
            // Every bit of a shifted number is known, those above the width among them.
            let last = Bits::constant(u64::from(width - 1), width);
            assert_eq!(ones.lshr(last, width).value(), Some(1));
            assert_eq!(Bits::unknown(width).lshr(last, width), Bits { zeros: !1, ones: 0 });
        }
        assert_eq!(Bits::constant(0x8000, 16).sext(16, 32).value(), Some(0xffff_8000));
        assert_eq!(Bits::unknown(1).lowest(), (0, 0));
        assert_eq!((low(0), low(64), low(70)), (0, u64::MAX, u64::MAX));
    }
}
