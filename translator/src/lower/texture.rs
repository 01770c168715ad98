//! Textures and typed buffers without a sampler: load, store, dimensions.
//!
//! D3D's bounds hold: a load outside gives zero, a store outside does nothing. `robustImageAccess2` and `robustImageAccess` say that
//! the driver sees to it; without, the checks are emitted.

use rspirv::spirv::{Capability, Decoration, Dim, GlslStd450Op, Op};

use super::context::Context;
use super::resource::Image;
use super::{Call, Code, Lowered};
use crate::dxil::consts::ResourceKind;
use crate::dxil::ir::{Type, TypeId, Value};
use crate::dxil::ops::args;
use crate::error::Result;
use crate::spirv::{Id, ImageOperands, Member, StructKind};

/// All four components are written.
const FULL_MASK: u32 = 0xf;
/// The leaf of a `ResRet` that is the sparse status.
const STATUS: u32 = 4;

pub(super) fn load(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::TextureLoad,
) -> Result<Lowered> {
    let image = cx.image(code, args.srv)?;
    if image.ty.dim == Dim::DimCube {
        return Err(malformed!(call.place, "a texel loaded from {}", image.resource));
    }
    let coords = [args.coord0, args.coord1, args.coord2];
    let at = coordinates(cx, code, &image, &coords)?;
    let at = displaced(cx, code, &image, at, [args.offset0, args.offset1, args.offset2])?;
    let mut operands = ImageOperands::default();
    if image.ty.multisampled {
        operands.sample = Some(cx.value(code, args.mip_or_sample)?);
    } else if !image.ty.storage && image.ty.dim != Dim::DimBuffer {
        operands.lod = Some(match cx.is_undef(args.mip_or_sample) {
            true => code.const_u32(0),
            false => cx.value(code, args.mip_or_sample)?,
        });
    }
    fetch(cx, code, call, &image, at, &operands)
}

/// The texels of a typed buffer.
fn texels<'a>(cx: &mut Context<'a>, code: &mut Code<'_, '_>, call: &Call<'_>, buffer: Value) -> Result<Image<'a>> {
    let image = cx.image(code, buffer)?;
    match image.ty.dim {
        Dim::DimBuffer => Ok(image),
        _ => Err(malformed!(call.place, "{} of {}, which is no buffer", call.op, image.resource)),
    }
}

/// The load of a typed buffer's element.
pub(super) fn typed_buffer_load(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    buffer: Value,
    index: Value,
) -> Result<Lowered> {
    let image = texels(cx, code, call, buffer)?;
    let at = cx.value(code, index)?;
    fetch(cx, code, call, &image, at, &ImageOperands::default())
}

fn fetch(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    image: &Image<'_>,
    at: Id,
    operands: &ImageOperands,
) -> Result<Lowered> {
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
        Dim::DimBuffer => !cx.driver_bounds_buffers(),
        _ => !cx.driver_bounds_image_loads(),
    };
    let value = if checked {
        let inside = is_inside(code, image, at, operands)?;
        let zero = code.const_null(ty);
        code.if_value(ty, inside, zero, access)?
    } else {
        access(code)?
    };
    texel_result(cx, code, call, image, value, sparse)
}

pub(super) fn store(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::TextureStore,
) -> Result<Lowered> {
    let image = cx.image(code, args.srv)?;
    if image.ty.multisampled {
        return Err(malformed!(call.place, "a store to {} that names no sample", image.resource));
    }
    let at = coordinates(cx, code, &image, &[args.coord0, args.coord1, args.coord2])?;
    let values = [args.value0, args.value1, args.value2, args.value3];
    write(cx, code, call, &image, at, values, args.mask, ImageOperands::default())
}

pub(super) fn store_sample(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::TextureStoreSample,
) -> Result<Lowered> {
    let image = cx.image(code, args.srv)?;
    if !image.ty.multisampled {
        return Err(malformed!(call.place, "a store to a sample of {}, which has none", image.resource));
    }
    let at = coordinates(cx, code, &image, &[args.coord0, args.coord1, args.coord2])?;
    let operands = ImageOperands { sample: Some(cx.value(code, args.sample_idx)?), ..Default::default() };
    let values = [args.value0, args.value1, args.value2, args.value3];
    write(cx, code, call, &image, at, values, args.mask, operands)
}

/// The store of a typed buffer's element.
pub(super) fn typed_buffer_store(
    cx: &mut Context<'_>,
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
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    image: &Image<'_>,
    at: Id,
    values: [Value; 4],
    mask: Value,
    operands: ImageOperands,
) -> Result<Lowered> {
    if !image.ty.storage {
        return Err(malformed!(call.place, "{} to {}, which is not written", call.op, image.resource));
    }
    // DXIL.rst, «TextureStore»: typed stores write all components.
    if cx.immediate(mask)? != FULL_MASK {
        return Err(malformed!(call.place, "{} with a mask that is not 15", call.op));
    }
    let texel = texel_of(cx, code, image, values)?;
    let checked = match image.ty.dim {
        Dim::DimBuffer => !cx.driver_bounds_buffers(),
        _ => !cx.driver_bounds_image_writes(),
    };
    if checked {
        let inside = is_inside(code, image, at, &operands)?;
        code.if_then(inside, |code| code.image_write(image.value, at, texel, &operands))?;
    } else {
        code.image_write(image.value, at, texel, &operands)?;
    }
    Ok(Lowered::Nothing)
}

pub(super) fn check_access_fully_mapped(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    _call: &Call<'_>,
    args: args::CheckAccessFullyMapped,
) -> Result<Lowered> {
    // Without the feature no image is sparse, and raw buffers never are here: their status is the constant 0, about which a device
    // must not be asked, as the codes are its own (SPIR-V, "OpImageSparseTexelsResident").
    let status = cx.value(code, args.status)?;
    if !code.caps.allows(Capability::SparseResidency) || code.constant_u32(status) == Some(0) {
        return Ok(Lowered::Id(code.const_bool(true)));
    }
    code.caps.capability(Capability::SparseResidency)?;
    let ty = code.type_bool();
    Ok(Lowered::Id(code.unary(Op::ImageSparseTexelsResident, ty, status)))
}

pub(super) fn dimensions(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    args: args::GetDimensions,
) -> Result<Lowered> {
    let handle = cx.handle(args.handle)?;
    let resource = cx.resource(handle);
    let word = code.type_u32();
    let zero = code.const_u32(0);
    if !resource.kind.is_texture() {
        let elements = match resource.kind {
            ResourceKind::TypedBuffer => {
                let image = cx.image(code, args.handle)?;
                code.image_query(Op::ImageQuerySize, word, image.value, None)?
            }
            _ => super::buffer::size(cx, code, args.handle)?,
        };
        return Ok(cx.parts(&[elements, zero, zero, zero]));
    }
    let image = cx.image(code, args.handle)?;
    let spatial = match image.ty.dim {
        Dim::Dim1D => 1,
        Dim::Dim3D => 3,
        _ => 2,
    };
    let count = spatial + u32::from(image.ty.arrayed);
    let ty = code.type_vector(word, count);
    let mut leaves = [zero; 4];
    let size = if image.ty.storage || image.ty.multisampled {
        let last = match image.ty.multisampled {
            true => code.image_query(Op::ImageQuerySamples, word, image.value, None)?,
            // A view of a UAV has one level.
            false => code.const_u32(1),
        };
        leaves[3] = last;
        code.image_query(Op::ImageQuerySize, ty, image.value, None)?
    } else {
        let level = match cx.is_undef(args.mip_level) {
            true => zero,
            false => cx.value(code, args.mip_level)?,
        };
        let levels = code.image_query(Op::ImageQueryLevels, word, image.value, None)?;
        leaves[3] = levels;
        let size = level_size(code, &image, ty, level)?;
        if level == zero {
            size
        } else {
            // D3D11.3, «resinfo»: a level that is not there has no size. Vulkan leaves it undefined.
            let bool_ty = code.type_bool();
            let there = code.binary(Op::ULessThan, bool_ty, level, levels);
            let none = code.const_null(ty);
            let bools = code.type_vector(bool_ty, count);
            let there = code.splat(bools, there);
            code.select(ty, there, size, none)
        }
    };
    for (n, leaf) in leaves.iter_mut().take(count as usize).enumerate() {
        *leaf = code.component(size, n as u32);
    }
    // The layers of an array come after its sizes: y in 1D arrays, z in 2D arrays, which is where D3D has them.
    Ok(cx.parts(&leaves))
}

/// Standard sample positions in sixteenths of a pixel from its centre, for 1, 2, 4, 8 and 16 samples, at this index plus the sample's
/// number (D3D11.3 functional specification, "Sample Positions"; Vulkan, "Standard sample locations", counts from the corner).
#[rustfmt::skip]
const SAMPLE_POSITIONS: [(i8, i8); 31] = [
    (0, 0),
    (4, 4), (-4, -4),
    (-2, -6), (6, -2), (-6, 2), (2, 6),
    (1, -3), (-1, 3), (5, 1), (-3, -5), (-5, 5), (-7, -1), (3, 7), (7, -7),
    (1, 1), (-1, -3), (-3, 2), (4, -1), (-5, -2), (2, 5), (5, 3), (3, -5),
    (-2, 6), (0, -7), (-4, -6), (-6, 4), (-8, 0), (7, -4), (6, 7), (-7, -8),
];

/// `GetSamplePosition` of a texture: D3D's standard positions, by its number of samples. A sample that is not there has the position 0.
pub(super) fn sample_position(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::Texture2DMSGetSamplePosition,
) -> Result<Lowered> {
    let image = cx.image(code, args.srv)?;
    if !image.ty.multisampled {
        return Err(malformed!(call.place, "sample positions of a texture that has no samples"));
    }
    let sample = cx.value(code, args.index)?;
    let word = code.type_u32();
    let count = code.image_query(Op::ImageQuerySamples, word, image.value, None)?;
    let parts = standard_position(code, count, sample);
    Ok(cx.parts(&parts))
}

/// D3D's standard position of one of so many samples, in pixels from the centre; 0 for one that is not there.
pub(super) fn standard_position(code: &mut Code<'_, '_>, count: Id, sample: Id) -> [Id; 2] {
    let (word, float, bool_ty) = (code.type_u32(), code.type_f32(), code.type_bool());
    let pair = code.type_vector(float, 2);
    let mut positions = Vec::with_capacity(SAMPLE_POSITIONS.len());
    for (x, y) in SAMPLE_POSITIONS {
        let numbers = [x, y].map(|n| code.const_f32(f32::from(n) / 16.0));
        positions.push(code.const_composite(pair, &numbers));
    }
    let table = code.type_array(pair, positions.len() as u32, None);
    let values = code.const_composite(table, &positions);
    let table = code.local(table, Some(values));
    // The positions of n samples, a power of two, start at n - 1.
    let one = code.const_u32(1);
    let there = code.binary(Op::ULessThan, bool_ty, sample, count);
    let (known, most) = (code.type_bool(), code.const_u32(16));
    let known = code.binary(Op::ULessThanEqual, known, count, most);
    let there = code.binary(Op::LogicalAnd, bool_ty, there, known);
    let start = code.binary(Op::ISub, word, count, one);
    let at = code.binary(Op::IAdd, word, start, sample);
    let zero = code.const_u32(0);
    let at = code.select(word, there, at, zero);
    let pointer = code.access_chain(pair, table, &[at]);
    let position = code.load(pointer);
    [code.component(position, 0), code.component(position, 1)]
}

/// Pointer to the texel that an atomic operation names, and the condition under which it may be touched where that is checked here.
pub(super) fn target(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    texture: Value,
    coords: [Value; 3],
) -> Result<(Id, Option<Id>)> {
    let image = cx.image(code, texture)?;
    let integers = matches!(code.ty(image.ty.sampled_type), Some(crate::spirv::Type::Int { .. }));
    if !image.ty.storage || !integers {
        return Err(malformed!(cx.place, "an atomic operation on {}", image.resource));
    }
    let at = coordinates(cx, code, &image, &coords)?;
    let pointer = code.image_texel_pointer(image.ty.sampled_type, image.pointer, at, None);
    if image.non_uniform {
        code.mark_new(pointer, Decoration::NonUniform);
    }
    let checked = !cx.driver_bounds_image_writes();
    let inside = if checked { Some(is_inside(code, &image, at, &ImageOperands::default())?) } else { None };
    Ok((pointer, inside))
}

/// The coordinate vector of an access, as many of `values` as the image has coordinates.
pub(super) fn coordinates(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    image: &Image<'_>,
    values: &[Value],
) -> Result<Id> {
    vector(cx, code, values, image.ty.coordinates() as usize)
}

/// A vector of the first `count` values; the first itself where it is one.
pub(super) fn vector(cx: &mut Context<'_>, code: &mut Code<'_, '_>, values: &[Value], count: usize) -> Result<Id> {
    let mut ids = Vec::with_capacity(4);
    for &value in values.iter().take(count) {
        if cx.is_undef(value) {
            return Err(malformed!(cx.place, "an undefined coordinate where {count} are needed"));
        }
        ids.push(cx.value(code, value)?);
    }
    let Some(ty) = ids.first().and_then(|&id| code.type_of(id)).filter(|_| ids.len() == count) else {
        return Err(unsupported!(cx.place, "an access with {count} coordinates"));
    };
    if count == 1 {
        return Ok(ids[0]);
    }
    let ty = code.type_vector(ty, count as u32);
    if ids.iter().all(|&id| code.constant_value(id).is_some()) {
        return Ok(code.const_composite(ty, &ids));
    }
    Ok(code.construct(ty, &ids))
}

/// Integer coordinates moved by an offset, which has no component for the layer. D3D adds before it checks bounds.
fn displaced(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    image: &Image<'_>,
    at: Id,
    offsets: [Value; 3],
) -> Result<Id> {
    let all = image.ty.coordinates();
    let spatial = all - u32::from(image.ty.arrayed);
    let word = code.type_u32();
    let mut ids = [code.const_u32(0); 4];
    let mut moved = false;
    for (id, offset) in ids.iter_mut().zip(offsets).take(spatial as usize) {
        if !cx.is_undef(offset) && cx.const_uint(offset) != Some(0) {
            *id = cx.value(code, offset)?;
            if cx.const_uint(offset).is_none() {
                // Four bits with their sign count (HLSL_SM_6_7_Advanced_Texture_Ops, "Programmable Offsets").
                let (start, count) = (code.const_u32(0), code.const_u32(4));
                *id = code.op(Op::BitFieldSExtract, word, &[*id, start, count]);
            }
            moved = true;
        }
    }
    if !moved {
        return Ok(at);
    }
    let ty = code.type_vector(word, all);
    let offset = match ids.get(..all as usize) {
        Some(&[only]) => only,
        Some(ids) if ids.iter().all(|&id| code.constant_value(id).is_some()) => code.const_composite(ty, ids),
        Some(ids) => code.construct(ty, ids),
        None => return Err(bug!(cx.place, "an image with {all} coordinates")),
    };
    Ok(code.binary(Op::IAdd, ty, at, offset))
}

/// The size of a level, of which only the spatial components shrink: the first level's, halved as often (Vulkan, "Image Mip Level
/// Sizing"). OpImageQuerySizeLod would say it as well, but lavapipe takes the level of one lane for all. The level may be one that is
/// not there: then the size is some number.
fn level_size(code: &mut Code<'_, '_>, image: &Image<'_>, ty: Id, level: Id) -> Result<Id> {
    let count = code.scalar(ty).1;
    let (word, zero) = (code.type_u32(), code.const_u32(0));
    let first = code.image_query(Op::ImageQuerySizeLod, ty, image.value, Some(zero))?;
    if level == zero {
        return Ok(first);
    }
    let most = code.const_u32(31);
    let level = code.binary(Op::BitwiseAnd, word, level, most);
    let mut shifts = [level; 4];
    if image.ty.arrayed
        && let Some(layer) = shifts.get_mut(count as usize - 1)
    {
        *layer = zero;
    }
    let shifts = code.construct(ty, shifts.get(..count as usize).unwrap_or(&shifts));
    let halved = code.binary(Op::ShiftRightLogical, ty, first, shifts);
    let one = code.const_bits_splat(ty, 1);
    Ok(code.glsl(GlslStd450Op::UMax, ty, &[halved, one]))
}

/// Whether an access lies within the image: coordinates below its size, level below its levels, sample below its samples.
/// Negative coordinates are large unsigned ones.
fn is_inside(code: &mut Code<'_, '_>, image: &Image<'_>, at: Id, operands: &ImageOperands) -> Result<Id> {
    let (word, bool_ty) = (code.type_u32(), code.type_bool());
    let count = image.ty.coordinates();
    let ty = code.type_vector(word, count);
    let size = match operands.lod {
        Some(lod) => level_size(code, image, ty, lod)?,
        None => code.image_query(Op::ImageQuerySize, ty, image.value, None)?,
    };
    let bools = code.type_vector(bool_ty, count);
    let mut inside = code.binary(Op::ULessThan, bools, at, size);
    if count > 1 {
        inside = code.unary(Op::All, bool_ty, inside);
    }
    let more = match (operands.lod, operands.sample) {
        (Some(lod), _) if code.constant_u32(lod) != Some(0) => Some((lod, Op::ImageQueryLevels)),
        (_, Some(sample)) => Some((sample, Op::ImageQuerySamples)),
        _ => None,
    };
    if let Some((index, query)) = more {
        let limit = code.image_query(query, word, image.value, None)?;
        let there = code.binary(Op::ULessThan, bool_ty, index, limit);
        inside = code.binary(Op::LogicalAnd, bool_ty, inside, there);
    }
    Ok(inside)
}

/// Whether the shader asks for the sparse status of an access, and the device has sparse images.
pub(super) fn wants_status(cx: &Context<'_>, code: &Code<'_, '_>, call: &Call<'_>) -> bool {
    cx.is_extracted(call.inst, STATUS) && code.caps.allows(Capability::SparseResidency)
}

/// The result type of a sparse access.
pub(super) fn sparse_type(code: &mut Code<'_, '_>, texel: Id) -> Id {
    let word = code.type_u32();
    code.type_struct(StructKind::Plain, &[Member::new(word), Member::new(texel)])
}

/// The scalar type that an access's result has, in the IR: the first member of its `ResRet`.
pub(super) fn overload(cx: &Context<'_>, call: &Call<'_>) -> Result<TypeId> {
    match cx.ir_type(call.ty()?) {
        Type::Struct { fields, .. } => match fields.first() {
            Some(&first) => Ok(first),
            None => Err(malformed!(call.place, "{} gives an empty structure", call.op)),
        },
        _ => Err(malformed!(call.place, "{} does not give a structure", call.op)),
    }
}

/// The texel and the status of what an image instruction gave: a sparse access gives a structure of both.
pub(super) fn texel_and_status(code: &mut Code<'_, '_>, call: &Call<'_>, value: Id, sparse: bool) -> Result<(Id, Id)> {
    if !sparse {
        return Ok((value, code.const_u32(0)));
    }
    let texel_ty = match code.ty_of(value) {
        Some(crate::spirv::Type::Struct(members)) => members.ty(1),
        _ => None,
    };
    let Some(texel_ty) = texel_ty else {
        return Err(bug!(call.place, "a sparse access without its structure"));
    };
    let word = code.type_u32();
    let status = code.extract(word, value, &[0]);
    Ok((code.extract(texel_ty, value, &[1]), status))
}

/// The leaves of a `ResRet` from what an image instruction gave: a vector, a scalar (which comparisons give, and which D3D
/// repeats), or a sparse structure of a status and either.
pub(super) fn texel_result(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    image: &Image<'_>,
    value: Id,
    sparse: bool,
) -> Result<Lowered> {
    let overload = overload(cx, call)?;
    let (texel, status) = texel_and_status(code, call, value, sparse)?;
    let Some(texel_ty) = code.type_of(texel) else {
        return Err(bug!(call.place, "a texel without a type"));
    };
    let count = code.scalar(texel_ty).1;
    let scalar = cx.ty(code, overload)?;
    let texel = converted(cx, code, image, texel, count, overload)?;
    let mut leaves = [texel, texel, texel, texel, status];
    if count > 1 {
        for n in 0..4 {
            // What nothing reads is not extracted. Its leaf is the whole vector, which would not validate if it were read.
            if cx.is_extracted(call.inst, n)
                && let Some(leaf) = leaves.get_mut(n as usize)
            {
                *leaf = code.extract(scalar, texel, &[n]);
            }
        }
    }
    Ok(cx.parts(&leaves))
}

/// A texel in the components' IR type.
fn converted(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    image: &Image<'_>,
    texel: Id,
    count: u32,
    to: TypeId,
) -> Result<Id> {
    let (f32t, word) = (code.type_f32(), code.type_u32());
    let float = image.ty.sampled_type == f32t;
    let scalar = cx.ty(code, to)?;
    let ty = code.type_vector(scalar, count);
    if code.width(image.ty.sampled_type) == Some(64) {
        // DXIL loads such texels as pairs of words.
        if *cx.ir_type(to) != Type::Int(32) || count != 4 {
            return Err(unsupported!(cx.place, "an access to {} whose values have another type", image.resource));
        }
        let (pair, zero) = (code.type_vector(word, 2), code.const_u32(0));
        let whole = code.component(texel, 0);
        let words = code.bitcast(pair, whole);
        let words = [code.component(words, 0), code.component(words, 1), zero, zero];
        return Ok(code.construct(ty, &words));
    }
    Ok(match *cx.ir_type(to) {
        Type::Float(32) if float => texel,
        Type::Float(16) if float => code.unary(Op::FConvert, ty, texel),
        Type::Int(bits @ (16 | 32)) if !float => {
            let words = code.type_vector(word, count);
            let texel = code.bitcast(words, texel);
            if bits == 32 { texel } else { code.unary(Op::UConvert, ty, texel) }
        }
        // Rows of words, whatever the members are.
        Type::Float(32) if image.resource.kind == ResourceKind::TBuffer => code.bitcast(ty, texel),
        _ => {
            let resource = image.resource;
            return Err(unsupported!(cx.place, "an access to {resource} whose values have another type"));
        }
    })
}

/// A texel of four components from IR values. What the shader leaves undefined repeats the first.
fn texel_of(cx: &mut Context<'_>, code: &mut Code<'_, '_>, image: &Image<'_>, values: [Value; 4]) -> Result<Id> {
    let component = |cx: &mut Context<'_>, code: &mut Code<'_, '_>, value| match image.is_signed() {
        true => cx.signed_value(code, value),
        false => cx.value(code, value),
    };
    let first = component(cx, code, values[0])?;
    let mut ids = [first; 4];
    for (id, &value) in ids.iter_mut().zip(&values).skip(1) {
        if !cx.is_undef(value) {
            *id = component(cx, code, value)?;
        }
    }
    let ty = cx.type_of(values[0]);
    let scalar = cx.ty(code, ty)?;
    let given = code.type_vector(scalar, 4);
    let texel = code.construct(given, &ids);
    let wanted = code.type_vector(image.ty.sampled_type, 4);
    if code.width(image.ty.sampled_type) == Some(64) {
        if *cx.ir_type(ty) != Type::Int(32) {
            return Err(unsupported!(cx.place, "a store to {} of values of another type", image.resource));
        }
        let word = code.type_u32();
        let pair = code.type_vector(word, 2);
        let words = code.construct(pair, &[ids[0], ids[1]]);
        let whole = code.bitcast(image.ty.sampled_type, words);
        return Ok(code.splat(wanted, whole));
    }
    let f32t = code.type_f32();
    let float = image.ty.sampled_type == f32t;
    Ok(match *cx.ir_type(ty) {
        Type::Float(32) if float => texel,
        Type::Float(16) if float => code.unary(Op::FConvert, wanted, texel),
        Type::Int(32) if !float => code.bitcast(wanted, texel),
        Type::Int(16) if !float => {
            let word = code.type_u32();
            let words = code.type_vector(word, 4);
            let op = if image.is_signed() { Op::SConvert } else { Op::UConvert };
            let widened = code.unary(op, words, texel);
            code.bitcast(wanted, widened)
        }
        _ => {
            let resource = image.resource;
            return Err(unsupported!(cx.place, "a store to {resource} of values of another type"));
        }
    })
}
