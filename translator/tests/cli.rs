//! `dxil2spv` as a build system runs it: exit codes, messages, files and streams.
#![cfg(feature = "cli")]

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A containers' folder of the fixtures.
const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/fixtures/newer-dxc");

struct Run {
    code: i32,
    out: Vec<u8>,
    err: String,
}

impl Run {
    fn text(&self) -> &str {
        std::str::from_utf8(&self.out).unwrap()
    }
    /// One message of the documented form, and nothing on standard output.
    #[track_caller]
    fn refused(&self, code: i32, message: &str) {
        assert_eq!((self.code, self.err.lines().count()), (code, 1), "{}", self.err);
        assert!(self.err.contains(": error: ") && self.err.contains(message), "{}", self.err);
        assert_eq!(self.out, b"");
    }
}

fn run_with(arguments: &[&str], input: &[u8]) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_dxil2spv"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The tool may refuse before it has read all.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    Run {
        code: output.status.code().unwrap(),
        out: output.stdout,
        err: String::from_utf8(output.stderr).unwrap().replace("\r\n", "\n"),
    }
}

fn run(arguments: &[&str]) -> Run {
    run_with(arguments, b"")
}

fn fixture(name: &str) -> String {
    format!("{FIXTURES}/{name}.dxil")
}

fn temporary(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

#[test]
fn container_as_text() {
    let file = fixture("heap.cs_6_6");
    let named = run(&["translate", "--emit", "container", &file]);
    assert_eq!((named.code, named.err.as_str()), (0, ""));
    assert!(named.text().contains("DXIL at 248, 2072 bytes: DXIL program"), "{}", named.text());
    assert!(named.text().contains("ResourceDescriptorHeapIndexing"), "{}", named.text());

    let bytes = std::fs::read(&file).unwrap();
    let piped = run_with(&["--emit", "container", "-"], &bytes);
    assert_eq!((piped.code, piped.text()), (0, named.text()));

    let out = temporary("container.txt");
    let written = run(&["--emit", "container", &file, "-o", out.to_str().unwrap()]);
    assert_eq!((written.code, written.out), (0, vec![]));
    assert_eq!(std::fs::read_to_string(out).unwrap(), named.text());
}

#[test]
fn notes_are_told_when_asked_for() {
    let mut bytes = std::fs::read(fixture("heap.cs_6_6")).unwrap();
    bytes[4..20].fill(0);
    assert_eq!(run_with(&["--emit", "container", "-"], &bytes).err, "");
    let told = run_with(&["--emit", "container", "-v", "-"], &bytes);
    assert_eq!((told.code, told.err.as_str()), (0, "-: note: digest: zero (not signed)\n"));
}

#[test]
fn malformed_input_exits_1() {
    let bytes = std::fs::read(fixture("heap.cs_6_6")).unwrap();
    run_with(&["--emit", "container", "-"], &bytes[..1000])
        .refused(1, "-: error: malformed at byte 24: container of 2328 bytes in an input of 1000");
    run_with(&["--emit", "container", "-"], b"").refused(1, "-: error: malformed at byte 0: ");
}

#[test]
fn usage_exits_2() {
    assert_eq!(run(&[]).code, 2);
    assert_eq!(run(&["--emit", "nonsense", "-"]).code, 2);
    assert_eq!(run(&["--nonsense"]).code, 2);
    run(&["--emit", "container", "no-such-file.dxil"])
        .refused(2, "no-such-file.dxil: error: usage at input: can not be read");
    let file = fixture("heap.cs_6_6");
    run(&["--emit", "container", &file, "-o", "/no/such/folder/out"]).refused(2, "can not be written");
}

#[test]
fn help_states_the_exit_codes() {
    let help = run(&["--help"]);
    assert_eq!(help.code, 0);
    for code in 0..=7 {
        assert!(help.text().contains(&format!("{code} ")), "{}", help.text());
    }
}
