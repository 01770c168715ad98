//! The sources of the values of settings.
//!
//! In: the environment, the settings file, the instance's create info. Out: the text for a key, by
//! priority, and warnings about ignored values. The convention is that of Vulkan's layer settings
//! library: the environment variable `VK_DXIL_TRANSLATE_<KEY>`;
//! `dxil_translate.<key> = value` in `vk_layer_settings.txt`; `VkLayerSettingsCreateInfoEXT`. Its
//! shorter variables, such as `VK_LOG_LEVEL`, are not read, because other programs use them too.
//! In a settings file the last value of a key counts, elsewhere the first one.

use std::ffi::{OsString, c_void};

use crate::settings::create_info::read_create_info;
use crate::settings::file;
use crate::settings::values::Values;

/// The opened sources of values.
pub struct Sources {
    environment: Values,
    file: Values,
    create_info: Values,
    privileged: bool,
}

const ENVIRONMENT_PREFIX: &str = "VK_DXIL_TRANSLATE_";

impl Sources {
    /// Reads all three sources.
    ///
    /// # Safety
    /// `p_next` must be a valid chain.
    pub unsafe fn open(p_next: *const c_void) -> Self {
        Self {
            environment: environment(std::env::vars_os()),
            file: file::read(),
            // SAFETY: the caller's chain.
            create_info: unsafe { read_create_info(p_next) },
            privileged: raised_privileges(),
        }
    }

    /// The text for a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        [&self.environment, &self.file, &self.create_info]
            .into_iter()
            .find_map(|source| source.by_key.get(key).map(String::as_str))
    }

    /// Warnings about ignored input: unknown keys, second values, a settings file that cannot be
    /// read.
    pub fn warnings(&self) -> impl Iterator<Item = &String> {
        [&self.environment, &self.file, &self.create_info].into_iter().flat_map(|source| &source.warnings)
    }

    /// Whether the process has privileges that the user may not have who set the environment.
    pub fn privileged(&self) -> bool {
        self.privileged
    }
}

#[cfg(test)]
impl Sources {
    /// The sources of a process with this settings file and no other values.
    pub fn from_file(bytes: &[u8]) -> Self {
        let none = Values::default;
        let file = file::parse_file(bytes, std::path::Path::new("s.txt"));
        Self { environment: none(), file, create_info: none(), privileged: false }
    }

    pub fn fixed(pairs: &[(&str, &str)]) -> Self {
        let mut environment = Values::default();
        for (key, value) in pairs {
            environment.add(key, Some(value), "a test");
        }
        Self { environment, file: Values::default(), create_info: Values::default(), privileged: false }
    }

    pub fn set_privileged(&mut self) {
        self.privileged = true;
    }
}

/// The values of environment variables.
fn environment(variables: impl Iterator<Item = (OsString, OsString)>) -> Values {
    let mut variables: Vec<_> = variables
        .filter_map(|(name, value)| Some((name.to_str()?.strip_prefix(ENVIRONMENT_PREFIX)?.to_owned(), value)))
        .collect();
    variables.sort();
    let mut out = Values::default();
    for (key, value) in variables {
        let given = format!("environment variable {ENVIRONMENT_PREFIX}{key}");
        out.add(&key.to_ascii_lowercase(), value.to_str(), &given);
    }
    out
}

/// Whether the process runs with more privileges than its user: set-user-id programs and the like.
fn raised_privileges() -> bool {
    #[cfg(target_os = "linux")]
    {
        unsafe extern "C" {
            fn getauxval(kind: std::ffi::c_ulong) -> std::ffi::c_ulong;
        }
        const AT_SECURE: std::ffi::c_ulong = 23;
        // SAFETY: getauxval has no preconditions (getauxval(3)).
        unsafe { getauxval(AT_SECURE) != 0 }
    }
    #[cfg(not(target_os = "linux"))]
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_variables_are_reported() {
        let variables = [
            ("VK_DXIL_TRANSLATE_DUMPDIR", "x"),
            ("VK_DXIL_TRANSLATE_stats", "x"),
            ("VK_DXIL_TRANSLATE_STATS", "1"),
            ("VK_LOG_LEVEL", "debug"),
        ];
        let values = environment(variables.into_iter().map(|(name, value)| (name.into(), value.into())));
        assert_eq!(values.by_key.len(), 1, "VK_LOG_LEVEL is not the layer's own");
        assert_eq!(values.by_key["stats"], "1");
        assert_eq!(
            values.warnings,
            [
                "environment variable VK_DXIL_TRANSLATE_DUMPDIR: the layer has no setting `dumpdir`; did you mean `dump_dir`?",
                "environment variable VK_DXIL_TRANSLATE_stats: `x` is ignored, because `1` is given first"
            ]
        );
    }

    #[test]
    fn environment_comes_first() {
        let mut sources = Sources::fixed(&[("stats", "true")]);
        sources.file.add("stats", Some("false"), "");
        sources.create_info.add("cache_mb", Some("3"), "");
        assert_eq!(sources.get("stats"), Some("true"));
        assert_eq!(sources.get("cache_mb"), Some("3"));
        assert_eq!(sources.get("bindings"), None);
    }
}
