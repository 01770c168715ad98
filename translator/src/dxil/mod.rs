//! DXIL: its operations, its enumerations, and the typed IR of a program.
//!
//! In: a [`bitcode::Module`](crate::bitcode::Module). Out: a [`Program`](program::Program):
//! verified IR that all entry points share, with their resources and signatures, in D3D's terms.
//! What must hold: no code here depends on SPIR-V's types or ids.

pub mod address;
pub mod assemble;
pub mod bits;
pub mod choices;
pub mod consts;
pub mod data_layout;
pub mod decode;
pub mod entry_names;
pub mod half;
pub mod handles;
pub mod ir;
pub mod known_bits;
pub mod llvm_ops;
pub mod metadata;
pub mod names;
pub mod ops;
pub mod pointers;
mod print;
pub mod program;
pub mod properties;
pub mod reach;
pub mod resource_types;
pub mod resources;
mod size;
pub mod verify;
