//! Devices: creation with added features, destruction, and what is known about each.
//!
//! In: the loader's chain and the application's create info. Out: one [`Device`] per `VkDevice`, found by its dispatch key,
//! with the profile of what is enabled. What must hold: if the driver refuses the additions, the device is created exactly as
//! the application asked; the loader's link is advanced in the chain that goes down and back in place before a second try.

use std::sync::Arc;

use ash::vk;
use dashmap::DashMap;
use once_cell::sync::Lazy;

use crate::blobs::Context;
use crate::dispatch::{DeviceTable, Key, PipelineBinaryTable};
use crate::handles::Handles;
use crate::instance::Instance;
use crate::shader_modules::Module;
use crate::stats::STATS;
use crate::support::Support;
use crate::translate::{DeviceProfile, LayoutBinding, PipelineLayout};
use crate::{features, guard, loader, log, profile};

/// What the layer keeps of a device.
pub struct Device {
    /// The device.
    pub handle: vk::Device,
    /// `vkGetDeviceProcAddr` of the next layer.
    pub next_get_device_proc_addr: vk::PFN_vkGetDeviceProcAddr,
    /// Commands of the next layer.
    pub table: DeviceTable,
    /// More commands of the next layer.
    pub binaries: PipelineBinaryTable,
    /// Its instance.
    pub instance: Arc<Instance>,
    /// What is enabled.
    pub profile: Arc<DeviceProfile>,
    /// Shader modules made of DXIL.
    pub modules: Handles<Module>,
    /// Descriptor set layouts.
    pub set_layouts: Handles<Vec<LayoutBinding>>,
    /// Pipeline layouts.
    pub pipeline_layouts: Handles<PipelineLayout>,
}

static DEVICES: Lazy<DashMap<Key, Arc<Device>>> = Lazy::new(DashMap::new);

impl Device {
    /// The state of a device.
    ///
    /// # Safety
    /// The handle must be live.
    pub unsafe fn of(handle: vk::Device) -> Option<Arc<Self>> {
        // SAFETY: the caller's live handle.
        let key = unsafe { Key::of(handle) };
        DEVICES.get(&key).map(|device| device.clone())
    }

    /// What translation depends on.
    pub fn context(&self) -> Context<'_> {
        Context { instance: &self.instance, profile: &self.profile }
    }
}

/// `vkCreateDevice`.
pub unsafe extern "system" fn create_device(
    physical_device: vk::PhysicalDevice,
    info: *const vk::DeviceCreateInfo<'_>,
    allocator: *const vk::AllocationCallbacks<'_>,
    out: *mut vk::Device,
) -> vk::Result {
    guard(vk::Result::ERROR_INITIALIZATION_FAILED, || {
        // SAFETY: valid arguments, by the command's valid usage and the loader's contract.
        unsafe { create(physical_device, &*info, allocator, out) }.unwrap_or(vk::Result::ERROR_INITIALIZATION_FAILED)
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
    // SAFETY: the whole function works on the command's valid arguments and on copies of them.
    unsafe {
        let instance = Instance::of(physical_device)?;
        let link = loader::device_link(info.p_next)?;
        let next_get_instance_proc_addr = (*(*link).link).next_get_instance_proc_addr;
        let next_get_device_proc_addr = (*(*link).link).next_get_device_proc_addr;
        let next = next_get_instance_proc_addr(instance.handle, c"vkCreateDevice".as_ptr())?;
        let next: vk::PFN_vkCreateDevice = std::mem::transmute(next);
        let support = Support::read(&instance.table, physical_device, instance.api_version)?;

        let mut augmented = None;
        if instance.settings.enable_features {
            augmented = features::augment(info, &support, &instance.settings);
        }
        let mut result = None;
        if let Some(more) = &augmented {
            let tried = call(next, physical_device, &more.info, allocator, out);
            if tried == vk::Result::SUCCESS {
                result = Some(tried);
            } else {
                let names = more.added.iter().map(|f| f.name()).collect::<Vec<_>>().join(", ");
                let text = format!(
                    "device creation with added features gave {}; created as the application asked, without {names}",
                    tried.as_raw()
                );
                log::report_later(&instance, ::log::Level::Warn, &text);
                augmented = None;
            }
        }
        let result = result.unwrap_or_else(|| call(next, physical_device, info, allocator, out));
        if result != vk::Result::SUCCESS {
            return Some(result);
        }
        let made_of = augmented.as_ref().map_or(info, |more| &more.info);
        let profile = profile::of_device(made_of, physical_device, &instance.table, &support, &instance.settings.cap);
        let device = Device {
            handle: *out,
            next_get_device_proc_addr,
            table: DeviceTable::load(|name| next_get_device_proc_addr(*out, name.as_ptr())),
            binaries: PipelineBinaryTable::load(|name| next_get_device_proc_addr(*out, name.as_ptr())),
            instance,
            profile: Arc::new(profile),
            modules: Handles::default(),
            set_layouts: Handles::default(),
            pipeline_layouts: Handles::default(),
        };
        ::log::debug!("device profile:\n{}", device.profile);
        DEVICES.insert(Key::of(*out), Arc::new(device));
        Some(result)
    }
}

/// Calls down with the loader's link advanced, and puts it back.
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
    // SAFETY: the link is in this very chain, whether the loader's own structure or a copy of it.
    unsafe {
        let Some(link) = loader::device_link(info.p_next) else { return vk::Result::ERROR_INITIALIZATION_FAILED };
        let own = (*link).link;
        (*link).link = (*own).p_next;
        let result = next(physical_device, info, allocator, out);
        if result != vk::Result::SUCCESS {
            (*link).link = own;
        }
        result
    }
}

/// `vkDestroyDevice`.
pub unsafe extern "system" fn destroy_device(device: vk::Device, allocator: *const vk::AllocationCallbacks<'_>) {
    if device == vk::Device::null() {
        return;
    }
    // SAFETY: a live device, by the command's valid usage.
    let key = unsafe { Key::of(device) };
    // The key is free for a new device as soon as the call goes down.
    let state = guard(None, || DEVICES.remove(&key));
    let Some((_, state)) = state else { return };
    guard((), || {
        if state.instance.settings.stats {
            ::log::info!(target: log::STATS, "{STATS}");
        }
    });
    if let Some(destroy) = state.table.destroy_device {
        // SAFETY: the application's own arguments.
        unsafe { destroy(device, allocator) };
    }
}
