//! An instance, a device and a queue, with the debug messages that were received.

use std::ffi::{CStr, CString, c_void};
use std::sync::{Arc, Mutex, PoisonError};

use ash::vk;

use super::features::{self, FeatureChoice, Features};
use crate::error::{Error, Named, Result};

/// The name of the validation layer.
pub const VALIDATION_LAYER: &CStr = c"VK_LAYER_KHRONOS_validation";
/// The name of the layer under test.
pub const DXIL_LAYER: &CStr = c"VK_LAYER_DXIL_translate";

/// Options of a new [`Context`].
#[derive(Debug, Clone, Default)]
pub struct ContextOptions {
    /// Enables the layer under test, closest to the application.
    pub dxil_layer: bool,
    /// Enables the validation layer, directly above the driver.
    pub validation: bool,
    /// Places the validation layer above the layer under test.
    pub validation_above: bool,
    /// Disables robust buffer access.
    pub no_robustness: bool,
    /// Enables VK_EXT_shader_object, so that programs run by shader objects instead of pipelines.
    pub shader_objects: bool,
    /// Creates each shader object by itself, linked to none.
    pub unlinked: bool,
}

/// The severity of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Information, verbose or not.
    Info,
    /// A warning.
    Warning,
    /// An error: a validation error, or a translation that failed.
    Error,
}

/// A message received through VK_EXT_debug_utils.
#[derive(Debug, Clone)]
pub struct Message {
    /// The severity.
    pub severity: Severity,
    /// The text.
    pub text: String,
}

type Inbox = Arc<Mutex<Vec<Message>>>;

/// A Vulkan device on which a fixture can run.
pub struct Context {
    inbox: Inbox,
    debug: Option<(ash::ext::debug_utils::Instance, vk::DebugUtilsMessengerEXT)>,
    /// The features that the device has enabled.
    pub features: Box<Features>,
    /// The names of the enabled device extensions.
    pub extensions: Vec<&'static CStr>,
    /// The properties of the physical device.
    pub properties: vk::PhysicalDeviceProperties,
    /// The memory types of the physical device.
    pub memory: vk::PhysicalDeviceMemoryProperties,
    /// The number of valid bits in the queue's timestamps, 0 if it has no timestamps.
    pub timestamp_bits: u32,
    /// The physical device.
    pub physical: vk::PhysicalDevice,
    /// The device.
    pub device: ash::Device,
    /// The commands of shader objects, if programs run by these instead of pipelines.
    pub shader_objects: Option<ash::ext::shader_object::Device>,
    /// Each shader object is created by itself, linked to none.
    pub unlinked: bool,
    /// A queue for compute and graphics.
    pub queue: vk::Queue,
    /// The index of the queue's family.
    pub queue_family: u32,
    /// The instance. It is destroyed after the device.
    pub instance: ash::Instance,
    // Keeps the loader's library open until everything above is destroyed.
    _entry: ash::Entry,
}

/// The beginning of a message. Some validation messages list every structure that Vulkan has.
fn clip(text: &str) -> String {
    const LONGEST: usize = 700;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Receives a message and stores it in the inbox.
///
/// # Safety
/// `user` points to the context's inbox, and `data` is null or valid for the call.
unsafe extern "system" fn receive(
    severity: vk::DebugUtilsMessageSeverityFlagsEXT,
    _kind: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
    user: *mut c_void,
) -> vk::Bool32 {
    // SAFETY: `user` is the pointer that `messenger_info` passed to Vulkan. It points to the inbox,
    // which the context owns and which outlives the messenger and the instance.
    let inbox = unsafe { &*user.cast::<Mutex<Vec<Message>>>() };
    // SAFETY: `data` is null or valid for this call, by this function's contract.
    let text = unsafe { data.as_ref() }.map(|data| data.p_message).filter(|text| !text.is_null());
    // SAFETY: Vulkan requires a message to be null-terminated text that is valid for this call.
    let text = text.map(|text| unsafe { CStr::from_ptr(text) });
    let severity = match severity {
        s if s.contains(vk::DebugUtilsMessageSeverityFlagsEXT::ERROR) => Severity::Error,
        s if s.contains(vk::DebugUtilsMessageSeverityFlagsEXT::WARNING) => Severity::Warning,
        _ => Severity::Info,
    };
    let text = text.map_or_else(String::new, |text| clip(&text.to_string_lossy()));
    inbox.lock().unwrap_or_else(PoisonError::into_inner).push(Message { severity, text });
    vk::FALSE
}

impl Context {
    /// Creates an instance with the chosen layers, and a device on the first physical device.
    ///
    /// # Errors
    /// A skip if the machine has no Vulkan loader or no suitable device, or else the Vulkan command
    /// that failed.
    pub fn new(options: &ContextOptions) -> Result<Self> {
        // SAFETY: the Vulkan loader is a library of the system, and running its initialisers has no
        // preconditions.
        let entry = unsafe { ash::Entry::load() }.map_err(|e| Error::Skip(format!("no Vulkan loader: {e}")))?;
        let layers = wanted_layers(&entry, options)?;
        let inbox: Inbox = Arc::default();
        let messenger_info = messenger_info(&inbox);
        let instance = make_instance(&entry, &layers, messenger_info)?;
        let debug_utils = ash::ext::debug_utils::Instance::new(&entry, &instance);
        // SAFETY: `make_instance` has enabled VK_EXT_debug_utils, and the inbox that the create
        // info points to is kept in the context, which destroys the messenger before the inbox.
        let messenger = unsafe { debug_utils.create_debug_utils_messenger(&messenger_info, None) }
            .named("vkCreateDebugUtilsMessengerEXT")?;
        // SAFETY: the instance is alive.
        let physical = unsafe { instance.enumerate_physical_devices() }.named("vkEnumeratePhysicalDevices")?;
        let physical = *physical.first().ok_or_else(|| Error::Skip("there is no Vulkan device".into()))?;
        // SAFETY: the physical device belongs to this instance.
        let (properties, memory, families) = unsafe {
            (
                instance.get_physical_device_properties(physical),
                instance.get_physical_device_memory_properties(physical),
                instance.get_physical_device_queue_family_properties(physical),
            )
        };
        if properties.api_version < vk::API_VERSION_1_3 {
            return Err(Error::Skip("the harness needs Vulkan 1.3, which the driver does not support".into()));
        }
        let both = vk::QueueFlags::COMPUTE | vk::QueueFlags::GRAPHICS;
        let queue_family = families
            .iter()
            .position(|family| family.queue_flags.contains(both))
            .and_then(|index| u32::try_from(index).ok())
            .ok_or_else(|| Error::Skip("the device has no queue for both compute and graphics".into()))?;
        let choice = FeatureChoice {
            robust: !options.no_robustness,
            shader_objects: options.shader_objects,
            newest_header: if options.validation {
                vk::api_version_patch(validation_version(&entry)?)
            } else {
                u32::MAX
            },
        };
        // SAFETY: the physical device belongs to this instance.
        let available = unsafe { instance.enumerate_device_extension_properties(physical) }
            .named("vkEnumerateDeviceExtensionProperties")?;
        let available: Vec<&CStr> =
            available.iter().filter_map(|extension| extension.extension_name_as_c_str().ok()).collect();
        let (mut features, extensions) = features::supported(&instance, physical, choice, &available);
        if options.shader_objects {
            check_shader_objects(&features, choice.newest_header)?;
        }
        let names: Vec<_> = extensions.iter().map(|name| name.as_ptr()).collect();
        let queue_info =
            [vk::DeviceQueueCreateInfo::default().queue_family_index(queue_family).queue_priorities(&[1.0])];
        let mut device_info =
            vk::DeviceCreateInfo::default().queue_create_infos(&queue_info).enabled_extension_names(&names);
        device_info.p_next = std::ptr::from_mut(&mut features.core).cast_const().cast();
        // SAFETY: every pointer in the create info outlives the call. The chained structs are in
        // the box, and hold only features that the device has reported.
        let device = unsafe { instance.create_device(physical, &device_info, None) }.named("vkCreateDevice")?;
        // SAFETY: the device was created with one queue of this family.
        let queue = unsafe { device.get_device_queue(queue_family, 0) };
        let shader_objects = options.shader_objects.then(|| ash::ext::shader_object::Device::new(&instance, &device));
        Ok(Self {
            inbox,
            debug: Some((debug_utils, messenger)),
            features,
            extensions,
            properties,
            memory,
            timestamp_bits: families.get(queue_family as usize).map_or(0, |family| family.timestamp_valid_bits),
            physical,
            device,
            shader_objects,
            unlinked: options.unlinked,
            queue,
            queue_family,
            instance,
            _entry: entry,
        })
    }

    /// The name that the driver gives its device.
    #[must_use]
    pub fn device_name(&self) -> String {
        self.properties.device_name_as_c_str().map_or_else(|_| "?".into(), |name| name.to_string_lossy().into_owned())
    }

    /// All messages received so far, oldest first.
    #[must_use]
    pub fn messages(&self) -> Vec<Message> {
        self.inbox.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The features of `format` for buffers and images.
    pub fn format_features(&self, format: vk::Format) -> vk::FormatProperties {
        // SAFETY: the physical device belongs to the instance.
        unsafe { self.instance.get_physical_device_format_properties(self.physical, format) }
    }

    /// Breaks a rule of Vulkan on purpose, for a test of the validation layer: creates a fence with
    /// a flag that does not exist.
    pub fn commit_fault(&self) {
        let info = vk::FenceCreateInfo::default().flags(vk::FenceCreateFlags::from_raw(0x80));
        // SAFETY: the device and the create info are valid but for the flag. This violates
        // VUID-VkFenceCreateInfo-flags-parameter on purpose; drivers ignore unknown flag bits.
        if let Ok(fence) = unsafe { self.device.create_fence(&info, None) } {
            // SAFETY: the fence has just been created and is not part of any submission.
            unsafe { self.device.destroy_fence(fence, None) };
        }
    }

    /// Calls `record` with a command buffer that is recording, submits it and waits for the queue.
    ///
    /// # Errors
    /// The Vulkan command that failed.
    pub fn submit(&self, record: impl FnOnce(vk::CommandBuffer)) -> Result<()> {
        let device = &self.device;
        let pool_info = vk::CommandPoolCreateInfo::default().queue_family_index(self.queue_family);
        // SAFETY: the device was created with a queue of this family.
        let pool = unsafe { device.create_command_pool(&pool_info, None) }.named("vkCreateCommandPool")?;
        let info = vk::CommandBufferAllocateInfo::default().command_pool(pool).command_buffer_count(1);
        // SAFETY: the pool belongs to this device and is not used elsewhere.
        let buffers = unsafe { device.allocate_command_buffers(&info) }.named("vkAllocateCommandBuffers")?;
        let begin = vk::CommandBufferBeginInfo::default().flags(vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT);
        if let Some(&buffer) = buffers.first() {
            // SAFETY: the command buffer is new and in the initial state.
            unsafe { device.begin_command_buffer(buffer, &begin) }.named("vkBeginCommandBuffer")?;
            record(buffer);
            // SAFETY: the command buffer is recording.
            unsafe { device.end_command_buffer(buffer) }.named("vkEndCommandBuffer")?;
        }
        let submit = vk::SubmitInfo::default().command_buffers(&buffers);
        // SAFETY: the command buffer is executable and of the queue's family, and only this thread
        // uses the queue.
        unsafe { device.queue_submit(self.queue, &[submit], vk::Fence::null()) }.named("vkQueueSubmit")?;
        // SAFETY: the queue belongs to this device.
        unsafe { device.queue_wait_idle(self.queue) }.named("vkQueueWaitIdle")?;
        // SAFETY: the queue is idle, so the pool's command buffer is not pending.
        unsafe { device.destroy_command_pool(pool, None) };
        Ok(())
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: the queue is idle, because `submit` waits for it. All objects of the device
        // borrow the context, so they are dropped before it, and the messenger is an object of the
        // instance.
        unsafe {
            self.device.destroy_device(None);
            if let Some((debug, messenger)) = self.debug.take() {
                debug.destroy_debug_utils_messenger(messenger, None);
            }
            self.instance.destroy_instance(None);
        }
    }
}

fn messenger_info(inbox: &Inbox) -> vk::DebugUtilsMessengerCreateInfoEXT<'static> {
    vk::DebugUtilsMessengerCreateInfoEXT::default()
        .message_severity(vk::DebugUtilsMessageSeverityFlagsEXT::ERROR | vk::DebugUtilsMessageSeverityFlagsEXT::WARNING)
        .message_type(
            vk::DebugUtilsMessageTypeFlagsEXT::GENERAL
                | vk::DebugUtilsMessageTypeFlagsEXT::VALIDATION
                | vk::DebugUtilsMessageTypeFlagsEXT::PERFORMANCE,
        )
        .pfn_user_callback(Some(receive))
        .user_data(Arc::as_ptr(inbox).cast_mut().cast())
}

fn wanted_layers(entry: &ash::Entry, options: &ContextOptions) -> Result<Vec<CString>> {
    // The first layer is closest to the application. The layer under test must be above the
    // validation layer, which accepts SPIR-V only, unless its DXIL is embedded in SPIR-V.
    let mut wanted: Vec<&CStr> = Vec::new();
    wanted.extend(options.dxil_layer.then_some(DXIL_LAYER));
    wanted.extend(options.validation.then_some(VALIDATION_LAYER));
    if options.validation_above {
        wanted.reverse();
    }
    // SAFETY: the entry is loaded.
    let found = unsafe { entry.enumerate_instance_layer_properties() }.named("vkEnumerateInstanceLayerProperties")?;
    for name in &wanted {
        if !found.iter().any(|layer| layer.layer_name_as_c_str() == Ok(name)) {
            return Err(Error::Io(format!(
                "the Vulkan loader does not find {}; name the folder of its manifest in VK_ADD_LAYER_PATH",
                name.to_string_lossy()
            )));
        }
    }
    Ok(wanted.into_iter().map(CStr::to_owned).collect())
}

/// Checks that the device can run programs by shader objects.
fn check_shader_objects(features: &Features, newest_header: u32) -> Result<()> {
    let since = features::SHADER_OBJECT_SINCE;
    if newest_header < since {
        return Err(Error::Skip(format!(
            "the validation layer knows Vulkan 1.3.{newest_header}, and VK_EXT_shader_object is of 1.3.{since}"
        )));
    }
    match features.shader_object.shader_object {
        vk::TRUE => Ok(()),
        _ => Err(Error::Skip("the driver does not support VK_EXT_shader_object".into())),
    }
}

/// The version of the Vulkan header that the installed validation layer was built from. The layer
/// rejects features that are newer.
fn validation_version(entry: &ash::Entry) -> Result<u32> {
    // SAFETY: the entry is loaded.
    let found = unsafe { entry.enumerate_instance_layer_properties() }.named("vkEnumerateInstanceLayerProperties")?;
    let layer = found.iter().find(|layer| layer.layer_name_as_c_str() == Ok(VALIDATION_LAYER));
    Ok(layer.map_or(0, |layer| layer.spec_version))
}

/// The installed validation layer's version, in the form that the setting `profile_cap` takes.
///
/// # Errors
/// A skip if the machine has no Vulkan loader.
pub fn validation_cap() -> Result<String> {
    // SAFETY: the Vulkan loader is a library of the system, and running its initialisers has no
    // preconditions.
    let entry = unsafe { ash::Entry::load() }.map_err(|e| Error::Skip(format!("no Vulkan loader: {e}")))?;
    let version = validation_version(&entry)?;
    let [major, minor, patch] =
        [vk::api_version_major(version), vk::api_version_minor(version), vk::api_version_patch(version)];
    Ok(format!("{major}.{minor}.{patch}"))
}

fn make_instance(
    entry: &ash::Entry,
    layers: &[CString],
    mut messenger: vk::DebugUtilsMessengerCreateInfoEXT<'static>,
) -> Result<ash::Instance> {
    let application =
        vk::ApplicationInfo::default().application_name(c"dxil-run-fixture").api_version(vk::API_VERSION_1_3);
    let layers: Vec<_> = layers.iter().map(|name| name.as_ptr()).collect();
    let extensions = [ash::ext::debug_utils::NAME.as_ptr()];
    let info = vk::InstanceCreateInfo::default()
        .application_info(&application)
        .enabled_layer_names(&layers)
        .enabled_extension_names(&extensions)
        .push_next(&mut messenger);
    // SAFETY: every pointer in the create info outlives the call.
    unsafe { entry.create_instance(&info, None) }.named("vkCreateInstance")
}
