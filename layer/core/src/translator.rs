//! The translator's plain data types that any room may name.
//!
//! Only this file and `translate/seam.rs` name the crate `dxil_translator` (a test holds them to
//! it). This file has data alone: errors, features, profiles, plans, requests. Whatever calls the translator
//! is in the seam.

pub use dxil_translator::{
    BindingMap, BindingOptions, BindingPlan as Plan, BlobDigest, DeviceProfile, EntryId, Error, ErrorKind, Feature,
    FloatControls, LayoutBinding, Model, PipelineFacts as Facts, PipelineLayout, Place, PushRange, Request,
    RootSignature, StorageFormats, VULKAN_1_1_FLOOR,
};
