//! What an entry point has declared of memory: global variables, and types of buffers.

use std::collections::BTreeMap;

use crate::analysis::entry::RootStorage;
use crate::ir::Global;
use crate::ir::resources::ResourceId;
use dxil_base::entity::SecondaryMap;
use dxil_spirv_builder::Id;

/// The global variables that are declared.
#[derive(Debug, Default)]
pub struct Globals {
    /// SPIR-V variable of each global.
    pub variables: SecondaryMap<Global, Option<Id>>,
    /// The bytes of the groupshared ones.
    pub shared_bytes: u64,
}

/// The types of buffers that are declared.
#[derive(Debug, Default)]
pub struct BufferTypes {
    /// The SPIR-V structures of the blocks of root arguments that are reached by an address.
    pub root_contents: BTreeMap<RootStorage, Id>,
    /// SPIR-V type of the array of a structured buffer's elements, where they have members.
    pub element_arrays: SecondaryMap<ResourceId, Option<Id>>,
}
