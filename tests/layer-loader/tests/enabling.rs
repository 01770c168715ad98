//! Tests of the ways to enable the layer, and of the programs of docs/pipeline-layout.md, under the
//! real loader with a real driver.
//!
//! In: the driver that `scripts/setup.sh` names. Out: one line per test, in libtest's format. What
//! must hold: without a driver every test is reported and counted as skipped, and none passes.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use dxil_layer_loader::{LAYER, build, root, write_manifest};

const VALIDATION: &str = "VK_LAYER_KHRONOS_validation";

/// The folders of one run: one for each kind of manifest, and an empty home folder.
struct Places {
    explicit: PathBuf,
    data_home: PathBuf,
    empty: PathBuf,
    driver: PathBuf,
}

impl Places {
    fn make(driver: PathBuf) -> Self {
        let library = build();
        let base = env::temp_dir().join(format!("dxil-layer-enabling-{}", std::process::id()));
        let _ = fs::remove_dir_all(&base);
        let places =
            Self { explicit: base.join("explicit"), data_home: base.join("data"), empty: base.join("empty"), driver };
        fs::create_dir_all(&places.empty).unwrap();
        write_manifest("VkLayer_dxil.json", &library, &places.explicit.join("VkLayer_dxil.json"));
        let implicit = places.data_home.join("vulkan/implicit_layer.d/VkLayer_dxil_implicit.json");
        write_manifest("VkLayer_dxil_implicit.json", &library, &implicit);
        places
    }

    /// The program `layer-probe` with a clean loader environment.
    fn probe(&self) -> Probe {
        self.program(env!("CARGO_BIN_EXE_layer-probe"))
    }

    /// A program with a clean loader environment.
    fn program(&self, path: impl AsRef<std::ffi::OsStr>) -> Probe {
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

struct Probe(Command);

impl Probe {
    fn env(mut self, name: &str, value: impl AsRef<std::ffi::OsStr>) -> Self {
        self.0.env(name, value);
        self
    }
    fn args(mut self, arguments: &[&str]) -> Self {
        self.0.args(arguments);
        self
    }
    fn dxil(self, fixture: &str) -> Self {
        let path = root().join("tests/fixtures").join(fixture);
        self.args(&["--dxil", path.to_str().unwrap()])
    }
    fn run(mut self) -> Seen {
        let output = self.0.output().expect("the probe");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{}\n{text}\n{errors}", output.status);
        Seen { text, errors }
    }
}

struct Seen {
    text: String,
    errors: String,
}

impl Seen {
    fn lines(&self, prefix: &str) -> Vec<&str> {
        self.text.lines().filter_map(|line| line.strip_prefix(prefix)).collect()
    }
    /// How often the layer is in the list of active tools.
    fn layers(&self) -> usize {
        self.lines("tool ").iter().filter(|tool| **tool == LAYER).count()
    }
    fn assert_works(&self) {
        assert_eq!(self.layers(), 1, "{}", self.text);
        assert_eq!(self.lines("module "), ["created"], "{}\n{}", self.text, self.errors);
        assert_eq!(self.lines("message "), [""; 0], "{}", self.text);
    }
}

const FIXTURE: &str = "buffer/raw_read_write.dxil";

fn absent_by_default(places: &Places) {
    let seen = places.probe().env("XDG_DATA_HOME", &places.data_home).env("VK_ADD_LAYER_PATH", &places.explicit).run();
    assert_eq!(seen.layers(), 0, "{}", seen.text);
}

fn by_instance_layers(places: &Places) {
    let probe = places.probe().env("VK_ADD_LAYER_PATH", &places.explicit).env("VK_INSTANCE_LAYERS", LAYER);
    probe.dxil(FIXTURE).run().assert_works();
}

fn by_layer_path(places: &Places) {
    let probe = places.probe().env("VK_LAYER_PATH", &places.explicit).env("VK_INSTANCE_LAYERS", LAYER);
    probe.dxil(FIXTURE).run().assert_works();
}

fn by_enabled_layer_names(places: &Places) {
    let probe = places.probe().env("VK_ADD_LAYER_PATH", &places.explicit).args(&["--layer", LAYER]);
    probe.dxil(FIXTURE).run().assert_works();
}

fn as_implicit_layer(places: &Places) {
    let probe = places.probe().env("XDG_DATA_HOME", &places.data_home).env("ENABLE_DXIL_TRANSLATE", "1");
    probe.dxil(FIXTURE).run().assert_works();
}

fn disabled_by_its_variable(places: &Places) {
    let probe = places.probe().env("XDG_DATA_HOME", &places.data_home).env("ENABLE_DXIL_TRANSLATE", "1");
    let seen = probe.env("DISABLE_DXIL_TRANSLATE", "1").run();
    assert_eq!(seen.layers(), 0, "{}", seen.text);
}

fn both_manifests_insert_it_once(places: &Places) {
    let probe = || {
        let probe = places.probe().env("XDG_DATA_HOME", &places.data_home).env("ENABLE_DXIL_TRANSLATE", "1");
        probe.env("VK_ADD_LAYER_PATH", &places.explicit).dxil(FIXTURE)
    };
    probe().env("VK_INSTANCE_LAYERS", LAYER).run().assert_works();
    probe().args(&["--layer", LAYER]).run().assert_works();
    probe().env("VK_INSTANCE_LAYERS", LAYER).args(&["--layer", LAYER]).run().assert_works();
}

/// The folder has the dump of one translation: its container, its request and its words.
fn assert_dumped(folder: &Path) {
    let files = fs::read_dir(folder).expect("the dump").map(|file| file.unwrap().path());
    let mut kinds: Vec<_> = files.filter_map(|file| Some(file.extension()?.to_str()?.to_owned())).collect();
    kinds.sort();
    assert_eq!(kinds, ["dxil", "request", "spv"]);
}

fn settings_by_create_info(places: &Places) {
    let folder = places.empty.join("dump-by-create-info");
    let setting = format!("dump_dir={}", folder.display());
    let probe = places.probe().env("VK_ADD_LAYER_PATH", &places.explicit).args(&["--layer", LAYER]);
    probe.args(&["--setting", &setting]).dxil(FIXTURE).run().assert_works();
    assert_dumped(&folder);
}

fn settings_by_file(places: &Places) {
    let folder = places.empty.join("dump-by-file");
    let file = places.empty.join("settings");
    fs::create_dir_all(&file).unwrap();
    let text = format!("# of a test\ndxil_translate.dump_dir = {}\n", folder.display());
    fs::write(file.join("vk_layer_settings.txt"), text).unwrap();
    let probe = places.probe().env("VK_ADD_LAYER_PATH", &places.explicit).args(&["--layer", LAYER]);
    probe.env("VK_LAYER_SETTINGS_PATH", &file).dxil(FIXTURE).run().assert_works();
    assert_dumped(&folder);
}

fn bad_settings_are_told(places: &Places) {
    let probe = places.probe().env("VK_ADD_LAYER_PATH", &places.explicit).args(&["--layer", LAYER]);
    let seen = probe.env("VK_DXIL_TRANSLATE_BINDINGS", "teapot").dxil(FIXTURE).run();
    assert!(seen.errors.contains("`auto`, `register`, `root-signature`"), "{}", seen.errors);
    let messages = seen.lines("message ");
    assert!(messages.len() == 1 && messages[0].contains("teapot"), "{messages:?}");
}

fn failures_are_told(places: &Places) {
    let broken = places.empty.join("broken.dxil");
    let mut bytes = fs::read(root().join("tests/fixtures").join(FIXTURE)).unwrap();
    bytes.truncate(bytes.len() / 2);
    fs::write(&broken, bytes).unwrap();
    let probe = places.probe().env("VK_ADD_LAYER_PATH", &places.explicit).args(&["--layer", LAYER]);
    let seen = probe.args(&["--dxil", broken.to_str().unwrap()]).run();
    assert_eq!(seen.lines("module "), ["ERROR_INVALID_SHADER_NV"], "{}", seen.text);
    let messages = seen.lines("message ");
    assert!(messages.len() == 1 && messages[0].contains("malformed at byte"), "{messages:?}");
    assert!(seen.errors.contains("malformed at byte"), "{}", seen.errors);
}

/// A validation layer above the layer sees DXIL and reports that it is not SPIR-V. Below the layer
/// it sees valid SPIR-V and reports nothing.
fn with_validation(places: &Places) {
    let Some(folder) = env::var_os("DXIL_TEST_VALIDATION_DIR") else { panic!("DXIL_TEST_VALIDATION_DIR is not set") };
    let folders = env::join_paths([places.explicit.clone().into_os_string(), folder]).unwrap();
    let probe = |first: &str, second: &str| {
        let probe = places.probe().env("VK_ADD_LAYER_PATH", &folders).env("VK_DXIL_TRANSLATE_PROFILE_CAP", "1.3.239");
        probe.args(&["--layer", first, "--layer", second]).dxil(FIXTURE).run()
    };
    probe(LAYER, VALIDATION).assert_works();
    let above = probe(VALIDATION, LAYER);
    assert_eq!(above.lines("module "), ["created"], "{}", above.text);
    let messages = above.lines("message ");
    assert!(!messages.is_empty(), "the validation layer reported nothing; is it active?");
    for message in messages {
        assert!(message.contains("Invalid SPIR-V magic number"), "{message}");
    }
}

fn many_instances(places: &Places) {
    let probe = places.probe().env("VK_ADD_LAYER_PATH", &places.explicit).args(&["--layer", LAYER, "--cycles", "1000"]);
    let seen = probe.dxil(FIXTURE).run();
    seen.assert_works();
    assert_eq!(seen.lines("cycles "), ["1000"]);
}

/// Runs a program of docs/pipeline-layout.md, with the validation layer between the layer and the
/// driver. It writes its messages to standard output too.
fn creates_its_pipeline(places: &Places, program: impl AsRef<std::ffi::OsStr>) {
    let Some(folder) = env::var_os("DXIL_TEST_VALIDATION_DIR") else { panic!("DXIL_TEST_VALIDATION_DIR is not set") };
    let folders = env::join_paths([places.explicit.clone().into_os_string(), folder]).unwrap();
    let dxil = root().join("tests/fixtures/rootsig/pipeline_layout.dxil");
    let run = places.program(program).args(&[dxil.to_str().unwrap()]).env("VK_ADD_LAYER_PATH", folders);
    let run = run.env("VK_INSTANCE_LAYERS", format!("{LAYER}:{VALIDATION}"));
    let seen = run.env("VK_DXIL_TRANSLATE_PROFILE_CAP", "1.3.239").run();
    assert_eq!((seen.text.as_str(), seen.errors.as_str()), ("pipeline created\n", ""));
}

fn pipeline_layout_in_rust(places: &Places) {
    creates_its_pipeline(places, env!("CARGO_BIN_EXE_pipeline-layout"));
}

/// The C compiler with strict warnings.
fn cc() -> Command {
    let mut command = Command::new("cc");
    command.args(["-std=c99", "-Wall", "-Wextra", "-Werror"]);
    command
}

fn pipeline_layout_in_c(places: &Places) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/pipeline_layout.c");
    let program = places.empty.join("pipeline_layout");
    // The library's name is the one that programs load. Only a development package has the name
    // without the version, and its headers may be installed without it.
    let compiled = cc().arg(&source).arg("-l:libvulkan.so.1").arg("-o").arg(&program).status().unwrap();
    assert!(compiled.success(), "{} does not compile", source.display());
    creates_its_pipeline(places, &program);
}

/// Why a test cannot run on this machine.
fn lacks(name: &str) -> Option<&'static str> {
    if name != "pipeline_layout_in_c" {
        return None;
    }
    let mut command = cc();
    command.args(["-fsyntax-only", "-include", "vulkan/vulkan.h", "-x", "c", "/dev/null"]);
    match command.output() {
        Err(_) => Some("the C compiler `cc` does not run"),
        Ok(output) if !output.status.success() => Some(
            "`cc` does not find <vulkan/vulkan.h>; install Vulkan's headers (libvulkan-dev of Debian), or name their \
             folder in CPATH",
        ),
        Ok(_) => None,
    }
}

type Test = (&'static str, fn(&Places));
const TESTS: &[Test] = &[
    ("absent_by_default", absent_by_default),
    ("by_instance_layers", by_instance_layers),
    ("by_layer_path", by_layer_path),
    ("by_enabled_layer_names", by_enabled_layer_names),
    ("as_implicit_layer", as_implicit_layer),
    ("disabled_by_its_variable", disabled_by_its_variable),
    ("both_manifests_insert_it_once", both_manifests_insert_it_once),
    ("settings_by_create_info", settings_by_create_info),
    ("settings_by_file", settings_by_file),
    ("bad_settings_are_told", bad_settings_are_told),
    ("failures_are_told", failures_are_told),
    ("with_validation", with_validation),
    ("many_instances", many_instances),
    ("pipeline_layout_in_rust", pipeline_layout_in_rust),
    ("pipeline_layout_in_c", pipeline_layout_in_c),
];

fn main() -> ExitCode {
    let filters: Vec<String> = env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    if env::args().any(|a| a == "--list") {
        TESTS.iter().for_each(|(name, _)| println!("{name}: test"));
        return ExitCode::SUCCESS;
    }
    let chosen: Vec<&Test> = TESTS
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
    let places = Places::make(driver.into());
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
