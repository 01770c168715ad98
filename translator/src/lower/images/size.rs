//! Sizes of images, and bounds checks of accesses.

use rspirv::spirv::{GlslStd450Op, Op};

use super::image::Image;
use crate::lower::cx::Code;
use dxil_base::error::Result;
use dxil_spirv_builder::{Id, ImageOperands};

/// The size of a mip level: the spatial components of the first level's size, shifted right by the
/// level's number, but at least 1 (Vulkan, "Image Mip Level Sizing"). The result for a level that
/// does not exist is unspecified. OpImageQuerySizeLod would give it directly, but for a quirk
/// ([`LevelSizeByLane`](dxil_base::quirks::Quirk::LevelSizeByLane)).
pub fn level_size(code: &mut Code<'_, '_>, image: &Image<'_>, ty: Id, level: Id) -> Result<Id> {
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

/// The number of elements of a typed buffer.
pub fn elements(code: &mut Code<'_, '_>, image: &Image<'_>) -> Result<Id> {
    let word = code.type_u32();
    match image.range {
        Some(range) => Ok(range.size),
        None => code.image_query(Op::ImageQuerySize, word, image.value, None),
    }
}

/// Whether an access is in bounds: the coordinates are below the image's size, the level below its
/// number of levels, the sample below its number of samples. Coordinates are compared as unsigned
/// numbers, so negative ones are out of bounds.
pub(super) fn is_inside(code: &mut Code<'_, '_>, image: &Image<'_>, at: Id, operands: &ImageOperands) -> Result<Id> {
    let (word, bool_ty) = (code.type_u32(), code.type_bool());
    let count = image.ty.coordinates();
    let ty = code.type_vector(word, count);
    if let Some(range) = image.range {
        return Ok(code.binary(Op::ULessThan, bool_ty, at, range.size));
    }
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
