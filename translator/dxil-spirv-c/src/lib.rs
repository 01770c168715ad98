//! The C interface of dxil-spirv, with the translator inside: `libdxil-spirv-c-shared.so`.
//!
//! vkd3d-proton, which runs D3D12 programs on Vulkan, translates their shaders through this
//! interface. A program that is linked with this library instead of the original one runs on
//! `dxil_translator`. docs/d3d12.md says which functions, options and places work.
//!
//! In: pointers, numbers and callbacks of a C program. Out: SPIR-V words, properties of shaders,
//! and error codes. What must hold: the 64 functions of version 2.68 exist; null, a wrong order of
//! calls, an unknown option and a panic are answered by an error code, and the log callback of the
//! thread says why; structures have the sizes of the interface, which the compiler checks.
//!
//! | module | subject |
//! |---|---|
//! | [`abi`] | structures and numbers of the interface |
//! | `log` | the log callback of a thread |
//! | [`border`] | what a function does with its pointers, errors and panics |
//! | [`options`] | the table of options |
//! | `settings` | options to the translator's profile and pipeline state |
//! | `blob`, `subobjects` | a parsed container, and what a library declares |
//! | `record` | the local root signature of a converter |
//! | `remap` | from callbacks to the places of a binding plan |
//! | `links` | callbacks for the inputs and outputs of a stage |
//! | `original` | the original library, for what is not translated here |
//! | `converter` | one translation |
//! | [`exports`] | the functions of the interface |

pub mod abi;
pub mod blob;
pub mod border;
pub mod converter;
pub mod exports;
mod links;
mod log;
pub mod options;
mod original;
mod record;
mod remap;
mod settings;
mod subobjects;
