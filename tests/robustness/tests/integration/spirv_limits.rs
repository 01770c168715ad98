//! Inputs beyond SPIR-V's universal limits are refused, with an error that names the limit. Inputs
//! at the limits are translated.

use dxil_base::limits;
use dxil_robustness::families::{self, breaks, cases, globals, one_entry, two_targets, wide_function};
use dxil_robustness::pipeline;
use dxil_translator::{Error, ErrorKind, Options, lavapipe};

/// The words of the first entry point.
fn translated(input: &[u8]) -> Result<Vec<u32>, Error> {
    pipeline::first_entry(input, &families::options())
}

/// Checks that the input is refused with an error of kind `Limit` that has this text.
fn limited(input: &[u8], text: &str) {
    let error = translated(input).expect_err(text);
    assert!(error.kind() == ErrorKind::Limit && error.message().contains(text), "expected {text:?}, got {error}");
}

#[test]
fn cases_of_a_switch() {
    translated(&cases(16_383, 1)).unwrap();
    limited(&cases(16_384, 1), "16384 cases of a switch, the limit is 16383");
}

#[test]
fn predecessors_of_a_phi() {
    translated(&breaks(32_765)).unwrap();
    limited(&breaks(33_000), "predecessors of a phi, the limit is 32766");
}

/// The words of a function count once, so that one function may have as many as a module.
#[test]
fn words_of_a_module() {
    let of = |name: &str| families::all().find(|family| family.name == name).expect(name);
    let words = translated(&(of("instructions").make)(500_000)).unwrap();
    assert!(words.len() > limits::OUTPUT_WORDS / 2, "{} words", words.len());
    let entries = of("entry points of one module");
    let error = (entries.run)(&(entries.make)(1_000), &families::options()).expect_err("four million words");
    let text = format!("words of SPIR-V, the limit is {}", limits::OUTPUT_WORDS);
    assert!(error.kind() == ErrorKind::Limit && error.message().ends_with(&text), "{error}");
}

#[test]
fn elements_of_a_constant() {
    let of = families::all().find(|family| family.name == "elements of a table").expect("the family");
    translated(&(of.make)(65_532)).unwrap();
    limited(&(of.make)(65_533), "65533 elements of a constant, the limit is 65532");
}

#[test]
fn parameters_of_a_function() {
    translated(&wide_function(255)).unwrap();
    limited(&wide_function(256), "256 parameters of a function, the limit is 255");
}

#[test]
fn global_variables() {
    translated(&globals(65_000)).unwrap();
    limited(&globals(65_535), "65536 global variables of a module, the limit is 65535");
}

/// The two sources of dual-source blending share a location, so they need different indexes.
#[test]
fn sources_of_dual_source_blending() {
    let mut options = Options::new(lavapipe());
    options.pipeline.dual_source = true;
    pipeline::first_entry(&two_targets([0, 1]), &options).unwrap();
    let error = pipeline::first_entry(&two_targets([0, 0]), &options).expect_err("two first sources");
    assert!(error.to_string().contains("`SV_Target` overlaps another one"), "{error}");
}

/// Entry points have names of their own.
#[test]
fn one_entry_point_many_times() {
    translated(&one_entry(1)).unwrap();
    for times in [2, 10_000] {
        let error = translated(&one_entry(times)).expect_err("entry points with one name");
        assert!(error.to_string().contains("two entry points are called `main`"), "{error}");
    }
}
