//! The state of lowering, and the values and types that every room gets from it.
//!
//! In: the program, entry, plan, options and facts. Out, on demand: ids of types, constants,
//! values, members of structures, builtin variables. What must hold: two requests for the same
//! thing give the same declaration; a declaration is made when it is first requested, so the output
//! declares only what it uses; and inherent methods of [`ModuleCx`] and [`FunctionCx`] are defined
//! in this room only.

mod aggregate;
mod builtins;
mod declared;
mod function;
mod input;
mod kept;
mod limit;
mod lowered;
mod mesh_links;
mod module;
pub mod narrow;
pub mod precision;
mod types;
mod widths;

pub use declared::Declared;
pub use function::{FunctionCx, FunctionIds, MeshTasks};
pub use input::Inputs;
pub use limit::{Limit, check_limit};
pub use lowered::{Call, Code, Lowered};
pub use mesh_links::{ByIndex, MeshLinks};
pub use module::{ModuleCx, ModuleIds};
pub use widths::holder;
