//! One instance, one device, one queue, and the messages heard on the way.

use std::ffi::{CStr, CString, c_void};
use std::sync::{Arc, Mutex, PoisonError};

use ash::vk;

use super::features::{self, FeatureChoice, Features};
use crate::error::{Error, Named, Result};

/// The validation layer's name.
pub const VALIDATION_LAYER: &CStr = c"VK_LAYER_KHRONOS_validation";
/// The layer under test.
pub const DXIL_LAYER: &CStr = c"VK_LAYER_DXIL_translate";

/// How an instance and device are made.
#[derive(Debug, Clone, Default)]
pub struct ContextOptions {
    /// Put the layer under test on top.
    pub dxil_layer: bool,
    /// Put the validation layer just above the driver.
    pub validation: bool,
    /// Leave robust buffer access off.
    pub no_robustness: bool,
}

/// How grave a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Verbose or information.
    Info,
    /// A warning.
    Warning,
    /// An error: a validation error, or a translation that failed.
    Error,
}

/// One debug-utils message.
#[derive(Debug, Clone)]
pub struct Message {
    /// How grave it is.
    pub severity: Severity,
    /// Its text.
    pub text: String,
}

type Inbox = Arc<Mutex<Vec<Message>>>;

/// A Vulkan device ready for one fixture.
pub struct Context {
    inbox: Inbox,
    debug: Option<(ash::ext::debug_utils::Instance, vk::DebugUtilsMessengerEXT)>,
    /// What the device has enabled.
    pub features: Box<Features>,
    /// Names of the enabled device extensions.
    pub extensions: Vec<&'static CStr>,
    /// The physical device's properties.
    pub properties: vk::PhysicalDeviceProperties,
    /// The memory types.
    pub memory: vk::PhysicalDeviceMemoryProperties,
    /// How many bits of the queue's timestamps count; none where it has no timestamps.
    pub timestamp_bits: u32,
    /// The physical device.
    pub physical: vk::PhysicalDevice,
    /// The device.
    pub device: ash::Device,
    /// A queue with compute and graphics.
    pub queue: vk::Queue,
    /// That queue's family.
    pub queue_family: u32,
    /// The instance; destroyed after the device.
    pub instance: ash::Instance,
    // Holds the loader's library open until everything above is gone.
    _entry: ash::Entry,
}

/// The beginning of a message: some list every structure that Vulkan has.
fn clip(text: &str) -> String {
    const LONGEST: usize = 700;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Receives a message and files it.
///
/// # Safety
/// `user` is the pointer of the context's inbox, and `data` is valid for the call, as Vulkan says.
unsafe extern "system" fn receive(
    severity: vk::DebugUtilsMessageSeverityFlagsEXT,
    _kind: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
    user: *mut c_void,
) -> vk::Bool32 {
    // SAFETY: see above; the inbox outlives the messenger.
    let (inbox, text) = unsafe {
        let text = data.as_ref().filter(|data| !data.p_message.is_null()).map(|data| CStr::from_ptr(data.p_message));
        (&*user.cast::<Mutex<Vec<Message>>>(), text)
    };
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
    /// Makes an instance with the asked layers and a device on the first physical device.
    ///
    /// # Errors
    /// Skips where the machine has no Vulkan loader, driver or layer; else names the command that failed.
    pub fn new(options: &ContextOptions) -> Result<Self> {
        // SAFETY: loading the system's Vulkan loader runs its initialisers, which is what a Vulkan program does.
        let entry = unsafe { ash::Entry::load() }.map_err(|e| Error::Skip(format!("no Vulkan loader: {e}")))?;
        let layers = wanted_layers(&entry, options)?;
        let inbox: Inbox = Arc::default();
        let messenger_info = messenger_info(&inbox);
        let instance = make_instance(&entry, &layers, messenger_info)?;
        let debug_utils = ash::ext::debug_utils::Instance::new(&entry, &instance);
        // SAFETY: the instance has VK_EXT_debug_utils enabled (`make_instance` asks for it).
        let messenger = unsafe { debug_utils.create_debug_utils_messenger(&messenger_info, None) }
            .named("vkCreateDebugUtilsMessengerEXT")?;
        // SAFETY: the instance is alive.
        let physical = unsafe { instance.enumerate_physical_devices() }.named("vkEnumeratePhysicalDevices")?;
        let physical = *physical.first().ok_or_else(|| Error::Skip("no Vulkan device".into()))?;
        // SAFETY: the physical device belongs to this instance.
        let (properties, memory, families) = unsafe {
            (
                instance.get_physical_device_properties(physical),
                instance.get_physical_device_memory_properties(physical),
                instance.get_physical_device_queue_family_properties(physical),
            )
        };
        if properties.api_version < vk::API_VERSION_1_3 {
            return Err(Error::Skip("the driver has no Vulkan 1.3, which the harness renders with".into()));
        }
        let both = vk::QueueFlags::COMPUTE | vk::QueueFlags::GRAPHICS;
        let queue_family = families
            .iter()
            .position(|family| family.queue_flags.contains(both))
            .and_then(|index| u32::try_from(index).ok())
            .ok_or_else(|| Error::Skip("no queue with compute and graphics".into()))?;
        let choice = FeatureChoice {
            robust: !options.no_robustness,
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
        let names: Vec<_> = extensions.iter().map(|name| name.as_ptr()).collect();
        let queue_info =
            [vk::DeviceQueueCreateInfo::default().queue_family_index(queue_family).queue_priorities(&[1.0])];
        let mut device_info =
            vk::DeviceCreateInfo::default().queue_create_infos(&queue_info).enabled_extension_names(&names);
        device_info.p_next = std::ptr::from_mut(&mut features.core).cast_const().cast();
        // SAFETY: every pointer in the create info outlives the call.
        let device = unsafe { instance.create_device(physical, &device_info, None) }.named("vkCreateDevice")?;
        // SAFETY: the family was asked for with one queue.
        let queue = unsafe { device.get_device_queue(queue_family, 0) };
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
            queue,
            queue_family,
            instance,
            _entry: entry,
        })
    }

    /// The driver's name for its device.
    #[must_use]
    pub fn device_name(&self) -> String {
        self.properties.device_name_as_c_str().map_or_else(|_| "?".into(), |name| name.to_string_lossy().into_owned())
    }

    /// Every message heard so far, oldest first.
    #[must_use]
    pub fn messages(&self) -> Vec<Message> {
        self.inbox.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What `format` can be used for with optimal tiling.
    pub fn format_features(&self, format: vk::Format) -> vk::FormatProperties {
        // SAFETY: the physical device belongs to the instance.
        unsafe { self.instance.get_physical_device_format_properties(self.physical, format) }
    }

    /// Breaks a rule that the validation layer knows and drivers shrug at: a fence with a flag that does not exist.
    pub fn commit_fault(&self) {
        let info = vk::FenceCreateInfo::default().flags(vk::FenceCreateFlags::from_raw(0x80));
        // SAFETY: deliberately invalid use, to be heard by the validation layer; drivers ignore unknown flag bits.
        if let Ok(fence) = unsafe { self.device.create_fence(&info, None) } {
            // SAFETY: the fence was just made and is in no submission.
            unsafe { self.device.destroy_fence(fence, None) };
        }
    }

    /// Runs `record` on a fresh command buffer and waits for the queue.
    ///
    /// # Errors
    /// The command that failed.
    pub fn submit(&self, record: impl FnOnce(vk::CommandBuffer)) -> Result<()> {
        let pool_info = vk::CommandPoolCreateInfo::default().queue_family_index(self.queue_family);
        // SAFETY: all handles belong to this device; the pool (and its buffer) is destroyed only after the queue is idle.
        unsafe {
            let pool = self.device.create_command_pool(&pool_info, None).named("vkCreateCommandPool")?;
            let info = vk::CommandBufferAllocateInfo::default().command_pool(pool).command_buffer_count(1);
            let buffers = self.device.allocate_command_buffers(&info).named("vkAllocateCommandBuffers")?;
            let begin = vk::CommandBufferBeginInfo::default().flags(vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT);
            let done = buffers
                .iter()
                .try_for_each(|&buffer| self.device.begin_command_buffer(buffer, &begin).named("vkBeginCommandBuffer"));
            done?;
            if let Some(&buffer) = buffers.first() {
                record(buffer);
                self.device.end_command_buffer(buffer).named("vkEndCommandBuffer")?;
            }
            let submit = vk::SubmitInfo::default().command_buffers(&buffers);
            self.device.queue_submit(self.queue, &[submit], vk::Fence::null()).named("vkQueueSubmit")?;
            self.device.queue_wait_idle(self.queue).named("vkQueueWaitIdle")?;
            self.device.destroy_command_pool(pool, None);
        }
        Ok(())
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: the queue is idle (`submit` waits), and everything made from the device is dropped before its context.
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
    // The first name sits closest to the application: the layer under test must be above validation, which reads SPIR-V only.
    let mut wanted: Vec<&CStr> = Vec::new();
    wanted.extend(options.dxil_layer.then_some(DXIL_LAYER));
    wanted.extend(options.validation.then_some(VALIDATION_LAYER));
    // SAFETY: the entry is loaded.
    let found = unsafe { entry.enumerate_instance_layer_properties() }.named("vkEnumerateInstanceLayerProperties")?;
    for name in &wanted {
        if !found.iter().any(|layer| layer.layer_name_as_c_str() == Ok(name)) {
            let reason =
                format!("the loader does not find {} (VK_LAYER_PATH, VK_ADD_LAYER_PATH)", name.to_string_lossy());
            return Err(Error::Io(reason));
        }
    }
    Ok(wanted.into_iter().map(CStr::to_owned).collect())
}

/// The version of the Vulkan header that the installed validation layer was built from: it rejects what is newer.
fn validation_version(entry: &ash::Entry) -> Result<u32> {
    // SAFETY: the entry is loaded.
    let found = unsafe { entry.enumerate_instance_layer_properties() }.named("vkEnumerateInstanceLayerProperties")?;
    let layer = found.iter().find(|layer| layer.layer_name_as_c_str() == Ok(VALIDATION_LAYER));
    Ok(layer.map_or(0, |layer| layer.spec_version))
}

/// The installed validation layer's version as the layer's setting `profile_cap` takes it.
///
/// # Errors
/// Skips where the machine has no Vulkan loader.
pub fn validation_cap() -> Result<String> {
    // SAFETY: as in `Context::new`.
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
