//! The state of lowering, and the values and types that every room asks it for.
//!
//! In: the program, plan and options, and the facts. Out: ids on demand: of types, constants, values, members of structures, builtin
//! variables. What must hold: asking twice gives the same declaration, and a declaration is made when it is first asked for, so the output
//! declares only what it uses.

mod aggregate;
mod builtins;
mod context;
mod declared;
mod lowered;
pub mod narrow;
pub mod precision;
mod types;
mod widths;

pub use context::Context;
pub use declared::Declared;
pub use lowered::{Call, Code, Lowered};
pub use widths::holder;
