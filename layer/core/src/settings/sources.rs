//! Where the values of settings come from.
//!
//! In: the environment, the settings file, the instance's create info. Out: the text that is given
//! for a key, by priority, and warnings about what was given in vain. The convention is that of
//! Vulkan's layer settings library: the environment variable `VK_DXIL_TRANSLATE_<KEY>`;
//! `dxil_translate.<key> = value` in `vk_layer_settings.txt`; `VkLayerSettingsCreateInfoEXT`. Its
//! shorter variables, such as `VK_LOG_LEVEL`, are not read, because other programs have them too.
//! In each source the first value of a key counts.

use std::ffi::{CStr, OsString, c_char, c_void};

use ash::vk;
use ash::vk::TaggedStructure;

use crate::settings::file;
use crate::settings::values::Values;
use crate::vulkan::arrays::slice;
use crate::vulkan::chain;
use crate::vulkan::loader::LAYER_NAME;

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

    /// The text that is given for a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        [&self.environment, &self.file, &self.create_info]
            .into_iter()
            .find_map(|source| source.by_key.get(key).map(String::as_str))
    }

    /// What the sources give in vain: unknown keys, second values, a settings file that cannot be read.
    pub fn warnings(&self) -> impl Iterator<Item = &String> {
        [&self.environment, &self.file, &self.create_info].into_iter().flat_map(|source| &source.warnings)
    }

    /// Whether the process has privileges that whoever set the environment may not have.
    pub fn privileged(&self) -> bool {
        self.privileged
    }
}

#[cfg(test)]
impl Sources {
    pub fn fixed(pairs: &[(&str, &str)]) -> Self {
        let mut environment = Values::default();
        for (key, value) in pairs {
            environment.give(key, Some(value), "a test");
        }
        Self { environment, file: Values::default(), create_info: Values::default(), privileged: false }
    }

    pub fn set_privileged(&mut self) {
        self.privileged = true;
    }
}

/// What environment variables give.
fn environment(variables: impl Iterator<Item = (OsString, OsString)>) -> Values {
    let mut variables: Vec<_> = variables
        .filter_map(|(name, value)| Some((name.to_str()?.strip_prefix(ENVIRONMENT_PREFIX)?.to_owned(), value)))
        .collect();
    variables.sort();
    let mut out = Values::default();
    for (key, value) in variables {
        let given = format!("environment variable {ENVIRONMENT_PREFIX}{key}");
        out.give(&key.to_ascii_lowercase(), value.to_str(), &given);
    }
    out
}

/// What the instance's create info gives for this layer. VK_EXT_layer_settings allows several
/// structures in one chain.
///
/// # Safety
/// `p_next` must be a valid chain.
unsafe fn read_create_info(p_next: *const c_void) -> Values {
    let mut out = Values::default();
    // SAFETY: the caller's chain, whose nodes start with a header.
    let nodes = unsafe { chain::nodes(p_next) }
        .filter(|&node| unsafe { (*node).s_type } == vk::LayerSettingsCreateInfoEXT::STRUCTURE_TYPE);
    // SAFETY: the sType says what the nodes are.
    for info in nodes.map(|node| unsafe { &*node.cast::<vk::LayerSettingsCreateInfoEXT<'_>>() }) {
        // SAFETY: the array of a valid structure.
        for setting in unsafe { slice(info.p_settings, info.setting_count) } {
            if setting.p_layer_name.is_null() || setting.p_setting_name.is_null() || setting.p_values.is_null() {
                continue;
            }
            // SAFETY: names that are not null are valid strings, by the extension's valid usage.
            let (layer, key) =
                unsafe { (CStr::from_ptr(setting.p_layer_name), CStr::from_ptr(setting.p_setting_name)) };
            if layer != LAYER_NAME {
                continue;
            }
            // SAFETY: a valid setting, which has this many values.
            let values: Vec<String> =
                (0..setting.value_count as usize).filter_map(|n| unsafe { value(setting, n) }).collect();
            let key = key.to_string_lossy();
            let given = format!("VkLayerSettingsCreateInfoEXT, setting `{key}`");
            out.give(&key, Some(&values.join(",")), &given);
        }
    }
    out
}

/// The `n`th value of a setting, as text.
///
/// # Safety
/// The setting must be valid and have more than `n` values.
unsafe fn value(setting: &vk::LayerSettingEXT<'_>, n: usize) -> Option<String> {
    /// # Safety
    /// `values` must have more than `n` elements.
    unsafe fn number<T: ToString>(values: *const c_void, n: usize) -> String {
        // SAFETY: by the caller's contract.
        unsafe { (*values.cast::<T>().add(n)).to_string() }
    }
    use vk::LayerSettingTypeEXT as T;
    let values = setting.p_values;
    // SAFETY, of each arm: `ty` says what the values are, and there are more than `n`.
    Some(match setting.ty {
        // SAFETY: as said above.
        T::BOOL32 => (unsafe { *values.cast::<vk::Bool32>().add(n) } != vk::FALSE).to_string(),
        // SAFETY: as said above.
        T::INT32 => unsafe { number::<i32>(values, n) },
        // SAFETY: as said above.
        T::INT64 => unsafe { number::<i64>(values, n) },
        // SAFETY: as said above.
        T::UINT32 => unsafe { number::<u32>(values, n) },
        // SAFETY: as said above.
        T::UINT64 => unsafe { number::<u64>(values, n) },
        T::STRING => {
            // SAFETY: as said above.
            let text = unsafe { *values.cast::<*const c_char>().add(n) };
            if text.is_null() {
                return None;
            }
            // SAFETY: a string that is not null is valid.
            unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
        }
        _ => return None,
    })
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
        sources.file.give("stats", Some("false"), "");
        sources.create_info.give("cache_mb", Some("3"), "");
        assert_eq!(sources.get("stats"), Some("true"));
        assert_eq!(sources.get("cache_mb"), Some("3"));
        assert_eq!(sources.get("bindings"), None);
    }

    #[test]
    fn create_info_values_become_text() {
        let numbers = [9u32];
        let words = [c"auto".as_ptr()];
        let (later, one) = ([c"register".as_ptr()], [c"1".as_ptr()]);
        let setting = |key: &'static CStr, ty, values: *const c_void| vk::LayerSettingEXT {
            p_layer_name: LAYER_NAME.as_ptr(),
            p_setting_name: key.as_ptr(),
            ty,
            value_count: 1,
            p_values: values,
            ..Default::default()
        };
        let text = vk::LayerSettingTypeEXT::STRING;
        let settings = [
            vk::LayerSettingEXT::default(),
            setting(c"cache_mb", vk::LayerSettingTypeEXT::UINT32, numbers.as_ptr().cast()),
            setting(c"bindings", text, words.as_ptr().cast()),
        ];
        let more = [setting(c"bindings", text, later.as_ptr().cast()), setting(c"stats", text, one.as_ptr().cast())];
        let second = vk::LayerSettingsCreateInfoEXT::default().settings(&more);
        let mut first = vk::LayerSettingsCreateInfoEXT::default().settings(&settings);
        first.p_next = (&raw const second).cast();
        // SAFETY: a valid chain of two structures.
        let read = unsafe { read_create_info((&raw const first).cast()) };
        assert_eq!(read.by_key.len(), 3);
        assert_eq!((&*read.by_key["cache_mb"], &*read.by_key["bindings"], &*read.by_key["stats"]), ("9", "auto", "1"));
        assert_eq!(read.warnings.len(), 1, "{:?}", read.warnings);
    }
}
