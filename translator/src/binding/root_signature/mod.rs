//! Root signatures: how D3D12 tells which descriptors, constants and samplers a pipeline has.
//!
//! In: a serialized root signature, RTS0 ([`RootSignature::parse`]). Out: the model, which the root-signature binding model
//! (`tables.rs`) places and which prints as HLSL root signature text. What must hold after reading: what D3D12
//! validates when it deserializes one (`validate`).

mod print;
mod read;
#[cfg(test)]
mod tests;
mod validate;

use crate::dxil::consts::{ResourceClass, ShaderStage};

/// Version of the serialized form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RootVersion {
    /// `D3D_ROOT_SIGNATURE_VERSION_1_0`: no data flags.
    V1_0,
    /// `D3D_ROOT_SIGNATURE_VERSION_1_1`: data flags on descriptors and ranges.
    V1_1,
}

impl std::fmt::Display for RootVersion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            RootVersion::V1_0 => "1.0",
            RootVersion::V1_1 => "1.1",
        })
    }
}

/// Which stages see a parameter or static sampler (`D3D12_SHADER_VISIBILITY`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names are D3D12's")]
#[repr(u32)]
pub enum Visibility {
    All = 0,
    Vertex = 1,
    Hull = 2,
    Domain = 3,
    Geometry = 4,
    Pixel = 5,
    Amplification = 6,
    Mesh = 7,
}

impl Visibility {
    /// All of them, in the order of their numbers.
    pub const ALL: [Visibility; 8] = [
        Visibility::All,
        Visibility::Vertex,
        Visibility::Hull,
        Visibility::Domain,
        Visibility::Geometry,
        Visibility::Pixel,
        Visibility::Amplification,
        Visibility::Mesh,
    ];
    /// Whether a stage sees what has this visibility. Compute and ray tracing see `All` alone.
    pub fn includes(self, stage: ShaderStage) -> bool {
        match self {
            Visibility::All => true,
            Visibility::Vertex => stage == ShaderStage::Vertex,
            Visibility::Hull => stage == ShaderStage::Hull,
            Visibility::Domain => stage == ShaderStage::Domain,
            Visibility::Geometry => stage == ShaderStage::Geometry,
            Visibility::Pixel => stage == ShaderStage::Pixel,
            Visibility::Amplification => stage == ShaderStage::Amplification,
            Visibility::Mesh => stage == ShaderStage::Mesh,
        }
    }
}

/// A range of descriptors in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DescriptorRange {
    /// SRV, UAV, constant buffer or sampler.
    pub class: ResourceClass,
    /// How many; `u32::MAX` is unbounded.
    pub count: u32,
    /// First register.
    pub register: u32,
    /// Register space.
    pub space: u32,
    /// `D3D12_DESCRIPTOR_RANGE_FLAGS`.
    pub flags: u32,
    /// Descriptors from the table's start to its first one, APPEND resolved.
    pub offset: u32,
}

/// What a root parameter holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum RootParameterKind {
    /// Ranges of descriptors in a heap.
    Table(Vec<DescriptorRange>),
    /// 32-bit constants.
    Constants {
        /// Register of the constant buffer that they are.
        register: u32,
        /// Register space.
        space: u32,
        /// How many 32-bit constants.
        count: u32,
    },
    /// One descriptor, given by the address of its buffer.
    Descriptor {
        /// SRV, UAV or constant buffer.
        class: ResourceClass,
        /// Register.
        register: u32,
        /// Register space.
        space: u32,
        /// `D3D12_ROOT_DESCRIPTOR_FLAGS`.
        flags: u32,
    },
}

/// A root parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RootParameter {
    /// Which stages see it.
    pub visibility: Visibility,
    /// What it holds.
    pub kind: RootParameterKind,
}

/// A static sampler (`D3D12_STATIC_SAMPLER_DESC`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StaticSampler {
    /// `D3D12_FILTER`.
    pub filter: u32,
    /// `D3D12_TEXTURE_ADDRESS_MODE` of u, v and w.
    pub address: [u32; 3],
    /// Bits of the mip level bias, an f32.
    pub mip_lod_bias: u32,
    /// Largest anisotropy.
    pub max_anisotropy: u32,
    /// `D3D12_COMPARISON_FUNC`.
    pub comparison: u32,
    /// `D3D12_STATIC_BORDER_COLOR`.
    pub border_color: u32,
    /// Bits of the smallest mip level, an f32.
    pub min_lod: u32,
    /// Bits of the largest mip level, an f32.
    pub max_lod: u32,
    /// Register.
    pub register: u32,
    /// Register space.
    pub space: u32,
    /// Which stages see it.
    pub visibility: Visibility,
}

/// A root signature.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct RootSignature {
    /// Version it was read from.
    pub version: RootVersion,
    /// `D3D12_ROOT_SIGNATURE_FLAGS`.
    pub flags: u32,
    /// Parameters, in order: their index is what an application sets them by.
    pub parameters: Vec<RootParameter>,
    /// Static samplers.
    pub static_samplers: Vec<StaticSampler>,
}

macro_rules! flag_names {
    ($(#[$meta:meta])* $module:ident, $count:literal { $($name:ident = $bit:literal,)+ }) => {
        $(#[$meta])*
        #[expect(missing_docs, reason = "the names are D3D12's")]
        pub mod $module {
            $(pub const $name: u32 = $bit;)+
            /// All of them with their names, in the order of their bits.
            pub const ALL: [(u32, &str); $count] = [$(($name, stringify!($name)),)+];
        }
    };
}

flag_names! {
    /// `D3D12_ROOT_SIGNATURE_FLAGS`.
    flags, 12 {
        ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT = 0x1,
        DENY_VERTEX_SHADER_ROOT_ACCESS = 0x2,
        DENY_HULL_SHADER_ROOT_ACCESS = 0x4,
        DENY_DOMAIN_SHADER_ROOT_ACCESS = 0x8,
        DENY_GEOMETRY_SHADER_ROOT_ACCESS = 0x10,
        DENY_PIXEL_SHADER_ROOT_ACCESS = 0x20,
        ALLOW_STREAM_OUTPUT = 0x40,
        LOCAL_ROOT_SIGNATURE = 0x80,
        DENY_AMPLIFICATION_SHADER_ROOT_ACCESS = 0x100,
        DENY_MESH_SHADER_ROOT_ACCESS = 0x200,
        CBV_SRV_UAV_HEAP_DIRECTLY_INDEXED = 0x400,
        SAMPLER_HEAP_DIRECTLY_INDEXED = 0x800,
    }
}

flag_names! {
    /// `D3D12_DESCRIPTOR_RANGE_FLAGS`.
    range_flags, 5 {
        DESCRIPTORS_VOLATILE = 0x1,
        DATA_VOLATILE = 0x2,
        DATA_STATIC_WHILE_SET_AT_EXECUTE = 0x4,
        DATA_STATIC = 0x8,
        DESCRIPTORS_STATIC_KEEPING_BUFFER_BOUNDS_CHECKS = 0x10000,
    }
}

flag_names! {
    /// `D3D12_ROOT_DESCRIPTOR_FLAGS`.
    descriptor_flags, 3 {
        DATA_VOLATILE = 0x2,
        DATA_STATIC_WHILE_SET_AT_EXECUTE = 0x4,
        DATA_STATIC = 0x8,
    }
}
