//! The first picture: a Mandelbrot set, computed by a compute shader into a storage image.

use ash::vk;
use dxil_tests::error::Result;
use dxil_tests::vulkan::memory::{Image, ImageShape, image_view};
use dxil_tests::vulkan::{Context, Format};

use crate::Blob;
use crate::pipeline::{Module, Program, Slot, bytes, only};

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
        let module = Module::new(context, code)?;
        let info = vk::ComputePipelineCreateInfo::default()
            .stage(module.stage(vk::ShaderStageFlags::COMPUTE, c"main"))
            .layout(program.layout);
        // SAFETY: the shader module and the layout are alive, and the entry point's name is static.
        let made = unsafe { context.device.create_compute_pipelines(vk::PipelineCache::null(), &[info], None) };
        program.pipeline = only(made, "vkCreateComputePipelines")?;
        Ok(Self(program))
    }

    /// Computes the picture.
    pub fn compute(&self, context: &Context) -> Result<Vec<u8>> {
        let format = Format::RGBA8;
        let shape = ImageShape::flat(format, SIZE);
        let usage = vk::ImageUsageFlags::STORAGE | vk::ImageUsageFlags::TRANSFER_SRC;
        let image = Image::new(context, shape, format.aspect(), usage)?;
        let view = image_view(context, &image, format, vk::ImageViewType::TYPE_2D)?;
        self.0.set_image(PICTURE, view, vk::ImageLayout::GENERAL);
        let [width, height] = SIZE;
        // The centre is in the "seahorse valley", left of the middle. The whole set is about three
        // units wide.
        let centre = [-0.7436f32, 0.1318];
        let texel = 0.0042f32 / width as f32;
        let push = bytes([width, height, centre[0].to_bits(), centre[1].to_bits(), texel.to_bits(), 600]);
        let done = context.submit(|commands| {
            image.transition(commands, vk::ImageLayout::UNDEFINED, vk::ImageLayout::GENERAL);
            self.0.bind(commands, vk::PipelineBindPoint::COMPUTE, vk::ShaderStageFlags::COMPUTE, &push);
            // SAFETY: the command buffer is recording, and the pipeline, set and push constants are
            // bound.
            unsafe { context.device.cmd_dispatch(commands, width.div_ceil(8), height.div_ceil(8), 1) };
        });
        let texels =
            done.and_then(|()| image.download(vk::ImageAspectFlags::COLOR, format.bytes(), vk::ImageLayout::GENERAL));
        // SAFETY: no pending command uses the view, because `Context::submit` waits for the queue.
        unsafe { context.device.destroy_image_view(view, None) };
        texels
    }
}
