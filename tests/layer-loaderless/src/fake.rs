//! The fake next layer: it has every command, does nothing, and writes down what it was given.
//!
//! In: calls from the layer under test. Out: [`Event`]s and [`DeviceSeen`]s. What must hold: it reads only what Vulkan lets a
//! driver read, and copies what it wants to show later.

use std::cell::Cell;
use std::collections::HashMap;
use std::ffi::{CStr, CString, c_char, c_void};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use ash::vk;
use ash::vk::{Handle, TaggedStructure};

use crate::LayerCreateInfo;

/// What the fake supports, and how it behaves.
#[derive(Clone)]
pub struct Config {
    /// `VkPhysicalDeviceProperties::apiVersion`.
    pub api_version: u32,
    /// Whether every feature is supported, or none.
    pub all_features: bool,
    /// Device extensions.
    pub extensions: &'static [&'static CStr],
    /// Commands that it does not have.
    pub missing: fn(&CStr) -> bool,
    /// Devices that it refuses.
    pub refuse_device: fn(&DeviceSeen) -> bool,
    /// Whether equal modules get equal handles, as Vulkan allows.
    pub equal_handles: bool,
    /// Whether graphics pipelines have stages that may be read.
    pub read_stages: bool,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            api_version: vk::API_VERSION_1_3,
            all_features: true,
            extensions: &[],
            missing: |_| false,
            refuse_device: |_| false,
            equal_handles: false,
            read_stages: true,
        }
    }
}

thread_local! {
    /// The configuration of the next instance of this thread.
    pub static NEXT_CONFIG: Cell<Option<Config>> = const { Cell::new(None) };
}

/// One stage as it arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageSeen {
    pub module: u64,
    pub name: CString,
    pub flags: u32,
    /// `sType` and address of each node.
    pub chain: Vec<(i32, usize)>,
    pub chained_words: Option<Vec<u32>>,
    pub required_size: Option<u32>,
}

/// One pipeline as it arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PipelineSeen {
    pub flags: u32,
    pub base_index: i32,
    pub stages_at: usize,
    pub stages: Vec<StageSeen>,
    pub next: usize,
}

/// A call that reached the fake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    Module { info: usize, code: usize, next: usize, words: Vec<u32>, handle: u64 },
    DestroyModule(u64),
    Pipelines { infos: usize, out: usize, pipelines: Vec<PipelineSeen> },
    SetLayout { info: usize },
    DestroySetLayout(u64),
    PipelineLayout { info: usize },
    DestroyPipelineLayout(u64),
    RayTracing { infos: usize },
    Shaders { infos: usize },
    ModuleIdentifier(u64),
    CreateInfoIdentifier { info: usize },
    PipelineKey { info: usize },
    PipelineBinaries { info: usize },
}

/// A device create info as it arrived.
#[derive(Clone, Debug, Default)]
pub struct DeviceSeen {
    pub info: usize,
    /// What the loader's link was.
    pub link: Option<usize>,
    /// `sType` and address of each node.
    pub chain: Vec<(i32, usize)>,
    /// Members of the feature structures that the fake knows, by `sType`.
    pub features: HashMap<i32, Vec<u32>>,
    /// `pEnabledFeatures`.
    pub core_at: usize,
    pub core: Option<Vec<u32>>,
    pub extensions: Vec<CString>,
}

/// The fake instance. A physical device is another pointer to the same dispatch pointer.
#[repr(C)]
pub struct FakeInstance {
    dispatch: *const u8,
    physical: [*const c_void; 2],
    config: Config,
    devices: Mutex<Vec<DeviceSeen>>,
    messages: Mutex<Vec<(vk::DebugUtilsMessageSeverityFlagsEXT, String)>>,
}

/// The fake device.
#[repr(C)]
pub struct FakeDevice {
    dispatch: *const u8,
    config: Config,
    events: Mutex<Vec<Event>>,
    modules: Mutex<Vec<Vec<u32>>>,
}

impl FakeInstance {
    /// # Safety
    /// The instance must be a live fake.
    pub unsafe fn of<'a>(instance: vk::Instance) -> &'a Self {
        // SAFETY: by the caller's contract.
        unsafe { &*(instance.as_raw() as usize as *const Self) }
    }
    /// The one physical device.
    pub fn physical_device(&self) -> vk::PhysicalDevice {
        vk::PhysicalDevice::from_raw(self.physical.as_ptr() as usize as u64)
    }
    /// Create infos that reached the fake.
    pub fn devices(&self) -> Vec<DeviceSeen> {
        self.devices.lock().unwrap().clone()
    }
    /// Debug-utils messages that reached the fake since the last call.
    pub fn messages(&self) -> Vec<(vk::DebugUtilsMessageSeverityFlagsEXT, String)> {
        std::mem::take(&mut self.messages.lock().unwrap())
    }
    unsafe fn of_physical<'a>(device: vk::PhysicalDevice) -> &'a Self {
        // SAFETY: `physical[1]` of a live fake points back to it.
        unsafe { &*(*(device.as_raw() as usize as *const *const Self).add(1)) }
    }
}

impl FakeDevice {
    /// # Safety
    /// The device must be a live fake.
    pub unsafe fn of<'a>(device: vk::Device) -> &'a Self {
        // SAFETY: by the caller's contract.
        unsafe { &*(device.as_raw() as usize as *const Self) }
    }
    /// Calls since the last time.
    pub fn take(&self) -> Vec<Event> {
        std::mem::take(&mut self.events.lock().unwrap())
    }
    fn push(&self, event: Event) {
        self.events.lock().unwrap().push(event);
    }
}

/// A fresh handle, or a given one.
pub fn handle<T: Handle>(raw: u64) -> T {
    T::from_raw(raw)
}

fn fresh<T: Handle>() -> T {
    static NEXT: AtomicU64 = AtomicU64::new(0x1_0000);
    T::from_raw(NEXT.fetch_add(1, Ordering::Relaxed))
}

fn address<T: ?Sized>(pointer: *const T) -> usize {
    pointer.cast::<u8>() as usize
}

/// How many `VkBool32` a feature structure has, for those that tests look into.
fn members(s_type: i32) -> Option<usize> {
    let of = |size: usize| Some((size - 16) / 4);
    match vk::StructureType::from_raw(s_type) {
        vk::PhysicalDeviceFeatures2::STRUCTURE_TYPE => Some(55),
        vk::PhysicalDeviceVulkan11Features::STRUCTURE_TYPE => Some(12),
        vk::PhysicalDeviceVulkan12Features::STRUCTURE_TYPE => Some(47),
        vk::PhysicalDeviceVulkan13Features::STRUCTURE_TYPE => Some(15),
        vk::PhysicalDevice16BitStorageFeatures::STRUCTURE_TYPE => {
            of(size_of::<vk::PhysicalDevice16BitStorageFeatures<'_>>())
        }
        vk::PhysicalDeviceDescriptorIndexingFeatures::STRUCTURE_TYPE => Some(20),
        vk::PhysicalDeviceShaderFloat16Int8Features::STRUCTURE_TYPE => Some(2),
        vk::PhysicalDeviceShaderDemoteToHelperInvocationFeatures::STRUCTURE_TYPE
        | vk::PhysicalDeviceMaintenance4Features::STRUCTURE_TYPE
        | vk::PhysicalDeviceShaderMaximalReconvergenceFeaturesKHR::STRUCTURE_TYPE
        | vk::PhysicalDeviceShaderDrawParametersFeatures::STRUCTURE_TYPE => Some(1),
        vk::PhysicalDeviceVulkanMemoryModelFeatures::STRUCTURE_TYPE => Some(3),
        vk::PhysicalDeviceSubgroupSizeControlFeatures::STRUCTURE_TYPE => Some(2),
        _ => None,
    }
}

unsafe fn chain(mut next: *const c_void) -> Vec<(i32, usize)> {
    let mut out = Vec::new();
    while !next.is_null() {
        // SAFETY: a valid chain.
        unsafe {
            let node = &*next.cast::<vk::BaseInStructure<'_>>();
            out.push((node.s_type.as_raw(), address(next)));
            next = node.p_next.cast();
        }
    }
    out
}

unsafe fn bools(at: usize, offset: usize, count: usize) -> Vec<u32> {
    // SAFETY: the caller's structure has as many.
    unsafe { std::slice::from_raw_parts((at + offset) as *const u32, count) }.to_vec()
}

unsafe fn see_device(info: &vk::DeviceCreateInfo<'_>) -> DeviceSeen {
    // SAFETY: a valid create info.
    unsafe {
        let chain = chain(info.p_next);
        let link = chain.iter().find(|(t, _)| *t == 48).map(|(_, at)| (*(*at as *const LayerCreateInfo)).link as usize);
        let features =
            chain.iter().filter_map(|&(t, at)| Some((t, bools(at, 16, members(t)?)))).collect::<HashMap<_, _>>();
        let core = (!info.p_enabled_features.is_null()).then(|| bools(address(info.p_enabled_features), 0, 55));
        let extensions = (0..info.enabled_extension_count as usize)
            .map(|i| CStr::from_ptr(*info.pp_enabled_extension_names.add(i)).to_owned())
            .collect();
        DeviceSeen {
            info: address(info),
            link,
            chain,
            features,
            core_at: address(info.p_enabled_features),
            core,
            extensions,
        }
    }
}

unsafe fn see_stage(stage: &vk::PipelineShaderStageCreateInfo<'_>) -> StageSeen {
    // SAFETY: a valid stage.
    unsafe {
        let chain = chain(stage.p_next);
        let find = |t: vk::StructureType| chain.iter().find(|(s, _)| *s == t.as_raw()).map(|(_, at)| *at);
        let chained_words = find(vk::ShaderModuleCreateInfo::STRUCTURE_TYPE).map(|at| {
            let info = &*(at as *const vk::ShaderModuleCreateInfo<'_>);
            std::slice::from_raw_parts(info.p_code, info.code_size / 4).to_vec()
        });
        let required_size = find(vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo::STRUCTURE_TYPE).map(|at| {
            (*(at as *const vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo<'_>)).required_subgroup_size
        });
        StageSeen {
            module: stage.module.as_raw(),
            name: CStr::from_ptr(stage.p_name).to_owned(),
            flags: stage.flags.as_raw(),
            chain,
            chained_words,
            required_size,
        }
    }
}

unsafe extern "system" fn create_instance(
    _info: *const vk::InstanceCreateInfo<'_>,
    _allocator: *const vk::AllocationCallbacks<'_>,
    out: *mut vk::Instance,
) -> vk::Result {
    let config = NEXT_CONFIG.take().unwrap_or_default();
    let dispatch: *const u8 = Box::into_raw(Box::new(0u8));
    let instance = Box::into_raw(Box::new(FakeInstance {
        dispatch,
        physical: [dispatch.cast(), std::ptr::null()],
        config,
        devices: Mutex::default(),
        messages: Mutex::default(),
    }));
    // SAFETY: just made; `out` is valid.
    unsafe {
        (*instance).physical[1] = instance.cast();
        *out = vk::Instance::from_raw(instance as usize as u64);
    }
    vk::Result::SUCCESS
}

unsafe extern "system" fn destroy_instance(instance: vk::Instance, _: *const vk::AllocationCallbacks<'_>) {
    // SAFETY: made by `create_instance`.
    unsafe {
        let fake = Box::from_raw(instance.as_raw() as usize as *mut FakeInstance);
        drop(Box::from_raw(fake.dispatch.cast_mut()));
    }
}

unsafe extern "system" fn create_device(
    physical: vk::PhysicalDevice,
    info: *const vk::DeviceCreateInfo<'_>,
    _allocator: *const vk::AllocationCallbacks<'_>,
    out: *mut vk::Device,
) -> vk::Result {
    // SAFETY: valid arguments.
    unsafe {
        let instance = FakeInstance::of_physical(physical);
        let seen = see_device(&*info);
        let refused = (instance.config.refuse_device)(&seen);
        instance.devices.lock().unwrap().push(seen);
        if refused {
            return vk::Result::ERROR_FEATURE_NOT_PRESENT;
        }
        let device = Box::into_raw(Box::new(FakeDevice {
            dispatch: Box::into_raw(Box::new(0u8)),
            config: instance.config.clone(),
            events: Mutex::default(),
            modules: Mutex::default(),
        }));
        *out = vk::Device::from_raw(device as usize as u64);
    }
    vk::Result::SUCCESS
}

unsafe extern "system" fn destroy_device(device: vk::Device, _: *const vk::AllocationCallbacks<'_>) {
    // SAFETY: made by `create_device`.
    unsafe {
        let fake = Box::from_raw(device.as_raw() as usize as *mut FakeDevice);
        drop(Box::from_raw(fake.dispatch.cast_mut()));
    }
}

unsafe extern "system" fn get_properties(device: vk::PhysicalDevice, out: *mut vk::PhysicalDeviceProperties) {
    // SAFETY: valid arguments.
    unsafe {
        *out = vk::PhysicalDeviceProperties::default();
        (*out).api_version = FakeInstance::of_physical(device).config.api_version;
        (*out).limits.max_push_constants_size = 128;
        (*out).limits.max_bound_descriptor_sets = 8;
        (*out).limits.max_uniform_buffer_range = 65536;
        (*out).limits.max_compute_shared_memory_size = 32768;
        (*out).limits.max_compute_work_group_invocations = 1024;
    }
}

unsafe extern "system" fn get_properties2(device: vk::PhysicalDevice, out: *mut vk::PhysicalDeviceProperties2<'_>) {
    // SAFETY: valid arguments.
    unsafe {
        get_properties(device, &raw mut (*out).properties);
        for (s_type, at) in chain((*out).p_next) {
            if vk::StructureType::from_raw(s_type) == vk::PhysicalDeviceSubgroupProperties::STRUCTURE_TYPE {
                let subgroup = &mut *(at as *mut vk::PhysicalDeviceSubgroupProperties<'_>);
                subgroup.subgroup_size = 8;
                subgroup.supported_stages = vk::ShaderStageFlags::ALL;
                subgroup.supported_operations = vk::SubgroupFeatureFlags::from_raw(0xff);
            }
        }
    }
}

unsafe extern "system" fn get_features(device: vk::PhysicalDevice, out: *mut vk::PhysicalDeviceFeatures) {
    // SAFETY: valid arguments.
    unsafe {
        let value = u32::from(FakeInstance::of_physical(device).config.all_features);
        std::slice::from_raw_parts_mut(out.cast::<u32>(), 55).fill(value);
    }
}

unsafe extern "system" fn get_features2(device: vk::PhysicalDevice, out: *mut vk::PhysicalDeviceFeatures2<'_>) {
    // SAFETY: valid arguments; a structure the fake does not know gets its first member only.
    unsafe {
        get_features(device, &raw mut (*out).features);
        let value = u32::from(FakeInstance::of_physical(device).config.all_features);
        for (s_type, at) in chain((*out).p_next) {
            std::slice::from_raw_parts_mut((at + 16) as *mut u32, members(s_type).unwrap_or(1)).fill(value);
        }
    }
}

unsafe extern "system" fn enumerate_extensions(
    device: vk::PhysicalDevice,
    _layer: *const c_char,
    count: *mut u32,
    out: *mut vk::ExtensionProperties,
) -> vk::Result {
    // SAFETY: valid arguments.
    unsafe {
        let extensions = FakeInstance::of_physical(device).config.extensions;
        if !out.is_null() {
            for (i, name) in extensions.iter().take(*count as usize).enumerate() {
                let mut properties = vk::ExtensionProperties::default();
                for (to, from) in properties.extension_name.iter_mut().zip(name.to_bytes()) {
                    *to = *from as c_char;
                }
                *out.add(i) = properties;
            }
        }
        *count = extensions.len() as u32;
    }
    vk::Result::SUCCESS
}

unsafe extern "system" fn submit_message(
    instance: vk::Instance,
    severity: vk::DebugUtilsMessageSeverityFlagsEXT,
    _types: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
) {
    // SAFETY: valid arguments.
    unsafe {
        let text = CStr::from_ptr((*data).p_message).to_string_lossy().into_owned();
        FakeInstance::of(instance).messages.lock().unwrap().push((severity, text));
    }
}

unsafe extern "system" fn create_module(
    device: vk::Device,
    info: *const vk::ShaderModuleCreateInfo<'_>,
    _allocator: *const vk::AllocationCallbacks<'_>,
    out: *mut vk::ShaderModule,
) -> vk::Result {
    // SAFETY: valid arguments.
    unsafe {
        let fake = FakeDevice::of(device);
        let words = std::slice::from_raw_parts((*info).p_code, (*info).code_size / 4).to_vec();
        *out = fresh();
        if fake.config.equal_handles {
            let mut modules = fake.modules.lock().unwrap();
            let at = modules.iter().position(|m| *m == words).unwrap_or_else(|| {
                modules.push(words.clone());
                modules.len() - 1
            });
            *out = vk::ShaderModule::from_raw(0x100 + at as u64);
        }
        fake.push(Event::Module {
            info: address(info),
            code: address((*info).p_code),
            next: address((*info).p_next),
            words,
            handle: (*out).as_raw(),
        });
    }
    vk::Result::SUCCESS
}

macro_rules! destroys {
    ($($function:ident $ty:ident $event:ident;)*) => {$(
        unsafe extern "system" fn $function(device: vk::Device, object: vk::$ty, _: *const vk::AllocationCallbacks<'_>) {
            // SAFETY: valid arguments.
            unsafe { FakeDevice::of(device) }.push(Event::$event(object.as_raw()));
        }
    )*};
}
destroys! {
    destroy_module ShaderModule DestroyModule;
    destroy_set_layout DescriptorSetLayout DestroySetLayout;
    destroy_pipeline_layout PipelineLayout DestroyPipelineLayout;
}

unsafe extern "system" fn create_set_layout(
    device: vk::Device,
    info: *const vk::DescriptorSetLayoutCreateInfo<'_>,
    _: *const vk::AllocationCallbacks<'_>,
    out: *mut vk::DescriptorSetLayout,
) -> vk::Result {
    // SAFETY: valid arguments.
    unsafe {
        *out = fresh();
        FakeDevice::of(device).push(Event::SetLayout { info: address(info) });
    }
    vk::Result::SUCCESS
}

unsafe extern "system" fn create_pipeline_layout(
    device: vk::Device,
    info: *const vk::PipelineLayoutCreateInfo<'_>,
    _: *const vk::AllocationCallbacks<'_>,
    out: *mut vk::PipelineLayout,
) -> vk::Result {
    // SAFETY: valid arguments.
    unsafe {
        *out = fresh();
        FakeDevice::of(device).push(Event::PipelineLayout { info: address(info) });
    }
    vk::Result::SUCCESS
}

unsafe extern "system" fn create_compute(
    device: vk::Device,
    _cache: vk::PipelineCache,
    count: u32,
    infos: *const vk::ComputePipelineCreateInfo<'_>,
    _: *const vk::AllocationCallbacks<'_>,
    out: *mut vk::Pipeline,
) -> vk::Result {
    // SAFETY: valid arguments.
    unsafe {
        let seen = |info: &vk::ComputePipelineCreateInfo<'_>| PipelineSeen {
            flags: info.flags.as_raw(),
            base_index: info.base_pipeline_index,
            stages_at: address(&raw const info.stage),
            stages: vec![see_stage(&info.stage)],
            next: address(info.p_next),
        };
        let pipelines = std::slice::from_raw_parts(infos, count as usize).iter().map(seen).collect();
        FakeDevice::of(device).push(Event::Pipelines { infos: address(infos), out: address(out), pipelines });
        (0..count as usize).for_each(|i| *out.add(i) = fresh());
    }
    vk::Result::SUCCESS
}

unsafe extern "system" fn create_graphics(
    device: vk::Device,
    _cache: vk::PipelineCache,
    count: u32,
    infos: *const vk::GraphicsPipelineCreateInfo<'_>,
    _: *const vk::AllocationCallbacks<'_>,
    out: *mut vk::Pipeline,
) -> vk::Result {
    // SAFETY: valid arguments.
    unsafe {
        let read = FakeDevice::of(device).config.read_stages;
        let stages = |info: &vk::GraphicsPipelineCreateInfo<'_>| {
            (0..if read { info.stage_count as usize } else { 0 }).map(|i| see_stage(&*info.p_stages.add(i))).collect()
        };
        let seen = |info: &vk::GraphicsPipelineCreateInfo<'_>| PipelineSeen {
            flags: info.flags.as_raw(),
            base_index: info.base_pipeline_index,
            stages_at: address(info.p_stages),
            stages: stages(info),
            next: address(info.p_next),
        };
        let pipelines = std::slice::from_raw_parts(infos, count as usize).iter().map(seen).collect();
        FakeDevice::of(device).push(Event::Pipelines { infos: address(infos), out: address(out), pipelines });
        (0..count as usize).for_each(|i| *out.add(i) = fresh());
    }
    vk::Result::SUCCESS
}

unsafe extern "system" fn create_ray_tracing(
    device: vk::Device,
    _operation: vk::DeferredOperationKHR,
    _cache: vk::PipelineCache,
    count: u32,
    infos: *const vk::RayTracingPipelineCreateInfoKHR<'_>,
    _: *const vk::AllocationCallbacks<'_>,
    out: *mut vk::Pipeline,
) -> vk::Result {
    // SAFETY: valid arguments.
    unsafe {
        FakeDevice::of(device).push(Event::RayTracing { infos: address(infos) });
        (0..count as usize).for_each(|i| *out.add(i) = fresh());
    }
    // A success code above zero must come through as it is.
    vk::Result::OPERATION_NOT_DEFERRED_KHR
}

unsafe extern "system" fn create_shaders(
    device: vk::Device,
    count: u32,
    infos: *const vk::ShaderCreateInfoEXT<'_>,
    _: *const vk::AllocationCallbacks<'_>,
    out: *mut vk::ShaderEXT,
) -> vk::Result {
    // SAFETY: valid arguments.
    unsafe {
        FakeDevice::of(device).push(Event::Shaders { infos: address(infos) });
        (0..count as usize).for_each(|i| *out.add(i) = fresh());
    }
    vk::Result::SUCCESS
}

unsafe extern "system" fn module_identifier(
    device: vk::Device,
    module: vk::ShaderModule,
    out: *mut vk::ShaderModuleIdentifierEXT<'_>,
) {
    // SAFETY: valid arguments.
    unsafe {
        (*out).identifier_size = 7;
        FakeDevice::of(device).push(Event::ModuleIdentifier(module.as_raw()));
    }
}

unsafe extern "system" fn create_info_identifier(
    device: vk::Device,
    info: *const vk::ShaderModuleCreateInfo<'_>,
    out: *mut vk::ShaderModuleIdentifierEXT<'_>,
) {
    // SAFETY: valid arguments.
    unsafe {
        (*out).identifier_size = 7;
        FakeDevice::of(device).push(Event::CreateInfoIdentifier { info: address(info) });
    }
}

unsafe extern "system" fn pipeline_key(device: vk::Device, info: *const c_void, _key: *mut c_void) -> vk::Result {
    // SAFETY: valid arguments.
    unsafe { FakeDevice::of(device) }.push(Event::PipelineKey { info: address(info) });
    vk::Result::SUCCESS
}

unsafe extern "system" fn pipeline_binaries(
    device: vk::Device,
    info: *const c_void,
    _: *const c_void,
    _out: *mut c_void,
) -> vk::Result {
    // SAFETY: valid arguments.
    unsafe { FakeDevice::of(device) }.push(Event::PipelineBinaries { info: address(info) });
    vk::Result::SUCCESS
}

/// Any other command: never called by these tests, only compared.
///
/// # Safety
/// None is needed: it does nothing.
pub unsafe extern "system" fn other() {}

macro_rules! command {
    ($function:ident as $pfn:ident) => {{
        let function: vk::$pfn = $function;
        // SAFETY: function pointers; the layer casts back by name.
        Some(unsafe { std::mem::transmute::<vk::$pfn, unsafe extern "system" fn()>(function) })
    }};
}

fn command(name: &CStr) -> vk::PFN_vkVoidFunction {
    match name.to_bytes() {
        b"vkCreateInstance" => command!(create_instance as PFN_vkCreateInstance),
        b"vkDestroyInstance" => command!(destroy_instance as PFN_vkDestroyInstance),
        b"vkCreateDevice" => command!(create_device as PFN_vkCreateDevice),
        b"vkDestroyDevice" => command!(destroy_device as PFN_vkDestroyDevice),
        b"vkGetPhysicalDeviceProperties" => command!(get_properties as PFN_vkGetPhysicalDeviceProperties),
        b"vkGetPhysicalDeviceProperties2" => command!(get_properties2 as PFN_vkGetPhysicalDeviceProperties2),
        b"vkGetPhysicalDeviceFeatures" => command!(get_features as PFN_vkGetPhysicalDeviceFeatures),
        b"vkGetPhysicalDeviceFeatures2" => command!(get_features2 as PFN_vkGetPhysicalDeviceFeatures2),
        b"vkEnumerateDeviceExtensionProperties" => {
            command!(enumerate_extensions as PFN_vkEnumerateDeviceExtensionProperties)
        }
        b"vkSubmitDebugUtilsMessageEXT" => command!(submit_message as PFN_vkSubmitDebugUtilsMessageEXT),
        b"vkCreateShaderModule" => command!(create_module as PFN_vkCreateShaderModule),
        b"vkDestroyShaderModule" => command!(destroy_module as PFN_vkDestroyShaderModule),
        b"vkCreateDescriptorSetLayout" => command!(create_set_layout as PFN_vkCreateDescriptorSetLayout),
        b"vkDestroyDescriptorSetLayout" => command!(destroy_set_layout as PFN_vkDestroyDescriptorSetLayout),
        b"vkCreatePipelineLayout" => command!(create_pipeline_layout as PFN_vkCreatePipelineLayout),
        b"vkDestroyPipelineLayout" => command!(destroy_pipeline_layout as PFN_vkDestroyPipelineLayout),
        b"vkCreateGraphicsPipelines" => command!(create_graphics as PFN_vkCreateGraphicsPipelines),
        b"vkCreateComputePipelines" => command!(create_compute as PFN_vkCreateComputePipelines),
        b"vkCreateRayTracingPipelinesKHR" => command!(create_ray_tracing as PFN_vkCreateRayTracingPipelinesKHR),
        b"vkCreateShadersEXT" => command!(create_shaders as PFN_vkCreateShadersEXT),
        b"vkGetShaderModuleIdentifierEXT" => command!(module_identifier as PFN_vkGetShaderModuleIdentifierEXT),
        b"vkGetShaderModuleCreateInfoIdentifierEXT" => {
            command!(create_info_identifier as PFN_vkGetShaderModuleCreateInfoIdentifierEXT)
        }
        // SAFETY: function pointers; the layer casts back by name.
        b"vkGetPipelineKeyKHR" => {
            Some(unsafe { std::mem::transmute::<*const (), unsafe extern "system" fn()>(pipeline_key as *const ()) })
        }
        // SAFETY: as above.
        b"vkCreatePipelineBinariesKHR" => Some(unsafe {
            std::mem::transmute::<*const (), unsafe extern "system" fn()>(pipeline_binaries as *const ())
        }),
        _ => Some(other),
    }
}

/// The fake's `vkGetInstanceProcAddr`.
pub unsafe extern "system" fn get_instance_proc_addr(
    instance: vk::Instance,
    name: *const c_char,
) -> vk::PFN_vkVoidFunction {
    // SAFETY: a valid string, a live fake.
    unsafe {
        let name = CStr::from_ptr(name);
        if instance != vk::Instance::null() && (FakeInstance::of(instance).config.missing)(name) {
            return None;
        }
        command(name)
    }
}

/// The fake's `vkGetDeviceProcAddr`.
pub unsafe extern "system" fn get_device_proc_addr(device: vk::Device, name: *const c_char) -> vk::PFN_vkVoidFunction {
    // SAFETY: a valid string, a live fake.
    unsafe {
        let name = CStr::from_ptr(name);
        if (FakeDevice::of(device).config.missing)(name) { None } else { command(name) }
    }
}
