//! A device profile from Vulkan's structures: what a `VkDevice` has enabled.
//!
//! In: the structures that `vkCreateDevice` was given, and those that
//! `vkGetPhysicalDeviceProperties2` filled. Out: a [`DeviceProfile`]. What must hold: nothing here
//! calls Vulkan; the profile has the *enabled* features; a property of an extension is used only if
//! the extension is enabled or part of the Vulkan version.
//!
//! | module | subject |
//! |---|---|
//! | [`chain`] | walking chains of structures |
//! | [`newer`] | structures and numbers that are newer than `ash` |
//! | [`structures`] | feature structures with their numbers, versions and extensions |
//! | [`table`] | one row per feature: the structure and the member that enable it |
//! | [`requested`] | the features that a device create info requests and enables |
//! | [`properties`] | the properties that a profile has |

pub mod chain;
pub mod newer;
pub mod properties;
pub mod requested;
pub mod structures;
pub mod table;

pub use properties::{Known, Properties};
pub use requested::Requested;

use ash::vk;
use dxil_base::profile::{DeviceProfile, FloatControls, VULKAN_1_1_FLOOR};

/// The profile of a device. `version` is the Vulkan version that is used, which may be less than
/// that of `requested`. `read_without_format` has the kinds of storage images that can be read
/// without a format (`VK_FORMAT_FEATURE_2_STORAGE_READ_WITHOUT_FORMAT_BIT`), as a sum of the
/// constants of
/// [`StorageFormats`](dxil_base::profile::StorageFormats); 0 is always right.
///
/// ```
/// use ash::vk;
/// use dxil_vulkan_profile::{Known, Properties, Requested, profile};
///
/// /// The profile of a device that is created with `info` and used in Vulkan 1.3.
/// ///
/// /// # Safety
/// /// Both structures are valid.
/// unsafe fn of_device(
///     info: &vk::DeviceCreateInfo<'_>,
///     properties: &vk::PhysicalDeviceProperties2<'_>,
/// ) -> dxil_base::profile::DeviceProfile {
///     let requested = unsafe { Requested::read(info, vk::API_VERSION_1_3) };
///     let known = Known::new(&requested, vk::API_VERSION_1_3);
///     profile(&requested, vk::API_VERSION_1_3, &unsafe { Properties::read(properties, &known) }, 0)
/// }
/// let (info, properties) = Default::default();
/// assert_eq!(unsafe { of_device(&info, &properties) }.api, (1, 3));
/// ```
pub fn profile(
    requested: &Requested<'_>,
    version: u32,
    properties: &Properties,
    read_without_format: u32,
) -> DeviceProfile {
    let mut profile = VULKAN_1_1_FLOOR;
    profile.api = (vk::api_version_major(version) as u8, vk::api_version_minor(version) as u8);
    profile.spirv = spirv_version(version, requested.extensions.contains(&c"VK_KHR_spirv_1_4"));
    profile.features = Default::default();
    for feature in requested.enabled() {
        profile.features.set(feature, true);
    }
    read_limits(&mut profile, &properties.core.limits);
    profile.formats.read_without_format = read_without_format;
    if version < vk::API_VERSION_1_1 {
        // Vulkan 1.0 has no subgroup operations.
        (profile.subgroup.stages, profile.subgroup.operations) = (0, 0);
    }
    if let Some(subgroup) = properties.subgroup {
        profile.subgroup.size = subgroup.subgroup_size;
        profile.subgroup.stages = subgroup.supported_stages.as_raw();
        profile.subgroup.operations = subgroup.supported_operations.as_raw();
        profile.subgroup.min_size = subgroup.subgroup_size;
        profile.subgroup.max_size = subgroup.subgroup_size;
    }
    if let Some(control) = properties.subgroup_size_control {
        profile.subgroup.min_size = control.min_subgroup_size;
        profile.subgroup.max_size = control.max_subgroup_size;
        profile.subgroup.required_size_stages = control.required_subgroup_size_stages.as_raw();
        profile.subgroup.max_compute_workgroup_subgroups = control.max_compute_workgroup_subgroups;
    }
    if let Some(driver) = properties.driver {
        profile.driver.id = driver.driver_id.as_raw() as u32;
        profile.driver.version = properties.core.driver_version;
    }
    if let Some(float) = properties.float_controls {
        read_float_controls(&mut profile, &float);
    }
    if let Some(mesh) = properties.mesh_shader {
        read_mesh_limits(&mut profile, &mesh);
    }
    if let Some(vector) = properties.long_vector {
        profile.limits.max_vector_components = vector.max_vector_components;
    }
    if let Some(block) = properties.inline_uniform_block {
        profile.limits.max_inline_uniform_block_size = block.max_inline_uniform_block_size;
    }
    profile
}

/// The highest SPIR-V version of a Vulkan version (Vulkan specification, appendix "Vulkan
/// Environment for SPIR-V", "Versions and Formats").
fn spirv_version(version: u32, spirv_1_4: bool) -> (u8, u8) {
    match version {
        v if v >= vk::API_VERSION_1_3 => (1, 6),
        v if v >= vk::API_VERSION_1_2 => (1, 5),
        v if v >= vk::API_VERSION_1_1 && spirv_1_4 => (1, 4),
        v if v >= vk::API_VERSION_1_1 => (1, 3),
        _ => (1, 0),
    }
}

fn read_limits(profile: &mut DeviceProfile, limits: &vk::PhysicalDeviceLimits) {
    let out = &mut profile.limits;
    out.max_push_constants_size = limits.max_push_constants_size;
    out.max_bound_descriptor_sets = limits.max_bound_descriptor_sets;
    out.max_uniform_buffer_range = limits.max_uniform_buffer_range;
    out.max_clip_distances = limits.max_clip_distances;
    out.max_compute_shared_memory_size = limits.max_compute_shared_memory_size;
    out.max_compute_work_group_invocations = limits.max_compute_work_group_invocations;
}

fn read_mesh_limits(profile: &mut DeviceProfile, mesh: &vk::PhysicalDeviceMeshShaderPropertiesEXT<'_>) {
    let out = &mut profile.limits;
    out.max_task_work_group_invocations = mesh.max_task_work_group_invocations;
    out.max_task_payload_size = mesh.max_task_payload_size;
    out.max_mesh_work_group_invocations = mesh.max_mesh_work_group_invocations;
    out.max_mesh_output_vertices = mesh.max_mesh_output_vertices;
    out.max_mesh_output_primitives = mesh.max_mesh_output_primitives;
}

fn read_float_controls(profile: &mut DeviceProfile, float: &vk::PhysicalDeviceFloatControlsProperties<'_>) {
    let sum = |bits: [(vk::Bool32, u32); 5]| bits.iter().map(|&(on, bit)| if on != vk::FALSE { bit } else { 0 }).sum();
    use FloatControls as F;
    profile.float.f16 = sum([
        (float.shader_signed_zero_inf_nan_preserve_float16, F::SIGNED_ZERO_INF_NAN_PRESERVE),
        (float.shader_denorm_preserve_float16, F::DENORM_PRESERVE),
        (float.shader_denorm_flush_to_zero_float16, F::DENORM_FLUSH_TO_ZERO),
        (float.shader_rounding_mode_rte_float16, F::ROUNDING_RTE),
        (float.shader_rounding_mode_rtz_float16, F::ROUNDING_RTZ),
    ]);
    profile.float.f32 = sum([
        (float.shader_signed_zero_inf_nan_preserve_float32, F::SIGNED_ZERO_INF_NAN_PRESERVE),
        (float.shader_denorm_preserve_float32, F::DENORM_PRESERVE),
        (float.shader_denorm_flush_to_zero_float32, F::DENORM_FLUSH_TO_ZERO),
        (float.shader_rounding_mode_rte_float32, F::ROUNDING_RTE),
        (float.shader_rounding_mode_rtz_float32, F::ROUNDING_RTZ),
    ]);
    profile.float.f64 = sum([
        (float.shader_signed_zero_inf_nan_preserve_float64, F::SIGNED_ZERO_INF_NAN_PRESERVE),
        (float.shader_denorm_preserve_float64, F::DENORM_PRESERVE),
        (float.shader_denorm_flush_to_zero_float64, F::DENORM_FLUSH_TO_ZERO),
        (float.shader_rounding_mode_rte_float64, F::ROUNDING_RTE),
        (float.shader_rounding_mode_rtz_float64, F::ROUNDING_RTZ),
    ]);
    profile.float.denorm_independence = float.denorm_behavior_independence.as_raw() as u32;
    profile.float.rounding_independence = float.rounding_mode_independence.as_raw() as u32;
}
