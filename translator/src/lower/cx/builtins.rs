//! Builtin variables that the shader reads.

use rspirv::spirv::{BuiltIn, Op, StorageClass};

use super::declared::Declared;
use super::entry::EntryCx;
use super::lowered::Code;
use crate::ops::consts::ShaderStage;
use dxil_base::error::Result;
use dxil_spirv_builder::{Id, Module};

impl EntryCx<'_> {
    /// The value of a builtin.
    ///
    /// # Errors
    /// As [`builtin`](Self::builtin).
    pub fn load_builtin(&mut self, code: &mut Code<'_, '_>, builtin: BuiltIn, ty: Id) -> Result<Id> {
        let variable = self.builtin(code, builtin, ty)?;
        if is_volatile(self.input.entry.stage, builtin) {
            return Ok(code.load(variable));
        }
        // Nothing writes it while the shader runs.
        Ok(code.pure(Op::Load, ty, &[variable]))
    }

    /// The input variable of a builtin. In pixel shaders an integer is decorated Flat, which Vulkan
    /// requires of every integer input.
    ///
    /// # Errors
    /// `MissingFeature` if the builtin needs a feature that the device does not have.
    pub fn builtin(&mut self, module: &mut Module<'_>, builtin: BuiltIn, ty: Id) -> Result<Id> {
        let stage = self.input.entry.stage;
        let pixel = stage == ShaderStage::Pixel;
        self.declare(module, Declared::BuiltIn(builtin as u32), |_, module| {
            let id = module.builtin_variable(StorageClass::Input, ty, builtin)?;
            if pixel && matches!(module.ty(ty), Some(dxil_spirv_builder::Type::Int { .. })) {
                module.mark(id, rspirv::spirv::Decoration::Flat);
            }
            if is_volatile(stage, builtin) {
                module.mark(id, rspirv::spirv::Decoration::Volatile);
            }
            Ok(id)
        })
    }
}

/// Whether a builtin may change while an invocation runs. After a shader call the invocation may
/// continue in another lane of another subgroup, and ReportHit shortens the ray (Vulkan,
/// VUID-StandaloneSpirv-VulkanMemoryModel-04678).
fn is_volatile(stage: ShaderStage, builtin: BuiltIn) -> bool {
    use ShaderStage as S;
    match builtin {
        BuiltIn::RayTmaxKHR => stage == S::Intersection,
        BuiltIn::SubgroupSize
        | BuiltIn::SubgroupLocalInvocationId
        | BuiltIn::SubgroupEqMask
        | BuiltIn::SubgroupGeMask
        | BuiltIn::SubgroupGtMask
        | BuiltIn::SubgroupLeMask
        | BuiltIn::SubgroupLtMask => {
            matches!(stage, S::RayGeneration | S::ClosestHit | S::Miss | S::Intersection | S::Callable)
        }
        _ => false,
    }
}
