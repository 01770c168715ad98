//! The shader groups of ray-tracing pipelines.

use dxil_capture::model::{Group, Interface, Pipeline};
use dxil_translator::ir::declarations::StageProperties;
use dxil_translator::{HitGroupType, ShaderStage, Subobjects};
use rspirv::spirv::Op;

use super::containers::{Containers, StageId};
use super::error::ShaderError;
use super::pairs::Draft;
use crate::inputs::RaysOfFile;
use crate::words::has_instruction;

/// `VkRayTracingShaderGroupTypeKHR`.
const GENERAL: i32 = 0;
const TRIANGLES: i32 = 1;
const PROCEDURAL: i32 = 2;

/// `VK_PIPELINE_CREATE_LIBRARY_BIT_KHR`.
const LIBRARY: u64 = 0x800;

const NONE: Group = Group { ty: GENERAL, general: None, closest_hit: None, any_hit: None, intersection: None };

/// Gives a pipeline its groups: those of its file or those that its libraries declare, and one for
/// each shader that is in none of these. `words` is the translation of each stage.
///
/// # Errors
/// The groups of the file break Vulkan's rules.
pub fn add(
    containers: &Containers,
    (draft, words): (&Draft, &[Vec<u32>]),
    pipeline: &mut Pipeline,
    chosen: &mut Vec<String>,
) -> Result<(), ShaderError> {
    let (stages, rays) = (&draft.stages[..], draft.rays.as_ref());
    pipeline.groups = match rays {
        Some(rays) => given(containers, stages, rays)?,
        None => declared(containers, stages),
    };
    let shaders = |group: &Group| [group.general, group.any_hit, group.closest_hit, group.intersection];
    let grouped: Vec<u32> = pipeline.groups.iter().flat_map(shaders).flatten().collect();
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
    let config = subobjects(containers, stages).into_iter().find_map(|it| it.pipeline_config());
    // Only ray generation shaders trace where the depth is 1; 31 is the largest of D3D.
    let is_deep = words.iter().zip(stages).any(|(words, id)| {
        containers.get(*id).1.stage != ShaderStage::RayGeneration && has_instruction(words, Op::TraceRayKHR)
    });
    let known = rays.map(|rays| rays.recursion).or(config.map(|config| config.recursion));
    let recursion = known.unwrap_or(if is_deep { 31 } else { 1 });
    if known.is_none() {
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
    Ok(())
}

/// The groups of a file, whose shaders are of the stages that a group of their type may have
/// (VUID-VkRayTracingShaderGroupCreateInfoKHR-type-03474 to 03476).
fn given(containers: &Containers, stages: &[StageId], rays: &RaysOfFile) -> Result<Vec<Group>, ShaderError> {
    use ShaderStage::{AnyHit, Callable, ClosestHit, Intersection, Miss, RayGeneration};
    let is = |shader: Option<u32>, allowed: &[ShaderStage]| {
        let stage = |index: u32| stages.get(index as usize).map(|id| containers.get(*id).1.stage);
        shader.is_none_or(|index| stage(index).is_some_and(|stage| allowed.contains(&stage)))
    };
    let is_valid = |group: &Group| {
        let are_there = [group.general, group.intersection, group.closest_hit.or(group.any_hit)].map(|it| it.is_some());
        let fits = match group.ty {
            GENERAL => are_there == [true, false, false],
            TRIANGLES => !are_there[0] && !are_there[1],
            PROCEDURAL => !are_there[0] && are_there[1],
            _ => false,
        };
        fits && is(group.general, &[RayGeneration, Miss, Callable])
            && is(group.closest_hit, &[ClosestHit])
            && is(group.any_hit, &[AnyHit])
            && is(group.intersection, &[Intersection])
    };
    if rays.groups.iter().all(is_valid) { Ok(rays.groups.clone()) } else { Err(ShaderError::Groups) }
}

/// The subobjects of each library.
fn subobjects<'a>(containers: &'a Containers, stages: &[StageId]) -> Vec<&'a Subobjects> {
    let mut libraries = stages.to_vec();
    libraries.dedup_by_key(|id| id.0);
    libraries.into_iter().map(|id| containers.shader(id).subobjects()).collect()
}

/// The hit groups that libraries declare.
fn declared(containers: &Containers, stages: &[StageId]) -> Vec<Group> {
    let mut groups = Vec::new();
    let index_of = |name: &str| {
        let is_it = |id: &StageId| {
            let entry = containers.get(*id).1;
            *entry.name == *name || entry.plain_name() == name
        };
        stages.iter().position(is_it).map(|index| index as u32)
    };
    for (_, hit) in subobjects(containers, stages).into_iter().flat_map(|it| it.hit_groups()) {
        let shader = |name: &Option<std::sync::Arc<str>>| name.as_deref().and_then(index_of);
        let (any_hit, closest_hit) = (shader(&hit.any_hit), shader(&hit.closest_hit));
        let intersection = shader(&hit.intersection);
        let procedural = matches!(hit.geometry, HitGroupType::ProceduralPrimitive);
        if procedural && intersection.is_none() {
            // A group of procedural primitives must have an intersection shader
            // (VUID-VkRayTracingShaderGroupCreateInfoKHR-type-03475).
            continue;
        }
        let ty = if procedural { PROCEDURAL } else { TRIANGLES };
        let intersection = intersection.filter(|_| procedural);
        groups.push(Group { ty, closest_hit, any_hit, intersection, ..NONE });
    }
    groups
}
