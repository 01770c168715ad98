//! Functions, their control flow, and the entry point.
//!
//! In: the program and the entry. Out: the module. What must hold: nothing here decides control
//! flow, which is [`structure`](crate::structure)'s; every value that a block reads is defined on
//! every path to it.

mod entry;
mod flow;
mod function;
mod llvm;

pub use entry::lower;
