//! Analyses of an entry point, made before anything is emitted.
//!
//! In: the program, the entry, and the functions that it reaches. Out: plain data, such as the
//! usage of each resource and the extent of the critical section, together in an [`EntryAnalysis`];
//! and, for one function at a time, control-flow graphs and the members that are extracted. What
//! must hold: no result names a SPIR-V id, and a function that the entry does not reach changes no
//! result.

mod analysis;
mod bit_globals;
pub mod breaks;
mod elements;
mod extracted;
mod graph;
mod interlock;
mod mesh_payload;
mod payloads;
mod pixel;
mod queries;
mod query_states;
mod query_uses;
mod roots;
mod stores;
mod tables;
mod tangles;
#[cfg(test)]
mod tests;
mod usage;
mod vectors;

pub use analysis::{AnalysisInputs, Device, EntryAnalysis, MeshAnalysis, PixelAnalysis, RayAnalysis};
pub use elements::{ElementLayout, ElementMember, MemberAccess, word_mask};
pub use extracted::ExtractedMembers;
pub use graph::{graph, ir_block, tree_text};
pub use interlock::Interlock;
pub use payloads::ShaderCall;
pub use pixel::loaded_columns;
pub use queries::{FunctionQueries, Queries, QueryStorage, StoredState};
pub use roots::{RootBlock, RootBlocks, RootPartForm, RootStorage};
pub use stores::StoredColumns;
pub use tables::VectorTables;
pub use tangles::Tangles;
pub use usage::Usage;
pub use vectors::{Alignment, ComponentLayout, Run, declarations, runs};
