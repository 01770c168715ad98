//! Analyses of the IR: each is a function from a module, a function or a program to plain data.
//!
//! In: the [IR](crate::ir) after all passes, and the results of other analyses. Out: plain data:
//! addresses, known bits, ranges of floats, handles, the reachable set of an entry point, and what
//! lowering asks about an entry point ([`entry`]). What must hold: nothing here changes the IR or
//! knows SPIR-V.

pub mod address;
pub mod bits;
pub mod entry;
pub mod float_range;
pub mod handles;
pub mod hit_objects;
pub mod known_bits;
pub mod program;
pub mod reachable;
pub mod strict;
