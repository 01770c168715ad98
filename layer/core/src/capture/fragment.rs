//! The state of graphics pipelines: samples, depth and stencil, blending.
//!
//! What must hold: a pointer is dereferenced only if Vulkan does so according to [`Read`].

use ash::vk;
use ash::vk::TaggedStructure;
use dxil_capture::model::{Blend, ColorBlend, DepthStencil, Multisample, StencilOp};

use crate::capture::chains::chain;
use crate::vulkan::arrays::slice;
use crate::vulkan::chain as chains;
use crate::vulkan::reads::Read;

type ColorWrite = vk::PipelineColorWriteCreateInfoEXT<'static>;

/// `VkPipelineMultisampleStateCreateInfo`.
///
/// # Safety
/// `state` must be valid.
pub unsafe fn multisample(state: &vk::PipelineMultisampleStateCreateInfo<'_>, what: &Read<'_>) -> Multisample {
    let samples = state.rasterization_samples.as_raw();
    // The array has a bit for each sample.
    let words = if what.all(&[vk::DynamicState::SAMPLE_MASK_EXT]) { 0 } else { samples.div_ceil(32) };
    Multisample {
        samples,
        sample_shading: state.sample_shading_enable != vk::FALSE,
        min_sample_shading: state.min_sample_shading.into(),
        // SAFETY: null or an array of a valid structure.
        sample_mask: unsafe { slice(state.p_sample_mask, words) }.to_vec(),
        alpha_to_coverage: state.alpha_to_coverage_enable != vk::FALSE,
        alpha_to_one: state.alpha_to_one_enable != vk::FALSE,
        // SAFETY: the chain of a valid structure.
        chain: unsafe { chain(state.p_next, &[]) },
    }
}

/// `VkPipelineDepthStencilStateCreateInfo`.
///
/// # Safety
/// `state` must be valid.
pub unsafe fn depth_stencil(state: &vk::PipelineDepthStencilStateCreateInfo<'_>) -> DepthStencil {
    let stencil = |op: &vk::StencilOpState| StencilOp {
        ops: [op.fail_op, op.pass_op, op.depth_fail_op].map(|op| op.as_raw()),
        compare: op.compare_op.as_raw(),
        masks: [op.compare_mask, op.write_mask],
        reference: op.reference,
    };
    DepthStencil {
        flags: state.flags.as_raw(),
        depth_test: state.depth_test_enable != vk::FALSE,
        depth_write: state.depth_write_enable != vk::FALSE,
        depth_compare: state.depth_compare_op.as_raw(),
        depth_bounds_test: state.depth_bounds_test_enable != vk::FALSE,
        depth_bounds: [state.min_depth_bounds.into(), state.max_depth_bounds.into()],
        stencil_test: state.stencil_test_enable != vk::FALSE,
        stencil: [stencil(&state.front), stencil(&state.back)],
        // SAFETY: the chain of a valid structure.
        chain: unsafe { chain(state.p_next, &[]) },
    }
}

/// `VkPipelineColorBlendStateCreateInfo`.
///
/// # Safety
/// `state` must be valid, its arrays where Vulkan reads them.
pub unsafe fn color_blend(state: &vk::PipelineColorBlendStateCreateInfo<'_>, what: &Read<'_>) -> ColorBlend {
    let blend = |target: &vk::PipelineColorBlendAttachmentState| Blend {
        enable: target.blend_enable != vk::FALSE,
        color: [
            target.src_color_blend_factor.as_raw(),
            target.dst_color_blend_factor.as_raw(),
            target.color_blend_op.as_raw(),
        ],
        alpha: [
            target.src_alpha_blend_factor.as_raw(),
            target.dst_alpha_blend_factor.as_raw(),
            target.alpha_blend_op.as_raw(),
        ],
        write_mask: target.color_write_mask.as_raw(),
    };
    let count = if what.reads.color_blend_attachments { state.attachment_count } else { 0 };
    // SAFETY: the array that Vulkan reads, and the chain of a valid structure.
    let (attachments, writes) =
        unsafe { (slice(state.p_attachments, count), chains::find::<ColorWrite>(state.p_next)) };
    // Vulkan ignores the array if it is dynamic state.
    let writes = writes.filter(|_| !what.all(&[vk::DynamicState::COLOR_WRITE_ENABLE_EXT]));
    // SAFETY: the array of a valid structure.
    let writes =
        writes.map_or(&[][..], |writes| unsafe { slice(writes.p_color_write_enables, writes.attachment_count) });
    ColorBlend {
        flags: state.flags.as_raw(),
        logic_op_enable: state.logic_op_enable != vk::FALSE,
        logic_op: state.logic_op.as_raw(),
        attachment_count: state.attachment_count,
        attachments: attachments.iter().map(blend).collect(),
        constants: state.blend_constants.map(Into::into),
        write_enables: writes.iter().map(|&enable| enable != vk::FALSE).collect(),
        // SAFETY: the chain of a valid structure.
        chain: unsafe { chain(state.p_next, &[ColorWrite::STRUCTURE_TYPE]) },
    }
}
