//! Prints a line for each committed container and fixture under each of three profiles: a hash of
//! the words that it becomes, or the kind of the error. Two listings that are equal show that a
//! change left every translation as it was.
//!
//! ```text
//! cargo run --release -p dxil-bench --bin words >before.txt
//! cargo run --release -p dxil-bench --bin words | diff before.txt -
//! ```

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use dxil_test_support::is_fixture;
use dxil_tests::emitted::{files, tests_folder, translate_container, translate_fixture};
use dxil_tests::spec::parse;
use dxil_translator::{DeviceProfile, Error};

/// A device without extensions, a desktop GPU, and one that has every feature.
const PROFILES: [&str; 3] = ["vulkan-1.1-floor", "vulkan-1.3-desktop", "everything"];

fn main() {
    let tests = tests_folder();
    let profiles = PROFILES.map(|name| (name, DeviceProfile::named(name).expect("a named profile")));
    let folders = ["fixtures", "content", "demo/shaders"].map(|folder| tests.join(folder));
    for path in folders.iter().flat_map(|folder| files(folder, "hlsl")) {
        let text = fs::read_to_string(&path).expect("a source of the repository");
        if !is_fixture(&text) {
            continue;
        }
        let fixture = parse::parse(&path.display().to_string(), &path, &text).expect("a valid fixture");
        for (name, profile) in &profiles {
            print(&tests, &path, name, translate_fixture(&fixture, profile));
        }
    }
    for path in files(&tests, "dxil").into_iter().chain(files(&tests, "cso")) {
        let bytes = fs::read(&path).expect("a container of the repository");
        for (name, profile) in &profiles {
            print(&tests, &path, name, translate_container(&bytes, profile));
        }
    }
}

fn print(tests: &Path, path: &Path, profile: &str, modules: Result<Vec<Vec<u32>>, Error>) {
    let path = path.strip_prefix(tests).unwrap_or(path).display();
    match modules {
        Ok(modules) => {
            // The hasher has fixed keys, so that listings of two builds can be compared.
            let mut hasher = DefaultHasher::new();
            modules.hash(&mut hasher);
            let words: usize = modules.iter().map(Vec::len).sum();
            println!("{path} {profile}: {} modules, {words} words, {:016x}", modules.len(), hasher.finish());
        }
        Err(error) => println!("{path} {profile}: {:?}", error.kind()),
    }
}
