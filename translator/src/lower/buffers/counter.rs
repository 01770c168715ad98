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
use crate::lower::resources::pairs::{self, EntryCheck};
use crate::lower::resources::{declare, descriptor, handle};
use dxil_base::entity::Entity;
use dxil_base::error::Result;
use dxil_spirv_builder::{Id, ImageType, Member, StructKind};

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
        code.mark(pointer, Decoration::NonUniform);
    }
    Ok(pointer)
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
        CounterPlace::Addresses(place) => place,
    };
    // The shader checks the entry even where the driver checks others: under robustBufferAccess a
    // load outside the buffer may give any words, and these become an address.
    let variable = Declared::Counter(handle.resource.index() as u32);
    let address = pairs::load(cx, code, handle, variable, place, EntryCheck::Checked)?;
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
