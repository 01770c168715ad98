//! `SV_Position` of pixel shaders where it is at another place than Vulkan's FragCoord.
//!
//! D3D interpolates the position at the pixel's centre or at the centroid, as its declaration says
//! (D3D11.3 functional specification, 16.3). FragCoord is at the centre, and where the shader runs
//! once for each sample at the sample; decorations do not change that. Depth and 1/w are linear in
//! the picture, so their derivatives give them at the other place. The code is at the start of the
//! entry point, because derivatives need all lanes of a quad.

use rspirv::spirv::{BuiltIn, GlslStd450Op, Op};

use super::system::{self, Meaning};
use crate::analysis::entry::loaded_columns;
use crate::lower::cx::{Code, FunctionCx};
use crate::lower::images::samples::standard_position;
use crate::ops::consts::{SemanticKind, ShaderStage};
use dxil_base::error::Result;
use dxil_base::quirks::Quirk;
use dxil_spirv_builder::Id;

/// Computes the position where the entry point reads one that is not FragCoord's.
pub fn prologue(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>) -> Result<()> {
    let entry = cx.input.entry;
    let element = entry.inputs.elements.iter().find(|element| element.semantic == SemanticKind::Position);
    let Some(element) = element.filter(|_| entry.stage == ShaderStage::Pixel) else { return Ok(()) };
    let read = loaded_columns(cx.input.program, entry, element.id);
    // A shader may declare a position that cannot be translated, and never read it.
    if read == 0 {
        return Ok(());
    }
    let meaning = system::position(cx.entry, element)?;
    if !matches!(meaning, Meaning::AtCentroid | Meaning::AtCenter) {
        return Ok(());
    }
    let float = code.type_f32();
    let vector = code.type_vector(float, 4);
    let builtin = cx.entry.load_builtin(code, BuiltIn::FragCoord, vector)?;
    let [x, y] = [0, 1].map(|n| code.component(builtin, n));
    let (place, offset) = match meaning {
        Meaning::AtCentroid => {
            let offset = centroid(cx, code)?;
            let [dx, dy] = offset;
            ([code.binary(Op::FAdd, float, x, dx), code.binary(Op::FAdd, float, y, dy)], offset)
        }
        _ => {
            let half = code.const_f32(0.5);
            let center = [x, y].map(|value| {
                let corner = code.glsl(GlslStd450Op::Floor, float, &[value]);
                code.binary(Op::FAdd, float, corner, half)
            });
            let [to_x, to_y] = center;
            (center, [code.binary(Op::FSub, float, to_x, x), code.binary(Op::FSub, float, to_y, y)])
        }
    };
    let [dx, dy] = offset;
    let stays = meaning == Meaning::AtCenter && code.caps.has_quirk(Quirk::CenterReciprocalW);
    let mut at = |n: u32| {
        (read >> n & 1 != 0).then(|| {
            let value = code.component(builtin, n);
            if n == 3 && stays {
                return value;
            }
            let (across, down) = (code.unary(Op::DPdx, float, value), code.unary(Op::DPdy, float, value));
            let (across, down) = (code.binary(Op::FMul, float, across, dx), code.binary(Op::FMul, float, down, dy));
            let value = code.binary(Op::FAdd, float, value, across);
            code.binary(Op::FAdd, float, value, down)
        })
    };
    let (depth, reciprocal) = (at(2), at(3));
    let w = reciprocal.map(|reciprocal| {
        let one = code.const_f32(1.0);
        code.binary(Op::FDiv, float, one, reciprocal)
    });
    let [x, y] = place;
    cx.reads.position = Some([Some(x), Some(y), depth, w]);
    Ok(())
}

/// The offset of the centroid from the pixel's centre. D3D says where the centroid is (D3D11.3
/// functional specification, "Centroid Sampling of Attributes when Multisample Antialiasing"): at
/// the pixel's centre if the primitive covers all samples, else at the covered sample with the
/// lowest number. A lane without covered samples, a helper, has the position of the centre.
fn centroid(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>) -> Result<[Id; 2]> {
    let samples = cx.input.options.pipeline.samples;
    let (word, float, bool_ty) = (code.type_u32(), code.type_f32(), code.type_bool());
    let array = code.type_array(word, 1, None);
    let zero = code.const_u32(0);
    let mask = cx.entry.builtin(code, BuiltIn::SampleMask, array)?;
    let mask = code.access_chain(word, mask, &[zero]);
    let mask = code.load(mask);
    let all = code.const_u32(u32::MAX >> (32 - samples.clamp(1, 32)));
    let covered = code.binary(Op::BitwiseAnd, word, mask, all);
    let first = code.glsl(GlslStd450Op::FindILsb, word, &[covered]);
    let (some, whole) =
        (code.binary(Op::INotEqual, bool_ty, covered, zero), code.binary(Op::INotEqual, bool_ty, covered, all));
    let partly = code.binary(Op::LogicalAnd, bool_ty, some, whole);
    let (count, none) = (code.const_u32(samples), code.const_f32(0.0));
    Ok(standard_position(code, count, first).map(|offset| code.select(float, partly, offset, none)))
}
