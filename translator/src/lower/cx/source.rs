//! The ids of what the source consists of.

use crate::ir::debug::{DebugInfo, FileId, LocationId, ScopeId, SourceTypeId, VariableId};
use dxil_base::entity::{PrimaryMap, SecondaryMap};
use dxil_spirv_builder::Id;

/// What is declared of the source, for all entry points of a module.
pub struct SourceIds<'a> {
    /// What the debug information says.
    pub info: &'a DebugInfo,
    /// The OpString or DebugSource of each file.
    pub files: PrimaryMap<FileId, Id>,
    /// Scopes and variables, in the form that has them.
    pub scoped: Option<ScopedIds>,
}

/// The instructions of `NonSemantic.Shader.DebugInfo.100` outside of functions.
pub struct ScopedIds {
    /// The DebugCompilationUnit.
    pub unit: Id,
    /// The DebugFunction or DebugLexicalBlock of each scope.
    pub scopes: PrimaryMap<ScopeId, Id>,
    /// The DebugInlinedAt of each place that code was inlined at.
    pub inlined: SecondaryMap<LocationId, Option<Id>>,
    /// The DebugType… of each type.
    pub types: PrimaryMap<SourceTypeId, Id>,
    /// The DebugLocalVariable of each part of each variable whose type is known, by the indexes of
    /// the part. They are in order, and no indexes begin with others.
    pub variables: PrimaryMap<VariableId, Vec<(Vec<u32>, Id)>>,
    /// The empty DebugExpression.
    pub expression: Id,
    /// The DebugExpression of what a pointer points to.
    pub pointed_to: Id,
}
