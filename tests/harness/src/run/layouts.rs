//! The descriptor set layouts and pipeline layouts of a fixture.

use ash::{khr, vk};

use super::bind::{Bound, described};
use crate::error::{Error, Result};
use crate::spec::{Fixture, Resource};
use dxil_vulkan::Named as _;

impl Bound<'_> {
    pub(super) fn make_layouts(&mut self, fixture: &Fixture) -> Result<()> {
        let described = described(fixture)?;
        if fixture.push_set.is_some() {
            if !self.context.extensions.contains(&khr::push_descriptor::NAME) {
                return Err(Error::Skip("the driver does not support VK_KHR_push_descriptor".into()));
            }
            self.push_commands =
                Some(khr::push_descriptor::Device::new(&self.context.gpu.instance.handle, &self.context.gpu.device));
        }
        let count = described.iter().map(|(resource, _)| resource.place.set + 1).max().unwrap_or(0).max(fixture.sets);
        if count > self.context.gpu.instance.properties.limits.max_bound_descriptor_sets {
            return Err(Error::Skip(format!("the driver cannot bind {count} descriptor sets")));
        }
        for set in 0..count {
            let in_set = described.iter().map(|(resource, _)| *resource).filter(|resource| resource.place.set == set);
            self.make_set_layout(fixture, set, in_set)?;
        }
        self.make_push(fixture, self.context.gpu.instance.properties.limits.max_push_constants_size)?;
        // A pipeline that is linked of libraries has a layout that may be made of parts.
        let linked = fixture.passes.iter().any(|pass| pass.libraries.is_some());
        let sets = self.set_layouts.clone();
        self.layout = self.pipeline_layout(&sets, linked)?;
        Ok(())
    }

    /// Makes the push constants, of which the device has at most this many bytes.
    pub(super) fn make_push(&mut self, fixture: &Fixture, most: u32) -> Result<()> {
        if let Some((bytes, pattern)) = &fixture.push {
            if *bytes > most {
                return Err(Error::Skip(format!("the driver does not support {bytes} bytes of push constants")));
            }
            let mut data = pattern.bytes(0, u64::from(*bytes) / 4);
            self.write_addresses(fixture, &mut data);
            self.push = Some((fixture.stage_flags(), data));
        }
        Ok(())
    }

    /// Makes the layout of a set with these resources.
    fn make_set_layout<'r>(
        &mut self,
        fixture: &Fixture,
        set: u32,
        resources: impl Iterator<Item = &'r Resource>,
    ) -> Result<()> {
        let (in_heap, here): (Vec<_>, Vec<_>) = resources.partition(|resource| resource.heap.is_some());
        let immutable: Vec<Option<Vec<vk::Sampler>>> = here
            .iter()
            .map(|resource| {
                self.immutable(fixture, resource)
                    .map(|pair| pair.into_iter().cycle().take(resource.count as usize).collect())
            })
            .collect();
        let mut bindings = Vec::new();
        for (resource, immutable) in here.iter().zip(&immutable) {
            let binding = vk::DescriptorSetLayoutBinding::default()
                .binding(resource.place.binding)
                .descriptor_type(resource.descriptor)
                .descriptor_count(resource.descriptor_count())
                .stage_flags(match resource.descriptor {
                    // VUID-VkDescriptorSetLayoutBinding-descriptorType-01510.
                    vk::DescriptorType::INPUT_ATTACHMENT => vk::ShaderStageFlags::FRAGMENT,
                    _ => fixture.set_flags(set),
                });
            bindings.push(match immutable {
                Some(samplers) => binding.immutable_samplers(samplers),
                None => binding,
            });
        }
        let heap_types: Vec<_> = fixture.heap_types().collect();
        // A heap is one binding, which has descriptors only where a resource is.
        let mut flags = vec![vk::DescriptorBindingFlags::empty(); bindings.len()];
        let mut types = vec![vk::MutableDescriptorTypeListEXT::default(); bindings.len()];
        if let (Some(heaps), Some(resource)) = (fixture.heaps, in_heap.first()) {
            let mutable = heaps.is_mutable(resource.place);
            types.push(match mutable {
                true => vk::MutableDescriptorTypeListEXT::default().descriptor_types(&heap_types),
                false => vk::MutableDescriptorTypeListEXT::default(),
            });
            flags.push(vk::DescriptorBindingFlags::PARTIALLY_BOUND);
            let binding = vk::DescriptorSetLayoutBinding::default().binding(resource.place.binding);
            let ty = if mutable { vk::DescriptorType::MUTABLE_EXT } else { resource.descriptor };
            bindings.push(binding.descriptor_type(ty).descriptor_count(heaps.size).stage_flags(fixture.stage_flags()));
        }
        let mut flags = vk::DescriptorSetLayoutBindingFlagsCreateInfo::default().binding_flags(&flags);
        let mut types = vk::MutableDescriptorTypeCreateInfoEXT::default().mutable_descriptor_type_lists(&types);
        let mut info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
        if !in_heap.is_empty() {
            info = info.push_next(&mut flags).push_next(&mut types);
        }
        if fixture.push_set == Some(set) {
            info = info.flags(vk::DescriptorSetLayoutCreateFlags::PUSH_DESCRIPTOR_KHR);
        }
        if fixture.descriptor_buffer {
            info = info.flags(vk::DescriptorSetLayoutCreateFlags::DESCRIPTOR_BUFFER_EXT);
        }
        // SAFETY: the bindings and their immutable samplers outlive the call.
        let layout = unsafe { self.context.gpu.device.create_descriptor_set_layout(&info, None) };
        self.set_layouts.push(self.owned.set_layout(layout.named("vkCreateDescriptorSetLayout")?));
        Ok(())
    }

    /// The set layouts and the push-constant range of the pipeline layout, for shader objects.
    pub(super) fn interface(&self) -> (&[vk::DescriptorSetLayout], Option<vk::PushConstantRange>) {
        (&self.set_layouts, self.push_range().filter(|_| self.heaps.is_none()))
    }

    fn push_range(&self) -> Option<vk::PushConstantRange> {
        let (stages, data) = self.push.as_ref()?;
        let size = u32::try_from(data.len()).unwrap_or(u32::MAX);
        Some(vk::PushConstantRange::default().stage_flags(*stages).size(size))
    }

    fn pipeline_layout(&mut self, sets: &[vk::DescriptorSetLayout], independent: bool) -> Result<vk::PipelineLayout> {
        let ranges: Vec<_> = self.push_range().into_iter().collect();
        let mut info = vk::PipelineLayoutCreateInfo::default().set_layouts(sets).push_constant_ranges(&ranges);
        if independent {
            info = info.flags(vk::PipelineLayoutCreateFlags::INDEPENDENT_SETS_EXT);
        }
        // SAFETY: the set layouts are null or belong to this device and are alive.
        let layout = unsafe { self.context.gpu.device.create_pipeline_layout(&info, None) };
        Ok(self.owned.layout(layout.named("vkCreatePipelineLayout")?))
    }

    /// The pipeline layout of a pipeline library, which has some of the sets. The others are null.
    pub(super) fn library_layout(&mut self, sets: &[u32]) -> Result<vk::PipelineLayout> {
        let kept = (0..).zip(&self.set_layouts).map(|(set, &layout)| match sets.contains(&set) {
            true => layout,
            false => vk::DescriptorSetLayout::null(),
        });
        let kept: Vec<_> = kept.collect();
        self.pipeline_layout(&kept, true)
    }
}
