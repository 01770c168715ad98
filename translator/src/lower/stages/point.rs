//! The size of points.

use rspirv::spirv::{BuiltIn, Capability, StorageClass};

use super::{position, views};
use crate::lower::cx::{Code, Declared, FunctionCx};
use crate::ops::consts::ShaderStage;
use dxil_base::error::Result;
use dxil_base::profile::Feature;

/// Emits the code that runs before the entry's own instructions.
///
/// # Errors
/// `MissingFeature` if a declaration needs a feature that the device does not have.
pub fn prologue(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>) -> Result<()> {
    match cx.input.entry.stage {
        ShaderStage::Vertex => {
            views::write_viewport(cx, code)?;
            point_size(cx, code, Capability::Shader)
        }
        // Only the hull shader says whether the tessellator makes points, so every domain shader
        // writes the size.
        ShaderStage::Domain => {
            views::write_viewport(cx, code)?;
            point_size(cx, code, Capability::TessellationPointSize)
        }
        ShaderStage::Pixel => position::prologue(cx, code),
        _ => Ok(()),
    }
}

/// Writes the size of points. In D3D points are one pixel wide. Vulkan requires the shader to write
/// that size (Vulkan, "PointSize") if the device lets the stage do so. With maintenance5 one is the
/// default, and the write is left out.
pub(super) fn point_size(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, capability: Capability) -> Result<()> {
    if code.caps.enabled(Feature::Maintenance5) || !code.caps.allows(capability) {
        return Ok(());
    }
    code.caps.capability(capability)?;
    let (float, one) = (code.type_f32(), code.const_f32(1.0));
    let variable = cx.entry.declare(code, Declared::PointSize, |_, module| {
        module.builtin_variable(StorageClass::Output, float, BuiltIn::PointSize)
    })?;
    code.store(variable, one);
    Ok(())
}
