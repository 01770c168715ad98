//! The sizes of images: asked for by a shader, and held against an access.

use rspirv::spirv::{Dim, GlslStd450Op, Op};

use super::context::Context;
use super::resource::Image;
use super::{Call, Code, Lowered, buffer};
use crate::dxil::consts::ResourceKind;
use crate::dxil::ops::args;
use crate::error::Result;
use crate::spirv::{Id, ImageOperands};

/// `GetDimensions`: of a texture's level, or how many elements a buffer has.
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
            _ => buffer::size(cx, code, args.handle)?,
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
pub(super) fn is_inside(code: &mut Code<'_, '_>, image: &Image<'_>, at: Id, operands: &ImageOperands) -> Result<Id> {
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
