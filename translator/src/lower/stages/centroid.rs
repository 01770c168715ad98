//! `SV_Position` at the centroid, in pipelines with several samples per pixel.
//!
//! Vulkan ignores the decoration Centroid on FragCoord, which is at the pixel's centre. D3D says where
//! the centroid is (D3D11.3 functional specification, "Centroid Sampling of Attributes when
//! Multisample Antialiasing"): at the pixel's centre if the primitive covers all samples, else at the
//! covered sample with the lowest number. Depth and 1/w are linear in the picture, so their
//! derivatives give them there. The code is at the start of the entry point, because derivatives need
//! all lanes of a quad.

use rspirv::spirv::{BuiltIn, GlslStd450Op, Op};

use crate::dxil::consts::{InterpolationMode, SemanticKind, ShaderStage};
use crate::dxil::ops::OpCode;
use crate::error::Result;
use crate::lower::cx::{Code, FunctionCx};
use crate::lower::images::samples::standard_position;

/// Computes the position where the entry point reads one at the centroid of several samples. A lane
/// without covered samples, a helper, has the position of the centre.
pub fn prologue(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>) -> Result<()> {
    use InterpolationMode as M;
    let (entry, samples) = (cx.entry, cx.options.facts.samples);
    let read = entry.inputs.elements.iter().any(|element| {
        let centroid = matches!(element.interpolation, M::LinearCentroid | M::LinearNoperspectiveCentroid);
        centroid && element.semantic == SemanticKind::Position
    });
    let loads = entry.reach.operations.has(OpCode::LoadInput);
    if entry.stage != ShaderStage::Pixel || !read || !loads || samples < 2 || entry.runs_per_sample() {
        return Ok(());
    }
    let (word, float, bool_ty) = (code.type_u32(), code.type_f32(), code.type_bool());
    let (vector, array) = (code.type_vector(float, 4), code.type_array(word, 1, None));
    let center = cx.load_builtin(code, BuiltIn::FragCoord, vector)?;
    let zero = code.const_u32(0);
    let mask = cx.builtin(code, BuiltIn::SampleMask, array)?;
    let mask = code.access_chain(word, mask, &[zero]);
    let mask = code.load(mask);
    let all = code.const_u32(u32::MAX >> (32 - samples.min(32)));
    let covered = code.binary(Op::BitwiseAnd, word, mask, all);
    let first = code.glsl(GlslStd450Op::FindILsb, word, &[covered]);
    let (some, whole) =
        (code.binary(Op::INotEqual, bool_ty, covered, zero), code.binary(Op::INotEqual, bool_ty, covered, all));
    let partly = code.binary(Op::LogicalAnd, bool_ty, some, whole);
    let (count, none) = (code.const_u32(samples), code.const_f32(0.0));
    let [x, y] = standard_position(code, count, first).map(|offset| code.select(float, partly, offset, none));
    let mut at = |n: u32, derivatives: bool| {
        let value = code.component(center, n);
        if !derivatives {
            return code.binary(Op::FAdd, float, value, if n == 0 { x } else { y });
        }
        let (across, down) = (code.unary(Op::DPdx, float, value), code.unary(Op::DPdy, float, value));
        let (across, down) = (code.binary(Op::FMul, float, across, x), code.binary(Op::FMul, float, down, y));
        let value = code.binary(Op::FAdd, float, value, across);
        code.binary(Op::FAdd, float, value, down)
    };
    let (x, y, depth, reciprocal) = (at(0, false), at(1, false), at(2, true), at(3, true));
    let one = code.const_f32(1.0);
    let w = code.binary(Op::FDiv, float, one, reciprocal);
    cx.centroid_position = Some([x, y, depth, w]);
    Ok(())
}
