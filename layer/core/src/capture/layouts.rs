//! Pipeline layouts, with the set layouts, samplers and conversions that they refer to.

use ash::vk;
use ash::vk::TaggedStructure;
use dxil_capture::model::{Binding, PipelineLayout, PushRange, Sampler, SetLayout, YcbcrConversion};

use crate::capture::chains::{chain, lost};
use crate::vulkan::arrays::slice;
use crate::vulkan::chain as chains;
use crate::vulkan::handles::Handles;

/// The objects that layouts refer to.
#[derive(Default)]
pub struct Layouts {
    /// Conversions.
    pub conversions: Handles<YcbcrConversion>,
    /// Samplers.
    pub samplers: Handles<Sampler>,
    /// Descriptor set layouts.
    pub sets: Handles<SetLayout>,
    /// Pipeline layouts.
    pub pipelines: Handles<PipelineLayout>,
}

/// A conversion.
///
/// # Safety
/// `info` must be valid.
pub unsafe fn conversion(info: &vk::SamplerYcbcrConversionCreateInfo<'_>) -> YcbcrConversion {
    let components = [info.components.r, info.components.g, info.components.b, info.components.a];
    YcbcrConversion {
        format: info.format.as_raw(),
        model: info.ycbcr_model.as_raw(),
        range: info.ycbcr_range.as_raw(),
        components: components.map(|component| component.as_raw()),
        chroma_offsets: [info.x_chroma_offset.as_raw(), info.y_chroma_offset.as_raw()],
        chroma_filter: info.chroma_filter.as_raw(),
        force_explicit_reconstruction: info.force_explicit_reconstruction != vk::FALSE,
        // SAFETY: the chain of a valid create info.
        chain: unsafe { chain(info.p_next, &[]) },
    }
}

impl Layouts {
    /// A sampler.
    ///
    /// # Safety
    /// `info` must be valid.
    pub unsafe fn sampler(&self, info: &vk::SamplerCreateInfo<'_>) -> Sampler {
        // SAFETY: the chain of a valid create info.
        let conversion = unsafe { chains::find::<vk::SamplerYcbcrConversionInfo<'_>>(info.p_next) };
        let conversion = conversion.map(|info| match self.conversions.get(info.conversion) {
            Some(conversion) => (*conversion).clone(),
            None => YcbcrConversion {
                chain: lost(vk::SamplerYcbcrConversionCreateInfo::STRUCTURE_TYPE),
                ..Default::default()
            },
        });
        let enabled = |enable: vk::Bool32| enable != vk::FALSE;
        Sampler {
            flags: info.flags.as_raw(),
            mag_filter: info.mag_filter.as_raw(),
            min_filter: info.min_filter.as_raw(),
            mipmap_mode: info.mipmap_mode.as_raw(),
            address_modes: [info.address_mode_u, info.address_mode_v, info.address_mode_w].map(|mode| mode.as_raw()),
            mip_lod_bias: info.mip_lod_bias.into(),
            max_anisotropy: enabled(info.anisotropy_enable).then(|| info.max_anisotropy.into()),
            compare_op: enabled(info.compare_enable).then_some(info.compare_op.as_raw()),
            min_lod: info.min_lod.into(),
            max_lod: info.max_lod.into(),
            border_color: info.border_color.as_raw(),
            unnormalized_coordinates: enabled(info.unnormalized_coordinates),
            conversion,
            // SAFETY: the chain of a valid create info.
            chain: unsafe { chain(info.p_next, &[vk::SamplerYcbcrConversionInfo::STRUCTURE_TYPE]) },
        }
    }

    /// A descriptor set layout.
    ///
    /// # Safety
    /// `info` must be valid.
    pub unsafe fn set(&self, info: &vk::DescriptorSetLayoutCreateInfo<'_>) -> SetLayout {
        type Flags = vk::DescriptorSetLayoutBindingFlagsCreateInfo<'static>;
        type Mutable = vk::MutableDescriptorTypeCreateInfoEXT<'static>;
        // SAFETY: the chain of a valid create info, and the arrays of its structures.
        let (flags, lists, bindings) = unsafe {
            let flags = chains::find::<Flags>(info.p_next);
            let lists = chains::find::<Mutable>(info.p_next);
            (
                flags.map_or(&[][..], |flags| slice(flags.p_binding_flags, flags.binding_count)),
                lists.map_or(&[][..], |m| {
                    slice(m.p_mutable_descriptor_type_lists, m.mutable_descriptor_type_list_count)
                }),
                slice(info.p_bindings, info.binding_count),
            )
        };
        let mutable_types = |index: usize| {
            // SAFETY: the array of a valid list.
            lists
                .get(index)
                .map_or(&[][..], |list| unsafe { slice(list.p_descriptor_types, list.descriptor_type_count) })
        };
        let mut bindings: Vec<Binding> = bindings
            .iter()
            .enumerate()
            .map(|(index, binding)| {
                let is_mutable = binding.descriptor_type == vk::DescriptorType::MUTABLE_EXT;
                let types = if is_mutable { mutable_types(index) } else { &[] };
                Binding {
                    binding: binding.binding,
                    ty: binding.descriptor_type.as_raw(),
                    count: binding.descriptor_count,
                    stages: binding.stage_flags.as_raw(),
                    flags: flags.get(index).map_or(0, |flags| flags.as_raw()),
                    // SAFETY: a valid binding.
                    samplers: unsafe { self.immutable_samplers(binding) },
                    mutable_types: types.iter().map(|ty| ty.as_raw()).collect(),
                }
            })
            .collect();
        bindings.sort_by_key(|binding| binding.binding);
        let elsewhere = [Flags::STRUCTURE_TYPE, Mutable::STRUCTURE_TYPE];
        // SAFETY: the chain of a valid create info.
        SetLayout { flags: info.flags.as_raw(), bindings, chain: unsafe { chain(info.p_next, &elsewhere) } }
    }

    /// The immutable samplers of a binding. Vulkan ignores the pointer for other descriptor types
    /// and for bindings without descriptors.
    ///
    /// # Safety
    /// The binding must be valid.
    unsafe fn immutable_samplers(&self, binding: &vk::DescriptorSetLayoutBinding<'_>) -> Vec<Sampler> {
        use vk::DescriptorType as T;
        if !matches!(binding.descriptor_type, T::SAMPLER | T::COMBINED_IMAGE_SAMPLER) {
            return Vec::new();
        }
        // SAFETY: null or an array of as many samplers as the binding has descriptors.
        let samplers = unsafe { slice(binding.p_immutable_samplers, binding.descriptor_count) };
        let unknown = || Sampler { chain: lost(vk::SamplerCreateInfo::STRUCTURE_TYPE), ..Sampler::default() };
        samplers.iter().map(|&s| self.samplers.get(s).map_or_else(unknown, |sampler| (*sampler).clone())).collect()
    }

    /// The layout with these sets and push-constant ranges, without flags and chain.
    pub fn with_sets(&self, sets: &[vk::DescriptorSetLayout], ranges: &[vk::PushConstantRange]) -> PipelineLayout {
        let unknown =
            || SetLayout { chain: lost(vk::DescriptorSetLayoutCreateInfo::STRUCTURE_TYPE), ..Default::default() };
        let set = |&set: &vk::DescriptorSetLayout| {
            let known = || self.sets.get(set).map_or_else(unknown, |layout| (*layout).clone());
            (set != vk::DescriptorSetLayout::null()).then(known)
        };
        let range =
            |r: &vk::PushConstantRange| PushRange { stages: r.stage_flags.as_raw(), offset: r.offset, size: r.size };
        PipelineLayout {
            sets: sets.iter().map(set).collect(),
            push_ranges: ranges.iter().map(range).collect(),
            ..PipelineLayout::default()
        }
    }

    /// A pipeline layout.
    ///
    /// # Safety
    /// `info` must be valid.
    pub unsafe fn pipeline(&self, info: &vk::PipelineLayoutCreateInfo<'_>) -> PipelineLayout {
        // SAFETY: the arrays and the chain of a valid create info.
        let (sets, ranges, chain) = unsafe {
            (
                slice(info.p_set_layouts, info.set_layout_count),
                slice(info.p_push_constant_ranges, info.push_constant_range_count),
                chain(info.p_next, &[]),
            )
        };
        PipelineLayout { flags: info.flags.as_raw(), chain, ..self.with_sets(sets, ranges) }
    }

    /// The layout with this handle; `None` for a null handle.
    pub fn named(&self, layout: vk::PipelineLayout) -> Option<PipelineLayout> {
        if layout == vk::PipelineLayout::null() {
            return None;
        }
        let unknown =
            || PipelineLayout { chain: lost(vk::PipelineLayoutCreateInfo::STRUCTURE_TYPE), ..Default::default() };
        Some(self.pipelines.get(layout).map_or_else(unknown, |layout| (*layout).clone()))
    }
}
