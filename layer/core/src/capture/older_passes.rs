//! Render passes of Vulkan 1.0, converted to `VkRenderPassCreateInfo2`. Members that the older
//! structure does not have come from extension structures in its chain.

use ash::vk;
use ash::vk::TaggedStructure;
use dxil_capture::model::{Attachment, Dependency, Reference, RenderPass, Subpass};

use crate::capture::chains::chain;
use crate::capture::passes::used;
use crate::vulkan::arrays::slice;
use crate::vulkan::chain as chains;

type Multiview = vk::RenderPassMultiviewCreateInfo<'static>;
type Aspects = vk::RenderPassInputAttachmentAspectCreateInfo<'static>;

/// A render pass.
///
/// # Safety
/// `info` must be valid.
pub unsafe fn render_pass(info: &vk::RenderPassCreateInfo<'_>) -> RenderPass {
    // SAFETY: the chain of a valid create info.
    let (views, aspects) = unsafe { (chains::find::<Multiview>(info.p_next), chains::find::<Aspects>(info.p_next)) };
    // SAFETY: the arrays of valid structures.
    let (masks, offsets, correlated, aspects) = unsafe {
        (
            views.map_or(&[][..], |views| slice(views.p_view_masks, views.subpass_count)),
            views.map_or(&[][..], |views| slice(views.p_view_offsets, views.dependency_count)),
            views.map_or(&[][..], |views| slice(views.p_correlation_masks, views.correlation_mask_count)),
            aspects.map_or(&[][..], |aspects| slice(aspects.p_aspect_references, aspects.aspect_reference_count)),
        )
    };
    // SAFETY: the arrays of a valid create info.
    let (attachments, subpasses, dependencies) = unsafe {
        (
            slice(info.p_attachments, info.attachment_count),
            slice(info.p_subpasses, info.subpass_count),
            slice(info.p_dependencies, info.dependency_count),
        )
    };
    let attachments: Vec<Attachment> = attachments.iter().map(attachment).collect();
    let aspects_of = |subpass: usize, input: usize| {
        let named = |a: &&vk::InputAttachmentAspectReference| {
            (a.subpass as usize, a.input_attachment_index as usize) == (subpass, input)
        };
        aspects.iter().find(named).map(|reference| reference.aspect_mask.as_raw())
    };
    let subpass = |(index, info): (usize, &vk::SubpassDescription<'_>)| {
        let view_mask = masks.get(index).copied().unwrap_or(0);
        // SAFETY: a subpass of a valid create info.
        let mut out = unsafe { subpass(info, view_mask) };
        for (at, input) in out.inputs.iter_mut().enumerate() {
            let format = input.attachment.and_then(|at| attachments.get(at as usize)).map_or(0, |a| a.format);
            input.aspects = aspects_of(index, at).unwrap_or_else(|| aspects_of_format(format));
        }
        out
    };
    let dependency = |(index, info): (usize, &vk::SubpassDependency)| Dependency {
        subpasses: [info.src_subpass, info.dst_subpass],
        stages: [info.src_stage_mask.as_raw(), info.dst_stage_mask.as_raw()],
        accesses: [info.src_access_mask.as_raw(), info.dst_access_mask.as_raw()],
        flags: info.dependency_flags.as_raw(),
        view_offset: offsets.get(index).copied().unwrap_or(0),
        ..Dependency::default()
    };
    RenderPass {
        flags: info.flags.as_raw(),
        subpasses: subpasses.iter().enumerate().map(subpass).collect(),
        dependencies: dependencies.iter().enumerate().map(dependency).collect(),
        correlated_view_masks: correlated.to_vec(),
        // SAFETY: the chain of a valid create info.
        chain: unsafe { chain(info.p_next, &[Multiview::STRUCTURE_TYPE, Aspects::STRUCTURE_TYPE]) },
        attachments,
    }
}

fn attachment(info: &vk::AttachmentDescription) -> Attachment {
    Attachment {
        flags: info.flags.as_raw(),
        format: info.format.as_raw(),
        samples: info.samples.as_raw(),
        ops: [info.load_op.as_raw(), info.store_op.as_raw()],
        stencil_ops: [info.stencil_load_op.as_raw(), info.stencil_store_op.as_raw()],
        layouts: [info.initial_layout.as_raw(), info.final_layout.as_raw()],
        ..Attachment::default()
    }
}

fn reference(info: &vk::AttachmentReference) -> Reference {
    Reference { attachment: used(info.attachment), layout: info.layout.as_raw(), ..Reference::default() }
}

/// # Safety
/// `info` must be valid.
unsafe fn subpass(info: &vk::SubpassDescription<'_>, view_mask: u32) -> Subpass {
    let colors = info.color_attachment_count;
    // SAFETY: the arrays of a valid structure. The resolve array is null, or as long as the array
    // of colour attachments.
    unsafe {
        let references = |pointer, count| slice(pointer, count).iter().map(reference).collect();
        Subpass {
            flags: info.flags.as_raw(),
            bind_point: info.pipeline_bind_point.as_raw(),
            view_mask,
            inputs: references(info.p_input_attachments, info.input_attachment_count),
            colors: references(info.p_color_attachments, colors),
            resolves: references(info.p_resolve_attachments, colors),
            depth_stencil: info.p_depth_stencil_attachment.as_ref().map(reference),
            preserves: slice(info.p_preserve_attachments, info.preserve_attachment_count).to_vec(),
            ..Subpass::default()
        }
    }
}

/// The aspects of an input attachment without `VkRenderPassInputAttachmentAspectCreateInfo`: all
/// aspects of its format.
fn aspects_of_format(format: i32) -> u32 {
    use vk::{Format as F, ImageAspectFlags as A};
    let aspects = match F::from_raw(format) {
        F::D16_UNORM | F::X8_D24_UNORM_PACK32 | F::D32_SFLOAT => A::DEPTH,
        F::S8_UINT => A::STENCIL,
        F::D16_UNORM_S8_UINT | F::D24_UNORM_S8_UINT | F::D32_SFLOAT_S8_UINT => A::DEPTH | A::STENCIL,
        _ => A::COLOR,
    };
    aspects.as_raw()
}
