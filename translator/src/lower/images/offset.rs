//! Offsets of samples, gathers and loads, in texels of the level that is accessed.
//!
//! In: an operation's offset operands. Out: an image operand, or moved coordinates. D3D takes any
//! number from shader model 6.7 on; Vulkan takes constants, and other numbers with gathers alone.

use rspirv::spirv::Op;

use super::image::Image;
use crate::dxil::ir::Value;
use crate::error::Result;
use crate::lower::cx::{Code, FunctionCx};
use crate::spirv::Id;

/// The offset of a sample, in texels of the level that is accessed.
pub enum Offset {
    /// None, or zero.
    None,
    /// The same always, by component.
    Constant(Vec<i32>),
    /// Components, some of which are known only when the shader runs.
    Dynamic(Vec<Step>),
}

/// A component of an offset.
#[derive(Clone, Copy)]
pub enum Step {
    Constant(i32),
    Dynamic(Id),
}

/// How many values a component of an offset has that is no constant.
const STEPS: u32 = 16;

/// Most samples that one sample with such an offset becomes: two components of it.
const SAMPLES: u32 = STEPS * STEPS;

/// The offset of a sample.
pub fn offset(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    image: &Image<'_>,
    values: &[Value],
) -> Result<Offset> {
    let values = values.get(..values.len().min(image.ty.spatial() as usize)).unwrap_or_default();
    let mut steps = Vec::with_capacity(values.len());
    for &value in values {
        steps.push(match cx.const_uint(value) {
            _ if cx.is_undef(value) => Step::Constant(0),
            Some(number) => Step::Constant(number as u32 as i32),
            None => Step::Dynamic(cx.value(code, value)?),
        });
    }
    let constants: Option<Vec<i32>> = steps
        .iter()
        .map(|step| match step {
            Step::Constant(number) => Some(*number),
            Step::Dynamic(_) => None,
        })
        .collect();
    match constants {
        Some(numbers) if numbers.iter().all(|&n| n == 0) => Ok(Offset::None),
        // D3D has no offsets with cubes, nor has SPIR-V ("ConstOffset").
        _ if image.resource.kind.is_cube() => Err(malformed!(cx.place, "an offset on a cube texture")),
        Some(numbers) => Ok(Offset::Constant(numbers)),
        None => Ok(Offset::Dynamic(steps)),
    }
}

/// The operand for a constant offset. It is signed: consumers that fold constants look.
pub fn constant_offset(code: &mut Code<'_, '_>, numbers: &[i32]) -> Id {
    let int = code.type_i32();
    let ids: Vec<Id> = numbers.iter().map(|&n| code.const_i32(n)).collect();
    match ids.as_slice() {
        &[only] => only,
        ids => {
            let ty = code.type_vector(int, ids.len() as u32);
            code.const_composite(ty, ids)
        }
    }
}

/// The offset of a gather, which is the one that Vulkan lets be no constant (VUID-StandaloneSpirv-Offset-04663).
pub fn gather_offset(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    image: &Image<'_>,
    values: &[Value],
) -> Result<Option<Id>> {
    let steps = match offset(cx, code, image, values)? {
        Offset::None => return Ok(None),
        Offset::Constant(numbers) => return Ok(Some(constant_offset(code, &numbers))),
        Offset::Dynamic(steps) => steps,
    };
    let int = code.type_i32();
    // Six bits with their sign count (D3D11.3 functional specification, `gather4_po`); Vulkan leaves more than the device's range undefined.
    let ids: Vec<Id> = steps
        .into_iter()
        .map(|step| match step {
            Step::Constant(number) => code.const_i32(number),
            Step::Dynamic(id) => {
                let id = code.bitcast(int, id);
                code.sign_extended(int, id, 6)
            }
        })
        .collect();
    let ty = code.type_vector(int, ids.len().max(1) as u32);
    Ok(Some(code.construct(ty, &ids)))
}

/// A sample with an offset that is known only when the shader runs. Four bits of each component count (HLSL_SM_6_7_Advanced_Texture_Ops,
/// "Programmable Offsets"), and Vulkan takes constants alone: so one sample for each offset there can be, of which a lane runs one. To move the
/// coordinates by the offset's share of the texture instead would round, and is another distance on each of two levels.
pub fn each_offset(
    cx: &FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    ty: Id,
    steps: &[Step],
    one: impl Fn(&mut Code<'_, '_>, Option<Id>) -> Result<Id>,
) -> Result<Id> {
    let (word, mask) = (code.type_u32(), code.const_u32(STEPS - 1));
    let (mut which, mut count) = (code.const_u32(0), 1u32);
    for step in steps {
        if let Step::Dynamic(id) = *step {
            let (low, factor) = (code.binary(Op::BitwiseAnd, word, id, mask), code.const_u32(count));
            let shifted = code.binary(Op::IMul, word, low, factor);
            which = code.binary(Op::IAdd, word, which, shifted);
            count = count.saturating_mul(STEPS);
        }
    }
    if count > SAMPLES {
        return Err(unsupported!(cx.place, "a sample with an offset of three components that are no constants"));
    }
    code.select_among(ty, which, count, |code, mut n| {
        let numbers: Vec<i32> = steps
            .iter()
            .map(|step| match *step {
                Step::Constant(number) => number,
                Step::Dynamic(_) => {
                    let low = (n % STEPS) as i32;
                    n /= STEPS;
                    if low < 8 { low } else { low - STEPS as i32 }
                }
            })
            .collect();
        let offset = if numbers.iter().all(|&n| n == 0) { None } else { Some(constant_offset(code, &numbers)) };
        one(code, offset)
    })
}

/// Integer coordinates moved by an offset, which has no component for the layer. D3D adds before it checks bounds.
pub fn displaced(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    image: &Image<'_>,
    at: Id,
    offsets: [Value; 3],
) -> Result<Id> {
    let all = image.ty.coordinates();
    let word = code.type_u32();
    let mut ids = [code.const_u32(0); 4];
    let mut moved = false;
    for (id, offset) in ids.iter_mut().zip(offsets).take(image.ty.spatial() as usize) {
        if !cx.is_undef(offset) && cx.const_uint(offset) != Some(0) {
            *id = cx.value(code, offset)?;
            if cx.const_uint(offset).is_none() {
                // Four bits with their sign count (HLSL_SM_6_7_Advanced_Texture_Ops, "Programmable Offsets").
                *id = code.sign_extended(word, *id, 4);
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
