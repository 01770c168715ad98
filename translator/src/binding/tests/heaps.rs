//! Descriptor heaps: their sets in each model and arrangement, with and without a layout.

use super::tables::mixed;
use super::*;
use crate::binding::heap::view;
use crate::ir::resources::{Heap, ResourceId};
use dxil_base::entity::PrimaryMap;
use dxil_base::error::ErrorKind;
use dxil_base::profile::{DeviceProfile, Feature};

/// A view of a heap: `t Texture2D`, `u StructuredBuffer counter`, `s SamplerState`.
fn heap_view(text: &str) -> Resource {
    let (class, kind) = text.split_once(' ').unwrap();
    let from = resource(&format!("{class}0 space0 {kind}"));
    let heap = if from.class == ResourceClass::Sampler { Heap::Samplers } else { Heap::Resources };
    Resource { origin: DescriptorOrigin::Heap(heap), count: u32::MAX, ..from }
}

const KINDS: [&str; 7] = [
    "t Texture2D",
    "u Texture2D",
    "t Buffer",
    "u Buffer",
    "b ConstantBuffer",
    "u StructuredBuffer counter",
    "s SamplerState",
];

fn views(list: &[&str]) -> PrimaryMap<ResourceId, Resource> {
    list.iter().map(|text| heap_view(text)).collect()
}

fn at_sets(resources: u32, samplers: u32, counters: u32) -> BindingOptions {
    let heap_sets = HeapSets { resources: Some(resources), samplers: Some(samplers), counters: Some(counters) };
    BindingOptions { heap_sets, ..BindingOptions::new(Model::Register, RegisterShifts::default()) }
}

fn mutable() -> DeviceProfile {
    let mut profile = VULKAN_1_3_DESKTOP;
    profile.features.set(Feature::MutableDescriptorType, true);
    profile.limits.max_bound_descriptor_sets = 32;
    profile
}

fn typed() -> DeviceProfile {
    let mut profile = mutable();
    profile.features.set(Feature::MutableDescriptorType, false);
    profile
}

/// Set and binding of each view, and of the counters.
fn places(list: &PrimaryMap<ResourceId, Resource>, plan: &BindingPlan) -> Vec<(u32, u32)> {
    let views = list.values().map(|resource| view(&plan.heaps, resource).and_then(|place| place.descriptor()).unwrap());
    let counters = plan.heaps.counters.map(|counters| *counters.descriptor());
    views.chain(counters).map(|descriptor| (descriptor.set, descriptor.binding)).collect()
}

#[test]
fn a_mutable_heap_is_one_set() {
    let list = views(&KINDS);
    let stages = [stage(ShaderStage::Compute, &list, None)];
    let plan = plan(&stages, &at_sets(4, 6, 5), None, &mutable()).unwrap().remove(0);
    assert_eq!(places(&list, &plan), [(4, 0), (4, 0), (4, 0), (4, 0), (4, 0), (4, 0), (6, 0), (5, 0)]);
    let text = plan.to_string();
    assert!(text.contains("sampled_image = { set = 4, binding = 0 }\n"), "{text}");
    let counters =
        r#"heap_counters.descriptor = { set = 5, binding = 0, type = "storage_buffer", count = "unbounded" }"#;
    assert!(text.lines().any(|line| line == counters), "{text}");
    assert_eq!(BindingPlan::parse(&text, &list).unwrap(), plan);
}

#[test]
fn a_typed_heap_is_a_set_for_each_type() {
    let list = views(&KINDS);
    let stages = [stage(ShaderStage::Compute, &list, None)];
    let all = plan(&stages, &at_sets(4, 1, 2), None, &typed()).unwrap().remove(0);
    assert_eq!(places(&list, &all), [(4, 0), (5, 0), (6, 0), (7, 0), (8, 0), (9, 0), (1, 0), (2, 0)]);
    assert_eq!(BindingPlan::parse(&all.to_string(), &list).unwrap(), all);
    // The sets of one heap do not depend on what else the shader uses.
    let list = views(&["u StructuredBuffer"]);
    let stages = [stage(ShaderStage::Compute, &list, None)];
    let alone = plan(&stages, &at_sets(4, 1, 2), None, &typed()).unwrap().remove(0);
    assert_eq!(places(&list, &alone), [(9, 0)]);
}

#[test]
fn heaps_follow_the_sets_of_a_root_signature() {
    // Two tables and the root set are the sets 0 to 2.
    let (signature, list) = (mixed(), views(&KINDS));
    let stages = [stage(ShaderStage::Compute, &list, Some(&signature))];
    let plan =
        |profile: &DeviceProfile, options: &BindingOptions| plan(&stages, options, None, profile).unwrap().remove(0);
    let options = BindingOptions::default();
    let expected = [(4, 0), (4, 0), (4, 0), (4, 0), (4, 0), (4, 0), (3, 0), (5, 0)];
    assert_eq!(places(&list, &plan(&mutable(), &options)), expected);
    let expected = [(4, 0), (5, 0), (6, 0), (7, 0), (8, 0), (9, 0), (3, 0), (11, 0)];
    assert_eq!(places(&list, &plan(&typed(), &options)), expected);
    // A setting moves one heap alone.
    let mut options = BindingOptions::default();
    options.heap_sets.resources = Some(20);
    let expected = [(20, 0), (20, 0), (20, 0), (20, 0), (20, 0), (20, 0), (3, 0), (5, 0)];
    assert_eq!(places(&list, &plan(&mutable(), &options)), expected);
}

#[test]
fn a_heap_without_a_set_names_the_setting() {
    for (view, expected) in [
        (
            "t Texture2D",
            "ResourceDescriptorHeap t Texture2D<f32> (compute) has no suitable place; register: ResourceDescriptorHeap has \
             no descriptor set; give it one with `--resource-heap-set N` of dxil2spv or the layer's setting \
             `resource_heap_set`, or use the model root-signature",
        ),
        (
            "s SamplerState",
            "SamplerDescriptorHeap s SamplerState (compute) has no suitable place; register: SamplerDescriptorHeap has no \
             descriptor set; give it one with `--sampler-heap-set N` of dxil2spv or the layer's setting \
             `sampler_heap_set`, or use the model root-signature",
        ),
    ] {
        let list = views(&[view]);
        let stages = [stage(ShaderStage::Compute, &list, None)];
        let error = plan(&stages, &BindingOptions::default(), None, &mutable()).unwrap_err();
        assert_eq!((error.kind(), error.message()), (ErrorKind::Binding, expected));
    }
    let list = views(&["u StructuredBuffer counter"]);
    let stages = [stage(ShaderStage::Compute, &list, None)];
    let mut options = at_sets(4, 1, 2);
    options.heap_sets.counters = None;
    let error = plan(&stages, &options, None, &mutable()).unwrap_err();
    assert!(error.message().contains("`--heap-counter-set N` of dxil2spv"), "{error}");
}

#[test]
fn a_heap_has_its_set_alone() {
    let mut list = resources(&["t0 space4 Texture2D", "t0 space3 Texture2D"]);
    list.push(heap_view("t Texture2D"));
    let stages = [stage(ShaderStage::Compute, &list, None)];
    let error = plan(&stages, &at_sets(4, 1, 2), None, &mutable()).unwrap_err();
    assert!(error.message().starts_with("t0 space4 Texture2D"), "{error}");
    assert!(error.message().contains("set 4 binding 0 is in the set of the resource heap; give the heap"), "{error}");
    assert!(plan(&stages, &at_sets(5, 1, 2), None, &mutable()).is_ok());
}

#[test]
fn heaps_have_different_sets() {
    let profile = mutable();
    let refused = |kind: &str, options: &BindingOptions, profile: &DeviceProfile| {
        let list = views(&[kind]);
        plan(&[stage(ShaderStage::Compute, &list, None)], options, None, profile).map_err(|e| e.message().to_owned())
    };
    let error = refused("t Texture2D", &at_sets(1, 1, 2), &profile).unwrap_err();
    assert!(error.contains("set 1 is that of the resource heap and of the sampler heap; give them"), "{error}");
    let error = refused("t Texture2D", &at_sets(1, 2, 1), &profile).unwrap_err();
    assert!(error.contains("set 1 is that of the resource heap and of the counters of the resource heap"), "{error}");
    let error = refused("s SamplerState", &at_sets(1, 2, 2), &profile).unwrap_err();
    assert!(error.contains("set 2 is that of the sampler heap and of the counters of the resource heap"), "{error}");
    // With a set for each type, only a set that is used matters: set 6 is that of storage buffers.
    assert!(refused("t Texture2D", &at_sets(1, 6, 0), &typed()).is_ok());
    let error = refused("u StructuredBuffer", &at_sets(1, 6, 0), &typed()).unwrap_err();
    assert!(error.contains("set 6 is that of the resource heap and of the sampler heap"), "{error}");
}

#[test]
fn a_typed_heap_may_need_more_sets_than_there_are() {
    let list = views(&["u StructuredBuffer"]);
    let stages = [stage(ShaderStage::Compute, &list, None)];
    let mut profile = typed();
    profile.limits.max_bound_descriptor_sets = 8;
    let error = plan(&stages, &at_sets(4, 1, 2), None, &profile).unwrap_err();
    assert!(
        error.message().contains("set 9 binding 0 (ResourceDescriptorHeap), but the device has only 8 sets"),
        "{error}"
    );
    assert!(error.message().contains("mutableDescriptorType"), "{error}");
}

/// A layout whose set `set` is the binding, and whose other sets are empty.
fn layout_with(sets: &[(usize, LayoutBinding)]) -> PipelineLayout {
    let mut layout = PipelineLayout::default();
    for (set, binding) in sets {
        layout.sets.resize(layout.sets.len().max(set + 1), Some(Vec::new()));
        layout.sets[*set] = Some(vec![binding.clone()]);
    }
    layout
}

const COMPUTE: u32 = 0x20;

#[test]
fn the_layout_decides_the_arrangement_and_the_types() {
    let list = views(&["b ConstantBuffer", "t StructuredBuffer"]);
    let stages = [stage(ShaderStage::Compute, &list, None)];
    let options = at_sets(1, 0, 2);
    let plan = |layout: &PipelineLayout| plan(&stages, &options, Some(layout), &mutable());
    let types = |plan: &BindingPlan| -> Vec<D> {
        list.values()
            .map(|resource| view(&plan.heaps, resource).and_then(|place| place.descriptor()).unwrap().ty)
            .collect()
    };
    // Mutable descriptors that may be storage buffers and not uniform buffers.
    let only = LayoutBinding { mutable_types: vec![D::StorageBuffer], ..binding(0, D::Mutable, 100, COMPUTE) };
    let found = plan(&layout_with(&[(1, only)])).unwrap().remove(0);
    assert_eq!((types(&found), places(&list, &found)), (vec![D::StorageBuffer; 2], vec![(1, 0); 2]));
    // A set for each type, in spite of the device's feature: the set of storage buffers is the
    // sixth.
    let sets = [(1, binding(0, D::SampledImage, 9, COMPUTE)), (6, binding(0, D::StorageBuffer, 9, COMPUTE))];
    let found = plan(&layout_with(&sets)).unwrap().remove(0);
    assert_eq!((types(&found), places(&list, &found)), (vec![D::StorageBuffer; 2], vec![(6, 0); 2]));
    // The set of sampled images may be empty.
    let found = plan(&layout_with(&sets[1..])).unwrap().remove(0);
    assert_eq!((types(&found), places(&list, &found)), (vec![D::StorageBuffer; 2], vec![(6, 0); 2]));
    // Neither.
    let error = plan(&layout_with(&[(1, binding(0, D::SampledImage, 9, COMPUTE))])).unwrap_err();
    let wanted = "set 5 binding 0 (ResourceDescriptorHeap) of type uniform_buffer: the layout has only 2 sets";
    assert!(error.message().contains(wanted), "{error}");
    // Of another stage.
    let pixel = LayoutBinding { mutable_types: vec![D::StorageBuffer], ..binding(0, D::Mutable, 100, 0x10) };
    let error = plan(&layout_with(&[(1, pixel)])).unwrap_err();
    assert!(error.message().contains("leave out compute"), "{error}");
}

#[test]
fn the_required_layout_gives_the_plan_again() {
    for heap_counters in HeapCounters::ALL {
        for (profile, kinds) in [(mutable(), &KINDS[..]), (typed(), &KINDS[..]), (mutable(), &KINDS[5..6])] {
            let list = views(kinds);
            let stages = [stage(ShaderStage::Compute, &list, None)];
            let options = BindingOptions { heap_counters, ..at_sets(4, 1, 2) };
            let first = plan_pipeline(&stages, &options, None, &profile).unwrap();
            let layout = required_layout(&stages, None, &first).unwrap();
            let again = plan_pipeline(&stages, &options, Some(&layout), &typed()).unwrap();
            assert_eq!(again.stages, first.stages);
        }
    }
}

/// The counters are words at addresses, for which the heap's set of counters has one buffer.
#[test]
fn counters_by_address_are_one_buffer() {
    let list = views(&["u StructuredBuffer counter"]);
    let stages = [stage(ShaderStage::Compute, &list, None)];
    let options = BindingOptions { heap_counters: HeapCounters::Address, ..at_sets(4, 1, 2) };
    let found = plan(&stages, &options, None, &mutable()).unwrap().remove(0);
    let text = found.to_string();
    let counters = |ty: D| {
        format!("heap_counters.addresses = {{ buffer = {{ set = 2, binding = 0, type = \"{ty}\" }}, first = 0 }}\n")
    };
    assert!(text.contains(&counters(D::StorageBuffer)), "{text}");
    assert_eq!(BindingPlan::parse(&text, &list).unwrap(), found);
    let first = plan_pipeline(&stages, &options, None, &mutable()).unwrap();
    let report = layout_text(&stages, None, &first).unwrap();
    let expected = "set 2\n  binding 0: storage_buffer, compute\n    addresses of the counters of \
                    ResourceDescriptorHeap u StructuredBuffer counter\n";
    assert!(report.contains(expected), "{report}");
    let layout = required_layout(&stages, None, &first).unwrap();
    assert_eq!(layout.sets[2].as_ref().map(|bindings| bindings[0].count), Some(1));
    // A layout may make the buffer dynamic, and may not make it another type.
    let with = |ty: D| {
        let mut layout = layout.clone();
        layout.sets[2] = Some(vec![binding(0, ty, 1, COMPUTE)]);
        plan(&stages, &options, Some(&layout), &mutable())
    };
    let dynamic = with(D::StorageBufferDynamic).unwrap().remove(0);
    assert!(dynamic.to_string().contains(&counters(D::StorageBufferDynamic)));
    let error = with(D::StorageTexelBuffer).unwrap_err();
    let says = "its counter: set 2 binding 0 (the addresses of the counters of ResourceDescriptorHeap) of type storage_buffer or \
                storage_buffer_dynamic: the layout has storage_texel_buffer";
    assert!(error.message().contains(says), "{error}");
    let mut without = options;
    without.heap_sets.counters = None;
    let error = plan(&stages, &without, None, &mutable()).unwrap_err();
    let says = "the addresses of the counters of the resource heap have no set; give them one with `--heap-counter-set N` of \
                dxil2spv or the layer's setting `heap_counter_set`";
    assert!(error.message().contains(says), "{error}");
}

#[test]
fn the_text_of_a_plan_has_each_heap_once() {
    let list = views(&["t Texture2D"]);
    let counters = |kind: &str| format!("heap_counters.{kind}\n");
    let buffer =
        |ty: &str| format!("addresses = {{ buffer = {{ set = 1, binding = 0, type = \"{ty}\" }}, first = 0 }}");
    let descriptor = r#"descriptor = { set = 1, binding = 0, type = "storage_buffer", count = "unbounded" }"#;
    for (text, expected) in [
        (
            counters(&descriptor.replace("storage_buffer", "sampler")),
            "column 1: the counters of a heap cannot be a sampler",
        ),
        (
            counters(&buffer("storage_texel_buffer")),
            "the addresses of the counters of a heap cannot be a storage_texel_buffer",
        ),
        (counters(descriptor).repeat(2), "line 2 column 15: duplicate key"),
        (counters(descriptor) + &counters(&buffer("storage_buffer")), "expected one key, found several"),
        (counters(&descriptor.replace("\"unbounded\"", "2")), "all its counters in one runtime array, without `first`"),
        (
            counters(&buffer("storage_buffer").replace("first = 0", "first = 1")),
            "in one runtime array, without `first`",
        ),
        (
            "[heaps]\nsampler = { set = 1, binding = 0 }\nsampler = { set = 1, binding = 0 }".to_owned(),
            "line 3 column 1: duplicate key",
        ),
        (
            "heaps.sampler = { addresses = 1 }".to_owned(),
            "column 19: unknown key `addresses`; expected `set` or `binding`",
        ),
        ("heaps.texture = { set = 1, binding = 0 }".to_owned(), "column 7: unknown name `texture`"),
    ] {
        let error = BindingPlan::parse(&text, &list).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn tables_are_offsets_into_the_heaps() {
    // Constants b0 (3), a table, CBV b1, constants b2 (5), a table of samplers, UAV u7, two static
    // samplers.
    let signature = mixed();
    let list = resources(&[
        "b0 space0 ConstantBuffer",
        "t2 space0 Texture2D",
        "u1 space0 StructuredBuffer counter",
        "b1 space0 ConstantBuffer",
        "s4 space0 SamplerState",
        "s0 space0 SamplerState",
    ]);
    let stages = [stage(ShaderStage::Pixel, &list, Some(&signature))];
    let options = BindingOptions { root_tables: RootTables::Offsets, ..BindingOptions::default() };
    let found = plan(&stages, &options, None, &mutable()).unwrap().remove(0);
    // The root set is set 0, followed by the heaps. The tables are at bytes 12 and 36.
    let text = found.to_string();
    let expected = r#"push_constant_size = 40

[resources]
"b0 space0".push = { offset = 0, size = 12 }
"t2 space0".heap = { descriptor = { set = 2, binding = 0, type = "sampled_image", first = 2, count = "unbounded" }, table = { push = 12 } }
"u1 space0".heap = { descriptor = { set = 2, binding = 0, type = "storage_buffer", first = 5, count = "unbounded" }, table = { push = 12 } }
"b1 space0".descriptor = { set = 0, binding = 2, type = "uniform_buffer" }
"s4 space0".heap = { descriptor = { set = 1, binding = 0, type = "sampler", first = 1, count = "unbounded" }, table = { push = 36 } }
"s0 space0".descriptor = { set = 0, binding = 6, type = "sampler" }

[counters]
"u1 space0".descriptor = { set = 3, binding = 0, type = "storage_buffer", first = 5, count = "unbounded" }
"#;
    assert_eq!(text, expected);
    assert_eq!(BindingPlan::parse(&text, &list).unwrap(), found);
    // The counters may be at addresses, of which that of u1 is the table's sixth.
    let by_address = BindingOptions { heap_counters: HeapCounters::Address, ..options };
    let addresses = plan(&stages, &by_address, None, &mutable()).unwrap().remove(0);
    let place = r#"descriptor = { set = 3, binding = 0, type = "storage_buffer", first = 5, count = "unbounded" }"#;
    let buffer = r#"addresses = { buffer = { set = 3, binding = 0, type = "storage_buffer" }, first = 5 }"#;
    let by_address = expected.replace(place, buffer);
    assert_eq!(addresses.to_string(), by_address);
    assert_eq!(BindingPlan::parse(&by_address, &list).unwrap(), addresses);
    for (place, says) in [
        ("type = \"storage_buffer\", count = 2 }, f", "the addresses of counters are in one buffer, not in an array"),
        (
            "type = \"uniform_buffer\" }, f",
            "the addresses of the counters of u1 space0 StructuredBuffer counter: they cannot be a",
        ),
    ] {
        let other = by_address.replace("type = \"storage_buffer\" }, f", place);
        let error = BindingPlan::parse(&other, &list).unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    }
    // The layout to declare gives the same plan, and is refused without the index of a table.
    let first = plan_pipeline(&stages, &options, None, &mutable()).unwrap();
    let mut layout = required_layout(&stages, None, &first).unwrap();
    assert_eq!(plan(&stages, &options, Some(&layout), &typed()).unwrap(), first.stages);
    // Set 0 has the root descriptors, u7 among them, which the shader does not use, and the static
    // sampler that it uses.
    let root_set: Vec<_> = layout.sets[0].iter().flatten().map(|b| (b.binding, b.immutable_samplers)).collect();
    assert_eq!(root_set, [(2, false), (5, false), (6, true)]);
    layout.push_ranges[0].size = 36;
    let error = plan(&stages, &options, Some(&layout), &typed()).unwrap_err();
    assert!(error.message().contains("push constants at bytes 36 to 40"), "{error}");
    // With addresses, the indexes are at other bytes, which matters where the layout does not say.
    layout.sets[0] = None;
    layout.push_ranges[0].size = 128;
    let error = plan(&stages, &options, Some(&layout), &mutable()).unwrap_err();
    assert!(
        error.message().contains("the heap index of parameter 4, at byte 36 or 44 of the push constants"),
        "{error}"
    );
}

#[test]
fn too_many_sets_suggest_offsets() {
    let signature = mixed();
    let list = resources(&["s4 space0 SamplerState"]);
    let stages = [stage(ShaderStage::Pixel, &list, Some(&signature))];
    let mut profile = mutable();
    profile.limits.max_bound_descriptor_sets = 1;
    let error = plan(&stages, &BindingOptions::default(), None, &profile).unwrap_err();
    assert!(error.message().contains("tables need no sets of their own with `--root-tables offsets`"), "{error}");
}
