//! From a blob to SPIR-V: parsing, binding plans, translation, and the cache of their results.
//!
//! This room knows nothing of Vulkan objects, of settings or of the layer, so that a tool can do
//! what the layer does: it makes a [`Store`], describes what a translation depends on in a
//! [`Context`], and calls [`Context::parse`], [`Context::plan`] and [`Context::emit`].
//!
//! | file | subject |
//! |---|---|
//! | `blob` | how DXIL is recognised, also inside SPIR-V |
//! | `seam` | the calls into the translator |
//! | `map` | the binding map of a file |
//! | `failure` | the message of a blob that cannot be used |
//! | `source` | a parsed blob |
//! | `spirv` | the SPIR-V that this crate writes itself |
//! | `cache` | a bounded cache with single flight, for any key and value |
//! | `stats` | counters |
//! | `store` | what is cached, and under which keys |
//! | `dump` | files from which a translation can be repeated |
//! | `overrides` | files that replace translations |
//! | `files` | the names of both |
//! | `validator` | SPIRV-Tools' validator, in a build that has it |
//! | `context` | what a translation depends on; the operations |
//! | `root_signature` | the files that the settings `root_signature` and `local_root_signature` name |
//! | `module` | what a shader module made of DXIL holds |

mod blob;
mod cache;
mod context;
mod dump;
mod failure;
mod files;
mod map;
mod module;
mod overrides;
mod root_signature;
mod seam;
mod source;
mod spirv;
mod stats;
mod store;
mod validator;

pub use blob::{Blob, dxil_in};
pub use cache::Cache;
pub use context::Context;
pub use dump::Dump;
pub use failure::Failure;
pub use map::read_map;
pub use module::Module;
pub use overrides::Overrides;
pub use root_signature::read as read_root_signature;
pub use seam::Shader;
pub use source::Source;
pub use stats::Stats;
pub use store::{DefaultTranslation, Emitted, Scope, Store};
pub use validator::Validator;

pub use crate::translator::{
    BindingMap, BindingOptions, BlobDigest, DeviceProfile, EntryId, Error, ErrorKind, Facts, Feature, LayoutBinding,
    PipelineLayout, Place, Plan, PushRange, Request, RootSignature,
};
