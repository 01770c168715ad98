//! What lowering reads and never changes.

use std::cell::Cell;

use super::mesh_links::MeshLinks;
use super::source::SourceIds;
use crate::analysis::entry::EntryAnalysis;
use crate::analysis::program::names::Names;
use crate::analysis::program::{Entry, Program};
use crate::binding::plan::BindingPlan;
use crate::ir::{Type, TypeId, Value};
use crate::options::Options;
use dxil_base::error::Result;

/// Whether lowering searches for the uses that no definition dominates, to repair them. Structuring
/// takes definitions away from uses in few functions, and compilers write no other such use, so a
/// module is lowered without a search of all functions first.
#[derive(Debug, Default)]
pub struct Uses {
    /// All functions are searched.
    pub searched: bool,
    /// A use was met that the search would have found.
    pub met: Cell<bool>,
}

impl Uses {
    /// Lowers without the search, and again with it where that turns out to be needed.
    ///
    /// # Errors
    /// Those of `lower`.
    pub fn lower<T>(lower: impl Fn(&Self) -> Result<T>) -> Result<T> {
        let uses = Self::default();
        match lower(&uses) {
            Err(_) if uses.met.get() => lower(&Self { searched: true, met: Cell::default() }),
            result => result,
        }
    }
}

/// The inputs of lowering one entry point.
#[derive(Clone, Copy)]
pub struct Inputs<'a> {
    /// The program that the entry belongs to.
    pub program: &'a Program,
    /// The entry that is lowered.
    pub entry: &'a Entry,
    /// Where the program's resources live.
    pub plan: &'a BindingPlan,
    /// The caller's choices.
    pub options: &'a Options,
    /// What `OpName` calls each resource; empty where no names are written.
    pub names: &'a Names,
    /// The analysis of the entry.
    pub analysis: &'a EntryAnalysis,
    /// The outputs of the pipeline's mesh shader, for the inputs of a pixel shader.
    pub mesh_links: Option<&'a MeshLinks<'a>>,
    /// What is declared of the source, where places of it are written.
    pub source: Option<&'a SourceIds<'a>>,
    /// The uses that no definition dominates.
    pub uses: &'a Uses,
}

impl<'a> Inputs<'a> {
    /// The IR type.
    #[inline]
    pub fn ir_type(&self, ty: TypeId) -> &'a Type {
        &self.program.module.types[ty]
    }

    /// Whether values of a type are lists of leaves.
    pub fn is_aggregate(&self, ty: TypeId) -> bool {
        matches!(self.ir_type(ty), Type::Struct { .. } | Type::Array { .. })
    }

    /// The value as an unsigned constant, if it is one.
    #[inline]
    pub fn const_uint(&self, value: Value) -> Option<u64> {
        self.program.module.const_uint(value)
    }

    /// Whether the value is `undef`. DXIL writes `undef` for an operand that is absent.
    pub fn is_undef(&self, value: Value) -> bool {
        self.program.module.is_undef(value)
    }
}
