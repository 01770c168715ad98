//! Images that pipelines draw to.

use ash::vk;
use dxil_vulkan::Gpu;

use super::picture::{Image, Spec, aspects};
use super::stop::Stop;
use super::texel::element_of;
use crate::results::Element;

/// The width and height of targets, in pixels.
pub const TARGET: u32 = 32;

/// A target of a graphics pipeline.
pub struct Attachment<'g> {
    /// The image that is drawn to.
    pub drawn: Image<'g>,
    /// The image that the samples are brought together in, if there are several.
    resolved: Option<Image<'g>>,
    /// Its name among the results.
    pub name: String,
}

impl<'g> Attachment<'g> {
    /// The image that is copied back.
    pub fn result(&self) -> &Image<'g> {
        self.resolved.as_ref().unwrap_or(&self.drawn)
    }

    /// Its images.
    pub fn images(&self) -> impl Iterator<Item = &Image<'g>> {
        std::iter::once(&self.drawn).chain(&self.resolved)
    }
}

/// An image to draw to, and one to bring its samples together in, if that is asked for and there
/// are several.
///
/// # Errors
/// What the device lacks, or the driver's error.
pub fn attachment(
    gpu: &Gpu,
    format: vk::Format,
    (samples, is_resolved): (u32, bool),
    name: String,
) -> Result<Attachment<'_>, Stop> {
    let usage = match aspects(format) {
        vk::ImageAspectFlags::COLOR => vk::ImageUsageFlags::COLOR_ATTACHMENT,
        _ => vk::ImageUsageFlags::DEPTH_STENCIL_ATTACHMENT,
    };
    let mut spec = Spec::new(vk::ImageViewType::TYPE_2D, [TARGET, TARGET, 1], usage);
    spec.shape.format = format;
    let resolved = if samples == 1 || !is_resolved { None } else { Some(Image::new(gpu, spec)?) };
    spec.shape.samples = samples;
    Ok(Attachment { drawn: Image::new(gpu, spec)?, resolved, name })
}

/// A target as a draw without a render pass names it.
pub fn rendering_info(target: Option<&Attachment<'_>>) -> vk::RenderingAttachmentInfo<'static> {
    let Some(target) = target else { return vk::RenderingAttachmentInfo::default() };
    let layout = vk::ImageLayout::GENERAL;
    let mut info = vk::RenderingAttachmentInfo::default()
        .image_view(target.drawn.view.handle)
        .image_layout(layout)
        .load_op(vk::AttachmentLoadOp::CLEAR)
        .store_op(vk::AttachmentStoreOp::STORE);
    if let Some(resolved) = &target.resolved {
        // Integers and depths have no average (VUID-VkRenderingAttachmentInfo-imageView-06129 to
        // 06131).
        let format = target.drawn.image.shape.format;
        let is_averaged = aspects(format) == vk::ImageAspectFlags::COLOR && element_of(format) != Element::Integer;
        let mode = if is_averaged { vk::ResolveModeFlags::AVERAGE } else { vk::ResolveModeFlags::SAMPLE_ZERO };
        info = info.resolve_mode(mode).resolve_image_view(resolved.view.handle).resolve_image_layout(layout);
    }
    info
}
