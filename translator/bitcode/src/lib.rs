//! LLVM bitcode as compilers based on LLVM 3.7 write it for DXIL.
//!
//! In: the bytes of the bitcode part. Out: [`Module`], the records as regular data with LLVM's own
//! numbers. What must hold: no input makes the reader panic or allocate by an unchecked count, and
//! every id in the module is in range. The reader knows LLVM, not DXIL.
#![forbid(unsafe_code)]
// Hashes have a random secret, and the same input gives the same words.
#![cfg_attr(not(test), warn(clippy::iter_over_hash_type))]

#[macro_use]
extern crate dxil_base;

mod abbreviations;
pub mod attributes;
pub mod body;
mod codes;
mod cursor;
pub mod metadata;
pub mod module;
pub mod ops;
pub mod pool;
mod print;
mod read;
mod stream;
pub mod types;
pub mod values;
pub mod visitor;

pub use attributes::{Attribute, AttributeListId, AttributeSlot};
pub use body::{Block, BlockId, Body, Case, Incoming, Inst, Instruction, MemoryOperand};
pub use metadata::{Attachment, DebugCode, DebugLocation, Metadata, MetadataOperand, MetadataView, NamedMetadata};
pub use module::{Alias, Function, Global, Module};
pub use ops::{BinaryOp, CastOp, Foreign, Linkage, OptimizationFlags, Ordering, Predicate, RmwOp, TailKind};
pub use pool::{List, Pool, Str};
pub use read::{Bodies, read, read_with_debug, read_within};
pub use types::{Type, TypeId};
pub use values::{AliasId, Constant, ConstantId, FunctionId, GlobalId, InstId, MetadataId, Value, ValueDef, ValueId};
pub use visitor::Visitor;
