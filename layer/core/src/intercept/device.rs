//! Creation and destruction of devices.
//!
//! In: the loader's chain and the application's create info. Out: one [`Device`] per `VkDevice`,
//! with its profile. What must hold: if the driver refuses the added features, the device is
//! created with the application's create info; the loader's link is advanced in the forwarded
//! chain, and restored before a second attempt. A device whose root signature cannot be read is not
//! created.

use std::collections::BTreeMap;
use std::ffi::CStr;
use std::path::PathBuf;
use std::sync::Arc;

use ash::vk;
use log::Level;
use parking_lot::Mutex;

use crate::capture::{self, Application, Capture};
use crate::features::absent::Absent;
use crate::features::augment::{Augmented, augment};
use crate::features::profile;
use crate::features::robustness::Robustness;
use crate::features::support::Support;
use crate::intercept::below;
use crate::intercept::guard::{Undo, guard};
use crate::intercept::heaps::{Heaps, has_anisotropy};
use crate::intercept::objects::{Device, Instance, new_scope};
use crate::messages::{Id, STATS};
use crate::settings::Settings;
use crate::translate::{read_map, read_root_signature};
use crate::translator::{Bounds, DeviceProfile, Feature, RootSignature};
use crate::vulkan::arrays::names;
use crate::vulkan::dispatch::{CaptureTable, DeviceTable, Key, PipelineBinaryTable};
use crate::vulkan::handles::Handles;
use crate::vulkan::loader;
use crate::vulkan::newer::PhysicalDeviceDescriptorHeapProperties;
use crate::vulkan::reads::Rules;
use dxil_vulkan_profile::Requested;

/// The extension with heaps of descriptors.
const EXTENSION: &CStr = c"VK_EXT_descriptor_heap";

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
    let physical = Physical { device: physical_device, instance: &instance, support };

    // A different root signature would bind other resources, so device creation fails.
    let signatures = match Signatures::read(&instance.settings) {
        Ok(signatures) => signatures,
        Err(text) => {
            instance.messages.report_later(Level::Error, Id::SettingFile, &text);
            return Some(vk::Result::ERROR_INITIALIZATION_FAILED);
        }
    };
    let down = |info: &vk::DeviceCreateInfo<'_>| {
        // SAFETY: the application's arguments, with its create info or one that was made of it.
        unsafe { call(next, physical_device, info, allocator, out) }
    };
    // SAFETY: a valid create info, which outlives this call.
    let augmented = match unsafe { physical.attempts(info, down) } {
        Ok(augmented) => augmented,
        Err(result) => return Some(result),
    };
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
    // SAFETY: valid create infos, and the device that was created with them.
    unsafe { physical.state(info, Created { handle, get_device, table, augmented }, signatures).register() };
    undo.disarm();
    Some(vk::Result::SUCCESS)
}

/// The root signatures that the settings name.
struct Signatures {
    global: Option<RootSignature>,
    local: Option<RootSignature>,
}

impl Signatures {
    fn read(settings: &Settings) -> Result<Self, String> {
        let read = |setting, path: &Option<PathBuf>| {
            path.as_deref().map(|path| read_root_signature(setting, path)).transpose()
        };
        let global = read("root_signature", &settings.root_signature)?;
        Ok(Self { global, local: read("local_root_signature", &settings.local_root_signature)? })
    }
}

/// A physical device of an instance.
struct Physical<'a> {
    device: vk::PhysicalDevice,
    instance: &'a Arc<Instance>,
    support: Support,
}

/// A device that the next layer has created.
struct Created {
    handle: vk::Device,
    get_device: vk::PFN_vkGetDeviceProcAddr,
    table: DeviceTable,
    /// The create info of the layer; `None` if it was created with that of the application.
    augmented: Option<Augmented>,
}

impl Physical<'_> {
    /// Creates a device with added features, or, if the driver refuses them, as the application
    /// asks. Returns the create info of the layer with which it succeeded; `None` means that of the
    /// application.
    ///
    /// # Errors
    /// The result of the last call down.
    ///
    /// # Safety
    /// `info` must be valid and outlive the result.
    unsafe fn attempts(
        &self,
        info: &vk::DeviceCreateInfo<'_>,
        down: impl Fn(&vk::DeviceCreateInfo<'_>) -> vk::Result,
    ) -> Result<Option<Augmented>, vk::Result> {
        let settings = &self.instance.settings;
        let mut refused = None;
        // SAFETY: the caller's create info.
        if let Some(more) = unsafe { augment(info, &self.support, &settings.cap, &settings.enable_features) } {
            match down(&more.info) {
                vk::Result::SUCCESS => return Ok(Some(more)),
                error => refused = Some((error, more.added)),
            }
        }
        match down(info) {
            vk::Result::SUCCESS => {}
            result => return Err(result),
        }
        if let Some((error, added)) = refused {
            let names = added.iter().map(|f| f.name()).collect::<Vec<_>>().join(", ");
            let text = format!(
                "the driver refused the device with added features ({}); it was created as the application asked, \
                 without {names}",
                error.as_raw()
            );
            self.instance.messages.report_later(Level::Warn, Id::Features, &text);
        }
        Ok(None)
    }

    /// The profile of a device that was created with `info`.
    ///
    /// # Safety
    /// `info` must be valid.
    unsafe fn profile(&self, info: &vk::DeviceCreateInfo<'_>) -> DeviceProfile {
        let (support, settings) = (&self.support, &self.instance.settings);
        // SAFETY: a valid create info; the table is that of the physical device's instance.
        let mut profile =
            unsafe { profile::read_profile(info, self.device, &self.instance.table, support, &settings.cap) };
        if let Some(driver) = settings.quirks_of {
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
        unsafe { below::advise(self.instance, self.device, support.version, &profile) };
        profile
    }

    /// The descriptor heaps of a device that was created with `info`, if its extension is enabled.
    ///
    /// # Safety
    /// `info` must be valid.
    unsafe fn heaps(&self, info: &vk::DeviceCreateInfo<'_>, profile: &DeviceProfile) -> Option<Heaps> {
        // SAFETY: the names of a valid create info.
        let mut extensions = unsafe { names(info.pp_enabled_extension_names, info.enabled_extension_count) };
        extensions.find(|name| *name == EXTENSION)?;
        let (table, version) = (&self.instance.table, self.support.version);
        // SAFETY: the device is the table's, and its extension has the structure.
        let properties: PhysicalDeviceDescriptorHeapProperties = unsafe { table.properties(self.device, version) }?;
        // SAFETY: a valid create info.
        Heaps::new(&properties, profile, unsafe { has_anisotropy(info) })
    }

    /// The capture of a device, if the setting `capture_dir` asks for one. `load` gives the table
    /// of the next layer's commands.
    ///
    /// # Safety
    /// `info` must be the application's, and valid.
    unsafe fn capture(
        &self,
        info: &vk::DeviceCreateInfo<'_>,
        profile: &DeviceProfile,
        load: impl FnOnce() -> CaptureTable,
    ) -> Option<Capture> {
        let folder = self.instance.capture.as_ref()?;
        let settings = settings_of_translation(&self.instance.settings);
        let application = Application { extensions: &folder.extensions, info: folder.application.as_ref(), settings };
        // SAFETY: the application's create info; the table is that of the physical device's
        // instance.
        let (description, rules) = unsafe {
            (
                capture::describe(info, &self.support, profile, application),
                Rules::from_device(info, self.device, &self.instance.table, self.support.version),
            )
        };
        Some(Capture::new(folder.clone(), self.instance.store.clone(), description, rules, load()))
    }

    /// The layer's state of a new device.
    ///
    /// # Safety
    /// `info` must be the application's, and valid. The handle must be live, and the commands its
    /// own.
    unsafe fn state(&self, info: &vk::DeviceCreateInfo<'_>, created: Created, signatures: Signatures) -> Device {
        let Created { handle, get_device, table, augmented } = created;
        let (support, settings) = (&self.support, &self.instance.settings);
        // SAFETY: a valid create info.
        let profile = unsafe { self.profile(augmented.as_ref().map_or(info, |more| &more.info)) };
        if let Some(more) = &augmented {
            let features: Vec<_> = more.added.iter().map(|feature| feature.name()).collect();
            let extensions: Vec<_> = more.extensions.iter().map(|name| name.to_string_lossy()).collect();
            let extensions = if extensions.is_empty() { "none".to_owned() } else { extensions.join(", ") };
            log::info!(
                "the device has features that the layer added: {}; extensions: {extensions}",
                features.join(", ")
            );
        }
        let asked = match settings.code.bounds {
            Bounds::Auto => Robustness::needed(&profile, support, &settings.cap),
            _ => None,
        };
        let map = settings.map_of_bindings().map(read_map);
        if let Some(Err(error)) = &map {
            self.instance.messages.report_later(Level::Error, Id::SettingFile, &error.to_string());
        }
        // SAFETY: the next layer's answer for a live device is the command of that name, or null.
        let load = |name: &CStr| unsafe { get_device(handle, name.as_ptr()) };
        // SAFETY: the application's create info, and the answers of the next layer.
        unsafe {
            Device {
                handle,
                next_get_device_proc_addr: get_device,
                table,
                binaries: PipelineBinaryTable::load(load),
                instance: self.instance.clone(),
                root_signature: signatures.global,
                local_root_signature: signatures.local,
                scope: new_scope(),
                absent: Absent::new(&profile, support, info, &settings.cap, &settings.enable_features),
                map,
                heaps: self.heaps(info, &profile),
                robust_stages: asked.map(|asked| (asked, Arc::new(asked.profile(&profile)))),
                modules: Handles::default(),
                set_layouts: Handles::default(),
                pipeline_layouts: Handles::default(),
                render_passes: Handles::default(),
                blends_two_sources: Requested::read(info, support.version).has(Feature::DualSrcBlend),
                capture: self.capture(info, &profile, || CaptureTable::load(load)),
                profile: Arc::new(profile),
                translations: Mutex::default(),
                completions: Mutex::default(),
            }
        }
    }
}

/// The settings that differ from their defaults, except for settings about output, which
/// translations do not depend on.
fn settings_of_translation(settings: &Settings) -> BTreeMap<String, String> {
    const OUTPUT: [&str; 9] =
        ["log_level", "log_file", "log_mb", "dump_dir", "dump_mb", "capture_dir", "capture_mb", "cache_mb", "stats"];
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
            log::info!(target: STATS, "{}", state.instance.store.stats);
        }
    });
    if let Some(destroy) = state.table.destroy_device {
        // SAFETY: the application's own arguments.
        unsafe { destroy(device, allocator) };
    }
}
