//! The descriptors of resources: what is written to sets, and pushed.
//!
//! In: views and buffers of a resource. Out: a write that its owner keeps until it is recorded.
//! What must hold: a write has as many entries as its descriptor type requires, and everything that
//! it points to lives as long as the resource.

use ash::vk;

/// The content of the descriptors of one resource.
pub(super) struct Descriptors {
    /// The descriptor set's number.
    pub(super) set: u32,
    /// The binding in the set.
    pub(super) binding: u32,
    /// The first element of the binding that is written.
    pub(super) first: u32,
    /// The descriptor type.
    pub(super) ty: vk::DescriptorType,
    /// The number of descriptors, or the bytes of an inline uniform block.
    pub(super) count: u32,
    /// Uniform and storage buffers.
    pub(super) buffers: Vec<vk::DescriptorBufferInfo>,
    /// Images and samplers.
    pub(super) images: Vec<vk::DescriptorImageInfo>,
    /// Views of texel buffers.
    pub(super) texels: Vec<vk::BufferView>,
    /// The buffers' ranges and formats, for a descriptor buffer.
    pub(super) addresses: Vec<vk::DescriptorAddressInfoEXT<'static>>,
    /// Acceleration structures, with their addresses for a descriptor buffer.
    pub(super) structures: Vec<(vk::AccelerationStructureKHR, vk::DeviceAddress)>,
    /// The content of an inline uniform block.
    pub(super) inline: Vec<u8>,
}

impl Descriptors {
    /// Calls `record` with the write to a set. A push ignores the set.
    pub(super) fn written<T>(&self, set: vk::DescriptorSet, record: impl FnOnce(vk::WriteDescriptorSet<'_>) -> T) -> T {
        let mut inline = vk::WriteDescriptorSetInlineUniformBlock::default().data(&self.inline);
        let structures: Vec<_> = self.structures.iter().map(|(handle, _)| *handle).collect();
        let mut structures =
            vk::WriteDescriptorSetAccelerationStructureKHR::default().acceleration_structures(&structures);
        let mut write = vk::WriteDescriptorSet::default()
            .dst_set(set)
            .dst_binding(self.binding)
            .dst_array_element(self.first)
            .descriptor_type(self.ty)
            .buffer_info(&self.buffers)
            .image_info(&self.images)
            .texel_buffer_view(&self.texels);
        write.descriptor_count = self.count;
        if self.ty == vk::DescriptorType::INLINE_UNIFORM_BLOCK {
            write = write.push_next(&mut inline);
        }
        if self.ty == vk::DescriptorType::ACCELERATION_STRUCTURE_KHR {
            write = write.push_next(&mut structures);
        }
        record(write)
    }
}

/// Whether a descriptor of this type holds a range of a buffer.
pub(super) fn is_buffer_info(kind: vk::DescriptorType) -> bool {
    matches!(kind, vk::DescriptorType::UNIFORM_BUFFER | vk::DescriptorType::STORAGE_BUFFER) || is_dynamic(kind)
}

/// Whether a descriptor of this type has a dynamic offset.
pub(super) fn is_dynamic(kind: vk::DescriptorType) -> bool {
    matches!(kind, vk::DescriptorType::UNIFORM_BUFFER_DYNAMIC | vk::DescriptorType::STORAGE_BUFFER_DYNAMIC)
}

/// The image usage that a descriptor type needs.
pub(super) fn image_usage(kind: vk::DescriptorType) -> vk::ImageUsageFlags {
    match kind {
        vk::DescriptorType::STORAGE_IMAGE => vk::ImageUsageFlags::STORAGE,
        vk::DescriptorType::INPUT_ATTACHMENT => vk::ImageUsageFlags::INPUT_ATTACHMENT,
        _ => vk::ImageUsageFlags::SAMPLED,
    }
}

/// The buffer usage that a descriptor type needs. An inline uniform block has no buffer, so any
/// will do for it.
pub(super) fn buffer_usage(kind: vk::DescriptorType) -> vk::BufferUsageFlags {
    match kind {
        vk::DescriptorType::UNIFORM_BUFFER | vk::DescriptorType::UNIFORM_BUFFER_DYNAMIC => {
            vk::BufferUsageFlags::UNIFORM_BUFFER
        }
        vk::DescriptorType::UNIFORM_TEXEL_BUFFER => vk::BufferUsageFlags::UNIFORM_TEXEL_BUFFER,
        vk::DescriptorType::STORAGE_TEXEL_BUFFER => vk::BufferUsageFlags::STORAGE_TEXEL_BUFFER,
        _ => vk::BufferUsageFlags::STORAGE_BUFFER,
    }
}
