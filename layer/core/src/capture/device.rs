//! The record of a device: its identity, what the application enabled, and the layer's
//! configuration.

use std::collections::BTreeMap;
use std::ffi::{CStr, c_char};

use ash::vk;
use ash::vk::TaggedStructure;
use dxil_capture::digest::Bytes;
use dxil_capture::model;
use dxil_capture::model::Device;

use crate::features::support::Support;
use crate::translator::DeviceProfile;
use crate::vulkan::arrays::names;
use crate::vulkan::dispatch::InstanceTable;
use crate::vulkan::reads::Rules;
use crate::vulkan::{chain, plain};

/// The data in the record of a device that comes from its instance.
pub struct Application<'a> {
    /// The extensions of the instance that the application enabled.
    pub extensions: &'a [String],
    /// What it says of itself.
    pub info: Option<&'a model::Application>,
    /// The settings that differ from their defaults.
    pub settings: BTreeMap<String, String>,
}

/// What an application says of itself.
///
/// # Safety
/// `info` must be valid.
pub unsafe fn application(info: &vk::ApplicationInfo<'_>) -> model::Application {
    // SAFETY: null, or a null-terminated name of a valid structure.
    let text = |name: *const c_char| unsafe { name.as_ref().map(|name| CStr::from_ptr(name)) };
    let text = |name| text(name).map(|name| name.to_string_lossy().into_owned());
    model::Application {
        name: text(info.p_application_name),
        version: info.application_version,
        engine: text(info.p_engine_name),
        engine_version: info.engine_version,
    }
}

/// The record of a device.
///
/// # Safety
/// `info` must be valid: the application's own, without what the layer adds.
pub unsafe fn describe(
    info: &vk::DeviceCreateInfo<'_>,
    support: &Support,
    profile: &DeviceProfile,
    application: Application<'_>,
) -> Device {
    let properties = &support.properties;
    // SAFETY: the array of a valid create info.
    let enabled = unsafe { names(info.pp_enabled_extension_names, info.enabled_extension_count) };
    let enabled = enabled.map(|name| name.to_string_lossy().into_owned());
    let mut features = BTreeMap::new();
    // SAFETY: the chain of a valid create info.
    for node in unsafe { chain::nodes(info.p_next) } {
        // SAFETY: a node of that chain.
        if let (s_type, Some(bytes)) = unsafe { ((*node).s_type, plain::bytes_of(node)) } {
            features.insert(s_type.as_raw(), Bytes(bytes));
        }
    }
    // SAFETY: null or valid.
    if let Some(core) = unsafe { info.p_enabled_features.as_ref() } {
        let core = vk::PhysicalDeviceFeatures2::default().features(*core);
        // SAFETY: a valid structure.
        if let Some(bytes) = unsafe { plain::bytes_of((&raw const core).cast()) } {
            features.insert(vk::PhysicalDeviceFeatures2::STRUCTURE_TYPE.as_raw(), Bytes(bytes));
        }
    }
    Device {
        name: properties.device_name_as_c_str().unwrap_or_default().to_string_lossy().into_owned(),
        ids: [properties.vendor_id, properties.device_id],
        driver_version: properties.driver_version,
        api_version: support.version,
        layer_version: env!("CARGO_PKG_VERSION").to_owned(),
        application: application.info.cloned(),
        extensions: application.extensions.iter().cloned().chain(enabled).collect(),
        features,
        profile: profile.to_string(),
        settings: application.settings,
    }
}

impl Rules {
    /// Reads which structures pipelines of a device may omit.
    ///
    /// # Safety
    /// `info` must be valid, `table` the table of the instance that `device` belongs to.
    pub unsafe fn from_device(
        info: &vk::DeviceCreateInfo<'_>,
        device: vk::PhysicalDevice,
        table: &InstanceTable,
        version: u32,
    ) -> Self {
        const EXTENSION: &CStr = c"VK_EXT_extended_dynamic_state3";
        // SAFETY: the array of a valid create info.
        let dynamic_state3 = unsafe { names(info.pp_enabled_extension_names, info.enabled_extension_count) }
            .any(|extension| extension == EXTENSION);
        type State3 = vk::PhysicalDeviceExtendedDynamicState3PropertiesEXT<'static>;
        let any_topology = dynamic_state3
            // SAFETY: the device is the table's, and knows the structure of an enabled extension.
            && unsafe { table.properties::<State3>(device, version) }
                .is_some_and(|state3| state3.dynamic_primitive_topology_unrestricted != vk::FALSE);
        Self { dynamic_state3, any_topology }
    }
}
