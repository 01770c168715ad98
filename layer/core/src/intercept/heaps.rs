//! The descriptor heaps of a device (VK_EXT_descriptor_heap), and plans of stages whose descriptors
//! are there.
//!
//! In: the properties of the device, and the stages of a pipeline. Out: plans for which `mappings`
//! makes mappings. What must hold (docs/bindings.md, "Heaps of the device"): the words are those of
//! a pipeline with descriptor sets and mutable descriptors.

use std::sync::Arc;

use ash::vk;

use crate::translate::{Context, Failure, ParsedBlob, Planned};
use crate::translator::{
    Descriptor, DescriptorType, DeviceProfile, EntryId, Feature, Model, RootDescriptors, RootTables, StaticSampler,
};
use crate::vulkan::chain;
use crate::vulkan::newer::PhysicalDeviceDescriptorHeapProperties;

/// The sets of the sampler heap, the resource heap and its counters where neither a setting nor a
/// root signature gives them one. They stand for the heaps in mappings, and no set is bound.
const SETS: [u32; 3] = [29, 30, 31];

/// The descriptor heaps of a device.
pub struct Heaps {
    /// The bytes from one descriptor to the next in the resource heap and in the sampler heap.
    pub strides: [u32; 2],
    /// The profile for plans: there are no descriptor sets, and any descriptor may be anywhere.
    profile: Arc<DeviceProfile>,
    /// The device has `samplerAnisotropy` enabled.
    pub has_anisotropy: bool,
}

/// The plans of stages whose descriptors are in the device's heaps.
pub struct HeapPlans<'d> {
    /// The plans.
    pub planned: Planned,
    /// How their bindings are mapped.
    pub in_heaps: InHeaps<'d>,
}

/// The heaps of the device, and the static samplers of a pipeline.
pub struct InHeaps<'d> {
    /// The heaps.
    pub heaps: &'d Heaps,
    /// The static samplers of the root signature, with the set and the binding of the first one, if
    /// the application maps nothing.
    pub samplers: Option<(Descriptor, Vec<StaticSampler>)>,
}

impl Heaps {
    /// The heaps of a device with these properties.
    pub fn new(
        properties: &PhysicalDeviceDescriptorHeapProperties,
        profile: &DeviceProfile,
        has_anisotropy: bool,
    ) -> Option<Self> {
        let p = properties;
        let stride = |size: u64, alignment: u64| u32::try_from(size.checked_next_multiple_of(alignment.max(1))?).ok();
        let resources = stride(
            p.image_descriptor_size.max(p.buffer_descriptor_size),
            p.image_descriptor_alignment.max(p.buffer_descriptor_alignment),
        );
        let samplers = stride(p.sampler_descriptor_size, p.sampler_descriptor_alignment);
        let mut profile = profile.clone();
        profile.features.set(Feature::MutableDescriptorType, true);
        profile.limits.max_bound_descriptor_sets = u32::MAX;
        profile.limits.max_push_constants_size = u32::try_from(p.max_push_data_size).unwrap_or(u32::MAX);
        Some(Self { strides: [resources?, samplers?], profile: Arc::new(profile), has_anisotropy })
    }

    /// Plans the stages of a pipeline. `is_mapped` says whether the application chains mappings to
    /// them: then the places are those of the settings. Otherwise the layer maps all of them, so
    /// tables are offsets, and root descriptors are addresses.
    ///
    /// # Errors
    /// As for [`Context::plan`].
    pub fn plan(
        &self,
        context: &Context<'_>,
        stages: &[(&ParsedBlob, EntryId)],
        is_mapped: bool,
    ) -> Result<HeapPlans<'_>, Failure> {
        let signature = context.root_signature_of(stages);
        let mut bindings = *context.bindings;
        if !is_mapped {
            (bindings.root_tables, bindings.root_descriptors) = (RootTables::Offsets, RootDescriptors::Address);
        }
        let by_signature = match bindings.model {
            Model::Auto => context.map.is_none() && signature.is_some(),
            model => model == Model::RootSignature,
        };
        if !by_signature {
            let sets = &mut bindings.heap_sets;
            for (set, default) in [&mut sets.samplers, &mut sets.resources, &mut sets.counters].into_iter().zip(SETS) {
                set.get_or_insert(default);
            }
        }
        let context = Context { bindings: &bindings, profile: &self.profile, scope: None, ..*context };
        let planned = context.plan(stages, None)?;
        // Without tables as sets, the root set is set 0. Its static samplers follow the parameters.
        let samplers = signature.filter(|_| !is_mapped && planned.model == Model::RootSignature);
        let samplers = samplers.map(|signature| {
            let first = Descriptor::new(0, signature.parameters.len() as u32, DescriptorType::Sampler);
            (first, signature.static_samplers.clone())
        });
        Ok(HeapPlans { planned, in_heaps: InHeaps { heaps: self, samplers } })
    }
}

/// The failure for a device without descriptor heaps.
pub fn without_extension() -> Failure {
    let reason = "the pipeline or shader object uses descriptor heaps, and the device was created without the extension \
                  VK_EXT_descriptor_heap";
    Failure::unsupported(reason)
}

/// Whether a device has `samplerAnisotropy` enabled.
///
/// # Safety
/// `info` must be valid.
pub unsafe fn has_anisotropy(info: &vk::DeviceCreateInfo<'_>) -> bool {
    // SAFETY: the pointer and the chain of a valid create info.
    let (plain, chained) =
        unsafe { (info.p_enabled_features.as_ref(), chain::find::<vk::PhysicalDeviceFeatures2<'_>>(info.p_next)) };
    plain.or(chained.map(|chained| &chained.features)).is_some_and(|core| core.sampler_anisotropy == vk::TRUE)
}
