//! The lab's device, with the layer that is linked into the lab above it.
//!
//! In: which features and settings. Out: a [`Lab`]. What must hold: the calls pass the layer's
//! code, then `interposer`, then the loader.

use std::ffi::{CStr, CString, c_char, c_void};

use ash::{amd, ext, khr, vk};
use dxil_capture::model;
use dxil_layer_core::{NegotiateLayerInterface, negotiate};
use dxil_vulkan::{Gpu, Instance, InstanceInfo, Message, Sender, VALIDATION_LAYER};
use thiserror::Error;

use super::features::{self, Enabled};
use super::interposer::{self, DeviceCommands};

/// The bytes that the buffers and images of a pipeline may have together.
const MEMORY_LIMIT: u64 = 1 << 30;

/// Why there is no lab.
#[derive(Debug, Error)]
pub enum LabError {
    /// The machine has no validation layer.
    #[error(
        "VK_LAYER_KHRONOS_validation is not installed (Debian: vulkan-validationlayers); --no-validation goes on \
         without it"
    )]
    NoValidation,
    /// The loader does not find a layer.
    #[error("the Vulkan loader finds no layer {0}; VK_ADD_LAYER_PATH names the folder of its manifest")]
    NoLayer(String),
    /// The loader does not have this command.
    #[error("the loader has no {}", .0.to_string_lossy())]
    NoCommand(&'static CStr),
    /// The captured device cannot be used.
    #[error(transparent)]
    Capture(#[from] features::Malformed),
    /// The device has an older version of Vulkan than the lab needs.
    #[error("the lab needs a driver of Vulkan 1.3")]
    OldVersion,
    /// The machine lacks something, or a command failed.
    #[error(transparent)]
    Vulkan(dxil_vulkan::Error),
}

impl From<dxil_vulkan::Error> for LabError {
    fn from(error: dxil_vulkan::Error) -> Self {
        match error {
            dxil_vulkan::Error::OldVersion { .. } => Self::OldVersion,
            error => Self::Vulkan(error),
        }
    }
}

/// A device on which pipelines are made.
pub struct Lab {
    /// The device, above the layer.
    pub gpu: Gpu,
    /// The commands of ray tracing, where they are enabled.
    pub rays: Option<khr::ray_tracing_pipeline::Device>,
    /// The commands of VK_KHR_pipeline_executable_properties, where they are enabled.
    pub executables: Option<khr::pipeline_executable_properties::Device>,
    /// The command of VK_AMD_shader_info, where it is enabled.
    pub shader_info: Option<amd::shader_info::Device>,
    /// VK_EXT_mutable_descriptor_type is there; the layer enables it.
    pub has_mutable_types: bool,
    /// VK_KHR_acceleration_structure is enabled.
    pub has_acceleration_structures: bool,
    /// The device is one of Vulkan 1.2 ([`Setup::older`]).
    pub is_older: bool,
    // The loader's library stays open as long as anything above lives.
    _loader: ash::Entry,
}

/// How a lab is set up.
#[derive(Clone, Default)]
pub struct Setup {
    /// The device of a capture: its features, its extensions, and the layer's settings there.
    pub captured: Option<model::Device>,
    /// Whether the validation layer stands above the driver.
    pub validation: bool,
    /// The layers that stand above it, below the lab's own.
    pub layers: Vec<String>,
    /// The index of the physical device or a part of its name; `None` for the first one.
    pub physical: Option<String>,
    /// The device has Vulkan 1.2, the extensions that Vulkan 1.3 took over, and no addresses of
    /// buffers: what RenderDoc captures on each driver.
    pub older: bool,
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
    /// Makes an instance and a device on a physical device that the loader finds. A process has
    /// one lab.
    ///
    /// # Errors
    /// What the machine lacks, or the command that failed.
    pub fn open(setup: &Setup) -> Result<Self, LabError> {
        setup.captured.as_ref().map_or(Ok(()), features::check)?;
        let loader = dxil_vulkan::load()?;
        let get = loader.static_fn().get_instance_proc_addr;
        interposer::set_loader(get);
        let instance = make_instance(&loader, setup)?;
        let command = |name: &'static CStr| {
            // SAFETY: a live instance.
            unsafe { get(instance.handle.handle(), name.as_ptr()) }.ok_or(LabError::NoCommand(name))
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
        let mut enabled = Enabled::new(&instance, setup.captured.as_ref(), setup.older);
        let (rays, executables) =
            (enabled.has(khr::ray_tracing_pipeline::NAME), enabled.has(khr::pipeline_executable_properties::NAME));
        let has_shader_info = enabled.has(amd::shader_info::NAME);
        let has_acceleration_structures = enabled.has(khr::acceleration_structure::NAME);
        let has_mutable_types = instance.supports(ext::mutable_descriptor_type::NAME);
        let gpu = make_device(instance, &mut enabled)?;
        let (instance, device) = (&gpu.instance.handle, &gpu.device);
        Ok(Self {
            rays: rays.then(|| khr::ray_tracing_pipeline::Device::new(instance, device)),
            executables: executables.then(|| khr::pipeline_executable_properties::Device::new(instance, device)),
            shader_info: has_shader_info.then(|| amd::shader_info::Device::new(instance, device)),
            has_mutable_types,
            has_acceleration_structures,
            gpu,
            is_older: setup.older,
            _loader: loader,
        })
    }

    /// The messages of layers since the last call. The loader says which libraries it tried, which
    /// is no finding about a driver.
    pub fn messages(&self) -> Vec<Message> {
        let mut messages = self.gpu.instance.take_messages();
        messages.retain(|message| message.sender != Sender::Loader);
        messages
    }
}

/// What the lab says of itself: what the captured application says, by which some drivers choose.
struct Names {
    name: Option<CString>,
    engine: Option<CString>,
    versions: [u32; 2],
}

impl Names {
    fn new(captured: Option<&model::Application>) -> Self {
        // A name from Vulkan has no NUL inside.
        let text = |name: &Option<String>| CString::new(name.as_deref()?).ok();
        match captured {
            Some(it) => {
                Self { name: text(&it.name), engine: text(&it.engine), versions: [it.version, it.engine_version] }
            }
            None => Self { name: Some(c"dxil-lab".to_owned()), engine: None, versions: [0, 0] },
        }
    }

    fn info(&self, api_version: u32) -> vk::ApplicationInfo<'_> {
        let [version, engine_version] = self.versions;
        let mut info = vk::ApplicationInfo::default().api_version(api_version);
        info = info.application_version(version).engine_version(engine_version);
        let pointer = |name: &Option<CString>| name.as_ref().map_or(std::ptr::null(), |name| name.as_ptr());
        (info.p_application_name, info.p_engine_name) = (pointer(&self.name), pointer(&self.engine));
        info
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
    let command = "vkNegotiateLoaderLayerInterfaceVersion";
    get.ok_or(LabError::Vulkan(dxil_vulkan::Error::Vulkan { command, result }))
}

fn make_instance(loader: &ash::Entry, setup: &Setup) -> Result<Instance, LabError> {
    let mut layers = Vec::new();
    let named = setup.layers.iter().map(|name| {
        let given = CString::new(name.as_str()).map_err(|_| LabError::NoLayer(name.clone()))?;
        dxil_vulkan::find_layer(loader, &given)?.map(|_| given).ok_or_else(|| LabError::NoLayer(name.clone()))
    });
    let named = named.collect::<Result<Vec<CString>, LabError>>()?;
    layers.extend(named.iter().map(CString::as_c_str));
    // The application's messages are enough; nothing goes to stderr. The first value of a setting
    // counts.
    let mut given = vec![(CString::from(c"log_level"), CString::from(c"off"))];
    let mut cap: Vec<String> = setup.older.then(|| "bufferDeviceAddress".to_owned()).into_iter().collect();
    if setup.validation {
        let found = dxil_vulkan::find_layer(loader, VALIDATION_LAYER)?.ok_or(LabError::NoValidation)?;
        layers.push(VALIDATION_LAYER);
        // A validation layer rejects what is newer than itself.
        cap.push(dxil_vulkan::version_text(found.spec_version));
    }
    if !cap.is_empty() {
        given.extend(CString::new(cap.join(",")).map(|cap| (CString::from(c"profile_cap"), cap)));
    }
    for (name, value) in setup.captured.iter().flat_map(|device| &device.settings) {
        if let (Ok(name), Ok(value)) = (CString::new(name.as_str()), CString::new(value.as_str())) {
            given.push((name, value));
        }
    }
    let values: Vec<*const c_char> = given.iter().map(|(_, value)| value.as_ptr()).collect();
    let settings = given.iter().zip(&values).map(|((name, _), value)| dxil_vulkan::layer_setting(name, value));
    let settings: Vec<vk::LayerSettingEXT<'_>> = settings.collect();
    let mut settings = vk::LayerSettingsCreateInfoEXT::default().settings(&settings);
    let mut link =
        Link { next: std::ptr::null(), get_instance_proc_addr: interposer::get_instance_proc_addr, other: None };
    let mut link_info = LinkInfo::new(47, &mut link, std::ptr::from_mut(&mut settings).cast());
    let next = std::ptr::from_mut(&mut link_info).cast();
    // SAFETY: the answer is the layer's command.
    let entry = unsafe { ash::Entry::from_static_fn(ash::StaticFn { get_instance_proc_addr: layer()? }) };
    let names = Names::new(setup.captured.as_ref().and_then(|device| device.application.as_ref()));
    let api_version = if setup.older { vk::API_VERSION_1_2 } else { vk::API_VERSION_1_3 };
    let (application, device) = (names.info(api_version), setup.physical.as_deref());
    let info = InstanceInfo { application, layers: &layers, device, next };
    // SAFETY: a valid chain, as a loader makes it; everything in it lives through the call.
    Ok(unsafe { Instance::new(entry, info)? })
}

fn make_device(instance: Instance, enabled: &mut Enabled) -> Result<Gpu, LabError> {
    let mut link = Link {
        next: std::ptr::null(),
        get_instance_proc_addr: interposer::get_instance_proc_addr,
        other: Some(interposer::get_device_proc_addr),
    };
    let link_info = LinkInfo::new(48, &mut link, enabled.head());
    let next = std::ptr::from_ref(&link_info).cast();
    // SAFETY: as for the instance; the device supports the extensions.
    Ok(unsafe { Gpu::new(instance, &enabled.names(), next, MEMORY_LIMIT)? })
}
