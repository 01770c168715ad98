//! The layer's settings.
//!
//! In: the environment, `vk_layer_settings.txt` and `VK_EXT_layer_settings`, in that order of
//! priority. Out: [`Settings`]. What must hold: a value that is not accepted causes a warning that
//! lists the accepted ones, and the default is used; paths are ignored in a process with raised
//! privileges.
//!
//! | file | subject |
//! |---|---|
//! | `table` | all settings with their texts |
//! | `sources` | where values come from |
//! | `file`, `create_info` | two of them: the settings file, and the application |
//! | `values` | what one source gives |
//! | `presets` | settings that belong together, for the manifests |
//! | `manifest` | a test: manifests and docs/settings.md are what the tables say |
//! | `schema` | a test: the manifests have the form that loader and Vulkan Configurator read |

mod create_info;
mod file;
#[cfg(test)]
mod manifest;
#[cfg(test)]
mod presets;
#[cfg(test)]
mod schema;
mod sources;
mod table;
mod values;

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::path::{Path, PathBuf};

use crate::features::cap::Cap;
use crate::settings::sources::Sources;
use crate::settings::table::SETTINGS;
use crate::translator::{BindingOptions, Bounds, CodeOptions, Error, Model, RawVectors, VertexLocations};

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
    /// `bindings`, `register_shifts`, `spaces`, `root_descriptors`, `root_tables`, `heap_counters` and the sets of the
    /// heaps.
    pub bindings: BindingOptions,
    /// `root_signature`.
    pub root_signature: Option<PathBuf>,
    /// `local_root_signature`.
    pub local_root_signature: Option<PathBuf>,
    /// `map`.
    pub map: Option<PathBuf>,
    /// `bounds`, `raw_vectors`, `vertex_locations`, `vertex_id`, `invert_y` and `names`.
    pub code: CodeOptions,
    /// `dual_source`.
    pub dual_source: DualSource,
    /// `enable_features`.
    pub enable_features: bool,
    /// `profile_cap`.
    pub cap: Cap,
    /// `cache_mb`, in bytes.
    pub cache_bytes: usize,
    /// `log_level`.
    pub log_level: Option<log::Level>,
    /// `log_file`.
    pub log_file: Option<PathBuf>,
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

    /// Parses what the sources say.
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
                    settings.warnings.push(format!(
                        "setting {}: `{value}` is not accepted{why}, `{}` is used; accepted: {}",
                        setting.key,
                        setting.default,
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
            // A message about the file would quote it.
            let files = [
                ("root_signature", &mut settings.root_signature),
                ("local_root_signature", &mut settings.local_root_signature),
            ];
            for (setting, file) in files {
                if file.take().is_some() {
                    settings.warnings.push(format!("setting {setting}: ignored with raised privileges"));
                }
            }
            // A message about a file that is no map would show its content.
            settings.map = None;
        }
        settings
    }

    /// The file of the binding map, if the setting `bindings` is for a model that reads it.
    pub fn map_of_bindings(&self) -> Option<&Path> {
        self.map.as_deref().filter(|_| matches!(self.bindings.model, Model::Auto | Model::Map))
    }

    /// Takes a value. An error says which item of a list is wrong; it is empty where the accepted values
    /// say everything.
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
            "vertex_locations" => {
                let found = VertexLocations::ALL.into_iter().find(|v| v.name() == value);
                put(&mut self.code.vertex_locations, found)
            }
            "vertex_id" => {
                let vulkan = [("d3d", false), ("vulkan", true)].into_iter().find(|(name, _)| *name == value);
                put(&mut self.code.vulkan_vertex_ids, vulkan.map(|(_, vulkan)| vulkan))
            }
            "invert_y" => put(&mut self.code.invert_y, parse_bool(value)),
            "names" => put(&mut self.code.names, parse_bool(value)),
            "enable_features" => put(&mut self.enable_features, parse_bool(value)),
            "profile_cap" => Cap::parse(value).map(|cap| self.cap = cap),
            "cache_mb" => {
                let bytes = value.parse::<usize>().ok().filter(|mb| *mb <= 65536).map(|mb| mb << 20);
                put(&mut self.cache_bytes, bytes)
            }
            "log_level" => put(&mut self.log_level, parse_level(value)),
            "log_file" => put(&mut self.log_file, Some(path())),
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
    match value.to_ascii_lowercase().as_str() {
        "true" | "1" | "on" | "yes" => Some(true),
        "false" | "0" | "off" | "no" => Some(false),
        _ => None,
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

/// The bytes of so many MiB.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn with(pairs: &[(&str, &str)]) -> Settings {
        Settings::from_sources(&Sources::fixed(pairs))
    }

    #[test]
    fn defaults_parse() {
        let settings = with(&[]);
        assert!(settings.warnings.is_empty(), "{:?}", settings.warnings);
        assert!(settings.enable_features);
        assert_eq!(settings.cache_bytes, 64 << 20);
        assert_eq!(settings.log_level, Some(log::Level::Warn));
        assert_eq!(settings.bindings, BindingOptions::default());
    }

    #[test]
    fn values_are_taken() {
        let settings = with(&[
            ("bindings", "root-signature"),
            ("register_shifts", "t=100, s=300"),
            ("root_descriptors", "address"),
            ("spaces", "96=2, 95=1"),
            ("root_tables", "offsets"),
            ("resource_heap_set", "5"),
            ("heap_counter_set", ""),
            ("heap_counters", "address"),
            ("map", "/tmp/map.json"),
            ("bounds", "emit"),
            ("raw_vectors", "exact"),
            ("vertex_locations", "texcoord"),
            ("vertex_id", "vulkan"),
            ("invert_y", "true"),
            ("names", "on"),
            ("dual_source", "off"),
            ("profile_cap", "1.3.239,shaderInt64"),
            ("log_level", "off"),
        ]);
        assert!(settings.warnings.is_empty(), "{:?}", settings.warnings);
        assert_eq!(settings.bindings.model, Model::RootSignature);
        assert_eq!(settings.bindings.shifts.to_string(), "b=0,t=100,u=0,s=300,c=1000");
        assert_eq!(settings.bindings.root_descriptors.name(), "address");
        assert_eq!(settings.bindings.spaces.to_string(), "95=1,96=2");
        assert_eq!(settings.bindings.root_tables.name(), "offsets");
        assert_eq!(settings.bindings.heap_counters.name(), "address");
        let heaps = settings.bindings.heap_sets;
        assert_eq!((heaps.resources, heaps.samplers, heaps.counters), (Some(5), None, None));
        assert_eq!(settings.map, Some(PathBuf::from("/tmp/map.json")));
        assert_eq!(settings.map_of_bindings(), None, "the model is root-signature");
        assert_eq!(with(&[("map", "m")]).map_of_bindings(), Some(Path::new("m")));
        let code = CodeOptions {
            bounds: Bounds::Emit,
            raw_vectors: RawVectors::Exact,
            vertex_locations: VertexLocations::Texcoord,
            vulkan_vertex_ids: true,
            invert_y: true,
            names: true,
        };
        assert_eq!((settings.code, settings.dual_source), (code, DualSource::Off));
        assert_eq!(settings.log_level, None);
        assert_eq!(settings.cap, Cap::parse("1.3.239,shaderInt64").unwrap());
    }

    #[test]
    fn what_is_given_and_not_a_default_is_kept() {
        let settings = with(&[("stats", "false"), ("invert_y", " on "), ("bindings", "none"), ("map", "m.json")]);
        let given: Vec<_> = settings.given.iter().map(|(key, value)| (&**key, &**value)).collect();
        assert_eq!(given, [("invert_y", "on"), ("map", "m.json")]);
    }

    #[test]
    fn bad_values_warn_and_leave_the_default() {
        let settings = with(&[
            ("cache_mb", "lots"),
            ("bindings", "Register"),
            ("sampler_heap_set", "x"),
            ("stats", "perhaps"),
            ("log_level", "loud"),
            ("cache_mb", "70000"),
        ]);
        assert_eq!(
            settings.warnings,
            [
                "a test: `70000` is ignored, because `lots` is given first",
                "setting bindings: `Register` is not accepted, `auto` is used; accepted: `auto`, `register`, \
                 `root-signature`, `map`",
                "setting sampler_heap_set: `x` is not accepted, `` is used; accepted: a number, or an empty text",
                "setting cache_mb: `lots` is not accepted, `64` is used; accepted: a number from 0 to 65536",
                "setting log_level: `loud` is not accepted, `warn` is used; accepted: `off`, `error`, `warn`, `info`, `debug`",
                "setting stats: `perhaps` is not accepted, `false` is used; accepted: `true`, `false`",
            ]
        );
        assert_eq!(settings.cache_bytes, 64 << 20);
    }

    /// One bad item makes a list be ignored. The warning names the item.
    #[test]
    fn bad_items_of_lists_are_named() {
        let warning = |key: &str, value: &str| {
            let settings = with(&[(key, value)]);
            assert_eq!(settings.cap, Cap::default());
            let [warning] = &settings.warnings[..] else { panic!("{:?}", settings.warnings) };
            warning.clone()
        };
        let cap = "`none` is used; accepted: `none`, or a list of a version such as `1.3.239` and feature names";
        assert_eq!(
            warning("profile_cap", "1.3.239,shaderInt63"),
            format!(
                "setting profile_cap: `1.3.239,shaderInt63` is not accepted (no feature is called `shaderInt63`; did you mean \
                 `shaderInt64`?), {cap}"
            )
        );
        assert_eq!(
            warning("profile_cap", "teapot"),
            format!(
                "setting profile_cap: `teapot` is not accepted (no feature is called `teapot`; docs/profile.md lists them), \
                 {cap}"
            )
        );
        assert_eq!(
            warning("profile_cap", "shaderInt64,1.3"),
            format!(
                "setting profile_cap: `shaderInt64,1.3` is not accepted (`1.3` is no version such as `1.3.239`), {cap}"
            )
        );
        let shifts = "`b=0,t=0,u=0,s=0,c=1000` is used; accepted: the form `b=0,t=0,u=0,s=0,c=1000`";
        for (value, why) in [
            ("t=100,q=1", "unknown register class `q`; expected b, t, u, s or c"),
            ("t=100,u", "expected a shift such as `t=100`, found `u`"),
            ("t=100,u=x", "shift `u=x`: expected a 32-bit number, found `x`"),
        ] {
            let expected = format!("setting register_shifts: `{value}` is not accepted ({why}), {shifts}");
            assert_eq!(warning("register_shifts", value), expected);
        }
        assert_eq!(
            warning("spaces", "95=1,96"),
            "setting spaces: `95=1,96` is not accepted (expected SPACE=SET such as `95=1`, found `96`), `` is used; accepted: a \
             list such as `95=1,96=2`"
        );
    }

    #[test]
    fn privileged_processes_use_no_files() {
        let files = [
            ("dump_dir", "/tmp/x"),
            ("capture_dir", "/tmp/c"),
            ("override_dir", "/tmp/o"),
            ("log_file", "/tmp/y"),
            ("root_signature", "/tmp/z"),
            ("local_root_signature", "/tmp/l"),
            ("map", "/tmp/m"),
        ];
        let mut sources = Sources::fixed(&files);
        let settings = Settings::from_sources(&sources);
        assert!(settings.dump_dir.is_some() && settings.root_signature.is_some() && settings.map.is_some());
        assert!(settings.local_root_signature.is_some() && settings.override_dir.is_some());
        assert!(settings.capture_dir.is_some());
        sources.set_privileged();
        let settings = Settings::from_sources(&sources);
        assert_eq!(settings.capture_dir, None);
        assert_eq!((settings.dump_dir, settings.override_dir, settings.log_file), (None, None, None));
        assert_eq!((settings.root_signature, settings.local_root_signature, settings.map), (None, None, None));
        assert_eq!(settings.warnings.len(), 2, "{:?}", settings.warnings);
    }
}
