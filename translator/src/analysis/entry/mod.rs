//! Facts about an entry that are found before anything is emitted.
//!
//! In: the program, the entry, and the functions that it reaches. Out: facts as plain data, such as
//! control-flow graphs, the usage of each resource and the extent of the critical section. What
//! must hold: no fact names a SPIR-V id, and a function that the entry does not reach changes no
//! fact.

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
mod tangles;
#[cfg(test)]
mod tests;
mod usage;
mod vectors;

pub use bit_globals::bit_globals;
pub use elements::{Element, Member, Part, word_mask};
pub use extracted::extracted;
pub use graph::{graph, ir_block};
pub use interlock::{Interlock, find as find_interlock};
pub use mesh_payload::mesh_payload;
pub use payloads::{ShaderCall, passed_allocas};
pub use pixel::{loaded_columns, per_vertex_inputs};
pub use queries::{FunctionQueries, Home, Kept, Need, Queries, handle_of};
pub use roots::{Form, RootBlock, RootBlocks, Source, root_blocks};
pub use stores::{Columns, Stores, columns as stored_columns, stores};
pub use tangles::Tangles;
pub use usage::Usage;
pub use vectors::{Alignment, Run, Shape, Vectors, declarations, runs};
