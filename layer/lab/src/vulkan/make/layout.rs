//! Samplers, set layouts and pipeline layouts.

use ash::vk;
use dxil_capture::model::{PipelineLayout, Sampler, SetLayout, YcbcrConversion};

use super::error::{Beyond, MakeError};
use super::limits;
use super::maker::Maker;
use dxil_vulkan::{Named as _, Objects};

impl Maker<'_> {
    /// A pipeline layout, and its set layouts.
    pub(super) fn layout(
        &self,
        objects: &mut Objects<'_>,
        layout: &PipelineLayout,
    ) -> Result<(vk::PipelineLayout, Vec<vk::DescriptorSetLayout>), MakeError> {
        self.check(layout)?;
        let mut sets = Vec::new();
        for set in &layout.sets {
            sets.push(match set {
                Some(set) => self.set_layout(objects, set)?,
                None => vk::DescriptorSetLayout::null(),
            });
        }
        let ranges: Vec<_> = layout
            .push_ranges
            .iter()
            .map(|range| vk::PushConstantRange {
                stage_flags: vk::ShaderStageFlags::from_raw(range.stages),
                offset: range.offset,
                size: range.size,
            })
            .collect();
        let mut info = vk::PipelineLayoutCreateInfo::default().set_layouts(&sets).push_constant_ranges(&ranges);
        info.flags = vk::PipelineLayoutCreateFlags::from_raw(layout.flags);
        info.p_next = self.chained(&layout.chain)?;
        // SAFETY: a create info of live objects.
        let made = unsafe { self.lab.gpu.device.create_pipeline_layout(&info, None) };
        let made = made.named("vkCreatePipelineLayout")?;
        Ok((objects.layout(made), sets))
    }

    /// Drivers need not survive a layout that is beyond their limits.
    fn check(&self, layout: &PipelineLayout) -> Result<(), MakeError> {
        let device = &self.lab.gpu.instance.properties.limits;
        let (sets, most) = (layout.sets.len(), device.max_bound_descriptor_sets);
        if sets > most as usize {
            return Err(Beyond::Sets { found: sets, most }.into());
        }
        let end = layout.push_ranges.iter().map(|range| range.offset.saturating_add(range.size)).max().unwrap_or(0);
        let most = device.max_push_constants_size;
        if end > most {
            return Err(Beyond::PushConstants { found: end, most }.into());
        }
        limits::check(layout, device)?;
        let types = layout.sets.iter().flatten().flat_map(|set| &set.bindings).map(|binding| binding.ty);
        for ty in types.map(vk::DescriptorType::from_raw) {
            let (needs, has) = match ty {
                vk::DescriptorType::MUTABLE_EXT => ("VK_EXT_mutable_descriptor_type", self.lab.has_mutable_types),
                vk::DescriptorType::ACCELERATION_STRUCTURE_KHR => {
                    ("VK_KHR_acceleration_structure", self.lab.has_acceleration_structures)
                }
                _ => continue,
            };
            if !has {
                return Err(Beyond::Descriptor { ty, needs }.into());
            }
        }
        Ok(())
    }

    fn set_layout(&self, objects: &mut Objects<'_>, set: &SetLayout) -> Result<vk::DescriptorSetLayout, MakeError> {
        let mut bindings = Vec::new();
        for binding in &set.bindings {
            let mut samplers = Vec::new();
            for sampler in &binding.samplers {
                samplers.push(self.sampler(objects, sampler)?);
            }
            bindings.push(vk::DescriptorSetLayoutBinding {
                binding: binding.binding,
                descriptor_type: vk::DescriptorType::from_raw(binding.ty),
                descriptor_count: binding.count,
                stage_flags: vk::ShaderStageFlags::from_raw(binding.stages),
                p_immutable_samplers: self.arena.all(samplers),
                ..Default::default()
            });
        }
        let mut next = self.chained(&set.chain)?;
        if set.bindings.iter().any(|binding| binding.flags != 0) {
            let flags: Vec<_> = set.bindings.iter().map(|b| vk::DescriptorBindingFlags::from_raw(b.flags)).collect();
            let flags = vk::DescriptorSetLayoutBindingFlagsCreateInfo {
                binding_count: flags.len() as u32,
                p_binding_flags: self.arena.all(flags),
                p_next: next,
                ..Default::default()
            };
            next = self.arena.one(flags).cast();
        }
        if set.bindings.iter().any(|binding| !binding.mutable_types.is_empty()) {
            let lists = set.bindings.iter().map(|binding| {
                let types: Vec<_> = binding.mutable_types.iter().map(|ty| vk::DescriptorType::from_raw(*ty)).collect();
                vk::MutableDescriptorTypeListEXT {
                    descriptor_type_count: types.len() as u32,
                    p_descriptor_types: self.arena.all(types),
                    ..Default::default()
                }
            });
            let lists: Vec<_> = lists.collect();
            let mutable = vk::MutableDescriptorTypeCreateInfoEXT {
                mutable_descriptor_type_list_count: lists.len() as u32,
                p_mutable_descriptor_type_lists: self.arena.all(lists),
                p_next: next,
                ..Default::default()
            };
            next = self.arena.one(mutable).cast();
        }
        let mut info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
        info.flags = vk::DescriptorSetLayoutCreateFlags::from_raw(set.flags);
        info.p_next = next;
        // SAFETY: a create info of live objects.
        let made = unsafe { self.lab.gpu.device.create_descriptor_set_layout(&info, None) };
        let made = made.named("vkCreateDescriptorSetLayout")?;
        Ok(objects.set_layout(made))
    }

    fn sampler(&self, objects: &mut Objects<'_>, sampler: &Sampler) -> Result<vk::Sampler, MakeError> {
        let mut next = std::ptr::null();
        if let Some(conversion) = &sampler.conversion {
            let conversion = self.conversion(objects, conversion)?;
            next = self.arena.one(vk::SamplerYcbcrConversionInfo { conversion, ..Default::default() }).cast();
        }
        let mode = |index: usize| vk::SamplerAddressMode::from_raw(sampler.address_modes[index]);
        let info = vk::SamplerCreateInfo {
            flags: vk::SamplerCreateFlags::from_raw(sampler.flags),
            mag_filter: vk::Filter::from_raw(sampler.mag_filter),
            min_filter: vk::Filter::from_raw(sampler.min_filter),
            mipmap_mode: vk::SamplerMipmapMode::from_raw(sampler.mipmap_mode),
            address_mode_u: mode(0),
            address_mode_v: mode(1),
            address_mode_w: mode(2),
            mip_lod_bias: sampler.mip_lod_bias.into(),
            anisotropy_enable: sampler.max_anisotropy.is_some().into(),
            max_anisotropy: sampler.max_anisotropy.unwrap_or(1.0.into()).into(),
            compare_enable: sampler.compare_op.is_some().into(),
            compare_op: vk::CompareOp::from_raw(sampler.compare_op.unwrap_or_default()),
            min_lod: sampler.min_lod.into(),
            max_lod: sampler.max_lod.into(),
            border_color: vk::BorderColor::from_raw(sampler.border_color),
            unnormalized_coordinates: sampler.unnormalized_coordinates.into(),
            p_next: self.before(&sampler.chain, next)?,
            ..Default::default()
        };
        // SAFETY: a create info of live objects.
        let made = unsafe { self.lab.gpu.device.create_sampler(&info, None) };
        Ok(objects.sampler(made.named("vkCreateSampler")?))
    }

    fn conversion(
        &self,
        objects: &mut Objects<'_>,
        conversion: &YcbcrConversion,
    ) -> Result<vk::SamplerYcbcrConversion, MakeError> {
        let [r, g, b, a] = conversion.components.map(vk::ComponentSwizzle::from_raw);
        let info = vk::SamplerYcbcrConversionCreateInfo {
            format: vk::Format::from_raw(conversion.format),
            ycbcr_model: vk::SamplerYcbcrModelConversion::from_raw(conversion.model),
            ycbcr_range: vk::SamplerYcbcrRange::from_raw(conversion.range),
            components: vk::ComponentMapping { r, g, b, a },
            x_chroma_offset: vk::ChromaLocation::from_raw(conversion.chroma_offsets[0]),
            y_chroma_offset: vk::ChromaLocation::from_raw(conversion.chroma_offsets[1]),
            chroma_filter: vk::Filter::from_raw(conversion.chroma_filter),
            force_explicit_reconstruction: conversion.force_explicit_reconstruction.into(),
            p_next: self.chained(&conversion.chain)?,
            ..Default::default()
        };
        // SAFETY: a valid create info.
        let made = unsafe { self.lab.gpu.device.create_sampler_ycbcr_conversion(&info, None) };
        Ok(objects.conversion(made.named("vkCreateSamplerYcbcrConversion")?))
    }
}
