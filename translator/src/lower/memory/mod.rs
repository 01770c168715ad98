//! Memory that is not a resource: variables of functions and groups, the payload between
//! amplification and mesh shaders, constant tables, and registers of older shader models.
//!
//! In: a pointer of the IR, or a register's number. Out: loads, stores, and pointers for atomic
//! operations. What must hold: every address is a single access path into one variable
//! ([`dxil::address`](crate::dxil::address)).

mod access;
pub mod payload;
pub mod registers;
mod variables;

pub use access::{load, store};
pub use variables::{Pointer, pointer};
