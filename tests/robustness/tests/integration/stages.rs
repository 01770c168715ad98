//! Pipelines of many stages, as the entry points of a library make them: their static samplers, the
//! texts about their shader records, and the messages about resources without a place.

use std::time::Duration;

use dxil_base::entity::PrimaryMap;
use dxil_robustness::memory;
use dxil_robustness::ratio::{grows, timed};
use dxil_translator::binding::{StageResources, layout_report, layout_text, plan_pipeline};
use dxil_translator::ir::resources::{DescriptorOrigin, Heap, Resource, ResourceId};
use dxil_translator::ops::consts::{ResourceClass, ResourceKind, ShaderStage};
use dxil_translator::{
    BindingOptions, DescriptorType, Error, ErrorKind, LayoutBinding, Model, PipelineLayout, PlanInputs, RegisterShifts,
    RootSignature, VULKAN_1_3_DESKTOP,
};

type Resources = PrimaryMap<ResourceId, Resource>;

/// A resource of one register.
fn resource(class: ResourceClass, kind: ResourceKind, register: u32, space: u32) -> Resource {
    let view = Resource::from_heap(Heap::Resources, class, kind);
    let name = "R".repeat(300).into();
    Resource { origin: DescriptorOrigin::Registers, name, space, lower_bound: register, count: 1, ..view }
}

/// Resources at t0 and then at u0.
fn one_register(count: usize) -> Resources {
    let first = resource(ResourceClass::Srv, ResourceKind::RawBuffer, 0, 0);
    let others = (1..count).map(|_| resource(ResourceClass::Uav, ResourceKind::TypedBuffer, 0, 0));
    std::iter::once(first).chain(others).collect()
}

fn stages<'a>(count: usize, resources: &'a Resources, local: Option<&'a RootSignature>) -> Vec<StageResources<'a>> {
    let stage = ShaderStage::RayGeneration;
    vec![
        StageResources { name: "main", stage, resources, used: None, root_signature: None, local_root_signature: local };
        count
    ]
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

/// The error for stages whose resources have no places, and the memory that it takes to find it.
/// Eight times the resources take no more than about eight times as long.
fn refused(what: &str, inputs: &PlanInputs<'_>, resources: impl Fn(usize) -> Resources) -> Error {
    let error = |count| {
        let resources = resources(count);
        let stages = stages(64, &resources, None);
        let ((result, time), peak) = memory::peak(|| timed(|| plan_pipeline(&stages, inputs)));
        (result.expect_err("no places"), time, peak)
    };
    grows(what, 256, |count| {
        let (found, time, peak) = error(count);
        println!("{count} resources: {time:?}, {peak} bytes, {} bytes of text", found.message().len());
        assert_eq!(found.kind(), ErrorKind::Binding);
        assert!(found.message().len() < 64 << 10 && peak < 64 << 20, "{peak} bytes");
        time
    });
    error(512).0
}

/// The register model: clashes of register classes.
#[test]
fn clashes() {
    let options = BindingOptions::new(Model::Register, RegisterShifts { u: 0, ..RegisterShifts::default() });
    let error = refused("clashes", &PlanInputs::new(&VULKAN_1_3_DESKTOP).with_options(options), one_register);
    assert!(error.message().contains("several resources have one binding"), "{error}");
}

/// A root signature whose ranges are at one offset, on a device without mutable descriptors.
#[test]
fn ranges_at_one_offset() {
    let ranges = |count: u32| (0..count).map(|i| format!(", UAV(u{i}, offset = 0)")).collect::<String>();
    let global = signature(&format!("DescriptorTable(SRV(t0){})", ranges(4095)));
    let options = BindingOptions::new(Model::RootSignature, RegisterShifts::default());
    let inputs = PlanInputs::new(&VULKAN_1_3_DESKTOP).with_options(options).with_root_signature(Some(&global));
    let error = refused("ranges at one offset", &inputs, |count| {
        let first = resource(ResourceClass::Srv, ResourceKind::TypedBuffer, 0, 0);
        let uav = |register| resource(ResourceClass::Uav, ResourceKind::RawBuffer, register, 0);
        std::iter::once(first).chain((0..count as u32 - 1).map(uav)).collect()
    });
    assert!(error.message().contains("and 32672 more"), "{error}");
}

/// Arrays of which each has a part of the offsets of the one before it.
#[test]
fn arrays_at_some_offsets() {
    let ranges = |count: u32| {
        (1..count).map(|i| format!(", UAV(u{}, numDescriptors = 2, offset = {i})", 2 * i)).collect::<String>()
    };
    let global = signature(&format!("DescriptorTable(UAV(u0, numDescriptors = 2, offset = 0){})", ranges(4096)));
    let options = BindingOptions::new(Model::RootSignature, RegisterShifts::default());
    let inputs = PlanInputs::new(&VULKAN_1_3_DESKTOP).with_options(options).with_root_signature(Some(&global));
    refused("arrays at some offsets", &inputs, |count| {
        let array = |i| Resource { count: 2, ..resource(ResourceClass::Uav, ResourceKind::RawBuffer, 2 * i, 0) };
        (0..count as u32).map(array).collect()
    });
}

/// The two models of `auto`, with a layout that has none of the resources.
#[test]
fn two_models_and_a_layout() {
    let global = signature("DescriptorTable(UAV(u0, numDescriptors = 4096))");
    let binding = |binding| LayoutBinding::new(binding, DescriptorType::Sampler, 1, 0x100);
    let set = Some((10_000..10_100).map(binding).collect());
    let layout = PipelineLayout::new(vec![set], Vec::new());
    let inputs = PlanInputs::new(&VULKAN_1_3_DESKTOP).with_root_signature(Some(&global)).with_layout(Some(&layout));
    let error = refused("two models and a layout", &inputs, |count| {
        (0..count as u32).map(|i| resource(ResourceClass::Uav, ResourceKind::RawBuffer, i, 0)).collect()
    });
    let message = error.message();
    assert!(message.contains("\nand 32736 more\n") && !message.contains("the model register"), "{error}");
}

/// A map that has none of the resources.
#[test]
fn resources_outside_a_map() {
    let map = dxil_translator::BindingMap::parse("version = 1\nentries = []");
    let map = map.unwrap_or_else(|error| panic!("{error}"));
    let options = BindingOptions::new(Model::Map, RegisterShifts::default());
    let inputs = PlanInputs::new(&VULKAN_1_3_DESKTOP).with_options(options).with_map(Some(&map));
    refused("resources outside a map", &inputs, |count| {
        (0..count as u32).map(|i| resource(ResourceClass::Uav, ResourceKind::RawBuffer, i, 0)).collect()
    });
}
