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
impl Word for Id {}
impl Word for u32 {}

/// Operands of an instruction: a list of [`Word`]s. The length of an array is known when the code is
/// compiled, so that its words are written without a loop.
pub trait Operands: Copy {
    /// Number of words.
    fn count(self) -> usize;
    /// Writes the words.
    fn write(self, out: &mut Vec<u32>);
}

impl<W: Word> Operands for &[W] {
    #[inline]
    fn count(self) -> usize {
        self.len()
    }
    #[inline]
    fn write(self, out: &mut Vec<u32>) {
        out.reserve(self.len());
        for &word in self {
            out.push(word.into());
        }
    }
}

impl<W: Word> Operands for &Vec<W> {
    #[inline]
    fn count(self) -> usize {
        self.len()
    }
    #[inline]
    fn write(self, out: &mut Vec<u32>) {
        self.as_slice().write(out);
    }
}

impl<W: Word, const N: usize> Operands for &[W; N] {
    #[inline]
    fn count(self) -> usize {
        N
    }
    #[inline]
    fn write(self, out: &mut Vec<u32>) {
        for &word in self {
            out.push(word.into());
        }
    }
}

/// Pairs of a value and a label.
impl Operands for &[(Id, Id)] {
    #[inline]
    fn count(self) -> usize {
        self.len() * 2
    }
    #[inline]
    fn write(self, out: &mut Vec<u32>) {
        self.iter().for_each(|&(value, label)| out.extend_from_slice(&[value.word(), label.word()]));
    }
}

/// No operands.
impl Operands for () {
    #[inline]
    fn count(self) -> usize {
        0
    }
    #[inline]
    fn write(self, _: &mut Vec<u32>) {}
}

/// One list after the other.
impl<A: Operands, B: Operands> Operands for (A, B) {
    #[inline]
    fn count(self) -> usize {
        self.0.count() + self.1.count()
    }
    #[inline]
    fn write(self, out: &mut Vec<u32>) {
        self.0.write(out);
        self.1.write(out);
    }
}

/// Writes one instruction: its opcode and the first operands, then `tail`. An instruction that is too
/// long for the word count gets the invalid count of zero, which `check_stream` refuses.
#[inline]
pub(super) fn instruction<const N: usize>(out: &mut Vec<u32>, mut head: [u32; N], tail: impl Operands) {
    let count = N + tail.count();
    if let Some(first) = head.first_mut()
        && count <= SPIRV_INSTRUCTION_WORDS
    {
        *first |= (count as u32) << 16;
    }
    for word in head {
        out.push(word);
    }
    tail.write(out);
}

/// Writes one instruction with a literal string between operands (SPIR-V 2.2.1: UTF-8,
/// NUL-terminated, little-endian).
pub(super) fn with_string(out: &mut Vec<u32>, op: Op, head: &[u32], text: &str, tail: impl Operands) {
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
    tail.write(out);
    let count = out.len() - start;
    let count = if count <= SPIRV_INSTRUCTION_WORDS { count as u32 } else { 0 };
    if let Some(first) = out.get_mut(start) {
        *first = count << 16 | op as u32;
    }
}
