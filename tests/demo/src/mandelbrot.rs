//! The first picture: a Mandelbrot set, computed by a compute shader into a storage image.

use ash::vk;
use dxil_tests::error::Result;
use dxil_tests::vulkan::Context;

use crate::blob::Blob;
use crate::pipeline::{Program, Slot, bytes};
use crate::target;

/// Width and height of the picture.
pub const SIZE: [u32; 2] = [768, 768];

/// The compute shader.
pub const SHADER: Blob = Blob {
    name: "mandelbrot",
    dxil: include_bytes!("../shaders/mandelbrot.dxil"),
    spirv: include_bytes!("../shaders/mandelbrot.spv"),
};

/// The picture. Root parameter 0 is the first descriptor table, which is set 0, and the picture is
/// at offset 0 of the table.
const PICTURE: Slot = Slot {
    set: 0,
    binding: 0,
    kind: vk::DescriptorType::STORAGE_IMAGE,
    count: 1,
    stages: vk::ShaderStageFlags::COMPUTE,
};

/// The compute pipeline.
pub struct Mandelbrot<'c>(Program<'c>);

impl<'c> Mandelbrot<'c> {
    /// Creates the pipeline from the shader's code, DXIL or SPIR-V.
    pub fn new(context: &'c Context, code: &[u8]) -> Result<Self> {
        // Root parameter 1 consists of six root constants. They are push constants from byte 0.
        let push = vk::PushConstantRange::default().stage_flags(vk::ShaderStageFlags::COMPUTE).size(24);
        let mut program = Program::new(context, &[PICTURE], push, vk::Sampler::null())?;
        program.compute(code)?;
        Ok(Self(program))
    }

    /// Computes the picture.
    pub fn compute(&self, context: &Context) -> Result<Vec<u8>> {
        let [width, height] = SIZE;
        // The centre is in the "seahorse valley", left of the middle. The whole set is about three
        // units wide.
        let centre = [-0.7436f32, 0.1318];
        let texel = 0.0042f32 / width as f32;
        let push = bytes([width, height, centre[0].to_bits(), centre[1].to_bits(), texel.to_bits(), 600]);
        let bind = |view| self.0.set_image(PICTURE, view, vk::ImageLayout::GENERAL);
        target::written(context, SIZE, bind, |commands| {
            self.0.bind(commands, vk::PipelineBindPoint::COMPUTE, vk::ShaderStageFlags::COMPUTE, &push);
            // SAFETY: the command buffer is recording, and the pipeline, set and push constants are
            // bound.
            unsafe { context.gpu.device.cmd_dispatch(commands, width.div_ceil(8), height.div_ceil(8), 1) };
        })
    }
}
