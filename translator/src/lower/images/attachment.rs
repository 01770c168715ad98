//! Textures in input attachments: a pixel shader loads its own pixel's texel.
//!
//! In: a load from a texture whose descriptor is an input attachment. Out: the texel. What must
//! hold: Vulkan reads an input attachment at the fragment's own coordinates alone, so the
//! coordinates of the load must provably be those: SV_Position.xy, converted to integers. Every
//! other access is refused. The attachment's index is the texture's register, because D3D has no
//! other number for it.

use rspirv::spirv::Op;

use super::image::{self, Image};
use super::texel::texel_result;
use crate::analysis::handles::Handle;
use crate::binding::plan::DescriptorType;
use crate::ir::args;
use crate::ir::args::Args;
use crate::ir::{CastOp, InstData, Type, Value};
use crate::lower::cx::{Call, Code, FunctionCx, Lowered};
use crate::lower::resources::handle;
use crate::ops::OpCode;
use crate::ops::consts::SemanticKind;
use dxil_base::error::Result;
use dxil_spirv_builder::ImageOperands;

/// Whether the texture of a handle is in an input attachment.
pub(super) fn is_one(cx: &FunctionCx<'_, '_>, handle: Handle) -> Result<bool> {
    let place = handle::location(cx.input, handle.resource)?.descriptor();
    Ok(place.is_some_and(|place| place.ty == DescriptorType::InputAttachment))
}

/// Loads the own pixel's texel from an input attachment.
///
/// # Errors
/// `Unsupported` where the load may be of another texel.
pub(super) fn load(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    handle: Handle,
    args: &args::TextureLoad,
) -> Result<Lowered> {
    let resource = handle::declaration(cx.input, handle);
    // The first of the errors is that of a stage or texture that cannot have input attachments.
    let place = handle::descriptor(cx.input, handle.resource)?;
    let image: Image<'_> = image::open_handle(cx, code, handle, place)?;
    if handle.non_uniform && handle.element.value.is_some() {
        return Err(unsupported!(cx.entry.place, "{resource}: a non-uniform index into an array of input attachments"));
    }
    let zero_or_absent = |value: Value| cx.input.is_undef(value) || cx.input.const_uint(value) == Some(0);
    let offsets = [args.offset0, args.offset1, args.offset2];
    let multisampled = resource.kind.is_multisampled();
    let own = is_own_pixel(cx, args.coord0, 0) && is_own_pixel(cx, args.coord1, 1);
    if !own || !offsets.into_iter().all(zero_or_absent) || !(multisampled || zero_or_absent(args.mip_or_sample)) {
        return Err(unsupported!(
            resource.place(),
            "{} from {resource}, which is in an input_attachment: only the pixel's own texel can be loaded from there, \
             at the coordinates SV_Position.xy converted to integers, without an offset, at mip level 0; bind the \
             texture as a sampled image instead",
            call.op
        ));
    }
    let mut operands = ImageOperands::default();
    if multisampled {
        operands.sample = Some(cx.value(code, args.mip_or_sample)?);
    }
    // The coordinates are relative to the fragment's own (SPIR-V, "OpImageRead").
    let int = code.type_i32();
    let pair = code.type_vector(int, 2);
    let here = code.const_null(pair);
    let texel_ty = code.type_vector(image.ty.sampled_type, 4);
    let texel = code.image_read(Op::ImageRead, texel_ty, image.value, here, &operands)?;
    texel_result(cx, code, call, &image, texel, false)
}

/// Whether a coordinate is that of the own pixel on an axis: a component of SV_Position, converted
/// to an integer. Positions are not negative, so rounding down or towards zero first changes
/// nothing.
fn is_own_pixel(cx: &FunctionCx<'_, '_>, value: Value, axis: u64) -> bool {
    let function = cx.function;
    let Some((_, &InstData::Cast { op: CastOp::FpToSi | CastOp::FpToUi, value })) = function.def_inst(value) else {
        return false;
    };
    // A position in 16 bits is not exact beyond 2048 pixels.
    if *cx.input.ir_type(cx.type_of(value)) != Type::Float(32) {
        return false;
    }
    let operation = |value| match function.def_inst(value) {
        Some((_, &InstData::Op { op, args, .. })) => Some((op, function.list(args))),
        _ => None,
    };
    let position = match operation(value) {
        Some((OpCode::Round_ni | OpCode::Round_z, rounded)) => rounded.first().and_then(|&value| operation(value)),
        found => found,
    };
    let Some((OpCode::LoadInput, args)) = position else { return false };
    let Some(input) = args::LoadInput::view(args) else { return false };
    let number = |value| cx.input.const_uint(value);
    let element = number(input.input_sig_id).and_then(|id| cx.input.entry.inputs.element(u32::try_from(id).ok()?));
    element.is_some_and(|element| element.semantic == SemanticKind::Position)
        && number(input.row_index) == Some(0)
        && number(input.col_index) == Some(axis)
}
