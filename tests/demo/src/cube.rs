//! The second picture: a lit, textured cube, drawn by a vertex and a pixel shader with a depth
//! buffer and a static sampler.

use ash::vk;
use dxil_tests::error::Result;
use dxil_tests::vulkan::Context;
use dxil_vulkan::Buffer;
use dxil_vulkan::Named as _;

use crate::blob::Blob;
use crate::mandelbrot;
use crate::pipeline::{Module, Program, Slot, bytes};
use crate::target::{self, Target};

/// Width and height of the picture.
pub const SIZE: [u32; 2] = [960, 720];

/// The vertex shader.
pub const VERTEX: Blob = Blob {
    name: "cube.vs",
    dxil: include_bytes!("../shaders/cube.vs.dxil"),
    spirv: include_bytes!("../shaders/cube.vs.spv"),
};

/// The pixel shader.
pub const PIXEL: Blob = Blob {
    name: "cube.ps",
    dxil: include_bytes!("../shaders/cube.ps.dxil"),
    spirv: include_bytes!("../shaders/cube.ps.spv"),
};

// These places follow from the root signature in cube.hlsl (docs/bindings.md). The two descriptor
// tables are sets 0 and 1, so the root descriptors are in set 2. In that set, binding 2 is root
// parameter 2, and binding 4 is the first static sampler, after the four parameters.
const CAMERA: Slot = Slot {
    set: 0,
    binding: 0,
    kind: vk::DescriptorType::UNIFORM_BUFFER,
    count: 1,
    stages: vk::ShaderStageFlags::VERTEX,
};
const FACE: Slot = Slot {
    set: 1,
    binding: 0,
    kind: vk::DescriptorType::SAMPLED_IMAGE,
    count: 1,
    stages: vk::ShaderStageFlags::FRAGMENT,
};
const LIGHT: Slot = Slot {
    set: 2,
    binding: 2,
    kind: vk::DescriptorType::UNIFORM_BUFFER,
    count: 1,
    stages: vk::ShaderStageFlags::FRAGMENT,
};
const SAMPLER: Slot =
    Slot { set: 2, binding: 4, kind: vk::DescriptorType::SAMPLER, count: 1, stages: vk::ShaderStageFlags::FRAGMENT };

/// A matrix of four rows and four columns, by rows.
pub type Matrix = [[f32; 4]; 4];

/// The product of two matrices.
pub fn multiply(a: Matrix, b: Matrix) -> Matrix {
    a.map(|row| [0, 1, 2, 3].map(|column| row.iter().zip(&b).map(|(x, other)| x * other[column]).sum()))
}

fn turn_x(angle: f32) -> Matrix {
    let (s, c) = angle.sin_cos();
    [[1.0, 0.0, 0.0, 0.0], [0.0, c, -s, 0.0], [0.0, s, c, 0.0], [0.0, 0.0, 0.0, 1.0]]
}

fn turn_y(angle: f32) -> Matrix {
    let (s, c) = angle.sin_cos();
    [[c, 0.0, s, 0.0], [0.0, 1.0, 0.0, 0.0], [-s, 0.0, c, 0.0], [0.0, 0.0, 0.0, 1.0]]
}

/// The product of projection and view matrix. As usual in D3D, the eye is at the origin of view
/// space and looks along +z. The cube's centre is `distance` away.
fn view_projection(distance: f32) -> Matrix {
    let (near, far) = (0.5, 20.0);
    let focal = 2.2;
    let aspect = SIZE[0] as f32 / SIZE[1] as f32;
    let depth = far / (far - near);
    let projection = [
        [focal / aspect, 0.0, 0.0, 0.0],
        [0.0, focal, 0.0, 0.0],
        [0.0, 0.0, depth, -near * depth],
        [0.0, 0.0, 1.0, 0.0],
    ];
    let view = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, distance], [0.0, 0.0, 0.0, 1.0]];
    multiply(projection, view)
}

/// The vertex buffer (position, normal and texture coordinates of the corners of each face) and the
/// index buffer (two triangles per face).
fn geometry() -> (Vec<u8>, Vec<u8>) {
    let mut vertices: Vec<f32> = Vec::new();
    let mut indices: Vec<u32> = Vec::new();
    for (face, base) in (0..6).zip((0u32..).step_by(4)) {
        let axis = face / 2;
        let side = if face % 2 == 0 { 1.0 } else { -1.0 };
        for [u, v] in [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0f32]] {
            let mut position = [0.0; 3];
            let mut normal = [0.0; 3];
            position[axis] = side;
            position[(axis + 1) % 3] = u;
            position[(axis + 2) % 3] = v;
            normal[axis] = side;
            vertices.extend(position.into_iter().chain(normal).chain([0.5 + 0.5 * u, 0.5 - 0.5 * v]));
        }
        indices.extend([0, 1, 2, 0, 2, 3].map(|corner| base + corner));
    }
    (bytes(vertices.into_iter().map(f32::to_bits)), bytes(indices))
}

/// The little-endian bytes of floats.
pub fn floats(numbers: &[f32]) -> Vec<u8> {
    bytes(numbers.iter().map(|number| number.to_bits()))
}

/// The pipeline and its static sampler.
pub struct Cube<'c> {
    context: &'c Context,
    program: Program<'c>,
    sampler: vk::Sampler,
}

impl<'c> Cube<'c> {
    /// Creates the pipeline from the code of its two shaders, DXIL or SPIR-V.
    pub fn new(context: &'c Context, vertex: &[u8], pixel: &[u8]) -> Result<Self> {
        let info = vk::SamplerCreateInfo::default()
            .min_filter(vk::Filter::LINEAR)
            .mag_filter(vk::Filter::LINEAR)
            .mipmap_mode(vk::SamplerMipmapMode::LINEAR);
        // SAFETY: the device is alive, and the create info holds no pointers.
        let sampler = unsafe { context.gpu.device.create_sampler(&info, None) }.named("vkCreateSampler")?;
        // Root parameter 3 consists of four root constants. They are push constants from byte 0.
        let push = vk::PushConstantRange::default().stage_flags(vk::ShaderStageFlags::FRAGMENT).size(16);
        let program = Program::new(context, &[CAMERA, FACE, LIGHT, SAMPLER], push, sampler)?;
        let mut cube = Self { context, program, sampler };
        let vertex = Module::new(context, vertex)?;
        let pixel = Module::new(context, pixel)?;
        pipeline(&mut cube.program, &vertex, &pixel)?;
        Ok(cube)
    }

    /// Draws the cube with `texture` on its faces.
    pub fn draw(&self, context: &Context, texture: &[u8]) -> Result<Vec<u8>> {
        let face = Target::texture(context, mandelbrot::SIZE, texture)?;

        let distance = 4.7;
        let model = multiply(turn_x(-0.55), turn_y(0.7));
        let camera: Vec<f32> = view_projection(distance).into_iter().chain(model).flatten().collect();
        #[rustfmt::skip]
        let light = [
            0.35, -0.55, 0.75, 0.26, // direction of the light; ambient intensity
            1.0, 0.95, 0.85, 24.0,   // colour of the light; exponent of the highlight
            0.0, 0.0, -distance, 0.0, // position of the eye
        ];
        let material = floats(&[1.0, 1.0, 1.0, 0.35]);
        let (vertices, indices) = geometry();
        let buffer = |usage, data: &[u8]| Buffer::new(&context.gpu, usage, data);
        let camera = buffer(vk::BufferUsageFlags::UNIFORM_BUFFER, &floats(&camera))?;
        let light = buffer(vk::BufferUsageFlags::UNIFORM_BUFFER, &floats(&light))?;
        let index_count = u32::try_from(indices.len() / 4).unwrap_or(0);
        let vertices = buffer(vk::BufferUsageFlags::VERTEX_BUFFER, &vertices)?;
        let indices = buffer(vk::BufferUsageFlags::INDEX_BUFFER, &indices)?;
        self.program.set_buffer(CAMERA, camera.handle);
        self.program.set_buffer(LIGHT, light.handle);
        self.program.set_image(FACE, face.view.handle, vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL);

        let bind = |commands| {
            let point = vk::PipelineBindPoint::GRAPHICS;
            self.program.bind(commands, point, vk::ShaderStageFlags::FRAGMENT, &material);
        };
        target::drawn(context, SIZE, bind, |commands| {
            // SAFETY: the command buffer is recording. `drawn` waits for the queue, and the buffers
            // are dropped only after that.
            unsafe {
                let device = &context.gpu.device;
                device.cmd_bind_vertex_buffers(commands, 0, &[vertices.handle], &[0]);
                device.cmd_bind_index_buffer(commands, indices.handle, 0, vk::IndexType::UINT32);
                device.cmd_draw_indexed(commands, index_count, 1, 0, 0, 0);
            }
        })
    }
}

impl Drop for Cube<'_> {
    fn drop(&mut self) {
        // SAFETY: no pending command uses the sampler, because `Gpu::submit` waits for the
        // queue. The set layouts that name it are destroyed later, which Vulkan allows as long as
        // they are not used again.
        unsafe { self.context.gpu.device.destroy_sampler(self.sampler, None) };
    }
}

/// Creates the graphics pipeline.
fn pipeline(program: &mut Program<'_>, vertex: &Module<'_>, pixel: &Module<'_>) -> Result<()> {
    let stages = [
        vertex.stage(vk::ShaderStageFlags::VERTEX, c"vs_main"),
        pixel.stage(vk::ShaderStageFlags::FRAGMENT, c"ps_main"),
    ];
    let bindings = [vk::VertexInputBindingDescription::default().stride(32)];
    // The location of a vertex input is its index in the vertex shader's input signature.
    let attribute = |location, format, offset| {
        vk::VertexInputAttributeDescription::default().location(location).format(format).offset(offset)
    };
    let attributes = [
        attribute(0, vk::Format::R32G32B32_SFLOAT, 0),
        attribute(1, vk::Format::R32G32B32_SFLOAT, 12),
        attribute(2, vk::Format::R32G32_SFLOAT, 24),
    ];
    let vertex_input = vk::PipelineVertexInputStateCreateInfo::default()
        .vertex_binding_descriptions(&bindings)
        .vertex_attribute_descriptions(&attributes);
    // Faces are not culled. The depth test alone decides which faces are visible.
    program.graphics(&stages, SIZE, Some(&vertex_input), vk::CullModeFlags::NONE)
}
