//! Plays a program that translates its shaders through the C interface of dxil-spirv, as
//! vkd3d-proton does for D3D12 programs.
//!
//! In: containers, and where their resources live. Out: SPIR-V words, or why the library refuses
//! the shader. What must hold: the calls are made by a C program ([`caller`]), whose declarations
//! of the interface were written apart from the library's; a [`script`] tells it what to answer.

pub mod caller;
pub mod script;
pub mod tables;
