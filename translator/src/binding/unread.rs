//! What a root signature has that no shader of a pipeline reads.
//!
//! In: a pipeline's stages and their plan. Out: a text for each root parameter and static sampler
//! that holds no resource which a stage uses. An application need not set these.

use super::registers::{Item, Registers};
use super::root_signature::{RootParameterKind, RootSignature, Visibility};
use super::{Location, Model, PipelinePlan, Root, StageResources, tables};
use crate::binding::plan::HeapDescriptors;
use crate::dxil::consts::{ResourceClass, ShaderStage};
use crate::dxil::resources::Resource;

/// The root parameters and static samplers of the global root signature that no stage reads; none
/// under another model.
pub fn unread(
    stages: &[StageResources<'_>],
    root_signature: Option<&RootSignature>,
    plan: &PipelinePlan,
) -> Vec<String> {
    let signature = match (plan.model, tables::common(stages, root_signature)) {
        (Model::RootSignature, Ok(signature)) => signature,
        _ => return Vec::new(),
    };
    let resources = used(stages, plan);
    let read = |registers: Registers, visibility: Visibility, item: Item| {
        let mut near = None;
        resources.iter().any(|(stage, resource)| registers.look(resource, visibility, *stage, item, &mut near))
    };
    let mut texts = Vec::new();
    for (index, parameter) in (0..).zip(&signature.parameters) {
        let one = |class, register, space| Registers { class, register, count: 1, space };
        let item = Item::Parameter(index);
        let is_read = match &parameter.kind {
            &RootParameterKind::Constants { register, space, .. } => {
                read(one(ResourceClass::CBuffer, register, space), parameter.visibility, item)
            }
            &RootParameterKind::Descriptor { class, register, space, .. } => {
                read(one(class, register, space), parameter.visibility, item)
            }
            RootParameterKind::Table(ranges) => ranges.iter().any(|range| {
                let registers =
                    Registers { class: range.class, register: range.register, count: range.count, space: range.space };
                read(registers, parameter.visibility, item)
            }),
        };
        if !is_read {
            texts.push(format!("parameter {index}: {}", signature.parameter_text(parameter)));
        }
    }
    for (index, sampler) in (0..).zip(&signature.static_samplers) {
        let registers =
            Registers { class: ResourceClass::Sampler, register: sampler.register, count: 1, space: sampler.space };
        if !read(registers, sampler.visibility, Item::StaticSampler(index)) {
            texts.push(format!("static sampler {index}: {sampler}"));
        }
    }
    texts
}

/// The resources that each stage uses and that the global root signature places.
fn used<'a>(stages: &[StageResources<'a>], plan: &PipelinePlan) -> Vec<(ShaderStage, &'a Resource)> {
    let mut used = Vec::new();
    for (stage, planned) in stages.iter().zip(&plan.stages) {
        for ((id, resource), planned) in stage.resources.iter().zip(planned.resources.values()) {
            // The local root signature places what is in the shader record.
            let in_record = matches!(
                planned.location,
                Location::Record { .. }
                    | Location::Address(Root::Record(_))
                    | Location::Heap(HeapDescriptors { table: Some(Root::Record(_)), .. })
            );
            if stage.uses(id) && resource.is_declared() && !in_record {
                used.push((stage.stage, resource));
            }
        }
    }
    used
}
