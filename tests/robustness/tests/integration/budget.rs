//! The budget of a parse and of a translation: what uses it up is refused, and the error names the
//! part and the size of the input. A larger budget lets the same input pass.

use dxil_base::limits;
use dxil_base::limits::Fuel;
use dxil_robustness::families::{self, copied_structures, doubled, switch_ranges, values_after_breaks};
use dxil_robustness::pipeline;
use dxil_spirv_builder as spirv;
use dxil_translator::{Budget, ErrorKind, Options, Shader, lavapipe};

/// A budget of `bytes` bytes.
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
    // A range of 4,096 labels with 32 bytes each has 128 KiB.
    parse_is_refused(&switch_ranges(1), 64 << 10, "the bodies of functions");
    // 100 of them are decoded while they are read.
    parse_is_refused(&switch_ranges(100), 8 << 20, "the functions and constants of the IR");
}

/// The input of a family.
fn family(name: &str, size: usize) -> Vec<u8> {
    let family = families::all().find(|family| family.name == name).expect(name);
    (family.make)(size)
}

/// Checks that parsing is refused one byte below what it costs. The part is the last one that is
/// charged.
fn last_part(input: &[u8], part: &str) {
    let fuel = Fuel::new(Budget::default(), input.len());
    Shader::parse_with_fuel(input, &fuel).unwrap_or_else(|error| panic!("{error}"));
    parse_is_refused(input, fuel.spent().bytes - 1, part);
}

#[test]
fn tables_of_the_module() {
    parse_is_refused(&family("metadata", 10_000), 1 << 20, "the tables of the module");
}

#[test]
fn elements_of_vectors() {
    last_part(&family("operations on long vectors", 100), "elements of vectors");
}

#[test]
fn arrays_of_words() {
    last_part(&family("choices between addresses", 100), "variables that become arrays of words");
}

/// Copies of payloads that would become words, and parts of an initial value, are charged before
/// they are made.
#[test]
fn steps_of_arrays_of_words() {
    for (name, size) in [
        ("calls with a large parameter that is reached through a cast", 10_000),
        ("returns with a large payload that is reached through a cast", 10_000),
        ("variables with one value of many empty parts", 100),
        ("variables with one value of many numbers", 32),
    ] {
        let input = family(name, size);
        let Err(error) = Shader::parse(&input) else { panic!("{name}: no limit") };
        let text = format!(
            "variables that become arrays of words of an input of {} bytes use more than the budget of {} steps",
            input.len(),
            limits::BUDGET_STEPS
        );
        assert!(error.kind() == ErrorKind::Limit && error.message().contains(&text), "{name}: {error}");
    }
}

/// The number in the message is of all instructions, and not of those that were one too many.
#[test]
fn instructions_that_replace_others() {
    let limit = limits::INLINED;
    let Err(error) = Shader::parse(&family("operations on long vectors", 20_000)) else { panic!("no limit") };
    let message = error.message();
    let found = message.split(' ').next().and_then(|word| word.parse::<usize>().ok());
    assert!(found.is_some_and(|found| found > limit && found < limit + 100), "{error}");
    assert!(message.ends_with(&format!(" instructions for elements of vectors, the limit is {limit}")), "{error}");
}

#[test]
fn loops_with_several_entries() {
    let mut budget = Budget::default();
    budget.steps = 1_000;
    translation_is_refused(&family("irreducible ladders", 200), budget, "loops with several entries");
    // The selectors are live in as many blocks as there are.
    budget.steps = 5_000;
    translation_is_refused(&family("irreducible loops in a row", 200), budget, "loops with several entries");
}

/// The text of a program, and the assembly of its words.
#[test]
fn texts() {
    let input = family("instructions", 1_000);
    let shader = Shader::parse(&input).unwrap_or_else(|error| panic!("{error}"));
    let whole = limits::text(&Fuel::default(), shader.program()).unwrap();
    assert_eq!(whole, shader.program().to_string());
    let words = pipeline::first_entry(&input, &Options::new(lavapipe())).unwrap();
    let fuel = || Fuel::new(bytes(20_000), input.len());
    let refused = [limits::text(&fuel(), shader.program()), spirv::disassemble_within(&words, &fuel())];
    for error in refused.map(|text| text.expect_err("a text of many bytes")) {
        let text = format!("texts of an input of {} bytes use more than the budget of 20000 bytes", input.len());
        assert!(error.kind() == ErrorKind::Limit && error.message().contains(&text), "expected {text:?}, got {error}");
    }
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

/// A selector costs the few nodes where it is live, and not the loops around them, in which its
/// definitions meet.
#[test]
fn selectors_in_nested_loops() {
    let mut options = Options::new(lavapipe());
    options.budget.steps = 100_000;
    pipeline::first_entry(&family("breaks out of two loops", 800), &options).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn structures() {
    translation_is_refused(&copied_structures(200), bytes(1 << 20), "members of structures that are copied");
}

#[test]
fn words() {
    translation_is_refused(&family("instructions", 1_000), bytes(20_000), "words of SPIR-V");
}

#[test]
fn a_multiple_of_the_default() {
    let (default, three) = (Budget::default(), Budget::times(3));
    assert_eq!((three.steps, three.bytes), (3 * default.steps, 3 * default.bytes));
}

/// What a stage makes of its input is charged where it is stored, so that the error names the
/// stage's product.
#[test]
fn products_are_charged_where_they_are_stored() {
    for (name, size, message) in [
        ("phis of handles", 120_000, "choices between handles or addresses of an input of "),
        ("operations on long vectors", 100_000, " instructions for elements of vectors, the limit is 1048576"),
        ("structures that are copied", 40_000, "members of structures that are copied of an input of "),
        ("calls that are inlined", 250_000, " values in copies of inlined functions, the limit is 1048576"),
        ("cases with one target", 20_000, "16384 cases of a switch, the limit is 16383"),
    ] {
        let Err(error) = pipeline::first_entry(&family(name, size), &Options::new(lavapipe())) else {
            panic!("{name}: no limit")
        };
        assert_eq!(error.kind(), ErrorKind::Limit, "{name}: {error}");
        assert!(error.message().contains(message), "{name}: {error}");
    }
}
