//! A fake next layer, and the loader's side of the contract, around the layer's shared object.
//!
//! In: the built library, a [`Config`] of the device below. Out: an [`App`] with an instance and a device whose every call below
//! the layer is recorded as an [`Event`]. What must hold: handles of the fake are real pointers whose first word is a dispatch
//! pointer of their own, as the loader makes them; nothing is global, so tests run side by side.
#![expect(missing_docs, reason = "test support: fields are Vulkan's own")]

mod fake;
mod library;

use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr;

use ash::vk;

pub use fake::{Config, DeviceSeen, Event, FakeDevice, FakeInstance, PipelineSeen, StageSeen, handle, other};
pub use library::{Negotiation, library_path, negotiate, negotiate_with};

/// Every command that `ash` knows, one per line (Vulkan 1.3.281).
pub const COMMANDS: &str = include_str!("commands.txt");

/// `VkLayerInstanceLink`.
#[repr(C)]
pub struct InstanceLink {
    pub next: *mut InstanceLink,
    pub get_instance_proc_addr: vk::PFN_vkGetInstanceProcAddr,
    pub get_physical_device_proc_addr: *const c_void,
}

/// `VkLayerDeviceLink`.
#[repr(C)]
pub struct DeviceLink {
    pub next: *mut DeviceLink,
    pub get_instance_proc_addr: vk::PFN_vkGetInstanceProcAddr,
    pub get_device_proc_addr: vk::PFN_vkGetDeviceProcAddr,
}

/// `VkLayerInstanceCreateInfo` and `VkLayerDeviceCreateInfo`: the union is as large as the larger one's.
#[repr(C)]
pub struct LayerCreateInfo {
    pub s_type: vk::StructureType,
    pub next: *const c_void,
    pub function: i32,
    pub link: *mut c_void,
    pub tail: *mut c_void,
}

impl LayerCreateInfo {
    /// The loader's structure for an instance (47) or a device (48).
    pub fn new(s_type: i32, link: *mut c_void, next: *const c_void) -> Self {
        Self { s_type: vk::StructureType::from_raw(s_type), next, function: 0, link, tail: ptr::null_mut() }
    }
}

/// A structure that no version of Vulkan knows.
#[repr(C)]
pub struct Unknown {
    pub s_type: vk::StructureType,
    pub next: *const c_void,
    pub payload: [u64; 3],
}

impl Unknown {
    /// One in front of `next`.
    pub fn before(next: *const c_void) -> Box<Self> {
        Box::new(Self { s_type: vk::StructureType::from_raw(0x7ead_beef), next, payload: [0x5555; 3] })
    }
    /// As a `pNext`.
    pub fn as_next(&self) -> *const c_void {
        ptr::from_ref(self).cast()
    }
}

/// An application's instance and device, made through the layer.
pub struct App {
    pub entry: library::Negotiated,
    pub instance: vk::Instance,
    pub device: vk::Device,
}

/// What an application asks of `vkCreateInstance`.
#[derive(Default)]
pub struct InstanceRequest {
    pub api_version: u32,
    pub next: Option<*const c_void>,
    pub extensions: Vec<CString>,
    /// Settings of the layer; `log_level` is `off` otherwise.
    pub settings: Vec<(&'static CStr, &'static CStr)>,
}

impl App {
    /// An instance and a device of Vulkan 1.3 that asks for nothing.
    pub fn new(config: Config) -> Self {
        Self::with_device(config, &vk::DeviceCreateInfo::default()).expect("vkCreateDevice")
    }

    /// An instance of Vulkan 1.3, and a device as asked for.
    pub fn with_device(config: Config, info: &vk::DeviceCreateInfo<'_>) -> Result<Self, vk::Result> {
        let request = InstanceRequest { api_version: vk::API_VERSION_1_3, ..Default::default() };
        Self::with(config, &request, info)
    }

    /// An instance and a device as asked for.
    pub fn with(
        config: Config,
        request: &InstanceRequest,
        info: &vk::DeviceCreateInfo<'_>,
    ) -> Result<Self, vk::Result> {
        let mut app = Self::instance(config, request)?;
        app.device = app.create_device(info)?;
        Ok(app)
    }

    /// An instance alone.
    pub fn instance(config: Config, request: &InstanceRequest) -> Result<Self, vk::Result> {
        let entry = negotiate();
        let instance = create_instance(&entry, config, request)?;
        Ok(Self { entry, instance, device: vk::Device::null() })
    }

    /// Creates a device, as the loader does: its own structure in front of the application's chain.
    pub fn create_device(&self, info: &vk::DeviceCreateInfo<'_>) -> Result<vk::Device, vk::Result> {
        let mut link = DeviceLink {
            next: ptr::null_mut(),
            get_instance_proc_addr: fake::get_instance_proc_addr,
            get_device_proc_addr: fake::get_device_proc_addr,
        };
        let loader = LayerCreateInfo::new(48, ptr::from_mut(&mut link).cast(), info.p_next);
        let mut info = *info;
        info.p_next = ptr::from_ref(&loader).cast();
        let mut device = vk::Device::null();
        // SAFETY: the command's own type; all arguments live through the call.
        let result = unsafe {
            let create: vk::PFN_vkCreateDevice = std::mem::transmute(self.instance_command(c"vkCreateDevice"));
            create(self.fake_instance().physical_device(), &info, ptr::null(), &mut device)
        };
        if result == vk::Result::SUCCESS { Ok(device) } else { Err(result) }
    }

    /// A command by the layer's `vkGetInstanceProcAddr`.
    pub fn instance_command(&self, name: &CStr) -> vk::PFN_vkVoidFunction {
        // SAFETY: a live instance.
        unsafe { (self.entry.get_instance_proc_addr)(self.instance, name.as_ptr()) }
    }

    /// A command by the layer's `vkGetDeviceProcAddr`.
    pub fn device_command(&self, name: &CStr) -> vk::PFN_vkVoidFunction {
        // SAFETY: a live device.
        unsafe { (self.entry.get_device_proc_addr)(self.device, name.as_ptr()) }
    }

    /// The fake behind the instance.
    pub fn fake_instance(&self) -> &FakeInstance {
        // SAFETY: instances of these tests are the fake's.
        unsafe { FakeInstance::of(self.instance) }
    }

    /// The fake behind the device.
    pub fn fake_device(&self) -> &FakeDevice {
        // SAFETY: devices of these tests are the fake's.
        unsafe { FakeDevice::of(self.device) }
    }

    /// What reached the fake device since the last call.
    pub fn events(&self) -> Vec<Event> {
        self.fake_device().take()
    }

    /// `vkCreateShaderModule`.
    pub fn create_module(&self, info: &vk::ShaderModuleCreateInfo<'_>) -> (vk::Result, vk::ShaderModule) {
        // Not null, to see it cleared.
        let mut module = handle(0xbad);
        // SAFETY: the command's own type; valid arguments.
        let result = unsafe {
            let create: vk::PFN_vkCreateShaderModule =
                std::mem::transmute(self.device_command(c"vkCreateShaderModule"));
            create(self.device, info, ptr::null(), &mut module)
        };
        (result, module)
    }

    /// `vkCreateShaderModule` of these bytes.
    pub fn module_of(&self, bytes: &[u8]) -> (vk::Result, vk::ShaderModule) {
        let words = aligned(bytes);
        let info = vk::ShaderModuleCreateInfo { code_size: bytes.len(), p_code: words.as_ptr(), ..Default::default() };
        self.create_module(&info)
    }

    /// `vkDestroyShaderModule`.
    pub fn destroy_module(&self, module: vk::ShaderModule) {
        // SAFETY: the command's own type; valid arguments.
        unsafe {
            let destroy: vk::PFN_vkDestroyShaderModule =
                std::mem::transmute(self.device_command(c"vkDestroyShaderModule"));
            destroy(self.device, module, ptr::null());
        }
    }

    /// `vkCreateComputePipelines`.
    pub fn compute(&self, infos: &[vk::ComputePipelineCreateInfo<'_>]) -> (vk::Result, Vec<vk::Pipeline>) {
        let mut pipelines = vec![handle(0xbad); infos.len()];
        // SAFETY: the command's own type; valid arguments.
        let result = unsafe {
            let create: vk::PFN_vkCreateComputePipelines =
                std::mem::transmute(self.device_command(c"vkCreateComputePipelines"));
            create(
                self.device,
                vk::PipelineCache::null(),
                infos.len() as u32,
                infos.as_ptr(),
                ptr::null(),
                pipelines.as_mut_ptr(),
            )
        };
        (result, pipelines)
    }

    /// `vkCreateGraphicsPipelines`.
    pub fn graphics(&self, infos: &[vk::GraphicsPipelineCreateInfo<'_>]) -> (vk::Result, Vec<vk::Pipeline>) {
        let mut pipelines = vec![handle(0xbad); infos.len()];
        // SAFETY: the command's own type; valid arguments.
        let result = unsafe {
            let create: vk::PFN_vkCreateGraphicsPipelines =
                std::mem::transmute(self.device_command(c"vkCreateGraphicsPipelines"));
            create(
                self.device,
                vk::PipelineCache::null(),
                infos.len() as u32,
                infos.as_ptr(),
                ptr::null(),
                pipelines.as_mut_ptr(),
            )
        };
        (result, pipelines)
    }

    /// A pipeline layout with one set of these bindings.
    pub fn layout(&self, bindings: &[vk::DescriptorSetLayoutBinding<'_>]) -> vk::PipelineLayout {
        // SAFETY: the commands' own types; valid arguments.
        unsafe {
            let create_set: vk::PFN_vkCreateDescriptorSetLayout =
                std::mem::transmute(self.device_command(c"vkCreateDescriptorSetLayout"));
            let destroy_set: vk::PFN_vkDestroyDescriptorSetLayout =
                std::mem::transmute(self.device_command(c"vkDestroyDescriptorSetLayout"));
            let create: vk::PFN_vkCreatePipelineLayout =
                std::mem::transmute(self.device_command(c"vkCreatePipelineLayout"));
            let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(bindings);
            let mut set = vk::DescriptorSetLayout::null();
            assert_eq!(create_set(self.device, &info, ptr::null(), &mut set).as_raw(), 0);
            let sets = [set];
            let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&sets);
            let mut layout = vk::PipelineLayout::null();
            assert_eq!(create(self.device, &info, ptr::null(), &mut layout).as_raw(), 0);
            // Vulkan lets set layouts go before the pipeline layout.
            destroy_set(self.device, set, ptr::null());
            layout
        }
    }
}

impl Drop for App {
    fn drop(&mut self) {
        // SAFETY: the commands' own types; the last use of both handles.
        unsafe {
            if self.device != vk::Device::null() {
                let destroy: vk::PFN_vkDestroyDevice = std::mem::transmute(self.device_command(c"vkDestroyDevice"));
                destroy(self.device, ptr::null());
            }
            let destroy: vk::PFN_vkDestroyInstance = std::mem::transmute(self.instance_command(c"vkDestroyInstance"));
            destroy(self.instance, ptr::null());
        }
    }
}

/// What the fake itself answers to `vkGetDeviceProcAddr`.
///
/// # Safety
/// The device must be a live fake.
pub unsafe fn below(device: vk::Device, name: &CStr) -> vk::PFN_vkVoidFunction {
    // SAFETY: by the caller's contract.
    unsafe { fake::get_device_proc_addr(device, name.as_ptr()) }
}

/// Creates an instance, as the loader does.
pub fn create_instance(
    entry: &library::Negotiated,
    config: Config,
    request: &InstanceRequest,
) -> Result<vk::Instance, vk::Result> {
    let mut link = InstanceLink {
        next: ptr::null_mut(),
        get_instance_proc_addr: fake::get_instance_proc_addr,
        get_physical_device_proc_addr: ptr::null(),
    };
    let mut given = vec![(c"log_level", c"off")];
    given.extend(&request.settings);
    let values: Vec<*const c_char> = given.iter().map(|(_, value)| value.as_ptr()).collect();
    let settings: Vec<_> = given
        .iter()
        .zip(&values)
        .map(|((name, _), value)| vk::LayerSettingEXT {
            p_layer_name: c"VK_LAYER_DXIL_translate".as_ptr(),
            p_setting_name: name.as_ptr(),
            ty: vk::LayerSettingTypeEXT::STRING,
            value_count: 1,
            p_values: ptr::from_ref(value).cast(),
            ..Default::default()
        })
        .collect();
    let mut settings = vk::LayerSettingsCreateInfoEXT::default().settings(&settings);
    settings.p_next = request.next.unwrap_or(ptr::null());
    let loader = LayerCreateInfo::new(47, ptr::from_mut(&mut link).cast(), ptr::from_ref(&settings).cast());
    let application = vk::ApplicationInfo::default().api_version(request.api_version);
    let extensions: Vec<*const c_char> = request.extensions.iter().map(|e| e.as_ptr()).collect();
    let mut info =
        vk::InstanceCreateInfo::default().application_info(&application).enabled_extension_names(&extensions);
    info.p_next = ptr::from_ref(&loader).cast();
    let mut instance = vk::Instance::null();
    fake::NEXT_CONFIG.set(Some(config));
    // SAFETY: the command's own type; all arguments live through the call.
    let result = unsafe {
        let create = (entry.get_instance_proc_addr)(vk::Instance::null(), c"vkCreateInstance".as_ptr());
        let create: vk::PFN_vkCreateInstance = std::mem::transmute(create);
        create(&info, ptr::null(), &mut instance)
    };
    if result == vk::Result::SUCCESS { Ok(instance) } else { Err(result) }
}

/// Bytes as words, because code pointers are aligned; the tail is padded.
pub fn aligned(bytes: &[u8]) -> Vec<u32> {
    let word = |c: &[u8]| u32::from_le_bytes(std::array::from_fn(|i| c.get(i).copied().unwrap_or(0)));
    let mut words: Vec<u32> = bytes.chunks(4).map(word).collect();
    words.push(0);
    words
}

/// A compiled fixture of tests/fixtures.
pub fn fixture(name: &str) -> Vec<u8> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures").join(name);
    std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Some SPIR-V, as far as the layer looks: the magic number and words.
pub const SPIRV: [u32; 8] = [0x0723_0203, 0x0001_0300, 0, 1, 0, 0x0002_0011, 1, 7];
