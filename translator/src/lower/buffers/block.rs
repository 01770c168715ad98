//! Blocks: the memory of a buffer as a pointer to a structure, wherever the buffer lives.
//!
//! In: a handle, and the type of the structure. Out: a [`MemoryBlock`]. What must hold: only this
//! file makes a pointer from a buffer's [`Location`]. The forms of a buffer's content ask a
//! descriptor's type whether they apply, then go through the pointer and do not ask where it came
//! from.

use rspirv::spirv::{Capability, Decoration, Op, Scope, StorageClass};

use crate::analysis::handles::Handle;
use crate::binding::plan::{HeapDescriptors, Location};
use crate::binding::stage_flag;
use crate::lower::cx::{BlockDeclaration, Code, EntryCx, FunctionCx};
use crate::lower::resources::{declare, descriptor, handle, root};
use dxil_base::error::Result;
use dxil_base::quirks::Quirk;
use dxil_spirv_builder::{Id, Member, MemoryAccess, Module, StructKind};

/// A structure in memory that holds a buffer's content, most often as its member 0.
#[derive(Clone, Copy)]
pub struct MemoryBlock {
    /// The pointer to the structure.
    pointer: Id,
    /// Whether the pointer differs between lanes that run together.
    non_uniform: bool,
    /// For memory at an address: the alignment in bytes that each access states.
    aligned: Option<u32>,
    /// Where the number of elements has to be taken through an index that is the same in all lanes.
    array: Option<NonUniformArray>,
}

/// An array of descriptors, and a lane's index into it.
#[derive(Clone, Copy)]
struct NonUniformArray {
    variable: Id,
    content: Id,
    index: Id,
}

/// What a buffer's block is declared as.
pub struct Declaration {
    /// The storage class of a descriptor's variable.
    pub class: StorageClass,
    /// Which declaration of the resource it is: a buffer may have several, of different content.
    pub which: u32,
    /// The alignment in bytes of all accesses where the buffer is at an address.
    pub aligned: u32,
}

impl MemoryBlock {
    /// The block of a raw, structured or constant buffer. `members` makes the structure's members,
    /// and `decorate` adds the decorations of a descriptor's variable, both for the first access to
    /// the buffer alone.
    ///
    /// # Errors
    /// `Unsupported` for a place from which blocks are not read yet, by its name. `Binding` where
    /// the plan has no place.
    pub fn open(
        cx: &mut FunctionCx<'_, '_>,
        code: &mut Code<'_, '_>,
        handle: Handle,
        declaration: &Declaration,
        members: impl FnOnce(&mut FunctionCx<'_, '_>, &mut Module<'_>) -> Vec<Member>,
        decorate: impl FnOnce(&mut EntryCx<'_>, &mut Module<'_>, Id),
    ) -> Result<Self> {
        let location = handle::location(cx.input, handle.resource)?;
        let &Declaration { class, which, aligned } = declaration;
        let known = cx.entry.buffers.blocks[handle.resource].iter().find(|block| block.which == which).copied();
        match location {
            Location::Descriptor(place) | Location::Heap(HeapDescriptors { descriptor: place, .. }) => {
                let (content, variable) = match known {
                    Some(BlockDeclaration { content, variable: Some(variable), .. }) => (content, variable),
                    _ => {
                        let members = members(cx, code);
                        let kind = declare::block_kind(cx.input, class, handle.resource);
                        let content = code.type_struct(kind, &members);
                        let name = &cx.input.names[handle.resource];
                        let variable = declare::variable(cx.entry, code, class, content, place, name)?;
                        decorate(cx.entry, code, variable);
                        let made = BlockDeclaration { which, content, variable: Some(variable) };
                        cx.entry.buffers.blocks[handle.resource].push(made);
                        (content, variable)
                    }
                };
                let picked = descriptor::pick(cx, code, handle, place, content, variable)?;
                let stage = stage_flag(cx.input.entry.stage).unwrap_or_default();
                let index = picked.index.filter(|_| {
                    picked.non_uniform
                        && code.caps.has_quirk(Quirk::UniformArrayLength)
                        && code.caps.allows_subgroup(stage, Capability::GroupNonUniformBallot)
                });
                let array = index.map(|index| NonUniformArray { variable, content, index });
                if array.is_some() {
                    code.caps.subgroup(stage, Capability::GroupNonUniformBallot)?;
                }
                Ok(MemoryBlock { pointer: picked.pointer, non_uniform: picked.non_uniform, aligned: None, array })
            }
            Location::Address(root) => {
                let content = match known {
                    Some(BlockDeclaration { content, .. }) => content,
                    None => {
                        let mut members = members(cx, code);
                        members.iter_mut().for_each(|member| declare::at_address(cx.input, member, handle.resource));
                        let content = code.type_struct(StructKind::Block, &members);
                        let made = BlockDeclaration { which, content, variable: None };
                        cx.entry.buffers.blocks[handle.resource].push(made);
                        content
                    }
                };
                let address = root::address(cx, code, root)?;
                let pointer = code.at_address(content, address)?;
                Ok(MemoryBlock { pointer, non_uniform: false, aligned: Some(aligned), array: None })
            }
            _ => Err(handle::not_lowered(cx.input, handle.resource, &location)),
        }
    }

    /// A pointer to a part of the structure, of type `ty`, by the indexes of an access chain. The
    /// first one is a constant 0, for member 0.
    pub fn part(&self, code: &mut Code<'_, '_>, ty: Id, chain: &[Id]) -> Id {
        let pointer = code.access_chain(ty, self.pointer, chain);
        if self.non_uniform {
            code.mark(pointer, Decoration::NonUniform);
        }
        pointer
    }

    /// Loads through a pointer that [`part`](Self::part) gave.
    pub fn load(&self, code: &mut Code<'_, '_>, pointer: Id) -> Id {
        code.load_with(pointer, MemoryAccess { aligned: self.aligned, ..MemoryAccess::default() })
    }

    /// [`load`](Self::load) of a constant buffer.
    pub fn load_constant(&self, code: &mut Code<'_, '_>, pointer: Id) -> Id {
        code.load_constant(pointer, MemoryAccess { aligned: self.aligned, ..MemoryAccess::default() })
    }

    /// Stores through a pointer that [`part`](Self::part) gave.
    pub fn store(&self, code: &mut Code<'_, '_>, pointer: Id, value: Id) {
        code.store_with(pointer, value, MemoryAccess { aligned: self.aligned, ..MemoryAccess::default() });
    }

    /// Whether the memory has a known end. That at an address has none, and D3D checks no bounds
    /// there (D3D12, "Using descriptors directly in the root signature").
    pub fn is_bounded(&self) -> bool {
        self.aligned.is_none()
    }

    /// The number of elements of the runtime array that is the content of a bounded block.
    ///
    /// # Errors
    /// `Limit` for too much output.
    pub fn length(&self, code: &mut Code<'_, '_>) -> Result<Id> {
        debug_assert!(self.is_bounded());
        let word = code.type_u32();
        if let Some(array) = &self.array {
            return array.length(code);
        }
        let length = code.pure(Op::ArrayLength, word, &[self.pointer.word(), 0]);
        if self.non_uniform {
            code.mark(length, Decoration::NonUniform);
        }
        Ok(length)
    }
}

impl NonUniformArray {
    /// The number of elements, taken for one index after another: each round serves the lanes with
    /// the index of the first lane that has not been served.
    fn length(&self, code: &mut Code<'_, '_>) -> Result<Id> {
        let &NonUniformArray { variable, content, index } = self;
        let (word, bool_ty) = (code.type_u32(), code.type_bool());
        let subgroup = code.const_u32(Scope::Subgroup as u32);
        code.repeat_until_all(
            word,
            |code| {
                let first = code.op(Op::GroupNonUniformBroadcastFirst, word, &[subgroup, index]);
                let own = code.binary(Op::IEqual, bool_ty, index, first);
                let pointer = code.access_chain(content, variable, &[first]);
                Ok((own, code.op(Op::ArrayLength, word, &[pointer.word(), 0])))
            },
            |code, served| {
                let mask = code.type_vector(word, 4);
                let left = code.unary(Op::LogicalNot, bool_ty, served);
                let left = code.op(Op::GroupNonUniformBallot, mask, &[subgroup, left]);
                let (bools, none) = (code.type_vector(bool_ty, 4), code.const_null(mask));
                let empty = code.binary(Op::IEqual, bools, left, none);
                Ok(code.unary(Op::All, bool_ty, empty))
            },
        )
    }
}
