//! Atomic operations: DXIL's on resources, LLVM's on groupshared memory.
//!
//! D3D's atomics order nothing but themselves: relaxed semantics at device scope (D3D11.3
//! functional specification, "Atomic Operations"). Out-of-bounds ones do nothing, and what they
//! return is undefined.

use rspirv::spirv::{GlslStd450Op, MemorySemantics, Op, Scope};

use crate::binding::plan::Location;
use crate::ir::args;
use crate::ir::{RmwOp, Type, TypeId, Value};
use crate::lower::buffers::{BufferAccess, BufferPosition};
use crate::lower::cx::{Call, Code, FunctionCx, Lowered};
use crate::lower::images::texture::{self, Numbers};
use crate::lower::memory::{self, Pointer};
use crate::lower::numbers::convert;
use crate::lower::resources::handle;
use crate::ops::consts::{AtomicBinOpCode, FloatAtomic, ResourceKind, Rounding};
use dxil_base::error::Result;
use dxil_spirv_builder::Id;

/// The memory that an atomic operation works on.
struct AtomicTarget {
    pointer: Id,
    /// The condition under which it may be accessed, where the shader checks that.
    inside: Option<Id>,
}

fn target(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    handle: Value,
    offsets: [Value; 3],
    value: Value,
) -> Result<AtomicTarget> {
    if !matches!(cx.input.ir_type(cx.type_of(value)), Type::Int(32 | 64)) {
        return Err(unsupported!(call.place, "{} on a type other than a 32- or 64-bit integer", call.op));
    }
    let resolved = handle::resolve(cx, handle)?;
    match handle::declaration(cx.input, resolved).kind {
        ResourceKind::RawBuffer | ResourceKind::StructuredBuffer => {
            let ty = cx.type_of(value);
            let component = cx.entry.ty(code, ty)?;
            let buffer = BufferAccess::open_for_atomics(cx, code, resolved, component)?;
            let (pointer, inside) =
                buffer.pointer(cx, code, BufferPosition { index: offsets[0], offset: offsets[1] })?;
            Ok(AtomicTarget { pointer, inside })
        }
        _ => {
            let (pointer, inside) = texture::target(cx, code, handle, offsets, Numbers::Integers)?;
            // A texel has one width: that of the widest operation.
            let (texel, bits) = (code.pointee(pointer), cx.input.program.module.types.scalar_bits(cx.type_of(value)));
            if code.width(texel) != bits.map(u32::from) {
                return Err(unsupported!(call.place, "{} of two widths on one typed resource", call.op));
            }
            Ok(AtomicTarget { pointer, inside })
        }
    }
}

/// Runs an atomic operation under the condition of its target, where there is one.
fn guarded(
    code: &mut Code<'_, '_>,
    ty: Id,
    target: &AtomicTarget,
    atomic: impl FnOnce(&mut Code<'_, '_>) -> Result<Id>,
) -> Result<Id> {
    match target.inside {
        None => atomic(code),
        Some(inside) => {
            let zero = code.const_bits(ty, 0);
            code.if_value(ty, inside, zero, |code| atomic(code))
        }
    }
}

/// `atomicBinOp`: gives the old value.
pub fn atomic_bin_op(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::AtomicBinOp,
) -> Result<Lowered> {
    let kind = AtomicBinOpCode::try_from(cx.entry.immediate(args.atomic_op)?);
    let op = match kind.map_err(|e| malformed!(call.place, "{e}"))? {
        AtomicBinOpCode::Add => Op::AtomicIAdd,
        AtomicBinOpCode::And => Op::AtomicAnd,
        AtomicBinOpCode::Or => Op::AtomicOr,
        AtomicBinOpCode::Xor => Op::AtomicXor,
        AtomicBinOpCode::IMin => Op::AtomicSMin,
        AtomicBinOpCode::IMax => Op::AtomicSMax,
        AtomicBinOpCode::UMin => Op::AtomicUMin,
        AtomicBinOpCode::UMax => Op::AtomicUMax,
        AtomicBinOpCode::Exchange => Op::AtomicExchange,
    };
    let offsets = [args.offset0, args.offset1, args.offset2];
    let target = target(cx, code, call, args.handle, offsets, args.new_value)?;
    let value = cx.value(code, args.new_value)?;
    let ty = cx.entry.ty(code, call.ty()?)?;
    // A texel of a signed format is a signed integer to SPIR-V; the operation carries the sign all
    // the same.
    let texel = code.pointee(target.pointer);
    let value = code.bitcast(texel, value);
    let old = guarded(code, texel, &target, |code| {
        code.atomic(op, texel, target.pointer, Scope::Device, MemorySemantics::RELAXED, &[value])
    })?;
    Ok(Lowered::Id(code.bitcast(ty, old)))
}

/// `atomicCompareExchange`: gives the old value.
pub fn atomic_compare_exchange(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::AtomicCompareExchange,
) -> Result<Lowered> {
    let offsets = [args.offset0, args.offset1, args.offset2];
    let target = target(cx, code, call, args.handle, offsets, args.new_value)?;
    let [compare, new] = cx.values(code, [args.compare_value, args.new_value])?;
    let ty = cx.entry.ty(code, call.ty()?)?;
    let texel = code.pointee(target.pointer);
    let (compare, new) = (code.bitcast(texel, compare), code.bitcast(texel, new));
    let old = guarded(code, texel, &target, |code| {
        let (scope, relaxed) = (Scope::Device, MemorySemantics::RELAXED);
        code.atomic_compare_exchange(texel, target.pointer, scope, relaxed, new, compare)
    })?;
    Ok(Lowered::Id(code.bitcast(ty, old)))
}

/// An atomic operation of a vendor on a float or on two halves in a word: the old word.
///
/// On a buffer, Vulkan has it only by extensions. A loop replaces the word until it is still the
/// one that the new word was computed from, which gives the same. Integer operations cannot work on
/// texels of floats, so an addition to a texel needs VK_EXT_shader_atomic_float.
pub fn atomic_float(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::VendorAtomicFloat,
) -> Result<Lowered> {
    let operation = FloatAtomic::try_from(cx.entry.immediate(args.operation)?);
    let operation = operation.map_err(|error| malformed!(call.place, "{error}"))?;
    let resolved = handle::resolve(cx, args.handle)?;
    let resource = handle::declaration(cx.input, resolved);
    let offsets = [args.offset0, args.offset1, args.offset2];
    if operation == FloatAtomic::Add && resource.kind.is_texture() {
        return add_to_texel(cx, code, args.handle, offsets, args.value);
    }
    if resource.kind != ResourceKind::RawBuffer {
        return Err(unsupported!(
            call.place,
            "an atomic operation on floats of {resource}, which is no byte-address buffer"
        ));
    }
    let mut target = target(cx, code, call, args.handle, offsets, args.value)?;
    let (value, word, bool_ty) = (cx.value(code, args.value)?, code.type_u32(), code.type_bool());
    // What an operation out of bounds gives is undefined, so the loop might not end.
    if target.inside.is_none() && !matches!(handle::location(cx.input, resolved.resource)?, Location::Address(_)) {
        let (at, size) = (cx.value(code, args.offset0)?, BufferAccess::size(cx, code, resolved)?);
        target.inside = Some(code.binary(Op::ULessThan, bool_ty, at, size));
    }
    let (scope, relaxed) = (Scope::Device, MemorySemantics::RELAXED);
    let old = guarded(code, word, &target, |code| {
        let replace = |code: &mut Code<'_, '_>| {
            let old = code.atomic(Op::AtomicLoad, word, target.pointer, scope, relaxed, &[])?;
            let new = combined(code, operation, old, value);
            let found = code.atomic_compare_exchange(word, target.pointer, scope, relaxed, new, old)?;
            Ok((code.binary(Op::IEqual, bool_ty, found, old), found))
        };
        code.repeat_until_all(word, replace, |_, done| Ok(done))
    })?;
    Ok(Lowered::Id(old))
}

/// Adds a float to a texel.
fn add_to_texel(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    handle: Value,
    coords: [Value; 3],
    value: Value,
) -> Result<Lowered> {
    let (pointer, inside) = texture::target(cx, code, handle, coords, Numbers::Floats)?;
    let target = AtomicTarget { pointer, inside };
    let (single, word) = (code.type_f32(), code.type_u32());
    let value = cx.value(code, value)?;
    let value = code.bitcast(single, value);
    let old = guarded(code, single, &target, |code| {
        code.atomic(Op::AtomicFAddEXT, single, target.pointer, Scope::Device, MemorySemantics::RELAXED, &[value])
    })?;
    Ok(Lowered::Id(code.bitcast(word, old)))
}

/// The word that an operation on floats gives for two words.
fn combined(code: &mut Code<'_, '_>, operation: FloatAtomic, old: Id, value: Id) -> Id {
    let (word, single) = (code.type_u32(), code.type_f32());
    if operation == FloatAtomic::Add {
        let (old, value) = (code.bitcast(single, old), code.bitcast(single, value));
        let sum = code.binary(Op::FAdd, single, old, value);
        return code.bitcast(word, sum);
    }
    let pair = code.type_vector(single, 2);
    let [old, value] = [old, value].map(|halves| code.glsl(GlslStd450Op::UnpackHalf2x16, pair, &[halves]));
    let [low, high] = [0, 1].map(|number| {
        let (old, value) = (code.component(old, number), code.component(value, number));
        let result = match operation {
            FloatAtomic::MinHalves => code.glsl(GlslStd450Op::NMin, single, &[old, value]),
            FloatAtomic::MaxHalves => code.glsl(GlslStd450Op::NMax, single, &[old, value]),
            // The sum of two halves as a float has all bits that rounding to a half needs.
            FloatAtomic::Add | FloatAtomic::AddHalves => code.binary(Op::FAdd, single, old, value),
        };
        convert::half(code, result, Some(Rounding::Nearest))
    });
    let sixteen = code.const_u32(16);
    let high = code.binary(Op::ShiftLeftLogical, word, high, sixteen);
    code.binary(Op::BitwiseOr, word, low, high)
}

/// Whether an atomic operation on values of `ty` may work on a pointer: it is groupshared, and its
/// content is of that type, or has its bits.
fn check_atomic(cx: &FunctionCx<'_, '_>, pointer: &Pointer, ty: TypeId) -> Result<()> {
    let types = &cx.input.program.module.types;
    let scalar = |ty| matches!(types[ty], Type::Int(_) | Type::Float(_));
    if cx.input.is_widened(ty) {
        return Err(unsupported!(
            cx.entry.place,
            "an atomic operation on numbers of unusual width, or of minimum precision on a device without 16 bits"
        ));
    }
    let same_bits = pointer.bits && scalar(pointer.ty) && types.scalar_bits(pointer.ty) == types.scalar_bits(ty);
    if pointer.shared && (pointer.ty == ty || same_bits) {
        return Ok(());
    }
    Err(unsupported!(cx.entry.place, "an atomic operation on memory of another type, or not groupshared"))
}

/// `atomicrmw` on groupshared memory.
///
/// # Errors
/// `Unsupported` and `Malformed` for memory that has no such atomic operation.
pub fn read_modify_write(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    op: RmwOp,
    ptr: Value,
    value: Value,
) -> Result<Id> {
    let pointer = memory::pointer(cx, code, ptr)?;
    let ty = cx.type_of(value);
    check_atomic(cx, &pointer, ty)?;
    let spirv_op = match op {
        RmwOp::Xchg => Op::AtomicExchange,
        RmwOp::Add => Op::AtomicIAdd,
        RmwOp::Sub => Op::AtomicISub,
        RmwOp::And => Op::AtomicAnd,
        RmwOp::Or => Op::AtomicOr,
        RmwOp::Xor => Op::AtomicXor,
        RmwOp::Max => Op::AtomicSMax,
        RmwOp::Min => Op::AtomicSMin,
        RmwOp::UMax => Op::AtomicUMax,
        RmwOp::UMin => Op::AtomicUMin,
        RmwOp::Nand => return Err(unsupported!(cx.entry.place, "atomicrmw nand, which DXIL does not have")),
    };
    if matches!(cx.input.ir_type(ty), Type::Float(_)) && op != RmwOp::Xchg {
        return Err(malformed!(cx.entry.place, "atomicrmw {op} of a float"));
    }
    let value = cx.value(code, value)?;
    let ty = cx.entry.ty(code, ty)?;
    code.atomic(spirv_op, ty, pointer.id, Scope::Workgroup, MemorySemantics::RELAXED, &[value])
}

/// `cmpxchg` on groupshared memory: the value before, and whether it was the one compared with, or
/// in records of LLVM before 3.5 the value alone.
///
/// # Errors
/// As [`read_modify_write`].
pub fn compare_exchange(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    ptr: Value,
    [compare, new]: [Value; 2],
    result: TypeId,
) -> Result<Lowered> {
    let pointer = memory::pointer(cx, code, ptr)?;
    let ty = cx.type_of(new);
    check_atomic(cx, &pointer, ty)?;
    let [compare, new] = cx.values(code, [compare, new])?;
    let ty = cx.entry.ty(code, ty)?;
    let old = code.atomic_compare_exchange(ty, pointer.id, Scope::Workgroup, MemorySemantics::RELAXED, new, compare)?;
    if !matches!(cx.input.ir_type(result), Type::Struct { .. }) {
        return Ok(Lowered::Id(old));
    }
    let bool_ty = code.type_bool();
    let equal = code.binary(Op::IEqual, bool_ty, old, compare);
    Ok(cx.locals.parts(&[old, equal]))
}
