//! The translator's plain data types, which every module may use.
//!
//! Only this file and `translate/seam.rs` name the crate `dxil_translator`, which a test checks.
//! This file has data only: errors, features, profiles, plans, requests. Calls are in
//! `translate/seam.rs`.

#[cfg(test)]
pub use dxil_translator::VULKAN_1_1_FLOOR;
pub use dxil_translator::binding::root_signature::{StaticSampler, sampler_flags};
pub use dxil_translator::{
    BindingMap, BindingOptions, BindingPlan as Plan, BlobDigest, Bounds, CounterPlace, Debug, Descriptor,
    DescriptorType, DeviceProfile, Driver, EntryId, Error, ErrorKind, Feature, LayoutBinding, Location, MeshOutput,
    Model, PipelineLayout, PipelineState, Place, PushRange, RawVectors, Register, Request, Root, RootDescriptors,
    RootSignature, RootTables, StorageFormats, StreamOutput, Tessellation, VertexLocations,
};

/// The translation options that settings determine; an instance has one set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CodeOptions {
    /// Who implements D3D's rules for out-of-bounds accesses.
    pub bounds: Bounds,
    /// How accesses to several components of a byte-address buffer are emitted.
    pub raw_vectors: RawVectors,
    /// How vertex shader inputs get their locations.
    pub vertex_locations: VertexLocations,
    /// `SV_VertexID` and `SV_InstanceID` include the base, as in Vulkan.
    pub vulkan_vertex_ids: bool,
    /// The last stage before rasterization negates the y coordinate of the position.
    pub invert_y: bool,
    /// The positions that stages write are decorated Invariant.
    pub invariant_position: bool,
    /// All arithmetic with floats is decorated NoContraction.
    pub precise: bool,
    /// Names of the shader are emitted as `OpName`.
    pub names: bool,
    /// What is emitted of the shader's source.
    pub debug: Debug,
}
