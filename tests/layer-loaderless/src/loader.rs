//! The structures that the loader passes to layers.

use std::ffi::c_void;
use std::ptr;

use ash::vk;

/// `VkLayerInstanceLink`.
#[repr(C)]
pub struct InstanceLink {
    pub next: *mut InstanceLink,
    pub get_instance_proc_addr: vk::PFN_vkGetInstanceProcAddr,
    pub get_physical_device_proc_addr: *const c_void,
}

/// `VkLayerDeviceLink`.
#[repr(C)]
pub struct DeviceLink {
    pub next: *mut DeviceLink,
    pub get_instance_proc_addr: vk::PFN_vkGetInstanceProcAddr,
    pub get_device_proc_addr: vk::PFN_vkGetDeviceProcAddr,
}

/// `VkLayerInstanceCreateInfo` and `VkLayerDeviceCreateInfo`, with the size of the larger one.
#[repr(C)]
pub struct LayerCreateInfo {
    pub s_type: vk::StructureType,
    pub next: *const c_void,
    pub function: i32,
    pub link: *mut c_void,
    pub tail: *mut c_void,
}

impl LayerCreateInfo {
    /// The structure that the loader adds to an instance's create info (`s_type` 47) or to a
    /// device's (48).
    pub fn new(s_type: i32, link: *mut c_void, next: *const c_void) -> Self {
        Self { s_type: vk::StructureType::from_raw(s_type), next, function: 0, link, tail: ptr::null_mut() }
    }
}
