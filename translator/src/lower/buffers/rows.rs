//! Rows of constant buffers, sixteen bytes each.
//!
//! A constant buffer is an array of rows in a uniform block, a read-only storage buffer or memory at an
//! address, or it is root constants: words of a block that others share. Rows past the end read as zero:
//! the driver's robustness sees to that for descriptors, and a check here for root constants. D3D12
//! checks no bounds at addresses.

use rspirv::spirv::{GlslStd450Op, Op, StorageClass};

use super::block::{Block, Declaration};
use crate::binding::plan::{DescriptorType, HeapDescriptors, Location, Root};
use crate::dxil::handles::Handle;
use crate::error::Result;
use crate::lower::cx::{Code, FunctionCx};
use crate::lower::facts::Source;
use crate::lower::resources::{handle, root};
use crate::spirv::{Id, Member};

/// Bytes of a row.
pub const ROW: u32 = 16;

/// The number of a row past the end of every constant buffer: D3D's have at most so many rows (D3D11.3
/// functional specification, "Constant Buffers").
const ROWS: u32 = 4096;

/// Loads a row as a vector of four words.
///
/// # Errors
/// `Binding` and `Unsupported` for a place that a constant buffer cannot have, or not yet.
pub fn load(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, handle: Handle, row: Id) -> Result<Id> {
    match handle::location(cx, handle.resource)? {
        Location::Push { offset, size } => of_constants(cx, code, Source::Push, (offset, size), row),
        Location::Inline { block, offset, size } => {
            of_constants(cx, code, Source::Block(block.set, block.binding), (offset, size), row)
        }
        Location::InlineAddress { address: Root::Push(at), offset, size } => {
            of_constants(cx, code, Source::Address(at), (offset, size), row)
        }
        Location::Descriptor(place) | Location::Heap(HeapDescriptors { descriptor: place, .. }) => {
            let class = match place.ty {
                DescriptorType::UniformBuffer
                | DescriptorType::UniformBufferDynamic
                | DescriptorType::InlineUniformBlock => StorageClass::Uniform,
                DescriptorType::StorageBuffer | DescriptorType::StorageBufferDynamic => StorageClass::StorageBuffer,
                ty => {
                    let resource = handle::declaration(cx, handle);
                    return Err(unsupported!(resource.place(), "{resource} in a descriptor of type {ty}"));
                }
            };
            in_block(cx, code, handle, class, row)
        }
        // The other places are memory that is reached through a pointer.
        _ => in_block(cx, code, handle, StorageClass::StorageBuffer, row),
    }
}

/// Loads a row from a block of rows.
fn in_block(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    handle: Handle,
    class: StorageClass,
    row: Id,
) -> Result<Id> {
    let word = code.type_u32();
    let row_ty = code.type_vector(word, 4);
    let (array, non_writable) = if class == StorageClass::Uniform {
        let size = handle::declaration(cx, handle).size;
        let most = code.caps.max_uniform_buffer_range() / ROW;
        (code.type_array(row_ty, size.div_ceil(ROW).min(most).max(1), Some(ROW)), false)
    } else {
        (code.type_runtime_array(row_ty, Some(ROW)), true)
    };
    let member = Member { non_writable, ..Member::at(array, 0) };
    let declaration = Declaration { class, member, which: 0, aligned: ROW };
    let block = Block::open(cx, code, handle, &declaration, |_, _, _| {})?;
    let word = code.type_u32();
    let (row_ty, zero) = (code.type_vector(word, 4), code.const_u32(0));
    // A driver checks the byte offset of a row, which wraps at 2^32: the offset of a row far out would
    // be one at the start of the buffer.
    let last = code.const_u32(ROWS);
    let row = match code.constant_u32(row) {
        _ if !block.is_bounded() => row,
        Some(number) if number <= ROWS => row,
        Some(_) => last,
        None => code.glsl(GlslStd450Op::UMin, word, &[row, last]),
    };
    let pointer = block.part(code, row_ty, &[zero, row]);
    Ok(block.load(code, pointer))
}

/// Loads a row of root constants, which are `size` bytes of a block from byte `offset` on.
fn of_constants(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    source: Source,
    (offset, size): (u32, u32),
    row: Id,
) -> Result<Id> {
    let words = size / 4;
    let (word, bool_ty, zero) = (code.type_u32(), code.type_bool(), code.const_u32(0));
    let vector = code.type_vector(word, 4);
    let mut components = [zero; 4];
    if let Some(row) = code.constant_u32(row) {
        for (slot, n) in components.iter_mut().zip(u64::from(row) * 4..) {
            if n < u64::from(words) {
                *slot = root::word(cx, code, source, offset.saturating_add(n as u32 * 4))?;
            }
        }
        return Ok(code.construct(vector, &components));
    }
    let four = code.const_u32(4);
    // Four times a huge row number must not wrap into the block.
    let rows = code.const_u32(words.div_ceil(4));
    let row_inside = code.binary(Op::ULessThan, bool_ty, row, rows);
    let base = code.binary(Op::IMul, word, row, four);
    for (slot, n) in components.iter_mut().zip(0u32..) {
        let (n, limit) = (code.const_u32(n), code.const_u32(words));
        let at = code.binary(Op::IAdd, word, base, n);
        let below = code.binary(Op::ULessThan, bool_ty, at, limit);
        let inside = code.binary(Op::LogicalAnd, bool_ty, row_inside, below);
        let safe = code.select(word, inside, at, zero);
        let value = root::indexed(cx, code, source, offset, safe)?;
        *slot = code.select(word, inside, value, zero);
    }
    Ok(code.construct(vector, &components))
}
