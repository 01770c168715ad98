//! Render passes.

use ash::vk;
use dxil_capture::model::{Reference, RenderPass, Subpass};

use super::error::MakeError;
use super::maker::Maker;
use dxil_vulkan::{Named as _, Objects};

impl Maker<'_> {
    /// A render pass.
    pub(super) fn render_pass(
        &self,
        objects: &mut Objects<'_>,
        pass: &RenderPass,
    ) -> Result<vk::RenderPass, MakeError> {
        let attachments: Vec<_> = pass
            .attachments
            .iter()
            .map(|attachment| {
                Ok(vk::AttachmentDescription2 {
                    flags: vk::AttachmentDescriptionFlags::from_raw(attachment.flags),
                    format: vk::Format::from_raw(attachment.format),
                    samples: vk::SampleCountFlags::from_raw(attachment.samples),
                    load_op: vk::AttachmentLoadOp::from_raw(attachment.ops[0]),
                    store_op: vk::AttachmentStoreOp::from_raw(attachment.ops[1]),
                    stencil_load_op: vk::AttachmentLoadOp::from_raw(attachment.stencil_ops[0]),
                    stencil_store_op: vk::AttachmentStoreOp::from_raw(attachment.stencil_ops[1]),
                    initial_layout: vk::ImageLayout::from_raw(attachment.layouts[0]),
                    final_layout: vk::ImageLayout::from_raw(attachment.layouts[1]),
                    p_next: self.chained(&attachment.chain)?,
                    ..Default::default()
                })
            })
            .collect::<Result<_, MakeError>>()?;
        let subpasses: Vec<_> =
            pass.subpasses.iter().map(|subpass| self.subpass(subpass)).collect::<Result<_, MakeError>>()?;
        let dependencies: Vec<_> = pass
            .dependencies
            .iter()
            .map(|dependency| {
                Ok(vk::SubpassDependency2 {
                    src_subpass: dependency.subpasses[0],
                    dst_subpass: dependency.subpasses[1],
                    src_stage_mask: vk::PipelineStageFlags::from_raw(dependency.stages[0]),
                    dst_stage_mask: vk::PipelineStageFlags::from_raw(dependency.stages[1]),
                    src_access_mask: vk::AccessFlags::from_raw(dependency.accesses[0]),
                    dst_access_mask: vk::AccessFlags::from_raw(dependency.accesses[1]),
                    dependency_flags: vk::DependencyFlags::from_raw(dependency.flags),
                    view_offset: dependency.view_offset,
                    p_next: self.chained(&dependency.chain)?,
                    ..Default::default()
                })
            })
            .collect::<Result<_, MakeError>>()?;
        let mut info = vk::RenderPassCreateInfo2::default()
            .attachments(&attachments)
            .subpasses(&subpasses)
            .dependencies(&dependencies)
            .correlated_view_masks(&pass.correlated_view_masks);
        info.flags = vk::RenderPassCreateFlags::from_raw(pass.flags);
        info.p_next = self.chained(&pass.chain)?;
        // SAFETY: a valid create info.
        let made = unsafe { self.lab.gpu.device.create_render_pass2(&info, None) };
        Ok(objects.render_pass(made.named("vkCreateRenderPass2")?))
    }

    fn subpass(&self, subpass: &Subpass) -> Result<vk::SubpassDescription2<'static>, MakeError> {
        let all = |references: &[Reference]| {
            let references: Vec<_> =
                references.iter().map(|reference| self.reference(reference)).collect::<Result<_, MakeError>>()?;
            Ok::<_, MakeError>(self.arena.all(references))
        };
        let (inputs, colors, resolves) = (all(&subpass.inputs)?, all(&subpass.colors)?, all(&subpass.resolves)?);
        let depth_stencil = all(subpass.depth_stencil.as_slice())?;
        let mut next = std::ptr::null();
        if let Some((modes, reference)) = &subpass.depth_stencil_resolve {
            let resolve = vk::SubpassDescriptionDepthStencilResolve {
                depth_resolve_mode: vk::ResolveModeFlags::from_raw(modes[0]),
                stencil_resolve_mode: vk::ResolveModeFlags::from_raw(modes[1]),
                p_depth_stencil_resolve_attachment: all(reference.as_slice())?,
                p_next: next,
                ..Default::default()
            };
            next = self.arena.one(resolve).cast();
        }
        if let Some((reference, [width, height])) = &subpass.shading_rate {
            let rate = vk::FragmentShadingRateAttachmentInfoKHR {
                p_fragment_shading_rate_attachment: all(reference.as_slice())?,
                shading_rate_attachment_texel_size: vk::Extent2D { width: *width, height: *height },
                p_next: next,
                ..Default::default()
            };
            next = self.arena.one(rate).cast();
        }
        Ok(vk::SubpassDescription2 {
            flags: vk::SubpassDescriptionFlags::from_raw(subpass.flags),
            pipeline_bind_point: vk::PipelineBindPoint::from_raw(subpass.bind_point),
            view_mask: subpass.view_mask,
            input_attachment_count: subpass.inputs.len() as u32,
            p_input_attachments: inputs,
            color_attachment_count: subpass.colors.len() as u32,
            p_color_attachments: colors,
            p_resolve_attachments: resolves,
            p_depth_stencil_attachment: depth_stencil,
            preserve_attachment_count: subpass.preserves.len() as u32,
            p_preserve_attachments: self.arena.all(subpass.preserves.clone()),
            p_next: self.before(&subpass.chain, next)?,
            ..Default::default()
        })
    }

    fn reference(&self, reference: &Reference) -> Result<vk::AttachmentReference2<'static>, MakeError> {
        Ok(vk::AttachmentReference2 {
            attachment: reference.attachment.unwrap_or(vk::ATTACHMENT_UNUSED),
            layout: vk::ImageLayout::from_raw(reference.layout),
            aspect_mask: vk::ImageAspectFlags::from_raw(reference.aspects),
            p_next: self.chained(&reference.chain)?,
            ..Default::default()
        })
    }
}
