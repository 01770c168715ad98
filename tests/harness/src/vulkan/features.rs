//! Chooses the features and extensions that the harness's device enables.
//!
//! In: a physical device, and the newest header revision that the validation layer knows. Out: a
//! pNext chain with every supported bit of the listed structs, and the names of the extensions to
//! enable. Robust buffer access changes the results of shaders, so the caller decides about it.

use std::ffi::{CStr, c_void};

use ash::{khr, vk};
use dxil_vulkan::Instance;

/// The header revision that introduced VK_EXT_shader_object.
pub const SHADER_OBJECT_SINCE: u32 = 246;

/// Declares the chained feature structs. Each line has the field, the struct, the extension that
/// defines it (`None` for core structs), and the Vulkan header revision that introduced it.
macro_rules! feature_structs {
    ($($field:ident: $ty:ident, $extension:expr, $since:expr;)*) => {
        /// Every feature struct that the harness queries and enables. The structs point to one
        /// another, so the owner keeps them in a box.
        #[derive(Default)]
        pub struct Features {
            /// The head of the chain.
            pub core: vk::PhysicalDeviceFeatures2<'static>,
            /// The number of lanes in a subgroup. The expected results of wave operations depend
            /// on it.
            pub subgroup_size: u32,
            /// The stages with subgroup operations.
            pub subgroup_stages: vk::ShaderStageFlags,
            $(
                #[doc = concat!("`", stringify!($ty), "`.")]
                pub $field: vk::$ty<'static>,
            )*
        }

        impl Features {
            /// Links the structs that need no extension or whose extension is in `available`, and
            /// returns the extensions to enable.
            fn link(&mut self, available: &[&CStr], newest: u32) -> Vec<&'static CStr> {
                let mut extensions: Vec<&'static CStr> = Vec::new();
                let mut next: *mut c_void = std::ptr::null_mut();
                $(
                    let extension: Option<&'static CStr> = $extension;
                    if $since <= newest && extension.is_none_or(|name| available.contains(&name)) {
                        extensions.extend(extension);
                        self.$field.p_next = next;
                        next = std::ptr::from_mut(&mut self.$field).cast();
                    }
                )*
                self.core.p_next = next;
                extensions
            }
        }
    };
}

feature_structs! {
    v11: PhysicalDeviceVulkan11Features, None, 1;
    v12: PhysicalDeviceVulkan12Features, None, 1;
    v13: PhysicalDeviceVulkan13Features, None, 204;
    robustness2: PhysicalDeviceRobustness2FeaturesEXT, Some(ash::ext::robustness2::NAME), 139;
    atomic_float: PhysicalDeviceShaderAtomicFloatFeaturesEXT, Some(ash::ext::shader_atomic_float::NAME), 144;
    image_atomic_int64: PhysicalDeviceShaderImageAtomicInt64FeaturesEXT, Some(ash::ext::shader_image_atomic_int64::NAME), 152;
    interlock: PhysicalDeviceFragmentShaderInterlockFeaturesEXT, Some(ash::ext::fragment_shader_interlock::NAME), 102;
    barycentric: PhysicalDeviceFragmentShaderBarycentricFeaturesKHR, Some(khr::fragment_shader_barycentric::NAME), 209;
    mutable_descriptor: PhysicalDeviceMutableDescriptorTypeFeaturesEXT, Some(ash::ext::mutable_descriptor_type::NAME), 226;
    pipeline_library: PhysicalDeviceGraphicsPipelineLibraryFeaturesEXT, Some(ash::ext::graphics_pipeline_library::NAME), 210;
    maintenance5: PhysicalDeviceMaintenance5FeaturesKHR, Some(khr::maintenance5::NAME), 260;
    maximal_reconvergence: PhysicalDeviceShaderMaximalReconvergenceFeaturesKHR, Some(khr::shader_maximal_reconvergence::NAME), 272;
    quad_control: PhysicalDeviceShaderQuadControlFeaturesKHR, Some(khr::shader_quad_control::NAME), 272;
    float_controls2: PhysicalDeviceShaderFloatControls2FeaturesKHR, Some(khr::shader_float_controls2::NAME), 276;
    descriptor_buffer: PhysicalDeviceDescriptorBufferFeaturesEXT, Some(ash::ext::descriptor_buffer::NAME), 235;
    shader_clock: PhysicalDeviceShaderClockFeaturesKHR, Some(khr::shader_clock::NAME), 140;
    mesh_shader: PhysicalDeviceMeshShaderFeaturesEXT, Some(ash::ext::mesh_shader::NAME), 226;
    acceleration_structure: PhysicalDeviceAccelerationStructureFeaturesKHR, Some(khr::acceleration_structure::NAME), 162;
    ray_query: PhysicalDeviceRayQueryFeaturesKHR, Some(khr::ray_query::NAME), 162;
    ray_tracing_pipeline: PhysicalDeviceRayTracingPipelineFeaturesKHR, Some(khr::ray_tracing_pipeline::NAME), 162;
    transform_feedback: PhysicalDeviceTransformFeedbackFeaturesEXT, Some(ash::ext::transform_feedback::NAME), 88;
    line_rasterization: PhysicalDeviceLineRasterizationFeaturesEXT, Some(ash::ext::line_rasterization::NAME), 110;
    shader_object: PhysicalDeviceShaderObjectFeaturesEXT, Some(ash::ext::shader_object::NAME), SHADER_OBJECT_SINCE;
}

/// The extensions without a feature struct that fixtures can use.
const PLAIN_EXTENSIONS: &[&CStr] = &[
    ash::ext::shader_stencil_export::NAME,
    khr::push_descriptor::NAME,
    // VK_EXT_graphics_pipeline_library requires it.
    khr::pipeline_library::NAME,
    // VK_KHR_acceleration_structure requires it.
    khr::deferred_host_operations::NAME,
];

/// The extensions that only runs by shader objects enable.
const OF_SHADER_OBJECTS: &[&CStr] = &[ash::ext::shader_object::NAME, ash::ext::line_rasterization::NAME];

/// Restrictions on the features that are enabled.
#[derive(Debug, Clone, Copy)]
pub struct FeatureChoice {
    /// Whether to enable robust buffer access, and VK_EXT_robustness2 if the driver has it.
    pub robust: bool,
    /// Whether to enable VK_EXT_shader_object if the driver has it, and what it takes the state of.
    pub shader_objects: bool,
    /// The newest Vulkan header revision whose extensions may be enabled.
    pub newest_header: u32,
    /// Whether a tool replays what runs, and so addresses must not be used that differ then.
    pub can_replay: bool,
}

/// Queries the features that the physical device supports. Returns them as a chain for a device's
/// create info, with the extensions to enable.
pub fn supported(instance: &Instance, choice: FeatureChoice) -> (Box<Features>, Vec<&'static CStr>) {
    let wanted = |name: &&CStr| choice.shader_objects || !OF_SHADER_OBJECTS.contains(name);
    let available: Vec<&CStr> = instance.extensions.iter().map(|name| name.as_c_str()).filter(wanted).collect();
    let (instance, physical) = (&instance.handle, instance.physical);
    let mut features = Box::<Features>::default();
    let mut extensions = features.link(&available, choice.newest_header);
    extensions.extend(PLAIN_EXTENSIONS.iter().filter(|name| available.contains(name)));
    // SAFETY: `physical` belongs to the live instance, and `link` has chained only structs in the
    // box whose extension the device has.
    unsafe { instance.get_physical_device_features2(physical, &mut features.core) };
    let mut subgroup = vk::PhysicalDeviceSubgroupProperties::default();
    let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut subgroup);
    // SAFETY: `physical` belongs to the live instance, and the chain has two structs of this frame.
    unsafe { instance.get_physical_device_properties2(physical, &mut properties) };
    features.subgroup_size = subgroup.subgroup_size;
    features.subgroup_stages = subgroup.supported_stages;
    if !choice.robust {
        features.core.features.robust_buffer_access = vk::FALSE;
        features.robustness2.robust_buffer_access2 = vk::FALSE;
        features.robustness2.robust_image_access2 = vk::FALSE;
        features.v13.robust_image_access = vk::FALSE;
    }
    if choice.can_replay {
        features.v12.buffer_device_address = vk::FALSE;
    }
    // Capture and replay of addresses and descriptors are debugging features. They are slow on some
    // drivers, and no fixture uses them.
    features.v12.buffer_device_address_capture_replay = vk::FALSE;
    features.descriptor_buffer.descriptor_buffer_capture_replay = vk::FALSE;
    // It needs VK_KHR_fragment_shading_rate, which no fixture uses
    // (VUID-VkPhysicalDeviceMeshShaderFeaturesEXT-primitiveFragmentShadingRateMeshShader-07033).
    features.mesh_shader.primitive_fragment_shading_rate_mesh_shader = vk::FALSE;
    features.acceleration_structure.acceleration_structure_capture_replay = vk::FALSE;
    features.ray_tracing_pipeline.ray_tracing_pipeline_shader_group_handle_capture_replay = vk::FALSE;
    features.ray_tracing_pipeline.ray_tracing_pipeline_shader_group_handle_capture_replay_mixed = vk::FALSE;
    (features, extensions)
}

/// Declares the feature names that fixtures can require, each with its bit.
macro_rules! required_features {
    ($($name:literal: $($field:ident).+;)*) => {
        /// Whether fixtures can name this feature.
        #[must_use]
        pub fn is_known(name: &str) -> bool {
            matches!(name, "min_1_3" | "stencil_export" | "subgroup_size_8" | "subgroup_vertex" | "subgroup_rays") $(|| name == $name)*
        }

        impl Features {
            /// Whether a feature that a fixture requires is enabled.
            #[must_use]
            pub fn has(&self, name: &str) -> bool {
                match name {
                    $($name => self.$($field).+ == vk::TRUE,)*
                    // The harness itself requires Vulkan 1.3 (`Context::new`).
                    "min_1_3" => true,
                    "subgroup_size_8" => self.subgroup_size == 8,
                    "subgroup_rays" => self.subgroup_stages.contains(vk::ShaderStageFlags::RAYGEN_KHR),
                    "subgroup_vertex" => self.subgroup_stages.contains(vk::ShaderStageFlags::VERTEX),
                    _ => false,
                }
            }
        }
    };
}

required_features! {
    "shader_int8": v12.shader_int8;
    "shader_int16": core.features.shader_int16;
    "shader_int64": core.features.shader_int64;
    "shader_float16": v12.shader_float16;
    "shader_float64": core.features.shader_float64;
    "storage_buffer_16bit": v11.storage_buffer16_bit_access;
    "uniform_16bit": v11.uniform_and_storage_buffer16_bit_access;
    "storage_input_output_16": v11.storage_input_output16;
    "scalar_block_layout": v12.scalar_block_layout;
    "storage_image_read_without_format": core.features.shader_storage_image_read_without_format;
    "storage_image_write_without_format": core.features.shader_storage_image_write_without_format;
    "image_gather_extended": core.features.shader_image_gather_extended;
    "fragment_stores_and_atomics": core.features.fragment_stores_and_atomics;
    "vertex_stores_and_atomics": core.features.vertex_pipeline_stores_and_atomics;
    "shader_buffer_int64_atomics": v12.shader_buffer_int64_atomics;
    "descriptor_indexing": v12.descriptor_indexing;
    "mutable_descriptor": mutable_descriptor.mutable_descriptor_type;
    "independent_blend": core.features.independent_blend;
    "geometry_shader": core.features.geometry_shader;
    "tessellation_shader": core.features.tessellation_shader;
    "multi_viewport": core.features.multi_viewport;
    "dual_src_blend": core.features.dual_src_blend;
    "output_layer": v12.shader_output_layer;
    "output_viewport_index": v12.shader_output_viewport_index;
    "barycentrics": barycentric.fragment_shader_barycentric;
    "multiview": v11.multiview;
    "storage_image_multisample": core.features.shader_storage_image_multisample;
    "sample_rate_shading": core.features.sample_rate_shading;
    "image_cube_array": core.features.image_cube_array;
    "clip_distance": core.features.shader_clip_distance;
    "cull_distance": core.features.shader_cull_distance;
    "shader_draw_parameters": v11.shader_draw_parameters;
    "texel_formats_extended": core.features.shader_storage_image_extended_formats;
    "sampler_anisotropy": core.features.sampler_anisotropy;
    "resource_min_lod": core.features.shader_resource_min_lod;
    "maintenance5": maintenance5.maintenance5;
    "subgroup_extended_types": v12.shader_subgroup_extended_types;
    "fragment_shader_interlock": interlock.fragment_shader_pixel_interlock;
    "quad_control": quad_control.shader_quad_control;
    "demote": v13.shader_demote_to_helper_invocation;
    "image_float32_atomic_add": atomic_float.shader_image_float32_atomic_add;
    "image_atomic_int64": image_atomic_int64.shader_image_int64_atomics;
    "buffer_device_address": v12.buffer_device_address;
    "descriptor_buffer": descriptor_buffer.descriptor_buffer;
    "graphics_pipeline_library": pipeline_library.graphics_pipeline_library;
    "inline_uniform_block": v13.inline_uniform_block;
    "shader_clock": shader_clock.shader_subgroup_clock;
    "device_clock": shader_clock.shader_device_clock;
    "mesh_shader": mesh_shader.mesh_shader;
    "task_shader": mesh_shader.task_shader;
    "null_descriptor": robustness2.null_descriptor;
    "acceleration_structure": acceleration_structure.acceleration_structure;
    "ray_query": ray_query.ray_query;
    "ray_tracing_pipeline": ray_tracing_pipeline.ray_tracing_pipeline;
    "ray_traversal_primitive_culling": ray_tracing_pipeline.ray_traversal_primitive_culling;
}
