//! Translates DXIL to SPIR-V.
#![forbid(unsafe_code)]

#[macro_use]
pub mod entity;
#[macro_use]
pub mod error;
pub mod analysis;
pub mod binding;
pub mod bitcode;
pub mod container;
pub mod dxil;
pub mod limits;
pub mod lower;
pub mod options;
pub mod profile;
pub mod reflect;
pub mod shader;
pub mod spirv;
pub mod structure;

pub use shader::{Shader, Translation, plan, translate};
