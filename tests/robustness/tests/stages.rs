//! Pipelines of many stages, as the entry points of a library make them: their static samplers, and the
//! texts about their shader records.

use std::time::Duration;

use dxil_robustness::memory::{self, Counting};
use dxil_robustness::ratio::{grows, timed};
use dxil_translator::internals::binding::{StageResources, layout_report, layout_text, plan_pipeline};
use dxil_translator::internals::dxil::consts::{ResourceClass, ResourceKind, ShaderStage};
use dxil_translator::internals::dxil::resources::{Heap, Origin, Resource, ResourceId};
use dxil_translator::internals::entity::PrimaryMap;
use dxil_translator::{
    BindingOptions, ErrorKind, Model, PlanInputs, RegisterShifts, RootSignature, VULKAN_1_3_DESKTOP,
};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

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

/// Stages without resources have one local root signature with parameters that take no bytes of a
/// shader record. Few of them are listed, and many are refused before there is a text.
#[test]
fn parameters_of_shader_records() {
    let constants: String = (0..4_000).map(|i| format!(", RootConstants(num32BitConstants = 0, b{i})")).collect();
    let local = signature(&format!("RootFlags(LOCAL_ROOT_SIGNATURE){constants}"));
    let (resources, inputs) = (Resources::default(), PlanInputs::new(&VULKAN_1_3_DESKTOP));
    for (count, listed) in [(16, true), (16_000, false)] {
        let stages = stages(count, &resources, Some(&local));
        let plan = plan_pipeline(&stages, &inputs).unwrap_or_else(|error| panic!("{error}"));
        let results = [
            memory::peak(|| timed(|| layout_text(&stages, None, &plan).map(|_| ()))),
            memory::peak(|| timed(|| layout_report(&stages, None, &plan).map(|_| ()))),
        ];
        for ((result, time), peak) in results {
            println!("{count} stages: {result:?}, {time:?}, {peak} bytes");
            assert_eq!(result.map_err(|error| error.kind()), if listed { Ok(()) } else { Err(ErrorKind::Limit) });
            assert!(time < Duration::from_secs(2) && peak < 64 << 20, "{time:?}, {peak} bytes");
        }
    }
}

/// A resource that many stages have in their records is text for each of them, up to a limit.
#[test]
fn resources_of_shader_records() {
    let descriptors: String = (0..500).map(|i| format!(", UAV(u{i})")).collect();
    let local = signature(&format!("RootFlags(LOCAL_ROOT_SIGNATURE){descriptors}"));
    let uav = |register| resource(ResourceClass::Uav, ResourceKind::RawBuffer, register, 0);
    let (resources, inputs): (Resources, _) = ((0..500).map(uav).collect(), PlanInputs::new(&VULKAN_1_3_DESKTOP));
    for (count, listed) in [(4, true), (500, false)] {
        let stages = stages(count, &resources, Some(&local));
        let plan = plan_pipeline(&stages, &inputs).unwrap_or_else(|error| panic!("{error}"));
        let ((result, time), peak) = memory::peak(|| timed(|| layout_text(&stages, None, &plan).map(|_| ())));
        println!("{count} stages: {result:?}, {time:?}, {peak} bytes");
        assert_eq!(result.map_err(|error| error.kind()), if listed { Ok(()) } else { Err(ErrorKind::Limit) });
        assert!(peak < 160 << 20, "{peak} bytes");
    }
}
