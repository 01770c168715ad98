//! Binding maps: their text, and the places that they give.

use super::*;
use crate::binding::map::BindingMap;
use crate::binding::plan::{HeapAddresses, HeapDescriptors, PairPlace, Root};
use crate::ir::resources::UNBOUNDED;
use dxil_base::error::ErrorKind;
use dxil_base::limits;

fn map(entries: &str) -> Result<BindingMap> {
    BindingMap::parse(&format!("version = 1\nentries = [\n{entries}\n]"))
}

fn planned(stages: &[StageResources<'_>], entries: &str, layout: Option<&PipelineLayout>) -> Result<PipelinePlan> {
    let map = map(entries).unwrap();
    let inputs = PlanInputs::new(&VULKAN_1_3_DESKTOP).with_map(Some(&map)).with_layout(layout);
    super::super::plan_pipeline(stages, &inputs)
}

fn one(list: &[&str], entries: &str) -> Result<BindingPlan> {
    let resources = resources(list);
    Ok(planned(&[stage(ShaderStage::Compute, &resources, None)], entries, None)?.stages.remove(0))
}

#[test]
fn entries_give_places() {
    let list = [
        "b0 space0 ConstantBuffer",
        "b1 space0 ConstantBuffer",
        "t3 space0 Texture2D",
        "t5[2] space0 Texture2D",
        "t9 space1 Texture2D",
        "t0[] space2 Texture2D",
        "u1 space0 StructuredBuffer counter",
        "u2 space0 StructuredBuffer counter",
        "s0 space0 SamplerState",
    ];
    let entries = r#"
        { class = "b", register = 0, push = 16 },
        { class = "b", register = 1, set = 3, binding = 7 },
        { class = "t", register = 2, count = 6, set = 1, binding = 40 },
        { class = "t", register = 8, count = 4, space = 1, set = 0, binding = 2, first = 10 },
        { class = "t", register = 0, count = "unbounded", space = 2, set = 2, binding = 0 },
        { class = "u", register = 0, count = 2, set = 0, binding = 4, counter = { set = 1, binding = 90 } },
        { class = "u", register = 2, set = 0, binding = 8 },
        { class = "s", register = 0, set = 0, binding = 0, stages = ["compute"] }"#;
    let plan = one(&list, entries).unwrap();
    let d = |set, binding, ty, first, count| Descriptor { set, binding, ty, first, count };
    let expected = [
        Location::Push { offset: 16, size: 64 },
        at(3, 7, D::UniformBuffer),
        at(1, 41, D::SampledImage),
        Location::Descriptor(d(1, 43, D::SampledImage, 0, 2)),
        Location::Descriptor(d(0, 2, D::SampledImage, 11, 12)),
        Location::Descriptor(d(2, 0, D::SampledImage, 0, u32::MAX)),
        at(0, 5, D::StorageBuffer),
        at(0, 8, D::StorageBuffer),
        at(0, 0, D::Sampler),
    ];
    assert_eq!(locations(&plan), expected);
    let counters: Vec<_> = plan.resources.values().filter_map(|planned| planned.counter).collect();
    // The entry with two registers counts its counters up as well; without `counter`, the shift `c`
    // counts.
    let expected = [d(1, 91, D::StorageBuffer, 0, 1), d(0, 1008, D::StorageBuffer, 0, 1)];
    assert_eq!(counters, expected.map(CounterPlace::Descriptor));
    assert_eq!(plan.push_constant_size, 80);
}

#[test]
fn entries_are_for_stages() {
    let resources = resources(&["t0 space0 Texture2D"]);
    let stages = [stage(ShaderStage::Vertex, &resources, None), stage(ShaderStage::Pixel, &resources, None)];
    let entries = r#"
        { class = "t", register = 0, set = 0, binding = 1, stages = ["pixel", "geometry"] },
        { class = "t", register = 0, set = 0, binding = 2, stages = ["vertex"] }"#;
    let plan = planned(&stages, entries, None).unwrap();
    assert_eq!(plan.model, Model::Map);
    let places: Vec<_> = plan.stages.iter().flat_map(locations).collect();
    assert_eq!(places, [at(0, 2, D::SampledImage), at(0, 1, D::SampledImage)]);
    let entries = r#"{ class = "t", register = 0, set = 0, binding = 1, stages = ["pixel"] }"#;
    let error = planned(&stages, entries, None).unwrap_err();
    let says = "t0 space0 Texture2D<f32> (vertex) has no suitable place; map: entries[0] of the map (t0 space0 (pixel)) \
                has its registers, but not for the stage vertex";
    assert_eq!((error.kind(), error.message()), (ErrorKind::Binding, says));
}

#[test]
fn the_layout_is_checked() {
    let resources = resources(&["t0 space0 StructuredBuffer"]);
    let stages = [stage(ShaderStage::Compute, &resources, None)];
    let entries = r#"{ class = "t", register = 0, set = 0, binding = 1 }"#;
    let layout = |ty: D| PipelineLayout { sets: vec![Some(vec![binding(1, ty, 1, 0x20)])], push_ranges: Vec::new() };
    let plan = planned(&stages, entries, Some(&layout(D::StorageBufferDynamic))).unwrap();
    assert_eq!(locations(&plan.stages[0]), [at(0, 1, D::StorageBufferDynamic)]);
    let error = planned(&stages, entries, Some(&layout(D::Sampler))).unwrap_err();
    let says = "set 0 binding 1 (entries[0] of the map) of type storage_buffer";
    assert!(error.message().contains(says) && error.message().contains(": the layout has sampler\n"), "{error}");
}

#[test]
fn resources_without_a_place_are_named() {
    let entry = |text: &str| format!("{{ {text}, set = 0, binding = 0 }}");
    let range = entry(r#"class = "t", register = 2, count = 2"#);
    for (resource, entries, says) in [
        (
            "t1 space0 Texture2D",
            range.as_str(),
            "t1 space0 Texture2D<f32> (compute) has no suitable place; map: the map has no entry for its registers",
        ),
        ("t2 space1 Texture2D", &range, "the map has no entry"),
        ("t3[2] space0 Texture2D", &range, "entries[0] of the map (t2 to t3 space0) has only a part of its registers"),
        ("t1[2] space0 Texture2D", &range, "entries[0] of the map (t2 to t3 space0) has only a part of its registers"),
        ("t2[] space0 Texture2D", &range, "has only a part of its registers"),
        (
            "b0[2] space0 ConstantBuffer",
            r#"{ class = "b", register = 0, push = 0 }"#,
            "has only a part of its registers",
        ),
        (
            "b0 space0 ConstantBuffer",
            r#"{ class = "b", register = 0, push = 100 }"#,
            "map: push constants at bytes 100 to 164, but the device has only 128",
        ),
        (
            "t0 space0 Texture2D",
            r#"{ class = "t", register = 0, set = 99, binding = 0 }"#,
            "set 99 binding 0 (entries[0] of the map), but the device has only 8 sets",
        ),
        (
            "t1 space0 Texture2D",
            r#"{ class = "t", register = 0, count = 2, set = 0, binding = 4294967295 }"#,
            "the place of register 1 has no 32 bits",
        ),
        (
            "u0 space0 StructuredBuffer counter",
            r#"{ class = "u", register = 0, set = 0, binding = 4294967000 }"#,
            "binding 4294967000 plus shift c=1000 is not a 32-bit number",
        ),
    ] {
        let error = one(&[resource], entries).unwrap_err();
        assert!(error.kind() == ErrorKind::Binding && error.message().contains(says), "{resource}: {error}");
    }
    let ranges = r#"{ class = "t", register = 4, count = 9, set = 0, binding = 7, first = 2, ranges = { set = 3, binding = 1, first = 5, stride = 2, offset = 1 } }"#;
    let plan = one(&["t6[2] space0 StructuredBuffer"], ranges).unwrap();
    let buffer = Descriptor::new(3, 1, D::StorageBuffer);
    let found: Vec<_> = plan.resources.values().map(|planned| planned.range).collect();
    assert_eq!(found, [Some(PairPlace::new(buffer, 7, 2, 1))]);
    // A texture is whole.
    assert_eq!(
        one(&["t9 space0 Texture2D"], ranges).unwrap().resources.values().find_map(|planned| planned.range),
        None
    );
    let two = r#"{ class = "b", register = 0, push = 0 }, { class = "b", register = 1, push = 60 }"#;
    let error = one(&["b0 space0 ConstantBuffer", "b1 space0 ConstantBuffer"], two).unwrap_err();
    let says = "push constants at bytes 60 to 124, of which the map gives some to b0 space0 ConstantBuffer size 64, at bytes 0 to 64";
    assert!(error.message().contains(says), "{error}");
}

#[test]
fn shared_places() {
    let same = r#"
        { class = "t", register = 0, set = 0, binding = 0 },
        { class = "t", register = 1, set = 0, binding = 0 },
        { class = "s", register = 0, set = 0, binding = 0 }"#;
    let both = at(0, 0, D::CombinedImageSampler);
    assert_eq!(locations(&one(&["t0 space0 Texture2D", "s0 space0 SamplerState"], same).unwrap()), [both, both]);
    let alias = at(0, 0, D::SampledImage);
    assert_eq!(locations(&one(&["t0 space0 Texture2D", "t1 space0 Texture3D"], same).unwrap()), [alias, alias]);
    let error = one(&["t0 space0 Texture2D", "t1 space0 StructuredBuffer"], same).unwrap_err();
    let says = "set 0 binding 0 is also the place of t0 space0 Texture2D<f32> (compute): a binding has one descriptor type, \
                but the types are sampled_image and storage_buffer";
    assert!(error.message().contains(says), "{error}");
}

#[test]
fn buffers_at_addresses() {
    let entries = r#"
        { class = "b", register = 0, push = 0 },
        { class = "t", register = 0, address = 64 },
        { class = "u", register = 0, address = 72 }"#;
    let list = ["b0 space0 ConstantBuffer", "t0 space0 ByteAddressBuffer", "u0 space0 StructuredBuffer"];
    let places =
        [Location::Push { offset: 0, size: 64 }, Location::Address(Root::Push(64)), Location::Address(Root::Push(72))];
    let plan = one(&list, entries).unwrap();
    assert_eq!((locations(&plan), plan.push_constant_size), (places.to_vec(), 80));
    for (resource, entry, says) in [
        ("t0 space0 Texture2D", r#"class = "t", register = 0, address = 0"#, "a Texture2D cannot be one"),
        ("u0 space0 StructuredBuffer counter", r#"class = "u", register = 0, address = 0"#, "cannot have a counter"),
        ("u0 space0 StructuredBuffer", r#"class = "u", register = 0, address = 128"#, "the device has only 128"),
    ] {
        let error = one(&[resource], &format!("{{ {entry} }}")).unwrap_err();
        assert!(error.message().contains(says), "{error}");
    }
    let both = r#"{ class = "t", register = 0, address = 0 }, { class = "b", register = 0, push = 4 }"#;
    let error = one(&["b0 space0 ConstantBuffer", "t0 space0 ByteAddressBuffer"], both).unwrap_err();
    assert!(error.message().contains("push constants at bytes 0 to 8, of which the map gives some to b0"), "{error}");
    for (entry, says) in [
        (r#"class = "s", register = 0, address = 0"#, "`address` is for one buffer"),
        (r#"class = "t", register = 0, count = 2, address = 0"#, "`address` is for one buffer"),
        (r#"class = "t", register = 0, address = 4"#, "`address` is 4, which is not a multiple of 8"),
        (r#"class = "t", register = 0, address = 0, push = 0"#, "`address` is a place"),
        (r#"class = "t", register = 0, address = 0, set = 0, binding = 0"#, "`address` is a place"),
    ] {
        let error = map(&format!("{{ {entry} }}")).unwrap_err();
        assert!(error.message().contains(says), "{error}");
    }
}

/// The block of the tests, which is a uniform buffer.
fn block() -> Descriptor {
    Descriptor::new(2, 9, D::UniformBuffer)
}

#[test]
fn heaps_and_blocks() {
    let list = [
        "b0 space0 ConstantBuffer",
        "t0 space0 ByteAddressBuffer",
        "t1[3] space0 StructuredBuffer",
        "t4 space0 StructuredBuffer",
        "t9[] space0 RaytracingAccelerationStructure",
        "u1 space0 StructuredBuffer counter",
        "u2 space0 StructuredBuffer counter",
    ];
    let entries = r#"
        { class = "b", register = 0, push = 16, block = { set = 2, binding = 9 } },
        { class = "t", register = 0, address = 8, block = { set = 2, binding = 9 } },
        { class = "t", register = 1, count = 4, set = 1, binding = 0, first = 5, table = 4 },
        { class = "t", register = 9, count = "unbounded", set = 1, binding = 1, table = 80, block = { set = 2, binding = 9 }, addresses = { stride = 3, offset = 2 } },
        { class = "u", register = 1, set = 1, binding = 0, table = 4, counter = { set = 1, binding = 2, addresses = {} } },
        { class = "u", register = 2, set = 0, binding = 0, counter = { set = 1, binding = 2, addresses = { stride = 2 } } }"#;
    let plan = one(&list, entries).unwrap();
    let heap = |first| {
        let descriptor = Descriptor::new(1, 0, D::StorageBuffer).array(first, UNBOUNDED);
        Location::Heap(HeapDescriptors::new(descriptor, Some(Root::Push(4))))
    };
    let pairs = |binding, first, stride, offset| {
        PairPlace::new(Descriptor::new(1, binding, D::StorageBuffer), first, stride, offset)
    };
    let expected = [
        Location::Inline { block: block(), offset: 16, size: 64 },
        Location::Address(Root::Inline { block: block(), offset: 8 }),
        heap(5),
        heap(8),
        Location::HeapAddresses(HeapAddresses::new(
            pairs(1, 0, 3, 2),
            Some(Root::Inline { block: block(), offset: 80 }),
        )),
        heap(0),
        at(0, 0, D::StorageBuffer),
    ];
    assert_eq!(locations(&plan), expected);
    let counters: Vec<_> = plan.resources.values().filter_map(|planned| planned.counter).collect();
    assert_eq!(counters, [pairs(2, 0, 1, 0), pairs(2, 0, 2, 0)].map(CounterPlace::Addresses));
    assert_eq!(plan.push_constant_size, 8);
    // The text of a plan has the same places.
    let resources = resources(&list);
    assert_eq!(BindingPlan::parse(&plan.to_string(), &resources).unwrap(), plan);
}

#[test]
fn wrong_heaps_and_blocks() {
    let list = ["b0 space0 ConstantBuffer", "t0 space0 Texture2D", "t1 space0 ByteAddressBuffer"];
    let in_block = "block = { set = 2, binding = 9 }";
    let constants = format!(r#"{{ class = "b", register = 0, push = 4, {in_block} }}"#);
    let table = |register, binding, offset: u32| {
        let place = format!("set = 1, binding = {binding}, table = {offset}, {in_block}");
        format!(r#"{{ class = "t", register = {register}, {place} }}"#)
    };
    let entries = |second: String, third: String| format!("{constants}, {second}, {third}");
    assert!(one(&list, &entries(table(0, 0, 0), table(1, 1, 0))).is_ok(), "resources of one table");
    let error = one(&list, &entries(table(0, 0, 4), table(1, 1, 0))).unwrap_err();
    let says = "the block at set 2 binding 9 at bytes 4 to 8, of which the map gives some to b0";
    assert!(error.message().contains(says), "{error}");
    let error = one(&list, &entries(table(0, 0, 0), table(1, 0, 0))).unwrap_err();
    assert!(error.message().contains("a binding has one descriptor type"), "{error}");
    let addresses = r#"{ class = "t", register = 0, count = 2, set = 1, binding = 0, addresses = {} }"#;
    let error = one(&list[1..], addresses).unwrap_err();
    assert!(error.message().contains("`addresses` is for acceleration structures"), "{error}");
    for (entry, says) in [
        (r#"class = "t", register = 0, set = 0, binding = 0, block = { set = 1, binding = 0 }"#, "`block` has what"),
        (r#"class = "t", register = 0, table = 0"#, "no place"),
        (r#"class = "b", register = 0, push = 0, table = 0"#, "`push` is a place"),
        (r#"class = "t", register = 0, address = 0, addresses = {}"#, "`address` is a place"),
        (r#"class = "t", register = 0, set = 0, binding = 0, table = 2"#, "`table` is 2, which is not a multiple of 4"),
        (r#"class = "u", register = 0, set = 0, binding = 0, addresses = {}"#, "`addresses` is for class t only"),
        (
            r#"class = "t", register = 0, set = 0, binding = 0, addresses = { offset = 1 }"#,
            "`addresses` has pair 1 of an entry with space for 1",
        ),
        (
            r#"class = "u", register = 0, set = 0, binding = 0, counter = { set = 0, binding = 1, addresses = { offset = 1 } }"#,
            "`counter` has pair 1 of an entry with space for 1",
        ),
    ] {
        let error = map(&format!("{{ {entry} }}")).unwrap_err();
        assert!(error.message().contains(says), "{error}");
    }
}

#[test]
fn a_map_is_needed_and_preferred() {
    let resources = resources(&["t0 space0 Texture2D"]);
    let stages = [stage(ShaderStage::Compute, &resources, None)];
    let options = BindingOptions::new(Model::Map, RegisterShifts::default());
    let error = plan(&stages, &options, None, &VULKAN_1_3_DESKTOP).unwrap_err();
    assert!(error.kind() == ErrorKind::Binding && error.message().contains("`--map`"), "{error}");
    assert!(error.message().contains("setting `map`"), "{error}");
}

#[test]
fn unmatched_entries_are_listed() {
    let resources = resources(&["t0 space0 Texture2D", "t8[4] space0 Texture2D"]);
    let stages = [stage(ShaderStage::Compute, &resources, None)];
    let map = map(r#"{ class = "t", register = 0, count = 4, set = 0, binding = 0 },
           { class = "t", register = 4, set = 0, binding = 0, stages = ["pixel"] },
           { class = "u", register = 0, count = "unbounded", space = 7, set = 0, binding = 0 },
           { class = "t", register = 8, count = 4, set = 0, binding = 0 }"#);
    let unmatched = map.unwrap().unmatched(&stages);
    assert_eq!(unmatched, ["entries[1] (t4 space0 (pixel))", "entries[2] (u0 and above space7)"]);
}

#[test]
fn entries_that_overlap_are_both_named() {
    let entry = |text: &str| format!("{{ {text}, set = 0, binding = 0 }}");
    for (first, second, names) in [
        (
            r#"class = "t", register = 4"#,
            r#"class = "t", register = 0, count = 5"#,
            ["entries[1] (t0 to t4 space0)", "entries[0] (t4 space0)"],
        ),
        (
            r#"class = "t", register = 0, count = "unbounded""#,
            r#"class = "t", register = 4294967295"#,
            ["entries[0] (t0 and above space0)", "entries[1] (t4294967295 space0)"],
        ),
        (
            r#"class = "b", register = 1, stages = ["vertex", "pixel"]"#,
            r#"class = "b", register = 1, stages = ["pixel"]"#,
            ["entries[0] (b1 space0 (vertex, pixel))", "entries[1] (b1 space0 (pixel))"],
        ),
        (
            r#"class = "b", register = 1, stages = ["hull"]"#,
            r#"class = "b", register = 1"#,
            ["entries[0] (b1 space0 (hull))", "entries[1] (b1 space0)"],
        ),
    ] {
        let error = map(&format!("{}, {}", entry(first), entry(second))).unwrap_err();
        let [a, b] = names;
        let says = format!("{a} and {b} of the binding map overlap");
        assert!(error.kind() == ErrorKind::Malformed && error.message().contains(&says), "{error}");
    }
    for (first, second) in [
        (r#"class = "t", register = 0"#, r#"class = "u", register = 0"#),
        (r#"class = "t", register = 0"#, r#"class = "t", register = 0, space = 1"#),
        (r#"class = "t", register = 0"#, r#"class = "t", register = 1"#),
        (r#"class = "t", register = 0, stages = ["vertex"]"#, r#"class = "t", register = 0, stages = ["pixel"]"#),
    ] {
        assert!(map(&format!("{}, {}", entry(first), entry(second))).is_ok(), "{first}, {second}");
    }
}

#[test]
fn bad_texts_name_line_and_entry() {
    use dxil_base::error::Place as At;
    // The entries begin at line 3 of the text. Each case says where in its line the mistake is.
    for (entries, at, says) in [
        ("{", "", "invalid inline table element, expected key"),
        (r#"{ class = "x", register = 0 }"#, "\"x\"", "unknown class `x`; expected one of `b`, `t`, `u`, `s`"),
        (r#"{ class = "tt", register = 0 }"#, "\"tt\"", "expected a character"),
        (r#"{ class = "t", regster = 0 }"#, "regster", "unknown key `regster`; did you mean `register`?"),
        (r#"{ class = "t" }"#, "{", "missing key `register`"),
        (r#"{ class = "t", register = -1 }"#, "-1", "invalid value: integer `-1`, expected u32"),
        (r#"{ class = "t", register = 0, register = 1 }"#, "register = 1", "duplicate key"),
        (
            r#"{ class = "t", register = 0, count = "all" }"#,
            "\"all\"",
            "invalid value: string \"all\", expected a 32-bit number or \"unbounded\"",
        ),
        (
            r#"{ class = "t", register = 0, count = 4294967295 }"#,
            "4294967295",
            "invalid value: integer `4294967295`, expected a 32-bit number or \"unbounded\"",
        ),
        (
            r#"{ class = "t", register = 0, count = 0, set = 0, binding = 0 }"#,
            "{",
            "entries[0] of the binding map: `count` is 0, so no resource can match",
        ),
        (
            r#"{ class = "t", register = 1, count = 4294967294, set = 0, binding = 0 }, { class = "t", register = 3, count = 4294967294, set = 0, binding = 0 }"#,
            "{ class = \"t\", register = 3",
            "entries[1] of the binding map: 4294967294 registers from 3 on do not end within 32 bits",
        ),
        (
            r#"{ class = "t", register = 0, stages = [], set = 0, binding = 0 }"#,
            "{",
            "`stages` is empty, so no resource can match",
        ),
        (
            r#"{ class = "t", register = 0, stages = ["fragment"], set = 0, binding = 0 }"#,
            "{",
            "unknown stage `fragment`; expected one of pixel, vertex, geometry",
        ),
        (
            r#"{ class = "t", register = 0, stages = ["library"], set = 0, binding = 0 }"#,
            "{",
            "unknown stage `library`",
        ),
        (r#"{ class = "t", register = 0 }"#, "{", "no place; expected `set` and `binding`, `push` or `address`"),
        (r#"{ class = "t", register = 0, set = 0 }"#, "{", "no place"),
        (r#"{ class = "b", register = 0, push = 0, set = 0 }"#, "{", "`push` is a place"),
        (r#"{ class = "t", register = 0, push = 0 }"#, "{", "`push` is for one constant buffer"),
        (r#"{ class = "b", register = 0, count = 2, push = 0 }"#, "{", "`push` is for one constant buffer"),
        (r#"{ class = "b", register = 0, push = 6 }"#, "{", "`push` is 6, which is not a multiple of 4"),
        (
            r#"{ class = "t", register = 0, set = 0, binding = 0, counter = { set = 0, binding = 1 } }"#,
            "{",
            "`counter` is for class u only",
        ),
    ] {
        let error = map(entries).unwrap_err();
        let place = match at {
            "" => At::Column { line: 4, column: 1 },
            at => At::Column { line: 3, column: 1 + entries.find(at).unwrap() as u32 },
        };
        assert_eq!((error.kind(), error.place()), (ErrorKind::Malformed, place), "{entries}: {error}");
        assert!(error.message().contains(says), "{entries}: {error}");
    }
    for (text, kind, says) in [
        ("version = 2\nentries = []", ErrorKind::Unsupported, "version 2; this build reads version 1"),
        ("entries = []", ErrorKind::Malformed, "missing key `version`"),
        ("", ErrorKind::Malformed, "missing key `version`"),
        (r#"{ "version": 1, "entries": [] }"#, ErrorKind::Malformed, "invalid"),
        (&format!("entries = {}", "[".repeat(100_000)), ErrorKind::Limit, "more than 8 levels in a binding map"),
        (&" ".repeat(limits::TEXT_BYTES + 1), ErrorKind::Limit, "4194305 bytes in a binding map, the limit is 4194304"),
    ] {
        let error = BindingMap::parse(text).unwrap_err();
        assert!(error.kind() == kind && error.message().contains(says), "{error}");
    }
    let entry = |n: usize| format!("{{ class = \"t\", register = {n}, set = 0, binding = 0 }}");
    let many: Vec<String> = (0..=limits::MAP_ENTRIES).map(entry).collect();
    let error = map(&many.join(",")).unwrap_err();
    assert!(error.kind() == ErrorKind::Limit && error.message().contains("4097 entries"), "{error}");
    assert!(map(&many[1..].join(",")).is_ok());
}
