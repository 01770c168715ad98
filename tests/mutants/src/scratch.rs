//! A copy of the workspace with the changed translator, and its builds.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Error, Result};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::render::{Region, render};
use crate::source::File;

/// The module of the changed translator that says which mutant is on.
const MODULE: &str = r#"
#[doc(hidden)]
pub mod mutant {
    //! Which mutant is on: that of the environment variable `MUTANT`. With `MUTANT_TRACE`, a file
    //! gets a line for each mutant that a thread comes by: the mutant's number and the thread's
    //! name. Nothing here allocates once the file is open, because tests count what is allocated.
    use std::cell::Cell;
    use std::io::{Cursor, Write};
    use std::sync::LazyLock;
    static ACTIVE: LazyLock<usize> =
        LazyLock::new(|| std::env::var("MUTANT").ok().and_then(|text| text.parse().ok()).unwrap_or(0));
    static TRACE: LazyLock<Option<std::fs::File>> = LazyLock::new(|| {
        let path = std::env::var_os("MUTANT_TRACE")?;
        std::fs::OpenOptions::new().append(true).create(true).open(path).ok()
    });
    thread_local! {
        /// A bit for each mutant that the thread came by. Those with higher numbers are written
        /// again.
        static SEEN: [Cell<u64>; 256] = const { [const { Cell::new(0) }; 256] };
    }
    fn is_new(number: usize) -> bool {
        SEEN.with(|seen| {
            let Some(word) = seen.get(number / 64) else { return true };
            let old = word.replace(word.get() | 1 << (number % 64));
            old >> (number % 64) & 1 == 0
        })
    }
    fn write_line(mut file: &std::fs::File, number: usize) {
        let thread = std::thread::current();
        let mut line = Cursor::new([0; 512]);
        if writeln!(line, "{number} {}", thread.name().unwrap_or("-")).is_ok() {
            let length = line.position() as usize;
            let _ = file.write_all(&line.get_ref()[..length]);
        }
    }
    pub fn one_of(numbers: &[usize]) -> usize {
        if let Some(file) = TRACE.as_ref() {
            for &number in numbers.iter().filter(|&&number| is_new(number)) {
                write_line(file, number);
            }
        }
        *ACTIVE
    }
    pub fn on(number: usize) -> bool {
        one_of(&[number]) == number
    }
}
"#;

/// The copy.
pub struct Scratch {
    pub folder: PathBuf,
    target: PathBuf,
}

/// A test program of the translator, and where it runs.
#[derive(Clone, Debug)]
pub struct TestProgram {
    pub name: String,
    pub path: PathBuf,
}

fn write_if_changed(path: &Path, text: &str) -> Result<()> {
    if std::fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    std::fs::create_dir_all(path.parent().unwrap_or(path))?;
    std::fs::write(path, text)
}

impl Scratch {
    /// Copies the files of the repository that git knows or would take, except those that
    /// [`Self::compile`] writes.
    pub fn new(repository: &Path, folder: &Path, files: &[File]) -> Result<Self> {
        let listed = Command::new("git")
            .current_dir(repository)
            .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
            .output()?;
        let written: BTreeSet<&str> = files.iter().map(|file| file.path.as_str()).chain([LIBRARY]).collect();
        for name in String::from_utf8_lossy(&listed.stdout).split('\0').filter(|name| !name.is_empty()) {
            let (from, to) = (repository.join(name), folder.join(name));
            // A file may be deleted and not committed, or be a link to a folder.
            if from.is_file() && !written.contains(name) && std::fs::read(&to).ok() != std::fs::read(&from).ok() {
                std::fs::create_dir_all(to.parent().unwrap_or(folder))?;
                std::fs::copy(&from, &to)?;
            }
        }
        let library = std::fs::read_to_string(repository.join(LIBRARY))?;
        write_if_changed(&folder.join(LIBRARY), &format!("{library}{MODULE}"))?;
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| repository.join("target"), PathBuf::from);
        Ok(Self { folder: folder.to_owned(), target: target.join("mutants") })
    }

    /// Writes the files with all mutants but the dropped ones, and returns where each mutant is.
    fn write(&self, files: &[File], dropped: &BTreeSet<usize>) -> Result<BTreeMap<String, Vec<Region>>> {
        let mut regions = BTreeMap::new();
        for file in files {
            let kept: Vec<_> = file.mutants.iter().filter(|mutant| !dropped.contains(&mutant.number)).collect();
            let (text, of) = render(&file.text, &kept);
            write_if_changed(&self.folder.join(&file.path), &text)?;
            regions.insert(file.path.clone(), of);
        }
        Ok(regions)
    }

    /// Writes the changed translator without the mutants that do not compile, whose numbers it
    /// returns. `dropped` are those that are known not to compile.
    pub fn compile(&self, files: &[File], mut dropped: BTreeSet<usize>) -> Result<BTreeSet<usize>> {
        loop {
            let regions = self.write(files, &dropped)?;
            let arguments = ["--package", "dxil-translator", "--lib", "--message-format=json"];
            let checked = self.cargo("check").args(arguments).output()?;
            if checked.status.success() {
                return Ok(dropped);
            }
            let before = dropped.len();
            let mut text = String::from_utf8_lossy(&checked.stderr).into_owned();
            for message in messages(&checked.stdout).filter(|message| message["message"]["level"] == "error") {
                text.push_str(message["message"]["rendered"].as_str().unwrap_or_default());
                dropped.extend(message["message"]["spans"].as_array().into_iter().flatten().filter_map(|span| {
                    let of = regions.get(span["file_name"].as_str()?)?;
                    let place = |key: &str| span[key].as_u64().and_then(|place| usize::try_from(place).ok());
                    let (start, end) = (place("byte_start")?, place("byte_end")?);
                    // The smallest mutant around the place.
                    let around = of.iter().filter(|(_, range)| range.start <= start && end <= range.end);
                    around.min_by_key(|(_, range)| range.len()).map(|(number, _)| *number)
                }));
            }
            println!("{} mutants do not compile", dropped.len());
            if dropped.len() == before {
                let shown: String = text.chars().take(4000).collect();
                return Err(Error::other(format!("errors outside of all mutants:\n{shown}")));
            }
        }
    }

    fn cargo(&self, what: &str) -> Command {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.current_dir(&self.folder).arg(what).arg("--quiet").arg("--target-dir").arg(&self.target);
        // Overflow checks and debug assertions stay on, as in the project's tests.
        for package in ["dxil-translator", "dxil-structure"] {
            cargo.args(["--config", &format!("profile.dev.package.{package}.opt-level=1")]);
            cargo.args(["--config", &format!("profile.dev.package.{package}.debug=false")]);
        }
        // Lints are about the code as it is written.
        cargo.args(["--config", "build.rustflags=['-Awarnings']"]);
        cargo
    }

    /// Builds the program that translates everything, the layer, the programs that run fixtures and
    /// random control flow, and the tests of the translator, which are returned.
    pub fn build(&self) -> Result<Vec<TestProgram>> {
        let mut programs = self.cargo("build");
        for package in ["dxil-mutants", "dxil-tests", "dxil-control-flow", "dxil-layer"] {
            programs.args(["--package", package]);
        }
        let status = programs.status()?;
        if !status.success() {
            return Err(Error::other(format!("{programs:?}: {status}")));
        }
        let mut tests = self.cargo("test");
        let packages = ["--package", "dxil-translator", "--package", "dxil-structure"];
        tests.args(packages).args(["--no-run", "--message-format=json"]);
        let built = tests.output()?;
        if !built.status.success() {
            let said = messages(&built.stdout).filter_map(|m| Some(m["message"]["rendered"].as_str()?.to_owned()));
            return Err(Error::other(format!("{tests:?}: {}\n{}", built.status, said.collect::<String>())));
        }
        let manifest = std::fs::read_to_string(self.folder.join("manifest/VkLayer_dxil.json"))?;
        let mut manifest: serde_json::Value = serde_json::from_str(&manifest).map_err(Error::other)?;
        manifest["layer"]["library_path"] = self.program("libVkLayer_dxil.so").display().to_string().into();
        write_if_changed(&self.layer().join("VkLayer_dxil.json"), &manifest.to_string())?;
        let program = |message: serde_json::Value| {
            let name = message["target"]["name"].as_str()?.to_owned();
            let path = PathBuf::from(message["executable"].as_str()?);
            // `documents` has no test harness; it runs the commands of the documents.
            (message["profile"]["test"] == true && name != "documents").then_some(TestProgram { name, path })
        };
        Ok(messages(&built.stdout).filter_map(program).collect())
    }

    /// A built program or library.
    pub fn program(&self, name: &str) -> PathBuf {
        self.target.join("debug").join(name)
    }

    /// The folder of the layer's manifest.
    pub fn layer(&self) -> PathBuf {
        self.target.join("debug/mutant-layer")
    }
}

/// The head of the library below all others of the translator, which says whether a mutant is on.
const LIBRARY: &str = "translator/base/src/lib.rs";

/// Cargo's messages, each a line of JSON.
fn messages(output: &[u8]) -> impl Iterator<Item = serde_json::Value> {
    output.split(|&byte| byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok())
}
