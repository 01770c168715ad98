//! The budget of a parse and of a translation: what uses it up is refused, and the error names the
//! part and the size of the input. A larger budget lets the same input pass.

use dxil_robustness::families::{copied_structures, doubled, switch_ranges, values_after_breaks};
use dxil_robustness::pipeline;
use dxil_translator::{Budget, ErrorKind, Options, Shader, lavapipe};

/// A budget of so many bytes.
fn bytes(bytes: u64) -> Budget {
    let mut budget = Budget::default();
    budget.bytes = bytes;
    budget
}

/// Checks that parsing is refused within a budget, and not within ten times as much.
fn parse_is_refused(input: &[u8], budget: u64, part: &str) {
    let error = Shader::parse_within(input, bytes(budget)).expect_err(part);
    let text = format!("{part} of an input of {} bytes use more than the budget of {budget} bytes", input.len());
    assert!(error.kind() == ErrorKind::Limit && error.message().contains(&text), "expected {text:?}, got {error}");
    Shader::parse_within(input, bytes(10 * budget)).unwrap_or_else(|error| panic!("{error}"));
}

/// The same for translating.
fn translation_is_refused(input: &[u8], budget: Budget, part: &str) {
    let mut options = Options::new(lavapipe());
    pipeline::first_entry(input, &options).unwrap_or_else(|error| panic!("{error}"));
    options.budget = budget;
    let error = pipeline::first_entry(input, &options).expect_err(part);
    let text = format!("{part} of an input of {} bytes use more than the budget of ", input.len());
    assert!(error.kind() == ErrorKind::Limit && error.message().contains(&text), "expected {text:?}, got {error}");
}

#[test]
fn bodies() {
    parse_is_refused(&switch_ranges(100), 3 << 20, "the bodies of functions");
}

#[test]
fn copies_of_functions() {
    parse_is_refused(&doubled(12), 1 << 20, "copies of inlined functions");
}

#[test]
fn phis() {
    translation_is_refused(&values_after_breaks(100), bytes(500_000), "phis");
    let mut budget = Budget::default();
    budget.steps = 10_000;
    translation_is_refused(&values_after_breaks(100), budget, "phis");
}

#[test]
fn structures() {
    translation_is_refused(&copied_structures(200), bytes(1 << 20), "members of structures that are copied");
}

#[test]
fn words() {
    translation_is_refused(&doubled(8), bytes(20_000), "words of SPIR-V");
}

#[test]
fn a_multiple_of_the_default() {
    let (default, three) = (Budget::default(), Budget::times(3));
    assert_eq!((three.steps, three.bytes), (3 * default.steps, 3 * default.bytes));
}
