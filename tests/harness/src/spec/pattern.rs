//! Patterns, which are the contents of buffers and textures: streams of 32-bit words.

use dxil_test_support::mix;

/// A stream of words. docs/testing.md defines the patterns.
#[derive(Debug, Clone, PartialEq)]
pub enum Pattern {
    /// Zeros.
    Zero,
    /// The same word, repeated.
    Fill(u32),
    /// The index of the word.
    Iota,
    /// The index of the word as f32.
    IotaF32,
    /// Random words.
    RandomU32(u32),
    /// Random f32 between two bounds.
    RandomF32(u32, f64, f64),
    /// Random pairs of f16.
    RandomF16(u32, f64, f64),
    /// Random f64, two words each.
    RandomF64(u32, f64, f64),
    /// A list of words, then zeros.
    Words(Vec<u32>),
    /// A list of words, repeated.
    Cycle(Vec<u32>),
}

/// The integers of the pattern `edges_u32`.
const EDGES_U32: [u32; 16] = [
    0,
    1,
    2,
    3,
    5,
    31,
    32,
    33,
    0x7f,
    0xffff,
    0x1_0000,
    0x7fff_ffff,
    0x8000_0000,
    0x8000_0001,
    0xffff_fffe,
    0xffff_ffff,
];

/// The floats of the pattern `edges_f32`. The last one is not representable as f32 and rounds to
/// 16777216.
const EDGES_F32: [f64; 16] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -1.5,
    2.5,
    3.0e9,
    -3.0e9,
    1e-30,
    1e30,
    123_456.789,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    16_777_217.0,
];

fn random64(seed: u32, index: u64) -> u64 {
    mix((u64::from(seed) << 32).wrapping_add(index))
}

fn random_u32(seed: u32, index: u64) -> u32 {
    (random64(seed, index) >> 32) as u32
}

fn between(low: f64, high: f64, seed: u32, index: u64) -> f64 {
    low + (high - low) * (f64::from(random_u32(seed, index) >> 8) * 2f64.powi(-24))
}

/// The nearest f16 of a finite number, with ties to even. Numbers beyond the range of f16 give
/// infinity.
#[must_use]
pub fn f16_bits(value: f64) -> u16 {
    let sign = if value.is_sign_negative() { 0x8000 } else { 0 };
    let size = value.abs();
    if size.is_nan() {
        return sign | 0x7e00;
    }
    // The spacing of f16 values around `size` is 2^(exponent - 10). Denormals have the exponent of
    // the smallest normal number.
    let mut exponent = (size.log2().floor() as i32).max(-14);
    // Next to a power of two, `log2` may round to the wrong side.
    if exponent > -14 && size < 2f64.powi(exponent) {
        exponent -= 1;
    }
    let steps = (size * 2f64.powi(10 - exponent)).round_ties_even();
    // A normal number is 1024 to 2047 spacings. If rounding gives 2048, the addition carries into
    // the exponent.
    let bits = steps + f64::from(exponent + 14) * 1024.0;
    if bits >= f64::from(0x7c00) { sign | 0x7c00 } else { sign | bits as u16 }
}

impl Pattern {
    /// The word with this index in the stream.
    #[must_use]
    pub fn word(&self, index: u64) -> u32 {
        let from =
            |list: &[u32], index: u64| usize::try_from(index).ok().and_then(|i| list.get(i)).copied().unwrap_or(0);
        match *self {
            Self::Zero => 0,
            Self::Fill(word) => word,
            Self::Iota => index as u32,
            Self::IotaF32 => (index as f32).to_bits(),
            Self::RandomU32(seed) => random_u32(seed, index),
            Self::RandomF32(seed, low, high) => (between(low, high, seed, index) as f32).to_bits(),
            Self::RandomF16(seed, low, high) => {
                let half = |index| u32::from(f16_bits(between(low, high, seed, index)));
                half(2 * index) | half(2 * index + 1) << 16
            }
            Self::RandomF64(seed, low, high) => {
                let unit = (random64(seed, index / 2) >> 11) as f64 * 2f64.powi(-53);
                ((low + (high - low) * unit).to_bits() >> (32 * (index % 2))) as u32
            }
            Self::Words(ref list) => from(list, index),
            Self::Cycle(ref list) => from(list, index % (list.len() as u64).max(1)),
        }
    }

    /// The bytes of `count` words from index `start` on.
    #[must_use]
    pub fn bytes(&self, start: u64, count: u64) -> Vec<u8> {
        (start..start.saturating_add(count)).flat_map(|index| self.word(index).to_le_bytes()).collect()
    }

    /// The pattern `edges_u32`.
    #[must_use]
    pub fn edges_u32() -> Self {
        Self::Cycle(EDGES_U32.to_vec())
    }

    /// The pattern `edges_f32`.
    #[must_use]
    pub fn edges_f32() -> Self {
        // The NaN is the one that docs/testing.md defines; a cast may give any NaN.
        Self::Cycle(EDGES_F32.iter().map(|&x| if x.is_nan() { 0x7fc0_0000 } else { (x as f32).to_bits() }).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splitmix_reference() {
        // This is the published first output of the generator from state 0.
        assert_eq!(mix(0), 0xe220_a839_7b1d_cdaf);
    }

    #[test]
    fn halves_round_to_even() {
        for (value, bits) in [
            (0.0, 0x0000),
            (-0.0, 0x8000),
            (1.0, 0x3c00),
            (-2.0, 0xc000),
            (65504.0, 0x7bff),
            (65520.0, 0x7c00),
            (1e9, 0x7c00),
            (2f64.powi(-24), 0x0001),
            (2f64.powi(-25), 0x0000),
            (2f64.powi(-14), 0x0400),
            (1.0 + 2f64.powi(-11), 0x3c00),
            (1.0 + 3.0 * 2f64.powi(-11), 0x3c02),
            (0.999_999, 0x3c00),
        ] {
            assert_eq!(f16_bits(value), bits, "{value}");
        }
    }

    #[test]
    fn streams() {
        assert_eq!(Pattern::Words(vec![7]).bytes(0, 2), [7, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(Pattern::Cycle(vec![7, 8]).word(3), 8);
        assert_eq!(Pattern::edges_f32().word(15), 16_777_216f32.to_bits());
        assert_eq!(Pattern::edges_f32().word(1), 0x8000_0000);
        let random = Pattern::RandomF32(3, -1.0, 1.0);
        assert!((0..1000).all(|i| (-1.0..=1.0).contains(&f32::from_bits(random.word(i)))));
        let double = Pattern::RandomF64(1, 2.0, 4.0);
        let bits = u64::from(double.word(2)) | u64::from(double.word(3)) << 32;
        assert!((2.0..4.0).contains(&f64::from_bits(bits)));
    }
}
