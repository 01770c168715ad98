//! scripts/demo.sh says what it does before each step, the first time within a second.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// Writes a program that prints its name and arguments, and ends when its standard input has a
/// line.
fn waiting(path: &Path) {
    let name = path.file_name().unwrap().to_str().unwrap();
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, format!("#!/bin/sh\necho \"{name} $*\"\nread -r line\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// The script, with steps that end when the test says so. A step that is not announced would leave
/// the test without a line, since the step before is at its end only after the line has been seen.
#[test]
fn each_step_is_announced_before_it_begins() {
    let tree = Path::new(env!("CARGO_TARGET_TMPDIR")).join("progress");
    let _ = fs::remove_dir_all(&tree);
    waiting(&tree.join("scripts/setup.sh"));
    waiting(&tree.join("bin/cargo"));
    fs::create_dir(tree.join("tools")).unwrap();
    fs::write(tree.join("tools/env.sh"), "").unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/demo.sh");
    fs::copy(script, tree.join("scripts/demo.sh")).unwrap();

    let path = format!("{}:{}", tree.join("bin").display(), std::env::var("PATH").unwrap());
    let mut command = Command::new("bash");
    command.arg(tree.join("scripts/demo.sh")).args(["--out", "pictures"]);
    command.env("PATH", path).env("DXIL_TOOLS", tree.join("tools")).stdin(Stdio::piped()).stdout(Stdio::piped());
    let began = Instant::now();
    let mut demo = command.spawn().unwrap();
    let (sender, lines) = mpsc::channel();
    let output = BufReader::new(demo.stdout.take().unwrap());
    let reader = thread::spawn(move || {
        for line in output.lines() {
            if sender.send((line.unwrap(), Instant::now())).is_err() {
                return;
            }
        }
    });
    let mut input = demo.stdin.take().unwrap();
    let next = || lines.recv_timeout(Duration::from_secs(60)).expect("the script prints no line").0;

    let (first, at) = lines.recv_timeout(Duration::from_secs(60)).expect("the script prints no line");
    assert_eq!(first, "demo: step 1 of 3: installing what is missing (scripts/setup.sh)");
    assert!(at - began < Duration::from_secs(1), "the first line comes after {:?}", at - began);
    assert_eq!(next(), "setup.sh ");
    writeln!(input).unwrap();
    assert_eq!(
        next(),
        "demo: step 2 of 3: building the demo and the layer, optimised, which takes minutes the first time"
    );
    assert_eq!(next(), "cargo build --release --package dxil-demo --package dxil-layer");
    writeln!(input).unwrap();
    assert_eq!(next(), "demo: step 3 of 3: drawing");
    assert_eq!(next(), "cargo run --quiet --release --package dxil-demo -- --out pictures");
    writeln!(input).unwrap();
    assert!(demo.wait().unwrap().success());
    reader.join().unwrap();
}

/// An invalid option is reported immediately, and not after minutes of building.
#[test]
fn a_wrong_option_is_said_before_any_step() {
    let run = |arguments: &[&str]| {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/demo.sh");
        let output = Command::new("bash").arg(script).args(arguments).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let says = |text: &str| (Some(2), String::new(), text.to_owned());
    assert_eq!(run(&["--ray"]), says("demo.sh: unknown option --ray; --help lists all\n"));
    assert_eq!(run(&["--out", "x", "y"]), says("demo.sh: unknown option y; --help lists all\n"));
    assert_eq!(run(&["--rays", "--driver"]), says("demo.sh: --driver needs a value; --help says which\n"));
}
