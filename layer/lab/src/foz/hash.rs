//! Fossilize's hash, and an object that is hashed and described in one go.
//!
//! The hash is that of fossilize_hasher.hpp: FNV-1 with a step for each 32-bit word.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::unsupported::Unsupported;

/// Fossilize's hash.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hasher(u64);

impl Default for Hasher {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher {
    /// A word.
    pub fn u32(&mut self, word: u32) {
        self.0 = self.0.wrapping_mul(0x100_0000_01b3) ^ u64::from(word);
    }

    /// Two words, the lower one first.
    pub fn u64(&mut self, value: u64) {
        self.u32(value as u32);
        self.u32((value >> 32) as u32);
    }

    /// The bits of a number.
    pub fn f32(&mut self, value: f32) {
        self.u32(value.to_bits());
    }

    /// Text, with a mark before it.
    pub fn text(&mut self, text: &[u8]) {
        self.u32(0xff);
        text.iter().for_each(|byte| self.u32(u32::from(*byte)));
    }

    /// The hash of what came so far.
    pub fn get(self) -> u64 {
        self.0
    }
}

/// A hash as Fossilize writes it.
pub fn hex(hash: u64) -> String {
    format!("{hash:016x}")
}

/// A structure: its members go into the hash and into the JSON object.
pub struct JsonNode<'a> {
    /// The hash of the object to which the structure belongs.
    pub hash: &'a mut Hasher,
    members: BTreeMap<&'static str, Value>,
    /// A number that JSON has no form for.
    no_number: Option<&'static str>,
}

impl<'a> JsonNode<'a> {
    /// A structure without members.
    fn new(hash: &'a mut Hasher) -> Self {
        Self { hash, members: BTreeMap::new(), no_number: None }
    }

    /// A member that is a word.
    pub fn u32(&mut self, name: &'static str, value: u32) {
        self.masked(name, value, false);
    }

    /// A member that is a word; a mask hides it from the hash, because state that is set while
    /// drawing replaces it.
    pub fn masked(&mut self, name: &'static str, value: u32, hidden: bool) {
        self.hash.u32(if hidden { 0 } else { value });
        self.set(name, value);
    }

    /// A member that is a signed word.
    pub fn i32(&mut self, name: &'static str, value: i32) {
        self.hash.u32(value as u32);
        self.set(name, value);
    }

    /// A member that is a number.
    pub fn f32(&mut self, name: &'static str, value: f32) {
        self.hash.f32(value);
        self.set_f32(name, value);
    }

    /// A member that is not part of the hash.
    pub fn set(&mut self, name: &'static str, value: impl Into<Value>) {
        self.members.insert(name, value.into());
    }

    /// A number that is not part of the hash.
    pub fn set_f32(&mut self, name: &'static str, value: f32) {
        let number = self.number(name, value);
        self.set(name, number);
    }

    /// A number for JSON.
    pub fn number(&mut self, name: &'static str, value: f32) -> Value {
        if !value.is_finite() {
            self.no_number = Some(name);
        }
        json!(f64::from(value))
    }

    /// A member that is an array of words.
    pub fn words(&mut self, name: &'static str, words: &[u32]) {
        words.iter().for_each(|word| self.hash.u32(*word));
        self.set(name, words);
    }

    /// A member that is an object, which the document names by its hash.
    pub fn object(&mut self, name: &'static str, hash: u64) {
        self.hash.u64(hash);
        self.set(name, hex(hash));
    }

    /// A member that is an array of objects.
    pub fn objects(&mut self, name: &'static str, hashes: &[u64]) {
        hashes.iter().for_each(|hash| self.hash.u64(*hash));
        self.set(name, hashes.iter().copied().map(hex).collect::<Vec<_>>());
    }

    /// A member that is a structure.
    ///
    /// # Errors
    /// Those of `describe`, and a number that JSON cannot say.
    pub fn structure(&mut self, name: &'static str, describe: impl Describe) -> Result<(), Unsupported> {
        let value = described(self.hash, describe)?;
        self.set(name, value);
        Ok(())
    }

    /// A member that is a structure, or absent, which Fossilize hashes as one zero.
    ///
    /// # Errors
    /// As for [`structure`](Self::structure).
    pub fn optional<T>(
        &mut self,
        name: &'static str,
        it: Option<T>,
        describe: impl FnOnce(&mut JsonNode<'_>, T) -> Result<(), Unsupported>,
    ) -> Result<(), Unsupported> {
        match it {
            Some(it) => self.structure(name, |node: &mut JsonNode<'_>| describe(node, it)),
            None => {
                self.hash.u32(0);
                Ok(())
            }
        }
    }

    /// A member that is an array of structures.
    ///
    /// # Errors
    /// As for [`structure`](Self::structure).
    pub fn list<T>(
        &mut self,
        name: &'static str,
        items: &[T],
        mut describe: impl FnMut(&mut JsonNode<'_>, &T) -> Result<(), Unsupported>,
    ) -> Result<(), Unsupported> {
        let all = items.iter().map(|it| described(self.hash, |node: &mut JsonNode<'_>| describe(node, it)));
        let all = all.collect::<Result<Vec<_>, _>>()?;
        self.set(name, all);
        Ok(())
    }

    /// The object.
    ///
    /// # Errors
    /// A member is no number that JSON can say.
    fn end(self) -> Result<Value, Unsupported> {
        match self.no_number {
            Some(name) => Err(Unsupported(format!("`{name}` is infinite or no number, which JSON cannot say"))),
            None => Ok(self.members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()),
        }
    }
}

/// Describes a structure: adds its members to a node.
pub trait Describe: FnOnce(&mut JsonNode<'_>) -> Result<(), Unsupported> {}
impl<F: FnOnce(&mut JsonNode<'_>) -> Result<(), Unsupported>> Describe for F {}

/// The JSON of a structure, whose members go into the hash of the object that it belongs to.
///
/// # Errors
/// Those of `describe`, and a number that JSON cannot say.
pub fn described(hash: &mut Hasher, describe: impl Describe) -> Result<Value, Unsupported> {
    let mut node = JsonNode::new(hash);
    describe(&mut node)?;
    node.end()
}

/// The hash and the JSON of an object.
///
/// # Errors
/// As for [`described`].
pub fn object(describe: impl Describe) -> Result<(u64, Value), Unsupported> {
    let mut hash = Hasher::default();
    let value = described(&mut hash, describe)?;
    Ok((hash.get(), value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_fnv_1_with_words_for_bytes() {
        assert_eq!(Hasher::default().get(), 0xcbf2_9ce4_8422_2325);
        // FNV-1 of the byte "a" (draft-eastlake-fnv, test vectors).
        let mut hash = Hasher::default();
        hash.u32(u32::from(b'a'));
        assert_eq!(hash.get(), 0xaf63_bd4c_8601_b7be);
        let (mut both, mut parts) = (Hasher::default(), Hasher::default());
        both.u64(0x1122_3344_5566_7788);
        parts.u32(0x5566_7788);
        parts.u32(0x1122_3344);
        assert_eq!(both, parts);
    }

    #[test]
    fn what_json_cannot_say_is_named() {
        let mut hash = Hasher::default();
        let mut node = JsonNode::new(&mut hash);
        node.f32("maxLod", f32::INFINITY);
        let error = node.end().unwrap_err().to_string();
        assert_eq!(error, "`maxLod` is infinite or no number, which JSON cannot say");
    }
}
