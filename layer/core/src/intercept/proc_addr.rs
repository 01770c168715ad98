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

/// The types of commands, by their names.
mod types {
    pub use ash::vk::*;

    pub use crate::vulkan::newer::{
        CreatePipelineBinaries as PFN_vkCreatePipelineBinariesKHR, GetPipelineKey as PFN_vkGetPipelineKeyKHR,
    };
}

/// The command of this name, as a function pointer without arguments. Each is checked against its
/// type, which has the command's name. An alias adds what its own name ends with.
macro_rules! commands {
    ($name:ident: $($function:path as $pfn:ident $(+ $suffix:literal)?,)*) => {{
        let asked = $name.to_str().ok();
        $(if asked == concat!(stringify!($pfn), $($suffix)?).strip_prefix("PFN_") {
            let function: types::$pfn = $function;
            // SAFETY: function pointers; the caller casts back to the type that belongs to the name
            // it asked for.
            return Some(unsafe { transmute::<types::$pfn, unsafe extern "system" fn()>(function) });
        })*
        None
    }};
}

/// The layer's version of an instance-level command that the next layer has too.
fn instance_command(name: &CStr) -> vk::PFN_vkVoidFunction {
    commands! { name:
        instance::destroy_instance as PFN_vkDestroyInstance,
        device::create_device as PFN_vkCreateDevice,
        identity::get_tool_properties as PFN_vkGetPhysicalDeviceToolProperties,
        identity::get_tool_properties_ext as PFN_vkGetPhysicalDeviceToolProperties + "EXT",
    }
}

/// The layer's version of a device-level command that the next layer has too.
fn device_command(name: &CStr) -> vk::PFN_vkVoidFunction {
    commands! { name:
        device::destroy_device as PFN_vkDestroyDevice,
        shader_modules::create as PFN_vkCreateShaderModule,
        shader_modules::destroy as PFN_vkDestroyShaderModule,
        layouts::create_set_layout as PFN_vkCreateDescriptorSetLayout,
        layouts::destroy_set_layout as PFN_vkDestroyDescriptorSetLayout,
        layouts::create_pipeline_layout as PFN_vkCreatePipelineLayout,
        layouts::destroy_pipeline_layout as PFN_vkDestroyPipelineLayout,
        render_passes::create as PFN_vkCreateRenderPass,
        render_passes::create2 as PFN_vkCreateRenderPass2,
        render_passes::create2_khr as PFN_vkCreateRenderPass2 + "KHR",
        render_passes::destroy as PFN_vkDestroyRenderPass,
        pipelines::create_graphics as PFN_vkCreateGraphicsPipelines,
        pipelines::create_compute as PFN_vkCreateComputePipelines,
        pipelines::create_ray_tracing_khr as PFN_vkCreateRayTracingPipelinesKHR,
        pipelines::create_ray_tracing_nv as PFN_vkCreateRayTracingPipelinesNV,
        deferred::join as PFN_vkDeferredOperationJoinKHR,
        deferred::get_result as PFN_vkGetDeferredOperationResultKHR,
        deferred::max_concurrency as PFN_vkGetDeferredOperationMaxConcurrencyKHR,
        deferred::destroy as PFN_vkDestroyDeferredOperationKHR,
        pipelines::create_execution_graphs as PFN_vkCreateExecutionGraphPipelinesAMDX,
        nested::get_indirect_requirements as PFN_vkGetPipelineIndirectMemoryRequirementsNV,
        nested::get_pipeline_key as PFN_vkGetPipelineKeyKHR,
        nested::create_pipeline_binaries as PFN_vkCreatePipelineBinariesKHR,
        names::set_object_name as PFN_vkSetDebugUtilsObjectNameEXT,
        shader_objects::create_shaders as PFN_vkCreateShadersEXT,
        identifiers::get_module_identifier as PFN_vkGetShaderModuleIdentifierEXT,
        identifiers::get_create_info_identifier as PFN_vkGetShaderModuleCreateInfoIdentifierEXT,
    }
}

/// The layer's version of a device-level command that only captures need.
fn captured_command(name: &CStr) -> vk::PFN_vkVoidFunction {
    commands! { name:
        captured::create_sampler as PFN_vkCreateSampler,
        captured::destroy_sampler as PFN_vkDestroySampler,
        captured::create_conversion as PFN_vkCreateSamplerYcbcrConversion,
        captured::create_conversion_khr as PFN_vkCreateSamplerYcbcrConversion + "KHR",
        captured::destroy_conversion as PFN_vkDestroySamplerYcbcrConversion,
        captured::destroy_conversion_khr as PFN_vkDestroySamplerYcbcrConversion + "KHR",
        captured::destroy_pipeline as PFN_vkDestroyPipeline,
    }
}

/// Global commands, which exist without an instance and do not need the next layer, and
/// `vkCreateDevice`, which layers above this one ask for without an instance, as RenderDoc does.
fn global_command(name: &CStr) -> vk::PFN_vkVoidFunction {
    commands! { name:
        get_instance_proc_addr as PFN_vkGetInstanceProcAddr,
        instance::create_instance as PFN_vkCreateInstance,
        device::create_device as PFN_vkCreateDevice,
        identity::enumerate_layers as PFN_vkEnumerateInstanceLayerProperties,
        identity::enumerate_extensions as PFN_vkEnumerateInstanceExtensionProperties,
    }
}

/// Instance commands that do not need the next layer.
fn own_instance_command(name: &CStr) -> vk::PFN_vkVoidFunction {
    commands! { name:
        get_device_proc_addr as PFN_vkGetDeviceProcAddr,
        identity::enumerate_device_layers as PFN_vkEnumerateDeviceLayerProperties,
        identity::enumerate_device_extensions as PFN_vkEnumerateDeviceExtensionProperties,
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
            return own_instance_command(text);
        }
        // SAFETY: a live device, by the command's valid usage.
        let state = unsafe { Device::from_handle(device) }?;
        // SAFETY: the application's own arguments.
        let next = unsafe { (state.next_get_device_proc_addr)(device, name) }?;
        let captured = || state.capture.as_ref().and_then(|_| captured_command(text));
        device_command(text).or_else(captured).or(Some(next))
    })
}
