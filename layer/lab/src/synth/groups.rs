//! The shader groups of ray-tracing pipelines.

use dxil_capture::model::{Group, Interface, Pipeline};
use dxil_translator::ir::declarations::StageProperties;
use dxil_translator::{HitGroupType, ShaderStage};
use rspirv::spirv::Op;

use super::containers::{Containers, StageId};
use crate::words::has_instruction;

/// `VkRayTracingShaderGroupTypeKHR`.
const GENERAL: i32 = 0;
const TRIANGLES: i32 = 1;
const PROCEDURAL: i32 = 2;

/// `VK_PIPELINE_CREATE_LIBRARY_BIT_KHR`.
const LIBRARY: u64 = 0x800;

const NONE: Group = Group { ty: GENERAL, general: None, closest_hit: None, any_hit: None, intersection: None };

/// Gives a pipeline its groups: those that its libraries declare, and one for each shader that is
/// in none of these. `words` is the translation of each stage.
pub fn add(
    containers: &Containers,
    (stages, words): (&[StageId], &[Vec<u32>]),
    pipeline: &mut Pipeline,
    chosen: &mut Vec<String>,
) {
    let mut libraries: Vec<usize> = stages.iter().map(|id| id.0).collect();
    libraries.dedup();
    let shader_of = |library: usize| stages.iter().find(|id| id.0 == library).map(|id| &containers.get(*id).0.shader);
    let subobjects = || libraries.iter().filter_map(|it| shader_of(*it)).map(|shader| shader.subobjects());
    let index_of = |name: &str| {
        let is_it = |id: &StageId| {
            let entry = containers.get(*id).1;
            *entry.name == *name || *entry.plain_name == *name
        };
        stages.iter().position(is_it).map(|index| index as u32)
    };
    let mut grouped: Vec<u32> = Vec::new();
    for (_, hit) in subobjects().flat_map(|it| it.hit_groups()) {
        let shader = |name: &Option<std::sync::Arc<str>>| name.as_deref().and_then(index_of);
        let (any_hit, closest_hit) = (shader(&hit.any_hit), shader(&hit.closest_hit));
        let intersection = shader(&hit.intersection);
        let procedural = matches!(hit.geometry, HitGroupType::ProceduralPrimitive);
        if procedural && intersection.is_none() {
            // A group of procedural primitives must have an intersection shader
            // (VUID-VkRayTracingShaderGroupCreateInfoKHR-type-03475).
            continue;
        }
        grouped.extend([any_hit, closest_hit, intersection].into_iter().flatten());
        let ty = if procedural { PROCEDURAL } else { TRIANGLES };
        let intersection = intersection.filter(|_| procedural);
        pipeline.groups.push(Group { ty, closest_hit, any_hit, intersection, ..NONE });
    }
    for (index, id) in (0..).zip(stages) {
        if grouped.contains(&index) {
            continue;
        }
        let shader = Some(index);
        pipeline.groups.push(match containers.get(*id).1.stage {
            ShaderStage::ClosestHit => Group { ty: TRIANGLES, closest_hit: shader, ..NONE },
            ShaderStage::AnyHit => Group { ty: TRIANGLES, any_hit: shader, ..NONE },
            ShaderStage::Intersection => Group { ty: PROCEDURAL, intersection: shader, ..NONE },
            _ => Group { general: shader, ..NONE },
        });
    }
    let config = subobjects().find_map(|it| it.pipeline_config());
    // Only ray generation shaders trace where the depth is 1; 31 is the largest of D3D.
    let is_deep = words.iter().zip(stages).any(|(words, id)| {
        containers.get(*id).1.stage != ShaderStage::RayGeneration && has_instruction(words, Op::TraceRayKHR)
    });
    let recursion = config.map_or(if is_deep { 31 } else { 1 }, |config| config.recursion);
    if config.is_none() {
        chosen.push(format!("a recursion depth of {recursion}"));
    }
    if !stages.iter().any(|id| containers.get(*id).1.stage == ShaderStage::RayGeneration) {
        // Only a library may be without one (VUID-VkRayTracingPipelineCreateInfoKHR-stage-03425).
        pipeline.flags |= LIBRARY;
        let sizes = stages.iter().map(|id| match containers.get(*id).1.properties {
            StageProperties::Rays { payload_bytes, attribute_bytes } => (payload_bytes, attribute_bytes),
            _ => (0, 0),
        });
        let (max_payload, max_attributes) =
            sizes.fold((0, 0), |(p, a), (payload, attributes)| (p.max(payload), a.max(attributes)));
        pipeline.interface = Some(Interface { max_payload, max_attributes });
        chosen.push("a pipeline library, because no shader generates rays".to_owned());
    }
    pipeline.max_recursion = Some(recursion);
}
