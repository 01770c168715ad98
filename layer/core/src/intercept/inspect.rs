//! Whether shader code in a create info is DXIL.

use std::sync::Arc;

use crate::intercept::objects::Device;
use crate::translate::{Identifier, Module, dxil_in};
use crate::vulkan::shader_code::{self, Code, ShaderCode, Stage, StageCode};

/// The DXIL of a stage.
pub enum StageDxil<'a> {
    /// A shader module that was created from it.
    Module(Arc<Module>),
    /// Code in the chain of the stage, or of a shader object.
    Code(&'a [u8]),
    /// An identifier of the layer in the chain of the stage.
    Identified(Identifier),
}

/// The DXIL of a stage, if it has any.
///
/// # Safety
/// The stage must be valid, and what it points to must outlive the result.
pub unsafe fn dxil_of_stage<'a>(device: &Device, stage: &Stage) -> Option<StageDxil<'a>> {
    // SAFETY: the caller's stage.
    match unsafe { shader_code::stage_code(stage) }? {
        StageCode::Module(module) => device.modules.get(module).map(StageDxil::Module),
        StageCode::Chained(code) => dxil_in(code).map(StageDxil::Code),
        StageCode::Identified(bytes) => Identifier::read(bytes).map(StageDxil::Identified),
    }
}

/// Whether shader code that a visitor found has DXIL.
///
/// # Safety
/// The code must be that of a valid create info.
pub unsafe fn is_dxil(device: &Device, found: &ShaderCode<'_>) -> bool {
    match found.code {
        // SAFETY: the stages of a valid create info.
        Code::Stages(stages) => stages.iter().any(|stage| unsafe { dxil_of_stage(device, stage) }.is_some()),
        Code::Bytes(code) => dxil_in(code).is_some(),
    }
}
