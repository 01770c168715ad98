//! The structures of `vk_layer.h`, which the Vulkan registry (and so `ash`) does not describe.
//!
//! The loader prepends them to the `pNext` chain of the create info of an instance or a device.
//! What must hold: layouts are those of the C header; the union of a create info is read only as
//! what its `function` says it is.

use std::ffi::{CStr, c_char, c_void};

use ash::vk;

use crate::vulkan::chain;

/// The layer's name, as the manifests have it.
pub const LAYER_NAME: &CStr = c"VK_LAYER_DXIL_translate";

/// `VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO`.
pub const LOADER_INSTANCE_CREATE_INFO: vk::StructureType = vk::StructureType::from_raw(47);
/// `VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO`.
pub const LOADER_DEVICE_CREATE_INFO: vk::StructureType = vk::StructureType::from_raw(48);

/// `VkLayerFunction::VK_LAYER_LINK_INFO`: the union holds the next layer's link.
const LAYER_LINK_INFO: i32 = 0;

/// `LAYER_NEGOTIATE_INTERFACE_STRUCT`.
pub const NEGOTIATE_INTERFACE_STRUCT: i32 = 1;
/// The loader-layer interface version of this layer.
pub const INTERFACE_VERSION: u32 = 2;

/// `VkNegotiateLayerInterface`.
#[repr(C)]
pub struct NegotiateLayerInterface {
    /// `LAYER_NEGOTIATE_INTERFACE_STRUCT`.
    pub s_type: i32,
    /// Reserved.
    pub p_next: *mut c_void,
    /// In: the loader's version. Out: the version that both support.
    pub loader_layer_interface_version: u32,
    /// Out: the layer's `vkGetInstanceProcAddr`.
    pub get_instance_proc_addr: Option<vk::PFN_vkGetInstanceProcAddr>,
    /// Out: the layer's `vkGetDeviceProcAddr`.
    pub get_device_proc_addr: Option<vk::PFN_vkGetDeviceProcAddr>,
    /// Out: for physical-device commands that the loader does not know; this layer has none.
    pub get_physical_device_proc_addr: Option<GetPhysicalDeviceProcAddr>,
}

/// `PFN_GetPhysicalDeviceProcAddr`.
pub type GetPhysicalDeviceProcAddr = unsafe extern "system" fn(vk::Instance, *const c_char) -> vk::PFN_vkVoidFunction;

/// `VkLayerInstanceLink`: one element of the list of layers below.
#[repr(C)]
pub struct InstanceLink {
    /// The element after this one.
    pub p_next: *mut InstanceLink,
    /// `vkGetInstanceProcAddr` of the next layer.
    pub next_get_instance_proc_addr: vk::PFN_vkGetInstanceProcAddr,
    /// The same for unknown physical-device commands.
    pub next_get_physical_device_proc_addr: Option<GetPhysicalDeviceProcAddr>,
}

/// `VkLayerDeviceLink`: one element of the list of layers below.
#[repr(C)]
pub struct DeviceLink {
    /// The element after this one.
    pub p_next: *mut DeviceLink,
    /// `vkGetInstanceProcAddr` of the next layer.
    pub next_get_instance_proc_addr: vk::PFN_vkGetInstanceProcAddr,
    /// `vkGetDeviceProcAddr` of the next layer.
    pub next_get_device_proc_addr: vk::PFN_vkGetDeviceProcAddr,
}

/// `VkLayerInstanceCreateInfo`, with the union read as a link.
#[repr(C)]
pub struct LayerInstanceCreateInfo {
    /// [`LOADER_INSTANCE_CREATE_INFO`].
    pub s_type: vk::StructureType,
    /// Next structure.
    pub p_next: *const c_void,
    /// The content of the union.
    pub function: i32,
    /// The union, which is a link according to `function`.
    pub link: *mut InstanceLink,
    /// The union is two pointers wide.
    pub _union_tail: *mut c_void,
}

/// `VkLayerDeviceCreateInfo`, with the union read as a link.
#[repr(C)]
pub struct LayerDeviceCreateInfo {
    /// [`LOADER_DEVICE_CREATE_INFO`].
    pub s_type: vk::StructureType,
    /// Next structure.
    pub p_next: *const c_void,
    /// The content of the union.
    pub function: i32,
    /// The union, which is a link according to `function`.
    pub link: *mut DeviceLink,
}

/// The link info in an instance create info's chain.
///
/// # Safety
/// `p_next` must be a valid chain of Vulkan structures.
pub unsafe fn instance_link(p_next: *const c_void) -> Option<*mut LayerInstanceCreateInfo> {
    // SAFETY: the caller's chain.
    unsafe { chain::nodes(p_next) }.find_map(|node| {
        // SAFETY: a node of a valid chain starts with a header.
        if unsafe { (*node).s_type } != LOADER_INSTANCE_CREATE_INFO {
            return None;
        }
        let info = node.cast::<LayerInstanceCreateInfo>().cast_mut();
        // SAFETY: a node of the loader's type has the loader's fields.
        let linked = unsafe { (*info).function == LAYER_LINK_INFO && !(*info).link.is_null() };
        linked.then_some(info)
    })
}

/// The link info in a device create info's chain.
///
/// # Safety
/// `p_next` must be a valid chain of Vulkan structures.
pub unsafe fn device_link(p_next: *const c_void) -> Option<*mut LayerDeviceCreateInfo> {
    // SAFETY: the caller's chain.
    unsafe { chain::nodes(p_next) }.find_map(|node| {
        // SAFETY: a node of a valid chain starts with a header.
        if unsafe { (*node).s_type } != LOADER_DEVICE_CREATE_INFO {
            return None;
        }
        let info = node.cast::<LayerDeviceCreateInfo>().cast_mut();
        // SAFETY: a node of the loader's type has the loader's fields.
        let linked = unsafe { (*info).function == LAYER_LINK_INFO && !(*info).link.is_null() };
        linked.then_some(info)
    })
}
