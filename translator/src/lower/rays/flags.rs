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
    if let Some(value) = cx.input.const_uint(flags) {
        return Ok(code.const_u32(constant | value as u32));
    }
    let value = cx.value(code, flags)?;
    if constant == 0 {
        return Ok(value);
    }
    let (word, constant) = (code.type_u32(), code.const_u32(constant));
    Ok(code.binary(Op::BitwiseOr, word, value, constant))
}

/// Declares the capability of flags that queries have as constants.
///
/// # Errors
/// As [`combined`].
pub fn declare(code: &mut Code<'_, '_>, constant: u32) -> Result<()> {
    if SKIPS.iter().any(|flag| constant & flag != 0) {
        code.caps.capability(Capability::RayTraversalPrimitiveCullingKHR)?;
    }
    Ok(())
}
