//! What the test programs of this crate share: the folders of a run, the program `layer-probe` in a
//! clean environment, what it printed, and the list of tests.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

use crate::{LAYER, build, root, write_manifest};

/// A fixture that needs no pipeline layout.
pub const FIXTURE: &str = "buffer/raw_read_write.dxil";

/// The folders of one run: one for each kind of manifest, and an empty home folder.
pub struct Places {
    /// It has the explicit manifest.
    pub explicit: PathBuf,
    /// A data folder (`XDG_DATA_HOME`) with the implicit manifest.
    pub data_home: PathBuf,
    /// The home folder, and the working directory.
    pub empty: PathBuf,
    /// The layer's library.
    pub library: PathBuf,
    probe: &'static str,
    driver: PathBuf,
}

impl Places {
    fn make(name: &str, probe: &'static str, driver: PathBuf) -> Self {
        let library = build();
        let base = env::temp_dir().join(format!("dxil-layer-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&base);
        let places = Self {
            explicit: base.join("explicit"),
            data_home: base.join("data"),
            empty: base.join("empty"),
            library,
            probe,
            driver,
        };
        fs::create_dir_all(&places.empty).unwrap();
        write_manifest("VkLayer_dxil.json", &places.library, &places.explicit.join("VkLayer_dxil.json"));
        let implicit = places.data_home.join("vulkan/implicit_layer.d/VkLayer_dxil_implicit.json");
        write_manifest("VkLayer_dxil_implicit.json", &places.library, &implicit);
        places
    }

    /// The program `layer-probe` with a clean loader environment.
    pub fn probe(&self) -> Probe {
        self.program(self.probe)
    }

    /// A program that runs the program of its last arguments, and as these `layer-probe`.
    pub fn probe_in(&self, outer: &[&str]) -> Probe {
        self.program(outer[0]).args(&outer[1..]).args(&[self.probe])
    }

    /// A program with a clean loader environment.
    pub fn program(&self, path: impl AsRef<std::ffi::OsStr>) -> Probe {
        let mut command = Command::new(path);
        for (name, _) in env::vars_os() {
            let name = name.to_string_lossy().into_owned();
            if name.starts_with("VK_") || name.starts_with("XDG_") || name.contains("DXIL_TRANSLATE") {
                command.env_remove(name);
            }
        }
        command.env("VK_DRIVER_FILES", &self.driver).env("XDG_DATA_HOME", &self.empty);
        command.env("XDG_CONFIG_HOME", &self.empty).env("HOME", &self.empty).current_dir(&self.empty);
        Probe(command)
    }
}

impl Drop for Places {
    fn drop(&mut self) {
        if let Some(base) = self.empty.parent() {
            let _ = fs::remove_dir_all(base);
        }
    }
}

/// A program to be run.
pub struct Probe(Command);

impl Probe {
    /// With an environment variable.
    #[must_use]
    pub fn env(mut self, name: &str, value: impl AsRef<std::ffi::OsStr>) -> Self {
        self.0.env(name, value);
        self
    }
    /// Without an environment variable.
    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        self.0.env_remove(name);
        self
    }
    /// With arguments.
    #[must_use]
    pub fn args(mut self, arguments: &[&str]) -> Self {
        self.0.args(arguments);
        self
    }
    /// With the option `--dxil` and a fixture.
    #[must_use]
    pub fn dxil(self, fixture: &str) -> Self {
        let path = root().join("tests/fixtures").join(fixture);
        self.args(&["--dxil", path.to_str().unwrap()])
    }
    /// Runs it.
    ///
    /// # Panics
    /// If it fails.
    pub fn run(mut self) -> Seen {
        let output = self.0.output().expect("the probe");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{}\n{text}\n{errors}", output.status);
        Seen { text, errors }
    }
}

/// What a program printed.
pub struct Seen {
    /// Its standard output.
    pub text: String,
    /// Its standard error.
    pub errors: String,
}

impl Seen {
    /// The rest of each line that begins with `prefix`.
    pub fn lines(&self, prefix: &str) -> Vec<&str> {
        self.text.lines().filter_map(|line| line.strip_prefix(prefix)).collect()
    }
    /// How often the layer is in the list of active tools.
    pub fn layers(&self) -> usize {
        self.lines("tool ").iter().filter(|tool| **tool == LAYER).count()
    }
    /// The layer is active once, created a module from DXIL, and reported nothing.
    ///
    /// # Panics
    /// If not.
    pub fn assert_works(&self) {
        assert_eq!(self.layers(), 1, "{}", self.text);
        assert_eq!(self.lines("module "), ["created"], "{}\n{}", self.text, self.errors);
        assert_eq!(self.lines("message "), [""; 0], "{}", self.text);
    }
}

/// A test with its name.
pub type Test = (&'static str, fn(&Places));

/// Runs the tests that the program's arguments choose, in the manner of libtest. `lacks` says why a
/// test cannot run on this machine. `probe` is the path of the program `layer-probe`, which Cargo
/// reports only to test programs.
///
/// # Panics
/// If the layer does not build, or the folders of the run cannot be written.
pub fn run_tests(name: &str, probe: &'static str, tests: &[Test], lacks: fn(&str) -> Option<&'static str>) -> ExitCode {
    let filters: Vec<String> = env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    if env::args().any(|a| a == "--list") {
        tests.iter().for_each(|(name, _)| println!("{name}: test"));
        return ExitCode::SUCCESS;
    }
    let chosen: Vec<&Test> = tests
        .iter()
        .filter(|(name, _)| filters.is_empty() || filters.iter().any(|f| name.contains(f.as_str())))
        .collect();
    println!("\nrunning {} tests", chosen.len());
    let Some(driver) = env::var_os("DXIL_TEST_LAVAPIPE_ICD") else {
        for (name, _) in &chosen {
            println!(
                "test {name} ... skipped: DXIL_TEST_LAVAPIPE_ICD is not set; scripts/setup.sh writes it to env.sh"
            );
        }
        println!("\ntest result: ok. 0 passed; 0 failed; {} ignored", chosen.len());
        return ExitCode::SUCCESS;
    };
    let places = Places::make(name, probe, driver.into());
    let (mut failed, mut skipped) = (0, 0);
    for (name, test) in &chosen {
        if let Some(reason) = lacks(name) {
            println!("test {name} ... skipped: {reason}");
            skipped += 1;
            continue;
        }
        let ok = std::panic::catch_unwind(|| test(&places)).is_ok();
        println!("test {name} ... {}", if ok { "ok" } else { "FAILED" });
        failed += usize::from(!ok);
    }
    let word = if failed == 0 { "ok" } else { "FAILED" };
    println!("\ntest result: {word}. {} passed; {failed} failed; {skipped} ignored", chosen.len() - failed - skipped);
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
