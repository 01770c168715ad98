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
//! Shader::parse   bytes → Shader: one module, its entry points and resources, verified; once per blob
//! plan            stages + root signatures + pipeline layout → a BindingPlan for each stage; once per pipeline
//! translate       Shader + EntryId + BindingPlan + Options → SPIR-V words and a Reflection
//! ```
//!
//! ```
//! use dxil_translator::{Options, PipelineStage, PlanInputs, Result, Shader, VULKAN_1_3_DESKTOP, plan, translate};
//!
//! fn to_spirv(container: &[u8]) -> Result<Vec<u32>> {
//!     let shader = Shader::parse(container)?;
//!     let entry = shader.find_entry(None)?;
//!     let options = Options::new(VULKAN_1_3_DESKTOP);
//!     let plan = plan(&[PipelineStage::new(&shader, entry)], &PlanInputs::new(&options.profile))?;
//!     Ok(translate(&shader, entry, &plan.stages[0], &options)?.words)
//! }
//! assert!(to_spirv(b"not a shader").is_err());
//! ```
//!
//! A [`Request`] names one translation by everything that it depends on: caches use it as a key, and its text repeats the
//! translation elsewhere. The folder `examples` shows the crate in use.
//!
//! **What holds**: no input panics, hangs or allocates without limit ([`dxil_base::limits`]); an [`Error`] says what was found, why that is
//! refused, and where; what is not supported is refused by name, never translated wrongly; the same input and options give the same
//! words; every capability in the output is one that the [`DeviceProfile`] has enabled.
//!
//! docs/architecture.md is the map of the modules and of who may import whom.
#![forbid(unsafe_code)]
// Hashes have a random secret, and the same input gives the same words.
#![cfg_attr(not(test), warn(clippy::iter_over_hash_type))]
// Lowering asks `dxil_spirv_builder::Caps` what the device has enabled, and reads no profile.
#![cfg_attr(not(test), warn(clippy::disallowed_fields, clippy::disallowed_methods))]
// Public types may grow, unless they say why not.
#![warn(clippy::exhaustive_enums, clippy::exhaustive_structs)]

#[macro_use]
extern crate dxil_base;

#[expect(clippy::exhaustive_enums, clippy::exhaustive_structs, reason = "a stage, which may change in any version")]
pub mod analysis;
pub mod binding;
#[expect(clippy::exhaustive_enums, clippy::exhaustive_structs, reason = "a stage, which may change in any version")]
pub mod container;
#[expect(clippy::exhaustive_structs, reason = "a stage, which may change in any version")]
pub mod decode;
pub mod embedded;
#[expect(clippy::exhaustive_enums, clippy::exhaustive_structs, reason = "a stage, which may change in any version")]
pub mod ir;
pub mod library;
pub mod lower;
#[expect(clippy::exhaustive_enums, clippy::exhaustive_structs, reason = "a stage, which may change in any version")]
pub mod ops;
pub mod options;
mod passes;
pub mod pipeline;
pub mod reflect;
pub mod request;
#[expect(clippy::disallowed_fields, clippy::disallowed_methods, reason = "it makes profiles, and lowers nothing")]
pub mod requirements;
pub mod shader;

#[doc(inline)]
pub use analysis::program::{Entry, EntryId};
#[doc(inline)]
pub use binding::layout::{LayoutBinding, PipelineLayout, PushRange};
#[doc(inline)]
pub use binding::map::BindingMap;
#[doc(inline)]
pub use binding::options::{
    BindingOptions, HeapCounters, HeapSets, Model, RegisterShifts, RootDescriptors, RootTables, SpaceMap,
};
#[doc(inline)]
pub use binding::plan::{
    BindingPlan, CounterPlace, Descriptor, DescriptorType, HeapAddresses, HeapDescriptors, HeapRanges, Location,
    PairPlace, Register, ResourcePlan, Root,
};
#[doc(inline)]
pub use binding::root_signature::{RootSignature, RootVersion};
#[doc(inline)]
pub use binding::{LayoutReport, PipelinePlan, PlanInputs};
#[doc(inline)]
pub use container::{HitGroupType, SubobjectKind};
#[doc(inline)]
pub use dxil_base::error::{Error, ErrorKind, Place, Result};
#[doc(inline)]
pub use dxil_base::limits::Budget;
#[doc(inline)]
pub use dxil_base::profile::{
    DeviceLimits, DeviceProfile, Driver, Feature, FeatureSet, FloatControls, StorageFormats, Subgroup,
    VULKAN_1_1_FLOOR, VULKAN_1_3_DESKTOP, lavapipe,
};
#[cfg(feature = "validate")]
#[doc(inline)]
pub use dxil_spirv_builder::validate;
#[cfg(feature = "ash")]
#[doc(inline)]
pub use dxil_vulkan_profile as vulkan;
#[doc(inline)]
pub use embedded::{EmbedOptions, Embedded, embed, extract, is_embedded};
#[doc(inline)]
pub use library::{HitGroup, PipelineConfig, ShaderConfig, Subobject, SubobjectContent, Subobjects};
#[doc(inline)]
pub use ops::consts::ShaderStage;
#[doc(inline)]
pub use options::{
    Bounds, Debug, MeshOutput, Options, PipelineState, RawVectors, Spacing, StreamOutput, Swizzle, Tessellation,
    TessellatorOutput, VertexLocations, ViewInstancing,
};
#[doc(inline)]
pub use pipeline::{
    InterfaceFault, InterfaceMismatch, ShaderGroup, ShaderTable, interface_mismatches, shader_groups, stage_state,
    table_stride,
};
#[doc(inline)]
pub use reflect::{Binding, Reflection, Registers, VertexInput};
#[doc(inline)]
pub use request::{BlobDigest, Request};
#[doc(inline)]
pub use requirements::{Requirements, requirements};
#[doc(inline)]
pub use shader::{
    LibraryTranslation, PipelineStage, PlannedEntry, Shader, Translation, plan, required_layout, translate,
    translate_library,
};
