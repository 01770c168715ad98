//! The first line of a file of results: all that its rows depend on.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::begun::Begun;
use super::execution::Inputs;

/// The first line of a file of results.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FirstLine {
    /// All that the rows depend on.
    #[serde(flatten)]
    pub header: Header,
    /// The command that began the file.
    #[serde(default)]
    pub begun: Begun,
}

/// The first line of a file of results but for the command. Rows of one capture with equal headers
/// are equal, but for times and memory, so rows are added to a file, or taken from it, only under
/// an equal header.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// The version of the form.
    pub format: u32,
    /// The name of the driver.
    pub driver: String,
    /// `VkPhysicalDeviceProperties::deviceName`.
    pub device: String,
    /// `driverVersion`.
    pub driver_version: u32,
    /// `apiVersion`.
    pub api_version: u32,
    /// Whether the validation layer was above the driver.
    pub validation: bool,
    /// The inputs that the pipelines ran with, if they ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inputs: Option<Inputs>,
    /// The builds of the driver and of the lab.
    #[serde(default)]
    pub build: Build,
    /// The other options of the command.
    #[serde(default)]
    pub how: How,
}

/// The builds of the programs that made the results.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Build {
    /// `driverName` and `driverInfo`.
    pub driver: String,
    /// `deviceUUID`, `driverUUID` and `pipelineCacheUUID`.
    pub uuids: BTreeMap<String, String>,
    /// The libraries that the Vulkan loader loaded, the driver's and those that it needs: the build
    /// id of each, or a checksum.
    pub libraries: BTreeMap<String, String>,
    /// The build id of the lab.
    pub lab: String,
}

/// The options on which an outcome may depend.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct How {
    /// `--timeout`, in seconds.
    pub timeout: u64,
    /// `--memory`, in MiB.
    pub memory: u64,
    /// The layers of `--layer`.
    pub layers: Vec<String>,
    /// The injected fault.
    pub injected: Option<String>,
}

impl Header {
    /// The version of the form.
    pub const FORMAT: u32 = 2;

    /// What differs from another header, as `member: value here, value there`.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let (mut here, mut there) = (BTreeMap::new(), BTreeMap::new());
        leaves("", &serde_json::to_value(self).unwrap_or_default(), &mut here);
        leaves("", &serde_json::to_value(other).unwrap_or_default(), &mut there);
        let names: std::collections::BTreeSet<&String> = here.keys().chain(there.keys()).collect();
        let value = |of: &BTreeMap<String, String>, name: &String| of.get(name).cloned().unwrap_or("none".to_owned());
        let both = names.into_iter().map(|name| (name, value(&here, name), value(&there, name)));
        both.filter(|(_, a, b)| a != b).map(|(name, a, b)| format!("{name}: {a} there, {b} now")).collect()
    }
}

/// The members of a value that have no members. A header has three levels.
fn leaves(name: &str, value: &Value, found: &mut BTreeMap<String, String>) {
    match value {
        Value::Object(members) => {
            for (member, value) in members {
                let name = if name.is_empty() { member.clone() } else { format!("{name}.{member}") };
                leaves(&name, value, found);
            }
        }
        value => {
            found.insert(name.to_owned(), value.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::execution::Rounds;
    use super::*;

    #[test]
    fn a_difference_names_its_member_and_both_values() {
        let mut header = Header {
            format: Header::FORMAT,
            driver: "it".into(),
            device: "device".into(),
            driver_version: 1,
            api_version: 1,
            validation: true,
            inputs: Some(Inputs { seed: 0, edges: false, rounds: Rounds::default() }),
            build: Build::default(),
            how: How::default(),
        };
        let first = header.clone();
        assert!(first.differences(&header).is_empty());
        header.inputs = Some(Inputs { seed: 1, edges: false, rounds: Rounds::default() });
        header.build.libraries.insert("libvulkan_it.so".into(), "build id 12".into());
        let expected =
            ["build.libraries.libvulkan_it.so: none there, \"build id 12\" now", "inputs.seed: 0 there, 1 now"];
        assert_eq!(first.differences(&header), expected);
    }
}
