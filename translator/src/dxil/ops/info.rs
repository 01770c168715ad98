//! The columns of the table as types, and the checks of a call against its row.

use rspirv::spirv::{BuiltIn, GlslStd450Op, Op};

use super::OpCode;
use crate::dxil::consts::{
    AtomicBinOpCode, BarrierMode, BarrierSemanticFlags, MemoryTypeFlags, PackMode, QuadOpKind, QuadVoteOpKind,
    ResourceClass, ShaderStage, SignedOpKind, UnpackMode, WaveBitOpKind, WaveMultiPrefixOpKind, WaveOpKind,
};
use crate::error::{Place, Result};

/// One row of the table: what is true of an operation, whoever calls it.
#[derive(Clone, Debug)]
pub struct OpInfo {
    /// The operation.
    pub opcode: OpCode,
    /// DXIL's name of it.
    pub name: &'static str,
    /// The file of `lower/` it belongs to.
    pub group: &'static str,
    /// The class in its symbol, `dx.op.<class>.<overload>`.
    pub class: &'static str,
    /// The types it is overloaded on.
    pub overloads: Overloads,
    /// Its operands, without the opcode.
    pub operands: &'static [Operand],
    /// What it returns.
    pub result: OpType,
    /// What it does to memory.
    pub effect: MemoryEffect,
    /// What it shares with other lanes.
    pub tangle: Tangle,
    /// The stages that have it.
    pub stages: StageSet,
    /// The first shader model that has it, `(major, minor)`.
    pub shader_model: (u8, u8),
    /// What it becomes.
    pub home: Home,
}

/// An operand of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    /// Its name, as in the views of [`args`](super::args).
    pub name: &'static str,
    /// Its type.
    pub ty: OpType,
    /// What may stand there.
    pub kind: OperandKind,
}

/// Type of an operand or result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OpType {
    /// Nothing.
    Void,
    /// The type the call is overloaded on.
    Overload,
    /// i1, or as many of them as the overload has elements.
    OverloadI1,
    /// i32, or as many of them as the overload has elements.
    OverloadI32,
    /// The element of the vector the call is overloaded on.
    Element,
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
    /// Pointer to a structure of the user.
    UserPtr,
    /// A resource variable of a library.
    Object,
    /// Pointer to float: an indexable register.
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

/// What may stand as an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OperandKind {
    /// Any value.
    Value,
    /// Any value; undef where the resource has no such dimension, the signature no such axis, and the like.
    Undef,
    /// Any value from 0 to 3: a lane of a quad.
    QuadLane,
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
    /// The mark of a row replaces [`Value`](OperandKind::Value), which is what no mark means.
    pub(super) const fn marked(self, mark: OperandKind) -> OperandKind {
        mark
    }
    /// Whether the operand must be a constant.
    pub fn is_immediate(self) -> bool {
        !matches!(self, OperandKind::Value | OperandKind::Undef | OperandKind::QuadLane)
    }
    /// Whether a constant of this value may stand there.
    pub fn accepts(self, value: u64) -> bool {
        let Ok(value) = u32::try_from(value) else {
            // Only plain operands are wider than 32 bits.
            return matches!(self, OperandKind::Value | OperandKind::Undef | OperandKind::Imm);
        };
        match self {
            OperandKind::Value | OperandKind::Undef | OperandKind::Imm => true,
            OperandKind::QuadLane => value <= 3,
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

/// What an operation does to memory that the program can see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemoryEffect {
    /// Nothing: equal operands give equal results, as far as [`Tangle`] allows.
    Pure,
    /// Reads it (or a state that changes, as the set of helper lanes).
    Read,
    /// Writes it, or must stay where it is for another reason.
    Write,
}

/// What ties an operation to the set of lanes that execute it together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tangle {
    /// Nothing.
    None,
    /// The active lanes of the wave (or quad).
    Wave,
    /// The other lanes of the quad, through implicit derivatives.
    Gradient,
    /// All threads of the group.
    Barrier,
}

/// What an operation becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Home {
    /// One SPIR-V instruction with the same operands in the same order.
    Spirv(Op),
    /// One instruction of GLSL.std.450 with the same operands in the same order.
    Glsl(GlslStd450Op),
    /// The load of a built-in variable; its one operand, where it has one, is the component.
    BuiltIn(BuiltIn),
    /// A function of `lower`: `group::name`.
    Func(&'static str),
    /// Nothing yet: refused by name.
    Todo,
}

impl std::fmt::Display for Home {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Home::Spirv(op) => write!(f, "Op{op:?}"),
            Home::Glsl(op) => write!(f, "GLSL {op:?}"),
            Home::BuiltIn(builtin) => write!(f, "BuiltIn {builtin:?}"),
            Home::Func(path) => f.write_str(path),
            Home::Todo => f.write_str("todo"),
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

/// What a call is overloaded on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overload {
    /// Nothing.
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
    /// Scalars by [`ScalarKind`], then [`VOID`](Self::VOID), [`USER`](Self::USER), [`OBJECT`](Self::OBJECT).
    plain: u16,
    /// Elements of vectors by [`ScalarKind`].
    vector: u16,
}

impl Overloads {
    const VOID: u16 = 1 << 8;
    const USER: u16 = 1 << 9;
    const OBJECT: u16 = 1 << 10;

    /// From the letters of a row. A wrong letter does not compile.
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
                // Out of bounds, which the compiler reports: rows are constants.
                _ => sets[set + 2] = 0,
            }
            i += 1;
        }
        Self { plain: sets[0], vector: sets[1] }
    }

    /// Whether a call may be overloaded so.
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
    /// Any-hit shaders; not a library function that one of them calls.
    ANY_HIT = AnyHit;
    /// Stages that read a patch.
    PATCH = Hull | Domain;
    /// Stages that have a primitive's number without declaring it as an input.
    PRIMITIVE = Geometry | Hull | Domain;
    /// The graphics pipeline, without amplification.
    GRAPHICS = Vertex | Hull | Domain | Geometry | Pixel | Mesh;
    /// Stages that may write sampler feedback with implicit derivatives.
    FEEDBACK = Library | Pixel;
    /// Stages with quads: implicit derivatives and quad operations.
    QUADS = Library | Pixel | Compute | Amplification | Mesh | Node;
    /// Stages with thread groups.
    GROUPS = Compute | Mesh | Amplification | Node;
    /// Stages that look at a hit.
    HITS = Library | Intersection | AnyHit | ClosestHit;
    /// Stages that look at a ray.
    HITS_AND_MISS = Library | Intersection | AnyHit | ClosestHit | Miss;
    /// Stages of a ray-tracing pipeline.
    RAYS = Library | RayGeneration | Intersection | AnyHit | ClosestHit | Miss | Callable;
    /// Stages that may trace rays.
    TRACERS = Library | RayGeneration | ClosestHit | Miss;
    /// Stages that may call callable shaders.
    CALLERS = Library | RayGeneration | ClosestHit | Miss | Callable;
    /// Ray generation.
    RAY_GENERATION = Library | RayGeneration;
    /// Intersection shaders.
    INTERSECTION = Library | Intersection;
}

impl StageSet {
    /// Every stage.
    pub const ALL: StageSet = StageSet((1 << ShaderStage::ALL.len()) - 1);

    /// Whether the stage is in it.
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

/// `6.5` as `(6, 5)`.
pub(super) const fn shader_model(text: &str) -> (u8, u8) {
    let text = text.as_bytes();
    (text[0] - b'0', text[2] - b'0')
}

impl OpInfo {
    /// Checks the number of a call's operands, the opcode not counted.
    ///
    /// # Errors
    /// `Malformed` for another number than the row's.
    #[inline]
    pub fn check_arity(&self, operands: usize, place: Place) -> Result<()> {
        let expected = self.operands.len();
        if operands == expected {
            return Ok(());
        }
        let (name, opcode) = (self.name, self.opcode as u32);
        Err(malformed!(place, "operation {name} ({opcode}) has {operands} operands after the opcode, not {expected}"))
    }

    /// Checks one operand. `constant` is whether it is a constant other than undef, `value` its value as an unsigned number
    /// where it is an integer constant.
    ///
    /// # Errors
    /// `Malformed` where the row asks for a constant, or for another one.
    pub fn check_operand(&self, operand: &Operand, constant: bool, value: Option<u64>, place: Place) -> Result<()> {
        let (name, opcode, operand_name, kind) = (self.name, self.opcode as u32, operand.name, operand.kind);
        if kind.is_immediate() && !constant {
            return Err(malformed!(place, "operand {operand_name} of {name} ({opcode}) must be a constant"));
        }
        match value {
            Some(value) if !kind.accepts(value) => {
                Err(malformed!(place, "operand {operand_name} of {name} ({opcode}) is {value}, which is no {kind:?}"))
            }
            _ => Ok(()),
        }
    }

    /// Checks that a stage has the operation.
    ///
    /// # Errors
    /// `Malformed` where it has not.
    #[inline]
    pub fn check_stage(&self, stage: ShaderStage, place: Place) -> Result<()> {
        if self.stages.contains(stage) {
            return Ok(());
        }
        let (name, opcode) = (self.name, self.opcode as u32);
        Err(malformed!(place, "operation {name} ({opcode}) is not allowed in a {stage} shader"))
    }
}
