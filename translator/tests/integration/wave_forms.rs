//! Checks which form a wave, quad or derivative operation takes on a device and what is refused, by
//! looking at the capabilities, execution modes and instructions of the output. The fixtures in
//! tests/fixtures/wave check what the forms compute.

use dxil_spirv_builder::disassemble;
use dxil_structure::Terminator;
use dxil_test_support::{fixture, read};
use dxil_translator::{
    BindingOptions, DeviceProfile, ErrorKind, Feature, Model, Options, PipelineStage, PlanInputs, RegisterShifts,
    Shader, lavapipe, plan, translate,
};

const ARITHMETIC: u32 = 4;
const BALLOT: u32 = 8;
const SHUFFLE: u32 = 0x10;
const QUAD: u32 = 0x80;
const COMPUTE: u32 = 0x20;
const FRAGMENT: u32 = 0x10;

/// The fixture's SPIR-V as text, or the error.
fn emit(name: &str, profile: &DeviceProfile) -> Result<String, dxil_translator::Error> {
    emit_from("../tests/fixtures/wave", name, profile)
}

fn emit_from(folder: &str, name: &str, profile: &DeviceProfile) -> Result<String, dxil_translator::Error> {
    let shader = Shader::parse(&read(format!("{folder}/{name}.dxil")))?;
    let entry = shader.find_entry(None)?;
    let shifts = RegisterShifts { b: 0, t: 100, u: 200, s: 300, c: 1000 };
    let binding = BindingOptions::new(Model::Register, shifts);
    let plan = plan(&[PipelineStage::new(&shader, entry)], &PlanInputs::new(profile).with_options(binding))?;
    let translation = translate(&shader, entry, plan.stages.first().unwrap(), &Options::new(profile.clone()))?;
    disassemble(&translation.words)
}

fn with(features: &[Feature]) -> DeviceProfile {
    let mut profile = lavapipe();
    features.iter().for_each(|&feature| profile.features.set(feature, true));
    profile
}

fn without(features: &[Feature]) -> DeviceProfile {
    let mut profile = lavapipe();
    features.iter().for_each(|&feature| profile.features.set(feature, false));
    profile
}

fn without_operations(bits: u32) -> DeviceProfile {
    let mut profile = lavapipe();
    profile.subgroup.operations &= !bits;
    profile
}

#[track_caller]
fn check(text: &str, present: &[&str], absent: &[&str]) {
    let words: Vec<&str> = text.split_whitespace().collect();
    let has = |name: &str| words.iter().any(|word| word.trim_matches('"') == name);
    for name in present {
        assert!(has(name), "{name} is missing in\n{text}");
    }
    for name in absent {
        assert!(!has(name), "{name} must not occur in\n{text}");
    }
}

#[track_caller]
fn refused(name: &str, profile: &DeviceProfile, kind: ErrorKind, words: &str) {
    let error = emit(name, profile).unwrap_err();
    assert_eq!(error.kind(), kind, "{error}");
    assert!(error.to_string().contains(words), "{error}");
}

#[test]
fn partitioned_operations() {
    const NATIVE: &[&str] = &["GroupNonUniformPartitionedEXT", "SPV_NV_shader_subgroup_partitioned"];
    let native = with(&[Feature::SubgroupPartitioned]);
    let text = emit("match", &native).unwrap();
    check(&text, NATIVE, &["OpGroupNonUniformBroadcastFirst"]);
    check(&emit("multi_prefix", &native).unwrap(), NATIVE, &["OpGroupNonUniformBroadcastFirst"]);
    for name in ["match", "multi_prefix"] {
        check(&emit(name, &lavapipe()).unwrap(), &["OpGroupNonUniformBroadcastFirst", "OpLoopMerge"], NATIVE);
    }
}

#[test]
fn only_what_is_used_is_declared() {
    let others = ["GroupNonUniformShuffle", "GroupNonUniformQuad", "GroupNonUniformVote", "GroupNonUniformBallot"];
    check(&emit("active_int", &lavapipe()).unwrap(), &["GroupNonUniformArithmetic"], &others);
    check(&emit("all_equal", &lavapipe()).unwrap(), &["GroupNonUniformVote"], &["GroupNonUniformArithmetic"]);
    let quads = emit("quads", &lavapipe()).unwrap();
    check(&quads, &["GroupNonUniformQuad", "OpGroupNonUniformQuadSwap"], &["GroupNonUniformShuffle"]);
}

#[test]
fn what_the_device_has_not_is_refused_by_name() {
    refused("active_int", &without_operations(ARITHMETIC), ErrorKind::Unsupported, "supportedOperations");
    refused("votes", &without_operations(BALLOT), ErrorKind::Unsupported, "GroupNonUniformBallot");
    refused("read_lane", &without_operations(SHUFFLE), ErrorKind::Unsupported, "GroupNonUniformShuffle");
    refused("quads", &without_operations(SHUFFLE | QUAD), ErrorKind::Unsupported, "GroupNonUniform");
    let mut no_compute = lavapipe();
    no_compute.subgroup.stages &= !COMPUTE;
    refused("lanes", &no_compute, ErrorKind::Unsupported, "supportedStages");
    let mut no_fragment = lavapipe();
    no_fragment.subgroup.stages &= !FRAGMENT;
    refused("helpers.ps", &no_fragment, ErrorKind::Unsupported, "supportedStages");
    let narrow = without(&[Feature::SubgroupExtendedTypes]);
    let missing = ErrorKind::MissingFeature(Feature::SubgroupExtendedTypes);
    refused("active_wide", &narrow, missing, "shaderSubgroupExtendedTypes");
    refused("active_narrow", &narrow, missing, "shaderSubgroupExtendedTypes");
    emit("active_float", &narrow).unwrap();
}

/// Bits of doubles are compared as words, because 64-bit integers need two features that doubles do
/// not.
#[test]
fn doubles_need_no_wide_integers() {
    let narrow = without(&[Feature::Int64, Feature::SubgroupExtendedTypes, Feature::SubgroupPartitioned]);
    let text = emit_from("tests/shaders", "doubles_compared", &narrow).unwrap();
    check(&text, &["Float64", "OpGroupNonUniformAllEqual", "OpGroupNonUniformBroadcastFirst"], &["Int64"]);
}

#[test]
fn quads_without_quad_operations() {
    let text = emit("quads", &without_operations(QUAD)).unwrap();
    check(&text, &["GroupNonUniformShuffle", "OpGroupNonUniformShuffleXor"], &["GroupNonUniformQuad"]);
}

#[test]
fn reconvergence_is_asked_for_where_lanes_are_tied() {
    const ASKED: &[&str] = &["MaximallyReconvergesKHR", "SPV_KHR_maximal_reconvergence"];
    for name in ["loop_break", "quads", "derivative_linear", "helpers.ps"] {
        check(&emit(name, &lavapipe()).unwrap(), ASKED, &[]);
        check(&emit(name, &without(&[Feature::MaximalReconvergence])).unwrap(), &[], ASKED);
    }
    check(&emit("helpers.vs", &lavapipe()).unwrap(), &[], ASKED);
}

#[test]
fn whole_quads_are_asked_for_in_pixel_shaders() {
    let text = emit("helpers.ps", &with(&[Feature::QuadControl])).unwrap();
    // The shader's wave operations leave helper lanes out, and it has no quad operation.
    check(&text, &["QuadControlKHR", "QuadDerivativesKHR", "HelperInvocation"], &["RequireFullQuadsKHR"]);
    check(&emit("helpers.ps", &lavapipe()).unwrap(), &["HelperInvocation"], &["QuadControlKHR"]);
    check(&emit("quads", &with(&[Feature::QuadControl])).unwrap(), &[], &["QuadControlKHR", "HelperInvocation"]);
}

#[test]
fn derivatives_in_compute_shaders() {
    let both = with(&[Feature::ComputeDerivativeGroupQuads, Feature::ComputeDerivativeGroupLinear]);
    let square = emit("derivative_square", &both).unwrap();
    check(&square, &["DerivativeGroupQuadsKHR", "OpDPdxCoarse", "OpDPdyFine"], &["DerivativeGroupLinearKHR", "OpUMod"]);
    let linear = emit("derivative_linear", &both).unwrap();
    check(&linear, &["DerivativeGroupLinearKHR", "OpDPdxCoarse", "OpDPdyFine"], &["DerivativeGroupQuadsKHR"]);
    let sampled = emit("sample_compute", &both).unwrap();
    check(&sampled, &["OpImageSampleImplicitLod"], &["OpImageSampleExplicitLod", "Grad"]);

    let square = emit("derivative_square", &lavapipe()).unwrap();
    check(&square, &["OpGroupNonUniformQuadBroadcast", "OpUMod"], &["OpDPdxCoarse", "GlobalInvocationId"]);
    let linear = emit("derivative_linear", &lavapipe()).unwrap();
    check(&linear, &["OpGroupNonUniformQuadBroadcast"], &["OpDPdxCoarse", "OpUMod"]);
    let sampled = emit("sample_compute", &lavapipe()).unwrap();
    check(&sampled, &["OpImageSampleExplicitLod"], &["OpImageSampleImplicitLod"]);
    // On a device without quad operations, shuffles take their place.
    check(&emit("derivative_square", &without_operations(QUAD)).unwrap(), &["OpGroupNonUniformShuffle"], &[]);
    let none = without_operations(QUAD | SHUFFLE);
    refused("derivative_square", &none, ErrorKind::Unsupported, "GroupNonUniform");
}

#[test]
fn break_condition_is_folded() {
    let shader = Shader::parse(&fixture("wave/loop_break.dxil")).unwrap();
    let (program, entry) = (shader.program(), shader.entry(shader.find_entry(None).unwrap()).unwrap());
    let graph = dxil_translator::lower::graph(&program.module, &program.module.functions[entry.func], true);
    let marked =
        graph.blocks.values().filter(|block| matches!(block.terminator, Terminator::Branch { never: Some(_), .. }));
    assert!(marked.count() >= 3, "the break conditions of the compiler are not recognized");
    // The constant array of the break condition is not declared, because no load of it is left.
    let text = emit("loop_break", &lavapipe()).unwrap();
    check(&text, &["OpLoopMerge"], &["Private", "OpTypeArray"]);
}

#[test]
fn wave_operations_that_count_helpers_need_whole_quads() {
    let text = emit("include_helpers.ps", &with(&[Feature::QuadControl])).unwrap();
    check(&text, &["RequireFullQuadsKHR", "QuadControlKHR", "SPV_KHR_quad_control", "OpGroupNonUniformAny"], &[]);
    refused("include_helpers.ps", &lavapipe(), ErrorKind::MissingFeature(Feature::QuadControl), "shaderQuadControl");
}
