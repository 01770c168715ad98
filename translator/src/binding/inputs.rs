//! What a plan is made from, and the plans of a pipeline.

use super::heap::Arrangement;
use super::layout::PipelineLayout;
use super::map::BindingMap;
use super::options::{BindingOptions, Model};
use super::plan::BindingPlan;
use super::root_signature::RootSignature;
use crate::ir::resources::{DescriptorOrigin, Heap, Resource, ResourceId};
use crate::ops::consts::ShaderStage;
use dxil_base::entity::{EntitySet, PrimaryMap};
use dxil_base::profile::DeviceProfile;

/// The resources of one stage of a pipeline.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "the input of a stage, which may change in any version")]
pub struct StageResources<'a> {
    /// The plain name of the entry point, for texts.
    pub name: &'a str,
    /// The stage.
    pub stage: ShaderStage,
    /// The resources that the stage's container declares.
    pub resources: &'a PrimaryMap<ResourceId, Resource>,
    /// The resources that the entry point uses, which get places. `None` gives places to all
    /// resources.
    pub used: Option<&'a EntitySet<ResourceId>>,
    /// The root signature in the stage's container, if there is one.
    pub root_signature: Option<&'a RootSignature>,
    /// The local root signature of the stage's shader records, if there is one. Its registers take
    /// precedence over those of the global root signature.
    pub local_root_signature: Option<&'a RootSignature>,
}

impl StageResources<'_> {
    /// The resources that have registers and so need places in a plan. Views of descriptor heaps
    /// come after them.
    pub(super) fn declared(&self) -> impl Iterator<Item = (ResourceId, &Resource)> {
        self.resources.iter().take_while(|(_, resource)| resource.is_declared())
    }

    /// Whether the entry point uses a resource.
    pub(super) fn uses(&self, id: ResourceId) -> bool {
        self.used.is_none_or(|used| used.contains(id))
    }

    /// The views of descriptor heaps that the entry point uses.
    pub(super) fn heap_views(&self) -> impl Iterator<Item = (ResourceId, &Resource, Heap)> {
        self.resources.iter().filter_map(|(id, resource)| match resource.origin {
            DescriptorOrigin::Heap(heap) if self.uses(id) => Some((id, resource, heap)),
            _ => None,
        })
    }
}

/// Everything that a plan depends on besides the stages.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct PlanInputs<'a> {
    /// Model and register shifts.
    pub options: BindingOptions,
    /// The pipeline's global root signature. With `None`, planning takes the one in the stages'
    /// containers, if there is one.
    pub root_signature: Option<&'a RootSignature>,
    /// The places that the model `map` takes, if there is a map.
    pub map: Option<&'a BindingMap>,
    /// The application's pipeline layout, if it is known.
    pub layout: Option<&'a PipelineLayout>,
    /// The limits that are enabled on the device.
    pub profile: &'a DeviceProfile,
}

impl<'a> PlanInputs<'a> {
    /// The defaults for a device: model `auto`, the root signature of the containers, no pipeline
    /// layout.
    pub fn new(profile: &'a DeviceProfile) -> Self {
        Self { options: BindingOptions::default(), root_signature: None, map: None, layout: None, profile }
    }

    /// The same inputs with other options.
    #[must_use]
    pub fn with_options(self, options: BindingOptions) -> Self {
        Self { options, ..self }
    }

    /// The same inputs with another pipeline layout.
    #[must_use]
    pub fn with_layout(self, layout: Option<&'a PipelineLayout>) -> Self {
        Self { layout, ..self }
    }

    /// The same inputs with another binding map.
    #[must_use]
    pub fn with_map(self, map: Option<&'a BindingMap>) -> Self {
        Self { map, ..self }
    }

    /// The same inputs with another global root signature.
    #[must_use]
    pub fn with_root_signature(self, root_signature: Option<&'a RootSignature>) -> Self {
        Self { root_signature, ..self }
    }
}

/// The plans of all stages of a pipeline.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct PipelinePlan {
    /// The model that chose the places: any but `Auto`.
    pub model: Model,
    /// Whether `auto` took its second model because the first one does not match the layout. The
    /// user should be warned once.
    pub second_choice: bool,
    /// The arrangement of the resource heap; `None` if no stage has a resource there.
    pub heap: Option<Arrangement>,
    /// The number of the root set, under the root-signature model.
    pub root_set: Option<u32>,
    /// Whether some root argument is an address: then all root descriptors are.
    pub root_addresses: bool,
    /// Whether root constants are in a block of the root set, also if no stage reads them.
    pub root_block: bool,
    /// One plan per stage, in the order of the stages.
    pub stages: Vec<BindingPlan>,
}
