//! Texels as D3D has them: what an image instruction gives as the result of an operation, and what
//! a store takes.
//!
//! In: the id of a texel, or the operation's values. Out: the leaves of a `ResRet`, four components
//! and a status, or the texel for the image. What must hold: components have the operation's type,
//! whatever the image's is.

use rspirv::spirv::{Capability, Op};

use super::image::Image;
use crate::dxil::consts::ResourceKind;
use crate::dxil::ir::{Type, TypeId, Value};
use crate::error::Result;
use crate::lower::cx::{Call, Code, FunctionCx, Lowered};
use crate::spirv::{self, Id, Member, StructKind};

/// The leaf of a `ResRet` that is the sparse status.
const STATUS: u32 = 4;

/// Whether the shader asks for the sparse status of an access, and the device has sparse images.
pub(super) fn wants_status(cx: &FunctionCx<'_, '_>, code: &Code<'_, '_>, call: &Call<'_>) -> bool {
    cx.is_extracted(call.inst, STATUS) && code.caps.allows(Capability::SparseResidency)
}

/// The result type of a sparse access.
pub(super) fn sparse_type(code: &mut Code<'_, '_>, texel: Id) -> Id {
    let word = code.type_u32();
    code.type_struct(StructKind::Plain, &[Member::new(word), Member::new(texel)])
}

/// The scalar type that an access's result has, in the IR: the first member of its `ResRet`.
pub fn overload(cx: &FunctionCx<'_, '_>, call: &Call<'_>) -> Result<TypeId> {
    match cx.ir_type(call.ty()?) {
        Type::Struct { fields, .. } => match fields.first() {
            Some(&first) => Ok(first),
            None => Err(malformed!(call.place, "{} gives an empty structure", call.op)),
        },
        _ => Err(malformed!(call.place, "{} does not give a structure", call.op)),
    }
}

/// The texel and the status of what an image instruction gave: a sparse access gives a structure of both.
pub(super) fn texel_and_status(code: &mut Code<'_, '_>, call: &Call<'_>, value: Id, sparse: bool) -> Result<(Id, Id)> {
    if !sparse {
        return Ok((value, code.const_u32(0)));
    }
    let texel_ty = match code.ty_of(value) {
        Some(spirv::Type::Struct(members)) => members.ty(1),
        _ => None,
    };
    let Some(texel_ty) = texel_ty else {
        return Err(bug!(call.place, "a sparse access without its structure"));
    };
    let word = code.type_u32();
    let status = code.extract(word, value, &[0]);
    Ok((code.extract(texel_ty, value, &[1]), status))
}

/// The leaves of a `ResRet` from what an image instruction gave: a vector, a scalar (which comparisons give, and which D3D
/// repeats), or a sparse structure of a status and either.
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
        return Err(bug!(call.place, "a texel without a type"));
    };
    let count = code.scalar(texel_ty).1;
    let scalar = cx.ty(code, overload)?;
    let texel = converted(cx, code, image, texel, count, overload)?;
    let mut leaves = [texel, texel, texel, texel, status];
    if count > 1 {
        for n in 0..4 {
            // What nothing reads is not extracted. Its leaf is the whole vector, which would not validate if it were read.
            if cx.is_extracted(call.inst, n)
                && let Some(leaf) = leaves.get_mut(n as usize)
            {
                *leaf = code.extract(scalar, texel, &[n]);
            }
        }
    }
    Ok(cx.parts(&leaves))
}

/// A texel in the components' IR type.
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
    let scalar = cx.ty(code, to)?;
    let ty = code.type_vector(scalar, count);
    if code.width(image.ty.sampled_type) == Some(64) {
        // DXIL loads such texels as pairs of words.
        if *cx.ir_type(to) != Type::Int(32) || count != 4 {
            return Err(unsupported!(cx.place, "an access to {} whose values have another type", image.resource));
        }
        let (pair, zero) = (code.type_vector(word, 2), code.const_u32(0));
        let whole = code.component(texel, 0);
        let words = code.bitcast(pair, whole);
        let words = [code.component(words, 0), code.component(words, 1), zero, zero];
        return Ok(code.construct(ty, &words));
    }
    Ok(match *cx.ir_type(to) {
        Type::Float(32) if float => texel,
        Type::Float(16) if float => code.unary(Op::FConvert, ty, texel),
        Type::Int(bits @ (16 | 32)) if !float => {
            let words = code.type_vector(word, count);
            let texel = code.bitcast(words, texel);
            if bits == 32 { texel } else { code.unary(Op::UConvert, ty, texel) }
        }
        // Rows of words, whatever the members are.
        Type::Float(32) if image.resource.kind == ResourceKind::TBuffer => code.bitcast(ty, texel),
        _ => {
            let resource = image.resource;
            return Err(unsupported!(cx.place, "an access to {resource} whose values have another type"));
        }
    })
}

/// A texel of four components from IR values. What the shader leaves undefined repeats the first.
pub(super) fn texel_of(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    image: &Image<'_>,
    values: [Value; 4],
) -> Result<Id> {
    let component = |cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, value| match image.is_signed() {
        true => cx.signed_value(code, value),
        false => cx.value(code, value),
    };
    let first = component(cx, code, values[0])?;
    let mut ids = [first; 4];
    for (id, &value) in ids.iter_mut().zip(&values).skip(1) {
        if !cx.is_undef(value) {
            *id = component(cx, code, value)?;
        }
    }
    let ty = cx.type_of(values[0]);
    let scalar = cx.ty(code, ty)?;
    let given = code.type_vector(scalar, 4);
    let texel = code.construct(given, &ids);
    let wanted = code.type_vector(image.ty.sampled_type, 4);
    if code.width(image.ty.sampled_type) == Some(64) {
        if *cx.ir_type(ty) != Type::Int(32) {
            return Err(unsupported!(cx.place, "a store to {} of values of another type", image.resource));
        }
        let word = code.type_u32();
        let pair = code.type_vector(word, 2);
        let words = code.construct(pair, &[ids[0], ids[1]]);
        let whole = code.bitcast(image.ty.sampled_type, words);
        return Ok(code.splat(wanted, whole));
    }
    let f32t = code.type_f32();
    let float = image.ty.sampled_type == f32t;
    Ok(match *cx.ir_type(ty) {
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
            return Err(unsupported!(cx.place, "a store to {resource} of values of another type"));
        }
    })
}
