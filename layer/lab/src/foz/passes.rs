//! Render passes, of Vulkan 1.2. The lab makes no others.
//!
//! In: create infos. Out: hash, JSON, and which subpasses have colour and depth.

use ash::vk;
use serde_json::Value;

use super::chain::{Around, add, array, reference};
use super::hash::{JsonNode, object};
use super::objects::Uses;
use super::unsupported::Unsupported;

/// A render pass.
///
/// # Safety
/// The create info must be valid.
pub unsafe fn render_pass(
    info: &vk::RenderPassCreateInfo2<'_>,
    around: Around<'_>,
) -> Result<(u64, Value), Unsupported> {
    object(|node: &mut JsonNode<'_>| {
        node.u32("flags", info.flags.as_raw());
        node.hash.u32(info.attachment_count);
        node.hash.u32(info.dependency_count);
        node.hash.u32(info.subpass_count);
        node.hash.u32(info.correlated_view_mask_count);
        // The version.
        node.hash.u32(2);
        // SAFETY: the arrays of a valid create info, and their chains.
        unsafe {
            node.list("attachments", array(info.p_attachments, info.attachment_count), |node, it| {
                attachment(node, it);
                add(node, it.p_next, around)
            })?;
            node.list("dependencies", array(info.p_dependencies, info.dependency_count), |node, it| {
                dependency(node, it);
                node.i32("viewOffset", it.view_offset);
                add(node, it.p_next, around)
            })?;
            node.list("subpasses", array(info.p_subpasses, info.subpass_count), |node, it| {
                subpass(node, it, around)?;
                node.u32("viewMask", it.view_mask);
                add(node, it.p_next, around)
            })?;
            node.words("correlatedViewMasks", array(info.p_correlated_view_masks, info.correlated_view_mask_count));
            add(node, info.p_next, around)
        }
    })
}

/// What the subpasses of a render pass draw into: the number of colours, and the depth attachment.
pub fn uses(subpasses: impl Iterator<Item = (u32, Option<u32>)>) -> Vec<Uses> {
    let uses = subpasses.map(|(colors, depth)| Uses {
        color: colors > 0,
        depth_stencil: depth.is_some_and(|attachment| attachment != vk::ATTACHMENT_UNUSED),
    });
    uses.collect()
}

fn attachment(node: &mut JsonNode<'_>, it: &vk::AttachmentDescription2<'_>) {
    node.u32("flags", it.flags.as_raw());
    node.u32("initialLayout", it.initial_layout.as_raw() as u32);
    node.u32("finalLayout", it.final_layout.as_raw() as u32);
    node.u32("format", it.format.as_raw() as u32);
    node.u32("loadOp", it.load_op.as_raw() as u32);
    node.u32("storeOp", it.store_op.as_raw() as u32);
    node.u32("stencilLoadOp", it.stencil_load_op.as_raw() as u32);
    node.u32("stencilStoreOp", it.stencil_store_op.as_raw() as u32);
    node.u32("samples", it.samples.as_raw());
}

fn dependency(node: &mut JsonNode<'_>, it: &vk::SubpassDependency2<'_>) {
    node.u32("dependencyFlags", it.dependency_flags.as_raw());
    node.u32("dstAccessMask", it.dst_access_mask.as_raw());
    node.u32("srcAccessMask", it.src_access_mask.as_raw());
    node.u32("srcSubpass", it.src_subpass);
    node.u32("dstSubpass", it.dst_subpass);
    node.u32("srcStageMask", it.src_stage_mask.as_raw());
    node.u32("dstStageMask", it.dst_stage_mask.as_raw());
}

/// # Safety
/// The subpass must be valid.
unsafe fn subpass(
    node: &mut JsonNode<'_>,
    it: &vk::SubpassDescription2<'_>,
    around: Around<'_>,
) -> Result<(), Unsupported> {
    node.u32("flags", it.flags.as_raw());
    node.hash.u32(it.color_attachment_count);
    node.hash.u32(it.input_attachment_count);
    node.hash.u32(it.preserve_attachment_count);
    node.u32("pipelineBindPoint", it.pipeline_bind_point.as_raw() as u32);
    // SAFETY: the arrays of a valid subpass.
    let (preserves, lists, depth_stencil) = unsafe {
        let lists = [
            ("colorAttachments", array(it.p_color_attachments, it.color_attachment_count)),
            ("inputAttachments", array(it.p_input_attachments, it.input_attachment_count)),
            ("resolveAttachments", array(it.p_resolve_attachments, it.color_attachment_count)),
        ];
        let preserves = array(it.p_preserve_attachments, it.preserve_attachment_count);
        (preserves, lists, it.p_depth_stencil_attachment.as_ref())
    };
    preserves.iter().for_each(|attachment| node.hash.u32(*attachment));
    if !preserves.is_empty() {
        node.set("preserveAttachments", preserves);
    }
    for (name, list) in lists {
        if !list.is_empty() {
            node.list(name, list, |node, it| reference(node, it, around))?;
        }
    }
    node.optional("depthStencilAttachment", depth_stencil, |node, it| reference(node, it, around))
}
