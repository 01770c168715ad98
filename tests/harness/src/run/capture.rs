//! The buffers to which transform feedback writes the outputs of a program's draws.

use ash::vk;

use crate::error::{Error, Result};
use crate::vulkan::Context;
use dxil_vulkan::Buffer;

/// The words of a buffer before anything is written to it.
pub const UNTOUCHED: u32 = 0xcdcd_cdcd;

/// The buffers of a program, which every draw writes to from the start.
pub struct Capture<'c> {
    functions: ash::ext::transform_feedback::Device,
    buffers: Vec<Buffer<'c>>,
}

impl<'c> Capture<'c> {
    /// Buffers of this many words.
    ///
    /// # Errors
    /// A skip without VK_EXT_transform_feedback, or the Vulkan command that failed.
    pub fn new(context: &'c Context, words: &[usize]) -> Result<Self> {
        if context.features.transform_feedback.transform_feedback != vk::TRUE {
            return Err(Error::Skip("the driver does not support VK_EXT_transform_feedback".into()));
        }
        let usage = vk::BufferUsageFlags::TRANSFORM_FEEDBACK_BUFFER_EXT;
        let buffer = |&words: &usize| Buffer::new(&context.gpu, usage, &UNTOUCHED.to_le_bytes().repeat(words));
        let buffers = words.iter().map(buffer).collect::<std::result::Result<_, _>>()?;
        let functions = ash::ext::transform_feedback::Device::new(&context.gpu.instance.handle, &context.gpu.device);
        Ok(Self { functions, buffers })
    }

    /// Records a draw whose outputs are captured, between the start and the end of rendering.
    pub(super) fn around(&self, commands: vk::CommandBuffer, draw: impl FnOnce()) {
        let handles: Vec<_> = self.buffers.iter().map(|buffer| buffer.handle).collect();
        let sizes: Vec<_> = self.buffers.iter().map(|buffer| buffer.size).collect();
        // SAFETY: the command buffer is recording inside rendering. The buffers have the usage, and
        // live until `Gpu::submit` has waited for the queue. There are no counters.
        unsafe {
            let functions = self.functions.fp();
            let (count, offsets) = (handles.len() as u32, vec![0; handles.len()]);
            let (handles, sizes) = (handles.as_ptr(), sizes.as_ptr());
            (functions.cmd_bind_transform_feedback_buffers_ext)(commands, 0, count, handles, offsets.as_ptr(), sizes);
            (functions.cmd_begin_transform_feedback_ext)(commands, 0, 0, std::ptr::null(), std::ptr::null());
            draw();
            (functions.cmd_end_transform_feedback_ext)(commands, 0, 0, std::ptr::null(), std::ptr::null());
        }
    }

    /// The words of each buffer.
    #[must_use]
    pub fn words(&self) -> Vec<Vec<u32>> {
        let words = |buffer: &Buffer<'_>| {
            let bytes = buffer.read(usize::MAX);
            bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect()
        };
        self.buffers.iter().map(words).collect()
    }
}
