//! What the tests of the lab's program share.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use dxil_lab::synth::List;

/// A folder of a test, which is removed at its end.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("dxil-lab-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }
    pub fn at(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

pub fn lab() -> Command {
    Command::new(env!("CARGO_BIN_EXE_dxil-lab"))
}

pub fn succeed(command: &mut Command) -> String {
    let Output { status, stdout, stderr } = command.output().unwrap();
    let (stdout, stderr) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert!(status.success(), "{status}\n{stdout}\n{stderr}");
    stdout.into_owned()
}

/// The exit status of a command, and all that it printed.
#[track_caller]
pub fn said(command: &mut Command) -> (i32, String) {
    let Output { status, stdout, stderr } = command.output().unwrap();
    let text = format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    (status.code().unwrap(), text)
}

/// A capture of these inputs.
pub fn synth(out: &Path, inputs: &[PathBuf]) -> List {
    succeed(lab().arg("synth").args(inputs).arg("--out").arg(out));
    List::read(out).unwrap()
}

/// A driver's manifest; `None`, with the reason printed, where the tests have none.
pub fn driver(name: &str) -> Option<String> {
    let variable = format!("DXIL_TEST_{name}_ICD");
    let manifest = std::env::var(&variable).ok();
    if manifest.is_none() {
        println!("skipped: {variable} is not set; scripts/setup.sh writes it to env.sh");
    }
    manifest
}

/// Lavapipe's manifest, likewise.
pub fn lavapipe() -> Option<String> {
    driver("LAVAPIPE")
}

/// A file of the fixtures.
pub fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures").join(name)
}
