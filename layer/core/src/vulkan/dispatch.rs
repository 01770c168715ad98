//! The commands of the next layer that this one calls, and the key that maps dispatchable handles
//! to their state.
//!
//! In: the next layer's `vkGet*ProcAddr`. Out: tables of optional function pointers, one entry per
//! command that is called. What must hold: a command that the next layer does not have stays
//! `None`, so that the layer cannot call a stub.

use std::ffi::{CStr, c_void};

use ash::vk;

use crate::vulkan::newer;

macro_rules! tables {
    ($($(#[$meta:meta])* $table:ident: $module:ident { $($field:ident: $pfn:ident = $command:literal,)* })*) => {$(
        $(#[$meta])*
        #[derive(Default)]
        pub struct $table {
            $(#[doc = concat!("`", stringify!($pfn), "`")] pub $field: Option<$module::$pfn>,)*
        }
        impl $table {
            /// The table, by asking `get` for each command.
            ///
            /// # Safety
            /// `get` must answer with the command of that name, or `None`.
            pub unsafe fn load(mut get: impl FnMut(&CStr) -> vk::PFN_vkVoidFunction) -> Self {
                Self {$(
                    // SAFETY: the pointer is the command's, by the caller's contract, and both are
                    // function pointers.
                    $field: unsafe {
                        std::mem::transmute::<vk::PFN_vkVoidFunction, Option<$module::$pfn>>(get($command))
                    },
                )*}
            }
        }
    )*};
}

tables! {
    /// Commands that take an instance or a physical device.
    InstanceTable: vk {
        destroy_instance: PFN_vkDestroyInstance = c"vkDestroyInstance",
        enumerate_device_extensions: PFN_vkEnumerateDeviceExtensionProperties = c"vkEnumerateDeviceExtensionProperties",
        get_features: PFN_vkGetPhysicalDeviceFeatures = c"vkGetPhysicalDeviceFeatures",
        get_features2: PFN_vkGetPhysicalDeviceFeatures2 = c"vkGetPhysicalDeviceFeatures2",
        get_features2_khr: PFN_vkGetPhysicalDeviceFeatures2 = c"vkGetPhysicalDeviceFeatures2KHR",
        get_format_properties2: PFN_vkGetPhysicalDeviceFormatProperties2 = c"vkGetPhysicalDeviceFormatProperties2",
        get_properties: PFN_vkGetPhysicalDeviceProperties = c"vkGetPhysicalDeviceProperties",
        get_properties2: PFN_vkGetPhysicalDeviceProperties2 = c"vkGetPhysicalDeviceProperties2",
        get_properties2_khr: PFN_vkGetPhysicalDeviceProperties2 = c"vkGetPhysicalDeviceProperties2KHR",
        get_tool_properties: PFN_vkGetPhysicalDeviceToolProperties = c"vkGetPhysicalDeviceToolProperties",
        get_tool_properties_ext: PFN_vkGetPhysicalDeviceToolProperties = c"vkGetPhysicalDeviceToolPropertiesEXT",
        submit_message: PFN_vkSubmitDebugUtilsMessageEXT = c"vkSubmitDebugUtilsMessageEXT",
    }
    /// Commands of `VK_KHR_pipeline_binary`.
    PipelineBinaryTable: newer {
        get_pipeline_key: GetPipelineKey = c"vkGetPipelineKeyKHR",
        create_pipeline_binaries: CreatePipelineBinaries = c"vkCreatePipelineBinariesKHR",
    }
    /// Commands that are intercepted only for captures.
    CaptureTable: vk {
        create_sampler: PFN_vkCreateSampler = c"vkCreateSampler",
        destroy_sampler: PFN_vkDestroySampler = c"vkDestroySampler",
        create_conversion: PFN_vkCreateSamplerYcbcrConversion = c"vkCreateSamplerYcbcrConversion",
        create_conversion_khr: PFN_vkCreateSamplerYcbcrConversion = c"vkCreateSamplerYcbcrConversionKHR",
        destroy_conversion: PFN_vkDestroySamplerYcbcrConversion = c"vkDestroySamplerYcbcrConversion",
        destroy_conversion_khr: PFN_vkDestroySamplerYcbcrConversion = c"vkDestroySamplerYcbcrConversionKHR",
        destroy_pipeline: PFN_vkDestroyPipeline = c"vkDestroyPipeline",
    }
    /// Commands that take a device.
    DeviceTable: vk {
        destroy_device: PFN_vkDestroyDevice = c"vkDestroyDevice",
        create_shader_module: PFN_vkCreateShaderModule = c"vkCreateShaderModule",
        destroy_shader_module: PFN_vkDestroyShaderModule = c"vkDestroyShaderModule",
        create_set_layout: PFN_vkCreateDescriptorSetLayout = c"vkCreateDescriptorSetLayout",
        destroy_set_layout: PFN_vkDestroyDescriptorSetLayout = c"vkDestroyDescriptorSetLayout",
        create_pipeline_layout: PFN_vkCreatePipelineLayout = c"vkCreatePipelineLayout",
        destroy_pipeline_layout: PFN_vkDestroyPipelineLayout = c"vkDestroyPipelineLayout",
        create_render_pass: PFN_vkCreateRenderPass = c"vkCreateRenderPass",
        create_render_pass2: PFN_vkCreateRenderPass2 = c"vkCreateRenderPass2",
        create_render_pass2_khr: PFN_vkCreateRenderPass2 = c"vkCreateRenderPass2KHR",
        destroy_render_pass: PFN_vkDestroyRenderPass = c"vkDestroyRenderPass",
        create_graphics_pipelines: PFN_vkCreateGraphicsPipelines = c"vkCreateGraphicsPipelines",
        create_compute_pipelines: PFN_vkCreateComputePipelines = c"vkCreateComputePipelines",
        create_ray_tracing_pipelines_khr: PFN_vkCreateRayTracingPipelinesKHR = c"vkCreateRayTracingPipelinesKHR",
        create_ray_tracing_pipelines_nv: PFN_vkCreateRayTracingPipelinesNV = c"vkCreateRayTracingPipelinesNV",
        deferred_operation_join: PFN_vkDeferredOperationJoinKHR = c"vkDeferredOperationJoinKHR",
        get_deferred_operation_result: PFN_vkGetDeferredOperationResultKHR = c"vkGetDeferredOperationResultKHR",
        get_deferred_operation_max_concurrency: PFN_vkGetDeferredOperationMaxConcurrencyKHR =
            c"vkGetDeferredOperationMaxConcurrencyKHR",
        destroy_deferred_operation: PFN_vkDestroyDeferredOperationKHR = c"vkDestroyDeferredOperationKHR",
        create_execution_graph_pipelines: PFN_vkCreateExecutionGraphPipelinesAMDX = c"vkCreateExecutionGraphPipelinesAMDX",
        get_indirect_requirements: PFN_vkGetPipelineIndirectMemoryRequirementsNV =
            c"vkGetPipelineIndirectMemoryRequirementsNV",
        set_object_name: PFN_vkSetDebugUtilsObjectNameEXT = c"vkSetDebugUtilsObjectNameEXT",
        create_shaders: PFN_vkCreateShadersEXT = c"vkCreateShadersEXT",
        get_module_identifier: PFN_vkGetShaderModuleIdentifierEXT = c"vkGetShaderModuleIdentifierEXT",
        get_create_info_identifier: PFN_vkGetShaderModuleCreateInfoIdentifierEXT =
            c"vkGetShaderModuleCreateInfoIdentifierEXT",
    }
}

impl InstanceTable {
    /// The table without the commands that an instance of this version does not have: Vulkan 1.0
    /// has the second versions of queries only by VK_KHR_get_physical_device_properties2. A next
    /// layer may return commands that the instance does not have.
    pub fn for_instance(self, version: u32, properties2: bool) -> Self {
        let is_1_1 = version >= vk::API_VERSION_1_1;
        Self {
            get_features2: self.get_features2.filter(|_| is_1_1),
            get_format_properties2: self.get_format_properties2.filter(|_| is_1_1),
            get_properties2: self.get_properties2.filter(|_| is_1_1),
            get_features2_khr: self.get_features2_khr.filter(|_| is_1_1 || properties2),
            get_properties2_khr: self.get_properties2_khr.filter(|_| is_1_1 || properties2),
            ..self
        }
    }

    /// `vkGetPhysicalDeviceFeatures2`, or its KHR form, for a physical device of this version.
    pub fn features2(&self, version: u32) -> Option<vk::PFN_vkGetPhysicalDeviceFeatures2> {
        self.get_features2.filter(|_| version >= vk::API_VERSION_1_1).or(self.get_features2_khr)
    }

    /// A structure of a physical device's properties; `None` if the instance cannot query it.
    ///
    /// # Safety
    /// The device must be the instance's and of this version, and know the structure.
    pub unsafe fn properties<T>(&self, device: vk::PhysicalDevice, version: u32) -> Option<T>
    where
        T: Default + vk::ExtendsPhysicalDeviceProperties2,
    {
        let query = self.get_properties2.filter(|_| version >= vk::API_VERSION_1_1).or(self.get_properties2_khr)?;
        let mut found = T::default();
        let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut found);
        // SAFETY: a chain of a structure that the device knows.
        unsafe { query(device, &mut properties) };
        Some(found)
    }
}

/// The address in the first word of a dispatchable handle. An instance and its physical devices
/// share one table of the loader, and a device, its queues and command buffers another, so the key
/// identifies the instance or the device.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key(usize);

impl Key {
    /// The key of a dispatchable handle.
    ///
    /// # Safety
    /// The handle must be a live dispatchable object.
    pub unsafe fn from_handle(handle: impl vk::Handle) -> Self {
        let object = handle.as_raw() as usize as *const *const c_void;
        // SAFETY: the first word of every dispatchable object is the loader's dispatch pointer
        // (Vulkan-Loader, LoaderLayerInterface.md, "Creating New Dispatchable Objects").
        Key(unsafe { *object } as usize)
    }
}
