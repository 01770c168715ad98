//! What an entry point has declared of memory: global variables, and types of buffers.

use std::collections::BTreeMap;

use crate::analysis::entry::RootStorage;
use crate::ir::Global;
use crate::ir::resources::ResourceId;
use dxil_base::entity::SecondaryMap;
use dxil_spirv_builder::{Id, ImageType};

/// The global variables that are declared.
#[derive(Debug, Default)]
pub struct Globals {
    /// SPIR-V variable of each global.
    pub variables: SecondaryMap<Global, Option<Id>>,
    /// The bytes of the groupshared ones.
    pub shared_bytes: u64,
}

/// A declaration of a buffer's block.
#[derive(Clone, Copy, Debug)]
pub struct BlockDeclaration {
    /// Which declaration of the resource it is.
    pub which: u32,
    /// The structure.
    pub content: Id,
    /// The variable; `None` for a buffer at an address.
    pub variable: Option<Id>,
}

/// The declaration of an image, texel buffer or sampler.
#[derive(Clone, Copy, Debug)]
pub struct ImageDeclaration {
    /// The type of the image; `None` for a sampler.
    pub ty: Option<ImageType>,
    /// The id of the type.
    pub content: Id,
    /// The variable.
    pub variable: Id,
}

/// The types of buffers that are declared.
#[derive(Debug, Default)]
pub struct BufferTypes {
    /// The declarations of each buffer, most often one.
    pub blocks: SecondaryMap<ResourceId, Vec<BlockDeclaration>>,
    /// The SPIR-V structures of the blocks of root arguments that are reached by an address.
    pub root_contents: BTreeMap<RootStorage, Id>,
}
