//! Draws of pipelines that are made for a render pass.
//!
//! In: a render pass with one subpass. Out: a framebuffer, and the begin of the pass. What must
//! hold: every attachment has a content before the pass, and is in the layout GENERAL behind it.

use ash::vk;
use dxil_capture::model::RenderPass;
use dxil_vulkan::{Gpu, Named as _, Objects};

use super::stop::{CannotRun, DrawFault, Stop};
use super::target::{Attachment, TARGET, attachment};
use super::texel::is_known;

/// A render pass with its framebuffer.
pub struct Pass<'g> {
    gpu: &'g Gpu,
    handle: vk::RenderPass,
    framebuffer: vk::Framebuffer,
    _framebuffer: Objects<'g>,
    /// The layouts of each attachment before and behind the pass.
    layouts: Vec<[vk::ImageLayout; 2]>,
}

impl<'g> Pass<'g> {
    /// Makes the attachments and the framebuffer of a subpass.
    ///
    /// # Errors
    /// A render pass that the lab does not draw in, or the driver's error.
    pub fn new(
        gpu: &'g Gpu,
        (pass, handle): (&RenderPass, vk::RenderPass),
    ) -> Result<(Self, Vec<Attachment<'g>>), Stop> {
        let [subpass] = &pass.subpasses[..] else { return Err(CannotRun::Draw(DrawFault::RenderPass).into()) };
        let has_more = !subpass.inputs.is_empty() || subpass.view_mask != 0 || subpass.shading_rate.is_some();
        if has_more || handle == vk::RenderPass::null() {
            return Err(CannotRun::Draw(DrawFault::RenderPass).into());
        }
        let mut formats = pass.attachments.iter().map(|it| vk::Format::from_raw(it.format));
        if let Some(format) = formats.find(|format| !is_known(*format)) {
            return Err(CannotRun::Draw(DrawFault::Format(format)).into());
        }
        let attachments = (0..).zip(&pass.attachments).map(|(index, it): (u32, _)| {
            let format = vk::Format::from_raw(it.format);
            attachment(gpu, format, (it.samples, false), format!("attachment {index}"))
        });
        let attachments: Vec<Attachment<'g>> = attachments.collect::<Result<_, Stop>>()?;
        let views: Vec<vk::ImageView> = attachments.iter().map(|it| it.drawn.view.handle).collect();
        let mut info = vk::FramebufferCreateInfo::default().render_pass(handle).attachments(&views);
        (info.width, info.height, info.layers) = (TARGET, TARGET, 1);
        // SAFETY: a live render pass, and a live view for each of its attachments.
        let made = unsafe { gpu.device.create_framebuffer(&info, None) };
        let mut object = Objects::new(gpu);
        let framebuffer = object.framebuffer(made.named("vkCreateFramebuffer")?);
        let layouts = pass.attachments.iter().map(|it| it.layouts.map(vk::ImageLayout::from_raw)).collect();
        Ok((Self { gpu, handle, framebuffer, _framebuffer: object, layouts }, attachments))
    }

    /// Gives the attachments zeros.
    ///
    /// # Errors
    /// The driver's.
    pub fn clear(&self, attachments: &[Attachment<'g>]) -> Result<(), Stop> {
        for (attachment, [before, _]) in attachments.iter().zip(&self.layouts) {
            // An undefined content is one that the pass clears or does not read.
            let layout = if *before == vk::ImageLayout::UNDEFINED { vk::ImageLayout::GENERAL } else { *before };
            attachment.drawn.image.clear(vk::ClearValue::default(), layout)?;
        }
        Ok(())
    }

    /// Begins the pass.
    ///
    /// # Safety
    /// The command buffer must be open.
    pub unsafe fn begin(&self, commands: vk::CommandBuffer) {
        let clear = vec![vk::ClearValue::default(); self.layouts.len()];
        let extent = vk::Extent2D { width: TARGET, height: TARGET };
        let info = vk::RenderPassBeginInfo::default()
            .render_pass(self.handle)
            .framebuffer(self.framebuffer)
            .render_area(vk::Rect2D { offset: vk::Offset2D::default(), extent })
            .clear_values(&clear);
        // SAFETY: live objects of this device; the attachments are in the layouts that the pass
        // begins with.
        unsafe { self.gpu.device.cmd_begin_render_pass(commands, &info, vk::SubpassContents::INLINE) };
    }

    /// Ends the pass, and brings the attachments into the layout GENERAL.
    ///
    /// # Safety
    /// The pass must have begun.
    pub unsafe fn end(&self, commands: vk::CommandBuffer, attachments: &[Attachment<'g>]) {
        // SAFETY: the pass has begun.
        unsafe { self.gpu.device.cmd_end_render_pass(commands) };
        for (attachment, [_, behind]) in attachments.iter().zip(&self.layouts) {
            attachment.drawn.image.transition(commands, *behind, vk::ImageLayout::GENERAL);
        }
    }
}
