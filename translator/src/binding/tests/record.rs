//! Local root signatures: places in shader records, against byte offsets computed by hand from
//! DirectX-Specs (Raytracing, «Shader table memory initialization»).

use super::super::plan::{HeapDescriptors, PairPlace, Root};
use super::*;
use dxil_base::entity::EntitySet;
use dxil_base::error::{Error, ErrorKind};

/// A local root signature from its text, without the flag.
fn local(text: &str) -> RootSignature {
    global(&format!("RootFlags(LOCAL_ROOT_SIGNATURE), {text}"))
}

fn global(text: &str) -> RootSignature {
    RootSignature::from_bytes_of(text.as_bytes(), None, None).unwrap()
}

/// The plan of a pipeline: each stage with its resources and local root signature.
fn pipeline(
    stages: &[(ShaderStage, &[&str], Option<&RootSignature>)],
    root: Option<&RootSignature>,
    options: BindingOptions,
) -> Result<PipelinePlan> {
    let lists: Vec<_> = stages.iter().map(|(_, list, _)| resources(list)).collect();
    let stages = stages
        .iter()
        .zip(&lists)
        .map(|((kind, _, local), list)| StageResources { local_root_signature: *local, ..stage(*kind, list, None) });
    let stages: Vec<_> = stages.collect();
    super::super::plan_pipeline(&stages, &inputs(root, options))
}

fn inputs(root: Option<&RootSignature>, options: BindingOptions) -> PlanInputs<'_> {
    PlanInputs::new(&VULKAN_1_3_DESKTOP).with_options(options).with_root_signature(root)
}

fn heap_sets() -> BindingOptions {
    let heap_sets = HeapSets { resources: Some(2), samplers: Some(1), counters: Some(0) };
    BindingOptions { heap_sets, ..BindingOptions::default() }
}

fn refused(result: Result<PipelinePlan>) -> Error {
    let error = result.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Binding, "{error}");
    error
}

/// DirectX-Specs, Raytracing, «Local root signatures vs global root signatures»: the registers of
/// the local one come first.
#[test]
fn parameters_are_in_the_record_in_order() {
    let signature = local(
        "RootConstants(num32BitConstants=3, b0), CBV(b1), RootConstants(num32BitConstants=1, b2), SRV(t0), UAV(u0)",
    );
    let list = [
        "b0 space0 ConstantBuffer",
        "b1 space0 ConstantBuffer",
        "b2 space0 ConstantBuffer",
        "t0 space0 ByteAddressBuffer",
        "u0 space0 StructuredBuffer",
        "t9 space0 Texture2D",
    ];
    let plan = pipeline(&[(ShaderStage::ClosestHit, &list, Some(&signature))], None, heap_sets()).unwrap();
    let expected = [
        Location::Record { offset: 0, size: 12 },
        Location::Address(Root::Record(16)),
        Location::Record { offset: 24, size: 4 },
        Location::Address(Root::Record(32)),
        Location::Address(Root::Record(40)),
        at(0, 9, D::SampledImage),
    ];
    assert_eq!(locations(&plan.stages[0]), expected);
    assert_eq!(plan.stages[0].push_constant_size, 0);
    assert_eq!(signature.record_bytes(), [0..12, 16..24, 24..28, 32..40, 40..48]);
}

#[test]
fn a_resource_that_is_not_used_has_no_place() {
    let signature = local("RootConstants(num32BitConstants=3, b0)");
    let list = resources(&["b0 space0 ConstantBuffer", "t9 space0 Texture2D"]);
    let mut used = EntitySet::new();
    used.insert(dxil_base::entity::Entity::new(1));
    let mut one = stage(ShaderStage::Miss, &list, None);
    (one.used, one.local_root_signature) = (Some(&used), Some(&signature));
    let plans = plan(&[one], &BindingOptions::default(), None, &VULKAN_1_3_DESKTOP).unwrap();
    assert_eq!(locations(&plans[0]), [Location::Unused, at(0, 9, D::SampledImage)]);
}

#[test]
fn tables_are_heap_indexes() {
    let signature = local(
        "RootConstants(num32BitConstants=1, b0), \
         DescriptorTable(SRV(t0, numDescriptors=2), UAV(u0, offset=6), SRV(t8, numDescriptors=unbounded)), \
         DescriptorTable(Sampler(s3, numDescriptors=4))",
    );
    let list = [
        "t0 space0 Texture2D",
        "t1 space0 Buffer",
        "u0 space0 StructuredBuffer counter",
        "t10[] space0 Texture2D",
        "s4 space0 SamplerState",
        "b0 space0 ConstantBuffer",
    ];
    let plan = pipeline(&[(ShaderStage::AnyHit, &list, Some(&signature))], None, heap_sets()).unwrap();
    let table = |set: u32, ty: D, first: u32, at: u32| {
        let descriptor = Descriptor { set, binding: 0, ty, first, count: u32::MAX };
        Location::Heap(HeapDescriptors::new(descriptor, Some(Root::Record(at))))
    };
    let planned = &plan.stages[0];
    let expected = [
        table(2, D::SampledImage, 0, 8),
        table(4, D::UniformTexelBuffer, 1, 8),
        table(7, D::StorageBuffer, 6, 8),
        table(2, D::SampledImage, 9, 8),
        table(1, D::Sampler, 1, 16),
        Location::Record { offset: 0, size: 4 },
    ];
    assert_eq!(locations(planned), expected);
    let counter = planned.resources.values().find_map(|planned| planned.counter).unwrap();
    let counter = counter.descriptor();
    assert_eq!((counter.set, counter.first, counter.count), (0, 6, u32::MAX));
    assert_eq!(BindingPlan::parse(&planned.to_string(), &resources(&list)).unwrap(), *planned);
}

/// Counters in a heap are elements of one binding, also under the register model, where a binding
/// is one register's.
#[test]
fn several_counters_are_in_the_binding_of_the_heap() {
    let signature = local("DescriptorTable(UAV(u0, numDescriptors=3))");
    let list = ["u0 space0 StructuredBuffer counter", "u2 space0 StructuredBuffer counter"];
    let buffer = |first: u32, count: u32| Descriptor { set: 0, binding: 0, ty: D::StorageBuffer, first, count };
    let descriptors = [0, 2].map(|first| CounterPlace::Descriptor(buffer(first, u32::MAX)));
    let addresses = [0, 2].map(|first| CounterPlace::Addresses(PairPlace::new(buffer(0, 1), first, 1, 0)));
    for (heap_counters, expected) in [(HeapCounters::Descriptor, descriptors), (HeapCounters::Address, addresses)] {
        let options = BindingOptions { heap_counters, ..heap_sets() };
        let plan = pipeline(&[(ShaderStage::Miss, &list, Some(&signature))], None, options).unwrap();
        let found: Vec<_> = plan.stages[0].resources.values().filter_map(|planned| planned.counter).collect();
        assert_eq!(found, expected);
    }
}

/// Without sets for the heaps the error says which setting is missing.
#[test]
fn a_table_needs_a_heap() {
    let signature = local("DescriptorTable(SRV(t0))");
    let stages: &[(_, &[&str], _)] = &[(ShaderStage::Miss, &["t0 space0 Texture2D"], Some(&signature))];
    let error = refused(pipeline(stages, None, BindingOptions::default()));
    assert!(error.message().contains("--resource-heap-set"), "{error}");
    // Under the root-signature model the heaps follow the sets of the global root signature.
    let root = global("DescriptorTable(SRV(t5)), CBV(b3)");
    let plan = pipeline(stages, Some(&root), BindingOptions::default()).unwrap();
    let text = plan.stages[0].to_string();
    let place = "\"t0 space0\".heap = { descriptor = { set = 3, binding = 0, type = \"sampled_image\", count = \"unbounded\" }, \
                 table = { record = 0 } }";
    assert!(text.lines().any(|line| line == place), "{text}");
}

/// The static samplers of local root signatures are in the root set, after everything else: with n
/// = 2 parameters and one static sampler, at binding 4 plus the register.
#[test]
fn static_samplers_are_in_the_root_set() {
    let root = global("CBV(b3), DescriptorTable(SRV(t5)), StaticSampler(s9)");
    let hit = local("StaticSampler(s0, space=1), StaticSampler(s2, space=1, filter=FILTER_MIN_MAG_MIP_POINT)");
    let miss = local("StaticSampler(s0, space=1), StaticSampler(s2, space=7, filter=FILTER_MIN_MAG_MIP_POINT)");
    let samplers: &[&str] = &["s0 space1 SamplerState", "s2 space1 SamplerState", "s9 space0 SamplerState"];
    let stages = [
        (ShaderStage::ClosestHit, samplers, Some(&hit)),
        (ShaderStage::Miss, &["s0 space1 SamplerState", "s2 space7 SamplerState"][..], Some(&miss)),
    ];
    let plan = pipeline(&stages, Some(&root), BindingOptions::default()).unwrap();
    let slot = |binding: u32| at(1, binding, D::Sampler);
    assert_eq!(locations(&plan.stages[0]), [slot(4), slot(6), slot(2)]);
    assert_eq!(locations(&plan.stages[1]), [slot(4), slot(6)]);

    let lists = [resources(samplers), resources(stages[1].1)];
    let resources: Vec<_> = stages
        .iter()
        .zip(&lists)
        .map(|((kind, _, local), list)| StageResources { local_root_signature: *local, ..stage(*kind, list, None) })
        .collect();
    let layout = required_layout(&resources, Some(&root), &plan).unwrap();
    let immutable = |binding: u32| layout.binding(1, binding).unwrap().immutable_samplers;
    assert!(immutable(2) && immutable(4) && immutable(6), "{layout:?}");
    let inputs = inputs(Some(&root), BindingOptions::default());
    let again = super::super::plan_pipeline(&resources, &inputs.with_layout(Some(&layout))).unwrap();
    assert_eq!(again.stages, plan.stages);
}

/// A local root signature with static samplers alone makes the root set, and the heaps follow it.
#[test]
fn local_static_samplers_make_the_root_set() {
    let root = global("DescriptorTable(SRV(t5))");
    let signature = local("StaticSampler(s0), DescriptorTable(SRV(t0))");
    let list: &[&str] = &["s0 space0 SamplerState", "t0 space0 Texture2D"];
    let stages = [(ShaderStage::Miss, list, Some(&signature))];
    let plan = pipeline(&stages, Some(&root), BindingOptions::default()).unwrap();
    let text = plan.stages[0].to_string();
    assert!(text.contains("\"s0 space0\".descriptor = { set = 1, binding = 2, type = \"sampler\" }\n"), "{text}");
    assert!(
        text.contains("\"t0 space0\".heap = { descriptor = { set = 3, binding = 0, type = \"sampled_image\""),
        "{text}"
    );
}

/// Under the other models a static sampler has the place of any sampler.
#[test]
fn static_samplers_by_register() {
    let signature = local("StaticSampler(s2, space=3)");
    let list: &[&str] = &["s2 space3 SamplerState"];
    let plan = pipeline(&[(ShaderStage::Miss, list, Some(&signature))], None, BindingOptions::default()).unwrap();
    assert_eq!(locations(&plan.stages[0]), [at(3, 2, D::Sampler)]);
}

#[test]
fn different_static_samplers_are_refused() {
    let root = global("CBV(b3)");
    let one = local("StaticSampler(s1)");
    let list: &[&str] = &["s1 space0 SamplerState"];
    let differently = local("StaticSampler(s1, filter=FILTER_MIN_MAG_MIP_POINT)");
    let stages = [(ShaderStage::Miss, list, Some(&one)), (ShaderStage::AnyHit, list, Some(&differently))];
    let error = refused(pipeline(&stages, Some(&root), BindingOptions::default()));
    let says = "the miss and anyhit stages define the static sampler s1 space0 differently";
    assert!(error.message().contains(says), "{error}");

    let elsewhere = local("StaticSampler(s1, space=2, filter=FILTER_MIN_MAG_MIP_POINT)");
    let other: &[&str] = &["s1 space2 SamplerState"];
    let stages = [(ShaderStage::Miss, list, Some(&one)), (ShaderStage::AnyHit, other, Some(&elsewhere))];
    let error = refused(pipeline(&stages, Some(&root), BindingOptions::default()));
    assert!(error.message().contains("set 0 binding 3 (static sampler of the local root signature)"), "{error}");
}

/// An export without a local root signature: the error says what was looked for and where.
#[test]
fn a_missing_local_root_signature_is_named() {
    let root = global("CBV(b3)");
    let signature = local("RootConstants(num32BitConstants=4, b0)");
    let list: &[&str] = &["b0 space0 ConstantBuffer"];
    let alone = [(ShaderStage::Miss, list, None)];
    let error = refused(pipeline(&alone, Some(&root), BindingOptions::default()));
    for says in [
        "b0",
        "(miss)",
        "the global root signature does not have its registers, and the stage has no local root signature; associate",
        "`--local-root-signature` of dxil2spv or the layer's setting `local_root_signature`",
    ] {
        assert!(error.message().contains(says), "{error}");
    }
    let both = [alone[0], (ShaderStage::ClosestHit, list, Some(&signature))];
    let error = refused(pipeline(&both, Some(&root), BindingOptions::default()));
    let says = "no local root signature; the local root signature of the closesthit stage has them; associate";
    assert!(error.message().contains(says), "{error}");
    let wrong = local("RootConstants(num32BitConstants=4, b1)");
    let error = refused(pipeline(&[(ShaderStage::Miss, list, Some(&wrong))], Some(&root), BindingOptions::default()));
    let says = "neither the stage's local root signature nor the global one has its registers";
    assert!(error.message().contains(says), "{error}");
}

#[test]
fn rules_of_records() {
    let list: &[&str] = &["b0 space0 ConstantBuffer"];
    let constants = |count: u32| local(&format!("RootConstants(num32BitConstants={count}, b0)"));
    let message = |stage: ShaderStage, signature: &RootSignature, list: &[&str]| {
        refused(pipeline(&[(stage, list, Some(signature))], None, BindingOptions::default())).message().to_owned()
    };
    // 4096 bytes less 32 bytes of the identifier are 1016 constants.
    assert!(pipeline(&[(ShaderStage::Miss, list, Some(&constants(1016)))], None, BindingOptions::default()).is_ok());
    let text = message(ShaderStage::Miss, &constants(1017), list);
    assert!(text.contains("takes 4068 bytes of a shader record, but a record has at most 4064 bytes"), "{text}");
    let text = message(ShaderStage::Compute, &constants(4), list);
    assert!(text.contains("for the compute stage, but only the shaders of ray-tracing pipelines"), "{text}");
    let text = message(ShaderStage::Miss, &global("RootConstants(num32BitConstants=4, b0)"), list);
    assert!(text.contains("its flags do not have LOCAL_ROOT_SIGNATURE"), "{text}");
    let text = message(ShaderStage::Miss, &local("DescriptorTable(SRV(t1))"), &["t0[2] space0 Texture2D"]);
    assert!(text.contains("parameter 0 of the local root signature has only a part of its registers"), "{text}");
    let text = message(ShaderStage::Miss, &local("SRV(t0)"), &["t0 space0 Texture2D"]);
    assert!(text.contains("parameter 0 of the local root signature is a root descriptor, but a Texture2D"), "{text}");
}

#[test]
fn the_layout_lists_the_record() {
    let signature = local("RootConstants(num32BitConstants=3, b0), SRV(t0), DescriptorTable(SRV(t1)), UAV(u4)");
    let list = resources(&["b0 space0 ConstantBuffer", "t0 space0 ByteAddressBuffer", "t1 space0 Texture2D"]);
    let mut one = stage(ShaderStage::Callable, &list, None);
    one.local_root_signature = Some(&signature);
    let inputs = inputs(None, heap_sets());
    let plan = super::super::plan_pipeline(&[one], &inputs).unwrap();
    let names: Vec<String> = list.values().map(Resource::to_string).collect();
    let text = layout_text(&[one], None, &plan).unwrap();
    let expected = format!(
        "shader records, callable `main`: 40 bytes after the shader group handle\n  bytes 0 to 12: constants: {}\n  bytes 16 to \
         24: address: {}\n  bytes 24 to 32: heap index of a table: {}\n  bytes 32 to 40: address: not used\n",
        names[0], names[1], names[2]
    );
    assert!(text.ends_with(&expected), "{text}");
    let report = serde_json::to_value(layout_report(&[one], None, &plan).unwrap()).unwrap();
    let record = &report["shader_records"][0];
    assert_eq!((record["stage"].as_str(), record["size"].as_u64()), (Some("callable"), Some(40)));
    assert_eq!(record["entry"].as_str(), Some("main"));
    let member = &record["members"][1];
    assert_eq!((member["offset"].as_u64(), member["size"].as_u64()), (Some(16), Some(8)));
}
