//! The images that pictures are made in: with views, drawn to or written by shaders, and read back.

use ash::vk;
use dxil_tests::error::Result;
use dxil_tests::vulkan::{Context, Format};
use dxil_vulkan::{Image, ImageShape, View};

/// The format of all pictures.
pub const FORMAT: Format = Format::RGBA8;

const BACKGROUND: [f32; 4] = [0.07, 0.08, 0.11, 1.0];

/// An image and a view of it.
pub struct Target<'c> {
    /// The view.
    pub view: View<'c>,
    image: Image<'c>,
}

impl<'c> Target<'c> {
    /// Creates an image with one mip, layer and sample, in layout UNDEFINED.
    fn new(context: &'c Context, format: Format, size: [u32; 2], usage: vk::ImageUsageFlags) -> Result<Self> {
        let image = Image::new(&context.gpu, ImageShape::flat(format.vk, size), format.aspect(), usage)?;
        let view = format.view(&image, vk::ImageViewType::TYPE_2D)?;
        Ok(Self { view, image })
    }

    /// A texture with these texels, in layout SHADER_READ_ONLY_OPTIMAL.
    pub fn texture(context: &'c Context, size: [u32; 2], texels: &[u8]) -> Result<Self> {
        let usage = vk::ImageUsageFlags::SAMPLED | vk::ImageUsageFlags::TRANSFER_DST;
        let texture = Self::new(context, FORMAT, size, usage)?;
        texture.image.upload(texels, FORMAT.aspect(), FORMAT.bytes(), vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL)?;
        Ok(texture)
    }

    /// The image as an attachment that is cleared first.
    fn attachment(&self, layout: vk::ImageLayout, clear: vk::ClearValue) -> vk::RenderingAttachmentInfo<'static> {
        vk::RenderingAttachmentInfo::default()
            .image_view(self.view.handle)
            .image_layout(layout)
            .load_op(vk::AttachmentLoadOp::CLEAR)
            .store_op(vk::AttachmentStoreOp::STORE)
            .clear_value(clear)
    }
}

/// A picture that shaders write. `bind` gets the view, in layout GENERAL, before `record` records
/// the commands that write it.
pub fn written(
    context: &Context,
    size: [u32; 2],
    bind: impl FnOnce(vk::ImageView),
    record: impl FnOnce(vk::CommandBuffer),
) -> Result<Vec<u8>> {
    let usage = vk::ImageUsageFlags::STORAGE | vk::ImageUsageFlags::TRANSFER_SRC;
    let picture = Target::new(context, FORMAT, size, usage)?;
    bind(picture.view.handle);
    context.gpu.submit(|commands| {
        picture.image.transition(commands, vk::ImageLayout::UNDEFINED, vk::ImageLayout::GENERAL);
        record(commands);
    })?;
    Ok(picture.image.download(vk::ImageAspectFlags::COLOR, FORMAT.bytes(), vk::ImageLayout::GENERAL)?)
}

/// A picture that is drawn with a depth buffer. `before` records commands before the rendering
/// begins, and `draw` those inside it.
pub fn drawn(
    context: &Context,
    size: [u32; 2],
    before: impl FnOnce(vk::CommandBuffer),
    draw: impl FnOnce(vk::CommandBuffer),
) -> Result<Vec<u8>> {
    let usage = vk::ImageUsageFlags::COLOR_ATTACHMENT | vk::ImageUsageFlags::TRANSFER_SRC;
    let color = Target::new(context, FORMAT, size, usage)?;
    let depth = Target::new(context, Format::DEPTH, size, vk::ImageUsageFlags::DEPTH_STENCIL_ATTACHMENT)?;
    let (color_layout, depth_layout) =
        (vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL, vk::ImageLayout::DEPTH_ATTACHMENT_OPTIMAL);
    let background = vk::ClearColorValue { float32: BACKGROUND };
    let colors = [color.attachment(color_layout, vk::ClearValue { color: background })];
    let far = vk::ClearDepthStencilValue { depth: 1.0, stencil: 0 };
    let depth_info = depth.attachment(depth_layout, vk::ClearValue { depth_stencil: far });
    let area = vk::Rect2D { extent: vk::Extent2D { width: size[0], height: size[1] }, ..Default::default() };
    let rendering = vk::RenderingInfo::default()
        .render_area(area)
        .layer_count(1)
        .color_attachments(&colors)
        .depth_attachment(&depth_info);
    context.gpu.submit(|commands| {
        color.image.transition(commands, vk::ImageLayout::UNDEFINED, color_layout);
        depth.image.transition(commands, vk::ImageLayout::UNDEFINED, depth_layout);
        before(commands);
        // SAFETY: the command buffer is recording. `submit` waits for the queue, and the images and
        // views are dropped only after that.
        unsafe { context.gpu.device.cmd_begin_rendering(commands, &rendering) };
        draw(commands);
        // SAFETY: the command buffer is recording, inside of a rendering.
        unsafe { context.gpu.device.cmd_end_rendering(commands) };
    })?;
    Ok(color.image.download(vk::ImageAspectFlags::COLOR, FORMAT.bytes(), color_layout)?)
}
