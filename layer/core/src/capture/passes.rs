//! Render passes.

use ash::vk;
use ash::vk::TaggedStructure;
use dxil_capture::model::{Attachment, Dependency, Reference, RenderPass, Subpass};

use crate::capture::chains::chain;
use crate::vulkan::arrays::slice;
use crate::vulkan::chain as chains;
use crate::vulkan::reads::Uses;

type Resolve = vk::SubpassDescriptionDepthStencilResolve<'static>;
type ShadingRate = vk::FragmentShadingRateAttachmentInfoKHR<'static>;

/// The index of an attachment, unless it is `VK_ATTACHMENT_UNUSED`.
pub fn used(attachment: u32) -> Option<u32> {
    (attachment != vk::ATTACHMENT_UNUSED).then_some(attachment)
}

/// A render pass.
///
/// # Safety
/// `info` must be valid.
pub unsafe fn render_pass(info: &vk::RenderPassCreateInfo2<'_>) -> RenderPass {
    // SAFETY: the arrays of a valid create info, with valid elements, and its chain.
    unsafe {
        RenderPass {
            flags: info.flags.as_raw(),
            attachments: slice(info.p_attachments, info.attachment_count).iter().map(|a| attachment(a)).collect(),
            subpasses: slice(info.p_subpasses, info.subpass_count).iter().map(|s| subpass(s)).collect(),
            dependencies: slice(info.p_dependencies, info.dependency_count).iter().map(|d| dependency(d)).collect(),
            correlated_view_masks: slice(info.p_correlated_view_masks, info.correlated_view_mask_count).to_vec(),
            chain: chain(info.p_next, &[]),
        }
    }
}

/// # Safety
/// `info` must be valid.
unsafe fn attachment(info: &vk::AttachmentDescription2<'_>) -> Attachment {
    Attachment {
        flags: info.flags.as_raw(),
        format: info.format.as_raw(),
        samples: info.samples.as_raw(),
        ops: [info.load_op.as_raw(), info.store_op.as_raw()],
        stencil_ops: [info.stencil_load_op.as_raw(), info.stencil_store_op.as_raw()],
        layouts: [info.initial_layout.as_raw(), info.final_layout.as_raw()],
        // SAFETY: the chain of a valid structure.
        chain: unsafe { chain(info.p_next, &[]) },
    }
}

/// # Safety
/// `info` must be valid.
unsafe fn reference(info: &vk::AttachmentReference2<'_>) -> Reference {
    Reference {
        attachment: used(info.attachment),
        layout: info.layout.as_raw(),
        aspects: info.aspect_mask.as_raw(),
        // SAFETY: the chain of a valid structure.
        chain: unsafe { chain(info.p_next, &[]) },
    }
}

/// # Safety
/// `info` must be valid.
unsafe fn subpass(info: &vk::SubpassDescription2<'_>) -> Subpass {
    let colors = info.color_attachment_count;
    // SAFETY: the arrays of a valid structure, with valid elements, and its chain. The resolve
    // array is null, or as long as the array of colour attachments.
    unsafe {
        let references = |pointer, count| slice(pointer, count).iter().map(|r| reference(r)).collect();
        Subpass {
            flags: info.flags.as_raw(),
            bind_point: info.pipeline_bind_point.as_raw(),
            view_mask: info.view_mask,
            inputs: references(info.p_input_attachments, info.input_attachment_count),
            colors: references(info.p_color_attachments, colors),
            resolves: references(info.p_resolve_attachments, colors),
            depth_stencil: info.p_depth_stencil_attachment.as_ref().map(|r| reference(r)),
            preserves: slice(info.p_preserve_attachments, info.preserve_attachment_count).to_vec(),
            depth_stencil_resolve: chains::find::<Resolve>(info.p_next).map(|resolve| {
                let modes = [resolve.depth_resolve_mode.as_raw(), resolve.stencil_resolve_mode.as_raw()];
                (modes, resolve.p_depth_stencil_resolve_attachment.as_ref().map(|r| reference(r)))
            }),
            shading_rate: chains::find::<ShadingRate>(info.p_next).map(|rate| {
                let size = rate.shading_rate_attachment_texel_size;
                (rate.p_fragment_shading_rate_attachment.as_ref().map(|r| reference(r)), [size.width, size.height])
            }),
            chain: chain(info.p_next, &[Resolve::STRUCTURE_TYPE, ShadingRate::STRUCTURE_TYPE]),
        }
    }
}

/// # Safety
/// `info` must be valid.
unsafe fn dependency(info: &vk::SubpassDependency2<'_>) -> Dependency {
    Dependency {
        subpasses: [info.src_subpass, info.dst_subpass],
        stages: [info.src_stage_mask.as_raw(), info.dst_stage_mask.as_raw()],
        accesses: [info.src_access_mask.as_raw(), info.dst_access_mask.as_raw()],
        flags: info.dependency_flags.as_raw(),
        view_offset: info.view_offset,
        // SAFETY: the chain of a valid structure.
        chain: unsafe { chain(info.p_next, &[]) },
    }
}

/// The attachments that a subpass uses.
pub fn uses(pass: &RenderPass, subpass: u32) -> Option<Uses> {
    let subpass = pass.subpasses.get(subpass as usize)?;
    let is_used = |reference: &&Reference| reference.attachment.is_some();
    Some(Uses {
        colors: Some(subpass.colors.iter().filter(is_used).count() as u32),
        depth_stencil: Some(subpass.depth_stencil.iter().any(|reference| is_used(&reference))),
    })
}
