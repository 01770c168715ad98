//! `GetDimensions`: the sizes of textures and buffers.

use rspirv::spirv::{Dim, Op};

use super::access::BufferAccess;
use crate::ir::args;
use crate::lower::cx::{Call, Code, FunctionCx, Lowered};
use crate::lower::images::{image, size};
use crate::lower::resources::handle;
use crate::ops::consts::ResourceKind;
use dxil_base::error::Result;
use dxil_spirv_builder::Id;

/// `GetDimensions`: of a texture's level, or how many elements a buffer has.
pub fn dimensions(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    args: args::GetDimensions,
) -> Result<Lowered> {
    let handle = handle::resolve(cx, args.handle)?;
    let resource = handle::declaration(cx.input, handle);
    let word = code.type_u32();
    let zero = code.const_u32(0);
    if !resource.kind.is_texture() {
        let elements = match resource.kind {
            ResourceKind::TypedBuffer => {
                let image = image::open(cx, code, args.handle)?;
                size::elements(code, &image)?
            }
            ResourceKind::TBuffer => {
                return Err(unsupported!(cx.entry.place, "the size of {resource}, which HLSL cannot ask for"));
            }
            _ => BufferAccess::size(cx, code, handle)?,
        };
        return Ok(cx.locals.parts(&[elements, zero, zero, zero]));
    }
    let image = image::open(cx, code, args.handle)?;
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
        let size = code.image_query(Op::ImageQuerySize, ty, image.value, None)?;
        // An SRV in a storage image has the view's one level, but the operation may ask for
        // another.
        if image.ty.multisampled || cx.input.is_undef(args.mip_level) || cx.input.const_uint(args.mip_level) == Some(0)
        {
            size
        } else {
            let level = cx.value(code, args.mip_level)?;
            existing(code, level, last, ty, size)
        }
    } else {
        let level = match cx.input.is_undef(args.mip_level) {
            true => zero,
            false => cx.value(code, args.mip_level)?,
        };
        let levels = code.image_query(Op::ImageQueryLevels, word, image.value, None)?;
        leaves[3] = levels;
        let size = size::level_size(code, &image, ty, level)?;
        if level == zero { size } else { existing(code, level, levels, ty, size) }
    };
    for (n, leaf) in leaves.iter_mut().take(count as usize).enumerate() {
        *leaf = code.component(size, n as u32);
    }
    // The layers of an array come after its sizes: y in 1D arrays, z in 2D arrays, which is where
    // D3D has them.
    Ok(cx.locals.parts(&leaves))
}

/// The size of a level; zero where `level` is not below `levels`. D3D11.3, «resinfo»: a level that
/// is not there has no size. Vulkan leaves it undefined.
fn existing(code: &mut Code<'_, '_>, level: Id, levels: Id, ty: Id, size: Id) -> Id {
    let bool_ty = code.type_bool();
    let there = code.binary(Op::ULessThan, bool_ty, level, levels);
    let none = code.const_null(ty);
    let bools = code.type_bool_like(ty);
    let there = code.splat(bools, there);
    code.select(ty, there, size, none)
}
