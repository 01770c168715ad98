//! Instances: creation and destruction, and what the layer says about itself.
//!
//! In: the loader's chain. Out: one [`Instance`] per `VkInstance`, found by its dispatch key. What must hold: the create info
//! goes down as it came, with only the loader's link advanced; nothing is written to `*pInstance` before the call down.

use std::ffi::{CStr, c_char};
use std::sync::Arc;

use ash::vk;
use dashmap::DashMap;
use once_cell::sync::Lazy;

use crate::cache::CACHE;
use crate::dispatch::{InstanceTable, Key};
use crate::features::names;
use crate::log::{self, Messages};
use crate::settings::Settings;
use crate::{LAYER_NAME, guard, loader};

/// What the layer keeps of an instance.
pub struct Instance {
    /// The instance.
    pub handle: vk::Instance,
    /// `vkGetInstanceProcAddr` of the next layer.
    pub next_get_instance_proc_addr: vk::PFN_vkGetInstanceProcAddr,
    /// Commands of the next layer.
    pub table: InstanceTable,
    /// The Vulkan version that the application asked for.
    pub api_version: u32,
    /// Its settings.
    pub settings: Settings,
    /// Messages for its messengers.
    pub messages: Messages,
}

static INSTANCES: Lazy<DashMap<Key, Arc<Instance>>> = Lazy::new(DashMap::new);

impl Instance {
    /// The state of an instance, or of the instance of a physical device.
    ///
    /// # Safety
    /// The handle must be live.
    pub unsafe fn of(handle: impl vk::Handle) -> Option<Arc<Self>> {
        // SAFETY: the caller's live handle.
        let key = unsafe { Key::of(handle) };
        INSTANCES.get(&key).map(|instance| instance.clone())
    }
}

/// `vkCreateInstance`.
pub unsafe extern "system" fn create_instance(
    info: *const vk::InstanceCreateInfo<'_>,
    allocator: *const vk::AllocationCallbacks<'_>,
    out: *mut vk::Instance,
) -> vk::Result {
    guard(vk::Result::ERROR_INITIALIZATION_FAILED, || {
        // SAFETY: valid arguments, by the command's valid usage and the loader's contract.
        unsafe {
            let Some(link) = loader::instance_link((*info).p_next) else {
                return vk::Result::ERROR_INITIALIZATION_FAILED;
            };
            let next_get_instance_proc_addr = (*(*link).link).next_get_instance_proc_addr;
            let next = next_get_instance_proc_addr(vk::Instance::null(), c"vkCreateInstance".as_ptr());
            let Some(next) = next else { return vk::Result::ERROR_INITIALIZATION_FAILED };
            let next: vk::PFN_vkCreateInstance = std::mem::transmute(next);
            let settings = Settings::read((*info).p_next);
            // The layer below looks for its own link at this place.
            (*link).link = (*(*link).link).p_next;
            let result = next(info, allocator, out);
            if result == vk::Result::SUCCESS {
                remember(&*info, *out, next_get_instance_proc_addr, settings);
            }
            result
        }
    })
}

/// # Safety
/// `info` must be valid, `handle` the instance that the next layer made of it.
unsafe fn remember(
    info: &vk::InstanceCreateInfo<'_>,
    handle: vk::Instance,
    next_get_instance_proc_addr: vk::PFN_vkGetInstanceProcAddr,
    settings: Settings,
) {
    // SAFETY: by the caller's contract; the application info is null or valid.
    unsafe {
        let table = InstanceTable::load(|name| next_get_instance_proc_addr(handle, name.as_ptr()));
        let asked = info.p_application_info.as_ref().map_or(0, |application| application.api_version);
        let debug_utils = names(info.pp_enabled_extension_names, info.enabled_extension_count)
            .any(|name| name == c"VK_EXT_debug_utils");
        let mut messages = Messages::default();
        messages.enabled = debug_utils && table.submit_message.is_some();
        log::start(&settings);
        CACHE.allow(settings.cache_bytes);
        let instance = Arc::new(Instance {
            handle,
            next_get_instance_proc_addr,
            table,
            // 0 and no application info mean Vulkan 1.0 (VkApplicationInfo).
            api_version: if asked == 0 { vk::API_VERSION_1_0 } else { asked },
            settings,
            messages,
        });
        for warning in &instance.settings.warnings {
            log::report_later(&instance, ::log::Level::Warn, warning);
        }
        INSTANCES.insert(Key::of(handle), instance);
    }
}

/// `vkDestroyInstance`.
pub unsafe extern "system" fn destroy_instance(instance: vk::Instance, allocator: *const vk::AllocationCallbacks<'_>) {
    if instance == vk::Instance::null() {
        return;
    }
    // SAFETY: a live instance, by the command's valid usage.
    let key = unsafe { Key::of(instance) };
    // The key is free for a new instance as soon as the call goes down.
    let state = guard(None, || INSTANCES.remove(&key));
    if let Some(destroy) = state.and_then(|(_, state)| state.table.destroy_instance) {
        // SAFETY: the application's own arguments.
        unsafe { destroy(instance, allocator) };
    }
}

/// Copies `text` into one of Vulkan's fixed arrays.
fn fill(array: &mut [c_char], text: &CStr) {
    let last = array.len().saturating_sub(1);
    for (to, from) in array.iter_mut().take(last).zip(text.to_bytes()) {
        *to = *from as c_char;
    }
}

/// The usual two-call form of enumeration, for a list of at most one.
///
/// # Safety
/// `count` must be valid, `out` null or an array of `*count` elements.
unsafe fn enumerate<T>(list: &[T], count: *mut u32, out: *mut T) -> vk::Result
where
    T: Copy,
{
    // SAFETY: by the caller's contract.
    unsafe {
        if out.is_null() {
            *count = list.len() as u32;
            return vk::Result::SUCCESS;
        }
        let written = list.len().min(*count as usize);
        std::ptr::copy_nonoverlapping(list.as_ptr(), out, written);
        *count = written as u32;
        if written < list.len() { vk::Result::INCOMPLETE } else { vk::Result::SUCCESS }
    }
}

fn layer_properties() -> vk::LayerProperties {
    let mut layer = vk::LayerProperties {
        spec_version: crate::feature_table::API_VERSION_1_4,
        implementation_version: 1,
        ..Default::default()
    };
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

/// `vkEnumerateInstanceExtensionProperties`: what this layer implements itself.
pub unsafe extern "system" fn enumerate_extensions(
    layer: *const c_char,
    count: *mut u32,
    out: *mut vk::ExtensionProperties,
) -> vk::Result {
    // SAFETY: valid arguments, by the command's valid usage.
    unsafe {
        if !is_this_layer(layer) {
            return vk::Result::ERROR_LAYER_NOT_PRESENT;
        }
        let mut extension = vk::ExtensionProperties { spec_version: 2, ..Default::default() };
        fill(&mut extension.extension_name, c"VK_EXT_layer_settings");
        enumerate(&[extension], count, out)
    }
}

/// `vkEnumerateDeviceExtensionProperties`: this layer adds none.
pub unsafe extern "system" fn enumerate_device_extensions(
    device: vk::PhysicalDevice,
    layer: *const c_char,
    count: *mut u32,
    out: *mut vk::ExtensionProperties,
) -> vk::Result {
    guard(vk::Result::ERROR_UNKNOWN, || {
        // SAFETY: valid arguments, by the command's valid usage.
        unsafe {
            if is_this_layer(layer) {
                return enumerate(&[], count, out);
            }
            let next = Instance::of(device).and_then(|instance| instance.table.enumerate_device_extensions);
            match next {
                Some(next) => next(device, layer, count, out),
                None => vk::Result::ERROR_INITIALIZATION_FAILED,
            }
        }
    })
}

/// `vkGetPhysicalDeviceToolProperties`.
pub unsafe extern "system" fn get_tool_properties(
    device: vk::PhysicalDevice,
    count: *mut u32,
    out: *mut vk::PhysicalDeviceToolProperties<'_>,
) -> vk::Result {
    // SAFETY: a live device and valid arguments, by the command's valid usage.
    guard(vk::Result::ERROR_UNKNOWN, || unsafe {
        let next = Instance::of(device).and_then(|instance| instance.table.get_tool_properties);
        tool_properties(next, device, count, out)
    })
}

/// `vkGetPhysicalDeviceToolPropertiesEXT`.
pub unsafe extern "system" fn get_tool_properties_ext(
    device: vk::PhysicalDevice,
    count: *mut u32,
    out: *mut vk::PhysicalDeviceToolProperties<'_>,
) -> vk::Result {
    // SAFETY: a live device and valid arguments, by the command's valid usage.
    guard(vk::Result::ERROR_UNKNOWN, || unsafe {
        let next = Instance::of(device).and_then(|instance| instance.table.get_tool_properties_ext);
        tool_properties(next, device, count, out)
    })
}

/// This layer first, then the tools below.
///
/// # Safety
/// As for the command.
unsafe fn tool_properties(
    next: Option<vk::PFN_vkGetPhysicalDeviceToolProperties>,
    device: vk::PhysicalDevice,
    count: *mut u32,
    out: *mut vk::PhysicalDeviceToolProperties<'_>,
) -> vk::Result {
    let Some(next) = next else { return vk::Result::ERROR_INITIALIZATION_FAILED };
    // SAFETY: valid arguments, by the caller's contract; an array of n elements has n - 1 behind its first.
    unsafe {
        if out.is_null() {
            let result = next(device, count, out);
            *count = (*count).saturating_add(1);
            return result;
        }
        if *count == 0 {
            let result = next(device, count, out);
            return if result == vk::Result::SUCCESS { vk::Result::INCOMPLETE } else { result };
        }
        let tool = &mut *out;
        tool.name.fill(0);
        tool.version.fill(0);
        tool.description.fill(0);
        tool.layer.fill(0);
        fill(&mut tool.name, c"DXIL translation layer");
        fill(&mut tool.version, VERSION);
        fill(&mut tool.description, c"Translates DXIL shaders to SPIR-V");
        fill(&mut tool.layer, LAYER_NAME);
        tool.purposes = vk::ToolPurposeFlags::MODIFYING_FEATURES;
        let mut below = *count - 1;
        let result = next(device, &mut below, out.add(1));
        *count = below + 1;
        result
    }
}

const VERSION: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
    Ok(version) => version,
    Err(_) => c"",
};
