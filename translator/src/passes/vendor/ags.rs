//! AMD GPU Services: an instruction is the offset of a compare-exchange on a byte-address buffer.
//!
//! In: a function with accesses to the buffer. Out: its intrinsics. What must hold: the numbers are
//! those of AMD's header `ags_shader_intrinsics_dx12.hlsl`. A compare-exchange is
//! `InterlockedCompareExchange(instruction, a, b, result)`. An intrinsic with more operands or
//! results than that has several phases, each of which is an instruction.

use super::forms::{Fold, FoldedLanes, Form, Target};
use super::reader::{Call, NoEncoding, Read, Reader};
use crate::ir::args;
use crate::ir::args::Args;
use crate::ir::{Block, Inst, InstData, Module, Value};
use crate::ops::OpCode;
use crate::ops::consts::{AtomicBinOpCode, Rounding, SignedOpKind, WaveBitOpKind, WaveOpKind};

/// The number in the highest four bits of an instruction.
const MAGIC: u32 = 5;

/// The largest number of instructions between the first and the last phase of an intrinsic.
const DISTANCE: usize = 64;

/// The modes of barycentrics of a pixel's centre.
const LINEAR_CENTRE: u32 = 1;
const PERSPECTIVE_CENTRE: u32 = 4;

/// What one compare-exchange encodes.
#[derive(Clone, Copy)]
struct Phase {
    inst: Inst,
    opcode: u32,
    number: u32,
    immediate: u32,
    operands: [Value; 2],
    result: Value,
}

/// A store that names the resource of a 64-bit atomic.
#[derive(Clone, Copy)]
struct NamingStore {
    inst: Inst,
    handle: Value,
    is_texture: bool,
    /// How many of its operands are the result of the second phase.
    uses: u32,
}

/// The phases of a 64-bit atomic so far.
#[derive(Default)]
struct Atomic {
    phases: Vec<Phase>,
    /// The position of the first phase in its block.
    start: usize,
    /// The store whose only purpose is to name a resource.
    store: Option<NamingStore>,
}

/// The instruction that an operation encodes, if it is a compare-exchange at a constant offset with
/// the magic number.
pub(super) fn instruction(module: &Module, op: OpCode, args: &[Value]) -> Option<u32> {
    let args = args::AtomicCompareExchange::view(args).filter(|_| op == OpCode::AtomicCompareExchange)?;
    let word = u32::try_from(module.const_uint(args.offset0)?).ok()?;
    (word >> 28 == MAGIC).then_some(word)
}

/// Whether a module has an instruction.
pub(super) fn has_instructions(module: &Module) -> bool {
    module.functions.values().any(|function| {
        function.insts.values().any(|inst| match *inst {
            InstData::Op { op, args, .. } => instruction(module, op, function.list(args)).is_some(),
            _ => false,
        })
    })
}

impl Reader<'_> {
    /// Reads all accesses of the function.
    pub(super) fn ags(&mut self) -> Read {
        let blocks: Vec<Block> = self.function.blocks.keys().collect();
        for block in blocks {
            self.ags_block(block)?;
        }
        Ok(())
    }

    fn ags_block(&mut self, block: Block) -> Read {
        let function = self.function;
        let insts = &function.blocks[block].insts;
        let mut atomic = Atomic::default();
        // The first phases of intrinsics whose second phase needs their operands.
        let (mut middle, mut clock): (Vec<Phase>, Option<(u32, usize)>) = (Vec::new(), None);
        for (at, &inst) in insts.iter().enumerate() {
            let Some((op, args)) = self.operation(inst) else { continue };
            if !self.accesses(op, args) {
                if let Some(store) = self.reference(inst, &atomic) {
                    atomic.store = Some(store);
                }
                continue;
            }
            let phase = self.phase(inst, op, args)?;
            let Phase { opcode, number, operands: [a, b], .. } = phase;
            let form = match (opcode, number) {
                (0x09 | 0x0a, 0) => {
                    middle.push(phase);
                    let op = if opcode == 0x09 { OpCode::UMin } else { OpCode::FMin };
                    Form::Two { op, float: opcode == 0x0a, values: [a, b] }
                }
                (0x09 | 0x0a, 1) => {
                    let first = middle.iter().rfind(|first| first.opcode == opcode && first.result == b);
                    let first = first.ok_or(NoEncoding)?;
                    Form::Middle { float: opcode == 0x0a, values: [first.operands[0], first.operands[1], a] }
                }
                (0x18, 0) => {
                    atomic = Atomic { phases: vec![phase], start: at, store: None };
                    continue;
                }
                (0x18, _) => {
                    atomic.phases.push(phase);
                    let between = insts.get(atomic.start..=at).unwrap_or_default();
                    self.atomic(&mut atomic, between)?;
                    continue;
                }
                (0x1f | 0x20, 1) => {
                    // The clock is read in the first phase, and the second gives its high word.
                    let (_, call) = clock.take().filter(|&(first, _)| first == opcode).ok_or(NoEncoding)?;
                    let call = self.calls.get_mut(call).ok_or(NoEncoding)?;
                    call.results.push((1, phase.result));
                    call.encoding.push(inst);
                    continue;
                }
                (0x1f | 0x20, 0) => {
                    clock = Some((opcode, self.calls.len()));
                    Form::Clock(if opcode == 0x1f { OpCode::CycleCounterLegacy } else { OpCode::VendorDeviceClock })
                }
                _ => match form(&phase) {
                    Some(form) => form,
                    None => {
                        self.refused.insert(name(opcode));
                        continue;
                    }
                },
            };
            self.calls.push(Call { form, at: inst, results: vec![(0, phase.result)], encoding: vec![inst] });
        }
        // An atomic operation that is not complete is no encoding.
        if atomic.phases.is_empty() { Ok(()) } else { Err(NoEncoding) }
    }

    /// The phase that an access to the buffer encodes.
    fn phase(&self, inst: Inst, op: OpCode, args: &[Value]) -> Read<Phase> {
        let word = instruction(self.module, op, args).ok_or(NoEncoding)?;
        let view = args::AtomicCompareExchange::view(args);
        let result = self.function.result(inst).filter(|&result| self.is_word(result));
        let (view, result) = view.zip(result).ok_or(NoEncoding)?;
        let (number, immediate) = (word >> 24 & 3, word >> 8 & 0xffff);
        let operands = [view.compare_value, view.new_value];
        Ok(Phase { inst, opcode: word & 0xff, number, immediate, operands, result })
    }

    /// The store of an instruction to another resource, if the results of the first two phases are
    /// the offset, or all coordinates, and the value.
    fn reference(&self, inst: Inst, atomic: &Atomic) -> Option<NamingStore> {
        let &[first, second] = atomic.phases.as_slice() else { return None };
        let (op, args) = self.operation(inst)?;
        let (handle, index, value) = match op {
            OpCode::RawBufferStore => args::RawBufferStore::view(args).map(|a| (a.uav, a.index, a.value0))?,
            OpCode::BufferStore => args::BufferStore::view(args).map(|a| (a.uav, a.index, a.value0))?,
            OpCode::TextureStore => args::TextureStore::view(args).map(|a| (a.srv, a.coord0, a.value0))?,
            _ => return None,
        };
        let uses = args.iter().filter(|&&value| value == second.result).count() as u32;
        let store = NamingStore { inst, handle, is_texture: op == OpCode::TextureStore, uses };
        ((index, value) == (first.result, second.result)).then_some(store)
    }

    /// Reads a 64-bit atomic, if its last phase was read. The instructions are those from its first
    /// phase on.
    fn atomic(&mut self, atomic: &mut Atomic, insts: &[Inst]) -> Read {
        let phases = atomic.phases.as_slice();
        let follow = phases
            .iter()
            .enumerate()
            .all(|(at, phase)| phase.number as usize == at && phase.immediate == phases[0].immediate);
        let exchange = phases[0].immediate == 8;
        let count = if exchange { 4 } else { 3 };
        if !follow || insts.len() > DISTANCE {
            return Err(NoEncoding);
        }
        if phases.len() < count {
            return Ok(());
        }
        let store = atomic.store.ok_or(NoEncoding)?;
        let mut encoding: Vec<Inst> = phases.iter().map(|phase| phase.inst).collect();
        encoding.push(store.inst);
        let last = phases[count - 1];
        // The result of each phase but the first is an operand of the next.
        let linked = phases.windows(2).skip(1).all(|pair| pair[1].operands[1] == pair[0].result);
        let linked = match exchange {
            false => linked,
            true => phases[3].operands[1] == phases[2].result,
        };
        let uses = |phase: &Phase| self.uses(phase.result);
        let private = match exchange {
            false => uses(&phases[1]) == store.uses + 1,
            true => uses(&phases[1]) == store.uses && uses(&phases[2]) == 1,
        };
        // The low word of the result is the first phase's, which is known after the last phase.
        let is_early = insts.iter().any(|&inst| {
            let mut uses = false;
            self.function.for_each_operand(inst, |value| uses |= value == phases[0].result);
            uses && !encoding.contains(&inst)
        });
        let op = match phases[0].immediate {
            1 => Some(AtomicBinOpCode::UMin),
            2 => Some(AtomicBinOpCode::UMax),
            3 => Some(AtomicBinOpCode::And),
            4 => Some(AtomicBinOpCode::Or),
            5 => Some(AtomicBinOpCode::Xor),
            6 => Some(AtomicBinOpCode::Add),
            7 => Some(AtomicBinOpCode::Exchange),
            8 => None,
            _ => return Err(NoEncoding),
        };
        if !linked || !private || is_early {
            return Err(NoEncoding);
        }
        let value = [phases[1].operands[1], phases[2].operands[0]];
        let compare = if exchange { [phases[2].operands[1], last.operands[0]] } else { value };
        let [x, y] = phases[0].operands;
        let others = if store.is_texture { [Some(y), Some(phases[1].operands[0])] } else { [None; 2] };
        let at = Target { handle: store.handle, address: [Some(x), others[0], others[1]] };
        let form = Form::Atomic { at, op, compare, value };
        let results = vec![(0, phases[0].result), (1, last.result)];
        self.calls.push(Call { form, at: last.inst, results, encoding });
        *atomic = Atomic::default();
        Ok(())
    }
}

/// The form of an intrinsic of which each phase is one by itself.
fn form(phase: &Phase) -> Option<Form> {
    let &Phase { opcode, number, immediate, operands: [a, b], .. } = phase;
    // The second phase of a minimum or maximum takes the result of the first.
    let two = |op, float| (number <= 1).then_some(Form::Two { op, float, values: [a, b] });
    match opcode {
        0x05 => return (number <= 1).then_some(Form::Ballot { value: a, word: number }),
        0x07 => return two(OpCode::UMin, false),
        0x08 => return two(OpCode::FMin, true),
        0x0b => return two(OpCode::UMax, false),
        0x0c => return two(OpCode::FMax, true),
        // The first phase gives I, which is the second vertex's, and the second one J, the third
        // one's.
        0x0d if number <= 1 && matches!(immediate, LINEAR_CENTRE | PERSPECTIVE_CENTRE) => {
            let perspective = immediate == PERSPECTIVE_CENTRE;
            return Some(Form::Barycentric { perspective, vertex: number + 1 });
        }
        _ if number != 0 => return None,
        _ => {}
    }
    Some(match opcode {
        0x01 => Form::First(a),
        0x02 => Form::FixedLane { value: a, lane: immediate },
        0x03 => Form::Simple(OpCode::WaveGetLaneIndex),
        // DS_SWIZZLE_B32 of AMD's instruction sets: bit 15 chooses the mode of quads.
        0x04 if immediate & 0x8000 == 0 => Form::Masked { value: a, masks: immediate },
        0x04 if immediate & 0x7f00 == 0 => Form::Quad { value: a, lanes: immediate & 0xff },
        0x06 => Form::CountBelow([a, b]),
        0x12 => Form::Fold { fold: fold(immediate)?, lanes: FoldedLanes::All, value: a },
        0x13 => {
            let lanes = match immediate >> 8 {
                1 => FoldedLanes::UpTo,
                2 => FoldedLanes::Before,
                _ => return None,
            };
            let fold = fold(immediate & 0xff)?;
            (!matches!(fold, Fold::Bits(_))).then_some(Form::Fold { fold, lanes, value: a })?
        }
        0x17 => Form::Simple(OpCode::VendorDrawIndex),
        0x19 => Form::Simple(OpCode::WaveGetLaneCount),
        0x1a => Form::Simple(OpCode::StartInstanceLocation),
        0x1b => Form::Simple(OpCode::StartVertexLocation),
        0x1c => Form::Half { value: a, rounding: Rounding::try_from(immediate).ok()? },
        0x1d => Form::Lane { value: a, lane: b },
        _ => return None,
    })
}

/// The fold with a number of the header.
fn fold(number: u32) -> Option<Fold> {
    let kinds = [WaveOpKind::Sum, WaveOpKind::Product, WaveOpKind::Min, WaveOpKind::Max];
    Some(match number {
        1..=12 => {
            let (sign, float) = match (number - 1) % 3 {
                0 => (SignedOpKind::Signed, true),
                1 => (SignedOpKind::Signed, false),
                _ => (SignedOpKind::Unsigned, false),
            };
            Fold::Number { op: *kinds.get((number as usize - 1) / 3)?, sign, float }
        }
        13 => Fold::Bits(WaveBitOpKind::And),
        14 => Fold::Bits(WaveBitOpKind::Or),
        15 => Fold::Bits(WaveBitOpKind::Xor),
        _ => return None,
    })
}

/// The header's name of an opcode.
fn name(opcode: u32) -> &'static str {
    match opcode {
        0x02 => "Readlane",
        0x04 => "Swizzle",
        0x0d => "BaryCoord",
        0x0e => "VtxParam",
        0x12 => "WaveReduce",
        0x13 => "WaveScan",
        0x14 => "LoadDwAtAddr",
        0x1c => "FloatConversion",
        0x1e => "RayTraceHitToken",
        0x21 => "Halt",
        0x22 => "IntersectBvhNode",
        0x23 => "BufferStoreByte",
        0x24 => "BufferStoreShort",
        0x25 => "ShaderMarker",
        0x26 => "FloatOpWithRoundMode",
        0x28..=0x3f => "wave matrices",
        _ => "an unknown opcode",
    }
}
