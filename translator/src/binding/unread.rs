//! What a root signature has that no shader of a pipeline reads.
//!
//! In: a pipeline's stages and their plan. Out: a text for each root parameter and static sampler
//! that holds no resource which a stage uses. An application need not set these.

use super::registers::{Pieces, RootItem};
use super::root_signature::RootSignature;
use super::{Location, Model, PipelinePlan, Root, StageResources, tables};
use crate::ir::resources::Resource;
use crate::ops::consts::ShaderStage;

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
    let pieces = Pieces::new(signature);
    let mut parameters = vec![false; signature.parameters.len()];
    let mut static_samplers = vec![false; signature.static_samplers.len()];
    for (stage, resource) in used(stages, plan) {
        for piece in pieces.with_first(resource) {
            let read = match piece.item {
                RootItem::Parameter(index) => parameters.get_mut(index as usize),
                RootItem::StaticSampler(index) => static_samplers.get_mut(index as usize),
            };
            if let Some(read) = read {
                *read |= piece.registers.look(resource, piece.visibility, stage, piece.item, &mut None);
            }
        }
    }
    let mut texts = Vec::new();
    for ((index, parameter), _) in signature.parameters.iter().enumerate().zip(parameters).filter(|(_, read)| !read) {
        texts.push(format!("parameter {index}: {}", signature.parameter_text(parameter)));
    }
    let samplers = signature.static_samplers.iter().enumerate().zip(static_samplers);
    for ((index, sampler), _) in samplers.filter(|(_, read)| !read) {
        texts.push(format!("static sampler {index}: {sampler}"));
    }
    texts
}

/// The resources that each stage uses and that the global root signature places.
fn used<'a>(stages: &[StageResources<'a>], plan: &PipelinePlan) -> Vec<(ShaderStage, &'a Resource)> {
    let mut used = Vec::new();
    for (stage, planned) in stages.iter().zip(&plan.stages) {
        for ((id, resource), planned) in stage.resources.iter().zip(planned.resources.values()) {
            // The local root signature places what is in the shader record.
            let in_record = matches!(planned.location, Location::Record { .. } | Location::Address(Root::Record(_)))
                || matches!(planned.location.table(), Some(Root::Record(_)));
            if stage.uses(id) && resource.is_declared() && !in_record {
                used.push((stage.stage, resource));
            }
        }
    }
    used
}
