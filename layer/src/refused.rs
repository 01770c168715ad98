//! The ways by which code reaches a driver that this layer does not translate yet: ray tracing pipelines, execution graphs,
//! shader objects and module identifiers.
//!
//! In: the application's calls. Out: the same calls, untouched, as long as they have no DXIL. What must hold: DXIL is never
//! forwarded as if it were SPIR-V, and a placeholder module reaches no pipeline; the call fails with the code that
//! docs/layer.md names and a message, and its outputs are `VK_NULL_HANDLE`.

use ash::vk;

use crate::blobs;
use crate::device::Device;
use crate::layouts::slice;
use crate::{guard, log, stages};

/// Says why, clears the outputs, and gives the code.
///
/// # Safety
/// `out` must be null or have `count` elements.
pub unsafe fn refuse<T: Default>(
    device: &Device,
    command: &str,
    count: u32,
    out: *mut T,
    code: vk::Result,
) -> vk::Result {
    let text = format!("{command}: DXIL is not supported here; nothing was created");
    log::report(&device.instance, ::log::Level::Error, &text);
    for i in 0..if out.is_null() { 0 } else { count as usize } {
        // SAFETY: the caller's array.
        unsafe { out.add(i).write(T::default()) };
    }
    code
}

/// `vkCreateRayTracingPipelinesKHR`.
pub unsafe extern "system" fn create_ray_tracing_khr(
    device: vk::Device,
    operation: vk::DeferredOperationKHR,
    cache: vk::PipelineCache,
    count: u32,
    infos: *const vk::RayTracingPipelineCreateInfoKHR<'_>,
    allocator: *const vk::AllocationCallbacks<'_>,
    out: *mut vk::Pipeline,
) -> vk::Result {
    guard(vk::Result::ERROR_UNKNOWN, || {
        // SAFETY: a live device and valid arguments, by the command's valid usage.
        unsafe {
            let Some(device) = Device::of(device) else { return vk::Result::ERROR_UNKNOWN };
            let Some(next) = device.table.create_ray_tracing_pipelines_khr else { return vk::Result::ERROR_UNKNOWN };
            let dxil = |info: &vk::RayTracingPipelineCreateInfoKHR<'_>| {
                stages::any_dxil(&device, slice(info.p_stages.cast(), info.stage_count))
            };
            if slice(infos, count).iter().any(dxil) {
                return refuse(&device, "vkCreateRayTracingPipelinesKHR", count, out, vk::Result::ERROR_UNKNOWN);
            }
            next(device.handle, operation, cache, count, infos, allocator, out)
        }
    })
}

/// `vkCreateRayTracingPipelinesNV`.
pub unsafe extern "system" fn create_ray_tracing_nv(
    device: vk::Device,
    cache: vk::PipelineCache,
    count: u32,
    infos: *const vk::RayTracingPipelineCreateInfoNV<'_>,
    allocator: *const vk::AllocationCallbacks<'_>,
    out: *mut vk::Pipeline,
) -> vk::Result {
    guard(vk::Result::ERROR_UNKNOWN, || {
        // SAFETY: a live device and valid arguments, by the command's valid usage.
        unsafe {
            let Some(device) = Device::of(device) else { return vk::Result::ERROR_UNKNOWN };
            let Some(next) = device.table.create_ray_tracing_pipelines_nv else { return vk::Result::ERROR_UNKNOWN };
            let dxil = |info: &vk::RayTracingPipelineCreateInfoNV<'_>| {
                stages::any_dxil(&device, slice(info.p_stages.cast(), info.stage_count))
            };
            if slice(infos, count).iter().any(dxil) {
                return refuse(&device, "vkCreateRayTracingPipelinesNV", count, out, vk::Result::ERROR_UNKNOWN);
            }
            next(device.handle, cache, count, infos, allocator, out)
        }
    })
}

/// `vkCreateExecutionGraphPipelinesAMDX`.
pub unsafe extern "system" fn create_execution_graphs(
    device: vk::Device,
    cache: vk::PipelineCache,
    count: u32,
    infos: *const vk::ExecutionGraphPipelineCreateInfoAMDX<'_>,
    allocator: *const vk::AllocationCallbacks<'_>,
    out: *mut vk::Pipeline,
) -> vk::Result {
    guard(vk::Result::ERROR_UNKNOWN, || {
        // SAFETY: a live device and valid arguments, by the command's valid usage.
        unsafe {
            let Some(device) = Device::of(device) else { return vk::Result::ERROR_UNKNOWN };
            let Some(next) = device.table.create_execution_graph_pipelines else { return vk::Result::ERROR_UNKNOWN };
            let dxil = |info: &vk::ExecutionGraphPipelineCreateInfoAMDX<'_>| {
                stages::any_dxil(&device, slice(info.p_stages.cast(), info.stage_count))
            };
            if slice(infos, count).iter().any(dxil) {
                let command = "vkCreateExecutionGraphPipelinesAMDX";
                return refuse(&device, command, count, out, vk::Result::ERROR_UNKNOWN);
            }
            next(device.handle, cache, count, infos, allocator, out)
        }
    })
}

/// `vkCreateShadersEXT`.
pub unsafe extern "system" fn create_shaders(
    device: vk::Device,
    count: u32,
    infos: *const vk::ShaderCreateInfoEXT<'_>,
    allocator: *const vk::AllocationCallbacks<'_>,
    out: *mut vk::ShaderEXT,
) -> vk::Result {
    guard(vk::Result::ERROR_INITIALIZATION_FAILED, || {
        // SAFETY: a live device and valid arguments, by the command's valid usage.
        unsafe {
            let Some(device) = Device::of(device) else { return vk::Result::ERROR_INITIALIZATION_FAILED };
            let Some(next) = device.table.create_shaders else { return vk::Result::ERROR_INITIALIZATION_FAILED };
            // A binary is the driver's own format, whatever it begins with.
            let dxil = |info: &vk::ShaderCreateInfoEXT<'_>| {
                info.code_type == vk::ShaderCodeTypeEXT::SPIRV
                    && blobs::sniff(info.p_code.cast(), info.code_size).is_some()
            };
            if slice(infos, count).iter().any(dxil) {
                let code = vk::Result::ERROR_INITIALIZATION_FAILED;
                return refuse(&device, "vkCreateShadersEXT", count, out, code);
            }
            next(device.handle, count, infos, allocator, out)
        }
    })
}

/// An identifier of size 0 identifies nothing.
///
/// # Safety
/// `identifier` must be valid.
unsafe fn no_identifier(device: &Device, command: &str, identifier: *mut vk::ShaderModuleIdentifierEXT<'_>) {
    // SAFETY: by the caller's contract.
    unsafe { (*identifier).identifier_size = 0 };
    log::report(&device.instance, ::log::Level::Warn, &format!("{command}: modules made of DXIL have no identifier"));
}

/// `vkGetShaderModuleIdentifierEXT`.
pub unsafe extern "system" fn get_module_identifier(
    device: vk::Device,
    module: vk::ShaderModule,
    identifier: *mut vk::ShaderModuleIdentifierEXT<'_>,
) {
    guard((), || {
        // SAFETY: a live device and valid arguments, by the command's valid usage.
        unsafe {
            let Some(device) = Device::of(device) else { return };
            if device.modules.get(module).is_some() {
                no_identifier(&device, "vkGetShaderModuleIdentifierEXT", identifier);
            } else if let Some(next) = device.table.get_module_identifier {
                next(device.handle, module, identifier);
            }
        }
    });
}

/// `vkGetShaderModuleCreateInfoIdentifierEXT`.
pub unsafe extern "system" fn get_create_info_identifier(
    device: vk::Device,
    info: *const vk::ShaderModuleCreateInfo<'_>,
    identifier: *mut vk::ShaderModuleIdentifierEXT<'_>,
) {
    guard((), || {
        // SAFETY: a live device and valid arguments, by the command's valid usage.
        unsafe {
            let Some(device) = Device::of(device) else { return };
            if blobs::sniff((*info).p_code.cast(), (*info).code_size).is_some() {
                no_identifier(&device, "vkGetShaderModuleCreateInfoIdentifierEXT", identifier);
            } else if let Some(next) = device.table.get_create_info_identifier {
                next(device.handle, info, identifier);
            }
        }
    });
}
