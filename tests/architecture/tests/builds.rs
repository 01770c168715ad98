//! What cargo compiles for the tests: each crate once, and no program without tests.
//!
//! Cargo compiles a crate anew for each set of features, its own and those of what it depends on.
//! So a feature that one package alone asks for costs minutes in each command that does not name
//! the package (Cargo.toml of tests/support). It also compiles and links a test program for each
//! library and program, and runs rustdoc for the examples of each library, unless their package
//! says `test = false` and `doctest = false`.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The most expensive crate: it depends on most others, and all tests depend on it.
const CRATE: &str = "dxil_translator";

/// The forms in which a command compiles the library [`CRATE`]: its features and those of all that
/// it depends on.
fn forms(arguments: &[&str]) -> BTreeSet<String> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(env!("CARGO_MANIFEST_DIR")).arg("test").args(arguments);
    // What cargo would compile, as data. It is an unstable option.
    cargo.args(["--unit-graph", "-Z", "unstable-options"]).env("RUSTC_BOOTSTRAP", "1");
    let output = cargo.output().unwrap();
    let graph: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!("{arguments:?}: {error}: {}", String::from_utf8_lossy(&output.stderr));
    });
    let units = graph["units"].as_array().unwrap();
    let is_library =
        |unit: &Value| unit["target"]["name"] == CRATE && unit["mode"] == "build" && unit["target"]["kind"][0] == "lib";
    let mut known = HashMap::new();
    (0..units.len()).filter(|&index| is_library(&units[index])).map(|index| form(units, index, &mut known)).collect()
}

/// The features of a unit and of all that it depends on.
fn form(units: &[Value], index: usize, known: &mut HashMap<usize, String>) -> String {
    if let Some(form) = known.get(&index) {
        return form.clone();
    }
    let unit = &units[index];
    let below = unit["dependencies"].as_array().unwrap().iter();
    let below: BTreeSet<_> = below.map(|it| form(units, it["index"].as_u64().unwrap() as usize, known)).collect();
    let own = format!("{} {} {}", unit["pkg_id"], unit["mode"], unit["features"]);
    // A line for each unit that is reached.
    let lines: BTreeSet<&str> = below.iter().flat_map(|form| form.lines()).chain([own.as_str()]).collect();
    let form = lines.into_iter().collect::<Vec<_>>().join("\n");
    known.insert(index, form.clone());
    form
}

#[test]
fn all_commands_share_the_translator() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap();
    let members = manifest.split("members = [").nth(1).unwrap().split(']').next().unwrap();
    let all = forms(&["--workspace"]);
    assert_eq!(all.len(), 1, "{all:#?}");
    let all = all.first().unwrap();
    let mut found = 0;
    for member in members.split(',').map(|member| member.trim().trim_matches('"')).filter(|it| !it.is_empty()) {
        let manifest = fs::read_to_string(root.join(member).join("Cargo.toml")).unwrap();
        if !manifest.contains("dxil-test-support.workspace") {
            continue;
        }
        let name = manifest.lines().find_map(|line| line.strip_prefix("name = ")).unwrap().trim_matches('"');
        for form in forms(&["--package", name]) {
            found += 1;
            let other = |one: &str, than: &str| {
                let than: BTreeSet<_> = than.lines().collect();
                one.lines().filter(|line| !than.contains(line)).map(str::to_owned).collect::<Vec<_>>()
            };
            assert!(
                form == *all,
                "`cargo test -p {name}` compiles the translator again, with {:#?} where `cargo test --workspace` has \
                 {:#?}; say the same features in tests/support/Cargo.toml, or in the package",
                other(&form, all),
                other(all, &form)
            );
        }
    }
    assert!(found > 10, "{found}");
}

/// The source files of a target, which may have modules of its own.
fn sources(target: &Value) -> Vec<PathBuf> {
    let main = PathBuf::from(target["src_path"].as_str().unwrap());
    let folder = main.parent().unwrap();
    let of_library = target["kind"][0] != "bin";
    // The main file of a package with a library stands among the library's files.
    if !of_library && (!main.ends_with("main.rs") || folder.join("lib.rs").exists()) {
        return vec![main];
    }
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let is_other = of_library && (path.ends_with("bin") || path.ends_with("main.rs"));
            if path.is_dir() && !is_other {
                folders.push(path);
            } else if path.extension().is_some_and(|of| of == "rs") && !is_other {
                files.push(path);
            }
        }
    }
    files
}

fn has_test(text: &str) -> bool {
    text.lines().any(|line| line.trim_start() == "#[test]")
}

/// Whether documentation has an example in Rust, which is a block whose language is Rust or none.
fn has_example(text: &str) -> bool {
    let lines = text.lines().map(str::trim_start);
    let fences = lines.filter_map(|line| line.strip_prefix("/// ```").or_else(|| line.strip_prefix("//! ```")));
    // Every second fence ends a block.
    fences.step_by(2).any(|language| language != "text")
}

/// A test or an example in a target without test programs would never run.
#[test]
fn nothing_is_left_out() {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(env!("CARGO_MANIFEST_DIR")).args(["metadata", "--no-deps", "--format-version", "1"]);
    let metadata: Value = serde_json::from_slice(&cargo.output().unwrap().stdout).unwrap();
    let targets = metadata["packages"].as_array().unwrap().iter().flat_map(|it| it["targets"].as_array().unwrap());
    let (mut untested, mut undocumented) = (0, 0);
    for target in targets {
        let kind = target["kind"][0].as_str().unwrap();
        if !["lib", "cdylib", "bin"].contains(&kind) {
            continue;
        }
        let (name, files) = (&target["name"], sources(target));
        let found = |has: fn(&str) -> bool| {
            let file = files.iter().find(|file| has(&fs::read_to_string(file).unwrap()));
            file.map(|file| file.display().to_string())
        };
        if target["test"] == false {
            untested += 1;
            assert_eq!(found(has_test), None, "{kind} {name} has tests, and says `test = false`");
        } else {
            assert_ne!(found(has_test), None, "{kind} {name} has no tests; say `test = false`");
        }
        if kind != "bin" && target["doctest"] == false {
            undocumented += 1;
            assert_eq!(found(has_example), None, "{kind} {name} has examples, and says `doctest = false`");
        } else if kind != "bin" {
            assert_ne!(found(has_example), None, "{kind} {name} has no examples; say `doctest = false`");
        }
    }
    assert!(untested > 10 && undocumented > 10, "{untested}, {undocumented}");
}
