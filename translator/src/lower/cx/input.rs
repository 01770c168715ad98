//! What lowering reads and never changes.

use super::mesh_links::MeshLinks;
use crate::analysis::entry::EntryAnalysis;
use crate::analysis::program::names::Names;
use crate::analysis::program::{Entry, Program};
use crate::binding::plan::BindingPlan;
use crate::options::Options;

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
}
