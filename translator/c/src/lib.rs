//! The translator's C interface, for engines that are not Rust: `libdxil_translator`.
//!
//! In: pointers, numbers and structures of a C program. Out: handles, structures, SPIR-V words, and
//! error codes with texts. What must hold: null, a number out of range, an unknown structure size
//! and a panic are answered by an error; a handle does not change after its creation, so that all
//! threads may use it; a handle keeps alive what it was made from; the header
//! `include/dxil_translator.h` is what cbindgen writes of these modules, which a test compares.
//!
//! The documentation of public items here is the header's. docs/c.md shows a program.
//!
//! | module | subject |
//! |---|---|
//! | `border`, `texts` | pointers and panics at the border, texts for C |
//! | `structures` | structures that may grow |
//! | `failure`, [`mod@error`] | codes and error handles |
//! | [`version`] | versions of the header and of the library |
//! | [`root_signature`], [`profile`], [`shader`] | what a plan is made from |
//! | [`plan`], [`layout`], [`place`] | a pipeline's plan, its layout, and where each resource lives |
//! | [`module`] | translations, and containers embedded in SPIR-V |

mod border;
pub mod error;
mod failure;
pub mod layout;
pub mod module;
pub mod place;
pub mod plan;
pub mod profile;
pub mod root_signature;
pub mod shader;
mod structures;
mod texts;
pub mod version;
