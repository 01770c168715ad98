//! The translator's plain data types that any room may name.
//!
//! Only this file and `translate/seam.rs` name the crate `dxil_translator` (a test holds them to
//! it). This file has data alone: errors, features, profiles, plans, requests. Whatever calls the translator
//! is in the seam.

pub use dxil_translator::{
    BindingMap, BindingOptions, BindingPlan as Plan, BlobDigest, Bounds, Descriptor, DeviceProfile, EntryId, Error,
    ErrorKind, Feature, FloatControls, LayoutBinding, MeshOutput, Model, PipelineFacts as Facts, PipelineLayout, Place,
    PushRange, RawVectors, Request, RootSignature, StorageFormats, Tessellation, VULKAN_1_1_FLOOR, VertexLocations,
};

/// The options of translations that settings give, one set for a whole instance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CodeOptions {
    /// Who keeps D3D's rules for accesses outside a resource.
    pub bounds: Bounds,
    /// How several components of a byte-address buffer are accessed.
    pub raw_vectors: RawVectors,
    /// How the inputs of vertex shaders get their locations.
    pub vertex_locations: VertexLocations,
    /// `SV_VertexID` and `SV_InstanceID` include the base, as in Vulkan.
    pub vulkan_vertex_ids: bool,
    /// The last stage before rasterization negates the y coordinate of the position.
    pub invert_y: bool,
    /// Everything that the shader names has an `OpName`.
    pub names: bool,
}
