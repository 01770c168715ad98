//! A DXIL program: one module of IR that all entry points share, and the metadata about it.
//!
//! In: [`assemble`](super::assemble) makes it from decoded IR and metadata. Out: planning and lowering read it; nothing changes it.
//! What must hold: a question about one entry point («which resources does it use?») is answered by the entry's
//! [`Reach`], never by the module as a whole, so that an entry never gets what only another one needs.

use std::sync::Arc;

use crate::dxil::address::{Address, Variable};
use crate::dxil::consts::{
    ComponentType, InputPrimitive, InterpolationMode, PrimitiveTopology, SemanticKind, ShaderStage, TessellatorDomain,
    TessellatorOutputPrimitive, TessellatorPartitioning,
};
use crate::dxil::handles::HandleTable;
use crate::dxil::ir::{Func, Function, Global, Module, Type, TypeId, Value};
use crate::dxil::ops::OpCode;
use crate::dxil::reach::Reach;
use crate::dxil::resources::{Resource, ResourceId};
use crate::entity::{EntitySet, PrimaryMap, SecondaryMap};

entity! {
    /// An entry point of a shader.
    pub struct EntryId, "e";
}

impl EntryId {
    /// The first entry point of a shader, which every shader has.
    pub const FIRST: EntryId = EntryId(0);
}

/// One element of a signature: rows of one to four components.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignatureElement {
    /// Its number, what `loadInput` and `storeOutput` name.
    pub id: u32,
    /// Semantic name, as `TEXCOORD`.
    pub name: Box<str>,
    /// What the semantic means to the pipeline.
    pub semantic: SemanticKind,
    /// Semantic index of each row.
    pub indices: Box<[u32]>,
    /// Type of its components.
    pub component: ComponentType,
    /// How a pixel shader's input is interpolated.
    pub interpolation: InterpolationMode,
    /// Rows: 1, or the array's length.
    pub rows: u32,
    /// Components per row, 1 to 4.
    pub cols: u8,
    /// First row after packing; `None` where it is not packed (some system values).
    pub start_row: Option<u32>,
    /// First component after packing.
    pub start_col: u8,
    /// Geometry stream.
    pub stream: u32,
    /// Components read (inputs) or written (outputs), as far as the metadata says; 0xf otherwise.
    pub usage_mask: u8,
    /// Mask of components indexed dynamically.
    pub dynamic_index_mask: u8,
}

/// A signature's elements, by id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signature {
    /// The elements.
    pub elements: Vec<SignatureElement>,
}

impl Signature {
    /// The element with this id.
    pub fn element(&self, id: u32) -> Option<&SignatureElement> {
        match self.elements.get(id as usize) {
            Some(e) if e.id == id => Some(e),
            _ => self.elements.iter().find(|e| e.id == id),
        }
    }
}

/// Tags of `ShaderFlags` metadata that translation asks for (DXIL.rst, "Shader Flags").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShaderFlags(pub u64);

impl ShaderFlags {
    /// The flags that are options of the compiler, so that they hold for every entry point of a library.
    pub fn of_the_compilation(self) -> Self {
        Self(self.0 & (1 << 23))
    }
    /// Bit 3: `[earlydepthstencil]`.
    pub fn early_depth_stencil(self) -> bool {
        self.0 >> 3 & 1 != 0
    }
    /// Bit 13: typed loads of UAVs of more than one 32-bit component.
    pub fn typed_uav_load_additional_formats(self) -> bool {
        self.0 >> 13 & 1 != 0
    }
    /// Bit 23: `half` and `min16int` are native 16-bit types.
    pub fn native_low_precision(self) -> bool {
        self.0 >> 23 & 1 != 0
    }
}

/// Properties that one stage has and others do not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum StageProperties {
    /// Nothing beyond the signatures.
    #[default]
    None,
    /// Compute.
    Compute {
        /// `[numthreads]`.
        num_threads: [u32; 3],
        /// `[WaveSize]`: minimum, maximum (0: exact), preferred (0: none).
        wave_size: Option<[u32; 3]>,
    },
    /// Geometry.
    Geometry {
        /// The primitive it takes.
        input: InputPrimitive,
        /// Vertices that each of its invocations emits at most.
        max_vertices: u32,
        /// The streams it emits to, a bit each.
        streams: u32,
        /// What it makes of them.
        output: PrimitiveTopology,
        /// Its invocations per primitive.
        instances: u32,
    },
    /// Hull.
    Hull {
        /// Control points of the patch it takes.
        input_points: u32,
        /// Control points of the patch it makes: invocations of its control-point phase.
        output_points: u32,
        /// Tessellation domain.
        domain: TessellatorDomain,
        /// Partitioning mode.
        partitioning: TessellatorPartitioning,
        /// Primitive that the tessellator outputs.
        output: TessellatorOutputPrimitive,
    },
    /// Domain.
    Domain {
        /// Tessellation domain.
        domain: TessellatorDomain,
        /// Control points of the patch.
        input_points: u32,
    },
    /// Any stage whose properties are read but that is not lowered yet; says which.
    NotLowered(&'static str),
}

/// An entry point.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Entry {
    /// The name that the container gives it: the source's name, or the C++-mangled one in a ray-tracing library. The compiler
    /// marks mangled names by a leading byte of value 1, which is not part of it.
    pub name: Arc<str>,
    /// The name in the source. It equals [`name`](Self::name) where that is not mangled.
    pub plain_name: Arc<str>,
    /// The shader stage.
    pub stage: ShaderStage,
    /// The function that the stage enters. A hull shader that passes its control points through has no such function; then
    /// this is the patch-constant function.
    pub func: Func,
    /// The patch-constant function of a hull shader, which runs once per patch.
    pub patch_function: Option<Func>,
    /// Properties of its stage.
    pub properties: StageProperties,
    /// Shader flags.
    pub flags: ShaderFlags,
    /// Input signature.
    pub inputs: Signature,
    /// Output signature.
    pub outputs: Signature,
    /// Signature of patch constants (hull and domain shaders) or of primitives (mesh shaders).
    pub patch_constants: Signature,
    /// What its code reaches: functions, resources, operations.
    pub reach: Reach,
}

impl Entry {
    /// Whether this is a hull shader without a control-point phase: control points pass through unchanged.
    pub fn is_pass_through_hull(&self) -> bool {
        self.patch_function == Some(self.func)
    }

    /// Whether the translation depends on the sample count of the pipeline's targets, which only the pipeline knows:
    /// [`PipelineFacts::samples`](crate::options::PipelineFacts::samples).
    pub fn asks_for_samples(&self) -> bool {
        // A position at the centroid is at the pixel's centre where there is one sample.
        use InterpolationMode::{LinearCentroid, LinearNoperspectiveCentroid};
        let centroid = |e: &SignatureElement| {
            e.semantic == SemanticKind::Position
                && matches!(e.interpolation, LinearCentroid | LinearNoperspectiveCentroid)
        };
        let operations = self.reach.operations;
        self.stage == ShaderStage::Pixel
            && (self.inputs.elements.iter().any(centroid)
                || operations.has(OpCode::RenderTargetGetSampleCount)
                || operations.has(OpCode::RenderTargetGetSamplePosition)
                || operations.has(OpCode::Coverage) && self.runs_per_sample())
    }

    /// Whether a pixel shader runs once for each sample: it reads the sample index, or an input interpolated at the sample.
    pub fn runs_per_sample(&self) -> bool {
        use InterpolationMode::{LinearNoperspectiveSample, LinearSample};
        let at_sample = |e: &SignatureElement| matches!(e.interpolation, LinearSample | LinearNoperspectiveSample);
        self.stage == ShaderStage::Pixel
            && (self.inputs.elements.iter().any(at_sample) || self.reach.operations.has(OpCode::SampleIndex))
    }
}

/// A DXIL program: a module, its entry points and its resources.
#[derive(Clone, Debug)]
pub struct Program {
    /// The IR, one copy however many entry points there are.
    pub module: Module,
    /// The kind of module: a stage, or [`ShaderStage::Library`].
    pub kind: ShaderStage,
    /// Shader model, `(major, minor)`.
    pub shader_model: (u8, u8),
    /// DXIL version, `(major, minor)`.
    pub dxil_version: (u8, u8),
    /// Validator version, `(major, minor)`.
    pub validator_version: (u8, u8),
    /// The entry points, in the order of the metadata.
    pub entries: PrimaryMap<EntryId, Entry>,
    /// The declared resources (SRVs, UAVs, constant buffers, samplers, in the order of the metadata), then those that
    /// handles take from a descriptor heap, one for each kind of view.
    pub resources: PrimaryMap<ResourceId, Resource>,
    /// The handles of each function.
    pub handles: SecondaryMap<Func, HandleTable>,
    /// The global variables that stand for resources, in libraries.
    pub resource_globals: EntitySet<Global>,
}

impl Program {
    /// Whether a load of this type takes a resource from its global variable.
    pub fn is_resource(&self, function: &Function, ty: TypeId, ptr: Value) -> bool {
        // Shader model 6.6 gives the variables the type of handles; before, each has its resource's structure type.
        match self.module.types[ty] {
            Type::Handle => true,
            Type::Struct { .. } => Address::resolve(&self.module, function, ptr).is_ok_and(|address| {
                matches!(address.variable, Variable::Global(global) if self.resource_globals.contains(global))
            }),
            _ => false,
        }
    }

    /// The entry points with their ids.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = (EntryId, &Entry)> {
        self.entries.iter()
    }
}
