//! Conversions between 16-bit floats (halves) and the host's floats.
//!
//! In: the bits of a half, or a double. Out: the bits of the float with the same value, or of the
//! nearest half.

/// The bits of the float that has the value of a half.
pub fn single_bits(half: u16) -> u32 {
    let (sign, exponent, mantissa) = (u32::from(half >> 15) << 31, half >> 10 & 0x1f, u32::from(half & 0x3ff));
    let magnitude = match exponent {
        // Denormals are multiples of 2^-24, which a float holds exactly.
        0 => (mantissa as f32 / 16_777_216.0).to_bits(),
        0x1f => 0x7f80_0000 | mantissa << 13,
        _ => (u32::from(exponent) + 112) << 23 | mantissa << 13,
    };
    sign | magnitude
}

/// The bits of the nearest half; of two equally near halves, the even one.
pub fn half_bits(value: f64) -> u16 {
    let sign = if value.is_sign_negative() { 0x8000 } else { 0 };
    let magnitude = value.abs();
    if magnitude.is_nan() {
        return sign | 0x7e00;
    }
    // From 65520 on, a value would round to 2^16, which is beyond the largest half.
    if magnitude >= 65520.0 {
        return sign | 0x7c00;
    }
    // Halves with the same exponent are multiples of 2^(exponent - 10). Denormals have the spacing
    // of the smallest normal exponent.
    let exponent = if magnitude == 0.0 { -14 } else { (magnitude.to_bits() >> 52) as i32 - 1023 }.max(-14);
    let steps = (magnitude * 2f64.powi(10 - exponent)).round_ties_even() as i32;
    // A mantissa that was rounded up to 2^11 carries into the exponent through the addition.
    sign | (((exponent + 14) << 10) + steps) as u16
}

#[cfg(test)]
mod tests {
    use super::{half_bits, single_bits};

    #[test]
    fn halves_as_floats() {
        let cases = [
            (0x0000, 0.0),
            (0x8000, -0.0),
            (0x3c00, 1.0),
            (0xc500, -5.0),
            (0x7bff, 65504.0),
            (0x0001, 5.960_464_5e-8),
            (0x0400, 6.103_515_6e-5),
            (0xfc00, f32::NEG_INFINITY),
        ];
        for (half, float) in cases {
            assert_eq!(single_bits(half), f32::to_bits(float), "{half:#06x}");
        }
        assert!(f32::from_bits(single_bits(0x7e00)).is_nan());
    }

    #[test]
    fn floats_as_halves() {
        let cases = [
            (f64::NAN, 0x7e00),
            (-f64::NAN, 0xfe00),
            (65519.9, 0x7bff),
            (65520.0, 0x7c00),
            (-65520.0, 0xfc00),
            (f64::NEG_INFINITY, 0xfc00),
            (0.0, 0x0000),
            (-0.0, 0x8000),
            (-1.0, 0xbc00),
            // Half of the smallest half is rounded to the even one, zero; three halves of it are
            // not.
            (2f64.powi(-25), 0x0000),
            (3.0 * 2f64.powi(-25), 0x0002),
            // The largest denormal rounds up to the smallest normal half.
            (2f64.powi(-14) * 0.9999, 0x0400),
        ];
        for (float, half) in cases {
            assert_eq!(half_bits(float), half, "{float}");
        }
    }
}
