//! Where D3D12 resources live in Vulkan. Their places are planned before emission, which only looks
//! them up.
//!
//! In: the resources of a pipeline's stages, a root signature or register shifts, and the pipeline
//! layout if it is known. Out: a [`BindingPlan`] per stage. What must hold: the contract of
//! docs/bindings.md; no SPIR-V ids occur here.
//!
//! A model (`register.rs`, `tables.rs`, `map`) requests a place for each resource. Then
//! `resolve.rs` takes the type of the descriptor at that place from the layout. Of the device, a
//! plan depends on two limits: the number of descriptor sets and the size in bytes of push
//! constants.

mod arguments;
mod clash;
mod count;
pub(crate) mod heap;
mod inputs;
pub mod layout;
mod layout_report;
pub mod map;
mod mismatch;
pub mod options;
mod place_request;
pub mod places;
pub mod plan;
mod record;
mod register;
mod registers;
mod report;
mod resolve;
pub mod root_signature;
mod slot;
mod tables;
#[cfg(test)]
mod tests;
mod text;
mod unread;
mod vendor;

pub use heap::Arrangement;
pub use inputs::{PipelinePlan, PlanInputs, StageResources};
pub use layout::{PipelineLayout, stage_flag};
pub use layout_report::{
    BindingReport, LayoutReport, PushMemberReport, PushRangeReport, RecordMemberReport, SamplerReport, SetReport,
    ShaderRecordReport, layout_report,
};
pub use map::BindingMap;
pub use options::{
    BindingOptions, HeapCounters, HeapSets, Model, RegisterShifts, RootDescriptors, RootTables, SpaceMap,
};
pub use plan::BindingPlan;
pub use report::{layout_text, required_layout};
pub use root_signature::RootSignature;
pub(crate) use text::Keys;
pub use unread::unread;

use crate::ir::resources::Resource;
use crate::ops::consts::ShaderStage;
use dxil_base::error::{Error, Place, Result};
use dxil_base::limits;
use mismatch::{LISTED, Mismatches, StageResource};
use place_request::PlaceRequests;
use plan::{Location, Root};
pub(crate) use record::size as record_size;
use record::{Records, ShaderRecord};
use resolve::resolve;

/// The first of these resources that is in a shader record with one of these local root signatures.
/// `visited` counts the parts of the root signatures, and the pairs of a resource and a root
/// signature, over all calls for one pipeline.
///
/// # Errors
/// `Limit` if there are more of them than [`limits::RECORD_CHOICES`].
pub fn in_records<'a>(
    signatures: impl ExactSizeIterator<Item = &'a RootSignature>,
    resources: impl Iterator<Item = &'a Resource>,
    visited: &mut usize,
) -> Result<Option<&'a Resource>> {
    let mut count = |more: usize| {
        *visited = visited.saturating_add(more);
        let what = "pairs of a resource and a local root signature that a stage may have";
        limits::check(Place::Input, what, *visited, limits::RECORD_CHOICES)
    };
    let mut resources = resources.peekable();
    if resources.peek().is_none() {
        return Ok(None);
    }
    let mut records = Vec::with_capacity(signatures.len());
    for signature in signatures {
        let record = ShaderRecord::new(signature);
        count(record.len())?;
        records.push(record);
    }
    for resource in resources {
        count(records.len())?;
        if records.iter().any(|record| record.has(resource)) {
            return Ok(Some(resource));
        }
    }
    Ok(None)
}

/// Plans a pipeline over all its DXIL stages. If a layout is given, every resource has a descriptor
/// type that the layout has and the resource accepts; otherwise it has the first type that it
/// accepts.
///
/// # Errors
/// `Binding`: a resource has no suitable place; two resources share a place that they may not
/// share; the stages' root signatures differ; or the model is `root-signature` or `map` and there
/// is no root signature or map. The message lists every such resource. `Unsupported`: a resource
/// that stands for vendor intrinsics, or a feedback texture.
pub fn plan_pipeline(stages: &[StageResources<'_>], inputs: &PlanInputs<'_>) -> Result<PipelinePlan> {
    let &PlanInputs { options, layout, profile, .. } = inputs;
    check_counts(stages)?;
    for stage in stages {
        for (_, resource) in stage.resources.iter().filter(|(id, _)| stage.uses(*id)) {
            vendor::check(resource)?;
            layout::has_counterpart(resource)?;
        }
    }
    record::check(stages)?;
    let records = Records::new(stages);
    let root_signature = inputs.root_signature.is_some() || stages.iter().any(|stage| stage.root_signature.is_some());
    let (first, second) = match options.model {
        Model::Auto if inputs.map.is_some() => (Model::Map, None),
        Model::Auto if root_signature && layout.is_some() => (Model::RootSignature, Some(Model::Register)),
        Model::Auto if root_signature => (Model::RootSignature, None),
        Model::Auto => (Model::Register, None),
        model => (model, None),
    };
    let mut failed = Vec::new();
    for model in [Some(first), second].into_iter().flatten() {
        let requests = match model {
            Model::RootSignature => {
                let signature = tables::common(stages, inputs.root_signature)?;
                tables::requests(stages, &records, signature, inputs)
            }
            Model::Map => {
                let map = inputs.map.ok_or_else(|| {
                    binding_error!(
                        Place::Input,
                        "the binding model map needs a binding map; give its file with `--map` of dxil2spv or the layer's \
                         setting `map`"
                    )
                })?;
                map::requests(stages, &records, map, inputs)
            }
            Model::Register | Model::Auto => register::requests(stages, &records, inputs),
        };
        match resolve(&requests, stages, layout, profile) {
            Ok(stages) => {
                let PlaceRequests { heaps, root_set, addresses, root_block, .. } = requests;
                let (second_choice, heap) = (model != first, heaps.used_arrangement(model, &stages));
                let root_addresses = addresses;
                return Ok(PipelinePlan { model, second_choice, heap, root_set, root_addresses, root_block, stages });
            }
            Err(mismatches) => {
                failed.push(FailedModel { model, is_form_unknown: requests.is_form_unknown, mismatches });
            }
        }
    }
    let clash = if let [FailedModel { model: Model::Register, mismatches, .. }] = &failed[..] {
        clash::refusal(stages, mismatches, &options.shifts)
    } else {
        None
    };
    Err(clash.unwrap_or_else(|| refusal(stages, &failed, layout.is_some())))
}

/// Checks the number of resources of all stages, which may share one module with many.
fn check_counts(stages: &[StageResources<'_>]) -> Result<()> {
    let all = stages.iter().map(|stage| stage.resources.len()).fold(0, usize::saturating_add);
    limits::check(Place::Input, "resources of the stages of a pipeline", all, limits::PLANNED_RESOURCES)?;
    let used = stages.iter().map(|stage| stage.resources.keys().filter(|id| stage.uses(*id)).count()).sum();
    limits::check(Place::Input, "resources that the stages of a pipeline use", used, limits::PLACED_RESOURCES)
}

/// A model that does not fit, and the resources without a place.
struct FailedModel {
    model: Model,
    /// Whether some message says that the form of root descriptors is unknown.
    is_form_unknown: bool,
    mismatches: Mismatches,
}

/// The error for a pipeline that no model fits. It leads with the model that was tried first: for
/// each resource without a place, what the model looked for and what the layout has. Another model
/// that fits more resources takes one line. Advice comes last: with a pipeline layout, how to find
/// one that fits.
fn refusal(stages: &[StageResources<'_>], failed: &[FailedModel], has_layout: bool) -> Error {
    let Some((FailedModel { model: first, is_form_unknown, mismatches }, others)) = failed.split_first() else {
        return binding_error!(Place::Input, "no binding model was tried");
    };
    let mut text = String::new();
    let mut place = Place::Input;
    for (count, (of, messages)) in mismatches.listed().enumerate() {
        let Some((stage, resource)) = resource_of(stages, of) else { continue };
        if count == 0 {
            place = resource.place();
        }
        let line_end = if count == 0 { "" } else { "\n" };
        text.push_str(&format!("{line_end}{resource} ({stage}) has no suitable place"));
        messages.iter().for_each(|message| text.push_str(&format!("; {first}: {message}")));
    }
    if mismatches.len() > LISTED {
        text.push_str(&format!("\nand {} more", mismatches.len() - LISTED));
    }
    for other in others.iter().filter(|other| other.mismatches.len() < mismatches.len()) {
        text.push_str(&other_model(stages, other));
    }
    if *is_form_unknown {
        text.push_str(
            "\n`--root-descriptors` of dxil2spv or the layer's setting `root_descriptors` says whether root descriptors are \
             addresses: descriptor or address",
        );
    }
    if has_layout {
        text.push_str(
            "\n`dxil2spv layout` prints the pipeline layout to declare for shaders; the layer's setting `bindings`, in \
             dxil2spv `--model`, chooses another binding model",
        );
    }
    binding_error!(place, "{text}")
}

fn resource_of<'a>(stages: &[StageResources<'a>], of: StageResource) -> Option<(ShaderStage, &'a Resource)> {
    stages.get(of.stage).and_then(|stage| Some((stage.stage, stage.resources.get(of.id)?)))
}

/// The line about a model that fits more resources than the first one.
fn other_model(stages: &[StageResources<'_>], FailedModel { model, mismatches, .. }: &FailedModel) -> String {
    let first = mismatches.listed().next().and_then(|(of, messages)| {
        let (stage, resource) = resource_of(stages, of)?;
        Some(format!(", such as {resource} ({stage}): {}", messages.first()?))
    });
    let count = match mismatches.len() {
        1 => "1 resource has".to_owned(),
        count => format!("{count} resources have"),
    };
    let first = first.unwrap_or_default();
    format!("\nthe model {model} comes closer: {count} no suitable place{first}")
}
