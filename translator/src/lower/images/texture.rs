//! Loads from and stores to textures and typed buffers, without a sampler.
//!
//! As in D3D, a load out of bounds returns zero and a store out of bounds does nothing. With
//! `robustImageAccess2` or `robustImageAccess` the driver guarantees this. Without them, lowering
//! emits bounds checks.

use rspirv::spirv::{Capability, Decoration, Dim, Op};

use super::attachment;
use super::coordinates::coordinates;
use super::image;
use super::image::Image;
use super::offset::displaced;
use super::size::is_inside;
use super::texel::{sparse_type, texel_of, texel_result, wants_status};
use crate::ir::Value;
use crate::ir::args;
use crate::lower::cx::{Call, Code, FunctionCx, Lowered};
use crate::lower::resources::{bounds, handle};
use dxil_base::error::Result;
use dxil_spirv_builder::{Id, ImageOperands};

/// The mask of a store that writes all four components.
const FULL_MASK: u32 = 0xf;

/// Checks that single texels of an image can be accessed. HLSL has no such operation on cube
/// textures, and OpImageFetch takes none; nor has D3D writable ones.
fn check_texels(cx: &FunctionCx<'_, '_>, image: &Image<'_>) -> Result<()> {
    if image.ty.dim != Dim::DimCube {
        return Ok(());
    }
    let resource = image.resource;
    Err(malformed!(
        cx.entry.place,
        "an access to a texel of {resource}; a cube texture can only be sampled or gathered"
    ))
}

pub fn load(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::TextureLoad,
) -> Result<Lowered> {
    let handle = handle::resolve(cx, args.srv)?;
    if attachment::is_one(cx, handle)? {
        return attachment::load(cx, code, call, handle, &args);
    }
    let image = image::open(cx, code, args.srv)?;
    check_texels(cx, &image)?;
    let coords = [args.coord0, args.coord1, args.coord2];
    let at = coordinates(cx, code, &image, &coords)?;
    let at = displaced(cx, code, &image, at, [args.offset0, args.offset1, args.offset2])?;
    let mut operands = ImageOperands::default();
    if image.ty.multisampled {
        operands.sample = Some(cx.value(code, args.mip_or_sample)?);
    } else if !image.ty.storage && image.ty.dim != Dim::DimBuffer {
        operands.lod = Some(match cx.input.is_undef(args.mip_or_sample) {
            true => code.const_u32(0),
            false => cx.value(code, args.mip_or_sample)?,
        });
    }
    // The view of a storage image has one mip level: D3D gives zero for a load of any other.
    let level = match image.ty.storage && !image.ty.multisampled && !cx.input.is_undef(args.mip_or_sample) {
        true => Some(cx.value(code, args.mip_or_sample)?),
        false => None,
    };
    let there = level.filter(|&level| code.constant_u32(level) != Some(0)).map(|level| {
        let (bool_ty, zero) = (code.type_bool(), code.const_u32(0));
        code.binary(Op::IEqual, bool_ty, level, zero)
    });
    fetch(cx, code, call, &image, at, &operands, there)
}

/// The image of a typed buffer.
fn texels<'a>(
    cx: &mut FunctionCx<'_, 'a>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    buffer: Value,
) -> Result<Image<'a>> {
    let image = image::open(cx, code, buffer)?;
    match image.ty.dim {
        Dim::DimBuffer => Ok(image),
        _ => Err(malformed!(call.place, "{} of {}, which is not a typed buffer", call.op, image.resource)),
    }
}

/// Loads an element of a typed buffer.
pub fn typed_buffer_load(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    buffer: Value,
    index: Value,
) -> Result<Lowered> {
    let image = texels(cx, code, call, buffer)?;
    let at = cx.value(code, index)?;
    fetch(cx, code, call, &image, at, &ImageOperands::default(), None)
}

/// The coordinates in the descriptor of a texel: those of an element, unless it is one of a view
/// that is a part of a typed buffer.
fn in_descriptor(code: &mut Code<'_, '_>, image: &Image<'_>, at: Id) -> Id {
    let Some(range) = image.range else { return at };
    let word = code.type_u32();
    code.binary(Op::IAdd, word, at, range.start)
}

/// Loads a texel; zero where `there`, if it is given, or a check of bounds that is needed is false.
fn fetch(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    image: &Image<'_>,
    at: Id,
    operands: &ImageOperands,
    there: Option<Id>,
) -> Result<Lowered> {
    let element = at;
    let at = in_descriptor(code, image, at);
    let texel_ty = code.type_vector(image.ty.sampled_type, 4);
    let sparse = wants_status(cx, code, call);
    let ty = if sparse { sparse_type(code, texel_ty) } else { texel_ty };
    let op = match (image.ty.storage, sparse) {
        (false, false) => Op::ImageFetch,
        (false, true) => Op::ImageSparseFetch,
        (true, false) => Op::ImageRead,
        (true, true) => Op::ImageSparseRead,
    };
    let access = |code: &mut Code<'_, '_>| match image.ty.storage {
        true => code.image_read(op, ty, image.value, at, operands),
        false => code.image_fetch(op, ty, image.value, at, operands),
    };
    let checked = match image.ty.dim {
        _ if image.range.is_some() => true,
        Dim::DimBuffer => !bounds::driver_bounds_buffers(cx.input.options, &code.caps),
        _ => !bounds::driver_bounds_image_loads(cx.input.options, &code.caps),
    };
    let inside = if checked { Some(is_inside(code, image, element, operands)?) } else { None };
    let condition = match (inside, there) {
        (Some(inside), Some(there)) => {
            let bool_ty = code.type_bool();
            Some(code.binary(Op::LogicalAnd, bool_ty, inside, there))
        }
        (one, other) => one.or(other),
    };
    let value = match condition {
        Some(condition) => {
            let zero = code.const_null(ty);
            code.if_value(ty, condition, zero, access)?
        }
        None => access(code)?,
    };
    texel_result(cx, code, call, image, value, sparse)
}

pub fn store(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::TextureStore,
) -> Result<Lowered> {
    let image = image::open(cx, code, args.srv)?;
    if image.ty.multisampled {
        return Err(malformed!(
            call.place,
            "{} to {}, which is multisampled and needs TextureStoreSample",
            call.op,
            image.resource
        ));
    }
    check_texels(cx, &image)?;
    let at = coordinates(cx, code, &image, &[args.coord0, args.coord1, args.coord2])?;
    let values = [args.value0, args.value1, args.value2, args.value3];
    write(cx, code, call, &image, at, values, args.mask, ImageOperands::default())
}

pub fn store_sample(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::TextureStoreSample,
) -> Result<Lowered> {
    let image = image::open(cx, code, args.srv)?;
    if !image.ty.multisampled {
        return Err(malformed!(call.place, "{} to {}, which is not multisampled", call.op, image.resource));
    }
    let at = coordinates(cx, code, &image, &[args.coord0, args.coord1, args.coord2])?;
    let operands = ImageOperands { sample: Some(cx.value(code, args.sample_idx)?), ..Default::default() };
    let values = [args.value0, args.value1, args.value2, args.value3];
    write(cx, code, call, &image, at, values, args.mask, operands)
}

/// Stores an element of a typed buffer.
pub fn typed_buffer_store(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    buffer: Value,
    index: Value,
    values: [Value; 4],
    mask: Value,
) -> Result<Lowered> {
    let image = texels(cx, code, call, buffer)?;
    let at = cx.value(code, index)?;
    write(cx, code, call, &image, at, values, mask, ImageOperands::default())
}

#[expect(clippy::too_many_arguments, reason = "they are the operands of one instruction")]
fn write(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    image: &Image<'_>,
    at: Id,
    values: [Value; 4],
    mask: Value,
    operands: ImageOperands,
) -> Result<Lowered> {
    if !image.ty.storage {
        return Err(malformed!(call.place, "{} to {}, which is read-only", call.op, image.resource));
    }
    // A typed store writes all four components (DXIL.rst, «TextureStore»).
    if cx.entry.immediate(mask)? != FULL_MASK {
        return Err(malformed!(
            call.place,
            "the mask of {} is not 15; a typed store writes all four components",
            call.op
        ));
    }
    let texel = texel_of(cx, code, image, values)?;
    let checked = match image.ty.dim {
        _ if image.range.is_some() => true,
        Dim::DimBuffer => !bounds::driver_bounds_buffers(cx.input.options, &code.caps),
        _ => !bounds::driver_bounds_image_writes(cx.input.options, &code.caps),
    };
    let element = at;
    let at = in_descriptor(code, image, at);
    if checked {
        let inside = is_inside(code, image, element, &operands)?;
        code.if_then(inside, |code| code.image_write(image.value, at, texel, &operands))?;
    } else {
        code.image_write(image.value, at, texel, &operands)?;
    }
    Ok(Lowered::Nothing)
}

pub fn check_access_fully_mapped(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _call: &Call<'_>,
    args: args::CheckAccessFullyMapped,
) -> Result<Lowered> {
    // Without the feature no image is sparse. An access to a raw buffer has the constant status 0.
    // That constant must not be passed to OpImageSparseTexelsResident, because residency codes are
    // defined by the device (SPIR-V, "OpImageSparseTexelsResident").
    let status = cx.value(code, args.status)?;
    if !code.caps.allows(Capability::SparseResidency) || code.constant_u32(status) == Some(0) {
        return Ok(Lowered::Id(code.const_bool(true)));
    }
    code.caps.capability(Capability::SparseResidency)?;
    let ty = code.type_bool();
    Ok(Lowered::Id(code.unary(Op::ImageSparseTexelsResident, ty, status)))
}

/// The texels that an atomic operation works on.
#[derive(Clone, Copy, PartialEq)]
pub enum Numbers {
    Integers,
    Floats,
}

/// Pointer to the texel that an atomic operation accesses, and the condition under which the access
/// is in bounds, if the driver does not check it.
pub fn target(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    texture: Value,
    coords: [Value; 3],
    numbers: Numbers,
) -> Result<(Id, Option<Id>)> {
    let image = image::open(cx, code, texture)?;
    let has_integers = matches!(code.ty(image.ty.sampled_type), Some(dxil_spirv_builder::Type::Int { .. }));
    if !image.ty.storage || has_integers != (numbers == Numbers::Integers) {
        let numbers = if numbers == Numbers::Integers { "integers" } else { "floats" };
        return Err(malformed!(
            cx.entry.place,
            "an atomic operation on {}; it needs a writable texture or typed buffer of {numbers}",
            image.resource
        ));
    }
    check_texels(cx, &image)?;
    let element = coordinates(cx, code, &image, &coords)?;
    let at = in_descriptor(code, &image, element);
    let pointer = code.image_texel_pointer(image.ty.sampled_type, image.pointer, at, None);
    if image.non_uniform {
        code.mark(pointer, Decoration::NonUniform);
    }
    let checked = image.range.is_some() || !bounds::driver_bounds_image_writes(cx.input.options, &code.caps);
    let inside = if checked { Some(is_inside(code, &image, element, &ImageOperands::default())?) } else { None };
    Ok((pointer, inside))
}
