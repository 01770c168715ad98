//! What only pixel shaders do: discard, coverage, sample positions.

use super::context::Context;
use super::{Call, Code, Lowered};
use crate::dxil::ops::args;
use crate::error::Result;

/// D3D's discard ends the pixel's effects and lets its lane live on as a helper, so that derivatives of its quad stay defined
/// (DXIL.rst, "Discard"): a demotion. Where the device cannot demote, a flag is set and the invocation ends where the shader does.
pub(super) fn discard(
    cx: &mut Context<'_>,
    code: &mut Code<'_, '_>,
    call: &Call<'_>,
    args: args::Discard,
) -> Result<Lowered> {
    if !code.caps.native_demote() {
        return Err(code
            .caps
            .require(crate::profile::Feature::DemoteToHelperInvocation)
            .err()
            .unwrap_or_else(|| bug!(call.place, "a device that demotes and does not")));
    }
    match cx.const_uint(args.condition) {
        Some(0) => {}
        Some(_) => code.demote()?,
        None => {
            let condition = cx.value(code, args.condition)?;
            code.if_then(condition, |code| code.demote())?;
        }
    }
    Ok(Lowered::Nothing)
}
