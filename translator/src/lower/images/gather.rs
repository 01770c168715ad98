//! Gathers: one component of each of the four texels that a sample would filter.

use rspirv::spirv::{Dim, Op};

use super::offset::gather_offset;
use super::sample::{TextureAccess, is_float, site};
use super::texel::{overload, sparse_type, texel_and_status, texel_result, wants_status};
use crate::ir::args;
use crate::ir::{Type, Value};
use crate::lower::cx::{Call, Code, FunctionCx, Lowered};
use dxil_base::error::Result;
use dxil_spirv_builder::{Id, ImageOperands};

/// The instructions of a gather: without the sparse status, and with it.
#[derive(Clone, Copy)]
struct Instructions {
    plain: Op,
    sparse: Op,
}

const GATHER: Instructions = Instructions { plain: Op::ImageGather, sparse: Op::ImageSparseGather };
const COMPARE: Instructions = Instructions { plain: Op::ImageDrefGather, sparse: Op::ImageSparseDrefGather };

pub fn gather(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::TextureGather,
) -> Result<Lowered> {
    let channel = cx.entry.immediate(args.channel)?;
    if channel > 3 {
        return Err(malformed!(call.place, "{} of channel {channel}; channels are 0 to 3", call.op));
    }
    let site = site(cx, code, args.srv, args.sampler, &[args.coord0, args.coord1, args.coord2, args.coord3], &[])?;
    let channel = code.const_u32(channel);
    gathered(cx, code, call, &site, GATHER, channel, [args.offset0, args.offset1])
}

/// `GatherRaw`: the bits of the four texels (HLSL_SM_6_7_Advanced_Texture_Ops, "Raw Gather
/// Methods"). D3D views the texture as R16_UINT, R32_UINT or R32G32_UINT, so texels are not
/// converted. A texel of 64 bits has two components, low word first.
pub fn gather_raw(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::TextureGatherRaw,
) -> Result<Lowered> {
    let site = site(cx, code, args.srv, args.sampler, &[args.coord0, args.coord1, args.coord2, args.coord3], &[])?;
    let offsets = [args.offset0, args.offset1];
    let (first, second) = (code.const_u32(0), code.const_u32(1));
    if is_float(code, &site.image) {
        return Err(unsupported!(
            call.place,
            "a raw gather from {}, whose texels are floats; it needs texels of unsigned integers",
            site.image.resource
        ));
    }
    let wide = overload(cx, call)?;
    if *cx.input.ir_type(wide) != Type::Int(64) {
        return gathered(cx, code, call, &site, GATHER, first, offsets);
    }
    let (low, is_sparse) = gather_texels(cx, code, call, &site, GATHER, first, offsets)?;
    let (high, _) = gather_texels(cx, code, call, &site, GATHER, second, offsets)?;
    let ((low, _), (high, status)) =
        (texel_and_status(code, call, low, is_sparse)?, texel_and_status(code, call, high, is_sparse)?);
    let (word, ty) = (code.type_u32(), cx.entry.ty(code, wide)?);
    let (pair, four) = (code.type_vector(word, 2), code.type_vector(word, 4));
    let halves = [low, high].map(|texels| code.bitcast(four, texels));
    let mut leaves = [status; 5];
    for (leaf, n) in leaves.iter_mut().take(4).zip(0u32..) {
        let words = halves.map(|half| code.component(half, n));
        let both = code.construct(pair, &words);
        *leaf = code.bitcast(ty, both);
    }
    Ok(cx.locals.parts(&leaves))
}

pub fn gather_cmp(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::TextureGatherCmp,
) -> Result<Lowered> {
    // OpImageDrefGather has no channel operand: it gathers the first. Every format that D3D can
    // compare has one channel (D3D11.3 functional specification, format support tables), so the
    // operand only has to be a channel.
    let channel = cx.entry.immediate(args.channel)?;
    if channel > 3 {
        return Err(malformed!(call.place, "a gather of channel {channel}; a texel has channels 0 to 3"));
    }
    let site = site(cx, code, args.srv, args.sampler, &[args.coord0, args.coord1, args.coord2, args.coord3], &[])?;
    if !is_float(code, &site.image) {
        // Integer formats do not support comparison (D3D11.3 functional specification, format
        // support tables). Vulkan requires a depth format.
        return Err(unsupported!(
            call.place,
            "{} from {}, whose texels are integers; it needs a depth texture",
            call.op,
            site.image.resource
        ));
    }
    let reference = cx.value(code, args.compare_value)?;
    gathered(cx, code, call, &site, COMPARE, reference, [args.offset0, args.offset1])
}

/// The result of a gather instruction, and whether it is a structure with a sparse status.
fn gather_texels(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    site: &TextureAccess<'_>,
    ops: Instructions,
    third: Id,
    offsets: [Value; 2],
) -> Result<(Id, bool)> {
    // HLSL and OpImageGather allow gathers from 2D and cube textures only, not multisampled.
    if !matches!(site.image.ty.dim, Dim::Dim2D | Dim::DimCube) || site.image.ty.multisampled {
        return Err(malformed!(
            call.place,
            "{} from {}; a gather needs a 2D or cube texture that is not multisampled",
            call.op,
            site.image.resource
        ));
    }
    let offset = gather_offset(cx, code, &site.image, &offsets)?;
    let operands = ImageOperands { offset, ..Default::default() };
    let is_sparse = wants_status(cx, code, call);
    let texel_ty = code.type_vector(site.image.ty.sampled_type, 4);
    let (op, ty) = match is_sparse {
        true => (ops.sparse, sparse_type(code, texel_ty)),
        false => (ops.plain, texel_ty),
    };
    let sampled = site.sampled(code);
    Ok((code.image_sample_with(op, ty, sampled, site.at, third, &operands)?, is_sparse))
}

fn gathered(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    site: &TextureAccess<'_>,
    ops: Instructions,
    third: Id,
    offsets: [Value; 2],
) -> Result<Lowered> {
    let (value, is_sparse) = gather_texels(cx, code, call, site, ops, third, offsets)?;
    texel_result(cx, code, call, &site.image, value, is_sparse)
}
