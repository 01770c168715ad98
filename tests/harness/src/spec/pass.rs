//! One pass: a pipeline, what it draws to and what it fetches.

use ash::vk;

use super::{Pattern, Register};
use crate::vulkan::Format;

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

/// One run of a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// One dispatch of this many groups.
    Dispatch([u32; 3]),
    /// One draw.
    Draw(Draw),
}

/// One draw's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Draw {
    /// Vertices, or indices of an indexed draw.
    pub vertices: u32,
    /// Instances.
    pub instances: u32,
    /// The first vertex, or what an indexed draw adds to each index.
    pub first_vertex: u32,
    /// The first instance.
    pub first_instance: u32,
}

/// A part of a resource's image that a pass draws to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImagePart {
    /// The resource.
    pub register: Register,
    /// The mip.
    pub mip: u32,
    /// The first array layer.
    pub layer: u32,
}

/// A colour target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target {
    /// Its format.
    pub format: Format,
    /// Width and height.
    pub size: [u32; 2],
    /// Array layers; a draw reaches as many as the first target has.
    pub layers: u32,
    /// The resource it is a part of; none: an image of the pass's own, which is an output.
    pub part: Option<ImagePart>,
    /// Cleared to zero before each run; else what it holds stays.
    pub clear: bool,
    /// Samples of the image: 1 for a target of one's own, which is resolved.
    pub samples: u32,
}

/// The depth buffer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Depth {
    /// The depth test.
    pub compare: vk::CompareOp,
    /// What it is cleared to before each run; none: what it holds stays.
    pub clear: Option<f32>,
    /// Whether its contents are an output.
    pub out: bool,
    /// The resource it is a part of, and that part's width and height; none: an image of the pass's own, the size of target 0.
    pub part: Option<(ImagePart, [u32; 2])>,
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

/// How a target takes what the pixel shader returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Blend {
    /// As it is.
    #[default]
    Replace,
    /// Source 0 plus source 1 times the target.
    DualSource,
    /// Source plus target.
    Add,
    /// Source times its alpha plus target times the rest.
    Alpha,
}

/// One pass: a pipeline and what belongs to it. A fixture that names no pass has one without a name.
#[derive(Debug, Clone, PartialEq)]
pub struct Pass {
    /// Its name, empty in a fixture that names no pass.
    pub name: String,
    /// The stages, in pipeline order of their lines.
    pub stages: Vec<Stage>,
    /// Primitive topology.
    pub topology: vk::PrimitiveTopology,
    /// Control points of a patch, where the topology is patches.
    pub control_points: u32,
    /// Viewports: equal columns of the first target.
    pub viewports: u32,
    /// Views of a multiview draw, each to its layer; 0: an ordinary draw.
    pub views: u32,
    /// Samples per pixel. Targets of one sample are resolved to: floats averaged, integers by sample 0.
    pub samples: u32,
    /// A stencil buffer, cleared to zero, that every drawn pixel replaces with 1; compared.
    pub stencil: bool,
    /// Blending of all targets.
    pub blend: Blend,
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
}

impl Pass {
    /// A pass of which nothing is said yet.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            stages: Vec::new(),
            topology: vk::PrimitiveTopology::TRIANGLE_LIST,
            control_points: 0,
            viewports: 1,
            views: 0,
            samples: 1,
            stencil: false,
            blend: Blend::Replace,
            front: vk::FrontFace::COUNTER_CLOCKWISE,
            cull: vk::CullModeFlags::NONE,
            targets: Vec::new(),
            depth: None,
            vertex: Vec::new(),
            indices: None,
        }
    }

    /// The stage flags of all its stages.
    #[must_use]
    pub fn stage_flags(&self) -> vk::ShaderStageFlags {
        self.stages.iter().filter_map(Stage::flag).fold(vk::ShaderStageFlags::empty(), |all, flag| all | flag)
    }

    /// Whether it is one compute stage.
    #[must_use]
    pub fn is_compute(&self) -> bool {
        self.stages.len() == 1 && self.stage_flags() == vk::ShaderStageFlags::COMPUTE
    }

    /// Width and height of what it draws to. Without targets there is still an area to rasterise: pixel shaders can write buffers alone.
    #[must_use]
    pub fn area(&self) -> [u32; 2] {
        let depth = self.depth.and_then(|depth| depth.part).map(|(_, size)| size);
        self.targets.first().map(|target| target.size).or(depth).unwrap_or([64, 64])
    }

    /// The parts of resources that it draws to.
    pub fn parts(&self) -> impl Iterator<Item = ImagePart> {
        let depth = self.depth.and_then(|depth| depth.part).map(|(part, _)| part);
        self.targets.iter().filter_map(|target| target.part).chain(depth)
    }

    /// The name of one of its own outputs: `target0`, or `blur.target0` in a pass with a name.
    #[must_use]
    pub fn output(&self, what: &str) -> String {
        if self.name.is_empty() { what.to_owned() } else { format!("{}.{what}", self.name) }
    }

    /// The names of its own outputs, in a fixed order.
    #[must_use]
    pub fn outputs(&self) -> Vec<String> {
        let own = (0..).zip(&self.targets).filter(|(_, target)| target.part.is_none());
        let targets = own.map(|(index, _): (usize, _)| self.output(&format!("target{index}")));
        let depth = self.depth.filter(|depth| depth.out).map(|_| self.output("depth"));
        let stencil = self.stencil.then(|| self.output("stencil"));
        targets.chain(depth).chain(stencil).collect()
    }
}
