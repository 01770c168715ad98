//! Keys that identify declarations at module scope.

/// A variable that is declared once, identified by its purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Declared {
    /// An input element of the entry's signature.
    Input(u32),
    /// An output element of the entry's signature.
    Output(u32),
    /// A builtin variable.
    BuiltIn(u32),
    /// The push-constant block.
    PushConstants,
    /// The shader record.
    ShaderRecord,
    /// A uniform block of root constants: its set and binding.
    RootBlock(u32, u32),
    /// A resource: its number, and which one of several declarations of it (by element width,
    /// sampled type, …).
    Resource(u32, u32),
    /// A resource's counter.
    Counter(u32),
    /// A buffer of pairs beside descriptors: its set and binding.
    Pairs(u32, u32),
    /// The size of points (`PointSize`).
    PointSize,
    /// The flag that says whether the lane has discarded.
    Discarded,
    /// The temporary registers.
    Registers,
    /// An element of the patch-constant signature.
    Patch(u32),
    /// An array of the pool of ray queries: which of several.
    RayQueries(u32),
    /// An array of clip distances, cull distances or tessellation factors: builtin and storage
    /// class.
    Distances(u32, u32),
    /// A variable into which shader calls copy what they take: storage class and type.
    Payload(u32, u32),
    /// The payload between amplification and mesh shaders.
    MeshPayload,
    /// The vertices of a mesh shader's primitives.
    Indices,
    /// The specialisation constant with this id.
    Specialised(u32),
    /// The viewport of a stage that has no output for it.
    Viewport,
}

/// [`Declared`] as an ordered key. An ordered map makes the output independent of hashing.
pub type DeclaredKey = (u32, u32, u32);

impl Declared {
    pub fn key(self) -> DeclaredKey {
        match self {
            Declared::Input(n) => (0, n, 0),
            Declared::Output(n) => (1, n, 0),
            Declared::BuiltIn(n) => (2, n, 0),
            Declared::PushConstants => (3, 0, 0),
            Declared::Resource(r, n) => (4, r, n),
            Declared::Counter(r) => (5, r, 0),
            Declared::Distances(b, c) => (6, b, c),
            Declared::Patch(n) => (7, n, 0),
            Declared::PointSize => (8, 0, 0),
            Declared::Discarded => (9, 0, 0),
            Declared::Registers => (10, 0, 0),
            Declared::RootBlock(set, binding) => (11, set, binding),
            Declared::ShaderRecord => (12, 0, 0),
            Declared::RayQueries(n) => (13, n, 0),
            Declared::Payload(class, ty) => (14, class, ty),
            Declared::MeshPayload => (15, 0, 0),
            Declared::Indices => (16, 0, 0),
            Declared::Pairs(set, binding) => (17, set, binding),
            Declared::Specialised(id) => (18, id, 0),
            Declared::Viewport => (19, 0, 0),
        }
    }
}
