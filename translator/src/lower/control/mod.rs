//! Functions, their control flow, and the entry point.
//!
//! In: the program and the entry. Out: the module. What must hold: [`structure`](dxil_structure)
//! decides control flow, and this module only emits it; every value that a block reads is defined
//! on every path to that block.

mod emitter;
mod entry;
mod exit;
mod flow;
mod function;
mod llvm;
mod spills;
mod stub;
mod vectors;

pub use entry::{EntryWithPlan, execution_model, lower, lower_library, lower_with_fuel};
pub use stub::{NamedEntry, stub};
