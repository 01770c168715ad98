//! Buffers and images, each with its own memory, and copies to and from them.

use ash::vk;

use super::context::Context;
use super::format::Format;
use crate::error::{Error, Named, Result};

fn memory_type(context: &Context, bits: u32, wanted: vk::MemoryPropertyFlags) -> Result<u32> {
    (0..context.memory.memory_type_count)
        .zip(&context.memory.memory_types)
        .find(|(index, kind)| bits & (1 << index) != 0 && kind.property_flags.contains(wanted))
        .map(|(index, _)| index)
        .ok_or_else(|| Error::Skip(format!("the device has no memory type with {wanted:?} for this resource")))
}

/// A host-visible buffer.
pub struct Buffer<'c> {
    context: &'c Context,
    /// The handle.
    pub handle: vk::Buffer,
    memory: vk::DeviceMemory,
    /// The size in bytes.
    pub size: u64,
}

impl<'c> Buffer<'c> {
    /// Creates a buffer that holds `data`. The buffer has at least four bytes, because Vulkan has
    /// no empty buffers.
    ///
    /// # Errors
    /// The Vulkan command that failed, or a skip if there is no host-visible memory for the buffer.
    pub fn new(context: &'c Context, usage: vk::BufferUsageFlags, data: &[u8]) -> Result<Self> {
        let size = (data.len() as u64).max(4);
        let mut flags = vk::MemoryAllocateFlagsInfo::default();
        if usage.contains(vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS) {
            flags = flags.flags(vk::MemoryAllocateFlags::DEVICE_ADDRESS);
        }
        let info = vk::BufferCreateInfo::default().size(size).usage(usage);
        let device = &context.device;
        // SAFETY: the create info is valid and holds no pointers.
        let handle = unsafe { device.create_buffer(&info, None) }.named("vkCreateBuffer")?;
        // SAFETY: the buffer belongs to this device.
        let needs = unsafe { device.get_buffer_memory_requirements(handle) };
        let visible = vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT;
        let kind = memory_type(context, needs.memory_type_bits, visible)?;
        let allocate =
            vk::MemoryAllocateInfo::default().allocation_size(needs.size).memory_type_index(kind).push_next(&mut flags);
        // SAFETY: the memory type exists, and the chained flags outlive the call.
        let memory = unsafe { device.allocate_memory(&allocate, None) }.named("vkAllocateMemory")?;
        // SAFETY: buffer and memory are new and of this device, and the memory has the size and
        // type that the buffer requires.
        unsafe { device.bind_buffer_memory(handle, memory, 0) }.named("vkBindBufferMemory")?;
        let buffer = Self { context, handle, memory, size };
        buffer.write(data)?;
        Ok(buffer)
    }

    /// The address of a buffer with the usage SHADER_DEVICE_ADDRESS.
    #[must_use]
    pub fn address(&self) -> vk::DeviceAddress {
        let info = vk::BufferDeviceAddressInfo::default().buffer(self.handle);
        // SAFETY: the buffer's memory is bound, and the caller gave it the usage.
        unsafe { self.context.device.get_buffer_device_address(&info) }
    }

    /// Writes to the start of the buffer. Bytes of `data` that do not fit are ignored.
    ///
    /// # Errors
    /// The Vulkan command that failed.
    pub fn write(&self, data: &[u8]) -> Result<()> {
        let data = data.get(..usize::try_from(self.size).unwrap_or(usize::MAX)).unwrap_or(data);
        let at = self.map()?;
        // SAFETY: the mapping has at least `self.size` bytes, so `data` fits. No pending command
        // uses the memory, because `Context::submit` waits for the queue.
        unsafe { std::ptr::copy_nonoverlapping(data.as_ptr(), at, data.len()) };
        self.unmap();
        Ok(())
    }

    /// Reads the first `length` bytes.
    ///
    /// # Errors
    /// The Vulkan command that failed.
    pub fn read(&self, length: usize) -> Result<Vec<u8>> {
        let length = length.min(usize::try_from(self.size).unwrap_or(usize::MAX));
        let at = self.map()?;
        // SAFETY: the mapping has at least `self.size` bytes, all initialised by `new`. No pending
        // command uses the memory, because `Context::submit` waits for the queue.
        let data = unsafe { std::slice::from_raw_parts(at, length) }.to_vec();
        self.unmap();
        Ok(data)
    }

    /// Maps the whole memory. The memory is coherent, so it needs no flushing.
    fn map(&self) -> Result<*mut u8> {
        let flags = vk::MemoryMapFlags::empty();
        // SAFETY: the memory is host-visible and of this device, and it is not mapped: `read` and
        // `write` unmap it before they return.
        let at = unsafe { self.context.device.map_memory(self.memory, 0, vk::WHOLE_SIZE, flags) };
        Ok(at.named("vkMapMemory")?.cast())
    }

    /// Unmaps the memory, after which the pointer of `map` is invalid.
    fn unmap(&self) {
        // SAFETY: the memory is mapped, and the callers do not use the pointer afterwards.
        unsafe { self.context.device.unmap_memory(self.memory) };
    }
}

impl Drop for Buffer<'_> {
    fn drop(&mut self) {
        // SAFETY: no pending command uses the buffer, because `Context::submit` waits for the
        // queue.
        unsafe {
            self.context.device.destroy_buffer(self.handle, None);
            self.context.device.free_memory(self.memory, None);
        }
    }
}

/// The properties with which an image is created.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImageShape {
    /// Whether the image has one, two or three dimensions.
    pub kind: vk::ImageType,
    /// The texel format.
    pub format: vk::Format,
    /// Width, height and depth of mip 0.
    pub extent: [u32; 3],
    /// The number of mip levels.
    pub mips: u32,
    /// The number of array layers.
    pub layers: u32,
    /// The number of samples per texel.
    pub samples: u32,
    /// Whether cube views of the image can be created.
    pub cube: bool,
    /// Whether views in another format of the same size can be created.
    pub reformatted: bool,
}

impl ImageShape {
    /// A two-dimensional image with one mip, layer and sample.
    #[must_use]
    pub fn flat(format: Format, [width, height]: [u32; 2]) -> Self {
        let kind = vk::ImageType::TYPE_2D;
        let extent = [width, height, 1];
        Self { kind, format: format.vk, extent, mips: 1, layers: 1, samples: 1, cube: false, reformatted: false }
    }

    /// Whether both shapes are equal except for the format and for cube views.
    #[must_use]
    pub fn like(&self, other: &Self) -> bool {
        Self { format: other.format, cube: other.cube, ..*self } == *other
    }

    /// Width, height and depth of a mip.
    #[must_use]
    pub fn mip_extent(&self, mip: u32) -> [u32; 3] {
        self.extent.map(|size| (size >> mip.min(31)).max(1))
    }

    /// The number of texels in a mip of one layer.
    #[must_use]
    pub fn mip_texels(&self, mip: u32) -> usize {
        self.mip_extent(mip).iter().map(|&size| size as usize).product()
    }

    /// The number of texels in all mips of all layers.
    #[must_use]
    pub fn texels(&self) -> usize {
        (0..self.mips).map(|mip| self.mip_texels(mip)).sum::<usize>() * self.layers as usize
    }
}

/// An image with its own memory.
pub struct Image<'c> {
    context: &'c Context,
    /// The handle.
    pub handle: vk::Image,
    memory: vk::DeviceMemory,
    /// The shape.
    pub shape: ImageShape,
    /// The aspects of the format.
    pub aspects: vk::ImageAspectFlags,
}

impl<'c> Image<'c> {
    /// Creates an image in layout UNDEFINED.
    ///
    /// # Errors
    /// The Vulkan command that failed, or a skip if the driver does not support such an image.
    pub fn new(
        context: &'c Context,
        shape: ImageShape,
        aspects: vk::ImageAspectFlags,
        usage: vk::ImageUsageFlags,
    ) -> Result<Self> {
        let mut flags = vk::ImageCreateFlags::empty();
        if shape.cube {
            flags |= vk::ImageCreateFlags::CUBE_COMPATIBLE;
        }
        if shape.reformatted {
            flags |= vk::ImageCreateFlags::MUTABLE_FORMAT | vk::ImageCreateFlags::EXTENDED_USAGE;
        }
        let info = vk::ImageCreateInfo::default()
            .flags(flags)
            .image_type(shape.kind)
            .format(shape.format)
            .extent(vk::Extent3D { width: shape.extent[0], height: shape.extent[1], depth: shape.extent[2] })
            .mip_levels(shape.mips)
            .array_layers(shape.layers)
            .samples(vk::SampleCountFlags::from_raw(shape.samples))
            .tiling(vk::ImageTiling::OPTIMAL)
            .usage(usage);
        let device = &context.device;
        // SAFETY: the physical device belongs to the instance.
        let limits = unsafe {
            context.instance.get_physical_device_image_format_properties(
                context.physical,
                shape.format,
                shape.kind,
                info.tiling,
                usage,
                flags,
            )
        };
        let unable = || {
            Error::Skip(format!(
                "the driver does not support {:?} images with usage {usage:?} and {shape:?}",
                shape.format
            ))
        };
        let limits = limits.map_err(|_| unable())?;
        if limits.sample_counts.as_raw() & shape.samples == 0 || limits.max_array_layers < shape.layers {
            return Err(unable());
        }
        // SAFETY: the driver supports such an image, as checked above, and the create info holds no
        // pointers.
        let handle = unsafe { device.create_image(&info, None) }.named("vkCreateImage")?;
        // SAFETY: the image belongs to this device.
        let needs = unsafe { device.get_image_memory_requirements(handle) };
        let kind = memory_type(context, needs.memory_type_bits, vk::MemoryPropertyFlags::empty())?;
        let allocate = vk::MemoryAllocateInfo::default().allocation_size(needs.size).memory_type_index(kind);
        // SAFETY: the memory type exists.
        let memory = unsafe { device.allocate_memory(&allocate, None) }.named("vkAllocateMemory")?;
        // SAFETY: image and memory are new and of this device, and the memory has the size and type
        // that the image requires.
        unsafe { device.bind_image_memory(handle, memory, 0) }.named("vkBindImageMemory")?;
        Ok(Self { context, handle, memory, shape, aspects })
    }

    /// The copy regions between a tightly packed buffer and one aspect of this image. In the
    /// buffer, all layers of a mip precede the next mip.
    fn copies(&self, aspect: vk::ImageAspectFlags, texel: usize) -> Vec<vk::BufferImageCopy> {
        let mut offset = 0u64;
        let mut copies = Vec::new();
        for mip in 0..self.shape.mips {
            let [width, height, depth] = self.shape.mip_extent(mip);
            let subresource =
                vk::ImageSubresourceLayers::default().aspect_mask(aspect).mip_level(mip).layer_count(self.shape.layers);
            copies.push(
                vk::BufferImageCopy::default()
                    .buffer_offset(offset)
                    .image_subresource(subresource)
                    .image_extent(vk::Extent3D { width, height, depth }),
            );
            offset += (self.shape.mip_texels(mip) * texel) as u64 * u64::from(self.shape.layers);
        }
        copies
    }

    /// Records a transition from one layout to another, between all earlier and all later commands.
    pub fn transition(&self, commands: vk::CommandBuffer, from: vk::ImageLayout, to: vk::ImageLayout) {
        let barrier = vk::ImageMemoryBarrier::default()
            .src_access_mask(vk::AccessFlags::MEMORY_READ | vk::AccessFlags::MEMORY_WRITE)
            .dst_access_mask(vk::AccessFlags::MEMORY_READ | vk::AccessFlags::MEMORY_WRITE)
            .old_layout(from)
            .new_layout(to)
            .src_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
            .dst_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
            .image(self.handle)
            .subresource_range(self.everything());
        let all = vk::PipelineStageFlags::ALL_COMMANDS;
        // SAFETY: the command buffer is recording, and the image belongs to the same device and
        // lives until `Context::submit` has waited for the queue.
        unsafe {
            self.context.device.cmd_pipeline_barrier(
                commands,
                all,
                all,
                vk::DependencyFlags::empty(),
                &[],
                &[],
                &[barrier],
            );
        }
    }

    /// The range of all mips and layers.
    fn everything(&self) -> vk::ImageSubresourceRange {
        vk::ImageSubresourceRange::default()
            .aspect_mask(self.aspects)
            .level_count(vk::REMAINING_MIP_LEVELS)
            .layer_count(vk::REMAINING_ARRAY_LAYERS)
    }

    /// Clears every sample to zero and leaves the image in `layout`.
    ///
    /// # Errors
    /// The Vulkan command that failed.
    pub fn clear(&self, layout: vk::ImageLayout) -> Result<()> {
        let cleared = vk::ImageLayout::TRANSFER_DST_OPTIMAL;
        let (device, range) = (&self.context.device, [self.everything()]);
        self.context.submit(|commands| {
            self.transition(commands, vk::ImageLayout::UNDEFINED, cleared);
            // SAFETY: the command buffer is recording, and the image is in layout
            // TRANSFER_DST_OPTIMAL and has that usage.
            unsafe {
                if self.aspects == vk::ImageAspectFlags::COLOR {
                    device.cmd_clear_color_image(commands, self.handle, cleared, &Default::default(), &range);
                } else {
                    device.cmd_clear_depth_stencil_image(commands, self.handle, cleared, &Default::default(), &range);
                }
            }
            self.transition(commands, cleared, layout);
        })
    }

    /// Fills the whole image with tightly packed texels (mip 0 of every layer first) and leaves it
    /// in `layout`.
    ///
    /// # Errors
    /// The Vulkan command that failed.
    pub fn upload(&self, data: &[u8], texel: usize, layout: vk::ImageLayout) -> Result<()> {
        let staging = Buffer::new(self.context, vk::BufferUsageFlags::TRANSFER_SRC, data)?;
        self.context.submit(|commands| {
            self.transition(commands, vk::ImageLayout::UNDEFINED, vk::ImageLayout::TRANSFER_DST_OPTIMAL);
            let copies = self.copies(self.aspects, texel);
            // SAFETY: the command buffer is recording. The staging buffer holds every copied texel
            // and lives until `submit` has waited for the queue.
            unsafe {
                self.context.device.cmd_copy_buffer_to_image(
                    commands,
                    staging.handle,
                    self.handle,
                    vk::ImageLayout::TRANSFER_DST_OPTIMAL,
                    &copies,
                );
            }
            self.transition(commands, vk::ImageLayout::TRANSFER_DST_OPTIMAL, layout);
        })
    }

    /// Reads one aspect of the whole image as tightly packed texels. The image is in `layout`
    /// before and after.
    ///
    /// # Errors
    /// The Vulkan command that failed.
    pub fn download(&self, aspect: vk::ImageAspectFlags, texel: usize, layout: vk::ImageLayout) -> Result<Vec<u8>> {
        let length = self.shape.texels() * texel;
        let staging = Buffer::new(self.context, vk::BufferUsageFlags::TRANSFER_DST, &vec![0; length])?;
        self.context.submit(|commands| {
            self.transition(commands, layout, vk::ImageLayout::TRANSFER_SRC_OPTIMAL);
            let copies = self.copies(aspect, texel);
            // SAFETY: the command buffer is recording. The staging buffer has room for every texel
            // and lives until `submit` has waited for the queue.
            unsafe {
                self.context.device.cmd_copy_image_to_buffer(
                    commands,
                    self.handle,
                    vk::ImageLayout::TRANSFER_SRC_OPTIMAL,
                    staging.handle,
                    &copies,
                );
            }
            self.transition(commands, vk::ImageLayout::TRANSFER_SRC_OPTIMAL, layout);
        })?;
        staging.read(length)
    }
}

impl Drop for Image<'_> {
    fn drop(&mut self) {
        // SAFETY: no pending command uses the image, because `Context::submit` waits for the queue.
        unsafe {
            self.context.device.destroy_image(self.handle, None);
            self.context.device.free_memory(self.memory, None);
        }
    }
}

/// Creates a view of all mips and layers.
///
/// # Errors
/// The Vulkan command that failed.
pub fn image_view(
    context: &Context,
    image: &Image<'_>,
    format: Format,
    kind: vk::ImageViewType,
) -> Result<vk::ImageView> {
    let range = whole(format, kind);
    part_view(context, image, format, kind, range, vk::ImageUsageFlags::empty())
}

/// The range of all mips, and of as many layers as a view of this type can have.
pub fn whole(format: Format, kind: vk::ImageViewType) -> vk::ImageSubresourceRange {
    vk::ImageSubresourceRange::default()
        .aspect_mask(format.aspect())
        .level_count(vk::REMAINING_MIP_LEVELS)
        .layer_count(if kind == vk::ImageViewType::CUBE { 6 } else { vk::REMAINING_ARRAY_LAYERS })
}

/// Creates a view of a part of an image. If `usage` is empty, the view has every usage of the
/// image.
///
/// # Errors
/// The Vulkan command that failed.
pub fn part_view(
    context: &Context,
    image: &Image<'_>,
    format: Format,
    kind: vk::ImageViewType,
    range: vk::ImageSubresourceRange,
    usage: vk::ImageUsageFlags,
) -> Result<vk::ImageView> {
    let mut usage_info = vk::ImageViewUsageCreateInfo::default().usage(usage);
    let mut info = vk::ImageViewCreateInfo::default()
        .image(image.handle)
        .view_type(kind)
        .format(format.vk)
        .subresource_range(range);
    if !usage.is_empty() {
        info = info.push_next(&mut usage_info);
    }
    // SAFETY: the image belongs to this device, and the chained struct outlives the call.
    unsafe { context.device.create_image_view(&info, None) }.named("vkCreateImageView")
}
