//! Render passes, of Vulkan 1.2. The lab makes no others.
//!
//! In: create infos. Out: hash, JSON, and which subpasses have colour and depth.

use ash::vk;
use serde_json::Value;

use super::chain::{Around, add, array, reference};
use super::hash::{Hasher, JsonNode};
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
    let mut hash = Hasher::default();
    let mut node = JsonNode::new(&mut hash);
    node.u32("flags", info.flags.as_raw());
    node.hash.u32(info.attachment_count);
    node.hash.u32(info.dependency_count);
    node.hash.u32(info.subpass_count);
    node.hash.u32(info.correlated_view_mask_count);
    // The version.
    node.hash.u32(2);
    // SAFETY: the arrays of a valid create info, and their chains.
    unsafe {
        let mut all = Vec::new();
        for it in array(info.p_attachments, info.attachment_count) {
            let mut node = JsonNode::new(node.hash);
            attachment(&mut node, it);
            add(&mut node, it.p_next, around)?;
            all.push(node.end()?);
        }
        node.set("attachments", all);
        let mut all = Vec::new();
        for it in array(info.p_dependencies, info.dependency_count) {
            let mut node = JsonNode::new(node.hash);
            dependency(&mut node, it);
            node.i32("viewOffset", it.view_offset);
            add(&mut node, it.p_next, around)?;
            all.push(node.end()?);
        }
        node.set("dependencies", all);
        let mut all = Vec::new();
        for it in array(info.p_subpasses, info.subpass_count) {
            let mut node = JsonNode::new(node.hash);
            subpass(&mut node, it, around)?;
            node.u32("viewMask", it.view_mask);
            add(&mut node, it.p_next, around)?;
            all.push(node.end()?);
        }
        node.set("subpasses", all);
        let masks = array(info.p_correlated_view_masks, info.correlated_view_mask_count);
        masks.iter().for_each(|mask| node.hash.u32(*mask));
        node.set("correlatedViewMasks", masks);
        add(&mut node, info.p_next, around)?;
    }
    let value = node.end()?;
    Ok((hash.get(), value))
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
        let all = list.iter().map(|it| reference(node.hash, it, around)).collect::<Result<Vec<_>, _>>()?;
        if !all.is_empty() {
            node.set(name, all);
        }
    }
    match depth_stencil {
        Some(it) => {
            let value = reference(node.hash, it, around)?;
            node.set("depthStencilAttachment", value);
        }
        None => node.hash.u32(0),
    }
    Ok(())
}
