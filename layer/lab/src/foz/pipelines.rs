//! Stages, compute pipelines and ray-tracing pipelines.

use std::ffi::CStr;

use ash::vk;
use base64::Engine as _;
use serde_json::{Value, json};

use super::chain::{Around, add, array, find, lasting, libraries};
use super::hash::{JsonNode, hex, object};
use super::layouts::module_hash;
use super::unsupported::Unsupported;

/// The flags of a pipeline for the hash and for JSON: none if they are in the chain.
///
/// # Safety
/// `next` must be a valid chain.
pub unsafe fn flags(flags: vk::PipelineCreateFlags, next: *const std::ffi::c_void) -> u32 {
    // SAFETY: the caller's chain.
    match unsafe { find::<vk::PipelineCreateFlags2CreateInfoKHR<'_>>(next) } {
        Some(_) => 0,
        None => lasting(u64::from(flags.as_raw())) as u32,
    }
}

/// That a pipeline is not derived from another one. The lab makes none of that kind.
pub fn underived(node: &mut JsonNode<'_>, flags: vk::PipelineCreateFlags) -> Result<(), Unsupported> {
    if flags.contains(vk::PipelineCreateFlags::DERIVATIVE) {
        return Err(Unsupported("it is derived from another pipeline".to_owned()));
    }
    node.set("basePipelineHandle", hex(0));
    node.set("basePipelineIndex", -1);
    Ok(())
}

/// A compute pipeline.
///
/// # Safety
/// The create info must be valid.
pub unsafe fn compute(
    info: &vk::ComputePipelineCreateInfo<'_>,
    around: Around<'_>,
) -> Result<(u64, Value), Unsupported> {
    // SAFETY: a valid create info.
    object(|node: &mut JsonNode<'_>| unsafe {
        let layout = around.objects.get(info.layout)?;
        node.object("layout", layout);
        node.u32("flags", flags(info.flags, info.p_next));
        underived(node, info.flags)?;
        node.hash.u32(0);
        node.structure("stage", |node: &mut JsonNode<'_>| {
            let stage = &info.stage;
            // Fossilize has another order here than in the stages of other pipelines.
            let module = code(stage, around)?;
            node.object("module", module);
            name(node, stage)?;
            node.u32("flags", stage.flags.as_raw());
            node.u32("stage", stage.stage.as_raw());
            specialization(node, stage);
            add(node, stage.p_next, around)
        })?;
        add(node, info.p_next, around)
    })
}

/// A ray-tracing pipeline.
///
/// # Safety
/// The create info must be valid.
pub unsafe fn rays(
    info: &vk::RayTracingPipelineCreateInfoKHR<'_>,
    around: Around<'_>,
) -> Result<(u64, Value), Unsupported> {
    // SAFETY: a valid create info.
    object(|node: &mut JsonNode<'_>| unsafe {
        node.u32("flags", flags(info.flags, info.p_next));
        node.u32("maxPipelineRayRecursionDepth", info.max_pipeline_ray_recursion_depth);
        let layout = around.objects.get(info.layout)?;
        node.object("layout", layout);
        underived(node, info.flags)?;
        node.hash.u32(0);
        node.hash.u32(info.stage_count);
        stages(node, array(info.p_stages, info.stage_count), around)?;
        node.optional("libraryInterface", info.p_library_interface.as_ref(), |node, it| {
            node.u32("maxPipelineRayHitAttributeSize", it.max_pipeline_ray_hit_attribute_size);
            node.u32("maxPipelineRayPayloadSize", it.max_pipeline_ray_payload_size);
            add(node, it.p_next, around)
        })?;
        dynamic_state(node, info.p_dynamic_state)?;
        node.hash.u32(info.group_count);
        node.list("groups", array(info.p_groups, info.group_count), |node, it| {
            node.u32("type", it.ty.as_raw() as u32);
            node.u32("anyHitShader", it.any_hit_shader);
            node.u32("closestHitShader", it.closest_hit_shader);
            node.u32("generalShader", it.general_shader);
            node.u32("intersectionShader", it.intersection_shader);
            add(node, it.p_next, around)
        })?;
        node.optional("libraryInfo", info.p_library_info.as_ref(), |node, it| {
            libraries(node, it, around)?;
            add(node, it.p_next, around)
        })?;
        add(node, info.p_next, around)
    })
}

/// `pDynamicState`.
///
/// # Safety
/// The address must be null or that of a valid structure.
pub unsafe fn dynamic_state(
    node: &mut JsonNode<'_>,
    state: *const vk::PipelineDynamicStateCreateInfo<'_>,
) -> Result<(), Unsupported> {
    // SAFETY: the caller's structure, and its array and chain.
    unsafe {
        let Some(it) = state.as_ref() else {
            node.hash.u32(0);
            return Ok(());
        };
        super::chain::none("VkPipelineDynamicStateCreateInfo", it.p_next)?;
        node.hash.u32(it.dynamic_state_count);
        node.hash.u32(it.flags.as_raw());
        let states: Vec<i32> =
            array(it.p_dynamic_states, it.dynamic_state_count).iter().map(|state| state.as_raw()).collect();
        states.iter().for_each(|state| node.hash.u32(*state as u32));
        node.set("dynamicState", json!({ "flags": it.flags.as_raw(), "dynamicState": states }));
    }
    Ok(())
}

/// Stages, but for those of a compute pipeline.
///
/// # Safety
/// The stages must be valid.
pub unsafe fn stages(
    node: &mut JsonNode<'_>,
    stages: &[vk::PipelineShaderStageCreateInfo<'_>],
    around: Around<'_>,
) -> Result<(), Unsupported> {
    // SAFETY: valid stages.
    node.list("stages", stages, |node, stage| unsafe {
        node.u32("flags", stage.flags.as_raw());
        name(node, stage)?;
        node.u32("stage", stage.stage.as_raw());
        let module = code(stage, around)?;
        node.object("module", module);
        specialization(node, stage);
        add(node, stage.p_next, around)
    })
}

/// The entry point.
///
/// # Safety
/// The stage must be valid.
unsafe fn name(node: &mut JsonNode<'_>, stage: &vk::PipelineShaderStageCreateInfo<'_>) -> Result<(), Unsupported> {
    // SAFETY: a null-terminated name.
    let name = unsafe { CStr::from_ptr(stage.p_name) };
    node.hash.text(name.to_bytes());
    let Ok(name) = name.to_str() else {
        return Err(Unsupported("the name of an entry point is not UTF-8".to_owned()));
    };
    node.set("name", name);
    Ok(())
}

/// The hash of the code of a stage.
///
/// # Safety
/// The stage must be valid.
unsafe fn code(stage: &vk::PipelineShaderStageCreateInfo<'_>, around: Around<'_>) -> Result<u64, Unsupported> {
    if stage.module != vk::ShaderModule::null() {
        return around.objects.get(stage.module);
    }
    // SAFETY: the chain of a valid stage.
    match unsafe { find::<vk::ShaderModuleCreateInfo<'_>>(stage.p_next) } {
        // SAFETY: the create info is valid as well.
        Some(info) => Ok(unsafe { module_hash(info) }),
        None => Err(Unsupported("a stage has no code but an identifier".to_owned())),
    }
}

/// The specialisation constants.
///
/// # Safety
/// The stage must be valid.
unsafe fn specialization(node: &mut JsonNode<'_>, stage: &vk::PipelineShaderStageCreateInfo<'_>) {
    // SAFETY: the structure, the data and the array of a valid stage.
    unsafe {
        let Some(it) = stage.p_specialization_info.as_ref() else {
            node.hash.u32(0);
            return;
        };
        let data: &[u8] = match it.p_data.is_null() {
            true => &[],
            false => std::slice::from_raw_parts(it.p_data.cast(), it.data_size),
        };
        data.iter().for_each(|byte| node.hash.u32(u32::from(*byte)));
        node.hash.u64(it.data_size as u64);
        node.hash.u32(it.map_entry_count);
        let mut entries = Vec::new();
        for entry in array(it.p_map_entries, it.map_entry_count) {
            node.hash.u32(entry.offset);
            node.hash.u64(entry.size as u64);
            node.hash.u32(entry.constant_id);
            entries.push(json!({ "offset": entry.offset, "size": entry.size, "constantID": entry.constant_id }));
        }
        let text = base64::engine::general_purpose::STANDARD.encode(data);
        node.set("specializationInfo", json!({ "dataSize": it.data_size, "data": text, "mapEntries": entries }));
    }
}
