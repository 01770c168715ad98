//! docs/profile.md, by the tables of features and numbers.

use std::fmt::Write as _;

use super::text::{API, SPIRV};
use super::{DeviceProfile, Feature, NAMES};

const HEAD: &str = "\
# Device profiles
Generated from `translator/base/src/profile/` (`BLESS=1 cargo test -p dxil-base --test profile_doc`);
do not edit.

A device profile says what is enabled on a device, and the translator uses nothing else. The layer
takes it from the application's `VkDevice`. `dxil2spv` takes a built-in profile or a text file, with
`--profile NAME|FILE`; `dxil2spv --print-profile NAME` prints a built-in one with a comment for each
key, to begin a file with.

The file is TOML: a line is `key = value`, and text after `#` is a comment. A version is a string,
such as `api = \"1.3\"`, and a feature is on with a line such as `features.shaderInt64 = true`. A
version or number that the file does not mention has the value of `vulkan-1.1-floor`; a feature that
it does not mention is off. A file without any key is an error, and so is an unknown key.

";

/// The document.
pub fn markdown() -> String {
    let mut text = HEAD.to_owned();
    let profiles: Vec<(&str, DeviceProfile)> =
        NAMES.iter().filter_map(|&(name, _)| Some((name, DeviceProfile::named(name)?))).collect();
    text.push_str("## Built-in profiles\n| name | what it is |\n|---|---|\n");
    for (name, about) in NAMES {
        // Writing to a string does not fail.
        let _ = writeln!(text, "| `{name}` | {about} |");
    }
    let columns: String = profiles.iter().map(|(name, _)| format!(" {name} |")).collect();
    let rule = "|---|---|".to_owned() + &"---|".repeat(profiles.len());
    let _ = write!(text, "\n## Versions and numbers\n| key | what it is |{columns}\n{rule}\n");
    let versions = [("api", API), ("spirv", SPIRV)];
    for (key, about) in versions {
        let value = |(_, profile): &(&str, DeviceProfile)| {
            let (major, minor) = if key == "api" { profile.api } else { profile.spirv };
            format!(" {major}.{minor} |")
        };
        let values: String = profiles.iter().map(value).collect();
        let _ = writeln!(text, "| `{key}` | {about} |{values}");
    }
    let groups: Vec<_> = profiles.iter().map(|(_, profile)| profile.groups()).collect();
    let mut remarks = String::new();
    for (index, group) in groups.first().into_iter().flatten().enumerate() {
        if !group.about.is_empty() {
            let _ = writeln!(remarks, "- {}", group.about);
        }
        for (row, (key, about)) in group.keys.iter().enumerate() {
            let value = |groups: &[super::text::NumberGroup; 5]| {
                let value = groups.get(index).and_then(|group| group.values.get(row)).copied().unwrap_or(0);
                if value == u32::MAX { " no limit |".to_owned() } else { format!(" {value} |") }
            };
            let values: String = groups.iter().map(value).collect();
            let _ = writeln!(text, "| `{key}` |{about} |{values}");
        }
    }
    let _ = write!(text, "\n{remarks}");
    let _ = write!(
        text,
        "\n## Features\nThe name of a feature is the member of the Vulkan structure that enables it, or an extension that \
         enables it by itself.\n\n| `features.` | structure |{columns}\n{rule}\n"
    );
    for &feature in Feature::ALL {
        let has: String = profiles.iter().map(|(_, p)| if p.has(feature) { " yes |" } else { " |" }).collect();
        let structure = feature.structure();
        let structure = match feature.remark() {
            "" => structure.to_owned(),
            remark => format!("{structure}. {remark}"),
        };
        let _ = writeln!(text, "| `{feature}` | {structure} |{has}");
    }
    text
}
