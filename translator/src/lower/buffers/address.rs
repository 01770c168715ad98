//! Where an access to an array of words starts, and whether it is within bounds.
//!
//! Bounds are D3D's: byte-address buffers per component, structured buffers per element. The driver
//! sees to them where `robustBufferAccess2` is enabled (bounds of a byte-address buffer are then
//! those of the descriptor's range, per word); else the checks are emitted.

use rspirv::spirv::Op;

use super::words;
use super::words::Words;
use crate::dxil::consts::ResourceKind;
use crate::dxil::ir::Value;
use crate::error::Result;
use crate::lower::cx::{Code, FunctionCx};
use crate::lower::numbers::index;
use crate::lower::resources::{bounds, handle};
use crate::spirv::Id;

/// Where an access starts.
pub struct Address {
    /// First word.
    pub word: Id,
    /// Whether the element is there, for structured buffers whose bounds the shader checks.
    pub inside: Option<Id>,
    /// Words in the buffer, for byte-address buffers whose bounds the shader checks.
    pub length: Option<Id>,
}

/// `index` is a byte offset in a byte-address buffer; in a structured one an element, in which `offset` counts bytes.
pub fn address(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    buffer: Value,
    words: &Words<'_>,
    index: Value,
    offset: Value,
) -> Result<Address> {
    let resource = handle::declaration(cx, handle::resolve(cx, buffer)?);
    let bytes = words.width() / 8;
    let index = cx.value(code, index)?;
    let checked = !bounds::driver_bounds_buffers(cx, &code.caps);
    let mut address = Address { word: index, inside: None, length: None };
    let ty = code.type_u32();
    if resource.kind != ResourceKind::StructuredBuffer {
        // Offsets are multiples of the component's size; what D3D does with others is undefined.
        address.word = index::shifted(code, index, bytes);
        if checked {
            address.length = Some(words::length(code, words)?);
        }
        return Ok(address);
    }
    let stride = resource.size;
    if stride == 0 {
        return Err(malformed!(resource.place(), "{resource} has elements of no bytes"));
    }
    // Where the driver checks, it checks the offset, after the product: an element number so large that the product wraps would land
    // inside. Such numbers become the largest whose element ends below 2^32 bytes, which no buffer has (D3D11.3, "ld_structured":
    // an element out of range reads as zero).
    let index = if checked || stride <= bytes { index } else { index::last_element(code, index, stride) };
    let start = if stride.is_multiple_of(bytes) {
        index::scaled(code, index, stride / bytes)
    } else {
        let start = index::scaled(code, index, stride);
        index::shifted(code, start, bytes)
    };
    address.word = if cx.is_undef(offset) {
        start
    } else if let Some(offset) = cx.const_uint(offset) {
        index::add(code, start, offset as u32 / bytes)
    } else {
        let offset = cx.value(code, offset)?;
        let offset = index::shifted(code, offset, bytes);
        code.binary(Op::IAdd, ty, start, offset)
    };
    if checked {
        let length = words::length(code, words)?;
        let length = index::scaled(code, length, bytes);
        let (stride, bool_ty) = (code.const_u32(stride), code.type_bool());
        let elements = code.binary(Op::UDiv, ty, length, stride);
        address.inside = Some(code.binary(Op::ULessThan, bool_ty, index, elements));
    }
    Ok(address)
}

/// Runs `access` where the words `at..at + count` are within bounds, else gives `otherwise`.
pub fn guarded_load(
    code: &mut Code<'_, '_>,
    address: &Address,
    at: Id,
    count: u32,
    ty: Id,
    access: impl FnOnce(&mut Code<'_, '_>) -> Result<Id>,
) -> Result<Id> {
    match inside(code, address, at, count) {
        None => access(code),
        Some(inside) => {
            let zero = code.const_null(ty);
            code.if_value(ty, inside, zero, access)
        }
    }
}

/// The condition for words `at..at + count`, `None` where the driver answers for it.
pub fn inside(code: &mut Code<'_, '_>, address: &Address, at: Id, count: u32) -> Option<Id> {
    if let Some(inside) = address.inside {
        return Some(inside);
    }
    let length = address.length?;
    let bool_ty = code.type_bool();
    // A byte offset divided by the word's size is far from overflowing.
    let last = index::add(code, at, count - 1);
    Some(code.binary(Op::ULessThan, bool_ty, last, length))
}
