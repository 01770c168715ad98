//! Ray flags. D3D's and SPIR-V's flags have the same bits (DXR, «Ray flags»; SPV_KHR_ray_query,
//! «Ray Flags»).
//!
//! What must hold: a flag that needs a capability declares it where the shader surely sets the
//! flag, and a device without the feature refuses such a shader.

use rspirv::spirv::{Capability, Op};

use crate::analysis::bits::Bits;
use crate::ir::Value;
use crate::lower::cx::{Code, FunctionCx};
use crate::ops::consts::RayFlags;
use dxil_base::error::Result;
use dxil_spirv_builder::Id;

/// The flags that RayTraversalPrimitiveCullingKHR enables.
const SKIPS: [u32; 2] = [RayFlags::SKIP_TRIANGLES.bits(), RayFlags::SKIP_PROCEDURAL_PRIMITIVES.bits()];

/// The flag that RayTracingOpacityMicromapEXT enables. Devices without micromaps ignore it (HLSL
/// proposal 0024, «Runtime Additions»).
const MICROMAPS: u32 = RayFlags::FORCE_OMM_2_STATE.bits();

/// The bits of flags that the device takes, if the flag of micromaps may be among them.
fn taken(code: &mut Code<'_, '_>, has_micromaps: bool) -> Result<u32> {
    let capability = Capability::RayTracingOpacityMicromapEXT;
    if has_micromaps && !code.caps.allows(capability) {
        return Ok(!MICROMAPS);
    }
    if has_micromaps {
        code.caps.capability(capability)?;
    }
    Ok(u32::MAX)
}

/// The flags of a query as D3D reports them: a constant flag that the device does not take is among
/// them.
pub fn reported(code: &mut Code<'_, '_>, constant: u32, flags: Id) -> Id {
    if constant & MICROMAPS == 0 || code.caps.allows(Capability::RayTracingOpacityMicromapEXT) {
        return flags;
    }
    let (word, ignored) = (code.type_u32(), code.const_u32(MICROMAPS));
    code.binary(Op::BitwiseOr, word, flags, ignored)
}

/// The flags without those that the device does not take.
fn limited(code: &mut Code<'_, '_>, flags: Id, taken: u32) -> Id {
    if taken == u32::MAX {
        return flags;
    }
    let (word, taken) = (code.type_u32(), code.const_u32(taken));
    code.binary(Op::BitwiseAnd, word, flags, taken)
}

/// The flags of a ray: a constant part, and the operand of an operation.
///
/// # Errors
/// `MissingFeature` where the flags surely skip primitives and the device cannot.
pub fn combined(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, constant: u32, flags: Value) -> Result<Id> {
    let known = cx.analysis.known_bits(flags);
    let bits = |flag: u32| known.and(Bits::constant(flag.into(), 32)).value();
    let surely = |&flag: &u32| constant & flag != 0 || bits(flag) == Some(flag.into());
    let perhaps = |&flag: &u32| bits(flag) != Some(0);
    // Without the feature, flags that are known only when the shader runs must not have these bits
    // (Vulkan, `rayTraversalPrimitiveCulling`), which is then the application's promise.
    let culling = Capability::RayTraversalPrimitiveCullingKHR;
    if SKIPS.iter().any(surely) || SKIPS.iter().any(perhaps) && code.caps.allows(culling) {
        code.caps.capability(culling)?;
    }
    // Before shader model 6.9 there is no flag of micromaps, which loaded flags might have.
    let is_new = cx.input.program.shader_model >= (6, 9);
    let taken = taken(code, surely(&MICROMAPS) || is_new && perhaps(&MICROMAPS))?;
    let constant = constant & taken;
    if let Some(value) = cx.input.const_uint(flags) {
        return Ok(code.const_u32(constant | value as u32 & taken));
    }
    let value = cx.value(code, flags)?;
    let value = limited(code, value, taken);
    if constant == 0 {
        return Ok(value);
    }
    let (word, constant) = (code.type_u32(), code.const_u32(constant));
    Ok(code.binary(Op::BitwiseOr, word, value, constant))
}

/// Declares the capabilities of flags that queries have as constants, of which `constant` are all
/// and `flags` those of one query. Returns the latter, as the device takes them.
///
/// # Errors
/// As [`combined`].
pub fn declare(code: &mut Code<'_, '_>, constant: u32, flags: Id) -> Result<Id> {
    if SKIPS.iter().any(|flag| constant & flag != 0) {
        code.caps.capability(Capability::RayTraversalPrimitiveCullingKHR)?;
    }
    let taken = taken(code, constant & MICROMAPS != 0)?;
    Ok(limited(code, flags, taken))
}
