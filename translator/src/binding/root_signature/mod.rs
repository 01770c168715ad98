//! Root signatures, with which D3D12 declares the descriptors, constants and samplers of a
//! pipeline.
//!
//! In: any form of a root signature. Out: a [`RootSignature`], from which the root-signature model
//! (`tables.rs`) derives places, and which is written in any of these forms again. What must hold:
//! all forms are read through one builder (`build.rs`), which checks the rules of D3D12
//! (`validate.rs`).
//!
//! | form | read | written |
//! |---|---|---|
//! | serialized, RTS0 of versions 1.0, 1.1 and 1.2 | `read` | `write` |
//! | HLSL root signature text | `text`, on the tokens of `lex` | `print` |
//! | LLVM metadata, `dx.rootsignatures` | `metadata` | |
//!
//! `source` tells the forms apart, `convert` changes the version, and `names` has the words of the
//! text form.

mod build;
mod convert;
mod lex;
mod metadata;
mod names;
mod print;
mod read;
mod source;
#[cfg(test)]
mod tests;
mod text;
mod validate;
mod write;

pub use metadata::by_function;

use crate::ops::consts::{ResourceClass, ShaderStage};

/// The version of the serialized form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum RootVersion {
    /// `D3D_ROOT_SIGNATURE_VERSION_1_0`, without data flags.
    V1_0,
    /// `D3D_ROOT_SIGNATURE_VERSION_1_1`, with data flags on descriptors and ranges.
    V1_1,
    /// `D3D_ROOT_SIGNATURE_VERSION_1_2`, with flags on static samplers too.
    V1_2,
}

impl RootVersion {
    /// All versions, from the oldest to the newest.
    pub const ALL: [RootVersion; 3] = [RootVersion::V1_0, RootVersion::V1_1, RootVersion::V1_2];

    /// The number of the version in serialized forms (`D3D_ROOT_SIGNATURE_VERSION`).
    pub fn number(self) -> u32 {
        match self {
            RootVersion::V1_0 => 1,
            RootVersion::V1_1 => 2,
            RootVersion::V1_2 => 3,
        }
    }

    /// Whether root descriptors and descriptor ranges have flags. Version 1.0 implies them.
    pub(super) fn has_data_flags(self) -> bool {
        self != RootVersion::V1_0
    }

    /// Whether static samplers have flags.
    pub(super) fn has_sampler_flags(self) -> bool {
        self == RootVersion::V1_2
    }
}

impl std::fmt::Display for RootVersion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            RootVersion::V1_0 => "1.0",
            RootVersion::V1_1 => "1.1",
            RootVersion::V1_2 => "1.2",
        })
    }
}

impl std::str::FromStr for RootVersion {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|version| version.to_string() == text);
        found.ok_or_else(|| format!("expected a root signature version (1.0, 1.1 or 1.2), found `{text}`"))
    }
}

/// The stages that see a parameter or static sampler (`D3D12_SHADER_VISIBILITY`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names are D3D12's")]
#[repr(u32)]
#[expect(clippy::exhaustive_enums, reason = "its parts are D3D12's, which do not grow")]
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
    /// All values, in the order of their numbers.
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
    /// Whether a stage sees items with this visibility. Compute and ray tracing stages see items
    /// with `All` only.
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
#[expect(clippy::exhaustive_structs, reason = "its parts are D3D12's, which do not grow")]
pub struct DescriptorRange {
    /// SRV, UAV, constant buffer or sampler.
    pub class: ResourceClass,
    /// Number of descriptors; `u32::MAX` is unbounded.
    pub count: u32,
    /// First register.
    pub register: u32,
    /// Register space.
    pub space: u32,
    /// `D3D12_DESCRIPTOR_RANGE_FLAGS`.
    pub flags: u32,
    /// Offset of the range's first descriptor in the table, in descriptors.
    /// `D3D12_DESCRIPTOR_RANGE_OFFSET_APPEND` is resolved.
    pub offset: u32,
    /// Whether the offset was given as `D3D12_DESCRIPTOR_RANGE_OFFSET_APPEND`. It is written in
    /// this form again.
    pub append: bool,
}

/// The content of a root parameter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "its parts are D3D12's, which do not grow")]
pub enum RootParameterKind {
    /// A descriptor table: ranges of descriptors in a heap.
    Table(Vec<DescriptorRange>),
    /// Root constants of 32 bits each.
    Constants {
        /// Register of the constant buffer that the constants form.
        register: u32,
        /// Register space.
        space: u32,
        /// Number of 32-bit constants.
        count: u32,
    },
    /// A root descriptor: the address of a buffer.
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
#[expect(clippy::exhaustive_structs, reason = "its parts are D3D12's, which do not grow")]
pub struct RootParameter {
    /// The stages that see it.
    pub visibility: Visibility,
    /// Its content.
    pub kind: RootParameterKind,
}

/// A static sampler (`D3D12_STATIC_SAMPLER_DESC`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_structs, reason = "its parts are D3D12's, which do not grow")]
pub struct StaticSampler {
    /// `D3D12_FILTER`.
    pub filter: u32,
    /// `D3D12_TEXTURE_ADDRESS_MODE` of u, v and w.
    pub address: [u32; 3],
    /// Bias of the mip level, the bits of an f32.
    pub mip_lod_bias: u32,
    /// Maximum anisotropy.
    pub max_anisotropy: u32,
    /// `D3D12_COMPARISON_FUNC`.
    pub comparison: u32,
    /// `D3D12_STATIC_BORDER_COLOR`.
    pub border_color: u32,
    /// Smallest mip level, the bits of an f32.
    pub min_lod: u32,
    /// Largest mip level, the bits of an f32.
    pub max_lod: u32,
    /// Register.
    pub register: u32,
    /// Register space.
    pub space: u32,
    /// The stages that see it.
    pub visibility: Visibility,
    /// `D3D12_SAMPLER_FLAGS`; 0 before version 1.2.
    pub flags: u32,
}

/// A root signature.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct RootSignature {
    /// Its version.
    pub version: RootVersion,
    /// `D3D12_ROOT_SIGNATURE_FLAGS`.
    pub flags: u32,
    /// Parameters, in order. An application sets a parameter by its index.
    pub parameters: Vec<RootParameter>,
    /// Static samplers.
    pub static_samplers: Vec<StaticSampler>,
}

impl RootSignature {
    /// Whether it is a local root signature, for the arguments in shader records.
    pub fn is_local(&self) -> bool {
        self.flags & flags::LOCAL_ROOT_SIGNATURE != 0
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        let ranges = self.parameters.iter().map(|parameter| match &parameter.kind {
            RootParameterKind::Table(ranges) => ranges.capacity() * size_of::<DescriptorRange>(),
            _ => 0,
        });
        self.parameters.capacity() * size_of::<RootParameter>()
            + self.static_samplers.capacity() * size_of::<StaticSampler>()
            + ranges.sum::<usize>()
    }

    /// Whether both declare the same descriptors, constants and samplers. They may give an offset
    /// differently: as a number, or by appending the range.
    pub fn is_same_as(&self, other: &Self) -> bool {
        let plain = |signature: &Self| {
            let mut signature = signature.clone();
            for range in signature.ranges_mut() {
                range.append = false;
            }
            signature
        };
        self == other || plain(self) == plain(other)
    }

    /// The ranges of all tables.
    fn ranges_mut(&mut self) -> impl Iterator<Item = &mut DescriptorRange> {
        let tables = self.parameters.iter_mut().filter_map(|parameter| match &mut parameter.kind {
            RootParameterKind::Table(ranges) => Some(ranges),
            _ => None,
        });
        tables.flatten()
    }
}

macro_rules! flag_names {
    ($(#[$meta:meta])* $module:ident, $count:literal { $($name:ident = $bit:literal,)+ }) => {
        $(#[$meta])*
        #[expect(missing_docs, reason = "the names are D3D12's")]
        pub mod $module {
            $(pub const $name: u32 = $bit;)+
            /// All flags with their names, in the order of their bits.
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

flag_names! {
    /// `D3D12_SAMPLER_FLAGS`.
    sampler_flags, 2 {
        UINT_BORDER_COLOR = 0x1,
        NON_NORMALIZED_COORDINATES = 0x2,
    }
}
