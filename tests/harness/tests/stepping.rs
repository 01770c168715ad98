//! Steps fixtures with debug information by RenderDoc, below the layer.
//!
//! Each fixture of `tests/fixtures/debug` that names a thread (`// step thread …`) runs in a
//! process of its own, which RenderDoc captures. `step.py` then steps the thread through the lines
//! of the source, and compares the last values of variables with what the driver wrote. The exit
//! status is 1 if one of them failed. Without RenderDoc, all are skipped.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use clap::Parser;
use dxil_tests::arguments::LibtestArguments;
use dxil_tests::error::{Error, Result};
use dxil_tests::judge::name_of;
use dxil_tests::layer::{self, Driver};
use dxil_tests::renderdoc;

/// Steps fixtures by RenderDoc.
#[derive(Parser)]
struct Arguments {
    /// Step only fixtures whose name contains one of the filters [default: all]
    #[arg(value_name = "FILTER")]
    filters: Vec<String>,
    /// What has no effect.
    #[command(flatten)]
    libtest: LibtestArguments,
}

/// The fixtures that name a thread.
fn fixtures(filters: &[String]) -> Result<Vec<PathBuf>> {
    let folder = layer::root().join("tests/fixtures/debug");
    let entries = fs::read_dir(&folder).map_err(|e| Error::Io(format!("{}: {e}", folder.display())))?;
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths.retain(|path| {
        let name = name_of(path);
        let is_wanted = filters.is_empty() || filters.iter().any(|filter| name.contains(filter));
        is_wanted && fs::read_to_string(path).is_ok_and(|text| text.contains("\n// step thread "))
    });
    Ok(paths)
}

/// What a program that ended well printed. Otherwise its output is the error.
fn output(command: &mut Command) -> Result<String> {
    let out = command.output().map_err(|e| Error::Io(format!("{command:?}: {e}")))?;
    let said = String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
    match out.status.code() {
        Some(0) => Ok(said),
        Some(77) => Err(Error::Skip(said.lines().last().unwrap_or_default().to_owned())),
        _ => Err(Error::Wrong(said)),
    }
}

/// The Python of Debian with RenderDoc's module, which is built for that one.
fn python() -> Result<Command> {
    renderdoc::manifest_folder()?;
    const PYTHON: &str = "/usr/bin/python3";
    match output(Command::new(PYTHON).args(["-c", "import renderdoc"])) {
        Ok(_) => Ok(Command::new(PYTHON)),
        Err(_) => Err(Error::Skip(format!("{PYTHON} has no module `renderdoc`; scripts/setup.sh installs it"))),
    }
}

/// Captures a fixture and steps it. Returns how far that went.
fn step(source: &Path, manifest: &Path, folder: &Path) -> Result<String> {
    let mut python = python()?;
    let driver = Driver::Lavapipe;
    let path = folder.join(source.file_stem().unwrap_or_default());
    let runner = env!("CARGO_BIN_EXE_dxil-run-fixture");
    output(Command::new(runner).arg(source).arg("--layer-dir").arg(manifest).arg("--renderdoc").arg(&path))?;
    let script = layer::root().join("tests/harness/step.py");
    python
        .arg(script)
        .arg(folder.join(format!("{}_capture.rdc", path.file_name().unwrap_or_default().display())))
        .arg(source);
    output(python.envs(layer::loader_environment(&driver, None)?))
}

fn run(filters: &[String]) -> Result<ExitCode> {
    let fixtures = fixtures(filters)?;
    let manifest = layer::build()?;
    let folder = layer::profile_folder()?.join("renderdoc").join(std::process::id().to_string());
    let io = |e: std::io::Error| Error::Io(format!("{}: {e}", folder.display()));
    fs::create_dir_all(&folder).map_err(io)?;
    let [mut passed, mut failed, mut skipped] = [0; 3];
    for source in &fixtures {
        let name = name_of(source);
        match step(source, &manifest, &folder) {
            Ok(said) => {
                passed += 1;
                println!("test {name} ... ok: {}", said.trim_end());
            }
            Err(Error::Skip(reason)) => {
                skipped += 1;
                println!("test {name} ... skipped: {reason}");
            }
            Err(error) => {
                failed += 1;
                println!("test {name} ... FAILED\n{error}");
            }
        }
    }
    fs::remove_dir_all(&folder).map_err(io)?;
    println!("\nfixtures (stepped by RenderDoc): {passed} passed, {failed} failed, {skipped} skipped");
    Ok(if failed > 0 || fixtures.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn main() -> ExitCode {
    run(&Arguments::parse().filters).unwrap_or_else(|error| {
        eprintln!("{error}");
        ExitCode::FAILURE
    })
}
