//! The state of lowering, and the values and types that every module of `lower` gets from it.
//!
//! In: what lowering reads ([`Inputs`]). Out, on demand: ids of types, constants, values, members
//! of structures, builtin variables. What must hold: two requests for the same thing give the same
//! declaration; a declaration is made when it is first requested, so the output declares only what
//! it uses; a context has at most twelve fields, and what belongs together is a type of its own;
//! and inherent methods of [`Inputs`], [`EntryCx`] and [`FunctionCx`] are defined here only.

mod aggregate;
mod analysis;
mod builtins;
mod declared;
mod entry;
mod function;
mod ids;
mod input;
mod interface;
mod limit;
mod locals;
mod lowered;
mod memory;
mod mesh_links;
pub mod narrow;
mod node_cache;
pub mod precision;
mod source;
mod types;
mod widths;

pub use declared::Declared;
pub use entry::EntryCx;
pub use function::{Components, FunctionCx, FunctionIds, MeshTasks, PendingStore};
pub use ids::ModuleIds;
pub use input::{Inputs, Uses};
pub use interface::{Captured, InterfaceComponents, Passing};
pub use limit::{Limit, check_limit};
pub use lowered::{Call, Code, Component, Leaf, Lowered, WIDEST, vector_of_leaves};
pub use memory::{BlockDeclaration, ImageDeclaration};
pub use mesh_links::{ByIndex, MeshLinks};
pub use node_cache::RowKey;
pub use source::{ScopedIds, SourceIds};
pub use widths::holder;
