//! Operations on buffers: `bufferLoad`, `bufferStore` and their raw forms.
//!
//! In: the operands of an operation. Out: components. Typed buffers are images ([`texture`]); raw
//! and structured ones are accessed through [`access`].

use rspirv::spirv::StorageClass;

use super::access;
use super::component::{AccessComponents, BufferPosition};
use super::row_block;
use crate::analysis::handles::Handle;
use crate::binding::plan::DescriptorType;
use crate::ir::args;
use crate::ir::{Type, Value};
use crate::lower::cx::{Call, Code, FunctionCx, Leaf, Lowered};
use crate::lower::images::{texel, texture};
use crate::lower::resources::handle;
use crate::ops::consts::ResourceKind;
use dxil_base::error::Result;

/// `bufferLoad`.
pub fn load(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::BufferLoad,
) -> Result<Lowered> {
    let handle = handle::resolve(cx, args.srv)?;
    let kind = handle::declaration(cx.input, handle).kind;
    if kind == ResourceKind::TBuffer
        && let Some(row) = load_row(cx, code, call, handle, args.index)?
    {
        return Ok(row);
    }
    if kind.is_typed() {
        return texture::typed_buffer_load(cx, code, call, args.srv, args.index);
    }
    load_components(cx, code, call, handle, BufferPosition { index: args.index, offset: args.offset }, 0xf)
}

/// `rawBufferLoad`.
pub fn raw_load(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::RawBufferLoad,
) -> Result<Lowered> {
    let mask = cx.entry.immediate(args.mask)?;
    let handle = handle::resolve(cx, args.srv)?;
    load_components(cx, code, call, handle, BufferPosition { index: args.index, offset: args.element_offset }, mask)
}

/// `bufferStore`.
pub fn store(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::BufferStore,
) -> Result<Lowered> {
    let values = [args.value0, args.value1, args.value2, args.value3];
    let handle = handle::resolve(cx, args.uav)?;
    if handle::declaration(cx.input, handle).kind.is_typed() {
        return texture::typed_buffer_store(cx, code, call, args.uav, args.index, values, args.mask);
    }
    let mask = cx.entry.immediate(args.mask)?;
    store_components(cx, code, call, handle, BufferPosition { index: args.index, offset: args.offset }, values, mask)
}

/// `rawBufferStore`.
pub fn raw_store(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::RawBufferStore,
) -> Result<Lowered> {
    let values = [args.value0, args.value1, args.value2, args.value3];
    let mask = cx.entry.immediate(args.mask)?;
    let handle = handle::resolve(cx, args.uav)?;
    store_components(
        cx,
        code,
        call,
        handle,
        BufferPosition { index: args.index, offset: args.element_offset },
        values,
        mask,
    )
}

/// Loads a row of a `tbuffer`, unless it is in a texel buffer, where a row is a texel.
fn load_row(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    handle: Handle,
    row: Value,
) -> Result<Option<Lowered>> {
    use DescriptorType as D;
    let uniform = match handle::location(cx.input, handle.resource)?.descriptor().map(|place| place.ty) {
        Some(D::UniformTexelBuffer | D::StorageTexelBuffer) => return Ok(None),
        Some(D::UniformBuffer | D::UniformBufferDynamic) => true,
        _ => false,
    };
    let overload = texel::overload(cx, call)?;
    if cx.input.program.module.types.scalar_bits(overload) != Some(32) {
        return Err(unsupported!(call.place, "a row of a tbuffer by components that are not of 32 bits"));
    }
    let ty = cx.entry.ty(code, overload)?;
    if uniform {
        let row = cx.value(code, row)?;
        let words = row_block::load(cx, code, handle, StorageClass::Uniform, row)?.vector(code);
        let vector = code.type_vector(ty, 4);
        let words = code.bitcast(vector, words);
        let [a, b, c, d] = [0, 1, 2, 3].map(|n| code.component(words, n));
        let status = code.const_u32(0);
        return Ok(Some(cx.locals.parts(&[a, b, c, d, status])));
    }
    access::tbuffer_row(cx, code, handle, ty, row).map(Some)
}

fn load_components(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    handle: Handle,
    at: BufferPosition,
    mask: u32,
) -> Result<Lowered> {
    let overload = texel::overload(cx, call)?;
    let components = AccessComponents::new(cx, code, overload)?;
    access::load(cx, code, handle, components, at, call.inst, mask)
}

fn store_components(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    handle: Handle,
    at: BufferPosition,
    values: [Value; 4],
    mask: u32,
) -> Result<Lowered> {
    let components = AccessComponents::new(cx, code, cx.type_of(values[0]))?;
    let mut stored = [None; 4];
    let is_narrow = matches!(*cx.input.ir_type(cx.type_of(values[0])), Type::Int(..32));
    for ((n, value), stored) in (0u32..).zip(values).zip(&mut stored) {
        if mask >> n & 1 == 0 {
            continue;
        }
        if cx.input.is_undef(value) {
            return Err(malformed!(call.place, "component {n} is stored and undefined"));
        }
        *stored = Some(match is_narrow {
            true => Leaf::Value(cx.signed_value(code, value)?),
            false => cx.leaf(code, value)?,
        });
    }
    access::store(cx, code, handle, components, at, call.inst, stored)?;
    Ok(Lowered::Nothing)
}
