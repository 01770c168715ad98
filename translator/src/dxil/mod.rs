//! DXIL: its operations, its numbers, and the typed IR of a program.

pub mod consts;
pub mod ir;
pub mod ops;
pub mod program;
pub mod resources;
