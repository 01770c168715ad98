//! The feature flags of SFI0, and of functions in RDAT.
//!
//! In: 64 bits. Out: the features that the shader requires of a device, by name. Bits 0 to 39 are
//! required features, higher ones are hints (DxilConstants.h, `ShaderFeatureInfo` and
//! `OptFeatureInfo`).

use super::reader::ByteReader;
use dxil_base::error::Result;

macro_rules! feature_flags {
    ($($constant:ident = $bit:literal $name:literal,)*) => {
        impl FeatureFlags {
            $(
                #[doc = concat!("`", $name, "`, bit ", stringify!($bit), ".")]
                pub const $constant: FeatureFlags = FeatureFlags(1 << $bit);
            )*
            const NAMES: &'static [(FeatureFlags, &'static str)] = &[$((FeatureFlags::$constant, $name),)*];
        }
    };
}

/// The 64 feature flags of a shader or a library function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FeatureFlags(pub u64);

feature_flags! {
    DOUBLES = 0 "Doubles",
    COMPUTE_SHADERS_PLUS_RAW_AND_STRUCTURED_BUFFERS = 1 "ComputeShadersPlusRawAndStructuredBuffersViaShader4X",
    UAVS_AT_EVERY_STAGE = 2 "UAVsAtEveryStage",
    UAVS_64 = 3 "64UAVs",
    MINIMUM_PRECISION = 4 "MinimumPrecision",
    DOUBLE_EXTENSIONS_11_1 = 5 "11_1_DoubleExtensions",
    SHADER_EXTENSIONS_11_1 = 6 "11_1_ShaderExtensions",
    LEVEL9_COMPARISON_FILTERING = 7 "LEVEL9ComparisonFiltering",
    TILED_RESOURCES = 8 "TiledResources",
    STENCIL_REF = 9 "StencilRef",
    INNER_COVERAGE = 10 "InnerCoverage",
    TYPED_UAV_LOAD_ADDITIONAL_FORMATS = 11 "TypedUAVLoadAdditionalFormats",
    ROVS = 12 "ROVs",
    VIEWPORT_AND_RT_ARRAY_INDEX = 13 "ViewportAndRTArrayIndexFromAnyShaderFeedingRasterizer",
    WAVE_OPS = 14 "WaveOps",
    INT64_OPS = 15 "Int64Ops",
    VIEW_ID = 16 "ViewID",
    BARYCENTRICS = 17 "Barycentrics",
    NATIVE_LOW_PRECISION = 18 "NativeLowPrecision",
    SHADING_RATE = 19 "ShadingRate",
    RAYTRACING_TIER_1_1 = 20 "Raytracing_Tier_1_1",
    SAMPLER_FEEDBACK = 21 "SamplerFeedback",
    ATOMIC_INT64_ON_TYPED_RESOURCE = 22 "AtomicInt64OnTypedResource",
    ATOMIC_INT64_ON_GROUP_SHARED = 23 "AtomicInt64OnGroupShared",
    DERIVATIVES_IN_MESH_AND_AMP_SHADERS = 24 "DerivativesInMeshAndAmpShaders",
    RESOURCE_DESCRIPTOR_HEAP_INDEXING = 25 "ResourceDescriptorHeapIndexing",
    SAMPLER_DESCRIPTOR_HEAP_INDEXING = 26 "SamplerDescriptorHeapIndexing",
    RESERVED = 27 "Reserved",
    ATOMIC_INT64_ON_HEAP_RESOURCE = 28 "AtomicInt64OnHeapResource",
    ADVANCED_TEXTURE_OPS = 29 "AdvancedTextureOps",
    WRITEABLE_MSAA_TEXTURES = 30 "WriteableMSAATextures",
    SAMPLE_CMP_GRADIENT_OR_BIAS = 31 "SampleCmpGradientOrBias",
    EXTENDED_COMMAND_INFO = 32 "ExtendedCommandInfo",
    USES_DERIVATIVES = 40 "UsesDerivatives",
    REQUIRES_GROUP = 41 "RequiresGroup",
}

impl FeatureFlags {
    pub(super) fn parse(mut part: ByteReader<'_>) -> Result<Self> {
        // A longer part is accepted: future flags would follow these 64.
        Ok(Self(part.u64()?))
    }
    /// Whether all flags of `other` are set.
    pub fn contains(self, other: FeatureFlags) -> bool {
        self.0 & other.0 == other.0
    }
    /// The names of the flags that are set, in bit order.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        Self::NAMES.iter().filter(move |(flag, _)| self.contains(*flag)).map(|&(_, name)| name)
    }
    /// The flags that are set and have no name here.
    pub fn unknown(self) -> u64 {
        Self::NAMES.iter().fold(self.0, |rest, (flag, _)| rest & !flag.0)
    }
}

impl std::fmt::Display for FeatureFlags {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut separator = "";
        for name in self.names() {
            write!(f, "{separator}{name}")?;
            separator = " ";
        }
        match self.unknown() {
            0 if separator.is_empty() => f.write_str("none"),
            0 => Ok(()),
            rest => write!(f, "{separator}{rest:#x}"),
        }
    }
}
