//! The fake next layer. It has every command, does no work, and records its arguments.
//!
//! In: calls from the layer under test. Out: [`Event`]s and [`DeviceSeen`]s. What must hold: the
//! fake reads only memory that a driver may read, and copies everything that it records.
//!
//! Its commands are `unsafe` functions with the contract of the Vulkan specification: handles are
//! alive and of the fake, and pointers are valid for the call. The layer under test upholds that
//! contract for the layer below it.

use std::cell::Cell;
use std::collections::HashMap;
use std::ffi::{CStr, CString, c_char, c_void};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use ash::vk;
use ash::vk::{Handle, TaggedStructure};

use crate::LayerCreateInfo;

mod objects;
mod rays;

use objects::{
    create_compute, create_conversion, create_execution_graphs, create_graphics, create_info_identifier, create_module,
    create_pipeline_layout, create_render_pass, create_render_pass2, create_sampler, create_set_layout, create_shaders,
    destroy_conversion, destroy_module, destroy_pipeline, destroy_pipeline_layout, destroy_render_pass,
    destroy_sampler, destroy_set_layout, indirect_requirements, module_identifier, pipeline_binaries, pipeline_key,
    set_object_name,
};
pub use rays::Deferral;
use rays::{
    create_khr as create_rays_khr, create_nv as create_rays_nv, destroy as destroy_operation, join,
    result as deferred_result,
};

/// The features of the fake, and its behaviour.
#[derive(Clone)]
pub struct Config {
    /// `VkPhysicalDeviceProperties::apiVersion`.
    pub api_version: u32,
    /// Whether the fake supports every feature; otherwise it supports none.
    pub all_features: bool,
    /// The features that the fake does not support all the same: a structure's `sType`, and the
    /// number of the member.
    pub lacks: &'static [(i32, usize)],
    /// The device extensions that the fake supports.
    pub extensions: &'static [&'static CStr],
    /// The tools of the physical device: the layer and the version of each.
    pub tools: &'static [(&'static CStr, &'static CStr)],
    /// Returns true for commands that the fake does not have.
    pub missing: fn(&CStr) -> bool,
    /// Returns true for devices that the fake refuses to create.
    pub refuse_device: fn(&DeviceSeen) -> bool,
    /// Whether equal modules get equal handles, as Vulkan allows.
    pub equal_handles: bool,
    /// Whether the fake may read the stages of graphics pipelines. Some tests pass an invalid
    /// pointer where Vulkan ignores the stages.
    pub read_stages: bool,
    /// When the fake does the work of deferred operations.
    pub deferral: Deferral,
    /// What `vkCreateShaderModule` returns without doing anything, if not `None`.
    pub module_result: Option<vk::Result>,
    /// What `vkCreateShadersEXT` returns after creating all shaders.
    pub shaders_result: vk::Result,
    /// What `vkCreateRayTracingPipelinesKHR` returns without doing anything, if not `None`.
    pub rays_result: Option<vk::Result>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            api_version: vk::API_VERSION_1_3,
            all_features: true,
            lacks: &[],
            extensions: &[],
            tools: &[],
            missing: |_| false,
            refuse_device: |_| false,
            equal_handles: false,
            read_stages: true,
            deferral: Deferral::Never,
            module_result: None,
            shaders_result: vk::Result::SUCCESS,
            rays_result: None,
        }
    }
}

thread_local! {
    /// The configuration of the next instance that this thread creates.
    pub static NEXT_CONFIG: Cell<Option<Config>> = const { Cell::new(None) };
}

/// A pipeline stage as it reached the fake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageSeen {
    pub stage: u32,
    pub module: u64,
    pub name: CString,
    pub flags: u32,
    /// `sType` and address of each node.
    pub chain: Vec<(i32, usize)>,
    pub chained_words: Option<Vec<u32>>,
    pub required_size: Option<u32>,
    /// `storageBuffers`, `uniformBuffers`, `vertexInputs` and `images` of a
    /// `VkPipelineRobustnessCreateInfo`.
    pub robustness: Option<[i32; 4]>,
}

/// A pipeline's create info as it reached the fake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PipelineSeen {
    pub flags: u32,
    pub base_index: i32,
    pub stages_at: usize,
    pub stages: Vec<StageSeen>,
    /// The stages of each shader group.
    pub groups: Vec<Vec<StageSeen>>,
    pub next: usize,
}

/// The create info of a shader object as it reached the fake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShaderSeen {
    pub flags: u32,
    pub stage: u32,
    pub code_type: i32,
    pub code: Vec<u8>,
    pub name: Option<CString>,
    /// `sType` and address of each node.
    pub chain: Vec<(i32, usize)>,
    pub set_layouts: usize,
}

/// The create info of a ray-tracing pipeline as it reached the fake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RaysSeen {
    pub flags: u32,
    pub base_index: i32,
    pub base: u64,
    pub layout: u64,
    pub stages_at: usize,
    pub stages: Vec<StageSeen>,
    pub groups_at: usize,
    pub groups: Vec<GroupSeen>,
    pub next: usize,
    /// The pointers `pLibraryInfo`, `pLibraryInterface` and `pDynamicState`, which
    /// `VkRayTracingPipelineCreateInfoNV` does not have.
    pub others: Vec<usize>,
}

/// All members of a shader group: `sType`, `pNext`, `type`, the four shaders, and
/// `pShaderGroupCaptureReplayHandle`.
pub type GroupSeen = (i32, usize, i32, [u32; 4], usize);

/// A call that reached the fake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    Module {
        info: usize,
        code: usize,
        next: usize,
        words: Vec<u32>,
        handle: u64,
    },
    DestroyModule(u64),
    Pipelines {
        infos: usize,
        out: usize,
        pipelines: Vec<PipelineSeen>,
    },
    SetLayout {
        info: usize,
    },
    DestroySetLayout(u64),
    PipelineLayout {
        info: usize,
    },
    DestroyPipelineLayout(u64),
    /// A deferred call is seen when its work is done.
    RayTracing {
        operation: u64,
        infos: usize,
        out: usize,
        pipelines: Vec<RaysSeen>,
    },
    DestroyOperation(u64),
    Shaders {
        infos: usize,
        out: usize,
        shaders: Vec<ShaderSeen>,
    },
    ModuleIdentifier(u64),
    CreateInfoIdentifier {
        info: usize,
        words: Vec<u32>,
    },
    /// The stages are those of the nested create info.
    PipelineKey {
        info: usize,
        stages: Vec<StageSeen>,
    },
    PipelineBinaries {
        info: usize,
        stages: Vec<StageSeen>,
    },
    IndirectRequirements {
        info: usize,
        stages: Vec<StageSeen>,
    },
    Name {
        info: usize,
        object: u64,
        name: Option<CString>,
    },
}

/// A device's create info as it reached the fake.
#[derive(Clone, Debug, Default)]
pub struct DeviceSeen {
    pub info: usize,
    /// The link in the loader's structure.
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

/// A message of VK_EXT_debug_utils.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    pub severity: vk::DebugUtilsMessageSeverityFlagsEXT,
    pub id: String,
    pub number: i32,
    pub objects: Vec<(vk::ObjectType, u64)>,
    pub text: String,
}

/// The fake instance. Its physical device is the address of `physical`, whose first word is the
/// same dispatch pointer.
#[repr(C)]
pub struct FakeInstance {
    dispatch: *const u8,
    physical: [*const c_void; 2],
    config: Config,
    devices: Mutex<Vec<DeviceSeen>>,
    messages: Mutex<Vec<Message>>,
}

/// The fake device.
#[repr(C)]
pub struct FakeDevice {
    dispatch: *const u8,
    config: Config,
    events: Mutex<Vec<Event>>,
    modules: Mutex<Vec<Vec<u32>>>,
    pending: Mutex<HashMap<u64, rays::Pending>>,
    module_allocators: Mutex<Vec<usize>>,
}

impl FakeInstance {
    /// # Safety
    /// The instance must be one of the fake, and alive for `'a`.
    pub unsafe fn from_handle<'a>(instance: vk::Instance) -> &'a Self {
        // SAFETY: the handle is the address of the fake instance that `create_instance` has made.
        unsafe { &*(instance.as_raw() as usize as *const Self) }
    }
    /// The one physical device.
    pub fn physical_device(&self) -> vk::PhysicalDevice {
        vk::PhysicalDevice::from_raw(self.physical.as_ptr() as usize as u64)
    }
    /// The device create infos that reached the fake.
    pub fn devices(&self) -> Vec<DeviceSeen> {
        self.devices.lock().unwrap().clone()
    }
    /// The VK_EXT_debug_utils messages that reached the fake since this was last called.
    pub fn messages(&self) -> Vec<(vk::DebugUtilsMessageSeverityFlagsEXT, String)> {
        self.submitted().into_iter().map(|message| (message.severity, message.text)).collect()
    }
    /// [`messages`](Self::messages) with their ids and objects.
    pub fn submitted(&self) -> Vec<Message> {
        std::mem::take(&mut self.messages.lock().unwrap())
    }
    /// # Safety
    /// The physical device must be one of the fake, and its instance alive for `'a`.
    unsafe fn from_physical_device<'a>(device: vk::PhysicalDevice) -> &'a Self {
        // SAFETY: the handle is the address of the array `physical`, whose second element is the
        // address of the fake instance.
        unsafe { &*(*(device.as_raw() as usize as *const *const Self).add(1)) }
    }
}

impl FakeDevice {
    /// # Safety
    /// The device must be one of the fake, and alive for `'a`.
    pub unsafe fn from_handle<'a>(device: vk::Device) -> &'a Self {
        // SAFETY: the handle is the address of the fake device that `create_device` has made.
        unsafe { &*(device.as_raw() as usize as *const Self) }
    }
    /// The calls that reached the fake since this was last called.
    pub fn take(&self) -> Vec<Event> {
        std::mem::take(&mut self.events.lock().unwrap())
    }
    /// The addresses of the allocators with which modules were created, in order.
    pub fn module_allocators(&self) -> Vec<usize> {
        self.module_allocators.lock().unwrap().clone()
    }
    fn push(&self, event: Event) {
        self.events.lock().unwrap().push(event);
    }
}

/// The handle with this value.
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

/// The number of `VkBool32` members of a feature structure that tests inspect.
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
        vk::PhysicalDeviceRobustness2FeaturesEXT::STRUCTURE_TYPE => Some(3),
        vk::PhysicalDevicePipelineRobustnessFeaturesEXT::STRUCTURE_TYPE => Some(1),
        vk::PhysicalDeviceAccelerationStructureFeaturesKHR::STRUCTURE_TYPE
        | vk::PhysicalDeviceRayTracingPipelineFeaturesKHR::STRUCTURE_TYPE
        | vk::PhysicalDeviceMeshShaderFeaturesEXT::STRUCTURE_TYPE => Some(5),
        vk::PhysicalDeviceRayQueryFeaturesKHR::STRUCTURE_TYPE => Some(1),
        _ => None,
    }
}

/// # Safety
/// `next` must be a valid `pNext` chain.
unsafe fn chain(mut next: *const c_void) -> Vec<(i32, usize)> {
    let mut out = Vec::new();
    while !next.is_null() {
        // SAFETY: every node of a valid chain starts with the members of `VkBaseInStructure`.
        let node = unsafe { &*next.cast::<vk::BaseInStructure<'_>>() };
        out.push((node.s_type.as_raw(), address(next)));
        next = node.p_next.cast();
    }
    out
}

/// # Safety
/// There must be `count` initialised words at `at + offset`.
unsafe fn bools(at: usize, offset: usize, count: usize) -> Vec<u32> {
    // SAFETY: by this function's contract.
    unsafe { std::slice::from_raw_parts((at + offset) as *const u32, count) }.to_vec()
}

/// # Safety
/// The create info must be valid.
unsafe fn see_device(info: &vk::DeviceCreateInfo<'_>) -> DeviceSeen {
    // SAFETY: the pointers of a valid create info refer to as many elements as it says, `sType`
    // determines the type of each node in its chain, and `members` has their number of members.
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

/// # Safety
/// The stage must be valid.
unsafe fn see_stage(stage: &vk::PipelineShaderStageCreateInfo<'_>) -> StageSeen {
    // SAFETY: `sType` determines the type of each node in a valid stage's chain, the code of a
    // module has `code_size` bytes, and the name is null-terminated.
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
        let robustness = find(vk::PipelineRobustnessCreateInfoEXT::STRUCTURE_TYPE).map(|at| {
            let info = &*(at as *const vk::PipelineRobustnessCreateInfoEXT<'_>);
            let buffers = [info.storage_buffers, info.uniform_buffers, info.vertex_inputs].map(|one| one.as_raw());
            [buffers[0], buffers[1], buffers[2], info.images.as_raw()]
        });
        StageSeen {
            stage: stage.stage.as_raw(),
            module: stage.module.as_raw(),
            name: CStr::from_ptr(stage.p_name).to_owned(),
            flags: stage.flags.as_raw(),
            chain,
            chained_words,
            required_size,
            robustness,
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
    // SAFETY: `instance` has just been allocated, and the caller passes a valid `out`.
    unsafe {
        (*instance).physical[1] = instance.cast();
        *out = vk::Instance::from_raw(instance as usize as u64);
    }
    vk::Result::SUCCESS
}

unsafe extern "system" fn destroy_instance(instance: vk::Instance, _: *const vk::AllocationCallbacks<'_>) {
    // SAFETY: `create_instance` has allocated both boxes, and Vulkan allows no use of an instance
    // after its destruction.
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
    // SAFETY: the physical device is the fake's, and the create info is valid (see the module's
    // head).
    let (instance, seen) = unsafe { (FakeInstance::from_physical_device(physical), see_device(&*info)) };
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
        pending: Mutex::default(),
        module_allocators: Mutex::default(),
    }));
    // SAFETY: the caller passes a valid `out`.
    unsafe { *out = vk::Device::from_raw(device as usize as u64) };
    vk::Result::SUCCESS
}

unsafe extern "system" fn destroy_device(device: vk::Device, _: *const vk::AllocationCallbacks<'_>) {
    // SAFETY: `create_device` has allocated both boxes, and Vulkan allows no use of a device after
    // its destruction.
    unsafe {
        let fake = Box::from_raw(device.as_raw() as usize as *mut FakeDevice);
        drop(Box::from_raw(fake.dispatch.cast_mut()));
    }
}

unsafe extern "system" fn get_properties(device: vk::PhysicalDevice, out: *mut vk::PhysicalDeviceProperties) {
    // SAFETY: the physical device is the fake's.
    let api_version = unsafe { FakeInstance::from_physical_device(device) }.config.api_version;
    let mut properties = vk::PhysicalDeviceProperties { api_version, ..Default::default() };
    for (to, from) in properties.device_name.iter_mut().zip(b"the fake") {
        *to = *from as c_char;
    }
    properties.limits.max_push_constants_size = 128;
    properties.limits.max_bound_descriptor_sets = 8;
    properties.limits.max_uniform_buffer_range = 65536;
    properties.limits.max_compute_shared_memory_size = 32768;
    properties.limits.max_compute_work_group_invocations = 1024;
    // SAFETY: the caller passes a valid `out`.
    unsafe { *out = properties };
}

unsafe extern "system" fn get_properties2(device: vk::PhysicalDevice, out: *mut vk::PhysicalDeviceProperties2<'_>) {
    // SAFETY: `out` is valid, and `sType` determines the type of each node in its chain.
    unsafe {
        get_properties(device, &raw mut (*out).properties);
        for (s_type, at) in chain((*out).p_next) {
            if vk::StructureType::from_raw(s_type) == vk::PhysicalDeviceSubgroupProperties::STRUCTURE_TYPE {
                let subgroup = &mut *(at as *mut vk::PhysicalDeviceSubgroupProperties<'_>);
                subgroup.subgroup_size = 8;
                subgroup.supported_stages = vk::ShaderStageFlags::ALL;
                subgroup.supported_operations = vk::SubgroupFeatureFlags::from_raw(0xff);
            }
            if vk::StructureType::from_raw(s_type) == vk::PhysicalDeviceMeshShaderPropertiesEXT::STRUCTURE_TYPE {
                let mesh = &mut *(at as *mut vk::PhysicalDeviceMeshShaderPropertiesEXT<'_>);
                mesh.max_task_work_group_invocations = 128;
                mesh.max_task_payload_size = 16384;
                mesh.max_mesh_work_group_invocations = 128;
                mesh.max_mesh_output_vertices = 256;
                mesh.max_mesh_output_primitives = 256;
            }
        }
    }
}

unsafe extern "system" fn get_features(device: vk::PhysicalDevice, out: *mut vk::PhysicalDeviceFeatures) {
    // SAFETY: the physical device is the fake's.
    let value = u32::from(unsafe { FakeInstance::from_physical_device(device) }.config.all_features);
    // SAFETY: `out` is valid, and `VkPhysicalDeviceFeatures` consists of 55 `VkBool32`.
    unsafe { std::slice::from_raw_parts_mut(out.cast::<u32>(), 55) }.fill(value);
}

unsafe extern "system" fn get_features2(device: vk::PhysicalDevice, out: *mut vk::PhysicalDeviceFeatures2<'_>) {
    // SAFETY: `out` and its chain are valid. `members` has the number of `VkBool32` of the
    // structures that it knows; every other feature structure has at least one, and only that is
    // written.
    unsafe {
        get_features(device, &raw mut (*out).features);
        let config = &FakeInstance::from_physical_device(device).config;
        for (s_type, at) in chain((*out).p_next) {
            let bits = std::slice::from_raw_parts_mut((at + 16) as *mut u32, members(s_type).unwrap_or(1));
            bits.fill(u32::from(config.all_features));
            config.lacks.iter().filter(|(other, _)| *other == s_type).for_each(|(_, member)| bits[*member] = 0);
        }
    }
}

unsafe extern "system" fn enumerate_extensions(
    device: vk::PhysicalDevice,
    _layer: *const c_char,
    count: *mut u32,
    out: *mut vk::ExtensionProperties,
) -> vk::Result {
    // SAFETY: the physical device is the fake's, `count` is valid, and `out` is null or has room
    // for `count` elements.
    unsafe {
        let extensions = FakeInstance::from_physical_device(device).config.extensions;
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

unsafe extern "system" fn get_tools(
    device: vk::PhysicalDevice,
    count: *mut u32,
    out: *mut vk::PhysicalDeviceToolProperties<'_>,
) -> vk::Result {
    // SAFETY: the physical device is the fake's. `count` is valid, and `out` is null or has as many
    // elements as `count` says.
    unsafe {
        let tools = FakeInstance::from_physical_device(device).config.tools;
        if !out.is_null() {
            for (i, (layer, version)) in tools.iter().take(*count as usize).enumerate() {
                let mut tool = vk::PhysicalDeviceToolProperties::default();
                let bytes = |text: &CStr| text.to_bytes().to_vec().into_iter().map(|byte| byte as c_char);
                tool.layer.iter_mut().zip(bytes(layer)).for_each(|(to, from)| *to = from);
                tool.version.iter_mut().zip(bytes(version)).for_each(|(to, from)| *to = from);
                *out.add(i) = tool;
            }
        }
        *count = tools.len() as u32;
    }
    vk::Result::SUCCESS
}

unsafe extern "system" fn submit_message(
    instance: vk::Instance,
    severity: vk::DebugUtilsMessageSeverityFlagsEXT,
    _types: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
) {
    // SAFETY: `data` is valid.
    let data = unsafe { &*data };
    // SAFETY: the texts of valid data are null-terminated.
    let text = |text| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned();
    // SAFETY: the array of valid data, which may be dangling without elements.
    let objects = unsafe { std::slice::from_raw_parts(data.p_objects, data.object_count as usize) };
    let message = Message {
        severity,
        id: text(data.p_message_id_name),
        number: data.message_id_number,
        objects: objects.iter().map(|object| (object.object_type, object.object_handle)).collect(),
        text: text(data.p_message),
    };
    // SAFETY: the instance is the fake's.
    unsafe { FakeInstance::from_handle(instance) }.messages.lock().unwrap().push(message);
}

/// The command that stands for all commands that tests do not call. Tests compare its address.
///
/// # Safety
/// There are no requirements, because the function does nothing.
pub unsafe extern "system" fn other() {}

macro_rules! command {
    ($function:ident as $pfn:ident) => {{
        let function: vk::$pfn = $function;
        // SAFETY: both types are function pointers, and the layer casts the pointer back to the
        // command's type, which the name determines.
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
        b"vkGetPhysicalDeviceProperties2" | b"vkGetPhysicalDeviceProperties2KHR" => {
            command!(get_properties2 as PFN_vkGetPhysicalDeviceProperties2)
        }
        b"vkGetPhysicalDeviceFeatures" => command!(get_features as PFN_vkGetPhysicalDeviceFeatures),
        b"vkGetPhysicalDeviceFeatures2" | b"vkGetPhysicalDeviceFeatures2KHR" => {
            command!(get_features2 as PFN_vkGetPhysicalDeviceFeatures2)
        }
        b"vkEnumerateDeviceExtensionProperties" => {
            command!(enumerate_extensions as PFN_vkEnumerateDeviceExtensionProperties)
        }
        b"vkGetPhysicalDeviceToolProperties" | b"vkGetPhysicalDeviceToolPropertiesEXT" => {
            command!(get_tools as PFN_vkGetPhysicalDeviceToolProperties)
        }
        b"vkSubmitDebugUtilsMessageEXT" => command!(submit_message as PFN_vkSubmitDebugUtilsMessageEXT),
        b"vkCreateShaderModule" => command!(create_module as PFN_vkCreateShaderModule),
        b"vkDestroyShaderModule" => command!(destroy_module as PFN_vkDestroyShaderModule),
        b"vkCreateDescriptorSetLayout" => command!(create_set_layout as PFN_vkCreateDescriptorSetLayout),
        b"vkDestroyDescriptorSetLayout" => command!(destroy_set_layout as PFN_vkDestroyDescriptorSetLayout),
        b"vkCreatePipelineLayout" => command!(create_pipeline_layout as PFN_vkCreatePipelineLayout),
        b"vkDestroyPipelineLayout" => command!(destroy_pipeline_layout as PFN_vkDestroyPipelineLayout),
        b"vkCreateGraphicsPipelines" => command!(create_graphics as PFN_vkCreateGraphicsPipelines),
        b"vkCreateRenderPass" => command!(create_render_pass as PFN_vkCreateRenderPass),
        b"vkCreateRenderPass2" | b"vkCreateRenderPass2KHR" => {
            command!(create_render_pass2 as PFN_vkCreateRenderPass2)
        }
        b"vkDestroyRenderPass" => command!(destroy_render_pass as PFN_vkDestroyRenderPass),
        b"vkCreateSampler" => command!(create_sampler as PFN_vkCreateSampler),
        b"vkDestroySampler" => command!(destroy_sampler as PFN_vkDestroySampler),
        b"vkCreateSamplerYcbcrConversion" | b"vkCreateSamplerYcbcrConversionKHR" => {
            command!(create_conversion as PFN_vkCreateSamplerYcbcrConversion)
        }
        b"vkDestroySamplerYcbcrConversion" | b"vkDestroySamplerYcbcrConversionKHR" => {
            command!(destroy_conversion as PFN_vkDestroySamplerYcbcrConversion)
        }
        b"vkDestroyPipeline" => command!(destroy_pipeline as PFN_vkDestroyPipeline),
        b"vkCreateComputePipelines" => command!(create_compute as PFN_vkCreateComputePipelines),
        b"vkCreateRayTracingPipelinesKHR" => command!(create_rays_khr as PFN_vkCreateRayTracingPipelinesKHR),
        b"vkCreateRayTracingPipelinesNV" => command!(create_rays_nv as PFN_vkCreateRayTracingPipelinesNV),
        b"vkDeferredOperationJoinKHR" => command!(join as PFN_vkDeferredOperationJoinKHR),
        b"vkGetDeferredOperationResultKHR" => command!(deferred_result as PFN_vkGetDeferredOperationResultKHR),
        b"vkDestroyDeferredOperationKHR" => command!(destroy_operation as PFN_vkDestroyDeferredOperationKHR),
        b"vkCreateExecutionGraphPipelinesAMDX" => {
            command!(create_execution_graphs as PFN_vkCreateExecutionGraphPipelinesAMDX)
        }
        b"vkGetPipelineIndirectMemoryRequirementsNV" => {
            command!(indirect_requirements as PFN_vkGetPipelineIndirectMemoryRequirementsNV)
        }
        b"vkSetDebugUtilsObjectNameEXT" => command!(set_object_name as PFN_vkSetDebugUtilsObjectNameEXT),
        b"vkCreateShadersEXT" => command!(create_shaders as PFN_vkCreateShadersEXT),
        b"vkGetShaderModuleIdentifierEXT" => command!(module_identifier as PFN_vkGetShaderModuleIdentifierEXT),
        b"vkGetShaderModuleCreateInfoIdentifierEXT" => {
            command!(create_info_identifier as PFN_vkGetShaderModuleCreateInfoIdentifierEXT)
        }
        b"vkGetPipelineKeyKHR" => {
            // SAFETY: the pointer is a function's, and the layer casts it back to the command's
            // type, which the name determines.
            Some(unsafe { std::mem::transmute::<*const (), unsafe extern "system" fn()>(pipeline_key as *const ()) })
        }
        b"vkCreatePipelineBinariesKHR" => {
            let function = pipeline_binaries as *const ();
            // SAFETY: the pointer is a function's, and the layer casts it back to the command's
            // type, which the name determines.
            Some(unsafe { std::mem::transmute::<*const (), unsafe extern "system" fn()>(function) })
        }
        _ => Some(other),
    }
}

/// The fake's `vkGetInstanceProcAddr`.
pub unsafe extern "system" fn get_instance_proc_addr(
    instance: vk::Instance,
    name: *const c_char,
) -> vk::PFN_vkVoidFunction {
    // SAFETY: the caller passes a null-terminated name.
    let name = unsafe { CStr::from_ptr(name) };
    // SAFETY: an instance that is not null is one of the fake.
    if instance != vk::Instance::null() && (unsafe { FakeInstance::from_handle(instance) }.config.missing)(name) {
        return None;
    }
    command(name)
}

/// The fake's `vkGetDeviceProcAddr`.
pub unsafe extern "system" fn get_device_proc_addr(device: vk::Device, name: *const c_char) -> vk::PFN_vkVoidFunction {
    // SAFETY: the caller passes a null-terminated name and a live device of the fake.
    let (name, device) = unsafe { (CStr::from_ptr(name), FakeDevice::from_handle(device)) };
    if (device.config.missing)(name) { None } else { command(name) }
}
