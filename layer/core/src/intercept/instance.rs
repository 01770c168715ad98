//! Creation and destruction of instances.
//!
//! In: the loader's chain. Out: one [`Instance`] per `VkInstance`. What must hold: the create info
//! is forwarded unchanged, except that the loader's link is advanced; `*pInstance` is not written
//! before the call down.

use std::ffi::CStr;
use std::mem::transmute;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ash::vk;

use crate::capture::{self, Folder};
use crate::intercept::guard::{Undo, guard};
use crate::intercept::objects::{Instance, store};
use crate::messages::{self, Id, Messages};
use crate::settings::Settings;
use crate::translate::{Dump, Overrides, Validator};
use crate::vulkan::arrays::names;
use crate::vulkan::dispatch::{InstanceTable, Key};
use crate::vulkan::loader;

/// The warning of a library that was built without the validator.
const NO_VALIDATOR: &str = "setting validate: nothing is validated, because this build of the layer has no validator; \
                            `cargo build --release --package dxil-layer --features validate` makes one that has it";

/// The warning of a library that was built without captures.
const NO_CAPTURES: &str = "setting capture_dir: nothing is captured, because this build of the layer has no cargo feature \
                           captures";

/// `vkCreateInstance`.
pub unsafe extern "system" fn create_instance(
    info: *const vk::InstanceCreateInfo<'_>,
    allocator: *const vk::AllocationCallbacks<'_>,
    out: *mut vk::Instance,
) -> vk::Result {
    let failed = vk::Result::ERROR_INITIALIZATION_FAILED;
    guard(failed, || {
        // SAFETY: valid, by the command's valid usage.
        let chain = unsafe { (*info).p_next };
        // SAFETY: a valid chain, with the loader's structure in it.
        let Some(link) = (unsafe { loader::instance_link(chain) }) else { return failed };
        // SAFETY: the link is the loader's, and not null.
        let below = unsafe { (*link).link };
        // SAFETY: as above.
        let get = unsafe { (*below).next_get_instance_proc_addr };
        // SAFETY: the command takes a null instance for this name.
        let Some(next) = (unsafe { get(vk::Instance::null(), c"vkCreateInstance".as_ptr()) }) else { return failed };
        // SAFETY: the function is of the type that belongs to the name.
        let next: vk::PFN_vkCreateInstance = unsafe { transmute(next) };
        // SAFETY: a valid chain.
        let settings = unsafe { Settings::read(chain) };
        // The layer below looks for its own link in this place.
        // SAFETY: the structure is the loader's, which expects it to be written.
        unsafe { (*link).link = (*below).p_next };
        // SAFETY: the application's own arguments.
        let result = unsafe { next(info, allocator, out) };
        if result == vk::Result::SUCCESS {
            // SAFETY: the call down succeeded, so it wrote a live instance.
            let handle = unsafe { *out };
            let undo = Undo::new(|| {
                // SAFETY: the next layer's answer for a live instance is the command of that name,
                // or null.
                let destroy = unsafe { get(handle, c"vkDestroyInstance".as_ptr()) };
                if let Some(destroy) = destroy {
                    // SAFETY: the function is of the type that belongs to the name.
                    let destroy: vk::PFN_vkDestroyInstance = unsafe { transmute(destroy) };
                    // SAFETY: just created with this allocator, and no one else uses it.
                    unsafe { destroy(handle, allocator) };
                }
                // SAFETY: valid, by the command's valid usage.
                unsafe { *out = vk::Instance::null() };
            });
            // SAFETY: a valid create info, and the instance that was made of it.
            unsafe { remember(&*info, handle, get, settings) };
            undo.disarm();
        }
        result
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
    // SAFETY: the next layer's answer for a live instance is the command of that name, or null.
    let table = unsafe { InstanceTable::load(|name| next_get_instance_proc_addr(handle, name.as_ptr())) };
    // SAFETY: null or valid.
    let application = unsafe { info.p_application_info.as_ref() };
    let asked = application.map_or(0, |application| application.api_version);
    // 0 and no application info mean Vulkan 1.0 (VkApplicationInfo).
    let api_version = if asked == 0 { vk::API_VERSION_1_0 } else { asked };
    let has = |extension: &CStr| {
        // SAFETY: the array of a valid create info.
        unsafe { names(info.pp_enabled_extension_names, info.enabled_extension_count) }.any(|name| name == extension)
    };
    let debug_utils = has(c"VK_EXT_debug_utils");
    let table = table.for_instance(api_version, has(c"VK_KHR_get_physical_device_properties2"));
    // SAFETY: the command is the instance's, whose state has the messages.
    let messages = unsafe { Messages::new(handle, table.submit_message.filter(|_| debug_utils)) };
    let other_log = messages::start(&settings);
    let store = store();
    store.allow(settings.cache_bytes);
    let is_given = ["log_level", "log_file", "log_mb"].iter().any(|key| settings.given.contains_key(*key));
    for warning in settings.warnings.iter().chain(&other_log.filter(|_| is_given)) {
        messages.report_later(log::Level::Warn, Id::Setting, warning);
    }
    let dump = settings.dump_dir.clone().map(|dir| Dump::new(dir, settings.dump_bytes));
    let capture = settings.capture_dir.clone().and_then(|dir| {
        // SAFETY: the array of a valid create info.
        let extensions = unsafe { names(info.pp_enabled_extension_names, info.enabled_extension_count) };
        let extensions = extensions.map(|name| name.to_string_lossy().into_owned()).collect();
        // SAFETY: valid, with its names.
        let application = application.map(|info| unsafe { capture::application(info) });
        Folder::new(dir, settings.capture_bytes, extensions, application).map(Arc::new)
    });
    if settings.capture_dir.is_some() && capture.is_none() {
        messages.report_later(log::Level::Warn, Id::Setting, NO_CAPTURES);
    }
    let overrides = settings.override_dir.clone().map(Overrides::new);
    let validator = if settings.validate { Validator::new() } else { None };
    if settings.validate && validator.is_none() {
        messages.report_later(log::Level::Warn, Id::Setting, NO_VALIDATOR);
    }
    let instance = Instance {
        handle,
        next_get_instance_proc_addr,
        table,
        api_version,
        settings,
        messages,
        store,
        advised: AtomicBool::new(false),
        dump,
        capture,
        overrides,
        validator,
    };
    // SAFETY: the caller's live instance.
    unsafe { instance.register() };
}

/// `vkDestroyInstance`.
pub unsafe extern "system" fn destroy_instance(instance: vk::Instance, allocator: *const vk::AllocationCallbacks<'_>) {
    if instance == vk::Instance::null() {
        return;
    }
    // SAFETY: a live instance, by the command's valid usage.
    let key = unsafe { Key::from_handle(instance) };
    let state = guard(None, || Instance::take(key));
    if let Some(destroy) = state.and_then(|state| state.table.destroy_instance) {
        // SAFETY: the application's own arguments.
        unsafe { destroy(instance, allocator) };
    }
}
