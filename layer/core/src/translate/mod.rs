//! From a blob to SPIR-V: parsing, binding plans, translation, and the cache of their results.
//!
//! This module depends on no Vulkan object, setting or other part of the layer, so that a tool can
//! translate as the layer does: it makes a [`Store`] and a [`Context`], and calls
//! [`Context::source`], [`Context::parse`], [`Context::plan`] and [`Context::emit`].
//!
//! | file | subject |
//! |---|---|
//! | `blob` | detection of DXIL, also inside SPIR-V |
//! | `seam` | the calls into the translator |
//! | `map` | the binding map of a file |
//! | `failure` | the message of a blob that cannot be used |
//! | `parsed` | a parsed blob |
//! | `pdb` | the files with the debug information of blobs |
//! | `spirv` | the SPIR-V that this crate writes itself |
//! | `cache` | a bounded cache with single flight, for any key and value |
//! | `stats` | counters |
//! | `store` | the cached values and their keys |
//! | `dump` | files from which a translation can be repeated |
//! | `overrides` | files that replace translations |
//! | `files` | the names of these files |
//! | `validator` | SPIRV-Tools' validator, in a build that has it |
//! | `context` | the context of translations, and their steps |
//! | `root_signature` | the files that the settings `root_signature` and `local_root_signature` name; what an application gives |
//! | `module` | shader modules that are created from DXIL |

mod blob;
mod cache;
mod context;
mod dump;
mod failure;
mod files;
mod map;
mod module;
mod overrides;
mod parsed;
mod pdb;
mod root_signature;
mod seam;
mod spirv;
mod stats;
mod store;
mod validator;

pub use blob::{FoundContainer, Identifier, digest_of, dxil_in};
pub use cache::Cache;
pub use context::Context;
pub use dump::Dump;
pub use failure::Failure;
pub use map::read_map;
pub use module::Module;
pub use overrides::Overrides;
pub use parsed::ParsedBlob;
pub use pdb::{BlobKey, PdbDigest};
pub use root_signature::{GivenRootSignatures, read as read_root_signature};
pub use seam::{Planned, RootSignatures, Shader, interface_mismatches, root_signature as parse_root_signature};
pub use stats::Stats;
pub use store::{DefaultTranslation, Emitted, Scope, StageOfCode, Store};
pub use validator::Validator;

pub use crate::translator::{
    BindingMap, BindingOptions, BlobDigest, DeviceProfile, EntryId, Error, ErrorKind, Feature, LayoutBinding,
    PipelineLayout, PipelineState, Place, Plan, PushRange, Request, RootSignature,
};
