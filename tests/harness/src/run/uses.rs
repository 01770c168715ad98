//! The uses of the memory of resources, which decide how buffers and images are created.

use ash::vk;

use super::descriptors::{buffer_usage, image_usage};
use crate::spec::{Fixture, ImagePart, Kind, Pass, Resource, Step};
use crate::vulkan::Format;

/// The uses of one resource's memory in every pass, including those through `resource` lines with
/// `is=`.
#[derive(Default)]
pub(super) struct Uses {
    pub(super) buffer: vk::BufferUsageFlags,
    pub(super) image: vk::ImageUsageFlags,
    pub(super) cube: bool,
    pub(super) reformatted: bool,
    pub(super) layout: vk::ImageLayout,
}

impl Uses {
    /// The uses of the memory of the resource `of`, which has this index.
    /// `by_address` says that every buffer is described by its address.
    pub(super) fn new(fixture: &Fixture, index: usize, of: &Resource, by_address: bool) -> Self {
        let mut uses = Self::default();
        let seen: Vec<_> = fixture.resources.iter().filter(|other| fixture.memory_of(other) == Some(index)).collect();
        for resource in &seen {
            uses.buffer |= match resource.described {
                true => buffer_usage(resource.descriptor),
                false => vk::BufferUsageFlags::STORAGE_BUFFER | vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS,
            };
            // A descriptor buffer has the addresses of buffers, and records of shader binding
            // tables can have some.
            let in_record = fixture.passes.iter().any(|pass| pass.rays.addresses(resource.register));
            if fixture.descriptor_buffer || in_record || by_address {
                uses.buffer |= vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS;
            }
            uses.image |= image_usage(resource.descriptor);
            if let (Kind::Texture(shape, format, _), Kind::Texture(base, ..)) = (&resource.kind, &of.kind) {
                uses.cube |= shape.cube;
                uses.reformatted |= base.format != format.vk;
            }
        }
        if fixture.steps.iter().any(|step| matches!(step, Step::Update(memory, _) if *memory == index)) {
            uses.buffer |= vk::BufferUsageFlags::TRANSFER_DST;
        }
        let is_it = |part: &ImagePart| {
            fixture.resource(part.register).and_then(|(_, resource)| fixture.memory_of(resource)) == Some(index)
        };
        let drawn_to = fixture.passes.iter().flat_map(Pass::parts).any(|part| is_it(&part));
        if drawn_to {
            uses.image |= match of.kind {
                Kind::Texture(_, Format::DEPTH, _) => vk::ImageUsageFlags::DEPTH_STENCIL_ATTACHMENT,
                _ => vk::ImageUsageFlags::COLOR_ATTACHMENT,
            };
        }
        let general = drawn_to || seen.len() > 1 || uses.image.contains(vk::ImageUsageFlags::STORAGE);
        uses.layout = if general { vk::ImageLayout::GENERAL } else { vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL };
        uses
    }
}
