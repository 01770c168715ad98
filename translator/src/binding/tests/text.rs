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
    let expected = "b1 space0 = set 0 binding 1 uniform_buffer
t4 space1 = set 1 binding 104 sampled_image count 8
t0 space2 = set 2 binding 100 sampled_image count unbounded
u6 space0 = set 0 binding 206 storage_buffer counter set 0 binding 1006 storage_buffer
s7 space0 = set 0 binding 307 sampler
push_constant_size = 0
";
    assert_eq!(plan.to_string(), expected);
    assert_eq!(BindingPlan::parse(expected, &list).unwrap(), plan);
    // In any order, with comments.
    let mut lines: Vec<&str> = expected.lines().collect();
    lines.reverse();
    let text = format!("# a plan\n\n{}  # the last", lines.join("\n"));
    assert_eq!(BindingPlan::parse(&text, &list).unwrap(), plan);
}

#[test]
fn push_constants_and_elements_read_back() {
    let list = resources(&["b1 space0 ConstantBuffer", "t4 space1 Texture2D", "s0 space0 SamplerState"]);
    let text = "b1 space0 = push 16 size 12\nt4 space1 = set 1 binding 0 combined_image_sampler first 4 count 5
s0 space0 = unused\n";
    let plan = BindingPlan::parse(text, &list).unwrap();
    let element = Descriptor { set: 1, binding: 0, ty: D::CombinedImageSampler, first: 4, count: 5 };
    let expected = [Location::Push { offset: 16, size: 12 }, Location::Descriptor(element), Location::Unused];
    assert_eq!(locations(&plan), expected);
    assert_eq!(plan.push_constant_size, 28);
    assert_eq!(BindingPlan::parse(&plan.to_string(), &list).unwrap(), plan);
}

#[test]
fn every_place_reads_back() {
    let list = resources(&["b1 space0 ConstantBuffer", "t4 space0 Texture2D"]);
    let heap = "t4 space0 = heap set 1 binding 0 sampled_image";
    let push_sizes = [
        ("b1 space0 = push 16 size 12", heap, 28),
        ("b1 space0 = inline 4 size 8 of set 2 binding 3 inline_uniform_block", heap, 0),
        ("b1 space0 = inline 4 size 8 of address push 16", heap, 24),
        ("b1 space0 = address push 8", "t4 space0 = unused", 16),
        ("b1 space0 = address record 24", "t4 space0 = set 0 binding 0 sampled_image", 0),
        (
            "b1 space0 = record 16 size 4",
            "t4 space0 = heap set 1 binding 0 sampled_image first 7 count unbounded table push 20",
            24,
        ),
        (
            "b1 space0 = unused",
            "t4 space0 = heap set 1 binding 0 sampled_image first 7 count unbounded table record 8",
            0,
        ),
    ];
    for (b1, t4, size) in push_sizes {
        let text = format!("{b1}\n{t4}\npush_constant_size = {size}\n");
        let plan = BindingPlan::parse(&format!("{b1}\n{t4}\n"), &list).unwrap();
        assert_eq!((plan.to_string(), plan.push_constant_size), (text, size));
    }
}

#[test]
fn texts_that_do_not_fit_are_refused() {
    // Only a constant buffer that is not an array lives in push constants.
    for alone in ["t4 space0 Texture2D", "b4[2] space0 ConstantBuffer"] {
        let list = resources(&[alone]);
        let register = &alone[..2];
        let error = BindingPlan::parse(&format!("{register} space0 = push 0 size 4\n"), &list).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Binding, "{alone}: {error}");
        assert!(error.message().contains("cannot live in push constants"), "{alone}: {error}");
    }
    let list = resources(&["b1 space0 ConstantBuffer", "t4[2] space0 Texture2D"]);
    let (b1, t4) = ("b1 space0 = push 0 size 4\n", "t4 space0 = set 0 binding 0 sampled_image count 2\n");
    assert!(BindingPlan::parse(&format!("{b1}{t4}"), &list).is_ok());
    let malformed = [
        ("b1 space0\n", "expected `t0 space0"),
        ("b1 = unused\n", "expected a register such as `t0 space0`, found `b1`"),
        ("x1 space0 = unused\n", "expected a register such as `t0 space0`, found `x1 space0`"),
        ("b9 space0 = unused\n", "no resource b9 space0"),
        ("b1 space0 = unused\nb1 space0 = unused\n", "second line"),
        ("b1 space0 = unused now\n", "expected the end of the line, found `now`"),
        ("b1 space0 = set 0 binding 0 uniform\n", "unknown descriptor type `uniform`"),
        ("b1 space0 = set 0 bind 0 uniform_buffer\n", "expected `binding`, found `bind`"),
        ("b1 space0 = push 4294967296 size 4\n", "expected a 32-bit number, found `4294967296`"),
        ("b1 space0 = push 4\n", "expected `size`, found the end of the line"),
        (
            "b1 space0 = push 0 size 8\npush_constant_size = 4\n",
            "push_constant_size is 4, but the places above use 8 bytes",
        ),
    ];
    for (text, says) in malformed {
        let error = BindingPlan::parse(&format!("{t4}{text}"), &list).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Malformed, "{text}: {error}");
        let line = 1 + text.lines().count() as u32;
        assert_eq!(error.place(), Place::Line(line), "{text}: {error}");
        assert!(error.message().contains(says), "{text}: {error}");
    }
    let refused = [
        (t4, "no line for b1"),
        ("b1 space0 = set 0 binding 0 sampled_image\n", "cannot be a sampled_image"),
        ("t4 space0 = push 0 size 4\n", "cannot live in push constants"),
        ("b1 space0 = push 4 size 6\n", "multiples of 4"),
        ("t4 space0 = record 0 size 4\n", "cannot live in the shader record"),
        ("b1 space0 = address push 4\n", "multiple of 8"),
        ("b1 space0 = inline 4 size 8 of address push 4\n", "multiple of 8"),
        ("b1 space0 = inline 4 size 8 of set 0 binding 0 sampler\n", "expected one uniform block"),
        ("t4 space0 = address push 8\n", "cannot be one; only constant, raw and structured buffers"),
        ("t4 space0 = heap set 1 binding 0 storage_buffer count unbounded\n", "cannot be a storage_buffer"),
        ("t4 space0 = set 0 binding 0 sampled_image\n", "does not fit"),
        ("t4 space0 = set 0 binding 0 sampled_image first 1 count 2\n", "does not fit"),
        ("b1 space0 = unused counter set 0 binding 0 storage_buffer\n", "has no counter"),
    ];
    for (text, says) in refused {
        let rest = match text.starts_with("b1") {
            true => t4,
            false if text == t4 => "",
            false => b1,
        };
        let error = BindingPlan::parse(&format!("{rest}{text}"), &list).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Binding, "{text}: {error}");
        assert!(error.message().contains(says), "{text}: {error}");
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
    let mutable = LayoutBinding { mutable_types: vec![2, 7], ..binding(0, D::Mutable, 1, 0x20) };
    let layout = PipelineLayout { sets: vec![Some(vec![mutable])], push_ranges: Vec::new() };
    let plan = plan_pipeline(&stages, &BindingOptions::default(), Some(&layout), &VULKAN_1_3_DESKTOP).unwrap();
    assert_eq!(required_layout(&stages, None, &plan).unwrap(), layout);
    assert!(
        layout_text(&stages, None, &plan)
            .unwrap()
            .contains("binding 0: mutable of sampled_image or storage_buffer, compute")
    );
}

/// Root constants of 160 and 16 bytes on a device with 128 bytes of push constants: in a block of the
/// root set beside descriptors, at an address beside addresses.
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
    let alphabet = b"0123456789 =\n#tusbpushcountfirstunbounded4294967295";
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
