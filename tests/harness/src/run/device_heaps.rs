//! The heaps of the device: all descriptors of a fixture in the two heaps of
//! VK_EXT_descriptor_heap.
//!
//! In: the resources of a fixture. Out: a resource heap and a sampler heap, and mappings of the
//! bindings that are in neither of D3D12's heaps. What must hold: the descriptors of a `heaps` line
//! are at the start of the heaps, at their own index, as docs/bindings.md says. All others follow
//! them, and each has a mapping. The heaps themselves have no mapping if a shader indexes them,
//! because the layer has to add it. Where only static samplers of a root signature were left to
//! map, nothing is.

use std::ffi::c_void;

use ash::vk;

use super::bind::{Bound, Store, described, texel_format};
use super::descriptors::image_usage;
use super::heap_buffers::{Content, DeviceHeaps};
use crate::error::{Error, Result};
use crate::spec::{Fixture, Kind, Mips, Pass, Resource};
use crate::vulkan::heap::{self, AddressRange, Commands, HostRange, Mapping};
use dxil_vulkan::Named as _;

/// Fixtures whose pipeline layout decides where something is, and why it is elsewhere without a
/// layout.
const OF_LAYOUTS: &[(&str, &str)] = &[
    ("buffer/tbuffer", IN_TEXELS),
    ("buffer/tbuffer_annotated", IN_TEXELS),
    ("rootsig/long_constants", IN_A_BUFFER),
    ("rootsig/long_constants_rows", IN_A_BUFFER),
];
const IN_TEXELS: &str = "a pipeline layout says that the tbuffer t0 is a texel buffer, and there is none";
const IN_A_BUFFER: &str = "a pipeline layout says that root constants are in a buffer, and there is none";

/// Checks that a fixture can run with descriptor heaps.
///
/// # Errors
/// A skip with the reason why it cannot.
pub fn check(fixture: &Fixture) -> Result<()> {
    let any = |test: fn(&Pass) -> bool| fixture.passes.iter().any(test);
    let other = fixture.resources.iter().find(|resource| resource.described && !has_first_type(resource));
    let of_layout = OF_LAYOUTS.iter().find(|(name, _)| *name == fixture.name);
    let reason = if let Some((_, reason)) = of_layout {
        (*reason).to_owned()
    } else if any(|pass| pass.libraries.is_some()) {
        "the pipeline is linked of libraries".to_owned()
    } else if fixture.push_set.is_some() {
        "push descriptors are in a set".to_owned()
    } else if fixture.stages().any(|(_, stage)| stage.spirv) {
        "a stage is SPIR-V, whose bindings are not mapped".to_owned()
    } else if let Some(resource) = other {
        let (register, ty) = (resource.register.output(), resource.descriptor);
        format!("a pipeline layout says that {register} is a {ty:?}, and there is none")
    } else {
        return Ok(());
    };
    Err(Error::Skip(format!("descriptor heaps: {reason}")))
}

/// Whether a resource has the descriptor type that the layer takes without a layout.
fn has_first_type(resource: &Resource) -> bool {
    use vk::DescriptorType as D;
    let is_read = resource.register.class == 't';
    let first = match resource.kind {
        Kind::ConstantBuffer(_) => D::UNIFORM_BUFFER,
        Kind::Buffer(_) => D::STORAGE_BUFFER,
        Kind::TypedBuffer(..) if is_read => D::UNIFORM_TEXEL_BUFFER,
        Kind::TypedBuffer(..) => D::STORAGE_TEXEL_BUFFER,
        Kind::Texture(..) if is_read => D::SAMPLED_IMAGE,
        Kind::Texture(..) => D::STORAGE_IMAGE,
        Kind::Sampler(_) => D::SAMPLER,
        Kind::Structures(_) => D::ACCELERATION_STRUCTURE_KHR,
    };
    resource.descriptor == first
}

/// The bits of `VkSpirvResourceTypeFlagBitsEXT` for a descriptor type.
fn mask(ty: vk::DescriptorType) -> u32 {
    use vk::DescriptorType as D;
    match ty {
        D::SAMPLER => 0x1,
        D::SAMPLED_IMAGE | D::UNIFORM_TEXEL_BUFFER => 0x2,
        D::STORAGE_IMAGE | D::STORAGE_TEXEL_BUFFER => 0xc,
        D::UNIFORM_BUFFER => 0x20,
        D::STORAGE_BUFFER => 0xc0,
        _ => 0x100,
    }
}

impl<'c> Bound<'c> {
    /// Writes all descriptors to heaps.
    pub(super) fn make_heaps(&mut self, fixture: &Fixture, commands: &'c Commands) -> Result<()> {
        self.make_push(fixture, u32::try_from(commands.properties.max_push_data_size).unwrap_or(u32::MAX))?;
        let [resource_stride, sampler_stride] = commands.strides();
        let size = fixture.heaps.map_or(0, |heaps| heaps.size);
        let mut resources = Content::new(resource_stride, size);
        let mut samplers = Content::new(sampler_stride, size);
        let counters = resources.take(size);
        let mut mappings = heap_mappings(fixture, [&resources, &samplers], counters);
        for (resource, index) in described(fixture)? {
            let is_sampler = resource.descriptor == vk::DescriptorType::SAMPLER;
            let content = if is_sampler { &mut samplers } else { &mut resources };
            let first = match (resource.heap, resource.register.class) {
                (Some(at), 'c') => counters + at as usize,
                (Some(at), _) => at as usize,
                (None, _) => {
                    let first = content.take(resource.count);
                    let (place, mask) = (resource.place, mask(resource.descriptor));
                    mappings.push(Mapping::new(place.set, place.binding, mask, content.place(first)));
                    first
                }
            };
            self.write_elements(commands, resource, index, content, first)?;
        }
        if has_arguments_only(fixture) {
            mappings.clear();
        }
        self.heaps = Some(DeviceHeaps::new(self.context, commands, [&resources, &samplers], mappings)?);
        Ok(())
    }

    /// Writes the elements of a resource to a heap.
    fn write_elements(
        &self,
        commands: &Commands,
        resource: &Resource,
        index: usize,
        content: &mut Content,
        first: usize,
    ) -> Result<()> {
        let Some(object) = self.objects.get(index) else { return Ok(()) };
        let Some(memory) = self.objects.get(object.memory) else { return Ok(()) };
        for element in 0..resource.count {
            let (store, mips) = match resource.mips {
                Mips::All => (element, 0..vk::REMAINING_MIP_LEVELS),
                Mips::One(mip) => (element, mip..mip + 1),
                Mips::Each => (0, element..element + 1),
            };
            let slot = content.slot(first + element as usize);
            match (memory.stores.get(store as usize), &resource.kind) {
                (_, Kind::Sampler(state)) => {
                    let odd = state.odd.filter(|_| element % 2 == 1);
                    let mut info = self.sampler_info(state)?;
                    if let Some(filter) = odd {
                        info = info.min_filter(filter).mag_filter(filter);
                    }
                    // SAFETY: the slot has space for a sampler.
                    unsafe { (commands.write_samplers)(self.context.gpu.device.handle(), 1, &info, &slot) }
                        .result()
                        .named("vkWriteSamplerDescriptorsEXT")?;
                }
                (Some(Store::Buffer(buffer)), kind) => {
                    let range = AddressRange { address: buffer.address(), size: buffer.size };
                    let texels = heap::TexelBuffer { format: texel_format(kind), range, ..Default::default() };
                    let is_texels = matches!(kind, Kind::TypedBuffer(..));
                    let range: *const c_void = std::ptr::from_ref(&range).cast();
                    let data = if is_texels { std::ptr::from_ref(&texels).cast() } else { range };
                    self.write(commands, resource, data, &slot)?;
                }
                (Some(Store::Image(image, _)), Kind::Texture(_, format, kind)) => {
                    let mut range = format.whole(*kind).base_mip_level(mips.start);
                    if mips.end != vk::REMAINING_MIP_LEVELS {
                        range.level_count = mips.end - mips.start;
                    }
                    let usage = vk::ImageViewUsageCreateInfo::default().usage(image_usage(resource.descriptor));
                    let view = vk::ImageViewCreateInfo { p_next: (&raw const usage).cast(), ..Default::default() };
                    let view = view.image(image.handle).view_type(*kind).format(format.vk).subresource_range(range);
                    let info = heap::Image { view: &view, layout: memory.layout, ..Default::default() };
                    self.write(commands, resource, std::ptr::from_ref(&info).cast(), &slot)?;
                }
                (Some(Store::Structure(_, address)), _) => {
                    let range = AddressRange { address: *address, size: 0 };
                    let data: *const c_void = std::ptr::from_ref(&range).cast();
                    self.write(commands, resource, if *address == 0 { std::ptr::null() } else { data }, &slot)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Writes a descriptor of a resource. The data is null or of the resource's type.
    fn write(&self, commands: &Commands, resource: &Resource, data: *const c_void, slot: &HostRange) -> Result<()> {
        let info = heap::ResourceDescriptor { ty: resource.descriptor, data, ..Default::default() };
        // SAFETY: the data is valid for the descriptor type, and the slot has space for any
        // resource.
        let result = unsafe { (commands.write_resources)(self.context.gpu.device.handle(), 1, &info, slot) };
        Ok(result.result().named("vkWriteResourceDescriptorsEXT")?)
    }
}

/// Whether everything that is not in a heap is an argument of the root signature in push data, or a
/// static sampler, so that the layer makes all mappings.
fn has_arguments_only(fixture: &Fixture) -> bool {
    let is_static = |resource: &Resource| matches!(resource.kind, Kind::Sampler(state) if state.fixed);
    let is_argument = |resource: &Resource| !resource.described || resource.heap.is_some() || is_static(resource);
    let has_counters = fixture.resources.iter().any(|resource| resource.register.class == 'c');
    is_offsets(fixture) && !has_counters && fixture.resources.iter().all(is_argument)
}

/// Whether tables are offsets into the heaps.
fn is_offsets(fixture: &Fixture) -> bool {
    fixture.settings.iter().any(|(name, value)| name == "root_tables" && value == "offsets")
}

/// The mappings of the sets of D3D12's heaps: that of the counters, and those of the heaps
/// themselves where no shader can index them, so that their sets are tables.
fn heap_mappings(fixture: &Fixture, [resources, samplers]: [&Content; 2], counters: usize) -> Vec<Mapping> {
    let Some(heaps) = fixture.heaps else { return Vec::new() };
    let mut all = Vec::new();
    if let Some(set) = heaps.counters {
        all.push(Mapping::new(set, 0, 0xc0, resources.place(counters)));
    }
    let is_indexed = fixture.stages().any(|(_, stage)| stage.profile.ends_with("_6_6"));
    if !is_indexed && !is_offsets(fixture) {
        all.extend(heaps.resources.map(|set| Mapping::new(set, 0, 0x1fe, resources.place(0))));
        all.extend(heaps.samplers.map(|set| Mapping::new(set, 0, 0x1, samplers.place(0))));
    }
    all
}
