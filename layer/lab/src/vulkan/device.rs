//! An instance and a device below the layer that is linked into the lab.
//!
//! In: which features and settings. Out: a [`Lab`]. What must hold: the calls pass the layer's code,
//! then `interposer`, then the loader; messages of the layer and of validation are kept, by who sent them.

use std::collections::BTreeSet;
use std::ffi::{CStr, CString, c_char, c_void};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use ash::{ext, khr, vk};
use dxil_capture::model;
use dxil_layer_core::{NegotiateLayerInterface, negotiate};

use super::features::{self, Enabled};
use super::interposer::{self, DeviceCommands};

const VALIDATION: &CStr = c"VK_LAYER_KHRONOS_validation";
const DXIL_LAYER: &CStr = c"VK_LAYER_DXIL_translate";

/// Why there is no lab.
#[derive(Debug)]
pub enum LabError {
    /// The machine lacks something; the text says what.
    Missing(String),
    /// The captured device cannot be used; the text says why.
    Capture(String),
    /// A command failed.
    Vulkan(&'static str, vk::Result),
}

impl fmt::Display for LabError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(text) | Self::Capture(text) => f.write_str(text),
            Self::Vulkan(command, result) => write!(f, "{command}: {result:?}"),
        }
    }
}

impl std::error::Error for LabError {}

/// A message that was received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// It is the validation layer's, not the DXIL layer's.
    pub validation: bool,
    /// It is an error, not a warning.
    pub error: bool,
    /// The text.
    pub text: String,
}

type Inbox = Mutex<Vec<Message>>;

/// A device on which pipelines are made.
pub struct Lab {
    /// The device, above the layer.
    pub device: ash::Device,
    /// The commands of ray tracing, where they are enabled.
    pub rays: Option<khr::ray_tracing_pipeline::Device>,
    /// The commands of VK_KHR_pipeline_executable_properties, where they are enabled.
    pub executables: Option<khr::pipeline_executable_properties::Device>,
    /// The physical device.
    pub physical: vk::PhysicalDevice,
    /// Its properties.
    pub properties: vk::PhysicalDeviceProperties,
    /// VK_EXT_mutable_descriptor_type is there; the layer enables it.
    pub has_mutable_types: bool,
    /// VK_KHR_acceleration_structure is enabled.
    pub has_acceleration_structures: bool,
    /// A family of queues for compute and graphics.
    pub family: u32,
    inbox: Arc<Inbox>,
    messenger: (ext::debug_utils::Instance, vk::DebugUtilsMessengerEXT),
    /// The instance, above the layer.
    pub instance: ash::Instance,
    // The loader's library stays open as long as anything above lives.
    _entry: ash::Entry,
}

/// How a lab is set up.
#[derive(Clone, Default)]
pub struct Setup {
    /// The device of a capture: its features, its extensions, and the layer's settings there.
    pub captured: Option<model::Device>,
    /// Whether the validation layer stands above the driver.
    pub validation: bool,
}

/// `VkLayerInstanceLink` and `VkLayerDeviceLink`: an element of the list of layers below. The last
/// member is the instance's third command or the device's second.
#[repr(C)]
struct Link {
    next: *const c_void,
    get_instance_proc_addr: vk::PFN_vkGetInstanceProcAddr,
    other: Option<vk::PFN_vkGetDeviceProcAddr>,
}

/// `VkLayerInstanceCreateInfo` and `VkLayerDeviceCreateInfo` with a link.
#[repr(C)]
struct LinkInfo {
    s_type: i32,
    next: *const c_void,
    function: i32,
    link: *mut Link,
    tail: *mut c_void,
}

impl LinkInfo {
    fn new(s_type: i32, link: &mut Link, next: *const c_void) -> Self {
        // `VK_LAYER_LINK_INFO` is 0.
        Self { s_type, next, function: 0, link, tail: std::ptr::null_mut() }
    }
}

impl Lab {
    /// Makes an instance and a device on the first physical device that the loader finds. A process has
    /// one lab.
    ///
    /// # Errors
    /// What the machine lacks, or the command that failed.
    pub fn open(setup: &Setup) -> Result<Self, LabError> {
        setup.captured.as_ref().map_or(Ok(()), features::check).map_err(LabError::Capture)?;
        // SAFETY: the Vulkan loader is a library of the system.
        let below_entry = unsafe { ash::Entry::load() }
            .map_err(|error| LabError::Missing(format!("there is no Vulkan loader: {error}")))?;
        interposer::set_loader(below_entry.static_fn().get_instance_proc_addr);
        // SAFETY: the answer is the layer's command.
        let entry = unsafe { ash::Entry::from_static_fn(ash::StaticFn { get_instance_proc_addr: layer()? }) };
        let inbox = Arc::new(Inbox::default());
        let messenger_info = messenger_info(&inbox);
        let instance = make_instance(&below_entry, &entry, setup, messenger_info)?;
        let debug_utils = ext::debug_utils::Instance::new(&entry, &instance);
        // SAFETY: the extension is enabled, and the inbox outlives the messenger.
        let messenger = unsafe { debug_utils.create_debug_utils_messenger(&messenger_info, None) }
            .map_err(|result| LabError::Vulkan("vkCreateDebugUtilsMessengerEXT", result))?;
        let get = below_entry.static_fn().get_instance_proc_addr;
        let command = |name: &'static CStr| {
            // SAFETY: a live instance.
            unsafe { get(instance.handle(), name.as_ptr()) }
                .ok_or_else(|| LabError::Missing(format!("the loader has no {}", name.to_string_lossy())))
        };
        // SAFETY: the commands are those of these names.
        let commands = unsafe {
            DeviceCommands {
                create_device: std::mem::transmute::<unsafe extern "system" fn(), vk::PFN_vkCreateDevice>(command(
                    c"vkCreateDevice",
                )?),
                get_device_proc_addr: std::mem::transmute::<unsafe extern "system" fn(), vk::PFN_vkGetDeviceProcAddr>(
                    command(c"vkGetDeviceProcAddr")?,
                ),
            }
        };
        interposer::set_device_commands(commands);
        // SAFETY: a live instance, and its physical device.
        let (physical, properties, families) = unsafe {
            let all = instance.enumerate_physical_devices();
            let all = all.map_err(|result| LabError::Vulkan("vkEnumeratePhysicalDevices", result))?;
            let first = all.first().copied();
            let physical = first.ok_or_else(|| LabError::Missing("the driver has no device".into()))?;
            let properties = instance.get_physical_device_properties(physical);
            (physical, properties, instance.get_physical_device_queue_family_properties(physical))
        };
        if properties.api_version < vk::API_VERSION_1_3 {
            return Err(LabError::Missing("the lab needs a driver of Vulkan 1.3".into()));
        }
        let both = vk::QueueFlags::GRAPHICS | vk::QueueFlags::COMPUTE;
        let family = families.iter().position(|family| family.queue_flags.contains(both));
        let family = family.ok_or_else(|| LabError::Missing("no queue has graphics and compute".into()))? as u32;
        // SAFETY: as above.
        let available = unsafe { instance.enumerate_device_extension_properties(physical) };
        let available = available.map_err(|r| LabError::Vulkan("vkEnumerateDeviceExtensionProperties", r))?;
        let available: BTreeSet<CString> =
            available.iter().filter_map(|e| Some(e.extension_name_as_c_str().ok()?.to_owned())).collect();
        let mut enabled = Enabled::of(&instance, physical, &available, setup.captured.as_ref());
        let device = make_device(&instance, physical, family, &mut enabled)?;
        let rays = enabled.has(khr::ray_tracing_pipeline::NAME);
        let executables = enabled.has(khr::pipeline_executable_properties::NAME);
        Ok(Self {
            rays: rays.then(|| khr::ray_tracing_pipeline::Device::new(&instance, &device)),
            executables: executables.then(|| khr::pipeline_executable_properties::Device::new(&instance, &device)),
            has_mutable_types: available.contains(ext::mutable_descriptor_type::NAME),
            has_acceleration_structures: enabled.has(khr::acceleration_structure::NAME),
            device,
            physical,
            properties,
            family,
            inbox,
            messenger: (debug_utils, messenger),
            instance,
            _entry: below_entry,
        })
    }

    /// The messages since the last time.
    pub fn messages(&self) -> Vec<Message> {
        std::mem::take(&mut *self.inbox.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        // SAFETY: everything made on the device was destroyed by whoever made it.
        unsafe {
            self.device.destroy_device(None);
            self.messenger.0.destroy_debug_utils_messenger(self.messenger.1, None);
            self.instance.destroy_instance(None);
        }
    }
}

/// `vkGetInstanceProcAddr` of the layer.
fn layer() -> Result<vk::PFN_vkGetInstanceProcAddr, LabError> {
    let mut negotiation = NegotiateLayerInterface {
        // `LAYER_NEGOTIATE_INTERFACE_STRUCT`, and the version of the interface.
        s_type: 1,
        p_next: std::ptr::null_mut(),
        loader_layer_interface_version: 2,
        get_instance_proc_addr: None,
        get_device_proc_addr: None,
        get_physical_device_proc_addr: None,
    };
    // SAFETY: a valid structure.
    let result = unsafe { negotiate(&mut negotiation) };
    let get = negotiation.get_instance_proc_addr.filter(|_| result == vk::Result::SUCCESS);
    get.ok_or(LabError::Vulkan("vkNegotiateLoaderLayerInterfaceVersion", result))
}

fn make_instance(
    loader: &ash::Entry,
    entry: &ash::Entry,
    setup: &Setup,
    mut messenger: vk::DebugUtilsMessengerCreateInfoEXT<'_>,
) -> Result<ash::Instance, LabError> {
    let mut layers = Vec::new();
    // The application's messages are enough; nothing goes to stderr. The first value of a setting
    // counts.
    let mut given = vec![(CString::from(c"log_level"), CString::from(c"off"))];
    if setup.validation {
        // SAFETY: the loader is open.
        let all = unsafe { loader.enumerate_instance_layer_properties() };
        let all = all.map_err(|result| LabError::Vulkan("vkEnumerateInstanceLayerProperties", result))?;
        let Some(found) = all.iter().find(|layer| layer.layer_name_as_c_str() == Ok(VALIDATION)) else {
            let text = "VK_LAYER_KHRONOS_validation is not installed (Debian: vulkan-validationlayers); --no-validation \
                        goes on without it";
            return Err(LabError::Missing(text.into()));
        };
        layers.push(VALIDATION.as_ptr());
        // A validation layer rejects what is newer than itself.
        let version = found.spec_version;
        let cap = [vk::api_version_major(version), vk::api_version_minor(version), vk::api_version_patch(version)];
        let cap = cap.map(|number| number.to_string()).join(".");
        given.extend(CString::new(cap).map(|cap| (CString::from(c"profile_cap"), cap)));
    }
    for (name, value) in setup.captured.iter().flat_map(|device| &device.settings) {
        if let (Ok(name), Ok(value)) = (CString::new(name.as_str()), CString::new(value.as_str())) {
            given.push((name, value));
        }
    }
    let values: Vec<*const c_char> = given.iter().map(|(_, value)| value.as_ptr()).collect();
    let settings: Vec<vk::LayerSettingEXT<'_>> = given
        .iter()
        .zip(&values)
        .map(|((name, _), value)| vk::LayerSettingEXT {
            p_layer_name: DXIL_LAYER.as_ptr(),
            p_setting_name: name.as_ptr(),
            ty: vk::LayerSettingTypeEXT::STRING,
            value_count: 1,
            // An array of one pointer to text.
            p_values: std::ptr::from_ref(value).cast(),
            ..Default::default()
        })
        .collect();
    let mut settings = vk::LayerSettingsCreateInfoEXT::default().settings(&settings);
    let application = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_3).application_name(c"dxil-lab");
    let extensions = [ext::debug_utils::NAME.as_ptr()];
    let info = vk::InstanceCreateInfo::default()
        .application_info(&application)
        .enabled_layer_names(&layers)
        .enabled_extension_names(&extensions)
        .push_next(&mut messenger)
        .push_next(&mut settings);
    let mut link =
        Link { next: std::ptr::null(), get_instance_proc_addr: interposer::get_instance_proc_addr, other: None };
    let link_info = LinkInfo::new(47, &mut link, info.p_next);
    let mut info = info;
    info.p_next = std::ptr::from_ref(&link_info).cast();
    // SAFETY: a valid create info, as a loader makes it; everything in it lives through the call.
    unsafe { entry.create_instance(&info, None) }.map_err(|result| LabError::Vulkan("vkCreateInstance", result))
}

fn make_device(
    instance: &ash::Instance,
    physical: vk::PhysicalDevice,
    family: u32,
    enabled: &mut Enabled,
) -> Result<ash::Device, LabError> {
    let queues = [vk::DeviceQueueCreateInfo::default().queue_family_index(family).queue_priorities(&[1.0])];
    let names = enabled.names();
    let mut link = Link {
        next: std::ptr::null(),
        get_instance_proc_addr: interposer::get_instance_proc_addr,
        other: Some(interposer::get_device_proc_addr),
    };
    let link_info = LinkInfo::new(48, &mut link, enabled.head());
    let mut info = vk::DeviceCreateInfo::default().queue_create_infos(&queues).enabled_extension_names(&names);
    info.p_next = std::ptr::from_ref(&link_info).cast();
    // SAFETY: as for the instance.
    unsafe { instance.create_device(physical, &info, None) }
        .map_err(|result| LabError::Vulkan("vkCreateDevice", result))
}

fn messenger_info(inbox: &Arc<Inbox>) -> vk::DebugUtilsMessengerCreateInfoEXT<'static> {
    use vk::{DebugUtilsMessageSeverityFlagsEXT as Severity, DebugUtilsMessageTypeFlagsEXT as Kind};
    vk::DebugUtilsMessengerCreateInfoEXT::default()
        .message_severity(Severity::ERROR | Severity::WARNING)
        .message_type(Kind::GENERAL | Kind::VALIDATION)
        .pfn_user_callback(Some(receive))
        .user_data(Arc::as_ptr(inbox).cast_mut().cast())
}

/// Keeps a message.
///
/// # Safety
/// `user` must be the inbox of [`messenger_info`], and `data` null or valid for the call.
unsafe extern "system" fn receive(
    severity: vk::DebugUtilsMessageSeverityFlagsEXT,
    kind: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
    user: *mut c_void,
) -> vk::Bool32 {
    let text = |text: *const c_char| {
        // SAFETY: text of Vulkan is null or null-terminated, and valid for this call.
        (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
    };
    // SAFETY: by this function's contract.
    let Some(data) = (unsafe { data.as_ref() }) else { return vk::FALSE };
    // The loader says which libraries it tried; that is no finding about a driver.
    if text(data.p_message_id_name).as_deref() == Some("Loader Message") {
        return vk::FALSE;
    }
    let message = Message {
        validation: kind.contains(vk::DebugUtilsMessageTypeFlagsEXT::VALIDATION),
        error: severity.contains(vk::DebugUtilsMessageSeverityFlagsEXT::ERROR),
        text: text(data.p_message).unwrap_or_default(),
    };
    // SAFETY: by this function's contract.
    let inbox = unsafe { &*user.cast::<Inbox>() };
    inbox.lock().unwrap_or_else(PoisonError::into_inner).push(message);
    vk::FALSE
}
