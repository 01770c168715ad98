//! The elements of structured buffers: their members, as a shader's accesses show them.
//!
//! In: every access of a shader to a structured buffer. Out: for each buffer an [`ElementLayout`],
//! the vectors and numbers that its elements consist of, so that an access is one load or store of
//! a vector. A buffer without an `ElementLayout` is declared as an array of words
//! (`buffers::words`). What must hold:
//!
//! - A member's offset follows from constants of the shader: the offset of an access and the
//!   stride. The alignment operand of an operation is ignored. A vector is declared only where the
//!   layout rules allow one (Vulkan, «Offset and Stride Assignment»).
//! - D3D checks bounds per element. Every member lies within the stride, so a buffer of whole
//!   elements contains a member completely or not at all.
//! - A buffer is declared either with members or as words, never both. So a single access that
//!   members cannot serve makes the whole buffer words: an access whose offset is not constant or
//!   reaches out of the element, 16-bit words next to 32-bit words, or an atomic operation on 64
//!   bits.

use crate::analysis::program::Program;
use crate::ir::{Function, Inst, Type, TypeId, Value};
use crate::ops::{self, Memory, OpCode, Role};

/// The largest stride in bytes: D3D's own limit (D3D11.3, "Structured Buffers").
const STRIDE: u32 = 2048;

/// Number of words in the largest member.
const MEMBER: usize = 4;

/// A vector or number that is a member of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElementMember {
    /// Index of its first word, counted from the start of the element.
    pub word: u32,
    /// Number of its words: 1 to 4.
    pub count: u32,
    /// Whether all accesses treat each of its words as a float of the word's size.
    pub float: bool,
}

/// The layout of a buffer's elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ElementLayout {
    /// Bytes from one element to the next.
    pub stride: u32,
    /// Bytes of a word: 2 or 4.
    pub word: u32,
    /// The members that accesses touch, by ascending offset. They do not overlap.
    pub members: Vec<ElementMember>,
}

/// The part of an access that lies in one member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemberAccess {
    /// Index of the member in [`ElementLayout::members`].
    pub index: u32,
    /// The member.
    pub member: ElementMember,
    /// Mask of the member's words that the access touches.
    pub touched: u32,
    /// The member's first word, counted from the first word of the access. It is negative if the
    /// member begins before the access does.
    pub start: i32,
}

impl ElementLayout {
    /// The parts of an access that begins at `first` and touches the words of `mask`.
    pub fn parts(&self, first: u32, mask: u32) -> impl Iterator<Item = MemberAccess> + '_ {
        // The mask has 32 words. The members are in order, and do not overlap.
        let (begin, end) = (u64::from(first), u64::from(first) + u64::from(u32::BITS));
        let skipped = self.members.partition_point(|member| u64::from(member.word + member.count) <= begin);
        let near = self.members.iter().skip(skipped).take_while(move |member| u64::from(member.word) < end);
        (skipped as u32..).zip(near).filter_map(move |(index, &member)| {
            let start = member.word as i32 - first as i32;
            let touched =
                if start < 0 { mask.checked_shl(start.unsigned_abs()) } else { mask.checked_shr(start as u32) };
            let touched = touched.unwrap_or_default() & ((1 << member.count) - 1);
            (touched != 0).then_some(MemberAccess { index, member, touched, start })
        })
    }

    /// Whether the element has a single member, which begins at the element's start.
    pub fn is_one_member(&self) -> bool {
        matches!(self.members[..], [ElementMember { word: 0, .. }])
    }
}

/// How accesses use one word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct WordUse {
    /// Some access touches it.
    used: bool,
    /// Some access treats it as a float.
    floats: bool,
    /// Some access treats it as something other than a float.
    bits: bool,
    /// An atomic operation touches it, so it must be a member of its own.
    alone: bool,
    /// Some access touches both this word and the next one.
    joined: bool,
}

/// All accesses to one structured buffer.
#[derive(Clone, Debug, Default)]
pub struct Accesses {
    words: Vec<WordUse>,
    /// Bytes of a word. It is set by the first access.
    word: u32,
    /// Some access is one that members cannot serve.
    other: bool,
}

impl Accesses {
    /// Records what an operation does with the buffer, whose elements have `stride` bytes. `native`
    /// says whether 16-bit numbers take 16 bits in memory. `extracted` gives the mask of the
    /// result's members that are used.
    pub(super) fn record(&mut self, operation: CallSite<'_>, stride: u32, native: bool, extracted: u8) {
        let CallSite { program, op, .. } = operation;
        match view(operation, extracted) {
            Some(ElementAccess { components: 0, .. }) => {}
            Some(ElementAccess { kind, offset, components, ty, .. }) => {
                let offset = if program.module.is_undef(offset) { Some(0) } else { program.module.const_uint(offset) };
                let wide_atomic = |words| kind == AccessKind::Atomic && words != 1;
                match offset.zip(component(program, native, ty)) {
                    Some((offset, component)) if !wide_atomic(component.words) => {
                        self.add(stride, offset, word_mask(components, component.words), component, kind);
                    }
                    _ => self.other = true,
                }
            }
            // A size and a counter are not the memory of elements.
            None if matches!(op.info().access, ops::Access::Properties | ops::Access::Counter) => {}
            None => self.other = true,
        }
    }

    /// Adds an access by its first byte (`offset`), a mask of the words it touches, and their type.
    /// A load also reads the words between those of its mask, because it is one load of a vector.
    fn add(&mut self, stride: u32, offset: u64, mask: u32, component: MemoryComponent, kind: AccessKind) {
        let MemoryComponent { word, float, .. } = component;
        let first = offset / u64::from(word);
        let last = first + u64::from(mask.checked_ilog2().unwrap_or_default());
        let fits = stride <= STRIDE && stride.is_multiple_of(word) && last < u64::from(stride / word);
        if !fits || !offset.is_multiple_of(u64::from(word)) || !self.words.is_empty() && self.word != word {
            self.other = true;
            return;
        }
        if self.words.is_empty() {
            self.word = word;
            self.words.resize((stride / word) as usize, WordUse::default());
        }
        let mask = match kind {
            AccessKind::Load => mask | span(mask),
            AccessKind::Store | AccessKind::Atomic => mask,
        };
        for (n, word) in self.words.iter_mut().skip(first as usize).enumerate().take(u32::BITS as usize) {
            if mask >> n & 1 != 0 {
                word.used = true;
                word.floats |= float;
                word.bits |= !float;
                word.alone |= kind == AccessKind::Atomic;
                word.joined |= mask.checked_shr(n as u32 + 1).unwrap_or_default() & 1 != 0;
            }
        }
    }

    /// The members that serve all accesses, or `None` if the buffer must be words. `scalar` says
    /// whether a vector may begin at any multiple of its component's size (the feature
    /// `scalarBlockLayout`).
    pub fn element(&self, stride: u32, scalar: bool) -> Option<ElementLayout> {
        // A buffer whose elements have one word is an array of words as it is.
        if self.other || self.words.len() < 2 {
            return None;
        }
        let mut members = Vec::new();
        let mut at = 0;
        while let Some(rest) = self.words.get(at..).filter(|rest| !rest.is_empty()) {
            let run = run(rest);
            let count = (1..=run).rev().find(|&count| is_legal(at, count, stride / self.word, scalar)).unwrap_or(1);
            if let Some(words) = rest.get(..count).filter(|_| run != 0) {
                let float = words.iter().all(|word| !word.bits);
                // A device may have 16-bit integers in memory for loads, stores and conversions
                // only (`storageBuffer16BitAccess` without `shaderInt16`). Reading a float from
                // such a member would need a bit cast of a 16-bit integer.
                if self.word == 2 && !float && words.iter().any(|word| word.floats) {
                    return None;
                }
                members.push(ElementMember { word: at as u32, count: count as u32, float });
            }
            at += count;
        }
        Some(ElementLayout { stride, word: self.word, members })
    }
}

/// How many words, from the first one on, belong together because some access touches each of them
/// and its neighbour. The result is at most the size of the largest member.
fn run(words: &[WordUse]) -> usize {
    if words.first().is_none_or(|word| !word.used) {
        return 0;
    }
    let pairs = words.windows(2).take(MEMBER - 1);
    1 + pairs.take_while(|pair| matches!(pair, [a, b] if a.joined && !a.alone && !b.alone)).count()
}

/// Whether a vector of `count` words may begin at word `at`. In the standard layout its offset must
/// be a multiple of its size, where three words count as four. In the scalar layout any word will
/// do. The stride, `words`, must be a multiple of the same alignment, so that the rule holds in
/// every element.
fn is_legal(at: usize, count: usize, words: u32, scalar: bool) -> bool {
    let alignment = if scalar { 1 } else { count.next_power_of_two() };
    at.is_multiple_of(alignment) && words.is_multiple_of(alignment as u32)
}

/// The mask of all bits from the lowest to the highest bit set in `mask`.
fn span(mask: u32) -> u32 {
    let up_to = mask.checked_ilog2().map_or(0, |high| u32::MAX >> (u32::BITS - 1 - high));
    up_to & u32::MAX.checked_shl(mask.trailing_zeros()).unwrap_or_default()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AccessKind {
    Load,
    Store,
    Atomic,
}

/// A component of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MemoryComponent {
    /// Bytes of a word: 2 or 4.
    pub word: u32,
    /// Number of words: 1 or 2.
    pub words: u32,
    /// Whether it is a float of one word.
    pub float: bool,
}

/// The component that an access of type `ty` has, if members can hold it. `native` says whether
/// 16-bit numbers take 16 bits in memory.
pub(super) fn component(program: &Program, native: bool, ty: TypeId) -> Option<MemoryComponent> {
    let (word, words, float) = match program.module.types[ty] {
        Type::Float(32) => (4, 1, true),
        Type::Int(32) => (4, 1, false),
        Type::Float(16) if native => (2, 1, true),
        Type::Int(16) if native => (2, 1, false),
        // A minimum-precision number takes 32 bits in memory.
        Type::Int(16) | Type::Float(16) => (4, 1, false),
        Type::Int(64) | Type::Float(64) => (4, 2, false),
        _ => return None,
    };
    Some(MemoryComponent { word, words, float })
}

/// Turns a mask of components into a mask of words. Each component has `words` words: one or two.
pub fn word_mask(components: u32, words: u32) -> u32 {
    if words == 1 {
        return components;
    }
    (0..4).filter(|n| components >> n & 1 != 0).fold(0, |mask, n| mask | 0b11 << (n * 2))
}

/// An operation of a function.
#[derive(Clone, Copy)]
pub(super) struct CallSite<'a> {
    pub program: &'a Program,
    pub function: &'a Function,
    pub inst: Inst,
    pub op: OpCode,
    pub operands: &'a [Value],
}

/// An access to a raw or structured buffer, read from the operands of an operation.
pub(super) struct ElementAccess {
    pub kind: AccessKind,
    /// The element of a structured buffer, or the offset in bytes in a raw one.
    pub index: Value,
    /// Offset in bytes from the start of the element.
    pub offset: Value,
    /// Mask of the components that are accessed.
    pub components: u32,
    /// Type of a component.
    pub ty: TypeId,
}

/// Whether an operation may access a raw or structured buffer.
pub(super) fn is_access(op: OpCode) -> bool {
    use ops::Access;
    matches!(
        op.info().access,
        Access::Load(Memory::Buffer | Memory::Words) | Access::Store(Memory::Buffer | Memory::Words) | Access::Atomic
    )
}

/// The access of an operation; `None` for operations that do not access the memory of a raw or
/// structured buffer.
pub(super) fn view(operation: CallSite<'_>, extracted: u8) -> Option<ElementAccess> {
    let CallSite { program, function, inst, op, operands } = operation;
    let info = op.info();
    let operand = |role| info.value(role, operands);
    let (index, offset) = (operand(Role::Index)?, operand(Role::Offset)?);
    let mask = match operand(Role::Mask) {
        Some(mask) => program.module.const_uint(mask)? as u32 & 0xf,
        None => 0xf,
    };
    let stored = || Some(program.module.type_of(function, operand(Role::Value)?));
    let (kind, components, ty) = match info.access {
        ops::Access::Load(Memory::Buffer | Memory::Words) => {
            let result = program.module.type_of(function, function.result(inst)?);
            let Type::Struct { fields, .. } = &program.module.types[result] else { return None };
            (AccessKind::Load, mask & u32::from(extracted), *fields.first()?)
        }
        ops::Access::Store(Memory::Buffer | Memory::Words) => (AccessKind::Store, mask, stored()?),
        ops::Access::Atomic => (AccessKind::Atomic, 1, stored()?),
        _ => return None,
    };
    Some(ElementAccess { kind, index, offset, components, ty })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLOATS: MemoryComponent = MemoryComponent { word: 4, words: 1, float: true };
    const BITS: MemoryComponent = MemoryComponent { float: false, ..FLOATS };
    const HALVES: MemoryComponent = MemoryComponent { word: 2, ..FLOATS };
    const SHORTS: MemoryComponent = MemoryComponent { word: 2, ..BITS };

    type Listed = (u64, u32, MemoryComponent, AccessKind);

    fn accesses(stride: u32, list: &[Listed]) -> Accesses {
        let mut accesses = Accesses::default();
        for &(offset, mask, component, kind) in list {
            accesses.add(stride, offset, mask, component, kind);
        }
        accesses
    }

    /// Members as `first word: words`, with `f` for floats.
    fn members(stride: u32, scalar: bool, list: &[Listed]) -> Option<String> {
        let element = accesses(stride, list).element(stride, scalar)?;
        let one = |m: &ElementMember| format!("{}:{}{}", m.word, m.count, if m.float { "f" } else { "" });
        Some(element.members.iter().map(one).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn accesses_show_members() {
        let boxes = [(0, 0b111, FLOATS, AccessKind::Load), (12, 0b111, FLOATS, AccessKind::Store)];
        assert_eq!(members(24, true, &boxes).unwrap(), "0:3f 3:3f");
        // Without the scalar layout, vectors of three words begin at multiples of 16 bytes, vectors
        // of two words at multiples of 8.
        assert_eq!(members(24, false, &boxes).unwrap(), "0:2f 2:1f 3:1f 4:2f");
        assert_eq!(members(32, false, &boxes).unwrap(), "0:3f 3:1f 4:2f");
        assert_eq!(members(20, false, &boxes[..1]).unwrap(), "0:1f 1:1f 2:1f");
    }

    #[test]
    fn one_access_as_bits_makes_bits() {
        let list = [
            (0, 0b11, FLOATS, AccessKind::Load),
            (4, 0b1, BITS, AccessKind::Store),
            (8, 0b1, FLOATS, AccessKind::Load),
        ];
        assert_eq!(members(12, true, &list).unwrap(), "0:2 2:1f");
    }

    #[test]
    fn a_load_reads_between_its_words_and_a_store_does_not_write_there() {
        assert_eq!(members(16, true, &[(0, 0b1001, BITS, AccessKind::Load)]).unwrap(), "0:4");
        assert_eq!(members(16, true, &[(0, 0b1001, BITS, AccessKind::Store)]).unwrap(), "0:1 3:1");
    }

    #[test]
    fn words_of_atomics_stand_alone() {
        let list = [(0, 0b1111, BITS, AccessKind::Load), (4, 0b1, BITS, AccessKind::Atomic)];
        assert_eq!(members(16, true, &list).unwrap(), "0:1 1:1 2:2");
    }

    #[test]
    fn accesses_that_overlap_share_members_of_four_words_at_most() {
        let list = [(0, 0b1111, BITS, AccessKind::Load), (8, 0b1111, BITS, AccessKind::Load)];
        assert_eq!(members(24, true, &list).unwrap(), "0:4 4:2");
        let wide = [(8, 0xff, BITS, AccessKind::Load)];
        assert_eq!(members(40, true, &wide).unwrap(), "2:4 6:4");
        assert_eq!(members(40, false, &wide).unwrap(), "2:2 4:2 6:2 8:2");
    }

    #[test]
    fn words_of_sixteen_bits() {
        let list = [(0, 0b1111, HALVES, AccessKind::Load), (8, 0b11, SHORTS, AccessKind::Load)];
        assert_eq!(members(12, true, &list).unwrap(), "0:4f 4:2");
        assert_eq!(members(12, false, &list).unwrap(), "0:2f 2:2f 4:2");
        assert_eq!(members(6, true, &[(0, 0b111, HALVES, AccessKind::Store)]).unwrap(), "0:3f");
        assert_eq!(members(4, true, &[(0, 0b11, HALVES, AccessKind::Load), (2, 0b1, SHORTS, AccessKind::Load)]), None);
        assert_eq!(members(8, true, &[(0, 0b11, HALVES, AccessKind::Load), (4, 0b1, FLOATS, AccessKind::Load)]), None);
    }

    #[test]
    fn what_members_can_not_serve_leaves_words() {
        let fine = (0, 0b1, BITS, AccessKind::Load);
        assert_eq!(members(8, true, &[fine]).unwrap(), "0:1");
        for (stride, list) in [
            (8, &[fine, (8, 0b1, BITS, AccessKind::Load)][..]),
            (8, &[fine, (4, 0b10, BITS, AccessKind::Store)]),
            (8, &[fine, (2, 0b1, BITS, AccessKind::Load)]),
            (8, &[fine, (u64::MAX - 3, 0b11, BITS, AccessKind::Load)]),
            (4, &[fine]),
            (6, &[fine]),
            (0, &[fine]),
            (2052, &[fine]),
            (u32::MAX - 3, &[fine]),
            (8, &[]),
        ] {
            assert_eq!(members(stride, true, list), None, "{stride} {list:?}");
        }
    }

    #[test]
    fn parts_cover_what_an_access_touches() {
        let list = [(0, 0b111, BITS, AccessKind::Load), (12, 0b1111, BITS, AccessKind::Load)];
        let element = accesses(28, &list).element(28, true).unwrap();
        let parts = |first, mask| element.parts(first, mask).map(|p| (p.index, p.touched, p.start)).collect::<Vec<_>>();
        assert_eq!(parts(0, 0b111), [(0, 0b111, 0)]);
        assert_eq!(parts(2, 0b11), [(0, 0b100, -2), (1, 0b1, 1)]);
        assert_eq!(parts(4, 0b101), [(1, 0b1010, -1)]);
        assert_eq!(parts(7, 0b1), []);
        assert_eq!(parts(0, 0x7f), [(0, 0b111, 0), (1, 0b1111, 3)]);
    }

    #[test]
    fn masks_of_words() {
        assert_eq!(word_mask(0b1010, 1), 0b1010);
        assert_eq!(word_mask(0b1010, 2), 0b1100_1100);
        assert_eq!((span(0b1001), span(0b100), span(0), span(u32::MAX)), (0b1111, 0b100, 0, u32::MAX));
    }
}
