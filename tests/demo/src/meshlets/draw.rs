//! The buffers of the scene, and the two pipelines that draw it.

use ash::vk;
use dxil_tests::error::Result;
use dxil_tests::vulkan::Context;
use dxil_vulkan::Buffer;

use super::{AMPLIFICATION, Census, MESH, Model, PIXEL, SIZE, VERTEX, camera};
use crate::cube::floats;
use crate::pipeline::{Module, Program, Slot, bytes};
use crate::target;

/// The meshlets that one group of the amplification shader tests: its number of threads.
const GROUP: u32 = 32;

/// The bytes of one vertex: position and normal.
const STRIDE: u32 = 24;

/// The direction in which the light shines, and the ambient intensity.
const LIGHT: [f32; 4] = [-0.5, -0.75, 0.6, 0.34];

/// A word that no shader writes as the fate of a meshlet.
const UNDECIDED: u32 = u32::MAX;

/// The way to draw the scene.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// With an amplification and a mesh shader.
    Meshlets,
    /// With a vertex shader, and an indexed draw of all triangles.
    Vertices,
}

impl Way {
    /// The stages of the pipeline.
    fn stages(self) -> vk::ShaderStageFlags {
        let before = match self {
            Self::Meshlets => vk::ShaderStageFlags::TASK_EXT | vk::ShaderStageFlags::MESH_EXT,
            Self::Vertices => vk::ShaderStageFlags::VERTEX,
        };
        before | vk::ShaderStageFlags::FRAGMENT
    }

    /// The descriptors, one for each root descriptor in meshlets.hlsl (docs/bindings.md). Without
    /// descriptor tables the root set is set 0, and the binding is the number of the parameter.
    fn slots(self) -> [Slot; 5] {
        let (uniform, storage) = (vk::DescriptorType::UNIFORM_BUFFER, vk::DescriptorType::STORAGE_BUFFER);
        let slot = |binding, kind| Slot { set: 0, binding, kind, count: 1, stages: self.stages() };
        [slot(0, uniform), slot(1, storage), slot(2, storage), slot(3, storage), slot(4, storage)]
    }
}

/// The scene in buffers, which both pipelines use.
pub struct Scene<'c> {
    model: Model,
    camera: Buffer<'c>,
    vertices: Buffer<'c>,
    owners: Buffer<'c>,
    meshlets: Buffer<'c>,
    triangles: Buffer<'c>,
    fates: Buffer<'c>,
}

impl<'c> Scene<'c> {
    /// Makes the model, and copies it to buffers.
    pub fn new(context: &'c Context) -> Result<Self> {
        let model = Model::scene();
        let count = u32::try_from(model.meshlets.len()).unwrap_or(u32::MAX);
        let vertices: Vec<f32> = model.vertices.iter().flatten().flatten().copied().collect();
        let meshlets = bytes(model.meshlets.iter().flat_map(|meshlet| meshlet.words()));
        let storage = vk::BufferUsageFlags::STORAGE_BUFFER;
        let (vertex, index) = (vk::BufferUsageFlags::VERTEX_BUFFER, vk::BufferUsageFlags::INDEX_BUFFER);
        let buffer = |usage, data: &[u8]| Buffer::new(&context.gpu, usage, data);
        Ok(Self {
            camera: buffer(vk::BufferUsageFlags::UNIFORM_BUFFER, &bytes(camera::words(count)))?,
            vertices: buffer(storage | vertex, &floats(&vertices))?,
            owners: buffer(vertex, &bytes(model.owners.iter().copied()))?,
            meshlets: buffer(storage, &meshlets)?,
            triangles: buffer(storage | index, &bytes(model.triangles.iter().flatten().copied()))?,
            fates: buffer(storage, &bytes(model.meshlets.iter().map(|_| UNDECIDED)))?,
            model,
        })
    }

    /// What became of the meshlets, after they were drawn by mesh shaders.
    pub fn census(&self) -> Result<Census> {
        let bytes = self.fates.read(self.model.meshlets.len() * 4);
        let words: Vec<u32> =
            bytes.chunks_exact(4).filter_map(|word| word.try_into().ok().map(u32::from_le_bytes)).collect();
        Census::new(&self.model, &words)
    }
}

/// A pipeline that draws the scene.
pub struct Renderer<'c> {
    context: &'c Context,
    program: Program<'c>,
    way: Way,
}

impl<'c> Renderer<'c> {
    /// Creates the pipeline from DXIL.
    pub fn new(context: &'c Context, way: Way) -> Result<Self> {
        // Root parameter 5 consists of four root constants. They are push constants from byte 0.
        let push = vk::PushConstantRange::default().stage_flags(way.stages()).size(16);
        let mut program = Program::new(context, &way.slots(), push, vk::Sampler::null())?;
        let module = |code| Module::new(context, code);
        let pixel = module(PIXEL)?;
        let pixel_stage = pixel.stage(vk::ShaderStageFlags::FRAGMENT, c"ps_main");
        match way {
            Way::Meshlets => {
                let (amplification, mesh) = (module(AMPLIFICATION)?, module(MESH)?);
                let amplification_stage = amplification.stage(vk::ShaderStageFlags::TASK_EXT, c"as_main");
                let mesh_stage = mesh.stage(vk::ShaderStageFlags::MESH_EXT, c"ms_main");
                pipeline(&mut program, &[amplification_stage, mesh_stage, pixel_stage], way)?;
            }
            Way::Vertices => {
                let vertex = module(VERTEX)?;
                let vertex_stage = vertex.stage(vk::ShaderStageFlags::VERTEX, c"vs_main");
                pipeline(&mut program, &[vertex_stage, pixel_stage], way)?;
            }
        }
        Ok(Self { context, program, way })
    }

    /// Draws the scene.
    pub fn draw(&self, scene: &Scene<'_>) -> Result<Vec<u8>> {
        let context = self.context;
        let buffers = [&scene.camera, &scene.vertices, &scene.meshlets, &scene.triangles, &scene.fates];
        for (slot, buffer) in self.way.slots().into_iter().zip(buffers) {
            self.program.set_buffer(slot, buffer.handle);
        }
        let count = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
        let (groups, indices) =
            (count(scene.model.meshlets.len()).div_ceil(GROUP), count(scene.model.triangles.len() * 3));
        let mesh = ash::ext::mesh_shader::Device::new(&context.gpu.instance.handle, &context.gpu.device);
        let bind = |commands| {
            let point = vk::PipelineBindPoint::GRAPHICS;
            self.program.bind(commands, point, self.way.stages(), &floats(&LIGHT));
        };
        target::drawn(context, SIZE, bind, |commands| {
            // SAFETY: the command buffer is recording. `drawn` waits for the queue, and the buffers
            // are dropped only after that. The device has the command for mesh shaders, because it
            // has the feature (`require`).
            unsafe {
                let device = &context.gpu.device;
                match self.way {
                    Way::Meshlets => mesh.cmd_draw_mesh_tasks(commands, groups, 1, 1),
                    Way::Vertices => {
                        let buffers = [scene.vertices.handle, scene.owners.handle];
                        device.cmd_bind_vertex_buffers(commands, 0, &buffers, &[0, 0]);
                        device.cmd_bind_index_buffer(commands, scene.triangles.handle, 0, vk::IndexType::UINT32);
                        device.cmd_draw_indexed(commands, indices, 1, 0, 0, 0);
                    }
                }
            }
        })
    }
}

/// Creates the pipeline of one way to draw.
fn pipeline(program: &mut Program<'_>, stages: &[vk::PipelineShaderStageCreateInfo<'_>], way: Way) -> Result<()> {
    let bindings = [
        vk::VertexInputBindingDescription::default().binding(0).stride(STRIDE),
        vk::VertexInputBindingDescription::default().binding(1).stride(4),
    ];
    // The location of a vertex input is its index in the vertex shader's input signature.
    let attribute =
        |location, binding, format, offset| vk::VertexInputAttributeDescription { location, binding, format, offset };
    let attributes = [
        attribute(0, 0, vk::Format::R32G32B32_SFLOAT, 0),
        attribute(1, 0, vk::Format::R32G32B32_SFLOAT, 12),
        attribute(2, 1, vk::Format::R32_UINT, 0),
    ];
    let vertex_input = vk::PipelineVertexInputStateCreateInfo::default()
        .vertex_binding_descriptions(&bindings)
        .vertex_attribute_descriptions(&attributes);
    let vertices = (way == Way::Vertices).then_some(&vertex_input);
    program.graphics(stages, SIZE, vertices, vk::CullModeFlags::BACK)
}
