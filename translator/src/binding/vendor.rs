//! Vendor intrinsics: instructions that a shader encodes as accesses to a UAV that does not exist.
//!
//! In: a resource. Out: the name of the extension whose UAV it is. What must hold: the accesses are never
//! lowered as what they look like, atomic operations on memory. Vendors' headers give the registers: AMD
//! GPU Services `ags_shader_intrinsics_dx12.hlsl` (space 0x7FFF0ADE), NVAPI `nvHLSLExtns.h`, Intel
//! `IntelExtensions.hlsl`. The last two let the application choose the register, so their UAV is known by
//! its name only where the compiler has kept names.

use crate::ir::resources::Resource;
use crate::ops::consts::ResourceClass;
use dxil_base::error::{Error, Result};

/// AGS_DX12_SHADER_INSTRINSICS_SPACE_ID.
const AMD_SPACE: u32 = 0x7fff_0ade;

/// Holds a resource that a shader uses to not being a vendor's.
///
/// # Errors
/// `Unsupported`, with the name of the extension.
pub(super) fn check(resource: &Resource) -> Result<()> {
    let refused = |extension: &str| -> Error {
        unsupported!(
            resource.place(),
            "{resource} encodes the vendor intrinsics of {extension}, which have no form in SPIR-V here; compile the shader \
             without them"
        )
    };
    match &*resource.name {
        _ if resource.class != ResourceClass::Uav => Ok(()),
        _ if resource.space == AMD_SPACE => Err(refused("AMD GPU Services (AGS)")),
        "AmdExtD3DShaderIntrinsicsUAV" => Err(refused("AMD GPU Services (AGS)")),
        "g_NvidiaExt" => Err(refused("NVIDIA NVAPI")),
        "g_IntelExt" => Err(refused("the Intel extensions framework")),
        _ => Ok(()),
    }
}
