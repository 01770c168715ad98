//! The elements of structured buffers: the members that a shader's accesses show.
//!
//! In: every access of a shader to a structured buffer. Out: per buffer an [`Element`], the vectors
//! and numbers that its elements are made of, so that an access is one load or store of a vector;
//! or none, and the buffer is an array of words (`buffers::words`). What must hold:
//!
//! - A member's place is proved, not believed: its offset and the stride are constants of the
//!   shader, and a vector stands only where the layout rules allow one (Vulkan, «Offset and Stride
//!   Assignment»). The alignment that an operation claims is not looked at.
//! - Bounds stay D3D's, per element: a member lies within the stride, so it is in a buffer of whole
//!   elements as a whole or not at all.
//! - One access of another kind (an offset that is not constant or reaches out of the element,
//!   16-bit beside 32-bit words, atomic operations on 64 bits) and the buffer has no members: it
//!   has one declaration, or is words.

use crate::dxil::consts::ResourceKind;
use crate::dxil::ir::{Function, Inst, Type, TypeId, Value};
use crate::dxil::ops::{OpCode, args, args::Args};
use crate::dxil::program::Program;
use crate::dxil::resources::Resource;

/// The largest stride in bytes: D3D's own limit (D3D11.3, "Structured Buffers").
const STRIDE: u32 = 2048;

/// Words of the largest member.
const MEMBER: usize = 4;

/// A vector or number in an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its first word, from the element's start.
    pub word: u32,
    /// Its words: 1 to 4.
    pub count: u32,
    /// Whether all accesses take it for floats of its words' size.
    pub float: bool,
}

/// What an element is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// Bytes from one element to the next.
    pub stride: u32,
    /// Bytes of a word: 2 or 4.
    pub word: u32,
    /// The members that accesses touch, in order; they do not overlap.
    pub members: Vec<Member>,
}

/// Some words of an access that one member holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The member, by its place among the members.
    pub index: u32,
    /// The member.
    pub member: Member,
    /// Which of the member's words the access touches, as a mask.
    pub touched: u32,
    /// The member's first word, counted from the access's first; it may lie before it.
    pub start: i32,
}

impl Element {
    /// The parts of an access that begins at `first` and touches the words of `mask`.
    pub fn parts(&self, first: u32, mask: u32) -> impl Iterator<Item = Part> + '_ {
        (0u32..).zip(&self.members).filter_map(move |(index, &member)| {
            let start = member.word as i32 - first as i32;
            let touched =
                if start < 0 { mask.checked_shl(start.unsigned_abs()) } else { mask.checked_shr(start as u32) };
            let touched = touched.unwrap_or_default() & ((1 << member.count) - 1);
            (touched != 0).then_some(Part { index, member, touched, start })
        })
    }

    /// Whether an element is its one member, from its start.
    pub fn is_one_member(&self) -> bool {
        matches!(self.members[..], [Member { word: 0, .. }])
    }
}

/// What accesses do with one word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct WordUse {
    /// Something touches it.
    used: bool,
    /// Something takes it for a float.
    floats: bool,
    /// Something takes it for other than a float.
    bits: bool,
    /// Atomic operations touch it, so that it is a member of its own.
    alone: bool,
    /// Some access touches it and the next word.
    joined: bool,
}

/// All accesses to one structured buffer.
#[derive(Clone, Debug, Default)]
pub struct Accesses {
    words: Vec<WordUse>,
    /// Bytes of a word, once there is an access.
    word: u32,
    /// There is one that members can not serve.
    other: bool,
}

impl Accesses {
    /// Adds an access: its first byte, its words as a mask, and what they are. A load reads what lies between its words.
    fn add(&mut self, stride: u32, offset: u64, mask: u32, component: Component, kind: Kind) {
        let Component { word, float, .. } = component;
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
            Kind::Load => mask | span(mask),
            Kind::Store | Kind::Atomic => mask,
        };
        for (n, word) in self.words.iter_mut().skip(first as usize).enumerate().take(u32::BITS as usize) {
            if mask >> n & 1 != 0 {
                word.used = true;
                word.floats |= float;
                word.bits |= !float;
                word.alone |= kind == Kind::Atomic;
                word.joined |= mask.checked_shr(n as u32 + 1).unwrap_or_default() & 1 != 0;
            }
        }
    }

    /// The members that serve all accesses, if there are any such. `scalar`: whether a vector may stand at any multiple of its
    /// component's size (the feature `scalarBlockLayout`).
    pub fn element(&self, stride: u32, scalar: bool) -> Option<Element> {
        // Elements of one word are an array of words.
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
                // 16-bit integers may be there for loads and stores alone, and a float is more than that away.
                if self.word == 2 && !float && words.iter().any(|word| word.floats) {
                    return None;
                }
                members.push(Member { word: at as u32, count: count as u32, float });
            }
            at += count;
        }
        Some(Element { stride, word: self.word, members })
    }
}

/// How many words from the first on, up to a member's, some access touches together.
fn run(words: &[WordUse]) -> usize {
    if words.first().is_none_or(|word| !word.used) {
        return 0;
    }
    let pairs = words.windows(2).take(MEMBER - 1);
    1 + pairs.take_while(|pair| matches!(pair, [a, b] if a.joined && !a.alone && !b.alone)).count()
}

/// Whether a vector of `count` words may stand at a word: at a multiple of its size, or of four words for three (the standard layout);
/// anywhere in the scalar layout. The stride, in words, has to keep that from element to element.
fn is_legal(at: usize, count: usize, words: u32, scalar: bool) -> bool {
    let alignment = if scalar { 1 } else { count.next_power_of_two() };
    at.is_multiple_of(alignment) && words.is_multiple_of(alignment as u32)
}

/// All bits up to the highest of a mask, from its lowest.
fn span(mask: u32) -> u32 {
    let up_to = mask.checked_ilog2().map_or(0, |high| u32::MAX >> (u32::BITS - 1 - high));
    up_to & u32::MAX.checked_shl(mask.trailing_zeros()).unwrap_or_default()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Load,
    Store,
    Atomic,
}

/// A component of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Component {
    /// Bytes of the words it is made of.
    word: u32,
    /// How many those are.
    words: u32,
    /// Whether it is a float of one word.
    float: bool,
}

/// `native`: whether 16-bit numbers take 16 bits in memory.
fn component(program: &Program, native: bool, ty: TypeId) -> Option<Component> {
    let (word, words, float) = match program.module.types[ty] {
        Type::Float(32) => (4, 1, true),
        Type::Int(32) => (4, 1, false),
        Type::Float(16) if native => (2, 1, true),
        Type::Int(16) if native => (2, 1, false),
        // Minimum precision takes 32 bits.
        Type::Int(16) | Type::Float(16) => (4, 1, false),
        Type::Int(64) | Type::Float(64) => (4, 2, false),
        _ => return None,
    };
    Some(Component { word, words, float })
}

/// The words of components: a mask of components of one or two words each becomes one of words.
pub fn word_mask(components: u32, words: u32) -> u32 {
    if words == 1 {
        return components;
    }
    (0..4).filter(|n| components >> n & 1 != 0).fold(0, |mask, n| mask | 0b11 << (n * 2))
}

/// Notes what an operation does with a structured buffer. `native`: whether 16-bit
/// numbers take 16 bits in memory; `extracted`: which members of an instruction's result anything takes out.
pub fn note(
    accesses: &mut Accesses,
    (program, function, native): (&Program, &Function, bool),
    extracted: impl FnOnce() -> u8,
    (inst, op, operands): (Inst, OpCode, &[Value]),
    resource: &Resource,
) {
    if resource.kind != ResourceKind::StructuredBuffer {
        return;
    }
    let found = view(program, function, extracted, (inst, op, operands));
    match found {
        Some(Access { components: 0, .. }) => {}
        Some(Access { kind, offset, components, ty }) => {
            let offset = if program.module.is_undef(offset) { Some(0) } else { program.module.const_uint(offset) };
            let wide_atomic = |words| kind == Kind::Atomic && words != 1;
            match offset.zip(component(program, native, ty)) {
                Some((offset, component)) if !wide_atomic(component.words) => {
                    accesses.add(resource.size, offset, word_mask(components, component.words), component, kind);
                }
                _ => accesses.other = true,
            }
        }
        None if matches!(op, OpCode::GetDimensions | OpCode::BufferUpdateCounter) => {}
        None => accesses.other = true,
    }
}

/// An access as the operation says it.
struct Access {
    kind: Kind,
    /// Bytes from the element's start.
    offset: Value,
    /// Components, as a mask.
    components: u32,
    /// Their type.
    ty: TypeId,
}

fn view(
    program: &Program,
    function: &Function,
    extracted: impl FnOnce() -> u8,
    (inst, op, operands): (Inst, OpCode, &[Value]),
) -> Option<Access> {
    let mask = |value| program.module.const_uint(value).map(|mask| mask as u32 & 0xf);
    let loaded = |offset, mask: u32| {
        let result = program.module.type_of(function, function.result(inst)?);
        let Type::Struct { fields, .. } = &program.module.types[result] else { return None };
        let components = mask & u32::from(extracted());
        Some(Access { kind: Kind::Load, offset, components, ty: *fields.first()? })
    };
    let stored = |offset, components, value| {
        Some(Access { kind: Kind::Store, offset, components, ty: program.module.type_of(function, value) })
    };
    let atomic = |offset, value| {
        Some(Access { kind: Kind::Atomic, offset, components: 1, ty: program.module.type_of(function, value) })
    };
    match op {
        OpCode::BufferLoad => loaded(args::BufferLoad::view(operands)?.offset, 0xf),
        OpCode::RawBufferLoad => {
            let args = args::RawBufferLoad::view(operands)?;
            loaded(args.element_offset, mask(args.mask)?)
        }
        OpCode::BufferStore => {
            let args = args::BufferStore::view(operands)?;
            stored(args.offset, mask(args.mask)?, args.value0)
        }
        OpCode::RawBufferStore => {
            let args = args::RawBufferStore::view(operands)?;
            stored(args.element_offset, mask(args.mask)?, args.value0)
        }
        OpCode::AtomicBinOp => {
            let args = args::AtomicBinOp::view(operands)?;
            atomic(args.offset1, args.new_value)
        }
        OpCode::AtomicCompareExchange => {
            let args = args::AtomicCompareExchange::view(operands)?;
            atomic(args.offset1, args.new_value)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLOATS: Component = Component { word: 4, words: 1, float: true };
    const BITS: Component = Component { float: false, ..FLOATS };
    const HALVES: Component = Component { word: 2, ..FLOATS };
    const SHORTS: Component = Component { word: 2, ..BITS };

    type Listed = (u64, u32, Component, Kind);

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
        let one = |m: &Member| format!("{}:{}{}", m.word, m.count, if m.float { "f" } else { "" });
        Some(element.members.iter().map(one).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn accesses_show_members() {
        let boxes = [(0, 0b111, FLOATS, Kind::Load), (12, 0b111, FLOATS, Kind::Store)];
        assert_eq!(members(24, true, &boxes).unwrap(), "0:3f 3:3f");
        // Without the scalar layout three words want multiples of 16 bytes, two of 8.
        assert_eq!(members(24, false, &boxes).unwrap(), "0:2f 2:1f 3:1f 4:2f");
        assert_eq!(members(32, false, &boxes).unwrap(), "0:3f 3:1f 4:2f");
        assert_eq!(members(20, false, &boxes[..1]).unwrap(), "0:1f 1:1f 2:1f");
    }

    #[test]
    fn one_access_as_bits_makes_bits() {
        let list = [(0, 0b11, FLOATS, Kind::Load), (4, 0b1, BITS, Kind::Store), (8, 0b1, FLOATS, Kind::Load)];
        assert_eq!(members(12, true, &list).unwrap(), "0:2 2:1f");
    }

    #[test]
    fn a_load_reads_between_its_words_and_a_store_does_not_write_there() {
        assert_eq!(members(16, true, &[(0, 0b1001, BITS, Kind::Load)]).unwrap(), "0:4");
        assert_eq!(members(16, true, &[(0, 0b1001, BITS, Kind::Store)]).unwrap(), "0:1 3:1");
    }

    #[test]
    fn words_of_atomics_stand_alone() {
        let list = [(0, 0b1111, BITS, Kind::Load), (4, 0b1, BITS, Kind::Atomic)];
        assert_eq!(members(16, true, &list).unwrap(), "0:1 1:1 2:2");
    }

    #[test]
    fn accesses_that_overlap_share_members_of_four_words_at_most() {
        let list = [(0, 0b1111, BITS, Kind::Load), (8, 0b1111, BITS, Kind::Load)];
        assert_eq!(members(24, true, &list).unwrap(), "0:4 4:2");
        let wide = [(8, 0xff, BITS, Kind::Load)];
        assert_eq!(members(40, true, &wide).unwrap(), "2:4 6:4");
        assert_eq!(members(40, false, &wide).unwrap(), "2:2 4:2 6:2 8:2");
    }

    #[test]
    fn words_of_sixteen_bits() {
        let list = [(0, 0b1111, HALVES, Kind::Load), (8, 0b11, SHORTS, Kind::Load)];
        assert_eq!(members(12, true, &list).unwrap(), "0:4f 4:2");
        assert_eq!(members(12, false, &list).unwrap(), "0:2f 2:2f 4:2");
        assert_eq!(members(6, true, &[(0, 0b111, HALVES, Kind::Store)]).unwrap(), "0:3f");
        assert_eq!(members(4, true, &[(0, 0b11, HALVES, Kind::Load), (2, 0b1, SHORTS, Kind::Load)]), None);
        assert_eq!(members(8, true, &[(0, 0b11, HALVES, Kind::Load), (4, 0b1, FLOATS, Kind::Load)]), None);
    }

    #[test]
    fn what_members_can_not_serve_leaves_words() {
        let fine = (0, 0b1, BITS, Kind::Load);
        assert_eq!(members(8, true, &[fine]).unwrap(), "0:1");
        for (stride, list) in [
            (8, &[fine, (8, 0b1, BITS, Kind::Load)][..]),
            (8, &[fine, (4, 0b10, BITS, Kind::Store)]),
            (8, &[fine, (2, 0b1, BITS, Kind::Load)]),
            (8, &[fine, (u64::MAX - 3, 0b11, BITS, Kind::Load)]),
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
        let list = [(0, 0b111, BITS, Kind::Load), (12, 0b1111, BITS, Kind::Load)];
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
