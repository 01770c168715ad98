//! The hidden counters of UAVs: `bufferUpdateCounter`.

use rspirv::spirv::{Decoration, Dim, ImageFormat, MemorySemantics, Op, Scope, StorageClass};

use crate::binding::plan::DescriptorType;
use crate::dxil::ir::Value;
use crate::dxil::ops::args;
use crate::entity::Entity;
use crate::error::Result;
use crate::lower::cx::{Call, Code, Declared, FunctionCx, Lowered};
use crate::lower::resources::{descriptor, handle};
use crate::spirv::{Id, ImageType, Member, StructKind};

/// A pointer to the hidden counter of a UAV, for atomic operations.
fn pointer(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, value: Value) -> Result<Id> {
    let handle = handle::resolve(cx, value)?;
    let resource = handle::declaration(cx, handle);
    let Some(descriptor) = handle::counter(cx, handle.resource) else {
        return Err(binding_error!(resource.place(), "the binding plan has no place for the counter of {resource}"));
    };
    use DescriptorType as D;
    let word = code.type_u32();
    let (class, content) = match descriptor.ty {
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
    let variable = cx.declare(code, Declared::Counter(handle.resource.index() as u32), |cx, module| {
        let name = if module.names() { format!("{}_counter", cx.names[handle.resource]) } else { String::new() };
        descriptor::variable(cx, module, class, content, descriptor, &name)
    })?;
    let picked = descriptor::pick(cx, code, handle, descriptor, content, variable)?;
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

/// `bufferUpdateCounter`.
pub fn update_counter(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::BufferUpdateCounter,
) -> Result<Lowered> {
    let step = cx.immediate(args.inc)?;
    let counter = pointer(cx, code, args.uav)?;
    let (word, one) = (code.type_u32(), code.const_u32(1));
    // HLSL: IncrementCounter returns the value before the update, DecrementCounter the value after
    // it. `inc` is an i8, zero-extended.
    let (op, after) = match step {
        1 => (Op::AtomicIAdd, false),
        0xff => (Op::AtomicISub, true),
        _ => return Err(malformed!(call.place, "bufferUpdateCounter by {step}: only 1 and -1 (0xff) are possible")),
    };
    let before = code.atomic(op, word, counter, Scope::Device, MemorySemantics::RELAXED, &[one])?;
    Ok(Lowered::Id(if after { code.binary(Op::ISub, word, before, one) } else { before }))
}
