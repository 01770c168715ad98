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

/// A command that creates objects from an array of create infos: fails where one of them has DXIL, by a test of one.
macro_rules! creation {
    ($name:ident: $command:literal => $next:ident($($given:ident: $ty:ty),*), $info:ident to $object:ident,
     or $failed:ident, with |$device:ident, $one:ident| $has_dxil:expr) => {
        #[doc = concat!("`", $command, "`.")]
        pub unsafe extern "system" fn $name(
            device: vk::Device,
            $($given: $ty,)*
            count: u32,
            infos: *const vk::$info<'_>,
            allocator: *const vk::AllocationCallbacks<'_>,
            out: *mut vk::$object,
        ) -> vk::Result {
            let failed = vk::Result::$failed;
            guard(failed, || {
                // SAFETY: a live device and valid arguments, by the command's valid usage.
                unsafe {
                    let Some($device) = Device::of(device) else { return failed };
                    let Some(next) = $device.table.$next else { return failed };
                    if slice(infos, count).iter().any(|$one| $has_dxil) {
                        return refuse(&$device, $command, count, out, failed);
                    }
                    next($device.handle, $($given,)* count, infos, allocator, out)
                }
            })
        }
    };
}

creation!(create_ray_tracing_khr: "vkCreateRayTracingPipelinesKHR"
    => create_ray_tracing_pipelines_khr(operation: vk::DeferredOperationKHR, cache: vk::PipelineCache),
    RayTracingPipelineCreateInfoKHR to Pipeline, or ERROR_UNKNOWN,
    with |device, info| stages::any_dxil(&device, slice(info.p_stages.cast(), info.stage_count)));
creation!(create_ray_tracing_nv: "vkCreateRayTracingPipelinesNV"
    => create_ray_tracing_pipelines_nv(cache: vk::PipelineCache),
    RayTracingPipelineCreateInfoNV to Pipeline, or ERROR_UNKNOWN,
    with |device, info| stages::any_dxil(&device, slice(info.p_stages.cast(), info.stage_count)));
creation!(create_execution_graphs: "vkCreateExecutionGraphPipelinesAMDX"
    => create_execution_graph_pipelines(cache: vk::PipelineCache),
    ExecutionGraphPipelineCreateInfoAMDX to Pipeline, or ERROR_UNKNOWN,
    with |device, info| stages::any_dxil(&device, slice(info.p_stages.cast(), info.stage_count)));
// A binary is the driver's own format, whatever it begins with.
creation!(create_shaders: "vkCreateShadersEXT" => create_shaders(),
    ShaderCreateInfoEXT to ShaderEXT, or ERROR_INITIALIZATION_FAILED,
    with |device, info| info.code_type == vk::ShaderCodeTypeEXT::SPIRV
        && blobs::sniff(info.p_code.cast(), info.code_size).is_some());

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
