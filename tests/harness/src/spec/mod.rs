//! The fixture format of docs/testing.md, as data.
//!
//! In: an HLSL file with directives on top. Out: a [`Fixture`]: everything the harness runs and compares. What holds: every
//! word of every directive was understood; nothing is guessed.

pub mod parse;
pub mod pattern;
pub mod resource;

use std::path::PathBuf;

use ash::vk;

use crate::compare::Tolerance;
use crate::vulkan::Format;
pub use pattern::Pattern;
pub use resource::{Kind, Place, Register, Resource, SamplerState};

/// A shader stage's place in the pipeline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stage {
    /// The compiler profile, `cs_6_0`.
    pub profile: String,
    /// The entry point's name.
    pub entry: String,
}

impl Stage {
    /// The short name that its files carry: `cs`, `vs`, `ps`.
    #[must_use]
    pub fn short(&self) -> &str {
        self.profile.split('_').next().unwrap_or_default()
    }

    /// Vulkan's stage, if the harness runs it.
    #[must_use]
    pub fn flag(&self) -> Option<vk::ShaderStageFlags> {
        match self.short() {
            "cs" => Some(vk::ShaderStageFlags::COMPUTE),
            "vs" => Some(vk::ShaderStageFlags::VERTEX),
            "hs" => Some(vk::ShaderStageFlags::TESSELLATION_CONTROL),
            "ds" => Some(vk::ShaderStageFlags::TESSELLATION_EVALUATION),
            "gs" => Some(vk::ShaderStageFlags::GEOMETRY),
            "ps" => Some(vk::ShaderStageFlags::FRAGMENT),
            _ => None,
        }
    }
}

/// What the fixture does on the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// One dispatch of this many groups.
    Dispatch([u32; 3]),
    /// One draw.
    Draw {
        /// Vertices, or indices of an indexed draw.
        vertices: u32,
        /// Instances.
        instances: u32,
        /// The first vertex, or what an indexed draw adds to each index.
        first_vertex: u32,
        /// The first instance.
        first_instance: u32,
    },
}

/// A colour target, cleared to zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target {
    /// Its format.
    pub format: Format,
    /// Width and height.
    pub size: [u32; 2],
    /// Array layers; a draw reaches as many as the first target has.
    pub layers: u32,
}

/// The depth buffer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Depth {
    /// The depth test.
    pub compare: vk::CompareOp,
    /// The clear value.
    pub clear: f32,
    /// Whether its contents are an output.
    pub out: bool,
}

/// A vertex buffer with one attribute.
#[derive(Debug, Clone, PartialEq)]
pub struct VertexInput {
    /// The attribute's location.
    pub location: u32,
    /// The element format.
    pub format: Format,
    /// The contents.
    pub pattern: Pattern,
    /// Stepped per instance instead of per vertex.
    pub per_instance: bool,
    /// Elements, if not as many as the draw reaches.
    pub count: Option<u32>,
}

/// The index buffer.
#[derive(Debug, Clone, PartialEq)]
pub struct Indices {
    /// 16 or 32 bits.
    pub kind: vk::IndexType,
    /// The contents, as 32-bit words.
    pub pattern: Pattern,
}

/// How the layer places resources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BindingModel {
    /// Set = space, binding = register + shift.
    Register,
    /// By the shader's root signature.
    RootSignature,
}

/// Who says what is right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judge {
    /// DXC's SPIR-V of the same source on the same driver.
    Spirv,
    /// Written-down words.
    Expect,
}

/// One expected word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Want {
    /// Exactly this word (or close to it, where a tolerance is given).
    Word(u32),
    /// Any f32 NaN.
    AnyNan,
    /// Not compared.
    Any,
}

/// A resource's initial contents and what follows from the whole specification.
#[derive(Debug, Clone)]
pub struct Fixture {
    /// `group/name`.
    pub name: String,
    /// The HLSL file; compiled forms lie beside it.
    pub source: PathBuf,
    /// The stages, in pipeline order of their lines.
    pub stages: Vec<Stage>,
    /// Features without which a driver skips it.
    pub require: Vec<String>,
    /// Drivers that are known to get it wrong, each with what the fault is.
    pub faults: Vec<(String, String)>,
    /// What runs.
    pub work: Work,
    /// Primitive topology.
    pub topology: vk::PrimitiveTopology,
    /// Control points of a patch, where the topology is patches.
    pub control_points: u32,
    /// Viewports: equal columns of the first target.
    pub viewports: u32,
    /// Views of a multiview draw, each to its layer; 0: an ordinary draw.
    pub views: u32,
    /// Samples per pixel. Targets are resolved: floats averaged, integers by sample 0.
    pub samples: u32,
    /// A stencil buffer, cleared to zero, that every drawn pixel replaces with 1; compared.
    pub stencil: bool,
    /// The first target takes source 0 and adds source 1 times the target.
    pub dual_source: bool,
    /// Front face.
    pub front: vk::FrontFace,
    /// Culled faces.
    pub cull: vk::CullModeFlags,
    /// Colour targets.
    pub targets: Vec<Target>,
    /// The depth buffer.
    pub depth: Option<Depth>,
    /// Vertex buffers.
    pub vertex: Vec<VertexInput>,
    /// The index buffer.
    pub indices: Option<Indices>,
    /// Resources.
    pub resources: Vec<Resource>,
    /// Push constants: size in bytes and contents.
    pub push: Option<(u32, Pattern)>,
    /// How the layer places resources.
    pub bindings: BindingModel,
    /// Who says what is right; all must agree.
    pub judges: Vec<Judge>,
    /// Expected words by output.
    pub expect: Vec<(String, Vec<Want>)>,
    /// Tolerances by output; `*` is every output.
    pub tolerance: Vec<(String, Tolerance)>,
}

impl Fixture {
    /// The stage flags of all its stages.
    #[must_use]
    pub fn stage_flags(&self) -> vk::ShaderStageFlags {
        self.stages.iter().filter_map(Stage::flag).fold(vk::ShaderStageFlags::empty(), |all, flag| all | flag)
    }

    /// The path of a stage's compiled form: `extension` is `dxil` or `spv`.
    #[must_use]
    pub fn code_path(&self, stage: &Stage, extension: &str) -> PathBuf {
        if self.stages.len() == 1 {
            self.source.with_extension(extension)
        } else {
            self.source.with_extension(format!("{}.{extension}", stage.short()))
        }
    }

    /// The names of everything that is read back, in a fixed order.
    #[must_use]
    pub fn outputs(&self) -> Vec<String> {
        let resources =
            self.resources.iter().filter(|resource| resource.out).map(|resource| resource.register.output());
        let targets = (0..self.targets.len()).map(|index| format!("target{index}"));
        let depth = self.depth.filter(|depth| depth.out).map(|_| "depth".to_owned());
        let stencil = self.stencil.then(|| "stencil".to_owned());
        resources.chain(targets).chain(depth).chain(stencil).collect()
    }

    /// The tolerance of an output; a line that names it goes before `*`.
    #[must_use]
    pub fn tolerance_of(&self, output: &str) -> Tolerance {
        let named =
            |wanted: &str| self.tolerance.iter().find(|(name, _)| name == wanted).map(|(_, tolerance)| *tolerance);
        named(output).or_else(|| named("*")).unwrap_or_default()
    }
}
