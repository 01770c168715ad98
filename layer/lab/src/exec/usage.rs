//! How a module uses the words of its buffers and its images.
//!
//! In: a module. Out: which words are floating-point numbers although they are declared as
//! integers, which is how constant buffers and byte-address buffers are declared; which images are
//! compared with a reference, and which are accessed by atomic operations; which elements of arrays
//! of descriptors are accessed. What must hold: what is found is so; what is not found is an
//! integer, and small.

use std::collections::{BTreeMap, BTreeSet};

use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Decoration, Op, Word};

use super::declared::{Block, Scalar};
use super::reader::{Reader, SurveyError};
use super::sum::{self, Sum, WordPlace};

/// What was found, by variable.
#[derive(Default)]
pub struct Usage {
    floats: BTreeSet<WordPlace>,
    integers: BTreeSet<WordPlace>,
    /// Images that are compared with a reference, and their samplers.
    pub compared: BTreeSet<Word>,
    /// Images that are accessed by atomic operations.
    pub atomic: BTreeSet<Word>,
    /// The elements of arrays of descriptors that are accessed, by the array's variable; `None` for
    /// an element that is not followed.
    pub accesses: BTreeSet<(Word, Option<Sum>)>,
    /// Words that are addresses: of what a pointer points to, by the pointer's id and its pointee,
    /// or of an acceleration structure.
    pub addresses: BTreeSet<(WordPlace, Option<(Word, Word)>)>,
}

impl Usage {
    /// Marks the floating-point numbers of a variable's block.
    ///
    /// # Errors
    /// The numbers are more than the reader's steps.
    pub fn mark(&self, variable: Word, block: &mut Block, reader: &Reader<'_>) -> Result<(), SurveyError> {
        let (floats, integers) =
            (Words::from_places(&self.floats, variable), Words::from_places(&self.integers, variable));
        let numbers = block.fields.len() + block.tail.as_ref().map_or(0, |(_, fields)| fields.len());
        reader.step(numbers.saturating_mul(floats.tests() + integers.tests()))?;
        let is_float = |offset: u32| floats.has(offset) && !integers.has(offset);
        for field in block.fields.iter_mut().filter(|field| field.width == 32 && is_float(field.offset)) {
            field.scalar = Scalar::Float;
        }
        let start = block.size;
        for field in block.tail.iter_mut().flat_map(|(_, fields)| fields) {
            if field.width == 32 && is_float(start.saturating_add(field.offset)) {
                field.scalar = Scalar::Float;
            }
        }
        Ok(())
    }
}

/// The words of one variable, found by their offset: a block of 64 KiB may be accessed by any
/// number of instructions, each at another place.
struct Words {
    single: BTreeSet<u32>,
    /// By the stride, and the remainder of the first offset by it: the first offset.
    every: BTreeMap<u32, BTreeMap<u32, u32>>,
}

impl Words {
    fn from_places(places: &BTreeSet<WordPlace>, variable: Word) -> Self {
        let mut words = Self { single: BTreeSet::new(), every: BTreeMap::new() };
        let first = WordPlace { variable, offset: 0, every: None };
        let last = WordPlace { variable, offset: u32::MAX, every: Some(u32::MAX) };
        for place in places.range(first..=last) {
            if let Some(stride) = place.every {
                let stride = stride.max(1);
                let first = words.every.entry(stride).or_default().entry(place.offset % stride);
                let first = first.or_insert(place.offset);
                *first = place.offset.min(*first);
            } else {
                words.single.insert(place.offset);
            }
        }
        words
    }

    /// What it takes to look for an offset.
    fn tests(&self) -> usize {
        1 + self.every.len()
    }

    fn has(&self, offset: u32) -> bool {
        let every = |(stride, firsts): (&u32, &BTreeMap<u32, u32>)| {
            firsts.get(&(offset % stride)).is_some_and(|first| offset >= *first)
        };
        self.single.contains(&offset) || self.every.iter().any(every)
    }
}

/// The most places that are followed for one value.
const WAYS: usize = 16;

/// The most choices in a row that an index is made of.
const CHOICES: u32 = 4;

/// The steps for a component that is stored: it has memory of its own.
const STORED: usize = 4;

/// Looks through a module.
///
/// # Errors
/// The module has more values than the reader's steps.
pub fn usage(reader: &Reader<'_>) -> Result<Usage, SurveyError> {
    let mut walk = Walk {
        reader,
        usage: Usage::default(),
        pointers: BTreeMap::new(),
        values: BTreeMap::new(),
        sums: BTreeMap::new(),
        ways: BTreeMap::new(),
    };
    for function in &reader.module.functions {
        for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
            walk.step(instruction)?;
        }
    }
    Ok(walk.usage)
}

struct Walk<'a> {
    reader: &'a Reader<'a>,
    usage: Usage,
    /// Pointers into buffers: where, and the type that they point to.
    pointers: BTreeMap<Word, (WordPlace, Word)>,
    /// Values that came from buffers or are images: for each component the places that it may be
    /// from.
    values: BTreeMap<Word, Vec<Vec<WordPlace>>>,
    /// Integers whose range is known, or that are a word and such a number.
    sums: BTreeMap<Word, Sum>,
    /// Values that are one of several, with these.
    ways: BTreeMap<Word, Vec<Word>>,
}

impl Walk<'_> {
    fn step(&mut self, instruction: &Instruction) -> Result<(), SurveyError> {
        let ids: Vec<Word> = instruction.operands.iter().filter_map(Operand::id_ref_any).collect();
        let (Some(first), opcode) = (ids.first().copied(), instruction.class.opcode) else { return Ok(()) };
        let result = instruction.result_id.unwrap_or(0);
        self.sums.extend(sum::evaluate(instruction, |id| self.sum(id)).map(|sum| (result, sum)));
        match opcode {
            Op::AccessChain | Op::InBoundsAccessChain => {
                if let Some(index) = ids.get(1).filter(|_| self.is_array_of_descriptors(first)) {
                    self.access(first, *index, CHOICES)?;
                }
                if let Some(found) = self.pointer(first).and_then(|base| self.walk_in(base, &ids[1..])) {
                    self.pointers.insert(result, found);
                }
            }
            Op::Load => {
                if let Some((place, ty)) = self.pointer(first) {
                    self.reader.step(STORED)?;
                    let components = self.components(ty, place);
                    self.load(result, Some(ty), components);
                }
            }
            Op::ImageTexelPointer => {
                if let Some((place, _)) = self.pointer(first) {
                    self.usage.atomic.insert(place.variable);
                }
            }
            Op::CompositeExtract => {
                if let [_, Operand::LiteralBit32(index)] = instruction.operands[..] {
                    self.reader.step(STORED)?;
                    let component = self.values.get(&first).and_then(|all| all.get(index as usize).cloned());
                    if let Some(component) = component {
                        self.load(result, instruction.result_type, vec![component]);
                    }
                }
            }
            // A value that is made of another one twice has twice its components.
            Op::CompositeConstruct => {
                self.keep(&ids, 1)?;
                let parts = ids.iter().flat_map(|id| self.values.get(id).cloned().unwrap_or_else(|| vec![Vec::new()]));
                let parts: Vec<_> = parts.collect();
                self.values.insert(result, parts);
            }
            // The ways of a check of bounds: a value that was loaded, or zero. The first id of a
            // selection is the condition.
            Op::Select | Op::Phi => {
                self.keep(&ids, 0)?;
                let ways = if opcode == Op::Phi { ids.iter().step_by(2) } else { ids[1..].iter().step_by(1) };
                self.ways.insert(result, ways.copied().collect());
                let mut found: Vec<Vec<WordPlace>> = Vec::new();
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
                self.keep(&ids, 0)?;
                let both = ids.iter().flat_map(|id| self.values.get(id).cloned().unwrap_or_default()).collect();
                self.values.insert(result, both);
            }
            Op::CopyObject => {
                self.keep(&ids, 0)?;
                let found = self.values.get(&first).cloned();
                self.values.extend(found.map(|found| (result, found)));
            }
            Op::ConvertUToAccelerationStructureKHR | Op::Bitcast | Op::ConvertUToPtr
                if self.address(instruction)? => {}
            Op::Bitcast => self.mark_numbers(&[first], instruction.result_type.is_some_and(|ty| self.is_float(ty)))?,
            // What a value means is not decided by moving it.
            Op::Store => {}
            _ if format!("{opcode:?}").contains("Dref") => {
                self.keep(&[first], 0)?;
                let places = self.values.get(&first).into_iter().flatten().flatten();
                self.usage.compared.extend(places.map(|place| place.variable));
            }
            _ => self.mark_numbers(&ids, false)?,
        }
        Ok(())
    }

    /// Records that the operand of an instruction is an address, the lowest word of which is its
    /// first component, if the result is a pointer or an acceleration structure.
    fn address(&mut self, instruction: &Instruction) -> Result<bool, SurveyError> {
        let Some((result, ty)) = instruction.result_id.zip(instruction.result_type) else { return Ok(false) };
        let pointer = match self.reader.types.get(&ty).map(|it| it.class.opcode) {
            Some(Op::TypeAccelerationStructureKHR) => None,
            Some(Op::TypePointer) => {
                let Some(pointee) = self.reader.pointee(ty) else { return Ok(false) };
                self.pointers.insert(result, (WordPlace { variable: result, offset: 0, every: None }, pointee));
                Some((result, pointee))
            }
            _ => return Ok(false),
        };
        let value = instruction.operands.first().and_then(Operand::id_ref_any);
        let places = value.and_then(|value| self.values.get(&value)?.first()).into_iter().flatten();
        let places: Vec<_> = places.map(|place| (*place, pointer)).collect();
        self.reader.step(1 + places.len())?;
        self.usage.addresses.extend(places);
        Ok(true)
    }

    /// Records where the components of a value are from, and whether it is a word of memory.
    fn load(&mut self, result: Word, ty: Option<Word>, components: Vec<Vec<WordPlace>>) {
        let is_word = ty.and_then(|ty| self.reader.types.get(&ty)).is_some_and(|it| {
            it.class.opcode == Op::TypeInt && it.operands.first() == Some(&Operand::LiteralBit32(32))
        });
        if let ([words], true) = (&components[..], is_word) {
            self.sums.insert(result, Sum { words: words.clone(), low: 0, high: 0 });
        }
        self.values.insert(result, components);
    }

    /// Records that an element of an array of descriptors is accessed: one of several, if the index
    /// is chosen.
    fn access(&mut self, variable: Word, index: Word, depth: u32) -> Result<(), SurveyError> {
        self.reader.step(1)?;
        let Some(ways) = self.ways.get(&index).filter(|_| depth > 0).cloned() else {
            let sum = self.sum(index);
            self.usage.accesses.insert((variable, sum));
            return Ok(());
        };
        // Beside a word, zero is what a check of bounds gives.
        let is_word = |way: &Word| self.sum(*way).is_some_and(|sum| !sum.words.is_empty());
        let has_word = ways.iter().any(is_word);
        for way in ways {
            if !has_word || !self.sum(way).is_some_and(|sum| sum.is_zero()) {
                self.access(variable, way, depth - 1)?;
            }
        }
        Ok(())
    }

    /// What an integer is: a constant, a word that was loaded, or what was made of these.
    fn sum(&self, id: Word) -> Option<Sum> {
        if let Some(sum) = self.sums.get(&id) {
            return Some(sum.clone());
        }
        // A sum with a large number is a difference.
        let number = i64::from(self.reader.constant(id)?.cast_signed());
        Some(Sum { words: Vec::new(), low: number, high: number })
    }

    /// Whether a variable is an array of descriptors.
    fn is_array_of_descriptors(&self, id: Word) -> bool {
        let pointee = self.reader.types.get(&id).filter(|it| it.class.opcode == Op::Variable);
        let pointee = pointee.and_then(|it| self.reader.types.get(&self.reader.pointee(it.result_type?)?));
        let is_array = pointee.is_some_and(|it| matches!(it.class.opcode, Op::TypeArray | Op::TypeRuntimeArray));
        is_array && self.reader.decoration(id, None, Decoration::DescriptorSet).is_some()
    }

    /// Counts the steps of a value that has the components of these, and so many for one that is
    /// unknown.
    fn keep(&self, ids: &[Word], unknown: usize) -> Result<(), SurveyError> {
        ids.iter().try_for_each(|id| {
            let components = self.values.get(id).map_or(unknown, Vec::len);
            self.reader.step(components.saturating_mul(STORED))
        })
    }

    /// Records that values are used as floating-point numbers or as integers.
    fn mark_numbers(&mut self, ids: &[Word], is_float: bool) -> Result<(), SurveyError> {
        for value in ids.iter().filter_map(|id| self.values.get(id)) {
            self.reader.step(value.iter().map(|places| 1 + places.len()).sum())?;
        }
        let places = ids.iter().filter_map(|id| self.values.get(id)).flatten().flatten().copied();
        if is_float {
            self.usage.floats.extend(places);
        } else {
            self.usage.integers.extend(places);
        }
        Ok(())
    }

    /// A pointer: a variable, or one into it.
    fn pointer(&self, id: Word) -> Option<(WordPlace, Word)> {
        if let Some(found) = self.pointers.get(&id) {
            return Some(*found);
        }
        let variable = self.reader.types.get(&id).filter(|it| it.class.opcode == Op::Variable)?;
        let place = WordPlace { variable: id, offset: 0, every: None };
        Some((place, self.reader.pointee(variable.result_type?)?))
    }

    fn walk_in(&self, (mut place, mut ty): (WordPlace, Word), indexes: &[Word]) -> Option<(WordPlace, Word)> {
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
    fn components(&self, ty: Word, place: WordPlace) -> Vec<Vec<WordPlace>> {
        let count = match self.reader.types.get(&ty).map(|it| (it.class.opcode, it.operands.get(1))) {
            Some((Op::TypeVector, Some(Operand::LiteralBit32(count)))) => *count,
            _ => 1,
        };
        (0..count.min(4))
            .map(|index| vec![WordPlace { offset: place.offset.saturating_add(4 * index), ..place }])
            .collect()
    }

    fn is_float(&self, ty: Word) -> bool {
        let opcode = |ty: &Word| self.reader.types.get(ty).map(|it| it.class.opcode);
        match self.reader.types.get(&ty) {
            // A vector has numbers, and no vectors: its type may be its own component in a hostile
            // module.
            Some(it) if it.class.opcode == Op::TypeVector => {
                let inner = it.operands.first().and_then(Operand::id_ref_any);
                inner.is_some_and(|inner| opcode(&inner) == Some(Op::TypeFloat))
            }
            _ => opcode(&ty) == Some(Op::TypeFloat),
        }
    }
}

#[cfg(test)]
mod tests {
    use rspirv::dr::{Builder, InsertPoint};
    use rspirv::spirv::{FunctionControl, StorageClass};

    use super::*;

    #[test]
    fn words_are_found_as_their_places_say() {
        let place = |offset, every| WordPlace { variable: 7, offset, every };
        let others = [
            WordPlace { variable: 6, offset: 0, every: Some(1) },
            WordPlace { variable: 8, offset: 0, every: Some(1) },
        ];
        let own =
            [place(4, None), place(u32::MAX, None), place(40, Some(16)), place(24, Some(16)), place(100, Some(0))];
        let words = Words::from_places(&others.into_iter().chain(own).collect(), 7);
        let found: Vec<u32> = (0..80).filter(|offset| words.has(*offset)).collect();
        assert_eq!(found, [4, 24, 40, 56, 72]);
        assert!((100..200).all(|offset| words.has(offset)));
        assert!(words.has(u32::MAX));
        assert_eq!(words.tests(), 3);
    }

    /// A function that loads a number and then makes something of it with each step.
    fn made(steps: usize, mut make: impl FnMut(&mut Builder, Word, Word) -> Word) -> rspirv::dr::Module {
        let mut b = Builder::new();
        let (nothing, number) = (b.type_void(), b.type_int(32, 0));
        let function = b.type_function(nothing, []);
        let pointer = b.type_pointer(None, StorageClass::Uniform, number);
        let variable = b.variable(pointer, None, StorageClass::Uniform, None);
        b.begin_function(nothing, None, FunctionControl::NONE, function).unwrap();
        b.begin_block(None).unwrap();
        let mut value = b.load(number, None, variable, None, []).unwrap();
        for _ in 0..steps {
            value = make(&mut b, number, value);
        }
        b.insert_into_block(InsertPoint::End, Instruction::new(Op::Return, None, None, vec![])).unwrap();
        b.end_function().unwrap();
        b.module()
    }

    #[test]
    fn values_that_double_are_counted() {
        let doubled = |steps| made(steps, |b, ty, value| b.composite_construct(ty, None, [value, value]).unwrap());
        assert!(usage(&Reader::new(&doubled(16))).is_ok());
        let error = usage(&Reader::new(&doubled(60))).err().unwrap().to_string();
        assert!(error.contains("steps"), "{error}");
        let images = made(60, |b, ty, value| b.sampled_image(ty, None, value, value).unwrap());
        assert!(usage(&Reader::new(&images)).is_err());
    }

    #[test]
    fn a_vector_of_itself_is_no_number() {
        let mut module = made(1, |b, _, value| {
            let own = b.id();
            b.bitcast(own, None, value).unwrap()
        });
        let cast = module.functions[0].blocks[0].instructions.iter().find_map(|it| match it.class.opcode {
            Op::Bitcast => it.result_type,
            _ => None,
        });
        let operands = vec![Operand::IdRef(cast.unwrap()), Operand::LiteralBit32(4)];
        module.types_global_values.push(Instruction::new(Op::TypeVector, None, cast, operands));
        let usage = usage(&Reader::new(&module)).unwrap();
        assert_eq!((usage.floats.len(), usage.integers.len()), (0, 1));
    }
}
