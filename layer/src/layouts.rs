//! Descriptor set layouts and pipeline layouts, kept as plain data.
//!
//! In: the application's create infos. Out: [`PipelineLayout`]s that plans are made against. What must hold: a pipeline layout
//! has its own copy, because its set layouts may be destroyed before it (specification, "Pipeline Layouts").

use std::sync::Arc;

use ash::vk;

use crate::device::Device;
use crate::pnext;
use crate::translate::{LayoutBinding, PipelineLayout, PushRange};

/// The bindings of a set layout, sorted by number.
///
/// # Safety
/// `info` must be valid.
pub unsafe fn set_layout(info: &vk::DescriptorSetLayoutCreateInfo<'_>) -> Vec<LayoutBinding> {
    // SAFETY: the arrays of a valid create info.
    let (bindings, lists) = unsafe {
        let mutable = pnext::find::<vk::MutableDescriptorTypeCreateInfoEXT<'_>>(info.p_next);
        let lists =
            mutable.map_or(&[][..], |m| slice(m.p_mutable_descriptor_type_lists, m.mutable_descriptor_type_list_count));
        (slice(info.p_bindings, info.binding_count), lists)
    };
    let mut out: Vec<LayoutBinding> = bindings
        .iter()
        .enumerate()
        .map(|(i, b)| LayoutBinding {
            binding: b.binding,
            ty: b.descriptor_type.as_raw(),
            count: b.descriptor_count,
            stages: b.stage_flags.as_raw(),
            // For other types the pointer is ignored, and may be anything.
            immutable_samplers: matches!(
                b.descriptor_type,
                vk::DescriptorType::SAMPLER | vk::DescriptorType::COMBINED_IMAGE_SAMPLER
            ) && !b.p_immutable_samplers.is_null(),
            mutable_types: match lists.get(i) {
                // SAFETY: the array of a valid list.
                Some(list) if b.descriptor_type == vk::DescriptorType::MUTABLE_EXT => unsafe {
                    slice(list.p_descriptor_types, list.descriptor_type_count).iter().map(|t| t.as_raw()).collect()
                },
                _ => Vec::new(),
            },
        })
        .collect();
    out.sort_by_key(|b| b.binding);
    out
}

/// A pipeline layout of set layouts that this device made.
///
/// # Safety
/// `info` must be valid.
pub unsafe fn pipeline_layout(device: &Device, info: &vk::PipelineLayoutCreateInfo<'_>) -> PipelineLayout {
    // SAFETY: the arrays of a valid create info.
    let (sets, ranges) = unsafe {
        (
            slice(info.p_set_layouts, info.set_layout_count),
            slice(info.p_push_constant_ranges, info.push_constant_range_count),
        )
    };
    PipelineLayout {
        // A null set layout is a set left open: a pipeline library has the others (INDEPENDENT_SETS).
        sets: sets.iter().map(|set| device.set_layouts.get(*set).map(|bindings| bindings.to_vec())).collect(),
        push_ranges: ranges
            .iter()
            .map(|r| PushRange { stages: r.stage_flags.as_raw(), offset: r.offset, size: r.size })
            .collect(),
    }
}

/// The elements of a create info's array.
///
/// # Safety
/// `pointer` must be null or point to `count` elements that outlive the result.
pub unsafe fn slice<'a, T>(pointer: *const T, count: u32) -> &'a [T] {
    if pointer.is_null() {
        &[]
    } else {
        // SAFETY: the caller's array.
        unsafe { std::slice::from_raw_parts(pointer, count as usize) }
    }
}

/// `vkCreateDescriptorSetLayout`.
pub unsafe extern "system" fn create_set_layout(
    device: vk::Device,
    info: *const vk::DescriptorSetLayoutCreateInfo<'_>,
    allocator: *const vk::AllocationCallbacks<'_>,
    out: *mut vk::DescriptorSetLayout,
) -> vk::Result {
    crate::guard(vk::Result::ERROR_UNKNOWN, || {
        // SAFETY: a live device and valid arguments, by the command's valid usage.
        unsafe {
            let Some(device) = Device::of(device) else { return vk::Result::ERROR_INITIALIZATION_FAILED };
            let Some(create) = device.table.create_set_layout else { return vk::Result::ERROR_INITIALIZATION_FAILED };
            let result = create(device.handle, info, allocator, out);
            if result == vk::Result::SUCCESS {
                device.set_layouts.add(*out, Arc::new(set_layout(&*info)));
            }
            result
        }
    })
}

/// `vkDestroyDescriptorSetLayout`.
pub unsafe extern "system" fn destroy_set_layout(
    device: vk::Device,
    layout: vk::DescriptorSetLayout,
    allocator: *const vk::AllocationCallbacks<'_>,
) {
    // SAFETY: a live device and valid arguments, by the command's valid usage.
    let Some(device) = (unsafe { Device::of(device) }) else { return };
    crate::guard((), || device.set_layouts.remove(layout));
    if let Some(destroy) = device.table.destroy_set_layout {
        // SAFETY: the application's own arguments.
        unsafe { destroy(device.handle, layout, allocator) };
    }
}

/// `vkCreatePipelineLayout`.
pub unsafe extern "system" fn create_pipeline_layout(
    device: vk::Device,
    info: *const vk::PipelineLayoutCreateInfo<'_>,
    allocator: *const vk::AllocationCallbacks<'_>,
    out: *mut vk::PipelineLayout,
) -> vk::Result {
    crate::guard(vk::Result::ERROR_UNKNOWN, || {
        // SAFETY: a live device and valid arguments, by the command's valid usage.
        unsafe {
            let Some(device) = Device::of(device) else { return vk::Result::ERROR_INITIALIZATION_FAILED };
            let Some(create) = device.table.create_pipeline_layout else {
                return vk::Result::ERROR_INITIALIZATION_FAILED;
            };
            let result = create(device.handle, info, allocator, out);
            if result == vk::Result::SUCCESS {
                device.pipeline_layouts.add(*out, Arc::new(pipeline_layout(&device, &*info)));
            }
            result
        }
    })
}

/// `vkDestroyPipelineLayout`.
pub unsafe extern "system" fn destroy_pipeline_layout(
    device: vk::Device,
    layout: vk::PipelineLayout,
    allocator: *const vk::AllocationCallbacks<'_>,
) {
    // SAFETY: a live device and valid arguments, by the command's valid usage.
    let Some(device) = (unsafe { Device::of(device) }) else { return };
    crate::guard((), || device.pipeline_layouts.remove(layout));
    if let Some(destroy) = device.table.destroy_pipeline_layout {
        // SAFETY: the application's own arguments.
        unsafe { destroy(device.handle, layout, allocator) };
    }
}
