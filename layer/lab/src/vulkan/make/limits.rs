//! The limits of a device on the descriptors of a pipeline layout.
//!
//! In: a layout and the device's limits. Out: the first limit that the layout exceeds. What must
//! hold: a layout that passes breaks none of the rules
//! VUID-VkPipelineLayoutCreateInfo-descriptorType-03016 to 03035 and
//! VUID-VkPipelineLayoutCreateInfo-descriptorType-06939; no driver is blamed for what it need not
//! accept.

use ash::vk;
use dxil_capture::model::{Binding, PipelineLayout};

use super::error::Beyond;

/// A kind of descriptors: its name, its types, and its limits for a stage and for all stages.
type Kind = (&'static str, &'static [vk::DescriptorType], fn(&vk::PhysicalDeviceLimits) -> [u32; 2]);

const KINDS: [Kind; 8] = {
    use vk::DescriptorType as T;
    const ANY: u32 = u32::MAX;
    [
        ("samplers", &[T::SAMPLER, T::COMBINED_IMAGE_SAMPLER], |it| {
            [it.max_per_stage_descriptor_samplers, it.max_descriptor_set_samplers]
        }),
        ("uniform buffers", &[T::UNIFORM_BUFFER, T::UNIFORM_BUFFER_DYNAMIC], |it| {
            [it.max_per_stage_descriptor_uniform_buffers, it.max_descriptor_set_uniform_buffers]
        }),
        ("dynamic uniform buffers", &[T::UNIFORM_BUFFER_DYNAMIC], |it| {
            [ANY, it.max_descriptor_set_uniform_buffers_dynamic]
        }),
        ("storage buffers", &[T::STORAGE_BUFFER, T::STORAGE_BUFFER_DYNAMIC], |it| {
            [it.max_per_stage_descriptor_storage_buffers, it.max_descriptor_set_storage_buffers]
        }),
        ("dynamic storage buffers", &[T::STORAGE_BUFFER_DYNAMIC], |it| {
            [ANY, it.max_descriptor_set_storage_buffers_dynamic]
        }),
        ("sampled images", &[T::SAMPLED_IMAGE, T::COMBINED_IMAGE_SAMPLER, T::UNIFORM_TEXEL_BUFFER], |it| {
            [it.max_per_stage_descriptor_sampled_images, it.max_descriptor_set_sampled_images]
        }),
        ("storage images", &[T::STORAGE_IMAGE, T::STORAGE_TEXEL_BUFFER], |it| {
            [it.max_per_stage_descriptor_storage_images, it.max_descriptor_set_storage_images]
        }),
        ("input attachments", &[T::INPUT_ATTACHMENT], |it| {
            [it.max_per_stage_descriptor_input_attachments, it.max_descriptor_set_input_attachments]
        }),
    ]
};

/// Checks the numbers of descriptors.
///
/// # Errors
/// The limit that the layout exceeds.
pub fn check(layout: &PipelineLayout, limits: &vk::PhysicalDeviceLimits) -> Result<(), Beyond> {
    // Other limits hold for sets whose descriptors may change while they are bound.
    let later = vk::DescriptorSetLayoutCreateFlags::UPDATE_AFTER_BIND_POOL.as_raw();
    let sets = layout.sets.iter().flatten().filter(|set| set.flags & later == 0);
    let bindings: Vec<&Binding> = sets.flat_map(|set| &set.bindings).collect();
    for (what, types, limits_of) in KINDS {
        let [of_stage, of_all] = limits_of(limits);
        let is_one = |ty: i32| types.contains(&vk::DescriptorType::from_raw(ty));
        // A mutable descriptor counts as each of its types.
        let all = bindings.iter().filter(|it| is_one(it.ty) || it.mutable_types.iter().any(|ty| is_one(*ty)));
        let all: Vec<_> = all.collect();
        let count = |stages: u32| {
            let seen = all.iter().filter(|it| it.stages & stages != 0);
            seen.fold(0_u32, |sum, it| sum.saturating_add(it.count))
        };
        let stages = all.iter().fold(0, |stages, it| stages | it.stages);
        let most_in_stage = (0..32).map(|bit| stages & 1 << bit).map(count).max().unwrap_or(0);
        for (found, most, place) in [(most_in_stage, of_stage, "a stage"), (count(u32::MAX), of_all, "all stages")] {
            if found > most {
                return Err(Beyond::Descriptors { found, what, place, most });
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use dxil_capture::model::SetLayout;

    use super::*;

    #[test]
    fn descriptors_count_for_each_stage_and_for_all() {
        let binding =
            |ty: vk::DescriptorType, count, stages| Binding { ty: ty.as_raw(), count, stages, ..Default::default() };
        let layout = |bindings| PipelineLayout {
            sets: vec![None, Some(SetLayout { bindings, ..SetLayout::default() })],
            ..PipelineLayout::default()
        };
        let limits = vk::PhysicalDeviceLimits {
            max_per_stage_descriptor_storage_buffers: 4,
            max_descriptor_set_storage_buffers: 6,
            max_descriptor_set_storage_buffers_dynamic: 1,
            max_per_stage_descriptor_storage_images: 1,
            max_descriptor_set_storage_images: 100,
            ..Default::default()
        };
        use vk::DescriptorType as T;
        let (buffer, dynamic) = (T::STORAGE_BUFFER, T::STORAGE_BUFFER_DYNAMIC);
        assert!(
            check(&layout(vec![binding(buffer, 3, 1), binding(dynamic, 1, 1), binding(buffer, 2, 2)]), &limits).is_ok()
        );
        let said = |bindings| check(&layout(bindings), &limits).unwrap_err().to_string();
        let text = said(vec![binding(buffer, 4, 3), binding(dynamic, 1, 1)]);
        assert!(text.contains("5 storage buffers in a stage, and the device 4"), "{text}");
        let text = said(vec![binding(buffer, 4, 1), binding(buffer, 4, 2)]);
        assert!(text.contains("8 storage buffers in all stages, and the device 6"), "{text}");
        let text = said(vec![binding(buffer, u32::MAX, 1), binding(buffer, 4, 1)]);
        assert!(text.contains("4294967295 storage buffers"), "{text}");
        let mutable =
            Binding { mutable_types: vec![T::STORAGE_TEXEL_BUFFER.as_raw()], ..binding(T::MUTABLE_EXT, 2, 1) };
        let text = said(vec![mutable]);
        assert!(text.contains("2 storage images in a stage, and the device 1"), "{text}");
    }
}
