//! The layer's settings.
//!
//! In: the environment, `vk_layer_settings.txt` and `VK_EXT_layer_settings`, in that order of
//! priority. Out: [`Settings`]. What must hold: an invalid value causes a warning that lists the
//! accepted ones, and the default is used; paths are ignored in a process with raised privileges.
//!
//! | file | subject |
//! |---|---|
//! | `table`, `setting` | all settings with their texts, and what one is |
//! | `sources` | the sources of values and their priority |
//! | `file`, `create_info` | two sources: the settings file, and the application |
//! | `values` | the values of one source |
//! | `streams` | the setting `stream_output` |
//! | `presets` | settings that belong together, for the manifests |
//! | `changed` | a test: malformed settings files |
//! | `manifest` | a test: manifests and docs/settings.md agree with the tables |
//! | `schema` | a test: the manifests conform to the schemas of the loader and Vulkan Configurator |

#[cfg(test)]
mod changed;
mod create_info;
mod file;
#[cfg(test)]
mod manifest;
#[cfg(test)]
mod presets;
#[cfg(test)]
mod schema;
mod setting;
mod sources;
mod streams;
mod table;
#[cfg(test)]
mod tests;
mod values;

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::path::{Path, PathBuf};

use crate::features::cap::Cap;
use crate::features::choice::Additions;
use crate::settings::sources::Sources;
use crate::settings::streams::StreamOutputs;
use crate::settings::table::{BOOLS, SETTINGS};
use crate::translator::{
    BindingOptions, Bounds, CodeOptions, Debug, Driver, Error, Model, RawVectors, VertexLocations,
};

/// The setting `dual_source`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DualSource {
    /// The pipeline's state decides.
    #[default]
    Auto,
    /// A second target is the second source of blending.
    On,
    /// A second target is a second colour attachment.
    Off,
}

/// The settings of one instance.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// `bindings`, `register_shifts`, `spaces`, `root_descriptors`, `root_tables`, `heap_counters`
    /// and the sets of the heaps.
    pub bindings: BindingOptions,
    /// `root_signature`.
    pub root_signature: Option<PathBuf>,
    /// `local_root_signature`.
    pub local_root_signature: Option<PathBuf>,
    /// `map`.
    pub map: Option<PathBuf>,
    /// `bounds`, `raw_vectors`, `vertex_locations`, `vertex_id`, `invert_y`,
    /// `invariant_position`, `precise`, `names` and `debug`.
    pub code: CodeOptions,
    /// `pdb_path`.
    pub pdb_path: Option<PathBuf>,
    /// `dual_source`.
    pub dual_source: DualSource,
    /// `stream_output`.
    pub stream_output: StreamOutputs,
    /// `compile_required` is `strict`.
    pub strict_compile_required: bool,
    /// `enable_features`.
    pub enable_features: Additions,
    /// `profile_cap`.
    pub cap: Cap,
    /// `quirks_of`: the driver, or `None` for the one that the device reports.
    pub quirks_of: Option<Driver>,
    /// `cache_mb`, in bytes.
    pub cache_bytes: usize,
    /// `log_level`.
    pub log_level: Option<log::Level>,
    /// `log_file`.
    pub log_file: Option<PathBuf>,
    /// `log_mb`, in bytes.
    pub log_bytes: u64,
    /// `dump_dir`.
    pub dump_dir: Option<PathBuf>,
    /// `dump_mb`, in bytes.
    pub dump_bytes: u64,
    /// `capture_dir`.
    pub capture_dir: Option<PathBuf>,
    /// `capture_mb`, in bytes.
    pub capture_bytes: u64,
    /// `override_dir`.
    pub override_dir: Option<PathBuf>,
    /// `validate`.
    pub validate: bool,
    /// `stats`.
    pub stats: bool,
    /// The accepted values that are not the defaults, by key.
    pub given: BTreeMap<String, String>,
    /// Warnings about the values that were given, to be logged once the log is started.
    pub warnings: Vec<String>,
}

impl Settings {
    /// Reads the settings of an instance with this create info chain.
    ///
    /// # Safety
    /// `p_next` must be a valid chain.
    pub unsafe fn read(p_next: *const c_void) -> Self {
        // SAFETY: the caller's chain.
        Self::from_sources(&unsafe { Sources::open(p_next) })
    }

    /// Parses the values of the sources.
    pub fn from_sources(sources: &Sources) -> Self {
        let mut settings = Self { warnings: sources.warnings().cloned().collect(), ..Self::default() };
        for setting in SETTINGS {
            let taken = sources.get(setting.key).map(|value| (value, settings.set(setting.key, value.trim())));
            match taken {
                Some((value, Ok(()))) => {
                    if value.trim() != setting.default {
                        settings.given.insert(setting.key.into(), value.trim().into());
                    }
                    continue;
                }
                Some((value, Err(why))) => {
                    let why = if why.is_empty() { why } else { format!(" ({why})") };
                    let instead = match setting.default {
                        "" => "the setting stays empty".to_owned(),
                        default => format!("`{default}` is used"),
                    };
                    settings.warnings.push(format!(
                        "setting {}: `{value}` is not accepted{why}, {instead}; accepted: {}",
                        setting.key,
                        setting.accepted()
                    ));
                }
                None => {}
            }
            let own = settings.set(setting.key, setting.default);
            debug_assert!(own.is_ok(), "default of {}", setting.key);
        }
        if sources.privileged() {
            settings.log_file = None;
            settings.dump_dir = None;
            settings.capture_dir = None;
            settings.override_dir = None;
            settings.pdb_path = None;
            // A message about the file would quote its contents.
            let files = [
                ("root_signature", &mut settings.root_signature),
                ("local_root_signature", &mut settings.local_root_signature),
            ];
            for (setting, file) in files {
                if file.take().is_some() {
                    settings.warnings.push(format!("setting {setting}: ignored with raised privileges"));
                }
            }
            // A message about a file that is not a map would show its contents.
            settings.map = None;
        }
        settings
    }

    /// The file of the binding map, if the setting `bindings` chooses a model that reads it.
    pub fn map_of_bindings(&self) -> Option<&Path> {
        self.map.as_deref().filter(|_| matches!(self.bindings.model, Model::Auto | Model::Map))
    }

    /// Sets a value. The error names the invalid item of a list. It is empty if the list of
    /// accepted values is explanation enough.
    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        fn put<T>(place: &mut T, value: Option<T>) -> Result<(), String> {
            value.map(|v| *place = v).ok_or_else(String::new)
        }
        fn put_list<T>(place: &mut T, value: Result<T, Error>) -> Result<(), String> {
            value.map(|v| *place = v).map_err(|error| error.message().to_owned())
        }
        let path = || Some(value).filter(|v| !v.is_empty()).map(PathBuf::from);
        match key {
            "bindings" => put(&mut self.bindings.model, value.parse().ok()),
            "register_shifts" => put_list(&mut self.bindings.shifts, value.parse()),
            "root_descriptors" => put(&mut self.bindings.root_descriptors, value.parse().ok()),
            "resource_heap_set" => put(&mut self.bindings.heap_sets.resources, parse_set(value)),
            "sampler_heap_set" => put(&mut self.bindings.heap_sets.samplers, parse_set(value)),
            "heap_counter_set" => put(&mut self.bindings.heap_sets.counters, parse_set(value)),
            "heap_counters" => put(&mut self.bindings.heap_counters, value.parse().ok()),
            "root_tables" => put(&mut self.bindings.root_tables, value.parse().ok()),
            "spaces" => put_list(&mut self.bindings.spaces, value.parse()),
            "root_signature" => put(&mut self.root_signature, Some(path())),
            "local_root_signature" => put(&mut self.local_root_signature, Some(path())),
            "map" => put(&mut self.map, Some(path())),
            "bounds" => put(&mut self.code.bounds, Bounds::ALL.into_iter().find(|b| b.name() == value)),
            "raw_vectors" => put(&mut self.code.raw_vectors, RawVectors::ALL.into_iter().find(|v| v.name() == value)),
            "dual_source" => put(&mut self.dual_source, parse_dual_source(value)),
            "stream_output" => value.parse().map(|lists| self.stream_output = lists),
            "vertex_locations" => {
                let found = VertexLocations::ALL.into_iter().find(|v| v.name() == value);
                put(&mut self.code.vertex_locations, found)
            }
            "vertex_id" => {
                let vulkan = [("d3d", false), ("vulkan", true)].into_iter().find(|(name, _)| *name == value);
                put(&mut self.code.vulkan_vertex_ids, vulkan.map(|(_, vulkan)| vulkan))
            }
            "invert_y" => put(&mut self.code.invert_y, parse_bool(value)),
            "invariant_position" => put(&mut self.code.invariant_position, parse_bool(value)),
            "precise" => put(&mut self.code.precise, parse_bool(value)),
            "names" => put(&mut self.code.names, parse_bool(value)),
            "debug" => put(&mut self.code.debug, Debug::ALL.into_iter().find(|d| d.name() == value)),
            "pdb_path" => put(&mut self.pdb_path, Some(path())),
            "compile_required" => {
                let strict = [("driver", false), ("strict", true)].into_iter().find(|(name, _)| *name == value);
                put(&mut self.strict_compile_required, strict.map(|(_, strict)| strict))
            }
            "enable_features" => parse_additions(value).map(|additions| self.enable_features = additions),
            "profile_cap" => Cap::parse(value).map(|cap| self.cap = cap),
            "quirks_of" => put(&mut self.quirks_of, parse_driver(value)),
            "cache_mb" => {
                let bytes = value.parse::<usize>().ok().filter(|mb| *mb <= 65536).map(|mb| mb << 20);
                put(&mut self.cache_bytes, bytes)
            }
            "log_level" => put(&mut self.log_level, parse_level(value)),
            "log_file" => put(&mut self.log_file, Some(path())),
            "log_mb" => put(&mut self.log_bytes, parse_mb(value)),
            "dump_dir" => put(&mut self.dump_dir, Some(path())),
            "dump_mb" => put(&mut self.dump_bytes, parse_mb(value)),
            "capture_dir" => put(&mut self.capture_dir, Some(path())),
            "capture_mb" => put(&mut self.capture_bytes, parse_mb(value)),
            "override_dir" => put(&mut self.override_dir, Some(path())),
            "validate" => put(&mut self.validate, parse_bool(value)),
            "stats" => put(&mut self.stats, parse_bool(value)),
            _ => Err(String::new()),
        }
    }
}

fn parse_bool(value: &str) -> Option<bool> {
    BOOLS.iter().find(|(word, _)| word.eq_ignore_ascii_case(value)).map(|(_, meaning)| *meaning)
}

/// All features, none, or those of a list.
fn parse_additions(value: &str) -> Result<Additions, String> {
    let word = |word: &str| value.eq_ignore_ascii_case(word);
    match parse_bool(value) {
        Some(true) => Ok(Additions::All),
        Some(false) => Ok(Additions::None),
        None if word("all") => Ok(Additions::All),
        None if word("none") => Ok(Additions::None),
        None => Additions::listed(value),
    }
}

fn parse_dual_source(value: &str) -> Option<DualSource> {
    match value {
        "auto" => Some(DualSource::Auto),
        "on" => Some(DualSource::On),
        "off" => Some(DualSource::Off),
        _ => None,
    }
}

/// The driver whose quirks code is made for, or `None` for the device's own.
fn parse_driver(value: &str) -> Option<Option<Driver>> {
    let id = |id| {
        let mut driver = Driver::UNKNOWN;
        driver.id = id;
        Some(Some(driver))
    };
    match value {
        "auto" => Some(None),
        "none" => Some(Some(Driver::UNKNOWN)),
        "swiftshader" => id(Driver::SWIFTSHADER),
        "lavapipe" => id(Driver::LLVMPIPE),
        _ => None,
    }
}

/// A number of MiB, in bytes.
fn parse_mb(value: &str) -> Option<u64> {
    value.parse::<u64>().ok().filter(|mb| *mb <= 1 << 20).map(|mb| mb << 20)
}

/// A descriptor set, or an empty text for the binding model's default.
fn parse_set(value: &str) -> Option<Option<u32>> {
    if value.is_empty() { Some(None) } else { value.parse().ok().map(Some) }
}

fn parse_level(value: &str) -> Option<Option<log::Level>> {
    match value {
        "off" => Some(None),
        "error" => Some(Some(log::Level::Error)),
        "warn" => Some(Some(log::Level::Warn)),
        "info" => Some(Some(log::Level::Info)),
        "debug" => Some(Some(log::Level::Debug)),
        _ => None,
    }
}
