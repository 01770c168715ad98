//! A DXIL program: the IR with what the metadata says of it.

use crate::dxil::consts::{
    ComponentType, InputPrimitive, InterpolationMode, PrimitiveTopology, SemanticKind, ShaderStage, TessellatorDomain,
    TessellatorOutputPrimitive, TessellatorPartitioning,
};
use crate::dxil::ir::{Func, InstData, Module};
use crate::dxil::ops::OpCode;
use crate::dxil::resources::{Resource, ResourceId};
use crate::entity::PrimaryMap;

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
        /// What is divided.
        domain: TessellatorDomain,
        /// How.
        partitioning: TessellatorPartitioning,
        /// Into what.
        output: TessellatorOutputPrimitive,
    },
    /// Domain.
    Domain {
        /// What was divided.
        domain: TessellatorDomain,
        /// Control points of the patch.
        input_points: u32,
    },
    /// Any stage whose properties are read but that is not lowered yet; says which.
    NotLowered(&'static str),
}

/// The entry point.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its function. Of a pass-through hull shader, which has none, the patch-constant function.
    pub func: Func,
    /// The function of a hull shader that runs once per patch.
    pub patch_function: Option<Func>,
    /// Its name in the source.
    pub name: Box<str>,
    /// Its stage.
    pub stage: ShaderStage,
    /// Stage-specific properties.
    pub properties: StageProperties,
    /// Shader flags.
    pub flags: ShaderFlags,
    /// Inputs.
    pub inputs: Signature,
    /// Outputs.
    pub outputs: Signature,
    /// Patch constants or primitives.
    pub patch_constants: Signature,
}

/// A DXIL program with one entry point chosen.
#[derive(Clone, Debug)]
pub struct Program {
    /// The IR.
    pub module: Module,
    /// Shader model, `(major, minor)`.
    pub shader_model: (u8, u8),
    /// DXIL version, `(major, minor)`.
    pub dxil_version: (u8, u8),
    /// Validator version, `(major, minor)`.
    pub validator_version: (u8, u8),
    /// The entry point.
    pub entry: Entry,
    /// Resources: SRVs, UAVs, constant buffers, samplers, in the order of the metadata.
    pub resources: PrimaryMap<ResourceId, Resource>,
}

impl Program {
    /// Whether the entry is a hull shader without control-point phase: control points go through as they are.
    pub fn is_pass_through_hull(&self) -> bool {
        self.entry.patch_function == Some(self.entry.func)
    }

    /// Whether it asks for the samples of its targets, which the pipeline knows: [`Options::samples`](crate::options::Options::samples).
    pub fn asks_for_samples(&self) -> bool {
        // A position at the centroid is at the centre where there is one sample.
        use InterpolationMode::{LinearCentroid, LinearNoperspectiveCentroid};
        let centroid = |e: &SignatureElement| {
            e.semantic == SemanticKind::Position
                && matches!(e.interpolation, LinearCentroid | LinearNoperspectiveCentroid)
        };
        self.entry.stage == ShaderStage::Pixel
            && (self.entry.inputs.elements.iter().any(centroid)
                || self.uses(&[OpCode::RenderTargetGetSampleCount, OpCode::RenderTargetGetSamplePosition])
                || self.uses(&[OpCode::Coverage]) && self.runs_per_sample())
    }

    /// Whether a pixel shader runs once for each sample: it asks which one it shades, or has inputs that are interpolated there.
    pub fn runs_per_sample(&self) -> bool {
        use InterpolationMode::{LinearNoperspectiveSample, LinearSample};
        let at_sample = |e: &SignatureElement| matches!(e.interpolation, LinearSample | LinearNoperspectiveSample);
        self.entry.stage == ShaderStage::Pixel
            && (self.entry.inputs.elements.iter().any(at_sample) || self.uses(&[OpCode::SampleIndex]))
    }

    /// Whether any function has one of these operations.
    fn uses(&self, wanted: &[OpCode]) -> bool {
        let is_one = |data: &InstData| matches!(data, InstData::Op { op, .. } if wanted.contains(op));
        self.module.functions.values().any(|function| function.insts.values().any(is_one))
    }

    /// The resource of this class and range id.
    pub fn resource(&self, class: crate::dxil::consts::ResourceClass, range_id: u32) -> Option<ResourceId> {
        self.resources.iter().find(|(_, r)| r.class == class && r.range_id == range_id).map(|(id, _)| id)
    }
}
