//! Where D3D12 resources live in Vulkan: planned before emission, then looked up.
//!
//! In: the resources of a pipeline's stages, a root signature or shifts, and the pipeline layout where it is known. Out: a
//! [`BindingPlan`] per stage. What must hold: the contract of docs/bindings.md; no SPIR-V ids here.
//!
//! A model (`register.rs`, `tables.rs`) claims a place for each resource; `settle.rs` asks the layout what is there.
//! Of the device, a plan depends on two limits: the number of descriptor sets and the bytes of push constants.

mod claim;
pub mod layout;
pub mod options;
pub mod plan;
mod record;
mod register;
mod report;
pub mod root_signature;
mod settle;
mod tables;
#[cfg(test)]
mod tests;
mod text;

pub use layout::PipelineLayout;
pub use options::{BindingOptions, Model, RegisterShifts};
pub use plan::BindingPlan;
pub use report::{layout_text, required_layout};
pub use root_signature::RootSignature;
pub use settle::stage_flag;

use std::collections::BTreeMap;

use crate::dxil::consts::ShaderStage;
use crate::dxil::resources::{Resource, ResourceId};
use crate::entity::{EntitySet, PrimaryMap};
use crate::error::{Error, Place, Result};
use crate::profile::DeviceProfile;
use claim::Claim;
use settle::{Mismatch, settle};

/// One stage of a pipeline, as binding sees it.
#[derive(Clone, Copy, Debug)]
pub struct StageResources<'a> {
    /// Which stage.
    pub stage: ShaderStage,
    /// What it declares.
    pub resources: &'a PrimaryMap<ResourceId, Resource>,
    /// Which of them the entry point uses; `None` where all are to be placed.
    pub used: Option<&'a EntitySet<ResourceId>>,
    /// The root signature that came with it, where one did.
    pub root_signature: Option<&'a RootSignature>,
    /// The local root signature of its shader records. Its registers take precedence over the global one's.
    pub local_root_signature: Option<&'a RootSignature>,
}

impl StageResources<'_> {
    /// The resources with registers, which a plan has places for. Views of descriptor heaps come after them.
    fn declared(&self) -> impl Iterator<Item = (ResourceId, &Resource)> {
        self.resources.iter().take_while(|(_, resource)| resource.is_declared())
    }

    /// The claim of a resource whose place no model decides: one that is not used, and one of the local root signature.
    fn without_model(&self, id: ResourceId) -> Option<Result<Claim, String>> {
        let resource = self.resources.get(id)?;
        if self.used.is_some_and(|used| !used.contains(id)) {
            return Some(Ok(Claim::UNUSED));
        }
        let spot = record::place(self.local_root_signature?, resource)?;
        Some(spot.map(|spot| Claim { spot, counter: None }))
    }
}

/// What a plan depends on beside the stages.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct PlanInputs<'a> {
    /// Model and register shifts.
    pub options: BindingOptions,
    /// The pipeline's global root signature; `None` takes the one that the stages' containers hold, if any.
    pub root_signature: Option<&'a RootSignature>,
    /// The application's pipeline layout, where it is known.
    pub layout: Option<&'a PipelineLayout>,
    /// What the device has enabled.
    pub profile: &'a DeviceProfile,
}

impl<'a> PlanInputs<'a> {
    /// The defaults for a device: model `auto`, no root signature beside the containers', no pipeline layout.
    pub fn new(profile: &'a DeviceProfile) -> Self {
        Self { options: BindingOptions::default(), root_signature: None, layout: None, profile }
    }

    /// The same with other options.
    #[must_use]
    pub fn with_options(self, options: BindingOptions) -> Self {
        Self { options, ..self }
    }

    /// The same for a pipeline layout.
    #[must_use]
    pub fn with_layout(self, layout: Option<&'a PipelineLayout>) -> Self {
        Self { layout, ..self }
    }

    /// The same with a global root signature.
    #[must_use]
    pub fn with_root_signature(self, root_signature: Option<&'a RootSignature>) -> Self {
        Self { root_signature, ..self }
    }
}

/// Where everything in a pipeline lives.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct PipelinePlan {
    /// The model that placed it: `Register` or `RootSignature`.
    pub model: Model,
    /// `auto` took the other model because its first choice does not match the layout: worth telling once.
    pub second_choice: bool,
    /// One plan per stage, in the order of the stages.
    pub stages: Vec<BindingPlan>,
}

/// Plans a pipeline, over all its DXIL stages, and says by which model. With a layout, every resource finds an accepted
/// descriptor type there; without one, the first type that its kind accepts is taken.
///
/// # Errors
/// `Binding`: a resource has no acceptable place, two share one that may not, the stages' root signatures differ, or the
/// `root-signature` model is asked for and there is none. The message lists every such resource.
pub fn plan_pipeline(stages: &[StageResources<'_>], inputs: &PlanInputs<'_>) -> Result<PipelinePlan> {
    let &PlanInputs { options, layout, profile, .. } = inputs;
    let root_signature = inputs.root_signature.is_some() || stages.iter().any(|stage| stage.root_signature.is_some());
    let (first, second) = match options.model {
        Model::Auto if root_signature && layout.is_some() => (Model::RootSignature, Some(Model::Register)),
        Model::Auto if root_signature => (Model::RootSignature, None),
        Model::Auto => (Model::Register, None),
        model => (model, None),
    };
    let mut failed = Vec::new();
    for model in [Some(first), second].into_iter().flatten() {
        let claims = match model {
            Model::RootSignature => {
                let signature = tables::common(stages, inputs.root_signature)?;
                tables::claims(stages, signature, options.shifts, layout, profile)
            }
            Model::Register | Model::Auto => register::claims(stages, options.shifts),
        };
        match settle(&claims, stages, layout, profile) {
            Ok(plans) => return Ok(PipelinePlan { model, second_choice: model != first, stages: plans }),
            Err(mismatches) => failed.push((model, mismatches)),
        }
    }
    Err(refusal(stages, &failed))
}

/// Most resources that an error lists.
const LISTED: usize = 32;

/// The error for a pipeline that no model fits: per resource, what each model looked for and what the layout has.
fn refusal(stages: &[StageResources<'_>], failed: &[(Model, Vec<Mismatch>)]) -> Error {
    let mut by_resource: BTreeMap<(usize, ResourceId), Vec<(Model, &str)>> = BTreeMap::new();
    for (model, mismatches) in failed {
        for mismatch in mismatches {
            let place = by_resource.entry((mismatch.stage, mismatch.resource)).or_default();
            place.push((*model, mismatch.message.as_str()));
        }
    }
    let mut text = String::new();
    let mut place = Place::Input;
    for (count, (&(stage, id), messages)) in by_resource.iter().enumerate() {
        let Some((stage, resource)) = stages.get(stage).and_then(|s| Some((s.stage, s.resources.get(id)?))) else {
            continue;
        };
        if count == 0 {
            place = resource.place();
        }
        if count == LISTED {
            text.push_str(&format!("\nand {} more", by_resource.len() - LISTED));
            break;
        }
        let line_end = if count == 0 { "" } else { "\n" };
        text.push_str(&format!("{line_end}{resource} ({stage}) has no acceptable place"));
        for &(model, _) in failed {
            let mut said = messages.iter().filter(|(m, _)| *m == model).map(|(_, message)| *message).peekable();
            if said.peek().is_none() {
                text.push_str(&format!("; {model}: matches"));
            }
            said.for_each(|message| text.push_str(&format!("; {model}: {message}")));
        }
    }
    binding_error!(place, "{text}")
}
