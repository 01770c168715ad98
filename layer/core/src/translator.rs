//! The translator's plain data types that any room may name.
//!
//! Only this file and `translate/seam.rs` name the crate `dxil_translator` (a test holds them to
//! it). This file has data alone: errors, features, profiles, plans, requests. Whatever calls the translator
//! is in the seam.

pub use dxil_translator::{
    BindingMap, BindingOptions, BindingPlan as Plan, BlobDigest, Bounds, DeviceProfile, EntryId, Error, ErrorKind,
    Feature, FloatControls, LayoutBinding, MeshOutput, Model, PipelineFacts as Facts, PipelineLayout, Place, PushRange,
    RawVectors, Request, RootSignature, StorageFormats, VULKAN_1_1_FLOOR,
};

/// The options of translations that settings give, one set for a whole instance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CodeOptions {
    /// Who keeps D3D's rules for accesses outside a resource.
    pub bounds: Bounds,
    /// How several components of a byte-address buffer are accessed.
    pub raw_vectors: RawVectors,
}
