//! A DXIL program: one module of IR that all entry points share, with its metadata.
//!
//! In: [`assemble`](super::assemble) makes it from decoded IR and metadata. Out: planning and
//! lowering read it, and it does not change any more. What must hold: a question about one entry
//! point («which resources does it use?») is answered by the entry's [`Reach`], never by the module
//! as a whole, so that an entry never gets what only another entry needs.

use std::sync::{Arc, OnceLock};

use foldhash::HashMap;

use crate::dxil::address::{Address, Variable};
use crate::dxil::consts::{
    ComponentType, InputPrimitive, InterpolationMode, MeshOutputTopology, PrimitiveTopology, SemanticKind, ShaderStage,
    TessellatorDomain, TessellatorOutputPrimitive, TessellatorPartitioning,
};
use crate::dxil::data_layout::Sizes;
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
    /// The first entry point of a shader. Every shader has it, except a library of functions only.
    pub const FIRST: EntryId = EntryId(0);
}

/// One element of a signature: rows of one to four components.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignatureElement {
    /// Its number, by which `loadInput` and `storeOutput` name it.
    pub id: u32,
    /// Semantic name, for example `TEXCOORD`.
    pub name: Arc<str>,
    /// The system value that the semantic stands for, if any.
    pub semantic: SemanticKind,
    /// Semantic index of each row.
    pub indices: Box<[u32]>,
    /// Type of its components.
    pub component: ComponentType,
    /// How a pixel shader's input is interpolated.
    pub interpolation: InterpolationMode,
    /// Number of rows: 1, or the length of the array.
    pub rows: u32,
    /// Components per row, 1 to 4.
    pub cols: u8,
    /// First row after packing; `None` if the element is not packed, as some system values.
    pub start_row: Option<u32>,
    /// First component after packing.
    pub start_col: u8,
    /// Geometry stream.
    pub stream: u32,
    /// Mask of the components that are read (inputs) or written (outputs); 0xf if the metadata does
    /// not tell.
    pub usage_mask: u8,
    /// Mask of components indexed dynamically.
    pub dynamic_index_mask: u8,
}

impl SignatureElement {
    /// Number of components.
    pub fn components(&self) -> u32 {
        self.rows.saturating_mul(u32::from(self.cols))
    }
}

/// A signature: its elements, by id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Signature {
    /// The elements.
    pub elements: Vec<SignatureElement>,
    /// The numbers of the elements in `elements`, by id.
    by_id: Vec<u32>,
    /// The components of each element's semantic.
    sums: Vec<SemanticComponents>,
}

/// The components that the elements of one semantic and stream have together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SemanticComponents {
    /// Those of the elements before one of them.
    pub before: u32,
    /// Those of all elements.
    pub total: u32,
}

impl Signature {
    /// A signature of these elements.
    pub fn new(elements: Vec<SignatureElement>) -> Self {
        let id = |&number: &u32| elements.get(number as usize).map(|element| element.id);
        let mut by_id: Vec<u32> = (0..elements.len() as u32).collect();
        by_id.sort_by_key(id);
        let mut totals: HashMap<(SemanticKind, u32), u32> = HashMap::default();
        let mut sums = Vec::with_capacity(elements.len());
        for element in &elements {
            let total = totals.entry((element.semantic, element.stream)).or_default();
            sums.push(SemanticComponents { before: *total, total: 0 });
            *total = total.saturating_add(element.components());
        }
        for (sum, element) in sums.iter_mut().zip(&elements) {
            sum.total = totals.get(&(element.semantic, element.stream)).copied().unwrap_or_default();
        }
        Self { elements, by_id, sums }
    }

    /// The element with this id.
    pub fn element(&self, id: u32) -> Option<&SignatureElement> {
        self.elements.get(self.number(id)?)
    }

    /// What the elements of an element's semantic and stream have together. The element is one of this
    /// signature.
    pub fn components(&self, element: &SignatureElement) -> SemanticComponents {
        self.number(element.id).and_then(|number| self.sums.get(number)).copied().unwrap_or_default()
    }

    /// The bytes that its lists occupy, without what the elements point to.
    pub(super) fn heap_bytes(&self) -> usize {
        self.elements.capacity() * size_of::<SignatureElement>()
            + self.by_id.capacity() * size_of::<u32>()
            + self.sums.capacity() * size_of::<SemanticComponents>()
    }

    /// The place of the element with this id. Ids are the places, unless a signature has gaps or another
    /// order.
    fn number(&self, id: u32) -> Option<usize> {
        let id_at = |number: usize| self.elements.get(number).map(|element| element.id);
        let number = id as usize;
        if id_at(number) == Some(id) {
            return Some(number);
        }
        let first = self.by_id.partition_point(|&number| id_at(number as usize) < Some(id));
        let number = *self.by_id.get(first)? as usize;
        (id_at(number) == Some(id)).then_some(number)
    }
}

/// The flags of `ShaderFlags` metadata (DXIL.rst, "Shader Flags"), with functions for those that
/// the translation uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShaderFlags(pub u64);

impl ShaderFlags {
    /// The flags that are options of the compiler and therefore hold for every entry point of a
    /// library.
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

/// The properties of an entry point that depend on its stage.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum StageProperties {
    /// A stage without properties besides its signatures.
    #[default]
    None,
    /// Compute shader.
    Compute {
        /// `[numthreads]`.
        num_threads: [u32; 3],
        /// `[WaveSize]`: minimum, maximum (0: exact), preferred (0: none).
        wave_size: Option<[u32; 3]>,
    },
    /// Geometry shader.
    Geometry {
        /// Input primitive.
        input: InputPrimitive,
        /// Maximum number of vertices that an invocation emits.
        max_vertices: u32,
        /// Mask of the streams that it emits to.
        streams: u32,
        /// Topology of the output primitives.
        output: PrimitiveTopology,
        /// Invocations per primitive.
        instances: u32,
    },
    /// Hull shader.
    Hull {
        /// Control points of the input patch.
        input_points: u32,
        /// Control points of the output patch, which is the number of invocations of the
        /// control-point phase.
        output_points: u32,
        /// Tessellation domain.
        domain: TessellatorDomain,
        /// Partitioning mode.
        partitioning: TessellatorPartitioning,
        /// Primitive that the tessellator outputs.
        output: TessellatorOutputPrimitive,
    },
    /// Domain shader.
    Domain {
        /// Tessellation domain.
        domain: TessellatorDomain,
        /// Control points of the input patch.
        input_points: u32,
    },
    /// Mesh shader.
    Mesh {
        /// `[numthreads]`.
        num_threads: [u32; 3],
        /// `[WaveSize]`, as in a compute shader.
        wave_size: Option<[u32; 3]>,
        /// Vertices that a group outputs at most.
        max_vertices: u32,
        /// Primitives that a group outputs at most.
        max_primitives: u32,
        /// Topology of the output primitives.
        topology: MeshOutputTopology,
        /// Size of the payload in bytes; 0 if the shader does not read one.
        payload_bytes: u32,
    },
    /// Amplification shader.
    Amplification {
        /// `[numthreads]`.
        num_threads: [u32; 3],
        /// `[WaveSize]`, as in a compute shader.
        wave_size: Option<[u32; 3]>,
        /// Size of the payload in bytes.
        payload_bytes: u32,
    },
    /// A stage of a ray-tracing pipeline.
    Rays {
        /// Size of the payload, or of a callable shader's parameter, in bytes; 0 if the stage has
        /// none.
        payload_bytes: u32,
        /// Size of the attributes in bytes; 0 if the stage has none.
        attribute_bytes: u32,
    },
}

impl StageProperties {
    /// `[numthreads]` of a stage that has thread groups.
    pub fn num_threads(&self) -> Option<[u32; 3]> {
        match *self {
            Self::Compute { num_threads, .. }
            | Self::Mesh { num_threads, .. }
            | Self::Amplification { num_threads, .. } => Some(num_threads),
            _ => None,
        }
    }

    /// `[WaveSize]` of a stage that has thread groups: minimum, maximum (0: exact), preferred (0:
    /// none).
    pub fn wave_size(&self) -> Option<[u32; 3]> {
        match *self {
            Self::Compute { wave_size, .. } | Self::Mesh { wave_size, .. } | Self::Amplification { wave_size, .. } => {
                wave_size
            }
            _ => None,
        }
    }
}

/// An entry point.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Entry {
    /// The name in the container: the name in the source, or the C++-mangled name in a ray-tracing
    /// library. The compiler marks mangled names with a leading byte of value 1, which is not part
    /// of this name.
    pub name: Arc<str>,
    /// The name in the source. It equals [`name`](Self::name) if that is not mangled.
    pub plain_name: Arc<str>,
    /// The shader stage.
    pub stage: ShaderStage,
    /// The function that the stage calls. For a hull shader that passes its control points through,
    /// it is the patch-constant function.
    pub func: Func,
    /// The patch-constant function of a hull shader, which runs once per patch.
    pub patch_function: Option<Func>,
    /// Properties of its stage.
    pub properties: StageProperties,
    /// Shader flags.
    pub flags: ShaderFlags,
    /// Input signature.
    pub inputs: Arc<Signature>,
    /// Output signature.
    pub outputs: Arc<Signature>,
    /// Signature of patch constants (hull and domain shaders) or of primitives (mesh shaders).
    pub patch_constants: Arc<Signature>,
    /// The functions, resources and operations that its code reaches.
    pub reach: Reach,
}

impl Entry {
    /// Whether this is a hull shader without a control-point phase: control points pass through
    /// unchanged.
    pub fn is_pass_through_hull(&self) -> bool {
        self.patch_function == Some(self.func)
    }

    /// Whether the translation depends on the sample count of the pipeline's targets
    /// ([`PipelineFacts::samples`](crate::options::PipelineFacts::samples)), which the shader does
    /// not state.
    pub fn asks_for_samples(&self) -> bool {
        // The position at the centroid is at the pixel's centre if the targets have one sample.
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

    /// Whether a pixel shader reads a value that sample shading changes in Vulkan and not in D3D: the
    /// samples that the primitive covers, or the position
    /// ([`PipelineFacts::sample_shading`](crate::options::PipelineFacts::sample_shading)).
    pub fn reads_samples(&self) -> bool {
        let position = |e: &SignatureElement| e.semantic == SemanticKind::Position;
        self.stage == ShaderStage::Pixel
            && (self.inputs.elements.iter().any(position) || self.reach.operations.has(OpCode::Coverage))
    }

    /// Whether a pixel shader evaluates an input at a place of its choice
    /// (`EvaluateAttributeSnapped` and its siblings), and has an interface with numbers of 16 bits.
    pub fn evaluates_16_bit_inputs(&self) -> bool {
        let evaluations = [OpCode::EvalSnapped, OpCode::EvalSampleIndex, OpCode::EvalCentroid];
        self.stage == ShaderStage::Pixel
            && evaluations.into_iter().any(|op| self.reach.operations.has(op))
            && self.has_16_bit_interface()
    }

    /// Whether an input or output is a number of 16 bits.
    pub fn has_16_bit_interface(&self) -> bool {
        let signatures = [&self.inputs, &self.outputs, &self.patch_constants];
        signatures.into_iter().flat_map(|signature| &signature.elements).any(|e| e.component.is_16_bits())
    }

    /// Whether a pixel shader runs once for each sample: it reads the sample index, or an input
    /// interpolated at the sample.
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
    /// The IR. There is one copy, however many entry points there are.
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
    /// The declared resources (SRVs, UAVs, constant buffers, samplers, in the order of the
    /// metadata), then the views that handles take from a descriptor heap, one per kind of view.
    pub resources: PrimaryMap<ResourceId, Resource>,
    /// The handles of each function.
    pub handles: SecondaryMap<Func, HandleTable>,
    /// The global variables that stand for resources, in libraries.
    pub resource_globals: EntitySet<Global>,
    /// Size of the input that the program was parsed from, in bytes.
    pub input_bytes: usize,
    /// The bitcode of the container's part that has the names of resources, if the DXIL part has not
    /// all of them ([`names`](super::names)).
    pub named_part: Option<Box<[u8]>>,
    /// The sizes of all types, once they are asked for.
    pub(super) sizes: OnceLock<Sizes>,
}

impl Program {
    /// Whether a load of this type loads a resource from its global variable.
    pub fn is_resource(&self, function: &Function, ty: TypeId, ptr: Value) -> bool {
        // From shader model 6.6 on the variables have the handle type; before, each has the
        // structure type of its resource.
        match self.module.types[ty] {
            Type::Handle => true,
            Type::Struct { .. } => Address::resolve(&self.module, function, ptr).is_ok_and(|address| {
                matches!(address.variable, Variable::Global(global) if self.resource_globals.contains(global))
            }),
            _ => false,
        }
    }

    /// The sizes of all types. They are measured once, on the first question.
    pub fn sizes(&self) -> &Sizes {
        self.sizes.get_or_init(|| self.module.layout.measure(&self.module.types))
    }

    /// The entry points with their ids.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = (EntryId, &Entry)> {
        self.entries.iter()
    }
}
