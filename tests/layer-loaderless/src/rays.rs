//! The application's side of ray-tracing pipelines and deferred operations.

use std::ffi::CStr;
use std::ptr;

use ash::vk;

use crate::app::{App, InstanceRequest, created};
use crate::create_infos::{binding, stage};
use crate::fake::{Config, handle};

/// The device extensions of an application that traces rays.
pub const RAY_EXTENSIONS: [&CStr; 4] = [
    c"VK_KHR_acceleration_structure",
    c"VK_KHR_deferred_host_operations",
    c"VK_KHR_pipeline_library",
    c"VK_KHR_ray_tracing_pipeline",
];

/// The bindings of `u0` and `u1` with a shift of 200, for a ray-generation shader.
pub fn generation_bindings() -> [vk::DescriptorSetLayoutBinding<'static>; 2] {
    let buffer = |number| binding(number, vk::DescriptorType::STORAGE_BUFFER);
    [200, 201].map(|number| buffer(number).stage_flags(vk::ShaderStageFlags::RAYGEN_KHR))
}

/// The stage of a ray-generation shader.
pub fn generation_stage(module: vk::ShaderModule, name: &'static CStr) -> vk::PipelineShaderStageCreateInfo<'static> {
    stage(vk::ShaderStageFlags::RAYGEN_KHR, module, name)
}

type Rays<'a> = vk::RayTracingPipelineCreateInfoKHR<'a>;

impl App {
    /// An application with `rayTracingPipeline` and the settings of `request`, on a device that has
    /// the extensions for it.
    pub fn with_rays(config: Config, request: &InstanceRequest) -> Self {
        let mut rays = vk::PhysicalDeviceRayTracingPipelineFeaturesKHR::default().ray_tracing_pipeline(true);
        let names = RAY_EXTENSIONS.map(CStr::as_ptr);
        let info = vk::DeviceCreateInfo::default().enabled_extension_names(&names).push_next(&mut rays);
        Self::with(Config { extensions: &RAY_EXTENSIONS, ..config }, request, &info).unwrap()
    }

    /// `vkCreateRayTracingPipelinesKHR`. If the call is deferred, the arguments must stay valid
    /// until the operation is complete.
    pub fn rays_into(
        &self,
        operation: vk::DeferredOperationKHR,
        infos: &[Rays<'_>],
        allocator: Option<&vk::AllocationCallbacks<'_>>,
        out: &mut [vk::Pipeline],
    ) -> vk::Result {
        assert_eq!(infos.len(), out.len());
        let allocator = allocator.map_or(ptr::null(), ptr::from_ref);
        // SAFETY: the name determines the command's type, and all arguments are valid.
        unsafe {
            let create: vk::PFN_vkCreateRayTracingPipelinesKHR = self.typed(c"vkCreateRayTracingPipelinesKHR");
            let count = infos.len() as u32;
            create(self.device, operation, handle(0), count, infos.as_ptr(), allocator, out.as_mut_ptr())
        }
    }

    /// `vkCreateRayTracingPipelinesKHR` without a deferred operation.
    pub fn rays(&self, infos: &[Rays<'_>]) -> (vk::Result, Vec<vk::Pipeline>) {
        let mut pipelines = vec![handle(0xbad); infos.len()];
        (self.rays_into(handle(0), infos, None, &mut pipelines), pipelines)
    }

    /// `vkCreateRayTracingPipelinesNV`.
    pub fn rays_nv(&self, infos: &[vk::RayTracingPipelineCreateInfoNV<'_>]) -> (vk::Result, Vec<vk::Pipeline>) {
        // SAFETY: the name determines the command's type, and all arguments are valid.
        unsafe {
            let create: vk::PFN_vkCreateRayTracingPipelinesNV = self.typed(c"vkCreateRayTracingPipelinesNV");
            created(infos, |count, infos, out| create(self.device, handle(0), count, infos, ptr::null(), out))
        }
    }

    /// `vkDeferredOperationJoinKHR`.
    pub fn join(&self, operation: vk::DeferredOperationKHR) -> vk::Result {
        // SAFETY: the name determines the command's type, and the arguments are valid.
        unsafe {
            let join: vk::PFN_vkDeferredOperationJoinKHR = self.typed(c"vkDeferredOperationJoinKHR");
            join(self.device, operation)
        }
    }

    /// `vkGetDeferredOperationResultKHR`.
    pub fn operation_result(&self, operation: vk::DeferredOperationKHR) -> vk::Result {
        // SAFETY: the name determines the command's type, and the arguments are valid.
        unsafe {
            let result: vk::PFN_vkGetDeferredOperationResultKHR = self.typed(c"vkGetDeferredOperationResultKHR");
            result(self.device, operation)
        }
    }

    /// `vkDestroyDeferredOperationKHR`.
    pub fn destroy_operation(&self, operation: vk::DeferredOperationKHR) {
        self.destroy(operation);
    }
}
