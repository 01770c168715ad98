//! The root-signature model, `auto` and the refusals of both.

use dxil_base::profile::{DeviceProfile, Feature};
use dxil_test_support::Random;

use super::*;
use crate::binding::plan::Root;
use crate::binding::root_signature::{
    DescriptorRange, RootParameter, RootParameterKind, RootVersion, StaticSampler, Visibility, flags,
};
use dxil_base::error::ErrorKind;

const APPEND: u32 = u32::MAX;

/// A table of `(class, first register, count, space, offset)`.
fn table(visibility: Visibility, ranges: &[(ResourceClass, u32, u32, u32, u32)]) -> RootParameter {
    let range = |&(class, register, count, space, offset): &_| DescriptorRange {
        class,
        count,
        register,
        space,
        flags: 0,
        offset,
        append: false,
    };
    RootParameter { visibility, kind: RootParameterKind::Table(ranges.iter().map(range).collect()) }
}

fn constants(visibility: Visibility, register: u32, count: u32) -> RootParameter {
    RootParameter { visibility, kind: RootParameterKind::Constants { register, space: 0, count } }
}

fn descriptor(class: ResourceClass, register: u32) -> RootParameter {
    let kind = RootParameterKind::Descriptor { class, register, space: 0, flags: 0 };
    RootParameter { visibility: All, kind }
}

fn sampler(register: u32, visibility: Visibility) -> StaticSampler {
    StaticSampler {
        filter: 0x15,
        address: [1; 3],
        mip_lod_bias: 0,
        max_anisotropy: 1,
        comparison: 4,
        border_color: 0,
        min_lod: 0,
        max_lod: 0,
        register,
        space: 0,
        visibility,
        flags: 0,
    }
}

fn signature(parameters: Vec<RootParameter>, static_samplers: Vec<StaticSampler>) -> RootSignature {
    RootSignature { version: RootVersion::V1_1, flags: 0, parameters, static_samplers }
}

use ResourceClass::{CBuffer, Sampler, Srv, Uav};
use Visibility::{All, Pixel, Vertex};

/// Six parameters, two of them tables, and two static samplers.
pub(super) fn mixed() -> RootSignature {
    signature(
        vec![
            constants(All, 0, 3),
            table(All, &[(Srv, 0, 4, 0, 0), (Uav, 0, 2, 0, 4), (CBuffer, 4, 2, 0, 10)]),
            descriptor(CBuffer, 1),
            constants(Pixel, 2, 5),
            table(Pixel, &[(Sampler, 3, 2, 0, 0)]),
            descriptor(Uav, 7),
        ],
        vec![sampler(0, All), sampler(1, Pixel)],
    )
}

fn pixel_plan(list: &[&str], root: &RootSignature, layout: Option<&PipelineLayout>) -> Result<PipelinePlan> {
    let resources = resources(list);
    let stages = [stage(ShaderStage::Pixel, &resources, Some(root))];
    plan_pipeline(&stages, &BindingOptions::default(), layout, &VULKAN_1_3_DESKTOP)
}

const MIXED: [&str; 11] = [
    "t1 space0 Texture2D",
    "t3 space0 StructuredBuffer",
    "u0 space0 Texture2D",
    "u1 space0 StructuredBuffer counter",
    "u7 space0 ByteAddressBuffer",
    "b0 space0 ConstantBuffer",
    "b1 space0 ConstantBuffer",
    "b2 space0 ConstantBuffer",
    "b5 space0 ConstantBuffer",
    "s1 space0 SamplerState",
    "s4 space0 SamplerState",
];

/// By hand: n = 6, T = 2, so the root set is 2; constants of 12 bytes at 0, of 20 at 12.
fn mixed_places() -> [Location; 11] {
    [
        at(0, 1, D::SampledImage),
        at(0, 3, D::StorageBuffer),
        at(0, 4, D::StorageImage),
        at(0, 5, D::StorageBuffer),
        at(2, 5, D::StorageBuffer),
        Location::Push { offset: 0, size: 12 },
        at(2, 2, D::UniformBuffer),
        Location::Push { offset: 12, size: 20 },
        at(0, 11, D::UniformBuffer),
        at(2, 7, D::Sampler),
        at(1, 1, D::Sampler),
    ]
}

#[test]
fn every_kind_of_parameter() {
    let plan = pixel_plan(&MIXED, &mixed(), None).unwrap();
    assert_eq!((plan.model, plan.second_choice), (Model::RootSignature, false));
    assert_eq!(locations(&plan.stages[0]), mixed_places());
    assert_eq!(plan.stages[0].push_constant_size, 32);
    let counter = plan.stages[0].resources.values().nth(3).unwrap().counter;
    let expected = Descriptor { set: 0, binding: 1005, ty: D::StorageBuffer, first: 0, count: 1 };
    assert_eq!(counter, Some(CounterPlace::Descriptor(expected)));
}

#[test]
fn a_layout_that_has_it_all_gives_the_same_plan() {
    let resources = resources(&MIXED);
    let root = mixed();
    let stages = [stage(ShaderStage::Pixel, &resources, Some(&root))];
    let plan = |layout: Option<&PipelineLayout>| {
        plan_pipeline(&stages, &BindingOptions::default(), layout, &VULKAN_1_3_DESKTOP).unwrap()
    };
    let first = plan(None);
    let layout = required_layout(&stages, None, &first).unwrap();
    assert_eq!(plan(Some(&layout)), first);
    assert_eq!(layout.push_ranges, [PushRange { stages: 0x10, offset: 0, size: 32 }]);
    let set = |set: usize| -> Vec<(u32, bool)> {
        layout.sets[set].as_ref().unwrap().iter().map(|b| (b.binding, b.immutable_samplers)).collect()
    };
    assert_eq!(set(0), [(1, false), (3, false), (4, false), (5, false), (11, false), (1005, false)]);
    assert_eq!(set(1), [(1, false)]);
    assert_eq!(set(2), [(2, false), (5, false), (7, true)]);
}

#[test]
fn constants_are_as_long_as_the_shorter_of_buffer_and_parameter() {
    // The buffer of `resource` has 64 bytes; one of 6 bytes takes two constants.
    let mut list = resources(&["b2 space0 ConstantBuffer"]);
    list.values_mut().for_each(|resource| resource.size = 6);
    let root = mixed();
    let stages = [stage(ShaderStage::Pixel, &list, Some(&root))];
    let plan = plan(&stages, &BindingOptions::default(), None, &VULKAN_1_3_DESKTOP).unwrap();
    assert_eq!(locations(&plan[0]), [Location::Push { offset: 12, size: 8 }]);
    assert_eq!(plan[0].push_constant_size, 20);
}

#[test]
fn visibility_decides_between_equal_registers() {
    let ranges = |visibility: Visibility| table(visibility, &[(Srv, 0, 1, 0, 0)]);
    let root = signature(vec![ranges(Vertex), ranges(Pixel)], Vec::new());
    let list = resources(&["t0 space0 Texture2D"]);
    let stages = [stage(ShaderStage::Vertex, &list, Some(&root)), stage(ShaderStage::Pixel, &list, None)];
    let plans = plan(&stages, &BindingOptions::default(), None, &VULKAN_1_3_DESKTOP).unwrap();
    assert_eq!(locations(&plans[0]), [at(0, 0, D::SampledImage)]);
    assert_eq!(locations(&plans[1]), [at(1, 0, D::SampledImage)]);
    // Compute sees what all stages see, and nothing else.
    let stages = [stage(ShaderStage::Compute, &list, Some(&root))];
    let error = plan(&stages, &BindingOptions::default(), None, &VULKAN_1_3_DESKTOP).unwrap_err();
    assert!(
        error
            .message()
            .contains("parameter 1 of the root signature has its registers, but only for SHADER_VISIBILITY_PIXEL")
    );
}

#[test]
fn an_array_in_any_stage_is_one_binding() {
    let root = signature(vec![table(All, &[(Srv, 0, 8, 0, 2)])], Vec::new());
    let arrays = resources(&["t1[4] space0 Texture2D"]);
    let single =
        resources(&["t0 space0 Texture2D", "t1 space0 Texture2D", "t3 space0 Texture2D", "t5 space0 Texture2D"]);
    let stages = [stage(ShaderStage::Pixel, &single, Some(&root)), stage(ShaderStage::Vertex, &arrays, Some(&root))];
    let plans = plan(&stages, &BindingOptions::default(), None, &VULKAN_1_3_DESKTOP).unwrap();
    let inside = |first: u32, count: u32| {
        Location::Descriptor(Descriptor { set: 0, binding: 3, ty: D::SampledImage, first, count })
    };
    // Registers 1 to 4 are offsets 3 to 6.
    assert_eq!(locations(&plans[1]), [inside(0, 4)]);
    let expected = [at(0, 2, D::SampledImage), inside(0, 1), inside(2, 3), at(0, 7, D::SampledImage)];
    assert_eq!(locations(&plans[0]), expected);
    // Without the stage that has the array, each is a binding.
    let plans = plan(&stages[..1], &BindingOptions::default(), None, &VULKAN_1_3_DESKTOP).unwrap();
    assert_eq!(locations(&plans[0])[2], at(0, 5, D::SampledImage));
}

#[test]
fn arrays_that_cross_can_not_be_reconciled() {
    let root = signature(vec![table(All, &[(Srv, 0, 8, 0, 0)])], Vec::new());
    let (one, other) = (resources(&["t0[4] space0 Texture2D"]), resources(&["t2[4] space0 Texture2D"]));
    let stages = [stage(ShaderStage::Vertex, &one, Some(&root)), stage(ShaderStage::Pixel, &other, Some(&root))];
    let error = plan(&stages, &BindingOptions::default(), None, &VULKAN_1_3_DESKTOP).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Binding);
    assert_eq!(error.place(), Place::Resource { class: 't', register: 2, space: 0 });
    assert!(error.message().contains("t0[4] space0 Texture2D"), "{error}");
}

#[test]
fn classic_bindless_shares_one_binding_by_type() {
    let ranges = [(Srv, 0, APPEND, 1, 0), (Srv, 0, APPEND, 2, 0), (Srv, 0, APPEND, 3, 0)];
    let root = signature(vec![table(All, &ranges)], Vec::new());
    let plan = pixel_plan(&["t0[] space1 Texture2D", "t7[] space2 Texture3D"], &root, None).unwrap();
    let place = |first: u32| {
        Location::Descriptor(Descriptor { set: 0, binding: 0, ty: D::SampledImage, first, count: u32::MAX })
    };
    assert_eq!(locations(&plan.stages[0]), [place(0), place(7)]);
    // Another type needs a mutable descriptor.
    let list = ["t0[] space1 Texture2D", "t0[] space3 StructuredBuffer"];
    let error = pixel_plan(&list, &root, None).unwrap_err();
    for text in ["range 0 of its table", "range 2 of its table", "mutable", "sampled_image and storage_buffer"] {
        assert!(error.message().contains(text), "`{text}` in {error}");
    }
    // Without a layout, a device with mutable descriptors has such a binding, which the layout to
    // declare shows.
    let mut profile = VULKAN_1_3_DESKTOP;
    profile.features.set(Feature::MutableDescriptorType, true);
    let shaders = resources(&list);
    let stages = [stage(ShaderStage::Pixel, &shaders, Some(&root))];
    let mixed = plan_pipeline(&stages, &BindingOptions::default(), None, &profile).unwrap();
    let layout = required_layout(&stages, None, &mixed).unwrap();
    assert_eq!(
        layout.binding(0, 0).map(|b| (b.ty, b.mutable_types.clone())),
        Some((D::Mutable, vec![D::SampledImage, D::StorageBuffer]))
    );
    assert_eq!(plan_pipeline(&stages, &BindingOptions::default(), Some(&layout), &profile).unwrap(), mixed);
    let mutable =
        LayoutBinding { mutable_types: vec![D::SampledImage, D::StorageBuffer], ..binding(0, D::Mutable, 1000, 0x10) };
    let layout = PipelineLayout { sets: vec![Some(vec![mutable])], push_ranges: Vec::new() };
    let plan = pixel_plan(&list, &root, Some(&layout)).unwrap();
    let types: Vec<_> = locations(&plan.stages[0])
        .into_iter()
        .map(|location| match location {
            Location::Descriptor(d) => Some(d.ty),
            _ => None,
        })
        .collect();
    assert_eq!(types, [Some(D::SampledImage), Some(D::StorageBuffer)]);
}

/// A register has one type in all stages. Mutable descriptors are for several ranges at one offset,
/// and do not help where two stages disagree about one range.
#[test]
fn stages_agree_about_the_type_of_a_range() {
    let root = signature(vec![table(All, &[(Srv, 0, 2, 0, 0)])], Vec::new());
    let (texture, buffer) = (resources(&["t1 space0 Texture2D"]), resources(&["t1 space0 StructuredBuffer"]));
    let stages = [stage(ShaderStage::Vertex, &texture, Some(&root)), stage(ShaderStage::Pixel, &buffer, Some(&root))];
    for mutable in [false, true] {
        let mut profile = VULKAN_1_3_DESKTOP;
        profile.features.set(Feature::MutableDescriptorType, mutable);
        let error = plan(&stages, &BindingOptions::default(), None, &profile).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Binding);
        let message = "a binding has one descriptor type, but the types are sampled_image and storage_buffer";
        assert!(error.message().contains(message), "{error}");
        assert!(!error.message().contains("mutable"), "{error}");
    }
}

#[test]
fn what_the_signature_does_not_have() {
    let root = mixed();
    let cases = [
        ("t9 space0 Texture2D", "the root signature does not have its registers"),
        ("t2 space1 Texture2D", "the root signature does not have its registers"),
        ("t2[4] space0 Texture2D", "parameter 1 of the root signature has only a part"),
        ("t0[] space0 Texture2D", "parameter 1 of the root signature has only a part"),
        ("s0[2] space0 SamplerState", "has only a part"),
        ("u7 space0 Texture2D", "parameter 5 is a root descriptor"),
        ("u7 space0 StructuredBuffer counter", "cannot have a counter, but the shader uses its counter"),
    ];
    for (text, says) in cases {
        let error = pixel_plan(&[text], &root, None).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Binding, "{text}");
        assert!(error.message().contains(says), "{text}: {error}");
    }
    let denied = RootSignature { flags: flags::DENY_PIXEL_SHADER_ROOT_ACCESS, ..mixed() };
    let error = pixel_plan(&["t0 space0 Texture2D"], &denied, None).unwrap_err();
    assert!(error.message().contains("DENY_PIXEL_SHADER_ROOT_ACCESS"), "{error}");
}

#[test]
fn each_graphics_stage_has_a_flag_that_denies_it() {
    let list = resources(&["t0 space0 Texture2D"]);
    let stages = [
        (ShaderStage::Vertex, flags::DENY_VERTEX_SHADER_ROOT_ACCESS, "DENY_VERTEX_"),
        (ShaderStage::Hull, flags::DENY_HULL_SHADER_ROOT_ACCESS, "DENY_HULL_"),
        (ShaderStage::Domain, flags::DENY_DOMAIN_SHADER_ROOT_ACCESS, "DENY_DOMAIN_"),
        (ShaderStage::Geometry, flags::DENY_GEOMETRY_SHADER_ROOT_ACCESS, "DENY_GEOMETRY_"),
        (ShaderStage::Pixel, flags::DENY_PIXEL_SHADER_ROOT_ACCESS, "DENY_PIXEL_"),
        (ShaderStage::Amplification, flags::DENY_AMPLIFICATION_SHADER_ROOT_ACCESS, "DENY_AMPLIFICATION_"),
        (ShaderStage::Mesh, flags::DENY_MESH_SHADER_ROOT_ACCESS, "DENY_MESH_"),
    ];
    for (at, flag, name) in stages {
        let attempt = |flags: u32| {
            let signature = RootSignature { flags, ..mixed() };
            let stages = [stage(at, &list, Some(&signature))];
            plan(&stages, &BindingOptions::default(), None, &VULKAN_1_3_DESKTOP).map(|_| ()).map_err(|e| e.to_string())
        };
        let error = attempt(flag).unwrap_err();
        assert!(error.contains(name), "{error}");
        // The flags of other stages do not deny it.
        let others = stages.iter().map(|stage| stage.1).filter(|&other| other != flag).fold(0, |all, flag| all | flag);
        assert!(!attempt(others).is_err_and(|error| error.contains("DENY_")), "{name}");
    }
}

#[test]
fn one_root_signature_per_pipeline() {
    let (one, other) = (mixed(), signature(Vec::new(), Vec::new()));
    let list = resources(&[]);
    let old = RootSignature { version: RootVersion::V1_0, ..other.clone() };
    let stages = [stage(ShaderStage::Vertex, &list, Some(&old)), stage(ShaderStage::Pixel, &list, Some(&other))];
    let error = plan(&stages, &BindingOptions::default(), None, &VULKAN_1_3_DESKTOP).unwrap_err();
    assert!(error.message().contains("version 1.0 and 1.1"), "{error}");
    let stages = [stage(ShaderStage::Vertex, &list, Some(&one)), stage(ShaderStage::Pixel, &list, Some(&other))];
    let attempt = |model: Model| {
        let options = BindingOptions { model, ..BindingOptions::default() };
        plan(&stages, &options, None, &VULKAN_1_3_DESKTOP)
    };
    let error = attempt(Model::Auto).unwrap_err();
    assert!(error.message().contains("vertex and pixel stages differ"), "{error}");
    assert!(error.message().contains("`RootFlags(0),` and `RootFlags(0)`"), "{error}");
    assert!(attempt(Model::Register).is_ok());
    let none = [stage(ShaderStage::Compute, &list, None)];
    let options = BindingOptions { model: Model::RootSignature, ..BindingOptions::default() };
    assert_eq!(plan(&none, &options, None, &VULKAN_1_3_DESKTOP).unwrap_err().kind(), ErrorKind::Binding);
    let local = RootSignature { flags: flags::LOCAL_ROOT_SIGNATURE, ..mixed() };
    let stages = [stage(ShaderStage::Compute, &list, Some(&local))];
    let error = plan(&stages, &options, None, &VULKAN_1_3_DESKTOP).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Binding);
    assert!(error.message().starts_with("expected the pipeline's global root signature, found a local one"), "{error}");
}

/// An offset that is given and one that is appended mean the same descriptor.
#[test]
fn equal_offsets_are_one_root_signature_however_they_are_given() {
    let given = signature(vec![table(All, &[(Srv, 0, 2, 0, 0), (Uav, 0, 1, 0, 2)])], Vec::new());
    let mut appended = given.clone();
    if let RootParameterKind::Table(ranges) = &mut appended.parameters[0].kind {
        ranges[1].append = true;
    }
    assert_ne!(given, appended);
    let list = resources(&["u0 space0 ByteAddressBuffer"]);
    let stages = [stage(ShaderStage::Vertex, &list, Some(&given)), stage(ShaderStage::Pixel, &list, Some(&appended))];
    assert!(plan(&stages, &BindingOptions::default(), None, &VULKAN_1_3_DESKTOP).is_ok());
}

/// A root signature that did not come with a container counts for the whole pipeline.
#[test]
fn a_given_root_signature_comes_first() {
    let list = resources(&["t0 space0 Texture2D"]);
    let (own, given) = (
        RootSignature { parameters: vec![table(All, &[(Srv, 0, 1, 0, 3)])], ..mixed() },
        RootSignature { parameters: vec![table(All, &[(Srv, 0, 1, 0, 7)])], ..mixed() },
    );
    for root_signature in [None, Some(&own)] {
        let stages = [stage(ShaderStage::Compute, &list, root_signature)];
        let inputs = PlanInputs::new(&VULKAN_1_3_DESKTOP).with_root_signature(Some(&given));
        let plan = super::super::plan_pipeline(&stages, &inputs).unwrap();
        assert_eq!((plan.model, locations(&plan.stages[0])), (Model::RootSignature, vec![at(0, 7, D::SampledImage)]));
    }
}

fn root_set(below_n: bool) -> PipelineLayout {
    let root = if below_n { vec![binding(2, D::UniformBufferDynamic, 1, 0x10)] } else { Vec::new() };
    let push_ranges = vec![PushRange { stages: 0x10, offset: 0, size: 128 }];
    PipelineLayout { sets: vec![Some(Vec::new()), Some(Vec::new()), Some(root)], push_ranges }
}

/// By hand, from the order of the parameters: b0 takes bytes 0 to 12, so the address of b1 is at 16
/// to 24, b2 takes 24 to 44, and the address of u7 is at 48.
#[test]
fn a_root_set_without_root_descriptors_makes_them_addresses() {
    let list = [
        "b0 space0 ConstantBuffer",
        "b1 space0 ConstantBuffer",
        "b2 space0 ConstantBuffer",
        "u7 space0 ByteAddressBuffer",
    ];
    let plan = pixel_plan(&list[1..2], &mixed(), Some(&root_set(true))).unwrap();
    assert_eq!(locations(&plan.stages[0]), [at(2, 2, D::UniformBufferDynamic)]);
    assert!(!plan.root_addresses);
    let plan = pixel_plan(&list, &mixed(), Some(&root_set(false))).unwrap();
    let expected = [
        Location::Push { offset: 0, size: 12 },
        Location::Address(Root::Push(16)),
        Location::Push { offset: 24, size: 20 },
        Location::Address(Root::Push(48)),
    ];
    assert_eq!((locations(&plan.stages[0]), plan.stages[0].push_constant_size), (expected.to_vec(), 56));
    assert!(plan.root_addresses);
    let mut short = root_set(false);
    short.push_ranges[0].size = 52;
    let error = pixel_plan(&list, &mixed(), Some(&short)).unwrap_err();
    assert!(
        error.message().contains("push constants at bytes 48 to 56: the layout's range is bytes 0 to 52"),
        "{error}"
    );
    let error = pixel_plan(&["u7 space0 ByteAddressBuffer counter"], &mixed(), Some(&root_set(false))).unwrap_err();
    assert!(error.message().contains("cannot have a counter"), "{error}");
    // An acceleration structure has an address too.
    let root = signature(vec![descriptor(Srv, 3)], Vec::new());
    let layout = PipelineLayout { sets: vec![Some(Vec::new())], ..root_set(false) };
    let plan = pixel_plan(&["t3 space0 RaytracingAccelerationStructure"], &root, Some(&layout)).unwrap();
    assert_eq!(locations(&plan.stages[0]), [Location::Address(Root::Push(0))]);
}

#[test]
fn addresses_fit_in_push_constants() {
    // By hand: 17 addresses take 136 bytes, and the device has 128.
    let root = signature((0..17).map(|register| descriptor(Srv, register)).collect(), Vec::new());
    let layout = PipelineLayout { sets: vec![Some(Vec::new())], ..root_set(false) };
    assert!(pixel_plan(&["t15 space0 ByteAddressBuffer"], &root, Some(&layout)).is_ok());
    let error = pixel_plan(&["t16 space0 ByteAddressBuffer"], &root, Some(&layout)).unwrap_err();
    assert!(error.message().contains("parameter 16 at bytes 128 to 136, but the device has only 128 bytes"), "{error}");
}

/// Pipeline libraries may leave sets null: such a layout must not move root constants.
#[test]
fn a_layout_without_the_root_set_does_not_say_how_root_descriptors_go() {
    let mut null = root_set(true);
    null.sets[2] = None;
    let none = PipelineLayout { sets: Vec::new(), ..root_set(true) };
    for (layout, lacks) in [(null, "the layout leaves set 2 out"), (none, "the layout has only 0 sets")] {
        // The fault comes first, and the advice after all faults.
        let unknown = format!("{lacks}, so it does not say whether root descriptors are addresses\n");
        let advice = "\n`--root-descriptors` of dxil2spv or the layer's setting `root_descriptors` says whether root \
                      descriptors are addresses: descriptor or address\n`dxil2spv layout` prints";
        // Parameter 0 comes before the root descriptor: its place does not depend on it.
        let planned = pixel_plan(&["b0 space0 ConstantBuffer"], &mixed(), Some(&layout)).unwrap();
        assert_eq!(locations(&planned.stages[0]), [Location::Push { offset: 0, size: 12 }]);
        let error = pixel_plan(&["b2 space0 ConstantBuffer"], &mixed(), Some(&layout)).unwrap_err();
        let expected = format!("root constants of parameter 3, at byte 12 or 24 of the push constants: {unknown}");
        assert!(error.message().contains(&expected) && error.message().contains(advice), "{error}");
        let error = pixel_plan(&["b1 space0 ConstantBuffer"], &mixed(), Some(&layout)).unwrap_err();
        let expected = format!("set 2 binding 2 (root descriptor): {unknown}");
        assert!(error.message().contains(&expected) && error.message().contains(advice), "{error}");
        // Advice about root descriptors is for messages about them.
        let error = pixel_plan(&["s4 space0 SamplerState"], &mixed(), Some(&layout)).unwrap_err();
        assert!(!error.message().contains("root_descriptors"), "{error}");
        for (form, offset) in [(RootDescriptors::Descriptor, 12), (RootDescriptors::Address, 24)] {
            let options = BindingOptions { root_descriptors: form, ..BindingOptions::default() };
            let (list, root) = (resources(&["b2 space0 ConstantBuffer"]), mixed());
            let stages = [stage(ShaderStage::Pixel, &list, Some(&root))];
            let plans = plan(&stages, &options, Some(&layout), &VULKAN_1_3_DESKTOP).unwrap();
            assert_eq!(locations(&plans[0]), [Location::Push { offset, size: 20 }]);
        }
    }
}

#[test]
fn by_address_moves_the_constants_behind_root_descriptors() {
    // By hand: 12 bytes of constants, the address of parameter 2 at 16, so parameter 3 is at 24.
    let plan = pixel_plan(&["b2 space0 ConstantBuffer"], &mixed(), Some(&root_set(false))).unwrap();
    assert_eq!(locations(&plan.stages[0]), [Location::Push { offset: 24, size: 20 }]);
    let plan = pixel_plan(&["b2 space0 ConstantBuffer"], &mixed(), Some(&root_set(true))).unwrap();
    assert_eq!(locations(&plan.stages[0]), [Location::Push { offset: 12, size: 20 }]);
}

fn inline(set: u32, binding: u32, ty: D, offset: u32, size: u32) -> Location {
    Location::Inline { block: Descriptor { set, binding, ty, first: 0, count: 1 }, offset, size }
}

/// Three parameters and two static samplers, so the block of root constants is binding 5 of the
/// root set, which is set 0. `VULKAN_1_3_DESKTOP` has 128 bytes of push constants.
#[test]
fn root_constants_that_do_not_fit_are_in_a_block_of_the_root_set() {
    let samplers = vec![sampler(0, All), sampler(1, All)];
    let root = signature(vec![constants(All, 0, 12), descriptor(Srv, 0), constants(All, 1, 21)], samplers);
    let list = ["b0 space0 ConstantBuffer", "b1 space0 ConstantBuffer", "t0 space0 ByteAddressBuffer"];
    let plan = pixel_plan(&list, &root, None).unwrap();
    // The constant buffers declare 64 bytes each.
    let ty = D::UniformBuffer;
    let expected = [inline(0, 5, ty, 0, 48), inline(0, 5, ty, 48, 64), at(0, 1, D::StorageBuffer)];
    assert_eq!(locations(&plan.stages[0]), expected);
    assert_eq!(plan.stages[0].push_constant_size, 0);
    let mut wide: DeviceProfile = VULKAN_1_3_DESKTOP;
    wide.limits.max_push_constants_size = 132;
    let resources = resources(&list);
    let stages = [stage(ShaderStage::Pixel, &resources, Some(&root))];
    let fits = plan_pipeline(&stages, &BindingOptions::default(), None, &wide).unwrap();
    assert_eq!(locations(&fits.stages[0])[1], Location::Push { offset: 48, size: 64 });
    // A layout decides: with the block's binding they are there, and it has to be large enough.
    let layout = |ty: D, bytes: u32| PipelineLayout {
        sets: vec![Some(vec![binding(1, D::StorageBuffer, 1, 0x10), binding(5, ty, bytes, 0x10)])],
        ..root_set(true)
    };
    for profile in [&VULKAN_1_3_DESKTOP, &wide] {
        let ty = D::InlineUniformBlock;
        let plan = plan_pipeline(&stages, &BindingOptions::default(), Some(&layout(ty, 112)), profile).unwrap();
        assert_eq!(locations(&plan.stages[0])[..2], [inline(0, 5, ty, 0, 48), inline(0, 5, ty, 48, 64)]);
    }
    let error = pixel_plan(&list, &root, Some(&layout(D::InlineUniformBlock, 108))).unwrap_err();
    for says in ["b1 space0", "set 0 binding 5 (root parameter 2, root constants)", "108 bytes, but 112 are needed"] {
        assert!(error.message().contains(says), "`{says}` in {error}");
    }
    // What is wrong comes first: b1, although b0 is the first resource.
    let first = "b1 space0 ConstantBuffer size 64 (pixel) has no suitable place; root-signature: set 0 binding 5";
    assert!(
        error.message().starts_with(first) && error.place() == Place::Resource { class: 'b', register: 1, space: 0 }
    );
    let error = pixel_plan(&list, &root, Some(&layout(D::StorageImage, 1))).unwrap_err();
    assert!(error.message().contains("the layout has storage_image"), "{error}");
    // Without it they are push constants, as far as there are some.
    let mut none = layout(ty, 1);
    none.sets[0].as_mut().unwrap().pop();
    let error = pixel_plan(&list, &root, Some(&none)).unwrap_err();
    for says in ["parameter 2 at bytes 48 to 132", "only 128 bytes", "inline uniform block", "set 0 binding 5"] {
        assert!(error.message().contains(says), "`{says}` in {error}");
    }
    let plan = pixel_plan(&list[..1], &root, Some(&none)).unwrap();
    assert_eq!(locations(&plan.stages[0]), [Location::Push { offset: 0, size: 48 }]);
}

/// By address: t0 at bytes 0 to 8, and the buffer with the constants after the last address.
#[test]
fn root_constants_that_do_not_fit_beside_addresses_are_at_an_address() {
    let root = signature(vec![constants(All, 0, 12), descriptor(Srv, 0), constants(All, 1, 21)], Vec::new());
    let list = ["b1 space0 ConstantBuffer", "t0 space0 ByteAddressBuffer"];
    let empty = PipelineLayout { sets: vec![Some(Vec::new())], ..root_set(true) };
    let plan = pixel_plan(&list, &root, Some(&empty)).unwrap();
    let constants = Location::InlineAddress { address: Root::Push(8), offset: 48, size: 64 };
    assert_eq!(locations(&plan.stages[0]), [constants, Location::Address(Root::Push(0))]);
    assert_eq!(plan.stages[0].push_constant_size, 16);
    let block = PipelineLayout { sets: vec![Some(vec![binding(3, D::UniformBuffer, 1, 0x10)])], ..empty };
    let plan = pixel_plan(&list, &root, Some(&block)).unwrap();
    let expected = [inline(0, 3, D::UniformBuffer, 48, 64), Location::Address(Root::Push(0))];
    assert_eq!(locations(&plan.stages[0]), expected);
    // A layout that leaves out the root set does not say which of the two.
    let null = PipelineLayout { sets: vec![None], ..block };
    let error = pixel_plan(&list[..1], &root, Some(&null)).unwrap_err();
    assert!(
        error.message().contains("in push constants or in set 0 binding 3: the layout leaves set 0 out"),
        "{error}"
    );
}

#[test]
fn push_ranges_cover_what_is_read() {
    let list = ["b2 space0 ConstantBuffer"];
    let attempt = |ranges: Vec<PushRange>| {
        let layout = PipelineLayout { push_ranges: ranges, ..root_set(true) };
        pixel_plan(&list, &mixed(), Some(&layout)).map_err(|error| error.message().to_owned())
    };
    assert!(attempt(vec![PushRange { stages: 0x11, offset: 12, size: 20 }]).is_ok());
    let short = attempt(vec![PushRange { stages: 0x11, offset: 0, size: 31 }]).unwrap_err();
    assert!(short.contains("bytes 12 to 32") && short.contains("bytes 0 to 31"), "{short}");
    let other = attempt(vec![PushRange { stages: 0x1, offset: 0, size: 128 }]).unwrap_err();
    assert!(other.contains("no push-constant range for pixel"), "{other}");
}

#[test]
fn static_samplers_need_their_binding() {
    let error = pixel_plan(&["s0 space0 SamplerState"], &mixed(), Some(&root_set(true))).unwrap_err();
    for text in ["set 2 binding 6", "static sampler 0", "pImmutableSamplers"] {
        assert!(error.message().contains(text), "`{text}` in {error}");
    }
    // Nobody writes a descriptor for it, so the binding has to have an immutable sampler.
    let mut layout = root_set(true);
    layout.sets[2].as_mut().unwrap().push(binding(6, D::Sampler, 1, 0x10));
    let error = pixel_plan(&["s0 space0 SamplerState"], &mixed(), Some(&layout)).unwrap_err();
    let expected = "set 2 binding 6 (static sampler 0) of type sampler or combined_image_sampler: the layout has no \
                    immutable sampler there; declare the static sampler as an immutable sampler (pImmutableSamplers) at \
                    that binding\n";
    assert!(error.message().contains(expected), "{error}");
    layout.sets[2].as_mut().unwrap()[1].immutable_samplers = true;
    let plan = pixel_plan(&["s0 space0 SamplerState"], &mixed(), Some(&layout)).unwrap();
    assert_eq!(locations(&plan.stages[0]), [at(2, 6, D::Sampler)]);
}

#[test]
fn auto_takes_the_model_that_the_layout_has() {
    let register = PipelineLayout {
        sets: vec![Some(vec![binding(0, D::SampledImage, 1, 0x10), binding(1, D::UniformBuffer, 1, 0x10)])],
        push_ranges: Vec::new(),
    };
    let list = ["t0 space0 Texture2D", "b1 space0 ConstantBuffer"];
    let plan = pixel_plan(&list, &mixed(), Some(&register)).unwrap();
    assert_eq!((plan.model, plan.second_choice), (Model::Register, true));
    assert_eq!(locations(&plan.stages[0]), [at(0, 0, D::SampledImage), at(0, 1, D::UniformBuffer)]);
    // Neither: the message is about the root signature.
    let list = ["t2 space0 Texture2D", "b0 space0 ConstantBuffer"];
    let error = pixel_plan(&list, &mixed(), Some(&register)).unwrap_err();
    let image = "of type sampled_image or combined_image_sampler or storage_image or input_attachment";
    let expected = format!(
        "t2 space0 Texture2D<f32> (pixel) has no suitable place; root-signature: set 0 binding 2 (root parameter 1, range 0 of \
         its table) {image}: the layout's set 0 has bindings 0, 1\n\
         b0 space0 ConstantBuffer size 64 (pixel) has no suitable place; root-signature: push constants at bytes 0 to 12: the \
         layout has no push-constant range for pixel\n\
         `dxil2spv layout` prints the pipeline layout to declare for shaders; the layer's setting `bindings`, in dxil2spv \
         `--model`, chooses another binding model"
    );
    assert_eq!((error.kind(), error.message()), (ErrorKind::Binding, &*expected));
    // The other model takes one line if it fits more resources.
    let list = ["t2 space0 Texture2D", "t0 space0 Texture2D", "b1 space0 ConstantBuffer"];
    let error = pixel_plan(&list, &mixed(), Some(&register)).unwrap_err();
    let expected = format!(
        "\nthe model register comes closer: 1 resource has no suitable place, such as t2 space0 Texture2D<f32> (pixel): set 0 \
         binding 2 (by register and space) {image}: the layout's set 0 has bindings 0, 1\n"
    );
    assert!(error.message().contains(&expected), "{error}");
}

const CLASSES: [ResourceClass; 4] = [Srv, Uav, CBuffer, Sampler];
const VISIBILITIES: [Visibility; 4] = [All, All, Vertex, Pixel];
const KINDS: [&str; 10] = [
    "t Texture2D",
    "t StructuredBuffer",
    "t Buffer",
    "u Texture2D",
    "u StructuredBuffer",
    "u StructuredBuffer counter",
    "b ConstantBuffer",
    "s SamplerState",
    "t RaytracingAccelerationStructure",
    "u ByteAddressBuffer",
];

fn random_parameters(random: &mut impl FnMut(u32) -> u32) -> Vec<RootParameter> {
    let mut parameters = Vec::new();
    for _ in 0..random(6) {
        let visibility = VISIBILITIES[random(4) as usize];
        let (register, space) = (random(4), random(2));
        let kind = match random(4) {
            0 => RootParameterKind::Constants { register, space, count: random(9) },
            1 => RootParameterKind::Descriptor { class: CLASSES[random(3) as usize], register, space, flags: 0 },
            _ => {
                let ranges = (0..random(4)).map(|_| DescriptorRange {
                    class: CLASSES[random(4) as usize],
                    count: if random(6) == 0 { u32::MAX } else { random(6) },
                    register: if random(20) == 0 { u32::MAX - random(3) } else { random(4) },
                    space: random(2),
                    flags: 0,
                    offset: if random(20) == 0 { u32::MAX - random(3) } else { random(8) },
                    append: false,
                });
                RootParameterKind::Table(ranges.collect())
            }
        };
        parameters.push(RootParameter { visibility, kind });
    }
    parameters
}

/// A resource of each root argument: random ones seldom have its registers.
fn arguments(root: &RootSignature) -> Vec<String> {
    let arguments = root.parameters.iter().filter_map(|parameter| match &parameter.kind {
        RootParameterKind::Constants { register, space, .. } => {
            Some(format!("b{register} space{space} ConstantBuffer"))
        }
        RootParameterKind::Descriptor { class: CBuffer, register, space, .. } => {
            Some(format!("b{register} space{space} ConstantBuffer"))
        }
        RootParameterKind::Descriptor { class: Uav, register, space, .. } => {
            Some(format!("u{register} space{space} ByteAddressBuffer"))
        }
        RootParameterKind::Descriptor { register, space, .. } => {
            Some(format!("t{register} space{space} StructuredBuffer"))
        }
        RootParameterKind::Table(_) => None,
    });
    arguments.collect()
}

fn random_resources(random: &mut impl FnMut(u32) -> u32, arguments: &[String]) -> PrimaryMap<ResourceId, Resource> {
    let names: Vec<String> = (0..random(4))
        .map(|_| {
            if !arguments.is_empty() && random(2) == 0 {
                return arguments[random(arguments.len() as u32) as usize].clone();
            }
            let (class, kind) = KINDS[random(10) as usize].split_once(' ').unwrap();
            let count = ["", "", "", "[2]", "[3]", "[]"][random(6) as usize];
            let register = if random(30) == 0 { u32::MAX - random(3) } else { random(6) };
            let (name, counter) = kind.split_once(' ').unwrap_or((kind, ""));
            format!("{class}{register}{count} space{} {name} {counter}", random(2)).trim_end().to_owned()
        })
        .collect();
    resources(&names.iter().map(String::as_str).collect::<Vec<_>>())
}

/// A random pipeline: either it is refused, or the layout that it asks for gives the same plan.
#[test]
fn every_plan_fits_the_layout_that_it_asks_for() {
    let mut random = Random::new(1);
    let mut random = move |bound: u32| random.below(bound);
    let (mut planned, mut refused, mut addresses, mut blocks, mut in_heaps) = (0, 0, 0, 0, 0);
    for _ in 0..6_000 {
        let parameters = random_parameters(&mut random);
        let samplers = (0..random(3)).map(|_| sampler(random(4), VISIBILITIES[random(4) as usize])).collect();
        let root = signature(parameters, samplers);
        let arguments = arguments(&root);
        let (vertex, pixel) = (random_resources(&mut random, &arguments), random_resources(&mut random, &arguments));
        let stages = [stage(ShaderStage::Vertex, &vertex, Some(&root)), stage(ShaderStage::Pixel, &pixel, None)];
        let mut profile: DeviceProfile = VULKAN_1_3_DESKTOP;
        profile.limits.max_push_constants_size = [128, 16][random(2) as usize];
        let form = [RootDescriptors::Auto, RootDescriptors::Address][random(2) as usize];
        profile.features.set(Feature::MutableDescriptorType, random(2) == 0);
        let root_tables = [RootTables::Sets, RootTables::Offsets][random(2) as usize];
        for model in [Model::RootSignature, Model::Register] {
            let shifts = "t=10,u=20,s=30,c=40".parse().unwrap();
            let mut options = BindingOptions { root_tables, ..BindingOptions::new(model, shifts) };
            options.heap_sets.resources = (random(4) == 0).then(|| 8 * random(2));
            let attempt = |form: RootDescriptors, layout: Option<&PipelineLayout>| {
                plan_pipeline(&stages, &BindingOptions { root_descriptors: form, ..options }, layout, &profile)
            };
            let Ok(plan) = attempt(form, None) else {
                refused += 1;
                continue;
            };
            let layout = required_layout(&stages, None, &plan).unwrap();
            // The layout says whether root descriptors are addresses.
            let again = attempt(RootDescriptors::Auto, Some(&layout));
            assert_eq!(again.as_ref().ok(), Some(&plan), "{root}\n{vertex:?}\n{pixel:?}\n{layout:?}\n{again:?}");
            assert!(!layout_text(&stages, None, &plan).unwrap().is_empty());
            planned += 1;
            let places = || plan.stages.iter().flat_map(locations);
            addresses += u32::from(places().any(|place| matches!(place, Location::Address(_))));
            blocks += u32::from(places().any(|place| matches!(place, Location::Inline { .. })));
            in_heaps += u32::from(places().any(|place| matches!(place, Location::Heap(_))));
        }
    }
    assert!(planned > 1_000 && refused > 1_000, "{planned} planned, {refused} refused");
    assert!(addresses > 20 && blocks > 20, "{addresses} with addresses, {blocks} with blocks of root constants");
    assert!(in_heaps > 20, "{in_heaps} with tables in heaps");
}
