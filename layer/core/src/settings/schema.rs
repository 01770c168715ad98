//! A test: the manifests conform to the schemas of the Vulkan loader and Vulkan Configurator.
//!
//! The types here are the schema of single layers in file format 1.2.1: the fields of the loader's
//! LoaderLayerInterface.md ("Layer Manifest File Format"), and the settings and presets of Vulkan
//! Configurator's `layers_schema.json`. An unknown field is an error, as in that schema for
//! everything below `features`. The manifest of the Khronos validation layer, if it is installed,
//! shows that the schema is not too narrow.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    file_format_version: Version,
    layer: Layer,
}

/// Three numbers, separated by points.
#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Version([u32; 3]);

impl TryFrom<String> for Version {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        let parts: Result<Vec<u32>, _> = text.split('.').map(str::parse).collect();
        let parts = parts.map_err(|error| format!("version {text}: {error}"))?;
        parts.try_into().map(Self).map_err(|_| format!("version {text}: not three numbers"))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only the form of some fields is checked")]
struct Layer {
    name: String,
    #[serde(rename = "type")]
    ty: LayerType,
    library_path: String,
    library_arch: Option<Arch>,
    api_version: Version,
    implementation_version: String,
    description: String,
    introduction: Option<String>,
    url: Option<String>,
    platforms: Option<Vec<Platform>>,
    status: Option<Status>,
    functions: Option<BTreeMap<String, String>>,
    instance_extensions: Option<Vec<Extension>>,
    device_extensions: Option<Vec<Extension>>,
    enable_environment: Option<BTreeMap<String, String>>,
    disable_environment: Option<BTreeMap<String, String>>,
    features: Features,
}

#[derive(Deserialize, PartialEq, Debug)]
#[serde(rename_all = "UPPERCASE")]
enum LayerType {
    Global,
    Instance,
}

#[derive(Deserialize, PartialEq, Debug)]
enum Arch {
    #[serde(rename = "32")]
    Bits32,
    #[serde(rename = "64")]
    Bits64,
}

#[derive(Deserialize)]
#[serde(rename_all = "UPPERCASE")]
enum Platform {
    Windows,
    Linux,
    Macos,
    Android,
}

#[derive(Deserialize)]
#[serde(rename_all = "UPPERCASE")]
enum Status {
    Alpha,
    Beta,
    Stable,
    Deprecated,
}

#[derive(Deserialize)]
#[serde(rename_all = "UPPERCASE")]
enum View {
    Standard,
    Advanced,
    Hidden,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Extension {
    name: String,
    /// A number as text.
    spec_version: String,
    #[serde(default)]
    entrypoints: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Features {
    #[serde(default)]
    presets: Vec<Preset>,
    settings: Vec<Setting>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only the form of some fields is checked")]
struct Preset {
    label: String,
    description: String,
    url: Option<String>,
    platforms: Option<Vec<Platform>>,
    status: Option<Status>,
    editor_state: Option<String>,
    settings: Vec<Given>,
}

/// A setting with a value, in a preset or a condition.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Given {
    key: String,
    value: Content,
}

#[derive(Deserialize, PartialEq, Debug)]
#[serde(untagged)]
enum Content {
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    List(Vec<String>),
}

/// A setting, or a group of settings. The fields that a type does not have are empty, which
/// `Setting::check` requires.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only the form of some fields is checked")]
struct Setting {
    key: String,
    #[serde(rename = "type")]
    ty: Type,
    label: String,
    description: String,
    default: Option<Content>,
    env: Option<String>,
    url: Option<String>,
    platforms: Option<Vec<Platform>>,
    status: Option<Status>,
    view: Option<View>,
    expanded: Option<bool>,
    dependence: Option<Dependence>,
    flags: Option<Vec<Flag>>,
    range: Option<Range>,
    unit: Option<String>,
    filter: Option<String>,
    list: Option<Vec<String>>,
    list_only: Option<bool>,
    #[serde(default)]
    settings: Vec<Setting>,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Debug)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum Type {
    Group,
    Bool,
    Int,
    Float,
    Enum,
    Flags,
    Frames,
    List,
    String,
    LoadFile,
    SaveFile,
    LoadFolder,
    SaveFolder,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only the form of some fields is checked")]
struct Dependence {
    mode: Mode,
    settings: Vec<Given>,
}

#[derive(Deserialize)]
#[serde(rename_all = "UPPERCASE")]
enum Mode {
    None,
    All,
    Any,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only the form of some fields is checked")]
struct Flag {
    key: String,
    label: String,
    description: String,
    url: Option<String>,
    platforms: Option<Vec<Platform>>,
    status: Option<Status>,
    view: Option<View>,
    expanded: Option<bool>,
    #[serde(default)]
    settings: Vec<Setting>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Range {
    min: Option<i64>,
    max: Option<i64>,
}

impl Setting {
    /// The value has this setting's type.
    fn takes(&self, value: &Content) -> bool {
        let key = |key: &String| self.flags.iter().flatten().any(|flag| flag.key == *key);
        match (self.ty, value) {
            (Type::Bool, Content::Bool(_)) | (Type::Float, Content::Float(_) | Content::Int(_)) => true,
            (Type::Int, Content::Int(number)) => self.range.as_ref().is_none_or(|range| {
                range.min.is_none_or(|least| *number >= least) && range.max.is_none_or(|most| *number <= most)
            }),
            (Type::Enum, Content::Text(text)) => key(text),
            (Type::Flags, Content::List(list)) => list.iter().all(key),
            (Type::List, Content::List(_)) | (Type::Frames | Type::String, Content::Text(_)) => true,
            (Type::LoadFile | Type::SaveFile | Type::LoadFolder | Type::SaveFolder, Content::Text(_)) => true,
            _ => false,
        }
    }

    /// Checks this setting and those below it, and adds them to `all`.
    fn check<'a>(&'a self, all: &mut BTreeMap<&'a str, &'a Self>) -> Result<(), String> {
        let wrong = |what: &str| Err(format!("setting {}: {what}", self.key));
        if self.key.is_empty() || self.label.is_empty() || self.description.is_empty() {
            return wrong("an empty text");
        }
        match &self.default {
            None if self.ty != Type::Group => return wrong("no default"),
            Some(_) if self.ty == Type::Group => return wrong("a group with a default"),
            Some(value) if !self.takes(value) => return wrong("a default of another type"),
            _ => {}
        }
        let has_flags = matches!(self.ty, Type::Enum | Type::Flags);
        if self.flags.as_ref().is_some_and(|flags| !flags.is_empty()) != has_flags {
            return wrong("flags are for ENUM and FLAGS");
        }
        if self.range.is_some() && !matches!(self.ty, Type::Int | Type::Float) {
            return wrong("a range is for INT and FLOAT");
        }
        if self.unit.is_some() && !matches!(self.ty, Type::Int | Type::Float) {
            return wrong("a unit is for INT and FLOAT");
        }
        if self.filter.is_some() && !matches!(self.ty, Type::LoadFile | Type::SaveFile) {
            return wrong("a filter is for files");
        }
        if (self.list.is_some() || self.list_only.is_some()) && self.ty != Type::List {
            return wrong("a list is for LIST");
        }
        if self.env.as_ref().is_some_and(|env| !env.starts_with("VK_")) {
            return wrong("a variable without the prefix VK_");
        }
        if self.ty != Type::Group && all.insert(&self.key, self).is_some() {
            return wrong("there are two of this key");
        }
        let flags = self.flags.iter().flatten();
        let mut seen = BTreeSet::new();
        for flag in flags.clone() {
            if flag.key.is_empty() || flag.label.is_empty() || flag.description.is_empty() || !seen.insert(&flag.key) {
                return wrong("a flag with an empty text or a key that another has");
            }
        }
        self.settings.iter().chain(flags.flat_map(|flag| &flag.settings)).try_for_each(|below| below.check(all))
    }
}

fn check(text: &str) -> Result<File, String> {
    let file: File = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let layer = &file.layer;
    if file.file_format_version.0 > [1, 2, 1] || file.file_format_version.0 < [1, 2, 0] {
        return Err("file_format_version is neither 1.2.0 nor 1.2.1".into());
    }
    if layer.library_arch.is_some() && file.file_format_version.0 < [1, 2, 1] {
        return Err("library_arch needs file_format_version 1.2.1".into());
    }
    let of_khronos = |rest: &str| rest.split_once('_').is_some_and(|(who, name)| !who.is_empty() && !name.is_empty());
    if !layer.name.strip_prefix("VK_LAYER_").is_some_and(of_khronos) {
        return Err("name is not VK_LAYER_<who>_<name>".into());
    }
    if layer.name.len() > 255 || layer.description.is_empty() || layer.description.len() > 255 {
        return Err("name or description does not fit in VkLayerProperties".into());
    }
    if layer.implementation_version.parse::<u32>().is_err() || layer.api_version.0 < [1, 0, 0] {
        return Err("implementation_version is not a number, or api_version is not a version of Vulkan".into());
    }
    if layer.library_path.is_empty() || layer.url.as_ref().is_some_and(String::is_empty) {
        return Err("library_path or url is empty".into());
    }
    for extension in layer.instance_extensions.iter().chain(&layer.device_extensions).flatten() {
        let names = extension.entrypoints.iter().all(|name| name.starts_with("vk"));
        if !extension.name.starts_with("VK_") || extension.spec_version.parse::<u32>().is_err() || !names {
            return Err(format!("extension {}", extension.name));
        }
    }
    if layer.enable_environment.is_some() && layer.disable_environment.is_none() {
        return Err("an implicit layer needs disable_environment".into());
    }
    for variables in [&layer.enable_environment, &layer.disable_environment].into_iter().flatten() {
        if variables.len() != 1 {
            return Err("the loader reads one variable".into());
        }
    }
    let mut all = BTreeMap::new();
    layer.features.settings.iter().try_for_each(|setting| setting.check(&mut all))?;
    for preset in &layer.features.presets {
        if preset.label.is_empty() || preset.description.is_empty() {
            return Err("a preset with an empty text".into());
        }
        for given in &preset.settings {
            let setting =
                all.get(given.key.as_str()).ok_or(format!("{}: {} is no setting", preset.label, given.key))?;
            if !setting.takes(&given.value) {
                return Err(format!("{}: {} does not take {:?}", preset.label, given.key, given.value));
            }
        }
    }
    Ok(file)
}

fn read(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../manifest").join(name);
    std::fs::read_to_string(path).expect(name)
}

#[test]
fn manifests_conform_to_the_schema() {
    for (name, implicit) in [("VkLayer_dxil.json", false), ("VkLayer_dxil_implicit.json", true)] {
        let layer = check(&read(name)).unwrap_or_else(|error| panic!("{name}: {error}")).layer;
        assert_eq!(layer.enable_environment.is_some(), implicit, "{name}");
        assert_eq!(layer.disable_environment.is_some(), implicit, "{name}");
        assert_eq!((layer.ty, layer.library_arch), (LayerType::Global, Some(Arch::Bits64)), "{name}");
        assert!(layer.introduction.is_some_and(|text| !text.is_empty()) && layer.url.is_some(), "{name}");
        assert!(!layer.features.presets.is_empty(), "{name}");
    }
}

/// Each of these faults is detected, so the check can fail.
#[test]
fn faults_are_detected() {
    let text = read("VkLayer_dxil_implicit.json");
    // Without white space, so that a fault may span fields.
    let text = serde_json::from_str::<serde_json::Value>(&text).unwrap().to_string();
    let faults: &[(&str, &str, &str)] = &[
        (r#""file_format_version":"1.2.1""#, r#""file_format_version":"1.2.0""#, "library_arch"),
        (r#""library_arch":"64""#, r#""library_arch":"x86_64""#, "x86_64"),
        (r#""library_arch":"64""#, r#""library_bits":"64""#, "library_bits"),
        (r#""api_version":"1.4.305""#, r#""api_version":"1.4""#, "three numbers"),
        (r#""disable_environment""#, r#""disabling""#, "disabling"),
        (r#""disable_environment":{"DISABLE_DXIL_TRANSLATE":"1"},"#, "", "needs disable_environment"),
        (r#""type":"ENUM""#, r#""type":"CHOICE""#, "CHOICE"),
        (r#""type":"ENUM""#, r#""type":"STRING""#, "flags are for"),
        (r#""type":"BOOL""#, r#""type":"INT""#, "another type"),
        (r#""default":64"#, r#""default":65537"#, "another type"),
        (r#""default":"warn""#, r#""default":"loud""#, "another type"),
        (r#""status":"STABLE""#, r#""status":"FINE""#, "FINE"),
        (r#""value":"emit""#, r#""value":true"#, "does not take"),
        (r#""value":"emit""#, r#""value":"emits""#, "does not take"),
        (r#""key":"dump_dir","value""#, r#""key":"dump","value""#, "is no setting"),
        (r#""key":"stats","label""#, r#""key":"bounds","label""#, "two of this key"),
        (r#""LINUX""#, r#""BEOS""#, "BEOS"),
    ];
    for (from, to, expected) in faults {
        assert!(text.contains(from), "the manifest does not contain {from}");
        let error = check(&text.replacen(from, to, 1)).err().unwrap_or_else(|| panic!("{to} is not found"));
        assert!(error.contains(expected), "{to}: {error}");
    }
}

/// The schema accepts another project's manifest, which Vulkan Configurator reads.
#[test]
fn the_schema_is_not_too_narrow() {
    let path = "/usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json";
    match std::fs::read_to_string(path) {
        Ok(text) => {
            check(&text).unwrap_or_else(|error| panic!("{path}: {error}"));
        }
        Err(error) => eprintln!("skipped: {path}: {error}"),
    }
}
