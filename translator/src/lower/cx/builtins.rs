//! Builtin variables that the shader reads.

use rspirv::spirv::{BuiltIn, StorageClass};

use super::declared::Declared;
use super::lowered::Code;
use super::module::ModuleCx;
use crate::dxil::consts::ShaderStage;
use crate::error::Result;
use crate::spirv::{Id, Module};

impl ModuleCx<'_> {
    /// The value of a builtin.
    ///
    /// # Errors
    /// As [`builtin`](Self::builtin).
    pub fn load_builtin(&mut self, code: &mut Code<'_, '_>, builtin: BuiltIn, ty: Id) -> Result<Id> {
        let variable = self.builtin(code, builtin, ty)?;
        Ok(code.load(variable))
    }

    /// The input variable of a builtin. In pixel shaders an integer is decorated Flat, which Vulkan
    /// requires of every integer input.
    ///
    /// # Errors
    /// `MissingFeature` if the builtin needs a feature that the device does not have.
    pub fn builtin(&mut self, module: &mut Module<'_>, builtin: BuiltIn, ty: Id) -> Result<Id> {
        let pixel = self.entry.stage == ShaderStage::Pixel;
        self.declare(module, Declared::BuiltIn(builtin as u32), |_, module| {
            let id = module.builtin_variable(StorageClass::Input, ty, builtin)?;
            if pixel && matches!(module.ty(ty), Some(crate::spirv::Type::Int { .. })) {
                module.mark(id, rspirv::spirv::Decoration::Flat);
            }
            Ok(id)
        })
    }
}
