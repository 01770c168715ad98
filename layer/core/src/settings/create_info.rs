//! The settings that an application gives in the chain of its instance's create info.
//!
//! In: a chain. Out: the text of each value, and warnings about ignored values.

use std::ffi::{CStr, c_char, c_void};

use ash::vk;
use ash::vk::TaggedStructure;

use crate::settings::values::Values;
use crate::vulkan::arrays::slice;
use crate::vulkan::chain;
use crate::vulkan::loader::LAYER_NAME;

/// The values for this layer in the instance's create info. VK_EXT_layer_settings allows several
/// structures in one chain.
///
/// # Safety
/// `p_next` must be a valid chain.
pub(super) unsafe fn read_create_info(p_next: *const c_void) -> Values {
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
            let key = key.to_string_lossy();
            let given = format!("VkLayerSettingsCreateInfoEXT, setting `{key}`");
            if !TYPES.contains(&setting.ty) {
                out.warnings.push(format!(
                    "{given}: values of type {} are not read; expected VK_LAYER_SETTING_TYPE_BOOL32_EXT, INT32, INT64, UINT32, \
                     UINT64 or STRING",
                    type_name(setting.ty)
                ));
                continue;
            }
            // SAFETY: a valid setting, which has this many values.
            let values: Vec<String> =
                (0..setting.value_count as usize).filter_map(|n| unsafe { value(setting, n) }).collect();
            out.add(&key, Some(&values.join(",")), &given);
        }
    }
    out
}

/// The types of values that [`value`] reads.
const TYPES: [vk::LayerSettingTypeEXT; 6] = [
    vk::LayerSettingTypeEXT::BOOL32,
    vk::LayerSettingTypeEXT::INT32,
    vk::LayerSettingTypeEXT::INT64,
    vk::LayerSettingTypeEXT::UINT32,
    vk::LayerSettingTypeEXT::UINT64,
    vk::LayerSettingTypeEXT::STRING,
];

/// The name of a type that is not read.
fn type_name(ty: vk::LayerSettingTypeEXT) -> String {
    match ty {
        vk::LayerSettingTypeEXT::FLOAT32 => "VK_LAYER_SETTING_TYPE_FLOAT32_EXT".into(),
        vk::LayerSettingTypeEXT::FLOAT64 => "VK_LAYER_SETTING_TYPE_FLOAT64_EXT".into(),
        other => format!("{} (of no known VkLayerSettingTypeEXT)", other.as_raw()),
    }
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
        // SAFETY: see above.
        T::BOOL32 => (unsafe { *values.cast::<vk::Bool32>().add(n) } != vk::FALSE).to_string(),
        // SAFETY: see above.
        T::INT32 => unsafe { number::<i32>(values, n) },
        // SAFETY: see above.
        T::INT64 => unsafe { number::<i64>(values, n) },
        // SAFETY: see above.
        T::UINT32 => unsafe { number::<u32>(values, n) },
        // SAFETY: see above.
        T::UINT64 => unsafe { number::<u64>(values, n) },
        T::STRING => {
            // SAFETY: see above.
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

#[cfg(test)]
mod tests {
    use super::*;

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
        let fractions = [0.5f32];
        let strange = vk::LayerSettingTypeEXT::from_raw(77);
        let odd = [
            setting(c"cache_mb", vk::LayerSettingTypeEXT::FLOAT32, fractions.as_ptr().cast()),
            setting(c"stats", strange, fractions.as_ptr().cast()),
            setting(c"colour", text, one.as_ptr().cast()),
        ];
        let third = vk::LayerSettingsCreateInfoEXT::default().settings(&odd);
        let mut second = vk::LayerSettingsCreateInfoEXT::default().settings(&more);
        second.p_next = (&raw const third).cast();
        let mut first = vk::LayerSettingsCreateInfoEXT::default().settings(&settings);
        first.p_next = (&raw const second).cast();
        // SAFETY: a valid chain of three structures.
        let read = unsafe { read_create_info((&raw const first).cast()) };
        assert_eq!(read.by_key.len(), 3);
        assert_eq!((&*read.by_key["cache_mb"], &*read.by_key["bindings"], &*read.by_key["stats"]), ("9", "auto", "1"));
        let types = "are not read; expected VK_LAYER_SETTING_TYPE_BOOL32_EXT, INT32, INT64, UINT32, UINT64 or STRING";
        let given = |key: &str| format!("VkLayerSettingsCreateInfoEXT, setting `{key}`");
        assert_eq!(
            read.warnings,
            [
                format!("{}: `register` is ignored, because `auto` is given first", given("bindings")),
                format!("{}: values of type VK_LAYER_SETTING_TYPE_FLOAT32_EXT {types}", given("cache_mb")),
                format!("{}: values of type 77 (of no known VkLayerSettingTypeEXT) {types}", given("stats")),
                format!("{}: the layer has no setting `colour`; docs/settings.md lists them", given("colour")),
            ]
        );
    }
}
