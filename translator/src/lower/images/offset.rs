//! Offsets of samples, gathers and loads, in texels of the level that is accessed.
//!
//! In: an operation's offset operands. Out: an image operand, or displaced coordinates. From shader
//! model 6.7 on, D3D allows offsets that are not constant. Vulkan allows those with gathers only.

use rspirv::spirv::Op;

use super::image::Image;
use crate::ir::Value;
use crate::lower::cx::{Code, FunctionCx};
use dxil_base::error::Result;
use dxil_spirv_builder::Id;

/// The offset of a sample, in texels of the level that is accessed.
pub enum Offset {
    /// The offset is absent or zero.
    None,
    /// The offset is constant. The vector has its components.
    Constant(Vec<i32>),
    /// The offset has components that are known only at run time.
    Dynamic(Vec<Step>),
}

/// A component of an offset.
#[derive(Clone, Copy)]
pub enum Step {
    Constant(i32),
    Dynamic(Id),
}

/// Number of values that a dynamic component can have.
const STEPS: u32 = 16;

/// Largest number of samples that one sample with a dynamic offset becomes. It allows two dynamic
/// components.
const SAMPLES: u32 = STEPS * STEPS;

/// The offset of a sample.
pub fn offset(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    image: &Image<'_>,
    values: &[Value],
) -> Result<Offset> {
    let values = values.get(..values.len().min(image.ty.spatial() as usize)).unwrap_or_default();
    let is_zero = |&value: &Value| {
        cx.input.is_undef(value) || cx.input.const_uint(value).is_some_and(|number| number as u32 == 0)
    };
    if values.iter().all(is_zero) {
        return Ok(Offset::None);
    }
    let mut steps = Vec::with_capacity(values.len());
    for &value in values {
        steps.push(match cx.input.const_uint(value) {
            _ if cx.input.is_undef(value) => Step::Constant(0),
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
        // Neither D3D nor SPIR-V ("ConstOffset") allows offsets with cube textures.
        _ if image.resource.kind.is_cube() => Err(malformed!(
            cx.entry.place,
            "an access to {} has an offset, which cube textures do not allow",
            image.resource
        )),
        Some(numbers) => Ok(Offset::Constant(numbers)),
        None => Ok(Offset::Dynamic(steps)),
    }
}

/// The image operand for a constant offset. Its type is signed, because consumers that fold
/// constants look at the type.
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

/// The offset of a gather. Only gathers may have an offset that is not constant
/// (VUID-StandaloneSpirv-Offset-04663).
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
    // D3D uses the low six bits as a signed number (D3D11.3 functional specification,
    // `gather4_po`). Vulkan leaves offsets outside the device's range undefined.
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

/// A sample with an offset that is known only at run time. D3D uses the low four bits of each
/// component (HLSL_SM_6_7_Advanced_Texture_Ops, "Programmable Offsets"), and Vulkan allows only
/// constants. So there is a switch with one sample for each possible offset, and a lane executes
/// one of them.
///
/// Adding the offset to the normalised coordinates would not be the same: the sum is rounded, and a
/// filter across two levels needs a different distance on each.
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
        return Err(unsupported!(
            cx.entry.place,
            "a sample has an offset with three components that are not constant; at most two are supported"
        ));
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

/// Integer coordinates displaced by an offset, which has no component for the layer. D3D adds the
/// offset before it checks bounds.
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
        if !cx.input.is_undef(offset) && cx.input.const_uint(offset) != Some(0) {
            *id = cx.value(code, offset)?;
            if cx.input.const_uint(offset).is_none() {
                // D3D uses the low four bits as a signed number (HLSL_SM_6_7_Advanced_Texture_Ops,
                // "Programmable Offsets").
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
        None => return Err(bug!(cx.entry.place, "an image has {all} coordinates")),
    };
    Ok(code.binary(Op::IAdd, ty, at, offset))
}
