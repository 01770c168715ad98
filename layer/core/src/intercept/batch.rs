//! The array of create infos of one call: which elements are forwarded, and the results of the
//! others.
//!
//! What must hold: refused elements are left out, and their result is `VK_NULL_HANDLE`; the others
//! are created by one call down, because elements of an array fail independently in Vulkan.

use ash::vk;

use crate::vulkan::chain;
use crate::vulkan::create_info::PipelineCreateInfo;

/// Calls down with the elements whose index is not in `refused` and is below `end`, and writes the
/// pipelines to their elements of `out`. The other elements become `VK_NULL_HANDLE`.
///
/// # Safety
/// The create infos must be valid.
pub unsafe fn create_others<T: PipelineCreateInfo>(
    infos: &[T],
    refused: impl Fn(usize) -> bool,
    end: usize,
    out: &mut [vk::Pipeline],
    next: impl FnOnce(&[T], &mut [vk::Pipeline]) -> vk::Result,
) -> vk::Result {
    out.fill(vk::Pipeline::null());
    let forwarded: Vec<usize> = (0..end.min(infos.len())).filter(|&index| !refused(index)).collect();
    for (_, info) in infos.iter().enumerate().filter(|(index, _)| forwarded.binary_search(index).is_err()) {
        // SAFETY: the caller's create info.
        unsafe { no_feedback(info) };
    }
    if forwarded.is_empty() {
        return vk::Result::SUCCESS;
    }
    let mut some: Vec<T> = forwarded.iter().filter_map(|&index| infos.get(index).copied()).collect();
    for info in &mut some {
        remap_base(info, &forwarded);
    }
    let mut made = vec![vk::Pipeline::null(); some.len()];
    let result = next(&some, &mut made);
    for (&index, pipeline) in forwarded.iter().zip(made) {
        if let Some(place) = out.get_mut(index) {
            *place = pipeline;
        }
    }
    result
}

/// Adjusts `basePipelineIndex` to the shorter array. If the base is left out, the derivation is
/// dropped, because it is only a hint.
fn remap_base<T: PipelineCreateInfo>(info: &mut T, forwarded: &[usize]) {
    let Ok(base) = usize::try_from(*info.base_index()) else { return };
    match forwarded.binary_search(&base) {
        Ok(new) => *info.base_index() = new as i32,
        Err(_) => {
            *info.base_index() = -1;
            if info.base_handle() == vk::Pipeline::null() {
                let derivative = vk::PipelineCreateFlags::DERIVATIVE.as_raw();
                let flags = info.legacy_flags();
                *flags = vk::PipelineCreateFlags::from_raw(flags.as_raw() & !derivative);
            }
        }
    }
}

/// Marks the feedback of a pipeline that is not forwarded as invalid. Vulkan requires that
/// `VK_PIPELINE_CREATION_FEEDBACK_VALID_BIT` is set or cleared in each of its structures
/// (`VkPipelineCreationFeedbackCreateInfo`).
///
/// # Safety
/// The create info must be valid.
unsafe fn no_feedback<T: PipelineCreateInfo>(info: &T) {
    // SAFETY: the chain of a valid create info.
    let found = unsafe { chain::find::<vk::PipelineCreationFeedbackCreateInfo<'_>>(info.p_next()) };
    let Some(info) = found else { return };
    // SAFETY: a valid pointer, by the structure's valid usage.
    if let Some(feedback) = unsafe { info.p_pipeline_creation_feedback.as_mut() } {
        feedback.flags = vk::PipelineCreationFeedbackFlags::empty();
    }
    let stages = info.p_pipeline_stage_creation_feedbacks;
    for index in 0..if stages.is_null() { 0 } else { info.pipeline_stage_creation_feedback_count as usize } {
        // SAFETY: the array of a valid structure.
        unsafe { (*stages.add(index)).flags = vk::PipelineCreationFeedbackFlags::empty() };
    }
}
