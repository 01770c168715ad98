//! The register model and the layout's part in it.

use super::*;
use crate::ir::resources::ResourceId;
use dxil_base::entity::{Entity, EntitySet};
use dxil_base::error::ErrorKind;

fn shifted() -> BindingOptions {
    BindingOptions::new(Model::Register, "t=100,u=200,s=300".parse().unwrap())
}

fn planned(list: &[&str], options: &BindingOptions, layout: Option<&PipelineLayout>) -> Result<BindingPlan> {
    let resources = resources(list);
    let stages = [stage(ShaderStage::Compute, &resources, None)];
    Ok(plan(&stages, options, layout, &VULKAN_1_3_DESKTOP)?.remove(0))
}

#[test]
fn registers_and_shifts() {
    let list = [
        "b1 space0 ConstantBuffer",
        "t2 space1 Texture2D",
        "t3 space0 StructuredBuffer",
        "t4 space0 Buffer",
        "u5 space0 Texture2D",
        "u6 space0 ByteAddressBuffer",
        "s7 space2 SamplerState",
    ];
    let expected = [
        at(0, 1, D::UniformBuffer),
        at(1, 102, D::SampledImage),
        at(0, 103, D::StorageBuffer),
        at(0, 104, D::UniformTexelBuffer),
        at(0, 205, D::StorageImage),
        at(0, 206, D::StorageBuffer),
        at(2, 307, D::Sampler),
    ];
    assert_eq!(locations(&planned(&list, &shifted(), None).unwrap()), expected);
    assert_eq!(
        locations(&planned(&list, &BindingOptions { model: Model::Auto, ..shifted() }, None).unwrap()),
        expected
    );
}

#[test]
fn counters_and_arrays() {
    let plan = planned(&["u1[4] space3 StructuredBuffer counter", "t0[] space4 Texture2D"], &shifted(), None).unwrap();
    let uav = Descriptor { set: 3, binding: 201, ty: D::StorageBuffer, first: 0, count: 4 };
    let srv = Descriptor { set: 4, binding: 100, ty: D::SampledImage, first: 0, count: u32::MAX };
    assert_eq!(locations(&plan), [Location::Descriptor(uav), Location::Descriptor(srv)]);
    let counters: Vec<_> = plan.resources.values().map(|planned| planned.counter).collect();
    assert_eq!(counters, [Some(CounterPlace::Descriptor(Descriptor { binding: 1001, ..uav })), None]);
}

#[test]
fn a_texture_and_a_sampler_may_share_a_binding() {
    let plan = planned(&["t0 space2 Texture2D", "s0 space2 SamplerState"], &BindingOptions::default(), None).unwrap();
    assert_eq!(locations(&plan), [at(2, 0, D::CombinedImageSampler), at(2, 0, D::CombinedImageSampler)]);
}

#[test]
fn other_clashes_name_both_and_the_shifts() {
    for list in [
        ["b0 space0 ConstantBuffer", "t0 space0 Texture2D"],
        ["t0 space0 StructuredBuffer", "s0 space0 SamplerState"],
        ["u0 space0 StructuredBuffer counter", "t1000 space0 Texture2D"],
    ] {
        let error = planned(&list, &BindingOptions::default(), None).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Binding);
        for text in list {
            assert!(error.message().contains(text.trim_end_matches(" counter")), "{error}");
        }
        assert!(error.message().contains("b=0,t=0,u=0,s=0,c=1000"), "{error}");
    }
}

/// The commonest shader without a root signature.
#[test]
fn clashes_of_classes_are_one_list_with_shifts_that_help() {
    let list =
        ["b0 space0 ConstantBuffer", "t0 space0 Texture2D", "u0 space0 StructuredBuffer", "s0 space0 SamplerState"];
    let error = planned(&list, &BindingOptions::default(), None).unwrap_err();
    assert_eq!(
        error.to_string(),
        "binding at resource b0 space0: several resources have one binding, because a binding is a register plus the shift of \
         its class, and the shifts are b=0,t=0,u=0,s=0,c=1000:\n\
         set 0 binding 0: b0 space0 ConstantBuffer size 64 (compute)\n\
         set 0 binding 0: t0 space0 Texture2D<f32> (compute)\n\
         set 0 binding 0: u0 space0 StructuredBuffer (compute)\n\
         set 0 binding 0: s0 space0 SamplerState (compute)\n\
         give each register class bindings of its own, in dxil2spv with `--shifts t=100,u=200,s=300`, in the layer with the \
         setting `register_shifts` (environment variable VK_DXIL_TRANSLATE_REGISTER_SHIFTS=t=100,u=200,s=300)"
    );
    let options = BindingOptions { shifts: "t=100,u=200,s=300".parse().unwrap(), ..BindingOptions::default() };
    assert!(planned(&list, &options, None).is_ok());
}

/// The shifts in the message keep the classes apart, whatever the registers are.
#[test]
fn the_advised_shifts_fit_the_registers() {
    for (last, advised) in [
        (99, Some("t=100,u=200,s=300")),
        (100, Some("t=1000,u=2000,s=3000,c=4000")),
        (123_456, Some("t=1000000,u=2000000,s=3000000,c=4000000")),
        (u32::MAX - 1000, None),
    ] {
        let list = [
            "b0 space0 ConstantBuffer".to_owned(),
            "t0 space0 Texture2D".to_owned(),
            format!("u{last} space0 StructuredBuffer counter"),
            format!("t{last} space0 Texture2D"),
        ];
        let list: Vec<&str> = list.iter().map(String::as_str).collect();
        let error = planned(&list, &BindingOptions::default(), None).unwrap_err();
        match advised {
            Some(shifts) => {
                assert!(error.message().contains(&format!("`--shifts {shifts}`")), "{error}");
                let options = BindingOptions { shifts: shifts.parse().unwrap(), ..BindingOptions::default() };
                assert!(planned(&list, &options, None).is_ok(), "{shifts}");
            }
            None => assert!(
                error.message().ends_with(
                    "\nno shifts keep registers of these numbers apart; a binding map (`--map` of dxil2spv, the layer's \
                     setting `map`) can give each resource its place"
                ),
                "{error}"
            ),
        }
    }
}

/// A resource that several stages have is named once, and a list has an end.
#[test]
fn a_list_of_clashes_is_short() {
    let (vertex, pixel) =
        (resources(&["b0 space0 ConstantBuffer"]), ["b0 space0 ConstantBuffer", "t0 space0 Texture2D"]);
    let pixel = resources(&pixel);
    let stages = [stage(ShaderStage::Vertex, &vertex, None), stage(ShaderStage::Pixel, &pixel, None)];
    let error = plan(&stages, &BindingOptions::default(), None, &VULKAN_1_3_DESKTOP).unwrap_err();
    let line = "\nset 0 binding 0: b0 space0 ConstantBuffer size 64 (vertex)\nset 0 binding 0: t0";
    assert!(error.message().contains(line), "{error}");

    let names: Vec<String> =
        (0..40).flat_map(|n| [format!("b{n} space0 ConstantBuffer"), format!("t{n} space0 Texture2D")]).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let error = planned(&names, &BindingOptions::default(), None).unwrap_err();
    assert_eq!(error.message().lines().count(), 1 + 32 + 2, "{error}");
    assert!(error.message().contains("\nand 48 more\n"), "{error}");
}

#[test]
fn one_register_of_two_stages_is_one_binding() {
    let (vertex, pixel) = (resources(&["b0 space0 ConstantBuffer"]), resources(&["b0 space0 ConstantBuffer"]));
    let stages = [stage(ShaderStage::Vertex, &vertex, None), stage(ShaderStage::Pixel, &pixel, None)];
    let plans = plan(&stages, &BindingOptions::default(), None, &VULKAN_1_3_DESKTOP).unwrap();
    assert_eq!(plans[0], plans[1]);
    // One binding has one type.
    let pixel = resources(&["t0 space0 Texture2D"]);
    let vertex = resources(&["t0 space0 StructuredBuffer"]);
    let stages = [stage(ShaderStage::Vertex, &vertex, None), stage(ShaderStage::Pixel, &pixel, None)];
    let error = plan(&stages, &BindingOptions::default(), None, &VULKAN_1_3_DESKTOP).unwrap_err();
    assert!(error.message().contains("storage_buffer and sampled_image"), "{error}");
}

#[test]
fn the_layout_gives_the_type() {
    let layout = |ty: D| PipelineLayout { sets: vec![Some(vec![binding(0, ty, 1, 0x20)])], push_ranges: Vec::new() };
    let cases = [
        ("b0 space0 ConstantBuffer", D::UniformBufferDynamic, true),
        ("b0 space0 ConstantBuffer", D::StorageBuffer, true),
        ("b0 space0 ConstantBuffer", D::SampledImage, false),
        ("t0 space0 Texture2D", D::CombinedImageSampler, true),
        ("t0 space0 Texture2D", D::StorageImage, true),
        ("t0 space0 Texture2D", D::StorageBuffer, false),
        ("t0 space0 StructuredBuffer", D::UniformTexelBuffer, true),
        ("u0 space0 StructuredBuffer", D::UniformTexelBuffer, false),
        ("u0 space0 Texture2D", D::SampledImage, false),
        ("s0 space0 SamplerState", D::CombinedImageSampler, true),
    ];
    for (text, ty, fits) in cases {
        match planned(&[text], &BindingOptions::default(), Some(&layout(ty))) {
            Ok(plan) => assert!(fits && locations(&plan) == [at(0, 0, ty)], "{text} as {ty}"),
            Err(error) => assert!(!fits && error.message().contains(ty.name()), "{text} as {ty}: {error}"),
        }
    }
    let mutable =
        LayoutBinding { mutable_types: vec![D::StorageBuffer, D::SampledImage], ..binding(0, D::Mutable, 1, 0x20) };
    let layout = PipelineLayout { sets: vec![Some(vec![mutable])], push_ranges: Vec::new() };
    let plan = planned(&["t0 space0 Texture2D"], &BindingOptions::default(), Some(&layout)).unwrap();
    assert_eq!(locations(&plan), [at(0, 0, D::SampledImage)]);
    assert!(planned(&["t0 space0 Buffer"], &BindingOptions::default(), Some(&layout)).is_err());
}

#[test]
fn counts_stages_and_sets_are_checked() {
    let try_layout = |text: &str, found: LayoutBinding| {
        let layout = PipelineLayout { sets: vec![None, Some(vec![found])], push_ranges: Vec::<PushRange>::new() };
        planned(&[text], &BindingOptions::default(), Some(&layout)).map_err(|error| error.message().to_owned())
    };
    assert!(try_layout("t0[4] space1 Texture2D", binding(0, D::SampledImage, 4, 0x3f)).is_ok());
    let few = try_layout("t0[4] space1 Texture2D", binding(0, D::SampledImage, 3, 0x3f)).unwrap_err();
    assert!(few.contains("3 descriptors there, but 4 are needed"), "{few}");
    let one = try_layout("t0[4] space1 Texture2D", binding(0, D::SampledImage, 1, 0x3f)).unwrap_err();
    assert!(one.contains("the layout has 1 descriptor there, but 4 are needed"), "{one}");
    let stage = try_layout("t0 space1 Texture2D", binding(0, D::SampledImage, 1, 0x10)).unwrap_err();
    assert!(stage.contains("leave out compute"), "{stage}");
    let other = try_layout("t3 space1 Texture2D", binding(0, D::SampledImage, 1, 0x20)).unwrap_err();
    assert!(other.contains("set 1 binding 3") && other.contains("has bindings 0"), "{other}");
    let absent = try_layout("t0 space0 Texture2D", binding(0, D::SampledImage, 1, 0x20)).unwrap_err();
    assert!(absent.contains("leaves set 0 out"), "{absent}");
    let beyond = try_layout("t0 space2 Texture2D", binding(0, D::SampledImage, 1, 0x20)).unwrap_err();
    assert!(beyond.contains("has only 2 sets"), "{beyond}");
    assert!(try_layout("b0 space1 ConstantBuffer", binding(0, D::InlineUniformBlock, 64, 0x20)).is_ok());
    let short = try_layout("b0 space1 ConstantBuffer", binding(0, D::InlineUniformBlock, 60, 0x20)).unwrap_err();
    assert!(short.contains("60 bytes, but 64 are needed"), "{short}");
    let space = planned(&["t0 space9 Texture2D"], &BindingOptions::default(), None).unwrap_err();
    assert!(space.message().contains("the device has only 8 sets"), "{space}");
}

#[test]
fn a_register_too_far_for_its_shift() {
    let error = planned(&["t4294967200 space0 Texture2D"], &shifted(), None).unwrap_err();
    assert!(error.message().contains("t=100"), "{error}");
}

/// The UAV of vendor intrinsics is not memory: atomic operations on it are instructions in
/// disguise.
#[test]
fn vendor_intrinsics_are_refused_by_name() {
    let list =
        ["u0 space2147420894 RWByteAddressBuffer", "u3 space0 RWByteAddressBuffer", "u4 space0 RWByteAddressBuffer"];
    let list = list.map(|text| text.replace("RWByteAddressBuffer", "ByteAddressBuffer"));
    let mut resources = resources(&list.each_ref().map(String::as_str));
    for (resource, name) in resources.values_mut().zip(["", "g_NvidiaExt", "mine"]) {
        resource.name = name.into();
    }
    let mut used = EntitySet::new();
    let mut refusal = |id: usize| {
        used = EntitySet::new();
        used.insert(ResourceId::new(id));
        let mut stages = [stage(ShaderStage::Compute, &resources, None)];
        stages[0].used = Some(&used);
        plan(&stages, &BindingOptions::default(), None, &VULKAN_1_3_DESKTOP).map(|_| ()).map_err(|e| e.to_string())
    };
    let expected = "unsupported at resource u0 space2147420894 ByteAddressBuffer encodes the vendor \
                    intrinsics of AMD GPU Services (AGS) in a way that is not recognised; compile the shader without them";
    assert_eq!(refusal(0), Err(expected.to_owned()));
    assert!(refusal(1).unwrap_err().contains("the vendor intrinsics of NVIDIA NVAPI"));
    assert_eq!(refusal(2), Ok(()));
}

/// Engines use high spaces, and devices have few sets: the caller says which set a space is.
#[test]
fn spaces_may_have_other_sets() {
    let list = resources(&["t0 space95 Texture2D", "t0 space1000 Texture2D", "t0 space1 Texture2D"]);
    let stages = [stage(ShaderStage::Compute, &list, None)];
    let error = plan(&stages, &BindingOptions::default(), None, &VULKAN_1_3_DESKTOP).unwrap_err();
    let expected = "t0 space95 Texture2D<f32> (compute) has no suitable place; register: set 95 binding 0 (by register and \
                    space), but the device has only 8 sets; give register spaces other sets with `--spaces 95=1,96=2` of \
                    dxil2spv or the layer's setting `spaces`\n";
    assert!(error.message().starts_with(expected), "{error}");
    let with = |spaces: &str| {
        let options = BindingOptions { spaces: spaces.parse().unwrap(), ..BindingOptions::default() };
        plan(&stages, &options, None, &VULKAN_1_3_DESKTOP)
    };
    let plans = with("95=2,1000=0").unwrap();
    assert_eq!(locations(&plans[0]), [2, 0, 1].map(|set| at(set, 0, D::SampledImage)));
    // Two spaces in one set clash, in one stage as in two.
    let error = with("95=1,1000=0").unwrap_err();
    assert!(error.message().contains("register spaces 95 and 1 are both in this set; give each space"), "{error}");
    let (one, other) = (resources(&["t0 space95 Texture2D"]), resources(&["t0 space1 Texture2D"]));
    let stages = [stage(ShaderStage::Vertex, &one, None), stage(ShaderStage::Pixel, &other, None)];
    let options = BindingOptions { spaces: "95=1".parse().unwrap(), ..BindingOptions::default() };
    let error = plan(&stages, &options, None, &VULKAN_1_3_DESKTOP).unwrap_err();
    assert!(error.message().contains("register spaces 95 and 1 are both in this set"), "{error}");
}

#[test]
fn registers_that_are_left_open_follow_the_others() {
    let open = |name: &str, text: &str| Resource { name: name.into(), ..resource(text) };
    let all = [
        open("$Globals", "b4294967295 space0 ConstantBuffer"),
        resource("b3 space0 ConstantBuffer"),
        open("other", "b4294967295 space0 ConstantBuffer"),
        open("alone", "t4294967295 space2 StructuredBuffer"),
    ];
    let vertex: PrimaryMap<ResourceId, Resource> = all.into_iter().collect();
    let pixel = [open("other", "b4294967295 space0 ConstantBuffer"), resource("b7 space0 ConstantBuffer")]
        .into_iter()
        .collect();
    let stages = [stage(ShaderStage::Vertex, &vertex, None), stage(ShaderStage::Pixel, &pixel, None)];
    let plans = plan(&stages, &shifted(), None, &VULKAN_1_3_DESKTOP).unwrap();
    let uniform = |binding| at(0, binding, D::UniformBuffer);
    let expected = [uniform(8), uniform(3), uniform(9), at(2, 100, D::StorageBuffer)];
    assert_eq!(locations(&plans[0]), expected);
    assert_eq!(locations(&plans[1]), [uniform(9), uniform(7)]);
}
