//! Ids and operands, and instructions as words.

use std::num::NonZeroU32;

use dxil_base::limits::SPIRV_INSTRUCTION_WORDS;
use rspirv::spirv::Op;

/// The largest number of bytes in a name. Longer ones are cut.
pub(super) const NAME_BYTES: usize = 1024;

/// A SPIR-V result id.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(NonZeroU32);

impl Id {
    /// The largest id.
    pub(super) const MAX: Id = Id(NonZeroU32::MAX);

    /// The id as an operand word.
    #[inline]
    pub fn word(self) -> u32 {
        self.0.get()
    }
    /// The id of an operand word; `None` for zero, which is not a valid id.
    #[inline]
    pub(super) fn from_word(word: u32) -> Option<Id> {
        NonZeroU32::new(word).map(Id)
    }
}

impl From<Id> for u32 {
    #[inline]
    fn from(id: Id) -> u32 {
        id.word()
    }
}

impl std::fmt::Display for Id {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "%{}", self.0)
    }
}

impl std::fmt::Debug for Id {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

/// An operand: an [`Id`] or a literal word. Instruction methods take slices of either.
pub trait Word: Copy + Into<u32> {}
impl<T: Copy + Into<u32>> Word for T {}

/// No operands.
pub(super) const NONE: &[u32] = &[];

/// Writes one instruction with the operands `head`, then `tail`. An instruction that is too long
/// for the word count gets the invalid count of zero, which `check_stream` refuses.
#[inline]
pub(super) fn instruction<W: Word>(out: &mut Vec<u32>, op: Op, head: &[u32], tail: &[W]) {
    let count = 1 + head.len() + tail.len();
    out.reserve(count);
    let count = if count <= SPIRV_INSTRUCTION_WORDS { count as u32 } else { 0 };
    out.push(count << 16 | op as u32);
    out.extend(head.iter().copied());
    out.extend(tail.iter().map(|&word| word.into()));
}

/// Writes one instruction with a literal string between operands (SPIR-V 2.2.1: UTF-8,
/// NUL-terminated, little-endian).
pub(super) fn with_string<W: Word>(out: &mut Vec<u32>, op: Op, head: &[u32], text: &str, tail: &[W]) {
    // Names come from the input, so they are cut at a NUL and at this length.
    let mut text = text.split('\0').next().unwrap_or_default();
    while text.len() > NAME_BYTES {
        let cut = (0..=NAME_BYTES).rev().find(|&n| text.is_char_boundary(n)).unwrap_or(0);
        text = text.get(..cut).unwrap_or_default();
    }
    let start = out.len();
    out.push(0);
    out.extend_from_slice(head);
    let mut chunks = text.as_bytes().chunks_exact(4);
    out.extend(chunks.by_ref().map(|c| c.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte))));
    out.push(chunks.remainder().iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte)));
    out.extend(tail.iter().map(|&word| word.into()));
    let count = out.len() - start;
    let count = if count <= SPIRV_INSTRUCTION_WORDS { count as u32 } else { 0 };
    if let Some(first) = out.get_mut(start) {
        *first = count << 16 | op as u32;
    }
}
