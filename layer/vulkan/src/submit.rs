//! Command buffers, fences and barriers.

use ash::vk;

use crate::error::{Error, Named};
use crate::gpu::Gpu;

/// The pool and the fence of one submission.
struct Submission<'g> {
    gpu: &'g Gpu,
    pool: vk::CommandPool,
    fence: vk::Fence,
}

impl Drop for Submission<'_> {
    fn drop(&mut self) {
        // SAFETY: the submission has ended, or there was none.
        unsafe {
            self.gpu.device.destroy_fence(self.fence, None);
            self.gpu.device.destroy_command_pool(self.pool, None);
        }
    }
}

impl Gpu {
    /// Calls `record` with a command buffer that is recording, submits it and waits for its end.
    ///
    /// # Errors
    /// The Vulkan command that failed.
    pub fn submit(&self, record: impl FnOnce(vk::CommandBuffer)) -> Result<(), Error> {
        let device = &self.device;
        let mut submission = Submission { gpu: self, pool: vk::CommandPool::null(), fence: vk::Fence::null() };
        let info = vk::CommandPoolCreateInfo::default().queue_family_index(self.instance.queue_family);
        // SAFETY: the device was created with a queue of this family.
        submission.pool = unsafe { device.create_command_pool(&info, None) }.named("vkCreateCommandPool")?;
        // SAFETY: a valid create info.
        let fence = unsafe { device.create_fence(&vk::FenceCreateInfo::default(), None) };
        submission.fence = fence.named("vkCreateFence")?;
        let info = vk::CommandBufferAllocateInfo::default().command_pool(submission.pool).command_buffer_count(1);
        // SAFETY: the pool belongs to this device and is not used elsewhere.
        let buffers = unsafe { device.allocate_command_buffers(&info) }.named("vkAllocateCommandBuffers")?;
        let begin = vk::CommandBufferBeginInfo::default().flags(vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT);
        if let Some(&buffer) = buffers.first() {
            // SAFETY: the command buffer is new and in the initial state.
            unsafe { device.begin_command_buffer(buffer, &begin) }.named("vkBeginCommandBuffer")?;
            record(buffer);
            // SAFETY: the command buffer is recording.
            unsafe { device.end_command_buffer(buffer) }.named("vkEndCommandBuffer")?;
        }
        let submit = vk::SubmitInfo::default().command_buffers(&buffers);
        // SAFETY: the command buffer is executable and of the queue's family, and only this thread
        // uses the queue.
        unsafe { device.queue_submit(self.queue, &[submit], submission.fence) }.named("vkQueueSubmit")?;
        // SAFETY: the fence is that of the submission.
        let waited = unsafe { device.wait_for_fences(&[submission.fence], true, u64::MAX) };
        if waited.is_err() {
            // The device may still use what is destroyed now. Whether it can be waited for is no
            // news then. SAFETY: no other thread uses the device.
            let _ = unsafe { device.device_wait_idle() };
        }
        waited.named("vkWaitForFences")
    }

    /// Records a barrier that makes all writes visible to all later commands and to the host. The
    /// command buffer must be recording outside rendering.
    pub fn barrier(&self, commands: vk::CommandBuffer) {
        let barrier = vk::MemoryBarrier::default()
            .src_access_mask(vk::AccessFlags::MEMORY_WRITE)
            .dst_access_mask(vk::AccessFlags::HOST_READ | vk::AccessFlags::MEMORY_READ | vk::AccessFlags::MEMORY_WRITE);
        let all = vk::PipelineStageFlags::ALL_COMMANDS;
        let later = all | vk::PipelineStageFlags::HOST;
        let none = vk::DependencyFlags::empty();
        // SAFETY: the command buffer is recording outside rendering.
        unsafe { self.device.cmd_pipeline_barrier(commands, all, later, none, &[barrier], &[], &[]) };
    }
}
