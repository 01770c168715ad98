//! The render pass of a pass that reads input attachments. Dynamic rendering has none without an
//! extension, so such a pass draws in a render pass with one subpass.
//!
//! In: the targets of a pass, and the resources that are input attachments. Out: a render pass, and
//! a framebuffer for it. What must hold: input attachment i is the texture at register t*i*,
//! because docs/bindings.md gives a texture its register as index.

use ash::vk;

use crate::error::Result;
use crate::spec::{Fixture, Pass};
use crate::vulkan::Context;
use dxil_vulkan::Named as _;

/// A render pass with one subpass, and its framebuffer once the views are known.
pub(super) struct Subpass<'c> {
    context: &'c Context,
    pub(super) render_pass: vk::RenderPass,
    framebuffer: vk::Framebuffer,
}

impl<'c> Subpass<'c> {
    /// The render pass of a pass that draws, if the fixture has input attachments.
    pub(super) fn new(context: &'c Context, fixture: &Fixture, pass: &Pass) -> Result<Option<Self>> {
        if !pass.is_drawing() || fixture.input_attachments().next().is_none() {
            return Ok(None);
        }
        let mut attachments = Vec::new();
        let mut colors = Vec::new();
        for target in &pass.targets {
            let layout = vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL;
            colors.push(vk::AttachmentReference { attachment: attachments.len() as u32, layout });
            attachments.push(
                vk::AttachmentDescription::default()
                    .format(target.format.vk)
                    .samples(vk::SampleCountFlags::TYPE_1)
                    .load_op(vk::AttachmentLoadOp::CLEAR)
                    .store_op(vk::AttachmentStoreOp::STORE)
                    .initial_layout(layout)
                    .final_layout(layout),
            );
        }
        let layout = vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL;
        let mut inputs: Vec<vk::AttachmentReference> = Vec::new();
        for (_, resource) in fixture.input_attachments() {
            let crate::spec::Kind::Texture(shape, ..) = &resource.kind else { continue };
            for element in 0..resource.count {
                let index = (resource.register.number + element) as usize;
                let unused = vk::AttachmentReference { attachment: vk::ATTACHMENT_UNUSED, layout };
                inputs.resize(inputs.len().max(index + 1), unused);
                inputs[index] = vk::AttachmentReference { attachment: attachments.len() as u32, layout };
                attachments.push(
                    vk::AttachmentDescription::default()
                        .format(shape.format)
                        .samples(vk::SampleCountFlags::TYPE_1)
                        .load_op(vk::AttachmentLoadOp::LOAD)
                        .store_op(vk::AttachmentStoreOp::STORE)
                        .initial_layout(layout)
                        .final_layout(layout),
                );
            }
        }
        let subpass = [vk::SubpassDescription::default()
            .pipeline_bind_point(vk::PipelineBindPoint::GRAPHICS)
            .color_attachments(&colors)
            .input_attachments(&inputs)];
        let info = vk::RenderPassCreateInfo::default().attachments(&attachments).subpasses(&subpass);
        // SAFETY: the arrays outlive the call, and every reference names an attachment or none.
        let render_pass = unsafe { context.gpu.device.create_render_pass(&info, None) }.named("vkCreateRenderPass")?;
        Ok(Some(Self { context, render_pass, framebuffer: vk::Framebuffer::null() }))
    }

    /// Creates the framebuffer. `views` are those of the targets, then those of the input
    /// attachments.
    pub(super) fn frame(&mut self, [width, height]: [u32; 2], views: &[vk::ImageView]) -> Result<()> {
        let info = vk::FramebufferCreateInfo::default()
            .render_pass(self.render_pass)
            .attachments(views)
            .width(width)
            .height(height)
            .layers(1);
        // SAFETY: the views belong to this device, in the order of the render pass's attachments.
        let framebuffer = unsafe { self.context.gpu.device.create_framebuffer(&info, None) };
        self.framebuffer = framebuffer.named("vkCreateFramebuffer")?;
        Ok(())
    }

    /// Records the start of the render pass, calls `draw`, and records the end.
    pub(super) fn render(&self, commands: vk::CommandBuffer, area: vk::Rect2D, targets: usize, draw: impl FnOnce()) {
        let clears = vec![vk::ClearValue::default(); targets];
        let begin = vk::RenderPassBeginInfo::default()
            .render_pass(self.render_pass)
            .framebuffer(self.framebuffer)
            .render_area(area)
            .clear_values(&clears);
        let device = &self.context.gpu.device;
        // SAFETY: the command buffer is recording, and render pass, framebuffer and views live
        // until `Gpu::submit` has waited for the queue.
        unsafe { device.cmd_begin_render_pass(commands, &begin, vk::SubpassContents::INLINE) };
        draw();
        // SAFETY: the render pass was begun above, and `draw` does not end it.
        unsafe { device.cmd_end_render_pass(commands) };
    }
}

impl Drop for Subpass<'_> {
    fn drop(&mut self) {
        // SAFETY: no pending command uses them, because `Gpu::submit` waits for the queue. Vulkan
        // ignores null handles here.
        unsafe {
            self.context.gpu.device.destroy_framebuffer(self.framebuffer, None);
            self.context.gpu.device.destroy_render_pass(self.render_pass, None);
        }
    }
}
