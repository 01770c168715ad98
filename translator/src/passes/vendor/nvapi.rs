//! NVIDIA's NVAPI: an instruction is an element of a structured buffer with a hidden counter.
//!
//! In: a function with accesses to the buffer. Out: its intrinsics. What must hold: the numbers are
//! those of NVIDIA's headers `nvHLSLExtnsInternal.h` and `nvShaderExtnEnums.h`. An increment of the
//! counter gives an element; the operands and the opcode are stored in it; further increments, or
//! loads from the element, give the results. The buffer or texture that an atomic operation works
//! on is named by a store to it, whose index is that of an element with the mark. A ray that
//! belongs to a hit object is traced with the last result as the number of its miss shader
//! ([`super::objects`]).

use super::element::{Element, MARK, Named, OPCODE, OUTPUTS, RESULT, SOURCE_0, SOURCE_1, SOURCE_2};
use super::forms::{Form, ShuffleMode, Target};
use super::objects::{GET_RAY_DESC, is_of_objects};
use super::reader::{Call, NoEncoding, Read, Reader};
use crate::ir::args;
use crate::ir::args::Args;
use crate::ir::{Block, Inst, Value};
use crate::ops::OpCode;
use crate::ops::consts::{AtomicBinOpCode, FloatAtomic};

/// The size of an element in bytes.
pub(super) const STRIDE: u32 = 256;

/// The opcodes of atomic operations: on two halves, on floats, on 64 bits.
const ATOMIC_HALVES: u32 = 12;
const ATOMIC_FLOAT: u32 = 13;
const ATOMIC_64: u32 = 20;
/// The opcode of a shuffle that says whether there is such a lane.
const SHUFFLE_GENERIC: u32 = 33;

/// How many results an opcode gives whose element does not say so.
fn results(opcode: u32) -> usize {
    match opcode {
        // The positions of three vertices.
        86 | 87 | 97..=99 => 9,
        // A ray; two ends of a swept sphere.
        GET_RAY_DESC | 104..=107 => 8,
        // Three pairs of barycentrics.
        88 => 6,
        // A position of a vertex and a shader's number; a position and a radius.
        91 | 100..=103 => 4,
        // Two barycentrics and a shader's number.
        92 => 3,
        _ => 1,
    }
}

/// Whether an opcode is that of an atomic operation on a resource that is named before.
fn is_atomic(opcode: u32) -> bool {
    matches!(opcode, ATOMIC_HALVES | ATOMIC_FLOAT | ATOMIC_64)
}

/// The operands of a store to an element, or of one that names a resource.
struct Store {
    resource: Named,
    index: Value,
    offset: Value,
    values: [Value; 4],
    /// Which of the values are stored.
    mask: Value,
}

/// The resource that the next atomic operation works on, and the instructions that name it.
type Naming = Option<(Named, Vec<Inst>)>;

impl Reader<'_> {
    /// Reads all accesses of the function.
    pub(super) fn nvapi(&mut self) -> Read {
        let blocks: Vec<Block> = self.function.blocks.keys().collect();
        for block in blocks {
            let mut element: Option<Element> = None;
            let mut named = None;
            let function = self.function;
            for &inst in &function.blocks[block].insts {
                let Some((op, args)) = self.operation(inst) else { continue };
                if !self.accesses(op, args) {
                    match (&mut element, store(op, args)) {
                        (Some(element), Some(store)) if store.index == element.index => {
                            self.name_resource(element, inst, &store)?;
                        }
                        (Some(element), None) if self.is_call_of(element, op, args) => {
                            element.call = Some(inst);
                            element.insts.push(inst);
                        }
                        _ => {}
                    }
                    continue;
                }
                match op {
                    OpCode::BufferUpdateCounter => self.increment(inst, args, &mut element, &mut named)?,
                    _ => self.access(inst, op, args, element.as_mut().ok_or(NoEncoding)?)?,
                }
            }
            if let Some(element) = element {
                self.finish(element, &mut named)?;
            }
            if named.is_some() {
                return Err(NoEncoding);
            }
        }
        if self.refused.is_empty() {
            self.choose_objects();
        }
        Ok(())
    }

    /// An increment gives a result of the element, or a new element.
    fn increment(&mut self, inst: Inst, args: &[Value], element: &mut Option<Element>, named: &mut Naming) -> Read {
        let view = args::BufferUpdateCounter::view(args).filter(|view| self.number(view.inc) == Some(1));
        let (_, value) = view.zip(self.function.result(inst)).ok_or(NoEncoding)?;
        match element {
            Some(open) if open.outputs.len() < self.expected_outputs(open) => {
                open.first_output.get_or_insert(inst);
                open.outputs.push(value);
                open.insts.push(inst);
                Ok(())
            }
            _ => match element.replace(Element::new(value, inst)) {
                Some(finished) => self.finish(finished, named),
                None => Ok(()),
            },
        }
    }

    /// How many results increments give.
    fn expected_outputs(&self, element: &Element) -> usize {
        let number = |word: usize| element.words[word].map(|value| self.number(value).unwrap_or(u32::MAX));
        match (number(OPCODE), number(OUTPUTS)) {
            (None, _) => 0,
            (_, Some(outputs)) => outputs as usize,
            // Atomic operations store their result in the element.
            (Some(opcode), None) if is_atomic(opcode) => 0,
            (Some(opcode), None) => results(opcode),
        }
    }

    /// A store to the element or a load from it.
    fn access(&mut self, inst: Inst, op: OpCode, args: &[Value], element: &mut Element) -> Read {
        let store = store(op, args);
        let (index, offset) = match &store {
            Some(store) => (store.index, store.offset),
            None => load(op, args).ok_or(NoEncoding)?,
        };
        let offset = self.number(offset).filter(|offset| offset.is_multiple_of(4)).ok_or(NoEncoding)?;
        if index != element.index || !element.outputs.is_empty() {
            return Err(NoEncoding);
        }
        element.index_uses += 1;
        element.insts.push(inst);
        let first = offset as usize / 4;
        match store {
            Some(store) => self.store_words(inst, first, &store, element),
            None => self.load_result(inst, first, element),
        }
    }

    fn store_words(&mut self, inst: Inst, first: usize, store: &Store, element: &mut Element) -> Read {
        let mask = self.number(store.mask).ok_or(NoEncoding)?;
        // An atomic operation is done where its opcode is stored.
        if element.words[OPCODE].and_then(|value| self.number(value)).is_some_and(is_atomic) {
            return Err(NoEncoding);
        }
        for (component, value) in store.values.into_iter().enumerate().filter(|(at, _)| mask >> at & 1 != 0) {
            let word = element.words.get_mut(first + component).filter(|_| self.is_word(value)).ok_or(NoEncoding)?;
            // Each word is stored once.
            if word.replace(value).is_some() {
                return Err(NoEncoding);
            }
        }
        if first == OPCODE {
            let opcode = element.words[OPCODE].and_then(|value| self.number(value));
            opcode.filter(|&opcode| opcode != 0 && mask == 1).ok_or(NoEncoding)?;
            element.opcode_store = Some(inst);
        }
        Ok(())
    }

    /// A load of the result's words. The loaded value is used by `extractvalue` alone.
    fn load_result(&mut self, inst: Inst, first: usize, element: &mut Element) -> Read {
        let value = self.function.result(inst).filter(|_| first == RESULT && element.opcode_store.is_some());
        let value = value.ok_or(NoEncoding)?;
        let members = self.members.get(&value).map(Vec::as_slice).unwrap_or_default();
        if members.len() != self.uses(value) as usize {
            return Err(NoEncoding);
        }
        for &(index, member) in members {
            let result = self.function.result(member).filter(|_| index < 4).ok_or(NoEncoding)?;
            element.loaded.push((index as usize, result));
            element.insts.push(member);
        }
        Ok(())
    }

    /// A store to another resource at the index of an element with the mark.
    fn name_resource(&self, element: &mut Element, inst: Inst, store: &Store) -> Read {
        let is_marked = element.words[MARK].and_then(|value| self.number(value)) == Some(1);
        if !is_marked || element.resource.is_some() {
            return Err(NoEncoding);
        }
        element.resource = Some(store.resource);
        // A texture has the index in each of its coordinates.
        self.function.for_each_operand(inst, |value| element.index_uses += u32::from(value == element.index));
        element.insts.push(inst);
        Ok(())
    }

    /// Reads the intrinsic of an element whose accesses were all read.
    fn finish(&mut self, element: Element, named: &mut Naming) -> Read {
        if self.uses(element.index) != element.index_uses {
            return Err(NoEncoding);
        }
        let Some(opcode) = element.words[OPCODE].and_then(|value| self.number(value)) else {
            // The mark alone names a resource.
            let resource = element.resource.ok_or(NoEncoding)?;
            let others = element.words.iter().flatten().count() != 1;
            return if others || named.replace((resource, element.insts)).is_some() { Err(NoEncoding) } else { Ok(()) };
        };
        let named = named.take();
        if element.outputs.len() < self.expected_outputs(&element) {
            return Err(NoEncoding);
        }
        let form = match is_of_objects(opcode) {
            true if named.is_none() => self.object_form(opcode, &element).map(Form::Object),
            true => None,
            false => self.nvapi_form(opcode, &element, named.as_ref().map(|&(resource, _)| resource)),
        };
        // The shader may read words that are no results.
        let has_results = |form: &Form| element.loaded.iter().all(|&(number, _)| number < form.results());
        let Some(form) = form.filter(has_results) else {
            self.refused.insert(name(opcode));
            return Ok(());
        };
        let Element { mut insts, outputs, call, loaded, opcode_store, first_output, .. } = element;
        let mut results: Vec<_> = outputs.into_iter().enumerate().collect();
        if opcode == SHUFFLE_GENERIC {
            // It gives first whether there is such a lane.
            results.iter_mut().for_each(|(number, _)| *number = 1 - *number);
        }
        results.extend(loaded);
        insts.extend(named.into_iter().flat_map(|(_, insts)| insts));
        let at = call.or(first_output).or(opcode_store).ok_or(NoEncoding)?;
        self.calls.push(Call { form, at, results, encoding: insts });
        Ok(())
    }

    fn nvapi_form(&self, opcode: u32, element: &Element, named: Option<Named>) -> Option<Form> {
        let word = |at: usize| element.words[at];
        let shuffle = |mode| {
            let [value, by, mask] = [word(SOURCE_0)?, word(SOURCE_0 + 1)?, word(SOURCE_0 + 2)?];
            Some(Form::Shuffle { mode, value, by, mask })
        };
        let vote = |op| Some(Form::Vote { op, value: word(SOURCE_0)? });
        let outputs = if opcode == SHUFFLE_GENERIC { 2 } else { usize::from(!is_atomic(opcode)) };
        if element.outputs.len() != outputs || named.is_some() != is_atomic(opcode) {
            return None;
        }
        match opcode {
            1 | SHUFFLE_GENERIC => shuffle(ShuffleMode::Index),
            2 => shuffle(ShuffleMode::Up),
            3 => shuffle(ShuffleMode::Down),
            4 => shuffle(ShuffleMode::Xor),
            5 => vote(OpCode::WaveAllTrue),
            6 => vote(OpCode::WaveAnyTrue),
            7 => Some(Form::Ballot { value: word(SOURCE_0)?, word: 0 }),
            8 => Some(Form::Simple(OpCode::WaveGetLaneIndex)),
            19 => match self.number(word(SOURCE_0)?)? {
                4 => Some(Form::Below),
                9 => Some(Form::ClockWord(0)),
                10 => Some(Form::ClockWord(1)),
                _ => None,
            },
            ATOMIC_64 => self.nvapi_atomic(element, target(element, named?)?),
            ATOMIC_HALVES | ATOMIC_FLOAT => {
                let named = named?;
                let op = match (opcode, self.number(word(SOURCE_2)?)?) {
                    (ATOMIC_FLOAT, 3) => FloatAtomic::Add,
                    // Two halves are a texel of two components, on which no atomic operation works.
                    _ if named.is_texture => return None,
                    (ATOMIC_HALVES, 3) => FloatAtomic::AddHalves,
                    (ATOMIC_HALVES, 6) => FloatAtomic::MaxHalves,
                    (ATOMIC_HALVES, 7) => FloatAtomic::MinHalves,
                    _ => return None,
                };
                Some(Form::AtomicFloat { at: target(element, named)?, op, value: word(SOURCE_1)? })
            }
            89 => Some(Form::MicroTriangle),
            90 => Some(Form::BackFacing),
            21 => {
                let count = self.number(word(SOURCE_1)?)? as usize;
                let values: Vec<Value> = (0..count.min(5)).map_while(|at| word(SOURCE_0 + at)).collect();
                matches!(count, 1 | 2 | 4).then_some(())?;
                (values.len() == count).then_some(Form::Match(values))
            }
            _ => None,
        }
    }

    /// A 64-bit atomic. Its operands are stored before the opcode.
    fn nvapi_atomic(&self, element: &Element, at: Target) -> Option<Form> {
        let word = |at: usize| element.words[at];
        let op = match self.number(word(SOURCE_2)?)? {
            0 => Some(AtomicBinOpCode::And),
            1 => Some(AtomicBinOpCode::Or),
            2 => Some(AtomicBinOpCode::Xor),
            3 => Some(AtomicBinOpCode::Add),
            6 => Some(AtomicBinOpCode::UMax),
            7 => Some(AtomicBinOpCode::UMin),
            8 => Some(AtomicBinOpCode::Exchange),
            9 => None,
            _ => return None,
        };
        let first = [word(SOURCE_1)?, word(SOURCE_1 + 1)?];
        let (compare, value) = match op {
            Some(_) => (first, first),
            None => (first, [word(SOURCE_1 + 2)?, word(SOURCE_1 + 3)?]),
        };
        Some(Form::Atomic { at, op, compare, value })
    }
}

/// What an atomic operation works on.
fn target(element: &Element, Named { handle, is_texture }: Named) -> Option<Target> {
    let [first, others @ ..] = [0, 1, 2].map(|at| element.words[SOURCE_0 + at]);
    let [second, third] = if is_texture { others } else { [None; 2] };
    Some(Target { handle, address: [Some(first?), second, third] })
}

/// The operands of a store to a buffer or texture.
fn store(op: OpCode, args: &[Value]) -> Option<Store> {
    Some(match op {
        OpCode::RawBufferStore => {
            let args = args::RawBufferStore::view(args)?;
            let values = [args.value0, args.value1, args.value2, args.value3];
            let resource = Named { handle: args.uav, is_texture: false };
            Store { resource, index: args.index, offset: args.element_offset, values, mask: args.mask }
        }
        OpCode::BufferStore => {
            let args = args::BufferStore::view(args)?;
            let values = [args.value0, args.value1, args.value2, args.value3];
            let resource = Named { handle: args.uav, is_texture: false };
            Store { resource, index: args.index, offset: args.offset, values, mask: args.mask }
        }
        OpCode::TextureStore => {
            let args = args::TextureStore::view(args)?;
            let values = [args.value0, args.value1, args.value2, args.value3];
            let resource = Named { handle: args.srv, is_texture: true };
            Store { resource, index: args.coord0, offset: args.coord0, values, mask: args.mask }
        }
        _ => return None,
    })
}

/// The index and the offset of a load from a buffer.
fn load(op: OpCode, args: &[Value]) -> Option<(Value, Value)> {
    match op {
        OpCode::RawBufferLoad => args::RawBufferLoad::view(args).map(|args| (args.index, args.element_offset)),
        OpCode::BufferLoad => args::BufferLoad::view(args).map(|args| (args.index, args.offset)),
        _ => None,
    }
}

/// The header's name of an opcode.
fn name(opcode: u32) -> &'static str {
    match opcode {
        1..=4 | SHUFFLE_GENERIC => "SHFL",
        ATOMIC_HALVES => "FP16_ATOMIC",
        ATOMIC_FLOAT => "FP32_ATOMIC",
        19 => "GET_SPECIAL",
        ATOMIC_64 => "UINT64_ATOMIC",
        21 => "MATCH_ANY",
        28 | 29 | 31 | 32 => "FOOTPRINT",
        30 => "GET_SHADING_RATE",
        51 | 52 => "VPRS_EVAL_ATTRIB",
        68 | 69 => "HIT_OBJECT_MAKE_HIT",
        67..=85 => "HIT_OBJECT",
        86 | 97 | 98 => "RT_TRIANGLE_OBJECT_POSITIONS",
        87 | 88 => "RT_MICRO_TRIANGLE",
        89 => "RT_IS_MICRO_TRIANGLE_HIT",
        90 => "RT_IS_BACK_FACING",
        91 | 92 => "RT_MICRO_VERTEX",
        93..=95 => "RT_GET_CLUSTER_ID",
        96 => "HIT_OBJECT_GET_CLUSTER_ID",
        99 => "HIT_OBJECT_GET_TRIANGLE_OBJECT_POSITIONS",
        100..=102 => "RT_SPHERE_OBJECT_POSITION_AND_RADIUS",
        103 => "HIT_OBJECT_GET_SPHERE_OBJECT_POSITION_AND_RADIUS",
        104..=106 => "RT_LSS_OBJECT_POSITIONS_AND_RADII",
        107 => "HIT_OBJECT_GET_LSS_OBJECT_POSITIONS_AND_RADII",
        108..=110 => "RT_IS_SPHERE_HIT",
        111 => "HIT_OBJECT_IS_SPHERE_HIT",
        112..=114 => "RT_IS_LSS_HIT",
        115 => "HIT_OBJECT_IS_LSS_HIT",
        116 | 117 => "RT_LSS_HIT_PARAMETER",
        118 => "RT_CANDIDATE_BUILTIN_PRIMITIVE_RAY_T",
        119 => "RT_COMMIT_NONOPAQUE_BUILTIN_PRIMITIVE_HIT",
        _ => "an unknown opcode",
    }
}
