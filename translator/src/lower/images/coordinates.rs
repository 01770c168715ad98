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
    let Some(values) = values.get(..count) else {
        return Err(unsupported!(cx.entry.place, "an access needs {count} coordinates, and the operation has fewer"));
    };
    if values.iter().any(|&value| cx.input.is_undef(value)) {
        return Err(malformed!(cx.entry.place, "a coordinate is undefined; the access needs {count}"));
    }
    cx.vector(code, values)
}
