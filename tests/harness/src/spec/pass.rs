//! A pass: a pipeline with its attachments, vertex buffers and index buffer.

use ash::vk;

use super::rays::Rays;
use super::{Pattern, Register};
use crate::vulkan::Format;

/// A shader stage of a pipeline, or a library with stages of a ray-tracing pipeline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stage {
    /// The compiler profile, such as `cs_6_0`.
    pub profile: String,
    /// The names of the entry points: one, or several of a library.
    pub entries: Vec<String>,
    /// The number of the library among those of its pass.
    pub library: usize,
    /// Whether the code is DXC's SPIR-V in every run, because an application may mix both forms.
    pub spirv: bool,
}

impl Stage {
    /// The short name that is part of its files' names, such as `cs` or `vs`.
    #[must_use]
    pub fn short(&self) -> &str {
        self.profile.split('_').next().unwrap_or_default()
    }

    /// The name of the entry point, or of a library's first one.
    #[must_use]
    pub fn entry(&self) -> &str {
        self.entries.first().map_or("", String::as_str)
    }

    /// Whether this is a library.
    #[must_use]
    pub fn is_library(&self) -> bool {
        self.short() == "lib"
    }

    /// The Vulkan stage, or `None` if the harness does not run such stages.
    #[must_use]
    pub fn flag(&self) -> Option<vk::ShaderStageFlags> {
        match self.short() {
            "cs" => Some(vk::ShaderStageFlags::COMPUTE),
            "vs" => Some(vk::ShaderStageFlags::VERTEX),
            "hs" => Some(vk::ShaderStageFlags::TESSELLATION_CONTROL),
            "ds" => Some(vk::ShaderStageFlags::TESSELLATION_EVALUATION),
            "gs" => Some(vk::ShaderStageFlags::GEOMETRY),
            "ps" => Some(vk::ShaderStageFlags::FRAGMENT),
            "as" => Some(vk::ShaderStageFlags::TASK_EXT),
            "ms" => Some(vk::ShaderStageFlags::MESH_EXT),
            _ => None,
        }
    }
}

/// The work of one run of a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// A dispatch of this many thread groups.
    Dispatch([u32; 3]),
    /// A draw.
    Draw(Draw),
    /// Rays.
    Rays {
        /// Width, height and depth.
        size: [u32; 3],
        /// The index of the ray generation record.
        raygen: u32,
    },
    /// A draw of this many groups of the first mesh or amplification shader.
    Mesh([u32; 3]),
}

/// The parameters of a draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Draw {
    /// The number of vertices, or of indices in an indexed draw.
    pub vertices: u32,
    /// The number of instances.
    pub instances: u32,
    /// The first vertex, or the offset that an indexed draw adds to each index.
    pub first_vertex: u32,
    /// The first instance.
    pub first_instance: u32,
}

/// A part of a resource's image that a pass draws to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImagePart {
    /// The register of the resource.
    pub register: Register,
    /// The mip level.
    pub mip: u32,
    /// The first array layer.
    pub layer: u32,
}

/// A colour target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target {
    /// The format.
    pub format: Format,
    /// Width and height.
    pub size: [u32; 2],
    /// The number of array layers. All targets of a pass are drawn to with as many layers as the
    /// first one has.
    pub layers: u32,
    /// The part of a resource that is the target, or `None` for an image of the pass's own, which
    /// is an output.
    pub part: Option<ImagePart>,
    /// Whether the target is cleared to zero before each run. Otherwise it keeps its contents.
    pub clear: bool,
    /// The number of samples of the image. It is 1 for an image of the pass's own, which a
    /// multisampled attachment is resolved to.
    pub samples: u32,
}

/// The depth buffer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Depth {
    /// The depth test.
    pub compare: vk::CompareOp,
    /// The value to which the buffer is cleared before each run, or `None` to keep its contents.
    pub clear: Option<f32>,
    /// Whether the contents are an output.
    pub out: bool,
    /// The part of a resource that is the depth buffer, with the part's width and height. `None`
    /// for an image of the pass's own, which has the size of target 0.
    pub part: Option<(ImagePart, [u32; 2])>,
}

/// A vertex buffer with one attribute.
#[derive(Debug, Clone, PartialEq)]
pub struct VertexInput {
    /// The location of the attribute.
    pub location: u32,
    /// The element format.
    pub format: Format,
    /// The contents.
    pub pattern: Pattern,
    /// Whether the buffer has one element per instance instead of per vertex.
    pub per_instance: bool,
    /// The number of elements, or `None` for as many as the draws need.
    pub count: Option<u32>,
}

/// The index buffer.
#[derive(Debug, Clone, PartialEq)]
pub struct Indices {
    /// The index type, 16 or 32 bits.
    pub kind: vk::IndexType,
    /// The contents, as 32-bit words.
    pub pattern: Pattern,
}

/// The blending of a pixel shader's outputs with the targets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Blend {
    /// The output replaces the target.
    #[default]
    Replace,
    /// Source 0 plus source 1 times the target.
    DualSource,
    /// Source plus target.
    Add,
    /// Source times its alpha plus target times one minus that alpha.
    Alpha,
}

/// A pass: a pipeline with its state. A fixture without `pass` lines has one pass without a name.
#[derive(Debug, Clone, PartialEq)]
pub struct Pass {
    /// The name, which is empty in a fixture without `pass` lines.
    pub name: String,
    /// The stages, in the order of their lines.
    pub stages: Vec<Stage>,
    /// The primitive topology.
    pub topology: vk::PrimitiveTopology,
    /// The number of control points of a patch, if the topology is `patch_list`.
    pub control_points: u32,
    /// The number of viewports, which are equal columns of the first target.
    pub viewports: u32,
    /// The number of views of a multiview draw, each of which has a layer of the targets, or 0 for
    /// an ordinary draw.
    pub views: u32,
    /// The number of samples per pixel. With more than one, targets with a single sample are
    /// resolved: floats to the average, integers to sample 0.
    pub samples: u32,
    /// Whether there is a stencil buffer. It is cleared to zero, every drawn pixel writes 1 or the
    /// shader's stencil reference to it, and it is an output.
    pub stencil: bool,
    /// The blending of all targets.
    pub blend: Blend,
    /// The winding order of front faces.
    pub front: vk::FrontFace,
    /// The faces that are culled.
    pub cull: vk::CullModeFlags,
    /// The colour targets.
    pub targets: Vec<Target>,
    /// The depth buffer.
    pub depth: Option<Depth>,
    /// The vertex buffers.
    pub vertex: Vec<VertexInput>,
    /// The index buffer.
    pub indices: Option<Indices>,
    /// The descriptor sets of the pipeline libraries that the pipeline is linked of, if it is.
    pub libraries: Option<Libraries>,
    /// The groups and records of a ray-tracing pipeline.
    pub rays: Rays,
}

/// The descriptor sets that the layouts of pipeline libraries have. All other sets are null there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Libraries {
    /// The sets of the library with the stages before rasterization.
    pub vertex: Vec<u32>,
    /// The sets of the library with the pixel shader.
    pub fragment: Vec<u32>,
}

impl Pass {
    /// A pass with this name and the defaults of all directives.
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
            libraries: None,
            rays: Rays::default(),
        }
    }

    /// The stage flags of all stages.
    #[must_use]
    pub fn stage_flags(&self) -> vk::ShaderStageFlags {
        let own = self.stages.iter().filter_map(Stage::flag);
        let of_rays = self.rays.all_entries().into_iter().map(|(_, flag)| flag);
        own.chain(of_rays).fold(vk::ShaderStageFlags::empty(), |all, flag| all | flag)
    }

    /// Whether the pass has a single stage, a compute shader.
    #[must_use]
    pub fn is_compute(&self) -> bool {
        self.stages.len() == 1 && self.stage_flags() == vk::ShaderStageFlags::COMPUTE
    }

    /// Whether the pass is a ray-tracing pipeline, whose stages are in libraries.
    #[must_use]
    pub fn is_rays(&self) -> bool {
        !self.stages.is_empty() && self.stages.iter().all(Stage::is_library)
    }

    /// Whether the pass is a graphics pipeline.
    #[must_use]
    pub fn is_drawing(&self) -> bool {
        !self.is_compute() && !self.is_rays()
    }

    /// The part of a stage's file names: its short name, which has a number where a pass has
    /// several libraries.
    #[must_use]
    pub fn part(&self, stage: &Stage) -> String {
        let several = self.stages.iter().filter(|stage| stage.is_library()).count() > 1;
        match several && stage.is_library() {
            true => format!("{}{}", stage.short(), stage.library),
            false => stage.short().to_owned(),
        }
    }

    /// Whether the pass has a mesh shader, so that it has no vertices as inputs.
    #[must_use]
    pub fn is_mesh(&self) -> bool {
        self.stage_flags().contains(vk::ShaderStageFlags::MESH_EXT)
    }

    /// The width and height of the area that is drawn to. A pass without targets has an area too,
    /// because its pixel shader can write to buffers.
    #[must_use]
    pub fn area(&self) -> [u32; 2] {
        let depth = self.depth.and_then(|depth| depth.part).map(|(_, size)| size);
        self.targets.first().map(|target| target.size).or(depth).unwrap_or([64, 64])
    }

    /// The parts of resources that the pass draws to.
    pub fn parts(&self) -> impl Iterator<Item = ImagePart> {
        let depth = self.depth.and_then(|depth| depth.part).map(|(part, _)| part);
        self.targets.iter().filter_map(|target| target.part).chain(depth)
    }

    /// The full name of an output of the pass's own: `target0`, or `blur.target0` in a pass named
    /// `blur`.
    #[must_use]
    pub fn output(&self, what: &str) -> String {
        if self.name.is_empty() { what.to_owned() } else { format!("{}.{what}", self.name) }
    }

    /// The names of the pass's own outputs, in a fixed order.
    #[must_use]
    pub fn outputs(&self) -> Vec<String> {
        let own = (0..).zip(&self.targets).filter(|(_, target)| target.part.is_none());
        let targets = own.map(|(index, _): (usize, _)| self.output(&format!("target{index}")));
        let depth = self.depth.filter(|depth| depth.out).map(|_| self.output("depth"));
        let stencil = self.stencil.then(|| self.output("stencil"));
        targets.chain(depth).chain(stencil).collect()
    }
}
