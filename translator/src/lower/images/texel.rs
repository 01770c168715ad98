//! Conversion between texels of a SPIR-V image and the values of DXIL operations.
//!
//! In: the texel that an image instruction returned, or the values that a store takes. Out: the
//! leaves of a `ResRet` (four components and a status), or the texel to store. What must hold:
//! components have the operation's type, whatever the image's type is.

use rspirv::spirv::{Capability, Op};

use super::image::Image;
use crate::ir::{Type, TypeId, Value};
use crate::lower::cx::{Call, Code, FunctionCx, Leaf, Lowered, WIDEST};
use crate::ops::consts::ResourceKind;
use dxil_base::error::Result;
use dxil_spirv_builder as spirv;
use dxil_spirv_builder::{Id, Member, StructKind};

/// Index of the leaf of a `ResRet` that is the sparse status.
const STATUS: u32 = 4;

/// Whether the shader reads the sparse status of an access and the device has sparse images.
pub(super) fn wants_status(cx: &FunctionCx<'_, '_>, code: &Code<'_, '_>, call: &Call<'_>) -> bool {
    cx.analysis.is_extracted(call.inst, STATUS) && code.caps.allows(Capability::SparseResidency)
}

/// The SPIR-V result type of a sparse access: a status and a texel.
pub(super) fn sparse_type(code: &mut Code<'_, '_>, texel: Id) -> Id {
    let word = code.type_u32();
    code.type_struct(StructKind::Plain, &[Member::new(word), Member::new(texel)])
}

/// The IR type of the components of an access's result: the first member of its `ResRet`.
pub fn overload(cx: &FunctionCx<'_, '_>, call: &Call<'_>) -> Result<TypeId> {
    match cx.input.ir_type(call.ty()?) {
        Type::Struct { fields, .. } => match fields.first() {
            Some(&first) => Ok(first),
            None => Err(malformed!(call.place, "the result of {} is an empty structure", call.op)),
        },
        _ => Err(malformed!(call.place, "the result of {} is not a structure", call.op)),
    }
}

/// The texel and the status in the result of an image instruction. A sparse instruction returns a
/// structure of both; the status of any other is 0.
pub(super) fn texel_and_status(code: &mut Code<'_, '_>, call: &Call<'_>, value: Id, sparse: bool) -> Result<(Id, Id)> {
    if !sparse {
        return Ok((value, code.const_u32(0)));
    }
    let texel_ty = match code.ty_of(value) {
        Some(spirv::Type::Struct(members)) => members.ty(1),
        _ => None,
    };
    let Some(texel_ty) = texel_ty else {
        return Err(bug!(call.place, "the result of a sparse access is not a structure"));
    };
    let word = code.type_u32();
    let status = code.extract(word, value, &[0]);
    Ok((code.extract(texel_ty, value, &[1]), status))
}

/// The leaves of a `ResRet`, made from the result of an image instruction. That result is a vector,
/// a scalar, or a sparse structure of a status and either. Comparisons return a scalar, which D3D
/// repeats in all four components.
pub(super) fn texel_result(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    image: &Image<'_>,
    value: Id,
    sparse: bool,
) -> Result<Lowered> {
    let overload = overload(cx, call)?;
    let (texel, status) = texel_and_status(code, call, value, sparse)?;
    let Some(texel_ty) = code.type_of(texel) else {
        return Err(bug!(call.place, "a texel has no type"));
    };
    let count = code.scalar(texel_ty).1;
    let texel = converted(cx, code, image, texel, count, overload)?;
    let mut leaves = [texel, texel, texel, texel, status].map(Leaf::Value);
    if count > 1 {
        for n in 0..4 {
            // A component that is never read is not extracted. Its leaf is the id of the whole
            // vector; the validator would report a use of it.
            if cx.analysis.is_extracted(call.inst, n)
                && let Some(leaf) = leaves.get_mut(n as usize)
            {
                *leaf = Leaf::Component(texel, n as u8);
            }
        }
    }
    Ok(cx.locals.leaf_parts(&leaves))
}

/// A texel converted to components of IR type `to`.
fn converted(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    image: &Image<'_>,
    texel: Id,
    count: u32,
    to: TypeId,
) -> Result<Id> {
    let (f32t, word) = (code.type_f32(), code.type_u32());
    let float = image.ty.sampled_type == f32t;
    let scalar = cx.entry.ty(code, to)?;
    let ty = code.type_vector(scalar, count);
    if code.width(image.ty.sampled_type) == Some(64) {
        // DXIL loads a 64-bit texel as a pair of words.
        if *cx.input.ir_type(to) != Type::Int(32) || count != 4 {
            return Err(unsupported!(
                cx.entry.place,
                "a load from {} has values of another type than its texels",
                image.resource
            ));
        }
        let (pair, zero) = (code.type_vector(word, 2), code.const_u32(0));
        let whole = code.component(texel, 0);
        let words = code.bitcast(pair, whole);
        let words = [code.component(words, 0), code.component(words, 1), zero, zero];
        return Ok(code.construct(ty, &words));
    }
    Ok(match *cx.input.ir_type(to) {
        Type::Float(32) if float => texel,
        Type::Float(16) if float => code.unary(Op::FConvert, ty, texel),
        Type::Int(bits @ (16 | 32)) if !float => {
            let words = code.type_vector(word, count);
            let texel = code.bitcast(words, texel);
            if bits == 32 { texel } else { code.unary(Op::UConvert, ty, texel) }
        }
        // The rows of a tbuffer are words, whatever the types of its members.
        Type::Float(32) if image.resource.kind == ResourceKind::TBuffer => code.bitcast(ty, texel),
        _ => {
            let resource = image.resource;
            return Err(unsupported!(
                cx.entry.place,
                "a load from {resource} has values of another type than its texels"
            ));
        }
    })
}

/// A vector of IR values that are stored to an image, at most four.
fn vector_of(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, image: &Image<'_>, values: &[Value]) -> Result<Id> {
    if !image.is_signed() {
        return cx.vector(code, values);
    }
    let ty = cx.type_of(values[0]);
    let scalar = cx.entry.ty(code, ty)?;
    let mut ids = [scalar; WIDEST];
    for (id, &value) in ids.iter_mut().zip(values) {
        *id = cx.signed_value(code, value)?;
    }
    let vector = code.type_vector(scalar, values.len() as u32);
    Ok(code.construct(vector, &ids[..values.len()]))
}

/// A texel of four components, made from IR values. An undefined component is a copy of the first.
pub(super) fn texel_of(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    image: &Image<'_>,
    values: [Value; 4],
) -> Result<Id> {
    let values = values.map(|value| if cx.input.is_undef(value) { values[0] } else { value });
    let ty = cx.type_of(values[0]);
    let wanted = code.type_vector(image.ty.sampled_type, 4);
    if code.width(image.ty.sampled_type) == Some(64) {
        if *cx.input.ir_type(ty) != Type::Int(32) {
            return Err(unsupported!(
                cx.entry.place,
                "a store to {} has values of another type than its texels",
                image.resource
            ));
        }
        let words = vector_of(cx, code, image, &values[..2])?;
        let whole = code.bitcast(image.ty.sampled_type, words);
        return Ok(code.splat(wanted, whole));
    }
    let texel = vector_of(cx, code, image, &values)?;
    let f32t = code.type_f32();
    let float = image.ty.sampled_type == f32t;
    Ok(match *cx.input.ir_type(ty) {
        Type::Float(32) if float => texel,
        Type::Float(16) if float => code.unary(Op::FConvert, wanted, texel),
        Type::Int(32) if !float => code.bitcast(wanted, texel),
        Type::Int(16) if !float => {
            let word = code.type_u32();
            let words = code.type_vector(word, 4);
            let op = if image.is_signed() { Op::SConvert } else { Op::UConvert };
            let widened = code.unary(op, words, texel);
            code.bitcast(wanted, widened)
        }
        _ => {
            let resource = image.resource;
            return Err(unsupported!(
                cx.entry.place,
                "a store to {resource} has values of another type than its texels"
            ));
        }
    })
}
