//! The Mandelbrot set, by a compute shader into a storage image.

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

/// Parameter 0 of the root signature is the first descriptor table: set 0, and the picture is at its offset 0.
const PICTURE: Slot =
    Slot { set: 0, binding: 0, kind: vk::DescriptorType::STORAGE_IMAGE, stages: vk::ShaderStageFlags::COMPUTE };

/// The pipeline.
pub struct Mandelbrot<'c>(Program<'c>);

impl<'c> Mandelbrot<'c> {
    /// Makes the pipeline from DXIL (or SPIR-V).
    pub fn new(context: &'c Context, code: &[u8]) -> Result<Self> {
        // Parameter 1 are six root constants: push constants from byte 0.
        let push = vk::PushConstantRange::default().stage_flags(vk::ShaderStageFlags::COMPUTE).size(24);
        let mut program = Program::new(context, &[PICTURE], push, vk::Sampler::null())?;
        let module = Module::new(context, code)?;
        let info = vk::ComputePipelineCreateInfo::default()
            .stage(module.stage(vk::ShaderStageFlags::COMPUTE, c"main"))
            .layout(program.layout);
        // SAFETY: module and layout are alive.
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
        // Seahorse valley lies left of the middle; the whole set spans about three units.
        let centre = [-0.7436f32, 0.1318];
        let texel = 0.0042f32 / width as f32;
        let push = bytes([width, height, centre[0].to_bits(), centre[1].to_bits(), texel.to_bits(), 600]);
        let done = context.submit(|commands| {
            image.transition(commands, vk::ImageLayout::UNDEFINED, vk::ImageLayout::GENERAL);
            self.0.bind(commands, vk::PipelineBindPoint::COMPUTE, vk::ShaderStageFlags::COMPUTE, &push);
            // SAFETY: the command buffer is recording.
            unsafe { context.device.cmd_dispatch(commands, width.div_ceil(8), height.div_ceil(8), 1) };
        });
        let texels =
            done.and_then(|()| image.download(vk::ImageAspectFlags::COLOR, format.bytes(), vk::ImageLayout::GENERAL));
        // SAFETY: the queue is idle.
        unsafe { context.device.destroy_image_view(view, None) };
        texels
    }
}
