//! Checks parts of modules that the drivers of the tests take no notice of: what a module says about
//! memory, precision and critical sections.

use std::path::Path;

use dxil_translator::internals::spirv::disassemble;
use dxil_translator::{
    BindingOptions, DeviceProfile, Feature, Model, Options, PipelineStage, PlanInputs, RegisterShifts, Shader, plan,
    translate,
};

/// The text of a container's module for a device with everything.
fn text(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../tests/fixtures/{name}.dxil"));
    let shader = Shader::parse(&std::fs::read(&path).unwrap()).unwrap();
    let profile = DeviceProfile::named("everything").unwrap();
    let entry = shader.find_entry(None).unwrap();
    let shifts = RegisterShifts { b: 0, t: 100, u: 200, s: 300, c: 1000 };
    let inputs = PlanInputs::new(&profile).with_options(BindingOptions::new(Model::Register, shifts));
    let plan = plan(&[PipelineStage::new(&shader, entry)], &inputs).unwrap();
    disassemble(&translate(&shader, entry, &plan.stages[0], &Options::new(profile)).unwrap().words).unwrap()
}

fn count(text: &str, what: &str) -> usize {
    text.lines().filter(|line| line.contains(what)).count()
}

/// Where an instruction is first, by the number of its line.
fn line_of(text: &str, what: &str) -> usize {
    text.lines().position(|line| line.contains(what)).unwrap_or_else(|| panic!("no {what} in\n{text}"))
}

/// Every invocation begins and ends the critical section once (SPV_EXT_fragment_shader_interlock).
#[test]
fn a_critical_section_of_branches_is_the_whole_shader() {
    let text = text("graphics/rasterizer_ordered_branch.ps");
    assert_eq!(count(&text, "OpBeginInvocationInterlockEXT"), 1, "{text}");
    assert!(line_of(&text, "OpBeginInvocationInterlockEXT") < line_of(&text, "OpSelectionMerge"), "{text}");
}

/// A buffer with words of 32 and of 64 bits is several variables on one binding, and stores to the one
/// are seen by loads of the others.
#[test]
fn words_of_two_sizes_are_aliased() {
    let text = text("buffer/atomics_64");
    // Of one of the buffers: words, pairs of words, and words of 64 bits.
    assert_eq!(count(&text, " Aliased"), 3, "{text}");
    // Atomic operations of 32 bits need no second variable.
    assert_eq!(count(&self::text("buffer/atomics_raw"), " Aliased"), 0);
}

/// RelaxedPrecision is for numbers of 32 bits, which stand for minimum precision (SPIR-V 1.6,
/// "Decoration", RelaxedPrecision).
#[test]
fn native_halves_are_not_relaxed() {
    let native = text("types/half");
    assert_eq!(count(&native, " RelaxedPrecision"), 0, "{native}");
}
