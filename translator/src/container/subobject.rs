//! The records of RDAT's subobject table: what a library declares of a state object.
//!
//! What must hold: everything that a record refers to lies inside the part. A kind or a hit group
//! type without a name keeps its number (RDAT_SubobjectTypes.inl, `RuntimeDataSubobjectInfo`).

use super::names::{HitGroupType, SubobjectKind};
use super::reader::Words;
use dxil_base::error::Place;

/// A subobject: its name and its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuntimeSubobject<'a> {
    /// Kind.
    pub kind: SubobjectKind,
    /// Name.
    pub name: &'a str,
    /// What the subobject says.
    pub content: RuntimeSubobjectContent<'a>,
    /// The place of its record, for messages.
    pub place: Place,
}

/// The content of a subobject, by its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuntimeSubobjectContent<'a> {
    /// `StateObjectConfig`.
    StateObjectConfig {
        /// `DXIL::StateObjectFlags`, the numbers of `D3D12_STATE_OBJECT_FLAGS`.
        flags: u32,
    },
    /// `GlobalRootSignature` or `LocalRootSignature`: the content of an RTS0 part.
    RootSignature {
        /// Offset of the bytes in the input.
        offset: usize,
        /// The serialized root signature.
        bytes: &'a [u8],
    },
    /// `SubobjectToExportsAssociation`.
    Association {
        /// Name of the subobject that is associated.
        subobject: &'a str,
        /// Names of the exports, as offsets into the string buffer. An empty list makes the
        /// subobject the default.
        exports: Words<'a>,
    },
    /// `RaytracingShaderConfig`.
    ShaderConfig {
        /// Largest payload or callable parameter, in bytes.
        payload_bytes: u32,
        /// Largest attribute structure, in bytes.
        attribute_bytes: u32,
    },
    /// `RaytracingPipelineConfig` or `RaytracingPipelineConfig1`.
    PipelineConfig {
        /// Largest depth of recursion of TraceRay.
        recursion: u32,
        /// `DXIL::RaytracingPipelineFlags`, the numbers of `D3D12_RAYTRACING_PIPELINE_FLAGS`; 0 for
        /// the first version, which does not have them.
        flags: u32,
    },
    /// `HitGroup`. An empty name stands for no shader.
    HitGroup {
        /// Kind of the geometry.
        ty: HitGroupType,
        /// Name of the any-hit shader.
        any_hit: &'a str,
        /// Name of the closest-hit shader.
        closest_hit: &'a str,
        /// Name of the intersection shader.
        intersection: &'a str,
    },
    /// A kind without a name.
    Unknown,
}
