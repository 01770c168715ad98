//! Modules that say which of their blocks ran.
//!
//! In: a module, and the place of a storage buffer. Out: the module with a store of 1 into a word
//! of the buffer at the beginning of each block, and how many stores to memory each block has. What
//! must hold: the module does what it did before; blocks of several modules have words of their
//! own.
//!
//! A process has one lab, so the state is static.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use rspirv::spirv::{Decoration, Op, StorageClass};

use crate::words::{HEADER, instructions};

/// A set and a binding.
pub type SetBinding = (u32, u32);

/// The buffer of the words, and the stores of the blocks so far, one element for each word.
static COUNTED: Mutex<Option<(SetBinding, Vec<usize>)>> = Mutex::new(None);

/// Has the blocks of the next modules say that they ran, or no longer.
pub fn count_blocks(place: Option<SetBinding>) {
    *COUNTED.lock().unwrap_or_else(PoisonError::into_inner) = place.map(|place| (place, Vec::new()));
}

/// The stores of each block since [`count_blocks`].
pub fn counted_blocks() -> Vec<usize> {
    COUNTED
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .as_ref()
        .map(|(_, blocks)| blocks.clone())
        .unwrap_or_default()
}

/// The module to give to the driver, if blocks are counted.
pub(super) fn counting(words: &[u32]) -> Option<Vec<u32>> {
    let mut counted = COUNTED.lock().unwrap_or_else(PoisonError::into_inner);
    let (place, blocks) = counted.as_mut()?;
    with_counters(words, *place, blocks)
}

/// An instruction of these words.
fn emit(out: &mut Vec<u32>, op: Op, operands: &[u32]) {
    out.push((operands.len() as u32 + 1) << 16 | op as u32);
    out.extend_from_slice(operands);
}

/// The ids that the counters need.
struct Ids {
    uint: u32,
    one: u32,
    zero: u32,
    array: u32,
    block: u32,
    to_block: u32,
    to_uint: u32,
    variable: u32,
}

/// The module with counters, whose words are those behind the known blocks.
fn with_counters(words: &[u32], (set, binding): SetBinding, blocks: &mut Vec<usize>) -> Option<Vec<u32>> {
    let stores = Stores::read(words);
    let mut bound = *words.get(3)?;
    let mut id = || {
        bound += 1;
        bound - 1
    };
    let known = instructions(words).find(|(at, op, _)| *op == Op::TypeInt as u32 && words[at + 2..at + 4] == [32, 0]);
    let uint = known.map(|(at, ..)| words[at + 1]);
    let ids = Ids {
        uint: uint.unwrap_or_else(&mut id),
        one: id(),
        zero: id(),
        array: id(),
        block: id(),
        to_block: id(),
        to_uint: id(),
        variable: id(),
    };
    // The sets of instructions without a meaning for the driver: their names begin with
    // `NonSemantic.`.
    let name = [*b"NonS", *b"eman", *b"tic."].map(u32::from_le_bytes);
    let is_remarks = |at: usize| words.get(at + 2..at + 5) == Some(&name[..]);
    let imports = instructions(words).filter(|(_, op, length)| *op == Op::ExtInstImport as u32 && *length > 4);
    let remarks: Vec<u32> = imports.filter(|(at, ..)| is_remarks(*at)).map(|(at, ..)| words[at + 1]).collect();
    let is_type = |op: u32| (Op::TypeVoid as u32..=Op::TypePipe as u32).contains(&op);
    let first_type = instructions(words).find(|(_, op, _)| is_type(*op))?.0;
    let first_function = instructions(words).find(|(_, op, _)| *op == Op::Function as u32)?.0;
    let lists_globals = words[1] >= 0x0001_0400;
    let mut out = words[..HEADER].to_vec();
    // The constants of the words, and whether a block has begun that has not said so yet.
    let (mut body, mut indexes, mut begun) = (Vec::new(), Vec::new(), false);
    for (at, op, length) in instructions(words) {
        let instruction = &words[at..at + length];
        if at == first_type {
            decorations(&mut out, &ids, set, binding);
        }
        if at < first_function {
            out.extend_from_slice(instruction);
            if op == Op::EntryPoint as u32 && lists_globals {
                let start = out.len() - length;
                out[start] += 1 << 16;
                out.push(ids.variable);
            }
            continue;
        }
        let leads = [Op::Phi, Op::Variable, Op::Line, Op::NoLine].map(|op| op as u32);
        // Debug information may precede the variables of a function.
        let is_remark = op == Op::ExtInst as u32 && instruction.get(3).is_some_and(|set| remarks.contains(set));
        if begun && !leads.contains(&op) && !is_remark {
            begun = false;
            if op != Op::Unreachable as u32 {
                let (index, pointer) = (id(), id());
                indexes.push((index, blocks.len() as u32));
                blocks.push(0);
                emit(&mut body, Op::AccessChain, &[ids.to_uint, pointer, ids.variable, ids.zero, index]);
                emit(&mut body, Op::Store, &[pointer, ids.one]);
            }
        }
        begun |= op == Op::Label as u32;
        if let Some(count) = blocks.last_mut().filter(|_| stores.is_store(op, instruction)) {
            *count += 1;
        }
        body.extend_from_slice(instruction);
    }
    globals(&mut out, &ids, uint.is_none(), &indexes);
    out.extend_from_slice(&body);
    out[3] = bound;
    Some(out)
}

fn decorations(out: &mut Vec<u32>, ids: &Ids, set: u32, binding: u32) {
    emit(out, Op::Decorate, &[ids.array, Decoration::ArrayStride as u32, 4]);
    emit(out, Op::Decorate, &[ids.block, Decoration::Block as u32]);
    emit(out, Op::MemberDecorate, &[ids.block, 0, Decoration::Offset as u32, 0]);
    emit(out, Op::Decorate, &[ids.variable, Decoration::DescriptorSet as u32, set]);
    emit(out, Op::Decorate, &[ids.variable, Decoration::Binding as u32, binding]);
}

fn globals(out: &mut Vec<u32>, ids: &Ids, needs_uint: bool, indexes: &[(u32, u32)]) {
    let class = StorageClass::StorageBuffer as u32;
    if needs_uint {
        emit(out, Op::TypeInt, &[ids.uint, 32, 0]);
    }
    emit(out, Op::Constant, &[ids.uint, ids.zero, 0]);
    emit(out, Op::Constant, &[ids.uint, ids.one, 1]);
    indexes.iter().for_each(|(id, index)| emit(out, Op::Constant, &[ids.uint, *id, *index]));
    emit(out, Op::TypeRuntimeArray, &[ids.array, ids.uint]);
    emit(out, Op::TypeStruct, &[ids.block, ids.array]);
    emit(out, Op::TypePointer, &[ids.to_block, class, ids.block]);
    emit(out, Op::TypePointer, &[ids.to_uint, class, ids.uint]);
    emit(out, Op::Variable, &[ids.to_block, ids.variable, class]);
}

/// The pointers of a module by which memory is written that is seen from outside.
struct Stores {
    /// The storage class of each pointer type.
    classes: BTreeMap<u32, u32>,
    /// The type of each pointer.
    types: BTreeMap<u32, u32>,
}

impl Stores {
    fn read(words: &[u32]) -> Self {
        let (mut classes, mut types) = (BTreeMap::new(), BTreeMap::new());
        for (at, op, length) in instructions(words) {
            if op == Op::TypePointer as u32 && length == 4 {
                classes.insert(words[at + 1], words[at + 2]);
            }
            let makes = [Op::Variable, Op::AccessChain, Op::InBoundsAccessChain, Op::PtrAccessChain, Op::ConvertUToPtr];
            if makes.iter().any(|it| *it as u32 == op) && length > 2 {
                types.insert(words[at + 2], words[at + 1]);
            }
        }
        Self { classes, types }
    }

    /// Whether an instruction writes such memory.
    fn is_store(&self, op: u32, instruction: &[u32]) -> bool {
        let seen = [
            StorageClass::StorageBuffer,
            StorageClass::Uniform,
            StorageClass::Output,
            StorageClass::PhysicalStorageBuffer,
        ];
        let is_seen = |pointer: &u32| {
            let class = self.types.get(pointer).and_then(|ty| self.classes.get(ty));
            class.is_some_and(|class| seen.iter().any(|it| *it as u32 == *class))
        };
        match op {
            op if op == Op::Store as u32 => instruction.get(1).is_some_and(is_seen),
            op => op == Op::ImageWrite as u32 || (Op::AtomicStore as u32..=Op::AtomicXor as u32).contains(&op),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A store before a branch, and one in each of two blocks, one of which is not reached.
    const TEXT: &str = "
        OpCapability Shader
        OpMemoryModel Logical GLSL450
        OpEntryPoint GLCompute %main \"main\" %out
        OpExecutionMode %main LocalSize 1 1 1
        OpDecorate %block Block
        OpMemberDecorate %block 0 Offset 0
        OpDecorate %out DescriptorSet 0
        OpDecorate %out Binding 0
        %void = OpTypeVoid
        %bool = OpTypeBool
        %float = OpTypeFloat 32
        %block = OpTypeStruct %float
        %to_block = OpTypePointer StorageBuffer %block
        %to_float = OpTypePointer StorageBuffer %float
        %int = OpTypeInt 32 1
        %zero = OpConstant %int 0
        %one = OpConstant %float 1
        %yes = OpConstantTrue %bool
        %function = OpTypeFunction %void
        %out = OpVariable %to_block StorageBuffer
        %main = OpFunction %void None %function
        %first = OpLabel
        %p = OpAccessChain %to_float %out %zero
        OpStore %p %one
        OpSelectionMerge %end None
        OpBranchConditional %yes %then %end
        %then = OpLabel
        OpStore %p %one
        OpStore %p %one
        OpBranch %end
        %end = OpLabel
        OpReturn
        OpFunctionEnd";

    #[test]
    fn a_module_with_counters_is_valid_and_knows_its_stores() {
        use spirv_tools::TargetEnv;
        use spirv_tools::assembler::{self, Assembler as _};
        use spirv_tools::val::{self, Validator as _};
        let assembler = assembler::create(Some(TargetEnv::Vulkan_1_3));
        let words = AsRef::<[u32]>::as_ref(&assembler.assemble(TEXT, Default::default()).unwrap()).to_vec();
        let mut blocks = vec![7];
        let counting = with_counters(&words, (0, 9), &mut blocks).unwrap();
        assert_eq!(blocks, [7, 1, 2, 0]);
        val::create(Some(TargetEnv::Vulkan_1_3)).validate(&counting, None).unwrap();
        assert!(with_counters(&words[..3], (0, 9), &mut blocks).is_none());
    }
}
