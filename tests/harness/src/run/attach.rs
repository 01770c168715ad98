//! The attachments of a pass: images of its own, and parts of resources.

use ash::vk;
use dxil_test_support::spirv::words;

use super::bind::Bound;
use super::outputs::Outputs;
use super::subpass::Subpass;
use crate::error::{Error, Result};
use crate::spec::{Depth, ImagePart, Pass, Target};
use crate::vulkan::{Context, Format};
use dxil_vulkan::{Image, ImageShape, View};

/// An image view, with its image if the pass owns that.
struct Picture<'c> {
    view: View<'c>,
    image: Option<Image<'c>>,
}

impl<'c> Picture<'c> {
    fn own(context: &'c Context, format: Format, shape: ImageShape) -> Result<Self> {
        let used = if format.aspect() == vk::ImageAspectFlags::COLOR {
            vk::ImageUsageFlags::COLOR_ATTACHMENT
        } else {
            vk::ImageUsageFlags::DEPTH_STENCIL_ATTACHMENT
        };
        let image = Image::new(&context.gpu, shape, format.aspect(), used | vk::ImageUsageFlags::TRANSFER_SRC)?;
        let view = format.view(&image, view_type(shape.layers))?;
        Ok(Self { view, image: Some(image) })
    }

    fn part(bound: &Bound<'c>, part: ImagePart, layers: u32, format: Format) -> Result<Self> {
        let image = bound
            .image(part.register)
            .ok_or_else(|| Error::Spec(format!("the attachment {} is not an image", part.register.output())))?;
        let range = vk::ImageSubresourceRange::default()
            .aspect_mask(format.aspect())
            .base_mip_level(part.mip)
            .level_count(1)
            .base_array_layer(part.layer)
            .layer_count(layers);
        let view = image.view(format.vk, view_type(layers), range, vk::ImageUsageFlags::empty())?;
        Ok(Self { view, image: None })
    }
}

fn view_type(layers: u32) -> vk::ImageViewType {
    if layers > 1 { vk::ImageViewType::TYPE_2D_ARRAY } else { vk::ImageViewType::TYPE_2D }
}

/// An attachment.
struct Attachment<'c> {
    /// The picture that draws write to.
    drawn: Picture<'c>,
    /// The picture that a multisampled attachment is resolved to.
    resolved: Option<Picture<'c>>,
    format: Format,
    /// The value to which the attachment is cleared before a run, or `None` to keep its contents.
    clear: Option<vk::ClearValue>,
    /// The name of the output, if the attachment is one.
    output: Option<String>,
}

impl<'c> Attachment<'c> {
    fn color(context: &'c Context, bound: &Bound<'c>, pass: &Pass, index: usize, target: &Target) -> Result<Self> {
        let layers = pass.targets.first().map_or(1, |first| first.layers);
        let single = ImageShape { layers, ..ImageShape::flat(target.format.vk, target.size) };
        let result = match target.part {
            Some(part) => Picture::part(bound, part, layers, target.format)?,
            None => Picture::own(context, target.format, single)?,
        };
        let (drawn, resolved) = if pass.samples > target.samples {
            let several = ImageShape { samples: pass.samples, ..single };
            (Picture::own(context, target.format, several)?, Some(result))
        } else {
            (result, None)
        };
        let clear = target.clear.then(vk::ClearValue::default);
        let output = target.part.is_none().then(|| pass.output(&format!("target{index}")));
        Ok(Self { drawn, resolved, format: target.format, clear, output })
    }

    fn depth(context: &'c Context, bound: &Bound<'c>, pass: &Pass, depth: &Depth) -> Result<Self> {
        let layers = pass.targets.first().map_or(1, |first| first.layers);
        let drawn = match depth.part {
            Some((part, _)) => Picture::part(bound, part, layers, Format::DEPTH)?,
            None => Self::own_buffer(context, pass, Format::DEPTH)?,
        };
        let value = |depth| vk::ClearValue { depth_stencil: vk::ClearDepthStencilValue { depth, stencil: 0 } };
        let output = depth.out.then(|| pass.output("depth"));
        Ok(Self { drawn, resolved: None, format: Format::DEPTH, clear: depth.clear.map(value), output })
    }

    fn stencil(context: &'c Context, pass: &Pass) -> Result<Self> {
        let drawn = Self::own_buffer(context, pass, Format::STENCIL)?;
        let clear = Some(vk::ClearValue::default());
        Ok(Self { drawn, resolved: None, format: Format::STENCIL, clear, output: Some(pass.output("stencil")) })
    }

    /// A depth or stencil buffer of the same size as target 0.
    fn own_buffer(context: &'c Context, pass: &Pass, format: Format) -> Result<Picture<'c>> {
        let layers = pass.targets.first().map_or(1, |first| first.layers);
        let shape = ImageShape { layers, samples: pass.samples, ..ImageShape::flat(format.vk, pass.area()) };
        Picture::own(context, format, shape)
    }

    /// The layout of a picture: the optimal layout for an image of the pass, and GENERAL for a part
    /// of a resource.
    fn layout(&self, picture: &Picture<'_>) -> vk::ImageLayout {
        match self.format {
            _ if picture.image.is_none() => vk::ImageLayout::GENERAL,
            Format::DEPTH => vk::ImageLayout::DEPTH_ATTACHMENT_OPTIMAL,
            Format::STENCIL => vk::ImageLayout::STENCIL_ATTACHMENT_OPTIMAL,
            _ => vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL,
        }
    }

    fn prepare(&self, commands: vk::CommandBuffer) {
        for picture in std::iter::once(&self.drawn).chain(&self.resolved) {
            if let Some(image) = &picture.image {
                image.transition(commands, vk::ImageLayout::UNDEFINED, self.layout(picture));
            }
        }
    }

    fn info(&self) -> vk::RenderingAttachmentInfo<'static> {
        let load = if self.clear.is_some() { vk::AttachmentLoadOp::CLEAR } else { vk::AttachmentLoadOp::LOAD };
        let info = vk::RenderingAttachmentInfo::default()
            .image_view(self.drawn.view.handle)
            .image_layout(self.layout(&self.drawn))
            .load_op(load)
            .store_op(vk::AttachmentStoreOp::STORE)
            .clear_value(self.clear.unwrap_or_default());
        let Some(resolved) = &self.resolved else { return info };
        let integer = self.format.is_integer();
        let mode = if integer { vk::ResolveModeFlags::SAMPLE_ZERO } else { vk::ResolveModeFlags::AVERAGE };
        info.resolve_mode(mode).resolve_image_view(resolved.view.handle).resolve_image_layout(self.layout(resolved))
    }

    fn read(&self, outputs: &mut Outputs) -> Result<()> {
        let Some(name) = &self.output else { return Ok(()) };
        let picture = self.resolved.as_ref().unwrap_or(&self.drawn);
        if let Some(image) = &picture.image {
            let bytes = image.download(self.format.aspect(), self.format.bytes(), self.layout(picture))?;
            outputs.push((name.clone(), words(&bytes)));
        }
        Ok(())
    }
}

/// All attachments of a pass.
pub(super) struct Attachments<'c> {
    context: &'c Context,
    colors: Vec<Attachment<'c>>,
    depth: Option<Attachment<'c>>,
    stencil: Option<Attachment<'c>>,
    subpass: Option<Subpass<'c>>,
    area: vk::Rect2D,
    layers: u32,
    view_mask: u32,
}

impl<'c> Attachments<'c> {
    pub(super) fn new(
        context: &'c Context,
        bound: &Bound<'c>,
        pass: &Pass,
        mut subpass: Option<Subpass<'c>>,
    ) -> Result<Self> {
        let color = |(index, target)| Attachment::color(context, bound, pass, index, target);
        let colors = pass.targets.iter().enumerate().map(color).collect::<Result<Vec<_>>>()?;
        if let Some(subpass) = &mut subpass {
            let views: Vec<_> = colors.iter().map(|color: &Attachment<'_>| color.drawn.view.handle).collect();
            subpass.frame(pass.area(), &[&views[..], bound.input_views()].concat())?;
        }
        let depth = pass.depth.as_ref().map(|depth| Attachment::depth(context, bound, pass, depth)).transpose()?;
        let stencil = pass.stencil.then(|| Attachment::stencil(context, pass)).transpose()?;
        let [width, height] = pass.area();
        let area = vk::Rect2D { extent: vk::Extent2D { width, height }, ..Default::default() };
        let layers = pass.targets.first().map_or(1, |target| target.layers);
        Ok(Self { context, colors, depth, stencil, subpass, area, layers, view_mask: view_mask(pass) })
    }

    fn all(&self) -> impl Iterator<Item = &Attachment<'c>> {
        self.colors.iter().chain(&self.depth).chain(&self.stencil)
    }

    /// Records the transition of the pass's own images to their layouts. Their contents become
    /// undefined.
    pub(super) fn prepare(&self, commands: vk::CommandBuffer) {
        self.all().for_each(|attachment| attachment.prepare(commands));
    }

    /// Records the start of rendering to the attachments, calls `draw`, and records the end.
    pub(super) fn render(&self, commands: vk::CommandBuffer, draw: impl FnOnce()) {
        if let Some(subpass) = &self.subpass {
            subpass.render(commands, self.area, self.colors.len(), draw);
            return;
        }
        let colors: Vec<_> = self.colors.iter().map(Attachment::info).collect();
        let (depth, stencil) = (self.depth.as_ref().map(Attachment::info), self.stencil.as_ref().map(Attachment::info));
        let mut rendering = vk::RenderingInfo::default()
            .render_area(self.area)
            .layer_count(self.layers)
            .view_mask(self.view_mask)
            .color_attachments(&colors);
        if let Some(info) = &depth {
            rendering = rendering.depth_attachment(info);
        }
        if let Some(info) = &stencil {
            rendering = rendering.stencil_attachment(info);
        }
        // SAFETY: the command buffer is recording, the infos outlive the call, and every view lives
        // until `Gpu::submit` has waited for the queue.
        unsafe { self.context.gpu.device.cmd_begin_rendering(commands, &rendering) };
        draw();
        // SAFETY: rendering was begun above, and `draw` does not end it.
        unsafe { self.context.gpu.device.cmd_end_rendering(commands) };
    }

    /// Reads the attachments that are outputs.
    pub(super) fn read(&self, outputs: &mut Outputs) -> Result<()> {
        self.all().try_for_each(|attachment| attachment.read(outputs))
    }
}

/// The view mask of a multiview pass: one bit for each view.
pub(super) fn view_mask(pass: &Pass) -> u32 {
    (1 << pass.views) - 1
}
