//! Typed, raw and structured buffers, and the hidden counters of UAVs.
//!
//! A raw or structured buffer is an array of words ([`Words`]): 32 bits each, or 16 for 16-bit components; values of 64 bits
//! are two words. Structured buffers whose accesses show members are arrays of those (`elements.rs`, `structured.rs`). Byte-address buffers
//! are words always: a vector across the end is read in part (D3D11.3, "ld_raw"), while Vulkan lets a driver take an object that is not wholly
//! in range for out of bounds as a whole, with `robustBufferAccess2` as well: it may check words of 32 bits, and need not (Vulkan,
//! `robustBufferAccess`). Bounds are D3D's: byte-address buffers per component, structured buffers per element. The driver sees to
//! them where `robustBufferAccess2` is enabled (bounds of a byte-address buffer are then those of the descriptor's range, per
//! word); else the checks are emitted.

use rspirv::spirv::{Decoration, Dim, GlslStd450Op, MemorySemantics, Op, Scope};

use super::context::Context;
use super::resource::{Words, add};
use super::structured::{self, Components, Elements};
use super::{Call, Code, Lowered};
use super::{texel, texture};
use crate::binding::plan::DescriptorType;
use crate::dxil::consts::ResourceKind;
use crate::dxil::ir::{Type, TypeId, Value};
use crate::dxil::ops::args;
use crate::error::Result;
use crate::spirv::{Id, ImageOperands};

pub(super) fn load(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::BufferLoad,
) -> Result<Lowered> {
    let handle = cx.handle(args.srv)?;
    let in_storage = |ty| matches!(ty, DescriptorType::StorageBuffer | DescriptorType::StorageBufferDynamic);
    if cx.resource(handle).kind == ResourceKind::TBuffer && in_storage(cx.descriptor(handle.resource)?.ty) {
        return load_row(cx, code, call, args.srv, args.index);
    }
    if is_typed(cx, args.srv)? {
        return texture::typed_buffer_load(cx, code, call, args.srv, args.index);
    }
    load_raw(cx, code, call, args.srv, args.index, args.offset, 0xf)
}

pub(super) fn raw_load(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::RawBufferLoad,
) -> Result<Lowered> {
    let mask = cx.immediate(args.mask)?;
    load_raw(cx, code, call, args.srv, args.index, args.element_offset, mask)
}

pub(super) fn store(
    cx: &mut Context<'_>,
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

pub(super) fn raw_store(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::RawBufferStore,
) -> Result<Lowered> {
    let values = [args.value0, args.value1, args.value2, args.value3];
    let mask = cx.immediate(args.mask)?;
    store_raw(cx, code, call, args.uav, args.index, args.element_offset, values, mask)
}

pub(super) fn update_counter(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::BufferUpdateCounter,
) -> Result<Lowered> {
    let step = cx.immediate(args.inc)?;
    let counter = cx.counter(code, args.uav)?;
    let (word, one) = (code.type_u32(), code.const_u32(1));
    // D3D: IncrementCounter gives the value before, DecrementCounter the value after. `inc` is an i8, zero-extended.
    let (op, after) = match step {
        1 => (Op::AtomicIAdd, false),
        0xff => (Op::AtomicISub, true),
        _ => return Err(malformed!(call.place, "a counter updated by {step}")),
    };
    let before = code.atomic(op, word, counter, Scope::Device, MemorySemantics::RELAXED, &[one])?;
    Ok(Lowered::Id(if after { code.binary(Op::ISub, word, before, one) } else { before }))
}

fn is_typed(cx: &Context<'_>, buffer: Value) -> Result<bool> {
    Ok(cx.resource(cx.handle(buffer)?).kind.is_typed())
}

/// Bytes of a byte-address buffer, elements of a structured one.
pub(super) fn size(cx: &mut Context<'_>, code: &mut Code<'_, '_>, buffer: Value) -> Result<Id> {
    if let Some(elements) = cx.elements(code, buffer)? {
        return Ok(elements.length(code));
    }
    let resource = cx.resource(cx.handle(buffer)?);
    let word = code.type_u32();
    let words = cx.words(code, buffer, word)?;
    let length = length(code, &words)?;
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

/// Number of words.
fn length(code: &mut Code<'_, '_>, words: &Words<'_>) -> Result<Id> {
    let word = code.type_u32();
    match *words {
        Words::Block { block, non_uniform, .. } => {
            let length = code.op(Op::ArrayLength, word, &[block.word(), 0]);
            if non_uniform {
                code.mark_new(length, Decoration::NonUniform);
            }
            Ok(length)
        }
        Words::Texels(image) => code.image_query(Op::ImageQuerySize, word, image.value, None),
    }
}

/// Where an access starts.
struct Address {
    /// First word.
    word: Id,
    /// Whether the element is there, for structured buffers whose bounds the shader checks.
    inside: Option<Id>,
    /// Words in the buffer, for byte-address buffers whose bounds the shader checks.
    length: Option<Id>,
}

/// `index` is a byte offset in a byte-address buffer; in a structured one an element, in which `offset` counts bytes.
fn address(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    buffer: Value,
    words: &Words<'_>,
    index: Value,
    offset: Value,
) -> Result<Address> {
    let resource = cx.resource(cx.handle(buffer)?);
    let bytes = words.width() / 8;
    let index = cx.value(code, index)?;
    let checked = !cx.driver_bounds_buffers();
    let mut address = Address { word: index, inside: None, length: None };
    let ty = code.type_u32();
    if resource.kind != ResourceKind::StructuredBuffer {
        // Offsets are multiples of the component's size; what D3D does with others is undefined.
        address.word = shifted(code, index, bytes);
        if checked {
            address.length = Some(length(code, words)?);
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
    let index = if checked || stride <= bytes { index } else { last_element(code, index, stride) };
    let start = if stride.is_multiple_of(bytes) {
        scaled(code, index, stride / bytes)
    } else {
        let start = scaled(code, index, stride);
        shifted(code, start, bytes)
    };
    address.word = if cx.is_undef(offset) {
        start
    } else if let Some(offset) = cx.const_uint(offset) {
        add(code, start, offset as u32 / bytes)
    } else {
        let offset = cx.value(code, offset)?;
        let offset = shifted(code, offset, bytes);
        code.binary(Op::IAdd, ty, start, offset)
    };
    if checked {
        let length = length(code, words)?;
        let length = scaled(code, length, bytes);
        let (stride, bool_ty) = (code.const_u32(stride), code.type_bool());
        let elements = code.binary(Op::UDiv, ty, length, stride);
        address.inside = Some(code.binary(Op::ULessThan, bool_ty, index, elements));
    }
    Ok(address)
}

/// The first word of an access to an element with members.
fn first_word(cx: &Context<'_>, elements: &Elements, offset: Value) -> u32 {
    cx.const_uint(offset).unwrap_or_default() as u32 / elements.element.word
}

/// The element number, or the last one that 32 bits of offset reach.
pub(super) fn last_element(code: &mut Code<'_, '_>, index: Id, stride: u32) -> Id {
    let last = u32::MAX / stride - 1;
    match code.constant_u32(index) {
        Some(index) => code.const_u32(index.min(last)),
        None => {
            let (ty, last) = (code.type_u32(), code.const_u32(last));
            code.glsl(GlslStd450Op::UMin, ty, &[index, last])
        }
    }
}

/// `value * factor`, folded where it can be.
fn scaled(code: &mut Code<'_, '_>, value: Id, factor: u32) -> Id {
    match (code.constant_u32(value), factor) {
        (_, 1) => value,
        (Some(value), _) => code.const_u32(value.wrapping_mul(factor)),
        (None, _) => {
            let (ty, factor) = (code.type_u32(), code.const_u32(factor));
            code.binary(Op::IMul, ty, value, factor)
        }
    }
}

/// `value / bytes` for a word of 2 or 4 bytes, folded where it can be.
fn shifted(code: &mut Code<'_, '_>, value: Id, bytes: u32) -> Id {
    let shift = bytes.trailing_zeros();
    match code.constant_u32(value) {
        Some(value) => code.const_u32(value >> shift),
        None => {
            let (ty, shift) = (code.type_u32(), code.const_u32(shift));
            code.binary(Op::ShiftRightLogical, ty, value, shift)
        }
    }
}

fn load_word(code: &mut Code<'_, '_>, words: &Words<'_>, at: Id) -> Result<Id> {
    match *words {
        Words::Block { .. } => {
            let pointer = pointer(code, words, at)?;
            Ok(code.load(pointer))
        }
        Words::Texels(image) => {
            let word = code.type_u32();
            let texel_ty = code.type_vector(word, 4);
            let operands = ImageOperands::default();
            let texel = match image.ty.storage {
                true => code.image_read(Op::ImageRead, texel_ty, image.value, at, &operands)?,
                false => code.image_fetch(Op::ImageFetch, texel_ty, image.value, at, &operands)?,
            };
            Ok(code.extract(word, texel, &[0]))
        }
    }
}

fn store_word(code: &mut Code<'_, '_>, words: &Words<'_>, at: Id, value: Id) -> Result<()> {
    match *words {
        Words::Block { .. } => {
            let pointer = pointer(code, words, at)?;
            code.store(pointer, value);
            Ok(())
        }
        Words::Texels(image) => {
            let word = code.type_u32();
            let texel_ty = code.type_vector(word, 4);
            let texel = code.splat(texel_ty, value);
            code.image_write(image.value, at, texel, &ImageOperands::default())
        }
    }
}

/// Pointer to a word, for loads, stores and atomics.
pub(super) fn pointer(code: &mut Code<'_, '_>, words: &Words<'_>, at: Id) -> Result<Id> {
    match *words {
        Words::Block { block, element, non_uniform, .. } => {
            let zero = code.const_u32(0);
            let pointer = code.access_chain(element, block, &[zero, at]);
            if non_uniform {
                code.mark_new(pointer, Decoration::NonUniform);
            }
            Ok(pointer)
        }
        Words::Texels(image) => {
            debug_assert!(image.ty.dim == Dim::DimBuffer);
            let word = code.type_u32();
            let pointer = code.image_texel_pointer(word, image.pointer, at, None);
            if image.non_uniform {
                code.mark_new(pointer, Decoration::NonUniform);
            }
            Ok(pointer)
        }
    }
}

/// Pointer to the component at an address, for atomics, and the condition under which it may be touched where that is checked here.
pub(super) fn target(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    buffer: Value,
    component: Id,
    index: Value,
    offset: Value,
) -> Result<(Id, Option<Id>)> {
    if let Some(elements) = cx.elements(code, buffer)? {
        return structured::target(cx, code, &elements, index, first_word(cx, &elements, offset));
    }
    let words = cx.atomic_words(code, buffer, component)?;
    let address = address(cx, code, buffer, &words, index, offset)?;
    let inside = inside(code, &address, address.word, 1);
    Ok((pointer(code, &words, address.word)?, inside))
}

/// Runs `access` where the words `at..at + count` are within bounds, else gives `otherwise`.
fn guarded_load(
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
fn inside(code: &mut Code<'_, '_>, address: &Address, at: Id, count: u32) -> Option<Id> {
    if let Some(inside) = address.inside {
        return Some(inside);
    }
    let length = address.length?;
    let bool_ty = code.type_bool();
    // A byte offset divided by the word's size is far from overflowing.
    let last = add(code, at, count - 1);
    Some(code.binary(Op::ULessThan, bool_ty, last, length))
}

/// How many words a component takes.
fn words_of(cx: &Context<'_>, ty: TypeId) -> Result<u32> {
    match *cx.ir_type(ty) {
        Type::Int(16 | 32) | Type::Float(16 | 32) => Ok(1),
        Type::Int(64) | Type::Float(64) => Ok(2),
        _ => Err(unsupported!(cx.place, "an access to a buffer by components that are no 16-, 32- or 64-bit numbers")),
    }
}

/// A row of a `tbuffer` in a storage buffer: four words, zero past the end.
fn load_row(
    cx: &mut Context<'_>,
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
    let words = cx.words(code, buffer, ty)?;
    let index = cx.value(code, index)?;
    let index = last_element(code, index, ROW);
    let length = if cx.driver_bounds_buffers() { None } else { Some(length(code, &words)?) };
    let address = Address { word: scaled(code, index, ROW / 4), inside: None, length };
    let mut leaves = [code.const_u32(0); 5];
    for (n, leaf) in (0u32..4).zip(leaves.iter_mut()) {
        let at = add(code, address.word, n);
        *leaf = guarded_load(code, &address, at, 1, ty, |code| {
            let word = load_word(code, &words, at)?;
            Ok(code.bitcast(ty, word))
        })?;
    }
    Ok(cx.parts(&leaves))
}

/// A component from the word that holds it. A minimum-precision one is held as a 32-bit number.
pub(super) fn from_word(code: &mut Code<'_, '_>, width: u32, ty: Id, word: Id) -> Id {
    match (code.width(ty), width, code.ty(ty)) {
        (Some(16), 32, Some(crate::spirv::Type::Float { .. })) => {
            let single = code.type_f32();
            let value = code.bitcast(single, word);
            code.unary(Op::FConvert, ty, value)
        }
        (Some(16), 32, _) => code.unary(Op::UConvert, ty, word),
        _ => code.bitcast(ty, word),
    }
}

/// The word that holds a component. DXIL does not say whether a 16-bit integer is signed; its sign is extended, which suits small negative
/// numbers. Loads look at the low half only.
pub(super) fn to_word(code: &mut Code<'_, '_>, width: u32, element: Id, value: Id) -> Id {
    let own = code
        .type_of(value)
        .and_then(|ty| Some((code.width(ty)?, matches!(code.ty(ty), Some(crate::spirv::Type::Float { .. })))));
    match (own, width) {
        (Some((16, true)), 32) => {
            let single = code.type_f32();
            let value = code.unary(Op::FConvert, single, value);
            code.bitcast(element, value)
        }
        (Some((16, false)), 32) => code.unary(Op::SConvert, element, value),
        _ => code.bitcast(element, value),
    }
}

fn load_raw(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    buffer: Value,
    index: Value,
    offset: Value,
    mask: u32,
) -> Result<Lowered> {
    let overload = texel::overload(cx, call)?;
    let count = words_of(cx, overload)?;
    let ty = cx.ty(code, overload)?;
    if let Some(elements) = cx.elements(code, buffer)? {
        let read =
            (0..4).filter(|&n| mask >> n & 1 != 0 && cx.is_extracted(call.inst, n)).fold(0, |all, n| all | 1 << n);
        let (components, place) = (Components { ty, words: count }, (index, first_word(cx, &elements, offset)));
        return structured::load(cx, code, &elements, components, place, read);
    }
    let words = cx.words(code, buffer, ty)?;
    let address = address(cx, code, buffer, &words, index, offset)?;
    let mut leaves: [Option<Id>; 4] = [None; 4];
    for (n, leaf) in (0u32..).zip(leaves.iter_mut()) {
        if mask >> n & 1 == 0 || !cx.is_extracted(call.inst, n) {
            continue;
        }
        let at = add(code, address.word, n * count);
        let value = guarded_load(code, &address, at, count, ty, |code| {
            let low = load_word(code, &words, at)?;
            let whole = if count == 2 {
                let high = add(code, at, 1);
                let high = load_word(code, &words, high)?;
                let word = code.type_u32();
                let pair = code.type_vector(word, 2);
                code.construct(pair, &[low, high])
            } else {
                low
            };
            Ok(from_word(code, words.width(), ty, whole))
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
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    buffer: Value,
    index: Value,
    offset: Value,
    values: [Value; 4],
    mask: u32,
) -> Result<Lowered> {
    let component = cx.type_of(values[0]);
    let count = words_of(cx, component)?;
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
    if let Some(elements) = cx.elements(code, buffer)? {
        return structured::store(cx, code, &elements, count, (index, first_word(cx, &elements, offset)), stored);
    }
    let words = cx.words(code, buffer, component)?;
    let address = address(cx, code, buffer, &words, index, offset)?;
    for (n, value) in (0u32..).zip(stored) {
        let Some(value) = value else { continue };
        let at = add(code, address.word, n * count);
        let element = words.element(code);
        let access = |code: &mut Code<'_, '_>| {
            if count == 1 {
                let value = to_word(code, words.width(), element, value);
                return store_word(code, &words, at, value);
            }
            let pair_ty = code.type_vector(element, 2);
            let pair = code.bitcast(pair_ty, value);
            let (low, high) = (code.component(pair, 0), code.component(pair, 1));
            store_word(code, &words, at, low)?;
            let next = add(code, at, 1);
            store_word(code, &words, next, high)
        };
        match inside(code, &address, at, count) {
            Some(inside) => code.if_then(inside, access)?,
            None => access(code)?,
        }
    }
    Ok(Lowered::Nothing)
}
