//! A number of descriptors or registers in a text: a number, or `"unbounded"` for `u32::MAX`. The
//! functions are those that `serde` calls for a field.

use std::fmt;

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserializer, Serializer};

use crate::ir::resources::UNBOUNDED;

const UNBOUNDED_TEXT: &str = "unbounded";

/// The number of a field that a text leaves out.
pub(super) const fn one() -> u32 {
    1
}

/// Whether a text leaves out the field.
pub(super) const fn is_one(count: &u32) -> bool {
    *count == 1
}

pub(super) fn serialize<S: Serializer>(count: &u32, to: S) -> Result<S::Ok, S::Error> {
    match *count {
        UNBOUNDED => to.serialize_str(UNBOUNDED_TEXT),
        count => to.serialize_u32(count),
    }
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
    struct Count;
    impl Visitor<'_> for Count {
        type Value = u32;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "a 32-bit number or {UNBOUNDED_TEXT:?}")
        }
        fn visit_i64<E: Error>(self, number: i64) -> Result<u32, E> {
            // The largest number stands for «unbounded».
            let count = u32::try_from(number).ok().filter(|&count| count != UNBOUNDED);
            count.ok_or_else(|| E::invalid_value(Unexpected::Signed(number), &self))
        }
        fn visit_str<E: Error>(self, text: &str) -> Result<u32, E> {
            let wrong = || E::invalid_value(Unexpected::Str(text), &self);
            (text == UNBOUNDED_TEXT).then_some(UNBOUNDED).ok_or_else(wrong)
        }
    }
    from.deserialize_any(Count)
}
