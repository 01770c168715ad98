//! Ids and operands, and instructions as words.

use std::num::NonZeroU32;
use std::ops::{Deref, DerefMut};

use dxil_base::html::clipped;
use dxil_base::limits::SPIRV_INSTRUCTION_WORDS;
use rspirv::spirv::Op;

/// The largest number of bytes in a name. Longer ones are cut.
pub(super) const NAME_BYTES: usize = 1024;
/// The largest number of bytes of a text in one instruction, which has a few operands besides.
pub(super) const TEXT_BYTES: usize = (SPIRV_INSTRUCTION_WORDS - 8) * size_of::<u32>();

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

/// A section of a module: its words, and capacity for more.
#[derive(Default)]
pub struct Section {
    /// The words, and after them memory for more, with any content.
    words: Vec<u32>,
    length: usize,
    /// The opcode of an instruction that is too long for its word count.
    too_long: Option<u32>,
}

impl Section {
    /// The opcode of an instruction that has more words than SPIR-V permits, if there is one.
    pub(super) fn too_long(&self) -> Option<u32> {
        self.too_long
    }

    /// How many words there are.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.length
    }

    /// Appends words whose number is known when the code is compiled.
    #[inline]
    pub(super) fn put<const N: usize>(&mut self, new: [u32; N]) {
        self.append(N).copy_from_slice(&new);
    }

    /// Appends a list of words.
    pub(super) fn put_all(&mut self, new: &[u32]) {
        self.append(new.len()).copy_from_slice(new);
    }

    /// Appends so many words, which the caller writes. They take one check of the capacity
    /// together.
    #[inline]
    pub(super) fn append(&mut self, count: usize) -> &mut [u32] {
        let start = self.length;
        self.length += count;
        if self.length > self.words.len() {
            self.grow();
        }
        // Of this length, so that writing them checks no other.
        &mut self.words[start..][..count]
    }

    /// Reserves memory for the words, and for a few more.
    #[cold]
    fn grow(&mut self) {
        while self.words.len() < self.length {
            self.words.extend_from_slice(&[0; 256]);
        }
    }

    /// Takes memory for more words.
    pub(super) fn reserve(&mut self, words: usize) {
        self.words.reserve((self.length + words).saturating_sub(self.words.len()));
    }

    /// Moves all words of another section to a place in this one.
    pub(super) fn insert(&mut self, at: usize, other: &mut Section) {
        self.put_all(other);
        self.get_mut(at..).unwrap_or_default().rotate_right(other.length);
        self.too_long = self.too_long.or(other.too_long);
        other.clear();
    }

    /// Forgets the words from a place on.
    pub(super) fn truncate(&mut self, length: usize) {
        self.length = self.length.min(length);
    }

    /// How many words it has memory for.
    pub(super) fn capacity(&self) -> usize {
        self.words.capacity()
    }

    /// Forgets all words.
    pub(super) fn clear(&mut self) {
        self.length = 0;
        self.too_long = None;
    }
}

impl Deref for Section {
    type Target = [u32];
    #[inline]
    fn deref(&self) -> &[u32] {
        self.words.get(..self.length).unwrap_or_default()
    }
}

impl DerefMut for Section {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u32] {
        self.words.get_mut(..self.length).unwrap_or_default()
    }
}

/// Operands of an instruction: lists of [`Word`]s.
pub trait Operands: Copy {
    /// Number of words.
    fn count(self) -> usize;
    /// Writes the words. `out` has exactly so many.
    fn write(self, out: &mut [u32]);
}

impl<W: Word> Operands for &[W] {
    #[inline]
    fn count(self) -> usize {
        self.len()
    }
    #[inline]
    fn write(self, out: &mut [u32]) {
        out.iter_mut().zip(self).for_each(|(slot, &word)| *slot = word.into());
    }
}

impl<W: Word> Operands for &Vec<W> {
    #[inline]
    fn count(self) -> usize {
        self.len()
    }
    #[inline]
    fn write(self, out: &mut [u32]) {
        self.as_slice().write(out);
    }
}

impl<W: Word, const N: usize> Operands for &[W; N] {
    #[inline]
    fn count(self) -> usize {
        N
    }
    #[inline]
    fn write(self, out: &mut [u32]) {
        for n in 0..N {
            out[n] = self[n].into();
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
    fn write(self, out: &mut [u32]) {
        let pairs = out.as_chunks_mut().0.iter_mut().zip(self);
        pairs.for_each(|(slots, &(value, label))| *slots = [value.word(), label.word()]);
    }
}

/// No operands.
impl Operands for () {
    #[inline]
    fn count(self) -> usize {
        0
    }
    #[inline]
    fn write(self, _: &mut [u32]) {}
}

/// One list after the other.
impl<A: Operands, B: Operands> Operands for (A, B) {
    #[inline]
    fn count(self) -> usize {
        self.0.count() + self.1.count()
    }
    #[inline]
    fn write(self, out: &mut [u32]) {
        let (first, second) = out.split_at_mut(self.0.count());
        self.0.write(first);
        self.1.write(second);
    }
}

/// Writes one instruction: its opcode and the first operands, then `tail`. An instruction that is
/// too long for the word count gets the invalid count of zero, and is [`Section::too_long`].
#[inline]
pub(super) fn instruction<const N: usize>(out: &mut Section, mut head: [u32; N], tail: impl Operands) {
    let count = N + tail.count();
    match head.first_mut() {
        Some(first) if count <= SPIRV_INSTRUCTION_WORDS => *first |= (count as u32) << 16,
        first => out.too_long = first.copied(),
    }
    (&head, tail).write(out.append(count));
}

/// Writes one instruction with a name between operands. Names come from the input, so they are cut
/// at a NUL and at [`NAME_BYTES`].
pub(super) fn with_string(out: &mut Section, op: Op, head: &[u32], text: &str, tail: impl Operands) {
    string_instruction(out, op, head, cut(text, NAME_BYTES), tail);
}

/// The start of a text up to a NUL, with at most so many bytes.
pub(super) fn cut(text: &str, bytes: usize) -> &str {
    let text = text.split('\0').next().unwrap_or_default();
    clipped(text, bytes).0
}

/// Writes one instruction with a literal string between operands (SPIR-V 2.2.1: UTF-8,
/// NUL-terminated, little-endian).
pub(super) fn string_instruction(out: &mut Section, op: Op, head: &[u32], text: &str, tail: impl Operands) {
    let start = out.len();
    out.put([0]);
    out.put_all(head);
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte));
    let mut chunks = text.as_bytes().chunks_exact(4);
    chunks.by_ref().for_each(|bytes| out.put([word(bytes)]));
    out.put([word(chunks.remainder())]);
    tail.write(out.append(tail.count()));
    let count = out.len() - start;
    let mut first = op as u32;
    match count {
        ..=SPIRV_INSTRUCTION_WORDS => first |= (count as u32) << 16,
        _ => out.too_long = Some(first),
    }
    if let Some(slot) = out.get_mut(start) {
        *slot = first;
    }
}
