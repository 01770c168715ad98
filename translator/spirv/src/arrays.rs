//! Array types, whose lengths are constants.

use rspirv::spirv::{Decoration, Op};

use super::module::Module;
use super::words::{Id, instruction};

impl Module<'_> {
    /// An array type. With a stride it has an explicit layout and differs from the type without
    /// one.
    pub fn type_array(&mut self, element: Id, length: u32, stride: Option<u32>) -> Id {
        let key = [Op::TypeArray as u32, element.word(), length, stride.unwrap_or(0)];
        if let Some(id) = self.interner.get(&key) {
            return id;
        }
        let constant = self.const_u32(length);
        self.intern(Op::TypeArray, &key, |module, id| {
            instruction(&mut module.globals, [Op::TypeArray as u32, id.word()], &[element, constant]);
            module.stride(id, stride);
        })
    }

    /// A runtime array type. In a buffer it needs a stride. As an array of descriptors it needs
    /// `RuntimeDescriptorArray`, which the caller declares.
    pub fn type_runtime_array(&mut self, element: Id, stride: Option<u32>) -> Id {
        let key = [Op::TypeRuntimeArray as u32, element.word(), stride.unwrap_or(0)];
        self.intern(Op::TypeRuntimeArray, &key, |module, id| {
            instruction(&mut module.globals, [Op::TypeRuntimeArray as u32, id.word()], &[element]);
            module.stride(id, stride);
        })
    }

    fn stride(&mut self, id: Id, stride: Option<u32>) {
        if let Some(stride) = stride {
            instruction(
                &mut self.annotations,
                [Op::Decorate as u32, id.word(), Decoration::ArrayStride as u32],
                &[stride],
            );
        }
    }
}
