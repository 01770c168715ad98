//! The device profile: the features that are enabled on a device, and its properties. Only this
//! file makes a [`DeviceProfile`] from a `VkDevice`.
//!
//! In: the create info that succeeded, and the physical device. Out: the profile. What must hold:
//! the profile has the *enabled* features; a property of an extension is used only if the extension
//! is enabled or part of the Vulkan version.

use std::ffi::CStr;

use ash::vk;

use crate::features::cap::Cap;
use crate::features::formats;
use crate::features::requested::Requested;
use crate::features::support::Support;
use crate::translator::{DeviceProfile, FloatControls, VULKAN_1_1_FLOOR};
use crate::vulkan::dispatch::InstanceTable;

/// The profile of a device that was created with `info`.
///
/// # Safety
/// `info` must be valid, `table` the table of the instance that `device` belongs to.
pub unsafe fn read_profile(
    info: &vk::DeviceCreateInfo<'_>,
    device: vk::PhysicalDevice,
    table: &InstanceTable,
    support: &Support,
    cap: &Cap,
) -> DeviceProfile {
    // SAFETY: the caller's create info.
    let requested = unsafe { Requested::read(info, support.version) };
    let version = cap.version.map_or(support.version, |cap| support.version.min(cap));
    let has = |core: u32, extension: &CStr| version >= core || requested.extensions.contains(&extension);
    let mut profile = VULKAN_1_1_FLOOR;
    profile.api = (vk::api_version_major(version) as u8, vk::api_version_minor(version) as u8);
    profile.spirv = spirv_version(version, requested.extensions.contains(&c"VK_KHR_spirv_1_4"));
    profile.features = Default::default();
    for feature in requested.enabled() {
        profile.features.set(feature, cap.allows(feature));
    }
    read_limits(&mut profile, &support.properties.limits);
    // SAFETY: the device is the table's, by the caller's contract.
    profile.formats.read_without_format = unsafe { formats::read_without_format(table, device, version) };

    /// A structure of the device's properties, if the device has it.
    macro_rules! properties {
        ($ty:ident, $has:expr) => {
            // SAFETY: the device is the table's, and its version or extension has the structure.
            if $has { unsafe { table.properties::<vk::$ty<'_>>(device, version) } } else { None }
        };
    }
    if version < vk::API_VERSION_1_1 {
        // Vulkan 1.0 has no subgroup operations.
        (profile.subgroup.stages, profile.subgroup.operations) = (0, 0);
    }
    if let Some(subgroup) = properties!(PhysicalDeviceSubgroupProperties, version >= vk::API_VERSION_1_1) {
        profile.subgroup.size = subgroup.subgroup_size;
        profile.subgroup.stages = subgroup.supported_stages.as_raw();
        profile.subgroup.operations = subgroup.supported_operations.as_raw();
        profile.subgroup.min_size = subgroup.subgroup_size;
        profile.subgroup.max_size = subgroup.subgroup_size;
    }
    let has_size_control = has(vk::API_VERSION_1_3, c"VK_EXT_subgroup_size_control");
    if let Some(control) = properties!(PhysicalDeviceSubgroupSizeControlProperties, has_size_control) {
        profile.subgroup.min_size = control.min_subgroup_size;
        profile.subgroup.max_size = control.max_subgroup_size;
        profile.subgroup.required_size_stages = control.required_subgroup_size_stages.as_raw();
        profile.subgroup.max_compute_workgroup_subgroups = control.max_compute_workgroup_subgroups;
    }
    let has_driver = has(vk::API_VERSION_1_2, c"VK_KHR_driver_properties");
    if let Some(driver) = properties!(PhysicalDeviceDriverProperties, has_driver) {
        profile.driver.id = driver.driver_id.as_raw() as u32;
        profile.driver.version = support.properties.driver_version;
    }
    let has_float_controls = has(vk::API_VERSION_1_2, c"VK_KHR_shader_float_controls");
    if let Some(float) = properties!(PhysicalDeviceFloatControlsProperties, has_float_controls) {
        read_float_controls(&mut profile, &float);
    }
    let has_mesh = requested.extensions.contains(&c"VK_EXT_mesh_shader");
    if let Some(mesh) = properties!(PhysicalDeviceMeshShaderPropertiesEXT, has_mesh) {
        read_mesh_limits(&mut profile, &mesh);
    }
    let has_inline_block = has(vk::API_VERSION_1_3, c"VK_EXT_inline_uniform_block");
    if let Some(block) = properties!(PhysicalDeviceInlineUniformBlockProperties, has_inline_block) {
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
