//! An application above the layer.

use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr;

use ash::vk;

use crate::create_infos::{CreateCommand, CreateInfo, DestroyCommand, Object, ShaderCode};
use crate::fake::{self, Config, Event, FakeDevice, FakeInstance, handle};
use crate::library::{Negotiated, negotiate};
use crate::loader::{DeviceLink, InstanceLink, LayerCreateInfo};

/// An application's instance and device, created through the layer.
pub struct App {
    pub entry: Negotiated,
    pub instance: vk::Instance,
    pub device: vk::Device,
}

/// The parameters of an application's `vkCreateInstance`.
#[derive(Default)]
pub struct InstanceRequest {
    pub api_version: u32,
    pub next: Option<*const c_void>,
    pub extensions: Vec<CString>,
    /// The names of application and engine, whose versions are 7 and 9.
    pub names: Option<[&'static CStr; 2]>,
    /// Settings of the layer. `log_level` is `off` unless it is set here.
    pub settings: Vec<Setting>,
}

/// The name of a setting and its value.
pub type Setting = (&'static CStr, &'static CStr);

impl InstanceRequest {
    /// A request for Vulkan 1.3 with these settings.
    pub fn new(settings: impl Into<Vec<Setting>>) -> Self {
        Self { api_version: vk::API_VERSION_1_3, settings: settings.into(), ..Default::default() }
    }

    /// The same with the extension whose messengers get the layer's messages.
    pub fn with_messages(self) -> Self {
        Self { extensions: vec![c"VK_EXT_debug_utils".to_owned()], ..self }
    }
}

impl App {
    /// An instance and a device of Vulkan 1.3 without features and extensions.
    pub fn new(config: Config) -> Self {
        Self::with_device(config, &vk::DeviceCreateInfo::default()).expect("vkCreateDevice")
    }

    /// An instance of Vulkan 1.3, and a device with this create info.
    ///
    /// # Errors
    /// What a command returns.
    pub fn with_device(config: Config, info: &vk::DeviceCreateInfo<'_>) -> Result<Self, vk::Result> {
        Self::with(config, &InstanceRequest::new([]), info)
    }

    /// An instance with these parameters, and a device without features and extensions.
    pub fn with_request(config: Config, request: &InstanceRequest) -> Self {
        Self::with(config, request, &vk::DeviceCreateInfo::default()).unwrap()
    }

    /// An instance of Vulkan 1.3 with these settings, and a device without features and extensions.
    pub fn with_settings(settings: impl Into<Vec<Setting>>) -> Self {
        Self::with_request(Config::default(), &InstanceRequest::new(settings))
    }

    /// The same with messengers.
    pub fn with_messages(settings: impl Into<Vec<Setting>>) -> Self {
        Self::with_request(Config::default(), &InstanceRequest::new(settings).with_messages())
    }

    /// An instance with these parameters and a device with this create info.
    ///
    /// # Errors
    /// What a command returns.
    pub fn with(
        config: Config,
        request: &InstanceRequest,
        info: &vk::DeviceCreateInfo<'_>,
    ) -> Result<Self, vk::Result> {
        let mut app = Self::instance(config, request)?;
        app.device = app.create_device(info)?;
        Ok(app)
    }

    /// An instance without a device.
    ///
    /// # Errors
    /// What the command returns.
    pub fn instance(config: Config, request: &InstanceRequest) -> Result<Self, vk::Result> {
        let entry = negotiate();
        let instance = create_instance(&entry, config, request)?;
        Ok(Self { entry, instance, device: vk::Device::null() })
    }

    /// Creates a device as the loader does: its structure is chained before the application's.
    ///
    /// # Errors
    /// What the command returns.
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
        // SAFETY: the name determines the command's type. All arguments are valid and outlive the
        // call.
        let result = unsafe {
            let name = c"vkCreateDevice";
            let create: vk::PFN_vkCreateDevice = typed(name, self.instance_command(name));
            create(self.fake_instance().physical_device(), &info, ptr::null(), &mut device)
        };
        if result == vk::Result::SUCCESS { Ok(device) } else { Err(result) }
    }

    /// The command that the layer's `vkGetInstanceProcAddr` returns for a name.
    pub fn instance_command(&self, name: &CStr) -> vk::PFN_vkVoidFunction {
        // SAFETY: the instance is alive, and the name is null-terminated.
        unsafe { (self.entry.get_instance_proc_addr)(self.instance, name.as_ptr()) }
    }

    /// The command that the layer's `vkGetDeviceProcAddr` returns for a name.
    pub fn device_command(&self, name: &CStr) -> vk::PFN_vkVoidFunction {
        // SAFETY: the device is alive, and the name is null-terminated.
        unsafe { (self.entry.get_device_proc_addr)(self.device, name.as_ptr()) }
    }

    /// The fake instance below the layer. The layer does not wrap the handle.
    pub fn fake_instance(&self) -> &FakeInstance {
        // SAFETY: the fake has created the instance, and it lives as long as `self`.
        unsafe { FakeInstance::from_handle(self.instance) }
    }

    /// The fake device below the layer. The layer does not wrap the handle.
    pub fn fake_device(&self) -> &FakeDevice {
        // SAFETY: the fake has created the device, and it lives as long as `self`.
        unsafe { FakeDevice::from_handle(self.device) }
    }

    /// The calls that reached the fake device since this was last called.
    pub fn events(&self) -> Vec<Event> {
        self.fake_device().take()
    }

    /// A command of the layer, as a function pointer of its type.
    ///
    /// # Safety
    /// `T` must be the type of the command with that name.
    pub unsafe fn typed<T>(&self, name: &CStr) -> T {
        // SAFETY: by this function's contract.
        unsafe { typed(name, self.device_command(name)) }
    }

    /// Creates an object by the command of its create info. The command must succeed.
    pub fn create<I: CreateInfo>(&self, info: &I) -> I::Object {
        self.create_by(I::COMMAND, info)
    }

    /// Creates an object by an alias of the command of its create info. The command must succeed.
    pub fn create_by<I: CreateInfo>(&self, alias: &CStr, info: &I) -> I::Object {
        let (result, object) = self.try_create(alias, info);
        assert_eq!(result.as_raw(), 0, "{alias:?}");
        object
    }

    fn try_create<I: CreateInfo>(&self, command: &CStr, info: &I) -> (vk::Result, I::Object) {
        // The handle is not null, so that tests see whether the layer clears it.
        let mut object = handle(0xbad);
        // SAFETY: the command's own type, by the contract of `CreateInfo`; valid arguments.
        let result = unsafe {
            let create: CreateCommand<I, I::Object> = self.typed(command);
            create(self.device, info, ptr::null(), &mut object)
        };
        (result, object)
    }

    /// Destroys an object.
    pub fn destroy<O: Object>(&self, object: O) {
        // SAFETY: the command's own type, by the contract of `Object`; a live object.
        unsafe {
            let destroy: DestroyCommand<O> = self.typed(O::DESTROY);
            destroy(self.device, object, ptr::null());
        }
    }

    /// `vkCreateShaderModule`.
    pub fn create_module(&self, info: &vk::ShaderModuleCreateInfo<'_>) -> (vk::Result, vk::ShaderModule) {
        self.try_create(c"vkCreateShaderModule", info)
    }

    /// `vkCreateShaderModule` with these bytes as the code.
    pub fn module_of(&self, bytes: &[u8]) -> (vk::Result, vk::ShaderModule) {
        self.create_module(&ShaderCode::new(bytes).info())
    }

    /// A module with these bytes as the code. Its creation must succeed, and its events are
    /// forgotten.
    pub fn module(&self, bytes: &[u8]) -> vk::ShaderModule {
        let (result, module) = self.module_of(bytes);
        assert_eq!(result.as_raw(), 0, "{:?}", self.fake_instance().messages());
        self.events();
        module
    }

    /// The words of the modules that reached the fake device since events were last taken.
    pub fn words(&self) -> Vec<Vec<u32>> {
        let words = |event| match event {
            Event::Module { words, .. } => Some(words),
            _ => None,
        };
        self.events().into_iter().filter_map(words).collect()
    }

    /// The words of the module that is forwarded for this code.
    pub fn words_of(&self, code: &[u8]) -> Vec<u32> {
        let (result, _) = self.module_of(code);
        assert_eq!(result.as_raw(), 0);
        self.words().into_iter().next().expect("a module went down")
    }

    /// The text of the only message since messages were last taken.
    pub fn message(&self) -> String {
        let mut messages = self.fake_instance().messages();
        assert_eq!(messages.len(), 1, "{messages:?}");
        messages.remove(0).1
    }

    /// `vkDestroyShaderModule`.
    pub fn destroy_module(&self, module: vk::ShaderModule) {
        self.destroy(module);
    }

    /// `vkCreateComputePipelines`.
    pub fn compute(&self, infos: &[vk::ComputePipelineCreateInfo<'_>]) -> (vk::Result, Vec<vk::Pipeline>) {
        // SAFETY: the command's own type; valid arguments.
        unsafe {
            let create: vk::PFN_vkCreateComputePipelines = self.typed(c"vkCreateComputePipelines");
            created(infos, |count, infos, out| create(self.device, handle(0), count, infos, ptr::null(), out))
        }
    }

    /// `vkCreateGraphicsPipelines`.
    pub fn graphics(&self, infos: &[vk::GraphicsPipelineCreateInfo<'_>]) -> (vk::Result, Vec<vk::Pipeline>) {
        // SAFETY: the command's own type; valid arguments.
        unsafe {
            let create: vk::PFN_vkCreateGraphicsPipelines = self.typed(c"vkCreateGraphicsPipelines");
            created(infos, |count, infos, out| create(self.device, handle(0), count, infos, ptr::null(), out))
        }
    }

    /// A descriptor set layout of these bindings.
    pub fn set_layout(&self, bindings: &[vk::DescriptorSetLayoutBinding<'_>]) -> vk::DescriptorSetLayout {
        self.create(&vk::DescriptorSetLayoutCreateInfo::default().bindings(bindings))
    }

    /// `vkCreateShadersEXT`.
    pub fn shaders(&self, infos: &[vk::ShaderCreateInfoEXT<'_>]) -> (vk::Result, Vec<vk::ShaderEXT>) {
        // SAFETY: the command's own type; valid arguments.
        unsafe {
            let create: vk::PFN_vkCreateShadersEXT = self.typed(c"vkCreateShadersEXT");
            created(infos, |count, infos, out| create(self.device, count, infos, ptr::null(), out))
        }
    }

    /// A pipeline layout with one set of these bindings.
    pub fn layout(&self, bindings: &[vk::DescriptorSetLayoutBinding<'_>]) -> vk::PipelineLayout {
        let set = self.set_layout(bindings);
        let layout = self.create(&vk::PipelineLayoutCreateInfo::default().set_layouts(&[set]));
        // Vulkan allows destroying set layouts before the pipeline layout.
        self.destroy(set);
        layout
    }

    /// `vkGetShaderModuleIdentifierEXT`, after which the identifier has this size.
    pub fn identifier_size(&self, module: vk::ShaderModule) -> u32 {
        let mut identifier = vk::ShaderModuleIdentifierEXT { identifier_size: 3, ..Default::default() };
        // SAFETY: the command's own type; valid arguments.
        unsafe {
            let identify: vk::PFN_vkGetShaderModuleIdentifierEXT = self.typed(c"vkGetShaderModuleIdentifierEXT");
            identify(self.device, module, &mut identifier);
        }
        identifier.identifier_size
    }
}

/// A command as a function pointer of its type.
///
/// # Safety
/// `T` must be the type of the command with that name.
unsafe fn typed<T>(name: &CStr, command: vk::PFN_vkVoidFunction) -> T {
    let command = command.unwrap_or_else(|| panic!("{name:?}"));
    assert_eq!(size_of::<T>(), size_of_val(&command));
    // SAFETY: function pointers, of one type by this function's contract.
    unsafe { std::mem::transmute_copy(&command) }
}

/// Calls a command with a number of create infos, their address, and that of as many objects.
pub(crate) fn created<I, O: vk::Handle>(
    infos: &[I],
    create: impl FnOnce(u32, *const I, *mut O) -> vk::Result,
) -> (vk::Result, Vec<O>) {
    let mut objects: Vec<O> = infos.iter().map(|_| handle(0xbad)).collect();
    (create(infos.len() as u32, infos.as_ptr(), objects.as_mut_ptr()), objects)
}

impl Drop for App {
    fn drop(&mut self) {
        // SAFETY: the names determine the commands' types, and this is the last use of both
        // handles.
        unsafe {
            if self.device != vk::Device::null() {
                let destroy: vk::PFN_vkDestroyDevice = self.typed(c"vkDestroyDevice");
                destroy(self.device, ptr::null());
            }
            let name = c"vkDestroyInstance";
            let destroy: vk::PFN_vkDestroyInstance = typed(name, self.instance_command(name));
            destroy(self.instance, ptr::null());
        }
    }
}

/// The command that the fake's own `vkGetDeviceProcAddr` returns for a name.
///
/// # Safety
/// The device must be a live one of the fake.
pub unsafe fn below(device: vk::Device, name: &CStr) -> vk::PFN_vkVoidFunction {
    // SAFETY: the device is a live one of the fake by this function's contract, and the name is
    // null-terminated.
    unsafe { fake::get_device_proc_addr(device, name.as_ptr()) }
}

/// Creates an instance as the loader does.
///
/// # Errors
/// What the command returns.
pub fn create_instance(
    entry: &Negotiated,
    config: Config,
    request: &InstanceRequest,
) -> Result<vk::Instance, vk::Result> {
    let mut link = InstanceLink {
        next: ptr::null_mut(),
        get_instance_proc_addr: fake::get_instance_proc_addr,
        get_physical_device_proc_addr: ptr::null(),
    };
    let mut given = request.settings.clone();
    if !given.iter().any(|(key, _)| *key == c"log_level") {
        given.push((c"log_level", c"off"));
    }
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
    let mut application = vk::ApplicationInfo::default().api_version(request.api_version);
    if let Some([name, engine]) = request.names {
        application = application.application_name(name).application_version(7).engine_name(engine).engine_version(9);
    }
    let extensions: Vec<*const c_char> = request.extensions.iter().map(|e| e.as_ptr()).collect();
    let mut info =
        vk::InstanceCreateInfo::default().application_info(&application).enabled_extension_names(&extensions);
    info.p_next = ptr::from_ref(&loader).cast();
    let mut instance = vk::Instance::null();
    fake::NEXT_CONFIG.set(Some(config));
    // SAFETY: the name determines the command's type, and Vulkan allows a null instance for it. All
    // arguments are valid and outlive the call.
    let result = unsafe {
        let create = (entry.get_instance_proc_addr)(vk::Instance::null(), c"vkCreateInstance".as_ptr());
        let create: vk::PFN_vkCreateInstance = std::mem::transmute(create);
        create(&info, ptr::null(), &mut instance)
    };
    if result == vk::Result::SUCCESS { Ok(instance) } else { Err(result) }
}
