//! Root arguments: words of the push-constant block, of the uniform block or buffer with root
//! constants that do not fit there, and of the shader record.
//!
//! In: a block, and a byte in it. Out: loaded words. What must hold: the blocks are declared as the
//! analysis says ([`RootBlock`]), and an access touches no byte outside the part that it names.

use std::rc::Rc;

use rspirv::spirv::{Op, StorageClass};

use crate::analysis::entry::{RootBlock, RootPartForm, RootStorage};
use crate::binding::plan::Root;
use crate::lower::cx::{Code, Declared, FunctionCx};
use crate::lower::numbers::index;
use crate::lower::resources::declare;
use dxil_base::error::Result;
use dxil_spirv_builder::{Id, Member, MemoryAccess, Module, StructKind};

/// Bytes of a row of a uniform block without the layout of arrays of words.
const ROW: u32 = 16;

/// Bytes of a word, and the alignment of a buffer of root constants.
const WORD: u32 = 4;

/// The word at a byte of a block.
///
/// # Errors
/// `Binding` for a byte that no resource of the plan has.
pub fn word(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, source: RootStorage, offset: u32) -> Result<Id> {
    let zero = code.const_u32(0);
    indexed(cx, code, source, offset, zero)
}

/// The word that `index`, a number of words, selects in the part of a block that has a byte. The
/// index counts from that byte on.
///
/// # Errors
/// As [`word`]; `Binding` for an index that is not constant in a part that is not an array.
pub fn indexed(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    source: RootStorage,
    offset: u32,
    index: Id,
) -> Result<Id> {
    let word = code.type_u32();
    // A constant index is a part of the offset, and the word may be a member of its own.
    let (offset, index) = match code.constant_u32(index) {
        Some(number) => (offset.saturating_add(number.saturating_mul(4)), None),
        None => (offset, Some(index)),
    };
    let RootMemory { pointer, block, access } = open(cx, code, source)?;
    let Some(part) = block.part(offset) else {
        return Err(binding_error!(
            cx.entry.place,
            "the binding plan has no root argument at byte {offset} of its block"
        ));
    };
    let number = (offset - part.offset) / 4;
    let computed = |code: &mut Code<'_, '_>, first: u32| match index {
        Some(index) => index::add(code, index, first),
        None => code.const_u32(first),
    };
    let chain = if has_rows(code, &block) {
        let at = computed(code, offset / 4);
        let (two, three) = (code.const_u32(2), code.const_u32(3));
        let (row, component) = match code.constant_u32(at) {
            Some(at) => (code.const_u32(at / 4), code.const_u32(at % 4)),
            None => (code.binary(Op::ShiftRightLogical, word, at, two), code.binary(Op::BitwiseAnd, word, at, three)),
        };
        vec![code.const_u32(0), row, component]
    } else {
        match (part.form, index) {
            (RootPartForm::Words, None) => vec![code.const_u32(part.member + number)],
            // The analysis makes an array of root constants with a computed index, if they have
            // space.
            (RootPartForm::Words, Some(_)) => {
                return Err(binding_error!(
                    cx.entry.place,
                    "the binding plan has another root argument at byte {offset} of its block, where it has no space for \
                     root constants with a computed index"
                ));
            }
            (RootPartForm::Array | RootPartForm::Address, _) => {
                vec![code.const_u32(part.member), computed(code, number)]
            }
        }
    };
    let pointer = code.access_chain(word, pointer, &chain);
    Ok(code.load_constant(pointer, access))
}

/// The address that is a root argument, as a vector of two words.
///
/// # Errors
/// As [`word`].
pub fn address(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, root: Root) -> Result<Id> {
    let (source, offset) = RootStorage::from_root(root);
    let word_ty = code.type_u32();
    let pair = code.type_vector(word_ty, 2);
    let RootMemory { pointer, block, .. } = open(cx, code, source)?;
    match block.part(offset) {
        Some(part) if part.form == RootPartForm::Address && !has_rows(code, &block) => {
            let member = code.const_u32(part.member);
            let pointer = code.access_chain(pair, pointer, &[member]);
            Ok(code.load_constant(pointer, MemoryAccess::default()))
        }
        _ => {
            let low = word(cx, code, source, offset)?;
            let high = word(cx, code, source, offset.saturating_add(4))?;
            Ok(code.construct(pair, &[low, high]))
        }
    }
}

/// A block in memory.
struct RootMemory {
    pointer: Id,
    block: Rc<RootBlock>,
    /// How loads access the block.
    access: MemoryAccess,
}

fn open(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, source: RootStorage) -> Result<RootMemory> {
    let Some(block) = cx.input.analysis.roots.get(&source).cloned() else {
        return Err(binding_error!(cx.entry.place, "the binding plan has no block of root arguments"));
    };
    let what = match source {
        RootStorage::Push => Declared::PushConstants,
        RootStorage::Record if !cx.input.entry.stage.is_rays() => {
            let stage = cx.input.entry.stage;
            return Err(binding_error!(
                cx.entry.place,
                "the binding plan has a place in the shader record for a {stage} shader, but only the shaders of \
                 ray-tracing pipelines have shader records"
            ));
        }
        RootStorage::Record => Declared::ShaderRecord,
        RootStorage::Block(set, binding) => Declared::RootBlock(set, binding),
        RootStorage::Address(at) => {
            let address = address(cx, code, at)?;
            let content = match cx.entry.buffers.root_contents.get(&source) {
                Some(&known) => known,
                None => {
                    let made = content(code, &block, true);
                    cx.entry.buffers.root_contents.insert(source, made);
                    made
                }
            };
            let access = MemoryAccess { aligned: Some(WORD), ..MemoryAccess::default() };
            return Ok(RootMemory { pointer: code.at_address(content, address)?, block, access });
        }
    };
    let pointer = cx.entry.declare(code, what, |cx, module| {
        let id = match block.descriptor {
            None => {
                let content = content(module, &block, false);
                let record = source == RootStorage::Record;
                let class = if record { StorageClass::ShaderRecordBufferKHR } else { StorageClass::PushConstant };
                module.variable(class, content, None)?
            }
            Some(descriptor) => {
                let storage = descriptor.ty.is_storage_buffer();
                let class = if storage { StorageClass::StorageBuffer } else { StorageClass::Uniform };
                let content = content(module, &block, storage);
                declare::variable(cx, module, class, content, descriptor, "")?
            }
        };
        module.name(id, if source == RootStorage::Record { "shader_record" } else { "root_constants" });
        Ok(id)
    })?;
    Ok(RootMemory { pointer, block, access: MemoryAccess::default() })
}

/// The structure of a block.
fn content(module: &mut Module<'_>, block: &RootBlock, non_writable: bool) -> Id {
    let members = members(module, block).into_iter().map(|member| Member { non_writable, ..member });
    let members: Vec<Member> = members.collect();
    module.type_struct(StructKind::Block, &members)
}

/// The members of a block.
fn members(module: &mut Module<'_>, block: &RootBlock) -> Vec<Member> {
    let word = module.type_u32();
    if has_rows(module, block) {
        let end = block.parts.last().map_or(0, |part| part.offset.saturating_add(part.size));
        let row = module.type_vector(word, 4);
        let rows = module.type_array(row, end.div_ceil(ROW).max(1), Some(ROW));
        return vec![Member::at(rows, 0)];
    }
    let mut members = Vec::new();
    for part in &block.parts {
        match part.form {
            RootPartForm::Words => members.extend((0..part.size / 4).map(|n| Member::at(word, part.offset + n * 4))),
            RootPartForm::Array => {
                let array = module.type_array(word, part.size / 4, Some(4));
                members.push(Member::at(array, part.offset));
            }
            RootPartForm::Address => members.push(Member::at(module.type_vector(word, 2), part.offset)),
        }
    }
    members
}

/// Whether a block is an array of rows: where it needs an array, and arrays in uniform buffers must
/// have elements of sixteen bytes (Vulkan, «Offset and Stride Assignment»).
fn has_rows(module: &Module<'_>, block: &RootBlock) -> bool {
    let uniform = block.descriptor.is_some_and(|place| !place.ty.is_storage_buffer());
    uniform && block.parts.iter().any(|part| part.form == RootPartForm::Array) && !module.caps.has_uniform_word_arrays()
}
