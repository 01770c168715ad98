//! Halves as numbers of this machine.
//!
//! In: bits of a half, or a double. Out: the bits of the float of the same value, or of the nearest half.

/// The bits of a half as those of the float of the same value.
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

/// The bits of the nearest half, the even one of two.
pub fn half_bits(value: f64) -> u16 {
    let sign = if value.is_sign_negative() { 0x8000 } else { 0 };
    let magnitude = value.abs();
    if magnitude.is_nan() {
        return sign | 0x7e00;
    }
    // From here on the nearest multiple of the spacing would be 2^16.
    if magnitude >= 65520.0 {
        return sign | 0x7c00;
    }
    // Numbers of one exponent are multiples of 2^(exponent - 10); denormals are those of the least normal exponent.
    let exponent = if magnitude == 0.0 { -14 } else { (magnitude.to_bits() >> 52) as i32 - 1023 }.max(-14);
    let steps = (magnitude * 2f64.powi(10 - exponent)).round_ties_even() as i32;
    // A full mantissa carries into the exponent by itself.
    sign | (((exponent + 14) << 10) + steps) as u16
}

#[cfg(test)]
mod tests {
    use super::single_bits;

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
}
