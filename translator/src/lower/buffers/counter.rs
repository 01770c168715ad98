//! The hidden counters of UAVs: `bufferUpdateCounter`.
//!
//! A counter is in a descriptor of its own, or at an address. A handle that has no counter at an
//! address (its index is outside the buffer of addresses, or its address is zero) updates nothing
//! and gives zero: D3D does not define what such an update gives, and no memory may be accessed.

use rspirv::spirv::{Decoration, Dim, ImageFormat, MemorySemantics, Op, Scope, StorageClass};

use crate::analysis::handles::Handle;
use crate::binding::plan::{CounterPlace, Descriptor, DescriptorType};
use crate::ir::args;
use crate::lower::cx::{Call, Code, Declared, FunctionCx, Lowered};
use crate::lower::numbers;
use crate::lower::resources::{declare, descriptor, handle};
use dxil_base::entity::Entity;
use dxil_base::error::Result;
use dxil_spirv_builder::{Id, ImageType, Member, StructKind};

/// Bytes of an address, and its alignment in a buffer.
const ADDRESS: u32 = 8;

/// A pointer to a counter in a descriptor, for atomic operations.
fn in_descriptor(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    handle: Handle,
    place: Descriptor,
) -> Result<Id> {
    use DescriptorType as D;
    let resource = handle::declaration(cx.input, handle);
    let word = code.type_u32();
    let (class, content) = match place.ty {
        D::StorageBuffer | D::StorageBufferDynamic | D::Mutable => {
            (StorageClass::StorageBuffer, code.type_struct(StructKind::Block, &[Member::at(word, 0)]))
        }
        D::StorageTexelBuffer => {
            let texels = ImageType {
                sampled_type: word,
                dim: Dim::DimBuffer,
                depth: None,
                arrayed: false,
                multisampled: false,
                storage: true,
                format: ImageFormat::R32ui,
            };
            (StorageClass::UniformConstant, code.type_image(texels)?)
        }
        ty => return Err(binding_error!(resource.place(), "the counter of {resource} in a descriptor of type {ty}")),
    };
    let variable = cx.entry.declare(code, Declared::Counter(handle.resource.index() as u32), |cx, module| {
        let name = if module.names() { format!("{}_counter", cx.input.names[handle.resource]) } else { String::new() };
        declare::variable(cx, module, class, content, place, &name)
    })?;
    let picked = descriptor::pick(cx, code, handle, place, content, variable)?;
    let zero = code.const_u32(0);
    let pointer = match class {
        StorageClass::UniformConstant => code.image_texel_pointer(word, picked.pointer, zero, None),
        _ => code.access_chain(word, picked.pointer, &[zero]),
    };
    if picked.non_uniform {
        code.mark_new(pointer, Decoration::NonUniform);
    }
    Ok(pointer)
}

/// Where the addresses of counters are: the members of [`CounterPlace::Addresses`].
#[derive(Clone, Copy)]
struct AddressPlace {
    buffer: Descriptor,
    first: u32,
    stride: u32,
    offset: u32,
}

/// The address of a counter, as two words: zero where the buffer of addresses has none.
fn address(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    handle: Handle,
    AddressPlace { buffer, first, stride, offset }: AddressPlace,
) -> Result<Id> {
    let (word, bool_ty) = (code.type_u32(), code.type_bool());
    let pair = code.type_vector(word, 2);
    let addresses = code.type_runtime_array(pair, Some(ADDRESS));
    let member = Member { non_writable: true, ..Member::at(addresses, 0) };
    let content = code.type_struct(StructKind::Block, &[member]);
    let variable = cx.entry.declare(code, Declared::Counter(handle.resource.index() as u32), |cx, module| {
        declare::variable(cx, module, StorageClass::StorageBuffer, content, buffer, "")
    })?;
    let index = descriptor::entry(cx, code, handle, buffer, first)?;
    // The shader checks this index even where the driver checks others: under robustBufferAccess a
    // load outside the buffer may give any words, and these become an address.
    let mut length = code.op(Op::ArrayLength, word, &[variable.word(), 0]);
    let mut element = index;
    if stride != 1 {
        let stride = code.const_u32(stride);
        length = code.binary(Op::UDiv, word, length, stride);
        let start = code.binary(Op::IMul, word, index, stride);
        element = numbers::index::add(code, start, offset);
    }
    let inside = code.binary(Op::ULessThan, bool_ty, index, length);
    let (zero, none) = (code.const_u32(0), code.const_null(pair));
    code.if_value(pair, inside, none, |code| {
        let pointer = code.access_chain(pair, variable, &[zero, element]);
        Ok(code.load(pointer))
    })
}

/// `bufferUpdateCounter`.
pub fn update_counter(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::BufferUpdateCounter,
) -> Result<Lowered> {
    let step = cx.entry.immediate(args.inc)?;
    let handle = handle::resolve(cx, args.uav)?;
    let Some(counter) = handle::counter(cx.input, handle.resource) else {
        let resource = handle::declaration(cx.input, handle);
        return Err(binding_error!(resource.place(), "the binding plan has no place for the counter of {resource}"));
    };
    // HLSL: IncrementCounter returns the value before the update, DecrementCounter the value after
    // it. `inc` is an i8, zero-extended.
    let (op, after) = match step {
        1 => (Op::AtomicIAdd, false),
        0xff => (Op::AtomicISub, true),
        _ => return Err(malformed!(call.place, "bufferUpdateCounter by {step}: only 1 and -1 (0xff) are possible")),
    };
    let word = code.type_u32();
    let update = |code: &mut Code<'_, '_>, pointer: Id| {
        let one = code.const_u32(1);
        let before = code.atomic(op, word, pointer, Scope::Device, MemorySemantics::RELAXED, &[one])?;
        Ok(if after { code.binary(Op::ISub, word, before, one) } else { before })
    };
    let place = match counter {
        CounterPlace::Descriptor(place) => {
            let pointer = in_descriptor(cx, code, handle, place)?;
            return Ok(Lowered::Id(update(code, pointer)?));
        }
        CounterPlace::Addresses { buffer, first, stride, offset } => AddressPlace { buffer, first, stride, offset },
    };
    let address = address(cx, code, handle, place)?;
    let bool_ty = code.type_bool();
    let (pair, bools) = (code.type_vector(word, 2), code.type_vector(bool_ty, 2));
    let none = code.const_null(pair);
    let words = code.binary(Op::INotEqual, bools, address, none);
    let some = code.unary(Op::Any, bool_ty, words);
    let zero = code.const_u32(0);
    let value = code.if_value(word, some, zero, |code| {
        let content = code.type_struct(StructKind::Block, &[Member::at(word, 0)]);
        let counter = code.at_address(content, address)?;
        let pointer = code.access_chain(word, counter, &[zero]);
        update(code, pointer)
    })?;
    Ok(Lowered::Id(value))
}
