//! A validation layer below this one that is too old for translated code.
//!
//! In: the tools of a physical device that the next layer reports. Out: advice for the application,
//! once per instance. What must hold: only layers below are queried, because a layer above sees
//! DXIL and not translated code.

use std::ffi::CStr;

use ash::vk;
use log::Level;

use crate::features::cap::Cap;
use crate::intercept::objects::Instance;
use crate::messages::Id;
use crate::translator::{DeviceProfile, Feature};

/// The largest number of tools that are read.
const TOOLS: u32 = 64;
const VALIDATION: &CStr = c"VK_LAYER_KHRONOS_validation";

/// Warns the application if a validation layer below does not know features of the profile, because
/// that layer reports false errors.
///
/// # Safety
/// The physical device must be the instance's, and `version` the lower of both versions.
pub unsafe fn advise(instance: &Instance, device: vk::PhysicalDevice, version: u32, profile: &DeviceProfile) {
    // The command is part of Vulkan 1.3.
    let get = instance.table.get_tool_properties.filter(|_| version >= vk::API_VERSION_1_3);
    // SAFETY: the caller's physical device.
    let Some(version) = get.and_then(|get| unsafe { validation(get, device) }) else { return };
    let Ok(cap) = Cap::parse(&version) else { return };
    let newer: Vec<&str> =
        Feature::ALL.iter().filter(|f| profile.has(**f) && !cap.allows(**f)).map(|f| f.name()).collect();
    if newer.is_empty() || instance.is_advised() {
        return;
    }
    let text = format!(
        "the validation layer below has version {version}, which does not know {}; it may report errors in valid translated \
         code; the setting profile_cap (environment variable VK_DXIL_TRANSLATE_PROFILE_CAP={version}) leaves out what it does \
         not know",
        newer.join(", ")
    );
    instance.messages.report_later(Level::Warn, Id::OldValidation, &text);
}

/// The version of the headers of the validation layer below, such as `1.3.239`.
///
/// # Safety
/// The command must be the device's.
unsafe fn validation(get: vk::PFN_vkGetPhysicalDeviceToolProperties, device: vk::PhysicalDevice) -> Option<String> {
    let mut count = 0;
    // SAFETY: the caller's command and device.
    let counted = unsafe { get(device, &mut count, std::ptr::null_mut()) };
    if counted != vk::Result::SUCCESS || count == 0 {
        return None;
    }
    count = count.min(TOOLS);
    let mut tools = vec![vk::PhysicalDeviceToolProperties::default(); count as usize];
    // SAFETY: the caller's command and device; the array has as many elements.
    let read = unsafe { get(device, &mut count, tools.as_mut_ptr()) };
    if read.as_raw() < 0 {
        return None;
    }
    let mut tools = tools.iter().take(count as usize);
    let tool = tools.find(|tool| tool.layer_as_c_str().is_ok_and(|layer| layer == VALIDATION))?;
    header_version(tool.version_as_c_str().ok()?.to_str().ok()?)
}

/// The validation layer reports only the patch number of its header version. Patch numbers continue
/// across minor versions of Vulkan, whose first headers are 1.3.204 and 1.4.303.
fn header_version(text: &str) -> Option<String> {
    match text.parse::<u32>() {
        Err(_) => Some(text.to_owned()),
        Ok(number) if number >= 303 => Some(format!("1.4.{number}")),
        Ok(number) if number >= 204 => Some(format!("1.3.{number}")),
        Ok(_) => None,
    }
}
