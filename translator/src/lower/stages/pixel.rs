//! What only pixel shaders do: discard, coverage, inputs evaluated elsewhere.

use rspirv::spirv::{BuiltIn, Capability, GlslStd450Op, Op};

use super::{builtin, io};
use crate::dxil::ir::Value;
use crate::dxil::ops::args;
use crate::error::Result;
use crate::lower::cx::{Call, Code, FunctionCx, Lowered, ModuleCx};
use crate::lower::waves::helper;
use crate::spirv::{Id, Module, Type};

/// D3D's discard ends the pixel's effects and lets its lane live on as a helper, so that
/// derivatives of its quad stay defined (DXIL.rst, "Discard"): a demotion, or a flag on devices
/// that cannot demote ([`helper`]).
pub fn discard(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    args: args::Discard,
) -> Result<Lowered> {
    let condition = match cx.const_uint(args.condition) {
        Some(0) => return Ok(Lowered::Nothing),
        Some(_) => None,
        None => Some(cx.value(code, args.condition)?),
    };
    match condition {
        _ if cx.flags_discards => helper::discard(cx, code, condition)?,
        None => code.demote()?,
        Some(condition) => code.if_then(condition, |code| code.demote())?,
    }
    Ok(Lowered::Nothing)
}

/// The sample that this invocation shades; asking for it makes every sample an invocation, in D3D
/// as in Vulkan.
pub fn sample_index(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    _: args::SampleIndex,
) -> Result<Lowered> {
    builtin::word(cx, code, BuiltIn::SampleId, Capability::SampleRateShading)
}

/// The samples that the primitive covers.
///
/// # Errors
/// Where every sample is an invocation and there may be several: D3D's mask has all samples of the
/// pixel (D3D11.3 functional specification, 16.3.2), Vulkan's those of the invocation
/// ("SampleMask").
pub fn coverage(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    _: args::Coverage,
) -> Result<Lowered> {
    if cx.runs_per_sample {
        match cx.options.facts.samples {
            0 => {
                let what = "needs the pipeline's number of samples in a shader that runs for each, and it is not known";
                return Err(binding_error!(call.place, "{} {what}", call.op));
            }
            1 => {}
            _ => return Err(unsupported!(call.place, "{} in a shader that runs for each of several samples", call.op)),
        }
    }
    let (word, zero) = (code.type_u32(), code.const_u32(0));
    let array = code.type_array(word, 1, None);
    let variable = cx.builtin(code, BuiltIn::SampleMask, array)?;
    let pointer = code.access_chain(word, variable, &[zero]);
    Ok(Lowered::Id(code.load(pointer)))
}

/// `SV_InnerCoverage`: whether the pixel lies wholly inside, bit 0 of D3D's value.
pub fn inner_coverage(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    _: args::InnerCoverage,
) -> Result<Lowered> {
    code.caps.capability(Capability::FragmentFullyCoveredEXT)?;
    let bool_ty = code.type_bool();
    let covered = cx.load_builtin(code, BuiltIn::FullyCoveredEXT, bool_ty)?;
    let (word, one, zero) = (code.type_u32(), code.const_u32(1), code.const_u32(0));
    Ok(Lowered::Id(code.select(word, covered, one, zero)))
}

/// Whether the lane only helps its quad. The answer changes at a discard, so the load is volatile
/// (Vulkan, "HelperInvocation").
pub fn is_helper_lane(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    _: args::IsHelperLane,
) -> Result<Lowered> {
    if cx.entry.stage != crate::dxil::consts::ShaderStage::Pixel {
        return Ok(Lowered::Id(code.const_bool(false)));
    }
    Ok(Lowered::Id(helper::helper(cx, code)?))
}

/// Lets the shader run for each sample although nothing in it asks for one. In D3D an input of
/// sample frequency makes it so, read or not (the container's PSV0 says SampleFrequency); in Vulkan
/// a sample's number in the interface does ("Sample Shading"). The input itself stays out: the
/// stage before may not write it.
pub fn run_per_sample(cx: &mut ModuleCx<'_>, module: &mut Module<'_>) -> Result<()> {
    module.caps.capability(Capability::SampleRateShading)?;
    let word = module.type_u32();
    cx.builtin(module, BuiltIn::SampleId, word).map(|_| ())
}

/// One of GLSL.std.450's interpolation functions on a component of an input.
fn interpolate(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    op: GlslStd450Op,
    input: (Value, Value, Value),
    at: Option<Id>,
) -> Result<Lowered> {
    code.caps.capability(Capability::InterpolationFunction)?;
    let pointer = io::interpolant(cx, code, input)?;
    let (own, ty) = (code.pointee(pointer), cx.ty(code, call.ty()?)?);
    if !matches!(code.ty(own), Some(Type::Float { .. })) {
        return Err(malformed!(cx.place, "{} of an input that is no float", call.op));
    }
    let value = match at {
        Some(at) => code.glsl(op, own, &[pointer, at]),
        None => code.glsl(op, own, &[pointer]),
    };
    Ok(Lowered::Id(io::convert(cx.place, code, value, ty)?))
}

/// `EvaluateAttributeCentroid`.
pub fn eval_centroid(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::EvalCentroid,
) -> Result<Lowered> {
    let input = (args.input_sig_id, args.input_row_index, args.input_col_index);
    interpolate(cx, code, call, GlslStd450Op::InterpolateAtCentroid, input, None)
}

/// `EvaluateAttributeAtSample`.
pub fn eval_sample_index(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::EvalSampleIndex,
) -> Result<Lowered> {
    let input = (args.input_sig_id, args.input_row_index, args.input_col_index);
    let sample = cx.value(code, args.sample_index)?;
    // GLSL.std.450 wants a signed integer here.
    let signed = code.type_i32();
    let sample = code.bitcast(signed, sample);
    interpolate(cx, code, call, GlslStd450Op::InterpolateAtSample, input, Some(sample))
}

/// `EvaluateAttributeSnapped`: the offsets are the low four bits, signed, in sixteenths of a pixel
/// (D3D11.3 functional specification, `eval_snapped`).
pub fn eval_snapped(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::EvalSnapped,
) -> Result<Lowered> {
    let input = (args.input_sig_id, args.input_row_index, args.input_col_index);
    let offsets = cx.values(code, [args.offset_x, args.offset_y])?;
    let (word, float, sixteenth) = (code.type_u32(), code.type_f32(), code.const_f32(1.0 / 16.0));
    let offsets = offsets.map(|offset| {
        let signed = code.sign_extended(word, offset, 4);
        let value = code.unary(Op::ConvertSToF, float, signed);
        code.binary(Op::FMul, float, value, sixteenth)
    });
    let pair = code.type_vector(float, 2);
    let offset = code.construct(pair, &offsets);
    interpolate(cx, code, call, GlslStd450Op::InterpolateAtOffset, input, Some(offset))
}
