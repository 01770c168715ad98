//! The size of points.

use rspirv::spirv::{BuiltIn, Capability, StorageClass};

use crate::dxil::consts::ShaderStage;
use crate::error::Result;
use crate::lower::cx::{Code, Declared, FunctionCx};
use crate::profile::Feature;

/// What runs before the entry's own instructions.
///
/// # Errors
/// `MissingFeature`, by the declarations.
pub fn prologue(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>) -> Result<()> {
    match cx.entry.stage {
        ShaderStage::Vertex => point_size(cx, code, Capability::Shader),
        // The hull shader says whether points are made.
        ShaderStage::Domain => point_size(cx, code, Capability::TessellationPointSize),
        _ => Ok(()),
    }
}

/// Points of D3D are one pixel wide. Vulkan wants that said (Vulkan, "PointSize"), as far as the device lets the stage say it,
/// unless it has maintenance5, where one is the default.
pub(super) fn point_size(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, capability: Capability) -> Result<()> {
    if code.caps.enabled(Feature::Maintenance5) || !code.caps.allows(capability) {
        return Ok(());
    }
    code.caps.capability(capability)?;
    let (float, one) = (code.type_f32(), code.const_f32(1.0));
    let variable = cx.declare(code, Declared::PointSize, |_, module| {
        module.builtin_variable(StorageClass::Output, float, BuiltIn::PointSize)
    })?;
    code.store(variable, one);
    Ok(())
}
