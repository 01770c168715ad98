//! Tests of the ways to enable the layer, and of the programs of docs/pipeline-layout.md, under the
//! real loader with a real driver.
//!
//! In: the driver that `scripts/setup.sh` names. Out: one line per test, in libtest's format. What
//! must hold: without a driver every test is reported and counted as skipped, and none passes.

use std::env;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use dxil_layer_loader::suite::{FIXTURE, Places, Test, run_tests};
use dxil_layer_loader::{LAYER, root};

const VALIDATION: &str = "VK_LAYER_KHRONOS_validation";

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

/// `vulkaninfo` enables every instance extension that the loader lists.
fn implicit_with_all_extensions(places: &Places) {
    let probe = places.probe().env("XDG_DATA_HOME", &places.data_home).env("ENABLE_DXIL_TRANSLATE", "1");
    probe.args(&["--all-extensions"]).dxil(FIXTURE).run().assert_works();
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

fn bad_settings_are_reported(places: &Places) {
    let probe = places.probe().env("VK_ADD_LAYER_PATH", &places.explicit).args(&["--layer", LAYER]);
    let seen = probe.env("VK_DXIL_TRANSLATE_BINDINGS", "teapot").dxil(FIXTURE).run();
    assert!(seen.errors.contains("`auto`, `register`, `root-signature`"), "{}", seen.errors);
    let messages = seen.lines("message ");
    assert!(messages.len() == 1 && messages[0].contains("teapot"), "{messages:?}");
}

fn failures_are_reported(places: &Places) {
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

/// Runs the probe with an implicit manifest of the validation layer in the data folder, and one of
/// the layer in a folder of the environment variable `ours`. The lines are its messages.
fn beside_implicit_validation(places: &Places, ours: &str) -> Vec<String> {
    let Some(folder) = env::var_os("DXIL_TEST_VALIDATION_DIR") else { panic!("DXIL_TEST_VALIDATION_DIR is not set") };
    let text = fs::read_to_string(Path::new(&folder).join("VkLayer_khronos_validation.json")).unwrap();
    let mut manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
    let layer = manifest["layer"].as_object_mut().unwrap();
    // Settings are for tools; a manifest without them has format 1.1.0.
    layer.remove("features");
    layer.insert("disable_environment".into(), serde_json::json!({ "NO_VALIDATION": "1" }));
    let data = places.empty.join(format!("beside-{ours}"));
    let implicit = data.join("vulkan/implicit_layer.d");
    fs::create_dir_all(&implicit).unwrap();
    fs::write(implicit.join("validation.json"), manifest.to_string()).unwrap();
    let probe = places.probe().env("XDG_DATA_HOME", &data).env("ENABLE_DXIL_TRANSLATE", "1");
    let probe = probe.env("VK_DXIL_TRANSLATE_PROFILE_CAP", "1.3.239").env(ours, &places.data_home);
    let seen = probe.env("VK_LOADER_DEBUG", "layer").dxil(FIXTURE).run();
    let inserted = |name: &str| seen.errors.lines().any(|l| l.contains("Insert instance layer") && l.contains(name));
    assert!(inserted(LAYER) && inserted(VALIDATION), "{}", seen.errors);
    seen.lines("message ").into_iter().map(str::to_owned).collect()
}

/// docs/layer.md, "Order": of two implicit layers, the one that is found first is above.
fn implicit_layers_are_in_the_order_found(places: &Places) {
    assert_eq!(beside_implicit_validation(places, "XDG_CONFIG_HOME"), [""; 0]);
    let below = beside_implicit_validation(places, "XDG_DATA_DIRS");
    assert!(!below.is_empty() && below.iter().all(|m| m.contains("Invalid SPIR-V magic number")), "{below:?}");
}

/// docs/layer.md, "Order": as an implicit layer it is above all named layers.
fn implicit_is_above_named(places: &Places) {
    let Some(folder) = env::var_os("DXIL_TEST_VALIDATION_DIR") else { panic!("DXIL_TEST_VALIDATION_DIR is not set") };
    let probe = || {
        let probe = places.probe().env("XDG_DATA_HOME", &places.data_home).env("ENABLE_DXIL_TRANSLATE", "1");
        probe.env("VK_ADD_LAYER_PATH", &folder).env("VK_DXIL_TRANSLATE_PROFILE_CAP", "1.3.239").dxil(FIXTURE)
    };
    probe().env("VK_INSTANCE_LAYERS", VALIDATION).run().assert_works();
    probe().args(&["--layer", VALIDATION]).run().assert_works();
}

/// DXIL embedded in SPIR-V is a module like any other to a validation layer above the layer, and to
/// a driver without the layer.
fn embedded_with_validation(places: &Places) {
    let Some(folder) = env::var_os("DXIL_TEST_VALIDATION_DIR") else { panic!("DXIL_TEST_VALIDATION_DIR is not set") };
    let folders = env::join_paths([places.explicit.clone().into_os_string(), folder]).unwrap();
    let container = fs::read(root().join("tests/fixtures").join(FIXTURE)).unwrap();
    let words = dxil_translator::embed(&container, &dxil_translator::EmbedOptions::default()).unwrap();
    let file = places.empty.join("embedded.spv");
    fs::write(&file, words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>()).unwrap();
    let dump = places.empty.join("dump-of-embedded");
    let probe = |layers: &[&str]| {
        let probe = places.probe().env("VK_ADD_LAYER_PATH", &folders).env("VK_DXIL_TRANSLATE_DUMP_DIR", &dump);
        let layers: Vec<_> = layers.iter().flat_map(|layer| ["--layer", layer]).collect();
        probe.args(&layers).args(&["--dxil", file.to_str().unwrap()]).run()
    };
    let without = probe(&[VALIDATION]);
    assert_eq!((without.lines("module "), without.lines("message ")), (vec!["created"], vec![]), "{}", without.text);
    assert!(!dump.exists());
    probe(&[VALIDATION, LAYER]).assert_works();
    assert_dumped(&dump);
}

fn many_instances(places: &Places) {
    let probe = places.probe().env("VK_ADD_LAYER_PATH", &places.explicit).args(&["--layer", LAYER, "--cycles", "1000"]);
    let seen = probe.dxil(FIXTURE).run();
    seen.assert_works();
    assert_eq!(seen.lines("cycles "), ["1000"]);
}

/// Runs a program of docs/pipeline-layout.md, with the validation layer between the layer and the
/// driver. It writes its messages to standard output too.
fn creates_its_pipeline(places: &Places, program: impl AsRef<std::ffi::OsStr>, shader: &str) {
    let Some(folder) = env::var_os("DXIL_TEST_VALIDATION_DIR") else { panic!("DXIL_TEST_VALIDATION_DIR is not set") };
    let folders = env::join_paths([places.explicit.clone().into_os_string(), folder]).unwrap();
    let dxil = root().join("tests/fixtures").join(shader);
    let run = places.program(program).args(&[dxil.to_str().unwrap()]).env("VK_ADD_LAYER_PATH", folders);
    let run = run.env("VK_INSTANCE_LAYERS", format!("{LAYER}:{VALIDATION}"));
    let seen = run.env("VK_DXIL_TRANSLATE_PROFILE_CAP", "1.3.239").run();
    assert_eq!((seen.text.as_str(), seen.errors.as_str()), ("pipeline created\n", ""));
}

fn pipeline_layout_in_rust(places: &Places) {
    creates_its_pipeline(places, env!("CARGO_BIN_EXE_pipeline-layout"), "rootsig/pipeline_layout.dxil");
}

/// The C compiler with strict warnings.
fn cc() -> Command {
    let mut command = Command::new("cc");
    command.args(["-std=c99", "-Wall", "-Wextra", "-Werror"]);
    command
}

fn pipeline_layout_in_c(places: &Places) {
    compiled_creates_its_pipeline(places, &[], "rootsig/pipeline_layout.dxil");
}

/// The same program gives a root signature by the layer's own header to a shader that has none.
fn root_signature_in_c(places: &Places) {
    let header = root().join("layer/include/dxil_layer.h").display().to_string();
    let include = ["-include", "vulkan/vulkan.h", "-include", &header];
    compiled_creates_its_pipeline(places, &include, "cbuffer/dynamic.dxil");
}

fn compiled_creates_its_pipeline(places: &Places, options: &[&str], shader: &str) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/pipeline_layout.c");
    let program = places.empty.join("pipeline_layout");
    // The library's name is the one that programs load. Only a development package has the name
    // without the version, and its headers may be installed without it.
    let compiled = cc().args(options).arg(&source).arg("-l:libvulkan.so.1").arg("-o").arg(&program).status().unwrap();
    assert!(compiled.success(), "{} does not compile", source.display());
    creates_its_pipeline(places, &program, shader);
}

/// Why a test cannot run on this machine.
fn lacks(name: &str) -> Option<&'static str> {
    if !name.ends_with("_in_c") {
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

const TESTS: &[Test] = &[
    ("absent_by_default", absent_by_default),
    ("by_instance_layers", by_instance_layers),
    ("by_layer_path", by_layer_path),
    ("by_enabled_layer_names", by_enabled_layer_names),
    ("as_implicit_layer", as_implicit_layer),
    ("implicit_with_all_extensions", implicit_with_all_extensions),
    ("disabled_by_its_variable", disabled_by_its_variable),
    ("both_manifests_insert_it_once", both_manifests_insert_it_once),
    ("settings_by_create_info", settings_by_create_info),
    ("settings_by_file", settings_by_file),
    ("bad_settings_are_reported", bad_settings_are_reported),
    ("failures_are_reported", failures_are_reported),
    ("with_validation", with_validation),
    ("embedded_with_validation", embedded_with_validation),
    ("implicit_layers_are_in_the_order_found", implicit_layers_are_in_the_order_found),
    ("implicit_is_above_named", implicit_is_above_named),
    ("many_instances", many_instances),
    ("pipeline_layout_in_rust", pipeline_layout_in_rust),
    ("pipeline_layout_in_c", pipeline_layout_in_c),
    ("root_signature_in_c", root_signature_in_c),
];

fn main() -> ExitCode {
    run_tests("enabling", env!("CARGO_BIN_EXE_layer-probe"), TESTS, lacks)
}
