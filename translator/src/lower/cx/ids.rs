//! The SPIR-V ids of a module's types and constants.

use crate::ir::{Const, Module, TypeId};
use dxil_base::entity::SecondaryMap;
use dxil_spirv_builder::Id;

/// The SPIR-V types and constants of a module. Entry points that widen the same types share them.
#[derive(Debug)]
pub struct ModuleIds {
    /// SPIR-V type of each IR type.
    pub(super) types: SecondaryMap<TypeId, Option<Id>>,
    /// SPIR-V type of each IR type with integers in place of its floats.
    pub bit_types: SecondaryMap<TypeId, Option<Id>>,
    /// SPIR-V constant of each IR constant.
    pub(super) consts: SecondaryMap<Const, Option<Id>>,
}

impl ModuleIds {
    /// Nothing is declared yet.
    pub fn new(module: &Module) -> Self {
        Self {
            types: SecondaryMap::filled(module.types.len(), None),
            bit_types: SecondaryMap::default(),
            consts: SecondaryMap::filled(module.consts.len(), None),
        }
    }
}
