//! The time of planning grows with the resources and with what they are looked up in: a pipeline
//! layout, a root signature, a binding map, a descriptor heap. An error for all of them has few
//! lines.

use std::time::Duration;

use dxil_robustness::families::{overlapping, resources};
use dxil_robustness::memory;
use dxil_robustness::ratio::{grows, timed};
use dxil_test_support::fixture;
use dxil_translator::{
    BindingMap, BindingOptions, DescriptorType, ErrorKind, LayoutBinding, Model, PipelineLayout, PipelineStage,
    PlanInputs, RegisterShifts, RootSignature, Shader, binding, lavapipe, plan, required_layout,
};

const SMALLEST: usize = 500;

fn shader(count: usize) -> Shader {
    Shader::parse(&resources(count, 8)).unwrap_or_else(|error| panic!("{error}"))
}

/// The time of planning all resources of a shader.
fn time(shader: &Shader, inputs: &PlanInputs<'_>) -> Duration {
    let (entry, _) = shader.entries().next().expect("an entry point");
    let stage = PipelineStage::new(shader, entry);
    let (planned, time) = timed(|| plan(&[stage], inputs));
    planned.unwrap_or_else(|error| panic!("{error}"));
    time
}

#[test]
fn without_anything() {
    let profile = lavapipe();
    let inputs = PlanInputs::new(&profile);
    grows("registers", SMALLEST, |count| time(&shader(count), &inputs));
}

/// Each resource has a binding of the layout.
#[test]
fn pipeline_layout() {
    let profile = lavapipe();
    grows("a pipeline layout", SMALLEST, |count| {
        let binding = |number: usize| LayoutBinding::new(number as u32, DescriptorType::StorageBuffer, 1, 0x20);
        let layout = PipelineLayout::new(vec![Some((0..count).map(binding).collect())], Vec::new());
        let options = BindingOptions::new(Model::Register, RegisterShifts::default());
        time(&shader(count), &PlanInputs::new(&profile).with_options(options).with_layout(Some(&layout)))
    });
}

/// Each resource is in a range of one descriptor table.
#[test]
fn root_signature() {
    let profile = lavapipe();
    grows("a root signature", SMALLEST, |count| {
        let ranges = (0..count).map(|i| format!("UAV(u{i})")).collect::<Vec<_>>().join(", ");
        let text = format!("DescriptorTable({ranges})");
        let signature = RootSignature::parse_text(&text, None).unwrap_or_else(|error| panic!("{error}"));
        let options = BindingOptions::new(Model::RootSignature, RegisterShifts::default());
        time(&shader(count), &PlanInputs::new(&profile).with_options(options).with_root_signature(Some(&signature)))
    });
}

/// Each resource has an entry of the map.
#[test]
fn binding_map() {
    let profile = lavapipe();
    grows("a binding map", SMALLEST, |count| {
        let entry = |i: usize| format!("{{ class = \"u\", space = 0, register = {i}, set = 0, binding = {i} }}");
        let entries = (0..count).map(entry).collect::<Vec<_>>().join(",");
        let map =
            BindingMap::parse(&format!("version = 1\nentries = [{entries}]")).unwrap_or_else(|error| panic!("{error}"));
        let options = BindingOptions::new(Model::Map, RegisterShifts::default());
        time(&shader(count), &PlanInputs::new(&profile).with_options(options).with_map(Some(&map)))
    });
}

/// Thousands of resources with long names and without places are an error of some hundred lines.
#[test]
fn resources_without_places() {
    let shader = Shader::parse(&overlapping(4_000)).unwrap_or_else(|error| panic!("{error}"));
    let (entry, _) = shader.entries().next().expect("an entry point");
    let profile = lavapipe();
    let (result, peak) = memory::peak(|| plan(&[PipelineStage::new(&shader, entry)], &PlanInputs::new(&profile)));
    let error = result.expect_err("one register");
    assert_eq!(error.kind(), ErrorKind::Binding);
    assert!(error.message().len() < 4 << 20 && peak < 64 << 20, "{} bytes, {peak}", error.message().len());
}

/// The resources of a pipeline are the product of its stages and the resources of their module. Few
/// stages have plans, and many are refused before anything is planned.
#[test]
fn stages_of_one_module() {
    let shader = shader(2_000);
    let (entry, _) = shader.entries().next().expect("an entry point");
    let profile = lavapipe();
    let planned = |stages: usize| {
        let stages = vec![PipelineStage::new(&shader, entry); stages];
        let before = memory::thread_time();
        let (result, peak) = memory::peak(|| plan(&stages, &PlanInputs::new(&profile)));
        (result.map(|plan| plan.stages.len()), peak, memory::thread_time() - before)
    };
    let (most, peak, time) = planned(100);
    assert!(most.is_ok_and(|stages| stages == 100), "100 stages have plans");
    assert!(peak < 256 << 20 && time < Duration::from_secs(2), "{peak} bytes, {time:?}");
    for stages in [200, 10_000] {
        let (refused, peak, time) = planned(stages);
        assert_eq!(refused.expect_err("too many").kind(), ErrorKind::Limit);
        assert!(peak < 16 << 20 && time < Duration::from_millis(500), "{peak} bytes, {time:?}");
    }
}

/// Stages of one module have the same resources. The text of a layout says them once, and a layout
/// as data is made without text: 64 stages take less than sixteen times as long as one.
#[test]
fn layouts_of_stages_of_one_module() {
    let shader = Shader::parse(&resources(2_000, 400)).unwrap_or_else(|error| panic!("{error}"));
    let (entry, _) = shader.entries().next().expect("an entry point");
    let profile = lavapipe();
    let inputs = PlanInputs::new(&profile);
    let times = |count: usize| {
        let stages = vec![PipelineStage::new(&shader, entry); count];
        let planned = plan(&stages, &inputs).unwrap_or_else(|error| panic!("{error}"));
        let parts: Vec<_> = stages.iter().map(|stage| stage.resources().expect("resources")).collect();
        let (text, time) =
            timed(|| binding::layout_text(&parts, None, &planned).unwrap_or_else(|error| panic!("{error}")));
        let (layout, of_layout) = timed(|| required_layout(&stages, &inputs, &planned));
        assert_eq!(layout.map(|layout| layout.sets.len()), Ok(1));
        (text, time, of_layout)
    };
    let mut said = String::new();
    for _ in 0..3 {
        let (one, many) = (times(1), times(64));
        assert_eq!(one.0, many.0);
        said = format!("one stage {:?} and {:?}, 64 stages {:?} and {:?}", one.1, one.2, many.1, many.2);
        println!("{said}");
        if many.1 < 16 * one.1 {
            return;
        }
    }
    panic!("{said}");
}

/// A library with a shader that reads `b1`.
fn rays() -> Shader {
    Shader::parse(&fixture("libraries/subobjects.all.dxil")).unwrap_or_else(|error| panic!("{error}"))
}

/// A local root signature with constants and one table of so many ranges.
fn local(constants: &str, ranges: usize) -> RootSignature {
    let ranges: Vec<_> = (0..ranges).map(|register| format!("UAV(u{register}, space=77)")).collect();
    let constants = format!("RootConstants(num32BitConstants=4, {constants})");
    let text = format!("RootFlags(LOCAL_ROOT_SIGNATURE), {constants}, DescriptorTable({})", ranges.join(", "));
    RootSignature::parse_text(&text, None).unwrap_or_else(|error| panic!("{error}"))
}

/// Stages that share a local root signature share what is searched in it: a long one costs 2,000
/// stages little more than a short one.
#[test]
fn records_of_one_local_root_signature() {
    let shader = rays();
    let entry = shader.find_entry(Some("shade")).unwrap_or_else(|error| panic!("{error}"));
    let profile = lavapipe();
    let (short, long) = (local("b1", 1), local("b1", 4_000));
    let time = |signature: &RootSignature| {
        let stages = vec![PipelineStage::new(&shader, entry).with_local_root_signature(Some(signature)); 2_000];
        let (planned, time) = timed(|| plan(&stages, &PlanInputs::new(&profile)));
        assert!(planned.is_ok_and(|plan| plan.stages.len() == 2_000));
        time
    };
    let mut said = String::new();
    for _ in 0..3 {
        let times = (time(&short), time(&long));
        said = format!("one range {:?}, 4,000 ranges {:?}", times.0, times.1);
        println!("{said}");
        if times.1 < 3 * times.0 + Duration::from_millis(50) {
            return;
        }
    }
    panic!("{said}");
}

/// A resource without a place has a message that names another stage whose record has it. It is
/// looked for in the records of all stages for those resources only that the error lists.
#[test]
fn resources_that_no_record_has() {
    let shader = rays();
    let entry = shader.find_entry(Some("shade")).unwrap_or_else(|error| panic!("{error}"));
    let profile = lavapipe();
    let root = RootSignature::parse_text("", None).unwrap_or_else(|error| panic!("{error}"));
    let options = BindingOptions::new(Model::RootSignature, RegisterShifts::default());
    grows("resources that no record has", 500, |count| {
        let signatures: Vec<_> = (0..count).map(|register| local(&format!("b{}", 2 + register), 1)).collect();
        let with = |signature| PipelineStage::new(&shader, entry).with_local_root_signature(signature);
        let stages: Vec<_> = signatures.iter().flat_map(|signature| [with(Some(signature)), with(None)]).collect();
        let inputs = PlanInputs::new(&profile).with_options(options).with_root_signature(Some(&root));
        let (planned, time) = timed(|| plan(&stages, &inputs));
        let error = planned.expect_err("no place");
        assert!(error.kind() == ErrorKind::Binding && error.message().len() < 100_000, "{error}");
        time
    });
}
