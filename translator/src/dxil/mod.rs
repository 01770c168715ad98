//! DXIL: its operations, its numbers, and the typed IR of a program.

pub mod consts;
pub mod decode;
pub mod ir;
pub mod metadata;
pub mod ops;
mod print;
pub mod program;
pub mod resources;
pub mod verify;
