//! The two heaps of VK_EXT_descriptor_heap in memory.
//!
//! In: the bytes of descriptors, and mappings. Out: buffers, and the commands that bind them. What
//! must hold: the ranges that the driver reserves are behind the descriptors.

use std::ffi::c_void;

use ash::vk;

use crate::error::{Error, Result};
use crate::vulkan::Context;
use crate::vulkan::heap::{self, AddressRange, BindHeap, Commands, HostRange, Mapping, MappingInfo, PushData};
use dxil_vulkan::Buffer;

/// A heap before it is a buffer.
pub(super) struct Content {
    bytes: Vec<u8>,
    stride: usize,
    /// The first descriptor that nothing has.
    free: usize,
}

impl Content {
    pub(super) fn new(stride: u64, size: u32) -> Self {
        Self { bytes: Vec::new(), stride: usize::try_from(stride).unwrap_or(1), free: size as usize }
    }

    /// Takes descriptors behind those that are taken.
    pub(super) fn take(&mut self, count: u32) -> usize {
        self.free += count as usize;
        self.free - count as usize
    }

    /// The bytes of a descriptor.
    pub(super) fn slot(&mut self, index: usize) -> HostRange {
        let start = index * self.stride;
        if self.bytes.len() < start + self.stride {
            self.bytes.resize(start + self.stride, 0);
        }
        let slot = self.bytes.get_mut(start..start + self.stride).unwrap_or_default();
        HostRange { address: slot.as_mut_ptr().cast(), size: slot.len() }
    }

    /// The offset of a descriptor, and the stride, as mappings have them.
    pub(super) fn place(&self, index: usize) -> [u32; 2] {
        [index * self.stride, self.stride].map(|bytes| u32::try_from(bytes).unwrap_or(u32::MAX))
    }
}

/// A heap in memory.
struct Heap<'c> {
    buffer: Buffer<'c>,
    info: BindHeap,
}

impl<'c> Heap<'c> {
    /// The content, and behind it the range that the driver reserves.
    fn new(context: &'c Context, content: &Content, alignment: u64, reserved: u64) -> Result<Self> {
        let used = ((content.free * content.stride) as u64).max(1).next_multiple_of(256.max(alignment));
        let mut bytes = content.bytes.clone();
        bytes.resize(usize::try_from(used + reserved + alignment).unwrap_or(usize::MAX), 0);
        let usage = heap::BUFFER | vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS;
        let buffer = Buffer::new(&context.gpu, usage, &bytes)?;
        if !buffer.address().is_multiple_of(alignment.max(1)) {
            return Err(Error::Wrong(format!("the address of a heap is not a multiple of {alignment}")));
        }
        let range = AddressRange { address: buffer.address(), size: used + reserved };
        let info = BindHeap { range, reserved_offset: used, reserved_size: reserved, ..BindHeap::default() };
        Ok(Self { buffer, info })
    }
}

/// The heaps of a fixture.
pub(super) struct DeviceHeaps<'c> {
    commands: &'c Commands,
    resources: Heap<'c>,
    samplers: Heap<'c>,
    info: Box<MappingInfo>,
    _mappings: Vec<Mapping>,
}

impl<'c> DeviceHeaps<'c> {
    /// Heaps with these descriptors, of resources and of samplers, and the mappings of bindings.
    pub(super) fn new(
        context: &'c Context,
        commands: &'c Commands,
        [resources, samplers]: [&Content; 2],
        mappings: Vec<Mapping>,
    ) -> Result<Self> {
        let info = MappingInfo { count: mappings.len() as u32, mappings: mappings.as_ptr(), ..MappingInfo::default() };
        let p = &commands.properties;
        let reserved = p.min_sampler_heap_reserved_range_with_embedded.max(p.min_sampler_heap_reserved_range);
        Ok(Self {
            commands,
            resources: Heap::new(context, resources, p.resource_heap_alignment, p.min_resource_heap_reserved_range)?,
            samplers: Heap::new(context, samplers, p.sampler_heap_alignment, reserved)?,
            info: Box::new(info),
            _mappings: mappings,
        })
    }

    /// The mappings, for the chain of a stage; null if there are none.
    pub(super) fn mapping_info(&self) -> *const c_void {
        if self.info.count == 0 { std::ptr::null() } else { std::ptr::from_ref(&*self.info).cast() }
    }

    /// Records commands that bind the heaps and set the push data.
    pub(super) fn bind(&self, commands: vk::CommandBuffer, push: &[u8]) {
        debug_assert!(self.resources.buffer.size > 0 && self.samplers.buffer.size > 0);
        // SAFETY: the command buffer is recording. The heaps and the data have the sizes that the
        // structures say, and the heaps live until `Gpu::submit` has waited for the queue.
        unsafe {
            (self.commands.bind_resources)(commands, &self.resources.info);
            (self.commands.bind_samplers)(commands, &self.samplers.info);
            if !push.is_empty() {
                let info = PushData { data: push.as_ptr().cast(), size: push.len(), ..PushData::default() };
                (self.commands.push_data)(commands, &info);
            }
        }
    }
}
