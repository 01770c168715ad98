//! Constant buffers: rows of sixteen bytes.
//!
//! A constant buffer is an array of rows in a uniform block (or a read-only storage buffer), or
//! words of the push-constant block. A row is read as four words and reinterpreted as the overload
//! asks. Rows past the end read as zero: by the driver's robustness for descriptors, by a check
//! here for push constants.

use rspirv::spirv::{Decoration, GlslStd450Op, Op, StorageClass};

use crate::binding::plan::{Descriptor, DescriptorType, Location};
use crate::dxil::handles::Handle;
use crate::dxil::ir::{Type, Value};
use crate::dxil::ops::args;
use crate::entity::Entity;
use crate::error::Result;
use crate::lower::cx::{Call, Code, Declared, FunctionCx, Lowered, precision};
use crate::lower::resources::{Picked, descriptor, handle};
use crate::spirv::{Id, Member, StructKind};

/// Bytes of a row.
const ROW: u32 = 16;

/// Rows that a constant buffer of D3D can have (D3D11.3 functional specification, "Constant Buffers"): this one is past the end of any.
const ROWS: u32 = 4096;

/// The block of a constant buffer that is a descriptor: a structure whose member 0 is the array of rows.
fn block(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    handle: Handle,
    descriptor: Descriptor,
) -> Result<Picked> {
    let resource = handle::declaration(cx, handle);
    let class = match descriptor.ty {
        DescriptorType::UniformBuffer | DescriptorType::UniformBufferDynamic | DescriptorType::InlineUniformBlock => {
            StorageClass::Uniform
        }
        DescriptorType::StorageBuffer | DescriptorType::StorageBufferDynamic => StorageClass::StorageBuffer,
        ty => {
            return Err(unsupported!(resource.place(), "{resource} as a descriptor of type {ty:?} is not lowered"));
        }
    };
    let word = code.type_u32();
    let row = code.type_vector(word, 4);
    let (array, non_writable) = if class == StorageClass::Uniform {
        let most = code.caps.max_uniform_buffer_range() / ROW;
        (code.type_array(row, resource.size.div_ceil(ROW).min(most).max(1), Some(ROW)), false)
    } else {
        (code.type_runtime_array(row, Some(ROW)), true)
    };
    let content = code.type_struct(StructKind::Block, &[Member { non_writable, ..Member::at(array, 0) }]);
    let what = Declared::Resource(handle.resource.index() as u32, 0);
    let variable = cx.declare(code, what, |cx, module| {
        descriptor::variable(cx, module, class, content, descriptor, &resource.name)
    })?;
    descriptor::pick(cx, code, handle, descriptor, content, variable)
}

/// A row as a vector of four words.
fn row(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, handle: Handle, index: Value) -> Result<Id> {
    let index = cx.value(code, index)?;
    row_at(cx, code, handle, index)
}

fn row_at(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, handle: Handle, index: Id) -> Result<Id> {
    match handle::location(cx, handle.resource)? {
        Location::Descriptor(descriptor) => {
            let block = block(cx, code, handle, descriptor)?;
            let word = code.type_u32();
            let (row, zero) = (code.type_vector(word, 4), code.const_u32(0));
            // A driver checks the byte offset of a row, which wraps at 2^32: a row far out would be one at the start of the buffer.
            let last = code.const_u32(ROWS);
            let index = match code.constant_u32(index) {
                Some(number) if number <= ROWS => index,
                Some(_) => last,
                None => code.glsl(GlslStd450Op::UMin, word, &[index, last]),
            };
            let pointer = code.access_chain(row, block.pointer, &[zero, index]);
            if block.non_uniform {
                code.mark_new(pointer, Decoration::NonUniform);
            }
            Ok(code.load(pointer))
        }
        Location::Push { offset, size } => {
            let first = offset.saturating_sub(cx.plan.push_constant_start()) / 4;
            pushed_row(cx, code, index, first, size / 4)
        }
        other => Err(unsupported!(cx.place, "a constant buffer at {other:?}")),
    }
}

/// A row of root constants: `words` words from word `first` of the block, which starts at the first byte that is read.
fn pushed_row(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, row: Id, first: u32, words: u32) -> Result<Id> {
    let start = cx.plan.push_constant_start();
    let total = cx.plan.push_constant_size.saturating_sub(start) / 4;
    let block = cx.declare(code, Declared::PushConstants, |_, module| {
        let word = module.type_u32();
        let array = module.type_array(word, total.max(1), Some(4));
        let block = module.type_struct(StructKind::Block, &[Member::at(array, start)]);
        let id = module.variable(StorageClass::PushConstant, block, None)?;
        module.name(id, "root_constants");
        Ok(id)
    })?;
    let (word, bool_ty, zero) = (code.type_u32(), code.type_bool(), code.const_u32(0));
    let vector = code.type_vector(word, 4);
    let mut components = [zero; 4];
    if let Some(row) = code.constant_u32(row) {
        for (slot, n) in components.iter_mut().zip(u64::from(row) * 4..) {
            if n < u64::from(words) {
                let at = code.const_u32(first.saturating_add(n as u32));
                let pointer = code.access_chain(word, block, &[zero, at]);
                *slot = code.load(pointer);
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
        let (n, limit, start) = (code.const_u32(n), code.const_u32(words), code.const_u32(first));
        let at = code.binary(Op::IAdd, word, base, n);
        let below = code.binary(Op::ULessThan, bool_ty, at, limit);
        let inside = code.binary(Op::LogicalAnd, bool_ty, row_inside, below);
        let safe = code.select(word, inside, at, zero);
        let safe = code.binary(Op::IAdd, word, safe, start);
        let pointer = code.access_chain(word, block, &[zero, safe]);
        let value = code.load(pointer);
        *slot = code.select(word, inside, value, zero);
    }
    Ok(code.construct(vector, &components))
}

/// A row of a constant buffer: four 32-bit, two 64-bit or eight native 16-bit values. Min-precision values take a word each.
pub fn cbuffer_load_legacy(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::CBufferLoadLegacy,
) -> Result<Lowered> {
    let handle = handle::resolve(cx, args.handle)?;
    let row = row(cx, code, handle, args.reg_index)?;
    let ty = call.ty()?;
    let scalar = cx.element_type(ty)?;
    let count = cx.leaf_count(ty)?;
    let element = cx.ty(code, scalar)?;
    match (cx.ir_type(scalar), count) {
        (Type::Int(32), 4) => Ok(Lowered::Row(row, None)),
        (Type::Float(32), 4) => {
            let vector = code.type_vector(element, 4);
            Ok(Lowered::Row(code.bitcast(vector, row), None))
        }
        (Type::Int(16) | Type::Float(16), 4) => {
            let vector = code.type_vector(element, 4);
            Ok(Lowered::Row(precision::from_words(code, vector, row), None))
        }
        (Type::Int(16) | Type::Float(16), 8) if cx.is_widened(scalar) => {
            Err(unsupported!(call.place, "minimum-precision constants of 16 bits, on a device without 16 bits"))
        }
        (Type::Int(64) | Type::Float(64), 2) | (Type::Int(16) | Type::Float(16), 8) => {
            // Words are taken in pairs into one value, or apart into two.
            let word = code.type_u32();
            let mut leaves = Vec::with_capacity(count);
            for n in 0..4u32 {
                if count == 8 {
                    let halves = code.type_vector(element, 2);
                    let value = code.component(row, n);
                    let value = code.bitcast(halves, value);
                    leaves.extend([code.component(value, 0), code.component(value, 1)]);
                } else if n % 2 == 0 {
                    let pair_ty = code.type_vector(word, 2);
                    let pair = code.shuffle(pair_ty, row, row, &[n, n + 1]);
                    leaves.push(code.bitcast(element, pair));
                }
            }
            Ok(cx.parts(&leaves))
        }
        _ => Err(unsupported!(call.place, "a constant-buffer row of {count} elements")),
    }
}

/// The form with a byte offset (DXIL.rst, "CBufferLoad"): one component, aligned to its size, so it never leaves its row.
pub fn cbuffer_load(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::CBufferLoad,
) -> Result<Lowered> {
    let handle = handle::resolve(cx, args.handle)?;
    let ir_ty = call.ty()?;
    let (word, ty) = (code.type_u32(), cx.ty(code, ir_ty)?);
    let offset = cx.value(code, args.byte_offset)?;
    let row = match code.constant_u32(offset) {
        Some(offset) => code.const_u32(offset / ROW),
        None => {
            let four = code.const_u32(4);
            code.binary(Op::ShiftRightLogical, word, offset, four)
        }
    };
    let row = row_at(cx, code, handle, row)?;
    let bits = match cx.ir_type(ir_ty) {
        Type::Int(bits @ (16 | 32 | 64)) | Type::Float(bits @ (16 | 32 | 64)) => *bits,
        _ => return Err(unsupported!(call.place, "a constant of an unusual type")),
    };
    let (two, three) = (code.const_u32(2), code.const_u32(3));
    let number = code.binary(Op::ShiftRightLogical, word, offset, two);
    let number = code.binary(Op::BitwiseAnd, word, number, three);
    let low = code.op(Op::VectorExtractDynamic, word, &[row, number]);
    Ok(Lowered::Id(match bits {
        64 => {
            // Aligned to eight bytes, the low word's number is even.
            let one = code.const_u32(1);
            let next = code.binary(Op::BitwiseOr, word, number, one);
            let high = code.op(Op::VectorExtractDynamic, word, &[row, next]);
            let pair = code.type_vector(word, 2);
            let pair = code.construct(pair, &[low, high]);
            code.bitcast(ty, pair)
        }
        // Minimum-precision values take a word each, as in rows.
        16 if !cx.entry.flags.native_low_precision() => precision::from_words(code, ty, low),
        16 => {
            let eight_times = code.binary(Op::ShiftLeftLogical, word, offset, three);
            let sixteen = code.const_u32(16);
            let shift = code.binary(Op::BitwiseAnd, word, eight_times, sixteen);
            let low = code.binary(Op::ShiftRightLogical, word, low, shift);
            let int = code.type_int(16)?;
            let narrow = code.unary(Op::UConvert, int, low);
            code.bitcast(ty, narrow)
        }
        _ => code.bitcast(ty, low),
    }))
}
