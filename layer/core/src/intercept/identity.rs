//! The layer's own properties: layer, extension and tool properties.

use std::ffi::{CStr, c_char};

use ash::vk;

use crate::intercept::guard::guard;
use crate::intercept::objects::Instance;
use crate::vulkan::dispatch::InstanceTable;
use crate::vulkan::loader::LAYER_NAME;
use crate::vulkan::newer::API_VERSION_1_4;

const VERSION: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
    Ok(version) => version,
    Err(_) => c"",
};

/// Copies `text` into one of Vulkan's fixed arrays.
fn fill(array: &mut [c_char], text: &CStr) {
    let last = array.len().saturating_sub(1);
    for (to, from) in array.iter_mut().take(last).zip(text.to_bytes()) {
        *to = *from as c_char;
    }
}

/// Implements an enumeration command: returns the count, or as many elements as fit.
///
/// # Safety
/// `count` must be valid, `out` null or an array of `*count` elements.
unsafe fn enumerate<T: Copy>(list: &[T], count: *mut u32, out: *mut T) -> vk::Result {
    // SAFETY: by the caller's contract.
    let count = unsafe { &mut *count };
    if out.is_null() {
        *count = list.len() as u32;
        return vk::Result::SUCCESS;
    }
    let written = list.len().min(*count as usize);
    // SAFETY: `out` has at least as many elements.
    unsafe { std::ptr::copy_nonoverlapping(list.as_ptr(), out, written) };
    *count = written as u32;
    if written < list.len() { vk::Result::INCOMPLETE } else { vk::Result::SUCCESS }
}

fn layer_properties() -> vk::LayerProperties {
    let mut layer =
        vk::LayerProperties { spec_version: API_VERSION_1_4, implementation_version: 1, ..Default::default() };
    fill(&mut layer.layer_name, LAYER_NAME);
    fill(&mut layer.description, c"Translates DXIL shaders to SPIR-V");
    layer
}

/// `vkEnumerateInstanceLayerProperties`: this layer.
pub unsafe extern "system" fn enumerate_layers(count: *mut u32, out: *mut vk::LayerProperties) -> vk::Result {
    // SAFETY: valid arguments, by the command's valid usage.
    unsafe { enumerate(&[layer_properties()], count, out) }
}

/// `vkEnumerateDeviceLayerProperties`: this layer.
pub unsafe extern "system" fn enumerate_device_layers(
    _device: vk::PhysicalDevice,
    count: *mut u32,
    out: *mut vk::LayerProperties,
) -> vk::Result {
    // SAFETY: valid arguments, by the command's valid usage.
    unsafe { enumerate(&[layer_properties()], count, out) }
}

/// Whether a layer name, which may be null, is this layer's.
///
/// # Safety
/// `name` must be null or a valid string.
unsafe fn is_this_layer(name: *const c_char) -> bool {
    // SAFETY: by the caller's contract.
    !name.is_null() && unsafe { CStr::from_ptr(name) } == LAYER_NAME
}

/// `vkEnumerateInstanceExtensionProperties`: the extensions that this layer implements itself.
pub unsafe extern "system" fn enumerate_extensions(
    layer: *const c_char,
    count: *mut u32,
    out: *mut vk::ExtensionProperties,
) -> vk::Result {
    // SAFETY: null or a valid string, by the command's valid usage.
    if !unsafe { is_this_layer(layer) } {
        return vk::Result::ERROR_LAYER_NOT_PRESENT;
    }
    let mut extension = vk::ExtensionProperties { spec_version: 2, ..Default::default() };
    fill(&mut extension.extension_name, c"VK_EXT_layer_settings");
    // SAFETY: valid arguments, by the command's valid usage.
    unsafe { enumerate(&[extension], count, out) }
}

/// `vkEnumerateDeviceExtensionProperties`: this layer adds none.
pub unsafe extern "system" fn enumerate_device_extensions(
    device: vk::PhysicalDevice,
    layer: *const c_char,
    count: *mut u32,
    out: *mut vk::ExtensionProperties,
) -> vk::Result {
    guard(vk::Result::ERROR_UNKNOWN, || {
        // SAFETY: null or a valid string, by the command's valid usage.
        if unsafe { is_this_layer(layer) } {
            // SAFETY: valid arguments, by the command's valid usage.
            return unsafe { enumerate(&[], count, out) };
        }
        // SAFETY: a live physical device, by the command's valid usage.
        let state = unsafe { Instance::from_handle(device) };
        match state.and_then(|instance| instance.table.enumerate_device_extensions) {
            // SAFETY: the application's own arguments.
            Some(next) => unsafe { next(device, layer, count, out) },
            None => vk::Result::ERROR_INITIALIZATION_FAILED,
        }
    })
}

/// `vkGetPhysicalDeviceToolProperties`.
pub unsafe extern "system" fn get_tool_properties(
    device: vk::PhysicalDevice,
    count: *mut u32,
    out: *mut vk::PhysicalDeviceToolProperties<'_>,
) -> vk::Result {
    guard(vk::Result::ERROR_UNKNOWN, || {
        // SAFETY: valid arguments, by the command's valid usage.
        unsafe { tool_properties(|table| table.get_tool_properties, device, count, out) }
    })
}

/// `vkGetPhysicalDeviceToolPropertiesEXT`.
pub unsafe extern "system" fn get_tool_properties_ext(
    device: vk::PhysicalDevice,
    count: *mut u32,
    out: *mut vk::PhysicalDeviceToolProperties<'_>,
) -> vk::Result {
    guard(vk::Result::ERROR_UNKNOWN, || {
        // SAFETY: valid arguments, by the command's valid usage.
        unsafe { tool_properties(|table| table.get_tool_properties_ext, device, count, out) }
    })
}

/// Lists this layer first, then the tools below.
///
/// # Safety
/// As for the command.
unsafe fn tool_properties(
    next: impl FnOnce(&InstanceTable) -> Option<vk::PFN_vkGetPhysicalDeviceToolProperties>,
    device: vk::PhysicalDevice,
    count: *mut u32,
    out: *mut vk::PhysicalDeviceToolProperties<'_>,
) -> vk::Result {
    // SAFETY: a live physical device, by the caller's contract.
    let next = unsafe { Instance::from_handle(device) }.and_then(|instance| next(&instance.table));
    let Some(next) = next else { return vk::Result::ERROR_INITIALIZATION_FAILED };
    // SAFETY: valid, by the caller's contract.
    let capacity = unsafe { *count };
    if out.is_null() || capacity == 0 {
        // SAFETY: the application's own arguments.
        let result = unsafe { next(device, count, out) };
        if !out.is_null() {
            return if result == vk::Result::SUCCESS { vk::Result::INCOMPLETE } else { result };
        }
        // SAFETY: valid, by the caller's contract.
        unsafe { *count = (*count).saturating_add(1) };
        return result;
    }
    // SAFETY: the array has at least one element.
    let tool = unsafe { &mut *out };
    tool.name.fill(0);
    tool.version.fill(0);
    tool.description.fill(0);
    tool.layer.fill(0);
    fill(&mut tool.name, c"DXIL translation layer");
    fill(&mut tool.version, VERSION);
    fill(&mut tool.description, c"Translates DXIL shaders to SPIR-V");
    fill(&mut tool.layer, LAYER_NAME);
    tool.purposes = vk::ToolPurposeFlags::ADDITIONAL_FEATURES;
    let mut below = capacity - 1;
    // SAFETY: after its first element the array has `capacity - 1` more.
    let result = unsafe { next(device, &mut below, out.add(1)) };
    // SAFETY: valid, by the caller's contract.
    unsafe { *count = below + 1 };
    result
}
