//! Floating-point numbers that round-trip bit for bit.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A 32-bit float of a create info. It is written as a JSON number; infinities and NaNs, which JSON
/// does not have, are written as a string with the bits: `"0x7f800000"`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Float {
    bits: u32,
}

impl From<f32> for Float {
    fn from(value: f32) -> Self {
        Self { bits: value.to_bits() }
    }
}

impl From<Float> for f32 {
    fn from(value: Float) -> Self {
        Self::from_bits(value.bits)
    }
}

impl fmt::Debug for Float {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f32::from(*self).fmt(f)
    }
}

impl Serialize for Float {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let value = f32::from(*self);
        if value.is_finite() { to.serialize_f32(value) } else { to.collect_str(&format_args!("{:#010x}", self.bits)) }
    }
}

impl<'de> Deserialize<'de> for Float {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Form {
            Number(f32),
            Bits(String),
        }
        match Form::deserialize(from)? {
            Form::Number(value) => Ok(value.into()),
            Form::Bits(text) => {
                let bits = text.strip_prefix("0x").and_then(|digits| u32::from_str_radix(digits, 16).ok());
                let wrong =
                    || de::Error::custom(format!("expected the bits of a number (`0x7f800000`), found `{text}`"));
                bits.map(|bits| Self { bits }).ok_or_else(wrong)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_keeps_its_bits() {
        let bits = [0, 0x8000_0000, 1, 0x3f80_0000, 0x3dcc_cccd, 0x7f7f_ffff, 0x7f80_0000, 0xff80_0000, 0x7fc0_0001];
        for bits in bits {
            let number = Float { bits };
            let text = serde_json::to_string(&number).unwrap();
            assert_eq!(serde_json::from_str::<Float>(&text).unwrap(), number, "{text}");
        }
        assert_eq!(serde_json::to_string(&Float::from(f32::INFINITY)).unwrap(), r#""0x7f800000""#);
        assert!(serde_json::from_str::<Float>(r#""inf""#).is_err());
    }
}
