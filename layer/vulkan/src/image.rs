//! Images with their memory, views of them, and copies.

use ash::vk;

use crate::buffer::Buffer;
use crate::error::{Error, Named};
use crate::gpu::Gpu;
use crate::memory::Memory;
use crate::objects::Objects;

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
    pub fn flat(format: vk::Format, [width, height]: [u32; 2]) -> Self {
        let kind = vk::ImageType::TYPE_2D;
        let extent = [width, height, 1];
        Self { kind, format, extent, mips: 1, layers: 1, samples: 1, cube: false, reformatted: false }
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

    /// The copy regions between a tightly packed buffer with `texel` bytes per texel and one aspect
    /// of an image. In the buffer, all layers of a mip precede the next mip.
    fn copies(&self, aspect: vk::ImageAspectFlags, texel: usize) -> Vec<vk::BufferImageCopy> {
        let mut offset = 0u64;
        let mut copies = Vec::new();
        for mip in 0..self.mips {
            let [width, height, depth] = self.mip_extent(mip);
            let subresource =
                vk::ImageSubresourceLayers::default().aspect_mask(aspect).mip_level(mip).layer_count(self.layers);
            copies.push(
                vk::BufferImageCopy::default()
                    .buffer_offset(offset)
                    .image_subresource(subresource)
                    .image_extent(vk::Extent3D { width, height, depth }),
            );
            offset += (self.mip_texels(mip) * texel) as u64 * u64::from(self.layers);
        }
        copies
    }
}

/// An image with its own memory. It is destroyed when this is dropped.
pub struct Image<'g> {
    gpu: &'g Gpu,
    /// The handle.
    pub handle: vk::Image,
    /// The shape.
    pub shape: ImageShape,
    /// The aspects of the format.
    pub aspects: vk::ImageAspectFlags,
    // The image is destroyed before its memory.
    _object: Objects<'g>,
    _memory: Memory<'g>,
}

impl<'g> Image<'g> {
    /// Creates an image in layout UNDEFINED.
    ///
    /// # Errors
    /// The device supports no such image, there is no memory for it, or a command failed.
    pub fn new(
        gpu: &'g Gpu,
        shape: ImageShape,
        aspects: vk::ImageAspectFlags,
        usage: vk::ImageUsageFlags,
    ) -> Result<Self, Error> {
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
        let (instance, kind) = (&gpu.instance, shape.kind);
        // SAFETY: the physical device belongs to the instance.
        let limits = unsafe {
            let tiling = info.tiling;
            instance.handle.get_physical_device_image_format_properties(
                instance.physical,
                shape.format,
                kind,
                tiling,
                usage,
                flags,
            )
        };
        let fits = |limits: &vk::ImageFormatProperties| {
            limits.sample_counts.as_raw() & shape.samples != 0 && limits.max_array_layers >= shape.layers
        };
        if !limits.is_ok_and(|limits| fits(&limits)) {
            return Err(Error::NoImage { format: shape.format, usage, samples: shape.samples });
        }
        let (device, mut object) = (&gpu.device, Objects::new(gpu));
        // SAFETY: the driver supports such an image, as checked above, and the create info holds no
        // pointers.
        let handle = object.image(unsafe { device.create_image(&info, None) }.named("vkCreateImage")?);
        // SAFETY: the image belongs to this device.
        let needs = unsafe { device.get_image_memory_requirements(handle) };
        let (anywhere, plain) = (vk::MemoryPropertyFlags::empty(), vk::MemoryAllocateFlags::empty());
        let memory = Memory::new(gpu, needs, anywhere, plain)?;
        // SAFETY: image and memory are new and of this device, and the memory has the size and type
        // that the image requires.
        unsafe { device.bind_image_memory(handle, memory.handle, 0) }.named("vkBindImageMemory")?;
        Ok(Self { gpu, handle, shape, aspects, _object: object, _memory: memory })
    }

    /// Creates a view of a part of the image. If `usage` is empty, the view has every usage of the
    /// image.
    ///
    /// # Errors
    /// The Vulkan command that failed.
    pub fn view(
        &self,
        format: vk::Format,
        kind: vk::ImageViewType,
        range: vk::ImageSubresourceRange,
        usage: vk::ImageUsageFlags,
    ) -> Result<View<'g>, Error> {
        let mut usage_info = vk::ImageViewUsageCreateInfo::default().usage(usage);
        let info = vk::ImageViewCreateInfo::default().image(self.handle).view_type(kind).format(format);
        let mut info = info.subresource_range(range);
        if !usage.is_empty() {
            info = info.push_next(&mut usage_info);
        }
        // SAFETY: the image belongs to this device, and the chained struct outlives the call.
        let handle = unsafe { self.gpu.device.create_image_view(&info, None) }.named("vkCreateImageView")?;
        Ok(View { gpu: self.gpu, handle })
    }

    /// The range of all mips and layers.
    pub fn range(&self) -> vk::ImageSubresourceRange {
        vk::ImageSubresourceRange::default()
            .aspect_mask(self.aspects)
            .level_count(vk::REMAINING_MIP_LEVELS)
            .layer_count(vk::REMAINING_ARRAY_LAYERS)
    }

    /// Records a transition from one layout to another, between all earlier and all later commands.
    /// The command buffer must be recording outside rendering.
    pub fn transition(&self, commands: vk::CommandBuffer, from: vk::ImageLayout, to: vk::ImageLayout) {
        let barriers = [vk::ImageMemoryBarrier::default()
            .src_access_mask(vk::AccessFlags::MEMORY_READ | vk::AccessFlags::MEMORY_WRITE)
            .dst_access_mask(vk::AccessFlags::MEMORY_READ | vk::AccessFlags::MEMORY_WRITE)
            .old_layout(from)
            .new_layout(to)
            .src_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
            .dst_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
            .image(self.handle)
            .subresource_range(self.range())];
        let (all, none) = (vk::PipelineStageFlags::ALL_COMMANDS, vk::DependencyFlags::empty());
        // SAFETY: the command buffer is recording, and the image belongs to the same device and
        // lives until `Gpu::submit` has waited.
        unsafe { self.gpu.device.cmd_pipeline_barrier(commands, all, all, none, &[], &[], &barriers) };
    }

    /// Gives every sample one value, which must be one for the image's aspects, and leaves the
    /// image in `layout`.
    ///
    /// # Errors
    /// The Vulkan command that failed.
    pub fn clear(&self, value: vk::ClearValue, layout: vk::ImageLayout) -> Result<(), Error> {
        let cleared = vk::ImageLayout::TRANSFER_DST_OPTIMAL;
        let (device, range) = (&self.gpu.device, [self.range()]);
        self.gpu.submit(|commands| {
            self.transition(commands, vk::ImageLayout::UNDEFINED, cleared);
            // SAFETY: the command buffer is recording, and the image is in layout
            // TRANSFER_DST_OPTIMAL and has that usage. The value is four words in each of its
            // forms.
            unsafe {
                if self.aspects == vk::ImageAspectFlags::COLOR {
                    device.cmd_clear_color_image(commands, self.handle, cleared, &value.color, &range);
                } else {
                    let value = value.depth_stencil;
                    device.cmd_clear_depth_stencil_image(commands, self.handle, cleared, &value, &range);
                }
            }
            self.transition(commands, cleared, layout);
        })
    }

    /// Fills one aspect of the whole image with tightly packed texels (mip 0 of every layer first)
    /// and leaves the image in `layout`.
    ///
    /// # Errors
    /// There is no memory for the copy, or a command failed.
    pub fn upload(
        &self,
        data: &[u8],
        aspect: vk::ImageAspectFlags,
        texel: usize,
        layout: vk::ImageLayout,
    ) -> Result<(), Error> {
        let staging = Buffer::new(self.gpu, vk::BufferUsageFlags::TRANSFER_SRC, data)?;
        let (copies, copied) = (self.shape.copies(aspect, texel), vk::ImageLayout::TRANSFER_DST_OPTIMAL);
        self.gpu.submit(|commands| {
            self.transition(commands, vk::ImageLayout::UNDEFINED, copied);
            // SAFETY: the command buffer is recording. The staging buffer holds every copied texel
            // and lives until `submit` has waited.
            unsafe {
                self.gpu.device.cmd_copy_buffer_to_image(commands, staging.handle, self.handle, copied, &copies);
            }
            self.transition(commands, copied, layout);
        })
    }

    /// Reads one aspect of the whole image as tightly packed texels. The image is in `layout`
    /// before and after.
    ///
    /// # Errors
    /// There is no memory for the copy, or a command failed.
    pub fn download(
        &self,
        aspect: vk::ImageAspectFlags,
        texel: usize,
        layout: vk::ImageLayout,
    ) -> Result<Vec<u8>, Error> {
        let length = self.shape.texels() * texel;
        let staging = Buffer::new(self.gpu, vk::BufferUsageFlags::TRANSFER_DST, &vec![0; length])?;
        let (copies, copied) = (self.shape.copies(aspect, texel), vk::ImageLayout::TRANSFER_SRC_OPTIMAL);
        self.gpu.submit(|commands| {
            self.transition(commands, layout, copied);
            // SAFETY: the command buffer is recording. The staging buffer has space for every texel
            // and lives until `submit` has waited.
            unsafe {
                self.gpu.device.cmd_copy_image_to_buffer(commands, self.handle, copied, staging.handle, &copies);
            }
            self.transition(commands, copied, layout);
            self.gpu.barrier(commands);
        })?;
        Ok(staging.read(length))
    }
}

/// A view of an image. It is destroyed when this is dropped, which must be before the image.
pub struct View<'g> {
    gpu: &'g Gpu,
    /// The handle.
    pub handle: vk::ImageView,
}

impl Drop for View<'_> {
    fn drop(&mut self) {
        // SAFETY: no pending command uses the view, because `Gpu::submit` waits.
        unsafe { self.gpu.device.destroy_image_view(self.handle, None) };
    }
}
