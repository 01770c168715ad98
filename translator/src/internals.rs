//! The inner modules, for the project's own tools and tests. They print a stage of the translation,
//! mutate a program, or check that a module keeps its rules.
//!
//! Everything that a caller of the library needs is re-exported at the crate's root. An item that
//! is public here only may change in any version. docs/architecture.md says what each module is for
//! and which modules it may import.

#[macro_use]
#[path = "entity.rs"]
pub mod entity;
#[macro_use]
#[path = "error.rs"]
pub mod error;
#[path = "analysis/mod.rs"]
pub mod analysis;
#[path = "binding/mod.rs"]
pub mod binding;
#[path = "bitcode/mod.rs"]
pub mod bitcode;
#[path = "carrier/mod.rs"]
pub mod carrier;
#[path = "container/mod.rs"]
pub mod container;
#[path = "dxil/mod.rs"]
pub mod dxil;
#[path = "integer.rs"]
pub mod integer;
#[path = "library/mod.rs"]
pub mod library;
#[path = "limits/mod.rs"]
pub mod limits;
#[path = "lower/mod.rs"]
pub mod lower;
#[path = "options.rs"]
pub mod options;
#[path = "passes/mod.rs"]
pub(crate) mod passes;
#[path = "profile/mod.rs"]
pub mod profile;
#[path = "reflect.rs"]
pub mod reflect;
#[path = "request.rs"]
pub mod request;
#[path = "shader.rs"]
pub mod shader;
#[path = "spirv/mod.rs"]
pub mod spirv;
#[path = "structure/mod.rs"]
pub mod structure;
