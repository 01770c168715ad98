//! The coordinates of an access to an image.

use super::image::Image;
use crate::ir::Value;
use crate::lower::cx::{Code, FunctionCx};
use dxil_base::error::Result;
use dxil_spirv_builder::Id;

/// The coordinate vector of an access. It takes as many of `values` as the image has coordinates.
pub fn coordinates(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    image: &Image<'_>,
    values: &[Value],
) -> Result<Id> {
    vector(cx, code, values, image.ty.coordinates() as usize)
}

/// A vector of the first `count` values, or the first value itself if `count` is 1.
pub fn vector(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, values: &[Value], count: usize) -> Result<Id> {
    // Any id, until the values are there.
    let mut ids = [code.label(); 4];
    let ids = ids.get_mut(..count).unwrap_or_default();
    for (id, &value) in ids.iter_mut().zip(values) {
        if cx.input.is_undef(value) {
            return Err(malformed!(cx.entry.place, "a coordinate is undefined; the access needs {count}"));
        }
        *id = cx.value(code, value)?;
    }
    let Some(ty) = ids.first().and_then(|&id| code.type_of(id)).filter(|_| count <= values.len()) else {
        return Err(unsupported!(cx.entry.place, "an access needs {count} coordinates, and the operation has fewer"));
    };
    if let &mut [only] = ids {
        return Ok(only);
    }
    let ty = code.type_vector(ty, count as u32);
    if ids.iter().all(|&id| code.constant_value(id).is_some()) {
        return Ok(code.const_composite(ty, ids));
    }
    Ok(code.construct(ty, &*ids))
}
