//! Dispatches.

use ash::vk;

use super::{Bound, Outputs, Shader, first_pipeline};
use crate::error::{Error, Result};
use crate::vulkan::Context;

/// Dispatches the one compute shader.
pub(super) fn dispatch(
    context: &Context,
    bound: &Bound<'_>,
    shaders: &[Shader<'_>],
    groups: [u32; 3],
) -> Result<Outputs> {
    let shader = shaders.first().ok_or_else(|| Error::Spec("no compute shader".into()))?;
    let info = vk::ComputePipelineCreateInfo::default().stage(shader.info()).layout(bound.layout);
    // SAFETY: module and layout are alive.
    let result = unsafe { context.device.create_compute_pipelines(vk::PipelineCache::null(), &[info], None) };
    let pipeline = first_pipeline(context, "vkCreateComputePipelines", result)?;
    context.submit(|commands| {
        bound.bind(commands, vk::PipelineBindPoint::COMPUTE);
        // SAFETY: the command buffer is recording; the pipeline lives until the queue is idle.
        unsafe {
            context.device.cmd_bind_pipeline(commands, vk::PipelineBindPoint::COMPUTE, pipeline.handle);
            context.device.cmd_dispatch(commands, groups[0], groups[1], groups[2]);
        }
        bound.finish(commands);
    })?;
    Ok(Outputs::new())
}
