//! The memory of buffers and images.

use ash::vk;

use crate::error::{Error, Named};
use crate::gpu::Gpu;

/// The memory of one resource, which is freed when this is dropped.
pub struct Memory<'g> {
    gpu: &'g Gpu,
    pub handle: vk::DeviceMemory,
    size: u64,
}

impl<'g> Memory<'g> {
    /// Allocates memory with properties.
    ///
    /// # Errors
    /// The device has no such memory, the limit is reached, or the command failed.
    pub fn new(
        gpu: &'g Gpu,
        needs: vk::MemoryRequirements,
        wanted: vk::MemoryPropertyFlags,
        flags: vk::MemoryAllocateFlags,
    ) -> Result<Self, Error> {
        let used = gpu.memory_used.get().saturating_add(needs.size);
        if used > gpu.memory_limit {
            return Err(Error::MemoryLimit(gpu.memory_limit));
        }
        let types = (0..).zip(gpu.instance.memory.memory_types_as_slice());
        let mut fitting = types.filter(|(index, _)| needs.memory_type_bits & (1 << *index) != 0);
        let (index, _) =
            fitting.find(|(_, kind)| kind.property_flags.contains(wanted)).ok_or(Error::NoMemory(wanted))?;
        let mut flags = vk::MemoryAllocateFlagsInfo::default().flags(flags);
        let info = vk::MemoryAllocateInfo::default().allocation_size(needs.size).memory_type_index(index);
        let info = info.push_next(&mut flags);
        // SAFETY: the memory type exists, and the chained flags outlive the call.
        let handle = unsafe { gpu.device.allocate_memory(&info, None) }.named("vkAllocateMemory")?;
        gpu.memory_used.set(used);
        Ok(Self { gpu, handle, size: needs.size })
    }
}

impl Drop for Memory<'_> {
    fn drop(&mut self) {
        // SAFETY: the resource with this memory is destroyed, or was never bound to it.
        unsafe { self.gpu.device.free_memory(self.handle, None) };
        self.gpu.memory_used.set(self.gpu.memory_used.get().saturating_sub(self.size));
    }
}
