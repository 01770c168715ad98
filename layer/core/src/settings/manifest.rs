//! Manifests and docs/settings.md, generated from the table of settings.
//!
//! The tests compare the generated text with the committed files, and write them with `BLESS=1`.

use dxil_test_support::golden::check;
use serde_json::{Value, json};

use crate::settings::Settings;
use crate::settings::presets::{PRESETS, Preset};
use crate::settings::sources::Sources;
use crate::settings::table::{Kind, SETTINGS, Setting};
use crate::vulkan::loader::LAYER_NAME;

/// What Vulkan Configurator shows above the settings.
const INTRODUCTION: &str = "Lets an application hand DXIL, the shader code of Direct3D 12, to Vulkan where Vulkan takes \
                            SPIR-V. The layer recognises DXIL containers in shader modules and pipelines, and translates \
                            them to SPIR-V for the features that the device has enabled.\n\nThe layer is inert until it \
                            sees DXIL, apart from the features that it enables when a device is created. It belongs above \
                            layers that should see SPIR-V: validation, RenderDoc, capture tools.";

/// A value in the type that a manifest has for this kind of setting.
fn value(kind: Kind, text: &str) -> Value {
    match kind {
        Kind::Bool => json!(text == "true"),
        Kind::Int(..) => json!(text.parse::<u64>().unwrap()),
        _ => json!(text),
    }
}

fn setting(setting: &Setting) -> Value {
    let mut out = json!({
        "key": setting.key,
        "env": format!("VK_DXIL_TRANSLATE_{}", setting.key.to_ascii_uppercase()),
        "label": setting.label,
        "description": setting.description,
        "status": "STABLE",
        "platforms": ["LINUX"],
    });
    let ty = match setting.kind {
        Kind::Enum(values) => {
            let flags =
                values.iter().map(|(key, description)| json!({ "key": key, "label": key, "description": description }));
            out["flags"] = flags.collect();
            "ENUM"
        }
        Kind::Bool => "BOOL",
        Kind::Int(least, most) => {
            out["range"] = json!({ "min": least, "max": most });
            "INT"
        }
        Kind::LoadFile => "LOAD_FILE",
        Kind::SaveFile => "SAVE_FILE",
        Kind::SaveFolder => "SAVE_FOLDER",
        Kind::LoadFolder => "LOAD_FOLDER",
        Kind::Text => "STRING",
    };
    out["type"] = json!(ty);
    out["default"] = value(setting.kind, setting.default);
    out
}

/// Whether Vulkan Configurator offers a setting for every layer. Only one with the validator has
/// the other; then scripts/install.sh adds it to the manifests.
fn is_offered(setting: &Setting) -> bool {
    setting.key != "validate"
}

fn preset(preset: &Preset) -> Value {
    let settings = preset.settings.iter().map(|(key, text)| {
        let setting = SETTINGS.iter().find(|setting| setting.key == *key).expect(key);
        json!({ "key": key, "value": value(setting.kind, text) })
    });
    json!({
        "label": preset.label,
        "description": preset.description,
        "platforms": ["LINUX"],
        "status": "STABLE",
        "settings": settings.collect::<Value>(),
    })
}

fn manifest(implicit: bool) -> String {
    let mut layer = json!({
        "name": LAYER_NAME.to_str().unwrap(),
        "type": "GLOBAL",
        // scripts/install.sh replaces these three values by those of the installation.
        "library_path": "../target/release/libVkLayer_dxil.so",
        "library_arch": "64",
        "url": "../docs/layer.md",
        "api_version": "1.4.305",
        "implementation_version": "1",
        "description": "Translates DXIL shaders to SPIR-V",
        "introduction": INTRODUCTION,
        "platforms": ["LINUX"],
        "functions": { "vkNegotiateLoaderLayerInterfaceVersion": "VK_LAYER_DXIL_translate_negotiate" },
        "features": {
            "presets": PRESETS.iter().map(preset).collect::<Value>(),
            "settings": SETTINGS.iter().filter(|it| is_offered(it)).map(setting).collect::<Value>(),
        },
    });
    if !implicit {
        // The extensions of implicit layers are listed to every application. Loaders before 1.3.268
        // do not know this one, and refuse an application that enables all that are listed.
        layer["instance_extensions"] = json!([{ "name": "VK_EXT_layer_settings", "spec_version": "2" }]);
    }
    if implicit {
        layer["enable_environment"] = json!({ "ENABLE_DXIL_TRANSLATE": "1" });
        layer["disable_environment"] = json!({ "DISABLE_DXIL_TRANSLATE": "1" });
    }
    let text = serde_json::to_string_pretty(&json!({ "file_format_version": "1.2.1", "layer": layer }));
    text.unwrap() + "\n"
}

fn settings_page() -> String {
    let mut out = String::from(
        "# Settings\n\n\
         Generated from `layer/core/src/settings/table.rs` (`BLESS=1 cargo test -p dxil-layer-core`); do not edit.\n\n\
         A setting `x` is given by, in this order of priority:\n\n\
         1. the environment variable `VK_DXIL_TRANSLATE_X`,\n\
         2. the line `dxil_translate.x = value` in `vk_layer_settings.txt`, which is looked for where other layers do: in \
         `~/.local/share/vulkan/settings.d` (below `XDG_DATA_HOME`, if that is set), else where `VK_LAYER_SETTINGS_PATH` says \
         (a file or a folder), else in the working directory,\n\
         3. `VkLayerSettingsCreateInfoEXT` (VK_EXT_layer_settings) with the layer name `VK_LAYER_DXIL_translate`.\n\n\
         If a settings file gives a setting more than once, its last value counts, and in the other sources the first. A \
         settings file in the working directory that no variable names is used without its settings that write files \
         (`log_file`, `dump_dir`, `capture_dir`), because the folder may be someone else's. A value that is not accepted \
         is a warning, and the default is used. Unknown settings, values that are not UTF-8 and a settings file \
         that cannot be read are warnings too.\n",
    );
    for setting in SETTINGS {
        out += &format!("\n## `{}`\n\n{}\n\n", setting.key, setting.description);
        out += &format!("- Environment: `VK_DXIL_TRANSLATE_{}`\n", setting.key.to_ascii_uppercase());
        match setting.default {
            "" => out += "- Default: none\n",
            default => out += &format!("- Default: `{default}`\n"),
        }
        out += &format!("- Accepted: {}\n", setting.accepted());
        if let Kind::Enum(values) = setting.kind {
            for (value, meaning) in values {
                out += &format!("  - `{value}`: {meaning}\n");
            }
        }
    }
    out += "\n## Presets\n\nVulkan Configurator offers these, from the manifest.\n";
    for preset in PRESETS {
        out += &format!("\n- **{}.** {}\n", preset.label, preset.description);
        for (key, value) in preset.settings {
            out += &format!("  - `{key}` = `{value}`\n");
        }
    }
    out
}

#[test]
fn explicit_manifest() {
    check("manifest/VkLayer_dxil.json", &manifest(false));
}

#[test]
fn implicit_manifest() {
    check("manifest/VkLayer_dxil_implicit.json", &manifest(true));
}

#[test]
fn the_setting_of_a_layer_with_the_validator() {
    let others: Vec<_> = SETTINGS.iter().filter(|it| !is_offered(it)).map(setting).collect();
    assert_eq!(others.len(), 1);
    check("manifest/validate.json", &(serde_json::to_string_pretty(&others[0]).unwrap() + "\n"));
}

#[test]
fn settings_document() {
    check("docs/settings.md", &settings_page());
}

/// A preset with an unknown setting, or with a value that the layer refuses, would have no effect.
#[test]
fn presets_are_accepted() {
    for preset in PRESETS {
        let settings = Settings::from_sources(&Sources::fixed(preset.settings));
        assert!(settings.warnings.is_empty(), "{}: {:?}", preset.label, settings.warnings);
        for (key, value) in preset.settings {
            let setting = SETTINGS.iter().find(|setting| setting.key == *key);
            assert!(setting.is_some_and(|setting| setting.default != *value), "{}: {key}", preset.label);
        }
    }
}
