//! Translates DXIL, the shader code of Direct3D 12, to SPIR-V.
//!
//! **DXIL** is LLVM 3.7 bitcode in a container. A shader is an ordinary LLVM function that calls `dx.op.*` functions for everything
//! LLVM has no instruction for: there are 280 such *operations*, each with an opcode as its first argument. Resources are declared in
//! metadata and named by *handles*; stage inputs and outputs are *signature elements*. A *root signature* says how an application binds
//! resources.
//!
//! **The chain** is a pure function from bytes and plain data to words, in pieces that a host keeps and repeats:
//!
//! ```text
//! Shader::parse   bytes → Container → bitcode::Module → dxil::program::Program, verified; once per blob
//! plan            resources + root signature or pipeline layout → BindingPlan; once per pipeline
//! translate       Program + BindingPlan + Options → SPIR-V words and a Reflection
//! ```
//!
//! ```
//! # use dxil_translator::{Shader, binding::BindingOptions, error::Result, options::Options, plan, profile, translate};
//! fn to_spirv(container: &[u8]) -> Result<Vec<u32>> {
//!     let shader = Shader::parse(container)?;
//!     let program = shader.program(None)?;
//!     let options = Options::new(profile::VULKAN_1_3_DESKTOP);
//!     let plans = plan(&[(&shader, program)], &BindingOptions::default(), None, &options.profile)?;
//!     Ok(translate(program, &plans[0], &options)?.words)
//! }
//! assert!(to_spirv(b"not a shader").is_err());
//! ```
//!
//! **What holds**: no input panics, hangs or allocates without limit ([`limits`]); an [`error::Error`] says what was found, why that is refused,
//! and where; what is not supported is refused by name, never translated wrongly; the same input and options give the same words; every capability
//! in the output is one that the [`profile::DeviceProfile`] has enabled.
//!
//! docs/architecture.md is the map of the modules and of who may import whom.
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
pub mod integer;
pub mod limits;
pub mod lower;
pub mod options;
mod passes;
pub mod profile;
pub mod reflect;
pub mod shader;
pub mod spirv;
pub mod structure;

pub use shader::{Shader, Translation, plan, translate};
