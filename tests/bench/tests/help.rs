//! Each program of the benchmark says how it is used.

use std::process::Command;

#[test]
fn programs_answer_help() {
    for (name, program) in [
        ("dxil-bench", env!("CARGO_BIN_EXE_dxil-bench")),
        ("content-cost", env!("CARGO_BIN_EXE_content-cost")),
        ("library-cost", env!("CARGO_BIN_EXE_library-cost")),
        ("structure-cost", env!("CARGO_BIN_EXE_structure-cost")),
    ] {
        let run = |argument: &str| {
            let output = Command::new(program).arg(argument).output().unwrap();
            let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
            (output.status.code(), text(output.stdout), text(output.stderr))
        };
        let (code, help, error) = run("--help");
        assert_eq!((code, error.as_str()), (Some(0), ""), "{name}");
        let usage = format!("Usage: {name}");
        let about = help.split_once(&usage).unwrap_or_else(|| panic!("{name}: {help}")).0;
        // The first sentence says what the program measures.
        assert!(about.starts_with("Measures ") || about.starts_with("Compares "), "{help}");
        let (code, short, error) = run("-h");
        assert_eq!((code, error.as_str()), (Some(0), ""), "{name}");
        let first = about.lines().next().unwrap().trim_end_matches('.');
        assert!(short.starts_with(first), "{short}");
        let (code, out, error) = run("--no-such-option");
        assert_eq!((code, out.as_str()), (Some(2), ""), "{name}");
        assert!(error.contains("'--no-such-option'") && error.contains(&usage), "{error}");
    }
}
