//! The layer's settings: one table, from which parsing, the manifests and docs/settings.md all derive.
//!
//! In: the environment, `vk_layer_settings.txt` and `VK_EXT_layer_settings`, in that order of priority. Out: [`Settings`].
//! What must hold: a bad value is a warning that lists the accepted ones, and the default; paths to write to are ignored in a
//! process with raised privileges.

use std::ffi::c_void;
use std::path::PathBuf;

use ash::vk;

use crate::feature_table;
use crate::settings_sources::Sources;
use crate::support::minor_version;
use crate::translate::{BindingOptions, Feature};

/// What values a setting takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One of the listed words, each with its meaning.
    Enum(&'static [(&'static str, &'static str)]),
    /// `true` or `false` (also `1`/`0`, `on`/`off`).
    Bool,
    /// A number in a range.
    Int(u64, u64),
    /// A file to write.
    SaveFile,
    /// A folder to write to.
    SaveFolder,
    /// Text of a form of its own.
    Text,
}

/// One setting.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Its key: `VK_DXIL_TRANSLATE_<KEY>` in upper case, `dxil_translate.<key>` in a settings file.
    pub key: &'static str,
    /// Short name for people.
    #[cfg_attr(not(test), expect(dead_code, reason = "for the manifests and docs/settings.md"))]
    pub label: &'static str,
    /// What it does, in one or two sentences.
    #[cfg_attr(not(test), expect(dead_code, reason = "for the manifests and docs/settings.md"))]
    pub description: &'static str,
    /// What it takes.
    pub kind: Kind,
    /// Its default, as text.
    pub default: &'static str,
}

/// All settings.
pub const SETTINGS: &[Setting] = &[
    Setting {
        key: "bindings",
        label: "Binding model",
        description: "Where D3D12 resources live in Vulkan (docs/bindings.md).",
        kind: Kind::Enum(&[
            (
                "auto",
                "The root signature's model if there is a root signature, else the register model; with a pipeline \
                      layout, whichever of the two matches it.",
            ),
            ("register", "Set = space, binding = register plus the shift of its class."),
            ("root-signature", "The k-th descriptor table is set k, root constants are push constants."),
        ]),
        default: "auto",
    },
    Setting {
        key: "register_shifts",
        label: "Register shifts",
        description: "Shifts of the register model by register class: constant buffers b, textures and read-only buffers t, \
                      writable resources u, samplers s, counters c. Classes that are not named keep their default.",
        kind: Kind::Text,
        default: "b=0,t=0,u=0,s=0,c=1000",
    },
    Setting {
        key: "enable_features",
        label: "Enable features",
        description: "Enables at vkCreateDevice what translated code can use and the device supports. When false, the \
                      device is created as the application asks and translated code uses only what that enables.",
        kind: Kind::Bool,
        default: "true",
    },
    Setting {
        key: "profile_cap",
        label: "Profile cap",
        description: "Leaves features out, by a comma-separated list: a Vulkan header version such as 1.3.239 leaves out \
                      what is newer (for an older validation layer below this one); a feature's name leaves that one out.",
        kind: Kind::Text,
        default: "none",
    },
    Setting {
        key: "cache_mb",
        label: "Cache size",
        description: "Bound of the in-memory cache of parsed shaders and translations, in MiB. Process-wide: the largest \
                      value that any instance asked for.",
        kind: Kind::Int(0, 65536),
        default: "64",
    },
    Setting {
        key: "log_level",
        label: "Log level",
        description: "Least severe message that is written. Process-wide: the first instance decides.",
        kind: Kind::Enum(&[
            ("off", "Nothing."),
            ("error", "What made a call fail."),
            ("warn", "And what may not be what was meant."),
            ("info", "And what the layer decided."),
            ("debug", "And each translation, and the profile of each device."),
        ]),
        default: "warn",
    },
    Setting {
        key: "log_file",
        label: "Log file",
        description: "Messages go to this file instead of stderr. Process-wide: the first instance decides. Ignored with \
                      raised privileges.",
        kind: Kind::SaveFile,
        default: "",
    },
    Setting {
        key: "dump_dir",
        label: "Dump folder",
        description: "Writes the DXIL, plan, profile and SPIR-V of each translation to this folder, named by the blob's hash: \
                      a ready reproduction for dxil2spv. Ignored with raised privileges.",
        kind: Kind::SaveFolder,
        default: "",
    },
    Setting {
        key: "stats",
        label: "Statistics",
        description: "Writes a line to the log when a device is destroyed: blobs seen, translations, cache hits, time, bytes.",
        kind: Kind::Bool,
        default: "false",
    },
];

/// What the profile may have at most.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cap {
    /// Vulkan version (major and minor), if one was given.
    pub version: Option<u32>,
    header: Option<u32>,
    without: Vec<Feature>,
}

impl Cap {
    /// Whether the cap lets a feature through.
    pub fn allows(&self, feature: Feature) -> bool {
        let new = matches!((self.header, feature_table::since(feature)), (Some(cap), Some(since)) if since > cap);
        !new && !self.without.contains(&feature)
    }

    /// Whether the cap lets core structures of a Vulkan version through.
    pub fn version_allows(&self, core: u32) -> bool {
        self.version.is_none_or(|cap| core <= cap)
    }

    fn parse(text: &str) -> Option<Self> {
        let mut cap = Self::default();
        for item in text.split(',').map(str::trim).filter(|i| !i.is_empty() && *i != "none") {
            if item.starts_with(|c: char| c.is_ascii_digit()) {
                let mut numbers = item.split('.').map(str::parse::<u32>);
                let mut number = |most: u32| numbers.next()?.ok().filter(|n| *n <= most);
                let header = vk::make_api_version(0, number(127)?, number(1023)?, number(4095)?);
                cap.header = Some(header);
                cap.version = Some(minor_version(header));
            } else {
                cap.without.push(*Feature::ALL.iter().find(|f| f.name() == item)?);
            }
        }
        Some(cap)
    }
}

/// The settings of one instance.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// `bindings` and `register_shifts`.
    pub bindings: BindingOptions,
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
    /// `stats`.
    pub stats: bool,
    /// What was wrong with values that were given, to be logged once the log is up.
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
        let mut settings = Self::default();
        for setting in SETTINGS {
            let given = sources.get(setting.key);
            if let Some(value) = &given
                && settings.set(setting.key, value.trim())
            {
                continue;
            }
            if let Some(value) = given {
                let accepted = setting.accepted();
                settings.warnings.push(format!(
                    "setting {}: `{value}` is not accepted, `{}` is used; accepted: {accepted}",
                    setting.key, setting.default
                ));
            }
            let ok = settings.set(setting.key, setting.default);
            debug_assert!(ok, "default of {}", setting.key);
        }
        if sources.privileged() {
            settings.log_file = None;
            settings.dump_dir = None;
        }
        settings
    }

    fn set(&mut self, key: &str, value: &str) -> bool {
        fn put<T>(place: &mut T, value: Option<T>) -> bool {
            value.map(|v| *place = v).is_some()
        }
        let path = || Some(value).filter(|v| !v.is_empty()).map(PathBuf::from);
        match key {
            "bindings" => put(&mut self.bindings.model, value.parse().ok()),
            "register_shifts" => put(&mut self.bindings.shifts, value.parse().ok()),
            "enable_features" => put(&mut self.enable_features, parse_bool(value)),
            "profile_cap" => put(&mut self.cap, Cap::parse(value)),
            "cache_mb" => {
                let bytes = value.parse::<usize>().ok().filter(|mb| *mb <= 65536).map(|mb| mb << 20);
                put(&mut self.cache_bytes, bytes)
            }
            "log_level" => put(&mut self.log_level, parse_level(value)),
            "log_file" => put(&mut self.log_file, Some(path())),
            "dump_dir" => put(&mut self.dump_dir, Some(path())),
            "stats" => put(&mut self.stats, parse_bool(value)),
            _ => false,
        }
    }
}

impl Setting {
    /// What it accepts, as text for people.
    pub fn accepted(&self) -> String {
        match self.kind {
            Kind::Enum(values) => values.iter().map(|(v, _)| format!("`{v}`")).collect::<Vec<_>>().join(", "),
            Kind::Bool => "`true`, `false`".into(),
            Kind::Int(least, most) => format!("a number from {least} to {most}"),
            Kind::SaveFile => "a file name".into(),
            Kind::SaveFolder => "a folder name".into(),
            Kind::Text if self.key == "profile_cap" => {
                "`none`, or a list of a version such as `1.3.239` and feature names".into()
            }
            Kind::Text => format!("the form `{}`", self.default),
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
    use dxil_translator::Model;

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
            ("profile_cap", "1.3.239,shaderInt64"),
            ("log_level", "off"),
        ]);
        assert!(settings.warnings.is_empty(), "{:?}", settings.warnings);
        assert_eq!(settings.bindings.model, Model::RootSignature);
        assert_eq!(settings.bindings.shifts.to_string(), "b=0,t=100,u=0,s=300,c=1000");
        assert_eq!(settings.log_level, None);
        assert!(!settings.cap.allows(Feature::MaximalReconvergence));
        assert!(!settings.cap.allows(Feature::Int64));
        assert!(settings.cap.allows(Feature::Int16));
        assert_eq!(settings.cap.version, Some(vk::API_VERSION_1_3));
    }

    #[test]
    fn bad_values_warn_and_leave_the_default() {
        let settings =
            with(&[("cache_mb", "lots"), ("bindings", "Register"), ("register_shifts", "q=1"), ("stats", "?")]);
        assert_eq!(settings.warnings.len(), 4);
        assert!(settings.warnings[0].contains("`auto`, `register`, `root-signature`"), "{:?}", settings.warnings);
        assert_eq!(settings.cache_bytes, 64 << 20);
    }

    #[test]
    fn privileged_processes_write_no_files() {
        let mut sources = Sources::fixed(&[("dump_dir", "/tmp/x"), ("log_file", "/tmp/y")]);
        assert!(Settings::from_sources(&sources).dump_dir.is_some());
        sources.set_privileged();
        let settings = Settings::from_sources(&sources);
        assert_eq!((settings.dump_dir, settings.log_file), (None, None));
    }
}
