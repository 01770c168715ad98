//! Numbers of a thread in its group and in the dispatch.

use rspirv::spirv::BuiltIn;

use super::context::Context;
use super::{Call, Code, Lowered, values};
use crate::dxil::ops::args;
use crate::error::Result;

/// `SV_DispatchThreadID`.
pub(super) fn thread_id(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    _: args::ThreadId,
) -> Result<Lowered> {
    values::builtin(cx, code, call, BuiltIn::GlobalInvocationId)
}

/// `SV_GroupThreadID`.
pub(super) fn thread_id_in_group(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    _: args::ThreadIdInGroup,
) -> Result<Lowered> {
    values::builtin(cx, code, call, BuiltIn::LocalInvocationId)
}

/// `SV_GroupIndex`.
pub(super) fn flattened_thread_id_in_group(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    _: args::FlattenedThreadIdInGroup,
) -> Result<Lowered> {
    values::builtin(cx, code, call, BuiltIn::LocalInvocationIndex)
}
