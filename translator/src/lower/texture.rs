//! Texture loads, stores and queries; typed buffers, which are texel buffers.
// spirv engineer: yours, with sample.rs and the declaration of image and sampler variables (put it in image.rs).
// Image variables: `Declared::Resource(resource, which)`; `cx.handle`, `cx.descriptor`, `cx.usage.of(resource)` (atomic: needs an R32 format; compared …).
// buffer.rs calls `typed_buffer_load` / `typed_buffer_store` below for typed buffers; atomic.rs will want a texel pointer from image.rs.
// Also GetDimensions (for buffers too: structured count, raw bytes), CalculateLOD, CheckAccessFullyMapped, sparse status
// (status part: OpImageSparse* only where the status leaf is used; else a constant that says "mapped").

use super::context::Context;
use super::handle::Handle;
use super::{Call, Code, Lowered};
use crate::dxil::ir::Value;
use crate::error::Result;

/// `Buffer<T>` and `RWBuffer<T>` loads: four components and the status.
pub(super) fn typed_buffer_load(
    _: &mut Context<'_>,
    _: &mut Code<'_, '_>,
    call: &Call<'_>,
    _: Handle,
    _: Value,
) -> Result<Lowered> {
    Err(unsupported!(call.place, "typed buffers are not lowered yet"))
}

/// `RWBuffer<T>` stores: all four components.
pub(super) fn typed_buffer_store(
    _: &mut Context<'_>,
    _: &mut Code<'_, '_>,
    call: &Call<'_>,
    _: Handle,
    _: Value,
    _: [Value; 4],
) -> Result<Lowered> {
    Err(unsupported!(call.place, "typed buffers are not lowered yet"))
}
