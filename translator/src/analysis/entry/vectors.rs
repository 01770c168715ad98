//! Which accesses to raw and structured buffers may be vectors.
//!
//! In: the known bits of addresses. Out: for each access what is proved of its address
//! ([`Alignment`]), and from that the vectors and single components that it consists of ([`Run`]).
//! What must hold: an alignment is proved from the program's arithmetic. The alignment operand of
//! `rawBufferLoad` is not used: D3D promises the alignment of a component only, and compilers write
//! the operand from the type.

use std::collections::BTreeMap;

use super::elements::{self, AccessKind, CallSite};
use super::extracted::{ExtractedMembers, mask_of};
use super::usage::Usage;
use crate::analysis::bits::Bits;
use crate::analysis::handles::HandleTable;
use crate::analysis::known_bits::KnownBits;
use crate::analysis::program::{Entry, Program};
use crate::ir::resources::ResourceId;
use crate::ir::{Func, Inst, InstData, Value};
use crate::ops::OpCode;
use crate::ops::consts::ResourceKind;
use dxil_base::entity::SecondaryMap;

/// The size of the largest vector in bytes.
const LARGEST: u32 = 16;

/// What is proved of an address in bytes: its remainder by a power of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alignment {
    /// The power of two.
    unit: u32,
    /// The remainder.
    rest: u32,
}

impl Alignment {
    /// Nothing is proved.
    pub const NONE: Self = Alignment { unit: 1, rest: 0 };

    /// The start of a row of sixteen bytes.
    pub const ROW: Self = Alignment { unit: LARGEST, rest: 0 };

    fn from_bits(bits: Bits) -> Self {
        let (count, value) = bits.lowest();
        let unit = 1 << count.min(LARGEST.trailing_zeros());
        Alignment { unit, rest: value as u32 & (unit - 1) }
    }

    /// Whether the address plus some bytes is proved to be a multiple of a power of two.
    fn is_multiple(self, bytes: u32, of: u32) -> bool {
        self.unit >= of && (self.rest + bytes).is_multiple_of(of)
    }
}

/// The components of an access in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ComponentLayout {
    /// Bytes of a word: 2 or 4.
    pub word: u32,
    /// Words of a component: 1 or 2.
    pub words: u32,
    /// Whether vectors of three words may be used.
    pub threes: bool,
}

/// Components of an access that follow one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The first component.
    pub first: u32,
    /// How many.
    pub components: u32,
    /// The words of the vector that they are; 1 where each word is accessed by itself.
    pub vector: u32,
}

/// The runs of an access to the components of `mask`. A vector has no other components, because
/// loading one past the end could make the device refuse the whole vector.
pub fn runs(alignment: Alignment, shape: ComponentLayout, mask: u32) -> Vec<Run> {
    let mask = mask & 0xf;
    let mut runs = Vec::with_capacity(4);
    let mut first = 0;
    while mask >> first != 0 {
        if mask >> first & 1 == 0 {
            first += 1;
            continue;
        }
        let there = (mask >> first).trailing_ones();
        let fits = |&components: &u32| {
            let vector = components * shape.words;
            let size = match vector {
                2 | 4 => vector * shape.word,
                3 if shape.threes => 4 * shape.word,
                _ => return false,
            };
            components <= there && alignment.is_multiple(first * shape.words * shape.word, size)
        };
        let vector = (1..=4).rev().find(fits);
        let components = vector.unwrap_or(1);
        runs.push(Run { first, components, vector: vector.map_or(1, |components| components * shape.words) });
        first += components;
    }
    runs
}

/// The sizes of the declarations that runs need, as a mask: bit n for vectors of n words, bit 1 for
/// single words. Emitted checks take the length from the words, and access them one by one at the
/// end.
pub fn declarations(runs: &[Run], checked: bool) -> u32 {
    runs.iter().fold(u32::from(checked) << 1, |mask, run| mask | 1 << run.vector)
}

/// What is proved of the addresses of an entry's accesses to buffers.
#[derive(Clone, Debug, Default)]
pub struct Vectors {
    addresses: BTreeMap<(Func, Inst), Alignment>,
    /// Resources that are declared several times, with vectors of several sizes.
    several: SecondaryMap<ResourceId, bool>,
    /// Whether vectors of three words may be used.
    threes: bool,
}

impl Vectors {
    /// The shape of an access whose words and components are of these sizes.
    pub fn shape(&self, word: u32, words: u32) -> ComponentLayout {
        ComponentLayout { word, words, threes: self.threes }
    }

    /// What is proved of the address of an access.
    pub fn address(&self, func: Func, inst: Inst) -> Alignment {
        self.addresses.get(&(func, inst)).copied().unwrap_or(Alignment::NONE)
    }

    /// Whether the resource has declarations with vectors of several sizes.
    pub fn several(&self, resource: ResourceId) -> bool {
        self.several[resource]
    }

    /// Looks at all accesses of the functions that the entry reaches. `checked` says whether bounds
    /// are checked in the shader. Then vectors of three words may be used too, because a check
    /// keeps the bounds of each component, while a device may refuse a whole vector that ends
    /// outside the buffer (Vulkan, `robustBufferAccess`), which one of three words does in a buffer
    /// that holds whole rows of them.
    pub fn find(program: &Program, entry: &Entry, usage: &Usage, extracted: &ExtractedMembers, checked: bool) -> Self {
        let mut vectors = Vectors { threes: checked, ..Self::default() };
        let mut sizes: SecondaryMap<ResourceId, u32> = SecondaryMap::default();
        let native = entry.flags.native_low_precision();
        for &func in &program.reached[entry.reachable.functions] {
            let (function, handles) = (&program.module.functions[func], program.handles.of(func));
            let mut known = KnownBits::new(&program.module, function);
            for &inst in handles.accesses {
                let InstData::Op { op, args, .. } = function.insts[inst] else { continue };
                if !elements::is_access(op) {
                    continue;
                }
                let operands = function.list(args);
                let Some(resource) = buffer(program, usage, handles, op, operands) else { continue };
                let declared = &program.resources[resource];
                let mask = mask_of(extracted.of(func), function, inst);
                let operation = CallSite { program, function, inst, op, operands };
                let Some(access) = elements::view(operation, mask) else { continue };
                let Some(component) = elements::component(program, native, access.ty) else { continue };
                if access.kind == AccessKind::Atomic {
                    // A number of 64 bits is one word, which no vector has.
                    sizes[resource] |= 1 << 1;
                    continue;
                }
                let bits = if declared.kind == ResourceKind::StructuredBuffer {
                    let offset = match program.module.is_undef(access.offset) {
                        true => Bits::constant(0, 32),
                        false => known.bits(access.offset),
                    };
                    // The index of an element may be replaced by another one, far outside.
                    let stride = Bits::constant(u64::from(declared.size), 32);
                    Bits::unknown(32).mul(stride, 32).add(offset, 32)
                } else {
                    known.bits(access.index)
                };
                let alignment = Alignment::from_bits(bits);
                vectors.addresses.insert((func, inst), alignment);
                let shape = vectors.shape(component.word, component.words);
                sizes[resource] |= declarations(&runs(alignment, shape, access.components), checked);
            }
        }
        for id in program.resources.keys().filter(|&id| sizes[id].count_ones() > 1) {
            vectors.several[id] = true;
        }
        vectors
    }
}

/// The buffer of an operation, if it is declared as words.
fn buffer(
    program: &Program,
    usage: &Usage,
    handles: HandleTable<'_>,
    op: OpCode,
    operands: &[Value],
) -> Option<ResourceId> {
    let resource = handles.of(op, operands).next()?.resource;
    let kind = program.resources[resource].kind;
    let words = matches!(kind, ResourceKind::RawBuffer | ResourceKind::StructuredBuffer);
    (words && usage.element(resource).is_none()).then_some(resource)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(unit: u32, rest: u32) -> Alignment {
        Alignment { unit, rest }
    }

    /// The runs as `first component: components`, vectors in parentheses with their words.
    fn text(alignment: Alignment, (word, words, threes): (u32, u32, bool), mask: u32) -> String {
        let one = |run: &Run| match run.vector {
            1 => run.first.to_string(),
            vector => format!("{}+{}({vector})", run.first, run.components),
        };
        runs(alignment, ComponentLayout { word, words, threes }, mask).iter().map(one).collect::<Vec<_>>().join(" ")
    }

    const WORDS: (u32, u32, bool) = (4, 1, false);
    const HALVES: (u32, u32, bool) = (2, 1, false);
    const DOUBLES: (u32, u32, bool) = (4, 2, false);

    #[test]
    fn runs_follow_the_proof() {
        for (alignment, shape, mask, expected) in [
            (at(16, 0), WORDS, 0b1111, "0+4(4)"),
            (at(16, 4), WORDS, 0b1111, "0 1+2(2) 3"),
            (at(16, 8), WORDS, 0b1111, "0+2(2) 2+2(2)"),
            (at(8, 0), WORDS, 0b1111, "0+2(2) 2+2(2)"),
            (at(4, 0), WORDS, 0b1111, "0 1 2 3"),
            (at(1, 0), WORDS, 0b1111, "0 1 2 3"),
            (at(16, 0), WORDS, 0b0111, "0+2(2) 2"),
            (at(16, 0), (4, 1, true), 0b0111, "0+3(3)"),
            (at(8, 0), (4, 1, true), 0b0111, "0+2(2) 2"),
            (at(16, 0), WORDS, 0b1101, "0 2+2(2)"),
            (at(16, 0), WORDS, 0b0001, "0"),
            (at(16, 0), WORDS, 0, ""),
            (at(8, 0), HALVES, 0b1111, "0+4(4)"),
            (at(4, 0), HALVES, 0b1111, "0+2(2) 2+2(2)"),
            (at(16, 2), HALVES, 0b0111, "0 1+2(2)"),
            (at(16, 0), DOUBLES, 0b1111, "0+2(4) 2+2(4)"),
            (at(8, 0), DOUBLES, 0b0011, "0+1(2) 1+1(2)"),
            (at(16, 8), DOUBLES, 0b0111, "0+1(2) 1+2(4)"),
            (at(4, 0), DOUBLES, 0b0011, "0 1"),
        ] {
            assert_eq!(text(alignment, shape, mask), expected, "{alignment:?} {shape:?} {mask:b}");
        }
    }

    #[test]
    fn declarations_of_runs() {
        let all = runs(at(16, 4), ComponentLayout { word: 4, words: 1, threes: false }, 0b1111);
        assert_eq!(declarations(&all, false), 0b110);
        let one = runs(at(16, 0), ComponentLayout { word: 4, words: 1, threes: false }, 0b1111);
        assert_eq!((declarations(&one, false), declarations(&one, true)), (0b1_0000, 0b1_0010));
    }
}
