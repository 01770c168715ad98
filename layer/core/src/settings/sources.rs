//! Where the values of settings come from.
//!
//! In: the environment, the settings file, the instance's create info. Out: the text that is given
//! for a key, by priority. The convention is that of Vulkan's layer settings library: the
//! environment variable `VK_DXIL_TRANSLATE_<KEY>`, or `VK_<KEY>`; `dxil_translate.<key> = value` in
//! `vk_layer_settings.txt`; `VkLayerSettingsCreateInfoEXT`.

use std::collections::HashMap;
use std::ffi::{CStr, c_char, c_void};
use std::path::PathBuf;

use ash::vk;

use crate::settings::table::SETTINGS;
use crate::vulkan::arrays::slice;
use crate::vulkan::chain;
use crate::vulkan::loader::LAYER_NAME;

/// The opened sources of values.
pub struct Sources {
    environment: HashMap<String, String>,
    file: HashMap<String, String>,
    create_info: HashMap<String, String>,
    privileged: bool,
}

const ENVIRONMENT_PREFIX: &str = "VK_DXIL_TRANSLATE_";
const FILE_PREFIX: &str = "dxil_translate.";
const FILE_NAME: &str = "vk_layer_settings.txt";
/// The size in bytes above which a file is not taken for a settings file.
const FILE_BYTES: u64 = 1 << 20;

impl Sources {
    /// Reads all three sources.
    ///
    /// # Safety
    /// `p_next` must be a valid chain.
    pub unsafe fn open(p_next: *const c_void) -> Self {
        let mut environment = HashMap::new();
        for setting in SETTINGS {
            let key = setting.key.to_ascii_uppercase();
            let value = [ENVIRONMENT_PREFIX, "VK_"].iter().find_map(|p| std::env::var(format!("{p}{key}")).ok());
            if let Some(value) = value {
                environment.insert(setting.key.into(), value);
            }
        }
        // SAFETY: the caller's chain.
        let create_info = unsafe { read_create_info(p_next) };
        Self { environment, file: read_file().unwrap_or_default(), create_info, privileged: raised_privileges() }
    }

    /// The text that is given for a key.
    pub fn get(&self, key: &str) -> Option<String> {
        [&self.environment, &self.file, &self.create_info].into_iter().find_map(|source| source.get(key).cloned())
    }

    /// Whether the process has privileges that whoever set the environment may not have.
    pub fn privileged(&self) -> bool {
        self.privileged
    }
}

#[cfg(test)]
impl Sources {
    pub fn fixed(pairs: &[(&str, &str)]) -> Self {
        let environment = pairs.iter().map(|(k, v)| ((*k).into(), (*v).into())).collect();
        Self { environment, file: HashMap::new(), create_info: HashMap::new(), privileged: false }
    }

    pub fn set_privileged(&mut self) {
        self.privileged = true;
    }
}

/// The settings file: where `VK_LAYER_SETTINGS_PATH` says (a file or its folder), else in the
/// user's settings folder, else in the working directory.
fn read_file() -> Option<HashMap<String, String>> {
    let mut places: Vec<PathBuf> = Vec::new();
    if let Some(path) = std::env::var_os("VK_LAYER_SETTINGS_PATH") {
        let path = PathBuf::from(path);
        places.push(path.join(FILE_NAME));
        places.push(path);
    } else {
        let data = std::env::var_os("XDG_DATA_HOME")
            .map(PathBuf::from)
            .or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".local/share")));
        if let Some(data) = data {
            places.push(data.join("vulkan/settings.d").join(FILE_NAME));
        }
        places.push(PathBuf::from(FILE_NAME));
    }
    let is_settings = |p: &PathBuf| std::fs::metadata(p).is_ok_and(|m| m.is_file() && m.len() <= FILE_BYTES);
    let text = std::fs::read_to_string(places.into_iter().find(is_settings)?).ok()?;
    Some(parse_file(&text))
}

fn parse_file(text: &str) -> HashMap<String, String> {
    text.lines()
        .map(|line| line.split('#').next().unwrap_or_default())
        .filter_map(|line| line.split_once('='))
        .filter_map(|(key, value)| Some((key.trim().strip_prefix(FILE_PREFIX)?.to_string(), value.trim().to_string())))
        .collect()
}

/// What the instance's create info gives for this layer.
///
/// # Safety
/// `p_next` must be a valid chain.
unsafe fn read_create_info(p_next: *const c_void) -> HashMap<String, String> {
    let mut out = HashMap::new();
    // SAFETY: the caller's chain.
    let Some(info) = (unsafe { chain::find::<vk::LayerSettingsCreateInfoEXT<'_>>(p_next) }) else { return out };
    // SAFETY: the array of a valid structure.
    for setting in unsafe { slice(info.p_settings, info.setting_count) } {
        if setting.p_layer_name.is_null() || setting.p_setting_name.is_null() || setting.p_values.is_null() {
            continue;
        }
        // SAFETY: names that are not null are valid strings, by the extension's valid usage.
        let (layer, key) = unsafe { (CStr::from_ptr(setting.p_layer_name), CStr::from_ptr(setting.p_setting_name)) };
        if layer != LAYER_NAME {
            continue;
        }
        // SAFETY: a valid setting, which has this many values.
        let values: Vec<String> =
            (0..setting.value_count as usize).filter_map(|n| unsafe { value(setting, n) }).collect();
        out.insert(key.to_string_lossy().into_owned(), values.join(","));
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
    fn settings_files_are_read_by_prefix() {
        let text = "# comment\nkhronos_validation.debug_action = x\ndxil_translate.cache_mb = 7 # seven\n dxil_translate.stats=true\n";
        let parsed = parse_file(text);
        assert_eq!(parsed.len(), 2);
        assert_eq!(parsed["cache_mb"], "7");
        assert_eq!(parsed["stats"], "true");
    }

    #[test]
    fn environment_comes_first() {
        let mut sources = Sources::fixed(&[("stats", "true")]);
        sources.file.insert("stats".into(), "false".into());
        sources.create_info.insert("cache_mb".into(), "3".into());
        assert_eq!(sources.get("stats").as_deref(), Some("true"));
        assert_eq!(sources.get("cache_mb").as_deref(), Some("3"));
        assert_eq!(sources.get("bindings"), None);
    }

    #[test]
    fn create_info_values_become_text() {
        let numbers = [9u32];
        let words = [c"auto".as_ptr()];
        let settings = [
            vk::LayerSettingEXT::default(),
            vk::LayerSettingEXT {
                p_layer_name: LAYER_NAME.as_ptr(),
                p_setting_name: c"cache_mb".as_ptr(),
                ty: vk::LayerSettingTypeEXT::UINT32,
                value_count: 1,
                p_values: numbers.as_ptr().cast(),
                ..Default::default()
            },
            vk::LayerSettingEXT {
                p_layer_name: LAYER_NAME.as_ptr(),
                p_setting_name: c"bindings".as_ptr(),
                ty: vk::LayerSettingTypeEXT::STRING,
                value_count: 1,
                p_values: words.as_ptr().cast(),
                ..Default::default()
            },
        ];
        let info = vk::LayerSettingsCreateInfoEXT {
            setting_count: settings.len() as u32,
            p_settings: settings.as_ptr(),
            ..Default::default()
        };
        // SAFETY: a valid chain of one structure.
        let read = unsafe { read_create_info((&raw const info).cast()) };
        assert_eq!(read.len(), 2);
        assert_eq!(read["cache_mb"], "9");
        assert_eq!(read["bindings"], "auto");
    }
}
