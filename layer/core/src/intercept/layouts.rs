//! Descriptor set layouts and pipeline layouts, stored as plain data.
//!
//! In: the application's create infos. Out: [`PipelineLayout`]s for binding plans. What must hold:
//! a pipeline layout has its own copy of its set layouts, because they may be destroyed before it
//! (specification, "Pipeline Layouts").

use std::sync::Arc;

use ash::vk;

use crate::intercept::guard::guard;
use crate::intercept::objects::Device;
use crate::intercept::tracked::{creation, destruction};
use crate::translator::{DescriptorType, LayoutBinding, PipelineLayout, PushRange};
use crate::vulkan::arrays::slice;
use crate::vulkan::chain;

/// The bindings of a set layout, sorted by number.
///
/// # Safety
/// `info` must be valid.
unsafe fn set_layout(info: &vk::DescriptorSetLayoutCreateInfo<'_>) -> Vec<LayoutBinding> {
    // SAFETY: the chain of a valid create info.
    let mutable = unsafe { chain::find::<vk::MutableDescriptorTypeCreateInfoEXT<'_>>(info.p_next) };
    let lists = mutable.map_or(&[][..], |m| {
        // SAFETY: the array of a valid structure.
        unsafe { slice(m.p_mutable_descriptor_type_lists, m.mutable_descriptor_type_list_count) }
    });
    // SAFETY: the array of a valid create info.
    let bindings = unsafe { slice(info.p_bindings, info.binding_count) };
    let mut out: Vec<LayoutBinding> = bindings
        .iter()
        .enumerate()
        .map(|(i, b)| {
            let ty = DescriptorType::from_vulkan(b.descriptor_type.as_raw());
            let mut binding = LayoutBinding::new(b.binding, ty, b.descriptor_count, b.stage_flags.as_raw());
            // For other types Vulkan ignores the pointer, which may be invalid.
            binding.immutable_samplers = matches!(ty, DescriptorType::Sampler | DescriptorType::CombinedImageSampler)
                && !b.p_immutable_samplers.is_null();
            if let Some(list) = lists.get(i).filter(|_| ty == DescriptorType::Mutable) {
                // SAFETY: the array of a valid list.
                let types = unsafe { slice(list.p_descriptor_types, list.descriptor_type_count) };
                binding.mutable_types = types.iter().map(|ty| DescriptorType::from_vulkan(ty.as_raw())).collect();
            }
            binding
        })
        .collect();
    out.sort_by_key(|b| b.binding);
    out
}

/// A pipeline layout with set layouts of this device.
///
/// # Safety
/// `info` must be valid.
unsafe fn pipeline_layout(device: &Device, info: &vk::PipelineLayoutCreateInfo<'_>) -> PipelineLayout {
    // SAFETY: the array of a valid create info.
    let sets = unsafe { slice(info.p_set_layouts, info.set_layout_count) };
    // SAFETY: the array of a valid create info.
    let ranges = unsafe { slice(info.p_push_constant_ranges, info.push_constant_range_count) };
    layout_of(device, sets, ranges)
}

/// The layout of these sets and push-constant ranges.
pub fn layout_of(
    device: &Device,
    sets: &[vk::DescriptorSetLayout],
    ranges: &[vk::PushConstantRange],
) -> PipelineLayout {
    // A null set layout is a set that another pipeline library defines (INDEPENDENT_SETS).
    let sets = sets.iter().map(|set| device.set_layouts.get(*set).map(|bindings| bindings.to_vec()));
    let ranges = ranges.iter().map(|range| PushRange::new(range.stage_flags.as_raw(), range.offset, range.size));
    PipelineLayout::new(sets.collect(), ranges.collect())
}

creation!(create_set_layout(DescriptorSetLayoutCreateInfo) -> DescriptorSetLayout: "vkCreateDescriptorSetLayout",
|device| {
    device.instance.messages.flush();
    device.table.create_set_layout
},
|info, handle| {
    // SAFETY: a valid create info.
    device.set_layouts.add(handle, Arc::new(unsafe { set_layout(info) }));
    if let Some(capture) = &device.capture {
        // SAFETY: a valid create info.
        capture.layouts.sets.add(handle, Arc::new(unsafe { capture.layouts.set(info) }));
    }
});
destruction!(destroy_set_layout(DescriptorSetLayout): "vkDestroyDescriptorSetLayout",
|device| device.table.destroy_set_layout,
|layout| {
    device.set_layouts.remove(layout);
    if let Some(capture) = &device.capture {
        capture.layouts.sets.remove(layout);
    }
});
creation!(create_pipeline_layout(PipelineLayoutCreateInfo) -> PipelineLayout: "vkCreatePipelineLayout",
|device| device.table.create_pipeline_layout,
|info, handle| {
    // SAFETY: a valid create info.
    device.pipeline_layouts.add(handle, Arc::new(unsafe { pipeline_layout(&device, info) }));
    if let Some(capture) = &device.capture {
        // SAFETY: a valid create info.
        capture.layouts.pipelines.add(handle, Arc::new(unsafe { capture.layouts.pipeline(info) }));
    }
});
destruction!(destroy_pipeline_layout(PipelineLayout): "vkDestroyPipelineLayout",
|device| device.table.destroy_pipeline_layout,
|layout| {
    device.pipeline_layouts.remove(layout);
    if let Some(capture) = &device.capture {
        capture.layouts.pipelines.remove(layout);
    }
});
