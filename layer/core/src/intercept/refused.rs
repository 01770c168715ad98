//! Commands that create objects from an array of create infos, and whose DXIL is not translated
//! yet: execution graphs and shader objects.
//!
//! In: the application's calls. Out: the same calls, untouched, as long as they have no DXIL. What
//! must hold: the call fails with the code that docs/layer.md names and a message, and its outputs
//! are `VK_NULL_HANDLE`.

use ash::vk;

use crate::intercept::guard::guard;
use crate::intercept::inspect::has_dxil;
use crate::intercept::objects::Device;
use crate::intercept::refuse::refuse;
use crate::vulkan::arrays::slice;

/// A command that fails where one of its create infos has DXIL.
macro_rules! creation {
    ($name:ident: $command:literal => $next:ident($($given:ident: $ty:ty),*), $info:ident to $object:ident, or $failed:ident) => {
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
                // SAFETY: a live device, by the command's valid usage.
                let Some(device) = (unsafe { Device::of(device) }) else { return failed };
                let Some(next) = device.table.$next else { return failed };
                // SAFETY: the array of the command's valid arguments.
                let list = unsafe { slice(infos, count) };
                // SAFETY: valid create infos.
                if list.iter().any(|info| unsafe { has_dxil(&device, info) }) {
                    // SAFETY: the command's output has one element per create info.
                    return unsafe { refuse(&device, $command, count, out, failed) };
                }
                // SAFETY: the application's own arguments.
                unsafe { next(device.handle, $($given,)* count, infos, allocator, out) }
            })
        }
    };
}

creation!(create_execution_graphs: "vkCreateExecutionGraphPipelinesAMDX"
    => create_execution_graph_pipelines(cache: vk::PipelineCache),
    ExecutionGraphPipelineCreateInfoAMDX to Pipeline, or ERROR_UNKNOWN);
creation!(create_shaders: "vkCreateShadersEXT" => create_shaders(),
    ShaderCreateInfoEXT to ShaderEXT, or ERROR_INITIALIZATION_FAILED);
