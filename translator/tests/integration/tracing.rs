//! Ray-tracing stages: the features and capabilities that they need, their interface variables, and
//! what is refused.

use std::path::Path;

use dxil_test_support::read;
use dxil_translator::{
    BindingOptions, DeviceProfile, Error, ErrorKind, Feature, Model, Options, PipelineStage, PlanInputs,
    RegisterShifts, Shader, VULKAN_1_3_DESKTOP, plan, translate,
};
use rspirv::spirv::{BuiltIn, Capability, Decoration, ExecutionMode, Op, StorageClass};

use dxil_test_support::spirv::instructions;

/// A profile with everything that ray tracing can use.
fn rays() -> DeviceProfile {
    let mut profile = VULKAN_1_3_DESKTOP;
    let features = [
        Feature::AccelerationStructure,
        Feature::RayTracingPipeline,
        Feature::RayTraversalPrimitiveCulling,
        Feature::MaximalReconvergence,
    ];
    features.into_iter().for_each(|feature| profile.features.set(feature, true));
    profile.subgroup.stages |= 0x3f00;
    profile
}

fn container(name: &str) -> Vec<u8> {
    let folder = if name.contains('/') { "../tests/fixtures" } else { "tests/shaders/tracing" };
    read(Path::new(folder).join(name).with_extension("dxil"))
}

fn words(name: &str, entry: &str, profile: &DeviceProfile) -> Result<Vec<u32>, Error> {
    let shader = Shader::parse(&container(name))?;
    let entry = shader.find_entry(Some(entry))?;
    let shifts = RegisterShifts { b: 0, t: 100, u: 200, s: 300, c: 1000 };
    let bindings = BindingOptions::new(Model::Register, shifts);
    let plan = plan(&[PipelineStage::new(&shader, entry)], &PlanInputs::new(profile).with_options(bindings))?;
    Ok(translate(&shader, entry, &plan.stages[0], &Options::new(profile.clone()))?.words)
}

/// The operands of all instructions of one kind.
fn all(words: &[u32], op: Op) -> Vec<&[u32]> {
    instructions(words).filter(|(found, _)| *found == op as u32).map(|(_, operands)| operands).collect()
}

fn declares(words: &[u32], capability: Capability) -> bool {
    all(words, Op::Capability).contains(&&[capability as u32][..])
}

/// The number of variables of a storage class.
fn variables(words: &[u32], class: StorageClass) -> usize {
    all(words, Op::Variable).iter().filter(|operands| operands[2] == class as u32).count()
}

#[track_caller]
fn refused(name: &str, entry: &str, kind: ErrorKind, text: &str) {
    let error = words(name, entry, &rays()).expect_err("it is refused");
    assert_eq!(error.kind(), kind, "{error}");
    assert!(error.message().contains(text), "expected `{text}` in: {error}");
}

#[test]
fn stages_need_the_feature_and_spirv_1_4() {
    for entry in ["generate", "closest", "missed", "enter"] {
        let module = words("payloads", entry, &rays()).unwrap();
        assert!(declares(&module, Capability::RayTracingKHR), "{entry}");
        assert!(!declares(&module, Capability::RayTraversalPrimitiveCullingKHR), "{entry}");
        let mut profile = rays();
        profile.features.set(Feature::RayTracingPipeline, false);
        let error = words("payloads", entry, &profile).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::MissingFeature(Feature::RayTracingPipeline), "{error}");
        let mut old = rays();
        old.spirv = (1, 3);
        let error = words("payloads", entry, &old).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        assert!(error.message().contains("SPIR-V 1.4"), "{error}");
    }
}

#[test]
fn flags_that_skip_primitives_need_their_feature_where_they_may_be_set() {
    let module = words("tracing/skip", "generate", &rays()).unwrap();
    assert!(declares(&module, Capability::RayTraversalPrimitiveCullingKHR));
    let mut profile = rays();
    profile.features.set(Feature::RayTraversalPrimitiveCulling, false);
    let error = words("tracing/skip", "generate", &profile).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::MissingFeature(Feature::RayTraversalPrimitiveCulling), "{error}");
    assert!(words("tracing/skip", "closest", &profile).is_ok());
}

#[test]
fn calls_name_the_alloca_and_the_argument_themselves() {
    let module = words("tracing/recursion", "generate", &rays()).unwrap();
    assert_eq!(variables(&module, StorageClass::RayPayloadKHR), 1);
    assert_eq!(variables(&module, StorageClass::Function), 0, "the payload is not copied");
    let module = words("tracing/recursion", "closest", &rays()).unwrap();
    assert_eq!(variables(&module, StorageClass::IncomingRayPayloadKHR), 1);
    // The forwarded payload is the incoming one; the other branch has its own.
    assert_eq!(variables(&module, StorageClass::RayPayloadKHR), 1);
    assert_eq!(all(&module, Op::TraceRayKHR).len(), 2);
    let module = words("tracing/callables", "nested", &rays()).unwrap();
    assert_eq!(variables(&module, StorageClass::IncomingCallableDataKHR), 1);
    assert_eq!(variables(&module, StorageClass::CallableDataKHR), 1);
    // A payload that is a parameter as well is copied.
    let module = words("tracing/callables", "closest", &rays()).unwrap();
    assert_eq!(variables(&module, StorageClass::IncomingRayPayloadKHR), 1);
    assert_eq!(variables(&module, StorageClass::CallableDataKHR), 2);
}

/// The locations of payloads and those of parameters are unique, and the attributes of hits have
/// none.
#[test]
fn payloads_and_parameters_have_locations() {
    let locations = |name: &str, entry: &str, class: StorageClass| {
        let module = words(name, entry, &rays()).unwrap();
        let decorations = all(&module, Op::Decorate);
        let location = |id: u32| {
            let found = decorations.iter().find(|o| o[0] == id && o[1] == Decoration::Location as u32);
            found.map(|operands| operands[2])
        };
        let variables = all(&module, Op::Variable).into_iter().filter(|operands| operands[2] == class as u32);
        let mut found: Vec<Option<u32>> = variables.map(|operands| location(operands[1])).collect();
        found.sort_unstable();
        found
    };
    assert_eq!(locations("tracing/recursion", "generate", StorageClass::RayPayloadKHR), [Some(0)]);
    let both = [StorageClass::IncomingRayPayloadKHR, StorageClass::RayPayloadKHR];
    let mut payloads = both.map(|class| locations("tracing/recursion", "closest", class)).concat();
    payloads.sort_unstable();
    assert_eq!(payloads, [Some(0), Some(1)]);
    assert_eq!(locations("tracing/callables", "closest", StorageClass::CallableDataKHR), [Some(0), Some(1)]);
    assert_eq!(locations("tracing/callables", "closest", StorageClass::IncomingRayPayloadKHR), [Some(0)]);
    assert_eq!(locations("tracing/recursion", "closest", StorageClass::HitAttributeKHR), []);
    assert_eq!(locations("rays/pipeline", "cut", StorageClass::HitAttributeKHR), [None]);
}

/// D3D uses the low bits of an operand alone. Upper bits that are proved to be zero stay.
#[test]
fn operands_of_rays_lose_their_upper_bits() {
    let module = words("tracing/masks", "generate", &rays()).unwrap();
    let numbers: Vec<&[u32]> = all(&module, Op::Constant);
    let number = |id: u32| numbers.iter().find(|operands| operands[1] == id).map(|operands| operands[2]);
    let masks = all(&module, Op::BitwiseAnd);
    let most = |id: u32| {
        number(id).or_else(|| {
            let mask = masks.iter().find(|operands| operands[1] == id)?;
            mask[2..].iter().filter_map(|&id| number(id)).min()
        })
    };
    let calls = all(&module, Op::TraceRayKHR);
    assert_eq!(calls.len(), 3);
    for operands in calls {
        for (at, limit) in [(2, 0xff), (3, 0xf), (4, 0xf), (5, 0xffff)] {
            assert!(most(operands[at]).is_some_and(|most| most <= limit), "operand {at}: {operands:?}");
        }
    }
    // The miss index is one of two constants.
    let module = words("rays/pipeline", "generate", &rays()).unwrap();
    assert_eq!(all(&module, Op::BitwiseAnd), [] as [&[u32]; 0]);
}

#[test]
fn any_hit_shaders_end_with_terminators() {
    let module = words("tracing/any_hit", "stop", &rays()).unwrap();
    assert!(!all(&module, Op::IgnoreIntersectionKHR).is_empty());
    assert!(!all(&module, Op::TerminateRayKHR).is_empty());
    assert!(all(&module, Op::Unreachable).is_empty());
}

/// Vulkan, VUID-StandaloneSpirv-VulkanMemoryModel-04678 and -MaximallyReconvergesKHR-09565.
#[test]
fn what_shader_calls_change_is_volatile() {
    let volatile = |module: &[u32], builtin: BuiltIn| {
        let decorations = all(module, Op::Decorate);
        let wanted = [Decoration::BuiltIn as u32, builtin as u32];
        let variable = decorations.iter().find(|operands| operands[1..] == wanted).expect("the builtin is read")[0];
        decorations.contains(&&[variable, Decoration::Volatile as u32][..])
    };
    assert!(volatile(&words("payloads", "distances", &rays()).unwrap(), BuiltIn::RayTmaxKHR));
    assert!(!volatile(&words("tracing/system_values", "missed", &rays()).unwrap(), BuiltIn::RayTmaxKHR));
    let reconverges = |module: &[u32]| {
        let mode = ExecutionMode::MaximallyReconvergesKHR as u32;
        all(module, Op::ExecutionMode).iter().any(|operands| operands[1] == mode)
    };
    for (entry, changes, calls) in [
        ("generate", true, true),
        ("closest", true, false),
        ("missed", true, false),
        ("enter", true, true),
        ("call", true, false),
        ("seen", false, false),
    ] {
        let module = words("tracing/waves", entry, &rays()).unwrap();
        assert_eq!(volatile(&module, BuiltIn::SubgroupLocalInvocationId), changes, "{entry}");
        assert_eq!(reconverges(&module), !calls, "{entry}");
    }
}

#[test]
fn wave_operations_need_the_stage() {
    for (entry, bit) in [
        ("generate", 0x100),
        ("seen", 0x200),
        ("closest", 0x400),
        ("missed", 0x800),
        ("enter", 0x1000),
        ("call", 0x2000),
    ] {
        let mut profile = rays();
        profile.subgroup.stages &= !bit;
        let error = words("tracing/waves", entry, &profile).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        assert!(error.message().contains(&format!("bit {bit:#x}")), "{error}");
    }
}

#[test]
fn sizes_of_payloads_and_attributes_are_checked() {
    use ErrorKind::Malformed;
    refused("payload_size", "missed", Malformed, "has 24 bytes; its metadata declares 20");
    refused("attribute_size", "closest", Malformed, "has 8 bytes; its metadata declares 4");
    refused("payloads", "seen", Malformed, "attributes of 48 bytes; D3D12 allows 32");
    refused("payloads", "enter_large", Malformed, "attributes of 48 bytes; D3D12 allows 32");
    refused("parameters", "closest", Malformed, "of stage miss has 2 parameters; expected 1");
}

#[test]
fn pointers_from_nowhere_are_refused() {
    use ErrorKind::Malformed;
    let expected = "expected a variable of the shader, or an argument of the entry point";
    for name in ["undef", "integer", "constant"] {
        refused(name, "generate", Malformed, "the payload of TraceRay is ");
        refused(name, "generate", Malformed, expected);
    }
    refused("parameter_undef", "generate", Malformed, "the parameter of CallShader is ");
    refused("attributes_undef", "enter", Malformed, "the attributes of ReportHit is ");
    refused("recursive", "generate", Malformed, "is recursive");
}

#[test]
fn attributes_of_several_types_are_refused() {
    refused("payloads", "enter_two", ErrorKind::Unsupported, "ReportHit with attributes of several types");
}

/// A mutation of a fixture, which once gave an invalid module.
#[test]
fn a_shuffle_chooses_among_its_vectors() {
    let error = Shader::parse(&container("mask_beyond")).map(|_| ()).expect_err("the mask has an element beyond");
    let message = "the mask of shufflevector has an element beyond both vectors";
    assert!(error.kind() == ErrorKind::Malformed && error.message().contains(message), "{error}");
}

/// A hit object is a ray only if nothing can tell when its shaders run. Others need an extension.
#[test]
fn hit_objects_as_values_need_an_extension() {
    let forms = [
        (
            Feature::RayTracingInvocationReorder,
            Capability::ShaderInvocationReorderNV,
            [Op::HitObjectTraceRayNV, Op::HitObjectRecordMissNV, Op::HitObjectExecuteShaderNV],
        ),
        (
            Feature::RayTracingInvocationReorderExt,
            Capability::ShaderInvocationReorderEXT,
            [Op::HitObjectTraceRayEXT, Op::HitObjectRecordMissEXT, Op::HitObjectExecuteShaderEXT],
        ),
    ];
    for (feature, capability, ops) in forms {
        let mut reorder = rays();
        reorder.features.set(feature, true);
        for (name, counts) in [
            ("inspected", [1, 0, 1]),
            ("payloads", [1, 0, 1]),
            ("between", [1, 0, 1]),
            ("twice", [1, 0, 2]),
            ("asked", [1, 1, 2]),
            ("record", [1, 0, 1]),
            ("chosen", [1, 0, 1]),
            ("loop", [2, 0, 2]),
        ] {
            let name = format!("libraries/hit_objects.{name}.dxil");
            refused(&name, "main", ErrorKind::MissingFeature(Feature::RayTracingInvocationReorderExt), "");
            let module = words(&name, "main", &reorder).unwrap();
            assert!(declares(&module, capability), "{name}");
            assert_eq!(ops.map(|op| all(&module, op).len()), counts, "{name}");
            assert_eq!(all(&module, Op::TraceRayKHR).len(), 0, "{name}");
        }
        let error = words("libraries/hit_objects.both.dxil", "main", &reorder).expect_err("two objects");
        let text = "more than one is needed at a time";
        assert!(error.kind() == ErrorKind::Unsupported && error.message().contains(text), "{error}");
    }
    let mut reorder = rays();
    reorder.features.set(Feature::RayTracingInvocationReorder, true);
    // A payload is a variable of the call that takes it.
    let module = words("libraries/hit_objects.payloads.dxil", "main", &reorder).unwrap();
    assert_eq!(variables(&module, StorageClass::RayPayloadKHR), 2);
    // The data of a record is at an address.
    let module = words("libraries/hit_objects.record.dxil", "main", &reorder).unwrap();
    assert_eq!(all(&module, Op::HitObjectGetShaderRecordBufferHandleNV).len(), 1);
    assert!(declares(&module, Capability::PhysicalStorageBufferAddresses));
    // Questions that need a hit are asked where there is one.
    let module = words("libraries/hit_objects.asked.dxil", "main", &reorder).unwrap();
    assert_eq!(all(&module, Op::HitObjectGetAttributesNV).len(), 2);
    assert_eq!(variables(&module, StorageClass::HitObjectAttributeNV), 1);
    let error = words("libraries/hit_objects.flags.dxil", "main", &reorder).expect_err("ray flags");
    let text = "HitObject_MakeMiss with ray flags";
    assert!(error.kind() == ErrorKind::Unsupported && error.message().contains(text), "{error}");
}

/// Rays have no groups. AMD's header keeps the token of a hit in groupshared memory.
#[test]
fn groupshared_memory_is_refused() {
    let text = "`?AmdHitToken@@3UAmdExtRtHitToken@@A.0`: a raygeneration shader has no groups";
    refused("libraries/ags.hit_token.dxil", "main", ErrorKind::Unsupported, text);
}

/// A hit object of NVAPI is a number, which branches may choose.
#[test]
fn hit_objects_of_nvapi_are_hit_objects() {
    let mut reorder = rays();
    reorder.features.set(Feature::RayTracingInvocationReorder, true);
    let name = "libraries/vendor.chosen.dxil";
    refused(name, "main", ErrorKind::MissingFeature(Feature::RayTracingInvocationReorderExt), "");
    let module = words(name, "main", &reorder).unwrap();
    let ops = [Op::HitObjectTraceRayNV, Op::HitObjectExecuteShaderNV, Op::ReorderThreadWithHitObjectNV];
    assert_eq!(ops.map(|op| all(&module, op).len()), [1, 1, 1]);
    assert_eq!(all(&module, Op::TraceRayKHR).len(), 0);
}

/// What only SPV_EXT_shader_invocation_reorder has.
#[test]
fn hit_objects_of_ray_queries_need_the_ext_form() {
    let mut reorder = rays();
    reorder.features.set(Feature::RayTracingInvocationReorder, true);
    reorder.features.set(Feature::RayQuery, true);
    for name in ["queried", "recordless", "boxes"] {
        let error = words(&format!("libraries/hit_objects.{name}.dxil"), "main", &reorder).expect_err(name);
        let kind = ErrorKind::MissingFeature(Feature::RayTracingInvocationReorderExt);
        assert_eq!(error.kind(), kind, "{error}");
    }
    reorder.features.set(Feature::RayTracingInvocationReorderExt, true);
    let module = words("libraries/hit_objects.queried.dxil", "main", &reorder).unwrap();
    let count = |module: &_, op| all(module, op).len();
    for op in [
        Op::HitObjectRecordFromQueryEXT,
        Op::HitObjectSetShaderBindingTableRecordIndexEXT,
        Op::HitObjectRecordMissEXT,
        Op::HitObjectGetRayFlagsEXT,
        Op::HitObjectExecuteShaderEXT,
        Op::ReorderThreadWithHitObjectEXT,
        Op::ReorderThreadWithHintEXT,
    ] {
        assert_eq!(count(&module, op), 1, "{op:?}");
    }
    assert_eq!(variables(&module, StorageClass::HitObjectAttributeEXT), 1);
    // Without a record nothing is invoked, and there is nothing to read.
    let module = words("libraries/hit_objects.recordless.dxil", "main", &reorder).unwrap();
    assert_eq!(count(&module, Op::HitObjectRecordFromQueryEXT), 1);
    for op in [Op::HitObjectExecuteShaderEXT, Op::HitObjectGetShaderRecordBufferHandleEXT] {
        assert_eq!(count(&module, op), 0, "{op:?}");
    }
    // The hit kind and the attributes of a box.
    let module = words("libraries/hit_objects.boxes.dxil", "main", &reorder).unwrap();
    let [found] = all(&module, Op::HitObjectRecordFromQueryEXT)[..] else { panic!("not one hit object") };
    assert_eq!(found.len(), 5, "{found:?}");
    assert_eq!(variables(&module, StorageClass::HitObjectAttributeEXT), 1);
    assert_eq!(count(&module, Op::HitObjectExecuteShaderEXT), 1);
    let module = words("libraries/hit_objects.flags.dxil", "main", &reorder).unwrap();
    assert_eq!(count(&module, Op::HitObjectRecordMissEXT), 1);
}

/// A ray that is traced, reordered by and invoked is one instruction of the EXT form, three of the
/// NV form, and TraceRay on other devices, which do not reorder. In the fixture four rays are not
/// reordered by.
#[test]
fn reordering_is_kept_where_the_device_can_reorder() {
    let [mut nv, mut ext] = [rays(), rays()];
    nv.features.set(Feature::RayTracingInvocationReorder, true);
    ext.features.set(Feature::RayTracingInvocationReorderExt, true);
    for (profile, wanted) in [(rays(), [0, 0, 0, 0, 5]), (nv, [0, 1, 1, 0, 4]), (ext, [1, 0, 0, 1, 4])] {
        let module = words("tracing/hit_objects.dxil", "generate", &profile).unwrap();
        let ops = [
            Op::HitObjectTraceReorderExecuteEXT,
            Op::ReorderThreadWithHitObjectNV,
            Op::ReorderThreadWithHintNV,
            Op::ReorderThreadWithHintEXT,
            Op::TraceRayKHR,
        ];
        assert_eq!(ops.map(|op| all(&module, op).len()), wanted);
    }
}
