//! Builds the layer's library and writes its manifests for the programs of this crate.

pub mod suite;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The layer's name.
pub const LAYER: &str = "VK_LAYER_DXIL_translate";

/// The root folder of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Builds the layer with the profile that this program was built with, and returns the path of the
/// library. (Cargo does not build a `cdylib` for crates that depend on it.)
///
/// # Panics
/// If the layer does not build.
pub fn build() -> PathBuf {
    built("dxil-layer", &["--lib"], "libVkLayer_dxil.so")
}

/// Builds the tool `dxil2spv` likewise, and returns its path.
///
/// # Panics
/// If it does not build.
pub fn build_tool() -> PathBuf {
    built("dxil-translator", &["--bin", "dxil2spv"], "dxil2spv")
}

/// Builds a target of a package, and returns the path of its file. Cargo takes the crates that it
/// compiled for this package (Cargo.toml of tests/support).
fn built(package: &str, target: &[&str], file: &str) -> PathBuf {
    let program = env::current_exe().expect("current_exe");
    // This program is target/<profile>/deps/<test> or target/<profile>/<program>. Cargo writes the
    // library to target/<profile>.
    let folder = program.ancestors().skip(1).find(|f| !f.ends_with("deps")).expect("a target folder");
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo
        .current_dir(root())
        .args(["build", "--quiet", "--package", package, "--package", env!("CARGO_PKG_NAME")])
        .args(target);
    cargo.arg("--target-dir").arg(folder.parent().expect("a target folder"));
    if folder.ends_with("release") {
        cargo.arg("--release");
    }
    assert!(cargo.status().expect("cargo").success(), "{package} does not build");
    folder.join(file)
}

/// Writes a copy of the manifest `name` that names `library`.
///
/// # Panics
/// If the manifest is missing, does not contain the expected path of the library, or the copy
/// cannot be written.
pub fn write_manifest(name: &str, library: &Path, to: &Path) {
    let text = fs::read_to_string(root().join("manifest").join(name)).expect(name);
    let path = "../target/release/libVkLayer_dxil.so";
    assert!(text.contains(path), "{name} does not contain `{path}`");
    fs::create_dir_all(to.parent().expect("a folder")).expect("the manifest's folder");
    fs::write(to, text.replace(path, library.to_str().expect("a UTF-8 path"))).expect("the manifest");
}
