//! Buffers and images with their memory.
//!
//! In: sizes, formats and bytes. Out: Vulkan objects that the lab can write to and read from. What must
//! hold: memory is bounded by [`LARGEST_TOTAL`]; what the device cannot make is a reason and no error
//! of the driver.

use ash::vk;

use super::stop::Stop;
use super::texel::texel_bytes;
use crate::vulkan::{Lab, Objects};

/// The most memory that the resources of a pipeline may have, in bytes.
const LARGEST_TOTAL: u64 = 1 << 30;

/// A buffer in memory that the host sees.
#[derive(Clone, Copy)]
pub struct Buffer {
    /// The object.
    pub handle: vk::Buffer,
    /// Its size in bytes.
    pub size: usize,
    address: *mut u8,
}

impl Buffer {
    /// Writes its content.
    pub fn write(&self, bytes: &[u8]) {
        let size = bytes.len().min(self.size);
        // SAFETY: the memory is mapped for its whole life, coherent, and has `size` bytes; the device does
        // not use it while the lab writes.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.address, size) };
    }

    /// Its content.
    pub fn read(&self) -> Vec<u8> {
        // SAFETY: as above; the device has finished.
        unsafe { std::slice::from_raw_parts(self.address, self.size) }.to_vec()
    }
}

/// An image, and how its texels lie in a buffer.
#[derive(Clone)]
pub struct Image {
    /// The object.
    pub handle: vk::Image,
    /// A view of all of it.
    pub view: vk::ImageView,
    /// What it was made of.
    pub spec: Spec,
}

/// What an image is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spec {
    /// The format.
    pub format: vk::Format,
    /// The dimensions of the view.
    pub view: vk::ImageViewType,
    /// Width, height and depth in texels.
    pub extent: [u32; 3],
    /// Levels.
    pub levels: u32,
    /// Layers.
    pub layers: u32,
    /// Samples per texel.
    pub samples: vk::SampleCountFlags,
    /// What it is used for, besides copies.
    pub usage: vk::ImageUsageFlags,
}

impl Spec {
    /// The aspects of the format.
    pub fn aspects(&self) -> vk::ImageAspectFlags {
        match self.format {
            vk::Format::D32_SFLOAT => vk::ImageAspectFlags::DEPTH,
            vk::Format::D32_SFLOAT_S8_UINT => vk::ImageAspectFlags::DEPTH | vk::ImageAspectFlags::STENCIL,
            _ => vk::ImageAspectFlags::COLOR,
        }
    }

    /// All levels and layers.
    pub fn range(&self) -> vk::ImageSubresourceRange {
        vk::ImageSubresourceRange {
            aspect_mask: self.aspects(),
            base_mip_level: 0,
            level_count: self.levels,
            base_array_layer: 0,
            layer_count: self.layers,
        }
    }

    fn level(&self, level: u32) -> vk::Extent3D {
        let [width, height, depth] = self.extent.map(|size| (size >> level).max(1));
        vk::Extent3D { width, height, depth }
    }

    /// The copies of all levels between the image and a buffer, and the buffer's size. Of two aspects it
    /// is the depth.
    pub fn copies(&self) -> (Vec<vk::BufferImageCopy>, usize) {
        let (mut copies, mut offset) = (Vec::new(), 0);
        let aspect_mask = match self.aspects() {
            vk::ImageAspectFlags::COLOR => vk::ImageAspectFlags::COLOR,
            _ => vk::ImageAspectFlags::DEPTH,
        };
        for level in 0..self.levels {
            let extent = self.level(level);
            let layers = vk::ImageSubresourceLayers {
                aspect_mask,
                mip_level: level,
                base_array_layer: 0,
                layer_count: self.layers,
            };
            copies.push(vk::BufferImageCopy {
                buffer_offset: offset as u64,
                image_subresource: layers,
                image_extent: extent,
                ..Default::default()
            });
            let texels = extent.width as usize * extent.height as usize * extent.depth as usize;
            offset += texels * self.layers as usize * texel_bytes(self.format);
        }
        (copies, offset)
    }
}

impl Drop for Store<'_> {
    fn drop(&mut self) {
        // After an error the device may still use what is destroyed now. Whether it can be waited for is
        // no news then.
        // SAFETY: the lab's device, which no other thread uses.
        let _ = unsafe { self.lab.device.device_wait_idle() };
    }
}

/// Makes buffers and images, and destroys them at its end.
pub struct Store<'a> {
    /// The device.
    pub lab: &'a Lab,
    /// What was made.
    pub objects: Objects<'a>,
    memory: vk::PhysicalDeviceMemoryProperties,
    total: u64,
}

impl<'a> Store<'a> {
    /// An empty store.
    pub fn new(lab: &'a Lab) -> Self {
        // SAFETY: the lab's physical device.
        let memory = unsafe { lab.instance.get_physical_device_memory_properties(lab.physical) };
        Self { lab, objects: Objects::new(lab), memory, total: 0 }
    }

    fn allocate(
        &mut self,
        needs: vk::MemoryRequirements,
        wanted: vk::MemoryPropertyFlags,
    ) -> Result<vk::DeviceMemory, Stop> {
        self.total = self.total.saturating_add(needs.size);
        if self.total > LARGEST_TOTAL {
            return Err(Stop::Lab(format!("its resources need more than {} MiB", LARGEST_TOTAL >> 20)));
        }
        let types = self.memory.memory_types_as_slice();
        let fits =
            |index: usize| needs.memory_type_bits & (1 << index) != 0 && types[index].property_flags.contains(wanted);
        let index = (0..types.len()).find(|index| fits(*index));
        let index = index.ok_or_else(|| Stop::Lab("the device has no memory of the kind that is needed".into()))?;
        let info = vk::MemoryAllocateInfo::default().allocation_size(needs.size).memory_type_index(index as u32);
        // SAFETY: a valid create info.
        let memory = unsafe { self.lab.device.allocate_memory(&info, None) };
        Ok(self.objects.memory(memory.map_err(|result| Stop::Driver("vkAllocateMemory", result))?))
    }

    /// A buffer that the host writes and reads.
    pub fn buffer(&mut self, size: usize, usage: vk::BufferUsageFlags) -> Result<Buffer, Stop> {
        let device = &self.lab.device;
        let size = size.max(16);
        let info = vk::BufferCreateInfo::default().size(size as u64).usage(usage);
        // SAFETY: a valid create info.
        let made = unsafe { device.create_buffer(&info, None) };
        let handle = self.objects.buffer(made.map_err(|result| Stop::Driver("vkCreateBuffer", result))?);
        // SAFETY: a live buffer.
        let needs = unsafe { device.get_buffer_memory_requirements(handle) };
        let visible = vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT;
        let memory = self.allocate(needs, visible)?;
        // SAFETY: memory of the buffer's own, mapped once.
        let address = unsafe {
            device
                .bind_buffer_memory(handle, memory, 0)
                .map_err(|result| Stop::Driver("vkBindBufferMemory", result))?;
            device
                .map_memory(memory, 0, vk::WHOLE_SIZE, vk::MemoryMapFlags::empty())
                .map_err(|result| Stop::Driver("vkMapMemory", result))?
        };
        Ok(Buffer { handle, size, address: address.cast() })
    }

    /// A view of a buffer's texels.
    pub fn texels(&mut self, buffer: Buffer, format: vk::Format) -> Result<vk::BufferView, Stop> {
        let info = vk::BufferViewCreateInfo::default().buffer(buffer.handle).format(format).range(vk::WHOLE_SIZE);
        // SAFETY: a live buffer.
        let made = unsafe { self.lab.device.create_buffer_view(&info, None) };
        Ok(self.objects.texels(made.map_err(|result| Stop::Driver("vkCreateBufferView", result))?))
    }

    /// An image with a view.
    pub fn image(&mut self, spec: Spec) -> Result<Image, Stop> {
        let device = &self.lab.device;
        let ty = match spec.view {
            vk::ImageViewType::TYPE_1D | vk::ImageViewType::TYPE_1D_ARRAY => vk::ImageType::TYPE_1D,
            vk::ImageViewType::TYPE_3D => vk::ImageType::TYPE_3D,
            _ => vk::ImageType::TYPE_2D,
        };
        let is_cube = matches!(spec.view, vk::ImageViewType::CUBE | vk::ImageViewType::CUBE_ARRAY);
        let flags = if is_cube { vk::ImageCreateFlags::CUBE_COMPATIBLE } else { vk::ImageCreateFlags::empty() };
        let usage = spec.usage | vk::ImageUsageFlags::TRANSFER_SRC | vk::ImageUsageFlags::TRANSFER_DST;
        // SAFETY: the lab's physical device.
        let supported = unsafe {
            self.lab.instance.get_physical_device_image_format_properties(
                self.lab.physical,
                spec.format,
                ty,
                vk::ImageTiling::OPTIMAL,
                usage,
                flags,
            )
        };
        if !supported.is_ok_and(|limits| limits.sample_counts.contains(spec.samples)) {
            return Err(Stop::Lab(format!(
                "the device has no images of {:?} with {:?} and {:?} samples",
                spec.format, spec.usage, spec.samples
            )));
        }
        let info = vk::ImageCreateInfo::default()
            .flags(flags)
            .image_type(ty)
            .format(spec.format)
            .extent(spec.level(0))
            .mip_levels(spec.levels)
            .array_layers(spec.layers)
            .samples(spec.samples)
            .usage(usage);
        // SAFETY: a create info that the device supports.
        let made = unsafe { device.create_image(&info, None) };
        let handle = self.objects.image(made.map_err(|result| Stop::Driver("vkCreateImage", result))?);
        // SAFETY: a live image.
        let needs = unsafe { device.get_image_memory_requirements(handle) };
        let memory = self.allocate(needs, vk::MemoryPropertyFlags::empty())?;
        // SAFETY: memory of the image's own.
        unsafe { device.bind_image_memory(handle, memory, 0) }
            .map_err(|result| Stop::Driver("vkBindImageMemory", result))?;
        let mut range = spec.range();
        if spec.usage.contains(vk::ImageUsageFlags::SAMPLED) && spec.aspects() != vk::ImageAspectFlags::COLOR {
            range.aspect_mask = vk::ImageAspectFlags::DEPTH;
        }
        let info = vk::ImageViewCreateInfo::default()
            .image(handle)
            .view_type(spec.view)
            .format(spec.format)
            .subresource_range(range);
        // SAFETY: a live image.
        let made = unsafe { device.create_image_view(&info, None) };
        let view = self.objects.view(made.map_err(|result| Stop::Driver("vkCreateImageView", result))?);
        Ok(Image { handle, view, spec })
    }
}

/// Brings an image into the layout in which the lab uses it.
///
/// # Safety
/// The command buffer must be open, outside of rendering, and the image live.
pub unsafe fn transition(device: &ash::Device, commands: vk::CommandBuffer, image: &Image, from: vk::ImageLayout) {
    let all = vk::PipelineStageFlags::ALL_COMMANDS;
    let access = vk::AccessFlags::MEMORY_READ | vk::AccessFlags::MEMORY_WRITE;
    let barrier = vk::ImageMemoryBarrier::default()
        .src_access_mask(access)
        .dst_access_mask(access)
        .old_layout(from)
        .new_layout(vk::ImageLayout::GENERAL)
        .image(image.handle)
        .subresource_range(image.spec.range());
    // SAFETY: by this function's contract.
    unsafe { device.cmd_pipeline_barrier(commands, all, all, vk::DependencyFlags::empty(), &[], &[], &[barrier]) };
}
