//! Vulkan drivers by name.
//!
//! In: what a user calls a driver. Out: the manifest from which the Vulkan loader takes it. What
//! must hold: a name finds one driver on every machine that has it, or an error that lists where it
//! was looked for.

use std::path::{Path, PathBuf};
use std::process::Command;

use thiserror::Error;

/// The folders in which drivers are installed (Vulkan-Loader, LoaderDriverInterface.md, "Driver
/// Discovery on Linux").
const FOLDERS: [&str; 4] =
    ["/usr/share/vulkan/icd.d", "/usr/local/share/vulkan/icd.d", "/etc/vulkan/icd.d", "/usr/local/etc/vulkan/icd.d"];
/// Where scripts/setup.sh of this project puts its drivers.
const SETUP: &str = "build/vulkan";

/// The folder of libraries for this machine, as Debian names it.
const TRIPLE: &str = if cfg!(target_arch = "aarch64") { "aarch64-linux-gnu" } else { "x86_64-linux-gnu" };

/// The short names, and the beginnings of the names of manifests.
const NAMES: [(&str, &[&str]); 2] =
    [("lavapipe", &["lavapipe_icd", "lvp_icd"]), ("swiftshader", &["swiftshader_icd", "vk_swiftshader_icd"])];

/// The variables of the Vulkan loader that would put other layers above the driver, or this
/// project's layer a second time. A worker process does not get them.
pub const DROPPED: [&str; 3] = ["VK_INSTANCE_LAYERS", "VK_LOADER_LAYERS_ENABLE", "ENABLE_DXIL_TRANSLATE"];

/// Why a driver is not found.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DriverError {
    /// It is not installed.
    #[error("there is no driver {name}: none of {} has its manifest; give the path of the driver's JSON file", folders.join(", "))]
    NotInstalled {
        /// The name.
        name: &'static str,
        /// The folders in which manifests were looked for.
        folders: Vec<String>,
    },
    /// The text is neither a name of a driver nor the path of a manifest.
    #[error(
        "`{0}` is no driver; give `lavapipe`, `swiftshader`, `system` (what the Vulkan loader finds), or the path of a \
         driver's JSON file"
    )]
    Unknown(String),
}

/// A driver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Driver {
    /// What results call it: a short name, or the manifest's file name without ending.
    pub name: String,
    /// What users call it in any folder: a short name, or the absolute path of the manifest.
    pub given: String,
    /// Which of its devices: an index, or a part of a name; `None` for the first one.
    pub device: Option<String>,
    /// The folder beside the manifest in which scripts/setup.sh puts the driver's libraries.
    folder: String,
    /// Its manifest; `None` for the drivers that the loader finds by itself.
    manifest: Option<PathBuf>,
    /// Whether it may keep what it compiles on disk.
    has_cache: bool,
}

impl Driver {
    /// The driver that a user means: `lavapipe`, `swiftshader`, `system`, or the path of a
    /// manifest.
    ///
    /// # Errors
    /// There is no such driver where drivers are looked for.
    pub fn find(text: &str) -> Result<Self, DriverError> {
        if text == "system" {
            return Ok(Self::new(text, None));
        }
        if let Some((name, stems)) = NAMES.iter().find(|(name, _)| *name == text) {
            let folders: Vec<PathBuf> = setups().chain(FOLDERS.map(PathBuf::from)).collect();
            let found = folders.iter().find_map(|folder| manifest_in(folder, stems));
            let manifest = found.ok_or_else(|| {
                let folders = folders.iter().map(|folder| folder.display().to_string()).collect();
                DriverError::NotInstalled { name, folders }
            })?;
            return Ok(Self::new(name, Some(manifest)));
        }
        let path = Path::new(text);
        let name = path.file_stem().and_then(|stem| stem.to_str()).filter(|_| path.is_file());
        match (name, std::path::absolute(path)) {
            (Some(name), Ok(manifest)) => {
                let given = manifest.display().to_string();
                Ok(Self { given, ..Self::new(name, Some(manifest)) })
            }
            _ => Err(DriverError::Unknown(text.to_owned())),
        }
    }

    /// The drivers that a user means, each under a name of its own: two builds may have manifests
    /// of one name.
    ///
    /// # Errors
    /// As those of [`find`](Self::find).
    pub fn find_all(texts: &[String], device: Option<&str>) -> Result<Vec<Self>, DriverError> {
        let mut found: Vec<Self> = Vec::new();
        for text in texts {
            let mut driver = Self::find(text)?.on(device);
            let same = found.iter().filter(|known| known.folder == driver.folder).count();
            if same != 0 {
                driver.name += &format!("-{}", same + 1);
            }
            found.push(driver);
        }
        Ok(found)
    }

    fn new(name: &str, manifest: Option<PathBuf>) -> Self {
        let (name, folder) = (name.to_owned(), name.to_owned());
        Self { given: name.clone(), name, device: None, folder, manifest, has_cache: true }
    }

    /// The same driver with another of its devices.
    pub fn on(mut self, device: Option<&str>) -> Self {
        self.device = device.map(str::to_owned);
        self
    }

    /// The same driver under a name that another one does not have.
    pub fn distinct_from(mut self, other: &Self) -> Self {
        if self.name == other.name {
            self.name += "-again";
        }
        self
    }

    /// The driver without what it has compiled before, as far as a variable turns that off: Mesa's
    /// and NVIDIA's.
    pub fn without_cache(self) -> Self {
        Self { has_cache: false, ..self }
    }

    /// Has a process use this driver and no other, and no layer that the user has enabled.
    pub fn select(&self, command: &mut Command) {
        DROPPED.iter().for_each(|name| {
            command.env_remove(name);
        });
        if !self.has_cache {
            command.env("MESA_SHADER_CACHE_DISABLE", "true").env("__GL_SHADER_DISK_CACHE", "0");
        }
        if let Some(manifest) = &self.manifest {
            // The second name is that of loaders before 1.3.207.
            command.env("VK_DRIVER_FILES", manifest).env("VK_ICD_FILENAMES", manifest);
            // The drivers of scripts/setup.sh have their libraries beside them.
            let libraries = manifest.with_file_name(&self.folder).join("usr/lib").join(TRIPLE);
            if libraries.is_dir() {
                let more = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
                let all = std::iter::once(libraries).chain(std::env::split_paths(&more));
                command.envs(std::env::join_paths(all).map(|all| ("LD_LIBRARY_PATH", all)));
            }
        }
    }
}

/// Where scripts/setup.sh of a checkout puts its drivers: the one of the working directory, or the
/// one in which this program was built.
fn setups() -> impl Iterator<Item = PathBuf> {
    let program = std::env::current_exe().unwrap_or_default();
    let around: Vec<PathBuf> = program.ancestors().skip(1).map(|folder| folder.join(SETUP)).collect();
    std::iter::once(PathBuf::from(SETUP)).chain(around.into_iter().filter(|folder| folder.is_dir()))
}

/// The manifest in a folder whose name begins with one of these.
fn manifest_in(folder: &Path, stems: &[&str]) -> Option<PathBuf> {
    let files = std::fs::read_dir(folder).ok()?;
    let mut found: Vec<PathBuf> = files.filter_map(|file| Some(file.ok()?.path())).collect();
    // The order of a folder differs between machines.
    found.sort();
    let is_one = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.ends_with(".json") && stems.iter().any(|stem| name.starts_with(stem))
    };
    std::path::absolute(found.into_iter().find(is_one)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_no_driver_is_refused_with_those_that_are() {
        assert_eq!(
            Driver::find("lavapip").unwrap_err().to_string(),
            "`lavapip` is no driver; give `lavapipe`, `swiftshader`, `system` (what the Vulkan loader finds), or the \
             path of a driver's JSON file"
        );
        assert_eq!(Driver::find("system").unwrap().manifest, None);
    }

    #[test]
    fn a_manifest_is_named_after_its_file() {
        let file = std::env::temp_dir().join(format!("dxil-lab-{}_icd.json", std::process::id()));
        std::fs::write(&file, "{}").unwrap();
        let driver = Driver::find(file.to_str().unwrap()).unwrap();
        assert_eq!(Some(driver.name.as_str()), file.file_stem().and_then(|stem| stem.to_str()));
        let mut command = Command::new("true");
        driver.select(&mut command);
        let chosen = command.get_envs().find(|(name, _)| *name == "VK_DRIVER_FILES").and_then(|(_, value)| value);
        assert_eq!(chosen, Some(file.as_os_str()));
        std::fs::remove_file(&file).unwrap();
    }
}
