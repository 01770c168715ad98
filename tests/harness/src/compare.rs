//! Compares outputs word by word.
//!
//! In: the words that a fixture wrote, the expected words, and a tolerance. Out: agreement, or a
//! message with the first differing words in hexadecimal and as floats.

/// One expected word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Want {
    /// This word, or one within the output's tolerance.
    Word(u32),
    /// Any NaN of f32.
    AnyNan,
    /// Any word: this one is not compared.
    Any,
}

/// The condition under which two words agree although their bits differ.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Close {
    /// Words agree only if their bits are equal.
    #[default]
    Exact,
    /// Words are f32. Two values agree if both are NaN, if they are within `ulp` units in the last
    /// place, or if their distance is at most `abs`.
    F32 {
        /// The largest difference, in units in the last place.
        ulp: u64,
        /// The largest absolute difference.
        abs: f64,
    },
    /// Each word holds two f16, which agree like f32.
    F16 {
        /// The largest difference, in units in the last place.
        ulp: u64,
        /// The largest absolute difference.
        abs: f64,
    },
    /// Pairs of words are f64 (low word first), which agree like f32.
    F64 {
        /// The largest difference, in units in the last place.
        ulp: u64,
        /// The largest absolute difference.
        abs: f64,
    },
    /// Each of the four bytes of a word differs by at most this much.
    Unorm8(u8),
}

/// The tolerance with which an output is compared.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Tolerance {
    /// The condition under which two words agree.
    pub close: Close,
    /// The number of words that may disagree.
    pub mismatches: usize,
}

/// The value of an IEEE 754 binary16.
#[must_use]
pub fn f16_value(bits: u16) -> f64 {
    let fraction = f64::from(bits & 0x3ff);
    let size = match bits >> 10 & 0x1f {
        0 => fraction * 2f64.powi(-24),
        0x1f if fraction == 0.0 => f64::INFINITY,
        0x1f => f64::NAN,
        exponent => (1024.0 + fraction) * 2f64.powi(i32::from(exponent) - 25),
    };
    if bits & 0x8000 == 0 { size } else { -size }
}

/// The distance of two floats in units in the last place. The floats are given as sign-magnitude
/// bits of `width` bits. The distance of the two zeros is 0.
fn ulps(a: u64, b: u64, width: u32) -> u64 {
    let sign = 1u64 << (width - 1);
    let ordered = |bits: u64| {
        let size = i128::from(bits & (sign - 1));
        if bits & sign == 0 { size } else { -size }
    };
    u64::try_from((ordered(a) - ordered(b)).unsigned_abs()).unwrap_or(u64::MAX)
}

fn floats_agree(a: (f64, u64), b: (f64, u64), width: u32, ulp: u64, abs: f64) -> bool {
    if a.0.is_nan() || b.0.is_nan() {
        return a.0.is_nan() && b.0.is_nan();
    }
    if a.0.is_infinite() || b.0.is_infinite() {
        return a.0 == b.0;
    }
    ulps(a.1, b.1, width) <= ulp || (a.0 - b.0).abs() <= abs
}

/// The bits of the f64 that contains word `index`.
fn pair(word_at: impl Fn(usize) -> Option<u32>, index: usize) -> Option<u64> {
    let low = index & !1;
    Some(u64::from(word_at(low)?) | u64::from(word_at(low + 1)?) << 32)
}

fn agree(close: Close, got: &[u32], want: &[Want], index: usize) -> bool {
    let (Some(&a), Some(&want_word)) = (got.get(index), want.get(index)) else { return false };
    let b = match want_word {
        Want::Any => return true,
        Want::AnyNan => return f32::from_bits(a).is_nan(),
        Want::Word(word) => word,
    };
    if a == b {
        return true;
    }
    match close {
        Close::Exact => false,
        Close::F32 { ulp, abs } => {
            let value = |bits: u32| (f64::from(f32::from_bits(bits)), u64::from(bits));
            floats_agree(value(a), value(b), 32, ulp, abs)
        }
        Close::F16 { ulp, abs } => [0, 16].into_iter().all(|shift| {
            let value = |bits: u32| (f16_value((bits >> shift) as u16), u64::from((bits >> shift) as u16));
            floats_agree(value(a), value(b), 16, ulp, abs)
        }),
        Close::F64 { ulp, abs } => {
            let wanted = |index: usize| match want.get(index) {
                Some(Want::Word(word)) => Some(*word),
                _ => None,
            };
            let value = |bits: u64| (f64::from_bits(bits), bits);
            match (pair(|index| got.get(index).copied(), index), pair(wanted, index)) {
                (Some(a), Some(b)) => floats_agree(value(a), value(b), 64, ulp, abs),
                _ => false,
            }
        }
        Close::Unorm8(most) => a.to_le_bytes().into_iter().zip(b.to_le_bytes()).all(|(a, b)| a.abs_diff(b) <= most),
    }
}

fn show(word: u32) -> String {
    format!("0x{word:08x} ({:?})", f32::from_bits(word))
}

/// Compares one output with the expected words. Words after the end of `want` are not compared.
///
/// # Errors
/// If the output differs. The message has the output's name, the number of differing words, and the
/// first of them.
pub fn compare(output: &str, got: &[u32], want: &[Want], tolerance: Tolerance) -> Result<(), String> {
    if want.len() > got.len() {
        return Err(format!("{output}: expected at least {} words, got {}", want.len(), got.len()));
    }
    let wrong: Vec<usize> = (0..want.len()).filter(|&index| !agree(tolerance.close, got, want, index)).collect();
    if wrong.len() <= tolerance.mismatches {
        return Ok(());
    }
    let examples = wrong.iter().take(4).map(|&index| {
        let wanted = match want.get(index) {
            Some(Want::Word(word)) => show(*word),
            Some(Want::AnyNan) => "a NaN".to_owned(),
            _ => "anything".to_owned(),
        };
        format!("\n    word {index}: got {}, expected {wanted}", show(got.get(index).copied().unwrap_or_default()))
    });
    let examples: String = examples.collect();
    let allowed =
        if tolerance.mismatches > 0 { format!(" ({} may differ)", tolerance.mismatches) } else { String::new() };
    Err(format!("{output}: {} of {} words differ{allowed}{examples}", wrong.len(), want.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(got: &[u32], want: &[u32], close: Close) -> Result<(), String> {
        let want: Vec<_> = want.iter().copied().map(Want::Word).collect();
        compare("u0", got, &want, Tolerance { close, mismatches: 0 })
    }

    #[test]
    fn exact() {
        assert!(test(&[1, 2], &[1, 2], Close::Exact).is_ok());
        let message = test(&[1, 0x3f80_0000, 3], &[1, 2, 4], Close::Exact).unwrap_err();
        assert!(
            message.contains("2 of 3 words differ") && message.contains("word 1: got 0x3f800000 (1.0)"),
            "{message}"
        );
        assert!(test(&[1], &[1, 2], Close::Exact).is_err(), "an output that is too short does not agree");
        assert!(test(&[0x8000_0000], &[0], Close::Exact).is_err(), "the zeros differ in their bits");
        assert!(test(&[0x7fc0_0000], &[0x7fc0_0001], Close::Exact).is_err(), "so do NaNs");
    }

    #[test]
    fn floats() {
        let one = 1f32.to_bits();
        let close = |ulp, abs| Close::F32 { ulp, abs };
        assert!(test(&[one + 2], &[one], close(2, 0.0)).is_ok());
        assert!(test(&[one + 3], &[one], close(2, 0.0)).is_err());
        assert!(test(&[1.01f32.to_bits()], &[one], close(0, 0.02)).is_ok());
        assert!(test(&[0x7fc0_0000], &[0x7fc0_0001], close(0, 0.0)).is_ok(), "any NaN equals any NaN");
        assert!(test(&[0x7fc0_0000], &[one], close(u64::MAX, f64::MAX)).is_err(), "a NaN is near nothing");
        assert!(test(&[f32::INFINITY.to_bits()], &[f32::MAX.to_bits()], close(4, f64::MAX)).is_err());
        assert!(test(&[0x8000_0000], &[0], close(0, 0.0)).is_ok(), "the zeros are equal as floats");
        assert!(test(&[0x8000_0001], &[1], close(2, 0.0)).is_ok(), "ulps are counted across zero");
    }

    #[test]
    fn halves_doubles_bytes() {
        assert_eq!(f16_value(0x3c00), 1.0);
        assert_eq!(f16_value(0x8001), -(2f64.powi(-24)));
        assert_eq!(f16_value(0x7bff), 65504.0);
        assert!(test(&[0x3c01_3c00], &[0x3c00_3c00], Close::F16 { ulp: 1, abs: 0.0 }).is_ok());
        assert!(test(&[0x3c02_3c00], &[0x3c00_3c00], Close::F16 { ulp: 1, abs: 0.0 }).is_err());
        let bits = 1f64.to_bits();
        let words = |bits: u64| [bits as u32, (bits >> 32) as u32];
        let close = Close::F64 { ulp: 1, abs: 0.0 };
        assert!(test(&words(bits - 1), &words(bits), close).is_ok(), "both words differ, the value hardly");
        assert!(test(&words(bits + 2), &words(bits), close).is_err());
        assert!(test(&[0x10ff_0405], &[0x0fff_0504], Close::Unorm8(1)).is_ok());
        assert!(test(&[0x00ff_0000], &[0x00fd_0000], Close::Unorm8(1)).is_err());
    }

    #[test]
    fn mismatches_and_wildcards() {
        let want = [Want::Any, Want::AnyNan, Want::Word(5)];
        let tolerance = |mismatches| Tolerance { close: Close::Exact, mismatches };
        assert!(compare("u0", &[9, 0xffc0_0000, 5, 77], &want, tolerance(0)).is_ok());
        assert!(compare("u0", &[9, 0, 6], &want, tolerance(1)).is_err());
        assert!(compare("u0", &[9, 0, 6], &want, tolerance(2)).is_ok());
    }
}
