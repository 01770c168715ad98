//! The enumerations of the container format. Each is open: a number without a name is kept, and
//! printed as a number.
//!
//! Values and names are those of DxilContainer.h, DxilPipelineStateValidation.h and
//! DxilConstants.h.

/// Declares an enumeration over a number, with `Other` for numbers it has no name for.
macro_rules! open_enum {
    ($($(#[$meta:meta])* pub enum $name:ident: $repr:ty { $($variant:ident = $value:literal,)* })*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name {
            $(
                #[doc = concat!("`", stringify!($variant), "`, ", stringify!($value), ".")]
                $variant,
            )*
            /// A number that has no name here.
            Other($repr),
        }
        impl $name {
            /// The enumerator with this number.
            pub fn new(value: $repr) -> Self {
                match value { $($value => Self::$variant,)* other => Self::Other(other) }
            }
            /// The number of the enumerator.
            pub fn value(self) -> $repr {
                match self { $(Self::$variant => $value,)* Self::Other(other) => other }
            }
        }
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self {
                    $(Self::$variant => f.write_str(stringify!($variant)),)*
                    Self::Other(other) => write!(f, concat!(stringify!($name), "({})"), other),
                }
            }
        }
    )*};
}

open_enum! {
    /// The kind of a shader program: `DXIL::ShaderKind`, `PSVShaderKind`.
    pub enum ShaderKind: u16 {
        Pixel = 0,
        Vertex = 1,
        Geometry = 2,
        Hull = 3,
        Domain = 4,
        Compute = 5,
        Library = 6,
        RayGeneration = 7,
        Intersection = 8,
        AnyHit = 9,
        ClosestHit = 10,
        Miss = 11,
        Callable = 12,
        Mesh = 13,
        Amplification = 14,
        Node = 15,
    }

    /// System value of a signature element: `DxilProgramSigSemantic`, the numbers of `D3D_NAME`.
    pub enum SystemValue: u32 {
        Undefined = 0,
        Position = 1,
        ClipDistance = 2,
        CullDistance = 3,
        RenderTargetArrayIndex = 4,
        ViewPortArrayIndex = 5,
        VertexID = 6,
        PrimitiveID = 7,
        InstanceID = 8,
        IsFrontFace = 9,
        SampleIndex = 10,
        FinalQuadEdgeTessfactor = 11,
        FinalQuadInsideTessfactor = 12,
        FinalTriEdgeTessfactor = 13,
        FinalTriInsideTessfactor = 14,
        FinalLineDetailTessfactor = 15,
        FinalLineDensityTessfactor = 16,
        Barycentrics = 23,
        ShadingRate = 24,
        CullPrimitive = 25,
        Target = 64,
        Depth = 65,
        Coverage = 66,
        DepthGE = 67,
        DepthLE = 68,
        StencilRef = 69,
        InnerCoverage = 70,
    }

    /// Component type of a signature element: `DxilProgramSigCompType`.
    pub enum ComponentType: u32 {
        Unknown = 0,
        UInt32 = 1,
        SInt32 = 2,
        Float32 = 3,
        UInt16 = 4,
        SInt16 = 5,
        Float16 = 6,
        UInt64 = 7,
        SInt64 = 8,
        Float64 = 9,
    }

    /// Minimum precision of a signature element: `DxilProgramSigMinPrecision`.
    pub enum MinPrecision: u32 {
        Default = 0,
        Float16 = 1,
        Float2_8 = 2,
        Reserved = 3,
        SInt16 = 4,
        UInt16 = 5,
        Any16 = 0xf0,
        Any10 = 0xf1,
    }

    /// Semantic of a PSV0 signature element: `DXIL::SemanticKind`.
    pub enum SemanticKind: u8 {
        Arbitrary = 0,
        VertexID = 1,
        InstanceID = 2,
        Position = 3,
        RenderTargetArrayIndex = 4,
        ViewPortArrayIndex = 5,
        ClipDistance = 6,
        CullDistance = 7,
        OutputControlPointID = 8,
        DomainLocation = 9,
        PrimitiveID = 10,
        GSInstanceID = 11,
        SampleIndex = 12,
        IsFrontFace = 13,
        Coverage = 14,
        InnerCoverage = 15,
        Target = 16,
        Depth = 17,
        DepthLessEqual = 18,
        DepthGreaterEqual = 19,
        StencilRef = 20,
        DispatchThreadID = 21,
        GroupID = 22,
        GroupIndex = 23,
        GroupThreadID = 24,
        TessFactor = 25,
        InsideTessFactor = 26,
        ViewID = 27,
        Barycentrics = 28,
        ShadingRate = 29,
        CullPrimitive = 30,
        StartVertexLocation = 31,
        StartInstanceLocation = 32,
    }

    /// Interpolation of a PSV0 signature element: `DXIL::InterpolationMode`.
    pub enum InterpolationMode: u8 {
        Undefined = 0,
        Constant = 1,
        Linear = 2,
        LinearCentroid = 3,
        LinearNoperspective = 4,
        LinearNoperspectiveCentroid = 5,
        LinearSample = 6,
        LinearNoperspectiveSample = 7,
    }

    /// Kind of binding of a PSV0 resource: `PSVResourceType`.
    pub enum PsvResourceType: u32 {
        Invalid = 0,
        Sampler = 1,
        CBV = 2,
        SRVTyped = 3,
        SRVRaw = 4,
        SRVStructured = 5,
        UAVTyped = 6,
        UAVRaw = 7,
        UAVStructured = 8,
        UAVStructuredWithCounter = 9,
    }

    /// Kind of a resource: `DXIL::ResourceKind`, `PSVResourceKind`.
    pub enum ResourceKind: u32 {
        Invalid = 0,
        Texture1D = 1,
        Texture2D = 2,
        Texture2DMS = 3,
        Texture3D = 4,
        TextureCube = 5,
        Texture1DArray = 6,
        Texture2DArray = 7,
        Texture2DMSArray = 8,
        TextureCubeArray = 9,
        TypedBuffer = 10,
        RawBuffer = 11,
        StructuredBuffer = 12,
        CBuffer = 13,
        Sampler = 14,
        TBuffer = 15,
        RTAccelerationStructure = 16,
        FeedbackTexture2D = 17,
        FeedbackTexture2DArray = 18,
    }

    /// Class of a resource in RDAT: `DXIL::ResourceClass`.
    pub enum ResourceClass: u32 {
        SRV = 0,
        UAV = 1,
        CBuffer = 2,
        Sampler = 3,
    }

    /// Kind of a subpart of RDAT: `RDAT::RuntimeDataPartType`.
    pub enum RuntimeDataKind: u32 {
        StringBuffer = 1,
        IndexArrays = 2,
        ResourceTable = 3,
        FunctionTable = 4,
        RawBytes = 5,
        SubobjectTable = 6,
        NodeIDTable = 7,
        NodeShaderIOAttribTable = 8,
        NodeShaderFuncAttribTable = 9,
        IONodeTable = 10,
        NodeShaderInfoTable = 11,
    }

    /// Kind of a state subobject in RDAT: `DXIL::SubobjectKind`.
    pub enum SubobjectKind: u32 {
        StateObjectConfig = 0,
        GlobalRootSignature = 1,
        LocalRootSignature = 2,
        SubobjectToExportsAssociation = 8,
        RaytracingShaderConfig = 9,
        RaytracingPipelineConfig = 10,
        HitGroup = 11,
        RaytracingPipelineConfig1 = 12,
    }

    /// Geometry of a hit group in RDAT: `DXIL::HitGroupType`.
    pub enum HitGroupType: u32 {
        Triangle = 0,
        ProceduralPrimitive = 1,
    }

    /// Kind of a section of SRCI: `DxilSourceInfoSectionType`.
    pub enum SourceInfoKind: u16 {
        SourceContents = 0,
        SourceNames = 1,
        Args = 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_enumerators_agree_both_ways() {
        for value in 0..=255u32 {
            assert_eq!(SystemValue::new(value).value(), value);
            assert_eq!(MinPrecision::new(value).value(), value);
            assert_eq!(u32::from(SemanticKind::new(value as u8).value()), value);
        }
        assert_eq!(SystemValue::new(99).to_string(), "SystemValue(99)");
        assert_eq!(ShaderKind::new(13).to_string(), "Mesh");
    }
}
