//! Runs `dxil2spv` as a build system does.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The folder of the fixtures.
pub const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/fixtures");
/// What a run of the tool gave.
pub struct Run {
    pub code: i32,
    pub out: Vec<u8>,
    pub err: String,
}

impl Run {
    /// Standard output as text.
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.out).unwrap()
    }
}

/// Runs the tool with this standard input.
pub fn run_with(arguments: &[&str], input: &[u8]) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_dxil2spv"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The tool may refuse the input before it has read all of it, so writing may fail.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    Run {
        code: output.status.code().unwrap(),
        out: output.stdout,
        err: String::from_utf8(output.stderr).unwrap().replace("\r\n", "\n"),
    }
}

/// Runs the tool with an empty standard input.
pub fn run(arguments: &[&str]) -> Run {
    run_with(arguments, b"")
}

/// The path of a fixture's container.
pub fn fixture(name: &str) -> String {
    format!("{FIXTURES}/{name}.dxil")
}

/// The path of a file that a test may write.
pub fn temporary(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}
