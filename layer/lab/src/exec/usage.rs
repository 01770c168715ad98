//! How a module uses the words of its buffers and its images.
//!
//! In: a module. Out: which words are floating-point numbers although they are declared as integers,
//! which is how constant buffers and byte-address buffers are declared; which images are compared with
//! a reference, and which are accessed by atomic operations. What must hold: what is found is so; what
//! is not found is an integer, and small.

use std::collections::{BTreeMap, BTreeSet};

use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Decoration, Op, Word};

use super::declared::{Block, Reader, Scalar};

/// What was found, by variable.
#[derive(Default)]
pub struct Usage {
    floats: BTreeSet<Place>,
    integers: BTreeSet<Place>,
    /// Images that are compared with a reference, and their samplers.
    pub compared: BTreeSet<Word>,
    /// Images that are accessed by atomic operations.
    pub atomic: BTreeSet<Word>,
}

/// Words of a variable: one at an offset, or one at each of so many bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Place {
    variable: Word,
    offset: u32,
    every: Option<u32>,
}

impl Place {
    fn has(&self, offset: u32) -> bool {
        match self.every {
            Some(stride) => offset >= self.offset && (offset - self.offset).is_multiple_of(stride.max(1)),
            None => offset == self.offset,
        }
    }
}

impl Usage {
    /// Marks the floating-point numbers of a variable's block.
    pub fn mark(&self, variable: Word, block: &mut Block) {
        let of = |places: &BTreeSet<Place>| -> Vec<Place> {
            places.iter().filter(|place| place.variable == variable).copied().collect()
        };
        let (floats, integers) = (of(&self.floats), of(&self.integers));
        let is_float = |offset: u32| {
            floats.iter().any(|place| place.has(offset)) && !integers.iter().any(|place| place.has(offset))
        };
        for field in block.fields.iter_mut().filter(|field| field.width == 32 && is_float(field.offset)) {
            field.scalar = Scalar::Float;
        }
        let start = block.size;
        for field in block.tail.iter_mut().flat_map(|(_, fields)| fields) {
            if field.width == 32 && is_float(start.saturating_add(field.offset)) {
                field.scalar = Scalar::Float;
            }
        }
    }
}

/// The most places that are followed for one value.
const WAYS: usize = 16;

/// Looks through a module.
pub fn of(reader: &Reader<'_>) -> Usage {
    let mut walk = Walk { reader, usage: Usage::default(), pointers: BTreeMap::new(), values: BTreeMap::new() };
    for function in &reader.module.functions {
        for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
            walk.step(instruction);
        }
    }
    walk.usage
}

struct Walk<'a> {
    reader: &'a Reader<'a>,
    usage: Usage,
    /// Pointers into buffers: where, and the type that they point to.
    pointers: BTreeMap<Word, (Place, Word)>,
    /// Values that came from buffers or are images: for each component the places that it may be from.
    values: BTreeMap<Word, Vec<Vec<Place>>>,
}

impl Walk<'_> {
    fn step(&mut self, instruction: &Instruction) {
        let ids: Vec<Word> = instruction.operands.iter().filter_map(Operand::id_ref_any).collect();
        let (Some(first), opcode) = (ids.first().copied(), instruction.class.opcode) else { return };
        let result = instruction.result_id.unwrap_or(0);
        match opcode {
            Op::AccessChain | Op::InBoundsAccessChain => {
                if let Some(found) = self.pointer(first).and_then(|base| self.walk_in(base, &ids[1..])) {
                    self.pointers.insert(result, found);
                }
            }
            Op::Load => {
                if let Some((place, ty)) = self.pointer(first) {
                    let components = self.components(ty, place);
                    self.values.insert(result, components);
                }
            }
            Op::ImageTexelPointer => {
                if let Some((place, _)) = self.pointer(first) {
                    self.usage.atomic.insert(place.variable);
                }
            }
            Op::CompositeExtract => {
                if let [_, Operand::LiteralBit32(index)] = instruction.operands[..] {
                    let component = self.values.get(&first).and_then(|all| all.get(index as usize).cloned());
                    self.values.extend(component.map(|component| (result, vec![component])));
                }
            }
            Op::CompositeConstruct => {
                let parts = ids.iter().flat_map(|id| self.values.get(id).cloned().unwrap_or_else(|| vec![Vec::new()]));
                let parts: Vec<_> = parts.collect();
                self.values.insert(result, parts);
            }
            // The ways of a check of bounds: a value that was loaded, or zero. The first id of a selection
            // is the condition.
            Op::Select | Op::Phi => {
                let mut found: Vec<Vec<Place>> = Vec::new();
                for value in ids.iter().filter_map(|id| self.values.get(id)) {
                    found.resize(found.len().max(value.len()), Vec::new());
                    for (places, more) in found.iter_mut().zip(value) {
                        places.extend(more.iter().filter(|place| !places.contains(place)).copied().collect::<Vec<_>>());
                        places.truncate(WAYS);
                    }
                }
                if !found.is_empty() {
                    self.values.insert(result, found);
                }
            }
            Op::SampledImage => {
                let both = ids.iter().flat_map(|id| self.values.get(id).cloned().unwrap_or_default()).collect();
                self.values.insert(result, both);
            }
            Op::CopyObject => {
                let found = self.values.get(&first).cloned();
                self.values.extend(found.map(|found| (result, found)));
            }
            Op::Bitcast => {
                let is_float = instruction.result_type.is_some_and(|ty| self.is_float(ty));
                self.note(&[first], is_float);
            }
            // What a value means is not decided by moving it.
            Op::Store => {}
            _ if format!("{opcode:?}").contains("Dref") => {
                let places = self.values.get(&first).into_iter().flatten().flatten();
                self.usage.compared.extend(places.map(|place| place.variable));
            }
            _ => self.note(&ids, false),
        }
    }

    /// Notes that values are used as floating-point numbers or as integers.
    fn note(&mut self, ids: &[Word], is_float: bool) {
        let places = ids.iter().filter_map(|id| self.values.get(id)).flatten().flatten().copied();
        if is_float {
            self.usage.floats.extend(places);
        } else {
            self.usage.integers.extend(places);
        }
    }

    /// A pointer: a variable, or one into it.
    fn pointer(&self, id: Word) -> Option<(Place, Word)> {
        if let Some(found) = self.pointers.get(&id) {
            return Some(*found);
        }
        let variable = self.reader.types.get(&id).filter(|it| it.class.opcode == Op::Variable)?;
        let place = Place { variable: id, offset: 0, every: None };
        Some((place, self.reader.pointee(variable.result_type?)?))
    }

    fn walk_in(&self, (mut place, mut ty): (Place, Word), indexes: &[Word]) -> Option<(Place, Word)> {
        for index in indexes {
            let found = self.reader.types.get(&ty)?;
            let constant = self.reader.constant(*index);
            match found.class.opcode {
                Op::TypeStruct => {
                    let member = constant?;
                    let at = self.reader.decoration(ty, Some(member), Decoration::Offset).unwrap_or(0);
                    place.offset = place.offset.saturating_add(at);
                    ty = found.operands.get(member as usize)?.id_ref_any()?;
                }
                Op::TypeVector | Op::TypeArray | Op::TypeRuntimeArray => {
                    let inner = found.operands.first()?.id_ref_any()?;
                    // An array of resources has no stride.
                    let stride = match found.class.opcode {
                        Op::TypeVector => Some(4),
                        _ => self.reader.decoration(ty, None, Decoration::ArrayStride),
                    };
                    match (stride, constant) {
                        (None, _) => {}
                        (Some(stride), Some(index)) => {
                            place.offset = place.offset.saturating_add(index.saturating_mul(stride));
                        }
                        (Some(stride), None) => place.every = Some(place.every.unwrap_or(stride).min(stride)),
                    }
                    ty = inner;
                }
                _ => return None,
            }
        }
        Some((place, ty))
    }

    /// The places of the components of a loaded value.
    fn components(&self, ty: Word, place: Place) -> Vec<Vec<Place>> {
        let count = match self.reader.types.get(&ty).map(|it| (it.class.opcode, it.operands.get(1))) {
            Some((Op::TypeVector, Some(Operand::LiteralBit32(count)))) => *count,
            _ => 1,
        };
        (0..count.min(4)).map(|index| vec![Place { offset: place.offset.saturating_add(4 * index), ..place }]).collect()
    }

    fn is_float(&self, ty: Word) -> bool {
        match self.reader.types.get(&ty) {
            Some(it) if it.class.opcode == Op::TypeFloat => true,
            Some(it) if it.class.opcode == Op::TypeVector => {
                it.operands.first().and_then(Operand::id_ref_any).is_some_and(|inner| self.is_float(inner))
            }
            _ => false,
        }
    }
}
