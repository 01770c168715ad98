//! `vkGetInstanceProcAddr` and `vkGetDeviceProcAddr`: which commands the layer intercepts.
//!
//! In: a handle and a name. Out: the layer's command if the layer *and* the next layer have one of
//! that name; else the next layer's answer. What must hold: NULL from the next layer is returned as
//! NULL, for each alias separately.

use std::ffi::{CStr, c_char};
use std::mem::transmute;

use ash::vk;

use crate::intercept::guard::guard;
use crate::intercept::objects::{Device, Instance};
use crate::intercept::{
    captured, deferred, device, identifiers, identity, instance, layouts, names, nested, pipelines, render_passes,
    shader_modules, shader_objects,
};
use crate::vulkan::newer::{CreatePipelineBinaries, GetPipelineKey};

/// A command, checked against its type, as a function pointer without arguments.
macro_rules! command {
    ($function:path as $pfn:ident) => {
        command!($function: vk::$pfn)
    };
    ($function:path: $pfn:ty) => {{
        let function: $pfn = $function;
        // SAFETY: function pointers; the caller casts back to the type that belongs to the name it
        // asked for.
        Some(unsafe { transmute::<$pfn, unsafe extern "system" fn()>(function) })
    }};
}

/// The layer's version of an instance-level command that the next layer has too.
fn instance_command(name: &CStr) -> vk::PFN_vkVoidFunction {
    match name.to_bytes() {
        b"vkDestroyInstance" => command!(instance::destroy_instance as PFN_vkDestroyInstance),
        b"vkCreateDevice" => command!(device::create_device as PFN_vkCreateDevice),
        b"vkGetPhysicalDeviceToolProperties" => {
            command!(identity::get_tool_properties as PFN_vkGetPhysicalDeviceToolProperties)
        }
        b"vkGetPhysicalDeviceToolPropertiesEXT" => {
            command!(identity::get_tool_properties_ext as PFN_vkGetPhysicalDeviceToolProperties)
        }
        _ => None,
    }
}

/// The layer's version of a device-level command that the next layer has too.
fn device_command(name: &CStr) -> vk::PFN_vkVoidFunction {
    match name.to_bytes() {
        b"vkDestroyDevice" => command!(device::destroy_device as PFN_vkDestroyDevice),
        b"vkCreateShaderModule" => command!(shader_modules::create as PFN_vkCreateShaderModule),
        b"vkDestroyShaderModule" => command!(shader_modules::destroy as PFN_vkDestroyShaderModule),
        b"vkCreateDescriptorSetLayout" => command!(layouts::create_set_layout as PFN_vkCreateDescriptorSetLayout),
        b"vkDestroyDescriptorSetLayout" => command!(layouts::destroy_set_layout as PFN_vkDestroyDescriptorSetLayout),
        b"vkCreatePipelineLayout" => command!(layouts::create_pipeline_layout as PFN_vkCreatePipelineLayout),
        b"vkDestroyPipelineLayout" => command!(layouts::destroy_pipeline_layout as PFN_vkDestroyPipelineLayout),
        b"vkCreateRenderPass" => command!(render_passes::create as PFN_vkCreateRenderPass),
        b"vkCreateRenderPass2" => command!(render_passes::create2 as PFN_vkCreateRenderPass2),
        b"vkCreateRenderPass2KHR" => command!(render_passes::create2_khr as PFN_vkCreateRenderPass2),
        b"vkDestroyRenderPass" => command!(render_passes::destroy as PFN_vkDestroyRenderPass),
        b"vkCreateGraphicsPipelines" => command!(pipelines::create_graphics as PFN_vkCreateGraphicsPipelines),
        b"vkCreateComputePipelines" => command!(pipelines::create_compute as PFN_vkCreateComputePipelines),
        b"vkCreateRayTracingPipelinesKHR" => {
            command!(pipelines::create_ray_tracing_khr as PFN_vkCreateRayTracingPipelinesKHR)
        }
        b"vkCreateRayTracingPipelinesNV" => {
            command!(pipelines::create_ray_tracing_nv as PFN_vkCreateRayTracingPipelinesNV)
        }
        b"vkDeferredOperationJoinKHR" => command!(deferred::join as PFN_vkDeferredOperationJoinKHR),
        b"vkGetDeferredOperationResultKHR" => command!(deferred::get_result as PFN_vkGetDeferredOperationResultKHR),
        b"vkDestroyDeferredOperationKHR" => command!(deferred::destroy as PFN_vkDestroyDeferredOperationKHR),
        b"vkCreateExecutionGraphPipelinesAMDX" => {
            command!(pipelines::create_execution_graphs as PFN_vkCreateExecutionGraphPipelinesAMDX)
        }
        b"vkGetPipelineIndirectMemoryRequirementsNV" => {
            command!(nested::get_indirect_requirements as PFN_vkGetPipelineIndirectMemoryRequirementsNV)
        }
        b"vkGetPipelineKeyKHR" => command!(nested::get_pipeline_key: GetPipelineKey),
        b"vkCreatePipelineBinariesKHR" => {
            command!(nested::create_pipeline_binaries: CreatePipelineBinaries)
        }
        b"vkSetDebugUtilsObjectNameEXT" => command!(names::set_object_name as PFN_vkSetDebugUtilsObjectNameEXT),
        b"vkCreateShadersEXT" => command!(shader_objects::create_shaders as PFN_vkCreateShadersEXT),
        b"vkGetShaderModuleIdentifierEXT" => {
            command!(identifiers::get_module_identifier as PFN_vkGetShaderModuleIdentifierEXT)
        }
        b"vkGetShaderModuleCreateInfoIdentifierEXT" => {
            command!(identifiers::get_create_info_identifier as PFN_vkGetShaderModuleCreateInfoIdentifierEXT)
        }
        _ => None,
    }
}

/// The layer's version of a device-level command that only captures need.
fn captured_command(name: &CStr) -> vk::PFN_vkVoidFunction {
    match name.to_bytes() {
        b"vkCreateSampler" => command!(captured::create_sampler as PFN_vkCreateSampler),
        b"vkDestroySampler" => command!(captured::destroy_sampler as PFN_vkDestroySampler),
        b"vkCreateSamplerYcbcrConversion" => {
            command!(captured::create_conversion as PFN_vkCreateSamplerYcbcrConversion)
        }
        b"vkCreateSamplerYcbcrConversionKHR" => {
            command!(captured::create_conversion_khr as PFN_vkCreateSamplerYcbcrConversion)
        }
        b"vkDestroySamplerYcbcrConversion" => {
            command!(captured::destroy_conversion as PFN_vkDestroySamplerYcbcrConversion)
        }
        b"vkDestroySamplerYcbcrConversionKHR" => {
            command!(captured::destroy_conversion_khr as PFN_vkDestroySamplerYcbcrConversion)
        }
        b"vkDestroyPipeline" => command!(captured::destroy_pipeline as PFN_vkDestroyPipeline),
        _ => None,
    }
}

/// Global commands, which exist without an instance and do not need the next layer.
fn global_command(name: &CStr) -> vk::PFN_vkVoidFunction {
    match name.to_bytes() {
        b"vkGetInstanceProcAddr" => command!(get_instance_proc_addr as PFN_vkGetInstanceProcAddr),
        b"vkCreateInstance" => command!(instance::create_instance as PFN_vkCreateInstance),
        b"vkEnumerateInstanceLayerProperties" => {
            command!(identity::enumerate_layers as PFN_vkEnumerateInstanceLayerProperties)
        }
        b"vkEnumerateInstanceExtensionProperties" => {
            command!(identity::enumerate_extensions as PFN_vkEnumerateInstanceExtensionProperties)
        }
        _ => None,
    }
}

/// Instance commands that do not need the next layer.
fn own_instance_command(name: &CStr) -> vk::PFN_vkVoidFunction {
    match name.to_bytes() {
        b"vkGetDeviceProcAddr" => command!(get_device_proc_addr as PFN_vkGetDeviceProcAddr),
        b"vkEnumerateDeviceLayerProperties" => {
            command!(identity::enumerate_device_layers as PFN_vkEnumerateDeviceLayerProperties)
        }
        b"vkEnumerateDeviceExtensionProperties" => {
            command!(identity::enumerate_device_extensions as PFN_vkEnumerateDeviceExtensionProperties)
        }
        _ => None,
    }
}

/// `vkGetInstanceProcAddr`.
pub unsafe extern "system" fn get_instance_proc_addr(
    instance: vk::Instance,
    name: *const c_char,
) -> vk::PFN_vkVoidFunction {
    guard(None, || {
        if name.is_null() {
            return None;
        }
        // SAFETY: a valid string, by the command's valid usage.
        let text = unsafe { CStr::from_ptr(name) };
        if let Some(command) = global_command(text) {
            return Some(command);
        }
        if instance == vk::Instance::null() {
            return None;
        }
        if let Some(command) = own_instance_command(text) {
            return Some(command);
        }
        // SAFETY: a live instance, by the command's valid usage.
        let state = unsafe { Instance::from_handle(instance) }?;
        // SAFETY: the application's own arguments.
        let next = unsafe { (state.next_get_instance_proc_addr)(instance, name) }?;
        let captured = || state.capture.as_ref().and_then(|_| captured_command(text));
        instance_command(text).or_else(|| device_command(text)).or_else(captured).or(Some(next))
    })
}

/// `vkGetDeviceProcAddr`.
pub unsafe extern "system" fn get_device_proc_addr(device: vk::Device, name: *const c_char) -> vk::PFN_vkVoidFunction {
    guard(None, || {
        if name.is_null() || device == vk::Device::null() {
            return None;
        }
        // SAFETY: a valid string, by the command's valid usage.
        let text = unsafe { CStr::from_ptr(name) };
        if text == c"vkGetDeviceProcAddr" {
            return command!(get_device_proc_addr as PFN_vkGetDeviceProcAddr);
        }
        // SAFETY: a live device, by the command's valid usage.
        let state = unsafe { Device::from_handle(device) }?;
        // SAFETY: the application's own arguments.
        let next = unsafe { (state.next_get_device_proc_addr)(device, name) }?;
        let captured = || state.capture.as_ref().and_then(|_| captured_command(text));
        device_command(text).or_else(captured).or(Some(next))
    })
}
