//! Variables at module scope.

use rspirv::spirv::{Op, StorageClass};

use super::module::Module;
use super::words::{Id, instruction};
use dxil_base::error::Result;
use dxil_base::limits;

impl Module<'_> {
    /// A variable at module scope of type `pointee`. Declares the capability that its storage class
    /// needs for the widths in the type.
    ///
    /// # Errors
    /// `MissingFeature` if the type has 8- or 16-bit values and the profile does not allow them in
    /// the storage class.
    pub fn variable(&mut self, class: StorageClass, pointee: Id, initializer: Option<Id>) -> Result<Id> {
        self.require_storage(class, pointee)?;
        let ty = self.type_pointer(class, pointee);
        let id = self.fresh_value(ty);
        let head = [Op::Variable as u32, ty.word(), id.word(), class as u32];
        instruction(&mut self.globals, head, initializer.as_slice());
        self.interface.push((id, class));
        self.keep_within("variables of a SPIR-V module", self.interface.len(), limits::SPIRV_GLOBAL_VARIABLES);
        Ok(id)
    }
}
