//! The picture of rays: a room, path-traced by a ray-tracing pipeline and by ray queries.
//!
//! In: a device. Out: two pictures, and how far each is from the [`reference()`] of the CPU. What
//! must hold: both are within [`BOUND`].

mod geometry;
mod reference;
mod scene;
mod table;

use ash::{khr, vk};
use dxil_tests::error::{Error, Result};
use dxil_tests::run::structures::Structures;
use dxil_tests::vulkan::Context;
use dxil_vulkan::Buffer;

use crate::blob::Blob;
use crate::pipeline::{Module, Program, Slot, bytes, only};
use crate::target::{self, Target};

/// Width and height of the picture.
pub const SIZE: [u32; 2] = [256, 256];

/// The library with the stages of the ray-tracing pipeline. The pinned compiler has no SPIR-V of
/// it: it crashes.
pub const LIBRARY: Blob = Blob { name: "rays", dxil: include_bytes!("../../shaders/rays.dxil"), spirv: &[] };

/// The compute shader with ray queries.
pub const QUERIES: Blob = Blob {
    name: "rays_query",
    dxil: include_bytes!("../../shaders/rays_query.dxil"),
    spirv: include_bytes!("../../shaders/rays_query.spv"),
};

const STAGES: vk::ShaderStageFlags = vk::ShaderStageFlags::from_raw(
    vk::ShaderStageFlags::COMPUTE.as_raw()
        | vk::ShaderStageFlags::RAYGEN_KHR.as_raw()
        | vk::ShaderStageFlags::CLOSEST_HIT_KHR.as_raw()
        | vk::ShaderStageFlags::ANY_HIT_KHR.as_raw(),
);

const fn slot(set: usize, binding: u32, kind: vk::DescriptorType, count: u32) -> Slot {
    Slot { set, binding, kind, count, stages: STAGES }
}

/// Where a form of the picture has its resources. The places follow from the root signatures in the
/// shaders (docs/bindings.md): the descriptor tables are sets 0 and up, the root descriptors are in
/// the set after them, by the numbers of their parameters, and the resource heap is two sets later.
struct Places {
    picture: Slot,
    scene: Slot,
    /// The patterns: those of a table, or of the resource heap, in which shader records choose one.
    patterns: Slot,
    /// The surfaces, where they are not in shader records.
    surfaces: Option<Slot>,
}

const OF_QUERIES: Places = Places {
    picture: slot(0, 0, vk::DescriptorType::STORAGE_IMAGE, 1),
    patterns: slot(1, 0, vk::DescriptorType::SAMPLED_IMAGE, scene::PATTERNS),
    scene: slot(2, 0, vk::DescriptorType::ACCELERATION_STRUCTURE_KHR, 1),
    surfaces: Some(slot(2, 3, vk::DescriptorType::STORAGE_BUFFER, 1)),
};
const OF_PIPELINE: Places = Places {
    picture: slot(0, 0, vk::DescriptorType::STORAGE_IMAGE, 1),
    scene: slot(1, 0, vk::DescriptorType::ACCELERATION_STRUCTURE_KHR, 1),
    patterns: slot(3, 0, vk::DescriptorType::SAMPLED_IMAGE, scene::PATTERNS),
    surfaces: None,
};

/// The difference of two pictures.
pub struct Difference {
    /// The mean difference of a channel, in steps of eight bits.
    pub mean: f64,
    /// The share of pixels of which a channel differs by more than eight steps.
    pub far: f64,
}

/// The largest difference between a picture and the reference. Paths take the same random turns, so
/// most pixels are equal but for rounding; a path that passes an edge closely may go another way.
pub const BOUND: Difference = Difference { mean: 0.25, far: 0.01 };

impl Difference {
    /// The difference between a picture and the reference.
    pub fn new(picture: &[u8], reference: &[u8]) -> Self {
        let steps = |(a, b): (&u8, &u8)| f64::from(a.abs_diff(*b));
        let sum: f64 = picture.iter().zip(reference).map(steps).sum();
        let pixels = picture.chunks_exact(4).zip(reference.chunks_exact(4));
        let count = pixels.len().max(1) as f64;
        let far = pixels.filter(|(a, b)| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > 8)).count();
        Self { mean: sum / (count * 4.0), far: far as f64 / count }
    }

    /// Whether the difference is within [`BOUND`].
    pub fn holds(&self) -> bool {
        self.mean <= BOUND.mean && self.far <= BOUND.far
    }
}

/// The picture by the CPU.
pub fn reference() -> Vec<u8> {
    reference::picture(SIZE)
}

/// The parts of the scene that both forms read.
pub struct Room<'c> {
    context: &'c Context,
    structures: Structures<'c>,
    surfaces: Buffer<'c>,
    patterns: Vec<Target<'c>>,
}

impl<'c> Room<'c> {
    /// Builds the acceleration structures and uploads surfaces and patterns.
    pub fn new(context: &'c Context) -> Result<Self> {
        let structures = Structures::new(context, &geometry::scene())?;
        let words = bytes(scene::SURFACES.iter().flat_map(scene::Surface::words));
        let surfaces = Buffer::new(&context.gpu, vk::BufferUsageFlags::STORAGE_BUFFER, &words)?;
        let pattern = |pattern| Target::texture(context, [scene::PATTERN; 2], &scene::texels(pattern));
        let patterns = (0..scene::PATTERNS).map(pattern).collect::<Result<_>>()?;
        Ok(Self { context, structures, surfaces, patterns })
    }

    /// Creates the layouts and descriptors of a pipeline.
    fn program(&self, places: &Places) -> Result<Program<'c>> {
        let slots: Vec<_> =
            [places.picture, places.patterns, places.scene].into_iter().chain(places.surfaces).collect();
        let program = Program::new(self.context, &slots, vk::PushConstantRange::default(), vk::Sampler::null())?;
        let views: Vec<_> = self.patterns.iter().map(|pattern| pattern.view.handle).collect();
        program.set_images(places.patterns, &views, vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL);
        if let Some(surfaces) = places.surfaces {
            program.set_buffer(surfaces, self.surfaces.handle);
        }
        let top = self.structures.top(0).ok_or_else(|| Error::Wrong("the scene has no structure".into()))?;
        program.set_structure(places.scene, top.0);
        Ok(program)
    }

    /// Runs a program that writes the picture.
    fn run(&self, program: &Program<'_>, places: &Places, trace: impl FnOnce(vk::CommandBuffer)) -> Result<Vec<u8>> {
        target::written(
            self.context,
            SIZE,
            |view| program.set_image(places.picture, view, vk::ImageLayout::GENERAL),
            trace,
        )
    }

    /// Draws the picture with ray queries.
    pub fn by_queries(&self, code: &[u8]) -> Result<Vec<u8>> {
        let context = self.context;
        let mut program = self.program(&OF_QUERIES)?;
        program.compute(code)?;
        self.run(&program, &OF_QUERIES, |commands| {
            program.bind(commands, vk::PipelineBindPoint::COMPUTE, STAGES, &[]);
            // SAFETY: the command buffer is recording, and the pipeline and its sets are bound.
            unsafe { context.gpu.device.cmd_dispatch(commands, SIZE[0].div_ceil(8), SIZE[1].div_ceil(8), 1) };
        })
    }

    /// Draws the picture with a ray-tracing pipeline.
    pub fn by_pipeline(&self, code: &[u8]) -> Result<Vec<u8>> {
        let context = self.context;
        let rays = khr::ray_tracing_pipeline::Device::new(&context.gpu.instance.handle, &context.gpu.device);
        let mut program = self.program(&OF_PIPELINE)?;
        let module = Module::new(context, code)?;
        let stages: Vec<_> = table::STAGES.iter().map(|&(stage, name)| module.stage(stage, name)).collect();
        let groups: Vec<_> = table::GROUPS.iter().map(|group| group.create_info()).collect();
        let info = vk::RayTracingPipelineCreateInfoKHR::default()
            .stages(&stages)
            .groups(&groups)
            .max_pipeline_ray_recursion_depth(table::RECURSION)
            .layout(program.layout);
        let (operation, cache) = (vk::DeferredOperationKHR::null(), vk::PipelineCache::null());
        // SAFETY: the shader module and the layout are alive, and the entry points' names are
        // static.
        let made = unsafe { rays.create_ray_tracing_pipelines(operation, cache, &[info], None) };
        program.pipeline = only(made, "vkCreateRayTracingPipelinesKHR")?;
        let table = table::Table::new(context, &rays, program.pipeline)?;
        self.run(&program, &OF_PIPELINE, |commands| {
            program.bind(commands, vk::PipelineBindPoint::RAY_TRACING_KHR, STAGES, &[]);
            let [generate, miss, hit, callable] = &table.regions;
            // SAFETY: the command buffer is recording, the pipeline and its sets are bound, and the
            // regions are parts of a live buffer with the records of this pipeline.
            unsafe { rays.cmd_trace_rays(commands, generate, miss, hit, callable, SIZE[0], SIZE[1], 1) };
        })
    }
}
