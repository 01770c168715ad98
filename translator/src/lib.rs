#![doc = include_str!("../README.md")]
//!
//! # The items by step
//!
//! | step | items |
//! |---|---|
//! | parse | [`Shader`], [`Entry`], [`EntryId`], [`requirements()`], [`shader_report`], [`Subobjects`], [`RootSignature`] |
//! | plan | [`plan()`], [`PipelineStage`], [`PlanInputs`], [`BindingOptions`], [`PipelinePlan`], [`required_layout`], [`LayoutReport`], [`pipeline_report`] |
//! | translate | [`translate`], [`translate_library`], [`Options`], [`PipelineState`], [`Translation`], [`Reflection`] |
//! | devices | [`DeviceProfile`], [`Feature`], [`VULKAN_1_3_DESKTOP`], [`VULKAN_1_1_FLOOR`] |
//! | caches | [`Request`] names one translation by everything that it depends on, and its text repeats the translation elsewhere |
//! | pipelines | [`interface_mismatches`], [`stage_state`], [`shader_groups`], [`table_stride`] |
//! | carriers | [`embed`] and [`extract`]: DXIL in a SPIR-V module |
//!
//! All sizes and offsets are in bytes, unless an item says otherwise. The folder `examples` shows
//! the crate in use.
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
#[doc(hidden)]
pub mod analysis;
pub mod binding;
#[expect(clippy::exhaustive_enums, clippy::exhaustive_structs, reason = "a stage, which may change in any version")]
pub mod container;
#[expect(clippy::exhaustive_structs, reason = "a stage, which may change in any version")]
#[doc(hidden)]
pub mod decode;
pub mod embedded;
#[expect(clippy::exhaustive_enums, clippy::exhaustive_structs, reason = "a stage, which may change in any version")]
#[doc(hidden)]
pub mod ir;
pub mod library;
#[doc(hidden)]
pub mod lower;
#[expect(clippy::exhaustive_enums, clippy::exhaustive_structs, reason = "a stage, which may change in any version")]
#[doc(hidden)]
pub mod ops;
pub mod options;
mod passes;
pub mod pipeline;
pub mod reflect;
pub mod report;
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
pub use ir::declarations::{ShaderFlags, Signature, SignatureElement, StageProperties};
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
pub use report::{PipelineReport, ShaderReport, pipeline_report, shader_report};
#[doc(inline)]
pub use request::{BlobDigest, Request};
#[doc(inline)]
pub use requirements::{Requirements, requirements};
#[doc(inline)]
pub use shader::{
    LibraryTranslation, PipelineStage, PlannedEntry, Shader, Translation, plan, required_layout, translate,
    translate_library,
};
