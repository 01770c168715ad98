//! Builds the layer under test, and sets up the environment of a process that uses it.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use libloading::os::unix::{Library, RTLD_NOW};

use crate::error::{Error, Result};
use crate::spec::{BindingModel, Blend, Fixture};
use crate::vulkan::context;

/// The driver that runs the fixtures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Driver {
    /// Lavapipe, Mesa's driver for the CPU.
    Lavapipe,
    /// SwiftShader, the second driver for the CPU, which has fewer features.
    Swiftshader,
    /// The first driver that the Vulkan loader finds.
    System,
    /// The driver with this JSON file.
    Icd(PathBuf),
}

impl Driver {
    /// Reads `lavapipe`, `swiftshader`, `system`, or the path of a driver's JSON file.
    #[must_use]
    pub fn named(name: &str) -> Self {
        match name {
            "lavapipe" => Self::Lavapipe,
            "swiftshader" => Self::Swiftshader,
            "system" => Self::System,
            path => Self::Icd(path.into()),
        }
    }

    /// The name of this driver in the directive `fault`, if fixtures can use it there.
    #[must_use]
    pub fn fault_name(&self) -> Option<&'static str> {
        (*self == Self::Swiftshader).then_some("swiftshader")
    }

    /// The value for VK_DRIVER_FILES, or `None` to leave the variable unchanged.
    ///
    /// # Errors
    /// A skip if the environment variable with the driver's path is not set. `scripts/setup.sh`
    /// writes it.
    pub fn icd(&self) -> Result<Option<PathBuf>> {
        let variable = match self {
            Self::System => return Ok(None),
            Self::Icd(path) => return Ok(Some(path.clone())),
            Self::Lavapipe => "DXIL_TEST_LAVAPIPE_ICD",
            Self::Swiftshader => "DXIL_TEST_SWIFTSHADER_ICD",
        };
        let path = env::var_os(variable).map(PathBuf::from);
        let missing = || Error::Skip(format!("{variable} is not set; scripts/setup.sh writes it to env.sh"));
        path.map(Some).ok_or_else(missing)
    }
}

/// The root folder of the repository.
#[must_use]
pub fn root() -> &'static Path {
    // This crate is at tests/harness.
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap_or(Path::new("."))
}

/// Builds the layer with the profile that this program was built with, and writes a manifest that
/// names the library by its absolute path. Returns the folder for VK_ADD_LAYER_PATH. If the
/// environment variable `DXIL_TEST_LAYER_DIR` is set, it names that folder and nothing is built.
///
/// # Errors
/// If the layer does not build, or the manifest cannot be written.
pub fn build() -> Result<PathBuf> {
    if let Some(ready) = env::var_os("DXIL_TEST_LAYER_DIR") {
        return Ok(ready.into());
    }
    let folder = cargo_build(&["--package", "dxil-layer", "--lib"])?;
    let io = |what: &str, e: std::io::Error| Error::Io(format!("{what}: {e}"));
    let library = folder.join("libVkLayer_dxil.so");
    let manifest = root().join("manifest").join(MANIFEST);
    let text = fs::read_to_string(&manifest).map_err(|e| io("the layer's manifest", e))?;
    let text = with_library_path(&text, &library)?;
    let out = folder.join("vulkan-layers");
    fs::create_dir_all(&out).map_err(|e| io("the manifest's folder", e))?;
    let path = out.join(MANIFEST);
    // A program that runs at the same time may be reading it.
    if fs::read_to_string(&path).is_ok_and(|found| found == text) {
        return Ok(out);
    }
    fs::write(path, text).map_err(|e| io("the manifest", e))?;
    Ok(out)
}

/// Builds the tool `dxil2spv` with the profile that this program was built with. Returns its path.
///
/// # Errors
/// If the tool does not build.
pub fn build_tool() -> Result<PathBuf> {
    Ok(cargo_build(&["--package", "dxil-translator", "--bin", "dxil2spv"])?.join("dxil2spv"))
}

/// Builds the library with the C interface of dxil-spirv, with the profile that this program was
/// built with. Returns the path of the shared object.
///
/// # Errors
/// If it does not build.
pub fn build_c_interface() -> Result<PathBuf> {
    Ok(cargo_build(&["--package", "dxil-spirv-c"])?.join("libdxil_spirv_c_shared.so"))
}

/// The folder `target/<profile>` of this program, which is `target/<profile>/deps/fixtures-…`.
///
/// # Errors
/// If this program's path is unknown.
pub fn profile_folder() -> Result<PathBuf> {
    let program = env::current_exe().map_err(|e| Error::Io(format!("current_exe: {e}")))?;
    let folder = program.ancestors().skip(1).find(|folder| !folder.ends_with("deps"));
    Ok(folder.unwrap_or(root()).to_owned())
}

/// The variables with which lavapipe's subgroups have four lanes instead of eight. LLVM compiles
/// them in half the time. There are none for other drivers, or if the caller chose a number of
/// lanes. The sources are Mesa's pages "Environment Variables" (`LP_NATIVE_VECTOR_WIDTH`, in bits)
/// and "Shader cache" (`MESA_SHADER_CACHE_DIR`).
///
/// # Errors
/// If this program's path is unknown.
pub fn four_lanes(driver: &Driver) -> Result<Vec<(&'static str, OsString)>> {
    const WIDTH: &str = "LP_NATIVE_VECTOR_WIDTH";
    if *driver != Driver::Lavapipe || env::var_os(WIDTH).is_some() {
        return Ok(Vec::new());
    }
    // Mesa's cache on disk takes code for one width as that for another.
    let cache = profile_folder()?.join("four-lanes");
    Ok(vec![(WIDTH, "128".into()), ("MESA_SHADER_CACHE_DIR", cache.into())])
}

/// Runs `cargo build` with the profile that this program was built with. Returns
/// `target/<profile>`, where the results are. The command names this crate too, so that cargo takes
/// the crates that it compiled for it (Cargo.toml of tests/support).
fn cargo_build(what: &[&str]) -> Result<PathBuf> {
    let folder = profile_folder()?;
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root()).args(["build", "--quiet", "--package", "dxil-tests"]).args(what);
    if let Some(target) = folder.parent() {
        cargo.arg("--target-dir").arg(target);
    }
    if folder.ends_with("release") {
        cargo.arg("--release");
    }
    let status = cargo.status().map_err(|e| Error::Io(format!("cargo build: {e}")))?;
    if !status.success() {
        return Err(Error::Io(format!("`cargo build {}` failed", what.join(" "))));
    }
    Ok(folder)
}

/// The text of a manifest before, in and after the quotes of its `library_path`.
fn at_library_path(manifest: &str) -> Option<[&str; 3]> {
    let (before, rest) = manifest.split_once("\"library_path\"")?;
    let (colon, rest) = rest.split_once('"')?;
    let (path, _) = rest.split_once('"')?;
    let start = before.len() + "\"library_path\"".len() + colon.len() + 1;
    Some([&manifest[..start], path, &manifest[start + path.len()..]])
}

/// The text of the manifest with its `library_path` replaced.
fn with_library_path(manifest: &str, library: &Path) -> Result<String> {
    let found = at_library_path(manifest);
    let [before, _, after] = found.ok_or_else(|| Error::Io("the layer's manifest has no `library_path`".into()))?;
    let library = library.display().to_string().replace('\\', "\\\\").replace('"', "\\\"");
    Ok(format!("{before}{library}{after}"))
}

/// Loads the Vulkan loader, the driver and the layers, and leaves them loaded. What cannot be
/// loaded is left to the Vulkan loader, which says so.
pub fn preload(driver: &Driver, layer_folder: Option<&Path>) {
    let validation = env::var_os(VALIDATION_DIR).map(PathBuf::from);
    let manifests = [
        driver.icd().ok().flatten(),
        layer_folder.map(|folder| folder.join(MANIFEST)),
        validation.map(|folder| folder.join("VkLayer_khronos_validation.json")),
    ];
    let libraries = manifests.into_iter().flatten().filter_map(|manifest| {
        let text = fs::read_to_string(&manifest).ok()?;
        let path = at_library_path(&text)?[1];
        // Khronos, "Vulkan-Loader", LoaderDriverInterface.md, "Driver Manifest File Format": what
        // has a folder is relative to the manifest.
        Some(if path.contains('/') { manifest.parent()?.join(path) } else { path.into() })
    });
    let _ = dxil_vulkan::load().map(std::mem::forget);
    for library in libraries {
        // SAFETY: the initialisers of these libraries have no preconditions; the Vulkan loader runs
        // them too.
        let _ = unsafe { Library::open(Some(library), RTLD_NOW) }.map(std::mem::forget);
    }
}

/// The name of the manifest of the layer under test.
const MANIFEST: &str = "VkLayer_dxil.json";
/// The environment variable with the folder of the validation layer's manifest.
const VALIDATION_DIR: &str = "DXIL_TEST_VALIDATION_DIR";

/// The environment variables with which the Vulkan loader finds the driver and the layers under
/// test, and no others.
///
/// # Errors
/// A skip if the driver is not set up (see [`Driver::icd`]).
pub fn loader_environment(driver: &Driver, layer_folder: Option<&Path>) -> Result<Vec<(&'static str, OsString)>> {
    let mut all: Vec<(&'static str, OsString)> = vec![
        // The implicit layers of this machine must not take part.
        ("VK_LOADER_LAYERS_DISABLE", "~implicit~".into()),
    ];
    if let Some(icd) = driver.icd()? {
        all.push(("VK_DRIVER_FILES", icd.into()));
    }
    let validation = env::var_os(VALIDATION_DIR).map(PathBuf::from);
    let folders = layer_folder.map(Path::to_path_buf).into_iter().chain(validation);
    let folders = env::join_paths(folders).map_err(|e| Error::Io(e.to_string()))?;
    if !folders.is_empty() {
        all.push(("VK_ADD_LAYER_PATH", folders));
    }
    Ok(all)
}

/// The setting that restricts the layer to Vulkan versions and extensions that the installed
/// validation layer knows. The loader's variables must be set already.
///
/// # Errors
/// A skip if the machine has no Vulkan loader.
pub fn validation_cap() -> Result<(&'static str, OsString)> {
    Ok((PROFILE_CAP, context::validation_cap()?.into()))
}

/// The value of the setting `profile_cap` for a fixture. It excludes the features of the fixture's
/// `without` lines, with `validation` also what the validation layer does not know, and with
/// `no_robustness` the robustness that the layer may request.
///
/// # Errors
/// A skip if the machine has no Vulkan loader.
pub fn profile_cap(fixture: &Fixture, validation: bool, no_robustness: bool) -> Result<(&'static str, OsString)> {
    let mut items = fixture.without.clone();
    if no_robustness {
        items.push("pipelineRobustness".to_owned());
    }
    if validation {
        items.push(context::validation_cap()?);
    }
    let value = if items.is_empty() { "none".to_owned() } else { items.join(",") };
    Ok((PROFILE_CAP, value.into()))
}

const PROFILE_CAP: &str = "VK_DXIL_TRANSLATE_PROFILE_CAP";

/// The setting that determines what the second targets of a fixture's pixel shaders are. Shader
/// objects have no blend state, from which the layer knows that otherwise.
#[must_use]
pub fn dual_source(fixture: &Fixture) -> (&'static str, OsString) {
    let blends = fixture.passes.iter().any(|pass| pass.blend == Blend::DualSource);
    ("VK_DXIL_TRANSLATE_DUAL_SOURCE", if blends { "on" } else { "off" }.into())
}

/// The setting for root descriptors that the harness puts at addresses. Without a pipeline layout
/// the layer cannot know the form.
#[must_use]
pub fn root_addresses(fixture: &Fixture) -> Option<(&'static str, OsString)> {
    let is_given = fixture.settings.iter().any(|(name, _)| name == "root_descriptors");
    let has_addresses = fixture.resources.iter().any(|resource| resource.address.is_some());
    (has_addresses && !is_given).then(|| ("VK_DXIL_TRANSLATE_ROOT_DESCRIPTORS", "address".into()))
}

const DUMP_DIR: &str = "VK_DXIL_TRANSLATE_DUMP_DIR";

/// The setting by which the layer dumps every translation into a folder.
#[must_use]
pub fn dump_dir(folder: &Path) -> (&'static str, OsString) {
    (DUMP_DIR, folder.into())
}

/// The folder that this setting names in the environment of this process.
#[must_use]
pub fn dump_folder() -> Option<PathBuf> {
    env::var_os(DUMP_DIR).map(PathBuf::from)
}

const CAPTURE_DIR: &str = "VK_DXIL_TRANSLATE_CAPTURE_DIR";

/// The setting by which the layer captures every pipeline with DXIL into a folder.
#[must_use]
pub fn capture_dir(folder: &Path) -> (&'static str, OsString) {
    (CAPTURE_DIR, folder.into())
}

/// The folder that this setting names in the environment of this process.
#[must_use]
pub fn capture_folder() -> Option<PathBuf> {
    env::var_os(CAPTURE_DIR).map(PathBuf::from)
}

/// The layer's settings for a fixture.
#[must_use]
pub fn settings(fixture: &Fixture) -> Vec<(String, OsString)> {
    let model = settings_of(fixture.bindings).into_iter().map(|(name, value)| (name.to_owned(), value.into()));
    let named = fixture.settings.iter().map(|(name, value)| {
        // A file is named as in the folder of the fixture.
        let value = match name.as_str() {
            "root_signature" | "local_root_signature" => fixture.source.with_file_name(value).into(),
            _ => value.into(),
        };
        (format!("VK_DXIL_TRANSLATE_{}", name.to_ascii_uppercase()), value)
    });
    let map = (fixture.bindings == BindingModel::Map)
        .then(|| ("VK_DXIL_TRANSLATE_MAP".to_owned(), fixture.map_path().into()));
    model.chain(named).chain(map).collect()
}

/// The layer's settings for a binding model.
#[must_use]
pub fn settings_of(model: BindingModel) -> Vec<(&'static str, &'static str)> {
    match model {
        BindingModel::Register => vec![
            ("VK_DXIL_TRANSLATE_BINDINGS", "register"),
            ("VK_DXIL_TRANSLATE_REGISTER_SHIFTS", "b=0,t=100,u=200,s=300,c=1000"),
        ],
        BindingModel::Shifted => vec![
            ("VK_DXIL_TRANSLATE_BINDINGS", "register"),
            ("VK_DXIL_TRANSLATE_REGISTER_SHIFTS", "b=0,t=0,u=0,s=0,c=0"),
        ],
        BindingModel::RootSignature => vec![("VK_DXIL_TRANSLATE_BINDINGS", "root-signature")],
        BindingModel::Map => vec![("VK_DXIL_TRANSLATE_BINDINGS", "map")],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manifest_path() {
        let text = r#"{ "layer": { "library_path": "./lib.so", "name": "x" } }"#;
        let out = with_library_path(text, Path::new("/a/b.so")).unwrap();
        assert_eq!(out, r#"{ "layer": { "library_path": "/a/b.so", "name": "x" } }"#);
        assert!(with_library_path("{}", Path::new("/a")).is_err());
    }
}
