//! Buffers that the host maps.

use ash::vk;

use crate::error::{Error, Named};
use crate::gpu::Gpu;
use crate::memory::Memory;
use crate::objects::Objects;

/// A buffer in memory that stays mapped. It is destroyed when this is dropped.
pub struct Buffer<'g> {
    gpu: &'g Gpu,
    /// The handle.
    pub handle: vk::Buffer,
    /// The size in bytes.
    pub size: u64,
    mapped: *mut u8,
    // The buffer is destroyed before its memory.
    _object: Objects<'g>,
    _memory: Memory<'g>,
}

impl<'g> Buffer<'g> {
    /// Creates a buffer that holds `data`. The buffer has at least four bytes, because Vulkan has
    /// no empty buffers.
    ///
    /// # Errors
    /// There is no memory for the buffer, or a command failed.
    pub fn new(gpu: &'g Gpu, usage: vk::BufferUsageFlags, data: &[u8]) -> Result<Self, Error> {
        let size = (data.len() as u64).max(4);
        let info = vk::BufferCreateInfo::default().size(size).usage(usage);
        let (device, mut object) = (&gpu.device, Objects::new(gpu));
        // SAFETY: the create info is valid and holds no pointers.
        let handle = object.buffer(unsafe { device.create_buffer(&info, None) }.named("vkCreateBuffer")?);
        // SAFETY: the buffer belongs to this device.
        let needs = unsafe { device.get_buffer_memory_requirements(handle) };
        let visible = vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT;
        let flags = match usage.contains(vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS) {
            true => vk::MemoryAllocateFlags::DEVICE_ADDRESS,
            false => vk::MemoryAllocateFlags::empty(),
        };
        let memory = Memory::new(gpu, needs, visible, flags)?;
        // SAFETY: buffer and memory are new and of this device, and the memory has the size and
        // type that the buffer requires. It is mapped once, until it is freed.
        let mapped: *mut u8 = unsafe {
            device.bind_buffer_memory(handle, memory.handle, 0).named("vkBindBufferMemory")?;
            let mapped = device.map_memory(memory.handle, 0, vk::WHOLE_SIZE, vk::MemoryMapFlags::empty());
            mapped.named("vkMapMemory")?.cast()
        };
        // SAFETY: the mapping has at least `size` bytes. Content that is read is initialised then.
        unsafe { mapped.write_bytes(0, usize::try_from(size).unwrap_or(0)) };
        let buffer = Self { gpu, handle, size, mapped, _object: object, _memory: memory };
        buffer.write(data);
        Ok(buffer)
    }

    /// The address of a buffer with the usage SHADER_DEVICE_ADDRESS.
    #[must_use]
    pub fn address(&self) -> vk::DeviceAddress {
        let info = vk::BufferDeviceAddressInfo::default().buffer(self.handle);
        // SAFETY: the buffer's memory is bound, and the caller gave it the usage.
        unsafe { self.gpu.device.get_buffer_device_address(&info) }
    }

    /// Writes to the start of the buffer. Bytes of `data` that do not fit are ignored.
    pub fn write(&self, data: &[u8]) {
        let length = data.len().min(usize::try_from(self.size).unwrap_or(usize::MAX));
        // SAFETY: the mapping is coherent and has at least `size` bytes. No pending command uses
        // the memory, because `Gpu::submit` waits.
        unsafe { std::ptr::copy_nonoverlapping(data.as_ptr(), self.mapped, length) };
    }

    /// Reads the first `length` bytes, or all if there are fewer.
    #[must_use]
    pub fn read(&self, length: usize) -> Vec<u8> {
        let length = length.min(usize::try_from(self.size).unwrap_or(usize::MAX));
        // SAFETY: the mapping is coherent and has at least `size` bytes, all initialised by `new`.
        // No pending command uses the memory, because `Gpu::submit` waits.
        unsafe { std::slice::from_raw_parts(self.mapped, length) }.to_vec()
    }
}
