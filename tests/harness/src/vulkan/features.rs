//! Which features and extensions the harness's device has enabled.
//!
//! In: a physical device, and the newest extension revision the validation layer knows. Out: one pNext chain with every
//! supported bit of the listed structs, and the extension names to enable. What changes results behind a shader's back
//! (robust buffer access) is the caller's choice.

use std::ffi::{CStr, c_void};

use ash::{Instance, khr, vk};

/// Declares the chained feature structs: the extension that brings each (none for core ones), the Vulkan header revision
/// that introduced it, and the struct.
macro_rules! feature_structs {
    ($($field:ident: $ty:ident, $extension:expr, $since:literal;)*) => {
        /// Every feature struct the harness queries and enables; boxed by its owner, since they point at one another.
        #[derive(Default)]
        pub struct Features {
            /// The head of the chain.
            pub core: vk::PhysicalDeviceFeatures2<'static>,
            /// Lanes in a subgroup: what the words that fixtures expect of wave operations depend on.
            pub subgroup_size: u32,
            /// Stages with subgroup operations.
            pub subgroup_stages: vk::ShaderStageFlags,
            $(
                #[doc = concat!("`", stringify!($ty), "`.")]
                pub $field: vk::$ty<'static>,
            )*
        }

        impl Features {
            /// Links the structs whose extension is in `available` (or that need none) and returns the extensions to enable.
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
    v13: PhysicalDeviceVulkan13Features, None, 1;
    robustness2: PhysicalDeviceRobustness2FeaturesEXT, Some(ash::ext::robustness2::NAME), 139;
    atomic_float: PhysicalDeviceShaderAtomicFloatFeaturesEXT, Some(ash::ext::shader_atomic_float::NAME), 144;
    image_atomic_int64: PhysicalDeviceShaderImageAtomicInt64FeaturesEXT, Some(ash::ext::shader_image_atomic_int64::NAME), 152;
    interlock: PhysicalDeviceFragmentShaderInterlockFeaturesEXT, Some(ash::ext::fragment_shader_interlock::NAME), 102;
    barycentric: PhysicalDeviceFragmentShaderBarycentricFeaturesKHR, Some(khr::fragment_shader_barycentric::NAME), 209;
    mutable_descriptor: PhysicalDeviceMutableDescriptorTypeFeaturesEXT, Some(ash::ext::mutable_descriptor_type::NAME), 226;
    maintenance5: PhysicalDeviceMaintenance5FeaturesKHR, Some(khr::maintenance5::NAME), 260;
    maximal_reconvergence: PhysicalDeviceShaderMaximalReconvergenceFeaturesKHR, Some(khr::shader_maximal_reconvergence::NAME), 272;
    quad_control: PhysicalDeviceShaderQuadControlFeaturesKHR, Some(khr::shader_quad_control::NAME), 272;
    float_controls2: PhysicalDeviceShaderFloatControls2FeaturesKHR, Some(khr::shader_float_controls2::NAME), 276;
    shader_clock: PhysicalDeviceShaderClockFeaturesKHR, Some(khr::shader_clock::NAME), 140;
}

/// Extensions without a feature struct that fixtures can use.
const PLAIN_EXTENSIONS: &[&CStr] = &[ash::ext::shader_stencil_export::NAME, khr::push_descriptor::NAME];

/// How far the device is opened up.
#[derive(Debug, Clone, Copy)]
pub struct FeatureChoice {
    /// Enable robust buffer access (and version 2 of it where the driver has it).
    pub robust: bool,
    /// The newest Vulkan header revision whose extensions may be enabled.
    pub newest_header: u32,
}

/// Queries what `physical` supports and returns it ready to be chained to a device's create info.
pub fn supported(
    instance: &Instance,
    physical: vk::PhysicalDevice,
    choice: FeatureChoice,
    available: &[&CStr],
) -> (Box<Features>, Vec<&'static CStr>) {
    let mut features = Box::<Features>::default();
    let mut extensions = features.link(available, choice.newest_header);
    extensions.extend(PLAIN_EXTENSIONS.iter().filter(|name| available.contains(name)));
    // SAFETY: the chain was linked from structs that live in the box, and the instance is alive.
    unsafe { instance.get_physical_device_features2(physical, &mut features.core) };
    let mut subgroup = vk::PhysicalDeviceSubgroupProperties::default();
    let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut subgroup);
    // SAFETY: the chain is two structs of this frame, and the instance is alive.
    unsafe { instance.get_physical_device_properties2(physical, &mut properties) };
    features.subgroup_size = subgroup.subgroup_size;
    features.subgroup_stages = subgroup.supported_stages;
    if !choice.robust {
        features.core.features.robust_buffer_access = vk::FALSE;
        features.robustness2.robust_buffer_access2 = vk::FALSE;
        features.robustness2.robust_image_access2 = vk::FALSE;
        features.v13.robust_image_access = vk::FALSE;
    }
    // Captured addresses are a debugging feature that costs on some drivers, and no fixture uses it.
    features.v12.buffer_device_address_capture_replay = vk::FALSE;
    (features, extensions)
}

/// Declares the feature names that fixtures can require, each with its bit.
macro_rules! required_features {
    ($($name:literal: $($field:ident).+;)*) => {
        /// Whether fixtures can name this feature.
        #[must_use]
        pub fn is_known(name: &str) -> bool {
            matches!(name, "min_1_3" | "stencil_export" | "subgroup_size_8" | "subgroup_vertex") $(|| name == $name)*
        }

        impl Features {
            /// Whether a feature that a fixture requires is enabled.
            #[must_use]
            pub fn has(&self, name: &str) -> bool {
                match name {
                    $($name => self.$($field).+ == vk::TRUE,)*
                    // The harness itself does not run on less.
                    "min_1_3" => true,
                    "subgroup_size_8" => self.subgroup_size == 8,
                    "subgroup_vertex" => self.subgroup_stages.contains(vk::ShaderStageFlags::VERTEX),
                    _ => false,
                }
            }
        }
    };
}

required_features! {
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
    "image_atomic_int64": image_atomic_int64.shader_image_int64_atomics;
    "shader_clock": shader_clock.shader_subgroup_clock;
}
