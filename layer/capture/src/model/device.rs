//! The device of a capture.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::digest::Bytes;

/// A device, and the layer's configuration on it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Device {
    /// `VkPhysicalDeviceProperties::deviceName`.
    pub name: String,
    /// `vendorID` and `deviceID`.
    pub ids: [u32; 2],
    /// `driverVersion`.
    pub driver_version: u32,
    /// The version of Vulkan that pipelines can use: `apiVersion`, or the instance's if it is
    /// lower.
    pub api_version: u32,
    /// The layer's version.
    pub layer_version: String,
    /// What the application says of itself, which is what some drivers choose by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub application: Option<Application>,
    /// The extensions that the application enabled, those of the instance first.
    pub extensions: Vec<String>,
    /// The features that the application enabled: the structures of `VkDeviceCreateInfo` without
    /// pointers and handles by `sType`, each as the bytes that follow its `pNext`.
    /// `pEnabledFeatures` is there as `VkPhysicalDeviceFeatures2`.
    pub features: BTreeMap<i32, Bytes>,
    /// The profile of translations, in the text form of docs/profile.md.
    pub profile: String,
    /// The settings that differ from their defaults, by name. Settings about output are left out:
    /// logs, dumps, captures, statistics, the size of the cache.
    pub settings: BTreeMap<String, String>,
}

/// `VkApplicationInfo` without `apiVersion`. A name that is not UTF-8 has replacement characters.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Application {
    /// `pApplicationName`; `None` for null.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// `applicationVersion`.
    pub version: u32,
    /// `pEngineName`; `None` for null.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// `engineVersion`.
    pub engine_version: u32,
}
