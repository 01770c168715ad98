//! Rows of constant buffers, sixteen bytes each.
//!
//! A constant buffer is rows in a uniform block, a read-only storage buffer or memory at an address
//! ([`row_block`]), or it is root constants: words of a block that others share. Rows past the end
//! read as zero: the driver's robustness sees to that for descriptors, and a check here for root
//! constants. D3D12 checks no bounds at addresses.

use rspirv::spirv::{GlslStd450Op, Op, StorageClass};

use super::row_block::{self, LoadedRow};
use crate::analysis::entry::RootStorage;
use crate::analysis::handles::Handle;
use crate::binding::plan::{DescriptorType, HeapDescriptors, Location};
use crate::lower::cx::{Code, FunctionCx};
use crate::lower::numbers::index;
use crate::lower::resources::{handle, root};
use dxil_base::error::Result;
use dxil_spirv_builder::Id;

/// Loads a row. `read` is a mask of the words that the program uses.
///
/// # Errors
/// `Binding` and `Unsupported` for a place that a constant buffer cannot have, or not yet.
pub fn load(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    handle: Handle,
    row: Id,
    read: u32,
) -> Result<LoadedRow> {
    if let Some(constants) = constants(cx, handle)? {
        return load_constants(cx, code, constants, row, read).map(LoadedRow::Words);
    }
    match handle::location(cx.input, handle.resource)? {
        Location::Descriptor(place) | Location::Heap(HeapDescriptors { descriptor: place, .. }) => {
            let class = match place.ty {
                DescriptorType::UniformBuffer
                | DescriptorType::UniformBufferDynamic
                | DescriptorType::InlineUniformBlock => StorageClass::Uniform,
                DescriptorType::StorageBuffer | DescriptorType::StorageBufferDynamic => StorageClass::StorageBuffer,
                ty => {
                    let resource = handle::declaration(cx.input, handle);
                    return Err(unsupported!(resource.place(), "{resource} in a descriptor of type {ty}"));
                }
            };
            row_block::load(cx, code, handle, class, row)
        }
        // The other places are memory that is reached through a pointer.
        _ => row_block::load(cx, code, handle, StorageClass::StorageBuffer, row),
    }
}

/// Root constants: a part of a block.
#[derive(Clone, Copy)]
pub struct RootConstants {
    /// The block.
    pub source: RootStorage,
    /// First byte in the block.
    pub offset: u32,
    /// The number of words.
    pub words: u32,
}

/// The root constants that a constant buffer is; `None` for a constant buffer in memory of its own.
///
/// # Errors
/// `Binding` where the plan has no place for it.
pub fn constants(cx: &FunctionCx<'_, '_>, handle: Handle) -> Result<Option<RootConstants>> {
    let (source, offset, size) = match handle::location(cx.input, handle.resource)? {
        Location::Push { offset, size } => (RootStorage::Push, offset, size),
        Location::Inline { block, offset, size } => (RootStorage::Block(block.set, block.binding), offset, size),
        Location::InlineAddress { address, offset, size } => (RootStorage::Address(address), offset, size),
        Location::Record { offset, size } => (RootStorage::Record, offset, size),
        _ => return Ok(None),
    };
    Ok(Some(RootConstants { source, offset, words: size / 4 }))
}

impl RootConstants {
    /// The word that a number selects; zero past the end.
    ///
    /// # Errors
    /// As [`root::word`].
    pub fn word(&self, cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, at: Id) -> Result<Id> {
        let (word, zero) = (code.type_u32(), code.const_u32(0));
        match code.constant_u32(at) {
            Some(at) if at >= self.words => Ok(zero),
            Some(at) => root::word(cx, code, self.source, self.offset.saturating_add(at * 4)),
            None => {
                let (bool_ty, words) = (code.type_bool(), code.const_u32(self.words));
                let inside = code.binary(Op::ULessThan, bool_ty, at, words);
                let safe = code.select(word, inside, at, zero);
                let value = root::indexed(cx, code, self.source, self.offset, safe)?;
                Ok(code.select(word, inside, value, zero))
            }
        }
    }
}

/// Loads the words of a mask of a row of root constants.
fn load_constants(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    constants: RootConstants,
    row: Id,
    read: u32,
) -> Result<[Id; 4]> {
    // Four times a huge row number must not wrap into the block. A row past the end is one of
    // zeros.
    let past = constants.words.div_ceil(4);
    let row = match code.constant_u32(row) {
        Some(number) => code.const_u32(number.min(past)),
        None => {
            let (word, past) = (code.type_u32(), code.const_u32(past));
            code.glsl(GlslStd450Op::UMin, word, &[row, past])
        }
    };
    let first = index::scaled(code, row, 4);
    let mut words = [code.const_u32(0); 4];
    for (n, slot) in (0u32..).zip(words.iter_mut()).filter(|(n, _)| read >> n & 1 != 0) {
        let at = index::add(code, first, n);
        *slot = constants.word(cx, code, at)?;
    }
    Ok(words)
}
