//! The types of the table's columns, and the checks of a call against its row.

use rspirv::spirv::{BuiltIn, GlslStd450Op, Op};

use crate::ops::consts::{
    AtomicBinOpCode, BarrierMode, BarrierSemanticFlags, MemoryTypeFlags, PackMode, QuadOpKind, QuadVoteOpKind,
    ResourceClass, ShaderStage, SignedOpKind, UnpackMode, WaveBitOpKind, WaveMultiPrefixOpKind, WaveOpKind,
};
use dxil_base::entity::ones;
use dxil_base::error::{Place, Result};

/// One row of the table: the properties of an operation that do not depend on the call.
#[derive(Clone, Debug)]
pub struct OpInfo {
    /// Its opcode.
    pub opcode: u32,
    /// DXIL's name of the operation.
    pub name: &'static str,
    /// The subject under which docs/ops.md counts the operation.
    pub group: &'static str,
    /// The class in its symbol, `dx.op.<class>.<overload>`.
    pub class: &'static str,
    /// The types that it is overloaded on.
    pub overloads: Overloads,
    /// Its operands, without the opcode.
    pub operands: &'static [Operand],
    /// The type of its result.
    pub result: OpType,
    /// Its effect on memory.
    pub effect: MemoryEffect,
    /// The memory that it accesses, and how.
    pub access: Access,
    /// The lanes that must execute it together.
    pub tangle: Tangle,
    /// The stages that have it.
    pub stages: StageSet,
    /// The first shader model that has it, `(major, minor)`.
    pub shader_model: (u8, u8),
    /// What the translation makes of it.
    pub lowering: Lowering,
    /// Where its operands are.
    pub(super) positions: Positions,
}

/// An operand of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    /// Its name, as in the views of [`args`](crate::ir::args).
    pub name: &'static str,
    /// Its type.
    pub ty: OpType,
    /// The values that are valid.
    pub kind: OperandKind,
    /// What it is to the operation's access.
    pub role: Role,
}

/// Where the operands of a row are, by what is asked for. It is made at compile time, so that a
/// question does not look at all operands.
#[derive(Clone, Debug)]
pub(super) struct Positions {
    /// By role: the first operand that has it.
    roles: [Option<u8>; Role::COUNT],
    /// The first operand of the type that a call is overloaded on.
    overload: Option<u8>,
    /// The first pointer that a shader call passes.
    passed: Option<u8>,
    /// The operands that are handles, as bits.
    handles: u64,
    /// The operands that must be constants, as bits.
    immediates: u64,
}

impl Positions {
    pub(super) const fn new(operands: &[Operand]) -> Self {
        let mut positions =
            Self { roles: [None; Role::COUNT], overload: None, passed: None, handles: 0, immediates: 0 };
        let mut at = operands.len();
        while at > 0 {
            at -= 1;
            let (position, Operand { ty, kind, role, .. }) = (Some(at as u8), operands[at]);
            positions.roles[role as usize] = position;
            match ty {
                OpType::Overload => positions.overload = position,
                OpType::Handle => positions.handles |= 1 << at,
                _ => {}
            }
            if matches!(role, Role::Payload | Role::Parameter | Role::Attributes) {
                positions.passed = position;
            }
            positions.immediates |= (kind.is_immediate() as u64) << at;
        }
        positions
    }
}

/// What an operand is to the access of its operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// A number that the operation computes with.
    Operand,
    /// The handle of the resource that is accessed.
    Resource,
    /// The handle of the sampler of a texture.
    Sampler,
    /// The handle of an acceleration structure.
    AccelerationStructure,
    /// The element of a buffer, its row or its byte. For an atomic operation on a texture it is the
    /// first coordinate.
    Index,
    /// A byte of the element of a structured buffer. For an atomic operation on a texture it is the
    /// second coordinate.
    Offset,
    /// A coordinate of a texture.
    Coordinate,
    /// An offset in texels that is added to a coordinate.
    TexelOffset,
    /// A level of detail.
    Level,
    /// The components that are accessed.
    Mask,
    /// A value that is stored.
    Value,
    /// The value with which a sampler compares texels.
    Reference,
    /// The value with which an atomic operation compares the memory.
    Comparator,
    /// The number of a signature element.
    Element,
    /// A row of a signature element.
    Row,
    /// A column of a signature element.
    Column,
    /// A vertex of the primitive, or of a mesh shader's output.
    Vertex,
    /// A primitive of a mesh shader's output.
    Primitive,
    /// A lane of the wave or quad.
    Lane,
    /// The payload of a ray.
    Payload,
    /// The parameter of a callable shader.
    Parameter,
    /// The attributes of a hit.
    Attributes,
    /// The payload that an amplification shader gives its mesh shaders.
    MeshPayload,
    /// The handle of a ray query.
    RayQuery,
    /// The ray flags of a ray query that hold for all of its rays.
    RayFlags,
    /// The flags of a ray query itself.
    QueryFlags,
}

impl Role {
    /// The number of roles.
    pub(super) const COUNT: usize = Role::QueryFlags as usize + 1;

    /// The role of an operand: that of the row, or [`Operand`](Role::Operand) without one.
    pub(super) const fn named(self, role: Role) -> Role {
        role
    }
}

/// The access of an operation to memory that is not a variable, or to a state of the rasterizer.
/// Its width is that of the call's overload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// None.
    None,
    /// Makes a handle, or annotates one, and accesses nothing.
    Handle,
    /// Reads memory.
    Load(Memory),
    /// Writes memory.
    Store(Memory),
    /// Reads and writes a buffer or texture, as one operation.
    Atomic,
    /// Reads a texture through a sampler.
    Sample,
    /// Asks for a property of a resource: its size, the place of a sample, a level of detail.
    Properties,
    /// Changes the counter of a buffer.
    Counter,
    /// Writes a feedback texture.
    Feedback,
    /// Begins to traverse an acceleration structure.
    Trace,
    /// Makes a ray query.
    AllocateQuery,
    /// Uses a ray query that is in this state.
    RayQuery(QueryState),
    /// Gives the address of a mesh shader's payload.
    Payload,
    /// Evaluates an input of a pixel shader at a place that the shader chooses.
    Evaluate,
    /// Asks for the samples of the render targets: how many they have, or where one is.
    TargetSamples,
    /// Reads which sample a pixel shader runs for.
    SampleIndex,
    /// Reads which samples the primitive covers.
    Coverage,
    /// Emits the outputs of a geometry shader as a vertex, or ends a strip.
    Emit,
}

/// The state of a ray query that an operation needs, without which SPIR-V does not define it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum QueryState {
    /// A ray was traced.
    Traced,
    /// A ray was traced, and the search has not ended.
    Searching,
    /// There is a candidate: the last Proceed returned true.
    Candidate,
    /// A hit is committed.
    Hit,
}

/// The memory that a load or store accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Memory {
    /// A constant buffer.
    Constants,
    /// A typed, raw or structured buffer. The resource says which.
    Buffer,
    /// A raw or structured buffer.
    Words,
    /// A texture.
    Texels,
    /// The inputs of the stage.
    Input,
    /// The outputs of the stage or, as the input of a later phase, of the one before.
    Output,
    /// The registers of older shader models.
    Registers,
}

/// The type of an operand or result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OpType {
    /// No value.
    Void,
    /// The type that the call is overloaded on.
    Overload,
    /// i1, or a vector of i1 with as many elements as the overload.
    OverloadI1,
    /// i32, or a vector of i32 with as many elements as the overload.
    OverloadI32,
    /// The element type of the vector that the call is overloaded on.
    Element,
    /// i1.
    I1,
    /// i8.
    I8,
    /// i8, or i32 in containers that validators until 2024 accepted.
    I8OrI32,
    /// i16.
    I16,
    /// i32.
    I32,
    /// i64.
    I64,
    /// half.
    F16,
    /// float.
    F32,
    /// double.
    F64,
    /// `dx.types.Handle`.
    Handle,
    /// `dx.types.ResRet.<overload>`: four elements (or one vector) and the sparse status.
    ResRet,
    /// `dx.types.CBufRet.<overload>`: a row of a constant buffer.
    CBufRet,
    /// `dx.types.twoi32`.
    TwoI32,
    /// `dx.types.i32c`: an i32 and an i1 carry.
    I32Carry,
    /// `dx.types.fouri32`.
    FourI32,
    /// `dx.types.Dimensions`: four i32.
    Dimensions,
    /// `dx.types.SamplePos`: two floats.
    SamplePos,
    /// `dx.types.splitdouble`: low and high i32.
    SplitDouble,
    /// A structure of four elements of the overload.
    Vec4,
    /// A pointer to a structure of the user.
    UserPtr,
    /// A resource variable of a library.
    Object,
    /// A pointer to float, which is an indexable register.
    PtrF32,
    /// `dx.types.ResourceProperties`.
    ResProps,
    /// `dx.types.ResBind`.
    ResBind,
    /// `dx.types.HitObject`.
    HitObject,
    /// `dx.types.NodeHandle`.
    NodeHandle,
    /// `dx.types.NodeRecordHandle`.
    NodeRecordHandle,
    /// `dx.types.NodeInfo`.
    NodeProps,
    /// `dx.types.NodeRecordInfo`.
    NodeRecordProps,
}

/// The values that are valid as an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OperandKind {
    /// Any value.
    Value,
    /// Any value, or undef if the operand has no meaning for the resource or signature, for example
    /// a coordinate of a dimension that a texture does not have.
    Undef,
    /// A constant.
    Imm,
    /// A constant whose low four bits are components x, y, z, w.
    ComponentMask,
    /// A constant: a [`ResourceClass`].
    ResourceClass,
    /// A constant: an [`AtomicBinOpCode`].
    AtomicBinOpCode,
    /// A constant: [`BarrierMode`] flags.
    BarrierMode,
    /// A constant: [`MemoryTypeFlags`].
    MemoryTypeFlags,
    /// A constant: [`BarrierSemanticFlags`].
    BarrierSemanticFlags,
    /// A constant: a [`WaveOpKind`].
    WaveOpKind,
    /// A constant: a [`WaveBitOpKind`].
    WaveBitOpKind,
    /// A constant: a [`WaveMultiPrefixOpKind`].
    WaveMultiPrefixOpKind,
    /// A constant: a [`SignedOpKind`].
    SignedOpKind,
    /// A constant: a [`QuadOpKind`].
    QuadOpKind,
    /// A constant: a [`QuadVoteOpKind`].
    QuadVoteOpKind,
    /// A constant: an [`UnpackMode`].
    UnpackMode,
    /// A constant: a [`PackMode`].
    PackMode,
}

impl OperandKind {
    /// The kind of an operand: the mark of the row, or [`Value`](OperandKind::Value) without a
    /// mark.
    pub(super) const fn marked(self, mark: OperandKind) -> OperandKind {
        mark
    }
    /// Whether the operand must be a constant.
    #[inline]
    pub const fn is_immediate(self) -> bool {
        !matches!(self, OperandKind::Value | OperandKind::Undef)
    }
    /// Whether a constant with this value is valid.
    pub fn accepts(self, value: u64) -> bool {
        let Ok(value) = u32::try_from(value) else {
            // Operands with an enumeration or flags have at most 32 bits.
            return matches!(self, OperandKind::Value | OperandKind::Undef | OperandKind::Imm);
        };
        match self {
            OperandKind::Value | OperandKind::Undef | OperandKind::Imm => true,
            OperandKind::ComponentMask => value <= 0xf,
            OperandKind::ResourceClass => ResourceClass::try_from(value).is_ok(),
            OperandKind::AtomicBinOpCode => AtomicBinOpCode::try_from(value).is_ok(),
            OperandKind::BarrierMode => BarrierMode::try_from(value).is_ok(),
            OperandKind::MemoryTypeFlags => MemoryTypeFlags::try_from(value).is_ok(),
            OperandKind::BarrierSemanticFlags => BarrierSemanticFlags::try_from(value).is_ok(),
            OperandKind::WaveOpKind => WaveOpKind::try_from(value).is_ok(),
            OperandKind::WaveBitOpKind => WaveBitOpKind::try_from(value).is_ok(),
            OperandKind::WaveMultiPrefixOpKind => WaveMultiPrefixOpKind::try_from(value).is_ok(),
            OperandKind::SignedOpKind => SignedOpKind::try_from(value).is_ok(),
            OperandKind::QuadOpKind => QuadOpKind::try_from(value).is_ok(),
            OperandKind::QuadVoteOpKind => QuadVoteOpKind::try_from(value).is_ok(),
            OperandKind::UnpackMode => UnpackMode::try_from(value).is_ok(),
            OperandKind::PackMode => PackMode::try_from(value).is_ok(),
        }
    }
}

/// The effect of an operation on memory that the program can see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemoryEffect {
    /// No effect. Calls with equal operands have equal results, as far as [`Tangle`] allows.
    Pure,
    /// Reads memory, or a state that changes, as the set of helper lanes.
    Read,
    /// Writes memory, or must not be moved for another reason.
    Write,
    /// Makes the lane a helper lane, whose writes have no effect.
    Demote,
    /// Ends the shader. No instruction after it runs.
    End,
}

/// The *tangle* of an operation: the set of lanes that must execute it together, because it
/// exchanges values between them or synchronizes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tangle {
    /// The lane alone.
    None,
    /// The active lanes of the wave.
    Wave,
    /// The active lanes of the quad.
    Quad,
    /// The other lanes of the quad, through implicit derivatives.
    Gradient,
    /// All threads of the group.
    Barrier,
}

/// What the translation makes of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lowering {
    /// One SPIR-V instruction with the same operands in the same order.
    Spirv(Op),
    /// One instruction of GLSL.std.450 with the same operands in the same order.
    Glsl(GlslStd450Op),
    /// The load of a built-in variable. The operand, if there is one, is the component.
    BuiltIn(BuiltIn),
    /// A function of `lower`: `file::name`.
    Func(&'static str),
    /// Other operations, which a pass of `passes` writes.
    Pass(&'static str),
    /// Nothing, because Vulkan has no form of it, for this reason. A shader that uses the operation
    /// is refused, and the error names the operation and the reason.
    Refused(&'static str),
    /// Nothing yet. A shader that uses the operation is refused, and the error names the operation.
    Todo,
}

/// What an operation becomes on vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Componentwise {
    /// One instruction of GLSL.std.450 with the same operands.
    Glsl(GlslStd450Op),
    /// The product of the first two operands, and its sum with the third.
    ProductAndSum,
    /// The operand between zero and one.
    Saturate,
}

impl Lowering {
    /// Whether shaders that use the operation are translated.
    #[must_use]
    pub fn is_done(self) -> bool {
        !matches!(self, Lowering::Refused(_) | Lowering::Todo)
    }
}

/// Why sampler feedback is refused.
pub const NO_FEEDBACK: &str = "sampler feedback has no counterpart in Vulkan";

impl std::fmt::Display for Lowering {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Lowering::Spirv(op) => write!(f, "Op{op:?}"),
            Lowering::Glsl(op) => write!(f, "GLSL {op:?}"),
            Lowering::BuiltIn(builtin) => write!(f, "BuiltIn {builtin:?}"),
            Lowering::Func(path) => f.write_str(path),
            Lowering::Pass(pass) => write!(f, "pass `{pass}`"),
            Lowering::Refused(_) => f.write_str("[refused](differences.md#not-supported)"),
            Lowering::Todo => f.write_str("todo"),
        }
    }
}

/// A scalar type that operations are overloaded on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScalarKind {
    /// half.
    F16,
    /// float.
    F32,
    /// double.
    F64,
    /// i1.
    I1,
    /// i8.
    I8,
    /// i16.
    I16,
    /// i32.
    I32,
    /// i64.
    I64,
}

/// The type that a call is overloaded on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overload {
    /// The operation has no overloads.
    Void,
    /// A scalar.
    Scalar(ScalarKind),
    /// A vector of these.
    Vector(ScalarKind),
    /// A structure, or a resource object.
    Type,
}

/// The overloads of an operation, as two sets of bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Overloads {
    /// A bit per [`ScalarKind`], then the bits [`VOID`](Self::VOID), [`USER`](Self::USER),
    /// [`OBJECT`](Self::OBJECT).
    plain: u16,
    /// A bit per [`ScalarKind`] that may be the element of a vector.
    vector: u16,
}

impl Overloads {
    const VOID: u16 = 1 << 8;
    const USER: u16 = 1 << 9;
    const OBJECT: u16 = 1 << 10;

    /// The overloads for the letters of a row. A wrong letter does not compile.
    pub(super) const fn from_letters(letters: &str) -> Self {
        let letters = letters.as_bytes();
        let (mut sets, mut set, mut i) = ([0; 2], 0, 0);
        while i < letters.len() {
            match letters[i] {
                b'<' => set += 1,
                b'h' => sets[set] |= 1 << ScalarKind::F16 as u16,
                b'f' => sets[set] |= 1 << ScalarKind::F32 as u16,
                b'd' => sets[set] |= 1 << ScalarKind::F64 as u16,
                b'1' => sets[set] |= 1 << ScalarKind::I1 as u16,
                b'8' => sets[set] |= 1 << ScalarKind::I8 as u16,
                b'w' => sets[set] |= 1 << ScalarKind::I16 as u16,
                b'i' => sets[set] |= 1 << ScalarKind::I32 as u16,
                b'l' => sets[set] |= 1 << ScalarKind::I64 as u16,
                b'v' => sets[set] |= Self::VOID,
                b'u' => sets[set] |= Self::USER,
                b'o' => sets[set] |= Self::OBJECT,
                // The compiler reports this out-of-bounds access, because the rows are constants.
                _ => sets[set + 2] = 0,
            }
            i += 1;
        }
        Self { plain: sets[0], vector: sets[1] }
    }

    /// Whether a call may be overloaded on a vector.
    pub fn has_vectors(self) -> bool {
        self.vector != 0
    }

    /// Whether a call may have this overload.
    pub fn contains(self, overload: Overload) -> bool {
        match overload {
            Overload::Void => self.plain & Self::VOID != 0,
            Overload::Scalar(kind) => self.plain & 1 << kind as u16 != 0,
            Overload::Vector(element) => self.vector & 1 << element as u16 != 0,
            Overload::Type => self.plain & (Self::USER | Self::OBJECT) != 0,
        }
    }
}

/// A set of shader stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StageSet(u32);

macro_rules! stage_sets {
    ($($(#[$meta:meta])* $name:ident = $($stage:ident)|+;)*) => {
        impl StageSet {
            $($(#[$meta])* pub const $name: StageSet = StageSet($(1 << ShaderStage::$stage as u32)|+);)*
        }
    };
}
stage_sets! {
    /// Pixel shaders.
    PIXEL = Pixel;
    /// Vertex shaders.
    VERTEX = Vertex;
    /// Geometry shaders.
    GEOMETRY = Geometry;
    /// Hull shaders.
    HULL = Hull;
    /// Domain shaders.
    DOMAIN = Domain;
    /// Mesh shaders.
    MESH = Mesh;
    /// Amplification shaders.
    AMPLIFICATION = Amplification;
    /// Work-graph nodes.
    NODE = Node;
    /// Any-hit shaders, but not library functions that they call.
    ANY_HIT = AnyHit;
    /// Stages that read a patch (hull and domain shaders).
    PATCH = Hull | Domain;
    /// Stages that have the primitive id without declaring it as an input.
    PRIMITIVE = Geometry | Hull | Domain;
    /// The stages of a graphics pipeline, without amplification shaders.
    GRAPHICS = Vertex | Hull | Domain | Geometry | Pixel | Mesh;
    /// Stages that may write sampler feedback with implicit derivatives.
    FEEDBACK = Library | Pixel;
    /// Stages with quads: implicit derivatives and quad operations.
    QUADS = Library | Pixel | Compute | Amplification | Mesh | Node;
    /// Stages with thread groups.
    GROUPS = Compute | Mesh | Amplification | Node;
    /// Stages that read the properties of a hit.
    HITS = Library | Intersection | AnyHit | ClosestHit;
    /// Stages that read the properties of a ray.
    HITS_AND_MISS = Library | Intersection | AnyHit | ClosestHit | Miss;
    /// Stages of a ray-tracing pipeline.
    RAYS = Library | RayGeneration | Intersection | AnyHit | ClosestHit | Miss | Callable;
    /// Stages that may trace rays.
    TRACERS = Library | RayGeneration | ClosestHit | Miss;
    /// Stages that may call callable shaders.
    CALLERS = Library | RayGeneration | ClosestHit | Miss | Callable;
    /// Ray-generation shaders.
    RAY_GENERATION = Library | RayGeneration;
    /// Intersection shaders.
    INTERSECTION = Library | Intersection;
}

impl StageSet {
    /// Every stage.
    pub const ALL: StageSet = StageSet((1 << ShaderStage::ALL.len()) - 1);

    /// Whether the stage is in the set.
    pub fn contains(self, stage: ShaderStage) -> bool {
        self.0 & 1 << stage as u32 != 0
    }
}

impl std::fmt::Display for StageSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if *self == StageSet::ALL {
            return f.write_str("all");
        }
        let mut separator = "";
        for &stage in ShaderStage::ALL.iter().filter(|&&stage| self.contains(stage)) {
            write!(f, "{separator}{stage}")?;
            separator = ", ";
        }
        Ok(())
    }
}

/// Reads a version: `6.5` is `(6, 5)`.
pub(super) const fn shader_model(text: &str) -> (u8, u8) {
    let text = text.as_bytes();
    (text[0] - b'0', text[2] - b'0')
}

impl OpInfo {
    /// Whether it writes the resource whose handle is an operand, or its counter.
    pub fn writes_resource(&self) -> bool {
        match self.access {
            Access::Store(_) => self.operand(Role::Resource).is_some(),
            Access::Atomic | Access::Counter | Access::Feedback => true,
            Access::None
            | Access::Handle
            | Access::Load(_)
            | Access::Sample
            | Access::Properties
            | Access::Trace
            | Access::AllocateQuery
            | Access::RayQuery(_)
            | Access::Payload
            | Access::Evaluate
            | Access::TargetSamples
            | Access::SampleIndex
            | Access::Coverage
            | Access::Emit => false,
        }
    }

    /// Whether an operand may be an address.
    pub fn takes_addresses(&self) -> bool {
        self.operands.iter().any(|operand| match operand.ty {
            OpType::UserPtr | OpType::PtrF32 | OpType::Object | OpType::HitObject | OpType::NodeHandle => true,
            OpType::Overload => self.overloads.contains(Overload::Type),
            _ => false,
        })
    }

    /// The number of the first operand with this role.
    #[inline]
    pub fn operand(&self, role: Role) -> Option<usize> {
        self.positions.roles[role as usize].map(usize::from)
    }

    /// The number of the first operand of the type that a call is overloaded on.
    #[inline]
    pub fn overload_operand(&self) -> Option<usize> {
        self.positions.overload.map(usize::from)
    }

    /// The first operand of a call with this role. `operands` does not count the opcode.
    #[inline]
    pub fn value<V: Copy>(&self, role: Role, operands: &[V]) -> Option<V> {
        operands.get(self.operand(role)?).copied()
    }

    /// What a barrier does; `None` for other operations, and for flags that are not constant.
    /// `constant` gives the value of an operand by its number.
    pub fn barrier_mode(&self, constant: impl Fn(usize) -> Option<u32>) -> Option<BarrierMode> {
        let flags = |kind: OperandKind| self.operands.iter().position(|operand| operand.kind == kind);
        if let Some(mode) = flags(OperandKind::BarrierMode) {
            return BarrierMode::try_from(constant(mode)?).ok();
        }
        let semantics = BarrierSemanticFlags::try_from(constant(flags(OperandKind::BarrierSemanticFlags)?)?).ok()?;
        let memory = match flags(OperandKind::MemoryTypeFlags) {
            Some(memory) => MemoryTypeFlags::try_from(constant(memory)?).ok()?,
            // The handle is that of a UAV.
            None => MemoryTypeFlags::UAV,
        };
        Some(BarrierMode::from_semantics(memory, semantics))
    }

    /// Checks the number of a call's operands, the opcode not counted.
    ///
    /// # Errors
    /// `Malformed` if the row has another number of operands.
    #[inline]
    pub fn check_arity(&self, operands: usize, place: Place) -> Result<()> {
        let expected = self.operands.len();
        if operands == expected {
            return Ok(());
        }
        let (name, opcode) = (self.name, self.opcode);
        Err(malformed!(place, "operation {name} ({opcode}) has {operands} operands after the opcode, not {expected}"))
    }

    /// The operands whose kinds are [immediate](OperandKind::is_immediate), as bits.
    #[inline]
    pub fn immediates(&self) -> u64 {
        self.positions.immediates
    }

    /// The number of the operand that is a pointer which a shader call passes: a payload, the
    /// parameter of a callable shader, or attributes.
    #[inline]
    pub fn passed_pointer(&self) -> Option<usize> {
        self.positions.passed.map(usize::from)
    }

    /// The numbers of the operands that are handles.
    #[inline]
    pub fn handles(&self) -> impl Iterator<Item = usize> {
        ones(self.positions.handles)
    }

    /// Checks an operand whose kind is [immediate](OperandKind::is_immediate). `constant` says
    /// whether it is a constant other than undef; `value` is its value as an unsigned number if it
    /// is an integer constant.
    ///
    /// # Errors
    /// `Malformed` if the operand is not a constant, or not a valid one.
    pub fn check_immediate(&self, operand: &Operand, constant: bool, value: Option<u64>, place: Place) -> Result<()> {
        let (name, opcode, operand_name, kind) = (self.name, self.opcode, operand.name, operand.kind);
        if !constant {
            return Err(malformed!(place, "operand {operand_name} of {name} ({opcode}) must be a constant"));
        }
        match value {
            Some(value) if !kind.accepts(value) => Err(malformed!(
                place,
                "operand {operand_name} of {name} ({opcode}) is {value}, which is not a valid {kind:?}"
            )),
            _ => Ok(()),
        }
    }

    /// Checks that the operation is valid in a stage.
    ///
    /// # Errors
    /// `Malformed` if it is not.
    #[inline]
    pub fn check_stage(&self, stage: ShaderStage, place: Place) -> Result<()> {
        if self.stages.contains(stage) {
            return Ok(());
        }
        let (name, opcode) = (self.name, self.opcode);
        Err(malformed!(place, "operation {name} ({opcode}) is not allowed in a {stage} shader"))
    }
}
