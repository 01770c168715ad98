//! A device and its queue.

use std::cell::Cell;
use std::ffi::{CStr, c_char, c_void};

use ash::{khr, vk};

use crate::error::{Error, Named};
use crate::instance::Instance;

/// A device with one queue for graphics and compute.
pub struct Gpu {
    /// The commands of the device.
    pub device: ash::Device,
    /// The queue.
    pub queue: vk::Queue,
    /// The commands of VK_KHR_dynamic_rendering, where that extension is enabled.
    rendering: Option<khr::dynamic_rendering::Device>,
    /// The instance, which is destroyed after the device.
    pub instance: Instance,
    /// The bytes that buffers and images may have together.
    pub(crate) memory_limit: u64,
    /// The bytes that they have.
    pub(crate) memory_used: Cell<u64>,
}

impl Gpu {
    /// Creates a device. Its buffers and images have at most `memory_limit` bytes together.
    ///
    /// # Errors
    /// The command that failed.
    ///
    /// # Safety
    /// The physical device must support the extensions, and `next` must be a valid chain for
    /// `VkDeviceCreateInfo`.
    pub unsafe fn new(
        instance: Instance,
        extensions: &[&CStr],
        next: *const c_void,
        memory_limit: u64,
    ) -> Result<Self, Error> {
        let family = instance.queue_family;
        let queues = [vk::DeviceQueueCreateInfo::default().queue_family_index(family).queue_priorities(&[1.0])];
        let names: Vec<*const c_char> = extensions.iter().map(|name| name.as_ptr()).collect();
        let mut info = vk::DeviceCreateInfo::default().queue_create_infos(&queues).enabled_extension_names(&names);
        info.p_next = next;
        // SAFETY: every pointer in the create info outlives the call; the chain is the caller's.
        // The device has one queue of the family.
        unsafe {
            let device = instance.handle.create_device(instance.physical, &info, None).named("vkCreateDevice")?;
            let queue = device.get_device_queue(family, 0);
            let has_rendering = extensions.contains(&khr::dynamic_rendering::NAME);
            let rendering = has_rendering.then(|| khr::dynamic_rendering::Device::new(&instance.handle, &device));
            Ok(Self { device, queue, rendering, instance, memory_limit, memory_used: Cell::new(0) })
        }
    }

    /// Begins to draw without a render pass.
    ///
    /// # Safety
    /// As for `vkCmdBeginRendering`. The device must have Vulkan 1.3 or VK_KHR_dynamic_rendering.
    pub unsafe fn begin_rendering(&self, commands: vk::CommandBuffer, info: &vk::RenderingInfo<'_>) {
        // SAFETY: as the caller says.
        unsafe {
            match &self.rendering {
                Some(rendering) => rendering.cmd_begin_rendering(commands, info),
                None => self.device.cmd_begin_rendering(commands, info),
            }
        }
    }

    /// Ends it.
    ///
    /// # Safety
    /// As for `vkCmdEndRendering`; [`Self::begin_rendering`] must have begun it.
    pub unsafe fn end_rendering(&self, commands: vk::CommandBuffer) {
        // SAFETY: as the caller says.
        unsafe {
            match &self.rendering {
                Some(rendering) => rendering.cmd_end_rendering(commands),
                None => self.device.cmd_end_rendering(commands),
            }
        }
    }
}

impl Drop for Gpu {
    fn drop(&mut self) {
        // SAFETY: objects of the device borrow this, or were destroyed by whoever made them.
        unsafe { self.device.destroy_device(None) };
    }
}
