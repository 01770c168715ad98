//! The SPIR-V ids of a module's types and constants.

use crate::ir::{Const, TypeId};
use dxil_base::entity::SecondaryMap;
use dxil_spirv_builder::Id;

/// The SPIR-V types and constants of a module. Entry points that widen the same types share them.
#[derive(Debug, Default)]
pub struct ModuleIds {
    /// SPIR-V type of each IR type.
    pub(super) types: SecondaryMap<TypeId, Option<Id>>,
    /// SPIR-V type of each IR type with integers in place of its floats.
    pub bit_types: SecondaryMap<TypeId, Option<Id>>,
    /// SPIR-V constant of each IR constant.
    pub(super) consts: SecondaryMap<Const, Option<Id>>,
}
