//! Memory that is not a resource: variables of functions and groups, payloads of shader calls and
//! of amplification shaders, constant tables, and registers of older shader models.
//!
//! In: a pointer of the IR, or a register's number. Out: loads, stores, and pointers for atomic
//! operations. What must hold: every address is a single access path into one variable
//! ([`dxil::address`](crate::analysis::address)).

mod access;
pub mod mesh_payload;
mod passed;
mod payloads;
pub mod registers;
mod tables;
mod variables;

pub use access::{load, store};
pub use payloads::{CallVariable, write_attributes, write_object};
pub use variables::{Pointer, pointer};
