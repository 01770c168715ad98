//! A DXIL program: one module of IR that all entry points share, with its metadata.
//!
//! In: [`assemble`] makes it from decoded IR and metadata. Out: planning and lowering read it, and
//! it does not change any more. What must hold: a question about one entry point («which resources
//! does it use?») is answered by the entry's [`ReachableSet`], never by the module as a whole, so
//! that an entry never gets what only another entry needs.

pub mod assemble;
pub mod names;
mod print;
mod size;

use std::sync::{Arc, OnceLock};

use crate::analysis::address::{Address, MemoryVariable};
use crate::analysis::handles::HandleTables;
use crate::analysis::reachable::ReachableSet;
use crate::ir::data_layout::Sizes;
use crate::ir::declarations::{ShaderFlags, Signature, SignatureElement, StageProperties};
use crate::ir::resources::{Resource, ResourceId};
use crate::ir::{Func, Function, Global, Module, Type, TypeId, Value};
use crate::ops::Access;
use crate::ops::consts::{InterpolationMode, SemanticKind, ShaderStage};
use dxil_base::entity::{EntitySet, PrimaryMap};
use dxil_base::lists::Pool;
use dxil_base::names::plain;

entity! {
    /// An entry point of a shader.
    pub struct EntryId, "e";
}

impl EntryId {
    /// The first entry point of a shader. Every shader has it, except a library of functions only.
    pub const FIRST: EntryId = EntryId(0);
}

/// An entry point.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Entry {
    /// The name in the container: the name in the source, or the C++-mangled name in a ray-tracing
    /// library. The compiler marks mangled names with a leading byte of value 1, which is not part
    /// of this name.
    pub name: Arc<str>,
    /// The shader stage.
    pub stage: ShaderStage,
    /// The function that the stage calls. For a hull shader that passes its control points through,
    /// it is the patch-constant function.
    #[doc(hidden)]
    pub func: Func,
    /// The patch-constant function of a hull shader, which runs once per patch.
    #[doc(hidden)]
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
    #[doc(hidden)]
    pub reachable: ReachableSet,
}

impl Entry {
    /// The name in the source. It equals [`name`](Self::name) if that is not mangled.
    pub fn plain_name(&self) -> &str {
        plain(&self.name)
    }

    /// Whether this is a hull shader without a control-point phase: control points pass through
    /// unchanged.
    pub fn is_pass_through_hull(&self) -> bool {
        self.patch_function == Some(self.func)
    }

    /// Whether a pixel shader has a second target, which may be the second source of blending.
    pub fn has_second_target(&self) -> bool {
        let targets = self.outputs.elements.iter().filter(|e| e.semantic == SemanticKind::Target);
        self.stage == ShaderStage::Pixel && targets.flat_map(|e| &e.indices).any(|&index| index == 1)
    }

    /// Whether the entry writes a layer, viewport or shading rate. They are read by the rasterizer
    /// or, as ordinary values, by the next shader stage.
    pub fn writes_for_rasterizer(&self) -> bool {
        use SemanticKind as S;
        let values = [S::RenderTargetArrayIndex, S::ViewPortArrayIndex, S::ShadingRate];
        self.outputs.elements.iter().any(|e| values.contains(&e.semantic))
    }

    /// Whether the entry has an output with this semantic, in this stream of a geometry shader.
    pub fn has_output(&self, semantic: &str, index: u32, stream: u32) -> bool {
        let is_same = |e: &SignatureElement| e.stream == stream && e.indices.contains(&index);
        self.outputs.elements.iter().any(|e| is_same(e) && e.name.eq_ignore_ascii_case(semantic))
    }

    /// Whether the translation depends on the sample count of the pipeline's targets
    /// ([`PipelineState::samples`](crate::options::PipelineState::samples)), which the shader does
    /// not state.
    pub fn asks_for_samples(&self) -> bool {
        // The position at the centroid is at the pixel's centre if the targets have one sample.
        use InterpolationMode::{LinearCentroid, LinearNoperspectiveCentroid};
        let centroid = |e: &SignatureElement| {
            e.semantic == SemanticKind::Position
                && matches!(e.interpolation, LinearCentroid | LinearNoperspectiveCentroid)
        };
        let operations = self.reachable.operations;
        self.stage == ShaderStage::Pixel
            && (self.inputs.elements.iter().any(centroid)
                || operations.accesses(Access::TargetSamples)
                || operations.accesses(Access::Coverage) && self.runs_per_sample())
    }

    /// Whether a pixel shader reads a value that sample shading changes in Vulkan and not in D3D:
    /// the samples that the primitive covers, or the position
    /// ([`PipelineState::sample_shading`](crate::options::PipelineState::sample_shading)).
    pub fn reads_samples(&self) -> bool {
        let position = |e: &SignatureElement| e.semantic == SemanticKind::Position;
        self.stage == ShaderStage::Pixel
            && (self.inputs.elements.iter().any(position) || self.reachable.operations.accesses(Access::Coverage))
    }

    /// Whether a pixel shader evaluates an input at a place of its choice
    /// (`EvaluateAttributeSnapped` and its siblings), and has an interface with numbers of 16 bits.
    pub fn evaluates_16_bit_inputs(&self) -> bool {
        self.stage == ShaderStage::Pixel
            && self.reachable.operations.accesses(Access::Evaluate)
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
            && (self.inputs.elements.iter().any(at_sample) || self.reachable.operations.accesses(Access::SampleIndex))
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
    pub handles: HandleTables,
    /// The functions that the entry points reach
    /// ([`ReachableSet::functions`](ReachableSet::functions)).
    pub reached: Pool<Func>,
    /// The global variables that stand for resources, in libraries.
    pub resource_globals: EntitySet<Global>,
    /// Size of the input that the program was parsed from, in bytes.
    pub input_bytes: usize,
    /// The bitcode of the container's part that has the names of resources and of the members of
    /// constant buffers, if there are any that the program does not have itself ([`names`]).
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
                matches!(address.variable, MemoryVariable::Global(global) if self.resource_globals.contains(global))
            }),
            _ => false,
        }
    }

    /// The sizes of all types. They are measured once, on the first question.
    #[inline]
    pub fn sizes(&self) -> &Sizes {
        self.sizes.get_or_init(|| self.module.sizes())
    }

    /// The entry points with their ids.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = (EntryId, &Entry)> {
        self.entries.iter()
    }
}
