//! The fake's commands for instances and devices, and the table of all of its commands.

use std::ffi::{CStr, c_char};
use std::sync::Mutex;

use ash::vk;
use ash::vk::{Handle, TaggedStructure};

use super::seen::{FakeDevice, FakeInstance, Message, NEXT_CONFIG, chain, members, see_device};
use super::{objects, rays};

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

/// `VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_PROPERTIES_EXT`.
const HEAP_PROPERTIES: i32 = 1_000_135_008;

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
            if vk::StructureType::from_raw(s_type) == vk::PhysicalDeviceSubgroupSizeControlProperties::STRUCTURE_TYPE {
                let control = &mut *(at as *mut vk::PhysicalDeviceSubgroupSizeControlProperties<'_>);
                let [min, max, subgroups] = FakeInstance::from_physical_device(device).config.subgroup_sizes;
                (control.min_subgroup_size, control.max_subgroup_size) = (min, max);
                control.max_compute_workgroup_subgroups = subgroups;
                control.required_subgroup_size_stages = vk::ShaderStageFlags::COMPUTE;
            }
            if s_type == HEAP_PROPERTIES {
                // The sizes and alignments of samplers, images and buffers, and `maxPushDataSize`.
                let sizes = [24, 60, 16, 8, 32, 16, 256];
                ((at + 16 + 7 * 8) as *mut [u64; 7]).write(sizes);
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
    // SAFETY: the physical device is the fake's, `count` is valid, and `out` is null or has space
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

/// The command of this name among those of the rows, which have the names of their types; a suffix
/// is that of an alias.
macro_rules! commands {
    ($name:ident: $($function:path as $pfn:ident $(| $suffix:literal)?,)*) => {
        $(
            let own = stringify!($pfn).strip_prefix("PFN_");
            if Some($name) == own $(|| $name.strip_suffix($suffix) == own)? {
                let function: vk::$pfn = $function;
                // SAFETY: both types are function pointers, and the layer casts the pointer back to
                // the command's type, which the name determines.
                return Some(unsafe { std::mem::transmute::<vk::$pfn, unsafe extern "system" fn()>(function) });
            }
        )*
    };
}

fn command(name: &CStr) -> vk::PFN_vkVoidFunction {
    let name = name.to_str().ok()?;
    commands! { name:
        create_instance as PFN_vkCreateInstance,
        destroy_instance as PFN_vkDestroyInstance,
        create_device as PFN_vkCreateDevice,
        destroy_device as PFN_vkDestroyDevice,
        get_properties as PFN_vkGetPhysicalDeviceProperties,
        get_properties2 as PFN_vkGetPhysicalDeviceProperties2 | "KHR",
        get_features as PFN_vkGetPhysicalDeviceFeatures,
        get_features2 as PFN_vkGetPhysicalDeviceFeatures2 | "KHR",
        enumerate_extensions as PFN_vkEnumerateDeviceExtensionProperties,
        get_tools as PFN_vkGetPhysicalDeviceToolProperties | "EXT",
        submit_message as PFN_vkSubmitDebugUtilsMessageEXT,
        objects::create_module as PFN_vkCreateShaderModule,
        objects::destroy_module as PFN_vkDestroyShaderModule,
        objects::create_set_layout as PFN_vkCreateDescriptorSetLayout,
        objects::destroy_set_layout as PFN_vkDestroyDescriptorSetLayout,
        objects::create_pipeline_layout as PFN_vkCreatePipelineLayout,
        objects::destroy_pipeline_layout as PFN_vkDestroyPipelineLayout,
        objects::create_graphics as PFN_vkCreateGraphicsPipelines,
        objects::create_render_pass as PFN_vkCreateRenderPass,
        objects::create_render_pass2 as PFN_vkCreateRenderPass2 | "KHR",
        objects::destroy_render_pass as PFN_vkDestroyRenderPass,
        objects::create_sampler as PFN_vkCreateSampler,
        objects::destroy_sampler as PFN_vkDestroySampler,
        objects::create_conversion as PFN_vkCreateSamplerYcbcrConversion | "KHR",
        objects::destroy_conversion as PFN_vkDestroySamplerYcbcrConversion | "KHR",
        objects::destroy_pipeline as PFN_vkDestroyPipeline,
        objects::create_compute as PFN_vkCreateComputePipelines,
        rays::create_khr as PFN_vkCreateRayTracingPipelinesKHR,
        rays::create_nv as PFN_vkCreateRayTracingPipelinesNV,
        rays::join as PFN_vkDeferredOperationJoinKHR,
        rays::result as PFN_vkGetDeferredOperationResultKHR,
        rays::max_concurrency as PFN_vkGetDeferredOperationMaxConcurrencyKHR,
        rays::destroy as PFN_vkDestroyDeferredOperationKHR,
        objects::create_execution_graphs as PFN_vkCreateExecutionGraphPipelinesAMDX,
        objects::indirect_requirements as PFN_vkGetPipelineIndirectMemoryRequirementsNV,
        objects::set_object_name as PFN_vkSetDebugUtilsObjectNameEXT,
        objects::create_shaders as PFN_vkCreateShadersEXT,
        objects::module_identifier as PFN_vkGetShaderModuleIdentifierEXT,
        objects::create_info_identifier as PFN_vkGetShaderModuleCreateInfoIdentifierEXT,
    }
    let function = match name {
        "vkGetPipelineKeyKHR" => objects::pipeline_key as *const (),
        "vkCreatePipelineBinariesKHR" => objects::pipeline_binaries as *const (),
        _ => return Some(other),
    };
    // SAFETY: the pointer is a function's, and the layer casts it back to the command's type, which
    // the name determines.
    Some(unsafe { std::mem::transmute::<*const (), unsafe extern "system" fn()>(function) })
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
