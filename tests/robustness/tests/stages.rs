//! Pipelines of many stages, as the entry points of a library make them: their static samplers.

use dxil_robustness::ratio::{grows, timed};
use dxil_translator::internals::binding::{StageResources, plan_pipeline};
use dxil_translator::internals::dxil::consts::{ResourceClass, ResourceKind, ShaderStage};
use dxil_translator::internals::dxil::resources::{Heap, Origin, Resource, ResourceId};
use dxil_translator::internals::entity::PrimaryMap;
use dxil_translator::{BindingOptions, Model, PlanInputs, RegisterShifts, RootSignature, VULKAN_1_3_DESKTOP};

type Resources = PrimaryMap<ResourceId, Resource>;

/// A resource of one register.
fn resource(class: ResourceClass, kind: ResourceKind, register: u32, space: u32) -> Resource {
    let view = Resource::of_heap(Heap::Resources, class, kind);
    let name = "R".repeat(300).into();
    Resource { origin: Origin::Registers, name, space, lower_bound: register, count: 1, ..view }
}

fn stages<'a>(count: usize, resources: &'a Resources, local: Option<&'a RootSignature>) -> Vec<StageResources<'a>> {
    let stage = ShaderStage::RayGeneration;
    vec![StageResources { stage, resources, used: None, root_signature: None, local_root_signature: local }; count]
}

fn signature(text: &str) -> RootSignature {
    RootSignature::parse_text(text, None).unwrap_or_else(|error| panic!("{error}"))
}

/// The samplers of each stage are static samplers of one register and of many spaces, which sample
/// alike. Each of them is compared with few of the others.
#[test]
fn static_samplers_of_one_register() {
    let global = signature("CBV(b0)");
    let options = BindingOptions::new(Model::RootSignature, RegisterShifts::default());
    let inputs = PlanInputs::new(&VULKAN_1_3_DESKTOP).with_options(options).with_root_signature(Some(&global));
    grows("static samplers of one register", 250, |count| {
        let samplers: String = (0..count).map(|space| format!(", StaticSampler(s0, space = {space})")).collect();
        let local = signature(&format!("RootFlags(LOCAL_ROOT_SIGNATURE){samplers}"));
        let sampler = |space| resource(ResourceClass::Sampler, ResourceKind::Sampler, 0, space);
        let resources: Resources = (0..count as u32).map(sampler).collect();
        let (planned, time) = timed(|| plan_pipeline(&stages(16, &resources, Some(&local)), &inputs));
        planned.unwrap_or_else(|error| panic!("{error}"));
        time
    });
}
