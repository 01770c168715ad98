//! Loads and stores of typed, raw and structured buffers.
//!
//! A raw or structured buffer is an array of words ([`words`]). Structured buffers whose accesses
//! show members are arrays of those ([`structured`]). Byte-address buffers are words always: a
//! vector across the end is read in part (D3D11.3, "ld_raw"), while Vulkan lets a driver take an
//! object that is not wholly in range for out of bounds as a whole, with `robustBufferAccess2` as
//! well: it may check words of 32 bits, and need not (Vulkan, `robustBufferAccess`).

use rspirv::spirv::Op;

use super::address::Address;
use super::structured::{Components, Elements};
use super::{address, component, structured, words};
use crate::binding::plan::DescriptorType;
use crate::dxil::consts::ResourceKind;
use crate::dxil::ir::Value;
use crate::dxil::ops::args;
use crate::error::Result;
use crate::lower::cx::{Call, Code, FunctionCx, Lowered};
use crate::lower::images::{texel, texture};
use crate::lower::numbers::index;
use crate::lower::resources::{bounds, handle};
use crate::spirv::Id;

pub fn load(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::BufferLoad,
) -> Result<Lowered> {
    let handle = handle::resolve(cx, args.srv)?;
    let in_storage = |ty| matches!(ty, DescriptorType::StorageBuffer | DescriptorType::StorageBufferDynamic);
    if handle::declaration(cx, handle).kind == ResourceKind::TBuffer
        && in_storage(handle::descriptor(cx, handle.resource)?.ty)
    {
        return load_row(cx, code, call, args.srv, args.index);
    }
    if is_typed(cx, args.srv)? {
        return texture::typed_buffer_load(cx, code, call, args.srv, args.index);
    }
    load_raw(cx, code, call, args.srv, args.index, args.offset, 0xf)
}

pub fn raw_load(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::RawBufferLoad,
) -> Result<Lowered> {
    let mask = cx.immediate(args.mask)?;
    load_raw(cx, code, call, args.srv, args.index, args.element_offset, mask)
}

pub fn store(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::BufferStore,
) -> Result<Lowered> {
    let values = [args.value0, args.value1, args.value2, args.value3];
    if is_typed(cx, args.uav)? {
        return texture::typed_buffer_store(cx, code, call, args.uav, args.index, values, args.mask);
    }
    let mask = cx.immediate(args.mask)?;
    store_raw(cx, code, call, args.uav, args.index, args.offset, values, mask)
}

pub fn raw_store(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::RawBufferStore,
) -> Result<Lowered> {
    let values = [args.value0, args.value1, args.value2, args.value3];
    let mask = cx.immediate(args.mask)?;
    store_raw(cx, code, call, args.uav, args.index, args.element_offset, values, mask)
}

fn is_typed(cx: &FunctionCx<'_, '_>, buffer: Value) -> Result<bool> {
    Ok(handle::declaration(cx, handle::resolve(cx, buffer)?).kind.is_typed())
}

/// Bytes of a byte-address buffer, elements of a structured one.
pub(super) fn size(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, buffer: Value) -> Result<Id> {
    if let Some(elements) = structured::elements(cx, code, buffer)? {
        return Ok(elements.length(code));
    }
    let resource = handle::declaration(cx, handle::resolve(cx, buffer)?);
    let word = code.type_u32();
    let words = words::of(cx, code, buffer, word)?;
    let length = words::length(code, &words)?;
    let (word, four) = (code.type_u32(), code.const_u32(4));
    let bytes = code.binary(Op::IMul, word, length, four);
    match resource.kind {
        ResourceKind::StructuredBuffer if resource.size != 0 => {
            let stride = code.const_u32(resource.size);
            Ok(code.binary(Op::UDiv, word, bytes, stride))
        }
        _ => Ok(bytes),
    }
}

/// The first word of an access to an element with members.
fn first_word(cx: &FunctionCx<'_, '_>, elements: &Elements, offset: Value) -> u32 {
    cx.const_uint(offset).unwrap_or_default() as u32 / elements.element.word
}

/// Pointer to the component at an address, for atomics, and the condition under which it may be touched where that is checked here.
pub fn target(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    buffer: Value,
    component: Id,
    index: Value,
    offset: Value,
) -> Result<(Id, Option<Id>)> {
    if let Some(elements) = structured::elements(cx, code, buffer)? {
        return structured::target(cx, code, &elements, index, first_word(cx, &elements, offset));
    }
    let words = words::for_atomics(cx, code, buffer, component)?;
    let address = address::address(cx, code, buffer, &words, index, offset)?;
    let inside = address::inside(code, &address, address.word, 1);
    Ok((words::pointer(code, &words, address.word)?, inside))
}

/// A row of a `tbuffer` in a storage buffer: four words, zero past the end.
fn load_row(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    buffer: Value,
    index: Value,
) -> Result<Lowered> {
    const ROW: u32 = 16;
    let overload = texel::overload(cx, call)?;
    if cx.program.module.types.scalar_bits(overload) != Some(32) {
        return Err(unsupported!(call.place, "a row of a tbuffer by components that are not of 32 bits"));
    }
    let ty = cx.ty(code, overload)?;
    let words = words::of(cx, code, buffer, ty)?;
    let index = cx.value(code, index)?;
    let index = index::last_element(code, index, ROW);
    let length = if bounds::driver_bounds_buffers(cx, &code.caps) { None } else { Some(words::length(code, &words)?) };
    let address = Address { word: index::scaled(code, index, ROW / 4), inside: None, length };
    let mut leaves = [code.const_u32(0); 5];
    for (n, leaf) in (0u32..4).zip(leaves.iter_mut()) {
        let at = index::add(code, address.word, n);
        *leaf = address::guarded_load(code, &address, at, 1, ty, |code| {
            let word = words::load_word(code, &words, at)?;
            Ok(code.bitcast(ty, word))
        })?;
    }
    Ok(cx.parts(&leaves))
}

fn load_raw(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    buffer: Value,
    index: Value,
    offset: Value,
    mask: u32,
) -> Result<Lowered> {
    let overload = texel::overload(cx, call)?;
    let count = component::words_of(cx, overload)?;
    let ty = cx.ty(code, overload)?;
    if let Some(elements) = structured::elements(cx, code, buffer)? {
        let read =
            (0..4).filter(|&n| mask >> n & 1 != 0 && cx.is_extracted(call.inst, n)).fold(0, |all, n| all | 1 << n);
        let (components, place) = (Components { ty, words: count }, (index, first_word(cx, &elements, offset)));
        return structured::load(cx, code, &elements, components, place, read);
    }
    let words = words::of(cx, code, buffer, ty)?;
    let address = address::address(cx, code, buffer, &words, index, offset)?;
    let mut leaves: [Option<Id>; 4] = [None; 4];
    for (n, leaf) in (0u32..).zip(leaves.iter_mut()) {
        if mask >> n & 1 == 0 || !cx.is_extracted(call.inst, n) {
            continue;
        }
        let at = index::add(code, address.word, n * count);
        let value = address::guarded_load(code, &address, at, count, ty, |code| {
            let low = words::load_word(code, &words, at)?;
            let whole = if count == 2 {
                let high = index::add(code, at, 1);
                let high = words::load_word(code, &words, high)?;
                let word = code.type_u32();
                let pair = code.type_vector(word, 2);
                code.construct(pair, &[low, high])
            } else {
                low
            };
            Ok(component::from_word(code, words.width(), ty, whole))
        })?;
        *leaf = Some(value);
    }
    // A buffer is never sparse here: its status says that all is there, and what nothing reads is zero.
    let none = code.const_null(ty);
    let status = code.const_u32(0);
    let [a, b, c, d] = leaves.map(|leaf| leaf.unwrap_or(none));
    Ok(cx.parts(&[a, b, c, d, status]))
}

#[expect(clippy::too_many_arguments, reason = "they are the operands of one operation")]
fn store_raw(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    buffer: Value,
    index: Value,
    offset: Value,
    values: [Value; 4],
    mask: u32,
) -> Result<Lowered> {
    let component = cx.type_of(values[0]);
    let count = component::words_of(cx, component)?;
    let component = cx.ty(code, component)?;
    let mut stored: [Option<Id>; 4] = [None; 4];
    for ((n, value), stored) in (0u32..).zip(values).zip(&mut stored) {
        if mask >> n & 1 == 0 {
            continue;
        }
        if cx.is_undef(value) {
            return Err(malformed!(call.place, "component {n} is stored and undefined"));
        }
        *stored = Some(cx.signed_value(code, value)?);
    }
    if let Some(elements) = structured::elements(cx, code, buffer)? {
        return structured::store(cx, code, &elements, count, (index, first_word(cx, &elements, offset)), stored);
    }
    let words = words::of(cx, code, buffer, component)?;
    let address = address::address(cx, code, buffer, &words, index, offset)?;
    for (n, value) in (0u32..).zip(stored) {
        let Some(value) = value else { continue };
        let at = index::add(code, address.word, n * count);
        let element = words.element(code);
        let access = |code: &mut Code<'_, '_>| {
            if count == 1 {
                let value = component::to_word(code, words.width(), element, value);
                return words::store_word(code, &words, at, value);
            }
            let pair_ty = code.type_vector(element, 2);
            let pair = code.bitcast(pair_ty, value);
            let (low, high) = (code.component(pair, 0), code.component(pair, 1));
            words::store_word(code, &words, at, low)?;
            let next = index::add(code, at, 1);
            words::store_word(code, &words, next, high)
        };
        match address::inside(code, &address, at, count) {
            Some(inside) => code.if_then(inside, access)?,
            None => access(code)?,
        }
    }
    Ok(Lowered::Nothing)
}
