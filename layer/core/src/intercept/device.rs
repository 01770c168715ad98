//! Creation and destruction of devices.
//!
//! In: the loader's chain and the application's create info. Out: one [`Device`] per `VkDevice`,
//! with its profile. What must hold: if the driver refuses the added features, the device is
//! created with the application's create info; the loader's link is advanced in the forwarded
//! chain, and restored before a second attempt. A device whose root signature cannot be read is not
//! created.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use ash::vk;
use log::Level;
use parking_lot::Mutex;

use crate::capture::{self, Application, Capture};
use crate::features::absent::Absent;
use crate::features::robustness::Robustness;
use crate::features::support::Support;
use crate::features::{self, augment, profile};
use crate::intercept::below;
use crate::intercept::guard::{Undo, guard};
use crate::intercept::objects::{Device, Instance, STORE, new_scope};
use crate::messages::{Id, STATS};
use crate::settings::Settings;
use crate::translate::{read_map, read_root_signature};
use crate::translator::{Bounds, Feature};
use crate::vulkan::dispatch::{CaptureTable, DeviceTable, Key, PipelineBinaryTable};
use crate::vulkan::handles::Handles;
use crate::vulkan::loader;
use crate::vulkan::reads::Rules;

/// `vkCreateDevice`.
pub unsafe extern "system" fn create_device(
    physical_device: vk::PhysicalDevice,
    info: *const vk::DeviceCreateInfo<'_>,
    allocator: *const vk::AllocationCallbacks<'_>,
    out: *mut vk::Device,
) -> vk::Result {
    let failed = vk::Result::ERROR_INITIALIZATION_FAILED;
    guard(failed, || {
        // SAFETY: valid arguments, by the command's valid usage and the loader's contract.
        unsafe { create(physical_device, &*info, allocator, out) }.unwrap_or(failed)
    })
}

/// # Safety
/// As for the command.
unsafe fn create(
    physical_device: vk::PhysicalDevice,
    info: &vk::DeviceCreateInfo<'_>,
    allocator: *const vk::AllocationCallbacks<'_>,
    out: *mut vk::Device,
) -> Option<vk::Result> {
    // SAFETY: a live physical device.
    let instance = unsafe { Instance::from_handle(physical_device) }?;
    // SAFETY: a valid chain, with the loader's structure in it, whose link is not null.
    let link = unsafe { &*(*loader::device_link(info.p_next)?).link };
    let (get_instance, get_device) = (link.next_get_instance_proc_addr, link.next_get_device_proc_addr);
    // SAFETY: a live instance.
    let next = unsafe { get_instance(instance.handle, c"vkCreateDevice".as_ptr()) }?;
    // SAFETY: the function is of the type that belongs to the name.
    let next: vk::PFN_vkCreateDevice = unsafe { std::mem::transmute(next) };
    // SAFETY: the table is that of the physical device's instance.
    let support = unsafe { Support::read(&instance.table, physical_device, instance.api_version) }?;

    // A different root signature would bind other resources, so device creation fails.
    let settings = &instance.settings;
    let read = |setting: &str, path: &Option<PathBuf>| path.as_deref().map(|path| read_root_signature(setting, path));
    let root_signatures = read("root_signature", &settings.root_signature)
        .transpose()
        .and_then(|global| Ok((global, read("local_root_signature", &settings.local_root_signature).transpose()?)));
    let (root_signature, local_root_signature) = match root_signatures {
        Ok(root_signatures) => root_signatures,
        Err(text) => {
            instance.messages.report_later(Level::Error, Id::SettingFile, &text);
            return Some(vk::Result::ERROR_INITIALIZATION_FAILED);
        }
    };
    let mut augmented = None;
    if instance.settings.enable_features {
        // SAFETY: a valid create info, which outlives this call.
        augmented = unsafe { augment::augment(info, &support, &instance.settings.cap) };
    }
    let mut refused = None;
    let mut result = None;
    if let Some(more) = &augmented {
        // SAFETY: the application's arguments, with a create info made of the application's.
        let tried = unsafe { call(next, physical_device, &more.info, allocator, out) };
        if tried == vk::Result::SUCCESS {
            result = Some(tried);
        } else {
            let names = more.added.iter().map(|f| f.name()).collect::<Vec<_>>().join(", ");
            refused = Some(format!(
                "the driver refused the device with added features ({}); it was created as the application asked, \
                 without {names}",
                tried.as_raw()
            ));
            augmented = None;
        }
    }
    // SAFETY: the application's own arguments.
    let result = result.unwrap_or_else(|| unsafe { call(next, physical_device, info, allocator, out) });
    if result != vk::Result::SUCCESS {
        return Some(result);
    }
    // SAFETY: the call down succeeded, so it wrote a live device.
    let handle = unsafe { *out };
    // SAFETY: the next layer's answer for a live device is the command of that name, or null.
    let table = unsafe { DeviceTable::load(|name| get_device(handle, name.as_ptr())) };
    let destroy = table.destroy_device;
    let undo = Undo::new(|| {
        if let Some(destroy) = destroy {
            // SAFETY: the device was just created with this allocator, and no one else uses it.
            unsafe { destroy(handle, allocator) };
        }
        // SAFETY: valid, by the command's valid usage.
        unsafe { *out = vk::Device::null() };
    });
    if let Some(text) = refused {
        instance.messages.report_later(Level::Warn, Id::Features, &text);
    }
    let made_of = augmented.as_ref().map_or(info, |more| &more.info);
    // SAFETY: a valid create info; the table is that of the physical device's instance.
    let mut profile =
        unsafe { profile::read_profile(made_of, physical_device, &instance.table, &support, &instance.settings.cap) };
    if let Some(driver) = instance.settings.quirks_of {
        profile.driver = driver;
    }
    log::info!(
        "active on {} (Vulkan {}.{}): bindings {}, cache {} MiB",
        support.properties.device_name_as_c_str().unwrap_or_default().to_string_lossy(),
        profile.api.0,
        profile.api.1,
        settings.bindings.model,
        settings.cache_bytes >> 20
    );
    log::debug!("device profile:\n{profile}");
    // SAFETY: the instance's physical device.
    unsafe { below::advise(&instance, physical_device, support.version, &profile) };
    // SAFETY: the application's create info.
    let blends_two_sources = unsafe { features::enables(info, &support, Feature::DualSrcBlend) };
    // SAFETY: the application's create info.
    let absent = unsafe { Absent::new(&profile, &support, info, (&settings.cap, settings.enable_features)) };
    let asked = match instance.settings.code.bounds {
        Bounds::Auto => Robustness::needed(&profile, &support, &instance.settings.cap),
        _ => None,
    };
    let robust_stages = asked.map(|asked| (asked, Arc::new(asked.profile(&profile))));
    // SAFETY: as above.
    let binaries = unsafe { PipelineBinaryTable::load(|name| get_device(handle, name.as_ptr())) };
    let map = instance.settings.map_of_bindings().map(read_map);
    if let Some(Err(error)) = &map {
        instance.messages.report_later(Level::Error, Id::SettingFile, &error.to_string());
    }
    let capture = instance.capture.as_ref().map(|folder| {
        let application = Application { extensions: &folder.extensions, settings: settings_of_translation(settings) };
        // SAFETY: the application's create info; the table is that of the physical device's
        // instance.
        let (description, rules) = unsafe {
            (
                capture::describe(info, &support, &profile, application),
                Rules::from_device(info, physical_device, &instance.table, support.version),
            )
        };
        // SAFETY: as above.
        let table = unsafe { CaptureTable::load(|name| get_device(handle, name.as_ptr())) };
        Capture::new(folder.clone(), description, rules, table)
    });
    let device = Device {
        handle,
        next_get_device_proc_addr: get_device,
        table,
        binaries,
        instance,
        root_signature,
        local_root_signature,
        scope: new_scope(),
        profile: Arc::new(profile),
        absent,
        map,
        robust_stages,
        modules: Handles::default(),
        set_layouts: Handles::default(),
        pipeline_layouts: Handles::default(),
        render_passes: Handles::default(),
        blends_two_sources,
        capture,
        completions: Mutex::default(),
    };
    // SAFETY: a live device.
    unsafe { device.register() };
    undo.disarm();
    Some(result)
}

/// The settings that differ from their defaults, except for settings about output, which
/// translations do not depend on.
fn settings_of_translation(settings: &Settings) -> BTreeMap<String, String> {
    const OUTPUT: [&str; 8] =
        ["log_level", "log_file", "dump_dir", "dump_mb", "capture_dir", "capture_mb", "cache_mb", "stats"];
    let given = settings.given.iter().filter(|(key, _)| !OUTPUT.contains(&key.as_str()));
    given.map(|(key, value)| (key.clone(), value.clone())).collect()
}

/// Calls down with the loader's link advanced. Restores the link if the call fails.
///
/// # Safety
/// As for the command.
unsafe fn call(
    next: vk::PFN_vkCreateDevice,
    physical_device: vk::PhysicalDevice,
    info: &vk::DeviceCreateInfo<'_>,
    allocator: *const vk::AllocationCallbacks<'_>,
    out: *mut vk::Device,
) -> vk::Result {
    // SAFETY: a valid chain: the application's, or one whose front is a copy.
    let Some(link) = (unsafe { loader::device_link(info.p_next) }) else {
        return vk::Result::ERROR_INITIALIZATION_FAILED;
    };
    // SAFETY: the structure is the loader's or a copy of it, and its link is not null.
    let own = unsafe { (*link).link };
    // SAFETY: as above; the loader expects its structure to be written.
    unsafe { (*link).link = (*own).p_next };
    // SAFETY: valid arguments, by the caller's contract.
    let result = unsafe { next(physical_device, info, allocator, out) };
    if result != vk::Result::SUCCESS {
        // SAFETY: as above.
        unsafe { (*link).link = own };
    }
    result
}

/// `vkDestroyDevice`.
pub unsafe extern "system" fn destroy_device(device: vk::Device, allocator: *const vk::AllocationCallbacks<'_>) {
    if device == vk::Device::null() {
        return;
    }
    // SAFETY: a live device, by the command's valid usage.
    let key = unsafe { Key::from_handle(device) };
    let Some(state) = guard(None, || Device::take(key)) else { return };
    guard((), || {
        if state.instance.settings.stats {
            log::info!(target: STATS, "{}", STORE.stats);
        }
    });
    if let Some(destroy) = state.table.destroy_device {
        // SAFETY: the application's own arguments.
        unsafe { destroy(device, allocator) };
    }
}
