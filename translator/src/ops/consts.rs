//! The enumerations and flags of DXIL, which occur as numbers in metadata, in immediate operands
//! and in containers.
//!
//! In: a number. Out: its value in an enumeration, by `TryFrom<u32>`, which refuses numbers that
//! DXIL does not define. Names and numbers are those of DXC's `DxilConstants.h`; the printed names
//! are those of D3D or HLSL.

/// An error: a number that an enumeration does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UnknownNumber {
    /// The enumeration.
    pub what: &'static str,
    /// The number.
    pub number: u32,
}

impl std::fmt::Display for UnknownNumber {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "unknown {} {}", self.what, self.number)
    }
}

impl std::error::Error for UnknownNumber {}

macro_rules! numbers {
    ($($(#[$meta:meta])* $name:ident, $what:literal { $($(#[$vmeta:meta])* $variant:ident = $number:literal $text:literal,)+ })+) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u32)]
        #[expect(missing_docs, reason = "the names are DXIL's, and what prints explains them")]
        pub enum $name { $($(#[$vmeta])* $variant = $number,)+ }
        impl $name {
            /// All values, in the order of their numbers.
            pub const ALL: &'static [$name] = &[$($name::$variant,)+];
            /// The printed name.
            pub const fn name(self) -> &'static str {
                match self { $($name::$variant => $text,)+ }
            }
        }
        impl TryFrom<u32> for $name {
            type Error = UnknownNumber;
            fn try_from(number: u32) -> Result<Self, UnknownNumber> {
                match number {
                    $($number => Ok($name::$variant),)+
                    _ => Err(UnknownNumber { what: $what, number }),
                }
            }
        }
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }
    )+};
}

numbers! {
    /// A shader stage (`ShaderKind` in DXC).
    #[non_exhaustive]
    ShaderStage, "shader stage" {
        Pixel = 0 "pixel",
        Vertex = 1 "vertex",
        Geometry = 2 "geometry",
        Hull = 3 "hull",
        Domain = 4 "domain",
        Compute = 5 "compute",
        /// A library, or a function of a library that is not an entry point.
        Library = 6 "library",
        RayGeneration = 7 "raygeneration",
        Intersection = 8 "intersection",
        AnyHit = 9 "anyhit",
        ClosestHit = 10 "closesthit",
        Miss = 11 "miss",
        Callable = 12 "callable",
        Mesh = 13 "mesh",
        Amplification = 14 "amplification",
        Node = 15 "node",
    }

    /// Type of a component of a signature element or typed resource.
    ComponentType, "component type" {
        Invalid = 0 "invalid",
        I1 = 1 "i1",
        I16 = 2 "i16",
        U16 = 3 "u16",
        I32 = 4 "i32",
        U32 = 5 "u32",
        I64 = 6 "i64",
        U64 = 7 "u64",
        F16 = 8 "f16",
        F32 = 9 "f32",
        F64 = 10 "f64",
        SNormF16 = 11 "snorm_f16",
        UNormF16 = 12 "unorm_f16",
        SNormF32 = 13 "snorm_f32",
        UNormF32 = 14 "unorm_f32",
        SNormF64 = 15 "snorm_f64",
        UNormF64 = 16 "unorm_f64",
        PackedS8x32 = 17 "packed_s8x32",
        PackedU8x32 = 18 "packed_u8x32",
    }

    /// How the rasterizer interpolates a pixel shader's input (`D3D_INTERPOLATION_MODE`).
    InterpolationMode, "interpolation mode" {
        Undefined = 0 "undefined",
        Constant = 1 "nointerpolation",
        Linear = 2 "linear",
        LinearCentroid = 3 "linear_centroid",
        LinearNoperspective = 4 "linear_noperspective",
        LinearNoperspectiveCentroid = 5 "linear_noperspective_centroid",
        LinearSample = 6 "linear_sample",
        LinearNoperspectiveSample = 7 "linear_noperspective_sample",
    }

    /// The semantic of a signature element: a system value, or a semantic of the user.
    SemanticKind, "semantic kind" {
        /// A semantic of the user, which links stages by its name only.
        Arbitrary = 0 "arbitrary",
        VertexId = 1 "SV_VertexID",
        InstanceId = 2 "SV_InstanceID",
        Position = 3 "SV_Position",
        RenderTargetArrayIndex = 4 "SV_RenderTargetArrayIndex",
        ViewPortArrayIndex = 5 "SV_ViewportArrayIndex",
        ClipDistance = 6 "SV_ClipDistance",
        CullDistance = 7 "SV_CullDistance",
        OutputControlPointId = 8 "SV_OutputControlPointID",
        DomainLocation = 9 "SV_DomainLocation",
        PrimitiveId = 10 "SV_PrimitiveID",
        GsInstanceId = 11 "SV_GSInstanceID",
        SampleIndex = 12 "SV_SampleIndex",
        IsFrontFace = 13 "SV_IsFrontFace",
        Coverage = 14 "SV_Coverage",
        InnerCoverage = 15 "SV_InnerCoverage",
        Target = 16 "SV_Target",
        Depth = 17 "SV_Depth",
        DepthLessEqual = 18 "SV_DepthLessEqual",
        DepthGreaterEqual = 19 "SV_DepthGreaterEqual",
        StencilRef = 20 "SV_StencilRef",
        DispatchThreadId = 21 "SV_DispatchThreadID",
        GroupId = 22 "SV_GroupID",
        GroupIndex = 23 "SV_GroupIndex",
        GroupThreadId = 24 "SV_GroupThreadID",
        TessFactor = 25 "SV_TessFactor",
        InsideTessFactor = 26 "SV_InsideTessFactor",
        ViewId = 27 "SV_ViewID",
        Barycentrics = 28 "SV_Barycentrics",
        ShadingRate = 29 "SV_ShadingRate",
        CullPrimitive = 30 "SV_CullPrimitive",
        StartVertexLocation = 31 "SV_StartVertexLocation",
        StartInstanceLocation = 32 "SV_StartInstanceLocation",
    }

    /// Class of a resource. It decides the kind of its registers and of its descriptor ranges.
    ResourceClass, "resource class" {
        Srv = 0 "SRV",
        Uav = 1 "UAV",
        CBuffer = 2 "CBV",
        Sampler = 3 "sampler",
    }

    /// Shape of a resource.
    ResourceKind, "resource kind" {
        Texture1D = 1 "Texture1D",
        Texture2D = 2 "Texture2D",
        Texture2DMS = 3 "Texture2DMS",
        Texture3D = 4 "Texture3D",
        TextureCube = 5 "TextureCube",
        Texture1DArray = 6 "Texture1DArray",
        Texture2DArray = 7 "Texture2DArray",
        Texture2DMSArray = 8 "Texture2DMSArray",
        TextureCubeArray = 9 "TextureCubeArray",
        TypedBuffer = 10 "Buffer",
        RawBuffer = 11 "ByteAddressBuffer",
        StructuredBuffer = 12 "StructuredBuffer",
        CBuffer = 13 "ConstantBuffer",
        Sampler = 14 "SamplerState",
        TBuffer = 15 "TextureBuffer",
        RtAccelerationStructure = 16 "RaytracingAccelerationStructure",
        FeedbackTexture2D = 17 "FeedbackTexture2D",
        FeedbackTexture2DArray = 18 "FeedbackTexture2DArray",
    }

    /// Kind of a sampler.
    SamplerKind, "sampler kind" {
        Default = 0 "default",
        Comparison = 1 "comparison",
        Mono = 2 "mono",
    }

    /// Kind of sampler-feedback texture.
    SamplerFeedbackType, "sampler feedback type" {
        MinMip = 0 "MinMip",
        MipRegionUsed = 1 "MipRegionUsed",
    }

    /// How 32-bit denormal numbers behave (`fp32-denorm-mode`).
    Float32DenormMode, "float32 denorm mode" {
        Any = 0 "any",
        Preserve = 1 "preserve",
        /// Denormal results are flushed to zero.
        Ftz = 2 "ftz",
    }

    /// Operation of `AtomicBinOp`.
    AtomicBinOpCode, "atomic operation" {
        Add = 0 "add",
        And = 1 "and",
        Or = 2 "or",
        Xor = 3 "xor",
        IMin = 4 "imin",
        IMax = 5 "imax",
        UMin = 6 "umin",
        UMax = 7 "umax",
        Exchange = 8 "exchange",
    }

    /// How a node of a work graph is launched.
    #[derive(Default)]
    NodeLaunch, "kind of launch" {
        #[default]
        Invalid = 0 "invalid",
        Broadcasting = 1 "broadcasting",
        Coalescing = 2 "coalescing",
        Thread = 3 "thread",
    }

    /// Operation of `VendorAtomicFloat`, on a float or on two halves.
    FloatAtomic, "atomic operation on floats" {
        Add = 0 "add",
        AddHalves = 1 "add halves",
        MinHalves = 2 "min halves",
        MaxHalves = 3 "max halves",
    }

    /// Where `VendorF32ToF16` rounds.
    Rounding, "rounding" {
        Nearest = 1 "nearest",
        Down = 2 "down",
        Up = 3 "up",
    }

    /// Operation of `WaveActiveOp` and `WavePrefixOp`.
    WaveOpKind, "wave operation" {
        Sum = 0 "sum",
        Product = 1 "product",
        Min = 2 "min",
        Max = 3 "max",
    }

    /// Operation of `WaveActiveBit`.
    WaveBitOpKind, "wave bit operation" {
        And = 0 "and",
        Or = 1 "or",
        Xor = 2 "xor",
    }

    /// Operation of `WaveMultiPrefixOp`.
    WaveMultiPrefixOpKind, "wave multi-prefix operation" {
        Sum = 0 "sum",
        And = 1 "and",
        Or = 2 "or",
        Xor = 3 "xor",
        Product = 4 "product",
    }

    /// Whether a wave operation's integers are signed.
    SignedOpKind, "signedness" {
        /// Signed integers, or floats.
        Signed = 0 "signed",
        Unsigned = 1 "unsigned",
    }

    /// Operation of `QuadOp`.
    QuadOpKind, "quad operation" {
        ReadAcrossX = 0 "read_across_x",
        ReadAcrossY = 1 "read_across_y",
        ReadAcrossDiagonal = 2 "read_across_diagonal",
    }

    /// Operation of `QuadVote`.
    QuadVoteOpKind, "quad vote" {
        Any = 0 "any",
        All = 1 "all",
    }

    /// How `Unpack4x8` extends its bytes.
    UnpackMode, "unpack mode" {
        Unsigned = 0 "unsigned",
        Signed = 1 "signed",
    }

    /// How `Pack4x8` converts to bytes.
    PackMode, "pack mode" {
        Truncate = 0 "truncate",
        /// Values are clamped to 0 … 255.
        ClampUnsigned = 1 "clamp_unsigned",
        /// Values are clamped to -128 … 127.
        ClampSigned = 2 "clamp_signed",
    }

    /// Input primitive of a geometry shader (`D3D_PRIMITIVE`).
    InputPrimitive, "input primitive" {
        Undefined = 0 "undefined",
        Point = 1 "point",
        Line = 2 "line",
        Triangle = 3 "triangle",
        LineWithAdjacency = 6 "lineadj",
        TriangleWithAdjacency = 7 "triangleadj",
        ControlPointPatch1 = 8 "patch1",
        ControlPointPatch2 = 9 "patch2",
        ControlPointPatch3 = 10 "patch3",
        ControlPointPatch4 = 11 "patch4",
        ControlPointPatch5 = 12 "patch5",
        ControlPointPatch6 = 13 "patch6",
        ControlPointPatch7 = 14 "patch7",
        ControlPointPatch8 = 15 "patch8",
        ControlPointPatch9 = 16 "patch9",
        ControlPointPatch10 = 17 "patch10",
        ControlPointPatch11 = 18 "patch11",
        ControlPointPatch12 = 19 "patch12",
        ControlPointPatch13 = 20 "patch13",
        ControlPointPatch14 = 21 "patch14",
        ControlPointPatch15 = 22 "patch15",
        ControlPointPatch16 = 23 "patch16",
        ControlPointPatch17 = 24 "patch17",
        ControlPointPatch18 = 25 "patch18",
        ControlPointPatch19 = 26 "patch19",
        ControlPointPatch20 = 27 "patch20",
        ControlPointPatch21 = 28 "patch21",
        ControlPointPatch22 = 29 "patch22",
        ControlPointPatch23 = 30 "patch23",
        ControlPointPatch24 = 31 "patch24",
        ControlPointPatch25 = 32 "patch25",
        ControlPointPatch26 = 33 "patch26",
        ControlPointPatch27 = 34 "patch27",
        ControlPointPatch28 = 35 "patch28",
        ControlPointPatch29 = 36 "patch29",
        ControlPointPatch30 = 37 "patch30",
        ControlPointPatch31 = 38 "patch31",
        ControlPointPatch32 = 39 "patch32",
    }

    /// Output topology of a geometry shader (`D3D_PRIMITIVE_TOPOLOGY`).
    PrimitiveTopology, "primitive topology" {
        Undefined = 0 "undefined",
        PointList = 1 "point_list",
        LineList = 2 "line_list",
        LineStrip = 3 "line_strip",
        TriangleList = 4 "triangle_list",
        TriangleStrip = 5 "triangle_strip",
    }

    /// Domain of the tessellator (`D3D_TESSELLATOR_DOMAIN`).
    TessellatorDomain, "tessellator domain" {
        Undefined = 0 "undefined",
        IsoLine = 1 "isoline",
        Tri = 2 "tri",
        Quad = 3 "quad",
    }

    /// Output primitive of the tessellator (`D3D_TESSELLATOR_OUTPUT_PRIMITIVE`).
    TessellatorOutputPrimitive, "tessellator output primitive" {
        Undefined = 0 "undefined",
        Point = 1 "point",
        Line = 2 "line",
        TriangleCw = 3 "triangle_cw",
        TriangleCcw = 4 "triangle_ccw",
    }

    /// Partitioning mode of the tessellator (`D3D_TESSELLATOR_PARTITIONING`).
    TessellatorPartitioning, "tessellator partitioning" {
        Undefined = 0 "undefined",
        Integer = 1 "integer",
        Pow2 = 2 "pow2",
        FractionalOdd = 3 "fractional_odd",
        FractionalEven = 4 "fractional_even",
    }

    /// Output primitive of a mesh shader.
    MeshOutputTopology, "mesh output topology" {
        Undefined = 0 "undefined",
        Line = 1 "line",
        Triangle = 2 "triangle",
    }

    /// How a work-graph node is launched.
    NodeLaunchType, "node launch type" {
        Invalid = 0 "invalid",
        Broadcasting = 1 "broadcasting",
        Coalescing = 2 "coalescing",
        Thread = 3 "thread",
    }

    /// The status of the committed hit of a ray query (`COMMITTED_STATUS` in HLSL).
    CommittedStatus, "committed status" {
        Nothing = 0 "nothing",
        TriangleHit = 1 "triangle_hit",
        ProceduralPrimitiveHit = 2 "procedural_primitive_hit",
    }

    /// The type of the candidate hit of a ray query (`CANDIDATE_TYPE` in HLSL).
    CandidateType, "candidate type" {
        NonOpaqueTriangle = 0 "non_opaque_triangle",
        ProceduralPrimitive = 1 "procedural_primitive",
    }
}

impl ResourceClass {
    /// The letter of its registers in HLSL.
    pub const fn letter(self) -> char {
        match self {
            Self::Srv => 't',
            Self::Uav => 'u',
            Self::CBuffer => 'b',
            Self::Sampler => 's',
        }
    }

    /// The class whose registers have this letter.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.iter().copied().find(|class| class.letter() == letter)
    }
}

macro_rules! flags {
    ($($(#[$meta:meta])* $name:ident, $what:literal { $($(#[$fmeta:meta])* $flag:ident = $bits:literal,)+ })+) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub struct $name(u32);
        impl $name {
            $($(#[$fmeta])* pub const $flag: $name = $name($bits);)+
            const DEFINED: u32 = $($bits)|+;
            /// The flags as a number.
            pub const fn bits(self) -> u32 {
                self.0
            }
            /// Whether all flags of the other value are set.
            pub const fn contains(self, other: $name) -> bool {
                self.0 & other.0 == other.0
            }
        }
        impl TryFrom<u32> for $name {
            type Error = UnknownNumber;
            fn try_from(number: u32) -> Result<Self, UnknownNumber> {
                match number & !Self::DEFINED {
                    0 => Ok($name(number)),
                    _ => Err(UnknownNumber { what: $what, number }),
                }
            }
        }
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let mut separator = "";
                $(if self.contains($name::$flag) {
                    write!(f, concat!("{}", stringify!($flag)), separator)?;
                    separator = " | ";
                })+
                if separator.is_empty() { f.write_str("none") } else { Ok(()) }
            }
        }
    )+};
}

flags! {
    /// The flags of `Barrier` (`BarrierMode` in DXC).
    BarrierMode, "barrier mode" {
        /// All threads of the group wait for one another.
        SYNC_THREAD_GROUP = 1,
        /// UAV accesses are ordered for the whole device.
        UAV_FENCE_GLOBAL = 2,
        /// UAV accesses are ordered for the group.
        UAV_FENCE_THREAD_GROUP = 4,
        /// Groupshared accesses are ordered.
        TGSM_FENCE = 8,
    }

    /// The memory that `BarrierByMemoryType` orders: `MEMORY_TYPE_FLAG` in HLSL.
    MemoryTypeFlags, "memory type flags" {
        /// `UAV_MEMORY`.
        UAV = 1,
        /// `GROUP_SHARED_MEMORY`.
        GROUP_SHARED = 2,
        /// `NODE_INPUT_MEMORY`.
        NODE_INPUT = 4,
        /// `NODE_OUTPUT_MEMORY`.
        NODE_OUTPUT = 8,
    }

    /// The scope of the barriers of shader model 6.8: `BARRIER_SEMANTIC_FLAG` in HLSL.
    BarrierSemanticFlags, "barrier semantic flags" {
        /// `GROUP_SYNC`: all threads of the group wait for one another.
        GROUP_SYNC = 1,
        /// `GROUP_SCOPE`: accesses are ordered for the group.
        GROUP_SCOPE = 2,
        /// `DEVICE_SCOPE`: accesses are ordered for the device.
        DEVICE_SCOPE = 4,
        /// `REORDER_SCOPE`: accesses of `reordercoherent` resources are ordered across reordering
        /// (shader model 6.9).
        REORDER_SCOPE = 8,
    }

    /// The flags of a ray: `RAY_FLAG` in HLSL.
    RayFlags, "ray flags" {
        /// All hits are opaque.
        FORCE_OPAQUE = 0x1,
        /// No hit is opaque.
        FORCE_NON_OPAQUE = 0x2,
        /// The first hit ends the search.
        ACCEPT_FIRST_HIT_AND_END_SEARCH = 0x4,
        /// No closest-hit shader runs.
        SKIP_CLOSEST_HIT_SHADER = 0x8,
        /// Triangles that face backwards are ignored.
        CULL_BACK_FACING_TRIANGLES = 0x10,
        /// Triangles that face forwards are ignored.
        CULL_FRONT_FACING_TRIANGLES = 0x20,
        /// Opaque geometry is ignored.
        CULL_OPAQUE = 0x40,
        /// Geometry that is not opaque is ignored.
        CULL_NON_OPAQUE = 0x80,
        /// Triangles are ignored.
        SKIP_TRIANGLES = 0x100,
        /// Procedural primitives are ignored.
        SKIP_PROCEDURAL_PRIMITIVES = 0x200,
        /// Opacity micromaps have two states (shader model 6.9).
        FORCE_OMM_2_STATE = 0x400,
    }

    /// The properties of a node's input or output: `NodeIOFlags` in DXC.
    NodeIoFlags, "node input or output flags" {
        /// An input.
        INPUT = 0x1,
        /// An output.
        OUTPUT = 0x2,
        /// The shader may read and write it.
        READ_WRITE = 0x4,
        /// It carries no data.
        EMPTY_RECORD = 0x8,
        /// It is an array of nodes.
        NODE_ARRAY = 0x10,
        /// There is one record per thread. Together with [`GROUP_RECORD`](Self::GROUP_RECORD): one
        /// record per dispatch.
        THREAD_RECORD = 0x20,
        /// There is one record per group.
        GROUP_RECORD = 0x40,
        /// Writes by several groups are tracked (`[NodeTrackRWInputSharing]`).
        TRACK_RW_INPUT_SHARING = 0x100,
        /// `globallycoherent`.
        GLOBALLY_COHERENT = 0x200,
    }
}

impl ResourceKind {
    /// Whether it is a texture with texels, so neither a buffer nor a feedback texture.
    pub fn is_texture(self) -> bool {
        (ResourceKind::Texture1D..=ResourceKind::TextureCubeArray).contains(&self)
    }
    /// Whether it is an array of textures.
    pub fn is_array(self) -> bool {
        (ResourceKind::Texture1DArray..=ResourceKind::TextureCubeArray).contains(&self)
            || self == ResourceKind::FeedbackTexture2DArray
    }
    /// Whether it is a cube texture, or an array of them.
    pub fn is_cube(self) -> bool {
        matches!(self, ResourceKind::TextureCube | ResourceKind::TextureCubeArray)
    }
    /// Whether it is a multisampled texture.
    pub fn is_multisampled(self) -> bool {
        matches!(self, ResourceKind::Texture2DMS | ResourceKind::Texture2DMSArray)
    }
    /// Whether its elements have a [`ComponentType`]: a texture or a typed buffer.
    pub fn is_typed(self) -> bool {
        self.is_texture() || matches!(self, ResourceKind::TypedBuffer | ResourceKind::TBuffer)
    }
}

impl ComponentType {
    /// Whether it is a number of 16 bits.
    pub fn is_16_bits(self) -> bool {
        matches!(self, Self::I16 | Self::U16 | Self::F16 | Self::SNormF16 | Self::UNormF16)
    }
}

impl ShaderStage {
    /// Whether this is a stage of ray-tracing pipelines.
    pub fn is_rays(self) -> bool {
        (Self::RayGeneration..=Self::Callable).contains(&self)
    }
}

impl BarrierMode {
    /// The flags of the barriers of shader model 6.8 as those of `Barrier` (DirectX-Specs,
    /// "Barrier"). Without a scope no access is ordered. Memory of nodes exists in node shaders
    /// only, and without shader execution reordering `REORDER_SCOPE` orders nothing.
    pub const fn from_semantics(memory: MemoryTypeFlags, semantics: BarrierSemanticFlags) -> Self {
        let device = semantics.contains(BarrierSemanticFlags::DEVICE_SCOPE);
        let group = semantics.contains(BarrierSemanticFlags::GROUP_SCOPE);
        let mut flags = 0;
        if semantics.contains(BarrierSemanticFlags::GROUP_SYNC) {
            flags |= Self::SYNC_THREAD_GROUP.0;
        }
        if memory.contains(MemoryTypeFlags::UAV) && device {
            flags |= Self::UAV_FENCE_GLOBAL.0;
        }
        if memory.contains(MemoryTypeFlags::UAV) && group && !device {
            flags |= Self::UAV_FENCE_THREAD_GROUP.0;
        }
        if memory.contains(MemoryTypeFlags::GROUP_SHARED) && (device || group) {
            flags |= Self::TGSM_FENCE.0;
        }
        Self(flags)
    }
}
