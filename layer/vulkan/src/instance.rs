//! An instance, its physical device, and layers.

use std::ffi::{CStr, CString, c_char, c_void};

use ash::{ext, vk};

use crate::error::{Error, Named};
use crate::messages::{Inbox, Message};

/// The name of the validation layer.
pub const VALIDATION_LAYER: &CStr = c"VK_LAYER_KHRONOS_validation";
/// The name of this project's layer.
pub const DXIL_LAYER: &CStr = c"VK_LAYER_DXIL_translate";

/// Opens the Vulkan loader.
///
/// # Errors
/// [`Error::NoLoader`] if the system has none.
pub fn load() -> Result<ash::Entry, Error> {
    // SAFETY: the Vulkan loader is a library of the system, and running its initialisers has no
    // preconditions.
    unsafe { ash::Entry::load() }.map_err(|error| Error::NoLoader(error.to_string()))
}

/// The properties of an instance layer that the loader finds.
///
/// # Errors
/// The command that failed.
pub fn find_layer(entry: &ash::Entry, name: &CStr) -> Result<Option<vk::LayerProperties>, Error> {
    // SAFETY: the entry is loaded.
    let all = unsafe { entry.enumerate_instance_layer_properties() }.named("vkEnumerateInstanceLayerProperties")?;
    Ok(all.into_iter().find(|layer| layer.layer_name_as_c_str() == Ok(name)))
}

/// A setting of this project's layer (VK_EXT_layer_settings), whose value is a text.
pub fn layer_setting<'a>(name: &'a CStr, value: &'a *const c_char) -> vk::LayerSettingEXT<'a> {
    vk::LayerSettingEXT {
        p_layer_name: DXIL_LAYER.as_ptr(),
        p_setting_name: name.as_ptr(),
        ty: vk::LayerSettingTypeEXT::STRING,
        value_count: 1,
        // An array of one pointer to text.
        p_values: std::ptr::from_ref(value).cast(),
        ..Default::default()
    }
}

/// What an instance is created with.
#[derive(Clone, Copy)]
pub struct InstanceInfo<'a> {
    /// The application. The device must have the version of Vulkan that it is written for.
    pub application: vk::ApplicationInfo<'a>,
    /// The names of the layers, the one closest to the application first.
    pub layers: &'a [&'a CStr],
    /// The physical device: its index, or a part of its name in letters of either case; the first
    /// one for `None`.
    pub device: Option<&'a str>,
    /// More structures for the create info, behind which the messenger's is chained; null for none.
    pub next: *mut c_void,
}

/// An instance with a debug messenger, and a physical device.
pub struct Instance {
    messenger: (ext::debug_utils::Instance, vk::DebugUtilsMessengerEXT),
    /// The commands of the instance.
    pub handle: ash::Instance,
    inbox: Inbox,
    /// The physical device.
    pub physical: vk::PhysicalDevice,
    /// Its properties.
    pub properties: vk::PhysicalDeviceProperties,
    /// Its memory types.
    pub memory: vk::PhysicalDeviceMemoryProperties,
    /// The names of the extensions that it supports.
    pub extensions: Vec<CString>,
    /// The index of its first queue family with graphics and compute.
    pub queue_family: u32,
    /// The number of valid bits in the timestamps of these queues, 0 if they have no timestamps.
    pub timestamp_bits: u32,
    // Keeps a library open until everything above is destroyed.
    _entry: ash::Entry,
}

/// The instance until its physical device is found.
struct Unfinished {
    parts: Option<(ash::Instance, ext::debug_utils::Instance, vk::DebugUtilsMessengerEXT)>,
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some((instance, debug, messenger)) = self.parts.take() {
            // SAFETY: nothing else was made of the instance.
            unsafe {
                debug.destroy_debug_utils_messenger(messenger, None);
                instance.destroy_instance(None);
            }
        }
    }
}

impl Instance {
    /// Creates an instance and finds its physical device. Its messages are received
    /// from the creation on.
    ///
    /// # Errors
    /// What the device lacks, or the command that failed.
    ///
    /// # Safety
    /// The entry must have the commands of a Vulkan loader or of a layer above it, and `info.next`
    /// must be a valid chain for `VkInstanceCreateInfo` that nothing else refers to. It must not be
    /// used afterwards.
    pub unsafe fn new(entry: ash::Entry, info: InstanceInfo<'_>) -> Result<Self, Error> {
        let inbox = Inbox::default();
        let messenger_info = inbox.messenger_info();
        let last_info = messenger_info;
        let layers: Vec<*const c_char> = info.layers.iter().map(|name| name.as_ptr()).collect();
        let extensions = [ext::debug_utils::NAME.as_ptr()];
        let mut create = vk::InstanceCreateInfo::default()
            .application_info(&info.application)
            .enabled_layer_names(&layers)
            .enabled_extension_names(&extensions);
        create.p_next = match info.next.is_null() {
            true => std::ptr::from_ref(&last_info).cast(),
            false => info.next.cast_const(),
        };
        let mut last: *mut vk::BaseOutStructure<'_> = info.next.cast();
        // SAFETY: the caller's chain, each of whose structures begins with its type and the address
        // of the next.
        unsafe {
            while let Some(structure) = last.as_mut() {
                last = structure.p_next;
                if last.is_null() {
                    structure.p_next = std::ptr::from_ref(&last_info).cast_mut().cast();
                }
            }
        }
        // SAFETY: every pointer in the create info outlives the call; the chain is the caller's.
        // The inbox outlives the messenger.
        let (handle, debug, messenger) = unsafe {
            let instance = entry.create_instance(&create, None).named("vkCreateInstance")?;
            let debug = ext::debug_utils::Instance::new(&entry, &instance);
            match debug.create_debug_utils_messenger(&messenger_info, None) {
                Ok(messenger) => (instance, debug, messenger),
                Err(result) => {
                    instance.destroy_instance(None);
                    return Err(Error::Vulkan { command: "vkCreateDebugUtilsMessengerEXT", result });
                }
            }
        };
        let mut unfinished = Unfinished { parts: Some((handle.clone(), debug.clone(), messenger)) };
        // SAFETY: a live instance, and its physical device.
        let (physical, properties, memory, families, extensions) = unsafe {
            let all = handle.enumerate_physical_devices().named("vkEnumeratePhysicalDevices")?;
            let names = all.iter().map(|&device| name_of(&handle.get_physical_device_properties(device)));
            let physical = all[choose(names.collect(), info.device)?];
            let extensions = handle.enumerate_device_extension_properties(physical);
            (
                physical,
                handle.get_physical_device_properties(physical),
                handle.get_physical_device_memory_properties(physical),
                handle.get_physical_device_queue_family_properties(physical),
                extensions.named("vkEnumerateDeviceExtensionProperties")?,
            )
        };
        if properties.api_version < info.application.api_version {
            return Err(Error::OldVersion { found: properties.api_version, needed: info.application.api_version });
        }
        let both = vk::QueueFlags::COMPUTE | vk::QueueFlags::GRAPHICS;
        let family = (0..).zip(&families).find(|(_, family)| family.queue_flags.contains(both));
        let (queue_family, family) = family.ok_or(Error::NoQueue)?;
        let names = extensions.iter().filter_map(|it| Some(it.extension_name_as_c_str().ok()?.to_owned()));
        unfinished.parts = None;
        Ok(Self {
            messenger: (debug, messenger),
            handle,
            inbox,
            physical,
            properties,
            memory,
            extensions: names.collect(),
            queue_family,
            timestamp_bits: family.timestamp_valid_bits,
            _entry: entry,
        })
    }

    /// Whether the physical device supports an extension.
    #[must_use]
    pub fn supports(&self, extension: &CStr) -> bool {
        self.extensions.iter().any(|name| name.as_c_str() == extension)
    }

    /// The name that the driver gives the device.
    #[must_use]
    pub fn device_name(&self) -> String {
        name_of(&self.properties)
    }

    /// The features of a format for buffers and images.
    pub fn format_features(&self, format: vk::Format) -> vk::FormatProperties {
        // SAFETY: the physical device belongs to the instance.
        unsafe { self.handle.get_physical_device_format_properties(self.physical, format) }
    }

    /// The messages that were received and not taken, oldest first.
    #[must_use]
    pub fn messages(&self) -> Vec<Message> {
        self.inbox.messages()
    }

    /// Takes these messages.
    pub fn take_messages(&self) -> Vec<Message> {
        self.inbox.take()
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        let (debug, messenger) = &self.messenger;
        // SAFETY: a device of the instance was destroyed by its owner, which has the instance.
        unsafe {
            debug.destroy_debug_utils_messenger(*messenger, None);
            self.handle.destroy_instance(None);
        }
    }
}

fn name_of(properties: &vk::PhysicalDeviceProperties) -> String {
    properties.device_name_as_c_str().map_or_else(|_| "?".into(), |name| name.to_string_lossy().into_owned())
}

/// The index of the device that is wanted, among the names of all.
fn choose(names: Vec<String>, wanted: Option<&str>) -> Result<usize, Error> {
    let Some(wanted) = wanted else { return if names.is_empty() { Err(Error::NoDevice) } else { Ok(0) } };
    let part = wanted.to_lowercase();
    let mut fit: Vec<usize> = match wanted.parse() {
        Ok(index) => vec![index],
        Err(_) => (0..names.len()).filter(|&index| names[index].to_lowercase().contains(&part)).collect(),
    };
    fit.retain(|&index| index < names.len());
    match fit[..] {
        [only] => Ok(only),
        _ => Err(Error::OtherDevices { wanted: wanted.to_owned(), found: names }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_an_index_or_a_part_of_one_name() {
        let chosen = |wanted| choose(vec!["llvmpipe (LLVM 19)".into(), "GPU 1".into(), "GPU 2".into()], wanted);
        assert_eq!([None, Some("1"), Some("LLVMPipe"), Some("gpu 2")].map(|it| chosen(it).unwrap()), [0, 1, 0, 2]);
        assert_eq!(choose(Vec::new(), None), Err(Error::NoDevice));
        for wanted in ["3", "gpu", "radeon", "-1"] {
            let text = chosen(Some(wanted)).unwrap_err().to_string();
            assert!(text.ends_with("0 `llvmpipe (LLVM 19)`, 1 `GPU 1`, 2 `GPU 2`") && text.contains(wanted), "{text}");
        }
    }
}
