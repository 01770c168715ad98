//! Descriptor buffers: the sets of a fixture with `descriptor_buffer`, as bytes in buffers of the
//! application (VK_EXT_descriptor_buffer).
//!
//! In: the set layouts and the content of every descriptor. Out: one buffer for the sets of
//! samplers and one for the other sets, and the offset of each set. What must hold: every offset
//! and size comes from the driver, because the layout of a set in memory is the driver's own.

use ash::{ext, vk};

use super::descriptors::Descriptors;
use crate::error::{Error, Result};
use crate::vulkan::Context;
use dxil_vulkan::Buffer;

/// The content of the descriptors of one resource, and the types that a descriptor of its binding
/// can have: several for a mutable descriptor.
pub(super) struct Content {
    pub(super) descriptors: Descriptors,
    pub(super) types: Vec<vk::DescriptorType>,
}

/// A set, as bytes.
struct Set {
    usage: vk::BufferUsageFlags,
    bytes: Vec<u8>,
}

/// The descriptor buffers of a fixture.
pub(super) struct DescriptorBuffers<'c> {
    commands: ext::descriptor_buffer::Device,
    buffers: Vec<(vk::BufferUsageFlags, Buffer<'c>)>,
    /// The buffer and the offset of each set; `None` for a set without descriptors.
    places: Vec<Option<(u32, u64)>>,
}

/// The driver's descriptor sizes, and the commands that write descriptors.
struct Driver {
    commands: ext::descriptor_buffer::Device,
    properties: vk::PhysicalDeviceDescriptorBufferPropertiesEXT<'static>,
    /// Whether the device has robust buffer access enabled, which gives buffers other sizes.
    robust: bool,
}

impl Driver {
    fn new(context: &Context) -> Self {
        let mut properties = vk::PhysicalDeviceDescriptorBufferPropertiesEXT::default();
        let mut all = vk::PhysicalDeviceProperties2::default().push_next(&mut properties);
        // SAFETY: the physical device belongs to the instance, and the fixture's requirements say
        // that it has the extension of the chained struct.
        unsafe { context.gpu.instance.handle.get_physical_device_properties2(context.gpu.instance.physical, &mut all) };
        let commands = ext::descriptor_buffer::Device::new(&context.gpu.instance.handle, &context.gpu.device);
        let robust = context.features.core.features.robust_buffer_access == vk::TRUE;
        Self { commands, properties, robust }
    }

    /// The bytes of a descriptor, 0 for a type that the harness does not write.
    fn size(&self, ty: vk::DescriptorType) -> usize {
        use vk::DescriptorType as D;
        let all = &self.properties;
        let buffer = |plain, robust| if self.robust { robust } else { plain };
        match ty {
            D::SAMPLER => all.sampler_descriptor_size,
            D::COMBINED_IMAGE_SAMPLER => all.combined_image_sampler_descriptor_size,
            D::SAMPLED_IMAGE => all.sampled_image_descriptor_size,
            D::STORAGE_IMAGE => all.storage_image_descriptor_size,
            D::UNIFORM_TEXEL_BUFFER => {
                buffer(all.uniform_texel_buffer_descriptor_size, all.robust_uniform_texel_buffer_descriptor_size)
            }
            D::STORAGE_TEXEL_BUFFER => {
                buffer(all.storage_texel_buffer_descriptor_size, all.robust_storage_texel_buffer_descriptor_size)
            }
            D::UNIFORM_BUFFER => buffer(all.uniform_buffer_descriptor_size, all.robust_uniform_buffer_descriptor_size),
            D::STORAGE_BUFFER => buffer(all.storage_buffer_descriptor_size, all.robust_storage_buffer_descriptor_size),
            D::ACCELERATION_STRUCTURE_KHR => all.acceleration_structure_descriptor_size,
            _ => 0,
        }
    }

    /// Writes element `index` of the descriptors.
    fn write(&self, descriptors: &Descriptors, index: usize, to: &mut [u8]) -> Result<()> {
        use vk::DescriptorType as D;
        let image = descriptors.images.get(index).map(std::ptr::from_ref);
        let address = descriptors.addresses.get(index).map(std::ptr::from_ref);
        let sampler = descriptors.images.get(index).map(|image| std::ptr::from_ref(&image.sampler));
        let structure = descriptors.structures.get(index).map(|(_, address)| *address);
        let data = match (descriptors.ty, image, address, sampler) {
            (D::ACCELERATION_STRUCTURE_KHR, ..) => {
                vk::DescriptorDataEXT { acceleration_structure: structure.unwrap_or(0) }
            }
            (D::SAMPLER, _, _, Some(p_sampler)) => vk::DescriptorDataEXT { p_sampler },
            (D::COMBINED_IMAGE_SAMPLER, Some(p_combined_image_sampler), ..) => {
                vk::DescriptorDataEXT { p_combined_image_sampler }
            }
            (D::SAMPLED_IMAGE, Some(p_sampled_image), ..) => vk::DescriptorDataEXT { p_sampled_image },
            (D::STORAGE_IMAGE, Some(p_storage_image), ..) => vk::DescriptorDataEXT { p_storage_image },
            (D::UNIFORM_TEXEL_BUFFER, _, Some(p_uniform_texel_buffer), _) => {
                vk::DescriptorDataEXT { p_uniform_texel_buffer }
            }
            (D::STORAGE_TEXEL_BUFFER, _, Some(p_storage_texel_buffer), _) => {
                vk::DescriptorDataEXT { p_storage_texel_buffer }
            }
            (D::UNIFORM_BUFFER, _, Some(p_uniform_buffer), _) => vk::DescriptorDataEXT { p_uniform_buffer },
            (D::STORAGE_BUFFER, _, Some(p_storage_buffer), _) => vk::DescriptorDataEXT { p_storage_buffer },
            (ty, ..) => return Err(Error::Wrong(format!("a descriptor of type {ty:?} has no content of its type"))),
        };
        let info = vk::DescriptorGetInfoEXT { ty: descriptors.ty, data, ..Default::default() };
        // SAFETY: the union has the member of the descriptor type. It points to a struct that
        // outlives the call, whose view, sampler or buffer is alive; `to` has the size of the
        // type's descriptor.
        unsafe { self.commands.get_descriptor(&info, to) };
        Ok(())
    }

    /// The bytes of a set.
    fn set(&self, layout: vk::DescriptorSetLayout, contents: &[Content]) -> Result<Set> {
        // SAFETY: the layout belongs to this device and was created for descriptor buffers.
        let size = unsafe { self.commands.get_descriptor_set_layout_size(layout) };
        let mut bytes = vec![0; usize::try_from(size).unwrap_or(usize::MAX)];
        let mut usage = vk::BufferUsageFlags::empty();
        for Content { descriptors, types } in contents {
            let ty = descriptors.ty;
            usage |= usage_of(ty);
            // Such an array has all images before all samplers.
            if ty == vk::DescriptorType::COMBINED_IMAGE_SAMPLER
                && descriptors.count > 1
                && self.properties.combined_image_sampler_descriptor_single_array == vk::FALSE
            {
                return Err(Error::Skip("the driver splits arrays of combined image samplers".into()));
            }
            // SAFETY: the layout is as above and has this binding.
            let binding =
                unsafe { self.commands.get_descriptor_set_layout_binding_offset(layout, descriptors.binding) };
            let stride = types.iter().map(|ty| self.size(*ty)).max().unwrap_or(0);
            for index in 0..descriptors.count as usize {
                let element = descriptors.first as usize + index;
                let at = usize::try_from(binding).unwrap_or(usize::MAX).saturating_add(element.saturating_mul(stride));
                let to = bytes.get_mut(at..at.saturating_add(self.size(ty)));
                let to = to.ok_or_else(|| Error::Wrong(format!("descriptor {element} is outside its set's layout")))?;
                self.write(descriptors, index, to)?;
            }
        }
        Ok(Set { usage, bytes })
    }
}

/// The usage of a buffer with descriptors of a type.
fn usage_of(ty: vk::DescriptorType) -> vk::BufferUsageFlags {
    let (samplers, resources) =
        (vk::BufferUsageFlags::SAMPLER_DESCRIPTOR_BUFFER_EXT, vk::BufferUsageFlags::RESOURCE_DESCRIPTOR_BUFFER_EXT);
    match ty {
        vk::DescriptorType::SAMPLER => samplers,
        vk::DescriptorType::COMBINED_IMAGE_SAMPLER => samplers | resources,
        _ => resources,
    }
}

impl<'c> DescriptorBuffers<'c> {
    /// Writes all sets, given with their layouts in the order of their numbers.
    pub(super) fn new(context: &'c Context, sets: &[(vk::DescriptorSetLayout, Vec<Content>)]) -> Result<Self> {
        let driver = Driver::new(context);
        let mut sets =
            sets.iter().map(|(layout, contents)| driver.set(*layout, contents)).collect::<Result<Vec<_>>>()?;
        // Vulkan guarantees one buffer with samplers and one with resources, so a set with both
        // makes one buffer of all sets.
        let both =
            vk::BufferUsageFlags::SAMPLER_DESCRIPTOR_BUFFER_EXT | vk::BufferUsageFlags::RESOURCE_DESCRIPTOR_BUFFER_EXT;
        if sets.iter().any(|set| set.usage == both) {
            sets.iter_mut().filter(|set| !set.usage.is_empty()).for_each(|set| set.usage = both);
        }
        let alignment = usize::try_from(driver.properties.descriptor_buffer_offset_alignment).unwrap_or(1).max(1);
        let mut contents: Vec<(vk::BufferUsageFlags, Vec<u8>)> = Vec::new();
        let mut places = Vec::new();
        for Set { usage, bytes } in sets {
            if usage.is_empty() {
                places.push(None);
                continue;
            }
            // A set at offset 0 would not show that the offset is used.
            let index = contents.iter().position(|(other, _)| *other == usage).unwrap_or_else(|| {
                contents.push((usage, vec![0; alignment]));
                contents.len() - 1
            });
            let Some((_, content)) = contents.get_mut(index) else { continue };
            content.resize(content.len().next_multiple_of(alignment), 0);
            places.push(Some((index as u32, content.len() as u64)));
            content.extend(bytes);
        }
        let make = |(usage, content): (vk::BufferUsageFlags, Vec<u8>)| {
            let addressed = usage | vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS;
            Ok((usage, Buffer::new(&context.gpu, addressed, &content)?))
        };
        let buffers = contents.into_iter().map(make).collect::<Result<_>>()?;
        Ok(Self { commands: driver.commands, buffers, places })
    }

    /// Records commands that bind the buffers and set the offset of every set.
    pub(super) fn bind(
        &self,
        commands: vk::CommandBuffer,
        point: vk::PipelineBindPoint,
        pipeline_layout: vk::PipelineLayout,
    ) {
        let binding = |(usage, buffer): &(vk::BufferUsageFlags, Buffer<'_>)| {
            let usage = *usage | vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS;
            vk::DescriptorBufferBindingInfoEXT::default().address(buffer.address()).usage(usage)
        };
        let bindings: Vec<_> = self.buffers.iter().map(binding).collect();
        if bindings.is_empty() {
            return;
        }
        // SAFETY: the command buffer is recording. The addresses are those of buffers with these
        // usages, which live until `Gpu::submit` has waited for the queue.
        unsafe { self.commands.cmd_bind_descriptor_buffers(commands, &bindings) };
        for (set, place) in (0..).zip(&self.places) {
            let Some((buffer, offset)) = *place else { continue };
            // SAFETY: the buffer has just been bound. The offset is aligned, and the bytes of the
            // set's layout follow it in the buffer.
            unsafe {
                self.commands.cmd_set_descriptor_buffer_offsets(
                    commands,
                    point,
                    pipeline_layout,
                    set,
                    &[buffer],
                    &[offset],
                );
            }
        }
    }
}
