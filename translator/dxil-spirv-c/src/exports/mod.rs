//! The functions of the interface.
//!
//! In: arguments of a C program. Out: codes and results. What must hold: a function whose pointers
//! are null or valid is safe to call; [`guard`](crate::border::guard) stands around each that may
//! fail.

pub mod blob;
pub mod converter;
pub mod query;
pub mod record;
pub mod thread;
