//! Blocks: the memory of a buffer as a pointer to a structure, wherever the buffer lives.
//!
//! In: a handle, and the type of the structure. Out: a [`Block`]. What must hold: only this file makes
//! a pointer from a buffer's [`Location`]. The forms of a buffer's content ask a descriptor's type
//! whether they apply, then go through the pointer and do not ask where it came from.

use rspirv::spirv::{Decoration, Op, StorageClass};

use crate::dxil::handles::Handle;
use crate::entity::Entity;
use crate::error::Result;
use crate::lower::cx::{Code, Declared, FunctionCx, ModuleCx};
use crate::lower::resources::{descriptor, handle};
use crate::spirv::{Id, Member, Module, StructKind};

/// A structure in memory that holds a buffer's content as its member 0.
#[derive(Clone, Copy)]
pub struct Block {
    /// The pointer to the structure.
    pub pointer: Id,
    /// Whether the pointer differs between lanes that run together.
    pub non_uniform: bool,
}

/// What a buffer's block is declared as.
pub struct Declaration {
    /// The storage class of a descriptor's variable.
    pub class: StorageClass,
    /// The type of the structure.
    pub content: Id,
    /// Which declaration of the resource it is: a buffer may have several, of different content.
    pub which: u32,
}

impl Block {
    /// The block of a raw, structured or constant buffer. `decorate` adds the decorations of a
    /// descriptor's variable.
    ///
    /// # Errors
    /// `Unsupported` for a place from which blocks are not read yet, by its name. `Binding` where the
    /// plan has no place.
    pub fn open(
        cx: &mut FunctionCx<'_, '_>,
        code: &mut Code<'_, '_>,
        handle: Handle,
        declaration: &Declaration,
        decorate: impl FnOnce(&mut ModuleCx<'_>, &mut Module<'_>, Id),
    ) -> Result<Self> {
        let location = handle::location(cx, handle.resource)?;
        match location.descriptor() {
            Some(place) => {
                let &Declaration { class, content, which } = declaration;
                let name = &handle::declaration(cx, handle).name;
                let what = Declared::Resource(handle.resource.index() as u32, which);
                let variable = cx.declare(code, what, |cx, module| {
                    let id = descriptor::variable(cx, module, class, content, place, name)?;
                    decorate(cx, module, id);
                    Ok(id)
                })?;
                let picked = descriptor::pick(cx, code, handle, place, content, variable)?;
                Ok(Block { pointer: picked.pointer, non_uniform: picked.non_uniform })
            }
            None => Err(handle::not_lowered(cx, handle.resource, &location)),
        }
    }

    /// The push-constant block as an array of words. It begins at the first byte that the shader
    /// reads, because a push-constant range has to cover all of the declared block.
    pub fn push_constants(cx: &mut ModuleCx<'_>, module: &mut Module<'_>) -> Result<Self> {
        let start = cx.plan.push_constant_start();
        let words = cx.plan.push_constant_size.saturating_sub(start) / 4;
        let pointer = cx.declare(module, Declared::PushConstants, |_, module| {
            let word = module.type_u32();
            let array = module.type_array(word, words.max(1), Some(4));
            let block = module.type_struct(StructKind::Block, &[Member::at(array, start)]);
            let id = module.variable(StorageClass::PushConstant, block, None)?;
            module.name(id, "root_constants");
            Ok(id)
        })?;
        Ok(Block { pointer, non_uniform: false })
    }

    /// A pointer to a part of the structure, of type `ty`, by the indexes of an access chain. The
    /// first one is a constant 0, for member 0.
    pub fn part(&self, code: &mut Code<'_, '_>, ty: Id, chain: &[Id]) -> Id {
        let pointer = code.access_chain(ty, self.pointer, chain);
        if self.non_uniform {
            code.mark_new(pointer, Decoration::NonUniform);
        }
        pointer
    }

    /// The number of elements of the runtime array that is the content.
    pub fn length(&self, code: &mut Code<'_, '_>) -> Id {
        let word = code.type_u32();
        let length = code.op(Op::ArrayLength, word, &[self.pointer.word(), 0]);
        if self.non_uniform {
            code.mark_new(length, Decoration::NonUniform);
        }
        length
    }
}
