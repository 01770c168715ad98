//! Checks that capabilities are a contract: a profile forces each form of a lowering, and the
//! module declares exactly the capabilities and extensions that this form needs.

mod choices;
mod graphics;
mod memory;

use std::path::Path;

use dxil_test_support::read;
use dxil_translator::{
    BindingOptions, Bounds, DeviceProfile, Error, ErrorKind, Feature, FloatControls, Model, Options, PipelineStage,
    PlanInputs, RawVectors, RegisterShifts, Shader, StorageFormats, VULKAN_1_1_FLOOR, VULKAN_1_3_DESKTOP, plan,
    translate,
};
use rspirv::spirv::{Capability, Decoration, ExecutionMode, Op};

use dxil_test_support::spirv::{instructions, string};

/// The capabilities, extensions, modes and instructions of a module.
#[derive(Default)]
struct Module {
    words: Vec<u32>,
    capabilities: Vec<u32>,
    extensions: Vec<String>,
    decorations: Vec<u32>,
    ops: Vec<u32>,
    modes: Vec<u32>,
    /// The control masks of merge instructions, which carry the source's attributes of a selection
    /// or loop.
    controls: Vec<(Op, u32)>,
}

impl Module {
    fn read(words: &[u32]) -> Module {
        let mut module = Module { words: words.to_vec(), ..Module::default() };
        for (op, operands) in instructions(words) {
            if op == Op::Capability as u32 {
                module.capabilities.push(operands[0]);
            } else if op == Op::Decorate as u32 {
                module.decorations.push(operands[1]);
            } else if op == Op::Extension as u32 {
                module.extensions.push(string(operands));
            }
            if op == Op::ExecutionMode as u32 {
                module.modes.push(operands[1]);
            }
            for merge in [Op::LoopMerge, Op::SelectionMerge] {
                if op == merge as u32 {
                    module.controls.push((merge, operands[operands.len() - 1]));
                }
            }
            module.ops.push(op);
        }
        module
    }

    fn decorated(&self, decoration: Decoration) -> usize {
        self.decorations.iter().filter(|&&d| d == decoration as u32).count()
    }

    fn count(&self, op: Op) -> usize {
        self.ops.iter().filter(|&&o| o == op as u32).count()
    }

    #[track_caller]
    fn needs(&self, capabilities: &[Capability]) -> &Self {
        for &capability in capabilities {
            assert!(self.capabilities.contains(&(capability as u32)), "{capability:?} is not declared");
        }
        self
    }

    #[track_caller]
    fn forbids(&self, capabilities: &[Capability]) -> &Self {
        for &capability in capabilities {
            assert!(!self.capabilities.contains(&(capability as u32)), "{capability:?} is declared");
        }
        self
    }
}

fn run(container: &str, profile: &DeviceProfile, change: impl FnOnce(&mut Options)) -> Result<Module, Error> {
    let shader = Shader::parse(&read(container))?;
    let entry = shader.find_entry(None)?;
    let shifts = RegisterShifts { b: 0, t: 100, u: 200, s: 300, c: 1000 };
    let mut bindings = BindingOptions::new(Model::Register, shifts);
    bindings.heap_sets.resources = Some(1);
    let plan = plan(&[PipelineStage::new(&shader, entry)], &PlanInputs::new(profile).with_options(bindings))?;
    let mut options = Options::new(profile.clone());
    change(&mut options);
    Ok(Module::read(&translate(&shader, entry, &plan.stages[0], &options)?.words))
}

fn fixture(name: &str, profile: &DeviceProfile) -> Result<Module, Error> {
    run(&format!("../tests/fixtures/{name}.dxil"), profile, |_| ())
}

/// The desktop profile with features added and taken away.
fn desktop(with: &[Feature], without: &[Feature]) -> DeviceProfile {
    let mut profile = VULKAN_1_3_DESKTOP;
    with.iter().for_each(|&f| profile.features.set(f, true));
    without.iter().for_each(|&f| profile.features.set(f, false));
    profile
}

#[track_caller]
fn missing(result: Result<Module, Error>, feature: Feature) {
    match result {
        Ok(_) => panic!("translated without {feature}"),
        Err(error) => assert_eq!(error.kind(), ErrorKind::MissingFeature(feature), "{error}"),
    }
}

#[test]
fn plain_integer_code_asks_for_nothing() {
    let module = fixture("arithmetic/int_basic", &VULKAN_1_1_FLOOR).expect("every device runs it");
    assert_eq!(module.capabilities, [Capability::Shader as u32]);
    assert!(module.extensions.is_empty(), "{:?}", module.extensions);
}

#[test]
fn packed_dot_products_are_native_or_shifts() {
    use Capability::{DotProduct, DotProductInput4x8BitPacked};
    let native = fixture("arithmetic/int_dot_packed", &desktop(&[Feature::IntegerDotProduct], &[])).expect("native");
    native.needs(&[DotProduct, DotProductInput4x8BitPacked]);
    assert!(native.count(Op::SDot) > 0 && native.count(Op::UDot) > 0);
    let shifts = fixture("arithmetic/int_dot_packed", &desktop(&[], &[Feature::IntegerDotProduct])).expect("shifts");
    shifts.forbids(&[DotProduct, DotProductInput4x8BitPacked]);
    assert!(shifts.count(Op::SDot) + shifts.count(Op::UDot) == 0 && shifts.count(Op::ShiftRightArithmetic) > 0);
}

#[test]
fn denormals_are_kept_where_the_device_can() {
    let mut profile = VULKAN_1_3_DESKTOP;
    profile.float.f32 = FloatControls::DENORM_PRESERVE;
    let kept = fixture("arithmetic/denormals", &profile).expect("kept");
    kept.needs(&[Capability::DenormPreserve]).forbids(&[Capability::DenormFlushToZero]);
    (profile.float.f16, profile.float.f32, profile.float.f64) = (0, 0, 0);
    let open = fixture("arithmetic/denormals", &profile).expect("left open");
    open.forbids(&[Capability::DenormPreserve, Capability::DenormFlushToZero, Capability::SignedZeroInfNanPreserve]);
}

#[test]
fn signed_zero_infinity_and_nan_are_asked_for_where_they_can_be() {
    let mut profile = VULKAN_1_3_DESKTOP;
    profile.float.f32 = FloatControls::SIGNED_ZERO_INF_NAN_PRESERVE;
    let module = fixture("arithmetic/float_minmax_nan", &profile).expect("kept");
    module.needs(&[Capability::SignedZeroInfNanPreserve]);
    (profile.float.f16, profile.float.f32, profile.float.f64) = (0, 0, 0);
    fixture("arithmetic/float_minmax_nan", &profile).expect("open").forbids(&[Capability::SignedZeroInfNanPreserve]);
}

#[test]
fn native_halves_need_their_feature() {
    missing(fixture("types/half", &desktop(&[], &[Feature::Float16])), Feature::Float16);
    missing(fixture("types/int16_bits", &desktop(&[], &[Feature::Int16])), Feature::Int16);
}

#[test]
fn minimum_precision_is_16_bits_where_they_are_native() {
    use Capability::{Float16, Int16};
    let native = fixture("types/min_precision", &desktop(&[Feature::Float16, Feature::Int16], &[])).expect("native");
    native.needs(&[Float16, Int16]);
    for without in [&[Feature::Float16][..], &[Feature::Int16], &[Feature::Float16, Feature::Int16]] {
        let wide = fixture("types/min_precision", &desktop(&[], without)).expect("32 bits");
        wide.forbids(&[Float16, Int16]);
        assert_eq!(wide.count(Op::FConvert) + wide.count(Op::UConvert) + wide.count(Op::SConvert), 0);
    }
    // The interface between stages has 32 bits too, although the device supports 16 bits there.
    let io = desktop(&[Feature::StorageInputOutput16], &[Feature::Float16]);
    fixture("stages/min_precision_io.vs", &io).expect("32 bits").forbids(&[Float16, Int16]);
}

#[test]
fn cycle_counters_need_a_clock() {
    let module = fixture("arithmetic/cycle_counter", &desktop(&[Feature::SubgroupClock], &[])).expect("a clock");
    module.needs(&[Capability::ShaderClockKHR]);
    assert_eq!(module.extensions.iter().filter(|e| *e == "SPV_KHR_shader_clock").count(), 1);
    missing(fixture("arithmetic/cycle_counter", &desktop(&[], &[Feature::SubgroupClock])), Feature::SubgroupClock);
    // The vendors' clocks that all invocations of a device share.
    for name in ["libraries/vendor.real_time", "libraries/vendor.timer"] {
        let module = fixture(name, &desktop(&[Feature::DeviceClock], &[])).expect("a clock");
        module.needs(&[Capability::ShaderClockKHR]);
        missing(fixture(name, &desktop(&[Feature::SubgroupClock], &[])), Feature::DeviceClock);
    }
}

/// Long vectors are vectors where the device has vectors of their length, and scalars elsewhere.
/// Vectors that the core has are vectors on every device.
#[test]
fn long_vectors_are_vectors_where_the_device_has_them() {
    let everything = DeviceProfile::named("everything").expect("a profile");
    let lengths = |module: &Module| -> Vec<u32> {
        let vectors = instructions(&module.words).filter(|(op, _)| *op == Op::TypeVector as u32);
        vectors.map(|(_, operands)| operands[2]).filter(|&count| count > 4).collect()
    };
    let long = fixture("vectors/float_33", &everything).expect("long vectors");
    long.needs(&[Capability::LongVectorEXT]);
    assert!(long.extensions.iter().any(|name| name == "SPV_EXT_long_vector"), "{:?}", long.extensions);
    assert!(lengths(&long).contains(&33), "{:?}", lengths(&long));
    let change = |change: fn(&mut DeviceProfile)| {
        let mut profile = everything.clone();
        change(&mut profile);
        fixture("vectors/float_33", &profile).expect("scalars")
    };
    for split in [
        change(|profile| profile.features.set(Feature::LongVector, false)),
        change(|profile| profile.limits.max_vector_components = 32),
    ] {
        split.forbids(&[Capability::LongVectorEXT]);
        assert!(lengths(&split).is_empty(), "{:?}", lengths(&split));
        assert!(split.words.len() > long.words.len(), "{} {}", split.words.len(), long.words.len());
    }
    // So are those of stages that have payloads, unless they are in memory, where a payload may be.
    for name in ["rays", "mesh", "amplification", "shared"] {
        let module = fixture(&format!("libraries/long_vectors.{name}"), &everything).expect(name);
        assert_eq!(lengths(&module).contains(&9), name != "shared", "{name}: {:?}", lengths(&module));
        assert_eq!(module.capabilities.contains(&(Capability::LongVectorEXT as u32)), name != "shared", "{name}");
    }
    // A product of vectors of four elements is one instruction.
    for profile in [everything, VULKAN_1_3_DESKTOP] {
        let short = fixture("vectors/uint_4", &profile).expect("vectors of the core");
        short.forbids(&[Capability::LongVectorEXT]);
        assert!(short.count(Op::CompositeInsert) + short.count(Op::CompositeConstruct) > 0);
    }
}

/// AMD's barycentrics are the second and the third component of Vulkan's.
#[test]
fn barycentrics_of_ags_need_the_extension() {
    for name in ["libraries/vendor.barycentrics", "libraries/ags.barycentrics"] {
        let module = fixture(name, &desktop(&[Feature::FragmentShaderBarycentric], &[])).expect("barycentrics");
        module.needs(&[Capability::FragmentBarycentricKHR]);
        missing(
            fixture(name, &desktop(&[], &[Feature::FragmentShaderBarycentric])),
            Feature::FragmentShaderBarycentric,
        );
    }
}

/// A fixture whose `without` line misspells a feature would test the form that it means to avoid.
#[test]
fn features_that_fixtures_do_without_exist() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures");
    let mut found = 0;
    for group in std::fs::read_dir(fixtures).expect("the fixtures").map(|entry| entry.expect("a folder").path()) {
        for path in std::fs::read_dir(group).into_iter().flatten().map(|entry| entry.expect("a file").path()) {
            if path.extension().is_none_or(|extension| extension != "hlsl") {
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("a source");
            for name in text.lines().filter_map(|l| l.strip_prefix("//! without ")).flat_map(str::split_whitespace) {
                assert!(Feature::from_name(name).is_some(), "{}: no feature `{name}`", path.display());
                found += 1;
            }
        }
    }
    assert!(found > 0, "no fixture has a line `//! without`");
}

#[test]
fn the_sources_hints_are_on_merges() {
    use rspirv::spirv::{LoopControl, SelectionControl};
    let module = fixture("control/hints", &VULKAN_1_1_FLOOR).expect("every device runs it");
    let of = |op| module.controls.iter().filter(|c| c.0 == op).map(|c| c.1).filter(|&c| c != 0).collect::<Vec<_>>();
    // Two loops are left, one of them with `[loop]`. The compiler has unrolled the loop with
    // `[unroll]`.
    assert_eq!(of(Op::LoopMerge), [LoopControl::DONT_UNROLL.bits()]);
    assert_eq!(module.count(Op::LoopMerge), 2);
    // `[branch]`, `[flatten]`, and `[branch]` on a switch.
    let asked = [SelectionControl::DONT_FLATTEN, SelectionControl::FLATTEN, SelectionControl::DONT_FLATTEN];
    assert_eq!(of(Op::SelectionMerge), asked.map(|control| control.bits()));
    let unroll = fixture("control/hints_unroll", &VULKAN_1_1_FLOOR).expect("every device runs it");
    assert!(unroll.controls.contains(&(Op::LoopMerge, LoopControl::UNROLL.bits())));
}

#[test]
fn reconvergence_and_quad_control_are_asked_for_where_they_are_needed_and_enabled() {
    use rspirv::spirv::ExecutionMode as Mode;
    let all = desktop(&[Feature::MaximalReconvergence, Feature::QuadControl], &[]);
    let none = desktop(&[], &[Feature::MaximalReconvergence, Feature::QuadControl]);
    let asked = |name: &str, profile: &DeviceProfile| {
        let module = fixture(name, profile).expect(name);
        let has = |mode: Mode| module.modes.contains(&(mode as u32));
        let extension = |name: &str| module.extensions.iter().any(|e| e == name);
        assert_eq!(extension("SPV_KHR_maximal_reconvergence"), has(Mode::MaximallyReconvergesKHR), "{name}");
        assert_eq!(
            extension("SPV_KHR_quad_control"),
            has(Mode::QuadDerivativesKHR) || has(Mode::RequireFullQuadsKHR),
            "{name}"
        );
        let declared = module.capabilities.contains(&(Capability::QuadControlKHR as u32));
        assert_eq!(declared, has(Mode::QuadDerivativesKHR) || has(Mode::RequireFullQuadsKHR), "{name}");
        [has(Mode::MaximallyReconvergesKHR), has(Mode::QuadDerivativesKHR), has(Mode::RequireFullQuadsKHR)]
    };
    // The shaders have loops and branches only; a barrier; wave operations; derivatives.
    for (name, wanted) in [
        ("control/loop_nested", [false, false, false]),
        ("control/noinline_groupshared", [true, false, false]),
        ("control/noinline_wave", [true, false, false]),
        ("graphics/derivatives.ps", [true, true, false]),
    ] {
        assert_eq!(asked(name, &all), wanted, "{name}");
        assert_eq!(asked(name, &none), [false; 3], "{name}");
    }
}

/// SwiftShader computes a loop's later iterations for lanes that have left the loop as well. There,
/// and only there, a value that leaves a loop without a phi of its own does so through a variable.
#[test]
fn values_that_leave_a_loop() {
    let name = "memory/static_global";
    let mut profile = VULKAN_1_1_FLOOR;
    assert_eq!(fixture(name, &profile).unwrap().count(Op::CopyMemory), 0);
    profile.driver.id = dxil_translator::Driver::SWIFTSHADER;
    // The depth of the stack after the first loop, and the sum after the second.
    assert_eq!(fixture(name, &profile).unwrap().count(Op::CopyMemory), 2);
}

/// Acceleration structures in arrays need no feature for indexes.
#[test]
fn indexes_of_acceleration_structures_need_no_feature() {
    use Capability as C;
    let everything = DeviceProfile::named("everything").expect("a profile");
    let module = fixture("query/structures", &everything).expect("arrays of structures");
    module.needs(&[C::ShaderNonUniform]);
    module.forbids(&[C::SampledImageArrayDynamicIndexing, C::SampledImageArrayNonUniformIndexing]);
}

#[test]
fn ray_queries_are_a_feature_of_their_own() {
    let rays = [Feature::AccelerationStructure, Feature::RayQuery];
    missing(fixture("query/committed", &desktop(&rays[..1], &[])), Feature::RayQuery);
    let module = fixture("query/committed", &desktop(&rays, &[])).unwrap();
    module.needs(&[Capability::RayQueryKHR]).forbids(&[Capability::RayTracingKHR, Capability::Int64]);
    assert!(module.extensions.iter().any(|name| name == "SPV_KHR_ray_query"), "{:?}", module.extensions);
    let mut old = desktop(&rays, &[]);
    old.spirv = (1, 3);
    let error = fixture("query/committed", &old).err().expect("SPIR-V 1.3 has no ray queries");
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert!(error.message().contains("RayQueryKHR needs SPIR-V 1.4 or later"), "{error}");
}

/// The flag of opacity micromaps needs the feature, and is ignored without it.
#[test]
fn rays_that_force_states_of_micromaps_use_their_feature() {
    let rays = [Feature::AccelerationStructure, Feature::RayQuery];
    let micromaps = Capability::RayTracingOpacityMicromapEXT;
    fixture("query/micromaps", &desktop(&rays, &[])).unwrap().forbids(&[micromaps]);
    let enabled = desktop(&[rays[0], rays[1], Feature::OpacityMicromap], &[]);
    fixture("query/micromaps", &enabled).unwrap().needs(&[micromaps]);
    fixture("query/loaded_flags", &enabled).unwrap().forbids(&[micromaps]);
}

/// Flags that a query has as constants need the feature; flags from memory use it if it is enabled.
#[test]
fn rays_that_skip_primitives_need_their_feature() {
    let rays = [Feature::AccelerationStructure, Feature::RayQuery];
    let culling = Capability::RayTraversalPrimitiveCullingKHR;
    missing(fixture("query/flags", &desktop(&rays, &[])), Feature::RayTraversalPrimitiveCulling);
    let skips = desktop(&[rays[0], rays[1], Feature::RayTraversalPrimitiveCulling], &[]);
    fixture("query/flags", &skips).unwrap().needs(&[culling]);
    // The flags of this fixture are one of two, neither of which skips primitives.
    fixture("query/candidates", &skips).unwrap().forbids(&[culling]);
    fixture("query/loaded_flags", &skips).unwrap().needs(&[culling]);
    fixture("query/loaded_flags", &desktop(&rays, &[])).unwrap().forbids(&[culling]);
}

/// A query whose handle stays with it is a variable of the function, and what is proved of its
/// state is not checked: a loop over candidates and a look at the hit need no more branches than
/// the source has.
#[test]
fn proved_states_of_ray_queries_are_not_checked() {
    let rays = desktop(&[Feature::AccelerationStructure, Feature::RayQuery], &[]);
    let module = fixture("query/candidates", &rays).unwrap();
    assert_eq!((module.count(Op::RayQueryProceedKHR), module.count(Op::RayQueryGetIntersectionTypeKHR)), (2, 1));
    // The guard of the loop, the loop, the branch by the candidate's type.
    assert_eq!(module.count(Op::BranchConditional), 3);
    let module = fixture("query/undefined", &rays).unwrap();
    assert!(module.count(Op::BranchConditional) > 30);
}

/// Vulkan's VUID-RuntimeSpirv-x-06432 and -Workgroup-06530: groups of a compute shader keep to the
/// device's limits.
#[test]
fn groups_keep_to_the_device() {
    // 256 threads with 3,888 bytes.
    let normals = "../tests/content/cloth/cloth.normals.cs.dxil";
    let limited = |threads: u32, bytes: u32| {
        let mut profile = desktop(&[Feature::Float16], &[]);
        profile.limits.max_compute_work_group_invocations = threads;
        profile.limits.max_compute_shared_memory_size = bytes;
        run(normals, &profile, |_| ()).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(limited(256, 3888), Ok(()));
    let few = limited(255, 3888).unwrap_err();
    let threads = "the shader has 256 threads in a group; the device's limit maxComputeWorkGroupInvocations is 255";
    assert!(few.contains(threads), "{few}");
    let small = limited(256, 3887).unwrap_err();
    let bytes =
        "the shader has 3888 bytes of groupshared memory; the device's limit maxComputeSharedMemorySize is 3887";
    assert!(small.contains(bytes), "{small}");
}
