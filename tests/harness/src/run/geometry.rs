//! The vertex and index buffers of a pass, and its draws, those of mesh shaders too.

use ash::vk;

use crate::error::{Error, Result};
use crate::spec::{Draw, Indices, Pass, VertexInput};
use crate::vulkan::Context;
use dxil_vulkan::Buffer;

/// The buffers of a pass, large enough for all of its draws.
pub(super) struct Geometry<'c> {
    vertex: Vec<Buffer<'c>>,
    index: Option<(Buffer<'c>, vk::IndexType)>,
}

impl<'c> Geometry<'c> {
    pub(super) fn new(pass: &Pass, draws: &[Draw], context: &'c Context) -> Result<Self> {
        let most = |reach: fn(&Draw) -> u32| draws.iter().map(reach).max().unwrap_or(0);
        let instances = most(|draw| draw.first_instance.saturating_add(draw.instances));
        let vertices = most(|draw| draw.first_vertex.saturating_add(draw.vertices));
        let buffer = |input: &VertexInput| {
            let reached = if input.per_instance { instances } else { vertices };
            let count = u64::from(input.count.unwrap_or(reached)) * u64::from(input.format.words);
            let needed = vk::FormatFeatureFlags::VERTEX_BUFFER;
            if !context.gpu.instance.format_features(input.format.vk).buffer_features.contains(needed) {
                return Err(Error::Skip(format!("the driver has no vertex buffers of {:?}", input.format.vk)));
            }
            Ok(Buffer::new(&context.gpu, vk::BufferUsageFlags::VERTEX_BUFFER, &input.pattern.bytes(0, count))?)
        };
        let index = |indices: &Indices| {
            let words = (0..u64::from(most(|draw| draw.vertices))).map(|index| indices.pattern.word(index));
            let bytes: Vec<u8> = match indices.kind {
                vk::IndexType::UINT16 => words.flat_map(|word| (word as u16).to_le_bytes()).collect(),
                _ => words.flat_map(u32::to_le_bytes).collect(),
            };
            Buffer::new(&context.gpu, vk::BufferUsageFlags::INDEX_BUFFER, &bytes).map(|buffer| (buffer, indices.kind))
        };
        Ok(Self {
            vertex: pass.vertex.iter().map(buffer).collect::<Result<_>>()?,
            index: pass.indices.as_ref().map(index).transpose()?,
        })
    }

    /// Records binding the buffers and drawing, between the start and the end of rendering.
    pub(super) fn draw(&self, context: &Context, commands: vk::CommandBuffer, draw: Draw) {
        let Draw { vertices, instances, first_vertex, first_instance } = draw;
        let device = &context.gpu.device;
        // SAFETY: the command buffer is recording inside rendering with the pass's pipeline bound.
        // The buffers have space for every draw of the pass, and live until `Gpu::submit` has
        // waited for the queue.
        unsafe {
            for (binding, buffer) in (0..).zip(&self.vertex) {
                device.cmd_bind_vertex_buffers(commands, binding, &[buffer.handle], &[0]);
            }
            match &self.index {
                Some((buffer, kind)) => {
                    device.cmd_bind_index_buffer(commands, buffer.handle, 0, *kind);
                    let offset = first_vertex.cast_signed();
                    device.cmd_draw_indexed(commands, vertices, instances, 0, offset, first_instance);
                }
                None => device.cmd_draw(commands, vertices, instances, first_vertex, first_instance),
            }
        }
    }
}

/// Records a draw of mesh shaders, between the start and the end of rendering.
pub(super) fn draw_mesh(context: &Context, commands: vk::CommandBuffer, [x, y, z]: [u32; 3]) {
    let functions = ash::ext::mesh_shader::Device::new(&context.gpu.instance.handle, &context.gpu.device);
    // SAFETY: the command buffer is recording inside rendering with the pass's pipeline bound. A
    // fixture with a mesh shader requires the feature (`parse`), so the device has the command.
    unsafe { functions.cmd_draw_mesh_tasks(commands, x, y, z) };
}
