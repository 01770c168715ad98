//! The SPIR-V module builder.
//!
//! In: calls from `lower`, in SPIR-V's own terms. Out: the words of one module. What must hold:
//! this module does not know DXIL; every capability and extension in the output is allowed by the
//! profile *and* needed by the module ([`caps`]); the same calls give the same words.
//!
//! A [`Module`] owns one word vector per section of the logical layout (SPIR-V 2.4). Types and
//! constants are interned by their words, so equal requests give the same [`Id`]. Inside a function
//! the borrow of the module moves between two types: [`OpenBlock`], which takes instructions, and
//! [`Terminated`], which takes labels. Both give the module's own methods through `Deref`.
//! Instructions are written directly as words into the section they belong to; there is no object
//! per instruction.
//!
//! The builder distinguishes two kinds of errors. A request that the *profile* does not allow is
//! returned at once, as [`MissingFeature`](dxil_base::error::ErrorKind::MissingFeature). A mistake
//! of the *caller* (a phi after other instructions, an id that is not a type) is recorded as a
//! fault. [`Module::finish`] returns the first fault as [`Bug`](dxil_base::error::ErrorKind::Bug),
//! so emitting an instruction needs no `?`.
#![forbid(unsafe_code)]
// Hashes have a random secret, and the same input gives the same words.
#![cfg_attr(not(test), warn(clippy::iter_over_hash_type))]

#[macro_use]
extern crate dxil_base;

mod arrays;
mod block;
pub mod caps;
mod constants;
mod decorate;
mod disasm;
mod flow;
mod image;
pub mod interface;
mod intern;
mod lines;
mod memory;
mod module;
mod ops;
mod sharing;
mod source;
#[cfg(test)]
mod tests;
mod types;
#[cfg(feature = "validate")]
mod validate;
mod values;
mod variables;
mod words;

pub use block::{OpenBlock, Phi, Terminated};
pub use caps::Caps;
pub use constants::Constant;
pub use disasm::{disassemble, disassemble_within, load};
pub use flow::Merge;
pub use image::ImageOperands;
pub use lines::Line;
pub use module::Module;
pub use ops::MemoryAccess;
pub use rspirv::spirv::NonsemanticShaderDebuginfo100Op as DebugOp;
pub use types::{ImageType, Member, StructKind, Type};
#[cfg(feature = "validate")]
pub use validate::validate;
pub use values::Region;
pub use words::{Id, Operands, Word};
