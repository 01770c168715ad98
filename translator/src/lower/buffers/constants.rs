//! Constant buffers by byte offset: an access is one word, or two for 64 bits.
//!
//! In: a handle, and the number of a word. Out: the word. What must hold: a word past the end is
//! zero, as in rows ([`rows`]). A uniform buffer is an array of words where the device's layout of
//! uniform buffers has such arrays (Vulkan, «Offset and Stride Assignment»); otherwise it is rows,
//! and the word is taken out of its row.

use rspirv::spirv::{GlslStd450Op, Op, StorageClass};

use super::block::{Declaration, MemoryBlock};
use super::rows;
use crate::analysis::handles::Handle;
use crate::binding::plan::{Descriptor, HeapDescriptors, Location};
use crate::lower::cx::{Code, FunctionCx};
use crate::lower::resources::handle;
use dxil_base::error::Result;
use dxil_spirv_builder::{Id, Member, Module};

/// Bytes of a word.
const WORD: u32 = 4;

/// The words of the largest constant buffer (D3D11.3 functional specification, "Constant Buffers").
const WORDS: u32 = 4096 * 4;

/// The number of this form among a buffer's declarations. That of rows is 0.
const BY_WORDS: u32 = 1;

/// Loads the word that `at` selects.
///
/// # Errors
/// `Binding` and `Unsupported` for a place that a constant buffer cannot have, or not yet.
pub fn word(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, handle: Handle, at: Id) -> Result<Id> {
    if let Some(constants) = rows::constants(cx, handle)? {
        return constants.word(cx, code, at);
    }
    let class = match handle::location(cx.input, handle.resource)? {
        Location::Descriptor(place) | Location::Heap(HeapDescriptors { descriptor: place, .. }) => class(place),
        _ => StorageClass::StorageBuffer,
    };
    if class == StorageClass::Uniform && !code.caps.has_uniform_word_arrays() {
        return load_component(cx, code, handle, at);
    }
    let word = code.type_u32();
    let members = |cx: &mut FunctionCx<'_, '_>, module: &mut Module<'_>| {
        let (array, non_writable) = if class == StorageClass::Uniform {
            let size = handle::declaration(cx.input, handle).size;
            let most = module.caps.max_uniform_buffer_range() / WORD;
            (module.type_array(word, size.div_ceil(WORD).min(most).max(1), Some(WORD)), false)
        } else {
            (module.type_runtime_array(word, Some(WORD)), true)
        };
        vec![Member { non_writable, ..Member::at(array, 0) }]
    };
    let declaration = Declaration { class, which: BY_WORDS, aligned: WORD };
    let block = MemoryBlock::open(cx, code, handle, &declaration, members, |_, _, _| {})?;
    let at = match code.constant_u32(at) {
        _ if !block.is_bounded() => at,
        Some(number) => code.const_u32(number.min(WORDS)),
        None => {
            // A driver checks the byte offset, which wraps at 2^32.
            let past = code.const_u32(WORDS);
            code.glsl(GlslStd450Op::UMin, word, &[at, past])
        }
    };
    let zero = code.const_u32(0);
    let pointer = block.part(code, word, &[zero, at]);
    Ok(block.load_constant(code, pointer))
}

/// The storage class of a constant buffer's descriptor.
fn class(place: Descriptor) -> StorageClass {
    if place.ty.is_storage_buffer() { StorageClass::StorageBuffer } else { StorageClass::Uniform }
}

/// The word as a component of its row.
fn load_component(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, handle: Handle, at: Id) -> Result<Id> {
    let word = code.type_u32();
    let (row, component) = match code.constant_u32(at) {
        Some(at) => (code.const_u32(at / 4), Some(at % 4)),
        None => {
            let two = code.const_u32(2);
            (code.binary(Op::ShiftRightLogical, word, at, two), None)
        }
    };
    let row = rows::load(cx, code, handle, row, 0xf)?.vector(code);
    Ok(match component {
        Some(component) => code.component(row, component),
        None => {
            let three = code.const_u32(3);
            let number = code.binary(Op::BitwiseAnd, word, at, three);
            code.op(Op::VectorExtractDynamic, word, &[row, number])
        }
    })
}
