//! Operations of pixel shaders only: discard, coverage, and interpolation of inputs at a chosen
//! position.

use rspirv::spirv::{BuiltIn, Capability, GlslStd450Op, Op};

use super::signature::ComponentOperands;
use super::{builtin, io};
use crate::ir::args;
use crate::lower::cx::{Call, Code, EntryCx, FunctionCx, Lowered};
use crate::lower::waves::helper;
use dxil_base::error::Result;
use dxil_spirv_builder::{Id, Module, Type};

/// `discard`. In D3D it ends the effects of the pixel, and its lane keeps running as a helper, so
/// that derivatives of the quad stay defined (DXIL.rst, "Discard"). It becomes a demotion, or sets
/// a flag on devices that cannot demote ([`helper`]).
pub fn discard(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    args: args::Discard,
) -> Result<Lowered> {
    let condition = match cx.input.const_uint(args.condition) {
        Some(0) => return Ok(Lowered::Nothing),
        Some(_) => None,
        None => Some(cx.value(code, args.condition)?),
    };
    match condition {
        _ if cx.input.analysis.pixel.flags_discards => helper::discard(cx, code, condition)?,
        None => code.demote()?,
        Some(condition) => code.if_then(condition, |code| code.demote())?,
    }
    Ok(Lowered::Nothing)
}

/// The sample that this invocation shades. In both D3D and Vulkan, a shader that reads it runs once
/// for each sample.
pub fn sample_index(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    _: args::SampleIndex,
) -> Result<Lowered> {
    builtin::word(cx, code, BuiltIn::SampleId, Capability::SampleRateShading)
}

/// The mask of samples that the primitive covers.
///
/// # Errors
/// `Unsupported` or `Binding` if the shader runs once for each sample and there are, or may be,
/// several. D3D's mask has all samples of the pixel at either frequency (D3D11.3 functional
/// specification, 16.3.2), Vulkan's mask only those of the invocation ("SampleMask").
pub fn coverage(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    _: args::Coverage,
) -> Result<Lowered> {
    if cx.input.analysis.pixel.runs_per_sample {
        match cx.input.options.pipeline.samples {
            0 => {
                let what = "in a shader that runs once for each sample needs the pipeline's number of samples, which is \
                            not known; dxil2spv takes --samples N";
                return Err(binding_error!(call.place, "{} {what}", call.op));
            }
            1 => {}
            _ => {
                return Err(unsupported!(
                    call.place,
                    "{} in a shader that runs once for each of several samples: D3D's mask has all samples of the pixel, and \
                     Vulkan gives an invocation the coverage of its own samples only (SampleMask)",
                    call.op
                ));
            }
        }
    }
    let (word, zero) = (code.type_u32(), code.const_u32(0));
    let array = code.type_array(word, 1, None);
    let variable = cx.entry.builtin(code, BuiltIn::SampleMask, array)?;
    let pointer = code.access_chain(word, variable, &[zero]);
    Ok(Lowered::Id(code.load(pointer)))
}

/// `SV_InnerCoverage`: bit 0 of D3D's value says whether the pixel lies completely inside the
/// primitive.
pub fn inner_coverage(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    _: args::InnerCoverage,
) -> Result<Lowered> {
    code.caps.capability(Capability::FragmentFullyCoveredEXT)?;
    let bool_ty = code.type_bool();
    let covered = cx.entry.load_builtin(code, BuiltIn::FullyCoveredEXT, bool_ty)?;
    let (word, one, zero) = (code.type_u32(), code.const_u32(1), code.const_u32(0));
    Ok(Lowered::Id(code.select(word, covered, one, zero)))
}

/// Whether the lane is a helper. The value changes at a discard, so the load is volatile (Vulkan,
/// "HelperInvocation").
pub fn is_helper_lane(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    _: &Call<'_>,
    _: args::IsHelperLane,
) -> Result<Lowered> {
    if cx.input.entry.stage != crate::ops::consts::ShaderStage::Pixel {
        return Ok(Lowered::Id(code.const_bool(false)));
    }
    Ok(Lowered::Id(helper::helper(cx, code)?))
}

/// Makes the shader run once for each sample although it reads no value that depends on the sample.
/// In D3D an input of sample frequency has this effect even if it is never read (the container's
/// PSV0 says SampleFrequency). In Vulkan a variable SampleId in the interface has it ("Sample
/// Shading"). The input itself is not declared, because the previous stage may not write it.
pub fn run_per_sample(cx: &mut EntryCx<'_>, module: &mut Module<'_>) -> Result<()> {
    module.caps.capability(Capability::SampleRateShading)?;
    let word = module.type_u32();
    cx.builtin(module, BuiltIn::SampleId, word).map(|_| ())
}

/// Applies one of GLSL.std.450's interpolation functions to a component of an input.
fn interpolate(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    op: GlslStd450Op,
    input: ComponentOperands,
    at: Option<Id>,
) -> Result<Lowered> {
    code.caps.capability(Capability::InterpolationFunction)?;
    let pointer = io::interpolant(cx, code, input)?;
    let (own, ty) = (code.pointee(pointer), cx.entry.ty(code, call.ty()?)?);
    match code.ty(own) {
        Some(Type::Float { width: 32 }) => {}
        // GLSL.std.450: the result of InterpolateAt… is a float of 32 bits. The previous stage's
        // output has as many bits as the input (VUID-RuntimeSpirv-OpEntryPoint-07754), so both
        // stages need the setting.
        Some(Type::Float { width }) => {
            return Err(binding_error!(
                cx.entry.place,
                "{} of an input of {width} bits; SPIR-V interpolates floats of 32 bits only, so all stages of the pipeline \
                 need interfaces of 32 bits: dxil2spv takes --wide-interface for each stage, and the layer does it where \
                 all stages are DXIL and are created together",
                call.op
            ));
        }
        _ => return Err(malformed!(cx.entry.place, "{} of an input that is not a float", call.op)),
    }
    let value = match at {
        Some(at) => code.glsl(op, own, &[pointer, at]),
        None => code.glsl(op, own, &[pointer]),
    };
    Ok(Lowered::Id(io::convert(cx.entry.place, code, value, ty)?))
}

/// `EvaluateAttributeCentroid`.
pub fn eval_centroid(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::EvalCentroid,
) -> Result<Lowered> {
    let input =
        ComponentOperands { element: args.input_sig_id, row: args.input_row_index, column: args.input_col_index };
    interpolate(cx, code, call, GlslStd450Op::InterpolateAtCentroid, input, None)
}

/// `EvaluateAttributeAtSample`.
pub fn eval_sample_index(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::EvalSampleIndex,
) -> Result<Lowered> {
    let input =
        ComponentOperands { element: args.input_sig_id, row: args.input_row_index, column: args.input_col_index };
    let sample = cx.value(code, args.sample_index)?;
    // GLSL.std.450 requires a signed integer here.
    let signed = code.type_i32();
    let sample = code.bitcast(signed, sample);
    interpolate(cx, code, call, GlslStd450Op::InterpolateAtSample, input, Some(sample))
}

/// `EvaluateAttributeSnapped`. The low four bits of an offset are a signed number of sixteenths of
/// a pixel (D3D11.3 functional specification, `eval_snapped`).
pub fn eval_snapped(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::EvalSnapped,
) -> Result<Lowered> {
    let input =
        ComponentOperands { element: args.input_sig_id, row: args.input_row_index, column: args.input_col_index };
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
