//! Plans and layouts as text.

use crate::ir::resources::ResourceId;
use dxil_base::entity::PrimaryMap;
use dxil_test_support::Random;

use super::*;
use crate::binding::root_signature::{DescriptorRange, RootParameter, RootParameterKind, RootVersion, Visibility};
use dxil_base::error::ErrorKind;

const LIST: [&str; 5] = [
    "b1 space0 ConstantBuffer",
    "t4[8] space1 Texture2D",
    "t0[] space2 Texture2D",
    "u6 space0 StructuredBuffer counter",
    "s7 space0 SamplerState",
];

fn shifted_plan(list: &PrimaryMap<ResourceId, Resource>) -> BindingPlan {
    let options = BindingOptions::new(Model::Register, "t=100,u=200,s=300".parse().unwrap());
    plan(&[stage(ShaderStage::Compute, list, None)], &options, None, &VULKAN_1_3_DESKTOP).unwrap().remove(0)
}

#[test]
fn a_plan_reads_back() {
    let list = resources(&LIST);
    let plan = shifted_plan(&list);
    let expected = r#"push_constant_size = 0

[resources]
"b1 space0".descriptor = { set = 0, binding = 1, type = "uniform_buffer" }
"t4 space1".descriptor = { set = 1, binding = 104, type = "sampled_image", count = 8 }
"t0 space2".descriptor = { set = 2, binding = 100, type = "sampled_image", count = "unbounded" }
"u6 space0".descriptor = { set = 0, binding = 206, type = "storage_buffer" }
"s7 space0".descriptor = { set = 0, binding = 307, type = "sampler" }

[counters]
"u6 space0".descriptor = { set = 0, binding = 1006, type = "storage_buffer" }
"#;
    assert_eq!(plan.to_string(), expected);
    assert_eq!(BindingPlan::parse(expected, &list).unwrap(), plan);
    // In any order, with comments.
    let mut tables: Vec<&str> = expected.split("\n\n").collect();
    tables[1..].reverse();
    let text = format!("# a plan\n\n{}  # the last", tables.join("\n # next\n"));
    assert_eq!(BindingPlan::parse(&text, &list).unwrap(), plan);
}

#[test]
fn push_constants_and_elements_read_back() {
    let list =
        ["b1 space0 ConstantBuffer", "t4 space1 Texture2D", "s0 space0 SamplerState", "s4[6] space0 SamplerState"];
    let list = resources(&list);
    let text = r#"[resources]
"b1 space0" = { push = { offset = 16, size = 12 } }
"t4 space1".descriptor = { set = 1, binding = 0, type = "combined_image_sampler", first = 4, count = 5 }
"s0 space0" = "unused"
"s4 space0".bindings = { set = 2, binding = 12, type = "sampler", count = 3 }
"#;
    let plan = BindingPlan::parse(text, &list).unwrap();
    let samplers = Location::Bindings(Descriptor::new(2, 12, D::Sampler).array(0, 3));
    let element = Descriptor { set: 1, binding: 0, ty: D::CombinedImageSampler, first: 4, count: 5 };
    let push = Location::Push { offset: 16, size: 12 };
    let expected = [push, Location::Descriptor(element), Location::Unused, samplers];
    assert_eq!(locations(&plan), expected);
    assert_eq!(plan.push_constant_size, 28);
    assert_eq!(BindingPlan::parse(&plan.to_string(), &list).unwrap(), plan);
}

/// The compiler gives the resources of a library that have no register the last one.
#[test]
fn resources_without_registers_read_back() {
    let list = resources(&[
        "t4294967295 space0 Texture2D",
        "u4294967295 space0 StructuredBuffer counter",
        "t4294967295 space0 Texture2D",
        "u4294967295 space0 StructuredBuffer counter",
    ]);
    let text = r#"push_constant_size = 0

[resources]
"t4294967295 space0".descriptor = { set = 0, binding = 0, type = "sampled_image" }
"u4294967295 space0" = "unused"
"t4294967295 space0 #2" = "unused"
"u4294967295 space0 #2".descriptor = { set = 0, binding = 1, type = "storage_buffer" }

[counters]
"u4294967295 space0 #2".descriptor = { set = 0, binding = 2, type = "storage_buffer" }
"#;
    let plan = BindingPlan::parse(text, &list).unwrap();
    let used = [at(0, 0, D::SampledImage), Location::Unused, Location::Unused, at(0, 1, D::StorageBuffer)];
    assert_eq!(locations(&plan), used);
    assert_eq!(plan.to_string(), text);
    for name in ["#1", "#02", "#3", "#0"] {
        let error = BindingPlan::parse(&text.replacen("#2", name, 1), &list).unwrap_err();
        let says =
            if name == "#3" { "the shader has no resource t4294967295 space0 #3" } else { "expected a register" };
        assert!(error.message().contains(says), "{error}");
    }
}

#[test]
fn every_place_reads_back() {
    let list = resources(&["b1 space0 ConstantBuffer", "t4 space0 Texture2D"]);
    let heap = r#"heap = { descriptor = { set = 1, binding = 0, type = "sampled_image" } }"#;
    let table =
        r#"heap = { descriptor = { set = 1, binding = 0, type = "sampled_image", first = 7, count = "unbounded" }"#;
    let block = r#"block = { set = 2, binding = 3, type = "inline_uniform_block" }"#;
    let push_sizes = [
        ("push = { offset = 16, size = 12 }", heap, 28),
        (&format!("inline = {{ {block}, offset = 4, size = 8 }}"), heap, 0),
        ("inline_address = { address = { push = 16 }, offset = 4, size = 8 }", heap, 24),
        ("address = { push = 8 }", heap, 16),
        ("address = { record = 24 }", r#"descriptor = { set = 0, binding = 0, type = "sampled_image" }"#, 0),
        ("record = { offset = 16, size = 4 }", &format!("{table}, table = {{ push = 20 }} }}"), 24),
        ("record = { offset = 16, size = 4 }", &format!("{table}, table = {{ record = 8 }} }}"), 0),
        ("record = { offset = 16, size = 4 }", &format!("{table}, table = {{ record = 8 }}, shift = 31 }}"), 0),
    ];
    for (b1, t4, size) in push_sizes {
        let places = format!("\n[resources]\n\"b1 space0\".{b1}\n\"t4 space0\".{t4}\n");
        let plan = BindingPlan::parse(&places, &list).unwrap();
        assert_eq!(
            (plan.to_string(), plan.push_constant_size),
            (format!("push_constant_size = {size}\n{places}"), size)
        );
    }
    let buffer = r#"{ set = 6, binding = 0, type = "storage_buffer" }"#;
    let text = format!(
        "push_constant_size = 0\nheap_ranges = {{ untyped = {{ buffer = {buffer}, first = 0 }}, below = 64 }}\n\n\
         [resources]\n\"t0 space0\".descriptor = {{ set = 0, binding = 0, type = \"storage_buffer\" }}\n\n\
         [ranges]\n\"t0 space0\" = {{ buffer = {buffer}, first = 9, stride = 3, offset = 2 }}\n"
    );
    let buffers = resources(&["t0 space0 StructuredBuffer"]);
    assert_eq!(BindingPlan::parse(&text, &buffers).unwrap().to_string(), text);
    for (from, to, says) in [
        ("offset = 2", "offset = 3", "the starts and sizes of t0"),
        ("offset = 2", "offset = 3", "there is no pair 3 in an entry that has space for 3"),
        ("first = 9", "first = 9, offset = 1, stride = 0", "duplicate key"),
        ("first = 0 }", "first = 0, offset = 1 }", "the starts and sizes of a heap: there is no pair 1"),
        ("first = 0 }", "firsts = 0 }", "unknown key `firsts`; did you mean `first`?"),
    ] {
        let error = BindingPlan::parse(&text.replacen(from, to, 1), &buffers).unwrap_err();
        assert!(error.message().contains(says), "{to}: {error}");
    }
    let texture = text
        .replace("t0 space0", "t4 space0")
        .replace("storage_buffer\" }\n\n[ranges]", "sampled_image\" }\n\n[ranges]");
    let error = BindingPlan::parse(&texture, &resources(&["t4 space0 Texture2D"])).unwrap_err();
    assert!(error.message().contains("only raw, structured and typed buffers in descriptors can"), "{error}");
    let unused = "push_constant_size = 0\n\n[resources]\n\"b1 space0\" = \"unused\"\n\"t4 space0\" = \"unused\"\n";
    assert_eq!(BindingPlan::parse(unused, &list).unwrap().to_string(), unused);
}

/// The plan of docs/bindings.md has every key, and is printed as it stands there.
#[test]
fn the_document_has_a_plan() {
    let document = include_str!("../../../../docs/bindings.md");
    let (_, text) = document.split_once("## The plan as text").unwrap();
    let text = text.split("```").nth(1).unwrap().strip_prefix("toml\n").unwrap();
    let list = resources(&[
        "t4 space0 Texture2D",
        "t0[] space3 Texture2D",
        "t1 space3 Texture2D",
        "t2 space0 ByteAddressBuffer",
        "t3 space0 RaytracingAccelerationStructure",
        "u0 space2 StructuredBuffer counter",
        "u1[4] space2 StructuredBuffer counter",
        "b7 space0 ConstantBuffer",
        "b8 space0 ConstantBuffer",
        "b9 space0 ConstantBuffer",
        "b10 space0 ConstantBuffer",
        "b11 space0 ConstantBuffer",
        "b12 space0 ConstantBuffer",
        "s0 space0 SamplerState",
        "s4[3] space0 SamplerState",
    ]);
    assert_eq!(BindingPlan::parse(text, &list).unwrap().to_string(), text);
}

#[test]
#[expect(clippy::too_many_lines, reason = "a flat table of texts")]
fn texts_that_do_not_fit_are_refused() {
    // Only a constant buffer that is not an array lives in push constants.
    for alone in ["t4 space0 Texture2D", "b4[2] space0 ConstantBuffer"] {
        let list = resources(&[alone]);
        let text = format!("resources.\"{} space0\".push = {{ offset = 0, size = 4 }}\n", &alone[..2]);
        let error = BindingPlan::parse(&text, &list).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Binding, "{alone}: {error}");
        assert!(error.message().contains("cannot live in push constants"), "{alone}: {error}");
    }
    let list = resources(&["b1 space0 ConstantBuffer", "t4[2] space0 Texture2D"]);
    let parse =
        |tables: &str, b1: &str, t4: &str| BindingPlan::parse(&format!("{tables}[resources]\n{t4}{b1}\n"), &list);
    let b1 = "\"b1 space0\".push = { offset = 0, size = 4 }\n";
    let t4 = "\"t4 space0\".descriptor = { set = 0, binding = 0, type = \"sampled_image\", count = 2 }\n";
    assert!(parse("", b1, t4).is_ok());
    // The text, where in its last line the mistake is, and what the error says.
    let malformed = [
        ("\"b1 space0\"", "", "key with no value, expected `=`"),
        ("b1 = \"unused\"", "b1", "expected a register such as `t0 space0`, found `b1`"),
        ("\"x1 space0\" = \"unused\"", "\"x1", "expected a register such as `t0 space0`, found `x1 space0`"),
        ("\"b+1 space0\" = \"unused\"", "\"b+1", "expected a register such as `t0 space0`, found `b+1 space0`"),
        ("\"é1 space0\" = \"unused\"", "\"é1", "expected a register such as `t0 space0`, found `é1 space0`"),
        ("\"b9 space0\" = \"unused\"", "\"unused\"", "the shader has no resource b9 space0"),
        ("\"b1 space0\" = \"unused\"\n\"b1 space0\" = \"unused\"", "\"b1", "duplicate key"),
        ("\"b1 space0\" = \"unuse\"", "\"unuse\"", "unknown name `unuse`; did you mean `unused`?"),
        (
            "\"b1 space0\".descriptor = { set = 0, binding = 0, type = \"uniform_bufer\" }",
            "\"uniform_bufer\"",
            "unknown name `uniform_bufer`; did you mean `uniform_buffer`?",
        ),
        (
            "\"b1 space0\".descriptor = { set = 0, bindings = 0, type = \"uniform_buffer\" }",
            "bindings",
            "unknown key `bindings`; did you mean `binding`?",
        ),
        ("\"b1 space0\".push = { offset = 4294967296, size = 4 }", "4294967296", "expected u32"),
        ("\"b1 space0\".push = { offset = 4 }", "{ offset", "missing key `size`"),
        ("\"b1 space0\".push = { offset = 4, size = 4, set = 0 }", "set = 0", "unexpected keys in table: set"),
        ("\"b1 space0\" = { push = {}, record = {} }", "{ push", "expected one key, found several"),
        ("\"b1 space0\" = {}", "{}", "expected one key, found none"),
        (
            "\"b1 space0\".descriptor = { set = 0, binding = 0, type = \"uniform_buffer\", count = 4294967295 }",
            "4294967295",
            "invalid value: integer `4294967295`, expected a 32-bit number or \"unbounded\"",
        ),
    ];
    for (b1, at, says) in malformed {
        let error = parse("", b1, t4).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Malformed, "{b1}: {error}");
        let column = match at {
            "" => 12,
            at => 1 + b1.lines().last().unwrap().find(at).unwrap() as u32,
        };
        assert_eq!(error.place(), Place::Column { line: 2 + b1.lines().count() as u32, column }, "{b1}: {error}");
        assert!(error.message().contains(says), "{b1}: {error}");
    }
    let error = parse("push_constant_size = 3\n", b1, t4).unwrap_err().to_string();
    let says = "push_constant_size is 3, but the places of the resources use 4 bytes";
    assert_eq!(error, format!("malformed at line 1 column 22: {says}"));
    let refused = [
        ("", t4, "no line for b1"),
        (b1, "", "no line for t4"),
        (
            "\"b1 space0\".descriptor = { set = 0, binding = 0, type = \"sampled_image\" }\n",
            t4,
            "cannot be a sampled_image",
        ),
        (b1, "\"t4 space0\".push = { offset = 0, size = 4 }\n", "cannot live in push constants"),
        (
            b1,
            "\"t4 space0\".heap = { descriptor = { set = 1, binding = 0, type = \"sampled_image\", count = \"unbounded\" }, \
             table = { push = 4 }, shift = 32 }\n",
            "cannot be shifted by 32 bits",
        ),
        ("\"b1 space0\".push = { offset = 4, size = 6 }\n", t4, "multiples of 4"),
        (b1, "\"t4 space0\".record = { offset = 0, size = 4 }\n", "cannot live in the shader record"),
        ("\"b1 space0\".address.push = 4\n", t4, "multiple of 8"),
        ("\"b1 space0\".inline_address = { address = { push = 4 }, offset = 4, size = 8 }\n", t4, "multiple of 8"),
        (
            "\"b1 space0\".inline = { block = { set = 0, binding = 0, type = \"sampler\" }, offset = 4, size = 8 }\n",
            t4,
            "expected one uniform block",
        ),
        (b1, "\"t4 space0\".address.push = 8\n", "cannot be one; only constant, raw and structured buffers"),
        (
            b1,
            "\"t4 space0\".heap.descriptor = { set = 1, binding = 0, type = \"storage_buffer\", count = \"unbounded\" }\n",
            "cannot be a storage_buffer",
        ),
        (
            b1,
            "\"t4 space0\".bindings = { set = 0, binding = 0, type = \"sampler\", count = 2 }\n",
            "only samplers can have a binding each",
        ),
        (b1, "\"t4 space0\".descriptor = { set = 0, binding = 0, type = \"sampled_image\" }\n", "does not fit"),
        (
            b1,
            "\"t4 space0\".descriptor = { set = 0, binding = 0, type = \"sampled_image\", first = 1, count = 2 }\n",
            "does not fit",
        ),
        (
            "\"b1 space0\" = \"unused\"\n[counters]\n\"b1 space0\".descriptor = { set = 0, binding = 0, type = \"storage_buffer\" }\n",
            t4,
            "has no counter",
        ),
    ];
    for (b1, t4, says) in refused {
        let error = parse("", b1, t4).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Binding, "{b1}{t4}: {error}");
        assert!(error.message().contains(says), "{b1}{t4}: {error}");
    }
}

#[test]
fn the_layout_as_text() {
    let bytes: &[u8] = include_bytes!("../../../../tests/fixtures/root-signatures/everything_1_1.dxil");
    let container = crate::container::Container::parse(bytes).unwrap();
    let root = RootSignature::from_container(&container).unwrap().unwrap();
    // n = 8 parameters, T = 3 tables.
    let pixel = resources(&[
        "t2 space0 Texture2D",
        "t8[] space1 Texture2D",
        "u0 space0 ByteAddressBuffer",
        "b0 space0 ConstantBuffer",
        "b0 space7 ConstantBuffer",
        "s0 space1 SamplerState",
        "s3 space0 SamplerState",
    ]);
    let vertex = resources(&["t2 space0 Texture2D", "b0 space7 ConstantBuffer"]);
    let stages = [stage(ShaderStage::Vertex, &vertex, None), stage(ShaderStage::Pixel, &pixel, Some(&root))];
    let plan = plan_pipeline(&stages, &BindingOptions::default(), None, &VULKAN_1_3_DESKTOP).unwrap();
    let expected = "model: root-signature
set 0
  binding 2: sampled_image, vertex|fragment
    t2 space0 Texture2D<f32>
  binding 18: sampled_image, count: unbounded, fragment
    t8[] space1 Texture2D<f32>
set 1
  binding 1: sampler, fragment
    s3 space0 SamplerState
set 3
  binding 1: uniform_buffer, vertex|fragment
    b1 space0, which these shaders do not use
  binding 3: storage_buffer, vertex|fragment
    t4 space3, which these shaders do not use
  binding 4: storage_buffer, fragment
    u0 space0 ByteAddressBuffer
  binding 8: sampler, fragment, immutable sampler
    s0 space1 SamplerState
    StaticSampler(s0, filter=FILTER_MIN_MAG_LINEAR_MIP_POINT, addressU=TEXTURE_ADDRESS_CLAMP, \
addressV=TEXTURE_ADDRESS_BORDER, addressW=TEXTURE_ADDRESS_MIRROR_ONCE, mipLODBias=-1.5, maxAnisotropy=4, \
comparisonFunc=COMPARISON_GREATER, borderColor=STATIC_BORDER_COLOR_OPAQUE_BLACK, minLOD=0.25, maxLOD=7.5, space=1, \
visibility=SHADER_VISIBILITY_PIXEL)
push constants: bytes 0 to 16, vertex|fragment
  bytes 12 to 16: b0 space7 ConstantBuffer size 64
  bytes 0 to 12: b0 space0 ConstantBuffer size 64
";
    assert_eq!(layout_text(&stages, None, &plan).unwrap(), expected);
}

#[test]
fn two_types_in_one_binding_ask_for_a_mutable_descriptor() {
    let range = |space: u32| DescriptorRange {
        class: ResourceClass::Srv,
        count: 1,
        register: 0,
        space,
        flags: 0,
        offset: 0,
        append: false,
    };
    let kind = RootParameterKind::Table(vec![range(0), range(1)]);
    let parameters = vec![RootParameter { visibility: Visibility::All, kind }];
    let root = RootSignature { version: RootVersion::V1_1, flags: 0, parameters, static_samplers: Vec::new() };
    let list = resources(&["t0 space0 Texture2D", "t0 space1 StructuredBuffer"]);
    let stages = [stage(ShaderStage::Compute, &list, Some(&root))];
    let mutable =
        LayoutBinding { mutable_types: vec![D::SampledImage, D::StorageBuffer], ..binding(0, D::Mutable, 1, 0x20) };
    let layout = PipelineLayout { sets: vec![Some(vec![mutable])], push_ranges: Vec::new() };
    let plan = plan_pipeline(&stages, &BindingOptions::default(), Some(&layout), &VULKAN_1_3_DESKTOP).unwrap();
    assert_eq!(required_layout(&stages, None, &plan).unwrap(), layout);
    assert!(
        layout_text(&stages, None, &plan)
            .unwrap()
            .contains("binding 0: mutable of sampled_image or storage_buffer, compute")
    );
}

/// Root constants of 160 and 16 bytes on a device with 128 bytes of push constants: in a block of
/// the root set beside descriptors, at an address beside addresses.
#[test]
fn long_constants_and_addresses_in_the_layout_as_text() {
    let constants = |register: u32, count: u32| RootParameterKind::Constants { register, space: 0, count };
    let table = RootParameterKind::Table(Vec::new());
    let cbv = RootParameterKind::Descriptor { class: ResourceClass::CBuffer, register: 1, space: 0, flags: 0 };
    let kinds = [constants(0, 40), table, cbv, constants(2, 4)];
    let parameters = kinds.map(|kind| RootParameter { visibility: Visibility::All, kind }).to_vec();
    let root = RootSignature { version: RootVersion::V1_1, flags: 0, parameters, static_samplers: Vec::new() };
    let list = resources(&["b0 space0 ConstantBuffer", "b1 space0 ConstantBuffer", "b2 space0 ConstantBuffer"]);
    let stages = [stage(ShaderStage::Compute, &list, Some(&root))];
    let text = |form| {
        let options = BindingOptions { root_descriptors: form, ..BindingOptions::default() };
        let plan = plan_pipeline(&stages, &options, None, &VULKAN_1_3_DESKTOP).unwrap();
        layout_text(&stages, None, &plan).unwrap()
    };
    let beside_descriptors = "model: root-signature
set 1
  binding 2: uniform_buffer, compute
    b1 space0 ConstantBuffer size 64
  binding 4: uniform_buffer, compute
    bytes 0 to 64: b0 space0 ConstantBuffer size 64
    bytes 160 to 176: b2 space0 ConstantBuffer size 64
";
    assert_eq!(text(RootDescriptors::Auto), beside_descriptors);
    let beside_addresses = "model: root-signature
set 1 has no bindings of root descriptors, which are addresses in the push constants; declare the set, which may be empty
push constants: bytes 0 to 16, compute
  bytes 8 to 16: address of the buffer of root constants, with b0 space0 ConstantBuffer size 64 at its bytes 0 to 64
  bytes 0 to 8: address of b1 space0 ConstantBuffer size 64
  bytes 8 to 16: address of the buffer of root constants, with b2 space0 ConstantBuffer size 64 at its bytes 160 to 176
";
    assert_eq!(text(RootDescriptors::Address), beside_addresses);
}

#[test]
fn a_shader_without_resources() {
    let list = resources(&[]);
    let stages = [stage(ShaderStage::Compute, &list, None)];
    let plan = plan_pipeline(&stages, &BindingOptions::default(), None, &VULKAN_1_3_DESKTOP).unwrap();
    assert_eq!(layout_text(&stages, None, &plan).unwrap(), "model: register\nno descriptors, no push constants\n");
    assert_eq!(required_layout(&stages, None, &plan).unwrap(), PipelineLayout::default());
}

#[test]
fn the_document_has_the_table_of_accepted_types() {
    let document = include_str!("../../../../docs/bindings.md");
    let rows = [
        ("constant buffer", "b0 space0 ConstantBuffer"),
        ("texture SRV", "t0 space0 Texture2DArray"),
        ("typed buffer SRV", "t0 space0 Buffer"),
        ("raw or structured buffer SRV", "t0 space0 StructuredBuffer"),
        ("raw or structured buffer SRV", "t0 space0 ByteAddressBuffer"),
        ("`tbuffer`", "t0 space0 TextureBuffer"),
        ("texture UAV", "u0 space0 Texture3D"),
        ("typed buffer UAV", "u0 space0 Buffer"),
        ("raw or structured buffer UAV", "u0 space0 StructuredBuffer"),
        ("raw or structured buffer UAV", "u0 space0 ByteAddressBuffer"),
        ("sampler", "s0 space0 SamplerState"),
        ("acceleration structure", "t0 space0 RaytracingAccelerationStructure"),
    ];
    let row = |label: &str, types: &[D]| {
        let names: Vec<String> = types.iter().map(|ty| ty.name().replace('_', " ")).collect();
        let mut text = names.join(", ");
        for buffer in ["uniform buffer", "storage buffer"] {
            text = text.replace(&format!("{buffer}, {buffer} dynamic"), &format!("{buffer} (also dynamic)"));
        }
        format!("| {label} | {text} |")
    };
    for (label, example) in rows {
        let line = row(label, layout::accepted(&resource(example)));
        assert!(document.lines().any(|found| found == line), "docs/bindings.md has no line `{line}`");
    }
    let line = row("counter of a UAV", layout::COUNTER_ACCEPTED);
    assert!(document.lines().any(|found| found == line), "docs/bindings.md has no line `{line}`");
}

#[test]
fn mutated_texts_never_panic() {
    let list = resources(&LIST);
    let text = shifted_plan(&list).to_string();
    let mut random = Random::new(7);
    let alphabet = b"0123456789 =\n#\".,{}[]tusbpushcountfirstunbounded4294967295";
    let mut accepted = 0;
    for _ in 0..20_000 {
        let mut bytes = text.clone().into_bytes();
        for _ in 0..=random.below(4) {
            let at = random.below(bytes.len());
            match random.below(3) {
                0 => bytes[at] = random.pick(alphabet),
                1 => bytes.insert(at, random.pick(alphabet)),
                _ => bytes.truncate(at.max(1)),
            }
        }
        if let Ok(plan) = BindingPlan::parse(std::str::from_utf8(&bytes).unwrap(), &list) {
            accepted += 1;
            assert_eq!(BindingPlan::parse(&plan.to_string(), &list).unwrap(), plan);
        }
    }
    assert!(accepted > 100 && accepted < 20_000, "{accepted} of 20000 mutations were accepted");
}
